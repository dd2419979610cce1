"""The commands and their options. What runs a command is imported when it is run."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from fathom import __version__
from fathom.bots.ranks import RANKS
from fathom.cli.admin_options import add_admin
from fathom.cli.terminal import MISUSED, OK, complain

ABOUT = "Fathom: a submarine duel in which two crews hunt each other by ear."
EPILOG = """\
`fathom` alone starts the game in your browser, and friends on your network can join; Ctrl-C ends
it. `fathom serve` does the same with options. `fathom COMMAND --help` tells more about a command.
"""

PLAY = """\
Watch two bots fight a duel. Each hears only what its crew would hear, and knows of the other
submarine what can be worked out from that.
"""
PLAY_KEYS = """\
keys on a terminal:
  space  pause, and go on      +  faster      -  slower      q  leave
"""
REFEREE = """\
Judge games for any program in any language: one JSON message a line on stdin, one answer a line
on stdout. docs/referee.md describes the messages. Try it by hand:

  echo '{"do":"hello"}' | fathom referee
"""
REPLAY = """\
Look at a recorded duel. On a terminal you step through it with keys; otherwise every step that
was announced is printed as a frame.
"""
REPLAY_KEYS = """\
keys on a terminal:
  Enter, space, right  to the next announcement     left, b  back
  .                    one step, marks included     ,        one step back
  g  to the beginning      G  to the end            q        leave
"""
SERVE = """\
Serve tables on the network: friends join by link, QR code or a table's short code. Games are kept
in a file and go on after a restart. Options, environment variables (FATHOM_HOST, FATHOM_PORT and so
on) and a configuration file say the same, in this order; docs/operating.md lists all settings.
"""
JOIN = """\
Play a bot at a table of a server: your own program, or one of ours. Your program reads the server's
messages for its seat, one JSON object a line, and writes orders; docs/protocol.md describes both.

  fathom join http://localhost:8470/t/K7QMX --crew b --program "python my_bot.py"
  fathom join http://localhost:8470/t/K7QMX --crew b --rank commander

It comes as a new player, unless FATHOM_TOKEN has a token that a player made for it in the settings:
then it plays that player's posts.
"""
MCP = """\
Hold a seat at a table of a server for a language model, as a server of the Model Context Protocol
on standard input and output. The model gets tools to look, order, wait and talk. Name this command
in the configuration of the model's program; it needs the extra lab.

  fathom mcp http://localhost:8470/t/K7QMX --crew b

It comes as a new player, or with FATHOM_TOKEN as the player who made that token in the settings.
"""
POSTS = ("captain", "first-mate", "engineer", "radio-operator")
LOG = "Look after what servers keep: games, tables, players."
LOG_COPY = """\
Copy everything that a server keeps into another log, count it and compare digests. A log is the
address of a PostgreSQL, or a file or data folder of an embedded one. The target must be empty.
Stop the servers first: what they write after the copy has begun is not in it.

  fathom log copy ~/.local/share/fathom postgresql://fathom@db/fathom
  fathom log copy postgresql://fathom@db/fathom backup.db
"""
LOG_PRUNE = """\
Delete what servers have kept for long enough: lines of chat, tables where nobody has been, players
who have not come back. Servers do the same in the background, as their settings say, and may be
running. Finished games are never deleted.

Servers delete nothing in their first hours, nothing while their clock does not agree with the log,
and nothing of a kind of which more than a quarter is old at once. They warn, and leave it to this
command.

  fathom log prune --data /var/lib/fathom --chat-days 30 --dry-run
"""
RETAINED = {
    "chat": "lines of chat older than this",
    "table": "tables where nobody has been for so long, with a game that is not finished",
    "player": "players who have not come for so long, and sit at no table",
}
CHARTS = "List the charts, draw one (or both sizes of a scenario), or check one of your own."
RULES = """\
Read the rules by their names. An order that is refused is refused with the name of a rule.

  fathom rules                        all names, by section
  fathom rules silence.move           one rule, and what each rulebook says
  fathom rules --search island        rules that speak of something
  fathom rules --language uk          the same in another language
