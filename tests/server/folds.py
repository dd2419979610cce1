"""What clients fold: the messages of some games, and after each a digest of all that is seen.

``python -m tests.server.folds`` writes ``web/tests/folds.json``. The browser's tests fold these
messages, ``test_folds.py`` folds them with ``fathom.client``, and both must arrive at the view that
the engine shows. The games are golden duels; between their steps both radio operators draw, slide,
undo, erase and wipe, which the duels do seldom.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from fathom.engine.apply import apply_all
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.named_view import portray
from fathom.engine.knowledge.view import WATCHER, View, Watcher, overhear, view
from fathom.engine.logbook import read
from fathom.engine.orders import (
    DrawLine,
    NewSheet,
    PutMark,
    Rub,
    SheetOrder,
    SlideSheet,
    WipeSheet,
    WriteNote,
)
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.rules.setup import Setup
from fathom.server.duel import Viewer
from fathom.server.sheets import Fragments, sees_enemy_hull, visible
from fathom.server.wire import encode
from fathom.words import CREWS, RADIO_OPERATOR, Crew, Seat
from tests.duels.files import text, without_hearing

A1, B1 = Seat(Crew.A, 0), Seat(Crew.B, 0)
FILE: Final = Path(__file__).parents[2] / "web" / "tests" / "folds.json"
GAMES: Final = {
    "lot": ("tape", (A1, B1, WATCHER)),
    "captain-sonar-2-real-time": ("tape", (Seat(Crew.A, 3), Seat(Crew.B, 1))),
    "closed-stations": ("paper", (Seat(Crew.A, 3), Seat(Crew.B, 3))),
}
"""Golden duels, the radio help that each is folded with, and for whom: radio operators, an engineer
who judges the enemy's hull, a spectator who is shown both boats."""
BACK_AFTER: Final = 40
"""After so many messages a client comes back and is told everything."""
STEPS: Final = ((10, 0), (-10, 0), (0, 10), (0, -10))

OF_A_BOAT: Final = ("duty", "helm", "gauges", "engine", "radio", "trace")


class FoldStep(NamedTuple):
    """One step of a game."""

    before: Game
    after: Game
    events: tuple[AnyEvent, ...]


class Fold(NamedTuple):
    """One place's messages, and after each of them the digest of all that the place sees."""

    told: list[dict[str, Any]]
    after: list[str]
    view: dict[str, Any]
    """All that it sees in the end."""


def all_folds() -> dict[str, dict[str, Fold]]:
    """By game and place."""
    found = {}
    for name, (help_, places) in GAMES.items():
        logbook = read(without_hearing(text(name)))
        setup = replace(logbook.setup, house=replace(logbook.setup.house, radio_help=help_))
        moments = list(with_drawings(setup, [step.events for step in logbook.steps]))
        found[name] = {named(place): fold(place, moments) for place in places}
    return found


def named(place: Viewer) -> str:
    return f"{place.crew.value}{place.number}" if isinstance(place, Seat) else "watcher"


# Drawing


def with_drawings(setup: Setup, steps: list[tuple[AnyEvent, ...]]) -> Iterator[FoldStep]:
    """The steps, and between them what the radio operators write wherever they may."""
    dice, game = Random("folds"), new_game(setup)
    for step in steps:
        moment = FoldStep(game, apply_all(game, step), step)
        yield moment
        for crew in CREWS:
            seat = Seat(crew, game.ground.seat_of(crew, RADIO_OPERATOR))
            for order in some_writing(dice, moment.after, crew):
                try:
                    events = tuple(decide(moment.after, seat, order))
                except OrderRefused:
                    continue
                moment = FoldStep(moment.after, apply_all(moment.after, events), events)
                yield moment
        game = moment.after


