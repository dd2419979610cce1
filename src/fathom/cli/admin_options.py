"""The options of ``fathom admin``."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

ADMIN: Final = """\
Keep order on a server that runs: look at players, tables, games and reports, ban, rename, delete,
announce a restart, drain a process. It asks the server over HTTP and shows an operator's token:
FATHOM_OPERATOR_TOKEN, the server's configuration file or --token-file. Without --server it asks
the one that this machine's settings describe. Everything it changes is in `fathom admin audit`.

  fathom admin players Ann
  fathom admin ban --player ID --for 7d --reason "Insults"
  fathom admin announce --in 10m "New maps"
  fathom admin drain --within 30m --server http://10.0.0.2:8470
"""
UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
FOUND: Final = {
    "players": "list players, or search them by id or a part of their name",
    "tables": "list tables, or search them by code, name or id",
    "games": "list games, or search them by id, table or player",
    "reports": "list players' reports, with the lines that they are about",
    "audit": "list who did what, or search by operator, action or target",
}


def duration(text: str) -> int:
    """Seconds, from such as ``90``, ``10m``, ``2h`` or ``7d``."""
    digits, unit = (text[:-1], text[-1]) if text[-1:] in UNITS else (text, "s")
    if not (digits.isascii() and digits.isdigit()):
        raise ArgumentTypeError(f"{text[:20]!r} is no time: write 90, 10m, 2h or 7d")
    return int(digits) * UNITS[unit]


def run(options: Namespace) -> int:
    """Imported when it is run."""
    result: int = import_module("fathom.cli.admin").run(options)
    return result


def add_admin(commands: Any, print_help: Callable[[Any], int]) -> None:
    """All actions of an operator."""
    admin = commands.add_parser("admin", help="keep order on a server", description=ADMIN)
    admin.set_defaults(run=lambda _: print_help(admin))
    actions = admin.add_subparsers(title="actions", metavar="ACTION")

    def add(name: str, about: str) -> ArgumentParser:
        action: ArgumentParser = actions.add_parser(name, help=about, description=about)
        action.set_defaults(run=run, action=name)
        action.add_argument("--server", metavar="URL", help="usual: as the settings say")
        action.add_argument("--config", metavar="FILE", help="the server's settings")
        action.add_argument("--token-file", metavar="FILE", help="where the operator's token is")
        action.add_argument("--json", action="store_true", help="as the server answers")
        return action

    for name, about in FOUND.items():
        found = add(name, about)
        found.add_argument("search", nargs="?", default="", metavar="WORDS")
        found.add_argument("--most", type=int, default=50, metavar="N", help="usual: 50")
        if name == "reports":
            found.add_argument("--closed", action="store_true", help="those that are dealt with")
    add_actions(add)


def add_actions(add: Callable[[str, str], ArgumentParser]) -> None:
    """What is done to one thing."""
    add("player", "show a player with their tables and games").add_argument("player", metavar="ID")
    rename = add("rename", "give a player another name")
    rename.add_argument("player", metavar="ID")
    rename.add_argument("name", metavar="NAME")
    delete = add("delete", "delete a player and what belongs to them")
    delete.add_argument("player", metavar="ID")
    delete.add_argument("--yes", action="store_true", help="don't ask")
    close = add("close", "close a table; its unfinished game is deleted")
    close.add_argument("table", metavar="CODE")
    close.add_argument("--yes", action="store_true", help="don't ask")
    add("chat", "show the last lines of a table's chat").add_argument("table", metavar="CODE")
    lines = add("remove-lines", "remove lines of chat, from every screen")
    lines.add_argument("table", metavar="CODE")
    lines.add_argument("lines", nargs="+", type=int, metavar="NUMBER")
    add("bans", "list bans that are in force")
    ban = add("ban", "ban a player or a range of addresses")
    who = ban.add_mutually_exclusive_group(required=True)
    who.add_argument("--player", metavar="ID")
    who.add_argument("--address", metavar="NETWORK", help="203.0.113.9, or 203.0.113.0/24")
    ban.add_argument("--for", dest="seconds", type=duration, default=0, metavar="TIME", help="7d")
    ban.add_argument("--reason", required=True, metavar="TEXT", help="the banned person sees it")
    add("unban", "lift a ban").add_argument("entry", metavar="BAN")
    add("close-report", "mark a report as dealt with").add_argument("entry", metavar="REPORT")
    announce = add("announce", "tell all players something, such as a restart")
    announce.add_argument("text", nargs="?", default="", metavar="TEXT")
    announce.add_argument("--in", dest="restart", type=duration, metavar="TIME", help="restart in")
    announce.add_argument("--clear", action="store_true", help="announce nothing any more")
    drain = add("drain", "let a process run empty, and end")
    drain.add_argument("--within", type=duration, default=1800, metavar="TIME", help="usual: 30m")
    drain.add_argument("--cancel", action="store_true", help="go on as before")
    add("status", "show the process that answers")
