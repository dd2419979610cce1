"""Beginning: what is chosen, where the submarines start and who is first."""

import pytest

from fathom.engine.events import Dived, FirstDrawn, Placed, PlayBegan
from fathom.engine.game import Engine, Film, Gauges, Item
from fathom.engine.orders import (
    AnyOrder,
    Charge,
    CrossOut,
    Dive,
    DrawFirst,
    EndTurn,
    Place,
    SetCourse,
    Surface,
    TriggerMine,
)
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.points import name, parse
from fathom.rules.setup import BadSetup, Choices, House, prepare
from fathom.words import REFEREE, ByCrew, Crew, Heading, Mode, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

N, S, E, W = Heading
TURN_BY_TURN, REAL_TIME = MODES
LIFTED = House(lift_crew_rules=True)
WATERS = sea(OPEN_SEA)
D4, E5 = parse("D4"), parse("E5")


def refused_setup(choices: Choices) -> str:
    """The rule that these choices break."""
    with pytest.raises(BadSetup) as bad:
        prepare(choices)
    return bad.value.rule


def undecided(book: str = "captain-sonar", mode: Mode = TURN_BY_TURN) -> Story:
    """Before the captains have placed their submarines; nobody has said who is first."""
    chosen = prepare(Choices(rulebook=book, mode=mode, house=LIFTED, chart=None))
    return Story(chosen, begun=False)


def starts(story: Story, crew: Crew) -> None:
    """The captain marks a start, where the scenario gives none, and dives."""
    if story.setup.chart.starts is None:
        story.order(crew, Place(parse("A2")))
    story.order(crew, Dive())


# start.choices


@pytest.mark.rule("start.choices", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "title"),
    [
        ("captain-sonar", "Alpha"),
        ("captain-sonar-ru", "Alpha"),
        ("captain-sonar-2", "Alpha-2"),
        ("sonar", "Archipelago"),
    ],
)
def test_a_first_game_is_turn_by_turn_on_the_advised_chart(book: str, title: str) -> None:
    setup = prepare(Choices(rulebook=book))
    assert setup.mode is TURN_BY_TURN
    assert setup.chart.title == title


