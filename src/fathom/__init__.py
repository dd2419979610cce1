"""Fathom: a submarine duel in which two crews hunt each other by ear."""

__version__ = "0.2.0"
