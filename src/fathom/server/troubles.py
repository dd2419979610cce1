"""What can't be done, as a key with arguments."""

from typing import Final

from fathom.server.wire import Arguments, ErrorKey, Obstacle

MEANINGS: Final[dict[ErrorKey, str]] = {
    "bad-message": "the message or body is not understood; `where` is the place within it",
    "bad-protocol": "the client speaks another version of the protocol; `known` is the server's",
    "bad-token": "nobody has this token, or none was given",
    "token-ended": "the player has ended this token; the connection is closed",
    "not-in-scope": "a program's token may not do this",
    "bad-origin": "the request comes from a page of another site",
    "bad-name": "a name has 1 to 40 printable characters",
    "bad-recovery": "nobody has this recovery code, or it is not yours",
    "bad-chart": "the table's own chart can't be read; `line` and `column` tell where",
    "too-long": "the message is longer than `most` bytes",
    "too-many-messages": "slow down",
    "too-many-connections": "too many connections of this address or player, or altogether",
    "too-many-tables": "too many new tables of this address, or games of this player: "
    "`seconds` until the next; or too many tables open on this connection",
    "too-many-tokens": "the player has `most` tokens; end some",
    "too-much-chat": "slow down with the chat",
    "unknown-table": "there is no such table",
    "unknown-game": "there is no such game",
    "unknown-token": "you have no such device or program",
    "unknown-scenario": "there is no rulebook or scenario `name`",
    "unknown-path": "there is nothing at this address",
    "bad-method": "this address is asked in another way",
    "not-at-this-table": "only who holds a post may do this",
    "not-your-seat": "you hold no seat in this game",
    "not-the-host": "only the host may do this",
    "post-taken": "somebody else holds the post, or no post is free",
    "post-empty": "nobody holds the post, or this rulebook has none such",
    "seats-empty": "`free` posts are held by nobody",
    "not-ready": "`number` people are not ready, `name` among them",
    "game-is-on": "not while a game is under way",
    "no-game": "not without a game, or not before its end",
    "game-too-long": "the game has more steps than the server keeps; one may still resign",
    "game-not-over": "a record opens when the game has ended",
    "watching-not-allowed": "this table lets nobody watch",
    "removed": "the host has removed you from this table for good",
    "table-locked": "the host has locked the table: nobody new may sit down",
    "muted": "the host takes no lines of chat from you at this table",
    "banned": "you are banned from this server; `reason` tells why, and `until` (milliseconds "
    "since 1970; 0: for ever) for how long",
    "unknown-player": "there is no such player, or not here",
    "unknown-entry": "there is no such ban, report or line",
    "not-open": "the table is not open on this connection: send `open` first",
    "busy": "the server has too much of this to do; ask again in a while",
    "not-saved": "it could not be saved; nothing has happened as far as is known. Send it again",
    "going-down": "the server is being stopped; come again",
    "internal": "a fault of the server's own",
}
"""What each error means, for docs/protocol.md."""


class Trouble(Exception):
    """Something that can't be done; nothing has changed."""

    def __init__(self, error: ErrorKey, **arguments: str | int) -> None:
        super().__init__(error)
        self.error: ErrorKey = error
        self.arguments: Arguments = arguments


class Unplayable(Exception):
    """Settings or seats with which no game can begin."""

    def __init__(self, obstacle: Obstacle) -> None:
        super().__init__(obstacle.key)
        self.obstacle = obstacle