"""

ARENA = """\
Let bots fight tournaments, and see how strong they are. An entrant is a rank (cadet, ensign,
lieutenant, commander, commodore, admiral), python:FILE.py:CALLABLE, python:MODULE:CALLABLE or
program:COMMAND; NAME=ENTRANT gives it a name. docs/writing-a-bot.md tells how to write one.

  fathom arena --quick                        every rank, in less than a minute
  fathom arena admiral mine=python:my_bot.py:Bot --games 40
"""

DATA = Path(__file__).parents[1] / "data"
BOOKS = tuple(sorted(file.stem for file in (DATA / "rulebooks").glob("*.toml")))
"""The rulebooks, by their files: the library takes too long to load for a line of help."""
LANGUAGES = ("en", *sorted(file.suffixes[0][1:] for file in DATA.glob("rules.*.toml")))
USUAL_BOOK = "captain-sonar"


class Parser(ArgumentParser):
    """Says in one sentence what is wrong, and where help is."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False, **settings
        )

    def error(self, message: str) -> NoReturn:
        """End with a sentence instead of the whole usage."""
        complain(f"{message} (see `{self.prog} --help`)")
        sys.exit(MISUSED)


def runs(module: str) -> Callable[[Namespace], int]:
    """The command in that module, imported when it is run."""

    def run(options: Namespace) -> int:
        result: int = import_module(f"fathom.cli.{module}").run(options)
        return result

    return run


def build_parser() -> Parser:
    """All commands."""
    parser = Parser(prog="fathom", description=ABOUT, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"fathom {__version__}")
    parser.set_defaults(run=start)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    add_serve(commands)
    add_play(commands)
    add_rules(commands)
    add_charts(commands)
    add_replay(commands)
    add_referee(commands)
    add_arena(commands)
    add_join(commands)
    add_mcp(commands)
    add_log(commands)
    add_admin(commands, print_help)
    # Not in the help: a frozen program starts itself this way, see `operating_system`.
    worker = commands.add_parser("bot-worker")
    worker.set_defaults(run=work_for_bots)
    worker.add_argument("--json-logs", action="store_true")
    return parser


def start(_: Namespace) -> int:
    """What a newcomer gets who types nothing but the name: the game."""
    result: int = import_module("fathom.cli.serve").start()
    return result


def work_for_bots(_: Namespace) -> int:
    """A process in which bots think, until the server closes the pipe."""
    import_module("fathom.server.bot_worker").main()
    return OK


def print_help(parser: Parser) -> int:
    """What those see who have not said which action."""
    parser.print_help()
    return OK


def add_play(commands: Any) -> None:
    play = commands.add_parser(
        "play",
        help="watch two bots duel in the terminal",
        description=PLAY,
        epilog=PLAY_KEYS,
    )
    play.set_defaults(run=runs("play"))
    play.add_argument("--rulebook", choices=BOOKS, default=USUAL_BOOK, help="which rules")
    play.add_argument("--scenario", metavar="NAME", help="where (see `fathom charts`)")
    modes = ("turn-by-turn", "real-time")
    play.add_argument("--mode", choices=modes, default=modes[0], help="how it is paced")
    play.add_argument("--seed", type=whole, metavar="N", help="the same seed, the same duel")
    play.add_argument(
        "--speed",
        type=positive,
        default=1.0,
        metavar="X",
        help="2 is twice as fast, 0.5 half as fast; usual: 1",
    )
    play.add_argument(
        "--ranks",
        nargs=2,
        choices=[rank.value for rank in RANKS],
        default=("admiral", "admiral"),
        metavar=("RANK", "RANK"),
        help="who duels, from cadet to admiral; usual: two admirals",
    )
    play.add_argument("--plain", action="store_true", help="lines of text, nothing drawn live")
    play.add_argument("--save", metavar="FILE", help="write a logbook, for `fathom replay`")


def add_rules(commands: Any) -> None:
    rules = commands.add_parser("rules", help="read the rules", description=RULES)
    rules.set_defaults(run=runs("rules"))
    rules.add_argument("name", nargs="?", metavar="NAME", help="a rule, such as move.course")
    rules.add_argument("--book", choices=BOOKS, help="only what this rulebook says")
    rules.add_argument(
        "--language", choices=LANGUAGES, default="en", help="in which language; usual: en"
    )
    what = rules.add_mutually_exclusive_group()
    what.add_argument("--search", metavar="WORD", help="rules that speak of something")
    what.add_argument(
        "--fields", action="store_true", help="the rulebooks' fields: what a table can change"
    )
    what.add_argument("--markdown", action="store_true", help="all rules as one page")


