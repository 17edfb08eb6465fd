"""Kept figures: used at the next start unless the configuration says otherwise, refused when the wiring has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller import calibration, cli
from controller.calibration import Calibration, CalibrationError, Figure, apply, wiring_of
from controller.commands import CommandError, calibrate, configuring
from controller.config import Config, load
from controller.lock import DirectoryLock
from controller.measuring import Trace, work_out
from hardware.clock import VirtualClock
from hardware.pins import PinMap
from hardware.settings import LauncherSettings
from hardware.twin import TwinBackend

PLAIN = LauncherSettings()
WIRING = wiring_of("twin", "auto", PinMap(), PLAIN)
KEPT = Calibration(
    "twin",
    "2026-11-29",
    WIRING,
    {"card_ms": Figure(50, 48.0, 52.5, 40), "pace_ms": Figure(100, 80.0, 120.0, 24)},
)


def test_without_any_the_settings_stay_as_they_are() -> None:
    applied = apply(None, WIRING, {}, PLAIN)
    assert (applied.settings, applied.notes) == (PLAIN, ())


def test_figures_go_into_the_settings_and_it_is_said() -> None:
    applied = apply(KEPT, WIRING, {}, PLAIN)
    assert applied.settings == replace(PLAIN, card_ms=50, pace_ms=100)
    assert applied.notes == ("calibrated on 2026-11-29: card_ms 50, pace_ms 100",)


def test_what_the_configuration_says_goes_before_them_and_it_is_said() -> None:
    applied = apply(KEPT, WIRING, {"card_ms": 44, "pace_ms": 100}, replace(PLAIN, card_ms=44))
    assert applied.settings.card_ms == 44
    assert "the configuration's card_ms 44 goes before the calibrated 50" in applied.notes
    assert len(applied.notes) == 2, "what is the same needs no word"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (wiring_of("twin", "auto", PinMap(beam=20), PLAIN), r"\[pins\] beam was 16, is 20"),
        (wiring_of("twin", "auto", PinMap(stop=26), PLAIN), r"\[pins\] stop was none, is 26"),
        (wiring_of("twin", "auto", PinMap(), replace(PLAIN, retract_ms=60)), r"retract_ms was 100, is 60"),
        (wiring_of("twin", "gpio-sim", PinMap(), PLAIN), r"chip was auto, is gpio-sim"),
        ({**WIRING, "[launcher] new_ms": 3}, r"new_ms was not known, is 3"),
    ],
)
def test_figures_for_other_wiring_are_refused(changed: dict[str, object], told: str) -> None:
    with pytest.raises(CalibrationError, match=rf"calibrated on 2026-11-29 for other wiring \(.*{told}\).*--forget"):
        apply(KEPT, changed, {}, PLAIN)


def test_limits_that_change_no_machine_do_not_make_figures_wrong() -> None:
    """Rest, patience and budget are nothing that a card feels."""
    other = replace(PLAIN, rest_ms=900, first_card_ms=600, duty_ms=9000, jam_ms=500)
    assert apply(KEPT, wiring_of("twin", "auto", PinMap(), other), {}, other).settings.card_ms == 50


def test_figures_that_do_not_go_with_the_configuration_are_refused() -> None:
    wide = replace(KEPT, figures={"card_ms": Figure(400, 390, 410, 40)})
    with pytest.raises(CalibrationError, match=r"does not go with the configuration.*jam_ms.*calibrate --forget"):
        apply(wide, WIRING, {}, PLAIN)


def test_they_are_kept_for_each_backend_and_forgotten_alone(tmp_path: Path) -> None:
    real = replace(KEPT, backend="gpio", wiring=wiring_of("gpio", "auto", PinMap(), PLAIN))
    for each in (KEPT, real, replace(KEPT, date="2026-11-30")):
        calibration.save(tmp_path, each)
    again = calibration.load(tmp_path, "twin")
    assert again == replace(KEPT, date="2026-11-30")
    assert again is not None
    assert again.fingerprint == KEPT.fingerprint != real.fingerprint
    assert calibration.load(tmp_path, "gpio") == real
    assert [path.name for path in tmp_path.iterdir()] == [calibration.FILE_NAME]
    assert calibration.forget(tmp_path, "twin")
    assert not calibration.forget(tmp_path, "twin")
    assert calibration.load(tmp_path, "twin") is None
    assert calibration.load(tmp_path, "gpio") == real


def file(name: str = "twin", date: str = "2026-11-29", figure: str = "card_ms", value: object = 5) -> str:
    figures = {figure: {"value": value, "low": 1, "high": 2, "measured": 3}}
    return json.dumps({"twin": {"backend": name, "date": date, "wiring": {}, "figures": figures}})


BROKEN = [
    "{", "[]", '{"twin": 5}', '{"twin": {"backend": "twin"}}', file(name="gpio"), file(date="soon"),
    file(figure="max_on_ms"), file(value="5"), file().replace("measured", "seen"),
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_is_none_of_ours_is_said_and_can_be_put_away(tmp_path: Path, text: str) -> None:
    (tmp_path / calibration.FILE_NAME).write_text(text)
    with pytest.raises(CalibrationError, match=r"calibration\.json cannot be used.*calibrate --forget"):
        calibration.load(tmp_path, "twin")
    assert calibration.forget(tmp_path, "twin")
    assert calibration.load(tmp_path, "twin") is None


# --- figures from traces, by hand -------------------------------------------------------------------------------------


def shot(*fronts: float, card: float = 0.04, stopped_at: float = 10.0, left: int | None = None) -> Trace:
    return Trace(0.0, stopped_at, tuple((front, front + card) for front in fronts), left)


def test_figures_of_traces_written_by_hand() -> None:
    singles = [shot(0.5), *[shot(0.15)] * 7]
    figures = work_out(singles, [shot(0.15, 0.25, 0.35)] * 5)
    assert {name: figure.value for name, figure in figures.items()} == {
        "card_ms": 40, "spin_up_ms": 150, "pace_ms": 100, "interval_ms": 110,
    }  # fmt: skip
    assert figures["spin_up_ms"].low == 150.0, "the first shot begins wherever the one before has left the pile"
    assert (figures["pace_ms"].measured, figures["card_ms"].measured) == (10, 8 + 15)


def test_pairs_and_cards_under_no_power_make_no_pace() -> None:
    pair = Trace(0.0, 10.0, ((0.15, 0.19), (0.25, 0.32), (0.40, 0.44)))
    late = Trace(0.0, 0.2, ((0.15, 0.19), (0.25, 0.29)))
    with pytest.raises(CalibrationError, match=r"only 0 of 8 needed gaps"):
        work_out([shot(0.15)] * 8, [pair, late] * 10)


def test_times_that_differ_too_much() -> None:
    with pytest.raises(CalibrationError, match=r"differ too much \(10 to 80 ms\).*calibrate again"):
        work_out([shot(0.1, card=card) for card in (0.04, 0.04, 0.04, 0.01, 0.08, 0.02, 0.04, 0.04)], [])


def test_a_share_of_late_cards_says_how_long_the_motor_still_feeds() -> None:
    """Half the shots bring one card more: the lag is what half of the gaps fall short of."""
    gaps = [shot(0.1, 0.1 + gap) for gap in (0.06, 0.07, 0.08, 0.09, 0.10, 0.11, 0.12, 0.13)]
    late = [shot(0.15, 0.24, stopped_at=0.19)] * 8
    figures = work_out([*late, *[shot(0.15)] * 8], [*gaps, *late[:4], *[shot(0.1)] * 4][:16])
    assert figures["stop_lag_ms"].value == pytest.approx(50, abs=10)
    assert "stop_lag_ms" not in work_out([shot(0.15)] * 8, gaps)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def virtual(monkeypatch: pytest.MonkeyPatch) -> list[TwinBackend]:
    """The command on a twin with a virtual clock."""
    made: list[TwinBackend] = []

    def open_backend(name: str, settings: LauncherSettings, pins: PinMap, **options: Any) -> TwinBackend:
        del name, options
        made.append(TwinBackend(VirtualClock(), settings, pins, 1))
        return made[-1]

    def wait(done: Callable[[], bool], limit: float) -> bool:
        clock = made[-1].clock
        assert isinstance(clock, VirtualClock)
        end = clock.now() + limit
        while not done() and clock.now() < end:
            clock.advance(0.02)
        return done()

    monkeypatch.setattr(calibrate, "open_backend", open_backend)
    monkeypatch.setattr(calibrate, "_wait", wait)
    return made


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A configuration of the test's own, and a place for data."""
    path = tmp_path / "uno-attack.toml"
    path.write_text("")
    return ["--config", str(path), "--data", str(tmp_path / "data")]


