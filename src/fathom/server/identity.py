"""Who somebody is: a name, a device's token, a recovery code. The secrets are stored hashed."""

import hashlib
import secrets
import time
from random import SystemRandom
from typing import Final

from fathom.server.log import Log, StoredPlayer
from fathom.server.troubles import Trouble
from fathom.server.wire import CODE_LETTERS, Identity

TABLE_LETTERS: Final = 5
RECOVERY_GROUPS: Final = 5
"""Groups of four letters: 99 bits, so that no number of guesses helps and a plain hash will do."""
DICE: Final = SystemRandom()


def hashed(secret: str) -> bytes:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def new_name(size: int = 12) -> str:
    """A name that nobody guesses, for players and games."""
    return secrets.token_urlsafe(size)


def new_token() -> str:
    """A device's secret."""
    return secrets.token_urlsafe(24)


def new_recovery() -> str:
    """A code to be written down: groups of four letters."""
    return "-".join(
        "".join(DICE.choice(CODE_LETTERS) for _ in range(4)) for _ in range(RECOVERY_GROUPS)
    )


def new_code() -> str:
    """A short code for a table, to be said aloud."""
    return "".join(DICE.choice(CODE_LETTERS) for _ in range(TABLE_LETTERS))


def now_ms() -> int:
    """The time of day."""
    return time.time_ns() // 1_000_000


def checked_name(name: str) -> str:
    """The name as people and records will see it."""
    tidy = " ".join(name.split())
    if not 1 <= len(tidy) <= 40 or not tidy.isprintable():
        raise Trouble("bad-name")
    return tidy


async def register(log: Log, name: str) -> Identity:
    """A new player, with secrets that are told this once."""
    player = StoredPlayer(new_name(), checked_name(name))
    token, recovery = new_token(), new_recovery()
    await log.add_player(player, hashed(token), hashed(recovery))
    return Identity(player.who, player.name, token, recovery)


async def recover(log: Log, recovery: str) -> Identity:
    """The same player on another device."""
    tidy = "".join(recovery.upper().split()).replace("-", "")
    code = "-".join(tidy[place : place + 4] for place in range(0, len(tidy), 4))
    player = await log.player_with_recovery(hashed(code))
    if player is None:
        raise Trouble("bad-recovery")
    token = new_token()
    await log.add_token(player.who, hashed(token))
    return Identity(player.who, player.name, token)


async def recognise(log: Log, token: str) -> StoredPlayer:
    """Whose token this is."""
    player = await log.player_with_token(hashed(token))
    if player is None:
        raise Trouble("bad-token")
    return player


async def renew_recovery(log: Log, player: StoredPlayer) -> Identity:
    """A new recovery code; the old one is void."""
    recovery = new_recovery()
    await log.set_recovery(player.who, hashed(recovery))
    return Identity(player.who, player.name, recovery=recovery)
