"""Systems: when they may be activated, by whom, how often, and the stop that they bring."""

from typing import Any

import pytest
from msgspec.structs import replace

from fathom.engine.events import (
    AnyEvent,
    CourseSet,
    DroneLaunched,
    MineTriggered,
    PlayResumed,
    RanSilent,
    SonarAnswered,
    SystemFailed,
    SystemReady,
    SystemRepaired,
    TorpedoFired,
    TurnEnded,
    VolcanoNamed,
)
from fathom.engine.game import Stop, Turn
from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    DetonateOldMine,
    Dive,
    DrawLine,
    EndTurn,
    FireTorpedo,
    JudgeTrace,
    LaunchDrone,
    LayMine,
    NameVolcano,
    RepairSystem,
    ReportReady,
    ResumePlay,
    RunSilent,
    SetCourse,
    Surface,
    TraceSection,
    TriggerMine,
    UseSonar,
    WipeSheet,
)
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.engine.tracing import ideal_stroke
from fathom.points import parse
from fathom.rules import library
from fathom.rules.setup import default_crews
from fathom.words import ByCrew, Crew, Heading, Mode, Post, Seat, System
from tests.stories import (
    ALL_BOOKS,
    CAPTAIN_BOOKS,
    MODES,
    OPEN_SEA,
    A,
    B,
    Story,
    sea,
    table,
)

N, S, E, W = Heading
TURNS, REAL_TIME = MODES

OLD_MINE = OPEN_SEA.replace(".", "m", 1)
ISLANDS = """
M T D S Q
. . . . .
. . . . .
. . . . .
. . . . .
"""
VOLCANOES = """
. . . . . . . . . .
. V r . . . . . . .
. r r . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . r r .
. . . . . . . r V .
. . . . . . . . . .
"""

USES: dict[System, AnyOrder] = {
    System.MINE: LayMine(parse("E6")),
    System.TORPEDO: FireTorpedo(parse("E7")),
    System.DRONE: LaunchDrone(1),
    System.SONAR: UseSonar(),
    System.SILENCE: RunSilent(2, E),
    System.SCENARIO: DetonateOldMine(parse("A1")),
}
FAMILY_USES: dict[System, AnyOrder] = {
    System.TORPEDO: FireTorpedo(parse("E4")),
    System.SONAR: UseSonar(),
    System.SILENCE: RunSilent(1, E),
}


def at_sea(book: str = "captain-sonar", mode: Mode = TURNS, **choices: Any) -> Story:
    """A is on E5, B far away; an old mine lies on A1 where the rulebook can detonate it."""
    family = book == "sonar"
    chart = sea(OPEN_SEA) if family else sea(OLD_MINE, special="old-mines")
    return Story(table(book, mode, chart=chart, **choices), a="E5", b="J10")


def all_ready(book: str = "captain-sonar", mode: Mode = TURNS, **choices: Any) -> Story:
    """The same with everything charged; A has set its course and made its marks."""
    story = at_sea(book, mode, **choices)
    if book != "sonar":
        story.sailed(A)
    story.ready(A, *System)
    return story


def uses(book: str) -> dict[System, AnyOrder]:
    return FAMILY_USES if book == "sonar" else USES


def settle(story: Story, crew: Crew = A) -> None:
    """Make what marks are due, answer what is asked, and end the stop."""
    if story.game.public.awaited is not None:
        true = story.setup.book.sonar_answer == "one-true"
        story.order(crew.other, AnswerTruly("row") if true else AnswerSonar(row=10, column="A"))
    story.aye(crew)
    if story.game.public.stop is not None:
        story.resume()


def sail(story: Story, crew: Crew, heading: Heading, charge: System) -> list[AnyEvent]:
    """A course with its marks; turn by turn the turn ends. Breakdowns are mended by magic."""
    events = story.order(crew, SetCourse(heading), Charge(charge))
    story.aye(crew)
    story.change(crew, engine={"crossed": 0})
    if story.game.public.turn is not None:
        story.order(crew, EndTurn())
    return events


