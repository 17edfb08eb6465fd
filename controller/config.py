"""The configuration: one TOML file, the environment over it, the command line over both; checked before any start.

What the keys of [launcher] and [pins] mean is the hardware's to say, and what [rules] and [match] mean the rules';
both are asked here. Nothing is opened and nothing is started.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from hardware.keys import key, keys_of

if TYPE_CHECKING:  # a start is quick: what checks the sections is imported when there is something to check
    from controller.odds import OddsProfile
    from hardware.settings import LauncherSettings

ENVIRONMENT_PREFIX = "UNO_ATTACK_"
FILE_NAME = "uno-attack.toml"
AUTO_CHIP = "auto"

_Section = TypeVar("_Section")
Raw = dict[str, dict[str, object]]


class ConfigError(ValueError):
    """The configuration is wrong; the text says where, and what it should have been."""


@dataclass(frozen=True, slots=True)
class TableSection:
    """How the table behaves, apart from the rules of the game."""

    grace_ms: int = key(1500, "a catch within it is held, and a call before its end beats it", most=10_000, unit="ms")
    helped_grace_ms: int = key(
        4000, "the same for a seat that gets help; never shorter than grace_ms", most=10_000, unit="ms"
    )
    bot_ms: int = key(900, "how long a bot thinks", most=60_000, unit="ms")
    physical: bool = key(False, "whether games have real cards when the host chooses nothing else")


@dataclass(frozen=True, slots=True)
class MatchSection:
    """The match that is played when the host chooses nothing else."""

    format: str = key("winner-takes", "who is paid, and when it ends (docs/rules.md)")
    target: int = key(500, "points that end it; 0: none do", most=100_000, unit="points")
    rounds: int = key(0, "rounds that end it; 0: none do", most=1000, unit="rounds")


@dataclass(frozen=True, slots=True)
class OddsSection:
    """How the launcher fires, and for how long it keeps that to itself."""

    profile: str = key("measured", "which presses fire, and how many cards come then")
    suspense_ms: int = key(700, "from a press to what comes of it", most=10_000, unit="ms")
    pause_ms: int = key(1500, "how much longer, where a profile makes a fake pause", most=10_000, unit="ms")


@dataclass(frozen=True, slots=True)
class ButtonSection:
    """The UNO button."""

    page: str = key(
        "auto", "whether pages may press it; auto: where no real button is wired", words=("auto", "yes", "no")
    )


@dataclass(frozen=True, slots=True)
class SerialSection:
    """The firmware bridge."""

    device: str = key("", "its port, best by /dev/serial/by-id")
    beam: bool = key(True, "whether a light beam at the card exit is wired to it; without one shots are timed")
    beam2: bool = key(False, "whether a second beam is, further on")
    stop: bool = key(False, "whether an emergency stop is")
    buzzer: bool = key(False, "whether a buzzer is")


@dataclass(frozen=True, slots=True)
class WebSection:
    """Where the companion listens, and by what names it may be called besides its addresses."""

    listen: str = key("0.0.0.0:8080", "address and port that phones connect to")
    names: tuple[str, ...] = key((), "names it is called by, besides its addresses and the machine's own")


@dataclass(frozen=True, slots=True)
class SoundSection:
    """What is to be heard."""

    on: bool = key(True, "whether anything makes a sound: phones, television, buzzer, this machine")
    volume: int = key(70, "of this machine's own sounds; 0: none", most=100, unit="%")
    player: str = key(
        "auto", "what plays them; auto: what there is; none: nothing does", words=("auto", "pw-play", "aplay", "none")
    )


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration, checked."""

    table: TableSection = TableSection()
    match: MatchSection = MatchSection()
    odds: OddsSection = OddsSection()
    button: ButtonSection = ButtonSection()
    serial: SerialSection = SerialSection()
    web: WebSection = WebSection()
    sound: SoundSection = SoundSection()
    preset: str = "attack"
    options: Mapping[str, object] = field(default_factory=dict)  # [rules] without `preset`
    odds_tables: Mapping[str, Mapping[str, object]] = field(
        default_factory=dict
    )  # [odds.tables], see controller.odds.tables
    backend: str = "twin"
    chip: str = AUTO_CHIP
    tape: str = ""  # the file that the backend `tape` plays back
    launcher: Mapping[str, object] = field(default_factory=dict)  # [launcher] without `backend`, `chip` and `tape`
    pins: Mapping[str, object] = field(default_factory=dict)
    source: Path | None = None


