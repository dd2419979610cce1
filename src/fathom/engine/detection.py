"""Drone and sonar, and the answers to them."""

from fathom.engine.events import Answer, DroneLaunched, SonarAnswered, SonarUsed
from fathom.engine.game import Game
from fathom.engine.orders import AnswerSonar, AnswerTruly, LaunchDrone, UseSonar
from fathom.engine.refusals import Refused
from fathom.engine.systems import failure, usable
from fathom.engine.tempo import Events, answer_rule, not_over
from fathom.points import LETTERS
from fathom.words import DRONE, SONAR, Crew


def launch_drone(game: Game, crew: Crew, order: LaunchDrone) -> Events:
    """Ask about a sector; the program answers truthfully (drone.ask)."""
    usable(game, crew, DRONE)
    if not 1 <= order.sector <= game.ground.chart.sector_count:
        raise Refused("chart.sectors")
    if failed := failure(game, crew, DRONE):
        return failed
    return [DroneLaunched(crew, order.sector, drone_answer(game, crew, order.sector))]


def drone_answer(game: Game, crew: Crew, sector: int) -> Answer:
    """Yes or no, or nothing through toxic smoke (scenario.volcanoes)."""
    ground, smoke = game.ground, game.public.smoke
    if smoke and ground.sectors[ground.volcanoes[smoke - 1]] == sector:
        return "toxic-smoke"
    return "yes" if ground.sectors[game.boats[crew.other].helm.at] == sector else "no"


def use_sonar(game: Game, crew: Crew, order: UseSonar) -> Events:
    """Ask the enemy captain; play waits for the answer (sonar.answer)."""
    usable(game, crew, SONAR)
    return failure(game, crew, SONAR) or [SonarUsed(crew)]


def answer_sonar(game: Game, crew: Crew, order: AnswerSonar) -> Events:
    """Two facts of different kinds, one true and one false (sonar.answer)."""
    answer_is_due(game, crew)
    if game.ground.book.sonar_answer == "one-true":
        raise Refused("sonar.answer-true")
    check_facts(game, crew, order)
    return [SonarAnswered(crew, order.row, order.column, order.sector)]


def answer_truly(game: Game, crew: Crew, order: AnswerTruly) -> Events:
    """Row or column; the program fills in the truth (sonar.answer-true)."""
    answer_is_due(game, crew)
    if game.ground.book.sonar_answer == "one-false":
        raise Refused("sonar.answer")
    at = game.boats[crew].helm.at
    if order.line == "row":
        return [SonarAnswered(crew, row=row_of(at))]
    return [SonarAnswered(crew, column=column_of(at))]


def answer_is_due(game: Game, crew: Crew) -> None:
    """This crew's captain has been asked."""
    not_over(game)
    awaited = game.public.awaited
    if awaited is None or awaited.what != "sonar-answer" or awaited.crew is not crew:
        raise Refused(answer_rule(game))


def row_of(at: int) -> int:
    """The row's number."""
    return (at >> 4) + 1


def column_of(at: int) -> str:
    """The column's letter."""
    return LETTERS[at & 15]


def check_facts(game: Game, crew: Crew, order: AnswerSonar) -> None:
    """Exactly two facts that exist on the chart, exactly one of them true."""
    chart, at = game.ground.chart, game.boats[crew].helm.at
    facts: list[tuple[object, object, bool]] = []
    if order.row is not None:
        facts.append((order.row, row_of(at), 1 <= order.row <= chart.down))
    if order.column is not None:
        letters = LETTERS[: chart.across]
        exists = len(order.column) == 1 and order.column in letters
        facts.append((order.column, column_of(at), exists))
    if order.sector is not None:
        exists = 1 <= order.sector <= chart.sector_count
        facts.append((order.sector, game.ground.sectors[at], exists))
    if len(facts) != 2 or not all(exists for _, _, exists in facts):
        raise Refused("sonar.answer")
    if sum(told == true for told, true, _ in facts) != 1:
        raise Refused("sonar.answer")
