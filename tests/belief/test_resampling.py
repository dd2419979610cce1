"""The determiniser draws whole states that a crew can't tell from the real one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from fathom.belief.resampling.determiniser import Determiniser, Sampled, crew_hears
from fathom.core.asked import AskedGame, dice_of, seen
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.referee import decide
from fathom.rules.setup import Setup
from fathom.words import CREWS, SYSTEMS, Crew, Mode
from tests.server.alike import done, sound_alike
from tests.stories import ALL_BOOKS, MODES, table


class Followed(AskedGame):
    """A random game that both crews' determinisers follow."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.following = {crew: Determiniser(setup, crew) for crew in CREWS}
        self.random = Random(seed)
        super().__init__(setup, dice_of(seed, 0), again=False)

    def happen(self, events: Sequence[AnyEvent]) -> None:
        for crew, determiniser in self.following.items():
            determiniser.hear(crew_hears(crew, events))
        super().happen(events)

    def play(self, steps: int) -> bool:
        """Play on at random; whether the game still goes on."""
        for _ in range(steps):
            self.step([self.random.choice(sorted(offer)) for offer in self.offers])
            if self.ended:
                return False
        return True


def samples(game: Followed) -> Iterator[tuple[Crew, Determiniser, Sampled]]:
    for crew, determiniser in game.following.items():
        yield crew, determiniser, determiniser.resample(game.random)


def check(game: Followed) -> int:
    """Draw a state for each crew; how many are not the truth."""
    other = 0
    for crew, determiniser, sampled in samples(game):
        assert seen(sampled.game, crew) == seen(game.game, crew)
        at = sampled.game.boats[crew.other].helm.at
        if sampled.game.public.phase == "playing":
            assert determiniser.belief.possible >> at & 1
        assert replayed(game.setup, sampled) == sampled.game
        other += sampled.game != game.game
    return other


def replayed(setup: Setup, sampled: Sampled) -> Game:
    """The history played again, every order judged."""
    game = new_game(setup)
    for played in sampled.history:
        game = apply_all(game, decide(game, played.by, played.order))
    return game


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_states_look_and_sound_the_same_to_the_crew(book: str, mode: Mode) -> None:
    scenario = "jules-verne" if book == "sonar" else "bravo"
    other = 0
    for seed in range(8):
        game = Followed(replace(table(book, mode, scenario=scenario), first=None), seed)
        other += check(game)
        while game.play(25):
            if game.given > 250:
                break
            other += check(game)
    # The family game tells the point of every surfacing, so its crews know a lot.
    assert other > (1 if book == "sonar" else 50)


@pytest.mark.slow
def test_with_any_rulings_and_scenarios() -> None:
    """But for one ruling, with which there are too many orders in which things can have come."""
    differential = pytest.importorskip("tests.core.differential", exc_type=ImportError)
    other = 0
    for seed in range(40):
        setup: Setup = differential.any_setup(Random(seed))
        if not setup.book.acknowledge_systems:
            continue
        game = Followed(setup, seed)
        while game.play(40) and game.given < 130:
            other += check(game)
    assert other > 50


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_what_is_drawn_depends_on_what_was_heard_alone(book: str, mode: Mode) -> None:
    """Of two games that sound the same, with the same chance, the same states come."""
    setup = table(book, mode, scenario="jules-verne" if book == "sonar" else "bravo")
    pairs, games = sound_alike(setup, Crew.A, Random(f"{book}/{mode}"), 60)
    assert "helm" in games.differing
    one, other = Determiniser(setup, Crew.A), Determiniser(setup, Crew.A)
    sides = [(one, new_game(setup)), (other, new_game(setup))]
    for pair in pairs:
        for side, order in enumerate((pair.order, pair.other)):
            determiniser, game = sides[side]
            before, (game, events) = game, done(game, pair.seat, order)
            count = len(decide(before, pair.seat, order))
            for part in (events[:count], events[count:]):
                determiniser.hear(crew_hears(Crew.A, part))
            sides[side] = determiniser, game
    assert one.heard == other.heard
    for seed in range(5):
        assert one.resample(Random(seed)) == other.resample(Random(seed))
    assert sides[0][1].boats.b != sides[1][1].boats.b


def halfway() -> Followed:
    """A game with silences and mines behind it."""
    for seed in range(100):
        game = Followed(table("captain-sonar", scenario="alpha"), seed)
        if game.play(220) and game.following[Crew.A].belief.possible.bit_count() > 8:
            return game
    raise AssertionError


@pytest.mark.slow
def test_positions_are_as_likely_as_the_belief_says() -> None:
    determiniser = halfway().following[Crew.A]
    dice, draws = Random(1), 800
    found = Counter(determiniser.resample(dice).game.boats.b.helm.at for _ in range(draws))
    weights = determiniser.belief.weights
    distance = sum(abs(found[at] / draws - weight) for at, weight in weights.items()) / 2
    assert set(found) <= set(weights)
    assert distance < 0.15


def test_gauges_breakdowns_and_mines_vary() -> None:
    game = halfway()
    determiniser = game.following[Crew.A]
    boats = [determiniser.resample(Random(n)).game.boats.b for n in range(30)]
    assert len({boat.helm.route for boat in boats}) > 5
    assert len({boat.gauges for boat in boats}) > 5
    assert len({boat.engine for boat in boats}) > 5
    assert all(
        boat.gauges.boxes[system.index] <= game.game.ground.boxes[system.index]
        for boat in boats
        for system in SYSTEMS
    )
