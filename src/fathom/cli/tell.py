"""Events in words for people who watch: the notation of logbooks, made a little easier to read."""

from typing import Final

from fathom.cli.terminal import printable
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import (
    CourseSet,
    Exploded,
    GameEnded,
    LineDrawn,
    SectionTraced,
    TurnEnded,
)
from fathom.engine.knowledge.heard import Heard
from fathom.engine.logbook.lines import HITS
from fathom.engine.logbook.notation import Notation
from fathom.points import name
from fathom.words import CREWS, ByCrew, Heading

ENDINGS: Final = {
    "end.sunk": "{winner} wins: {loser} is sunk",
    "end.goal": "{winner} wins: it has reached its goal",
    "end.resign": "{winner} wins: {loser} resigns",
    "end.abandon": "{winner} wins: {loser} is declared lost",
    "end.time": "{winner} wins: {loser} is out of time",
}


class Teller:
    """Tells the events of one game; crews are called by their colours, as they are drawn."""

    def __init__(self, ground: CompiledSetup) -> None:
        self.notation = Notation(ground.setup)
        self.colours = ByCrew(*ground.book.colours)
        self.courses = dict(zip(Heading, ground.book.course_names, strict=True))

    def tell(self, event: Heard) -> str:
        """The event in a sentence."""
        words = printable(self.in_other_words(event) or self.notation.write(event))
        return f"{words[0].upper()}{words[1:]}."

    def in_other_words(self, event: Heard) -> str:
        """What is told otherwise than in logbooks, where every detail counts."""
        match event:
            case CourseSet(crew=crew, heading=heading):
                return f"{self.colours[crew]} sails {self.courses[heading]}"
            case Exploded():
                return self.tell_explosion(event)
            case GameEnded():
                return self.tell_end(event)
            case SectionTraced(crew=crew, section=section):
                return f"{self.colours[crew]} traces section {section} of its hull"
            case LineDrawn(crew=crew):
                return f"{self.colours[crew]} draws a line on the radio operator's sheet"
            case TurnEnded(crew=crew, next=following, turns=turns) if turns > 1:
                left = f"{self.colours[following]} has {turns} turns"
                return left if crew is following else f"{self.colours[crew]}'s turn ends: {left}"
            case _:
                return ""

    def tell_explosion(self, event: Exploded) -> str:
        """What exploded where, and whom it hit; of a miss no more is said."""
        what = f"{self.colours[event.owner]}'s {event.source}" if event.owner else event.source
        hits = [
            f"{self.colours[crew]} {HITS[event.hits[crew]]}, {event.damage[crew]} damage"
            for crew in CREWS
            if event.hits[crew] != "miss"
        ]
        return f"{what.replace('-', ' ')} explodes on {name(event.at)}: {'; '.join(hits) or 'miss'}"

    def tell_end(self, event: GameEnded) -> str:
        """Who won, and why."""
        if event.winner is None:
            return "nobody wins: both are sunk in one step"
        winner, loser = self.colours[event.winner], self.colours[event.winner.other]
        return ENDINGS[event.why].format(winner=winner, loser=loser)
