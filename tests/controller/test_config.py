"""The configuration: what is wrong is named with its place and what it should have been, and nothing starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller import cli
from controller.commands.play import settings_of
from controller.config import Config, ConfigError, find, launcher_settings, listen_address, load, odds_profile


def written(place: Path, text: str) -> Path:
    path = place / "uno-attack.toml"
    path.write_text(text)
    return path


def test_without_a_file_everything_has_a_value() -> None:
    config = load(None, {})
    assert config == Config()
    assert (config.backend, config.preset, config.odds.profile) == ("twin", "attack", "measured")
    assert (config.table.grace_ms, config.odds.suspense_ms, config.web.listen) == (1500, 700, "0.0.0.0:8080")


def test_file_environment_and_command_line_lie_over_each_other(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
[table]
grace_ms = 1000
bot_ms = 100
[rules]
preset = "attack-sheet"
uno_penalty = 4
[launcher]
rest_ms = 500
[pins]
lamp = 24
[web]
listen = "127.0.0.1:9000"
names = ["uno.local"]
""",
    )
    environment = {
        "UNO_ATTACK_TABLE_BOT_MS": "200",
        "UNO_ATTACK_WEB_LISTEN": "127.0.0.1:9001",
        "UNO_ATTACK_RULES_HAND_SIZE": "5",
        "UNO_ATTACK_ODDS_PROFILE": "original",
        "UNO_ATTACK_LAUNCHER_REST_MS": "600",
        "HOME": "/nowhere",
    }
    config = load(path, environment, {("web", "listen"): "0.0.0.0:9002"})
    assert (config.table.grace_ms, config.table.bot_ms) == (1000, 200)
    assert config.preset == "attack-sheet"
    assert dict(config.options) == {"uno_penalty": 4, "hand_size": 5}
    assert dict(config.launcher) == {"rest_ms": 600}
    assert dict(config.pins) == {"lamp": 24}
    assert (config.web.listen, config.web.names) == ("0.0.0.0:9002", ("uno.local",))
    assert config.odds.profile == "original"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tabel]\n", ["line 1", "tabel", "did you mean 'table'"]),
        ("\n[table]\ngrace = 5\n", ["line 3", "[table] grace", "did you mean 'grace_ms'"]),
        ("[table]\ngrace_ms = '5'\n", ["line 2", "grace_ms", "whole number", "'5'"]),
        ("[table]\ngrace_ms = true\n", ["line 2", "whole number"]),
        ("[table]\ngrace_ms = -1\n", ["line 2", "between 0 and 10000"]),
        ("[table]\ngrace_ms = 10001\n", ["line 2", "between 0 and 10000"]),
        ("table.bot_ms = 'long'\n", ["line 1", "bot_ms", "whole number"]),
        ("[odds]\nprofile = 'measurd'\n", ["line 2", "measurd", "did you mean 'measured'"]),
        ("[rules]\npreset = 'atack'\n", ["[rules]", "atack", "attack"]),
        ("[rules]\npreset = 3\n", ["line 2", "a text"]),
        ("[rules]\nuno_penality = 2\n", ["[rules]", "uno_penality", "uno_penalty"]),
        ("[rules]\nuno_penalty = 'two'\n", ["[rules]", "uno_penalty"]),
        ("[match]\nformat = 'golf'\n", ["[match]", "golf"]),
        ("[launcher]\nrest = 5\n", ["[launcher] rest", "rest_ms"]),
        ("[launcher]\nduty_ms = 3299\n", ["line 2, [launcher] duty_ms: 3299", "most_cards (14)"]),
        ("[launcher]\nrest_ms = 5\ncard_ms = 350\n", ["line 3, [launcher] card_ms", "jam_ms: 350 must be more"]),
        ("[launcher]\nmost_cards = 19\n[odds]\nprofile = 'extreme'\n", ["most_cards: 19", "'extreme'", "(20)"]),
        ("[odds]\nprofile = 'fixed-21'\n", ["line 2", "fixed-1 to fixed-20"]),
        ("[odds]\nprofile = 'ours'\n", ["line 2", "unknown odds profile 'ours': there are: measured, "]),
        ("[odds]\nprofile = 'our'\n[odds.tables.ours]\nchances = [1]\ncards = '2'\n", ["did you mean 'ours'"]),
        ("[odds]\ntables = 5\n", ["line 2", "[odds] tables", "[odds.tables.NAME]"]),
        ("[odds.tables]\nours = 5\n", ["[odds.tables.ours]", "section of its own"]),
        ("[odds.tables.ours]\ncards = '2'\n", ["line 1", "[odds.tables.ours]", "chances are missing"]),
        (
            "[odds.tables.right]\nchances = [1]\ncards = '2'\n[odds.tables.wrong]\nchances = [2]\ncards = '2'\n",
            ["line 5", "[odds.tables.wrong] chances", "2 is not a chance"],
        ),
        ("[odds.tables.ours]\nchances = [1]\ncards = '2'\nrise = true\n", ["line 4", "rise", "did you mean 'rising'"]),
        ("[odds.tables.measured]\nchances = [1]\ncards = '2'\n", ["line 1", "give this table another name"]),
        ("[odds]\npause_ms = 10001\n", ["line 2", "between 0 and 10000"]),
        ("[sound]\nvolume = 101\n", ["line 2", "between 0 and 100"]),
        ("[sound]\nplayer = 'mplayer'\n", ["line 2", "auto, pw-play, aplay, none"]),
        ("[launcher]\nduty_ms = 2099\n[odds]\nprofile = 'original'\n", ["duty_ms: 2099", "most_cards (8)"]),
        ("[launcher]\nmax_on_ms = 4001\n", ["max_on_ms", "4001", "4000"]),
        ("[launcher]\nbackend = 'twinn'\n", ["line 2", "twinn", "did you mean 'twin'"]),
        ("[table]\nphysical = 'no'\n", ["line 2", "yes or no", "'no'"]),
        ("[launcher]\nburst_pause_ms = 5\n", ["burst_pause_ms", "200"]),
        ("[launcher]\nbackend = 'wacth'\n", ["line 2", "did you mean 'watch'"]),
        ("[launcher]\nbackend = 'seriel'\n", ["line 2", "did you mean 'serial'"]),
        ("[pins]\nin1 = 5\n", ["line 2, [pins] in1: 5 is pulled up"]),
        ("[pins]\nbeam = 20\nin1 = 22\n", ["line 3, [pins] in1: 22 is already used for enable"]),
        ("[pins]\nbuzzer = 6\n", ["line 2, [pins] buzzer: 6 is pulled up"]),
        ("[pins]\nbeam2 = 6\n", ["line 2, [pins] beam2: 6 is already used for lid"]),
        ("[pins]\nlid = 'none'\n", ["line 2, [pins] lid: this part must be wired"]),
        ("[pins]\nlid = true\n", ["line 2, [pins] lid: true is not a BCM pin number"]),
        ("[pins]\nbeam = 'none'\nbeam2 = 20\n", ["line 3, [pins] beam2: a second beam needs a first"]),
        ("[pins]\nmotor = 17\n", ["line 2", "[pins] motor", "no such key"]),
        ("[web]\nlisten = '8080'\n", ["line 2", "ADDRESS:PORT"]),
        ("[web]\nnames = 'uno.local'\n", ["line 2", "list of texts"]),
        ("[button]\npage = 'maybe'\n", ["line 2", "auto, yes, no"]),
        ("[sound]\non = 1\n", ["line 2", "yes or no"]),
        ("table = 5\n", ["[table]", "section"]),
        ("[table\n", ["not TOML", "line 1"]),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, said: list[str]) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load(path, {})
    message = str(caught.value)
    for words in (str(path), *said):
        assert words in message, message


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("UNO_ATTACK_TABEL_BOT_MS", "5", "SECTION_KEY"),
        ("UNO_ATTACK_DATA", "/tmp", "SECTION_KEY"),
        ("UNO_ATTACK_TABLE_BOT", "5", "did you mean 'bot_ms'"),
        ("UNO_ATTACK_TABLE_BOT_MS", "soon", "whole number"),
        (
            "UNO_ATTACK_LAUNCHER_REST_MS",
            "abc",
            "variable UNO_ATTACK_LAUNCHER_REST_MS, [launcher] rest_ms: 'abc' is not",
        ),
        ("UNO_ATTACK_PINS_LID", "17", "variable UNO_ATTACK_PINS_LID, [pins] lid: 17 is already used for in1"),
    ],
)
def test_a_wrong_environment_variable_is_named(variable: str, value: str, said: str) -> None:
    with pytest.raises(ConfigError, match=variable) as caught:
        load(None, {variable: value})
    assert said in str(caught.value)


