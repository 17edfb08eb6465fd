"""The wiring of a pin map as an SVG: the header in the middle, the parts on both sides, a wire for every pin.

Nothing lies on anything else: every wire has a lane of its own, and wires whose pins come in the order of their
terminals do not cross. Both themes of the project's look are in it; what the colours say, arrows and words say too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from controller.wiring.header import PINS, bcm_of, name_of, pin_of
from controller.wiring.parts import PARTS, Part, Terminal
from hardware.pins import OUTPUTS, PinMap

PITCH: Final = 34  # from row to row of the header
TOP: Final = 128  # the first row
PAD: Final = 86  # from the middle of the header to its pads
EDGE: Final = 108  # to the edge of its body
LANES: Final = 124  # to the first lane
LANE: Final = 13  # from lane to lane
PULL: Final = 262  # to the pull-downs
BOX: Final = 306  # to the parts
FAR: Final = 600  # to the far edge of the parts
MIDDLE: Final = 716
WIDTH: Final = 2 * MIDDLE
ROW: Final = 30  # from terminal to terminal
TALL_ROW: Final = 56  # the same, with a pull-down below
GAP: Final = 22  # between parts
BASE: Final = 5  # from the middle of a line of text to its base line

STYLE: Final = """
svg { --ground: #F7F6F2; --raised: #FFFFFF; --line: #D9D6CC; --text: #1A1B1F; --quiet: #5B5F6B; --out: #B04F00;
 --in: #1559C0; --power: #C6261E; --body: #23262F; --pad: #A7ABB8; --on-body: #F4F2EC;
 font-family: system-ui, "DejaVu Sans", sans-serif; font-size: 14px; }
