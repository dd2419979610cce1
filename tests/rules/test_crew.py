"""Crews and posts: who sits where, and whose order it is."""

import pytest

from fathom.engine.events import GaugeCharged, SectionTraced
from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    DeclareLost,
    DetonateOldMine,
    Dive,
    DrawFirst,
    DrawLine,
    EndTurn,
    FireTorpedo,
    JudgeTrace,
    LaunchDrone,
    LayMine,
    NameVolcano,
    NewSheet,
    Place,
    PutMark,
    RepairSystem,
    ReportReady,
    Resign,
    ResumePlay,
    Rub,
    RunSilent,
    SetCourse,
    SlideSheet,
    Surface,
    TraceSection,
    TriggerMine,
    UseSonar,
    WipeSheet,
    WriteNote,
)
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.points import parse
from fathom.rules.setup import BadSetup, Choices, CrewPlan, House, SeatPlan, Setup, prepare
from fathom.words import REFEREE, ByCrew, Crew, Heading, Mode, Post, Seat, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, A, B, Story, refusal, table

C, M, E, R = Post.CAPTAIN, Post.FIRST_MATE, Post.ENGINEER, Post.RADIO_OPERATOR
POINT = parse("B2")
REAL_TIME = Mode.REAL_TIME


def posts_of(setup: Setup, crew: Crew) -> list[tuple[Post, ...]]:
    """Who holds what, seat by seat."""
    return [seat.posts for seat in setup.crews[crew].seats]


def sizes(setup: Setup) -> tuple[int, int]:
    """How many players each crew has."""
    return len(setup.crews.a.seats), len(setup.crews.b.seats)


def crew_of(*shares: tuple[Post, ...], boat: str = "Nautilus", shy: bool = False) -> CrewPlan:
    """A crew whose players hold these posts."""
    seats = tuple(SeatPlan(f"Player {n}", posts) for n, posts in enumerate(shares, 1))
    return CrewPlan(boat, seats, shy_mate=shy)


def refused_setup(choices: Choices) -> str:
    """The rule that these choices break."""
    with pytest.raises(BadSetup) as bad:
        prepare(choices)
    return bad.value.rule


FULL = crew_of((C,), (M,), (E,), (R,))
ALONE = crew_of((C, M, E, R))


def against(plan: CrewPlan, other: CrewPlan = ALONE, *, lifted: bool = False) -> Choices:
    """First-edition choices with these two crews."""
    return Choices(crews=ByCrew(plan, other), house=House(lift_crew_rules=lifted))


# crew.posts


@pytest.mark.rule("crew.posts", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "posts"),
    [
        ("captain-sonar", {C, M, E, R}),
        ("captain-sonar-ru", {C, M, E, R}),
        ("captain-sonar-2", {C, M, E, R}),
        ("sonar", {C, R}),
    ],
)
def test_a_crew_has_the_posts_of_its_rulebook(book: str, posts: set[Post]) -> None:
    setup = prepare(Choices(rulebook=book))
    assert set(setup.book.posts) == posts
    for crew in (A, B):
        assert sorted(p.value for seat in posts_of(setup, crew) for p in seat) == sorted(
            p.value for p in posts
        )


@pytest.mark.rule("crew.posts")
@pytest.mark.parametrize(
    "shares",
    [((C, M, E),), ((C, M, E, R), (C,)), ((C, M), (E, E), (R,)), ((C,), (M,), (E,), (E,))],
    ids=["no radio operator", "two captains", "engineer twice on a seat", "two engineers"],
)
def test_every_post_is_held_exactly_once(shares: tuple[tuple[Post, ...], ...]) -> None:
    assert refused_setup(against(crew_of(*shares), lifted=True)) == "crew.posts"


@pytest.mark.rule("crew.posts", "sonar")
def test_the_family_game_knows_no_first_mate() -> None:
    crews = ByCrew(crew_of((C, M), (R,)), crew_of((C, R)))
    assert refused_setup(Choices(rulebook="sonar", crews=crews)) == "crew.posts"


# crew.sharing


