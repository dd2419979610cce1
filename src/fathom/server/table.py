"""A table: who holds which post, what is agreed, and how that changes. It knows of no socket.

A table is one frozen record. Functions give the table after a change, or raise ``Trouble``.
"""

import base64
import hmac
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from fathom.bots.dice import SEED_BYTES, derive_seed
from fathom.bots.ranks import Rank
from fathom.engine.game import Result
from fathom.rules import library
from fathom.rules.rulebook import Rulebook
from fathom.rules.setup import CrewPlan, SeatPlan
from fathom.server import wire
from fathom.server.boat_names import two_names
from fathom.server.identity import DICE, new_secret
from fathom.server.log import StoredTable
from fathom.server.troubles import Trouble
from fathom.server.wire import Berth, BotHand, Holder, Person, Settings, SwapAsked, encode
from fathom.words import CREWS, ByCrew, Crew, Mode, Post, Seat


class Bench(Struct, frozen=True):
    """One crew's posts."""

    boat: str
    berths: tuple[Berth, ...]
    shy_mate: bool = False


class Table(Struct, frozen=True, kw_only=True):
    """All that is kept of a table."""

    code: str
    version: int = 1
    phase: wire.Phase = "gathering"
    host: str
    host_name: str
    settings: Settings = Settings()
    crews: ByCrew[Bench]
    swaps: tuple[SwapAsked, ...] = ()
    game: str | None = None
    games: tuple[str, ...] = ()
    result: Result | None = None
    since: int
    secret: str = ""
    """What the seeds of all bots' dice are derived from; nobody is ever told. Tables from before
    there were secrets get one when their game is opened."""
    seed: int = 0
    """Of the bots' dice in the release before, which may run beside this one on a database."""
    locked: bool = False
    """Whether nobody new may sit down."""
    muted: tuple[str, ...] = ()
    """Whose lines of chat are not taken."""
    removed: tuple[str, ...] = ()
    """Who may never come back."""


def new_table(code: str, host: Person, settings: Settings, now: int) -> Table:
    """An empty table."""
    book = find_book(settings)
    names = two_names(DICE)
    return Table(
        code=code,
        host=host.who,
        host_name=host.name,
        settings=settings,
        crews=ByCrew(*(Bench(name, tuple(map(Berth, book.posts))) for name in names)),
        since=now,
        secret=new_secret(),
        seed=DICE.getrandbits(48),
    )


def with_secret(table: Table) -> Table:
    """The table with a secret for its bots' dice."""
    return table if table.secret else replace(table, secret=new_secret())


def link_key(table: Table) -> str:
    """What the link to an unlisted table carries, so that its code alone is not enough.

    Derived, so that processes of two releases can't lose it; empty for a listed table, and for one
    from before there were secrets until somebody opens it.
    """
    if table.settings.listed or not table.secret:
        return ""
    seed = derive_seed(table.secret, "link").to_bytes(SEED_BYTES, "big")
    return base64.urlsafe_b64encode(seed).decode().rstrip("=")


def is_open_to(table: Table, who: str, key: str) -> bool:
    """Whether somebody may know of the table: it is listed, or theirs, or they have its link."""
    if table.settings.listed or table.host == who or who in persons(table):
        return True
    wanted = link_key(table)
    return bool(wanted) and hmac.compare_digest(wanted.encode(), key.encode(errors="replace"))


def find_book(settings: Settings) -> Rulebook:
    """The rulebook that the settings name."""
    if settings.rulebook not in library.rulebook_names():
        raise Trouble("unknown-scenario", name=settings.rulebook[:40])
    return library.rulebook(settings.rulebook)


def stored(table: Table) -> StoredTable:
    """The table as the log keeps it."""
    return StoredTable(table.code, table.version, table.phase, encode(table), in_lobby(table))


def in_lobby(table: Table) -> bool:
    """Whether the lobby shows the table, where somebody can sit down or watch.

    The log must know this of every table: it gives the lobby the newest ones, and others among
    them would hide those that can be shown.
    """
    if table.phase == "gathering" and (
        table.locked or not any(free_posts(table, c) for c in CREWS)
    ):
        return False
    if table.phase == "playing" and table.settings.watching == "nobody":
        return False
    return table.settings.listed


