"""The doctor on machines made up of files: a Pi 5, a Pi 4, one whose supply sags, a laptop, a container."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from controller import calibration, cli
from controller.calibration import Calibration, Figure, wiring_of
from controller.commands import doctor
from controller.config import Config, SerialSection, SoundSection, load
from controller.doctor.examination import CHECKS, examine, worst
from controller.doctor.finding import Finding, Result
from controller.doctor.patient import Patient
from controller.doctor.system import Library, System
from controller.journal import DATABASE, Journal, Row
from hardware.chips import ChipError, ChipInfo, LineInfo
from hardware.pins import PinMap
from hardware.settings import LauncherSettings
from tests.controller.disk import no_room_beyond
from tests.controller.machines import LAPTOP, PI_4, PI_5, MadeUpLook, machine, process

OK, WARN, FAIL, NOT_APPLICABLE = Result.OK, Result.WARN, Result.FAIL, Result.NOT_APPLICABLE
RP1 = MadeUpLook(["brcmstb", "pinctrl-rp1"])
BCM2711 = MadeUpLook(["pinctrl-bcm2711", "raspberrypi-exp-gpio"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "machine"
    path.mkdir()
    return path


@pytest.fixture
def patient(tmp_path: Path) -> Callable[..., Patient]:
    data = tmp_path / "data"
    data.mkdir()

    def make(backend: str = "gpio", pins: PinMap | None = None, **config: object) -> Patient:
        return Patient(replace(Config(backend=backend), **config), data, pins=pins or PinMap())  # type: ignore[arg-type]

    return make


def found(system: System, patient: Patient, check: str) -> list[Finding]:
    """What one check says."""
    return [finding for finding in examine(system, patient) if finding.check == check]


def one(system: System, patient: Patient, check: str) -> Finding:
    """The only thing one check says."""
    (finding,) = found(system, patient, check)
    return finding


def results(system: System, patient: Patient) -> dict[str, Result]:
    """The worst result of every check."""
    findings = list(examine(system, patient))
    return {
        finding.check: worst([each for each in findings if each.check == finding.check])
        if finding.result is not NOT_APPLICABLE
        else NOT_APPLICABLE
        for finding in findings
    }


def test_a_pi_5_in_order_is_warned_of_outputs_that_stay_driven_and_of_nothing_else(
    root: Path, patient: Callable[..., Patient]
) -> None:
    system = machine(root, PI_5, RP1, {"vcgencmd": "throttled=0x0\n"})
    assert results(system, patient()) == {
        "configuration": OK, "python": OK, "disk": OK, "journal": NOT_APPLICABLE, "clock": OK, "board": OK,
        "kernel": OK, "power": OK, "groups": OK, "lgpio": OK, "chip": OK, "persist-outputs": WARN, "pins": OK,
        "lines": OK, "serial-ports": NOT_APPLICABLE, "calibration": WARN,
    }  # fmt: skip
    persist = one(system, patient(), "persist-outputs")
    assert persist.reason == "pinctrl-rp1 keeps a killed program's outputs driven"
    assert "dtparam=strict_gpiod" in persist.remedy
    assert "pull-downs" in persist.remedy
    assert one(system, patient(), "chip").reason == "pinctrl-rp1 is gpiochip1"
    assert one(system, patient(), "board").reason == "Raspberry Pi 5 Model B Rev 1.0"


def test_a_pi_4_that_lets_go_of_its_outputs_is_all_well(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, PI_4, BCM2711, {"vcgencmd": "throttled=0x0\n"})
    someone = patient()
    wiring = wiring_of("gpio", "auto", someone.pins, LauncherSettings())
    calibration.save(someone.data, Calibration("gpio", "2026-11-29", wiring, {"card_ms": Figure(44, 42, 46, 40)}))
    assert set(results(system, someone).values()) == {OK, NOT_APPLICABLE}
    assert one(system, someone, "calibration").reason == "measured on 2026-11-29"
    rewired = one(system, replace(someone, pins=PinMap(beam=20)), "calibration")
    assert (rewired.result, "other wiring" in rewired.reason) == (FAIL, True)


def test_an_older_kernel_does_not_say_whether_it_keeps_outputs(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, {name: text for name, text in PI_4.items() if "persist" not in name}, BCM2711)
    assert one(system, patient(), "persist-outputs").result is WARN


def test_a_laptop_with_the_twin_passes(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, LAPTOP, groups=frozenset(), library=lambda name: None)
    findings = list(examine(system, patient("twin")))
    assert worst(findings) is OK
    assert {finding.result for finding in findings} == {OK, NOT_APPLICABLE}


def test_a_laptop_is_no_place_for_real_pins(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, LAPTOP)
    failed = {name for name, result in results(system, patient()).items() if result is FAIL}
    assert failed == {"board", "chip"}
    assert "--backend twin" in one(system, patient(), "board").remedy


def test_a_container_on_a_pi_without_the_device(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, PI_5, administrator=True)
    chip = one(system, patient(), "chip")
    assert (chip.result, chip.reason) == (FAIL, "there is no GPIO chip in /dev")
    assert "--device" in chip.remedy
    assert one(system, patient(), "lines").result is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("throttled=0x0", [(OK, "never too little")]),
        ("throttled=0x1", [(FAIL, "voltage is too low now")]),
        ("throttled=0x50005", [
            (FAIL, "voltage is too low now"), (WARN, "throttled now"), (WARN, "voltage was too low at some time"),
            (WARN, "was throttled at some time"),
        ]),
        ("throttled=0x10000", [(WARN, "voltage was too low at some time")]),
        ("throttled=0x2", [(WARN, "frequency is capped now")]),
        ("throttled=0x8", [(WARN, "soft temperature limit now")]),
        ("throttled=0xe0000", [(WARN, "frequency was capped"), (WARN, "was throttled"), (WARN, "limit was reached")]),
        ("VCHI initialization failed", [(NOT_APPLICABLE, "does not tell")]),
    ],
)  # fmt: skip
def test_power_bits_are_told_one_by_one(
    root: Path, patient: Callable[..., Patient], told: str, expected: list[tuple[Result, str]]
) -> None:
    findings = found(machine(root, PI_4, BCM2711, {"vcgencmd": told}), patient(), "power")
    assert [finding.result for finding in findings] == [result for result, _ in expected]
    for finding, (_, words) in zip(findings, expected, strict=True):
        assert words in finding.reason
        assert finding.result is OK or "voltage" not in words or "power supply" in finding.remedy


def test_power_is_read_from_sysfs_where_there_is_no_vcgencmd(root: Path, patient: Callable[..., Patient]) -> None:
    files = {**PI_4, "sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n"}
    system = machine(root, files, BCM2711)
    assert [finding.result for finding in found(system, patient(), "power")] == [FAIL, WARN, WARN, WARN]
    assert FAIL not in {finding.result for finding in found(system, patient("twin"), "power")}, "no motor, no matter"


def test_groups_are_asked_for_where_they_matter(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, PI_4, BCM2711, groups=frozenset({"audio"}))
    gpio, audio = found(system, patient(), "groups")
    assert (gpio.result, audio.result) == (FAIL, OK)
    assert gpio.remedy.startswith("sudo usermod -aG gpio $USER")
    (serial,) = found(system, patient("serial"), "groups")
    assert (serial.result, "dialout" in serial.reason) == (FAIL, True)
    silent = found(replace(system, groups=frozenset({"gpio"})), patient(sound=SoundSection(on=False)), "groups")
    assert [finding.result for finding in silent] == [OK]
    assert one(replace(system, administrator=True), patient(), "groups").result is OK


@pytest.mark.parametrize(
    ("there", "python", "said"),
    [
        (None, (3, 12, 1), ("lgpio is not installed", "-m pip install lgpio")),
        (Library("0.0.0.2", empty=True), (3, 13, 5), ("lgpio 0.0.0.2 is an empty", "apt install python3-lgpio")),
    ],
)  # fmt: skip
def test_a_missing_or_empty_lgpio(
    root: Path, patient: Callable[..., Patient], there: Library | None, python: tuple[int, int, int],
    said: tuple[str, str],
) -> None:  # fmt: skip
    finding = one(machine(root, PI_4, BCM2711, library=lambda name: there, python=python), patient(), "lgpio")
    assert finding.result is FAIL
    assert finding.reason.startswith(said[0])
    assert said[1] in finding.remedy


def test_a_chip_that_may_not_be_opened_names_the_group(root: Path, patient: Callable[..., Patient]) -> None:
    finding = one(machine(root, PI_4, MadeUpLook(closed=["gpiochip0 (Permission denied)"])), patient(), "chip")
    assert (finding.result, "Permission denied" in finding.reason) == (FAIL, True)
    assert "usermod -aG gpio" in finding.remedy


def test_a_line_the_kernel_holds(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, PI_4, MadeUpLook(["pinctrl-bcm2711"], held={22: "spi0 CS0"}))
    finding = one(system, patient(), "lines")
    assert finding.result is FAIL
    assert "enable" in finding.reason
    assert "'spi0 CS0'" in finding.reason
    assert one(machine(root, {}, MadeUpLook(["pinctrl-bcm2711"], held={21: "x"})), patient(), "lines").result is OK


def test_a_line_another_program_holds_is_told_with_its_name(root: Path, patient: Callable[..., Patient]) -> None:
    process(root, 321, "python3", "python3 blink.py", open_file="/dev/gpiochip0")
    process(root, 322, "sh")
    system = machine(root, PI_4, MadeUpLook(["pinctrl-bcm2711"], held={17: "lg"}))
    finding = one(system, patient(), "lines")
    assert finding.result is FAIL
    assert "in1 (GPIO 17) is held as 'lg', by python3 (process 321)" in finding.reason


def test_of_several_programs_the_one_that_holds_the_line_is_named(root: Path, patient: Callable[..., Patient]) -> None:
    process(root, 321, "python3", "python3 blink.py", open_file="/dev/gpiochip0", holds=[4, 17])
    process(root, 322, "gpiomon", open_file="/dev/gpiochip0", holds=[27])
    system = machine(root, PI_4, MadeUpLook(["pinctrl-bcm2711"], held={17: "lg", 27: "gpiomon"}))
    in1, in2 = found(system, patient(), "lines")
    assert in1.reason.endswith("by python3 (process 321)")
    assert in2.reason.endswith("by gpiomon (process 322)")


def test_a_chip_of_another_board_can_be_named(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, LAPTOP, MadeUpLook(["gpio-sim.0-node0"]))
    assert one(system, patient(), "chip").result is FAIL
    assert "[launcher] chip" in one(system, patient(), "chip").remedy
    named = patient(chip="gpio-sim.0-node0")
    assert (one(system, named, "chip").result, one(system, named, "board").result) == (OK, OK)
    assert one(system, named, "persist-outputs").result is WARN


def test_lines_of_a_running_table_are_well(root: Path, patient: Callable[..., Patient]) -> None:
    process(root, 321, "python3", "python3 .venv/bin/uno-attack play", open_file="/dev/gpiochip0")
    system = machine(root, PI_4, MadeUpLook(["pinctrl-bcm2711"], held={17: "lg", 27: "lg"}))
    findings = found(system, patient(), "lines")
    assert [finding.result for finding in findings] == [OK, OK]
    assert "by a table: python3 (process 321)" in findings[0].reason


def test_pigpiod_is_told_of(root: Path, patient: Callable[..., Patient]) -> None:
    process(root, 9, "pigpiod")
    findings = found(machine(root, PI_4, BCM2711), patient(), "lines")
    assert [finding.result for finding in findings] == [WARN, OK]


@pytest.mark.parametrize(
    ("line", "pins", "name"),
    [
        ("dtparam=i2s=on", PinMap(beam2=20), "beam2"),
        ("dtparam=spi=on", PinMap(button=8), "button"),
        ("dtparam=i2c_arm=on,spi=on", PinMap(lid=2), "lid"),
        ("dtoverlay=w1-gpio", PinMap(lid=4), "lid"),
        ("dtoverlay=hifiberry-dac", PinMap(lamp=18), "lamp"),
    ],
)
def test_a_pin_that_config_txt_gives_away(
    root: Path, patient: Callable[..., Patient], line: str, pins: PinMap, name: str
) -> None:
    system = machine(root, {**PI_4, "boot/firmware/config.txt": f"[all]\n{line}\n"}, BCM2711)
    finding = one(system, patient(pins=pins), "pins")
    assert finding.result is FAIL
    assert line in finding.reason
    assert f"[pins] {name}" in finding.remedy
    assert one(system, patient(), "pins").result is OK


@pytest.mark.parametrize(
    "line", ["#dtparam=spi=on", "dtparam=spi=off", "dtoverlay=w1-gpio,gpiopin=21", "dtparam=audio=on"]
)
def test_what_config_txt_does_not_give_away(root: Path, patient: Callable[..., Patient], line: str) -> None:
    system = machine(root, {**PI_4, "boot/config.txt": f"{line}\n", "boot/firmware/config.txt": f"{line}\n"}, BCM2711)
    assert one(system, patient(pins=PinMap(lid=4, button=8)), "pins").result is OK


def test_an_untouched_toy_needs_beam_and_button_only(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, PI_5, MadeUpLook(["pinctrl-rp1"], held={17: "lg"}))
    assert one(system, patient("watch"), "lines").reason == "nobody holds any of the 2 lines that are wired"
    assert one(system, patient("watch"), "persist-outputs").result is NOT_APPLICABLE
    assert one(system, patient("watch"), "lgpio").result is OK


def test_serial_ports(root: Path, patient: Callable[..., Patient]) -> None:
    by_id = "/dev/serial/by-id/usb-Arduino_Nano-if00"

    def bridge(device: str) -> Patient:
        return patient("serial", serial=SerialSection(device=device))

    bare = machine(root, LAPTOP)
    assert one(bare, bridge(""), "serial-ports").remedy == "plug the bridge in"
    assert one(bare, bridge(by_id), "serial-ports").result is FAIL
    system = machine(root, {by_id.lstrip("/"): "", "dev/ttyUSB0": ""})
    unset = one(system, bridge(""), "serial-ports")
    assert (unset.result, by_id in unset.remedy) == (FAIL, True)
    assert one(system, bridge(by_id), "serial-ports").result is OK
    assert one(system, bridge("/dev/ttyUSB0"), "serial-ports").result is WARN
    process(root, 400, "ModemManager")
    findings = found(system, bridge(by_id), "serial-ports")
    assert [finding.result for finding in findings] == [OK, WARN]
    assert "disable --now ModemManager" in findings[1].remedy
    assert one(system, patient("twin"), "serial-ports").result is NOT_APPLICABLE


def test_a_disk_with_little_room_or_slow_commits(root: Path, patient: Callable[..., Patient]) -> None:
    for free, result in ((499 << 20, WARN), (500 << 20, OK), (49 << 20, FAIL), (50 << 20, WARN)):
        system = machine(root, LAPTOP, free=lambda path, free=free: free)
        assert found(system, patient("twin"), "disk")[0].result is result, free
    slow = machine(root, LAPTOP, commit_seconds=lambda path: 0.251)
    assert found(slow, patient("twin"), "disk")[1].result is WARN

    def full(path: Path) -> float:
        raise OSError(28, "No space left on device")

    broken = found(machine(root, LAPTOP, commit_seconds=full), patient("twin"), "disk")[1]
    assert (broken.result, "No space left on device" in broken.reason) == (FAIL, True)


def test_a_disk_that_is_full_already_is_told_as_such(root: Path, patient: Callable[..., Patient]) -> None:
    system = machine(root, LAPTOP, commit_seconds=System().commit_seconds)
    with no_room_beyond(4096):
        finding = found(system, patient("twin"), "disk")[1]
    assert (finding.result, "failed" in finding.reason, "make room" in finding.remedy) == (FAIL, True, True)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "tables.sqlite",
            b"\x17no database" * 300,
            "cannot be used as the table's journal: file is not a database. Move",
        ),
        ("control.sock", b"", "in the way and is no socket"),
    ],
)
def test_a_data_directory_that_no_table_could_use(
    root: Path, patient: Callable[..., Patient], name: str, content: bytes, told: str
) -> None:
    someone = patient("twin")
    (someone.data / name).write_bytes(content)
    finding = one(machine(root, LAPTOP), someone, "journal")
    assert (finding.result, told in finding.reason) == (FAIL, True)


def test_a_table_that_is_kept_is_looked_through_and_left_alone(root: Path, patient: Callable[..., Patient]) -> None:
    someone = patient("twin")
    journal = Journal(someone.data)
    try:
        assert one(machine(root, LAPTOP), someone, "journal").result is OK  # while it is played at
        journal.start(lambda text: None)
        journal.append([Row("game", {"made": "by nobody"})], lambda: None)
        journal.flush()
        misread = one(machine(root, LAPTOP), someone, "journal")
    finally:
        journal.close()
    assert (misread.result, "row 1 of the journal (game) cannot be understood" in misread.reason) == (FAIL, True)
    before = {path.name: path.read_bytes() for path in someone.data.iterdir()}
    assert one(machine(root, LAPTOP), someone, "journal") == misread
    assert {path.name: path.read_bytes() for path in someone.data.iterdir()} == before
    with sqlite3.connect(someone.data / DATABASE) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    assert "newer version" in one(machine(root, LAPTOP), someone, "journal").reason


def test_a_file_system_that_went_read_only(root: Path, patient: Callable[..., Patient]) -> None:
    someone = patient("twin")
    mounts = f"/dev/root / ext4 rw,noatime 0 0\n/dev/sda1 {someone.data.parent} ext4 ro,noatime 0 0\n"
    finding = one(machine(root, {**LAPTOP, "proc/mounts": mounts}), someone, "disk")
    assert (finding.result, "read-only" in finding.reason) == (FAIL, True)
    other = f"/dev/root / ext4 ro 0 0\n/dev/sda1 {someone.data} ext4 rw 0 0\n"
    assert found(machine(root, {"proc/mounts": other}), someone, "disk")[0].result is OK


def test_a_real_commit_is_timed_and_nothing_is_left(tmp_path: Path) -> None:
    assert 0 < System().commit_seconds(tmp_path) < 60
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("year", "answer", "result"),
    [(1970, "yes\n", WARN), (2026, "yes\n", OK), (2026, "no\n", WARN), (2026, None, NOT_APPLICABLE)],
)
def test_the_clock(root: Path, patient: Callable[..., Patient], year: int, answer: str | None, result: Result) -> None:
    answers = {} if answer is None else {"timedatectl": answer}
    system = machine(root, LAPTOP, answers=answers, this_year=lambda: year)
    assert one(system, patient("twin"), "clock").result is result


@pytest.mark.parametrize(
    ("version", "result"), [((3, 10, 9), FAIL), ((3, 11, 0), OK), ((3, 13, 5), OK), ((3, 14, 0), WARN)]
)
def test_pythons(root: Path, patient: Callable[..., Patient], version: tuple[int, int, int], result: Result) -> None:
    assert one(machine(root, LAPTOP, python=version), patient("twin"), "python").result is result


@pytest.mark.parametrize(
    ("release", "result"), [("5.9.16", FAIL), ("5.10.103-v7l+", OK), ("6.12.25+rpt", OK), ("", WARN)]
)
def test_kernels(root: Path, patient: Callable[..., Patient], release: str, result: Result) -> None:
    system = machine(root, {**PI_4, "proc/sys/kernel/osrelease": release}, BCM2711)
    assert one(system, patient(), "kernel").result is result


def test_a_check_that_is_not_let_in_says_so_and_the_others_go_on(root: Path, patient: Callable[..., Patient]) -> None:
    for problem in (PermissionError(13, "Permission denied"), ChipError("line 17 cannot be had")):

        class Closed(MadeUpLook):
            def line(self, chip: ChipInfo, offset: int, problem: Exception = problem) -> LineInfo:
                raise problem

        findings = list(examine(machine(root, PI_4, Closed(["pinctrl-bcm2711"])), patient()))
        assert "could not be looked at" in next(each for each in findings if each.check == "lines").reason
        assert findings[-1].check == "calibration"


def test_a_check_that_breaks_ends_no_other(root: Path, patient: Callable[..., Patient]) -> None:
    def broken(command: object) -> str | None:
        raise ArithmeticError("nobody thought of it")

    findings = list(examine(replace(machine(root, PI_4, BCM2711), ask=broken), patient()))
    (finding,) = (each for each in findings if "ArithmeticError: nobody thought of it" in each.reason)
    assert (finding.check, finding.result) == ("power", WARN)
    assert findings[-1].check == "calibration"


def test_every_check_says_something_on_every_machine(root: Path, patient: Callable[..., Patient]) -> None:
    for backend in ("twin", "gpio", "watch", "watch-twin", "none", "serial"):
        said = {finding.check for finding in examine(machine(root, {}), patient(backend))}
        assert said == {check.NAME for check in CHECKS}


def test_what_is_not_well_has_a_remedy() -> None:
    with pytest.raises(ValueError, match="what is to be done"):
        Finding("board", FAIL, "broken")


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_on_this_machine_with_the_twin_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "uno-attack.toml"
    path.write_text("[launcher]\nbackend = 'twin'\n")
    assert cli.main(["doctor", "--config", str(path), "--data", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "configuration" in shown
    assert "the backend 'twin'" in shown.splitlines()[-1]


def test_json_and_exit_code(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "System", lambda: machine(root, LAPTOP))
    path = tmp_path / "uno-attack.toml"
    path.write_text("[launcher]\nbackend = 'gpio'\n")
    arguments = ["doctor", "--json", "--config", str(path), "--data", str(tmp_path)]
    assert cli.main(arguments) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["backend"], told["result"]) == ("gpio", "fail")
    assert {"check", "result", "reason", "remedy"} == set(told["findings"][0])
    assert [each["check"] for each in told["findings"] if each["result"] == "fail"] == ["board", "chip"]
    assert cli.main([*arguments, "--backend", "twin"]) == 0


def test_a_wrong_configuration_is_a_finding_and_the_rest_is_looked_at(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "System", lambda: machine(root, LAPTOP))
    path = tmp_path / "uno-attack.toml"
    path.write_text("[launcher]\nrest = 5\n")
    assert cli.main(["doctor", "--config", str(path), "--data", str(tmp_path)]) == 1
    shown = capsys.readouterr().out
    assert "FAIL  configuration" in shown
    assert "did you mean 'rest_ms'" in " ".join(shown.split())
    assert "→ put it right" in shown
    assert "serial-ports" in shown


def test_a_named_configuration_that_is_not_there_cannot_be_examined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["doctor", "--config", str(tmp_path / "missing.toml")]) == 2
    assert "no configuration file" in capsys.readouterr().err


def test_lines_fit_the_terminal() -> None:
    finding = Finding("persist-outputs", WARN, "word " * 40, "do " * 60)
    printed = doctor.lines_of(finding, coloured=False)
    assert all(len(line) <= doctor.WIDTH for line in printed)
    assert "\x1b" not in "".join(printed)
    assert "\x1b[33m" in doctor.lines_of(finding, coloured=True)[0]


def test_the_pins_examined_are_the_configured_ones(tmp_path: Path) -> None:
    path = tmp_path / "uno-attack.toml"
    path.write_text("[pins]\nlamp = 24\n")
    assert doctor.patient_of(path, None, tmp_path).pins.lamp == 24
    assert load(path, {}).source == path
