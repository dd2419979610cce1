"""Who somebody is: a name, tokens of devices and programs, a recovery code.

Token and code are told once; only their hashes are stored. Both have so many bits that no number of
guesses helps, so a plain hash will do.
"""

import hashlib
import re
import secrets
import unicodedata
from random import SystemRandom
from typing import Final

import msgspec

from fathom.bots.dice import SECRET_BYTES
from fathom.server.log import Log, NewToken, StoredPlayer, StoredToken
from fathom.server.troubles import Trouble
from fathom.server.wire import CODE_LETTERS, Identity, MyTokens, ProgramMade, Scope, TokenCard
from fathom.words import JOINERS, is_printable

TABLE_LETTERS: Final = 5
RECOVERY_GROUPS: Final = 5
"""Groups of four letters: 99 bits."""
PROGRAM: Final = "program."
"""How tokens with a scope begin; no device's token has a dot in it."""
LONGEST_NAME: Final = 40
MOST_MARKS: Final = 4
"""Marks on one letter: more than any language needs, and no tower that covers other lines."""
UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing: fillers, the blank Braille pattern, variation selectors
but for the one that emoji need."""
FIRST_JOINED: Final = 0x0590
"""Latin, Greek, Cyrillic and Armenian are before it: they join nothing."""
MOST_TOKENS: Final = 50
"""That one player may have."""
DICE: Final = SystemRandom()


def hashed(secret: str) -> bytes:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def token_hash(token: str) -> bytes:
    """What is stored of a token.

    Those with a scope are hashed by another function: a process of a release that knows no scopes
    must not find them, or they could do everything there.
    """
    if token.startswith(PROGRAM):
        return hashlib.blake2b(token.encode(), digest_size=32, person=b"fathom program").digest()
    return hashed(token)


def code_hash(recovery: str) -> bytes:
    """What is stored of a recovery code, however it is typed."""
    tidy = "".join(recovery.upper().split()).replace("-", "")
    return hashed("-".join(tidy[place : place + 4] for place in range(0, len(tidy), 4)))


def new_name() -> str:
    """A name that nobody guesses, for players and games."""
    return secrets.token_urlsafe(12)


def new_token() -> str:
    """A device's secret."""
    return secrets.token_urlsafe(24)


def new_secret() -> str:
    """A table's secret, for its bots' dice."""
    return secrets.token_hex(SECRET_BYTES)


def new_recovery() -> str:
    """A code to be written down: groups of four letters."""
    return "-".join(
        "".join(DICE.choice(CODE_LETTERS) for _ in range(4)) for _ in range(RECOVERY_GROUPS)
    )


def new_code(letters: int = TABLE_LETTERS) -> str:
    """A short code for a table, to be said aloud."""
    return "".join(DICE.choice(CODE_LETTERS) for _ in range(letters))


def checked_name(name: str) -> str:
    """The name as people and records will see it.

    ``web/src/player/name.ts`` does the same, and ``web/tests/names.json`` holds both together.
    """
    tidy = " ".join(name.split())
    if not 1 <= len(tidy) <= LONGEST_NAME or not is_visible(tidy):
        raise Trouble("bad-name")
    return tidy


def is_visible(name: str) -> bool:
    """Whether people see a name, all of it, and nothing around it."""
    if not is_printable(name) or UNSEEN.search(name):
        return False
    # A letter before the name, so that marks at its beginning stand on nothing.
    kinds = " " + "".join(unicodedata.category(letter)[0] for letter in name)
    if not re.search("[LNPS]", kinds) or re.search(rf"[^LNPSM]M|M{{{MOST_MARKS + 1}}}", kinds):
        return False
    return all(
        joins(name[place - 1 : place], name[place + 1 : place + 2])
        for place, letter in enumerate(name)
        if letter in JOINERS
    )


