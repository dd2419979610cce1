"""The log in PostgreSQL, for any number of processes on any number of machines.

What is to be appended is gathered, and written by one statement: one round trip and one commit for
many games, with one ring of the bell. A game's row in ``heads`` is the fence: whoever moves it on
from the expected position has the next one, and who comes second moves nothing. Every write is a
single statement, so a process that is stopped in the middle holds nothing up.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import asyncpg
from msgspec import Struct

from fathom.server.log import (
    AlreadyDone,
    Change,
    Conflict,
    Lease,
    LeaseLost,
    Listener,
    LogAway,
    NewGame,
    Step,
    StoredGame,
    StoredLine,
    StoredPlayer,
    StoredTable,
    keeps_last,
)
from fathom.server.postgres_bell import RING, Bell, rung, written
from fathom.server.postgres_link import Link, connect
from fathom.server.postgres_schema import Connection, migrate
from fathom.server.postgres_statements import (
    ADD_TABLE,
    APPEND,
    CHANGE_TABLE,
    DROP_TABLE,
    GAME,
    HELD_BY_ANYONE,
    HOLD,
    IS_HELD,
    KEEP,
    READ,
    SAVE_TABLE,
    SAY,
    UNTENDED,
    WHY,
)

WRITERS: Final = 2
"""Connections that append: while one waits for the disk, the other's statement is worked on."""
READERS: Final = 2
LARGEST_COMMIT: Final = 300
"""Games that share a commit: their names fit into one ring."""
LARGEST_READ: Final = 100
"""Games that are read with one question."""


class Append(Struct, eq=False):
    """What waits for the next commit."""

    game: str
    expected: int
    steps: Sequence[Step]
    result: bytes | None
    under: Lease | None
    done: "asyncio.Future[None]"

    @property
    def last(self) -> int:
        """The last position after it."""
        return self.expected + len(self.steps)


class Read(Struct, eq=False):
    """What waits for the next question."""

    game: str
    after: int
    most: int
    done: "asyncio.Future[list[Step]]"


