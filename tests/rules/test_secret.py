"""Who may know what: the enemy, one's own crew, the radio operator, spectators."""

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from fathom.engine.apply import apply
from fathom.engine.events import (
    AnyEvent,
    CircuitMended,
    CourseSet,
    Damaged,
    Dived,
    DroneLaunched,
    Event,
    Exploded,
    FirstDrawn,
    GameEnded,
    GaugeCharged,
    LineDrawn,
    MarkAcknowledged,
    MarkPut,
    MineDestroyed,
    MineLaid,
    MineLaidHeard,
    MineTriggered,
    NoteWritten,
    OldMineDestroyed,
    OldMineDetonated,
    Placed,
    PlayBegan,
    PlayResumed,
    PublicEvent,
    RanSilent,
    ReadyReported,
    Rubbed,
    SectionTraced,
    SheetSlid,
    SheetTaken,
    SheetWiped,
    SilenceHeard,
    SonarAnswered,
    SonarUsed,
    Surfaced,
    SymbolCrossed,
    SystemFailed,
    SystemReady,
    SystemRepaired,
    TorpedoFired,
    TraceJudged,
    TurnEnded,
    VolcanoNamed,
    VolcanoStirred,
)
from fathom.engine.game import Film, Game, Item, TracedSection
from fathom.engine.knowledge.named_view import portray
from fathom.engine.knowledge.view import WATCHER, View, Watcher, follow, overhear, view
from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    DetonateOldMine,
    Dive,
    DrawLine,
    FireTorpedo,
    LaunchDrone,
    LayMine,
    NameVolcano,
    Place,
    RepairSystem,
    ReportReady,
    Resign,
    RunSilent,
    SetCourse,
    Surface,
    TraceSection,
    TriggerMine,
    UseSonar,
)
from fathom.engine.records import encode
from fathom.engine.referee import legal, why_not
from fathom.engine.tracing import ideal_stroke
from fathom.points import collect, parse
from fathom.rules.chart import Chart
from fathom.words import ByCrew, Crew, Heading, Mode, Post, Seat, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

N, S, E, W = Heading
TURNS, REAL_TIME = MODES
CAPTAIN, MATE, ENGINEER, OPERATOR = Post
HELPS = ("paper", "tape", "computer")
C3, H8 = parse("C3"), parse("H8")
SPOTS = ((0, 0), (10, 0))
GAMES = [(book, mode) for book in ALL_BOOKS for mode in MODES]

ICE = sea(OPEN_SEA, special="ice")
MINEFIELD = sea(OPEN_SEA.replace(".", "m", 1), special="old-mines")
VOLCANOES = sea(
    """
    . . . . . . . . . .
    . r r . . . . . . .
    . V . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . r .
    . . . . . . . . V .
    . . . . . . . . . .
    """,
    special="volcanoes",
)
HARBOURS = sea(
    """
    . . . . . . . . . .
    . M . T . D . S . Q
    . . . . . . . . . .
    . . . . . . . . . .
    """,
    special="damaged",
)


def full_crews(
    book: str = "captain-sonar",
    mode: Mode = TURNS,
    *,
    a: str = "E5",
    b: str = "J10",
    chart: Chart | None = None,
    begun: bool = True,
    **choices: Any,
) -> Story:
    """Every post is held by a player of its own; A has sailed and made its marks."""
    players = 4 if book == "sonar" else 8
    setup = table(book, mode, chart=chart or sea(OPEN_SEA), **{"players": players, **choices})
    story = Story(setup, a, b, begun=begun)
    if begun:
        story.sailed(A)
    return story


def seats(story: Story, crew: Crew) -> list[Seat]:
    return [Seat(crew, number) for number in range(len(story.game.ground.posts[crew]))]


def hears(story: Story, seat: Seat | Watcher, events: Iterable[AnyEvent]) -> list[Any]:
    """What a seat or a spectator hears of events."""
    heard = (overhear(story.game.ground, event, seat) for event in events)
    return [news for news in heard if news is not None]


def outside(story: Story, events: Sequence[AnyEvent]) -> list[Any]:
    """What the other crew hears of A's events: at every post the same, and so do spectators."""
    spectators = hears(story, WATCHER, events)
    for seat in seats(story, B):
        assert hears(story, seat, events) == spectators
    return spectators


def sent(story: Story, seat: Seat | Watcher) -> bytes:
    """The view of a seat as its client gets it."""
    return encode(portray(story.game.ground, view(story.game, seat)))


def listeners(story: Story) -> list[Seat | Watcher]:
    """All who may not know A's secrets."""
    return [*seats(story, B), WATCHER]


def all_sent(story: Story) -> list[bytes]:
    """The views of the other crew and of a spectator."""
    return [sent(story, seat) for seat in listeners(story)]


def marks_due(story: Story, crew: Crew) -> list[AnyOrder]:
    """A mark for whatever first mate and engineer owe."""
    due: list[AnyOrder] = []
    for post, kind in ((MATE, Charge), (ENGINEER, CrossOut)):
        marks = [order for order in story.legal(crew, post) if isinstance(order, kind)]
        due += marks[-1:]
    return due


