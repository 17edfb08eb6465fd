"""The launcher's figures, validated: every duration and limit the hardware goes by. No pins (see `hardware.pins`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Final

from hardware.keys import key, keys_of

MAX_ON_LIMIT_MS: Final = 4000  # no setting lets the motor be on longer than this in one shot
DUTY_WINDOW_MS: Final = 60_000  # the duty budget is counted over the last minute


class SettingsError(ValueError):
    """A figure of the configuration that cannot be used; the message names key, value and what is allowed.

    `keys`: the keys it is about, the first one in its text: one of them is to be changed.
    """

    def __init__(self, text: str, *keys: str) -> None:
        super().__init__(text)
        self.keys = keys


def _ms(default: int, least: int, most: int, text: str) -> Any:
    return key(default, text, least=least, most=most, unit="ms")


@dataclass(frozen=True, slots=True)
class LauncherSettings:
    """All figures of `[launcher]`, in milliseconds unless said otherwise. Raises `SettingsError` when out of bounds.

    The defaults are bench values, to be calibrated on the real device.
    """

    rest_ms: int = _ms(400, 0, 10_000, "motor off between two shots, and before the second try of a jammed one")
    first_card_ms: int = _ms(400, 100, 2000, "motor forward without any card for so long: stuck or empty")
    jam_ms: int = _ms(350, 100, 2000, "beam blocked for so long: stuck")
    card_ms: int = _ms(43, 5, 500, "one card at the beam: about 87 mm at 2 m/s")
    card_mm: int = key(87, "length of a card on its way out", least=40, most=150, unit="mm")
    beam_gap_mm: int = key(25, "from the first beam to the second one, where there is one", least=5, most=80, unit="mm")
    spin_up_ms: int = _ms(150, 20, 1000, "without a beam: from forward to the first card's front at the exit")
    pace_ms: int = _ms(90, 5, 1000, "without a beam: from card to card; 100 / pace_ms cards leave in 100 ms")
    stop_lag_ms: int = _ms(10, 0, 100, "without a beam: cards still come for so long when the motor is told to brake")
    light_cards: int = key(
        0, "a pile of so few cards presses less, and they come more slowly; 0: no difference", most=112, unit="cards"
    )
    light_ms: int = _ms(0, 0, 500, "so much later comes the very last card of such a pile; those before it in between")
    interval_ms: int = _ms(120, 5, 1000, "from card to card at the slowest honest pace")
    max_on_ms: int = _ms(MAX_ON_LIMIT_MS, 100, MAX_ON_LIMIT_MS, "upper limit of the motor's time in one shot")
    max_on_base_ms: int = _ms(500, 0, MAX_ON_LIMIT_MS, "the motor's time in one shot of no card at all")
    max_on_card_ms: int = _ms(200, 0, MAX_ON_LIMIT_MS, "so much more of it for each card asked for")
    most_cards: int = key(
        14,
        "the longest shot: motor time for it is set aside; unless it is said, the odds say it",
        least=1,
        most=108,
        unit="cards",
    )
    duty_ms: int = _ms(8000, 100, 30_000, "the motor's time in any minute")
    watchdog_ms: int = _ms(250, 50, 1000, "the launcher's loop silent for so long with the motor on: enable is dropped")
    arming_ms: int = _ms(0, 0, 50, "between enable and forward, for drivers that wake slowly")
    brake_ms: int = _ms(40, 0, 200, "braking, after the last card")
    retract_ms: int = _ms(100, 0, 300, "short reverse to pull back the next card")
    kick_after_ms: int = _ms(0, 0, 1000, "no card for so long: a short reverse shakes the roller loose, once; 0: never")
    kick_ms: int = _ms(30, 5, 100, "that short reverse")
    settle_ms: int = _ms(60, 10, 500, "after the motor is off: late cards still count")
    lockout_ms: int = _ms(30, 5, 200, "a button must be quiet for so long before its release counts")
    burst_pause_ms: int = _ms(1000, 200, 5000, "of a machine that is only watched: no card for so long ends its shot")
    dry_ms: int = _ms(3000, 500, 10_000, "of such a machine: pressed, and no card for so long, so none will come")

    def __post_init__(self) -> None:
        for name, (low, high) in BOUNDS.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise SettingsError(
                    f"[launcher] {name}: {value!r} is not a whole number; {low} to {high} is allowed", name
                )
            if not low <= value <= high:
                raise SettingsError(f"[launcher] {name}: {value} is out of range; {low} to {high} is allowed", name)
        shortest = self.brake_ms + self.retract_ms + self.arming_ms + self.card_ms
        if self.on_ms(1) <= shortest:
            raise SettingsError(
                f"[launcher] max_on_ms: a shot of one card may take {self.on_ms(1)} ms, but arming, one card, braking "
                f"and retracting already take {shortest} ms; raise max_on_base_ms or max_on_card_ms",
                "max_on_ms",
                "max_on_base_ms",
                "max_on_card_ms",
                "brake_ms",
                "retract_ms",
                "arming_ms",
                "card_ms",
            )
        if self.jam_ms <= self.card_ms:
            raise SettingsError(
                f"[launcher] jam_ms: {self.jam_ms} must be more than card_ms ({self.card_ms}), or every card is a jam",
                "jam_ms",
                "card_ms",
            )
        if self.beam_gap_mm >= self.card_mm:
            raise SettingsError(
                f"[launcher] beam_gap_mm: {self.beam_gap_mm} must be less than card_mm ({self.card_mm}), so that a "
                f"card is in both beams at a time",
                "beam_gap_mm",
                "card_mm",
            )
        if self.kick_after_ms >= self.first_card_ms:
            raise SettingsError(
                f"[launcher] kick_after_ms: {self.kick_after_ms} must be less than first_card_ms "
                f"({self.first_card_ms}), when the motor is given up",
                "kick_after_ms",
                "first_card_ms",
            )
        if self.stop_lag_ms >= self.spin_up_ms + self.pace_ms // 2:
            raise SettingsError(
                f"[launcher] stop_lag_ms: {self.stop_lag_ms} must be less than spin_up_ms and half of pace_ms together "
                f"({self.spin_up_ms + self.pace_ms // 2}), or a timed shot of one card would end before it began",
                "stop_lag_ms",
                "spin_up_ms",
                "pace_ms",
            )
        if self.duty_ms < self.longest_ms:
            raise SettingsError(
                f"[launcher] duty_ms: {self.duty_ms} is less than one shot of most_cards ({self.most_cards}) may take "
                f"({self.longest_ms} ms), so that no press would ever be allowed",
                "duty_ms",
                "most_cards",
                "max_on_ms",
                "max_on_base_ms",
                "max_on_card_ms",
            )

    def on_ms(self, cards: int) -> int:
        """How long the motor may be on for a shot of so many cards; 0 for a dry one, never over `max_on_ms`."""
        return min(self.max_on_ms, self.max_on_base_ms + self.max_on_card_ms * cards) if cards > 0 else 0

    def late_ms(self, left: int | None) -> float:
        """How much later than usual a card comes when `left` cards, itself included, are in the pile; None = many."""
        if left is None or left >= self.light_cards:
            return 0.0
        return self.light_ms * (1 - (max(left, 1) - 1) / self.light_cards)

    def front_ms(self, card: int, hopper: int | None) -> float:
        """When the front of the shot's `card`-th card is at the exit, from forward on, with `hopper` cards at first."""
        late = sum(self.late_ms(None if hopper is None else hopper - before) for before in range(card))
        return self.spin_up_ms + self.pace_ms * (card - 1) + late

    def forward_ms(self, cards: int, hopper: int | None) -> float:
        """How long a shot that no beam counts turns forward: until half a pace after its last card, less the lag."""
        return self.front_ms(cards, hopper) + self.pace_ms / 2 - self.stop_lag_ms

    @property
    def longest_ms(self) -> int:
        """How long the motor may be on for the longest shot the odds can bring."""
        return self.on_ms(self.most_cards)

    @property
    def reserve_ms(self) -> int:
        """The motor time the longest shot takes when all goes well: so much must be left in the minute for any press.

        A shot that takes longer than that ends where the minute's budget does, so that the budget holds whatever comes.
        """
        slowest = self.arming_ms + self.first_card_ms + self.interval_ms * self.most_cards
        return min(self.longest_ms, slowest + self.brake_ms + self.retract_ms)


# key: (lowest, highest) allowed value
BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    each.name: (each.least, each.most)
    for each in keys_of(LauncherSettings).values()
    if each.least is not None and each.most is not None
}


def from_mapping(values: Mapping[str, object]) -> LauncherSettings:
    """The settings of a `[launcher]` table. Raises `SettingsError` for unknown keys (with the nearest known one)."""
    refuse_unknown("launcher", values, [field.name for field in fields(LauncherSettings)])
    # __post_init__ checks the types, so that code and configuration get the same message.
    return LauncherSettings(**values)  # type: ignore[arg-type]


def refuse_unknown(section: str, values: Mapping[str, object], known: list[str]) -> None:
    """Raise `SettingsError` when `values` has a key that is not in `known`."""
    for name in values:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(known)}"
            raise SettingsError(f"[{section}] {name}: unknown key; {hint}", name)
