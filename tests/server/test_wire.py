"""The wire: made once, for every language; and a client's own count of what it heard."""

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from fathom.bots.phrases import AnyPhrase
from fathom.engine.orders import AnyOrder
from fathom.server import wire
from fathom.server.openapi import document
from fathom.server.protocol_page import fill
from fathom.server.troubles import MEANINGS, Trouble
from fathom.server.typescript import typescript

ROOT = Path(__file__).parents[2]


def test_the_clients_types_are_up_to_date() -> None:
    made = ROOT / "web" / "src" / "wire.ts"
    if not made.parent.exists():
        pytest.skip("there is no web client here")
    assert made.read_text("utf-8") == typescript(), (
        "run: python -m fathom.server.typescript > web/src/wire.ts"
    )


def test_every_message_order_and_event_has_its_type() -> None:
    text = typescript()
    for union in (wire.AnyRequest, wire.AnyNews, AnyOrder, AnyPhrase):
        for kind in get_args(union):
            assert f"export interface {kind.__name__} {{" in text


@pytest.mark.parametrize(
    "text",
    [
        b'{"type":"order","id":"1","game":"abcdefgh","order":{"order":"course","heading":"N"}}',
        b'{"type":"order","id":"1","game":"abcdefgh","order":{"order":"torpedo","target":"H8"}}',
        b'{"type":"open","table":"K7QMX","position":3}',
        b'{"type":"say","table":"K7QMX","phrase":{"phrase":"please-charge","system":"mine"}}',
    ],
)
def test_a_message_reads_as_it_is_written(text: bytes) -> None:
    read = wire.REQUESTS.decode(text)
    assert wire.REQUESTS.decode(wire.encode(read)) == read


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b'{"type":"order"}',
        b'{"type":"hello","protocol":1,"token":"short"}',
        b'{"type":"open","table":"k7qmx"}',
        b'{"type":"open","table":"K7QMX","position":-1}',
        b'{"type":"chat","table":"K7QMX","channel":"enemy","text":"hi"}',
        b'{"type":"order","id":"1","game":"abcdefgh","order":{"order":"torpedo","target":"P1"}}',
        b'{"type":"order","id":"","game":"abcdefgh","order":{"order":"dive"}}',
        b'{"type":"ping","number":1,"token":"secret"}',
    ],
)
def test_what_is_no_message_is_not_read(text: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        wire.REQUESTS.decode(text)


def test_the_protocols_page_is_up_to_date() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    assert text == fill(text), "run: python -m fathom.server.protocol_page"
    assert set(MEANINGS) == set(get_args(wire.ErrorKey))
    messages = [*get_args(wire.AnyRequest), *get_args(wire.AnyNews)]
    tags = [kind.__struct_config__.tag for kind in messages]
    assert [tag for tag in tags if f"**`{tag}`**" not in text] == []
    assert [path for path in document()["paths"] if f"`{path}`" not in text] == []


def test_a_trouble_is_a_key_with_arguments() -> None:
    trouble = Trouble("post-taken", post="captain")
    assert (trouble.error, trouble.arguments) == ("post-taken", {"post": "captain"})