def trace(story: Story, crew: Crew, sections: Iterable[int] = (1, 2, 3, 4)) -> list[AnyEvent]:
    """The crew traces sections of its hull, well."""
    hull = story.setup.hull
    strokes = ((section, ideal_stroke(hull, section)) for section in sections)
    return [
        event
        for section, stroke in strokes
        for event in story.order(crew, TraceSection(section, stroke, "AB"))
    ]


# What the enemy hears, kind by kind

NOBODY = ByCrew[Any]("miss", "miss")
SPOKEN: list[AnyEvent] = [
    FirstDrawn(A),
    Dived(A),
    PlayBegan(A),
    CourseSet(A, N),
    SystemFailed(A, System.TORPEDO),
    TorpedoFired(A, C3),
    MineTriggered(A, C3),
    OldMineDetonated(A, C3),
    Exploded(C3, "mine", A, NOBODY, ByCrew(0, 0)),
    OldMineDestroyed(C3),
    Damaged(A, 1, "breakdown"),
    DroneLaunched(A, 3, "no"),
    SonarUsed(A),
    SonarAnswered(A, row=3, sector=2),
    Surfaced(A, sector=1),
    VolcanoStirred(A, 2),
    VolcanoNamed(A, 1, "smoke"),
    SystemRepaired(A, System.DRONE),
    TurnEnded(A, B),
    PlayResumed(),
    GameEnded(A, "end.sunk"),
]
MUFFLED: list[tuple[AnyEvent, Event]] = [
    (RanSilent(A, 4, W), SilenceHeard(A)),
    (RanSilent(A, 0), SilenceHeard(A)),
    (MineLaid(A, C3), MineLaidHeard(A)),
]
HUSHED: list[AnyEvent] = [
    Placed(A, C3),
    GaugeCharged(A, System.MINE),
    GaugeCharged(A, None),
    SystemReady(A, System.MINE),
    SymbolCrossed(A, "W1"),
    SymbolCrossed(A, None),
    CircuitMended(A, "west"),
    MineDestroyed(A, C3),
    ReadyReported(A),
    LineDrawn(A, SPOTS),
    MarkPut(A, 0, 0, "dot"),
    NoteWritten(A, 0, 0, "there"),
    Rubbed(A, 1),
    SheetWiped(A),
    SheetSlid(A, 1, 1),
    SheetTaken(A),
]
SHOWN: list[AnyEvent] = [SectionTraced(A, 2, 1, SPOTS, "AB"), TraceJudged(A, (1,))]


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
def test_every_kind_of_event_is_looked_at_here() -> None:
    kinds = {type(event) for event in (*SPOKEN, *HUSHED, *SHOWN, *(pair[0] for pair in MUFFLED))}
    assert kinds == set(get_args(AnyEvent))
    assert {type(event) for event in SPOKEN} == set(get_args(PublicEvent))


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize("stations", ["open", "closed"])
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("event", SPOKEN, ids=lambda event: type(event).__name__)
def test_what_is_announced_reaches_everyone_as_it_is(
    book: str, event: AnyEvent, stations: str
) -> None:
    story = full_crews(book, house={"stations": stations})
    assert outside(story, [event]) == [event]
    assert all(hears(story, seat, [event]) == [event] for seat in seats(story, A))


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize(("event", "heard"), MUFFLED, ids=repr)
def test_of_silence_and_mines_only_that_they_happened_is_heard(
    book: str, event: AnyEvent, heard: Event
) -> None:
    assert outside(full_crews(book), [event]) == [heard]


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("event", HUSHED, ids=repr)
def test_what_is_not_announced_stays_aboard(book: str, event: AnyEvent) -> None:
    story = full_crews(book)
    assert outside(story, [event]) == []
    assert all(hears(story, seat, [event]) == [event] for seat in seats(story, A))


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("event", SHOWN, ids=lambda event: type(event).__name__)
def test_a_traced_hull_is_shown_to_the_enemy_engineer_alone(book: str, event: AnyEvent) -> None:
    story = full_crews(book)
    heard = {post: story.heard_by(B, [event], post) for post in Post}
    assert heard == {CAPTAIN: [], MATE: [], ENGINEER: [event], OPERATOR: []}
    assert hears(story, WATCHER, [event]) == []


# What the enemy hears, as it happens in play


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "mode"), GAMES)
def test_heard_dive(book: str, mode: Mode) -> None:
    story = full_crews(book, mode, begun=False)
    events = story.order(A, Place(C3), Dive())
    assert outside(story, events) == [Dived(A)]


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_heard_courses(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    events = story.order(A, SetCourse(W)) + story.aye(A)
    events += story.order(A, SetCourse(N))
    assert outside(story, events) == [CourseSet(A, W), CourseSet(A, N)]


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_heard_silence_and_not_where_to(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.ready(A, System.SILENCE)
    events = story.order(A, RunSilent(1, W)) + story.aye(A)
    assert RanSilent(A, 1, W) in events
    assert outside(story, events) == [SilenceHeard(A)]


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "told"),
    [*((book, Surfaced(A, sector=1)) for book in CAPTAIN_BOOKS), ("sonar", Surfaced(A, at=C3))],
)
def test_heard_surfacing_with_its_sector_or_point(book: str, told: Surfaced) -> None:
    story = full_crews(book, REAL_TIME, a="C3")
    assert outside(story, story.order(A, Surface())) == [told]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_heard_that_a_mine_was_laid_and_not_where(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.ready(A, System.MINE)
    events = story.order(A, LayMine(parse("D4")))
    assert outside(story, events) == [MineLaidHeard(A)]


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_heard_a_torpedos_target_and_what_it_hit(book: str) -> None:
    story = full_crews(book, REAL_TIME, a="A1", b="C3")
    story.ready(A, System.TORPEDO)
    damage = 1 if book == "sonar" else 2
    assert outside(story, story.order(A, FireTorpedo(C3))) == [
        TorpedoFired(A, C3),
        Exploded(C3, "torpedo", A, ByCrew("miss", "direct"), ByCrew(0, damage)),
    ]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("b", "hit", "damage"), [("C3", "direct", 2), ("D4", "indirect", 1), ("E5", "miss", 0)]
)
def test_heard_a_mines_point_owner_and_hit(book: str, b: str, hit: Any, damage: int) -> None:
    story = full_crews(book, a="J1", b=b)
    story.mine(A, "C3")
    assert outside(story, story.order(A, TriggerMine(C3))) == [
        MineTriggered(A, C3),
        Exploded(C3, "mine", A, ByCrew("miss", hit), ByCrew(0, damage)),
    ]