@pytest.mark.rule("start.choices", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(("mode", "side", "silence"), [(TURN_BY_TURN, 10, 5), (REAL_TIME, 15, 6)])
def test_the_mode_decides_the_chart_and_the_sheets(
    book: str, mode: Mode, side: int, silence: int
) -> None:
    setup = prepare(Choices(rulebook=book, mode=mode, scenario="bravo", players=8))
    assert (setup.chart.name, setup.chart.across) == (f"bravo-{side}", side)
    assert setup.pace.gauges.silence == silence


@pytest.mark.rule("start.choices")
def test_a_chart_may_be_chosen_instead_of_a_scenario() -> None:
    setup = prepare(Choices(chart="umbria-10"))
    assert setup.chart.title == "Umbria"


@pytest.mark.rule("start.choices", "captain-sonar-2")
@pytest.mark.parametrize(
    ("goal", "hull", "sudden"),
    [(None, 4, False), ("hunt", 4, False), ("sudden-death", 1, True)],
)
def test_the_second_edition_offers_hunt_and_sudden_death(
    goal: str | None, hull: int, sudden: bool
) -> None:
    chosen = prepare(Choices(rulebook="captain-sonar-2", goal=goal)).goal
    assert (chosen.hull, chosen.sudden) == (hull, sudden)


@pytest.mark.rule("start.choices", "captain-sonar", "captain-sonar-ru", "sonar")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru", "sonar"])
def test_the_other_rulebooks_do_not(book: str) -> None:
    assert refused_setup(Choices(rulebook=book, goal="sudden-death")) == "start.choices"


@pytest.mark.rule("start.choices", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_short_engineers_sheet_may_be_chosen_where_it_is_printed(book: str, mode: Mode) -> None:
    choices = Choices(rulebook=book, mode=mode, sheet="20-symbols", house=LIFTED)
    if book == "captain-sonar-2" and mode is TURN_BY_TURN:
        sheet = prepare(choices).sheet
        assert sheet is not None
        assert len(sheet.symbols) == 20
    else:
        assert refused_setup(choices) == "start.choices"


@pytest.mark.rule("start.choices", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "symbols"),
    [("captain-sonar", 24), ("captain-sonar-ru", 24), ("captain-sonar-2", 24), ("sonar", 0)],
)
def test_the_usual_engineers_sheet_has_24_symbols(book: str, symbols: int) -> None:
    sheet = prepare(Choices(rulebook=book)).sheet
    assert (len(sheet.symbols) if sheet else 0) == symbols


@pytest.mark.rule("start.choices")
def test_a_table_chooses_its_rulings() -> None:
    assert prepare(Choices()).book.torpedo_range == 4
    assert prepare(Choices(rulings={"torpedo_range": 5})).book.torpedo_range == 5


# start.place


@pytest.mark.rule("start.place", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_game_begins_when_both_captains_have_dived(book: str, mode: Mode) -> None:
    story = Story(table(book, mode, chart=WATERS), begun=False)
    assert story.order(A, Place(D4)) == [Placed(A, D4)]
    assert story.order(A, Dive()) == [Dived(A)]
    assert story.refusal(A, SetCourse(N)) == "start.place"
    story.order(B, Place(E5))
    assert story.order(B, Dive()) == [Dived(B), PlayBegan(A if mode is TURN_BY_TURN else None)]
    assert story.accepts(A, SetCourse(N))


@pytest.mark.rule("start.place")
def test_a_start_is_secret_and_the_dive_is_heard() -> None:
    story = Story(table(chart=WATERS), begun=False)
    events = story.order(A, Place(D4), Dive())
    assert story.heard_by(B, events) == [Dived(A)]
    assert story.heard_by(A, events) == events


@pytest.mark.rule("start.place", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_both_submarines_may_start_on_the_same_point(book: str) -> None:
    story = Story(table(book, chart=WATERS), "D4", "D4")
    assert story.boat(A).helm.at == story.boat(B).helm.at == D4
    assert story.game.public.damage == ByCrew(0, 0)


@pytest.mark.rule("start.place")
def test_a_start_may_be_changed_until_the_captain_dives() -> None:
    story = Story(table(chart=WATERS), begun=False)
    story.order(A, Place(D4), Place(E5))
    assert story.boat(A).helm.route == (E5,)
    story.order(A, Dive())
    assert story.refusal(A, Place(D4)) == "start.place"


@pytest.mark.rule("start.place")
def test_nobody_dives_without_a_start_or_twice() -> None:
    story = Story(table(chart=WATERS), begun=False)
    assert story.refusal(A, Dive()) == "start.place"
    story.order(A, Place(D4), Dive())
    assert story.refusal(A, Dive()) == "start.place"


@pytest.mark.rule("start.place")
def test_nobody_is_placed_once_the_game_has_begun() -> None:
    story = Story(table(chart=WATERS))
    assert story.refusal(A, Place(D4)) == "start.place"
    assert story.refusal(B, Place(D4)) == "start.place"


@pytest.mark.rule("start.place")
def test_a_start_is_a_point_of_sea() -> None:
    story = Story(table(chart=sea("..#\n...\n...")), begun=False)
    assert story.refusal(A, Place(parse("C1"))) == "chart.islands"
    assert story.refusal(A, Place(parse("D1"))) == "chart.points"
    assert story.accepts(A, Place(parse("C2")))


@pytest.mark.rule("start.place")
def test_a_start_that_the_scenario_names_is_not_chosen() -> None:
    story = Story(table(chart=sea("...\n...", starts="A1, C2")), begun=False)
    assert story.refusal(A, Place(parse("B1"))) == "scenario.corners"
    assert story.accepts(A, Dive())


@pytest.mark.rule("start.place")
@pytest.mark.parametrize(
    "order",
    [
        *(SetCourse(N), Surface(), EndTurn(), TriggerMine(D4)),
        *(Charge(System.MINE), CrossOut("N1")),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_before_the_game_begins_there_is_nothing_else_to_do(mode: Mode, order: AnyOrder) -> None:
    story = Story(table(mode=mode, chart=WATERS), begun=False)
    story.order(A, Place(D4), Dive())
    assert story.refusal(A, order) == "start.place"


# start.first


@pytest.mark.rule("start.first", *ALL_BOOKS)
@pytest.mark.parametrize("lot", [A, B])
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_who_begins_is_drawn_when_nobody_has_chosen(book: str, lot: Crew) -> None:
    story = undecided(book)
    for crew in (A, B):
        starts(story, crew)
    assert story.game.public.phase == "placing"
    assert story.draw_first(lot) == [FirstDrawn(lot), PlayBegan(lot)]
    assert story.refusal(lot.other, SetCourse(S)) == "turn.yours"


@pytest.mark.rule("start.first")
def test_the_lot_may_be_drawn_before_both_have_dived() -> None:
    story = undecided()
    assert story.draw_first(B) == [FirstDrawn(B)]
    starts(story, A)
    story.order(B, Place(parse("B2")))
    assert story.order(B, Dive()) == [Dived(B), PlayBegan(B)]


@pytest.mark.rule("start.first", *ALL_BOOKS)
@pytest.mark.parametrize("first", [A, B])
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_who_begins_may_be_chosen_at_set_up(book: str, first: Crew) -> None:
    story = Story(prepare(Choices(rulebook=book, first=first)), begun=False)
    for crew in (A, B):
        starts(story, crew)
    assert story.events[-1] == PlayBegan(first)
    turn = story.game.public.turn
    assert turn is not None
    assert turn.crew is first


def draw_refused(story: Story) -> str:
    """The rule by which a draw is refused."""
    with pytest.raises(OrderRefused) as refused:
        decide(story.game, REFEREE, DrawFirst(A))
    return refused.value.rule


@pytest.mark.rule("start.first")
def test_there_is_one_draw_and_none_where_it_was_chosen() -> None:
    story = undecided()
    story.draw_first(A)
    assert draw_refused(story) == "start.first"
    assert draw_refused(Story(table(chart=WATERS), begun=False)) == "start.first"
    assert draw_refused(Story(table(chart=WATERS))) == "start.first"


@pytest.mark.rule("start.first", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_in_real_time_both_begin_at_once(book: str) -> None:
    story = undecided(book, REAL_TIME)
    assert draw_refused(story) == "start.first"
    for crew in (A, B):
        starts(story, crew)
    assert story.events[-1] == PlayBegan(None)
    assert story.game.public.turn is None
    ways = (A, S), (B, S if story.setup.chart.starts is None else N)
    for crew, way in ways:
        assert story.accepts(crew, SetCourse(way))


# start.empty


@pytest.mark.rule("start.empty", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_everything_begins_empty(book: str, mode: Mode) -> None:
    story = Story(table(book, mode, chart=WATERS), "D4", "D4")
    assert story.game.public.damage == ByCrew(0, 0)
    for crew in (A, B):
        boat = story.boat(crew)
        assert boat.gauges == Gauges(boxes=(0, 0, 0, 0, 0, 0), energy=0)
        assert boat.engine == Engine(crossed=0)
        assert (boat.duty.ready, boat.duty.charge, boat.duty.cross) == (0, "none", "none")
        assert boat.helm.mines == 0


@pytest.mark.rule("start.empty", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_starting_point_counts_as_route(book: str) -> None:
    story = Story(table(book, REAL_TIME, chart=WATERS), "D4", "J10")
    assert [name(point) for point in story.boat(A).helm.route] == ["D4"]
    story.order(A, SetCourse(E))
    story.aye(A)
    assert story.refusal(A, SetCourse(W)) == "move.no-crossing"


# start.radio


@pytest.mark.rule("start.radio", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_radio_operator_starts_with_a_mark_in_the_middle(book: str) -> None:
    story = Story(table(book, chart=WATERS), begun=False)
    for crew in (A, B):
        radio = story.boat(crew).radio
        assert radio.films == (Film(x=0, y=0, items=(Item(x=0, y=0, shape="dot"),)),)
        assert radio.tape == ()
