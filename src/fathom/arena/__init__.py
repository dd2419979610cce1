"""Tournaments between bots, and how strong they are by what came of them."""
