"""Crews that play by what their seats see and hear, and by nothing else."""
