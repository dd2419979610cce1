"""``fathom admin``: what an operator does, asked of a running server over HTTP."""

import asyncio
import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import quote, urlencode

import aiohttp

from fathom.cli.terminal import OK, Failure
from fathom.server.addresses import EVERYWHERE
from fathom.server.config import BadConfig, Config, read_config
from fathom.server.troubles import MEANINGS

JsonObject: TypeAlias = dict[str, Any]
SECONDS: Final = 30.0
"""How long a server may take: to delete somebody who played for years is some work."""


class Asked(NamedTuple):
    """One request."""

    method: str
    path: str
    body: JsonObject | None = None


def run(options: Namespace) -> int:
    """Ask, and print what was answered."""
    try:
        config = read_config(options.config)
    except BadConfig as bad:
        raise Failure(str(bad)) from None
    asked = REQUESTS[options.action](options)
    token, server = token_of(config, options.token_file), options.server or place_of(config)
    confirm(options)
    answer = asyncio.run(ask(server, token, asked))
    if options.json:
        print(json.dumps(answer, ensure_ascii=False, indent=2))
    else:
        for line in PRINTED[options.action](answer):
            print(line)
    return OK


def token_of(config: Config, file: str | None) -> str:
    """The operator's token."""
    if file:
        try:
            return Path(file).expanduser().read_text("utf-8").strip()
        except (OSError, UnicodeError) as bad:
            raise Failure(f"the token can't be read from {file}: {bad}") from None
    found = list(config.operator_tokens.values())
    if not found:
        raise Failure("there is no operator's token: set FATHOM_OPERATOR_TOKEN, or --token-file")
    return found[0]


def place_of(config: Config) -> str:
    """Where the server is that the settings describe."""
    host = "127.0.0.1" if config.host in EVERYWHERE else config.host
    return f"http://{f'[{host}]' if ':' in host else host}:{config.port}"


def confirm(options: Namespace) -> None:
    """What can't be undone is asked for first."""
    if getattr(options, "yes", True):
        return
    what = options.player if options.action == "delete" else options.table
    if not sys.stdin.isatty():
        raise Failure(f"to {options.action} {what} can't be undone: say --yes")
    print(f"To {options.action} {what} can't be undone. Go on? [y/N] ", end="", flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Failure("nothing was done")


async def ask(server: str, token: str, asked: Asked) -> JsonObject:
    """What the server answers."""
    url = f"{server.rstrip('/')}/api/admin/{asked.path}"
    headers = {"Authorization": f"Bearer {token}"}
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.request(asked.method, url, json=asked.body, headers=headers) as response,
        ):
            found: JsonObject = await response.json()
    except (aiohttp.ClientError, TimeoutError, ValueError) as bad:
        reason = str(bad) or type(bad).__name__
        raise Failure(f"the server at {server} does not answer: {reason}") from None
    if response.status >= 400:
        raise Failure(trouble(server, found))
    return found


def trouble(server: str, found: JsonObject) -> str:
    """What went wrong, in one sentence."""
    error, about = found.get("error", "internal"), found.get("arguments", {})
    if error == "unknown-path":
        return f"the server at {server} has no operator's token in its settings"
    if error == "bad-token":
        return f"the server at {server} does not know this operator's token"
    meaning = MEANINGS.get(error, "")
    particulars = ", ".join(f"{name}: {value}" for name, value in about.items())
    return f"{error}: {meaning}{f' ({particulars})' if particulars else ''}"


# What is asked


def search(path: str) -> Callable[[Namespace], Asked]:
    def asked(options: Namespace) -> Asked:
        query = {"search": options.search, "most": options.most}
        if getattr(options, "closed", False):
            query["state"] = "closed"
        return Asked("GET", f"{path}?{urlencode(query)}")

    return asked


def about_player(options: Namespace, method: str, body: JsonObject | None = None) -> Asked:
    return Asked(method, f"players/{quote(options.player, safe='')}", body)


def about_table(
    options: Namespace, method: str, rest: str = "", body: JsonObject | None = None
) -> Asked:
    return Asked(method, f"tables/{quote(options.table.upper(), safe='')}{rest}", body)


def ban(options: Namespace) -> Asked:
    who = {"player": options.player} if options.player else {"network": options.address}
    return Asked("POST", "bans", {**who, "reason": options.reason, "seconds": options.seconds})


def announce(options: Namespace) -> Asked:
    if options.clear:
        return Asked("DELETE", "announcement")
    if options.restart is None and not options.text.strip():
        raise Failure("say what to announce, or --in 10m for a restart, or --clear")
    return Asked("PUT", "announcement", {"restart_seconds": options.restart, "text": options.text})


def drain(options: Namespace) -> Asked:
    if options.cancel:
        return Asked("DELETE", "drain")
    return Asked("POST", "drain", {"seconds": options.within})


def entry(options: Namespace) -> str:
    return quote(options.entry.upper(), safe="")


REQUESTS: Final[dict[str, Callable[[Namespace], Asked]]] = {
    **{name: search(name) for name in ("players", "tables", "games", "reports", "audit")},
    "player": lambda options: about_player(options, "GET"),
    "rename": lambda options: about_player(options, "PATCH", {"name": options.name}),
    "delete": lambda options: about_player(options, "DELETE"),
    "close": lambda options: about_table(options, "DELETE"),
    "chat": lambda options: about_table(options, "GET", "/chat"),
    "remove-lines": lambda options: about_table(
        options, "POST", "/chat/remove", {"lines": options.lines}
    ),
    "bans": lambda _: Asked("GET", "bans"),
    "ban": ban,
    "unban": lambda options: Asked("DELETE", f"bans/{entry(options)}"),
    "close-report": lambda options: Asked("POST", f"reports/{entry(options)}/close"),
    "announce": announce,
    "drain": drain,
    "status": lambda _: Asked("GET", "process"),
}


