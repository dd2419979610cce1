"""A bot engineer under another captain: warns rightly, answers, and heeds what is to be spared."""

from random import Random

import pytest
from msgspec.structs import replace

from fathom.bots.engine_room import EngineRoom
from fathom.bots.phrases import (
    Broken,
    Danger,
    Mended,
    PleaseSpare,
    Safe,
    SurfaceSoon,
    WhichWay,
)
from fathom.engine.apply import apply_all
from fathom.engine.events import CircuitMended, Damaged
from fathom.engine.game import Engine, Game
from fathom.engine.orders import CrossOut, SetCourse
from fathom.engine.referee import decide
from fathom.words import HEADINGS, Crew, Heading, Kind, Post, Seat
from tests.bots.voyages import Voyage, eight
from tests.stories import A

BOOKS = [
    ("captain-sonar", None),
    ("captain-sonar-ru", None),
    ("captain-sonar-2", "24-symbols"),
    ("captain-sonar-2", "20-symbols"),
]


@pytest.fixture(params=[False, True], ids=["open", "closed"])
def engineer(request: pytest.FixtureRequest) -> Voyage:
    return Voyage(eight(closed=request.param), Post.ENGINEER, a="E5")


def owing(game: Game, seat: Seat, heading: Heading, crossed: int) -> Game:
    """The game with a symbol to cross out for a course, on such a sheet."""
    boat = game.boats[seat.crew]
    duty = replace(boat.duty, cross=heading.value)
    boat = replace(boat, duty=duty, engine=Engine(crossed))
    return replace(game, boats=game.boats.put(seat.crew, boat))


def outcomes(
    game: Game, seat: Seat, heading: Heading, crossed: int
) -> list[tuple[int, bool, bool]]:
    """By the engine, for each free symbol: the sheet then, whether it mends, whether it hurts."""
    ground = game.ground
    owed = owing(game, seat, heading, crossed)
    free = [s for s, place in ground.symbols.items() if ground.panels[heading.value] >> place & 1]
    found = []
    for symbol in free:
        if crossed >> ground.symbols[symbol] & 1:
            continue
        events = decide(owed, seat, CrossOut(symbol))
        after = apply_all(owed, events).boats[seat.crew].engine.crossed
        mends = any(isinstance(event, CircuitMended) for event in events)
        hurts = any(isinstance(event, Damaged) for event in events)
        found.append((after, mends, hurts))
    return found


def truly_dangerous(game: Game, seat: Seat, crossed: int) -> set[Heading]:
    """The courses that do damage whatever symbol is crossed out, by the engine."""
    return {
        heading
        for heading in HEADINGS
        if all(hurts for _, _, hurts in outcomes(game, seat, heading, crossed))
    }


def sheets(game: Game, seat: Seat, seed: int, count: int) -> list[int]:
    """Sheets as they come about when marks are made at random and harmlessly, if possible."""
    dice, crossed = Random(seed), 0
    found: list[int] = []
    while len(found) < count:
        heading = dice.choice(HEADINGS)
        after = outcomes(game, seat, heading, crossed)
        harmless = [sheet for sheet, mends, hurts in after if not hurts and not mends]
        crossed = dice.choice(harmless) if harmless else 0
        found.append(crossed)
    return found


@pytest.mark.parametrize(("book", "sheet"), BOOKS)
def test_danger_is_said_of_exactly_the_courses_that_must_do_damage(
    book: str, sheet: str | None
) -> None:
    voyage = Voyage(eight(book, sheet=sheet), Post.ENGINEER)
    seen = set()
    for crossed in sheets(voyage.game, voyage.place, 1, 150):
        voyage.change(A, engine={"crossed": crossed})
        voyage.say(Post.CAPTAIN, WhichWay())
        said = {phrase.heading for phrase in voyage.remarks() if isinstance(phrase, Danger)}
        assert said == truly_dangerous(voyage.game, voyage.place, crossed)
        seen.add(len(said))
    assert {0, 1, 2} <= seen


@pytest.mark.parametrize(("book", "sheet"), BOOKS)
@pytest.mark.parametrize("repair_first", [False, True])
def test_marks_are_foreseen_as_the_engine_makes_them(
    book: str,
    sheet: str | None,
    repair_first: bool,
) -> None:
    setup = eight(book, sheet=sheet, rulings={"repair_first": repair_first})
    voyage = Voyage(setup, Post.ENGINEER)
    room = EngineRoom(voyage.game.ground)
    for crossed in sheets(voyage.game, voyage.place, 2, 30):
        for heading in HEADINGS:
            truth = {
                (after, hurts)
                for after, _, hurts in outcomes(voyage.game, voyage.place, heading, crossed)
            }
            marks = room.marks(crossed, heading.index)
            assert {(mark.crossed, bool(mark.hurt)) for mark in marks} == truth


def test_a_warning_is_given_once_and_again_when_it_has_passed_and_returned(
    engineer: Voyage,
) -> None:
    five = ("W1", "W2", "W3", "W4", "W5")
    engineer.cross_out(A, *five)
    assert Danger(Heading.W) in engineer.remarks()
    assert Danger(Heading.W) not in engineer.remarks()
    engineer.change(A, engine={"crossed": 0})
    assert Danger(Heading.W) not in engineer.remarks()
    engineer.cross_out(A, *five)
    assert Danger(Heading.W) in engineer.remarks()


