"""What only the log in PostgreSQL does: several processes, a bell, a database that goes away."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack

import asyncpg
import pytest

from fathom.server import postgres_link, postgres_schema
from fathom.server.identity import recover, register
from fathom.server.leases import BEAT, SECONDS, Leases
from fathom.server.log import (
    AlreadyDone,
    Change,
    Conflict,
    Lease,
    LeaseLost,
    LogAway,
    LogBusy,
    LogUnusable,
    NewGame,
    StoredStep,
    StoredTable,
)
from fathom.server.postgres_bell import CLEAR, KEPT_SECONDS
from fathom.server.postgres_link import CONNECT_SECONDS, STATEMENT_SECONDS
from fathom.server.postgres_log import PostgresLog
from fathom.server.postgres_schema import MIGRATIONS, migrate
from fathom.server.supervise import Supervisor
from tests.server.logs import postgres_at
from tests.server.postgres import Postgres, running
from tests.server.serving import run

AT_MOST = 2 * (CONNECT_SECONDS + STATEMENT_SECONDS) + 2
"""Seconds in which whoever asks is answered, come what may."""


def step(key: str = "", events: bytes = b"[]") -> StoredStep:
    return StoredStep("a0", key, 1_700_000_000_000, 17, events)


async def begin(log: PostgresLog, *games: str) -> None:
    for game in games:
        new = NewGame(game, game, (), 1_700_000_000_000, b"{}", b"{}")
        await log.save_table(StoredTable(game, 1, "playing", b"{}"), 0, (), new)


async def until(true: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until something has happened."""
    async with asyncio.timeout(seconds):
        # Nobody could be told of it.
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


class HeardChanges:
    """What a log's listener heard."""

    def __init__(self, log: PostgresLog) -> None:
        self.heard: list[Change] = []
        log.listen(self.heard.append)

    async def hears(self, *changes: Change) -> None:
        await until(lambda: set(changes) <= set(self.heard))


# Several processes


