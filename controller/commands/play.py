"""`uno-attack play`: builds a table's parts, joins them, and runs them until they are told to end. No game logic."""

from __future__ import annotations

import argparse
import asyncio
import faulthandler
import logging
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from controller.commands import CommandError
from controller.commands.configuring import add_config_argument, bridge_of, data_directory, launcher_settings, load
from controller.commands.keys import Keys
from controller.commands.sounding import Sounding
from controller.commands.terminal_qr import plain_qr_text, qr_text
from controller.config import Config, listen_address, odds_profile
from controller.control import ControlError, ControlSocket
from controller.journal import Journal, JournalError
from controller.supervision import Supervisor, watch
from controller.table import Settings, Table, Who
from hardware.backends import READY, UNDRIVEN, open_backend
from hardware.clock import RealClock
from hardware.gpio import BackendError
from hardware.pins import PinMap
from hardware.ports import Backend, NotPressable
from hardware.twin import TwinBackend

_SWITCH_INTERVAL = 0.0002  # seconds a thread may keep the interpreter: launcher and journal must not wait for a page
_CONSOLE = Who("console", host=True)
_HERE = ("0.0.0.0", "::", "127.0.0.1", "::1", "localhost")  # addresses that this machine reaches as localhost
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PAGE_BUTTON = ("twin", "tape")  # backends whose button no finger can push, but a page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("--backend", choices=READY, help="the launcher (default: twin, a simulated one)")
    parser.add_argument("--tape", metavar="FILE", help="with --backend tape: the recorded shots that are played back")
    parser.add_argument("--device", metavar="PORT", help="with --backend serial: the port of the launcher's controller")
    parser.add_argument("--listen", metavar="ADDRESS:PORT", help="where phones connect (default: 0.0.0.0:8080)")
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"where it is kept (default: {data_directory()})")
    parser.add_argument("--seed", metavar="TEXT", help="the same text, the same shuffles and shots (default: a secret)")
    parser.add_argument("--bots", type=int, default=0, metavar="N", help="seat so many bots at a table nobody sits at")
    add_config_argument(parser)
    parser.epilog = "While it runs: space presses the simulated UNO button, q or Ctrl-C ends."
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run a table; returns the exit code. Raises `CommandError` when it cannot be started."""
    overrides = {
        key: value
        for key, value in {
            ("launcher", "backend"): arguments.backend,
            ("launcher", "tape"): arguments.tape,
            ("serial", "device"): arguments.device,
            ("web", "listen"): arguments.listen,
        }.items()
        if value is not None
    }
    config = load(arguments.config, overrides)
    settings = settings_of(config)
    if not 0 <= arguments.bots <= settings.most_seats:
        raise CommandError(f"--bots is a number from 0 to {settings.most_seats}, not {arguments.bots}")
    sys.setswitchinterval(_SWITCH_INTERVAL)
    if not faulthandler.is_enabled():
        faulthandler.enable()  # systemd's watchdog aborts us: the log then shows where every thread was
    _log_to_terminal()
    directory = (arguments.data or data_directory()).resolve()
    figures = launcher_settings(config, directory)
    try:
        journal = Journal(directory)
    except JournalError as error:
        raise CommandError(str(error)) from error
    try:
        backend = open_backend(
            config.backend, figures, PinMap.from_mapping(config.pins),
            chip=config.chip, guardian_log=directory / "guardian.log", tape=Path(config.tape) if config.tape else None,
            serial=bridge_of(config),
        )  # fmt: skip
    except BackendError as error:
        journal.close()
        raise CommandError(str(error)) from error
    try:
        return asyncio.run(_play(config, settings, journal, backend, arguments))
    except (JournalError, BackendError, ControlError) as error:
        raise CommandError(str(error)) from error
    finally:
        backend.close()
        journal.close()


def _log_to_terminal() -> None:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    button = logging.getLogger("controller.table.button")  # what a press of the button does not do: said to people
    button.setLevel(logging.INFO)
    button.propagate = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(message)s"))
    button.addHandler(handler)


async def _play(
    config: Config, settings: Settings, journal: Journal, backend: Backend, arguments: argparse.Namespace
) -> int:
    from web_companion.server import CannotListen

    twin = backend.twin if isinstance(backend, TwinBackend) else None
    fill = None if twin is None else twin.load
    sounding = Sounding(config.sound)
    table = Table(
        journal, backend, RealClock(), settings, odds_profile(config), arguments.seed, fill, twin,
        signals=sounding.join,
    )  # fmt: skip
    table.start()
    control = ControlSocket(journal.directory, table)
    print(backend.announcement, flush=True)
    _seat_bots(table, arguments.bots)
    place = Place(*listen_address(config.web.listen))
    supervisor = Supervisor()
    pages = _companion(config, table, journal, place, supervisor.ready)
    stop = asyncio.Event()
    for number in _ENDING:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # nohup: the table stays
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    with Keys(_keys(backend, stop)):
        tasks: list[asyncio.Task[object]] = [
            asyncio.create_task(table.run(), name="table"),
            asyncio.create_task(pages, name="pages"),
            asyncio.create_task(stop.wait(), name="stop"),
        ]
        parts = {"table": table.tick, **backend.ticks()}
        watching = asyncio.create_task(watch(supervisor, parts, table.in_words), name="supervision")
        answering = asyncio.create_task(control.serve(), name="control")
        try:
            await _first_of(tasks)
        except CannotListen as error:
            raise CommandError(str(error)) from error
        finally:
            supervisor.stopping()
            await _end(backend, [*tasks, watching, answering])
            control.close()
            sounding.stop()
            supervisor.close()
    if journal.failure is not None:
        raise CommandError(journal.failure)
    with suppress(OSError):  # the terminal may be gone
        print("the table is closed; it goes on where it stopped when it is started again", flush=True)
    return 0


async def _first_of(tasks: list[asyncio.Task[object]]) -> None:
    """Until one ends. Raises what it raised."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def _end(backend: Backend, tasks: list[asyncio.Task[object]]) -> None:
    """Motor off first; then everything that still has something to say, and the pages last of all."""
    await asyncio.to_thread(backend.close)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def settings_of(config: Config) -> Settings:
    """The table's settings as configured."""
    from controller.rules.options import resolve

    rules = resolve(config.preset, config.options)
    return Settings(
        grace=config.table.grace_ms / 1000,
        helped_grace=config.table.helped_grace_ms / 1000,
        think=config.table.bot_ms / 1000,
        suspense=config.odds.suspense_ms / 1000,
        pause=config.odds.pause_ms / 1000,
        machine_cards=sum(rules.counts),
        most_seats=rules.most_players,
        button=_button(config),
        typed=config.backend in UNDRIVEN,
        physical=config.table.physical,
        preset=config.preset,
        options=config.options,
        match={"format": config.match.format, "target": config.match.target, "rounds": config.match.rounds},
    )