def test_what_breaks_and_is_mended_is_said(engineer: Voyage) -> None:
    engineer.cross_out(A, "W1")
    assert engineer.remarks() == [Broken(Kind.RED)]
    engineer.cross_out(A, "W2", "W3")
    assert engineer.remarks() == [Broken(Kind.GREEN), Broken(Kind.YELLOW)]
    # The western circuit is W1, W2, W3 and E3: a course east can close it.
    engineer.order(A, SetCourse(Heading.E))
    engineer.order(A, CrossOut("E3"))
    assert engineer.remarks() == [Mended(Kind.RED), Mended(Kind.GREEN), Mended(Kind.YELLOW)]


def test_radiation_breaks_nothing(engineer: Voyage) -> None:
    engineer.cross_out(A, "W5", "W6")
    assert engineer.remarks() == []


def test_time_to_surface_is_said_once_when_three_courses_are_dangerous(engineer: Voyage) -> None:
    def all_but_one(letter: str) -> list[str]:
        return [f"{letter}{number}" for number in range(1, 6)]

    # N6, S6 and W3 are the last of their panels and close no circuit.
    engineer.cross_out(A, *all_but_one("N"))
    assert SurfaceSoon() not in engineer.remarks()
    engineer.cross_out(A, *all_but_one("S"))
    assert SurfaceSoon() not in engineer.remarks()
    engineer.cross_out(A, "W1", "W4", "W5", "W6", "W2")
    assert len(truly_dangerous(engineer.game, engineer.place, crossed(engineer))) == 3
    assert SurfaceSoon() in engineer.remarks()
    assert SurfaceSoon() not in engineer.remarks()


def crossed(voyage: Voyage, crew: Crew = A) -> int:
    return voyage.boat(crew).engine.crossed


def test_which_way_is_answered_with_all_dangers_and_a_safe_course(engineer: Voyage) -> None:
    engineer.cross_out(A, "W1", "W2", "W3", "W4", "W5")
    engineer.remarks()
    for _ in range(2):
        engineer.say(Post.CAPTAIN, WhichWay())
        danger, safe = engineer.remarks()
        assert danger == Danger(Heading.W)
        assert isinstance(safe, Safe)
        assert safe.heading is not Heading.W
    assert engineer.remarks() == []


def test_the_safe_course_is_never_a_dangerous_one_if_there_is_another(engineer: Voyage) -> None:
    for sheet in sheets(engineer.game, engineer.place, 4, 40):
        engineer.change(A, engine={"crossed": sheet})
        engineer.say(Post.CAPTAIN, WhichWay())
        (safe,) = (p.heading for p in engineer.remarks() if isinstance(p, Safe))
        dangers = truly_dangerous(engineer.game, engineer.place, sheet)
        assert safe not in dangers or len(dangers) == 4


@pytest.mark.parametrize("kind", [Kind.RED, Kind.GREEN, Kind.YELLOW])
def test_what_the_captain_wants_spared_is_spared(engineer: Voyage, kind: Kind) -> None:
    kinds = {symbol.name: symbol.kind for symbol in engineer.setup.sheet.symbols}  # type: ignore[union-attr]
    # Without the radiation of W5 and W6 every symbol of the panel breaks something.
    engineer.cross_out(A, "W5", "W6")
    engineer.order(A, SetCourse(Heading.W))
    engineer.say(Post.CAPTAIN, PleaseSpare(kind))
    chosen = engineer.ask()
    assert isinstance(chosen, CrossOut)
    assert chosen.symbol is not None
    assert kinds[chosen.symbol] is not kind


def test_what_is_broken_without_a_wish_would_be_spared_with_one(engineer: Voyage) -> None:
    kinds = {symbol.name: symbol.kind for symbol in engineer.setup.sheet.symbols}  # type: ignore[union-attr]
    engineer.cross_out(A, "W5", "W6")
    engineer.order(A, SetCourse(Heading.W))
    broken = engineer.ask()
    assert isinstance(broken, CrossOut)
    engineer.say(Post.CAPTAIN, PleaseSpare(kinds[broken.symbol or ""]))
    assert engineer.ask() != broken


def test_a_circuit_is_closed_rather_than_another_system_broken(engineer: Voyage) -> None:
    engineer.cross_out(A, "W1", "W2", "W3")
    engineer.order(A, SetCourse(Heading.E))
    assert engineer.ask() == CrossOut("E3")


def test_an_engineer_takes_no_damage_that_can_be_avoided(engineer: Voyage) -> None:
    for sheet in sheets(engineer.game, engineer.place, 5, 12):
        for heading in HEADINGS:
            if heading in truly_dangerous(engineer.game, engineer.place, sheet):
                continue
            engineer.game = owing(engineer.game, engineer.place, heading, sheet)
            chosen = engineer.ask()
            assert isinstance(chosen, CrossOut)
            events = decide(engineer.game, engineer.place, chosen)
            assert not any(isinstance(event, Damaged) for event in events)


def test_after_a_silence_of_no_points_the_engineer_pretends() -> None:
    engineer = Voyage(eight(), Post.ENGINEER)
    engineer.change(A, duty={"cross": "empty"})
    assert engineer.ask() == CrossOut(None)
