"""How a process is, for those who run it: load balancers, orchestrators, Prometheus."""

import hmac

from aiohttp import web

from fathom import __version__
from fathom.server.harbour import Harbour
from fathom.server.troubles import Trouble
from fathom.server.wire import Condition, Health


def condition(harbour: Harbour) -> Condition:
    """Whether the process can serve players, and if not, why."""
    if harbour.going_down:
        return "going-down"
    if harbour.moderation.drain.on:
        return "draining"
    if harbour.away_since is not None:
        return "log-away"
    return "failing" if harbour.supervisor.failing() else "ok"


def ready(harbour: Harbour) -> tuple[Health, int]:
    """Whether players should be sent here: 503 while they could not play."""
    now = condition(harbour)
    return report(harbour, now), 200 if now == "ok" else 503


def live(harbour: Harbour) -> tuple[Health, int]:
    """Whether the process should be left alone: 503 if starting it anew may help.

    A database that is away, or an end that is under way, is no reason to kill anything.
    """
    failing = harbour.supervisor.failing()
    return report(harbour, "failing" if failing else "ok"), 503 if failing else 200


def report(harbour: Harbour, now: Condition) -> Health:
    failing = harbour.supervisor.failing()
    return Health(now, __version__, harbour.games(), len(harbour.connections), failing)


def check_metrics_token(request: web.Request, token: str) -> None:
    """Numbers are the operator's: some of them move with what crews keep secret."""
    if not token:
        raise Trouble("unknown-path")
    given = request.headers.get("Authorization", "").encode(errors="replace")
    if not hmac.compare_digest(given, f"Bearer {token}".encode()):
        raise Trouble("bad-token")
