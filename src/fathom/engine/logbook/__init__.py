"""Logbooks: whole games as text, what PGN is to chess. docs/logbook.md tells the format."""

from fathom.engine.logbook.book import LONGEST, Logbook, duel, read, verify, write
from fathom.engine.logbook.header import BadLogbook
from fathom.engine.logbook.steps import Step

__all__ = ["LONGEST", "BadLogbook", "Logbook", "Step", "duel", "read", "verify", "write"]