@pytest.mark.rule("crew.sharing", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("players", "shares"),
    [
        (8, [(C,), (M,), (E,), (R,)]),
        (6, [(C, M), (E,), (R,)]),
        (4, [(C, M, E), (R,)]),
        (2, [(C, M, E, R)]),
    ],
)
def test_posts_are_shared_out_by_default(
    book: str, players: int, shares: list[tuple[Post, ...]]
) -> None:
    setup = prepare(Choices(rulebook=book, players=players))
    assert posts_of(setup, A) == posts_of(setup, B) == shares


@pytest.mark.rule("crew.sharing", "sonar")
@pytest.mark.parametrize(("players", "shares"), [(4, [(C,), (R,)]), (2, [(C, R)])])
def test_the_family_game_shares_two_posts(players: int, shares: list[tuple[Post, ...]]) -> None:
    setup = prepare(Choices(rulebook="sonar", players=players))
    assert posts_of(setup, A) == posts_of(setup, B) == shares


@pytest.mark.rule("crew.sharing")
def test_a_crew_may_share_its_posts_out_otherwise() -> None:
    setup = prepare(against(crew_of((R, M), (E, C)), crew_of((C, E), (M,), (R,))))
    assert posts_of(setup, A) == [(R, M), (E, C)]
    assert posts_of(setup, B) == [(C, E), (M,), (R,)]
    story = Story(setup, begun=False)
    assert story.seat(A, Place(POINT)) == Seat(A, 1)
    assert story.seat(A, Charge()) == Seat(A, 0)


@pytest.mark.rule("crew.sharing")
def test_nobody_sits_idle() -> None:
    assert refused_setup(against(crew_of((C, M, E, R), ()))) == "crew.sharing"


# crew.sizes


@pytest.mark.rule("crew.sizes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("players", "split"),
    [(2, (1, 1)), (3, (2, 1)), (4, (2, 2)), (5, (3, 2)), (6, (3, 3)), (7, (4, 3)), (8, (4, 4))],
)
def test_two_to_eight_players_split_as_evenly_as_they_can(
    book: str, players: int, split: tuple[int, int]
) -> None:
    assert sizes(prepare(Choices(rulebook=book, players=players))) == split


@pytest.mark.rule("crew.sizes", "sonar")
@pytest.mark.parametrize(("players", "split"), [(2, (1, 1)), (3, (2, 1)), (4, (2, 2))])
def test_the_family_game_is_for_two_to_four(players: int, split: tuple[int, int]) -> None:
    assert sizes(prepare(Choices(rulebook="sonar", players=players))) == split


@pytest.mark.rule("crew.sizes", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "players"),
    [*((book, n) for book in CAPTAIN_BOOKS for n in (-1, 0, 1, 9)), ("sonar", 1), ("sonar", 5)],
)
def test_too_few_or_too_many_players_are_refused(book: str, players: int) -> None:
    assert refused_setup(Choices(rulebook=book, players=players)) == "crew.sizes"


@pytest.mark.rule("crew.sizes")
def test_the_extra_player_may_sit_in_either_crew() -> None:
    pair = crew_of((C, M, E), (R,))
    assert sizes(prepare(against(ALONE, pair))) == (1, 2)
    assert sizes(prepare(against(pair, ALONE))) == (2, 1)


@pytest.mark.rule("crew.sizes")
def test_uneven_crews_are_refused_unless_the_table_lifts_the_rule() -> None:
    assert refused_setup(against(FULL, crew_of((C, M, E), (R,)))) == "crew.sizes"
    assert sizes(prepare(against(FULL, ALONE, lifted=True))) == (4, 1)


@pytest.mark.rule("crew.sizes")
def test_a_crew_is_never_empty_nor_larger_than_its_posts() -> None:
    assert refused_setup(against(crew_of(), lifted=True)) == "crew.sizes"
    five = crew_of((C,), (M,), (E,), (R,), ())
    assert refused_setup(against(five, FULL, lifted=True)) == "crew.sizes"


# crew.mode

REAL_TIME_WITH = {
    "captain-sonar": {4, 5, 6, 7, 8},
    "captain-sonar-ru": {4, 5, 6, 7, 8},
    "captain-sonar-2": {6, 7, 8},
    "sonar": {4},
}