@pytest.mark.rule("secret.enemy", "captain-sonar-2")
def test_heard_the_owner_of_every_mine_that_a_chain_sets_off() -> None:
    story = full_crews("captain-sonar-2", REAL_TIME, a="J1", b="A10")
    story.mine(A, "C3", "E4")
    story.mine(B, "D3")
    heard = outside(story, story.order(A, TriggerMine(C3)))
    owners = [(repr(news.at), news.owner) for news in heard if isinstance(news, Exploded)]
    assert owners == [("C3", A), ("D3", B), ("E4", A)]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_not_heard_that_a_mine_was_destroyed(book: str) -> None:
    story = full_crews(book, REAL_TIME, a="A1")
    story.mine(A, "C3")
    story.ready(A, System.TORPEDO)
    events = story.order(A, FireTorpedo(C3))
    assert MineDestroyed(A, C3) in events
    assert outside(story, events) == [
        TorpedoFired(A, C3),
        Exploded(C3, "torpedo", A, NOBODY, ByCrew(0, 0)),
    ]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(("sector", "answer"), [(4, "yes"), (1, "no")])
def test_heard_the_drones_question_and_answer(book: str, sector: int, answer: Any) -> None:
    story = full_crews(book, REAL_TIME)
    story.ready(A, System.DRONE)
    events = story.order(A, LaunchDrone(sector))
    assert outside(story, events) == [DroneLaunched(A, sector, answer)]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_heard_the_sonars_question_and_answer(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.ready(A, System.SONAR)
    events = story.order(A, UseSonar()) + story.order(B, AnswerSonar(row=10, sector=1))
    assert outside(story, events) == [SonarUsed(A), SonarAnswered(B, row=10, sector=1)]


@pytest.mark.rule("secret.enemy", "sonar")
def test_heard_the_family_games_sonar() -> None:
    story = full_crews("sonar", REAL_TIME)
    story.ready(A, System.SONAR)
    events = story.order(A, UseSonar()) + story.order(B, AnswerTruly("column"))
    assert outside(story, events) == [SonarUsed(A), SonarAnswered(B, column="J")]


@pytest.mark.rule("secret.enemy", "captain-sonar-2")
@pytest.mark.parametrize(
    ("order", "system"),
    [
        (FireTorpedo(C3), System.TORPEDO),
        (LayMine(parse("D4")), System.MINE),
        (LaunchDrone(1), System.DRONE),
        (UseSonar(), System.SONAR),
        (RunSilent(2, N), System.SILENCE),
    ],
)
def test_heard_a_failed_system_by_name_and_not_what_was_wanted_of_it(
    order: AnyOrder, system: System
) -> None:
    story = full_crews("captain-sonar-2", REAL_TIME)
    story.ready(A, system)
    story.cross_out(A, "W1", "W2", "W4")
    events = story.order(A, order) + story.order(A, CrossOut("N6"))
    assert outside(story, events) == [SystemFailed(A, system)]


@pytest.mark.rule("secret.enemy", "captain-sonar", "captain-sonar-ru")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru"])
def test_not_heard_an_order_that_is_refused(book: str) -> None:
    story = full_crews(book)
    before = all_sent(story)
    story.ready(A, System.TORPEDO)
    story.cross_out(A, "W1")
    assert story.refusal(A, FireTorpedo(C3)) == "system.intact"
    assert all_sent(story) == before


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("crossed", "last"),
    [("W5 W6 N6 S5 E4", "E6"), ("E1 E2 E3 E4 E5", "E6")],
    ids=["radiation", "panel"],
)
def test_heard_damage_by_breakdown_and_not_which(book: str, crossed: str, last: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.cross_out(A, *crossed.split())
    story.change(A, duty={"cross": "E"})
    events = story.order(A, CrossOut(last))
    assert outside(story, events) == [Damaged(A, 1, "breakdown")]


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_heard_damage_by_ice(book: str) -> None:
    story = full_crews(book, REAL_TIME, chart=ICE)
    heard = outside(story, story.order(A, Surface()))
    assert heard[0] == Damaged(A, 1, "ice")


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_heard_an_old_mines_end(book: str) -> None:
    story = full_crews(book, REAL_TIME, a="A4", chart=MINEFIELD)
    story.ready(A, System.TORPEDO)
    heard = outside(story, story.order(A, FireTorpedo(parse("A1"))))
    assert heard[-1] == OldMineDestroyed(parse("A1"))


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_heard_an_old_mine_that_is_detonated(book: str) -> None:
    story = full_crews(book, REAL_TIME, chart=MINEFIELD)
    story.ready(A, System.SCENARIO)
    assert outside(story, story.order(A, DetonateOldMine(parse("A1")))) == [
        OldMineDetonated(A, parse("A1")),
        Exploded(parse("A1"), "old-mine", None, NOBODY, ByCrew(0, 0)),
    ]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(("number", "effect"), [(2, "smoke"), (3, "lava")])
def test_heard_scenario_events_with_the_volcano_named(book: str, number: int, effect: Any) -> None:
    story = full_crews(book, REAL_TIME, chart=VOLCANOES)
    story.public(volcano_events=number - 1, volcano_marks=ByCrew(2, 0))
    story.ready(A, System.MINE)
    events = story.order(A, LayMine(parse("D4"))) + story.order(A, NameVolcano(2))
    assert outside(story, events) == [
        MineLaidHeard(A),
        VolcanoStirred(A, number),
        VolcanoNamed(A, 2, effect),
    ]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_heard_the_system_repaired(book: str) -> None:
    story = full_crews(book, REAL_TIME, a="C3", b="J4", chart=HARBOURS)
    story.ready(A, System.SCENARIO)
    events = story.order(A, RepairSystem(System.TORPEDO))
    assert outside(story, events) == [SystemRepaired(A, System.TORPEDO)]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_seen_a_surfaced_crews_traced_hull_by_the_enemy_engineer(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.order(A, Surface())
    events = trace(story, A, [3])
    seen = {post: view(story.game, story.seat(B, post)).enemy_hull for post in Post}
    assert [post for post, hull in seen.items() if hull] == [ENGINEER]
    hull = seen[ENGINEER]
    assert hull is not None
    signed = TracedSection(ideal_stroke(story.setup.hull, 3), "AB", seat=2)
    assert hull.sections == (None, None, signed, None)
    assert story.heard_by(B, events, ENGINEER) == events
    assert hears(story, WATCHER, events) == []


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_heard_of_a_repair_by_the_others_only_its_end(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    events = story.order(A, Surface()) + trace(story, A) + story.order(A, ReportReady(), Dive())
    assert story.heard_by(B, events, OPERATOR) == [Surfaced(A, sector=1), Dived(A)]
    assert hears(story, WATCHER, events) == [Surfaced(A, sector=1), Dived(A)]


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_not_heard_mine_ready(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.order(A, SetCourse(N))
    story.change(A, gauges={"boxes": (2, 0, 0, 0, 0, 0)})
    events = story.order(A, Charge(System.MINE))
    assert events[-1] == SystemReady(A, System.MINE)
    assert outside(story, events) == []


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_not_heard_what_was_charged_or_crossed_out_nor_that_it_was_done(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.cross_out(A, "N1", "N2", "N3")
    story.order(A, SetCourse(E))
    before = all_sent(story)
    events = story.order(A, Charge(System.DRONE), CrossOut("E1"))
    assert [type(event) for event in events] == [GaugeCharged, SymbolCrossed, CircuitMended]
    assert outside(story, events) == []
    assert all_sent(story) == before


# The view does not depend on what is hidden

HIDDEN: dict[str, dict[str, dict[str, Any]]] = {
    "position": {"helm": {"at": C3, "route": (C3,), "covered": collect([C3])}},
    "route": {"helm": {"route": (C3, H8), "covered": collect([C3, H8])}},
    "points reached in silence": {"helm": {"silent": collect([C3])}},
    "mines": {"helm": {"mines": collect([C3, H8])}},
    "mines that are not armed": {"helm": {"mines": collect([C3]), "unarmed": collect([C3])}},
    "gauges": {"gauges": {"boxes": (1, 2, 0, 1, 3, 0)}},
    "energy": {"gauges": {"energy": 3}},
    "systems that are ready": {"duty": {"ready": System.MINE.bit | System.SILENCE.bit}},
    "breakdowns": {"engine": {"crossed": 0b1011}},
    "the charge that is due": {"duty": {"charge": "box"}},
    "the silence's direction": {"duty": {"cross": "W"}},
    "the pretended mark": {"duty": {"charge": "empty", "cross": "empty"}},
    "an activation since the last course": {"duty": {"barred": "system.once"}},
    "the transparent sheets": {"radio": {"films": (Film(3, 4, (Item(line=SPOTS),)), Film())}},
    "the tape": {"radio": {"tape": (SilenceHeard(A),)}},
    "the locked sheet": {"radio": {"locked": True}},
}


NOT_IN_THE_FAMILY_GAME = {"gauges", "breakdowns"}
SECRETS = [
    (book, mode, hidden)
    for book, mode in GAMES
    for hidden in HIDDEN
    if book != "sonar" or hidden not in NOT_IN_THE_FAMILY_GAME
]


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "mode", "hidden"), SECRETS)
def test_the_enemys_view_is_the_same_byte_for_byte(book: str, mode: Mode, hidden: str) -> None:
    story = full_crews(book, mode, house={"radio_help": "computer"})
    before = all_sent(story)
    aboard = [sent(story, seat) for seat in seats(story, A)]
    story.change(A, **HIDDEN[hidden])
    assert all_sent(story) == before
    # It is no empty comparison: aboard, everyone sees the difference.
    assert all(sent(story, seat) != was for seat, was in zip(seats(story, A), aboard, strict=True))


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "mode", "hidden"), SECRETS)
def test_the_orders_offered_to_the_enemy_are_the_same(book: str, mode: Mode, hidden: str) -> None:
    story = full_crews(book, mode)
    turn = story.game.public.turn
    if turn is not None:
        story.public(turn=replace(turn, crew=B, sailed=True))
    story.ready(B, *System)
    story.mine(B, "H8")
    offered = [legal(story.game, seat) for seat in seats(story, B)]
    assert len(offered[0]) > 2
    story.change(A, **HIDDEN[hidden])
    assert [legal(story.game, seat) for seat in seats(story, B)] == offered


@pytest.mark.rule("secret.enemy", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "mode"), GAMES)
def test_the_view_does_not_tell_whether_the_enemy_is_placed(book: str, mode: Mode) -> None:
    story = full_crews(book, mode, begun=False)
    before = all_sent(story)
    captain = sent(story, story.seat(A, CAPTAIN))
    story.order(A, Place(C3))
    assert all_sent(story) == before
    assert sent(story, story.seat(A, CAPTAIN)) != captain


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_traced_hull_changes_the_enemy_engineers_view_alone(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.order(A, Surface())
    before = {post: sent(story, story.seat(B, post)) for post in Post}
    watcher = sent(story, WATCHER)
    trace(story, A)
    changed = [post for post in Post if sent(story, story.seat(B, post)) != before[post]]
    assert changed == [ENGINEER]
    assert sent(story, WATCHER) == watcher


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_not_even_the_engineer_sees_who_holds_the_sheet_or_that_it_is_ready(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.order(A, Surface())
    trace(story, A)
    before = all_sent(story)
    story.order(A, ReportReady())
    story.change(A, trace={"holder": 3})
    assert all_sent(story) == before


def prowl(book: str, start: str, *, gauge: System, crossed: str, mine: str, away: Heading) -> Story:
    """A sails, lays a mine, slips away in silence and surfaces; the secrets are the caller's."""
    story = full_crews(book, REAL_TIME, a=start, house={"radio_help": "tape"})
    story.ready(A, System.MINE, System.SILENCE)
    first, second = crossed.split()
    story.order(A, SetCourse(N), Charge(gauge), CrossOut(first), LayMine(parse(mine)))
    story.resume()
    story.order(A, SetCourse(E), Charge(gauge), CrossOut(second), RunSilent(2, away))
    story.aye(A)
    story.resume()
    story.order(A, Surface())
    return story


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_two_games_that_sound_the_same_are_the_same_to_the_enemy(book: str) -> None:
    one = prowl(book, "B4", gauge=System.DRONE, crossed="N6 E4", mine="A3", away=N)
    two = prowl(book, "C3", gauge=System.SONAR, crossed="N4 E6", mine="D1", away=S)
    assert sent(one, Seat(A, 0)) != sent(two, Seat(A, 0))
    for seat in listeners(one):
        assert encode(hears(one, seat, one.events)) == encode(hears(two, seat, two.events))
    assert all_sent(one) == all_sent(two)


# A client that follows what it hears ends where the server's view ends


def play(story: Story, crew: Crew, *orders: AnyOrder) -> None:
    """Give orders; after each event every seat and a spectator must know what they may know."""
    for order in orders:
        before = story.game
        events = story.order(crew, order)
        for seat in [*seats(story, A), *listeners(story)]:
            follow_along(before, events, seat)


def follow_along(game: Game, events: list[AnyEvent], seat: Seat | Watcher) -> None:
    """What the seat hears must lead from its view before each event to its view after it."""
    seen = view(game, seat)
    for event in events:
        seen = follow(game.ground, seen, overhear(game.ground, event, seat))
        game = apply(game, event)
        assert seen == view(game, seat), (event, seat)


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("stations", ["open", "closed"])
@pytest.mark.parametrize("radio_help", HELPS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_what_is_heard_is_enough_to_follow(book: str, radio_help: str, stations: str) -> None:
    house = {"stations": stations, "radio_help": radio_help}
    story = full_crews(book, REAL_TIME, house=house)
    story.mine(B, "D4", "E3", "B9")
    story.ready(A, System.MINE, System.TORPEDO, System.SILENCE)
    play(story, A, LayMine(parse("D5")))
    story.resume()
    play(story, A, SetCourse(S), Charge(System.DRONE), CrossOut("S5"), FireTorpedo(parse("E3")))
    story.resume()
    play(story, A, SetCourse(E), Charge(System.DRONE), CrossOut("E4"), RunSilent(2, E))
    play(story, A, *marks_due(story, A))
    story.resume()
    play(story, B, DrawLine(SPOTS), SetCourse(N))
    play(story, A, Surface())
    play(story, B, *marks_due(story, B), SetCourse(N), TriggerMine(parse("B9")))


@pytest.mark.rule("secret.enemy", *CAPTAIN_BOOKS)
@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("stations", ["open", "closed"])
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_so_it_is_while_a_hull_is_traced(book: str, stations: str) -> None:
    story = full_crews(book, REAL_TIME, house={"stations": stations, "radio_help": "tape"})
    play(story, A, Surface())
    strokes = [ideal_stroke(story.setup.hull, section) for section in (1, 2, 3, 4)]
    good = [TraceSection(n, stroke, "AB") for n, stroke in enumerate(strokes, 1)]
    play(story, A, *good[:3], TraceSection(4, SPOTS, "AB"))
    play(story, B, SetCourse(N))
    play(story, A, *good, ReportReady(), Dive(), SetCourse(N))


@pytest.mark.rule("secret.enemy", "sonar")
@pytest.mark.rule("secret.crew", "sonar")
@pytest.mark.parametrize("stations", ["open", "closed"])
@pytest.mark.parametrize("radio_help", HELPS)
def test_so_it_is_in_the_family_game(radio_help: str, stations: str) -> None:
    story = full_crews("sonar", house={"stations": stations, "radio_help": radio_help})
    story.ready(A)
    story.ready(B)
    play(story, A, UseSonar())
    play(story, B, AnswerTruly("row"), RunSilent(1, N))
    play(story, A, SetCourse(N))
    story.ready(B)
    play(story, B, FireTorpedo(parse("J9")))
    play(story, A, Surface())


# Within a crew


@pytest.mark.rule("secret.crew", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_usually_a_crew_looks_at_all_its_sheets(book: str) -> None:
    story = full_crews(book)
    boat = story.boat(A)
    for seat in seats(story, A):
        seen = view(story.game, seat)
        assert (seen.helm, seen.gauges, seen.engine) == (boat.helm, boat.gauges, boat.engine)
        assert (seen.radio, seen.duty) == (boat.radio, boat.duty)


@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("post", "sheet"),
    [(CAPTAIN, "helm"), (MATE, "gauges"), (ENGINEER, "engine"), (OPERATOR, "radio")],
)
def test_at_closed_stations_each_post_sees_its_own_sheet(book: str, post: Post, sheet: str) -> None:
    story = full_crews(book, house={"stations": "closed"})
    seen = view(story.game, story.seat(A, post))
    sheets = {name for name in ("helm", "gauges", "engine", "radio") if getattr(seen, name)}
    assert sheets == {sheet}
    assert getattr(seen, sheet) == getattr(story.boat(A), sheet)
    assert seen.duty == story.boat(A).duty


@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_who_holds_several_posts_sees_several_sheets(book: str) -> None:
    story = full_crews(book, players=4, house={"stations": "closed"})
    first, second = (view(story.game, seat) for seat in seats(story, A))
    assert first.helm
    assert first.gauges
    assert first.engine
    assert first.radio is None
    assert second.radio
    assert (second.helm, second.gauges, second.engine) == (None, None, None)


@pytest.mark.rule("secret.crew", "sonar")
def test_in_the_family_game_the_energy_is_on_the_captains_sheet() -> None:
    story = full_crews("sonar", house={"stations": "closed"})
    captain, operator = (view(story.game, seat) for seat in seats(story, A))
    assert captain.helm
    assert captain.gauges
    assert captain.radio is None
    assert (operator.helm, operator.gauges) == (None, None)
    assert operator.radio


SHEET_OF = {"helm": CAPTAIN, "gauges": MATE, "engine": ENGINEER, "radio": OPERATOR}
OWN_SHEETS = [name for name in HIDDEN if "duty" not in HIDDEN[name]]


@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("hidden", OWN_SHEETS)
def test_at_closed_stations_the_others_views_are_the_same(book: str, hidden: str) -> None:
    story = full_crews(book, house={"stations": "closed"})
    before = {post: sent(story, story.seat(A, post)) for post in Post}
    story.change(A, **HIDDEN[hidden])
    changed = [post for post in Post if sent(story, story.seat(A, post)) != before[post]]
    (sheet,) = HIDDEN[hidden]
    assert changed == [SHEET_OF[sheet]]


RED = ("S3", "S4")
"""Two symbols of the weapons' colour under one heading."""


@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_at_closed_stations_a_captain_is_told_what_the_engineer_would_answer(book: str) -> None:
    """That torpedoes are broken, or would fail, but not by which symbol."""
    told = set()
    for symbol in RED:
        story = full_crews(book, house={"stations": "closed"})
        story.ready(A, System.TORPEDO)
        captain = story.seat(A, CAPTAIN)
        before = sent(story, captain)
        assert fires(story, captain)
        story.cross_out(A, symbol)
        # The sheet itself stays hidden; only what may be ordered tells.
        assert sent(story, captain) == before
        refused = story.setup.book.broken_system == "refused"
        assert fires(story, captain) is not refused
        assert (why_not(story.game, captain).get("torpedo") == "system.intact") is refused
        told.add(encode((legal(story.game, captain), why_not(story.game, captain))))
    assert len(told) == 1


def fires(story: Story, captain: Seat) -> bool:
    return any(isinstance(order, FireTorpedo) for order in legal(story.game, captain))


@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_at_closed_stations_the_sheet_that_goes_round_is_seen_by_all(book: str) -> None:
    story = full_crews(book, REAL_TIME, house={"stations": "closed"})
    story.order(A, Surface())
    trace(story, A, [1])
    assert all(view(story.game, seat).trace == story.boat(A).trace for seat in seats(story, A))


CLOSED: list[tuple[AnyEvent, Post, Event | None]] = [
    (Placed(A, C3), CAPTAIN, None),
    (MineLaid(A, C3), CAPTAIN, MineLaidHeard(A)),
    (MineDestroyed(A, C3), CAPTAIN, None),
    (GaugeCharged(A, System.MINE), MATE, MarkAcknowledged(A, MATE)),
    (GaugeCharged(A, None), MATE, MarkAcknowledged(A, MATE)),
    (SymbolCrossed(A, "W1"), ENGINEER, MarkAcknowledged(A, ENGINEER)),
    (SymbolCrossed(A, None), ENGINEER, MarkAcknowledged(A, ENGINEER)),
    (CircuitMended(A, "west"), ENGINEER, None),
    *((event, OPERATOR, None) for event in HUSHED[-7:]),
]
SAID: list[AnyEvent] = [
    SystemReady(A, System.MINE),
    RanSilent(A, 3, W),
    ReadyReported(A),
    *SHOWN,
]


@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(("event", "own", "others"), CLOSED, ids=repr)
def test_at_closed_stations_the_others_hear_at_most_that_it_was_done(
    book: str, event: AnyEvent, own: Post, others: Event | None
) -> None:
    story = full_crews(book, house={"stations": "closed"})
    for post in Post:
        heard = overhear(story.game.ground, event, story.seat(A, post))
        assert heard == (event if post is own else others), post


@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("event", SAID, ids=lambda event: type(event).__name__)
def test_at_closed_stations_all_hear_what_is_said_or_shown_aboard(
    book: str, event: AnyEvent
) -> None:
    story = full_crews(book, house={"stations": "closed"})
    assert all(hears(story, seat, [event]) == [event] for seat in seats(story, A))


@pytest.mark.rule("secret.crew", *ALL_BOOKS)
def test_at_closed_stations_every_event_within_a_crew_is_looked_at_here() -> None:
    kinds = {type(event) for event, _, _ in CLOSED} | {type(event) for event in SAID}
    assert kinds == set(get_args(AnyEvent)) - set(get_args(PublicEvent))


@pytest.mark.rule("secret.crew", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("stations", ["open", "closed"])
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_closed_or_open_the_enemy_knows_no_more(book: str, stations: str) -> None:
    story = full_crews(book, REAL_TIME, house={"stations": stations})
    story.ready(A, System.MINE)
    events = story.order(A, LayMine(parse("D4")))
    assert outside(story, events) == [MineLaidHeard(A)]


# How much the radio operator is helped


def listening(book: str, mode: Mode, radio_help: str) -> Story:
    return full_crews(book, mode, house={"radio_help": radio_help})


def tape(story: Story, crew: Crew) -> list[Any]:
    """What the program has noted down for the radio operator."""
    return list(story.boat(crew).radio.tape)


@pytest.mark.rule("secret.radio", *ALL_BOOKS)
@pytest.mark.parametrize("radio_help", HELPS)
@pytest.mark.parametrize(("book", "mode"), GAMES)
def test_the_operator_hears_announcements_as_they_happen(
    book: str, mode: Mode, radio_help: str
) -> None:
    story = listening(book, mode, radio_help)
    story.ready(A, System.SILENCE)
    heard = story.heard_by(B, story.order(A, RunSilent(1, N)))
    assert heard[0] == SilenceHeard(A)


@pytest.mark.rule("secret.radio", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "mode"), GAMES)
def test_on_paper_nothing_is_kept_of_what_was_heard(book: str, mode: Mode) -> None:
    after = []
    for heading in (W, N):
        story = full_crews(book, mode, begun=False, house={"radio_help": "paper"})
        story.begin("E5", "J10")
        story.order(A, SetCourse(heading))
        assert tape(story, B) == []
        after.append(all_sent(story))
    assert after[0] == after[1]


@pytest.mark.rule("secret.radio", *ALL_BOOKS)
@pytest.mark.parametrize("radio_help", ["tape", "computer"])
@pytest.mark.parametrize(("book", "mode"), GAMES)
def test_on_tape_every_announcement_is_kept(book: str, mode: Mode, radio_help: str) -> None:
    story = full_crews(book, mode, begun=False, house={"radio_help": radio_help})
    story.begin("E5", "J10")
    story.order(A, SetCourse(W))
    first = None if mode is REAL_TIME else A
    heard = [Dived(A), Dived(B), PlayBegan(first), CourseSet(A, W)]
    assert tape(story, B)[:4] == tape(story, A)[:4] == heard


@pytest.mark.rule("secret.radio", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("radio_help", ["tape", "computer"])
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_tape_keeps_only_what_was_heard(book: str, radio_help: str) -> None:
    story = listening(book, REAL_TIME, radio_help)
    begun = len(tape(story, B))
    story.ready(A, System.SILENCE)
    story.order(A, RunSilent(3, W))
    story.aye(A)
    story.resume()
    story.order(A, SetCourse(N))
    story.aye(A)
    heard = [SilenceHeard(A), PlayResumed(), CourseSet(A, N)]
    assert tape(story, B)[begun:] == heard


@pytest.mark.rule("secret.radio", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_tape_is_on_the_radio_operators_sheet(book: str) -> None:
    house = {"radio_help": "tape", "stations": "closed"}
    story = full_crews(book, REAL_TIME, house=house)
    story.order(A, SetCourse(W))
    seen = view(story.game, story.seat(B, OPERATOR)).radio
    assert seen is not None
    assert seen.tape[-1] == CourseSet(A, W)
    assert b'"course-set"' in sent(story, story.seat(B, OPERATOR))
    assert b'"course-set"' not in sent(story, story.seat(B, CAPTAIN))
    assert b'"course-set"' not in sent(story, WATCHER)


@pytest.mark.rule("secret.radio", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("radio_help", HELPS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_nothing_is_recorded_while_surfaced_in_real_time_nor_filled_in_later(
    book: str, radio_help: str
) -> None:
    story = listening(book, REAL_TIME, radio_help)
    begun = tape(story, B)
    story.order(B, Surface())
    meanwhile = story.order(A, SetCourse(N)) + story.aye(A) + story.order(A, SetCourse(W))
    assert story.heard_by(B, meanwhile) == [CourseSet(A, N), CourseSet(A, W)]
    assert tape(story, B) == begun
    trace(story, B)
    story.order(B, ReportReady(), Dive())
    story.aye(A)
    story.order(A, SetCourse(S))
    later = [] if radio_help == "paper" else [Dived(B), CourseSet(A, S)]
    assert tape(story, B) == [*begun, *later]


@pytest.mark.rule("secret.radio", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_other_crews_tape_runs_on_meanwhile(book: str) -> None:
    story = listening(book, REAL_TIME, "tape")
    story.order(B, Surface())
    story.order(A, SetCourse(N))
    assert tape(story, A)[-2:] == [Surfaced(B, sector=4), CourseSet(A, N)]


@pytest.mark.rule("secret.radio", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("radio_help", ["tape", "computer"])
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_a_surfaced_crew_goes_on_recording(book: str, radio_help: str) -> None:
    story = full_crews(book, begun=False, house={"radio_help": radio_help})
    story.begin("E5", "J10")
    story.order(A, Surface())
    story.order(B, SetCourse(N))
    assert tape(story, A)[-3:] == [Surfaced(A, sector=1), TurnEnded(A, B, 3), CourseSet(B, N)]


@pytest.mark.rule("secret.radio", "sonar")
@pytest.mark.parametrize("radio_help", ["tape", "computer"])
@pytest.mark.parametrize("mode", MODES)
def test_in_the_family_game_surfacing_stops_no_tape(mode: Mode, radio_help: str) -> None:
    story = listening("sonar", mode, radio_help)
    if mode is TURNS:
        story.tell(TurnEnded(B, A))
    story.order(A, Surface())
    if mode is REAL_TIME:
        story.resume()
    story.order(B, SetCourse(N))
    assert Surfaced(A, at=parse("E5")) in tape(story, A)
    assert CourseSet(B, N) in tape(story, A)


# Spectators


@pytest.mark.rule("secret.spectators", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "mode"), GAMES)
def test_a_spectator_sees_what_is_public_and_no_sheet(book: str, mode: Mode) -> None:
    story = full_crews(book, mode, house={"radio_help": "computer"})
    assert view(story.game, WATCHER) == View(story.game.public)
    assert sent(story, WATCHER).startswith(b'{"public":{')
    for sheet in (b'"helm"', b'"gauges"', b'"engine"', b'"radio"', b'"duty"', b'"seat"'):
        assert sheet not in sent(story, WATCHER)
        assert sheet in sent(story, story.seat(A, CAPTAIN))


@pytest.mark.rule("secret.spectators", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("crew", [A, B])
@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_spectators_view_depends_on_neither_crews_secrets(
    book: str, crew: Crew, hidden: str
) -> None:
    story = full_crews(book)
    before = sent(story, WATCHER)
    story.change(crew, **HIDDEN[hidden])
    assert sent(story, WATCHER) == before


@pytest.mark.rule("secret.spectators", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_spectator_hears_both_crews_announcements(book: str) -> None:
    story = full_crews(book, REAL_TIME)
    story.ready(A, System.SILENCE)
    events = story.order(A, RunSilent(1, N)) + story.aye(A) + story.resume()
    events += story.order(B, SetCourse(N))
    assert hears(story, WATCHER, events) == [SilenceHeard(A), PlayResumed(), CourseSet(B, N)]


@pytest.mark.rule("secret.spectators", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_spectator_gives_no_orders_but_sees_the_end(book: str) -> None:
    story = full_crews(book)
    events = story.order(A, Resign())
    assert hears(story, WATCHER, events) == [GameEnded(B, "end.resign")]
    assert view(story.game, WATCHER).public.result == story.game.public.result


@pytest.mark.rule("secret.spectators", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_full_record_tells_everything_to_who_is_given_it(book: str) -> None:
    story = full_crews(book, REAL_TIME, begun=False)
    fresh = story.game
    story.begin("E5", "J10")
    story.order(A, SetCourse(N))
    story.aye(A)
    story.order(B, Resign())
    replayed = fresh
    for event in story.events:
        replayed = apply(replayed, event)
    assert replayed == story.game
    assert replayed.boats[A].helm.route == (parse("E5"), parse("E4"))