def test_it_is_measured_kept_shown_used_and_forgotten(
    virtual: list[TwinBackend], files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["calibrate", "show", *files]) == 1
    assert "has not been calibrated" in capsys.readouterr().out
    assert cli.main(["calibrate", *files]) == 0
    told = capsys.readouterr().out
    assert "single card 10 of 10" in told
    assert "card_ms" in told
    assert not virtual[0].factory.pin(22).state
    with pytest.raises(RuntimeError, match="once"):
        virtual[0].start(lambda _: None)  # it was closed
    assert cli.main(["calibrate", "show", *files]) == 0
    assert "calibrated on 20" in capsys.readouterr().out
    kept = calibration.load(tmp_path / "data", "twin")
    assert kept is not None
    settings = configuring.launcher_settings(load(tmp_path / "uno-attack.toml", {}), tmp_path / "data")
    assert settings.card_ms == kept.figures["card_ms"].value
    assert capsys.readouterr().out.startswith(f"calibrated on {kept.date}: card_ms {settings.card_ms}")
    assert cli.main(["calibrate", "--forget", *files]) == 0
    assert "forgotten" in capsys.readouterr().out
    assert cli.main(["calibrate", "--forget", *files]) == 0
    assert "nothing was kept" in capsys.readouterr().out


def test_behind_a_serial_port_the_figures_are_set_by_hand(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ("", '[serial]\ndevice = "/dev/null"\n'):
        (tmp_path / "uno-attack.toml").write_text(text)
        assert cli.main(["calibrate", "--backend", "serial", *files]) == 2
        said = capsys.readouterr().err
        assert "set [launcher] card_ms yourself, or calibrate it with a Pi" in said
        assert "--device" not in said


def test_a_table_does_not_start_with_figures_of_other_wiring(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibration.save(tmp_path / "data", KEPT)
    (tmp_path / "uno-attack.toml").write_text("[pins]\nbeam = 20\n")
    assert cli.main(["play", *files]) == 2
    assert "for other wiring ([pins] beam was 16, is 20)" in capsys.readouterr().err
    assert not (tmp_path / "data" / "tables.sqlite").exists()
    assert cli.main(["calibrate", "show", *files]) == 1
    assert "for other wiring" in capsys.readouterr().out


def test_a_table_that_runs_has_the_launcher(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    lock = DirectoryLock(tmp_path / "data")
    assert cli.main(["calibrate", *files]) == 2
    assert "is in use by process" in capsys.readouterr().err
    lock.release()


def test_figures_of_other_wiring_do_not_hinder_another_backend(tmp_path: Path) -> None:
    calibration.save(tmp_path, KEPT)
    assert configuring.launcher_settings(replace(Config(backend="none"), pins={"beam": 20}), tmp_path) == PLAIN
    with pytest.raises(CommandError, match="other wiring"):
        configuring.launcher_settings(replace(Config(), pins={"beam": 20}), tmp_path)


def test_trouble_keeps_what_was_kept(
    virtual: list[TwinBackend], files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    calibration.save(tmp_path / "data", KEPT)
    real = TwinBackend.start

    def start_empty(backend: TwinBackend, listener: Any) -> None:
        real(backend, listener)
        backend.twin.empty()

    monkeypatch.setattr(TwinBackend, "start", start_empty)
    assert cli.main(["calibrate", *files]) == 1
    assert "Nothing is kept" in capsys.readouterr().out
    assert calibration.load(tmp_path / "data", "twin") == KEPT


class Person:
    """Somebody at the terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)
        monkeypatch.setattr("builtins.input", self._answer)
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)

    def _answer(self, question: str) -> str:
        self.asked.append(question)
        return self._answers.pop(0)


def gpio(files: list[str], tmp_path: Path) -> list[str]:
    (tmp_path / "uno-attack.toml").write_text("[launcher]\nbackend = 'gpio'\n")
    return ["calibrate", *files]


def test_a_real_machine_is_asked_about_first(
    virtual: list[TwinBackend], files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    person = Person(monkeypatch, "no")
    assert cli.main(gpio(files, tmp_path)) == 1
    assert "nothing was done" in capsys.readouterr().out
    assert person.asked[0].startswith("Lid closed, 40 cards or more in the machine")
    assert virtual[0].twin.out == 0


def test_a_person_who_counts_otherwise_is_believed(
    virtual: list[TwinBackend], files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    person = Person(monkeypatch, "y", "43")
    assert cli.main(gpio(files, tmp_path)) == 1
    assert "The beam saw 40 cards. How many lie there? [40]" in person.asked[1]
    assert "the beam saw 40 cards and there are 43. Nothing is kept" in capsys.readouterr().out
    assert calibration.load(tmp_path / "data", "gpio") is None
    Person(monkeypatch, "y", "")
    assert cli.main(gpio(files, tmp_path)) == 0
    assert calibration.load(tmp_path / "data", "gpio") is not None


def test_with_nobody_to_ask_nothing_moves(
    virtual: list[TwinBackend], files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(gpio(files, tmp_path)) == 2
    assert "--yes" in capsys.readouterr().err
    assert virtual[0].twin.out == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[launcher]\nbackend = 'none'\n", "takes no orders"),
        ("[launcher]\nbackend = 'watch-twin'\n", "takes no orders"),
        ("[pins]\nbeam = 'none'\n", "without a beam nothing can be measured"),
    ],
)
def test_what_cannot_be_measured(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (tmp_path / "uno-attack.toml").write_text(text)
    assert cli.main(["calibrate", *files]) == 2
    assert said in capsys.readouterr().err


def test_a_file_of_today_can_be_read_by_hand(tmp_path: Path) -> None:
    calibration.save(tmp_path, KEPT)
    kept = json.loads((tmp_path / calibration.FILE_NAME).read_text())["twin"]
    assert kept["date"] == "2026-11-29"
    assert kept["figures"]["card_ms"] == {"value": 50, "low": 48.0, "high": 52.5, "measured": 40}
    assert kept["wiring"]["[pins] beam"] == 16


def test_a_service_shot_is_made_with_the_figures_that_were_measured(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibration.save(tmp_path / "data", KEPT)
    assert cli.main(["fire", "-n", "1", *files]) == 0
    assert "calibrated on 2026-11-29: card_ms 50" in capsys.readouterr().out
    (tmp_path / "uno-attack.toml").write_text("[pins]\nbeam = 20\n")
    assert cli.main(["fire", "-n", "1", *files]) == 2
    assert "for other wiring" in capsys.readouterr().err
