"""Random complete games of other engines, to measure ours against.

Every function plays one game by uniformly random choices and returns how many choices were made.
Libraries are loaded at the first game, so that a missing one costs only its own rows.
"""

from __future__ import annotations

import argparse
import random
from functools import cache
from importlib import import_module
from typing import Any

from bench.table import ROUNDS, SECONDS, RandomPlay, measure_all, print_table, use_one_core


def dark_hex(rng: random.Random) -> int:
    """Play OpenSpiel's dark hex on 11x11."""
    return _play_spiel(_spiel_game("dark_hex(board_size=11)"), rng)


def dark_chess(rng: random.Random) -> int:
    """Play OpenSpiel's dark chess."""
    return _play_spiel(_spiel_game("dark_chess"), rng)


def battleship(rng: random.Random) -> int:
    """Play OpenSpiel's battleship on its default 10x10."""
    return _play_spiel(_spiel_game("battleship"), rng)


def battleship_new_shots(rng: random.Random) -> int:
    """Play OpenSpiel's battleship where no point may be shot at twice."""
    return _play_spiel(_spiel_game("battleship(allow_repeated_shots=False)"), rng)


@cache
def _spiel_game(name: str) -> Any:
    """Return an OpenSpiel game, built once."""
    return import_module("pyspiel").load_game(name)


@cache
def _spiel_ids() -> tuple[int, int]:
    """Return OpenSpiel's player ids for the end of the game and for chance."""
    ids = import_module("pyspiel").PlayerId
    return int(ids.TERMINAL), int(ids.CHANCE)


def _play_spiel(game: Any, rng: random.Random) -> int:
    """Play an OpenSpiel game; chance nodes are sampled but not counted."""
    terminal, chance = _spiel_ids()
    state, moves = game.new_initial_state(), 0
    while (player := state.current_player()) != terminal:
        if player == chance:
            _sample_chance(state, rng)
            continue
        state.apply_action(rng.choice(state.legal_actions()))
        moves += 1
    return moves


def _sample_chance(state: Any, rng: random.Random) -> None:
    """Apply one outcome of a chance node by its probability."""
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(outcomes, weights)[0])


def pettingzoo_connect_four(rng: random.Random) -> int:
    """Play PettingZoo's connect four."""
    return play_aec(_zoo_env("connect_four-v3"), rng)


def pettingzoo_chess(rng: random.Random) -> int:
    """Play PettingZoo's chess."""
    return play_aec(_zoo_env("chess-v6"), rng)


def pettingzoo_hanabi(rng: random.Random) -> int:
    """Play PettingZoo's hanabi, which is OpenSpiel's."""
    return play_aec(_zoo_env("hanabi-v5"), rng)


@cache
def _zoo_env(name: str) -> Any:
    """Return a PettingZoo environment with its usual wrappers, built once."""
    return import_module("pettingzoo").make("aec", f"classic/{name}")


def play_aec(env: Any, rng: random.Random) -> int:
    """Play the agent-environment cycle until the first agent is told that the game is over."""
    env.reset()
    for moves, _ in enumerate(env.agent_iter()):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return moves
        env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))
    raise RuntimeError("the environment ran out of agents before its game was over")


def python_chess(rng: random.Random) -> int:
    """Play python-chess until mate, stalemate or a draw that needs no claim."""
    board = import_module("chess").Board()
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return len(board.move_stack)


def reconnaissance_chess(rng: random.Random) -> int:
    """Play reconchess as its RandomBot does against itself; a turn is two choices."""
    # No clock: a slow machine must not end the game by time.
    game = import_module("reconchess").LocalGame(seconds_per_player=None)
    game.start()
    choices = 0
    while not game.is_over():
        _recon_turn(game, rng)
        choices += 2
    game.end()
    return choices


def _recon_turn(game: Any, rng: random.Random) -> None:
    """Sense at random, then move at random or pass."""
    game.opponent_move_results()
    game.sense(rng.choice(game.sense_actions()))
    game.move(rng.choice([*game.move_actions(), None]))
    game.end_turn()


PEERS: dict[str, RandomPlay] = {
    "OpenSpiel dark_hex 11x11 (C++)": dark_hex,
    "OpenSpiel dark_chess (C++)": dark_chess,
    "OpenSpiel battleship 10x10 (C++)": battleship,
    "OpenSpiel battleship, no shot twice (C++)": battleship_new_shots,
    "PettingZoo connect_four_v3": pettingzoo_connect_four,
    "PettingZoo chess_v6": pettingzoo_chess,
    "python-chess": python_chess,
    "reconchess": reconnaissance_chess,
}


def main() -> None:
    """Print the table of the peers alone."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="per row and round")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    use_one_core()
    print_table(measure_all(PEERS, options.seconds, options.rounds))


if __name__ == "__main__":
    main()