@pytest.mark.rule("crew.mode", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "players"),
    [(book, n) for book in ALL_BOOKS for n in range(2, 5 if book == "sonar" else 9)],
)
def test_real_time_needs_enough_players(book: str, players: int) -> None:
    choices = Choices(rulebook=book, mode=REAL_TIME, players=players)
    if players in REAL_TIME_WITH[book]:
        assert prepare(choices).mode is REAL_TIME
    else:
        assert refused_setup(choices) == "crew.mode"


@pytest.mark.rule("crew.mode", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "players"),
    [(book, n) for book in ALL_BOOKS for n in range(2, 5 if book == "sonar" else 9)],
)
def test_turn_by_turn_is_always_allowed(book: str, players: int) -> None:
    assert prepare(Choices(rulebook=book, players=players)).mode is Mode.TURN_BY_TURN


@pytest.mark.rule("crew.mode", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_table_may_lift_the_rule(book: str) -> None:
    choices = Choices(rulebook=book, mode=REAL_TIME, house=House(lift_crew_rules=True))
    assert sizes(prepare(choices)) == (1, 1)


@pytest.mark.rule("crew.mode")
def test_the_refusal_says_how_many_are_needed() -> None:
    with pytest.raises(BadSetup, match="real-time is for 6 to 8 players, not 4"):
        prepare(Choices(rulebook="captain-sonar-2", mode=REAL_TIME, players=4))
    with pytest.raises(BadSetup, match="real-time is for 4 players, not 3"):
        prepare(Choices(rulebook="sonar", mode=REAL_TIME, players=3))


# crew.names


@pytest.mark.rule("crew.names", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "colours"),
    [
        ("captain-sonar", ("yellow", "blue")),
        ("captain-sonar-ru", ("yellow", "blue")),
        ("captain-sonar-2", ("red", "blue")),
        ("sonar", ("blue", "green")),
    ],
)
def test_crews_have_their_rulebooks_colours(book: str, colours: tuple[str, str]) -> None:
    setup = prepare(Choices(rulebook=book, players=4))
    assert setup.book.colours == colours
    for plan, colour in zip(setup.crews, colours, strict=True):
        assert plan.boat == colour.capitalize()
        assert [seat.name for seat in plan.seats] == [f"{plan.boat} 1", f"{plan.boat} 2"]


@pytest.mark.rule("crew.names")
@pytest.mark.parametrize("name", ["N", "Наутілус 🐙", "x" * 40])
def test_players_and_submarines_have_names(name: str) -> None:
    seats = (SeatPlan(name, (C, M, E, R)),)
    setup = prepare(against(CrewPlan(name, seats)))
    assert setup.crews.a.boat == setup.crews.a.seats[0].name == name


@pytest.mark.rule("crew.names")
@pytest.mark.parametrize("name", ["", " ", " Nemo", "Nemo ", "Ne\nmo", "Ne\x00mo", "x" * 41])
def test_a_name_that_cannot_be_read_is_refused(name: str) -> None:
    nameless_boat = CrewPlan(name, (SeatPlan("Nemo", (C, M, E, R)),))
    nameless_player = CrewPlan("Nautilus", (SeatPlan(name, (C, M, E, R)),))
    assert refused_setup(against(nameless_boat)) == "crew.names"
    assert refused_setup(against(ALONE, nameless_player)) == "crew.names"


STROKE = ((190, 90), (276, 90), (276, 470))


@pytest.mark.rule("crew.names")
def test_a_traced_section_is_signed_with_initials() -> None:
    story = Story(table(mode=REAL_TIME))
    story.order(A, Surface())
    assert story.order(A, TraceSection(1, STROKE, "JV")) == [SectionTraced(A, 0, 1, STROKE, "JV")]
    trace = story.boat(A).trace
    assert trace is not None
    assert trace.sections[0] is not None
    assert trace.sections[0].initials == "JV"


@pytest.mark.rule("crew.names")
@pytest.mark.parametrize("initials", ["", " ", "J V ", "Jules", "J\n"])
def test_a_section_without_proper_initials_is_refused(initials: str) -> None:
    story = Story(table(mode=REAL_TIME))
    story.order(A, Surface())
    assert story.refusal(A, TraceSection(1, STROKE, initials)) == "surface.trace"