TYPED: Mapping[str, type] = {
    "table": TableSection,
    "match": MatchSection,
    "odds": OddsSection,
    "button": ButtonSection,
    "serial": SerialSection,
    "web": WebSection,
    "sound": SoundSection,
}
SECTIONS = ("table", "rules", "match", "launcher", "pins", "odds", "button", "serial", "web", "sound")


def load(
    path: Path | None,
    environment: Mapping[str, str] | None = None,
    overrides: Mapping[tuple[str, str], object] | None = None,
) -> Config:
    """What the file at `path` (None: no file) says, under the environment and the command line's `overrides`.

    Raises `ConfigError` for whatever is not known or not possible.
    """
    raw, text = _read(path)
    where = _Places(path, text)
    _merge_environment(raw, os.environ if environment is None else environment, where)
    for (section, name), value in (overrides or {}).items():
        raw.setdefault(section, {})[name] = value
        where.said_by[section, name] = "the command line"
    return _build(raw, where, path)


def wiring(path: Path | None, environment: Mapping[str, str] | None = None) -> tuple[str, str, Mapping[str, object]]:
    """Backend, chip and [pins] as the file and the environment say, whatever else is wrong with them: to make safe.

    Raises `ConfigError` where that cannot be known.
    """
    text = ""
    try:
        text = path.read_text(encoding="utf-8") if path is not None else ""
        raw: Raw = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    where = _Places(path, text)
    raw = {name: raw.get(name, {}) for name in ("launcher", "pins")}
    if not all(isinstance(section, dict) for section in raw.values()):
        raise ConfigError(f"{path}: [launcher] and [pins] are sections: write each on a line of its own")
    here = os.environ if environment is None else environment
    starts = tuple(f"{ENVIRONMENT_PREFIX}{name}" for name in ("PINS_", "LAUNCHER_BACKEND", "LAUNCHER_CHIP"))
    _merge_environment(raw, {name: value for name, value in here.items() if name.startswith(starts)}, where)
    launcher, pins = raw["launcher"], raw["pins"]
    backend = _text("launcher", "backend", launcher.get("backend", "twin"), where)
    return backend, _text("launcher", "chip", launcher.get("chip", AUTO_CHIP), where), pins


def find(named: Path | None, directories: tuple[Path, ...]) -> Path | None:
    """The file to read: `named`, or the first there is in `directories`. Raises `ConfigError` without `named`."""
    if named is not None:
        if named.is_dir():
            raise ConfigError(f"{named} is a directory: name the file in it, like {named / FILE_NAME}")
        if not named.is_file():
            raise ConfigError(f"there is no configuration file {named}")
        return named
    return next((place / FILE_NAME for place in directories if (place / FILE_NAME).is_file()), None)


def nearest(name: str, known: tuple[str, ...]) -> str:
    """What may have been meant by `name`, as the end of a sentence."""
    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"


class _Places:
    """Where each key was said, for messages."""

    def __init__(self, path: Path | None, text: str) -> None:
        self._path = path
        self._lines = text.splitlines()
        self.said_by: dict[tuple[str, str], str] = {}

    def of(self, section: str, key: str | None = None) -> str:
        """`uno-attack.toml, line 12, [odds] profile` or as near to it as can be told. Sections may lie in others."""
        name = f"[{section}]" if key is None else f"[{section}] {key}"
        if key is not None and (section, key) in self.said_by:
            return f"{self.said_by[section, key]}, {name}"
        line = self._line(section, key)
        file = str(self._path) if self._path is not None else "configuration"
        return f"{file}, line {line}, {name}" if line else f"{file}, {name}"

    def _line(self, section: str, key: str | None) -> int | None:
        inside = False
        for number, line in enumerate(self._lines, start=1):
            header = re.match(r"\s*\[\s*([\w.\"'-]+)\s*\]", line)
            if header:
                name = header[1].strip("\"'")
                inside = section in (name, name.split(".")[0])
                if inside and key is None:
                    return number
                continue
            name = re.escape(key or section)
            if key and not inside:
                name = rf"{re.escape(section)}\s*\.\s*{name}"
            if (inside or key is None or "." in line) and re.match(rf"\s*[\"']?{name}[\"']?\s*[=.]", line):
                return number
        return None