def add_charts(commands: Any) -> None:
    charts = commands.add_parser("charts", help="look at the charts", description=CHARTS)
    charts.set_defaults(run=runs("charts"))
    what = charts.add_mutually_exclusive_group()
    what.add_argument("name", nargs="?", metavar="NAME", help="a scenario, or a chart: alpha-15")
    what.add_argument("--all", action="store_true", help="draw every chart")
    what.add_argument("--check", metavar="FILE", help="check a chart of your own, and draw it")


def add_replay(commands: Any) -> None:
    replay = commands.add_parser(
        "replay",
        help="look at a recorded duel, step by step",
        description=REPLAY,
        epilog=REPLAY_KEYS,
    )
    replay.set_defaults(run=runs("replay"))
    replay.add_argument("file", metavar="FILE", help="a logbook; - reads it from stdin")
    replay.add_argument("--side", metavar="COLOUR", help="only what that crew knows")
    replay.add_argument("--to", type=whole, metavar="N", help="begin after step N")
    replay.add_argument("--auto", type=positive, metavar="SECONDS", help="play by itself")


def add_referee(commands: Any) -> None:
    referee = commands.add_parser(
        "referee", help="judge games for another program, by JSON lines", description=REFEREE
    )
    referee.set_defaults(run=runs("referee"))
    referee.add_argument(
        "--games",
        type=whole,
        default=100,
        metavar="N",
        help="how many games may run at once; usual: 100",
    )


def add_arena(commands: Any) -> None:
    arena = commands.add_parser(
        "arena", help="tournaments between bots, and their ratings", description=ARENA
    )
    arena.set_defaults(run=runs("arena"))
    arena.add_argument("entrants", nargs="*", metavar="ENTRANT", help="usual: every rank")
    what = arena.add_mutually_exclusive_group()
    what.add_argument("--quick", action="store_true", help="a few games, in less than a minute")
    what.add_argument("--bars", action="store_true", help="what the ranks must reach, judged")
    what.add_argument("--soak", type=whole, metavar="N", help="N games of every kind")
    add_pairings(arena)
    add_places(arena)
    arena.add_argument("--seed", type=whole, default=1, metavar="N", help="usual: 1")
    arena.add_argument("--jobs", type=whole, metavar="N", help="processes; usual: all cores")
    arena.add_argument("--out", metavar="FOLDER", help="where results and logbooks are kept")
    arena.add_argument("--markdown", action="store_true", help="tables in Markdown")
    arena.add_argument(
        "--answer-seconds",
        type=positive,
        default=10.0,
        metavar="S",
        help="how long a program may take for an answer; usual: 10",
    )


def add_pairings(arena: Any) -> None:
    """Who meets whom, and how often."""
    arena.add_argument("--games", type=whole, metavar="N", help="of each pairing; usual: 100")
    how = arena.add_mutually_exclusive_group()
    how.add_argument(
        "--pairing", choices=("round-robin", "ladder"), help="everyone, or each and the next"
    )
    how.add_argument(
        "--pair", action="append", metavar="ONE:OTHER", help="only these two; may be given again"
    )


def add_places(arena: Any) -> None:
    """Where and by which rules."""
    usual = {"charts": "alpha,bravo,charlie", "rulebooks": USUAL_BOOK}
    usual["modes"] = "turn-by-turn,real-time"
    for option, names in usual.items():
        arena.add_argument(
            f"--{option}", type=listed, default=names, metavar="NAMES", help=f"usual: {names}"
        )
    arena.add_argument(
        "--players", type=whole, default=2, metavar="N", help="8: four bots a crew; usual: 2"
    )
    arena.add_argument("--stations", choices=("open", "closed"), default="open", help="usual: open")
    arena.add_argument(
        "--pace", type=positive, default=1.0, metavar="X", help="2: hands are half as fast"
    )


def listed(text: str) -> list[str]:
    """Names with commas between them."""
    found = [name.strip() for name in text.split(",")]
    if not all(found):
        raise ArgumentTypeError(f"{text[:40]!r} lacks a name")
    return found


