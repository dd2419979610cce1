"""An example of every line that a logbook may hold, and the table of them in docs/logbook.md."""

import re
from pathlib import Path

from fathom.engine import events as happened
from fathom.engine.events import AnyEvent
from fathom.engine.logbook.lines import BY_KIND
from fathom.engine.logbook.notation import Notation
from fathom.points import parse
from fathom.rules.setup import Choices, prepare
from fathom.words import CREWS, ByCrew, Heading, System

A, B = CREWS
SETUP = prepare(Choices("captain-sonar"))
NOTATION = Notation(SETUP)
DOCS = Path(__file__).parents[2] / "docs" / "logbook.md"
BEGIN, END = "<!-- lines -->\n", "<!-- end of lines -->\n"

SAMPLES: tuple[AnyEvent, ...] = (
    happened.FirstDrawn(B),
    happened.Placed(A, parse("C4")),
    happened.Dived(A),
    happened.PlayBegan(None),
    happened.PlayBegan(B),
    happened.CourseSet(B, Heading.N),
    happened.GaugeCharged(B, None),
    happened.GaugeCharged(B, System.TORPEDO),
    happened.SystemReady(B, System.TORPEDO),
    happened.SymbolCrossed(B, None),
    happened.SymbolCrossed(B, "N2"),
    happened.CircuitMended(B, "west"),
    happened.Damaged(B, 1, "breakdown"),
    happened.RanSilent(B, 0),
    happened.RanSilent(B, 3, Heading.E),
    happened.MineLaid(A, parse("D4")),
    happened.MineTriggered(A, parse("D4")),
    happened.TorpedoFired(A, parse("D3")),
    happened.OldMineDetonated(A, parse("E3")),
    happened.Exploded(parse("D3"), "torpedo", A, ByCrew("miss", "direct"), ByCrew(0, 2)),
    happened.Exploded(parse("D4"), "mine", A, ByCrew("indirect", "indirect"), ByCrew(1, 1)),
    happened.Exploded(parse("E3"), "old-mine", None, ByCrew("miss", "miss"), ByCrew(0, 0)),
    happened.Exploded(parse("C7"), "volcano", None, ByCrew("indirect", "miss"), ByCrew(1, 0)),
    happened.MineDestroyed(B, parse("D3")),
    happened.OldMineDestroyed(parse("D3")),
    happened.SystemFailed(B, System.SILENCE),
    happened.DroneLaunched(B, 4, "toxic-smoke"),
    happened.SonarUsed(B),
    happened.SonarAnswered(A, row=7),
    happened.SonarAnswered(A, column="D"),
    happened.SonarAnswered(A, row=7, column="D"),
    happened.SonarAnswered(A, row=7, sector=2),
    happened.SonarAnswered(A, column="D", sector=2),
    happened.VolcanoStirred(B, 2),
    happened.VolcanoNamed(B, 1, "smoke"),
    happened.SystemRepaired(B, System.DRONE),
    happened.Surfaced(A, sector=3),
    happened.Surfaced(A, at=parse("H3")),
    happened.SectionTraced(A, 1, 3, ((700, 90), (808, 90), (-8, 470)), 'J"V'),
    happened.TraceJudged(A, ()),
    happened.TraceJudged(A, (1, 3)),
    happened.ReadyReported(A),
    happened.TurnEnded(A, B),
    happened.TurnEnded(A, B, 3),
    happened.PlayResumed(),
    happened.GameEnded(None, "end.draw"),
    happened.GameEnded(A, "end.sunk"),
    happened.LineDrawn(B, ((0, 0), (10, 0), (10, -10))),
    happened.MarkPut(B, 15, -20, "question"),
    happened.NoteWritten(B, 15, -20, "тут?"),
    happened.Rubbed(B, 2),
    happened.SheetWiped(B),
    happened.SheetSlid(B, 2, -1),
    happened.SheetTaken(B),
)


def form_of(event: AnyEvent) -> str:
    """The event's form, each slot called by what it holds."""
    form = next(form for form in BY_KIND[type(event)] if form.tells(event))
    return re.sub(r"\{(?:\w+:)?(\w+)\}", r"{\1}", form.template)


def table() -> str:
    """The table of all lines."""
    rows = (
        f"| `{type(event).__name__}` | `{form_of(event)}` | `{NOTATION.write(event)}` |"
        for event in SAMPLES
    )
    return "\n".join(["| event | line | example |", "|---|---|---|", *rows, ""])


def renewed_docs() -> str:
    """The documentation with the table as it is now."""
    before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table() + END + after
