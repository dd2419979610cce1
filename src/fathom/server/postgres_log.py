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
    PAGE,
    RUNG,
    AlreadyDone,
    Change,
    Conflict,
    Lease,
    LeaseLost,
    Listener,
    LogAway,
    LogBusy,
    NewGame,
    NewToken,
    Pruned,
    Retention,
    StoredPlayer,
    StoredStep,
    StoredTable,
    Times,
    keeps_last,
    read_pages,
    stored_table,
)
from fathom.server.log_queries import TABLE, LogQueries
from fathom.server.postgres_bell import RING, Bell, rung, written
from fathom.server.postgres_link import Link, connect
from fathom.server.postgres_moderation import PostgresModeration
from fathom.server.postgres_prune import COUNT_ALL, COUNT_OLD, MEND_TIMES, TIMES, ages, prune
from fathom.server.postgres_schema import PostgresConnection, migrate
from fathom.server.postgres_statements import (
    ADD_TABLE,
    APPEND,
    CHANGE_TABLE,
    DROP_TABLE,
    HELD_BY_ANYONE,
    HOLD,
    IS_HELD,
    KEEP,
    PROBE,
    READ,
    SAVE_TABLE,
    SAY,
    SEEN,
    UNTENDED,
    VISIT,
    WHY,
)
from fathom.server.postgres_tokens import (
    ADD_PLAYER,
    ADD_TOKENS,
    END_TOKENS,
    SET_RECOVERY,
    USE_TOKENS,
)
from fathom.server.supervise import Supervisor

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
    steps: Sequence[StoredStep]
    result: bytes | None
    under: Lease | None
    done: "asyncio.Future[None]"

    @property
    def last(self) -> int:
        """The last position after it."""
        return self.expected + len(self.steps)


class PendingRead(Struct, eq=False):
    """What waits for the next question."""

    game: str
    after: int
    done: "asyncio.Future[list[StoredStep]]"


