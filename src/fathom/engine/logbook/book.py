"""Logbooks: whole games as text, what PGN is to chess. docs/logbook.md tells the format.

A TOML header with the whole set-up, a line ``---``, then a line for every event. The events that
one order brought about share its number, and all but the first of them are indented.
"""

from itertools import zip_longest
from typing import Final

from msgspec import Struct

from fathom.engine.apply import apply, apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.view import WATCHER, overhear
from fathom.engine.logbook.header import BadLogbook, blame, read_header, write_header
from fathom.engine.logbook.order_behind import order_behind
from fathom.engine.logbook.steps import Scribe, Step
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.rules.setup import RULES_VERSION, Setup
from fathom.words import CREWS, Crew, Seat

__all__ = ["BadLogbook", "Logbook", "Step", "duel", "read", "verify", "write"]

RULE: Final = "---"
"""The line between header and events."""
LONGEST: Final = 8_000_000
"""How many characters a logbook may have."""
HEARD_FROM: Final = 64
"""The column at which a duel tells who heard what."""


class Logbook(Struct, frozen=True):
    """A whole game, or as much of it as has been played."""

    setup: Setup
    steps: tuple[Step, ...] = ()
    info: tuple[tuple[str, str], ...] = ()
    """Whatever else is worth keeping, such as ``("date", "1870-03-20")``."""

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """All events, in order."""
        return tuple(event for step in self.steps for event in step.events)


def write(logbook: Logbook) -> str:
    """The game as text."""
    scribe = Scribe(logbook.setup)
    header = write_header(logbook.setup, scribe.result(logbook.steps), dict(logbook.info))
    return "\n".join([header + RULE, *scribe.write(logbook.steps), ""])


def read(text: str, limit: int = LONGEST) -> Logbook:
    """The game told by ``text``, which must have been played by the rules; else ``BadLogbook``."""
    check_text(text, limit)
    lines = text.replace("\r\n", "\n").split("\n")
    if RULE not in lines:
        raise BadLogbook(len(lines), 1, f"expected a header and a line {RULE}")
    top = lines.index(RULE)
    header = read_header(lines[:top])
    if lines.pop() or len(lines) == top:
        raise BadLogbook(len(lines) + 1, 1, "the logbook is cut off: its last line has no end")
    scribe = Scribe(header.setup)
    steps = scribe.read(lines[top + 1 :], top + 2)
    if header.result != scribe.result(steps):
        blame(lines[:top], "result", f"expected result = {scribe.result(steps)!r}")
    logbook = Logbook(header.setup, steps, tuple(header.info.items()))
    if header.setup.version == RULES_VERSION:
        verify(logbook, top + 2)
    else:
        replay(logbook, top + 2)
    return logbook


def check_text(text: str, limit: int) -> None:
    """The text is not too long, and can be written as UTF-8."""
    if len(text) > limit:
        raise BadLogbook(1, 1, f"the logbook has more than {limit} characters")
    try:
        text.encode()
    except UnicodeEncodeError as bad:
        line, before = text.count("\n", 0, bad.start) + 1, text.rfind("\n", 0, bad.start)
        raise BadLogbook(line, bad.start - before, "half a character") from None


def verify(logbook: Logbook, first_line: int = 0) -> Game:
    """The game at the end, if every step is what the rules say; else ``BadLogbook``.

    A line is counted from ``first_line``, that of the first event, or as ``write`` would have it.
    """
    line = first_line or write(Logbook(logbook.setup, (), logbook.info)).count("\n") + 1
    scribe, game = Scribe(logbook.setup), new_game(logbook.setup)
    for step in logbook.steps:
        pairs = zip_longest(step.events, judged(game, step, line))
        for place, (told, by_rules) in enumerate(pairs):
            if told != by_rules:
                raise BadLogbook(line + place, 1, scribe.instead(by_rules))
        game = apply_all(game, step.events)
        line += len(step.events)
    return game


def judged(game: Game, step: Step, line: int) -> list[AnyEvent]:
    """What the rules say to the order that began the step."""
    by = step.by
    if isinstance(by, Seat) and not 0 <= by.number < len(game.ground.posts[by.crew]):
        raise BadLogbook(line, 1, f"there is no seat {by.number + 1} in this crew")
    order = order_behind(game, by, step.events[0])
    if order is None:
        raise BadLogbook(line, 1, "no order could have brought this about")
    try:
        return decide(game, by, order)
    except OrderRefused as refused:
        raise BadLogbook(line, 1, f"the rules forbid this: {refused.rule}") from None


def replay(logbook: Logbook, line: int) -> Game:
    """The game at the end, for games that were judged by older rules: events are only applied."""
    game = new_game(logbook.setup)
    for place, event in enumerate(logbook.events):
        if game.public.result is not None:
            raise BadLogbook(line + place, 1, "the game is over")
        try:
            game = apply(game, event)
        except (AttributeError, LookupError, TypeError, ValueError):
            # It changes a sheet that isn't there, or puts a submarine off the chart.
            raise BadLogbook(line + place, 1, "this can't have happened here") from None
    return game


# Who heard what


def duel(text: str) -> str:
    """The logbook for reading: at the right side of each line, what others than its crew heard."""
    logbook = read(text)
    lines = text.replace("\r\n", "\n").split("\n")
    top = lines.index(RULE) + 1
    told = zip(lines[top:], logbook.events, strict=False)
    scribe = Scribe(logbook.setup)
    heard = (f"{line:<{HEARD_FROM}} | {hearing(scribe, event)}".rstrip() for line, event in told)
    return "\n".join([*lines[:top], *heard, ""])


def hearing(scribe: Scribe, event: AnyEvent) -> str:
    """Who hears what of the event: crews, or seats of a crew that hear different things."""
    a, b = (crew_hearing(scribe, event, crew) for crew in CREWS)
    said = overhear(scribe.ground, event, WATCHER)
    words = scribe.notation.write(said) if said else ""
    if [a, b] == [{words: colour} for colour in scribe.notation.colours.values()]:
        return f"both hear: {words}"
    # Spectators are only named where they hear what no crew does: that would be a leak.
    others = {words: "spectators"} if words and words not in {*a, *b} else {}
    told = (*a.items(), *b.items(), *others.items())
    return " | ".join(f"{who} hear{'' if ', ' in who else 's'}: {words}" for words, who in told)


def crew_hearing(scribe: Scribe, event: AnyEvent, crew: Crew) -> dict[str, str]:
    """What is heard in a crew, and by whom; nothing is said of a crew that shares its own event."""
    colour = scribe.notation.colours[crew]
    plans = scribe.plans[crew].seats
    heard = [overhear(scribe.ground, event, Seat(crew, number)) for number in range(len(plans))]
    if getattr(event, "crew", None) is crew and all(news == event for news in heard):
        return {}
    if all(news == heard[0] for news in heard):
        return {} if heard[0] is None else {scribe.notation.write(heard[0]): colour}
    listeners: dict[str, list[str]] = {}
    for plan, news in zip(plans, heard, strict=True):
        if news is not None:
            post = plan.posts[0].value.replace("-", " ")
            listeners.setdefault(scribe.notation.write(news), []).append(post)
    return {words: f"{colour} {', '.join(posts)}" for words, posts in listeners.items()}
