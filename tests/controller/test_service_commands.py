"""`fire`, `twin`, `deal` and `count`: through a running table, with a launcher of their own, and where they cannot."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.commands import CommandError, count, deal, shooting
from controller.commands.shooting import OwnLauncher
from controller.control import SOCKET, Client
from controller.dealing import Deal
from hardware.backends import open_backend
from hardware.clock import VirtualClock
from hardware.gpio import BackendError
from hardware.settings import LauncherSettings
from tests.controller.test_play import Playing, playing
from tests.patience import DEADLINE


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playing]:
    """A table with the twin, for all tests that only fire a little."""
    with playing(tmp_path_factory.mktemp("table") / "data", "--backend", "twin") as running:
        running.wait_for("ready ")
        yield running


@pytest.fixture
def data(table: Playing) -> Path:
    """Its data directory; the twin is as new, full, and in order."""
    arguments = table.process.args
    assert isinstance(arguments, list)
    directory = Path(arguments[arguments.index("--data") + 1])
    with Client(directory) as client:
        for fault in ("free", "close-lid"):
            assert client.ask(do="twin", fault=fault)["ok"]
        client.ask(do="clear-fault")
        assert client.ask(do="reload")["ok"]
    return directory


def wait_until(data: Path, true: Callable[[dict[str, Any]], bool]) -> None:
    """Until the machine stands so, as the table tells it."""
    end = time.monotonic() + DEADLINE
    with Client(data) as client:
        while not true(client.ask(ask="service")["service"]):  # type: ignore[arg-type]
            assert time.monotonic() < end, "it never came to that"


class Terminal(io.StringIO):
    """A terminal somebody sits at, or not."""

    def __init__(self, there: bool, typed: str = "") -> None:
        super().__init__(typed)
        self._there = there

    def isatty(self) -> bool:
        return self._there


def answers(*given: str) -> Callable[[str], str]:
    left = list(given)

    def ask(question: str) -> str:
        print(question)
        return left.pop(0)

    return ask


def own(hopper: int = 112) -> tuple[OwnLauncher, Any, VirtualClock]:
    """A launcher of our own on a virtual clock."""
    clock = VirtualClock()
    backend: Any = open_backend("twin", LauncherSettings(), clock=clock, seed=5, hopper=hopper)
    return OwnLauncher(backend, clock, clock.advance), backend.twin, clock


# --- through the table


def test_fire_goes_through_the_table_that_runs(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fire", "-n", "3", "--data", str(data)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "fired by the table that runs here", "asked for 3, exactly 3 came; it ended in order",
    ]  # fmt: skip
    assert main(["fire", "--data", str(data)]) == 0, "it waits for the rest between two shots"
    with Client(data) as client:
        shots: Any = client.ask(ask="service")["service"]
    assert [(shot["asked"], shot["cards"]) for shot in shots["shots"][:2]] == [(1, 1), (3, 3)]


def test_a_fault_asked_for_is_met_by_the_next_shot(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["twin", "hard-jam", "--data", str(data)]) == 0
    assert "sticks in the exit" in capsys.readouterr().out
    assert main(["fire", "-n", "2", "--data", str(data)]) == 1
    assert "it ended with a jam" in capsys.readouterr().out
    assert main(["fire", "-n", "2", "--data", str(data)]) == 2
    said = capsys.readouterr().err
    assert "stuck in the slot: open the lid" in said, "what is wrong, and what to do"


def test_a_latched_fault_is_cleared_from_the_terminal(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--data", str(data))
    assert main(["clear", *where]) == 0
    assert "no fault stands" in capsys.readouterr().out
    assert main(["twin", "open-lid", *where]) == 0
    wait_until(data, lambda service: service["fault"] is not None)
    capsys.readouterr()
    assert main(["clear", *where]) == 1
    assert capsys.readouterr().out.startswith("not cleared, for it still stands: the lid is open: close the lid")
    assert main(["twin", "close-lid", *where]) == 0
    capsys.readouterr()
    assert main(["clear", *where]) == 0
    assert capsys.readouterr().out == "cleared: The lid is open.\n"
    assert main(["halt", *where]) == 0
    wait_until(data, lambda service: service["fault"] is not None)
    assert main(["fire", *where]) == 2
    assert main(["clear", *where]) == 0
    assert "cleared: " in capsys.readouterr().out
    assert main(["fire", *where]) == 0


@pytest.mark.parametrize("command", ["play", "fire", "count", "record", "calibrate", "clear", "halt", "twin"])
def test_a_file_is_no_data_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    (tmp_path / "file").write_text("mine")
    more = [str(tmp_path / "trace")] if command == "record" else []
    for place in ("file", "file/under/it"):
        assert main([command, *more, "--data", str(tmp_path / place)]) == 2
        assert capsys.readouterr().err.endswith(f": {tmp_path}/file is no directory: name another one with --data\n")


@pytest.mark.parametrize("command", ["clear", "halt"])
def test_without_a_table_there_is_nothing_to_clear_or_halt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, "--data", str(tmp_path)]) == 2
    assert f"no table is running in {tmp_path}" in capsys.readouterr().err


def test_faults_are_listed_with_and_without_a_table(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["twin", "--data", str(data)]) == 0
    listed = capsys.readouterr().out
    assert "hard-jam\n    the next card sticks in the exit" in listed
    assert "slip CARDS (1 to 1000, 1 when not said)" in listed
    assert main(["twin", "--data", str(tmp_path)]) == 0
    assert f"\nno table is running in {tmp_path}: start one with ./uno play\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["jamm"], "did you mean jam?"),
        (["JAM"], "did you mean jam?"),
        ([""], "name one, such as jam"),
        (["slip", "0"], "from 1 to 1000"),
        (["jam", "2"], "takes no number"),
    ],
)
def test_a_fault_that_cannot_be_is_refused(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["twin", *arguments, "--data", str(data)]) == 2
    assert said in capsys.readouterr().err


def test_without_a_table_it_is_said_how_to_start_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["twin", "jam", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"uno-attack twin: no table is running in {tmp_path}: start one with ./uno play\n"
    )


def test_a_short_deck_is_counted_through_the_table(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(True, "e\n"))
    assert main(["twin", "load", "9", "--data", str(data)]) == 0
    assert main(["count", "--cards", "10", "--data", str(data)]) == 1
    said = capsys.readouterr().out
    assert "9 of 10\n" in said
    assert "counted: at least 9 of 10 cards, in 1 shot\nmissing: 1 at the most\n" in said


def test_a_deal_at_the_table_is_led_from_the_terminal(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(True))
    assert main(["deal", "--data", str(data)]) == 2
    assert "nobody sits here to be dealt to" in capsys.readouterr().err
    assert main(["deal", "--to", "Ann,Bo", "--data", str(data)]) == 2
    assert "leave --to out" in capsys.readouterr().err
    assert main(["deal", "--backend", "twin", "--data", str(data)]) == 2
    assert "leave --backend out" in capsys.readouterr().err


def test_the_table_takes_its_socket_away_when_it_ends(tmp_path: Path) -> None:
    with playing(tmp_path / "data") as running:
        running.wait_for("ready ")
        assert (tmp_path / "data" / SOCKET).is_socket()
        running.process.send_signal(signal.SIGTERM)
        assert running.ended() == 0
        assert "Traceback" not in running.printed
    assert not (tmp_path / "data" / SOCKET).exists()


@pytest.mark.slow
def test_another_backend_has_no_faults_to_ask_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    with playing(data, "--backend", "none") as running:
        running.wait_for("ready ")
        for arguments in (["twin"], ["twin", "jam"]):
            assert main([*arguments, "--data", str(data)]) == 2
            assert "this table runs none: only the twin's faults can be asked for" in capsys.readouterr().err
        for arguments in (["fire"], ["count"]):
            assert main([*arguments, "--data", str(data)]) == 2
            assert "takes no orders" in capsys.readouterr().err


# --- with a launcher of their own


def test_fire_opens_the_configured_launcher_where_no_table_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fire", "-n", "2", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "twin: a simulated launcher on mock pins; nothing real will move",
        "asked for 2, exactly 2 came; it ended in order",
    ]


@pytest.mark.parametrize("backend", ["none", "watch-twin"])
def test_a_launcher_that_takes_no_orders_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], backend: str
) -> None:
    for command in (["fire"], ["count"]):
        assert main([*command, "--backend", backend, "--data", str(tmp_path)]) == 2
        assert f"the backend {backend} takes no orders" in capsys.readouterr().err


@pytest.mark.parametrize(("device", "said"), [("", "no port is named"), ("/dev/ttyNONE", "no port /dev/ttyNONE")])
@pytest.mark.parametrize("command", ["fire", "play"])
def test_a_port_there_is_not_is_noticed_before_anybody_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, device: str, said: str
) -> None:
    assert main([command, "--backend", "serial", "--device", device, "--data", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert "real launcher" not in printed.out
    assert said in printed.err
    assert "--yes" not in printed.err


def test_fire_plays_a_tape_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--backend", "tape", "--data", str(tmp_path))
    assert main(["fire", *where]) == 2
    assert "--tape FILE" in capsys.readouterr().err
    main(["fire", *where, "--tape", str(Path(__file__).parents[1] / "traces" / "two-beams.jsonl")])
    assert "asked for 1, " in capsys.readouterr().out


def test_a_shot_that_was_refused_was_fired_by_nobody(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["halt", "--data", str(data)]) == 0
    capsys.readouterr()
    assert main(["fire", "--data", str(data)]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("cards", ["0", "15", "-1"])
def test_the_bounds_of_a_service_shot(tmp_path: Path, capsys: pytest.CaptureFixture[str], cards: str) -> None:
    assert main(["fire", f"-n={cards}", "--data", str(tmp_path)]) == 2
    assert f"a service shot has 1 to 14 cards, not {cards}" in capsys.readouterr().err


def test_a_real_motor_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    shooting.confirm("twin", yes=False)
    shooting.confirm("gpio", yes=True)
    monkeypatch.setattr(sys, "stdin", Terminal(False))
    with pytest.raises(CommandError, match="say --yes"):
        shooting.confirm("gpio", yes=False)
    monkeypatch.setattr(sys, "stdin", Terminal(True, "no\nyes\n"))
    with pytest.raises(CommandError, match="nothing was fired"):
        shooting.confirm("gpio", yes=False)
    shooting.confirm("gpio", yes=False)


def test_a_table_is_not_started_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from controller.lock import DirectoryLock

    held = DirectoryLock(tmp_path)
    try:
        assert main(["fire", "--data", str(tmp_path)]) == 2
    finally:
        held.release()
    assert f"in use by process {os.getpid()} (a table)" in capsys.readouterr().err


@pytest.mark.parametrize("holder", ["fire", "calibrate"])
def test_whoever_comes_meanwhile_is_told_which_command_has_the_launcher(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, holder: str
) -> None:
    said: list[int] = []

    def meanwhile(*arguments: object, **more: object) -> None:
        said.append(main(["play", "--listen", "127.0.0.1:0", "--data", str(tmp_path)]))
        raise BackendError("enough")

    monkeypatch.setattr(f"controller.commands.{'shooting' if holder == 'fire' else holder}.open_backend", meanwhile)
    assert main([holder, "--data", str(tmp_path)]) == 2
    assert said == [2]
    assert f"in use by process {os.getpid()} (uno-attack {holder})" in capsys.readouterr().err


def test_the_motor_is_off_when_it_is_told_to_end(tmp_path: Path) -> None:
    """SIGTERM in the middle of a shot: it ends by closing the launcher, not by dying."""
    program = (
        "import sys, signal, os, threading\n"
        "from controller.commands import fire, shooting\n"
        "from hardware.twin import TwinBackend\n"
        "wire = TwinBackend.wire\n"
        "def watched(self):\n"
        "    wire(self)\n"
        "    enable = self.factory.pin(self.pins.enable)\n"
        "    wired = enable.wire\n"
        "    def seen():\n"
        "        wired()\n"
        "        print('enable', int(enable.state), flush=True)\n"
        "        if enable.state: os.kill(os.getpid(), signal.SIGTERM)\n"
        "    enable.wire = seen\n"
        "TwinBackend.wire = watched\n"
        "from controller.cli import main\n"
        f"sys.exit(main(['fire', '-n', '14', '--data', {str(tmp_path)!r}]))\n"
    )
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=DEADLINE, env=environment, check=False
    )
    assert ended.returncode == 128 + signal.SIGTERM, ended.stderr
    assert ended.stdout.splitlines()[1:] == ["enable 1", "enable 0"]


def test_a_whole_deck_is_counted_by_ourselves(capsys: pytest.CaptureFixture[str]) -> None:
    launcher, twin, _ = own(hopper=40)
    with launcher:
        assert count.carry_on(count.OwnCount(launcher, 40), answers()) == 0
    said = capsys.readouterr().out
    assert said.startswith("0 of 40\n10 of 40\n20 of 40\n")
    assert said.endswith("counted: exactly 40 of 40 cards, in 5 shots\nthe deck is complete\n")
    assert twin.out == 40


def test_a_count_that_nobody_watches_ends_in_doubt(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(False))
    launcher, twin, clock = own(hopper=12)
    with launcher:
        twin.load(5)
        clock.advance(0.1)
        assert count.carry_on(count.OwnCount(launcher, 12), answers()) == 1
    assert "nobody is here to look" in capsys.readouterr().out


def test_a_person_looks_whether_the_machine_is_empty_or_a_card_is_stuck(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(True))
    launcher, twin, clock = own(hopper=12)

    def look(question: str) -> str:
        print(question)
        if twin.hopper:
            twin.free()
            clock.advance(0.2)
            return "g"
        return "e"

    with launcher:
        twin.jam(hard=True)
        clock.advance(0.1)
        assert count.carry_on(count.OwnCount(launcher, 13), look) == 1
    said = capsys.readouterr().out
    assert "a card is stuck in the slot. Look into the machine." in said
    assert "at least 12 of 13 cards" in said, "nobody is sure of a shot that jammed"
    assert said.endswith("missing: 1 at the most\n")


@pytest.mark.parametrize(
    ("arguments", "cards"),
    [([], 112), (["--preset", "classic"], 108), (["--deck", "mega-hit"], 112), (["--cards", "60"], 60)],
)
def test_which_deck_is_counted(arguments: list[str], cards: int) -> None:
    import argparse

    from controller import config

    parser = argparse.ArgumentParser()
    count.add_arguments(parser)
    assert count.deck_size(parser.parse_args(arguments), config.load(None, {})) == cards


@pytest.mark.parametrize("arguments", [["--preset", "clasic"], ["--deck", "mega"], ["--cards", "0"]])
def test_a_deck_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["count", *arguments, "--data", str(tmp_path)]) == 2
    assert "uno-attack count: " in capsys.readouterr().err


def test_a_deal_with_repairs_by_ourselves(capsys: pytest.CaptureFixture[str]) -> None:
    launcher, _, _ = own()
    typed = iter(["", "9", "x", "s"])

    def ask(question: str) -> str:
        print(question)
        return next(typed)

    with launcher:
        own_deal = deal.OwnDeal(launcher, ["Ann", "Bo", "Cy"], 7)
        assert deal.carry_on(own_deal, ask) == 1, "Cy was left with two"
    said = capsys.readouterr().out
    assert "Ann: hold your hands at the slot, 7 cards come." in said
    assert "2 cards too many: Bo gives Cy 2. Cy: hold your hands at the slot, 5 cards come." in said
    assert "'x' is neither a number" in said
    assert said.endswith("Ann: 7 cards\nBo: 7 cards\nCy: 2 cards\n")


def test_a_deal_that_everybody_gets_their_cards_from(capsys: pytest.CaptureFixture[str]) -> None:
    launcher, twin, _ = own()
    with launcher:
        assert deal.carry_on(deal.OwnDeal(launcher, ["Ann", "Bo"], 5), answers("", "")) == 0
    assert twin.out == 10
    assert capsys.readouterr().out.endswith("Ann: 5 cards\nBo: 5 cards\n")


def test_a_jam_in_a_deal_is_shown_and_cleared_by_enter(capsys: pytest.CaptureFixture[str]) -> None:
    launcher, twin, clock = own()
    questions: list[str] = []

    def ask(question: str) -> str:
        questions.append(question)
        if len(questions) == 2:
            assert "Nobody is sure what came for Ann" in question
            return "0"
        if len(questions) == 3:
            twin.free()
            clock.advance(0.3)
        return ""

    with launcher:
        twin.jam(hard=True)
        clock.advance(0.1)
        assert deal.carry_on(deal.OwnDeal(launcher, ["Ann"], 4), ask) == 0
    assert "stuck in the slot" in questions[1]
    assert len(questions) == 3


def test_a_deal_needs_somebody_who_sees_the_hands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(False))
    assert main(["deal", "--to", "Ann", "--data", str(tmp_path)]) == 2
    assert "run this in a terminal" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", Terminal(True))
    for arguments, said in (
        ([], "say who is dealt to"), (["--to", "Ann,,Bo"], "different names"), (["--to", "Ann,Ann"], "different names"),
        (["--to", "Ann", "-n", "61"], "1 to 60 cards"),
    ):  # fmt: skip
        assert main(["deal", *arguments, "--data", str(tmp_path)]) == 2
        assert said in capsys.readouterr().err


def test_the_prompts_say_who_does_what() -> None:
    state = Deal(("Ann", "Bo"), 7, (7, 8), seat=1, passed=1)
    assert deal.prompt(state, "") == "1 card too many: Ann gives Bo 1. Bo has enough."
