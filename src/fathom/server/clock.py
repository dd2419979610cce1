"""Clocks of a game turn by turn: what each crew has left. They run on what the steps took.

A clock depends on public events alone, and on time that the game was really running: a server that
is down takes nobody's time.
"""

from msgspec import Struct
from msgspec.structs import replace

from fathom.engine.game import Public
from fathom.server.wire import ClockFace, Clocks
from fathom.words import ByCrew, Crew


class Clock(Struct, frozen=True, gc=False):
    """Time left, in milliseconds, when the last step was made."""

    clocks: Clocks
    running: Crew | None = None
    turn: int | None = None
    """Of the running crew's turn, or for its answer."""
    game: ByCrew[int] | None = None
    held: int | None = None
    """What the crew whose turn it is has left of it, while the other crew must answer."""

    def spend(self, spent: int) -> "Clock":
        """The clock after so much of the running crew's time."""
        if self.running is None:
            return self
        game = self.game
        if game is not None:
            game = game.put(self.running, max(0, game[self.running] - spent))
        turn = None if self.turn is None else max(0, self.turn - spent)
        return replace(self, turn=turn, game=game)

    def follow(self, before: Public, after: Public) -> "Clock":
        """The clock after a step: whoever must act now is running.

        A new turn has all its time, and so has an answer in the other crew's turn.
        """
        running, limit = to_act(after), self.clocks.turn_seconds
        if limit is None:
            return replace(self, running=running)
        turn, held, whole = self.turn, self.held, limit * 1000
        if before.turn != after.turn and new_turn(before, after):
            turn, held = whole, None
        answers = after.turn is not None and running not in (None, after.turn.crew)
        if answers and held is None:
            turn, held = whole, turn
        elif not answers and held is not None:
            turn, held = held, None
        return replace(self, running=running, turn=turn, held=held)

    def left(self) -> int | None:
        """How long the running crew may still think, if there is a limit."""
        if self.running is None:
            return None
        limits = [self.turn] if self.turn is not None else []
        if self.game is not None:
            limits.append(self.game[self.running])
        return min(limits, default=None)

    def face(self, elapsed: int) -> ClockFace:
        """What people see, so long after the last step."""
        shown = self.spend(elapsed)
        return ClockFace(shown.running, shown.turn, shown.game)


def new_clock(clocks: Clocks) -> Clock | None:
    """The clock at the beginning; none without a limit."""
    if clocks.turn_seconds is None and clocks.game_seconds is None:
        return None
    turn = None if clocks.turn_seconds is None else clocks.turn_seconds * 1000
    whole = clocks.game_seconds
    game = None if whole is None else ByCrew(whole * 1000, whole * 1000)
    return Clock(clocks, None, turn, game)


def to_act(public: Public) -> Crew | None:
    """The crew that play waits for: whoever must answer, or whose turn it is."""
    if public.phase != "playing" or public.turn is None:
        return None
    return public.awaited.crew if public.awaited is not None else public.turn.crew


def new_turn(before: Public, after: Public) -> bool:
    """Whether a turn began between these moments."""
    if before.turn is None or after.turn is None:
        return True
    was, now = before.turn, after.turn
    return was.crew is not now.crew or was.left != now.left or (was.sailed and not now.sailed)