# Looking


def berths(table: Table) -> Iterator[tuple[Crew, Berth]]:
    """All posts of both crews."""
    for crew in CREWS:
        for berth in table.crews[crew].berths:
            yield crew, berth


def persons(table: Table) -> dict[str, Person]:
    """Everybody who holds a post."""
    held = (berth.holder for _, berth in berths(table))
    return {holder.who: holder for holder in held if isinstance(holder, Person)}


def free_posts(table: Table, crew: Crew) -> tuple[Post, ...]:
    """The posts of a crew that nobody holds."""
    return tuple(berth.post for berth in table.crews[crew].berths if berth.holder is None)


def crew_of(table: Table, who: str) -> Crew | None:
    """The crew in which somebody holds a post."""
    return next((crew for crew, berth in berths(table) if holds(berth, who)), None)


def holds(berth: Berth, who: str) -> bool:
    return isinstance(berth.holder, Person) and berth.holder.who == who


def seat_of(table: Table, who: str) -> Seat | None:
    """The seat of a player in the game."""
    for crew, berth in berths(table):
        if holds(berth, who) and berth.seat is not None:
            return Seat(crew, berth.seat)
    return None


def holder_of(table: Table, seat: Seat) -> Holder | None:
    """Who plays a seat."""
    found = (berth.holder for berth in table.crews[seat.crew].berths if berth.seat == seat.number)
    return next(found, None)


def seats(table: Table) -> Iterator[tuple[Seat, Holder]]:
    """Every seat of the game and who holds it."""
    for crew in CREWS:
        found = {berth.seat: berth.holder for berth in table.crews[crew].berths}
        for number, holder in sorted((n, holder) for n, holder in found.items() if n is not None):
            if holder is not None:
                yield Seat(crew, number), holder


# Changing


def check_phase(table: Table, *phases: wire.Phase) -> None:
    """The table is in one of these phases."""
    if table.phase not in phases:
        raise Trouble("game-is-on" if table.phase == "playing" else "no-game")


def check_host(table: Table, who: str) -> None:
    """Only the host may do this."""
    if table.host != who:
        raise Trouble("not-the-host")


def with_berths(table: Table, change: Callable[[Crew, Berth], Berth]) -> Table:
    """The table with every post changed; nobody's wish to swap outlives that."""
    crews = ByCrew.of(
        lambda crew: replace(
            table.crews[crew],
            berths=tuple(change(crew, berth) for berth in table.crews[crew].berths),
        )
    )
    return replace(table, crews=crews, swaps=())


def sit(table: Table, person: Person, crew: Crew, posts: tuple[Post, ...]) -> Table:
    """Take posts; what the person held in the other crew goes."""
    check_phase(table, "gathering")
    if table.locked and person.who != table.host and person.who not in persons(table):
        raise Trouble("table-locked")
    wanted = posts or free_posts(table, crew)
    known = {berth.post: berth for berth in table.crews[crew].berths}
    for post in wanted:
        if post not in known:
            raise Trouble("post-empty", post=post.value)
        if isinstance(known[post].holder, Person) and not holds(known[post], person.who):
            raise Trouble("post-taken", post=post.value)
    if not wanted:
        raise Trouble("post-taken")

    def seated(side: Crew, berth: Berth) -> Berth:
        if side is crew and (berth.post in wanted or holds(berth, person.who)):
            return Berth(berth.post, person)
        return Berth(berth.post) if holds(berth, person.who) else berth

    return with_berths(table, seated)


def stand(table: Table, who: str, posts: tuple[Post, ...]) -> Table:
    """Give posts up; a host without a post stays host."""
    check_phase(table, "gathering", "over")

    def left(_: Crew, berth: Berth) -> Berth:
        goes = holds(berth, who) and (not posts or berth.post in posts)
        return Berth(berth.post) if goes else berth

    return with_berths(table, left)


