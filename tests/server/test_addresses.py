"""Links lead friends to the machine that serves, not to their own."""

import pytest

from fathom.server import addresses
from fathom.server.addresses import (
    EVERYWHERE,
    Proxies,
    for_friends,
    is_host,
    is_loopback,
    limit_name,
)


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


@pytest.mark.parametrize(
    ("host", "here"),
    [
        *(("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("::ffff:127.0.0.1", True)),
        *(("192.0.2.1", False), ("::ffff:192.0.2.1", False), ("", False), ("example.org", False)),
    ],
)
def test_which_addresses_are_this_machine(host: str, here: bool) -> None:
    assert is_loopback(host) == here


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("somewhere", "somewhere"),
        ("", ""),
    ],
)
def test_an_address_is_counted_with_all_that_its_owner_has(address: str, name: str) -> None:
    assert limit_name(address) == name


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "client"),
    [
        # Nobody is believed who is no proxy of ours.
        ((), "192.0.2.7", ["198.51.100.1"], "192.0.2.7"),
        (("10.0.0.0/8",), "192.0.2.7", ["198.51.100.1"], "192.0.2.7"),
        # One hop; whatever the client itself has said stands before it.
        (("10.0.0.0/8",), "10.0.0.1", ["192.0.2.66, 192.0.2.7"], "192.0.2.7"),
        # Two hops, in one line or in two.
        (("10.0.0.0/8",), "10.0.0.1", ["192.0.2.66, 192.0.2.7, 10.0.0.2"], "192.0.2.7"),
        (("10.0.0.0/8",), "10.0.0.1", ["192.0.2.7", "10.0.0.2"], "192.0.2.7"),
        (("10.0.0.1", "2001:db8::/32"), "10.0.0.1", ["192.0.2.7, 2001:db8::5"], "192.0.2.7"),
        # A proxy that asks for itself.
        (("10.0.0.1",), "10.0.0.1", [], "10.0.0.1"),
        (("10.0.0.1",), "::ffff:10.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        # What is no address was not written by a proxy of ours.
        (("10.0.0.1",), "10.0.0.1", ["nonsense"], "nonsense"),
    ],
)
def test_a_client_is_found_behind_proxies(
    trusted: tuple[str, ...], peer: str, forwarded: list[str], client: str
) -> None:
    assert Proxies(trusted).client(peer, forwarded) == client


def test_behind_one_proxy_the_last_address_counts() -> None:
    proxies = Proxies((), anyone=True)
    assert proxies.client("192.0.2.1", ["198.51.100.1, 192.0.2.7"]) == "192.0.2.7"
    assert proxies.client("192.0.2.1", []) == "192.0.2.1"


@pytest.mark.parametrize("host", ["a", "sonar.example:8470", "[2001:db8::1]:80", "10.0.0.1"])
def test_what_a_host_is(host: str) -> None:
    assert is_host(host)


@pytest.mark.parametrize(
    "host", ["", "a b", "a;b", "-a", "[::1", "a:", "a:x", "a/b", "a'b", "é", "a\n", "x" * 254]
)
def test_what_no_host_is(host: str) -> None:
    assert not is_host(host)
