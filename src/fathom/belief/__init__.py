"""Where can they be? Worked out from what everyone hears, and from nothing else."""
