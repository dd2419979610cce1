"""Tables of every kind: small seas, all rulebooks and modes, and posts shared out in any way."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from fathom.rules.rulebook import Boxes, Goal
from fathom.rules.setup import CrewPlan, SeatPlan, Setup
from fathom.words import CREW_A, CREW_B, CREWS, REFEREE, ByCrew, Mode, Post, Referee, Seat
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, sea, table

SEAS = {
    "islands": sea("""
        . . . . . .
        . # . . # .
        . . . . . .
        . . # . . .
        . . . . . .
        . . . . # ."""),
    "ice": sea(
        """
        . o . . .
        . . . . .
        . # . o .
        . . . . .""",
        special="ice",
    ),
    "ice-field": sea(
        """
        . . ~ ~ ~
        . . o ~ ~
        . # ~ ~ ~
        . . . . .""",
        special="ice-field",
    ),
    "corners": sea(
        """
        . . . . .
        . # . . .
        . . . # .
        . . . . .""",
        starts="A1, E4",
    ),
    "old-mines": sea(
        """
        . m . . m
        . . m . .
        . # . . .
        m . . m m
        . . . . .""",
        special="old-mines",
    ),
    "volcanoes": sea(
        """
        . r r r . . .
        . r V r . . .
        . r r r r r r
        . . . . r V r
        . . . . r r r""",
        special="volcanoes",
    ),
    "damaged": sea(
        """
        . . . . .
        . M . T .
        . . D . .
        . S . Q .
        . . . . .""",
        special="damaged",
    ),
}
"""A sea for each scenario, so small that things happen."""

WITHOUT_GAUGES = ("islands", "ice", "ice-field", "corners")
"""Seas that the family game can be played on: it has no scenario gauge (chart.any)."""

BookModeSea = tuple[str, Mode, str]
"""A rulebook, a mode and a sea."""

SCENES: list[BookModeSea] = [
    (book, mode, name)
    for book in ALL_BOOKS
    for mode in MODES
    for name in (SEAS if book in CAPTAIN_BOOKS else WITHOUT_GAUGES)
]


def seats(setup: Setup) -> list[Seat]:
    """Everyone who sits at the table."""
    return [Seat(crew, n) for crew in CREWS for n in range(len(setup.crews[crew].seats))]


def seats_and_referee(setup: Setup) -> list[Seat | Referee]:
    """Everyone who may give orders."""
    return [*seats(setup), REFEREE]


def shared_out(posts: Sequence[Post], holders: Sequence[int]) -> tuple[SeatPlan, ...]:
    """A crew in which the first post is held by the first of ``holders``, and so on."""
    held = [
        tuple(post for post, holder in zip(posts, holders, strict=True) if holder == number)
        for number in sorted(set(holders))
    ]
    return tuple(SeatPlan(f"Sailor {n}", share) for n, share in enumerate(held, 1))


@st.composite
def crews(draw: st.DrawFn, book: str) -> ByCrew[CrewPlan]:
    """Two crews of 1 to 4 players, the posts shared out in any way (crew.sharing)."""
    posts = tuple(Post) if book in CAPTAIN_BOOKS else (Post.CAPTAIN, Post.RADIO_OPERATOR)

    def crew() -> CrewPlan:
        size = len(posts)
        holders = draw(st.lists(st.integers(0, size - 1), min_size=size, max_size=size))
        shy = book == "captain-sonar-2" and draw(st.booleans())
        return CrewPlan("Boat", shared_out(posts, holders), shy_mate=shy)

    return ByCrew(crew(), crew())


houses = st.fixed_dictionaries(
    {
        "radio_help": st.sampled_from(("paper", "tape", "computer")),
        "stations": st.sampled_from(("open", "closed")),
        "quick_ends": st.booleans(),
        "trace_judge": st.sampled_from(("program", "enemy-engineer")),
        "trace_redo": st.sampled_from(("all", "bad")),
    }
)


FLAGS = """
    system_after_dive acknowledge_systems blackout_systems own_mine_blocks repair_first
    trigger_needs_circuits trigger_while_surfaced blast_chain sudden_death_indirect blast_self
    torpedo_over_islands torpedo_own_point silence_charges silence_zero_charges
    silence_zero_marks silence_is_course radio_locked_surfaced draw old_mine_blocks
    repair_diagonal
""".split()

rulings = st.fixed_dictionaries(
    {},
    optional={
        "broken_system": st.sampled_from(("refused", "radiation-mark")),
        "mine_armed": st.sampled_from(("at-once", "next-turn")),
        "torpedo_range": st.integers(0, 5),
        "silence_least": st.integers(0, 1),
        "surfacing_turns": st.integers(1, 3),
        **dict.fromkeys(FLAGS, st.booleans()),
    },
)
"""What a table may play otherwise than its rulebook."""


@st.composite
def setups(draw: st.DrawFn, scene: BookModeSea | None, *, any_rulings: bool) -> Setup:
    """A table of this scene, or of any, by its rulebook's own rulings or by any."""
    book, mode, name = scene or draw(st.sampled_from(SCENES))
    choices: dict[str, Any] = {"rulings": draw(rulings)} if any_rulings else {}
    if book == "captain-sonar-2":
        choices["goal"] = draw(st.sampled_from(("hunt", "sudden-death")))
        if mode is Mode.TURN_BY_TURN:
            choices["sheet"] = draw(st.sampled_from(("24-symbols", "20-symbols")))
    setup = table(
        book, mode, chart=SEAS[name], crews=draw(crews(book)), house=draw(houses), **choices
    )
    setup = replace(setup, first=draw(st.sampled_from((CREW_A, CREW_B, None))))
    return eventful(setup) if draw(st.booleans()) else setup


def eventful(setup: Setup) -> Setup:
    """The same with short gauges and a thick hull, so that much happens before the end."""
    boxes = Boxes(*[1] * 5) if setup.sheet else Boxes()
    book = setup.book
    short = replace(
        book,
        turn_by_turn=replace(book.turn_by_turn, gauges=boxes),
        real_time=replace(book.real_time, gauges=boxes),
    )
    chart = replace(setup.chart, gauge=min(1, setup.chart.gauge))
    return replace(setup, book=short, chart=chart, goal=Goal("sink", 12))
