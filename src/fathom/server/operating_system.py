"""What differs between operating systems; nothing else may ask which one it is.

Linux and macOS have all of this. Windows has neither ``resource`` nor ``fcntl`` nor uvloop nor
process groups nor the loop's own signal handlers, and ``tests/server/test_windows.py`` hides them.
A frozen program (``make bundle``) differs, too: it has no Python that could run a module.
"""

import asyncio
import contextlib
import mmap
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Final, Literal, TypeAlias


def module_if_there(name: str) -> ModuleType | None:
    """A module that only some systems have."""
    try:
        return import_module(name)
    except ImportError:
        return None


resource, fcntl, msvcrt = map(module_if_there, ("resource", "fcntl", "msvcrt"))

EventLoop: TypeAlias = Literal["uvloop", "asyncio"]
STATM: Final = Path("/proc/self/statm")
FAR_AWAY: Final = 1 << 30
"""On Windows locked bytes can't be read by others, so a lock is far behind what is written."""
END_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""SIGHUP comes when the terminal is closed, unless ``nohup`` has it ignored."""


def loop_factory(wanted: EventLoop) -> Callable[[], asyncio.AbstractEventLoop]:
    """uvloop, which is faster, where it is wanted and there is one; else Python's own."""
    if wanted == "uvloop":
        with contextlib.suppress(ImportError):
            import uvloop  # noqa: PLC0415  (not on every system)

            return uvloop.new_event_loop
    return asyncio.new_event_loop


def data_folder() -> str:
    """Where programs keep what is a user's own."""
    if sys.platform == "win32":
        return str(Path(os.environ.get("LOCALAPPDATA", "~")) / "Fathom")
    return "~/.local/share/fathom"


def bot_command() -> tuple[str, ...]:
    """How a process is started in which bots think."""
    if getattr(sys, "frozen", False):
        return sys.executable, "bot-worker"
    # -I would lose an editable install; the environment is ours anyway.
    return sys.executable, "-m", "fathom.server.bot_worker"


def own_group() -> dict[str, Any]:
    """How a process is started that Ctrl-C in our terminal must not reach."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def has_screen() -> bool:
    """Whether a browser can be shown. Without a screen Linux would open one in the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a process that has a group of its own, and what it has started where that is known."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def open_standard_streams() -> None:
    """If the process was started without some of them, let them lead nowhere.

    Otherwise the next file or socket would have their number, and libuv aborts when it closes that.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def call_at_end(call: Callable[[], object]) -> None:
    """Have a function called in the running loop when somebody ends the process."""
    loop = asyncio.get_running_loop()
    for number in END_SIGNALS:
        if signal.getsignal(number) is signal.SIG_IGN:
            continue
        try:
            loop.add_signal_handler(number, call)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(call))


def cut_off(transport: asyncio.BaseTransport) -> None:
    """End a connection at once, whatever state it is in."""
    # asyncio's own TLS, unlike uvloop's, has nothing left to abort after it was closed twice.
    with contextlib.suppress(AttributeError):
        transport.abort()  # type: ignore[attr-defined]


def allow_descriptors(wanted: int) -> int | None:
    """Raise the limit of open descriptors as far as we may; what it is now, if there is one."""
    if resource is None:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if most > soft:
        # macOS says that there is no hard limit, and yet refuses what its kernel can't have.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return int(soft)


def resident() -> int | None:
    """Bytes that the process holds in memory; None where that can't be had for a glance."""
    try:
        return int(STATM.read_text().split()[1]) * mmap.PAGESIZE
    except OSError:
        return None


def lock_file(file: IO[bytes]) -> None:
    """Lock a file until this process ends, however it ends; ``OSError`` if another has it."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif msvcrt is not None:
        file.seek(FAR_AWAY)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(0)
