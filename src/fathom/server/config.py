"""How a server is run: by flags, or by environment variables called ``FATHOM_…``."""

import os
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

PREFIX: Final = "FATHOM_"


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that an operator may choose."""

    host: str = "127.0.0.1"
    port: int = 8470
    data: str = "~/.local/share/fathom"
    """Where the embedded log lies."""
    log: str = "sqlite"
    """``sqlite``, or the address of a PostgreSQL."""
    public: str = ""
    """The address that links and QR codes carry; as the browser came, if empty."""
    origins: tuple[str, ...] = ()
    """Other addresses whose pages may connect; its own always may."""
    bot_processes: int = 0
    """0: one less than there are cores."""
    connections: int = 20_000
    """At most, altogether."""
    connections_per_address: int = 200
    tables_per_hour: int = 10
    """Per address."""
    rate_factor: float = 1.0
    """All other rates, times this; for benches and tests."""
    behind_proxy: bool = False
    """Whether the last address in X-Forwarded-For is the client's."""
    json_logs: bool = False

    @property
    def folder(self) -> Path:
        """The data folder."""
        return Path(self.data).expanduser()


def from_environment(**flags: object) -> Config:
    """The flags that are given, else the environment, else what is usual."""
    given = {name: value for name, value in flags.items() if value is not None}
    found: dict[str, object] = {}
    for field in msgspec.structs.fields(Config):
        value = os.environ.get(PREFIX + field.name.upper())
        if value is not None:
            found[field.name] = value.split(",") if field.name == "origins" else value
    return msgspec.convert({**found, **given}, Config, strict=False)
