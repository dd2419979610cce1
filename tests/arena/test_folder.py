"""A tournament on disk: nothing is lost but what was being played, and nothing is mixed."""

import gzip
from pathlib import Path

import msgspec
import pytest

from fathom.arena.folder import GAMES, LARGE, PLAN, BadFolder, Folder, keep_logbook
from fathom.arena.origin import fingerprint
from fathom.arena.tournament import Played, Setting, TournamentGame
from fathom.words import ByCrew, Mode
from tests.arena.tables import CADET, bot

SETTING = Setting("captain-sonar", Mode.TURN_BY_TURN, "alpha")


def line(number: int) -> bytes:
    return msgspec.json.encode(
        Played(TournamentGame(number, ByCrew("a", "b"), SETTING, 1), crash="x")
    )


def folder(path: Path, tournament: bytes = b'{"n":1}', program: str = "p") -> Folder:
    return Folder(path / "kept", tournament, program, "c0ffee")


def numbers(kept: Folder) -> list[int]:
    return [played.game.number for played in kept.played]


def test_what_was_kept_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    with folder(tmp_path).opened() as kept:
        for number in (3, 1, 2):
            kept.add(line(number))
    with folder(tmp_path).opened() as again:
        assert numbers(again) == [3, 1, 2]
        again.add(line(7))
    with folder(tmp_path).opened() as once_more:
        assert numbers(once_more) == [3, 1, 2, 7]


def test_a_line_is_on_disk_as_soon_as_it_is_added(tmp_path: Path) -> None:
    with folder(tmp_path).opened() as kept:
        kept.add(line(1))
        assert (kept.path / GAMES).read_bytes() == line(1) + b"\n"


@pytest.mark.parametrize("torn", [1, 10, len(line(9)) - 1, len(line(9))])
def test_a_torn_last_line_is_cut_away(tmp_path: Path, torn: int) -> None:
    with folder(tmp_path).opened() as kept:
        kept.add(line(1))
    with (kept.path / GAMES).open("ab") as file:
        file.write(line(9)[:torn])
    with folder(tmp_path).opened() as again:
        assert numbers(again) == [1]
        again.add(line(2))
    assert (kept.path / GAMES).read_bytes() == line(1) + b"\n" + line(2) + b"\n"


def test_a_line_that_is_broken_otherwise_is_not_passed_over(tmp_path: Path) -> None:
    with folder(tmp_path).opened() as kept:
        kept.add(line(1))
    with (kept.path / GAMES).open("ab") as file:
        file.write(b'{"game":\n' + line(2) + b"\n")
    with (
        pytest.raises(BadFolder, match=r"games.jsonl, line 2 can't be read"),
        folder(tmp_path).opened(),
    ):
        pass


def test_a_folder_belongs_to_one_tournament_of_one_program(tmp_path: Path) -> None:
    with folder(tmp_path).opened():
        pass
    with (
        pytest.raises(BadFolder, match="belongs to another tournament"),
        folder(tmp_path, tournament=b'{"n":2}').opened(),
    ):
        pass
    with (
        pytest.raises(BadFolder, match=r"another version of the program .*commit c0ffee"),
        folder(tmp_path, program="q").opened(),
    ):
        pass


def test_what_is_no_tournament_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "thesis.txt").write_text("years of work")
    with pytest.raises(BadFolder, match="is not empty, and holds no tournament"):
        folder(tmp_path).opened().__enter__()
    assert [file.name for file in (tmp_path / "kept").iterdir()] == ["thesis.txt"]


def test_a_plan_that_can_not_be_read_is_said_so(tmp_path: Path) -> None:
    with folder(tmp_path).opened() as kept:
        pass
    (kept.path / PLAN).write_text("{")
    with pytest.raises(BadFolder, match=r"tournament.json can't be read"):
        folder(tmp_path).opened().__enter__()


def test_two_processes_do_not_play_in_one_folder(tmp_path: Path) -> None:
    with folder(tmp_path).opened(), pytest.raises(BadFolder, match="another process is playing"):
        folder(tmp_path).opened().__enter__()


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    with pytest.raises(BadFolder, match=r"kept can't be used: "):
        folder(tmp_path).opened().__enter__()


def test_large_logbooks_are_compressed(tmp_path: Path) -> None:
    keep_logbook(tmp_path, 1, "short")
    keep_logbook(tmp_path, 2, "long" * LARGE)
    files = {file.name: file for file in (tmp_path / "logbooks").iterdir()}
    assert sorted(files) == ["000001.logbook", "000002.logbook.gz"]
    assert files["000001.logbook"].read_text() == "short"
    packed = files["000002.logbook.gz"].read_bytes()
    assert gzip.decompress(packed).decode() == "long" * LARGE
    assert len(packed) < LARGE


def test_the_fingerprint_changes_with_a_bot_and_not_with_time(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("Bot = print")
    entrant = msgspec.structs.replace(CADET, name="own", what=f"python:{own}:Bot")
    before = fingerprint([CADET, entrant])
    assert fingerprint([CADET, entrant]) == before
    assert fingerprint([CADET]) != before
    own.write_text("Bot = open")
    assert fingerprint([CADET, entrant]) != before
    assert fingerprint([bot("RecordingCadet")]) != fingerprint([CADET])
