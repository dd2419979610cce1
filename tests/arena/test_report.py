"""Standings, tables, plots and bars, from games with known outcomes."""

from xml.etree import ElementTree as ET

import pytest

from fathom.arena.bars import bars_tournament, judge
from fathom.arena.match import MatchOutcome
from fathom.arena.plot import svg_plot, text_plot
from fathom.arena.ratings import Rating
from fathom.arena.report import as_markdown, as_text, cross_table, share, standings_table
from fathom.arena.soak import soak_table, troubled
from fathom.arena.standings import Score, standings
from fathom.arena.table import Fault
from fathom.arena.tally import Tally, count
from fathom.arena.thinking import ThinkingTimes, together
from fathom.arena.tournament import Played, Tournament
from fathom.engine.events import Damaged, Exploded, TorpedoFired
from fathom.points import Point
from fathom.words import CREW_A, CREW_B, ByCrew, Crew

BARS = bars_tournament(400, 1)
SAFE = ("commander", "commodore", "admiral")


def thought(*seconds: float) -> ThinkingTimes:
    found = ThinkingTimes()
    for each in seconds:
        found.note(each)
    return found


def outcome(winner: Crew | None, damage: int = 0, longest: float = 0.002) -> MatchOutcome:
    def tally() -> Tally:
        return Tally(courses=100, breakdown=damage, choosing=thought(0.001, longest))

    ending = "draw" if winner is None else "sunk"
    return MatchOutcome(winner, ending, 300, 0.0, ByCrew(0, 0), ByCrew(tally(), tally()))  # type: ignore[arg-type]


def play(
    tournament: Tournament, stronger_wins: int, damage: int = 0, longest: float = 0.002
) -> list[Played]:
    """Of every ten games, the one named first wins so many."""
    played, before = [], dict.fromkeys(tournament.pairings, 0)
    for number in range(len(tournament)):
        game = tournament.game(number)
        pairing = next(p for p in tournament.pairings if set(p) == set(game.crews))
        before[pairing] += 1
        wins = before[pairing] % 10 < stronger_wins
        first = CREW_A if game.crews.a == pairing[0] else CREW_B
        played.append(Played(game, outcome(first if wins else first.other, damage, longest)))
    return played


def test_the_bars_pass_when_everyone_is_strong_enough() -> None:
    bars = judge(BARS, play(BARS, 9))
    assert [bar.what for bar in bars if not bar.passed] == []
    assert [bar.games for bar in bars[:6]] == [400] * 6
    assert bars[0].measured == "90.0 % (87-93)"
    assert (bars[5].what, bars[5].wanted) == ("admiral beats lieutenant", ">= 85 %")
    assert len(bars) == 6 + 3 + 2 + 1


@pytest.mark.parametrize(
    ("stronger_wins", "damage", "longest", "failed"),
    [
        (8, 0, 0.002, {"admiral beats lieutenant"}),
        (6, 0, 0.002, {"admiral beats lieutenant"}),
        (5, 0, 0.002, {f"{a} beats {b}" for a, b in BARS.pairings}),
        (9, 1, 0.002, {f"{r}: self-damage per 100 courses" for r in SAFE}),
        (9, 0, 0.011, {"commander: CPU of a decision"}),
        (9, 0, 0.101, {"commander: CPU of a decision", "admiral: CPU of a decision"}),
    ],
)
def test_every_bar_can_fail(
    stronger_wins: int, damage: int, longest: float, failed: set[str]
) -> None:
    bars = judge(BARS, play(BARS, stronger_wins, damage, longest))
    assert {bar.what for bar in bars if not bar.passed} == failed


def test_a_forfeit_or_a_crash_fails_the_bars_too() -> None:
    played = play(BARS, 9)
    fault = Fault(CREW_A, 0, "exception", "x")
    played[0] = Played(
        played[0].game,
        MatchOutcome(CREW_B, "forfeit", 1, 0.0, ByCrew(0, 0), ByCrew(Tally(), Tally()), fault),
    )
    played[1] = Played(played[1].game, crash="died")
    assert judge(BARS, played)[-1].measured == "2"
    assert not judge(BARS, played)[-1].passed
    assert troubled(played) == played[:2]
    everything = soak_table(played)[-1]
    assert everything[:3] == ("all", "", "2400")
    assert everything[5:] == ("0", "1", "0", "1")