def joins(before: str, after: str) -> bool:
    """Whether a joiner between these can be seen: in scripts that join letters, and in emoji.

    Between letters of others it would only make two names look the same.
    """
    return all(
        near and ord(near) >= FIRST_JOINED and unicodedata.category(near)[0] in kinds
        for near, kinds in ((before, "LMS"), (after, "LS"))
    )


def checked_device(name: str) -> str:
    """What a token is called in its player's list; may be empty."""
    tidy = " ".join(name.split())
    if not is_printable(tidy):
        raise Trouble("bad-name")
    return tidy


# Players


async def register(log: Log, name: str, device: str = "", *, recoverable: bool = True) -> Identity:
    """A new player, with secrets that are told this once."""
    player = StoredPlayer(new_name(), checked_name(name))
    token, stored = issue(device)
    recovery = new_recovery() if recoverable else ""
    await log.add_player(player, stored, hashed(recovery) if recovery else None)
    return Identity(player.who, player.name, token, recovery, stored.id)


async def recover(log: Log, recovery: str, device: str = "") -> Identity:
    """The same player on another device."""
    token, stored = issue(device)
    player = await log.player_with_recovery(code_hash(recovery))
    if player is None:
        raise Trouble("bad-recovery")
    await log.add_token(player.who, stored)
    return Identity(player.who, player.name, token, device=stored.id)


async def recognise(log: Log, token: str) -> StoredToken:
    """Whose token this is, and what it may do."""
    found = await log.token(token_hash(token))
    if found is None:
        raise Trouble("bad-token")
    return found


async def renew_recovery(log: Log, player: StoredPlayer, old: str) -> Identity:
    """A new recovery code for the old one, so that who has stolen a token can't replace it."""
    recovery = new_recovery()
    if not await log.set_recovery(player.who, hashed(recovery), code_hash(old) if old else None):
        raise Trouble("bad-recovery")
    return Identity(player.who, player.name, recovery=recovery)


# Tokens


def issue(device: str, scope: Scope | None = None) -> tuple[str, NewToken]:
    """A new token, and what is stored of it."""
    token = new_token() if scope is None else PROGRAM + new_token()
    written = "" if scope is None else msgspec.json.encode(scope).decode()
    return token, NewToken(token_hash(token), new_name(), checked_device(device), written)


def scope_of(token: StoredToken) -> Scope | None:
    """What a token may be used for; None: everything.

    A scope that this release does not understand allows nothing.
    """
    if not token.scope:
        return None
    try:
        return msgspec.json.decode(token.scope, type=Scope)
    except msgspec.MsgspecError:
        return Scope()


async def surplus(log: Log, who: str) -> list[str]:
    """Tokens that are one too many: whoever has the recovery code gets in, and the oldest go."""
    return [old.id for old in (await log.tokens_of(who))[MOST_TOKENS:]]


async def new_program(log: Log, player: StoredPlayer, device: str, scope: Scope) -> ProgramMade:
    """A token for a bot or another program."""
    if not scope.games and scope.play is None:
        raise Trouble("bad-message", where="scope")
    if len(await log.tokens_of(player.who)) >= MOST_TOKENS:
        raise Trouble("too-many-tokens", most=MOST_TOKENS)
    token, stored = issue(device, scope)
    if not stored.device:
        raise Trouble("bad-name")
    await log.add_token(player.who, stored)
    return ProgramMade(stored.id, token, stored.device, scope)


async def my_tokens(log: Log, asking: StoredToken) -> MyTokens:
    """A player's devices and programs."""
    found = await log.tokens_of(asking.player.who)
    return MyTokens(
        tuple(token_card(token, asking.id) for token in found),
        await log.has_recovery(asking.player.who),
    )


def token_card(token: StoredToken, asking: str) -> TokenCard:
    return TokenCard(
        id=token.id,
        device=token.device,
        scope=scope_of(token),
        created=token.created,
        used=token.used,
        this=token.id == asking,
    )
