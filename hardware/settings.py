"""The launcher's figures, validated: every duration and limit the hardware goes by. No pins (see `hardware.pins`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Final

MAX_ON_LIMIT_MS: Final = 4000  # no setting lets the motor be on longer than this in one shot
DUTY_WINDOW_MS: Final = 60_000  # the duty budget is counted over the last minute


class SettingsError(ValueError):
    """A figure of the configuration that cannot be used; the message names key, value and what is allowed."""


# key: (lowest, highest) allowed value
BOUNDS: Final[dict[str, tuple[int, int]]] = {
    "rest_ms": (0, 10_000),
    "first_card_ms": (100, 2000),
    "jam_ms": (100, 2000),
    "card_ms": (5, 500),
    "interval_ms": (5, 1000),
    "max_on_ms": (100, MAX_ON_LIMIT_MS),
    "max_on_base_ms": (0, MAX_ON_LIMIT_MS),
    "max_on_card_ms": (0, MAX_ON_LIMIT_MS),
    "most_cards": (1, 108),
    "duty_ms": (100, 30_000),
    "watchdog_ms": (50, 1000),
    "arming_ms": (0, 50),
    "brake_ms": (0, 200),
    "retract_ms": (0, 300),
    "settle_ms": (10, 500),
    "lockout_ms": (5, 200),
    "burst_pause_ms": (200, 5000),
    "dry_ms": (500, 10_000),
}


@dataclass(frozen=True, slots=True)
class LauncherSettings:
    """All figures of `[launcher]`, in milliseconds unless said otherwise. Raises `SettingsError` when out of bounds.

    The defaults are bench values, to be calibrated on the real device.
    """

    rest_ms: int = 400  # motor off between two shots, and before the second try of a jammed one
    first_card_ms: int = 400  # motor forward without any card for so long: stuck or empty
    jam_ms: int = 350  # beam blocked for so long: stuck
    card_ms: int = 43  # one card at the beam: about 87 mm at 2 m/s
    interval_ms: int = 120  # from card to card at the slowest honest pace
    max_on_ms: int = MAX_ON_LIMIT_MS  # upper limit of the motor's time in one shot
    max_on_base_ms: int = 500  # the motor's time in one shot is max_on_base_ms + max_on_card_ms for each card asked for
    max_on_card_ms: int = 200
    most_cards: int = 14  # the longest shot the odds can bring: before any press, motor time for it is set aside
    duty_ms: int = 8000  # the motor's time in any minute
    watchdog_ms: int = 250  # the launcher's loop silent for so long with the motor enabled: enable is dropped
    arming_ms: int = 0  # between enable and forward, for drivers that wake slowly
    brake_ms: int = 40  # after the last card
    retract_ms: int = 100  # short reverse to pull back the next card
    settle_ms: int = 60  # after the motor is off: late cards still count
    lockout_ms: int = 30  # a button must be quiet for so long before its release counts
    burst_pause_ms: int = 1000  # of a machine that is only watched: no card for so long ends its shot
    dry_ms: int = 3000  # of such a machine: its button was pressed and nothing came for so long, so nothing will

    def __post_init__(self) -> None:
        for key, (low, high) in BOUNDS.items():
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int):
                raise SettingsError(f"[launcher] {key}: {value!r} is not a whole number; {low} to {high} is allowed")
            if not low <= value <= high:
                raise SettingsError(f"[launcher] {key}: {value} is out of range; {low} to {high} is allowed")
        shortest = self.brake_ms + self.retract_ms + self.arming_ms + self.card_ms
        if self.on_ms(1) <= shortest:
            raise SettingsError(
                f"[launcher] max_on_ms: a shot of one card may take {self.on_ms(1)} ms, but arming, one card, braking "
                f"and retracting already take {shortest} ms; raise max_on_base_ms or max_on_card_ms"
            )
        if self.jam_ms <= self.card_ms:
            raise SettingsError(
                f"[launcher] jam_ms: {self.jam_ms} must be more than card_ms ({self.card_ms}), or every card is a jam"
            )
        if self.duty_ms < self.longest_ms:
            raise SettingsError(
                f"[launcher] duty_ms: {self.duty_ms} is less than one shot of most_cards ({self.most_cards}) may take "
                f"({self.longest_ms} ms), so that no press would ever be allowed"
            )

    def on_ms(self, cards: int) -> int:
        """How long the motor may be on for a shot of so many cards; 0 for a dry one, never over `max_on_ms`."""
        return min(self.max_on_ms, self.max_on_base_ms + self.max_on_card_ms * cards) if cards > 0 else 0

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


def from_mapping(values: Mapping[str, object]) -> LauncherSettings:
    """The settings of a `[launcher]` table. Raises `SettingsError` for unknown keys (with the nearest known one)."""
    refuse_unknown("launcher", values, [field.name for field in fields(LauncherSettings)])
    # __post_init__ checks the types, so that code and configuration get the same message.
    return LauncherSettings(**values)  # type: ignore[arg-type]


def refuse_unknown(section: str, values: Mapping[str, object], known: list[str]) -> None:
    """Raise `SettingsError` when `values` has a key that is not in `known`."""
    for key in values:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(known)}"
            raise SettingsError(f"[{section}] {key}: unknown key; {hint}")
