"""Who may act now: turns, stops and marks that are due; and how turns and games end."""

from fathom.engine.events import AnyEvent, Damaged, Exploded, GameEnded, TurnEnded
from fathom.engine.game import Boat, Game
from fathom.engine.refusals import Refused, heed
from fathom.words import CREW_A, CREW_B, ByCrew, Crew

Events = list[AnyEvent]


def in_play(game: Game) -> None:
    """The game has begun and is not over."""
    heed(outside_play(game))


def outside_play(game: Game) -> str:
    """The rule by which the game has not begun yet or is over; empty while it is played."""
    public = game.public
    if public.phase == "playing":
        return ""
    return public.result.why if public.result is not None else "start.place"


def not_over(game: Game) -> None:
    """The game is not over; it may not have begun."""
    if game.public.result is not None:
        raise Refused(game.public.result.why)


def free_to_act(game: Game, crew: Crew) -> None:
    """The crew may give orders."""
    heed(hindrance(game, crew))


def hindrance(game: Game, crew: Crew) -> str:
    """The rule that keeps a crew from acting: not its turn, surfaced, a stop, an answer awaited."""
    public = game.public
    if public.phase != "playing":
        return outside_play(game)
    if public.awaited is not None or public.stop is not None:
        return held_up_by(game)
    turn = public.turn
    if turn is not None:
        return "" if turn.crew is crew else "turn.yours"
    return "surface.idle" if public.surfaced[crew] else ""


def held_up_by(game: Game) -> str:
    """The rule that keeps everyone from acting: a stop, or an answer that is awaited."""
    public = game.public
    if public.awaited is None:
        return "system.stop" if public.stop is not None else ""
    if public.stop is not None:
        return "system.stop"
    return answer_rule(game) if public.awaited.what == "sonar-answer" else "scenario.volcanoes"


def answer_rule(game: Game) -> str:
    """The rule by which this rulebook's captains answer a sonar."""
    one_true = game.ground.book.sonar_answer == "one-true"
    return "sonar.answer-true" if one_true else "sonar.answer"


def pens_down(game: Game) -> None:
    """No stop holds everyone's pen (system.stop)."""
    if game.public.stop is not None:
        raise Refused("system.stop")


def acknowledged(game: Game, crew: Crew) -> None:
    """First mate and engineer have made their marks (move.acknowledge)."""
    if owes_marks(game.boats[crew]):
        raise Refused("move.acknowledge")


def owes_marks(boat: Boat) -> bool:
    """Whether a mark of first mate or engineer is due."""
    duty = boat.duty
    return duty.charge != "none" or duty.cross != "none"


def before_course(game: Game) -> None:
    """Turn by turn, this turn has no course yet (turn.order)."""
    turn = game.public.turn
    if turn is not None and turn.sailed:
        raise Refused("turn.order")


def mark_hindrance(game: Game, crew: Crew) -> str:
    """The rule that keeps a crew from its marks; a stop that waits for them does not."""
    public = game.public
    if public.phase != "playing":
        return outside_play(game)
    stop = public.stop
    if stop is not None and not (stop.marks and stop.by is crew):
        return "system.stop"
    return "surface.idle" if public.turn is None and public.surfaced[crew] else ""


def end_turn(game: Game, crew: Crew) -> Events:
    """The captain ends the turn (turn.order)."""
    free_to_act(game, crew)
    turn = game.public.turn
    if turn is None or not turn.sailed or owes_marks(game.boats[crew]):
        raise Refused("turn.order")
    return [end_of_turn(game, crew)]


def end_of_turn(game: Game, crew: Crew) -> TurnEnded:
    """Who plays next: the same crew while it has turns left (surface.turns)."""
    turn = game.public.turn
    if turn is not None and turn.left:
        return TurnEnded(crew, crew, turn.left)
    return TurnEnded(crew, crew.other)


def sinking(game: Game, events: Events, by: Crew) -> Events:
    """The end, if ``events`` sink somebody (end.sunk, end.draw)."""
    was = game.public.damage
    a, b = was.a, was.b
    for event in events:
        if isinstance(event, Exploded):
            a, b = a + event.damage.a, b + event.damage.b
        elif isinstance(event, Damaged):
            a += event.amount if event.crew is CREW_A else 0
            b += event.amount if event.crew is CREW_B else 0
    limit = game.ground.sinks_at
    return losing(game, ByCrew(a >= limit, b >= limit), by)


def losing(game: Game, lost: ByCrew[bool], by: Crew) -> Events:
    """The end of the game when these crews are destroyed in one step."""
    if lost.a and lost.b and game.ground.book.draw:
        return [GameEnded(None, "end.draw")]
    if lost.a and lost.b:
        return [GameEnded(by.other, "end.sunk")]
    if lost.a or lost.b:
        return [GameEnded(CREW_B if lost.a else CREW_A, "end.sunk")]
    return []