def add_serve(commands: Any) -> None:
    serve = commands.add_parser("serve", help="serve the game, with options", description=SERVE)
    serve.set_defaults(run=runs("serve"))
    serve.add_argument("--config", metavar="FILE", help="settings, as TOML: port = 8470")
    serve.add_argument("--host", metavar="ADDRESS", help="usual: 127.0.0.1; 0.0.0.0 lets others in")
    serve.add_argument("--port", type=whole, metavar="N", help="usual: 8470; 0 takes a free one")
    serve.add_argument("--data", metavar="FOLDER", help="where games are kept")
    serve.add_argument(
        "--log", metavar="LOG", help="usual: sqlite; for many processes postgresql://USER@HOST/NAME"
    )
    serve.add_argument(
        "--tls",
        action="store_true",
        help="HTTPS with a certificate of its own: phones warn once, and then allow more",
    )
    serve.add_argument(
        "--announce", action="store_true", help="be found on your network as fathom.local"
    )
    serve.add_argument("--public", metavar="URL", help="what links and QR codes begin with")
    serve.add_argument("--json-logs", action="store_true", help="notes as JSON lines")
    serve.add_argument("--open", action="store_true", help="open the browser")


def add_join(commands: Any) -> None:
    join = commands.add_parser("join", help="play a bot at a server's table", description=JOIN)
    join.set_defaults(run=runs("join"))
    join.add_argument("url", metavar="URL", help="the table's link")
    join.add_argument("--name", default="Bot", metavar="NAME", help="usual: Bot")
    join.add_argument("--crew", choices=("a", "b"), default="b", help="which crew; usual: b")
    join.add_argument("--post", action="append", choices=POSTS, help="usual: all that are free")
    who = join.add_mutually_exclusive_group()
    who.add_argument("--program", metavar="COMMAND", help="a program that speaks JSON lines")
    ranks = ("cadet", "ensign", "lieutenant", "commander", "commodore", "admiral")
    who.add_argument("--rank", choices=ranks, default="lieutenant", help="one of our bots")


def add_mcp(commands: Any) -> None:
    mcp = commands.add_parser("mcp", help="a seat for a language model", description=MCP)
    mcp.set_defaults(run=runs("mcp_seat"))
    mcp.add_argument("url", metavar="URL", help="the table's link")
    mcp.add_argument("--name", default="Model", metavar="NAME", help="usual: Model")
    mcp.add_argument("--crew", choices=("a", "b"), default="b", help="which crew; usual: b")
    mcp.add_argument("--post", action="append", choices=POSTS, help="usual: all that are free")


def add_log(commands: Any) -> None:
    log = commands.add_parser("log", help="look after what servers keep", description=LOG)
    log.set_defaults(run=lambda _: print_help(log))
    actions = log.add_subparsers(title="actions", metavar="ACTION")
    copy = actions.add_parser(
        "copy", help="copy everything into another log, and verify it", description=LOG_COPY
    )
    copy.set_defaults(run=runs("log"))
    copy.add_argument("source", metavar="SOURCE", help="the log that is copied")
    copy.add_argument("target", metavar="TARGET", help="where to; it must be empty")
    prune = actions.add_parser(
        "prune", help="delete what has been kept for long enough", description=LOG_PRUNE
    )
    prune.set_defaults(run=runs("log_prune"))
    prune.add_argument("--config", metavar="FILE", help="the server's settings")
    prune.add_argument("--data", metavar="FOLDER", help="where games are kept")
    prune.add_argument("--log", metavar="LOG", help="as for `fathom serve`")
    prune.add_argument(
        "--dry-run", action="store_true", help="say what would be deleted, and delete nothing"
    )
    for what, about in RETAINED.items():
        prune.add_argument(
            f"--{what}-days", type=days, metavar="N", help=f"{about}; 0: keep for ever"
        )


def whole(text: str) -> int:
    """A number from 0 up."""
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise ArgumentTypeError(f"{text[:20]!r} is not a whole number")
    return int(text)


def days(text: str) -> float:
    """A number of days, or 0."""
    return 0.0 if text == "0" else positive(text)


def positive(text: str) -> float:
    """A number above 0, within reason."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not isfinite(number) or not 0.001 <= number <= 100_000:
        raise ArgumentTypeError(f"{text[:20]!r} is not a number above 0")
    return number