def test_without_a_game_no_bar_of_strength_is_passed() -> None:
    assert not any(bar.passed for bar in judge(BARS, [])[:6])


def test_standings_count_everything_and_the_strongest_comes_first() -> None:
    played = play(BARS, 7)
    found = standings([entrant.name for entrant in BARS.entrants], played)
    assert [each.rating.name for each in found][:2] == ["admiral", "commodore"]
    assert found[-1].rating.name == "cadet"
    assert found[-1].score == Score(120, 0, 280)
    assert sum(each.score.games for each in found) == 2 * 2400
    rows = standings_table(found)
    assert rows[0][0] == "entrant"
    assert rows[-1][3:8] == ["400", "120", "0", "280", "0"]


def test_the_cross_table_has_a_line_for_every_place() -> None:
    rows = cross_table(play(BARS, 7), BARS.pairings)
    assert len(rows) == 1 + 6 * 7
    assert rows[1] == ("ensign : cadet", "everywhere", "400", share(Score(280, 0, 120)))
    assert rows[2][:3] == ("ensign : cadet", "alpha, turn-by-turn", "68")


def test_tables_as_text_and_as_markdown() -> None:
    rows = [("name", "n"), ("a", "12"), ("long name", "3")]
    assert as_text(rows) == "name        n\n---------  --\na          12\nlong name   3"
    assert as_markdown(rows) == "| name | n |\n| --- | ---: |\n| a | 12 |\n| long name | 3 |"


RATINGS = [Rating("admiral", 1700.0, 30.0), Rating("a <b> & c", 1300.0, 60.0)]


def test_the_plot_in_text() -> None:
    lines = text_plot(RATINGS, 41).splitlines()
    assert [line.index("o", 11) - 11 for line in lines[:2]] == [33, 7]
    assert lines[0].count("|") == 2
    assert lines[2].split() == ["1200", "1300", "1400", "1500", "1600", "1700", "1800"]


def test_the_plot_as_svg() -> None:
    root = ET.fromstring(svg_plot(RATINGS, "Ratings & more"))  # noqa: S314 - our own
    names = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "a <b> & c" in names
    assert "Ratings & more" in names
    assert "1700 ± 30" in names
    circles = [
        float(node.get("cx", "0")) for node in root.iter("{http://www.w3.org/2000/svg}circle")
    ]
    assert circles == [
        pytest.approx(190 + 560 * 5 / 6, abs=0.1),
        pytest.approx(190 + 560 / 6, abs=0.1),
    ]


def test_thinking_is_summed_up_with_percentiles() -> None:
    times = [0.001] * 98 + [0.050, 0.200]
    found = together([thought(*times[:50]), thought(*times[50:])])
    assert found.count == 100
    assert found.mean == pytest.approx(0.00348)
    assert found.longest == 0.2
    assert found.percentile(0.5) == pytest.approx(0.001, rel=0.05)
    assert found.percentile(0.99) == pytest.approx(0.050, rel=0.05)
    assert ThinkingTimes().percentile(0.99) == 0.0


def test_a_blast_is_counted_for_who_set_it_off() -> None:
    tallies = ByCrew(Tally(), Tally())
    torpedo = TorpedoFired(CREW_A, Point(17))
    miss: ByCrew[str] = ByCrew("miss", "miss")
    first = Exploded(Point(17), "torpedo", CREW_A, miss, ByCrew(1, 0))  # type: ignore[arg-type]
    chained = Exploded(Point(18), "mine", CREW_B, miss, ByCrew(0, 2))  # type: ignore[arg-type]
    count(tallies, CREW_A, [torpedo, first, chained])
    count(tallies, CREW_B, [Damaged(CREW_B, 1, "ice"), Damaged(CREW_B, 1, "breakdown")])
    a, b = tallies
    assert (a.torpedoes, a.torpedo_hits, a.mine_hits, a.dealt, a.own_blasts) == (1, 1, 0, 2, 1)
    assert (a.shots, a.hits, a.self_damage) == (1, 1, 1)
    assert (b.self_damage, b.ice, b.breakdown, b.own_blasts) == (2, 1, 1, 0)