def _read(path: Path | None) -> tuple[Raw, str]:
    if path is None:
        return {}, ""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text: {error.reason}") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    where = _Places(path, text)
    for section, keys in data.items():
        if section not in SECTIONS:
            raise ConfigError(f"{where.of(section)}: there is no such section: {nearest(section, SECTIONS)}")
        if not isinstance(keys, dict):
            raise ConfigError(f"{where.of(section)} is a section: write [{section}] on a line of its own")
    return data, text


def _merge_environment(raw: Raw, environment: Mapping[str, str], where: _Places) -> None:
    for variable, value in environment.items():
        if not variable.startswith(ENVIRONMENT_PREFIX):
            continue
        section, _, key = variable.removeprefix(ENVIRONMENT_PREFIX).lower().partition("_")
        if section not in SECTIONS or not key:
            raise ConfigError(
                f"environment variable {variable}: it should be {ENVIRONMENT_PREFIX}SECTION_KEY, "
                f"with a section of {', '.join(SECTIONS)}"
            )
        raw.setdefault(section, {})[key] = _environment_value(value)
        where.said_by[section, key] = f"environment variable {variable}"


def _environment_value(text: str) -> object:
    """`text` as TOML would read it, or as it is."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _build(raw: Raw, where: _Places, path: Path | None) -> Config:
    odds = dict(raw.get("odds", {}))
    tables = odds.pop("tables", {})
    raw = {**raw, "odds": odds}
    built: dict[str, Any] = {name: _section(kind, name, raw.get(name, {}), where) for name, kind in TYPED.items()}
    options = dict(raw.get("rules", {}))
    preset = _text("rules", "preset", options.pop("preset", "attack"), where)
    launcher = dict(raw.get("launcher", {}))
    backend = _text("launcher", "backend", launcher.pop("backend", "twin"), where)
    config = Config(
        **built,
        preset=preset,
        options=options,
        odds_tables=_odds_tables(tables, where),
        backend=backend,
        chip=_text("launcher", "chip", launcher.pop("chip", AUTO_CHIP), where),
        tape=_text("launcher", "tape", launcher.pop("tape", ""), where),
        launcher=launcher,
        pins=dict(raw.get("pins", {})),
        source=path,
    )
    _check(config, where)
    return config


def _section(kind: type[_Section], name: str, raw: Mapping[str, object], where: _Places) -> _Section:
    hints = get_type_hints(kind)
    _refuse_unknown(name, raw, tuple(hints), where)
    values: dict[str, object] = {}
    for named, value in raw.items():
        values[named] = _value(hints[named], value, where.of(name, named))
    for each in fields(kind):  # type: ignore[arg-type]  # only dataclasses are handed in
        if each.name in values:
            _bounds(values[each.name], each.metadata, where.of(name, each.name))
    return kind(**values)


def _value(hint: object, value: object, place: str) -> object:
    if hint is bool:
        if isinstance(value, bool):
            return value
        raise ConfigError(f"{place} is yes or no: write true or false, not {value!r}")
    if hint is int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise ConfigError(f"{place} is a whole number, not {value!r}")
    if hint is str:
        if isinstance(value, str):
            return value
        raise ConfigError(f"{place} is a text: write it in quotes, not {value!r}")
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise ConfigError(f'{place} is a list of texts, like ["uno.local"], not {value!r}')


def _bounds(value: object, bounds: Mapping[str, Any], place: str) -> None:
    if "most" in bounds and isinstance(value, int) and not bounds["least"] <= value <= bounds["most"]:
        raise ConfigError(f"{place} lies between {bounds['least']} and {bounds['most']}, not {value}")
    if bounds["words"] and value not in bounds["words"]:
        raise ConfigError(f"{place} is one of {', '.join(bounds['words'])}, not {value!r}")


def _text(section: str, key: str, value: object, where: _Places) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{where.of(section, key)} is a text: write it in quotes, not {value!r}")
    return value


def _odds_tables(tables: Any, where: _Places) -> Mapping[str, Mapping[str, object]]:
    """`[odds.tables]`, every table of it checked, whether it is chosen or not."""
    from controller.odds import OddsError, own_profiles

    try:
        own_profiles(tables)
    except OddsError as error:
        section = f"odds.tables.{error.table}" if error.table else "odds"
        table = tables.get(error.table) if error.table else {"tables": tables}
        said = error.key if isinstance(table, dict) and error.key in table else None
        raise ConfigError(f"{where.of(section, said)}: {error}") from error
    return dict(tables)


def _check(config: Config, where: _Places) -> None:
    """Ask those who know what the words mean."""
    from controller.rules.matches import MatchSettings, check_settings
    from controller.rules.options import BY_NAME, resolve
    from hardware.backends import READY
    from hardware.pins import PinMap
    from hardware.settings import LauncherSettings, SettingsError

    match = config.match
    checks: list[tuple[str, str | None, Callable[[], object]]] = [
        ("rules", None, lambda: resolve(config.preset, config.options)),
        ("match", None, lambda: check_settings(MatchSettings(match.format, match.target, match.rounds), 2)),
        ("odds", "profile", lambda: odds_profile(config)),
        ("launcher", None, lambda: launcher_settings(config)),
        ("pins", None, lambda: PinMap.from_mapping(config.pins)),
        ("web", "listen", lambda: listen_address(config.web.listen)),
    ]
    if config.backend not in READY:
        place, known = where.of("launcher", "backend"), tuple(READY)
        raise ConfigError(f"{place}: there is no backend {config.backend!r}: {nearest(config.backend, known)}")
    _refuse_unknown("rules", config.options, ("preset", *BY_NAME), where)
    _refuse_unknown("launcher", config.launcher, ("backend", "chip", "tape", *keys_of(LauncherSettings)), where)
    _refuse_unknown("pins", config.pins, tuple(keys_of(PinMap)), where)
    for section, name, ask in checks:
        try:
            ask()
        except ValueError as error:
            said = name
            if isinstance(error, SettingsError):  # of the keys it is about, the one that somebody has written
                written = config.pins if section == "pins" else config.launcher
                said = next((each for each in error.keys if each in written), None)
            text = str(error).removeprefix(f"[{section}] {said}: ")
            raise ConfigError(f"{where.of(section, said)}: {text}") from error


def _refuse_unknown(section: str, said: Iterable[str], known: tuple[str, ...], where: _Places) -> None:
    for name in said:
        if name not in known:
            raise ConfigError(f"{where.of(section, name)}: there is no such key: {nearest(name, known)}")


def launcher_settings(config: Config) -> LauncherSettings:
    """The launcher's figures; how many cards its longest shot has, the odds say where the configuration does not.

    Raises `SettingsError`, also when it says less than the odds can bring; `OddsError` for a profile there is not.
    """
    from hardware.settings import SettingsError, from_mapping

    profile = odds_profile(config)
    settings = from_mapping({"most_cards": profile.max_cards, **config.launcher})
    if settings.most_cards < profile.max_cards:
        raise SettingsError(
            f"[launcher] most_cards: {settings.most_cards} is less than the odds profile {profile.name!r} can bring "
            f"({profile.max_cards}); leave it out, and the profile says it",
            "most_cards",
        )
    return settings


def odds_profile(config: Config) -> OddsProfile:
    """The profile that is chosen: a known one, or one of its own tables. Raises `OddsError`."""
    from controller.odds import own_profiles, profile

    return profile(config.odds.profile, own_profiles(config.odds_tables))


def listen_address(text: str) -> tuple[str, int]:
    """`ADDRESS:PORT` taken apart; an IPv6 address stands in brackets. Raises `ConfigError`."""
    address, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or not 0 <= int(port) <= 65535 or not address:
        raise ConfigError(f"{text!r} is not ADDRESS:PORT, like 0.0.0.0:8080")
    return address.removeprefix("[").removesuffix("]"), int(port)
