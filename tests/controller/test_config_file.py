"""A new configuration file: it says everything there is, and changes nothing."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from controller import cli
from controller.commands.configfile import lines, section_keys
from controller.config import SECTIONS, Config, launcher_settings, load, odds_profile
from controller.rules.options import OPTIONS, resolve
from hardware.pins import PinMap
from hardware.settings import BOUNDS, LauncherSettings

EVERY_KEY = [(section, key) for section in SECTIONS for key in section_keys(section)]


@pytest.fixture
def written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "new" / "uno-attack.toml"
    assert cli.main(["config", "init", "--config", str(path)]) == 0
    assert capsys.readouterr().out == f"written to {path}\n"
    return path


def test_what_is_written_changes_nothing(written: Path) -> None:
    config = load(written, {})
    assert config == Config(source=written)
    assert (dict(config.launcher), dict(config.pins), dict(config.options)) == ({}, {}, {})


def test_every_line_taken_out_of_its_comment_is_the_default(written: Path) -> None:
    text, taken = re.subn(r"(?m)^#(\w+ = )", r"\1", written.read_text())
    assert taken == len(EVERY_KEY)
    written.write_text(text)
    config = load(written, {})
    for name in ("table", "match", "odds", "button", "serial", "web", "sound", "backend", "chip"):
        assert getattr(config, name) == getattr(Config(), name)
    assert launcher_settings(config) == LauncherSettings() == launcher_settings(Config())
    assert PinMap.from_mapping(config.pins) == PinMap()
    assert resolve(config.preset, config.options).options == resolve("attack").options


def test_every_key_of_every_section_is_there() -> None:
    names: dict[str, set[str]] = {section: {key.name for key in section_keys(section)} for section in SECTIONS}
    figures = {each.name for each in fields(LauncherSettings)}
    assert names["launcher"] == {"backend", "chip", "tape"} | figures
    assert names["pins"] == {each.name for each in fields(PinMap)}
    assert names["rules"] == {"preset", *(option.name for option in OPTIONS)}
    for section in set(SECTIONS) - {"launcher", "pins", "rules"}:
        assert names[section] == {each.name for each in fields(getattr(Config(), section))}
    assert set(BOUNDS) == figures, "a figure without bounds"


@pytest.mark.parametrize(("section", "name"), [(section, key.name) for section, key in EVERY_KEY])
def test_every_key_has_one_line_of_what_it_does_above_it(section: str, name: str) -> None:
    written = list(lines())
    start = written.index(f"[{section}]")
    place = next(number for number in range(start, len(written)) if written[number].startswith(f"#{name} = "))
    assert re.match(r"# .", written[place - 1])
    assert tomllib.loads(written[place].removeprefix("#")).keys() == {name}


def test_bounds_units_and_words_are_told() -> None:
    text = "\n".join(lines())
    assert "# beam blocked for so long: stuck (100 to 2000 ms)\n#jam_ms = 350" in text
    assert "(auto, yes, no)\n#page = " in text
    assert '# lamp of the button (0 to 27, or "none")\n#lamp = 23' in text
    assert "(twin, gpio, " in text
    assert all(len(line) <= 120 for line in text.splitlines())


def test_a_file_that_is_there_is_kept_unless_told_otherwise(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text("[table]\nbot_ms = 5\n")
    assert cli.main(["config", "init", "--config", str(written)]) == 2
    assert "--force" in capsys.readouterr().err
    assert written.read_text() == "[table]\nbot_ms = 5\n"
    assert cli.main(["config", "init", "--force", "--config", str(written)]) == 0
    assert load(written, {}) == Config(source=written)
    assert [path.name for path in written.parent.iterdir()] == [written.name], "nothing is left beside it"


def test_a_place_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["config", "init", "--config", str(tmp_path / "file" / "there" / "uno-attack.toml")]) == 2
    assert "cannot be written: Not a directory" in capsys.readouterr().err


def test_force_is_for_init_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["config", "check", "--force"]) == 2
    assert "config init" in capsys.readouterr().err


def test_a_misspelt_key_is_refused_in_every_section(tmp_path: Path) -> None:
    for section, key in EVERY_KEY:
        wrong = f"{key.name}x"
        path = tmp_path / "wrong.toml"
        path.write_text(f"[{section}]\n{wrong} = 1\n")
        with pytest.raises(ValueError, match=rf"line 2, \[{section}\] {wrong}: .* did you mean '{key.name}'"):
            load(path, {})


def test_a_misspelt_section_is_refused(tmp_path: Path) -> None:
    for section in SECTIONS:
        path = tmp_path / "wrong.toml"
        path.write_text(f"[{section}z]\n")
        with pytest.raises(ValueError, match=rf"line 1, \[{section}z\]: there is no such section: did you mean"):
            load(path, {})


def test_the_table_of_odds_in_it_can_be_taken_out_of_its_comment(written: Path) -> None:
    text = written.read_text()
    start = text.index("# [odds.tables.ours]")
    end = text.index("\n\n", start)
    taken_out = re.sub(r"(?m)^# ", "", text[start:end])
    written.write_text(text[:start] + taken_out + text[end:])
    config = load(written, {"UNO_ATTACK_ODDS_PROFILE": "ours"})
    assert odds_profile(config).describe().startswith("ours: as counted on our red one; fires on ")
