"""What the log asks SQLite and PostgreSQL in the same words."""

import re
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any, Final

from fathom.server.log import (
    StoredGame,
    StoredLine,
    StoredPlayer,
    StoredTable,
    StoredToken,
    stored_table,
    stored_token,
)

PLACEHOLDER: Final = re.compile(r"\$(\d+)(::\w+)?")
GAME: Final = "select game, table_code, began, header, card, result from games"
GAMES_OF: Final = """
select game, table_code, games.began, header, card, result from games_of join games using (game)
where who = $1 order by games_of.began desc, game limit $2
"""
TABLE: Final = "select code, version, phase, body, listed from tables"
SOLO_TABLES: Final = """
select code from members as mine join tables using (code) where who = $1 and phase = 'playing'
and not exists (
    select 1 from members as other where other.code = mine.code and other.who != mine.who
)
order by visited desc, changed desc limit $2 offset $3
"""
CHAT: Final = """
select number, body from chat where code = $1 and number > $2 and length(body) > 0
order by number desc limit $3
"""
PLAYER: Final = "select who, name from players"
TOKENS: Final = """
select id, who, name, device, scope, created, used from tokens join players using (who)
"""


@lru_cache(256)
def for_sqlite(statement: str) -> str:
    """A statement as SQLite wants it: ``?1`` instead of ``$1`` or ``$1::text``."""
    return PLACEHOLDER.sub(r"?\1", statement)


class LogQueries(ABC):
    """A log, as far as both databases understand the same statements."""

    @abstractmethod
    async def find(self, question: str, *values: Any) -> list[Any]:
        """All rows that answer a question with PostgreSQL's placeholders.

        What can't be stored is not there.
        """

    @abstractmethod
    async def run(self, statement: str, *values: Any) -> None:
        """Write something, with PostgreSQL's placeholders."""

    async def position_of(self, game: str, key: str) -> int | None:
        question = "select position from steps where game = $1 and key = $2 and key != ''"
        found = await self.find(question, game, key)
        return found[0][0] if found else None

    async def game(self, game: str) -> StoredGame | None:
        found = await self.find(f"{GAME} where game = $1", game)
        return StoredGame(*found[0]) if found else None

    async def games_of(self, who: str, most: int = 100) -> list[StoredGame]:
        return [StoredGame(*row) for row in await self.find(GAMES_OF, who, most)]

    async def table(self, code: str) -> StoredTable | None:
        found = await self.find(f"{TABLE} where code = $1", code)
        return stored_table(found[0]) if found else None

    async def solo_tables(self, who: str, skip: int, most: int = 100) -> list[str]:
        return [row[0] for row in await self.find(SOLO_TABLES, who, most, skip)]

    async def chat(self, table: str, after: int = 0, most: int = 200) -> list[StoredLine]:
        rows = await self.find(CHAT, table, after, most)
        return [StoredLine(*row) for row in reversed(rows)]

    async def player(self, who: str) -> StoredPlayer | None:
        found = await self.find(f"{PLAYER} where who = $1", who)
        return StoredPlayer(*found[0]) if found else None

    async def player_with_recovery(self, recovery: bytes) -> StoredPlayer | None:
        found = await self.find(f"{PLAYER} where recovery = $1", recovery)
        return StoredPlayer(*found[0]) if found else None

    async def has_recovery(self, who: str) -> bool:
        found = await self.find("select recoverable from players where who = $1", who)
        return bool(found and found[0][0])

    async def rename(self, who: str, name: str) -> None:
        await self.run("update players set name = $1 where who = $2", name, who)

    async def token(self, hash: bytes) -> StoredToken | None:  # noqa: A002
        found = await self.find(f"{TOKENS} where token = $1", hash)
        return stored_token(found[0]) if found else None

    async def tokens_of(self, who: str) -> list[StoredToken]:
        question = f"{TOKENS} where who = $1 order by used desc, created desc, id"
        return [stored_token(row) for row in await self.find(question, who)]
