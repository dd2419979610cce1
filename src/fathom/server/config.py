"""How a server is run: by flags, environment variables called ``FATHOM_…``, or a TOML file."""

import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from fathom.server.limits import RATES, Rate
from fathom.server.log import Retention
from fathom.server.operating_system import EventLoop, data_folder

PREFIX: Final = "FATHOM_"
ELSEWHERE: Final = frozenset(
    PREFIX + name for name in ("CONFIG", "CHROMIUM", "NO_BROWSER", "SERVER", "TOKEN")
)
"""Variables that are no settings: where those are, and what this project's own tools heed."""
SHORTEST_TOKEN, LONGEST_TOKEN = 16, 100
FILE_ONLY: Final = ("rates", "operators")
"""Settings that are tables, so the environment has no place for them."""
LISTS: Final = ("origins", "trusted_proxies")
"""Settings with commas."""

LEAST_WATCH_DELAY: Final = 120


class BadConfig(ValueError):
    """What is wrong with the configuration, in one sentence for people."""


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that an operator may choose."""

    host: str = "127.0.0.1"
    port: int = 8470
    data: str = data_folder()
    """Where the embedded log lies."""
    log: str = "sqlite"
    """``sqlite``, or the address of a PostgreSQL."""
    tls: bool = False
    """HTTPS, with a certificate that the server makes for itself."""
    announce: bool = False
    """Whether other machines of the network find the server as ``fathom.local``."""
    public: str = ""
    """The address that links and QR codes carry; as the browser came, if empty."""
    origins: tuple[str, ...] = ()
    """Other addresses whose pages may connect; its own always may."""
    bot_processes: int = 0
    """0: one less than there are cores."""
    connections: int = 0
    """Websockets at most; 0: as many as the system's limit of open files allows, up to 20,000."""
    connections_per_address: int = 200
    tables_per_hour: int = 10
    """Per address."""
    shortest_watch_delay: int = 120
    """Seconds after which spectators see everything at the earliest, whatever a table agrees; two
    minutes or more."""
    rate_factor: float = 1.0
    """All other rates, times this; for benches and tests."""
    rates: dict[str, Rate] = {}
    """Rates that are not as usual, by name; in the file only, as ``[rates]``."""
    chat_days: float = 365.0
    """How long lines of chat are kept; 0: for ever."""
    table_days: float = 90.0
    """How long tables are kept where nobody has been, with a game that is not finished."""
    player_days: float = 730.0
    """How long players are kept who have not come back, and sit at no table."""
    behind_proxy: bool = False
    """Whether whoever connects is a proxy, and the last address in X-Forwarded-For the client's."""
    trusted_proxies: tuple[str, ...] = ()
    """The addresses or networks of proxies; X-Forwarded-For is believed as far as they wrote it."""
    host_seconds: float = 30.0
    """After which a table's host who is gone is no longer its host, if others hold posts there."""
    operator_token: str = ""
    """Who moderates this server must have it (``/api/admin``, ``fathom admin``)."""
    operators: dict[str, str] = {}
    """More of them, by the operator's name; in the file only, as ``[operators]``."""
    address_days: float = 30.0
    """How long the addresses of those who moderated are kept, and bans that have run out."""
    audit_days: float = 730.0
    """How long is kept who moderated what."""
    metrics_token: str = ""
    """Who asks for ``/metrics`` must have it; nobody can, if it is empty."""
    json_logs: bool = False
    event_loop: EventLoop = "uvloop"
    """``asyncio``: Python's own, as on systems without uvloop."""

    @property
    def folder(self) -> Path:
        """The data folder."""
        return Path(self.data).expanduser()

    @property
    def retention(self) -> Retention:
        """How long things are kept."""
        return Retention(self.chat_days, self.table_days, self.player_days)

    @property
    def operator_tokens(self) -> dict[str, str]:
        """The token of every operator, by name; none: nobody can moderate."""
        unnamed = {"operator": self.operator_token} if self.operator_token else {}
        return {**unnamed, **self.operators}

    def rate(self, name: str) -> Rate:
        """A rate, by its name in ``limits`` in small letters: as the operator set it, or usual."""
        return self.rates.get(name, RATES[name]).times(self.rate_factor)


