"""``fathom arena`` as people run it: real processes, interrupted and gone on with."""

import gzip
import re
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import pytest

from fathom.arena.tournament import Played
from fathom.cli import main
from fathom.engine.logbook import read
from tests.cli.running import FATHOM, environment, fathom, on_terminal

pytestmark = pytest.mark.slow

PATIENCE = 120
CADETS = ("arena", "one=cadet", "other=cadet")
QUICKLY = ("--charts", "alpha", "--modes", "turn-by-turn")


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def lines(folder: Path) -> list[Played]:
    content = (folder / "games.jsonl").read_bytes()
    return [msgspec.json.decode(line, type=Played) for line in content.splitlines()]


def results(folder: Path) -> dict[int, tuple[object, ...]]:
    """What came of each game, without what the clock has to do with."""
    return {
        each.game.number: (each.game, each.outcome.winner, each.outcome.orders, each.outcome.damage)
        for each in lines(folder)
        if each.outcome
    }


def test_the_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["arena", "--help"])
    text = capsys.readouterr().out
    assert left.value.code == 0
    options = "quick bars soak games pairing pair charts rulebooks modes players stations pace"
    options += " seed jobs out markdown answer-seconds"
    assert [option for option in options.split() if f"--{option}" not in text] == []


def test_a_tournament_with_tables_a_plot_and_logbooks(tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = fathom(*CADETS, "third=cadet", *QUICKLY, "--games", "4", "--out", str(out))
    assert ran.code == 0
    assert re.search(r"^entrant +rating +\+/-", ran.out, re.MULTILINE)
    assert re.search(r"^one +1\d{3}", ran.out, re.MULTILINE)
    assert "one : other" in ran.out
    assert f"Results, logbooks and ratings.svg: {out}" in ran.err
    assert "\x1b" not in ran.out + ran.err
    assert len(lines(out)) == 12
    assert (out / "ratings.svg").read_text("utf-8").startswith("<svg")
    books = sorted((out / "logbooks").iterdir())
    assert len(books) == 12
    for file in books:
        content = file.read_bytes()
        text = gzip.decompress(content) if file.suffix == ".gz" else content
        book = read(text.decode())
        played = next(each for each in lines(out) if each.game.number == int(file.name[:6]))
        assert dict(book.info)["crew-a"] == played.game.crews.a
        assert dict(book.info)["seed"] == str(played.game.seed)


def test_the_same_tournament_has_the_same_games_with_any_number_of_processes(
    tmp_path: Path,
) -> None:
    for jobs in ("1", "2"):
        fathom(*CADETS, *QUICKLY, "--games", "6", "--jobs", jobs, "--out", str(tmp_path / jobs))
    assert results(tmp_path / "1") == results(tmp_path / "2")
    assert len(results(tmp_path / "1")) == 6


REAL_TIME = (*CADETS, "--charts", "alpha", "--modes", "real-time", "--games", "14", "--out")


def begin(out: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 - our own program
        [*FATHOM, *REAL_TIME, str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )


def wait_for_games(out: Path, count: int) -> None:
    end = time.monotonic() + PATIENCE
    file = out / "games.jsonl"
    while not file.exists() or file.read_bytes().count(b"\n") < count:
        assert time.monotonic() < end, "it plays no games"
        time.sleep(0.05)


def test_a_killed_tournament_goes_on_where_it_was(tmp_path: Path) -> None:
    out, whole = tmp_path / "killed", tmp_path / "whole"
    running = begin(out)
    wait_for_games(out, 3)
    running.kill()
    assert running.wait(PATIENCE) == -signal.SIGKILL
    kept = lines(out)
    assert 3 <= len(kept) < 14
    # As if the last line had been torn off in the middle of writing it.
    with (out / "games.jsonl").open("ab") as file:
        file.write(b'{"game":{"number":13,"cr')
    ran = fathom(*REAL_TIME, str(out))
    assert ran.code == 0
    assert "games were played before" in ran.err
    assert lines(out)[: len(kept)] == kept
    assert sorted(results(out)) == list(range(14))
    assert fathom(*REAL_TIME, str(whole)).code == 0
    assert results(out) == results(whole)


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with on_terminal(*CADETS, "--games", "2000", "--out", str(out)) as running:
        wait_for_games(out, 2)
        running.press("\x03")
        ran = running.end()
    assert ran.code == 130
    assert "Traceback" not in ran.out
    assert "the same command goes on from there" in ran.out.replace("\r\n", " ").replace("  ", " ")
    assert len(lines(out)) >= 2


def test_a_bar_is_drawn_on_a_terminal(tmp_path: Path) -> None:
    with on_terminal(*CADETS, *QUICKLY, "--games", "4", "--out", str(tmp_path / "out")) as running:
        ran = running.end()
    assert ran.code == 0
    assert "4/4" in ran.out
    assert "━" in ran.out


def test_a_finished_tournament_is_shown_again_and_not_played_again(tmp_path: Path) -> None:
    arguments = (*CADETS, *QUICKLY, "--games", "2", "--out", str(tmp_path / "out"))
    first = fathom(*arguments)
    again = fathom(*arguments)
    assert again.out == first.out
    assert len(lines(tmp_path / "out")) == 2


def test_without_a_folder_it_is_kept_where_programs_keep_such_things(tmp_path: Path) -> None:
    ran = fathom(*CADETS, *QUICKLY, "--games", "2")
    assert ran.code == 0
    (kept,) = (tmp_path / "state" / "fathom" / "arena").iterdir()
    assert len(lines(kept)) == 2


def test_a_bot_that_fails_is_reported_and_its_fault_kept(tmp_path: Path) -> None:
    bot = tmp_path / "bad.py"
    bot.write_text(
        "from fathom.bots.cadet import Cadet\n"
        "class Bad(Cadet):\n"
        "    def choose(self, offer): 1 / 0\n"
    )
    out = tmp_path / "out"
    entrants = ("cadet", f"bad=python:{bot}:Bad")
    ran = fathom("arena", *entrants, *QUICKLY, "--games", "2", "--out", str(out))
    assert ran.code == 0
    assert re.search(r"^bad +\d+\* +\d+ +2 +0 +0 +2 +0 +2 ", ran.out, re.MULTILINE)
    told = (out / "faults" / "000000.txt").read_text()
    assert "exception: ZeroDivisionError: division by zero" in told
    assert 'bad.py", line 3, in choose' in told


def test_a_bot_that_kills_its_process_is_reported_as_a_crash(tmp_path: Path) -> None:
    bot = tmp_path / "dies.py"
    bot.write_text("import os\ndef bot(ground, seat, seed): os._exit(5)\n")
    entrants = ("cadet", f"dies=python:{bot}:bot")
    out = tmp_path / "out"
    assert fathom("arena", *entrants, *QUICKLY, "--games", "2", "--out", str(out)).code == 0
    assert [each.crash for each in lines(out)] == ["its process ended with code 5"] * 2
    ran = fathom("arena", entrants[1], "--soak", "2", "--out", str(tmp_path / "soak"))
    assert ran.code == 1
    assert re.search(r"^all +2 +0 +0 +0 +0 +0 +2$", ran.out, re.MULTILINE)
    assert "game 1: its process ended with code 5" in ran.out


def test_a_soak_of_cadets_finds_nothing(tmp_path: Path) -> None:
    ran = fathom(*CADETS, "--soak", "12", "--out", str(tmp_path / "out"))
    assert ran.code == 0
    assert re.search(r"^all +12 +\d+ +\d+ +0 +0 +0 +0$", ran.out, re.MULTILINE)
    assert not (tmp_path / "out" / "logbooks").exists()


def test_the_bars_are_printed_with_their_verdicts_and_the_commit(tmp_path: Path) -> None:
    ran = fathom("arena", "--bars", "--games", "2", "--markdown", "--out", str(tmp_path / "out"))
    assert ran.code in {0, 1}
    rows = [line for line in ran.out.splitlines() if line.endswith(("| pass |", "| FAIL |"))]
    assert len(rows) == 12
    assert (ran.code == 1) == any(row.endswith("| FAIL |") for row in rows)
    assert re.search(r"^12 games, seed 1, commit ([0-9a-f]{12}|unknown)", ran.out, re.MULTILINE)


def test_quick_rates_every_rank(tmp_path: Path) -> None:
    # It must end within a minute: that is how long ``fathom`` waits for it.
    ran = fathom("arena", "--quick", "--games", "2", "--out", str(tmp_path / "out"))
    assert ran.code == 0
    for rank in ("cadet", "ensign", "lieutenant", "commander", "commodore", "admiral"):
        assert re.search(rf"^{rank} +\d+", ran.out, re.MULTILINE)


def test_crews_of_four_bots_with_closed_stations(tmp_path: Path) -> None:
    more = (
        "--players",
        "8",
        "--stations",
        "closed",
        "--games",
        "2",
        "--out",
        str(tmp_path / "out"),
    )
    ran = fathom(*CADETS, *QUICKLY, *more)
    assert ran.code == 0
    assert "alpha, turn-by-turn, 8 players, closed stations" in ran.out
    text = (tmp_path / "out" / "logbooks" / "000000.logbook").read_text("utf-8")
    assert [len(plan.seats) for plan in read(text).setup.crews] == [4, 4]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["arena", "sergeant", "cadet"], "there is no rank 'sergeant'; there are cadet, ensign"),
        (["arena", "cadet"], "a tournament needs two entrants at least"),
        (["arena", "cadet", "cadet"], "two entrants have the same name; name them"),
        (["arena", "--charts", "atlantis"], "no scenario or chart called 'atlantis'; known: alpha"),
        (["arena", "--rulebooks", "chess"], "there is no rulebook called 'chess'; known: captain"),
        (["arena", "--modes", "blitz"], "there is no mode called 'blitz'; known: turn-by-turn"),
        (["arena", "--players", "9"], "is for 2 to 8"),
        (["arena", "--pair", "cadet:pirate"], "'cadet:pirate' is no pairing ONE:OTHER of entrants"),
        (["arena", "cadet", "program:/no/such/bot"], "there is no program '/no/such/bot'"),
        (["arena", "cadet", "python:nowhere.py:Bot"], "nowhere.py can't be imported"),
        (["arena", "--quick", "--out", "/dev/null"], "/dev/null can't be used"),
        (["arena", "--quick", "--out", "/proc/nowhere"], "/proc/nowhere can't be used"),
    ],
)
def test_what_can_not_be_done_is_said_in_one_sentence(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    out, err = capsys.readouterr()
    assert (out, err[:8], err.count("\n")) == ("", "fathom: ", 1)
    assert complaint in err


def test_the_folder_of_another_tournament_is_refused(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert fathom(*CADETS, *QUICKLY, "--games", "2", "--out", out).code == 0
    ran = fathom(*CADETS, *QUICKLY, "--games", "4", "--out", out)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"fathom: {out} belongs to another tournament; choose another folder\n"


def test_a_reader_who_leaves_is_no_trouble(tmp_path: Path) -> None:
    command = [*FATHOM, *CADETS, *QUICKLY, "--games", "2", "--out", str(tmp_path / "out")]
    running = subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert running.stdout is not None
    running.stdout.close()
    _, complaints = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0
    assert b"can't be used" not in complaints
    assert b"Traceback" not in complaints


def test_only_the_pairs_that_were_asked_for(tmp_path: Path) -> None:
    ran = fathom(
        *(*CADETS, "third=cadet", *QUICKLY),
        *("--pair", "third:one", "--games", "2", "--out", str(tmp_path / "out")),
    )
    assert ran.code == 0
    assert {frozenset(each.game.crews) for each in lines(tmp_path / "out")} == {
        frozenset({"third", "one"})
    }


def test_a_bot_in_the_current_folder_is_found_by_its_module(tmp_path: Path) -> None:
    (tmp_path / "my_own_bot.py").write_text("from fathom.bots.cadet import Cadet as Bot\n")
    done = subprocess.run(  # noqa: S603 - our own program
        [*FATHOM, "arena", "cadet", "python:my_own_bot:Bot", *QUICKLY, "--games", "2"],
        cwd=tmp_path,
        env=environment(XDG_STATE_HOME=str(tmp_path)),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"my_own_bot:Bot" in done.stdout