def test_a_file_that_is_not_there_or_not_readable(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no configuration file"):
        find(tmp_path / "missing.toml", ())
    with pytest.raises(ConfigError, match=r"is a directory: name the file in it, like .*uno-attack\.toml"):
        find(tmp_path, ())
    assert find(None, (tmp_path,)) is None
    path = written(tmp_path, "")
    assert find(None, (tmp_path / "other", tmp_path)) == path
    path.write_bytes(b"[table]\n# \xff\n")
    with pytest.raises(ConfigError, match="UTF-8"):
        load(path, {})


def test_addresses_to_listen_on() -> None:
    assert listen_address("0.0.0.0:8080") == ("0.0.0.0", 8080)
    assert listen_address("[::]:80") == ("::", 80)
    for wrong in ("8080", "host:", ":80", "host:99999", "host:-1", "host:8o"):
        with pytest.raises(ConfigError, match="ADDRESS:PORT"):
            listen_address(wrong)


def test_the_command_checks_and_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "[table]\nbot_ms = 5\n[rules]\nlast_card = ['trade-hands', 'skip']\n")
    assert cli.main(["config", "check", "--config", str(path)]) == 0
    assert capsys.readouterr().out == f"ok {path}\n"
    assert cli.main(["config", "show", "--config", str(path)]) == 0
    shown = capsys.readouterr().out
    again = tmp_path / "again.toml"
    again.write_text(shown)
    assert "bot_ms = 5" in shown
    assert cli.main(["config", "show", "--config", str(again)]) == 0
    assert capsys.readouterr().out == shown, "what is shown can be used as a file"
    path.write_text("[table]\nbots = 5\n")
    assert cli.main(["config", "check", "--config", str(path)]) == 2
    assert "did you mean 'bot_ms'" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "button", "typed", "physical"), [
    ("", "page", False, False),
    ("[button]\npage = 'no'\n", "finger", False, False),
    ("[launcher]\nbackend = 'gpio'\n", "finger", False, False),
    ("[launcher]\nbackend = 'gpio'\n[button]\npage = 'yes'\n", "page", False, False),
    ("[launcher]\nbackend = 'watch'\n[button]\npage = 'yes'\n", "finger", True, False),
    ("[launcher]\nbackend = 'watch-twin'\n", "finger", True, False),
    ("[launcher]\nbackend = 'none'\n[button]\npage = 'yes'\n[table]\nphysical = true\n", "none", True, True),
])  # fmt: skip
def test_the_backend_says_which_button_there_is(
    tmp_path: Path, text: str, button: str, typed: bool, physical: bool
) -> None:
    settings = settings_of(load(written(tmp_path, text), {}))
    assert (settings.button, settings.typed, settings.physical) == (button, typed, physical)
    assert settings.page_button is (button == "page")


