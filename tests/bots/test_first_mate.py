"""A bot first mate under another captain: charges and uses what is asked for, and says so."""

import pytest

from fathom.bots.phrases import AnyPhrase, NotReady, PleaseCharge, PleaseUse, Ready
from fathom.engine.events import DroneLaunched, SonarUsed
from fathom.engine.orders import Charge, CrossOut, EndTurn, LaunchDrone, SetCourse, UseSonar
from fathom.words import DRONE, MINE, SILENCE, SONAR, SYSTEMS, TORPEDO, Heading, Mode, Post, System
from tests.bots.voyages import Voyage, eight
from tests.stories import A, B

WAYS = (Heading.E, Heading.S, Heading.E, Heading.S, Heading.E, Heading.S)


@pytest.fixture(params=[False, True], ids=["open", "closed"])
def mate(request: pytest.FixtureRequest) -> Voyage:
    return Voyage(eight(closed=request.param), Post.FIRST_MATE)


def sail(voyage: Voyage, heading: Heading) -> None:
    """The captain sets a course, the engineer makes a mark."""
    voyage.order(A, SetCourse(heading))
    mark = next(o for o in voyage.legal(A, Post.ENGINEER) if isinstance(o, CrossOut))
    voyage.order(A, mark)


def end_turn(voyage: Voyage) -> None:
    """The turn ends, and so does the enemy's, with a course somewhere."""
    voyage.order(A, EndTurn())
    voyage.order(B, next(o for o in voyage.legal(B) if isinstance(o, SetCourse)))
    voyage.aye(B)
    voyage.order(B, EndTurn())


@pytest.mark.parametrize("system", SYSTEMS[:5])
def test_the_first_mate_charges_what_the_captain_asked_for(mate: Voyage, system: System) -> None:
    mate.say(Post.CAPTAIN, PleaseCharge(system))
    sail(mate, Heading.E)
    assert mate.ask() == Charge(system)


def test_unasked_the_first_mate_charges_a_torpedo(mate: Voyage) -> None:
    sail(mate, Heading.E)
    assert mate.ask() == Charge(TORPEDO)


def test_only_the_captain_is_obeyed(mate: Voyage) -> None:
    mate.say(Post.ENGINEER, PleaseCharge(MINE))
    sail(mate, Heading.E)
    assert mate.ask() == Charge(TORPEDO)


def test_what_is_full_already_is_not_charged_again(mate: Voyage) -> None:
    mate.say(Post.CAPTAIN, PleaseCharge(MINE))
    mate.ready(A, MINE)
    sail(mate, Heading.E)
    chosen = mate.ask()
    assert isinstance(chosen, Charge)
    assert chosen.system not in {None, MINE}


def test_a_gauge_that_fills_is_said_to_be_ready_once(mate: Voyage) -> None:
    mate.say(Post.CAPTAIN, PleaseCharge(TORPEDO))
    said: list[tuple[int, AnyPhrase]] = []
    for number, heading in enumerate(WAYS, 1):
        sail(mate, heading)
        mate.let_act()
        mate.ask()
        said += [(number, phrase) for phrase in mate.bot.speak()]
        end_turn(mate)
    boxes = mate.game.ground.boxes
    assert said[0] == (boxes[TORPEDO.index], Ready(TORPEDO))
    assert len({phrase for _, phrase in said}) == len(said)


def test_a_gauge_that_is_used_and_fills_again_is_said_to_be_ready_again(mate: Voyage) -> None:
    mate.ready(A, SONAR)
    assert mate.remarks() == [Ready(SONAR)]
    assert mate.remarks() == []
    mate.change(A, duty={"ready": 0}, gauges={"boxes": (0,) * 6})
    assert mate.remarks() == []
    mate.ready(A, SONAR)
    assert mate.remarks() == [Ready(SONAR)]


@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-2"])
@pytest.mark.parametrize("closed", [False, True])
def test_drone_and_sonar_are_used_when_the_captain_asks(book: str, closed: bool) -> None:
    for wish, order, event in (
        (PleaseUse(SONAR), UseSonar(), SonarUsed),
        (PleaseUse(DRONE, 4), LaunchDrone(4), DroneLaunched),
    ):
        mate = Voyage(eight(book, closed=closed), Post.FIRST_MATE)
        mate.ready(A, SONAR, DRONE)
        mate.sailed(A)
        assert mate.ask() is None
        mate.say(Post.CAPTAIN, wish)
        assert mate.let_act() == order
        assert any(isinstance(happened, event) for happened in mate.events)
        # One errand, one question.
        mate.ready(A, SONAR, DRONE)
        mate.sailed(A)
        assert mate.ask() is None


def test_what_is_not_ready_is_not_used_but_told(mate: Voyage) -> None:
    mate.sailed(A)
    mate.say(Post.CAPTAIN, PleaseUse(SONAR))
    boxes = mate.game.ground.boxes[SONAR.index]
    assert mate.remarks() == [NotReady(SONAR, boxes)]
    # The errand is forgotten then: a sonar that is ready later is the captain's to ask for again.
    mate.ready(A, SONAR)
    assert mate.remarks() == [Ready(SONAR)]
    assert mate.ask() is None


def test_how_many_boxes_are_missing_is_told_rightly(mate: Voyage) -> None:
    filled = [0] * 6
    filled[DRONE.index] = 1
    mate.change(A, gauges={"boxes": tuple(filled)})
    mate.say(Post.CAPTAIN, PleaseUse(DRONE, 2))
    boxes = mate.game.ground.boxes[DRONE.index]
    assert mate.remarks() == [NotReady(DRONE, boxes - 1)]


def test_a_first_mate_in_real_time_charges_in_the_enemys_time_too() -> None:
    mate = Voyage(eight(mode=Mode.REAL_TIME), Post.FIRST_MATE)
    mate.order(B, next(o for o in mate.legal(B) if isinstance(o, SetCourse)))
    assert mate.ask() is None
    mate.order(A, SetCourse(Heading.E))
    mate.say(Post.CAPTAIN, PleaseCharge(SILENCE))
    assert mate.ask() == Charge(SILENCE)


def test_a_drone_without_a_sector_is_no_errand(mate: Voyage) -> None:
    mate.ready(A, DRONE)
    mate.sailed(A)
    mate.say(Post.CAPTAIN, PleaseUse(DRONE))
    assert mate.ask() is None


def test_a_sector_that_is_not_on_the_chart_is_no_errand() -> None:
    mate = Voyage(eight(), Post.FIRST_MATE)
    mate.ready(A, DRONE)
    mate.sailed(A)
    mate.say(Post.CAPTAIN, PleaseUse(DRONE, 99))
    assert mate.ask() is None