class PostgresLog:
    """One database, any number of processes."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.writers = [Link(address, self.arrive) for _ in range(WRITERS)]
        self.readers = [Link(address, self.arrive) for _ in range(READERS)]
        self.links = (*self.writers, *self.readers)
        self.idle = list(self.writers)
        self.bell = Bell(address, self.readers[0], secrets.token_hex(8))
        self.appends: list[Append] = []
        self.reads: list[Read] = []
        self.rings: list[Change] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.turn = 0
        self.commits = 0
        """How many commits there were; with the number of writes, how well they share one."""

    async def arrive(self, connection: Connection) -> None:
        """A connection of our own: its rings are no news."""
        self.bell.own.add(connection.get_server_pid())

    async def open(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self.migrate()
        await asyncio.gather(*(link.fetch("select 1") for link in self.links))
        await self.bell.open()

    async def migrate(self) -> None:
        """Bring the tables up to date; several processes may try that at once."""
        connection = await connect(self.address)
        try:
            await migrate(connection)
        finally:
            await connection.close()

    async def close(self) -> None:
        while self.appends or self.reads or self.rings or self.tasks:
            self.work()
            await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.bell.close()
        for link in self.links:
            await link.close()

    def gauges(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        return {
            "log_away": (
                "1 while the database can't be reached",
                lambda: float(not any(link.up for link in self.links)),
            ),
            "log_deaf": (
                "1 while changes are looked for because the bell is not heard",
                lambda: float(not self.bell.hears),
            ),
            "log_looks": ("Times that changes were looked for", lambda: self.bell.polls),
            "log_commits": ("Commits of orders", lambda: self.commits),
            "log_waiting": ("Appends that wait for a commit", lambda: len(self.appends)),
            "log_connects": (
                "Connections made to the database",
                lambda: sum(link.connects for link in (*self.links, self.bell.link)),
            ),
        }

    def listen(self, listener: Listener) -> None:
        self.bell.listeners.append(listener)

    async def ring(self, change: Change) -> None:
        # What is written rings by itself.
        if change.kind == "presence":
            self.rings.append(change)
            self.work_soon()

    # Gathering

    def work_soon(self) -> None:
        """When all that is due now has been done: it may bring more."""
        if len(self.appends) + len(self.reads) + len(self.rings) == 1:
            self.loop.call_soon(self.work)

    def work(self) -> None:
        """Hand over what was gathered, as far as there are connections."""
        while self.appends and self.idle:
            self.begin(self.write(self.idle.pop(), self.next_commit()))
        while self.reads:
            reads, self.reads = self.reads[:LARGEST_READ], self.reads[LARGEST_READ:]
            self.begin(self.read_all(reads))
        if self.rings:
            rings, self.rings = self.rings, []
            self.begin(self.ring_all(rings))

    def begin(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def reader(self) -> Link:
        """The connections take turns."""
        self.turn = (self.turn + 1) % READERS
        return self.readers[self.turn]

    async def ask(self, question: str, *values: Any) -> list[Any]:
        """All rows that answer the question."""
        return await self.reader().fetch(question, *values)

    async def find(self, question: str, *values: Any) -> list[Any]:
        """The same, for names that come from outside: what can't be stored is not there."""
        return await self.ask(question, *values) if all(map(storable, values)) else []

    async def ring_all(self, changes: list[Change]) -> None:
        names = written(changes)
        try:
            await self.ask(RING, names, rung(names))
        except LogAway:
            # Who is present is looked up again when the log is back.
            return

    # Appending

    def append(
        self,
        game: str,
        expected: int,
        steps: Sequence[Step],
        result: bytes | None = None,
        under: Lease | None = None,
    ) -> "asyncio.Future[None]":
        done: asyncio.Future[None] = self.loop.create_future()
        self.appends.append(Append(game, expected, steps, result, under, done))
        self.work_soon()
        return done

    def next_commit(self) -> list[Append]:
        """What is written together: of each game one, in the order in which rows are locked."""
        batch: dict[str, Append] = {}
        later: list[Append] = []
        for append in self.appends:
            full = len(batch) >= LARGEST_COMMIT
            if full or append.game in batch:
                later.append(append)
            else:
                batch[append.game] = append
        self.appends = later
        return [batch[game] for game in sorted(batch)]

    async def write(self, link: Link, batch: list[Append]) -> None:
        """Write, and tell those who asked."""
        try:
            moved = await self.commit(link, batch)
        except Exception as failed:  # noqa: BLE001  (it is raised again where it was asked for)
            for append in batch:
                fail(append.done, failed)
            moved = set()
        finally:
            self.idle.append(link)
        for append in batch:
            if append.game in moved:
                settle(append.done, None)
            elif not append.done.done():
                self.begin(self.explain(append))
        if self.appends:
            self.work()

    async def commit(self, link: Link, batch: list[Append]) -> set[str]:
        """The games to which was appended."""
        try:
            found = await link.fetch(APPEND, *columns(batch))
        except asyncpg.UniqueViolationError:
            # Between our look and our write somebody wrote the same key: one by one, then.
            if len(batch) == 1:
                return set()
            return {game for one in batch for game in await self.commit(link, [one])}
        self.commits += 1
        return {row[0] for row in found}

    async def explain(self, append: Append) -> None:
        """Tell why nothing was appended."""
        try:
            fail(append.done, await self.obstacle(append))
        except Exception as failed:  # noqa: BLE001  (it is raised again where it was asked for)
            fail(append.done, failed)

    async def obstacle(self, append: Append) -> Exception:
        """The order is an old one, a lease is lost, or somebody was faster."""
        found = await self.ask(WHY, append.game, [step.key for step in append.steps])
        if found:
            return AlreadyDone(found[0]["key"], found[0]["position"])
        await self.check_held(append.under)
        return Conflict(append.game)

    async def check_held(self, under: Lease | None) -> None:
        if under is not None and not await self.ask(IS_HELD, under.name, under.holder):
            raise LeaseLost(under.name)

    # Reading games

    async def read(self, game: str, after: int = 0, most: int = 10_000) -> list[Step]:
        if not storable(game):
            return []
        done: asyncio.Future[list[Step]] = self.loop.create_future()
        self.reads.append(Read(game, after, most, done))
        self.work_soon()
        return await done

    async def read_all(self, reads: list[Read]) -> None:
        """Many games' news with one question."""
        wanted = ([r.game for r in reads], [r.after for r in reads], [r.most for r in reads])
        try:
            rows = await self.ask(READ, *wanted)
        except Exception as failed:  # noqa: BLE001  (it is raised again where it was asked for)
            for read in reads:
                fail(read.done, failed)
            return
        found: list[list[Step]] = [[] for _ in reads]
        for number, *step in rows:
            found[number - 1].append(Step(*step))
        for read, steps in zip(reads, found, strict=True):
            settle(read.done, steps)

    async def position_of(self, game: str, key: str) -> int | None:
        question = "select position from steps where game = $1 and key = $2 and key != ''"
        found = await self.find(question, game, key)
        return found[0][0] if found else None

    async def game(self, game: str) -> StoredGame | None:
        found = await self.find(f"{GAME} where game = $1", game)
        return StoredGame(*found[0]) if found else None

    async def games_of(self, who: str, most: int = 100) -> list[StoredGame]:
        question = """select game, table_code, games.began, header, card, result
            from games_of join games using (game)
            where who = $1 order by games_of.began desc, game limit $2"""
        return [StoredGame(*row) for row in await self.find(question, who, most)]

    # Tables

    async def save_table(
        self,
        table: StoredTable,
        expected: int,
        members: Collection[str] = (),
        begins: NewGame | None = None,
        under: Lease | None = None,
    ) -> None:
        save = ADD_TABLE if expected == 0 else CHANGE_TABLE
        game = (begins.game, begins.began, begins.header, begins.card) if begins else (None,) * 4
        found = await self.ask(
            SAVE_TABLE.format(save=save),
            *(table.code, table.version, table.phase, table.body, expected, list(members)),
            *(*game, list(begins.players) if begins else []),
            written([Change("table", table.code)]),
            *((under.name, under.holder) if under else ("", "")),
        )
        if not found:
            await self.check_held(under)
            raise Conflict(table.code)

    async def table(self, code: str) -> StoredTable | None:
        found = await self.find(
            "select code, version, phase, body from tables where code = $1", code
        )
        return StoredTable(*found[0]) if found else None

    async def tables(self, phases: Collection[str], most: int = 1000) -> list[StoredTable]:
        question = """select code, version, phase, body from tables
            where phase = any($1::text[]) order by changed desc limit $2"""
        return [StoredTable(*row) for row in await self.ask(question, list(phases), most)]

    async def tables_of(self, who: str, phases: Collection[str]) -> list[StoredTable]:
        question = """select code, version, phase, body from members join tables using (code)
            where who = $1 and phase = any($2::text[]) order by changed desc"""
        return [StoredTable(*row) for row in await self.find(question, who, list(phases))]

    async def drop_table(self, code: str, expected: int) -> None:
        names = written([Change("table", code)])
        if not await self.ask(DROP_TABLE, code, expected, names):
            raise Conflict(code)

    # Chat

    async def say(self, table: str, body: bytes) -> int:
        names = written([Change("chat", table)])
        # Whoever was faster has taken the number.
        while not (found := await self.ask(SAY, table, body, names, keeps_last(table))):
            continue
        number: int = found[0][0]
        return number

    async def chat(self, table: str, after: int = 0, most: int = 200) -> list[StoredLine]:
        question = """select number, body from chat where code = $1 and number > $2
            order by number desc limit $3"""
        rows = await self.find(question, table, after, most)
        return [StoredLine(*row) for row in reversed(rows)]

    # Players

    async def add_player(self, player: StoredPlayer, token: bytes, recovery: bytes) -> None:
        statement = """with device as (insert into tokens (token, who) values ($4, $1))
            insert into players (who, name, recovery) values ($1, $2, $3)"""
        await self.ask(statement, player.who, player.name, recovery, token)

    async def player(self, who: str) -> StoredPlayer | None:
        return await self.find_player("select who, name from players where who = $1", who)

    async def player_with_token(self, token: bytes) -> StoredPlayer | None:
        question = "select who, name from tokens join players using (who) where token = $1"
        return await self.find_player(question, token)

    async def player_with_recovery(self, recovery: bytes) -> StoredPlayer | None:
        question = "select who, name from players where recovery = $1"
        return await self.find_player(question, recovery)

    async def find_player(self, question: str, value: str | bytes) -> StoredPlayer | None:
        found = await self.find(question, value)
        return StoredPlayer(*found[0]) if found else None

    async def add_token(self, who: str, token: bytes) -> None:
        statement = """insert into tokens (token, who) values ($1, $2)
            on conflict (token) do update set who = excluded.who"""
        await self.ask(statement, token, who)

    async def drop_token(self, token: bytes) -> None:
        await self.ask("delete from tokens where token = $1", token)

    async def set_recovery(self, who: str, recovery: bytes) -> None:
        await self.ask("update players set recovery = $1 where who = $2", recovery, who)

    async def rename(self, who: str, name: str) -> None:
        await self.ask("update players set name = $1 where who = $2", name, who)

    # Leases

    async def hold(self, holder: str, names: Collection[str], seconds: float) -> set[str]:
        return {row[0] for row in await self.ask(HOLD, holder, list(names), float(seconds))}

    async def keep(self, holder: str, seconds: float) -> int:
        number: int = (await self.ask(KEEP, holder, float(seconds)))[0][0]
        return number

    async def release(self, holder: str, names: Collection[str]) -> None:
        statement = "delete from leases where name = any($1::text[]) and holder = $2"
        await self.ask(statement, list(names), holder)

    async def held(self, prefix: str) -> set[str]:
        return {row[0] for row in await self.find(HELD_BY_ANYONE, prefix)}

    async def untended(self, phase: str, prefix: str, most: int = 100) -> list[str]:
        return [row[0] for row in await self.ask(UNTENDED, phase, prefix, most)]


def columns(batch: list[Append]) -> tuple[Any, ...]:
    """What is appended, a list for each column."""
    names = written([Change("game", append.game, append.last) for append in batch])
    steps = [
        (append.game, position, step)
        for append in batch
        for position, step in enumerate(append.steps, append.expected + 1)
    ]
    return (
        [append.game for append in batch],
        [append.expected for append in batch],
        [append.last for append in batch],
        [append.result for append in batch],
        [append.under.name if append.under else "" for append in batch],
        [append.under.holder if append.under else "" for append in batch],
        [game for game, _, _ in steps],
        [position for _, position, _ in steps],
        [step.by for _, _, step in steps],
        [step.key for _, _, step in steps],
        [step.at for _, _, step in steps],
        [step.spent for _, _, step in steps],
        [step.events for _, _, step in steps],
        names,
        rung(names),
    )


def storable(value: object) -> bool:
    """Whether PostgreSQL can store a text: it must be Unicode, and without a zero in it."""
    if not isinstance(value, str):
        return True
    return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)


def settle(done: "asyncio.Future[Any]", result: Any) -> None:
    if not done.done():
        done.set_result(result)


def fail(done: "asyncio.Future[Any]", failed: Exception) -> None:
    if not done.done():
        done.set_exception(failed)
