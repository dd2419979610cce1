"""Settings: by flags, by the environment, by a file; what is not known is an error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fathom import client as fathom_client
from fathom.client import Failed
from fathom.server.config import BadConfig, Config, read_config
from fathom.server.limits import CHAT, RATES, Rate
from tests.server.crashes import ServerProcess
from tests.server.serving import run

FILE = """
port = 1111
public = "https://file.example/"
tables_per_hour = 7
origins = ["https://a.example", "https://b.example"]
chat_days = 30
[rates]
orders = { burst = 5, per_second = 2.5 }
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in os.environ:
        if name.startswith("FATHOM_"):
            monkeypatch.delenv(name)
    place = tmp_path / "fathom.toml"
    place.write_text(FILE)
    return place


def test_flags_come_before_the_environment_and_that_before_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_config() == Config()
    config = read_config(str(file))
    assert (config.port, config.public, config.tables_per_hour) == (
        *(1111, "https://file.example/", 7),
    )
    assert config.origins == ("https://a.example", "https://b.example")
    assert config.retention.chat == 30
    assert config.rate("orders") == Rate(5, 2.5)
    assert config.rate("chat") == CHAT
    monkeypatch.setenv("FATHOM_CONFIG", str(file))
    monkeypatch.setenv("FATHOM_PORT", "2222")
    monkeypatch.setenv("FATHOM_ORIGINS", "https://c.example,https://d.example")
    monkeypatch.setenv("FATHOM_BEHIND_PROXY", "true")
    config = read_config(public="https://flag.example/", port=None)
    assert (config.port, config.public, config.tables_per_hour) == (
        *(2222, "https://flag.example/", 7),
    )
    assert config.origins == ("https://c.example", "https://d.example")
    assert config.behind_proxy
    assert read_config(port=3333).port == 3333


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("prot = 5", "there is no setting prot; did you mean port?"),
        ("[rates]\nordres = { burst = 1, per_second = 1 }", "did you mean orders?"),
        ("port = 'x'", "port: Expected `int`"),
        ("[rates]\norders = { burst = 1, a_second = 1 }", "rates: Object"),
        ("[rates]\norders = { burst = 0, per_second = 1 }", "rates: Expected `float` >= 1"),
        ("table_days = 0.1", "table_days is 0 (keep for ever), or 1 or more"),
        ("port = ", "can't be read: Invalid value"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(line: str, words: str, file: Path) -> None:
    file.write_text(line)
    with pytest.raises(BadConfig) as bad:
        read_config(str(file))
    assert words in str(bad.value)
    assert "table_days" in line or str(file) in str(bad.value)


def test_an_unknown_variable_is_an_error_that_names_the_nearest(tmp_path: Path) -> None:
    for variable, words in {
        "FATHOM_PROT": "there is no environment variable FATHOM_PROT; did you mean FATHOM_PORT?",
        "FATHOM_QQQQQQ": "there is no environment variable FATHOM_QQQQQQ\n",
        "FATHOM_PORT": "FATHOM_PORT: Expected `int`",
        "FATHOM_TRUSTED_PROXIES": "trusted_proxies: 'x' is no address or network",
        "FATHOM_CONFIG": "the configuration file x can't be read: No such file",
    }.items():
        done = subprocess.run(  # noqa: S603
            (sys.executable, "-m", "fathom.cli", "serve", "--data", str(tmp_path)),
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, variable: "x"},
        )
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert words in done.stderr


def test_every_rate_can_be_set() -> None:
    named = {"orders", "chat", "openings", "arrivals", "new_players", "recoveries", "api"}
    assert {*named, "guesses", "all_guesses"} <= set(RATES)


def test_a_rate_of_the_file_holds(tmp_path: Path) -> None:
    (tmp_path / "fathom.toml").write_text(
        "[rates]\nnew_players = { burst = 2, per_second = 0.0001 }"
    )

    async def story() -> None:
        server = ServerProcess(tmp_path / "data")
        server.settings = {
            "FATHOM_CONFIG": str(tmp_path / "fathom.toml"),
            "FATHOM_RATE_FACTOR": "1",
        }
        await server.start()
        for _ in range(2):
            await fathom_client.register(server.url, "Ann")
        with pytest.raises(Failed, match="too-many-messages"):
            await fathom_client.register(server.url, "Ann")
        assert await server.stop() == 0

    run(story())