def some_writing(dice: Random, game: Game, crew: Crew) -> list[SheetOrder]:
    """Nothing, one thing, or several things undone one after the other."""
    count = len(game.boats[crew].radio.films[-1].items)
    x, y = dice.randint(-30, 30), dice.randint(-30, 30)
    dx, dy = dice.choice(STEPS)
    line = DrawLine(((x, y), (x + dx, y + dy)))
    choices: list[list[SheetOrder]] = [
        [],
        [line],
        [line],
        [PutMark(x, y, dice.choice(("dot", "ring", "cross")))],
        [WriteNote(x, y, "here?")],
        [SlideSheet(x // 10, y // 10)],
        [Rub(dice.randint(1, max(1, count)))],
        [Rub(number) for number in range(count, max(0, count - 3), -1)],
    ]
    # Wiping what is nearly empty takes away one thing, as rubbing does; but it slides back, too.
    twice: list[SheetOrder] = [WipeSheet(), line, SlideSheet(x // 10, y // 10), WipeSheet()]
    rare: list[list[SheetOrder]] = [[WipeSheet()], twice, [NewSheet()]]
    return dice.choice(rare) if dice.random() < 0.08 else dice.choice(choices)


# Telling


def fold(place: Viewer, moments: list[FoldStep]) -> Fold:
    """What the server tells a place of these moments."""
    first, last = moments[0].before, moments[-1].after
    told, after = [message(place, None, first, [], 0)], [digest(seen(first, place))]
    position = 0
    for before, now, events in moments:
        heard = heard_by(place, now.ground, events)
        if not heard:
            assert seen(before, place) == seen(now, place)
            continue
        position += len(heard)
        back = len(told) == BACK_AFTER
        told.append(message(place, None if back else before, now, heard, position))
        after.append(digest(seen(now, place)))
    return Fold(told, after, seen(last, place))


def heard_by(place: Viewer, ground: CompiledSetup, events: tuple[AnyEvent, ...]) -> list[Heard]:
    """What a place hears; spectators who see both boats hear everything."""
    if isinstance(place, Watcher):
        return list(events)
    return [news for event in events if (news := overhear(ground, event, place)) is not None]


def message(
    place: Viewer, before: Game | None, now: Game, heard: list[Heard], position: int
) -> dict[str, Any]:
    """What the server tells; whoever comes, or comes back, is told everything."""
    fragments = Fragments(now.ground, before, now)
    told: dict[str, Any] = {"position": position, "events": plain(heard)}
    if before is None:
        told["whole"] = True
    if isinstance(place, Watcher):
        boats = plain(list(fragments.everything()))
        return {**told, "view": plain(fragments.seen_by_all()), "boats": boats}
    hull = sees_enemy_hull(now.ground, place)
    sheets = fragments.of(place.crew).view(visible(now.ground, place), hull=hull)
    return {**told, "view": plain(sheets)}


def seen(game: Game, place: Viewer) -> dict[str, Any]:
    """All that a place sees, as the engine has it."""
    shown = named_sheets(game, view(game, place))
    if not isinstance(place, Watcher):
        return shown
    boats = []
    for crew in CREWS:
        boat = View(game.public, **{name: getattr(game.boats[crew], name) for name in OF_A_BOAT})
        boats.append(named_sheets(game, boat))
        del boats[-1]["public"]
    return {**shown, "boats": boats}


def named_sheets(game: Game, seen: View) -> dict[str, Any]:
    """The sheets of a view as the wire spells them."""
    shown = plain(portray(game.ground, seen))
    return {name: sheet for name, sheet in shown.items() if name not in ("seat", "posts")}


def plain(thing: Any) -> Any:
    """The thing as it is read from the wire's JSON."""
    return json.loads(encode(thing))


def digest(seen: dict[str, Any]) -> str:
    """A short digest of all that is seen, the same in every language: keys in order, no blanks."""
    text = json.dumps(seen, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def written() -> str:
    """The file: one line for each game and place."""
    games = [
        {
            "game": name,
            "place": place,
            "view": fold.view,
            "steps": list(zip(fold.told, fold.after, strict=True)),
        }
        for name, folds in all_folds().items()
        for place, fold in folds.items()
    ]
    lines = [json.dumps(game, separators=(",", ":"), ensure_ascii=False) for game in games]
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8", newline="\n")
