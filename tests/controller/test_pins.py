"""The pin map as a table, live levels on a machine made up of files, and the drawing: nothing lies on anything else."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser

from controller import cli
from controller.commands import pins as command
from controller.wiring import drawing
from controller.wiring.drawing import draw
from controller.wiring.header import PINS, bcm_of, name_of, pin_of
from controller.wiring.parts import PARTS
from hardware.pins import PinMap
from tests.controller.machines import PI_4, MadeUpLook, machine, process

ROOT = Path(__file__).parents[2]
EVERYTHING = PinMap(beam2=20, stop=26, buzzer=24, alive=25)
ODD = PinMap(in1=18, in2=27, enable=22, lid=2, button=21, beam=4, stop=10, lamp=16, buzzer=9)  # some across
WORST = PinMap(in1=9, in2=21, enable=10, lid=7, button=3, beam=8, beam2=2, stop=26, lamp=19, buzzer=20, alive=12)
MAPS = {"default": PinMap(), "everything": EVERYTHING, "odd": ODD, "worst": WORST}


def table(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, str]:
    assert cli.main(["pins", *arguments]) == code
    return {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "uno-attack.toml"
    path.write_text("[pins]\nlamp = 12\nstop = 26\n")
    return path


def test_the_header_has_every_pin_once() -> None:
    numbers = [bcm_of(pin) for pin in range(1, PINS + 1)]
    assert sorted(number for number in numbers if number is not None) == list(range(28))
    assert all(bcm_of(pin_of(bcm)) == bcm for bcm in range(28))
    assert [name_of(pin) for pin in (1, 2, 6, 11, 39)] == ["3V3", "5V", "GND", "GPIO17", "GND"]
    assert sum(name_of(pin) == "GND" for pin in range(1, PINS + 1)) == 8


def test_the_table_says_where_each_pin_comes_from(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNO_ATTACK_PINS_BEAM", "20")
    rows = table(["--config", str(path)], capsys)
    assert rows["in1"].split()[:8] == ["in1", "17", "11", "out", "down,", "10", "kΩ", "high"]
    assert rows["beam"].split()[:7] == ["beam", "20", "38", "in", "up", "low", "environment"]
    assert rows["lamp"].split()[:6] == ["lamp", "12", "32", "out", "high", "uno-attack.toml"]
    assert rows["stop"].split()[:6] == ["stop", "26", "37", "in", "up", "high"]
    assert rows["button"].split()[5:7] == ["low", "default"]
    assert "not wired" in rows["buzzer"]
    assert set(rows) == {"what", *PinMap.__dataclass_fields__}


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadeUpLook:
    """A Pi 4 whose levels can be set."""
    root = tmp_path / "machine"
    root.mkdir()
    process(root, 77, "python3", "python3 uno-attack play", holds=[22])
    look = MadeUpLook(["pinctrl-bcm2711"], held={22: "lg"}, high=frozenset({5, 6, 26}))
    monkeypatch.setattr(command, "System", lambda: machine(root, PI_4, look))
    return look


def test_live_levels_raw_and_logical_and_who_holds_what(
    pi: MadeUpLook, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = table(["--live", "--config", str(path)], capsys)
    ends = {name: row.split("toml")[-1].split("default")[-1].strip() for name, row in rows.items()}
    assert ends["button"] == "high up"
    assert ends["lid"] == "high open"
    assert ends["beam"] == "low  blocked"
    assert ends["stop"] == "high pressed"
    assert ends["in1"] == "low  off"
    assert ends["enable"] == "held by python3 (process 77)"
    assert dict(pi.asked) == {17: False, 27: False, 12: False, 5: True, 6: True, 16: True, 26: True}, (
        "inputs are read with their pull-up, outputs as they stand, and what is held is not touched"
    )


def test_an_output_that_stands_high_is_told(pi: MadeUpLook, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pi.high = frozenset({17})
    rows = table(["--live", "--config", str(path)], capsys, code=1)
    assert "in1" in rows
    assert cli.main(["pins", "--live", "--config", str(path)]) == 1
    assert "in1 stands high and nobody drives it: `uno-attack safe-off`" in capsys.readouterr().out


def test_without_a_chip_live_levels_cannot_be_had(
    tmp_path: Path, path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "System", lambda: machine(tmp_path, {}))
    assert cli.main(["pins", "--live", "--config", str(path)]) == 2
    assert "uno-attack doctor --backend gpio" in capsys.readouterr().err


def test_a_pin_that_config_txt_gives_away_is_told(
    tmp_path: Path, path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "machine"
    monkeypatch.setattr(command, "System", lambda: machine(root, {"boot/firmware/config.txt": "dtparam=i2s=on\n"}))
    path.write_text("[pins]\nbeam2 = 20\n")
    assert cli.main(["pins", "--config", str(path)]) == 0
    assert "beam2 is on GPIO 20, which 'dtparam=i2s=on' in config.txt gives to I2S" in capsys.readouterr().out


def test_the_drawing_is_written_or_printed(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["pins", "--svg", str(tmp_path / "w.svg"), "--config", str(path)]) == 0
    assert capsys.readouterr().out == f"drawn in {tmp_path / 'w.svg'}\n"
    assert (tmp_path / "w.svg").read_text() == draw(PinMap(lamp=12, stop=26))
    assert cli.main(["pins", "--svg", "-", "--config", str(path)]) == 0
    assert capsys.readouterr().out == draw(PinMap(lamp=12, stop=26))
    assert cli.main(["pins", "--svg", str(tmp_path / "no" / "w.svg"), "--config", str(path)]) == 2
    assert "cannot be written" in capsys.readouterr().err


# --- the drawing ------------------------------------------------------------------------------------------------------


def wires(pins: PinMap) -> dict[str, list[tuple[float, float]]]:
    """The corners of every wire, by pin."""
    tree = ET.fromstring(draw(pins))
    found = {}
    for path in tree.iter("{http://www.w3.org/2000/svg}path"):
        if "data-pin" in path.attrib:
            corners = [corner.split() for corner in path.attrib["d"].removeprefix("M").split("L")]
            found[path.attrib["data-pin"]] = [(float(x), float(y)) for x, y in corners]
    return found


Segment = tuple[tuple[float, float], tuple[float, float]]


def touching(one: Segment, other: Segment) -> bool:
    """Two level or upright pieces have a point in common."""
    (a, b), (c, d) = sorted(one), sorted(other)
    return a[0] <= d[0] and c[0] <= b[0] and min(a[1], b[1]) <= max(c[1], d[1]) and min(c[1], d[1]) <= max(a[1], b[1])


@pytest.mark.parametrize("pins", MAPS.values(), ids=MAPS)
def test_every_wired_pin_has_its_wire_and_no_two_run_along_each_other(pins: PinMap) -> None:
    drawn = wires(pins)
    assert set(drawn) == {name for name in PinMap.__dataclass_fields__ if getattr(pins, name) is not None}
    for (_, one), (_, other) in combinations(drawn.items(), 2):
        for first in pairwise(one):
            for second in pairwise(other):
                along = (first[0][0] == first[1][0]) is (second[0][0] == second[1][0])
                assert not (along and touching(first, second)), (first, second)


@pytest.mark.parametrize("pins", [PinMap(), EVERYTHING, ODD], ids=["default", "everything", "odd"])
def test_wires_do_not_cross(pins: PinMap) -> None:
    for (name, one), (other_name, other) in combinations(wires(pins).items(), 2):
        for first in pairwise(one):
            for second in pairwise(other):
                assert not touching(first, second), (name, other_name)


def test_every_wire_goes_from_its_pin_to_its_part() -> None:
    for name, corners in wires(EVERYTHING).items():
        pin = pin_of(getattr(EVERYTHING, name))
        side = -1.0 if pin % 2 else 1.0
        (start_x, start_y), (end_x, _) = corners[0], corners[-1]
        assert start_x == drawing.MIDDLE + side * (drawing.PAD + 14)
        assert start_y == drawing.TOP + drawing.PITCH * ((pin - 1) // 2)
        assert end_x == drawing.MIDDLE + side * drawing.BOX


def test_every_pin_of_the_map_belongs_to_a_part_and_the_motors_have_pull_downs() -> None:
    terminals = {terminal.pin: terminal for part in PARTS for terminal in part.terminals if terminal.pin}
    assert set(terminals) == set(PinMap.__dataclass_fields__)
    assert {name for name, terminal in terminals.items() if terminal.pull_down} == {"in1", "in2", "enable"}


# What lies on what, as the browser sees it. A wire may touch the text of no part and no pin.
OVERLAPS = """() => {
  const box = (element) => element.getBoundingClientRect();
  const texts = [...document.querySelectorAll("text")].map((text) => ({ name: text.textContent, ...box(text).toJSON() }));
  const clash = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  const found = [];
  texts.forEach((one, i) => texts.slice(i + 1).forEach((other) => clash(one, other) && found.push([one.name, other.name])));
  for (const wire of document.querySelectorAll(".wire, .thin")) {
    const length = wire.getTotalLength(), at = wire.getScreenCTM();
    for (let gone = 0; gone <= length; gone += 2) {
      const point = wire.getPointAtLength(gone).matrixTransform(at);
      const under = texts.find((text) => text.left < point.x && point.x < text.right && text.top + 3 < point.y && point.y < text.bottom - 3);
      if (under) { found.push([wire.getAttribute("data-pin") ?? "line", under.name]); break; }
    }
  }
  const canvas = box(document.querySelector("svg"));
  texts.filter((text) => text.left < 0 || text.right > canvas.right || text.bottom > canvas.bottom)
    .forEach((text) => found.push([text.name, "edge"]));
  const boxes = [...document.querySelectorAll(".box")].filter((part) => box(part).width > 200).map(box);
  boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => clash(one, other) && found.push(["part", "part"])));
  for (const text of texts)
    for (const part of boxes)
      if (clash(text, part) && !(part.left <= text.left && text.right <= part.right && part.top <= text.top && text.bottom <= part.bottom))
        found.push([text.name, "border of its part"]);
  return found;
}"""  # noqa: E501


@pytest.mark.parametrize("pins", MAPS.values(), ids=MAPS)
def test_in_a_browser_no_words_lie_on_words_wires_or_borders(browser: Browser, pins: PinMap) -> None:
    page = browser.new_page(viewport={"width": 1500, "height": 1100})
    page.set_content(f"<body style='margin:0'>{draw(pins)}</body>")
    assert page.locator("text").count() > PINS
    assert page.evaluate(OVERLAPS) == []
    page.close()


def test_what_lies_on_something_is_seen(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1500, "height": 1100})
    moved = draw(PinMap()).replace(f'<text x="{drawing.MIDDLE:g}" y="40"', '<text x="500" y="170"')
    page.set_content(f"<body style='margin:0'>{moved}</body>")
    assert ["in1", "UNO Attack launcher: wiring"] in page.evaluate(OVERLAPS)
    page.close()


def test_the_drawing_in_the_documents_is_this_one() -> None:
    drawn = ROOT / "docs" / "img" / "wiring.svg"
    assert drawn.read_text() == draw(EVERYTHING), (
        "draw it again: UNO_ATTACK_PINS_BEAM2=20 UNO_ATTACK_PINS_STOP=26 UNO_ATTACK_PINS_BUZZER=24 "
        "UNO_ATTACK_PINS_ALIVE=25 ./uno pins --svg docs/img/wiring.svg"
    )