def _button(config: Config) -> str:
    """Which button there is: a launcher that takes no orders is not pressed by pages, whatever they are set to."""
    if config.backend == "none":
        return "none"
    wanted = config.backend in _PAGE_BUTTON if config.button.page == "auto" else config.button.page == "yes"
    return "page" if wanted and config.backend not in UNDRIVEN else "finger"


@dataclass(slots=True)
class Place:
    """Where the table listens, and how phones reach it."""

    host: str
    port: int

    @property
    def local(self) -> bool:
        """Whether this machine alone reaches it."""
        with suppress(ValueError):
            return ip_address(self.host).is_loopback
        return self.host == "localhost"

    @property
    def url(self) -> str:
        """The address phones reach this table at now: addresses change, so it is asked for each time."""
        from web_companion.addresses import lan_address

        address = lan_address() if self.host in ("0.0.0.0", "::") else self.host
        return f"http://[{address}]:{self.port}" if ":" in address else f"http://{address}:{self.port}"


def _companion(
    config: Config, table: Table, journal: Journal, place: Place, ready: Callable[[], None]
) -> Coroutine[object, object, None]:
    """The pages of the table, to be served; says so once they are, to people and by `ready`."""
    from web_companion.addresses import own_names
    from web_companion.app import build_app
    from web_companion.codes import codes_of
    from web_companion.server import serve
    from web_companion.sessions import Sessions

    sessions, codes = Sessions(journal), codes_of(journal)
    names = own_names() | set(config.web.names)
    app = build_app(table, sessions, codes, lambda: place.url, names)

    def greet(port: int) -> None:
        place.port = port
        join = f"{place.url}/#{codes.join}"
        print(f"phones: {join}")
        if place.local:
            print("(no code to scan: only this machine reaches that; for phones: --listen 0.0.0.0:8080)")
        else:
            print(qr_text(join) if sys.stdout.isatty() else plain_qr_text(join), end="")
        print(f"host code: {codes.host}")
        if place.host in _HERE:
            print(f"host: http://localhost:{port}/host needs no code on this machine")
        print(f"ready {place.url}", flush=True)
        ready()

    return serve(app, place.host, place.port, greet)


def _seat_bots(table: Table, bots: int) -> None:
    if table.seated:
        return
    for number in range(bots):
        table.submit(_CONSOLE, {"id": f"bot {table.epoch} {number}", "do": "add-bot"}, lambda answer: None)


def _keys(backend: Backend, stop: asyncio.Event) -> Callable[[str], None]:
    def pressed(key: str) -> None:
        if key in ("q", "Q", "\x03", "\x04"):
            stop.set()
        elif key == " ":
            try:
                backend.button.press()
            except NotPressable as error:
                print(error, file=sys.stderr)

    return pressed
