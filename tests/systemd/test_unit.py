"""The unit as it would be installed: systemd has nothing to say against it, and it promises what the safety needs."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from controller.cli import main
from controller.commands import CommandError, service
from controller.commands.service import closed_to_others, files, install, remove

PROGRAM = Path(sys.executable).with_name("uno-attack")
MOST_EXPOSED = 2.0  # of 10; systemd calls anything below 4 "OK"


def unit_text(program: Path = PROGRAM) -> str:
    return next(text for path, text in files(program).items() if path.name == service.UNIT)


def values(key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", unit_text(), flags=re.MULTILINE)


def systemd(*arguments: str | Path) -> str:
    """All that systemd-analyze says. It returns 0 for an unknown key, so that what it says is what counts."""
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr + (f"exit code {done.returncode}" if done.returncode else "")


def written(folder: Path, text: str) -> Path:
    path = folder / service.UNIT
    path.write_text(text, encoding="utf-8")
    return path


def test_systemd_says_nothing_against_the_unit(tmp_path: Path) -> None:
    assert systemd("verify", written(tmp_path, unit_text())) == ""


def test_a_slip_in_the_unit_would_be_told(tmp_path: Path) -> None:
    slip = unit_text().replace("WatchdogSec=", "WatchdogSecs=")
    assert "WatchdogSecs" in systemd("verify", written(tmp_path, slip))


def test_a_program_in_a_folder_with_a_space_is_one_word(tmp_path: Path) -> None:
    folder = tmp_path / "uno 100% attack"
    folder.mkdir()
    program = folder / "uno-attack"
    program.symlink_to(PROGRAM)
    assert systemd("verify", written(tmp_path, unit_text(program))) == ""


def test_a_program_among_temporary_files_is_shown_to_the_service_and_its_end_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "closed_to_others", lambda *needed: None)
    assert "/opt/tmp" not in "".join(re.findall("^BindReadOnlyPaths=.*$", unit_text(Path("/opt/tmp/x")), re.MULTILINE))
    with tempfile.TemporaryDirectory(prefix="uno attack", dir="/var/tmp") as folder:
        program = Path(folder) / "uno-attack"
        program.symlink_to(PROGRAM)
        text = unit_text(program)
        assert f'BindReadOnlyPaths="{folder}"\n' in text
        assert systemd("verify", written(tmp_path, text)) == ""
        install(program, tmp_path)
    assert f"{folder} is gone when the machine starts again" in capsys.readouterr().out


def test_a_folder_systemd_starts_nothing_from_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="quotation marks"):
        unit_text(tmp_path / 'the "attack"' / "uno-attack")


def test_the_service_is_hardly_exposed(tmp_path: Path) -> None:
    said = systemd("security", "--offline=true", "--no-pager", written(tmp_path, unit_text()))
    found = re.search(r"exposure level for \S+: ([\d.]+)", said)
    assert found, said
    print(f"exposure of the service: {found[1]} of 10")
    assert float(found[1]) <= MOST_EXPOSED, said


def test_the_motor_is_made_safe_before_and_after() -> None:
    for key, more in (("ExecStartPre", []), ("ExecStopPost", ["--kill"])):
        (line,) = values(key)
        program, command, *options = line.split()
        assert (program, command) == (str(PROGRAM), "safe-off")
        assert options == ["--if-present", *more]
        # The very command does its work here: no pins are driven by the default backend, and that is no failure.
        done = subprocess.run([program, command, *options], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert values("Type") == ["notify"]
    assert values("Restart") == ["always"]
    assert 0 < int(values("WatchdogSec")[0]) <= 4
    assert "gpio" in values("SupplementaryGroups")[0].split()
    assert "char-gpiochip rw" in values("DeviceAllow")


def test_show_prints_both_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["service", "show"]) == 0
    said = capsys.readouterr().out
    assert unit_text() in said
    assert "u uno-attack" in said


def test_installed_and_removed_in_a_system_that_is_not_running(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "closed_to_others", lambda *needed: None)  # where this checkout lies is not the matter
    assert main(["service", "install", "--root", str(tmp_path)]) == 0
    unit, user = tmp_path / "etc/systemd/system/uno-attack.service", tmp_path / "etc/sysusers.d/uno-attack.conf"
    assert unit.read_text(encoding="utf-8") == unit_text()
    assert unit.stat().st_mode & 0o777 == 0o644
    # The user and the groups are ones that systemd can make.
    made = subprocess.run(
        ["systemd-sysusers", "--dry-run", f"--root={tmp_path}", user], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    assert "uno-attack" in made.stdout + made.stderr
    assert main(["service", "remove", "--root", str(tmp_path)]) == 0
    assert not unit.exists()
    assert not user.exists()
    assert str(unit) in capsys.readouterr().out


def test_nothing_to_remove_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no service"):
        remove(tmp_path)


def test_a_program_its_user_cannot_reach_is_refused(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    with pytest.raises(CommandError, match="there is no program"):
        install(tmp_path / "nowhere" / "uno-attack", tmp_path)
    closed = tmp_path / "home" / "bin"
    closed.mkdir(parents=True)
    program = closed / "uno-attack"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    closed.parent.chmod(0o700)
    with pytest.raises(CommandError, match="is closed to it: move the project"):
        install(program, tmp_path)
    assert list((tmp_path / "etc").iterdir()) == []


def test_closed_is_what_others_may_not_enter_or_read(tmp_path: Path) -> None:
    outside = closed_to_others(tmp_path)  # where the tests lie may itself be closed
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)
    program = folder / "program"
    program.touch(0o755)
    if outside is None:
        assert closed_to_others(program) is None
    for place in (program, folder, tmp_path):
        place.chmod(0o700)
        assert closed_to_others(program) == (outside or place)


def test_without_systemd_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(service, "closed_to_others", lambda *needed: None)
    with pytest.raises(CommandError, match="not run by systemd"):
        install(PROGRAM, Path("/"))