def read_config(
    file: str | None = None, usual: Mapping[str, object] | None = None, **flags: object
) -> Config:
    """The flags that are given, else the environment, else the file, else what is usual.

    Raises ``BadConfig``.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    file = file or os.environ.get(f"{PREFIX}CONFIG")
    found = [
        (usual or {}, "{}"),
        (from_file(file), f"{file}: {{}}"),
        (from_environment(), f"{PREFIX}{{:upper}}"),
        (given, "--{:flag}"),
    ]
    values = {name: value for source, _ in found for name, value in source.items()}
    try:
        return checked(msgspec.convert(values, Config, strict=False))
    except msgspec.ValidationError as bad:
        what, _, path = str(bad).partition(" - at `$.")
        name = path.rstrip("`").partition(".")[0].partition("[")[0]
        places = [place for source, place in found if name in source]
        raise BadConfig(f"{spelt(places[-1], name)}: {what}" if places else str(bad)) from None


def checked(config: Config) -> Config:
    """The configuration, if it can be meant.

    Who is where is noted every ten minutes only. A shorter delay would show spectators, and players
    with a second tab, where submarines are.
    """
    for proxy in config.trusted_proxies:
        try:
            ip_network(proxy.strip(), strict=False)
        except ValueError:
            raise BadConfig(
                f"trusted_proxies: {proxy!r} is no address or network, such as 10.0.0.0/8"
            ) from None
    for name in ("chat_days", "table_days", "player_days", "address_days", "audit_days"):
        if not (getattr(config, name) == 0 or getattr(config, name) >= 1):
            raise BadConfig(f"{name} is 0 (keep for ever), or 1 or more")
    if config.shortest_watch_delay < LEAST_WATCH_DELAY:
        raise BadConfig(f"shortest_watch_delay is {LEAST_WATCH_DELAY} seconds or more")
    for name, token in config.operator_tokens.items():
        if not SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
            raise BadConfig(
                f"the token of {name} has {len(token)} characters; it must have "
                f"{SHORTEST_TOKEN} to {LONGEST_TOKEN}, such as `openssl rand -base64 24` prints"
            )
    return config


def spelt(place: str, name: str) -> str:
    """A setting as its place spells it."""
    return (
        place.replace("{:upper}", name.upper())
        .replace("{:flag}", name.replace("_", "-"))
        .replace("{}", name)
    )


def from_environment() -> dict[str, object]:
    """What the environment says."""
    names = {
        PREFIX + name.upper(): name for name in Config.__struct_fields__ if name not in FILE_ONLY
    }
    found: dict[str, object] = {}
    for variable, value in os.environ.items():
        if not variable.startswith(PREFIX) or variable in ELSEWHERE:
            continue
        if variable not in names:
            raise BadConfig(unknown("environment variable", variable, names))
        name = names[variable]
        found[name] = value.split(",") if name in LISTS else value
    return found


def from_file(place: str | None) -> dict[str, object]:
    """What the file says, if there is one."""
    if not place:
        return {}
    try:
        found = tomllib.loads(Path(place).expanduser().read_text("utf-8"))
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as bad:
        reason = bad.strerror if isinstance(bad, OSError) else bad
        raise BadConfig(f"the configuration file {place} can't be read: {reason}") from None
    rates = found.get("rates")
    for name in found:
        if name not in Config.__struct_fields__:
            raise BadConfig(f"{place}: {unknown('setting', name, Config.__struct_fields__)}")
    for name in rates if isinstance(rates, dict) else ():
        if name not in RATES:
            raise BadConfig(f"{place}: {unknown('rate', name, RATES)}")
    return found


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """That there is no such thing, and what may have been meant."""
    # What all variables begin with makes none of them more alike.
    short = {each.removeprefix(PREFIX): each for each in known}
    near = difflib.get_close_matches(name.removeprefix(PREFIX), short, 1, 0.5)
    return f"there is no {kind} {name}" + (f"; did you mean {short[near[0]]}?" if near else "")
