"""The registered ids: one for every rulebook, mode and level."""

from typing import Any, Final, Literal

from msgspec import Struct

from fathom.core.asked import Terms
from fathom.rules import library
from fathom.rules.setup import Choices, House, Setup, prepare
from fathom.words import CREWS, Mode, Post

Level = Literal["crew", "post"]
LEVELS: Final[tuple[Level, ...]] = ("crew", "post")
NAMESPACE: Final = "fathom"
VERSION: Final = 0
"""Raised when observations, actions or rewards change their meaning."""
LIMIT: Final = 4_000
"""Orders, or in real time ticks, after which a game is truncated."""


class Variant(Struct, frozen=True):
    """What an id stands for."""

    rulebook: str
    mode: Mode
    level: Level

    @property
    def name(self) -> str:
        """The id without its namespace."""
        return f"{self.rulebook}-{self.mode.value}-{self.level}-v{VERSION}"

    @property
    def id(self) -> str:
        """The id, as it is registered."""
        return f"{NAMESPACE}/{self.name}"

    @property
    def env_type(self) -> Literal["aec", "parallel"]:
        """The PettingZoo interface: agents take turns, or act in parallel."""
        return "parallel" if self.mode is Mode.REAL_TIME else "aec"


VARIANTS: Final = tuple(
    Variant(rulebook, mode, level)
    for rulebook in library.rulebook_names()
    for mode in Mode
    for level in LEVELS
)
IDS: Final = tuple(variant.id for variant in VARIANTS)
ENTRY_POINTS: Final = {
    "aec": "fathom.env.turn_by_turn:env",
    "parallel": "fathom.env.real_time:parallel_env",
}


def variant_of(id_: str) -> Variant:
    """The variant with an id."""
    for variant in VARIANTS:
        if variant.id == id_:
            return variant
    raise ValueError(f"there is no environment {id_!r}; known: {', '.join(IDS)}")


def register() -> None:
    """Register every id with PettingZoo."""
    import pettingzoo  # noqa: PLC0415 (only who plays through PettingZoo needs it)

    for variant in VARIANTS:
        kwargs = {"rulebook": variant.rulebook, "level": variant.level}
        entry_point = ENTRY_POINTS[variant.env_type]
        registry = (
            pettingzoo.aec_registry if variant.env_type == "aec" else pettingzoo.parallel_registry
        )
        if variant.id not in registry:
            pettingzoo.register(variant.env_type, variant.id, entry_point, kwargs=kwargs)


def setup_for(variant: Variant, **choices: Any) -> Setup:
    """The set-up of a variant.

    ``choices`` are further fields of ``fathom.rules.setup.Choices``, such as ``scenario``. At post
    level every post has a player of its own, who sees only the sheets of that post.
    """
    posts = len(library.rulebook(variant.rulebook).posts)
    crew = variant.level == "crew"
    house = House(stations="open" if crew else "closed", lift_crew_rules=True)
    players = 2 if crew else 2 * posts
    chosen = {"house": house, "players": players, **choices}
    return prepare(Choices(variant.rulebook, variant.mode, **chosen))


def terms_for(variant: Variant, *, max_cycles: int | None, belief: bool, pause: int = 0) -> Terms:
    """How agents play a variant."""
    limit = LIMIT if max_cycles is None else max_cycles
    return Terms(by_crew=variant.level == "crew", limit=limit, pause=pause, belief=belief)


def agent_names(setup: Setup, level: Level) -> tuple[str, ...]:
    """What agents are called, in the order of ``fathom.core.asked.agents_of``."""
    if level == "crew":
        return tuple(f"crew_{side}" for side in range(len(CREWS)))
    return tuple(
        f"{post_name(seat.posts[0])}_{side}"
        for side, plan in enumerate(setup.crews)
        for seat in plan.seats
    )


def post_name(post: Post) -> str:
    """A post in one word."""
    word: str = post.value.split("-")[-1]
    return word