class PostgresLog(LogQueries):
    """One database, any number of processes."""

    def __init__(self, address: str, supervisor: Supervisor | None = None) -> None:
        self.address = address
        self.moderation = PostgresModeration(self)
        self.writers = [Link(address, self.arrive) for _ in range(WRITERS)]
        self.readers = [Link(address, self.arrive) for _ in range(READERS)]
        self.steps_reader = Link(address, self.arrive)
        """Reads the steps of games, which may be many, so that nothing else has to wait for it."""
        self.links = (*self.writers, *self.readers, self.steps_reader)
        for link in self.links:
            link.closed = True
        self.idle = list(self.writers)
        self.bell = Bell(address, self.readers[0], secrets.token_hex(8), supervisor or Supervisor())
        self.appends: list[Append] = []
        self.reads: list[PendingRead] = []
        self.rings: list[Change] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.told: Callable[[str], None] = lambda _: None
        self.turn = 0
        self.commits = 0
        """How many commits there were; with the number of writes, how well they share one."""

    async def arrive(self, connection: PostgresConnection) -> None:
        """A connection of our own: its rings are no news."""
        self.bell.own.add(connection.get_server_pid())

    async def open(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self.migrate()
        for link in self.links:
            link.closed = False
        try:
            await asyncio.gather(*(link.fetch("select 1") for link in self.links))
            await self.bell.open()
        except BaseException:
            for link in self.links:
                link.closed = True
            raise

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

    def when_away(self, told: Callable[[str], None]) -> None:
        self.told = told

    async def probe(self) -> None:
        await self.ask(PROBE)

    def listen(self, listener: Listener) -> None:
        self.bell.listeners.append(listener)

    async def ring(self, change: Change) -> None:
        # What else is written rings by itself.
        if change.kind in RUNG:
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
        return await self.ask_by(self.reader(), question, *values)

    async def ask_by(self, link: Link, question: str, *values: Any) -> list[Any]:
        """The same, by a certain connection."""
        try:
            return await link.fetch(question, *values)
        except LogBusy:
            raise
        except LogAway as away:
            self.told(str(away))
            raise

    async def find(self, question: str, *values: Any) -> list[Any]:
        """The same, for names that come from outside: what can't be stored is not there."""
        return await self.ask(question, *values) if all(map(storable, values)) else []

    async def run(self, statement: str, *values: Any) -> None:
        await self.ask(statement, *values)

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
        steps: Sequence[StoredStep],
        result: bytes | None = None,
        under: Lease | None = None,
    ) -> "asyncio.Future[None]":
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
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
            if isinstance(failed, LogAway) and not isinstance(failed, LogBusy):
                self.told(str(failed))
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

    async def read(self, game: str, after: int = 0) -> list[StoredStep]:
        if not storable(game):
            return []

        def page(after: int) -> "asyncio.Future[list[StoredStep]]":
            done: asyncio.Future[list[StoredStep]] = self.loop.create_future()
            self.reads.append(PendingRead(game, after, done))
            self.work_soon()
            return done

        return await read_pages(page, after)

    async def read_all(self, reads: list[PendingRead]) -> None:
        """Many games' news with one question."""
        wanted = ([read.game for read in reads], [read.after for read in reads], PAGE)
        try:
            rows = await self.ask_by(self.steps_reader, READ, *wanted)
        except Exception as failed:  # noqa: BLE001  (it is raised again where it was asked for)
            for read in reads:
                fail(read.done, failed)
            return
        found: list[list[StoredStep]] = [[] for _ in reads]
        for number, *step in rows:
            found[number - 1].append(StoredStep(*step))
        for read, steps in zip(reads, found, strict=True):
            settle(read.done, steps)

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
            int(table.listed),
        )
        if not found:
            await self.check_held(under)
            raise Conflict(table.code)

    async def listed(
        self, phases: Collection[str], since: int, most: int = 100
    ) -> list[StoredTable]:
        question = f"""{TABLE} where listed = 1 and phase = any($1::text[]) and visited >= $2
            order by changed desc limit $3"""
        return [stored_table(row) for row in await self.ask(question, list(phases), since, most)]

    async def tables_of(
        self, who: str, phases: Collection[str], most: int = 100
    ) -> list[StoredTable]:
        question = """select code, version, phase, body, listed
            from members join tables using (code)
            where who = $1 and phase = any($2::text[]) order by changed desc limit $3"""
        return [stored_table(row) for row in await self.find(question, who, list(phases), most)]

    async def codes_of(self, who: str, phases: Collection[str], most: int = 100) -> list[str]:
        question = """select code from members join tables using (code)
            where who = $1 and phase = any($2::text[]) order by changed desc limit $3"""
        return [row[0] for row in await self.find(question, who, list(phases), most)]

    async def visit(self, codes: Collection[str]) -> None:
        await self.ask(VISIT, list(codes))

    async def drop_table(self, code: str, expected: int) -> None:
        names = written([Change("table", code)])
        if not await self.ask(DROP_TABLE, code, expected, names):
            raise Conflict(code)

    # Chat

    async def say(self, table: str, body: bytes, who: str = "") -> int:
        names = written([Change("chat", table)])
        # Whoever was faster has taken the number.
        while not (found := await self.ask(SAY, table, body, names, keeps_last(table), who)):
            continue
        number: int = found[0][0]
        return number

    # Players

    async def add_player(
        self, player: StoredPlayer, token: NewToken, recovery: bytes | None
    ) -> None:
        code = (recovery or secrets.token_bytes(32), int(recovery is not None))
        device = (token.hash, token.id, token.device, token.scope)
        await self.ask(ADD_PLAYER, player.who, player.name, *code, *device)

    async def set_recovery(self, who: str, new: bytes, old: bytes | None) -> bool:
        return bool(await self.ask(SET_RECOVERY, who, new, old))

    async def see(self, players: Collection[str]) -> None:
        await self.ask(SEEN, list(players))

    # Tokens

    async def add_token(self, who: str, token: NewToken) -> None:
        await self.ask(ADD_TOKENS, token.hash, who, token.id, token.device, token.scope)

    async def end_tokens(self, who: str, only: str = "", but: str = "") -> set[str]:
        names = written([Change("token", who)])
        return {row[0] for row in await self.find(END_TOKENS, who, only, but, names)}

    async def living_tokens(self, ids: Collection[str]) -> set[str]:
        question = "select id from tokens where id = any($1::text[])"
        return {row[0] for row in await self.ask(question, list(ids))}

    async def use_tokens(self, ids: Collection[str]) -> None:
        await self.ask(USE_TOKENS, list(ids))

    # Retention

    async def times(self) -> Times:
        return Times(*(await self.ask(TIMES))[0])

    async def count_old(self, retention: Retention) -> tuple[Pruned, Pruned]:
        old = await self.ask(COUNT_OLD, *ages(retention))
        return Pruned(*old[0]), Pruned(*(await self.ask(COUNT_ALL))[0])

    async def mend_times(self) -> None:
        await self.ask(MEND_TIMES)

    async def prune(self, retention: Retention, most: int) -> Pruned:
        return await prune(self.ask, retention, most)

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
