"""Speed of the engine beside the speed of its peers."""