# Charged


@pytest.mark.rule("system.charged", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("system", System)
def test_a_system_needs_a_full_gauge(book: str, mode: Mode, system: System) -> None:
    story = at_sea(book, mode)
    story.put(A, "E10")
    boxes = story.game.ground.boxes[system.index]
    for filled in range(1, boxes + 1):
        story.sailed(A)
        assert story.refusal(A, USES[system]) == "system.charged"
        if mode is TURNS:
            story.public(turn=Turn(A))
        ready = SystemReady(A, system) in sail(story, A, N, system)
        assert ready is (filled == boxes)
        if mode is TURNS:
            sail(story, B, N, System.SILENCE)
    story.put(A, "E5")
    story.sailed(A)
    assert story.accepts(A, USES[system])


@pytest.mark.rule("system.charged")
def test_another_systems_full_gauge_does_not_help() -> None:
    story = at_sea()
    story.sailed(A)
    story.ready(A, System.MINE)
    assert story.refusal(A, FireTorpedo(parse("E7"))) == "system.charged"


@pytest.mark.rule("system.charged", "sonar")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("energy", "enough"),
    [
        (0, set[System]()),
        (1, set[System]()),
        (2, {System.SONAR}),
        (3, {System.SONAR, System.SILENCE}),
        (4, {System.SONAR, System.SILENCE, System.TORPEDO}),
    ],
)
def test_the_family_games_systems_need_their_energy(
    mode: Mode, energy: int, enough: set[System]
) -> None:
    story = at_sea("sonar", mode)
    story.change(A, gauges={"energy": energy})
    for system, order in FAMILY_USES.items():
        if system in enough:
            assert story.accepts(A, order)
        else:
            assert story.refusal(A, order) == "system.charged"


# Intact


@pytest.mark.rule("system.intact", "captain-sonar", "captain-sonar-ru")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("system", System)
def test_a_broken_system_is_refused_and_nothing_is_spent(
    book: str, mode: Mode, system: System
) -> None:
    story = all_ready(book, mode)
    story.cross_out(A, "W1", "W2", "W3")
    assert story.refusal(A, USES[system]) == "system.intact"
    assert story.boat(A).duty.barred == ""


@pytest.mark.rule("system.intact", "captain-sonar-2")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("system", System)
def test_in_the_second_edition_it_fails(mode: Mode, system: System) -> None:
    story = all_ready("captain-sonar-2", mode)
    story.cross_out(A, "W1", "W2", "W3")
    assert story.order(A, USES[system]) == [SystemFailed(A, system)]


@pytest.mark.rule("system.intact", "sonar")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("system", FAMILY_USES)
def test_in_the_family_game_nothing_is_ever_broken(mode: Mode, system: System) -> None:
    story = at_sea("sonar", mode)
    story.put(A, "E10")
    for heading in (N, N, N, N, N):
        story.order(A, SetCourse(heading))
        if mode is TURNS:
            story.order(B, SetCourse(heading))
    assert story.accepts(A, FAMILY_USES[system])


@pytest.mark.rule("system.intact")
def test_the_enemys_breakdowns_are_the_enemys() -> None:
    story = all_ready()
    story.cross_out(B, "W1", "W2", "W3")
    assert all(story.accepts(A, order) for order in USES.values())


# In service


def damaged(book: str = "captain-sonar") -> Story:
    """Every system starts out of service; A is next to the torpedo's island."""
    return Story(table(book, chart=sea(ISLANDS, special="damaged")), a="B2", b="E5")