def place_bot(table: Table, crew: Crew, posts: tuple[Post, ...], rank: Rank | None) -> Table:
    """Put one bot on free posts, or on posts that another bot has."""
    check_phase(table, "gathering")
    wanted = posts or free_posts(table, crew)
    numbers = [b.holder.number for _, b in berths(table) if isinstance(b.holder, BotHand)]
    bot = BotHand(max(numbers, default=0) + 1, rank or table.settings.rank)
    known = {berth.post: berth for berth in table.crews[crew].berths}
    for post in wanted:
        if post not in known:
            raise Trouble("post-empty", post=post.value)
        if isinstance(known[post].holder, Person):
            raise Trouble("post-taken", post=post.value)
    if not wanted:
        raise Trouble("post-taken")

    def manned(side: Crew, berth: Berth) -> Berth:
        return Berth(berth.post, bot) if side is crew and berth.post in wanted else berth

    return with_berths(table, manned)


def clear_post(table: Table, crew: Crew, post: Post) -> Table:
    """Take a post from whoever holds it."""
    check_phase(table, "gathering")

    def cleared(side: Crew, berth: Berth) -> Berth:
        return Berth(berth.post) if side is crew and berth.post is post else berth

    return with_berths(table, cleared)


def swap(table: Table, who: str, crew: Crew, post: Post) -> Table:
    """Change places with a post's holder, if it is a bot or has asked for the same."""
    check_phase(table, "gathering")
    other = next((b.holder for b in table.crews[crew].berths if b.post is post), None)
    mine = persons(table).get(who)
    if mine is None:
        raise Trouble("not-at-this-table")
    if other is None:
        raise Trouble("post-empty", post=post.value)
    if other == mine:
        return table
    asked = SwapAsked(who, other.who) if isinstance(other, Person) else None
    if asked is None or SwapAsked(asked.with_whom, who) in table.swaps:
        return exchange(table, mine, other)
    return replace(table, swaps=(*(s for s in table.swaps if s.by != who), asked))


def exchange(table: Table, one: Holder, other: Holder) -> Table:
    """All posts of one for all posts of the other."""

    def exchanged(_: Crew, berth: Berth) -> Berth:
        if berth.holder == one:
            return Berth(berth.post, other)
        return Berth(berth.post, one) if berth.holder == other else berth

    return with_berths(table, exchanged)


def get_ready(table: Table, who: str, *, ready: bool) -> Table:
    """Say that one is ready, or not yet."""
    check_phase(table, "gathering")
    if who not in persons(table):
        raise Trouble("not-at-this-table")
    return change_person(table, who, lambda person: replace(person, ready=ready))


def change_person(table: Table, who: str, change: Callable[[Person], Person]) -> Table:
    """The table with one person changed, on all their posts."""

    def changed(_: Crew, berth: Berth) -> Berth:
        holder = berth.holder
        if isinstance(holder, Person) and holder.who == who:
            return replace(berth, holder=change(holder))
        return berth

    return replace(with_berths(table, changed), swaps=table.swaps)


def rename(table: Table, who: str, name: str) -> Table:
    """The table with a person's new name, until the game begins: from then on records have it."""
    return rename_always(table, who, name) if table.phase == "gathering" else table


def rename_always(table: Table, who: str, name: str) -> Table:
    """The table with a person's new name, whatever its phase."""
    host_name = name if table.host == who else table.host_name
    changed = change_person(table, who, lambda person: replace(person, name=name))
    return replace(changed, host_name=host_name)


def change_settings(table: Table, settings: Settings) -> Table:
    """Agree on something else; who is on a post that is still there keeps it, and is not ready."""
    check_phase(table, "gathering")
    book = find_book(settings)

    def benched(crew: Crew) -> Bench:
        bench = table.crews[crew]
        held = {berth.post: berth for berth in bench.berths}
        return Bench(
            boat=bench.boat,
            berths=tuple(held.get(post, Berth(post)) for post in book.posts),
            shy_mate=bench.shy_mate and book.shy_mate,
        )

    changed = replace(table, settings=settings, crews=ByCrew.of(benched))
    ranked = rank_bots(changed, settings.rank, only=table.settings.rank)
    return with_berths(ranked, lambda _, berth: not_ready(berth))


def rank_bots(table: Table, rank: Rank, only: Rank | None = None) -> Table:
    """Give the bots at the table another rank: all of them, or only those of one rank."""

    def ranked(_: Crew, berth: Berth) -> Berth:
        bot = berth.holder
        if isinstance(bot, BotHand) and only in (None, bot.rank):
            return replace(berth, holder=replace(bot, rank=rank))
        return berth

    return with_berths(table, ranked)