def test_what_one_process_writes_the_others_hear(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with postgres_at(address) as one, postgres_at(address) as other:
            mine, theirs = HeardChanges(one), HeardChanges(other)
            await begin(one, "game-one")
            await one.append("game-one", 0, [step("k1"), step("k2")])
            await one.say("game-one", b"hello")
            await one.ring(Change("presence", "game-one"))
            await theirs.hears(
                Change("table", "game-one"),
                Change("game", "game-one", 2),
                Change("chat", "game-one"),
                Change("presence", "game-one"),
            )
            await one.drop_table("game-one", 1)
            await other.ring(Change("presence", "done"))
            await mine.hears(Change("presence", "done"))
            assert mine.heard == [Change("presence", "done")], "nobody hears themselves"
            assert other.bell.polls == 0

    run(story())


def test_more_news_than_one_ring_can_carry(postgres: Postgres) -> None:
    address = postgres.fresh()
    games = [f"{n:03}" * 20 for n in range(300)]

    async def story() -> None:
        async with postgres_at(address) as one, postgres_at(address) as other:
            question = "insert into heads select name, 0 from unnest($1::text[]) as name"
            await one.ask(question, games)
            theirs = HeardChanges(other)
            before = one.commits
            await asyncio.gather(*(one.append(game, 0, [step("k")]) for game in games))
            assert one.commits - before <= 10, "many appends share a commit"
            await theirs.hears(*(Change("game", game, 1) for game in games))
            assert other.bell.polls > 0

    run(story())


def test_of_many_processes_one_gets_each_position(postgres: Postgres) -> None:
    address = postgres.fresh()
    games = [f"game-{n}" for n in range(8)]

    async def play(log: PostgresLog, game: str, name: int) -> int:
        """Append ten steps of one's own, reading on whenever somebody was faster."""
        lost = position = done = 0
        while done < 10:
            try:
                await log.append(game, position, [step(f"{name}/{done}")])
                position, done = position + 1, done + 1
            except Conflict:
                lost += 1
                position += len(await log.read(game, position))
        return lost

    async def story() -> None:
        async with AsyncExitStack() as stack:
            logs = [await stack.enter_async_context(postgres_at(address)) for _ in range(3)]
            await begin(logs[0], *games)
            plays = [play(log, game, n) for n, log in enumerate(logs) for game in games]
            assert sum(await asyncio.gather(*plays)) > 0, "there were races"
            for game in games:
                keys = Counter(found.key for found in await logs[0].read(game))
                assert keys == Counter(f"{n}/{done}" for n in range(3) for done in range(10))

    run(story())


def test_one_bad_append_among_many_spoils_none(postgres: Postgres) -> None:
    address = postgres.fresh()
    games = [f"game-{n:03}" for n in range(40)]

    async def story() -> None:
        async with postgres_at(address) as log:
            await begin(log, *games)
            await asyncio.gather(*(log.append(game, 0, [step("there")]) for game in games[:3]))
            wrong = [
                log.append(games[0], 0, [step("late")]),
                log.append(games[1], 1, [step("new"), step("there")]),
                log.append(games[2], 2, [step("early")]),
                log.append(games[3], 0, [step("twice"), step("twice")]),
                log.append("nowhere", 0, [step("k")]),
            ]
            right = [log.append(game, 0, [step("k"), step("l", b"[2]")]) for game in games[4:]]
            found = await asyncio.gather(*wrong, *right, return_exceptions=True)
            kinds = [type(failed) for failed in found[:5]]
            assert kinds == [Conflict, AlreadyDone, Conflict, Conflict, Conflict]
            assert found[5:] == [None] * 36
            assert [await log.read(game) for game in games[:4]] == [[step("there")]] * 3 + [[]]
            for game in games[4:]:
                assert await log.read(game) == [step("k"), step("l", b"[2]")]

    run(story())


# Leases


def test_what_is_written_under_a_lost_lease_is_refused(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with postgres_at(address) as log:
            await begin(log, "game-one", "game-two")
            mine, theirs = Lease("table/one", "me"), Lease("table/one", "them")
            await log.hold("me", [mine.name], 60)
            await log.append("game-one", 0, [step("k1")], under=mine)
            await log.release("me", [mine.name])
            await log.hold("them", [mine.name], 60)
            late = log.append("game-one", 1, [step("k2")], b"{}", under=mine)
            other = log.append("game-two", 0, [step("k1")])
            with pytest.raises(LeaseLost):
                await late
            await other
            assert await log.read("game-one") == [step("k1")]
            await log.append("game-one", 1, [step("k3")], under=theirs)
            await log.hold("them", [mine.name], -1)
            with pytest.raises(LeaseLost):
                await log.append("game-one", 2, [step("k4")], under=theirs)
            changed = StoredTable("game-one", 2, "over", b"{}")
            with pytest.raises(LeaseLost):
                await log.save_table(changed, 1, under=theirs)
            await log.hold("them", [mine.name], 60)
            with pytest.raises(Conflict):
                await log.save_table(changed, 7, under=theirs)
            await log.save_table(changed, 1, under=theirs)
            assert await log.table("game-one") == changed

    run(story())


def test_a_lease_is_taken_over_within_five_seconds(postgres: Postgres) -> None:
    address = postgres.fresh()
    names = [f"table/{n}" for n in range(50)]

    async def story() -> None:
        async with postgres_at(address) as one, postgres_at(address) as other:
            lost: list[str] = []
            taken: list[str] = []
            first = Leases(one, "first", lambda _: None, lost.append)
            second = Leases(other, "second", taken.append, lambda _: None)
            supervisor = Supervisor()
            first.open(supervisor, "first")
            for name in names:
                first.want(name)
            await until(lambda: all(first.holds(name) for name in names))
            second.open(supervisor, "second")
            for name in names:
                second.want(name)
            await supervisor.stop("first")  # as if the process were stopped
            stopped = time.monotonic()
            await until(lambda: any(second.holds(name) for name in names))
            assert not any(first.holds(name) for name in names)
            await until(lambda: all(second.holds(name) for name in names))
            # However busy this machine is: what they wait for is the lease, and one more look.
            assert time.monotonic() - stopped > SECONDS - BEAT
            assert SECONDS + BEAT <= 4
            assert sorted(taken) == sorted(names)
            await first.beat()  # it goes on
            assert set(lost) == set(names)
            await second.close()
            await first.beat()
            assert all(first.holds(name) for name in names)
            await first.close()

    run(story())


def test_however_many_leases_there_are_one_row_is_renewed(postgres: Postgres) -> None:
    address = postgres.fresh()
    names = [f"table/{n}" for n in range(2000)]

    async def written(log: PostgresLog) -> list[str]:
        """By which transactions the leases were written."""
        return [row[0] for row in await log.ask("select xmin::text from leases order by name")]

    async def story() -> None:
        async with postgres_at(address) as log:
            gained: list[str] = []
            mine = Leases(log, "me", gained.append, lambda _: None)
            for name in names:
                mine.want(name)
            await mine.beat()
            before = await written(log)
            (first,) = await log.ask("select until from holders")
            for _ in range(3):
                await mine.beat()
            assert await written(log) == before
            (last,) = await log.ask("select until from holders")
            assert last["until"] > first["until"]
            assert sorted(gained) == sorted(names)
            # What is taken away is noticed with the next beat, though it was not asked for.
            await log.release("me", names[:1])
            await log.hold("another", names[:1], 60)
            await mine.beat()
            assert [name for name in names if not mine.holds(name)] == names[:1]
            await mine.close()
            assert await log.held("table/") == set(names[:1])

    run(story())


def test_of_two_who_want_the_same_one_looks_for_something_else(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with postgres_at(address) as one, postgres_at(address) as other:
            await one.hold("first", ["table/a"], 60)
            told: list[str] = []

            def lost(name: str) -> None:
                told.append(name)
                second.unwant(name)

            second = Leases(other, "second", lambda _: None, lost)
            second.want("table/a")
            second.want("table/b")
            await second.beat()
            await second.beat()
            assert (told, second.wanted) == (["table/a"], {"table/b"})
            assert await other.held("") == {"table/a", "table/b"}

    run(story())


def test_leases_of_those_who_are_gone_are_cleared(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with postgres_at(address) as log:
            await log.hold("gone", ["table/a"], -100)
            await log.hold("late", ["table/b"], -1)
            await log.hold("me", ["table/c"], 60)
            await log.ask(CLEAR, float(KEPT_SECONDS))
            rows = await log.ask("select name from leases order by name")
            assert [row[0] for row in rows] == ["table/b", "table/c"]
            rows = await log.ask("select holder from holders order by holder")
            assert [row[0] for row in rows] == ["late", "me"]

    run(story())


# The bell


def test_when_the_bell_is_cut_looking_carries_on(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with postgres_at(address) as one, postgres_at(address) as other:
            await begin(one, "game-one")
            theirs = HeardChanges(other)
            for position in range(3):
                connects = other.bell.link.connects
                assert other.bell.link.connection is not None
                pid = other.bell.link.connection.get_server_pid()
                await one.ask("select pg_terminate_backend($1)", pid)
                await one.append("game-one", position, [step()])
                await theirs.hears(Change("game", "game-one", position + 1))
                await until(lambda: other.bell.link.connects > connects)  # noqa: B023
            await until(lambda: other.bell.hears)
            polls = other.bell.polls
            assert polls > 0
            await one.append("game-one", 3, [step()])
            await theirs.hears(Change("game", "game-one", 4))

    run(story())


@pytest.mark.slow
def test_a_bell_that_hangs_is_noticed(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with postgres_at(address) as one, postgres_at(address) as other:
            await begin(one, "game-one")
            theirs = HeardChanges(other)
            assert other.bell.link.connection is not None
            pid = other.bell.link.connection.get_server_pid()
            os.kill(pid, signal.SIGSTOP)
            try:
                await one.append("game-one", 0, [step()])
                await theirs.hears(Change("game", "game-one", 1))
            finally:
                os.kill(pid, signal.SIGCONT)

    run(story())


def test_who_was_away_too_long_must_look_at_everything(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with postgres_at(address) as log:
            mine = HeardChanges(log)
            log.bell.horizon_at -= 3600
            log.bell.look_soon()
            await mine.hears(Change("all", ""))
            assert mine.heard == [Change("all", "")]

    run(story())


# A database that goes away


@pytest.fixture
def doomed() -> Iterator[Postgres]:
    """A PostgreSQL of one's own, to be stopped."""
    with running() as server:
        yield server


@pytest.mark.slow
def test_a_database_that_is_stopped_hard_loses_nothing_that_was_acknowledged(
    doomed: Postgres,
) -> None:
    address = doomed.fresh()
    games = [f"game-{n}" for n in range(20)]
    acknowledged: dict[str, list[str]] = {game: [] for game in games}
    unsaved: list[float] = []
    repeats: list[str] = []
    """What had been saved after all, before the answer was lost."""

    async def play(log: PostgresLog, game: str, ending: asyncio.Event) -> None:
        """Append as fast as it goes; what was not saved is tried again under the same key."""
        position = number = 0
        while not ending.is_set():
            began = time.monotonic()
            try:
                position += len(await log.read(game, position))
                await log.append(game, position, [step(f"{number}")])
            except LogAway:
                unsaved.append(time.monotonic() - began)
                await asyncio.sleep(0.05)
                continue
            except AlreadyDone:
                repeats.append(game)
            acknowledged[game].append(f"{number}")
            number += 1

    async def story() -> None:
        async with postgres_at(address) as log, postgres_at(address) as other:
            theirs = HeardChanges(other)
            await begin(log, *games)
            ending = asyncio.Event()
            tasks = [asyncio.create_task(play(log, game, ending)) for game in games]
            for stops in range(2):
                count = sum(map(len, acknowledged.values()))
                await until(lambda: sum(map(len, acknowledged.values())) > count + 300)  # noqa: B023
                await asyncio.to_thread(doomed.stop_hard)
                await until(lambda: len(unsaved) >= 20 * (stops + 1))  # noqa: B023
                with pytest.raises(LogAway):
                    await log.read("game-1")
                await asyncio.to_thread(doomed.start)
            count = sum(map(len, acknowledged.values()))
            await until(lambda: sum(map(len, acknowledged.values())) > count + 300)
            ending.set()
            await asyncio.gather(*tasks)
            for game in games:
                keys = [found.key for found in await log.read(game)]
                assert keys == acknowledged[game], "all, once, and in order"
            ends = [Change("game", game, len(acknowledged[game])) for game in games]
            await theirs.hears(*ends)

    run(story())
    assert max(unsaved) < AT_MOST


@pytest.mark.slow
def test_a_database_that_hangs_is_given_up(doomed: Postgres) -> None:
    address = doomed.fresh()

    async def story() -> None:
        async with postgres_at(address) as log:
            await begin(log, "game-one")
            rows = await log.ask("select pid from pg_stat_activity where pid is not null")
            assert doomed.process is not None
            pids = [doomed.process.pid, *(row[0] for row in rows)]
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
            began = time.monotonic()
            try:
                tries = [log.append("game-one", 0, [step("k")]), log.read("game-one")]
                found = await asyncio.gather(*tries, return_exceptions=True)
                assert [type(failed) for failed in found] == [LogAway, LogAway]
                assert time.monotonic() - began < AT_MOST
                with pytest.raises(LogAway):
                    await log.table("game-one")
            finally:
                for pid in pids:
                    os.kill(pid, signal.SIGCONT)
            await until(lambda: all(link.up for link in (log.bell.link, log.readers[0])))
            steps = await log.read("game-one")
            # What was under way may have been done after all; its key tells.
            assert steps in ([], [step("k")])

    run(story())


def test_a_database_that_was_never_there_is_told_at_once() -> None:
    async def story() -> None:
        log = PostgresLog("postgresql://fathom@127.0.0.1:1/fathom")
        with pytest.raises(LogAway, match=r"Connect call failed|Connection refused"):
            await log.open()

    run(story())


@pytest.mark.slow
def test_of_several_hosts_the_one_that_takes_writes_is_used(postgres: Postgres) -> None:
    host = f"127.0.0.1:{postgres.port}"
    address = postgres.fresh()

    async def story() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:  # it never answers
            hosts = f"127.0.0.1:1,127.0.0.1:{silent.getsockname()[1]},{host}"
            async with postgres_at(address.replace(host, hosts)) as log:
                await begin(log, "game-one")
        async with postgres_at(address) as log:
            await log.ask("alter role fathom set default_transaction_read_only = on")
            with pytest.raises(LogAway, match="read-write"):
                await postgres_link.connect(address)
            await log.ask("alter role fathom reset default_transaction_read_only")
            assert await log.game("game-one") is not None

    run(story())


def test_no_secret_is_kept_as_it_is(postgres: Postgres) -> None:
    address = postgres.database()
    secrets: list[str] = []

    async def story() -> None:
        async with postgres_at(address) as log:
            ann = await register(log, "Ann Ahoy")
            again = await recover(log, ann.recovery)
            secrets.extend((ann.token, ann.recovery, again.token))

    run(story())
    kept = postgres.call("pg_dump", "--data-only", address).decode()
    assert "Ann Ahoy" in kept
    for secret in secrets:
        assert secret not in kept
        assert secret.encode().hex() not in kept


# Migrations


OPEN = """
import asyncio, sys
from fathom.server.postgres_log import PostgresLog

async def main() -> None:
    log = PostgresLog(sys.argv[1])
    sys.stdin.readline()
    await log.open()
    await log.close()

asyncio.run(main())
"""


@pytest.mark.slow
def test_many_processes_may_start_at_once_on_an_empty_database(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        processes = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", OPEN, address),
                stdin=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            for _ in range(5)
        ]
        ended = await asyncio.gather(*(process.communicate(b"\n") for process in processes))
        codes = [process.returncode for process in processes]
        assert codes == [0] * 5, [said for _, said in ended]
        async with postgres_at(address) as log:
            await begin(log, "game-one")
            (row,) = await log.ask("select version, oldest from fathom_schema")
            assert (row["version"], row["oldest"]) == (len(MIGRATIONS), postgres_schema.OLDEST)

    run(story())


def test_migrations_are_applied_once_and_all_or_none(postgres: Postgres) -> None:
    address = postgres.fresh()
    second = "create table extra (n integer); insert into extra values (1);"
    broken = "insert into extra values (2); insert into nowhere values (1);"

    async def story() -> None:
        connection = await asyncpg.connect(address)
        assert await migrate(connection) == len(MIGRATIONS)
        assert await migrate(connection) == 0
        with pytest.raises(asyncpg.UndefinedTableError):
            await migrate(connection, (*MIGRATIONS, second, broken))
        assert await migrate(connection, (*MIGRATIONS, second)) == 1
        assert await migrate(connection, (*MIGRATIONS, second)) == 0
        assert [row[0] for row in await connection.fetch("select n from extra")] == [1]
        # The release before may still start, until a newer one says otherwise.
        assert await migrate(connection) == 0
        await connection.execute("update fathom_schema set oldest = version")
        with pytest.raises(LogUnusable, match="newer release"):
            await migrate(connection)
        await connection.close()

    run(story())


def test_leases_of_the_version_before_are_taken_over(postgres: Postgres) -> None:
    address = postgres.fresh()
    old = """insert into leases (name, holder, until)
        values ($1, 'old', clock_timestamp() + interval '1 hour')"""

    async def story() -> None:
        connection = await asyncpg.connect(address)
        await migrate(connection, MIGRATIONS[:1])
        await connection.execute(old, "table/game-one")
        async with postgres_at(address) as log:
            await begin(log, "game-one", "game-two")
            # A process of that version is still running.
            await connection.execute(old, "table/game-two")
            assert await log.untended("playing", "table/") == ["game-one", "game-two"]
            names = {"table/game-one", "table/game-two"}
            assert await log.hold("new", names, 60) == names
            assert await log.untended("playing", "table/") == []
        until = await connection.fetchval("select min(until) from leases where holder = 'old'")
        assert until is None, "and what was its is not any more"
        await connection.close()

    run(story())


def test_tokens_of_the_version_before_and_of_its_processes_are_taken_over(
    postgres: Postgres,
) -> None:
    address = postgres.fresh()
    add = "insert into tokens (token, who) values ($1, 'ann')"

    async def story() -> None:
        connection = await asyncpg.connect(address)
        await migrate(connection, MIGRATIONS[:3])
        await connection.execute("insert into players values ('ann', 'Ann', '\\x01')")
        await connection.execute(add, b"one")
        await connection.execute(add, b"two")
        async with postgres_at(address) as log:
            # A process of that version is still running.
            await connection.execute(add, b"three")
            await connection.execute("insert into players values ('bob', 'Bob', '\\x02')")
            tokens = {token.id: token for token in await log.tokens_of("ann")}
            assert len(tokens) == 3
            old, new = await log.token(b"one"), await log.token(b"three")
            assert old is not None
            assert new is not None
            assert (old.created, old.scope, new.scope) == (0, "", "")
            assert 0 < old.used <= new.used
            assert new.created == new.used
            assert await log.has_recovery("ann")
            assert await log.has_recovery("bob")
        await connection.close()

    run(story())


def test_who_ends_tokens_is_heard_by_the_others(postgres: Postgres) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with postgres_at(address) as one, postgres_at(address) as two:
            heard: list[list[Change]] = [[], []]
            for log, changes in zip((one, two), heard, strict=True):
                log.listen(changes.append)
            ann = await register(one, "Ann")
            await recover(one, ann.recovery)
            assert await one.end_tokens(ann.you, only="nobody's") == set()
            assert len(await one.end_tokens(ann.you)) == 2
            await until(lambda: bool(heard[1]))
            assert heard == [[], [Change("token", ann.you)]]

    run(story())


def test_commits_are_durable_even_if_the_database_says_otherwise(postgres: Postgres) -> None:
    address = postgres.database()
    name = address.rpartition("/")[2]
    postgres.psql("postgres", f"alter database {name} set synchronous_commit = off")

    async def story() -> None:
        async with postgres_at(address) as log:
            for link in log.links:
                (row,) = await link.fetch("show synchronous_commit")
                assert row[0] == "on"

    run(story())


def test_nobody_waits_for_who_reads_the_steps_of_games(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_link, "LONGEST_WAIT", 0.1)

    async def story() -> None:
        async with postgres_at(postgres.database()) as log:
            told: list[str] = []
            log.when_away(told.append)
            async with log.steps_reader.lock:
                assert await log.player("nobody") is None
                # Whoever waits for others for too long is told so, and that the log is there.
                with pytest.raises(LogBusy):
                    await log.read("a game")
            assert await log.read("a game") == []
            assert told == []

    run(story())
