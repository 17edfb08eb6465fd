"""Figures and pins: each bound and one beyond, unknown keys with a suggestion, and messages that name the key."""

from __future__ import annotations

import pytest

from hardware.pins import PinMap
from hardware.settings import BOUNDS, LauncherSettings, SettingsError, from_mapping


def test_no_configuration_gives_the_defaults() -> None:
    assert from_mapping({}) == LauncherSettings()
    assert PinMap.from_mapping({}) == PinMap()


@pytest.mark.parametrize("key", sorted(BOUNDS))
def test_every_figure_is_refused_one_beyond_its_bounds(key: str) -> None:
    low, high = BOUNDS[key]
    for value in (low - 1, high + 1):
        with pytest.raises(SettingsError, match=rf"\[launcher\] {key}: {value} is out of range; {low} to {high}"):
            from_mapping({key: value})


@pytest.mark.parametrize("key", sorted(set(BOUNDS) - {"max_on_ms", "jam_ms", "duty_ms"}))
def test_every_figure_is_accepted_at_its_bounds(key: str) -> None:
    low, high = BOUNDS[key]
    # The others are set so that only the bound itself is tried.
    others: dict[str, object] = {"max_on_base_ms": 3000, "max_on_card_ms": 500, "jam_ms": 2000, "duty_ms": 30_000}
    if key == "kick_after_ms":
        others["first_card_ms"] = 2000
    for value in (low, high):
        assert getattr(from_mapping({**others, key: value}), key) == value


def test_the_motor_is_never_on_for_more_than_four_seconds() -> None:
    settings = LauncherSettings(max_on_ms=4000, max_on_base_ms=4000, max_on_card_ms=4000)
    assert settings.on_ms(1) == settings.on_ms(108) == settings.longest_ms == 4000
    assert settings.on_ms(0) == settings.on_ms(-1) == 0
    with pytest.raises(SettingsError, match="max_on_ms: 4001"):
        LauncherSettings(max_on_ms=4001)


@pytest.mark.parametrize("value", ["400", 400.0, True, None])
def test_a_figure_must_be_a_whole_number(value: object) -> None:
    with pytest.raises(SettingsError, match=r"\[launcher\] rest_ms: .* is not a whole number; 0 to 10000 is allowed"):
        from_mapping({"rest_ms": value})


def test_an_unknown_key_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SettingsError, match=r"\[launcher\] rest_msec: unknown key; did you mean rest_ms\?"):
        from_mapping({"rest_msec": 1})
    with pytest.raises(SettingsError, match=r"\[launcher\] zzz: unknown key; known keys: rest_ms, "):
        from_mapping({"zzz": 1})
    with pytest.raises(SettingsError, match=r"\[pins\] enabel: unknown key; did you mean enable\?"):
        PinMap.from_mapping({"enabel": 22})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"max_on_ms": 100}, r"max_on_ms: a shot of one card may take 100 ms, but .* already take 183 ms"),
        ({"jam_ms": 100, "card_ms": 100}, r"jam_ms: 100 must be more than card_ms \(100\)"),
        ({"card_mm": 40, "beam_gap_mm": 40}, r"beam_gap_mm: 40 must be less than card_mm \(40\)"),
        ({"kick_after_ms": 400}, r"kick_after_ms: 400 must be less than first_card_ms \(400\)"),
        ({"stop_lag_ms": 40, "spin_up_ms": 20, "pace_ms": 41}, r"stop_lag_ms: 40 must be less than .* \(40\)"),
        ({"duty_ms": 3299}, r"duty_ms: 3299 is less than one shot of most_cards \(14\) may take \(3300 ms\)"),
    ],
)
def test_figures_that_contradict_each_other(values: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        from_mapping(values)


@pytest.mark.parametrize(
    ("values", "ms"),
    [({}, 2220), ({"most_cards": 8}, 1500), ({"interval_ms": 197}, 3298), ({"interval_ms": 198}, 3300)],
)
def test_what_is_set_aside_for_the_longest_shot(values: dict[str, object], ms: int) -> None:
    assert from_mapping(values).reserve_ms == ms


def test_the_bound_of_a_contradiction_is_allowed() -> None:
    assert from_mapping({"duty_ms": 3300}).duty_ms == 3300
    assert from_mapping({"card_mm": 41, "beam_gap_mm": 40}).beam_gap_mm == 40
    assert from_mapping({"kick_after_ms": 399}).kick_after_ms == 399
    assert from_mapping({"stop_lag_ms": 39, "spin_up_ms": 20, "pace_ms": 41}).forward_ms(1, None) == 1.5


@pytest.mark.parametrize(("cards", "hopper", "ms"), [(1, None, 185), (3, None, 365), (3, 112, 365), (1, 10, 185)])
def test_how_long_a_shot_without_a_beam_turns(cards: int, hopper: int | None, ms: float) -> None:
    assert LauncherSettings().forward_ms(cards, hopper) == ms


def test_the_last_cards_of_a_light_pile_come_later() -> None:
    settings = LauncherSettings(light_cards=10, light_ms=100)
    assert [settings.late_ms(left) for left in (None, 112, 10, 6, 1, 0)] == [0, 0, 0, 50, 100, 100]
    assert settings.forward_ms(2, 112) == 275
    assert settings.forward_ms(2, 2) == 275 + 90 + 100
    assert LauncherSettings(light_ms=100).late_ms(1) == 0  # off


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"in1": 27}, r"\[pins\] in1: 27 is already used for in2"),
        ({"lid": 5}, r"\[pins\] lid: 5 is already used for button"),
        ({"in1": 8}, r"\[pins\] in1: 8 is pulled up while the Pi boots"),
        ({"in2": 2}, r"\[pins\] in2: 2 is pulled up while the Pi boots"),
        ({"enable": 3}, r"\[pins\] enable: 3 is pulled up while the Pi boots"),
        ({"lamp": 7}, r"\[pins\] lamp: 7 is pulled up while the Pi boots"),
        ({"beam": 14}, r"\[pins\] beam: 14 belongs to the serial console"),
        ({"lamp": 15}, r"\[pins\] lamp: 15 belongs to the serial console"),
        ({"beam": 1}, r"\[pins\] beam: 1 belongs to the memory that identifies boards"),
        ({"in1": 0}, r"\[pins\] in1: 0 belongs to the memory that identifies boards"),
        ({"beam": 28}, r"\[pins\] beam: 28 is not on the header; 0 to 27"),
        ({"beam": -1}, r"\[pins\] beam: -1 is not on the header"),
        ({"in1": "17"}, r"\[pins\] in1: '17' is not a BCM pin number"),
        ({"in1": True}, r"\[pins\] in1: true is not a BCM pin number"),
        ({"enable": "none"}, r"\[pins\] enable: this part must be wired"),
        ({"buzzer": 8}, r"\[pins\] buzzer: 8 is pulled up while the Pi boots"),
        ({"alive": 2}, r"\[pins\] alive: 2 is pulled up while the Pi boots"),
        ({"beam": "none", "beam2": 20}, r"\[pins\] beam2: a second beam needs a first one"),
    ],
)
def test_dangerous_pins_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        PinMap.from_mapping(values)


def test_pins_at_the_bounds_and_optional_parts() -> None:
    pins = PinMap.from_mapping({"in1": 9, "beam": 27, "in2": 10, "lid": 2, "lamp": "none", "stop": 26})
    assert (pins.in1, pins.beam, pins.lid, pins.lamp, pins.stop) == (9, 27, 2, None, 26)