def not_ready(berth: Berth) -> Berth:
    """The post; its holder must look again before they are ready."""
    holder = berth.holder
    if isinstance(holder, Person):
        return Berth(berth.post, Person(holder.who, holder.name))
    return Berth(berth.post, holder)


def name_boat(table: Table, crew: Crew, boat: str, *, shy_mate: bool) -> Table:
    """Name a submarine."""
    check_phase(table, "gathering")
    named = replace(table.crews[crew], boat=boat, shy_mate=shy_mate)
    return replace(table, crews=table.crews.put(crew, named))


def fill(table: Table) -> Table:
    """Bots on all free posts: one for each crew's free posts, or as many as the mode needs."""
    for crew in CREWS:
        for posts in bot_shares(table, crew):
            table = place_bot(table, crew, posts, None)
    return table


def bot_shares(table: Table, crew: Crew) -> Iterable[tuple[Post, ...]]:
    """Who of the bots gets which of the free posts."""
    free = free_posts(table, crew)
    if not free:
        return ()
    if bots_for(table.settings, len(free)) == 1:
        return (free,)
    return tuple((post,) for post in free)


def bots_for(settings: Settings, free: int) -> int:
    """How many bots a crew gets for so many free posts."""
    book = find_book(settings)
    pace = book.real_time if settings.mode is Mode.REAL_TIME else book.turn_by_turn
    # With one bot a crew is as small as it can be; a mode for many players needs one a post.
    return min(free, 1) if pace.players[0] <= book.players[0] else free


def plan(table: Table) -> tuple[ByCrew[CrewPlan], Table]:
    """The crews as the game's set-up has them, and the table with every post's seat."""
    numbers = {crew: dict[Holder, int]() for crew in CREWS}
    for crew, berth in berths(table):
        if berth.holder is not None:
            numbers[crew].setdefault(berth.holder, len(numbers[crew]))

    def seated(crew: Crew, berth: Berth) -> Berth:
        number = numbers[crew].get(berth.holder) if berth.holder else None
        return replace(berth, seat=number)

    table = with_berths(table, seated)
    return ByCrew.of(lambda crew: crew_plan(table.crews[crew], tuple(numbers[crew]))), table


def crew_plan(bench: Bench, holders: tuple[Holder, ...]) -> CrewPlan:
    """One crew as the set-up has it."""
    return CrewPlan(
        bench.boat,
        tuple(
            SeatPlan(
                holder_name(holder),
                tuple(berth.post for berth in bench.berths if berth.holder == holder),
            )
            for holder in holders
        ),
        bench.shy_mate,
    )


def holder_name(holder: Holder) -> str:
    """How records call whoever holds a seat."""
    if isinstance(holder, Person):
        return holder.name
    return f"{holder.rank.value.capitalize()} {holder.number}"


def rematch(table: Table) -> Table:
    """Gather again with sides swapped, everybody on their old posts."""
    a, b = table.crews
    swapped = ByCrew(Bench(a.boat, b.berths, b.shy_mate), Bench(b.boat, a.berths, a.shy_mate))
    return gather_again(replace(table, crews=swapped))


def play_again(table: Table, who: str, rank: Rank | None) -> Table:
    """Gather again on the same sides, for a host who is the only person at the table."""
    check_host(table, who)
    people = persons(table)
    if who not in people:
        raise Trouble("not-at-this-table")
    others = [person.name for person in people.values() if person.who != who]
    if others:
        raise Trouble("not-ready", name=others[0], number=len(others))
    fresh = gather_again(table)
    if rank is None:
        return fresh
    return rank_bots(replace(fresh, settings=replace(table.settings, rank=rank)), rank)


def gather_again(table: Table) -> Table:
    """The table after the end of a game, before the next one."""
    check_phase(table, "over")
    fresh = replace(table, phase="gathering", result=None, game=None)
    return with_berths(fresh, lambda _, berth: not_ready(berth))


def end(table: Table, result: Result) -> Table:
    """The game is over."""
    games = table.games if table.game in table.games else (*table.games, table.game or "")
    return replace(table, phase="over", result=result, games=games[-20:])