OURS = """
[odds]
profile = "ours"
pause_ms = 900
[odds.tables.ours]
summary = "the red one"
chances = [0.25, 1]
cards = ["1-3 + 0-3", { 4 = 1, 8 = 2 }]
pauses = 0.5
[odds.tables.other]
chances = [0.5]
cards = "2"
"""


def test_a_table_of_odds_is_chosen_and_the_launcher_sets_time_aside_for_its_largest_shot(tmp_path: Path) -> None:
    config = load(written(tmp_path, OURS), {})
    assert odds_profile(config).max_cards == launcher_settings(config).most_cards == 8
    assert settings_of(config).pause == 0.9
    other = load(written(tmp_path, OURS), {"UNO_ATTACK_ODDS_PROFILE": "other"})
    assert odds_profile(other).longest_dry_run is None


def test_tables_of_odds_are_shown_as_they_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, OURS)
    assert cli.main(["config", "show", "--config", str(path)]) == 0
    shown = capsys.readouterr().out
    again = load(written(tmp_path, shown), {})
    first = load(written(tmp_path, OURS), {})
    assert odds_profile(again) == odds_profile(first)
    assert again.odds_tables == first.odds_tables


@pytest.mark.parametrize("profile", ["extreme", "fixed-20", "gentle", "ascending", "fixed-1"])
def test_every_profile_of_the_program_can_be_chosen(tmp_path: Path, profile: str) -> None:
    config = load(written(tmp_path, f"[odds]\nprofile = '{profile}'\n"), {})
    assert launcher_settings(config).most_cards == odds_profile(config).max_cards
