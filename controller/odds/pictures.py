"""Pictures of odds: bars for a terminal, and an SVG of a profile. Nothing is written here, and no terminal is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from controller.odds.profiles import OddsProfile
from controller.odds.rhythms import Hazard

BLOCKS = " ▏▎▍▌▋▊▉█"
_PLAIN = " ########"
MARK, PLAIN_MARK = "│", "|"

_WIDTH, _HEIGHT, _TOP, _BASE, _SIDE, _GAP = 760, 260, 62, 216, 36, 36
# Colours of the cards; on a dark page the text is light.
_STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #222 }
.head { font-weight: 600; font-size: 15px }
.small { font-size: 11px; fill: #666 }
.line { stroke: #999 }
.fires { fill: #d72600 }
.cards { fill: #0956bf }
@media (prefers-color-scheme: dark) {
  text { fill: #eee }
  .small { fill: #aaa }
  .fires { fill: #ff5a36 }
  .cards { fill: #4d94ff }
}"""

CERTAIN = 1.0  # the height that chances are drawn against

Column = tuple[str, float, str]  # label, height from 0 to 1, what stands on top


def bar(share: float, width: int, mark: float | None = None, plain: bool = False) -> str:
    """`share` (0 to 1) as a bar in `width` places, with a stroke at `mark`; `plain`: in ASCII."""
    blocks = _PLAIN if plain else BLOCKS
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    text = (blocks[8] * full + (blocks[rest] if rest else "")).ljust(width)
    if mark is not None:
        place = min(width - 1, int(min(1.0, max(0.0, mark)) * width))
        text = text[:place] + (PLAIN_MARK if plain else MARK) + text[place + 1 :]
    return text


def fires(profile: OddsProfile) -> list[Column]:
    """How likely the first, second, ... press since the last fire is to fire."""
    hazards = profile.rhythm.hazards
    if isinstance(profile.rhythm, Hazard) and profile.longest_dry_run is None:
        hazards = profile.rhythm.chances
    columns = [(str(press), chance, f"{100 * chance:.0f} %") for press, chance in enumerate(hazards, start=1)]
    if profile.longest_dry_run is None:
        label, chance, text = columns[-1]
        columns[-1] = (f"{label} and later" if len(columns) < 3 else f"{label}+", chance, text)
    return columns


def cards(profile: OddsProfile) -> list[Column]:
    """How likely a fire is to bring 1, 2, ... cards."""
    shares = profile.cards_shares
    return [
        (str(number), shares.get(number, 0.0), _per_cent(shares.get(number, 0.0)))
        for number in range(1, profile.max_cards + 1)
    ]


def highest(columns: Sequence[Column]) -> float:
    """The height of the highest column."""
    return max(share for _, share, _ in columns)


def rows(columns: Sequence[Column], width: int, highest: float, plain: bool = False) -> Iterator[str]:
    """Columns as lines of a terminal; one of height `highest` fills the width."""
    names = max(len(label) for label, _, _ in columns)
    room = max(8, width - names - 11)
    for label, share, text in columns:
        yield f"  {label:>{names}}  {bar(share / highest, room, plain=plain)} {text:>6}".rstrip()


def svg(profile: OddsProfile) -> str:
    """A profile in one picture: which press fires, and how many cards come then."""
    half = (_WIDTH - 2 * _SIDE - _GAP) // 2
    title = f"{profile.name}: fires on {profile.fire_rate:.1%} of presses, {profile.cards_per_fire:.2f} cards then"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{_STYLE}\n</style>",
        f'<text class="head" x="{_SIDE}" y="24">{escape(title)}</text>',
        *_chart(_SIDE, half, "fires", "chance of firing, by the press since the last fire", fires(profile), CERTAIN),
        *_chart(_SIDE + half + _GAP, half, "cards", "cards of a fire", cards(profile), highest(cards(profile))),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _chart(left: int, width: int, kind: str, name: str, columns: Sequence[Column], highest: float) -> Iterator[str]:
    pitch = min(72.0, width / len(columns))
    thick = pitch * 0.7
    room = _BASE - _TOP - 18
    for place, (label, share, text) in enumerate(columns):
        middle = left + pitch * (place + 0.5)
        high = room * share / highest
        yield (
            f'<rect class="{kind}" x="{middle - thick / 2:.1f}" y="{_BASE - high:.1f}" '
            f'width="{thick:.1f}" height="{high:.1f}" rx="2"/>'
        )
        if share and pitch >= 24:
            yield f'<text class="small" x="{middle:.1f}" y="{_BASE - high - 4:.1f}" text-anchor="middle">{text}</text>'
        small = ' class="small"' if pitch < 20 else ""
        yield f'<text{small} x="{middle:.1f}" y="{_BASE + 16}" text-anchor="middle">{label}</text>'
    yield f'<path class="line" d="M{left} {_BASE}.5h{width}"/>'
    yield f'<text class="small" x="{left}" y="{_BASE + 34}">{name}</text>'


def _per_cent(share: float) -> str:
    if not share:
        return ""
    return f"{100 * share:.1f} %" if share < 0.05 else f"{100 * share:.0f} %"
