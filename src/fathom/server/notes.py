"""Structured notes on what the server does: one JSON object a line, and never a secret."""

import json
import logging
import sys
import time
from typing import Final

FIELDS: Final = ("count", "error", "kind")
"""What a note may carry beside its words. Nothing that a client sent is ever among it."""


class JsonLines(logging.Formatter):
    """A note as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        note: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "by": record.name,
            "note": record.getMessage(),
        }
        note |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            note["fault"] = self.formatException(record.exc_info)
        return json.dumps(note)


def take_notes(*, json_lines: bool) -> None:
    """Write notes to stderr, as JSON or for people."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")
    handler.setFormatter(JsonLines() if json_lines else plain)
    root = logging.getLogger("fathom")
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    root.propagate = False