@pytest.mark.rule("system.disabled", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("system", tuple(System)[:5])
def test_a_disabled_system_is_neither_charged_nor_activated(book: str, system: System) -> None:
    story = damaged(book)
    story.order(A, SetCourse(S))
    assert story.refusal(A, Charge(system)) == "system.disabled"
    story.sailed(A)
    assert story.refusal(A, {**USES, System.SILENCE: RunSilent(0)}[system]) == "system.disabled"


@pytest.mark.rule("system.disabled")
def test_a_repaired_system_is_in_service_for_its_own_crew_alone() -> None:
    story = damaged()
    story.sailed(A)
    story.ready(A, System.SCENARIO)
    repaired = story.order(A, RepairSystem(System.TORPEDO))
    assert repaired[0] == SystemRepaired(A, System.TORPEDO)
    story.order(B, SetCourse(N))
    assert story.refusal(B, Charge(System.TORPEDO)) == "system.disabled"
    story.sailed(A)
    assert story.refusal(A, FireTorpedo(parse("B3"))) == "system.charged"
    story.ready(A, System.TORPEDO)
    assert story.accepts(A, FireTorpedo(parse("B3")))
    assert story.refusal(A, LayMine(parse("B3"))) == "system.disabled"


@pytest.mark.rule("system.disabled", "sonar")
@pytest.mark.parametrize("order", [LayMine(parse("E6")), LaunchDrone(1)])
def test_the_family_game_has_neither_mine_nor_drone(order: AnyOrder) -> None:
    story = all_ready("sonar")
    assert story.refusal(A, order) == "system.disabled"


# Who activates


def posts_that_may(story: Story, order: AnyOrder) -> set[Post]:
    """The posts of A from which the order is not refused as another post's."""
    refusals = {}
    for post in story.setup.book.posts:
        try:
            decide(story.game, story.seat(A, post), order)
        except OrderRefused as refused:
            refusals[post] = refused.rule
    assert set(refusals.values()) == {"system.who"}
    return set(story.setup.book.posts) - set(refusals)


CAPTAIN, MATE = {Post.CAPTAIN}, {Post.FIRST_MATE}


@pytest.mark.rule("system.who", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("book", "detection"),
    [
        ("captain-sonar", CAPTAIN | MATE),
        ("captain-sonar-ru", CAPTAIN | MATE),
        ("captain-sonar-2", MATE),
    ],
)
def test_who_activates_which_system(mode: Mode, book: str, detection: set[Post]) -> None:
    story = all_ready(book, mode, players=8)
    green = {System.DRONE, System.SONAR}
    for system, order in USES.items():
        assert posts_that_may(story, order) == (detection if system in green else CAPTAIN)


@pytest.mark.rule("system.who", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_the_family_games_captain_activates_everything(mode: Mode) -> None:
    story = all_ready("sonar", mode, players=4)
    for order in FAMILY_USES.values():
        assert posts_that_may(story, order) == CAPTAIN


@pytest.mark.rule("system.who", "captain-sonar-2")
def test_a_shy_first_mate_leaves_drone_and_sonar_to_the_captain() -> None:
    crews = default_crews(library.rulebook("captain-sonar-2"), 8)
    shy = crews.put(A, replace(crews.a, shy_mate=True))
    story = all_ready("captain-sonar-2", crews=shy)
    assert posts_that_may(story, LaunchDrone(1)) == CAPTAIN
    assert posts_that_may(story, UseSonar()) == CAPTAIN


@pytest.mark.rule("system.who")
def test_who_holds_two_posts_has_the_orders_of_both() -> None:
    story = all_ready("captain-sonar-2", players=6)
    both = Seat(A, 0)
    assert story.setup.crews.a.seats[0].posts == (Post.CAPTAIN, Post.FIRST_MATE)
    assert decide(story.game, both, LaunchDrone(1))[0] == DroneLaunched(A, 1, "no")
    assert decide(story.game, both, FireTorpedo(parse("E7")))[0] == TorpedoFired(A, parse("E7"))


# One between two courses


@pytest.mark.rule("system.once", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("first", System)
def test_in_real_time_one_system_between_two_courses(book: str, first: System) -> None:
    story = all_ready(book, REAL_TIME)
    story.order(A, USES[first])
    settle(story)
    story.change(A, engine={"crossed": 0})
    story.ready(A, *System)
    seconds = (LaunchDrone(1), UseSonar(), FireTorpedo(parse("E7")), RunSilent(0))
    assert {story.refusal(A, second) for second in seconds} == {"system.once"}
    story.order(A, SetCourse(N))
    story.aye(A)
    story.change(A, engine={"crossed": 0})
    assert story.accepts(A, LaunchDrone(1))


@pytest.mark.rule("system.once", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("first", System)
def test_turn_by_turn_an_activation_ends_the_turn(book: str, first: System) -> None:
    story = all_ready(book)
    story.order(A, USES[first])
    settle(story)
    assert story.events[-1] == TurnEnded(A, B)
    assert story.refusal(A, LaunchDrone(1)) == "turn.yours"


@pytest.mark.rule("system.once", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_the_course_comes_before_the_system(book: str) -> None:
    story = at_sea(book)
    story.ready(A, *System)
    assert {story.refusal(A, order) for order in USES.values()} == {"turn.order"}


@pytest.mark.rule("system.once", "captain-sonar", "captain-sonar-2")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-2"])
def test_in_real_time_a_charged_system_needs_no_course_before_it(book: str) -> None:
    story = at_sea(book, REAL_TIME)
    story.ready(A, *System)
    assert story.accepts(A, LaunchDrone(1))


@pytest.mark.rule("system.once", "captain-sonar-ru")
def test_by_the_russian_rules_it_comes_only_after_a_course() -> None:
    story = at_sea("captain-sonar-ru", REAL_TIME)
    story.ready(A, *System)
    assert story.refusal(A, LaunchDrone(1)) == "surface.then-system"
    story.order(A, SetCourse(N))
    story.aye(A)
    story.change(A, engine={"crossed": 0})
    assert story.accepts(A, LaunchDrone(1))


@pytest.mark.rule("system.once", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_surfacing_is_no_activation(book: str) -> None:
    story = all_ready(book, REAL_TIME)
    story.order(A, LaunchDrone(1))
    story.resume()
    assert story.accepts(A, Surface())


@pytest.mark.rule("system.once", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
def test_a_system_may_follow_the_triggering_of_a_mine(book: str, mode: Mode) -> None:
    story = all_ready(book, mode)
    story.mine(A, "A10")
    assert story.order(A, TriggerMine(parse("A10")))[0] == MineTriggered(A, parse("A10"))
    settle(story)
    assert story.order(A, LaunchDrone(1))[0] == DroneLaunched(A, 1, "no")


@pytest.mark.rule("system.once", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_mines_may_be_triggered_after_a_system_too(book: str) -> None:
    story = all_ready(book, REAL_TIME)
    story.mine(A, "A10", "C10")
    for order in (LaunchDrone(1), TriggerMine(parse("A10")), TriggerMine(parse("C10"))):
        story.order(A, order)
        story.resume()
    assert story.boat(A).helm.mines == 0


@pytest.mark.rule("system.once")
def test_a_silence_is_no_course_in_this_sense() -> None:
    story = all_ready(mode=REAL_TIME)
    story.order(A, LaunchDrone(1))
    story.resume()
    assert story.refusal(A, RunSilent(1, N)) == "system.once"
    story = all_ready(mode=REAL_TIME)
    story.order(A, RunSilent(1, N))
    settle(story)
    story.change(A, engine={"crossed": 0})
    assert story.refusal(A, LaunchDrone(1)) == "system.once"


@pytest.mark.rule("system.once")
@pytest.mark.parametrize("mode", MODES)
def test_a_table_may_count_a_silence_as_a_course(mode: Mode) -> None:
    story = all_ready(mode=mode, rulings={"silence_is_course": True})
    story.order(A, RunSilent(1, N))
    settle(story)
    story.change(A, engine={"crossed": 0})
    assert story.order(A, LaunchDrone(1))[0] == DroneLaunched(A, 1, "no")


@pytest.mark.rule("system.once", "sonar")
@pytest.mark.parametrize("system", FAMILY_USES)
def test_in_the_family_game_an_activation_is_the_whole_turn(system: System) -> None:
    story = all_ready("sonar")
    story.order(A, FAMILY_USES[system])
    settle(story)
    assert story.events[-1] == TurnEnded(A, B)
    assert story.refusal(A, SetCourse(N)) == "turn.yours"


@pytest.mark.rule("system.once", "sonar")
def test_in_the_family_game_a_course_leaves_no_turn_for_a_system() -> None:
    story = all_ready("sonar")
    assert story.order(A, SetCourse(N)) == [CourseSet(A, N), TurnEnded(A, B)]
    assert story.refusal(A, UseSonar()) == "turn.yours"


@pytest.mark.rule("system.once", "sonar")
def test_in_the_family_games_real_time_one_system_may_follow_another() -> None:
    story = all_ready("sonar", REAL_TIME)
    for _ in range(2):
        story.order(A, UseSonar())
        settle(story)
    assert story.boat(A).gauges.energy == 0
    assert story.refusal(A, UseSonar()) == "system.charged"


@pytest.mark.rule("system.once")
def test_a_table_may_play_the_family_game_with_course_and_system_in_a_turn() -> None:
    story = all_ready("sonar", rulings={"activations": "between-courses"})
    assert story.refusal(A, UseSonar()) == "turn.order"
    assert story.order(A, SetCourse(N)) == [CourseSet(A, N)]
    story.order(A, UseSonar())
    assert story.order(B, AnswerTruly("row"))[-1] == TurnEnded(A, B)


@pytest.mark.rule("system.once")
def test_a_table_may_make_an_activation_the_whole_turn() -> None:
    story = at_sea(rulings={"activations": "whole-turn"})
    story.ready(A, System.TORPEDO)
    story.order(A, FireTorpedo(parse("E8")))
    assert story.events[-1] == TurnEnded(A, B)
    assert story.refusal(A, SetCourse(N)) == "turn.yours"


@pytest.mark.rule("system.once")
def test_such_a_turn_lasts_until_its_marks_are_made() -> None:
    story = at_sea(rulings={"activations": "whole-turn"})
    assert story.order(A, SetCourse(N)) == [CourseSet(A, N)]
    assert story.refusal(B, SetCourse(N)) == "turn.yours"
    assert story.aye(A)[-1] == TurnEnded(A, B)


# Spent


@pytest.mark.rule("system.spent", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("system", System)
def test_using_a_system_empties_its_gauge_and_no_other(
    book: str, mode: Mode, system: System
) -> None:
    story = all_ready(book, mode)
    full = story.boat(A).gauges.boxes
    story.order(A, USES[system])
    left = story.boat(A)
    assert left.gauges.boxes == tuple(
        0 if place == system.index else boxes for place, boxes in enumerate(full)
    )
    others = sum(other.bit for other in System if other is not system)
    assert left.duty.ready == others


@pytest.mark.rule("system.spent")
def test_a_spent_system_may_be_charged_anew() -> None:
    story = all_ready(mode=REAL_TIME)
    story.order(A, FireTorpedo(parse("E9")))
    story.resume()
    for heading in (N, N):
        assert SystemReady(A, System.TORPEDO) not in sail(story, A, heading, System.TORPEDO)
        assert story.refusal(A, FireTorpedo(parse("E9"))) == "system.charged"
    assert SystemReady(A, System.TORPEDO) in sail(story, A, N, System.TORPEDO)
    assert story.accepts(A, FireTorpedo(parse("E6")))


@pytest.mark.rule("system.spent", "sonar")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("system", "left"), [(System.SONAR, 2), (System.SILENCE, 1), (System.TORPEDO, 0)]
)
def test_in_the_family_game_its_cost_is_taken_from_the_energy(
    mode: Mode, system: System, left: int
) -> None:
    story = all_ready("sonar", mode)
    story.order(A, FAMILY_USES[system])
    assert story.boat(A).gauges.energy == left


@pytest.mark.rule("system.spent")
def test_a_mines_trigger_spends_nothing() -> None:
    story = all_ready(mode=REAL_TIME)
    story.mine(A, "A10")
    gauges = story.boat(A).gauges
    story.order(A, TriggerMine(parse("A10")))
    assert story.boat(A).gauges == gauges


# The stop


@pytest.mark.rule("system.stop", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("system", System)
def test_every_activation_carries_its_stop(book: str, system: System) -> None:
    story = all_ready(book, REAL_TIME)
    story.order(A, USES[system])
    stop = story.game.public.stop
    assert stop is not None
    assert stop.by is A


@pytest.mark.rule("system.stop", "sonar")
@pytest.mark.parametrize("order", [*FAMILY_USES.values(), Surface()])
def test_every_activation_and_surfacing_stops_the_family_game(order: AnyOrder) -> None:
    story = all_ready("sonar", REAL_TIME)
    story.order(A, order)
    assert story.game.public.stop == Stop(A)


@pytest.mark.rule("system.stop")
def test_a_mines_trigger_carries_its_stop() -> None:
    story = all_ready(mode=REAL_TIME)
    story.mine(A, "A10")
    story.order(A, TriggerMine(parse("A10")))
    assert story.game.public.stop == Stop(A)


@pytest.mark.rule("system.stop")
def test_a_repair_carries_its_stop() -> None:
    chart = sea(ISLANDS, special="damaged")
    story = Story(table(mode=REAL_TIME, chart=chart), a="B2", b="E5")
    story.ready(A, System.SCENARIO)
    story.order(A, RepairSystem(System.TORPEDO))
    assert story.game.public.stop == Stop(A)


@pytest.mark.rule("system.stop", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_courses_need_no_stop(book: str) -> None:
    story = at_sea(book, REAL_TIME)
    story.order(A, SetCourse(N))
    assert story.game.public.stop is None
    assert story.accepts(B, SetCourse(N))


@pytest.mark.rule("system.stop", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_surfacing_needs_no_stop_in_captain_sonar(book: str) -> None:
    story = at_sea(book, REAL_TIME)
    story.order(A, Surface())
    assert story.game.public.stop is None
    assert story.accepts(B, SetCourse(N))


@pytest.mark.rule("system.stop", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_turn_by_turn_nothing_is_stopped(book: str) -> None:
    for order in uses(book).values():
        story = all_ready(book)
        story.order(A, order)
        assert story.game.public.stop is None


PENS: dict[str, AnyOrder] = {
    "course": SetCourse(N),
    "surfacing": Surface(),
    "mine": LayMine(parse("E4")),
    "torpedo": FireTorpedo(parse("E8")),
    "drone": LaunchDrone(2),
    "sonar": UseSonar(),
    "silence": RunSilent(1, N),
    "old mine": DetonateOldMine(parse("A1")),
    "trigger": TriggerMine(parse("A10")),
    "charge": Charge(System.MINE),
    "cross out": CrossOut("N1"),
    "answer": AnswerSonar(row=1, column="A"),
    "line": DrawLine(((0, 0), (10, 0))),
    "wipe": WipeSheet(),
    "signal": ResumePlay(),
}


@pytest.mark.rule("system.stop", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("crew", [A, B])
@pytest.mark.parametrize("pen", sorted(set(PENS) - {"answer"}))
def test_while_the_stop_lasts_all_pens_are_up(book: str, crew: Crew, pen: str) -> None:
    story = all_ready(book, REAL_TIME)
    story.mine(crew, "A10")
    story.ready(B, *System)
    story.order(A, FireTorpedo(parse("E9")))
    story.change(crew, duty={"barred": ""})
    assert story.refusal(crew, PENS[pen]) == "system.stop"


@pytest.mark.rule("system.stop")
def test_marks_that_were_due_wait_until_play_goes_on() -> None:
    story = all_ready(mode=REAL_TIME)
    story.order(B, SetCourse(N))
    story.order(A, FireTorpedo(parse("E9")))
    assert story.refusal(B, Charge(System.MINE)) == "system.stop"
    assert story.refusal(B, CrossOut("N1")) == "system.stop"
    story.resume()
    assert story.accepts(B, Charge(System.MINE))
    assert story.accepts(B, CrossOut("N1"))


HULL = library.hull()


@pytest.mark.rule("system.stop")
def test_a_surfaced_crews_tracing_stops_too() -> None:
    story = all_ready(mode=REAL_TIME, house={"trace_judge": "enemy-engineer"})
    sections = [TraceSection(n, ideal_stroke(HULL, n), "JV") for n in (1, 2, 3, 4)]
    story.order(B, Surface())
    # At every step back under water, A's stop holds B's pens, and the judge's own.
    steps: list[tuple[Crew, AnyOrder]] = [(B, section) for section in sections]
    steps += [(A, JudgeTrace()), (B, ReportReady()), (B, Dive())]
    for crew, step in steps:
        story.change(A, duty={"barred": ""})
        story.ready(A, System.DRONE)
        story.order(A, LaunchDrone(1))
        assert story.refusal(crew, step) == "system.stop"
        story.resume()
        story.order(crew, step)
    assert story.game.public.surfaced == ByCrew(False, False)


@pytest.mark.rule("system.stop")
def test_if_two_stops_meet_the_first_counts() -> None:
    story = all_ready(mode=REAL_TIME)
    story.ready(B, System.DRONE)
    story.order(A, LaunchDrone(1))
    assert story.refusal(B, LaunchDrone(1)) == "system.stop"
    assert story.game.public.stop == Stop(A)
    story.resume()
    assert story.order(B, LaunchDrone(1)) == [DroneLaunched(B, 1, "yes")]
    assert story.game.public.stop == Stop(B)


@pytest.mark.rule("system.stop", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_play_resumes_by_itself_and_no_captain_signals(book: str) -> None:
    story = all_ready(book, REAL_TIME)
    story.order(A, LaunchDrone(1))
    assert story.refusal(A, ResumePlay()) == "system.stop"
    assert story.refusal(B, ResumePlay()) == "system.stop"
    assert story.referee(ResumePlay()) == [PlayResumed()]
    assert story.game.public.stop is None
    assert story.accepts(B, SetCourse(N))


@pytest.mark.rule("system.stop", "sonar")
def test_in_the_family_game_the_captain_who_stopped_gives_the_signal() -> None:
    story = all_ready("sonar", REAL_TIME, players=4)
    story.order(A, RunSilent(1, N))
    with pytest.raises(OrderRefused, match=r"system\.stop"):
        story.referee(ResumePlay())
    assert story.refusal(B, ResumePlay()) == "system.stop"
    operator = story.seat(A, Post.RADIO_OPERATOR)
    assert story.refusal(A, ResumePlay(), operator) == "crew.orders"
    assert story.order(A, ResumePlay()) == [PlayResumed()]


@pytest.mark.rule("system.stop")
@pytest.mark.parametrize(
    ("book", "ruling", "by_captain"),
    [("captain-sonar", "captain", True), ("sonar", "by-itself", False)],
)
def test_a_table_may_choose_who_ends_a_stop(book: str, ruling: str, by_captain: bool) -> None:
    story = all_ready(book, REAL_TIME, rulings={"resume": ruling})
    story.order(A, FireTorpedo(parse("E3")))
    assert story.accepts(A, ResumePlay()) is by_captain
    assert story.resume() == [PlayResumed()]


@pytest.mark.rule("system.stop")
@pytest.mark.parametrize("mode", MODES)
def test_without_a_stop_there_is_nothing_to_resume(mode: Mode) -> None:
    story = at_sea(mode=mode)
    assert story.refusal(A, ResumePlay()) == "system.stop"
    with pytest.raises(OrderRefused, match=r"system\.stop"):
        story.referee(ResumePlay())


def not_yet(story: Story) -> bool:
    """Whether play can't resume because something is awaited."""
    try:
        decide(story.game, story.seat(A, ResumePlay()), ResumePlay())
    except OrderRefused:
        with pytest.raises(OrderRefused, match=r"system\.stop"):
            story.referee(ResumePlay())
        return True
    return False


@pytest.mark.rule("system.stop", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_stop_waits_for_the_sonar_answer(book: str) -> None:
    story = all_ready(book, REAL_TIME)
    story.order(A, UseSonar())
    assert not_yet(story)
    assert story.refusal(B, SetCourse(N)) == "system.stop"
    answer = AnswerTruly("row") if book == "sonar" else AnswerSonar(row=10, column="A")
    assert isinstance(story.order(B, answer)[0], SonarAnswered)
    assert story.refusal(B, SetCourse(N)) == "system.stop"
    assert story.resume() == [PlayResumed()]


@pytest.mark.rule("system.stop", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("silence", [RunSilent(2, E), RunSilent(0)])
def test_the_stop_waits_for_the_marks_after_a_silence(book: str, silence: RunSilent) -> None:
    story = all_ready(book, REAL_TIME)
    story.order(A, silence)
    assert not_yet(story)
    assert story.refusal(B, Charge()) == "system.stop"
    assert story.refusal(B, CrossOut("N1")) == "system.stop"
    story.order(A, CrossOut("E5" if silence.distance else None))
    if book != "captain-sonar-ru":
        assert not_yet(story)
        story.order(A, Charge(System.SILENCE if silence.distance else None))
    assert story.resume() == [PlayResumed()]


@pytest.mark.rule("system.stop", "captain-sonar-2")
def test_the_stop_waits_for_the_mark_after_a_misuse() -> None:
    story = all_ready("captain-sonar-2", REAL_TIME)
    story.cross_out(A, "N2")
    story.order(A, FireTorpedo(parse("E7")))
    assert not_yet(story)
    story.order(A, CrossOut("N6"))
    assert story.resume() == [PlayResumed()]


@pytest.mark.rule("system.stop", "sonar")
def test_the_family_games_silence_waits_for_no_marks() -> None:
    story = all_ready("sonar", REAL_TIME)
    assert story.order(A, RunSilent(1, N)) == [RanSilent(A, 1, N)]
    assert story.resume() == [PlayResumed()]


@pytest.mark.rule("system.stop")
def test_the_stop_waits_for_the_naming_of_a_volcano() -> None:
    chart = sea(VOLCANOES, special="volcanoes")
    story = Story(table("captain-sonar-2", REAL_TIME, chart=chart), a="E5", b="J1")
    story.ready(A, System.TORPEDO)
    story.public(volcano_marks=ByCrew(2, 0), volcano_events=1)
    story.order(A, FireTorpedo(parse("E8")))
    assert not_yet(story)
    assert story.refusal(A, SetCourse(N)) == "system.stop"
    assert story.order(A, NameVolcano(1)) == [VolcanoNamed(A, 1, "smoke")]
    assert story.resume() == [PlayResumed()]


@pytest.mark.rule("system.stop")
def test_an_answer_that_nobody_asked_for_is_refused_in_a_stop_too() -> None:
    story = all_ready(mode=REAL_TIME)
    story.order(A, FireTorpedo(parse("E9")))
    assert story.refusal(B, AnswerSonar(row=10, column="A")) == "sonar.answer"


@pytest.mark.rule("system.stop")
def test_a_stop_ends_with_the_game() -> None:
    story = all_ready(mode=REAL_TIME)
    story.public(damage=ByCrew(0, 2))
    story.put(B, "E7")
    story.order(A, FireTorpedo(parse("E7")))
    assert story.game.public.result is not None
    assert story.game.public.stop is None


@pytest.mark.rule("system.stop")
def test_the_pause_is_the_tables_choice() -> None:
    assert table(mode=REAL_TIME).house.pause_seconds == 3.0
    assert table(mode=REAL_TIME, house={"pause_seconds": 10.0}).house.pause_seconds == 10.0
