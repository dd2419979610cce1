"""What each crew of a finished game could have known; worked out in a process of its own."""

from collections.abc import Sequence

from fathom.belief.evidence import Belief
from fathom.engine.game import new_game
from fathom.engine.knowledge.announce import announce
from fathom.server.duel import EVENTS, HEADERS
from fathom.server.log import StoredGame, StoredStep
from fathom.server.plotter import thousandths
from fathom.server.wire import Knowledge, RecordBelief, encode
from fathom.words import CREWS, ByCrew


def beliefs(stored: StoredGame, steps: Sequence[StoredStep]) -> bytes:
    """For each crew, what it could work out of the other's place after each step, as JSON."""
    ground = new_game(HEADERS.decode(stored.header).setup).ground
    minds = {crew: Belief(ground, crew.other, likely=True) for crew in CREWS}
    found: dict[object, list[Knowledge]] = {crew: [] for crew in CREWS}
    for number, step in enumerate(steps, 1):
        said = [news for event in EVENTS.decode(step.events) if (news := announce(event))]
        if not said:
            continue
        for crew, mind in minds.items():
            for news in said:
                mind.hear(news)
            mind.settle()
            likely = thousandths(mind)
            found[crew].append(Knowledge(number, len(likely), likely))
    return encode(RecordBelief(stored.game, ByCrew(*(tuple(found[crew]) for crew in CREWS))))
