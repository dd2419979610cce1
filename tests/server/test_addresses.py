"""Links lead friends to the machine that serves, not to their own."""

import pytest

from fathom.server import addresses
from fathom.server.addresses import EVERYWHERE, for_friends, is_loopback


@pytest.mark.parametrize(
    ("page", "host", "link"),
    [
        ("http://127.0.0.1:8470", EVERYWHERE[0], "http://192.168.0.7:8470"),
        ("http://localhost:8470", EVERYWHERE[1], "http://192.168.0.7:8470"),
        ("http://[::1]", EVERYWHERE[0], "http://192.168.0.7"),
        # Nobody else can reach it anyway.
        ("http://127.0.0.1:8470", "127.0.0.1", "http://127.0.0.1:8470"),
        # Whoever came from elsewhere came by an address that works.
        ("http://boat.local:8470", EVERYWHERE[0], "http://boat.local:8470"),
        ("http://192.168.0.7:8470", EVERYWHERE[0], "http://192.168.0.7:8470"),
    ],
)
def test_a_link_for_friends(
    page: str, host: str, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "own_address", lambda: "192.168.0.7")
    assert for_friends(page, host) == link


def test_a_machine_without_a_network_keeps_its_own_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "own_address", lambda: None)
    assert for_friends("http://localhost:8470", EVERYWHERE[0]) == "http://localhost:8470"


def test_what_a_loopback_is() -> None:
    assert is_loopback("127.3.2.1")
    assert not is_loopback("10.0.0.1")
    assert not is_loopback("localhost.example")