# crew.orders

ORDERS: dict[AnyOrder, set[Post]] = {
    Place(POINT): {C},
    Dive(): {C},
    SetCourse(Heading.N): {C},
    Surface(): {C},
    LayMine(POINT): {C},
    TriggerMine(POINT): {C},
    FireTorpedo(POINT): {C},
    RunSilent(0): {C},
    DetonateOldMine(POINT): {C},
    RepairSystem(System.MINE): {C},
    NameVolcano(1): {C},
    AnswerSonar(row=1, column="A"): {C},
    AnswerTruly("row"): {C},
    EndTurn(): {C},
    ResumePlay(): {C},
    Resign(): {C},
    Charge(System.MINE): {M},
    CrossOut("N1"): {E},
    ReportReady(): {E},
    JudgeTrace(): {E},
    DrawLine(((0, 0), (10, 0))): {R},
    PutMark(0, 0): {R},
    WriteNote(0, 0, "mine?"): {R},
    Rub(1): {R},
    WipeSheet(): {R},
    SlideSheet(1, 1): {R},
    NewSheet(): {R},
    TraceSection(1, STROKE, "JV"): {C, M, E, R},
    DrawFirst(A): set(),
    DeclareLost(A): set(),
}
GREEN: tuple[AnyOrder, ...] = (LaunchDrone(1), UseSonar())
CREW_ORDERS = {order: posts for order, posts in ORDERS.items() if posts}
ACTIVATIONS = (
    *(LayMine, FireTorpedo, RunSilent, DetonateOldMine, RepairSystem),
    *(LaunchDrone, UseSonar),
)


def not_yours(order: AnyOrder) -> str:
    """The rule by which another post's order is refused: systems have their own."""
    return "system.who" if isinstance(order, ACTIVATIONS) else "crew.orders"


def others(book: str, order: AnyOrder, mode: Mode = Mode.TURN_BY_TURN) -> set[Post]:
    """In a crew of four, the posts that are told that the order is another's."""
    story = Story(table(book, mode, players=8))
    return {
        post for post in Post if refusal(story.game, story.seat(A, post), order) == not_yours(order)
    }


