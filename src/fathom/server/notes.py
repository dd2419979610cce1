"""Structured notes on what the server does: one JSON object a line, and never a secret."""

import json
import logging
import sys
import time
from typing import Final

FIELDS: Final = ("count", "error", "kind")
"""What a note may carry beside its words. Nothing that a client sent is ever among it."""


JSON_LOGS: Final = "--json-logs"
"""The option of those who write notes as JSON."""


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
    """Write notes to stderr, as JSON or for people: ours, and what libraries warn of."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")
    handler.setFormatter(JsonLines() if json_lines else plain)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("fathom").setLevel(logging.INFO)
    logging.captureWarnings(capture=True)


def note_options() -> tuple[str, ...]:
    """How a process is started that takes notes as this one does."""
    handlers = logging.getLogger().handlers
    return (JSON_LOGS,) if any(isinstance(one.formatter, JsonLines) for one in handlers) else ()
