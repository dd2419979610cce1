"""The rules once more, slow and obvious: the judge of the engine."""
