"""Memory in large pages: asked for where it is ours, and nothing in it changes."""

from pathlib import Path

import pytest

from fathom.server.large_pages import LARGE, MAPS, LargePages, large_places

POLICY = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def test_only_memory_of_our_own_is_asked_for() -> None:
    maps = """\
00400000-0041f000 r--p 00000000 fe:00 260368                             /usr/bin/python3.11
00945000-00b45000 rw-p 00544000 fe:00 260368                             /usr/bin/python3.11
01a00000-02a00000 rw-p 00000000 00:00 0                                  [heap]
7f1380000000-7f1380100000 rw-p 00000000 00:00 0 
7f1390000000-7f1390400000 rw-p 00000000 00:00 0 
7f13a0000000-7f13a0800000 ---p 00000000 00:00 0 
7f13b0000000-7f13b0800000 rw-s 00000000 00:01 1024                       /dev/zero (deleted)
7ffc00000000-7ffc00800000 rw-p 00000000 00:00 0                          [stack]
"""  # noqa: W291
    heap = range(0x1A00000, 0x2A00000, LARGE)
    assert list(large_places(maps)) == [*heap, 0x7F1390000000, 0x7F1390200000]


def test_a_large_page_begins_where_large_pages_do() -> None:
    maps = "7f1390001000-7f1390601000 rw-p 00000000 00:00 0 \n"
    assert list(large_places(maps)) == [0x7F1390200000, 0x7F1390400000]


@pytest.mark.skipif(not MAPS.exists(), reason="Linux only")
def test_they_are_had_and_hold_what_was_there() -> None:
    pages = LargePages()
    things = [(number, str(number)) for number in range(400_000)]
    wanted = pages.make(3)
    assert wanted > 3
    assert len(pages.made) == 3
    assert pages.make(wanted) >= wanted - 3
    assert all(text == str(number) for number, text in things)
    if "[never]" not in POLICY.read_text():
        rollup = Path("/proc/self/smaps_rollup").read_text()
        assert int(rollup.partition("AnonHugePages:")[2].split()[0]) * 1024 >= LARGE