@media (prefers-color-scheme: dark) { svg { --ground: #0C0D10; --raised: #171920; --line: #3A3F4D; --text: #F4F2EC;
 --quiet: #A7ABB8; --out: #FF8A1F; --in: #5AA2FF; --power: #FF5A52; --body: #23262F; } }
.ground { fill: var(--ground); } .box { fill: var(--raised); stroke: var(--line); stroke-width: 1.5; }
text { fill: var(--text); } .quiet { fill: var(--quiet); } .title { font-size: 20px; font-weight: 700; }
.part { font-size: 16px; font-weight: 700; } .strong { font-weight: 700; }
.wire { fill: none; stroke-width: 2.5; stroke-linejoin: round; } .out { stroke: var(--out); } .in { stroke: var(--in); }
.arrow-out { fill: var(--out); } .arrow-in { fill: var(--in); }
.resistor { fill: var(--raised); stroke: var(--text); stroke-width: 1.5; }
.thin { fill: none; stroke: var(--text); stroke-width: 1.5; } .power { stroke: var(--power); }
.body { fill: var(--body); } .name { fill: var(--on-body); } .spare { fill: var(--pad); }
.pad { fill: var(--pad); } .pad-gnd { fill: #0C0D10; stroke: var(--pad); stroke-width: 1.5; }
.pad-power { fill: #FF5A52; } .pad-out { fill: #FF8A1F; } .pad-in { fill: #5AA2FF; }
.number { fill: #0C0D10; text-anchor: middle; } .on-gnd { fill: #F4F2EC; }
"""


@dataclass(frozen=True, slots=True)
class Placed:
    """A part on one side (-1 left, 1 right) with the height of its top and of each of its terminals."""

    part: Part
    side: int
    top: float
    rows: tuple[float, ...]
    bottom: float


@dataclass(frozen=True, slots=True)
class Wire:
    """From a pin's exit out of the header to a terminal, through a lane: (distance from the middle, height) each."""

    name: str
    side: int
    exit: tuple[float, float]
    lane: float
    terminal: tuple[float, float]

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """Its corners: (x, y)."""
        (start, from_y), (end, to_y) = self.exit, self.terminal
        corners = [(start, from_y), (self.lane, from_y), (self.lane, to_y), (end, to_y)]
        if start < 0:  # across: down from the pad first
            corners.insert(0, (start, from_y - PITCH / 2 + 13))
        return tuple((MIDDLE + self.side * distance, y) for distance, y in corners)


def draw(pins: PinMap, title: str = "UNO Attack launcher: wiring") -> str:
    """The whole drawing."""
    placed = _place(pins)
    wires = _route(pins, placed)
    bottom = max([TOP + PITCH * (PINS // 2), *(each.bottom for each in placed)]) + 24
    height = round(bottom + 88)
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
        _text(MIDDLE, 40, title, "title", "middle"),
        _text(MIDDLE, 68, "The header from above, the Pi's USB ports at the bottom", "quiet", "middle"),
        *_header(pins),
        *(line for each in placed for line in _part(pins, each)),
        *(line for wire in wires for line in _wire(wire)),
        *_legend(bottom),
        "</svg>",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _place(pins: PinMap) -> list[Placed]:
    """The parts that are wired, each on the side of its first pin, from the top in the order of their pins."""
    placed: list[Placed] = []
    for side in (-1, 1):
        here = [part for part in PARTS if _pin(pins, part.terminals[0]) is not None and _side(pins, part) == side]
        top = float(TOP - 22)
        for part in sorted(here, key=lambda part: _exit(pins, part.terminals[0], side)):
            rows, y = [], top + 54
            for terminal in part.terminals:
                rows.append(y)
                y += TALL_ROW if terminal.pull_down else ROW
            bottom = y - 8 + 20 * len(part.notes)
            placed.append(Placed(part, side, top, tuple(rows), bottom))
            top = bottom + GAP
    return placed


def _pin(pins: PinMap, terminal: Terminal) -> int | None:
    """The physical pin a terminal is wired to."""
    bcm = getattr(pins, terminal.pin) if terminal.pin else None
    return None if bcm is None else pin_of(bcm)


def _side(pins: PinMap, part: Part) -> int:
    return -1 if (_pin(pins, part.terminals[0]) or 0) % 2 else 1


def _exit(pins: PinMap, terminal: Terminal, side: int) -> float:
    """At what height the wire of a terminal leaves the header: beside its pin, or below it on the way across."""
    pin = _pin(pins, terminal) or 0
    across = (-1 if pin % 2 else 1) != side
    return TOP + PITCH * ((pin - 1) // 2) + (PITCH / 2 if across else 0)


def _route(pins: PinMap, placed: Sequence[Placed]) -> list[Wire]:
    """A wire for every terminal that goes to a pin.

    Of wires on their way down, the lower one turns first; of wires on their way up, the upper one does.
    """
    wires = []
    for side in (-1, 1):
        ends = [
            (_exit(pins, terminal, side), y, terminal.pin, _pin(pins, terminal))
            for each in placed
            for terminal, y in zip(each.part.terminals, each.rows, strict=True)
            if each.side == side and _pin(pins, terminal) is not None
        ]
        ends.sort()
        order = [end for end in ends if end[1] < end[0]] + [end for end in reversed(ends) if end[1] >= end[0]]
        for number, (exit_y, y, name, pin) in enumerate(order):
            across = (-1 if (pin or 0) % 2 else 1) != side
            start = (-PAD if across else PAD + 14, exit_y)
            wires.append(Wire(name, side, start, LANES + LANE * number, (BOX, y)))
    return wires


def _header(pins: PinMap) -> Iterator[str]:
    used = {pin_of(bcm): name for name, bcm in _wired(pins)}
    yield (
        f'<rect class="body" x="{MIDDLE - EDGE}" y="{TOP - 22}" width="{2 * EDGE}" '
        f'height="{PITCH * (PINS // 2 - 1) + 44}" rx="10"/>'
    )
    for pin in range(1, PINS + 1):
        side, y = (-1 if pin % 2 else 1), TOP + PITCH * ((pin - 1) // 2)
        x, name = MIDDLE + side * PAD, name_of(pin)
        kind = "pad-gnd" if name == "GND" else "pad-power" if bcm_of(pin) is None else "pad"
        if pin in used:
            kind = "pad-out" if used[pin] in OUTPUTS else "pad-in"
        yield f'<circle class="{kind}" cx="{x}" cy="{y}" r="13"/>'
        yield _text(x, y + BASE, str(pin), "number on-gnd" if name == "GND" else "number")
        spare = bcm_of(pin) is not None and pin not in used
        anchor = "start" if side < 0 else "end"
        yield _text(x - side * 19, y + BASE, name, "spare" if spare else "name strong", anchor)


def _part(pins: PinMap, each: Placed) -> Iterator[str]:
    side, near, far = each.side, MIDDLE + each.side * BOX, MIDDLE + each.side * FAR
    anchor, other = ("end", "start") if side < 0 else ("start", "end")
    inside = near + side * 12
    yield (
        f'<rect class="box" x="{min(near, far)}" y="{each.top:g}" width="{FAR - BOX}" '
        f'height="{each.bottom - each.top:g}" rx="10"/>'
    )
    yield _text(inside, each.top + 26, each.part.title, "part", anchor)
    for terminal, y in zip(each.part.terminals, each.rows, strict=True):
        pin = _pin(pins, terminal)
        yield _text(inside, y + BASE, terminal.label, "strong", anchor)
        if pin is not None:
            yield _text(inside + side * 70, y + BASE, f"{name_of(pin)}, pin {pin}", "quiet", anchor)
        if terminal.rail:
            yield from _rail(terminal.rail, near, y, side)
        if terminal.pull_down:
            yield from _pull_down(MIDDLE + side * PULL, y)
    if each.part.drives_motor:
        yield from _motor(far, each.rows, side, other)
    for number, note in enumerate(reversed(each.part.notes)):
        yield _text(inside, each.bottom - 14 - 20 * number, note, "quiet", anchor)


def _motor(far: float, rows: Sequence[float], side: int, anchor: str) -> Iterator[str]:
    """The motor between both outputs, and the cells that feed it."""
    x, inside = far + side * 52, far - side * 12
    for label, y in zip(("OUT1", "OUT2", "VM"), rows, strict=False):
        yield _text(inside, y + BASE, label, "strong", anchor)
    middle = (rows[0] + rows[1]) / 2
    for y, end in ((rows[0], middle - 24), (rows[1], middle + 24)):
        yield f'<path class="thin" d="M{far:g} {y:g}H{x:g}V{end:g}"/>'
    yield f'<circle class="box" cx="{x:g}" cy="{middle:g}" r="24"/>'
    yield _text(x, middle + BASE, "M", "part", "middle")
    yield f'<path class="thin power" d="M{far:g} {rows[2]:g}H{far + side * 28:g}"/>'
    left = min(far + side * 28, far + side * 76)
    yield f'<rect class="box" x="{left:g}" y="{rows[2] - 14:g}" width="48" height="28" rx="5"/>'
    yield _text(left + 24, rows[2] + BASE, "4.5 V", "", "middle")
    yield _text(left + 24, rows[2] + 34, "3 C cells", "quiet", "middle")


def _rail(rail: str, near: float, y: float, side: int) -> Iterator[str]:
    """A short line to the sign of ground, or to that of 3.3 V."""
    x = near - side * 22
    if rail == "GND":
        yield f'<path class="thin" d="M{near:g} {y:g}H{x:g}"/>'
        yield from _ground(x, y, side)
    else:
        yield f'<path class="thin power" d="M{near:g} {y:g}H{x:g}"/>'
        yield f'<circle class="pad-power" cx="{x - side * 5:g}" cy="{y:g}" r="5"/>'


def _ground(x: float, y: float, side: int) -> Iterator[str]:
    bars = "".join(f"M{x - side * 4 * number:g} {y - half:g}v{2 * half}" for number, half in enumerate((9, 6, 3)))
    yield f'<path class="thin" d="{bars}"/>'


def _pull_down(x: float, y: float) -> Iterator[str]:
    """A resistor from a wire down to ground."""
    yield f'<circle cx="{x:g}" cy="{y:g}" r="4" class="arrow-out"/>'
    bars = "".join(f"M{x - half:g} {y + 33 + 4 * number:g}h{2 * half}" for number, half in enumerate((9, 6, 3)))
    yield f'<path class="thin" d="M{x:g} {y:g}v8M{x:g} {y + 28:g}v5{bars}"/>'
    yield f'<rect class="resistor" x="{x - 5:g}" y="{y + 8:g}" width="10" height="20"/>'


def _wire(wire: Wire) -> Iterator[str]:
    way = "out" if wire.name in OUTPUTS else "in"
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in wire.points)
    yield f'<path class="wire {way}" data-pin="{wire.name}" d="{path}"/>'
    x, y = wire.points[-1]
    # The arrow points to where the signal goes: to the part, or away from it.
    tip, back = (x, x - wire.side * 12) if way == "out" else (x - wire.side * 14, x - wire.side * 2)
    yield f'<path class="arrow-{way}" d="M{tip:g} {y:g}L{back:g} {y - 6:g}V{y + 6:g}Z"/>'


def _legend(top: float) -> Iterator[str]:
    y, x = top + 20, 116.0
    yield f'<path class="wire out" d="M{x} {y}h40"/><path class="arrow-out" d="M{x + 46} {y}l-12 -6v12z"/>'
    yield _text(x + 56, y + BASE, "output of the Pi, high is on")
    yield f'<path class="wire in" d="M{x + 296} {y}h40"/><path class="arrow-in" d="M{x + 290} {y}l12 -6v12z"/>'
    yield _text(x + 346, y + BASE, "input with the Pi's own pull-up")
    yield from _ground(x + 606, y, 1)
    yield _text(x + 624, y + BASE, "GND: any black pin; the Pi, the driver, its cells and all parts share it")
    yield _text(
        116, y + 40,
        "The motor has cells of its own and is never fed by the Pi. Wire with the power off; try without cells first.",
        "quiet",
    )  # fmt: skip


def _wired(pins: PinMap) -> Iterator[tuple[str, int]]:
    for name in PinMap.__dataclass_fields__:
        bcm = getattr(pins, name)
        if bcm is not None:
            yield name, bcm


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "") -> str:
    style = (f' class="{kind}"' if kind else "") + (f' text-anchor="{anchor}"' if anchor else "")
    return f'<text x="{x:g}" y="{y:g}"{style}>{escape(text)}</text>'