# What is printed


def when(moment: int | None) -> str:
    """A moment, in this machine's time."""
    if not moment:
        return "-"
    return datetime.fromtimestamp(moment / 1000).astimezone().strftime("%Y-%m-%d %H:%M")


def columns(heads: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> list[str]:
    """A table of plain text; the last column is as long as it is."""
    cells = [heads, *(tuple(map(str, row)) for row in rows)]
    if len(cells) == 1:
        return ["Nothing found."]
    widths = [max(len(row[place]) for row in cells) for place in range(len(heads) - 1)]
    return [
        "  ".join((*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]))
        for row in cells
    ]


def print_players(answer: JsonObject) -> list[str]:
    rows = [
        (
            player["who"],
            when(player["seen"]),
            "here" if player.get("here") else "",
            f"banned: {player['ban']['reason']}" if player.get("ban") else "",
            player["name"],
        )
        for player in answer["players"]
    ]
    return columns(("id", "last seen", "", "", "name"), rows)


def print_tables(answer: JsonObject) -> list[str]:
    rows = [
        (
            table["code"],
            table["phase"],
            when(table["visited"]),
            "listed" if table["listed"] else "by link",
            table["host_name"],
            ", ".join(f"{person['name']} ({person['who']})" for person in table["persons"]),
        )
        for table in answer["tables"]
    ]
    return columns(("code", "phase", "last visit", "", "host", "people"), rows)


def print_games(answer: JsonObject) -> list[str]:
    rows = [
        (
            game["game"],
            game["table"],
            when(game["began"]),
            "over" if game["over"] else "under way",
            " against ".join(", ".join(crew) for crew in game["players"]),
        )
        for game in answer["games"]
    ]
    return columns(("id", "table", "began", "", "players"), rows)


def print_player(answer: JsonObject) -> list[str]:
    return [
        *print_players({"players": [answer["player"]]}),
        "",
        *print_tables(answer),
        "",
        *print_games(answer),
    ]


def print_lines(lines: list[JsonObject]) -> list[str]:
    rows = [
        (
            line["number"],
            when(line["at"]),
            line["channel"],
            line["name"],
            line.get("who") or "-",
            line.get("text") or line.get("phrase") or "(removed)",
        )
        for line in lines
    ]
    return columns(("line", "at", "to", "name", "id", "text"), rows)


def print_reports(answer: JsonObject) -> list[str]:
    if not answer["reports"]:
        return ["Nothing found."]
    lines: list[str] = []
    for report in answer["reports"]:
        said = report["report"]
        by = f"{report['by_name'] or '-'} ({report['by']})"
        closed = f", closed by {report['closed_by']}" if report.get("closed") else ""
        lines += [
            f"{report['id']}  {when(report['at'])}  table {report['table']}  {said['why']}{closed}",
            f"  by {by}" + (f": {said['text']}" if said["text"] else ""),
            *(f"  {line}" for line in print_lines(said["lines"])),
            "",
        ]
    return lines[:-1]


def print_bans(answer: JsonObject) -> list[str]:
    rows = [
        (
            ban["id"],
            ban["who"] or ban["network"],
            when(ban["until"]) if ban["until"] else "for ever",
            ban["by"],
            ban["reason"],
        )
        for ban in answer["bans"]
    ]
    return columns(("ban", "player or network", "until", "by", "reason"), rows)


def print_audit(answer: JsonObject) -> list[str]:
    rows = [
        (
            when(note["at"]),
            note["by"],
            note["address"] or "-",
            note["action"],
            f"{note['target']} {note['detail']}".strip(),
        )
        for note in answer["notes"]
    ]
    return columns(("at", "by", "from", "did", "to"), rows)


def print_announcement(answer: JsonObject) -> list[str]:
    if not answer["until"]:
        return ["Nothing is announced."]
    restart = f"a restart at {when(answer['restart'])}" if answer["restart"] else ""
    said = ", ".join(filter(None, (restart, answer["text"])))
    return [f"Announced until {when(answer['until'])}: {said}"]


def print_process(answer: JsonObject) -> list[str]:
    state = f"drains, ends within {answer['seconds_left']} s" if answer["draining"] else "serves"
    counts = ", ".join(f"{answer[name]} {name}" for name in ("connections", "tables", "games"))
    return [f"Process {answer['process']} of Fathom {answer['fathom']} {state}: {counts}."]


def print_done(answer: JsonObject) -> list[str]:
    return [f"{answer['done'].capitalize()}: {answer['to']}"]


PRINTED: Final[dict[str, Callable[[JsonObject], list[str]]]] = {
    "players": print_players,
    "tables": print_tables,
    "games": print_games,
    "reports": print_reports,
    "audit": print_audit,
    "player": print_player,
    "rename": print_done,
    "delete": print_done,
    "close": print_done,
    "chat": lambda answer: print_lines(answer["lines"]),
    "remove-lines": print_done,
    "bans": print_bans,
    "ban": lambda answer: print_bans({"bans": [answer]}),
    "unban": lambda answer: ["Lifted:", *print_bans({"bans": [answer]})],
    "close-report": print_done,
    "announce": print_announcement,
    "drain": print_process,
    "status": print_process,
}
