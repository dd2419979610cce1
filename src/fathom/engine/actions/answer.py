"""Answering a sonar: two facts, one of them false, or one true fact (sonar.answer)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec.structs import replace

from fathom.engine.action import (
    EVERYONE,
    WAITING,
    Action,
    EventRules,
    Listed,
    at,
    line,
    marks_made,
)
from fathom.engine.actions.sonar import SONAR_ANSWER
from fathom.engine.base import Event, Events, Order, Orders
from fathom.engine.choices import ActionChoices, listed
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Game, Public
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import once_over
from fathom.points import LETTERS
from fathom.words import CREW_A, Crew


class AnswerSonar(Order, frozen=True, tag="answer"):
    """Two facts of different kinds, one true and one false (sonar.answer)."""

    row: int | None = None
    column: str | None = None
    sector: int | None = None


class AnswerTruly(Order, frozen=True, tag="answer-truly"):
    """Which of row and column to tell; the program fills in the truth (sonar.answer-true)."""

    line: Literal["row", "column"]


class SonarAnswered(Event, frozen=True, tag="sonar-answered"):
    """The captain of ``crew`` answered."""

    crew: Crew
    row: int | None = None
    column: str | None = None
    sector: int | None = None


BOTH_LINES: Orders = (AnswerTruly("row"), AnswerTruly("column"))


def answer_rule(setup: CompiledSetup) -> str:
    """The rule by which this rulebook's captains answer a sonar."""
    return "sonar.answer-true" if setup.book.sonar_answer == "one-true" else "sonar.answer"


def unasked(now: SeatNow) -> str:
    """This crew's captain has been asked."""
    awaited = now.public.awaited
    asked = awaited is not None and awaited.what == SONAR_ANSWER and awaited.crew is now.crew
    return "" if asked else answer_rule(now.ground)


def row_of(at: int) -> int:
    """The row's number."""
    return (at >> 4) + 1


def column_of(at: int) -> str:
    """The column's letter."""
    return LETTERS[at & 15]


class Answers(NamedTuple):
    """All answers that may be given somewhere."""

    listed: Orders
    known: frozenset[Order]


def answers(now: SeatNow) -> Answers:
    """Every pair of facts with one true and one false."""
    return answers_on(now.ground, now.boat.helm.at)


def answers_on(setup: CompiledSetup, at: int) -> Answers:
    """The same for a submarine on this point."""
    chart = setup.chart
    sizes = (chart.down, chart.across, chart.sector_count)
    return answers_at(row_of(at), column_of(at), setup.sectors[at], sizes)


@lru_cache(1024)
def answers_at(row: int, column: str, sector: int, sizes: tuple[int, int, int]) -> Answers:
    """The same, where these facts are true."""
    found = tuple(pairs(row, column, sector, sizes))
    return Answers(found, frozenset(found))


def pairs(row: int, column: str, sector: int, sizes: tuple[int, int, int]) -> Iterator[Order]:
    down, across, sectors = sizes
    rows = [n for n in range(1, down + 1) if n != row]
    columns = [letter for letter in LETTERS[:across] if letter != column]
    others = [n for n in range(1, sectors + 1) if n != sector]
    yield from (AnswerSonar(row=row, column=false) for false in columns)
    yield from (AnswerSonar(row=false, column=column) for false in rows)
    yield from (AnswerSonar(row=row, sector=false) for false in others)
    yield from (AnswerSonar(row=false, sector=sector) for false in rows)
    yield from (AnswerSonar(column=column, sector=false) for false in others)
    yield from (AnswerSonar(column=false, sector=sector) for false in columns)


def answer(now: SeatNow, order: AnswerSonar) -> Events:
    return [SonarAnswered(now.crew, order.row, order.column, order.sector)]


def answer_truly(now: SeatNow, order: AnswerTruly) -> Events:
    """The program fills in the truth."""
    at = now.boat.helm.at
    if order.line == "row":
        return [SonarAnswered(now.crew, row=row_of(at))]
    return [SonarAnswered(now.crew, column=column_of(at))]


def truth_told(game: Game, event: SonarAnswered) -> AnswerTruly:
    return AnswerTruly("column" if event.row is None else "row")


def answered(public: Public, event: SonarAnswered, ground: CompiledSetup) -> Public:
    return replace(public, awaited=None)


def awaited_crew(game: Game) -> Crew:
    """The crew for which the referee may answer."""
    awaited = game.public.awaited
    return awaited.crew if awaited is not None else CREW_A


ACTIONS = (
    Action(
        order=AnswerSonar,
        posts=captains,
        when=once_over,
        hindrance=unasked,
        stages=at(WAITING),
        choices=ActionChoices(
            lambda now: answers(now).listed, lambda now, order: order in answers(now).known
        ),
        otherwise=lambda now, order: answer_rule(now.ground),
        happens=answer,
        in_play=lambda setup: setup.book.sonar_answer == "one-false",
        listed=Listed(playing=150, referee=40),
        ends_turn=marks_made,
        begins_with=(SonarAnswered,),
        awaited=(SONAR_ANSWER, answer_rule),
        on_behalf=awaited_crew,
    ),
    Action(
        order=AnswerTruly,
        posts=captains,
        when=once_over,
        hindrance=unasked,
        stages=at(WAITING),
        choices=listed(lambda now: BOTH_LINES),
        otherwise=lambda now, order: answer_rule(now.ground),
        happens=answer_truly,
        in_play=lambda setup: setup.book.sonar_answer == "one-true",
        listed=Listed(playing=160, referee=50),
        ends_turn=marks_made,
        begins_with=(SonarAnswered,),
        behind=truth_told,
        on_behalf=awaited_crew,
    ),
)

EVENTS = (
    EventRules(
        event=SonarAnswered,
        heard=EVERYONE,
        public=answered,
        lines=(
            line("{crew} answers row {row:number}", column=None, sector=None),
            line("{crew} answers column {column}", row=None, sector=None),
            line("{crew} answers row {row:number} and column {column}", sector=None),
            line("{crew} answers row {row:number} and sector {sector:number}", column=None),
            line("{crew} answers column {column} and sector {sector:number}", row=None),
        ),
    ),
)