@pytest.mark.rule("crew.orders", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", ORDERS, ids=lambda order: type(order).__name__)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_an_order_belongs_to_its_post(book: str, mode: Mode, order: AnyOrder) -> None:
    assert others(book, order, mode) == set(Post) - ORDERS[order]


@pytest.mark.rule("crew.orders", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", GREEN)
@pytest.mark.parametrize(
    ("book", "barred"),
    [("captain-sonar", {E, R}), ("captain-sonar-ru", {E, R}), ("captain-sonar-2", {C, E, R})],
)
def test_green_systems_are_ordered_by_whom_the_rulebook_says(
    book: str, barred: set[Post], order: AnyOrder
) -> None:
    assert others(book, order) == barred


@pytest.mark.rule("crew.orders", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_in_the_family_game_captain_and_radio_operator_share_all_orders(mode: Mode) -> None:
    story = Story(table("sonar", mode, players=4))
    captain, radio = Seat(A, 0), Seat(A, 1)
    refused = {
        seat: {
            order
            for order in (*CREW_ORDERS, *GREEN)
            if refusal(story.game, seat, order) == not_yours(order)
        }
        for seat in (captain, radio)
    }
    nobodys = {order for order, posts in CREW_ORDERS.items() if posts in ({M}, {E})}
    radios = {order for order, posts in CREW_ORDERS.items() if posts == {R}}
    captains = {order for order, posts in CREW_ORDERS.items() if posts == {C}}
    assert refused[captain] == nobodys | radios
    assert refused[radio] == nobodys | captains | set(GREEN)


@pytest.mark.rule("crew.orders")
def test_who_holds_several_posts_gives_the_orders_of_all() -> None:
    story = Story(table(players=6))
    both, engineer = Seat(A, 0), Seat(A, 1)
    story.from_seats([(both, SetCourse(Heading.E))])
    assert story.refusal(A, Charge(System.MINE), engineer) == "crew.orders"
    assert story.refusal(A, CrossOut("E1"), both) == "crew.orders"
    charged = story.from_seats([(both, Charge(System.MINE)), (engineer, CrossOut("E1"))])
    assert charged[0] == GaugeCharged(A, System.MINE)


@pytest.mark.rule("crew.orders")
@pytest.mark.parametrize("number", [-1, 1, 99])
def test_a_seat_that_does_not_exist_gives_no_orders(number: int) -> None:
    story = Story(table())
    assert story.refusal(A, SetCourse(Heading.E), Seat(A, number)) == "crew.orders"


@pytest.mark.rule("crew.orders")
@pytest.mark.parametrize("order", [SetCourse(Heading.E), EndTurn(), Charge(System.MINE), Dive()])
def test_the_referee_gives_no_crews_orders(order: AnyOrder) -> None:
    story = Story(table())
    with pytest.raises(OrderRefused) as refused:
        decide(story.game, REFEREE, order)
    assert refused.value.rule == "crew.orders"


# crew.shy-mate


def with_shy_mate(*, shy: bool = True) -> Story:
    """A second-edition game: A's first mate is shy, B's is not."""
    bold = crew_of((C,), (M,), (E,), (R,))
    timid = crew_of((C,), (M,), (E,), (R,), shy=shy)
    story = Story(table("captain-sonar-2", crews=ByCrew(timid, bold)))
    for crew in (A, B):
        story.ready(crew, System.DRONE, System.SONAR)
    return story


@pytest.mark.rule("crew.shy-mate", "captain-sonar-2")
@pytest.mark.parametrize("order", GREEN)
def test_a_shy_first_mate_leaves_the_green_systems_to_the_captain(order: AnyOrder) -> None:
    story = with_shy_mate()
    story.sailed(A)
    captain, mate = story.seat(A, C), story.seat(A, M)
    assert story.refusal(A, order, mate) == "system.who"
    assert story.from_seats([(captain, order)])


@pytest.mark.rule("crew.shy-mate", "captain-sonar-2")
@pytest.mark.parametrize("order", GREEN)
def test_the_other_crew_is_not_shy_with_it(order: AnyOrder) -> None:
    story = with_shy_mate()
    story.sailed(B)
    captain, mate = story.seat(B, C), story.seat(B, M)
    assert story.refusal(B, order, captain) == "system.who"
    assert story.from_seats([(mate, order)])


@pytest.mark.rule("crew.shy-mate", "captain-sonar-2")
def test_a_shy_first_mate_still_charges() -> None:
    story = with_shy_mate()
    story.order(A, SetCourse(Heading.E))
    mate = story.seat(A, M)
    assert story.from_seats([(mate, Charge(System.MINE))]) == [GaugeCharged(A, System.MINE)]


@pytest.mark.rule("crew.shy-mate", "captain-sonar-2")
def test_without_that_choice_the_first_mate_uses_the_green_systems() -> None:
    story = with_shy_mate(shy=False)
    story.sailed(A)
    assert story.refusal(A, UseSonar(), story.seat(A, C)) == "system.who"


@pytest.mark.rule("crew.shy-mate", *ALL_BOOKS)
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru", "sonar"])
def test_only_the_second_edition_knows_shy_first_mates(book: str) -> None:
    shares = [(C, R)] if book == "sonar" else [(C, M, E, R)]
    crews = ByCrew(crew_of(*shares, shy=True), crew_of(*shares))
    assert refused_setup(Choices(rulebook=book, crews=crews)) == "crew.shy-mate"


@pytest.mark.rule("crew.shy-mate", "captain-sonar", "captain-sonar-2")
def test_a_table_may_rule_shy_first_mates_in_or_out() -> None:
    crews = ByCrew(crew_of((C, M, E, R), shy=True), ALONE)
    allowed = Choices(crews=crews, rulings={"shy_mate": True})
    assert prepare(allowed).crews.a.shy_mate
    banned = Choices(rulebook="captain-sonar-2", crews=crews, rulings={"shy_mate": False})
    assert refused_setup(banned) == "crew.shy-mate"
