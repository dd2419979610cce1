"""Who may not come: players by their id, and addresses by their network."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_network
from typing import Final

from fathom.server.addresses import SUBNET, parsed
from fathom.server.moderation_log import Ban
from fathom.server.troubles import Trouble

WIDEST: Final = {4: 8, 6: 16}
"""Bits that a banned network must have at least: a slip must not ban everybody."""


class Bans:
    """All bans that are in force."""

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self.players: dict[str, Ban] = {}
        self.networks: dict[tuple[int, int], dict[int, Ban]] = {}
        """By version and length of prefix: looking one up costs the same however many there are."""
        for ban in bans:
            if ban.who:
                self.players.setdefault(ban.who, ban)
            else:
                network = ip_network(ban.network)
                same = self.networks.setdefault((network.version, network.prefixlen), {})
                same.setdefault(int(network.network_address), ban)

    def player(self, who: str, now: int) -> Ban | None:
        """Why a player may not come."""
        return in_force(self.players.get(who), now)

    def address(self, name: str, now: int) -> Ban | None:
        """Why nobody may come from an address, or an IPv6 subnet, as it is counted."""
        found = parsed(name.partition("/")[0])
        if found is None:
            return None
        for (version, length), bans in self.networks.items():
            if version == found.version:
                shift = found.max_prefixlen - length
                ban = in_force(bans.get(int(found) >> shift << shift), now)
                if ban is not None:
                    return ban
        return None


def in_force(ban: Ban | None, now: int) -> Ban | None:
    """The ban, unless it has run out."""
    return ban if ban is not None and (ban.until == 0 or ban.until > now) else None


def network_of(text: str) -> str:
    """An address or network as bans have it; one of IPv6 is at least a whole subnet."""
    address, _, length = text.strip().partition("/")
    found = parsed(address)
    if found is None or not (length == "" or (length.isascii() and length.isdigit())):
        raise Trouble("bad-message", where="network")
    bits = int(length) if length else found.max_prefixlen
    if length and isinstance(found, IPv4Address) and ":" in address:
        bits -= 96
    if not WIDEST[found.version] <= bits <= found.max_prefixlen:
        raise Trouble("bad-message", where="network")
    network: IPv4Network | IPv6Network = ip_network(
        (found, bits if found.version == 4 else min(bits, SUBNET)), strict=False
    )
    return str(network)
