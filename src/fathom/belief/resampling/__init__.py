"""Whole hidden states that fit all that a crew knows, for search."""
