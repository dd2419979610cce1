"""Answers to what never reaches the application: requests that are no HTTP, and strange headers."""

from aiohttp import web

from fathom.server.api import failed


class HttpHandler(web.RequestHandler):
    """The web server's protocol, with other answers of its own.

    Those that it has repeat what was sent, several times over, and tell all versions.
    """

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Note it, as far as it is a fault of ours, and answer in a few words."""
        super().handle_error(request, status, exc, message)
        # The application answers for its own faults; text that can't be is what strangers send.
        ours = status == 500 and not isinstance(exc, UnicodeError)
        answer = failed("internal" if ours else "bad-message")
        answer.headers["Server"] = "Fathom"
        answer.force_close()
        return answer


def make_handler(server: web.Server) -> HttpHandler:
    """A protocol for one more connection, with what the server was told of protocols."""
    return HttpHandler(server, loop=server._loop, **server._kwargs)  # noqa: SLF001
