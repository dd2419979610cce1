"""What the web server notes: faults of ours, and nothing of what strangers send."""

import logging

from aiohttp.http_exceptions import HttpProcessingError

from fathom.server.metrics import Metrics


class Malformed(logging.Filter):
    """Counts requests that are no HTTP. They come from scanners, and nobody need read of them."""

    def __init__(self, metrics: Metrics) -> None:
        super().__init__()
        self.metrics = metrics

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is noted."""
        failure = record.exc_info[1] if record.exc_info else None
        if isinstance(failure, ConnectionError):
            # A client that has gone in the middle of its request.
            return False
        if not isinstance(failure, HttpProcessingError | UnicodeError):
            return True
        self.metrics.bad_requests += 1
        return False


def http_notes(metrics: Metrics) -> logging.Logger:
    """What the web server writes to."""
    logger = logging.getLogger("fathom.http")
    logger.filters = [Malformed(metrics)]
    return logger
