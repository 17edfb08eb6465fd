"""Machines made up of files: what the doctor and the pin table look at, where the physical world would begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.doctor.system import Library, System
from hardware.chips import ChipInfo, LineHeld, LineInfo

PI_5 = {
    "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
    "proc/sys/kernel/osrelease": "6.12.25+rpt-rpi-2712\n",
    "sys/module/pinctrl_rp1/parameters/persist_gpio_outputs": "Y\n",
    "boot/firmware/config.txt": "# settings\ndtparam=audio=on\n[all]\n",
    "run/systemd/timesync/synchronized": "",
}
PI_4 = {
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
    "proc/sys/kernel/osrelease": "6.6.31+rpt-rpi-v8\n",
    "sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs": "N\n",
    "boot/firmware/config.txt": "dtparam=strict_gpiod\n",
    "run/systemd/timesync/synchronized": "",
}
LAPTOP = {"proc/sys/kernel/osrelease": "6.1.0-35-amd64\n"}


@dataclass
class MadeUpLook:
    """GPIO chips by label, in the order of their numbers, and lines that are held or high."""

    labels: Sequence[str] = ()
    held: Mapping[int, str] = field(default_factory=dict)  # offset: as what
    high: frozenset[int] = frozenset()
    closed: Sequence[str] = ()  # chips that cannot be opened
    asked: list[tuple[int, bool]] = field(default_factory=list)

    def chips(self, devices: Path) -> tuple[list[ChipInfo], list[str]]:
        found = [
            ChipInfo(devices / f"gpiochip{number}", f"gpiochip{number}", label, 54)
            for number, label in enumerate(self.labels)
        ]
        return found, list(self.closed)

    def line(self, chip: ChipInfo, offset: int) -> LineInfo:
        return LineInfo(offset in self.held, self.held.get(offset, ""), False)

    def level(self, chip: ChipInfo, offset: int, pull_up: bool) -> bool:
        if offset in self.held:
            raise LineHeld(f"it is held by {self.held[offset]}")
        self.asked.append((offset, pull_up))
        return offset in self.high


def machine(
    root: Path,
    files: Mapping[str, str],
    look: MadeUpLook | None = None,
    answers: Mapping[str, str] | None = None,
    **other: object,
) -> System:
    """A machine with these files and chips, whose programs answer so; a good disk and a set clock unless said."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    told = answers or {}
    system = System(
        root=root,
        look=look or MadeUpLook(),
        ask=lambda command: told.get(command[0]),
        library=lambda name: Library("0.2.2.0", empty=False),
        groups=frozenset({"gpio", "dialout", "audio"}),
        administrator=False,
        python=(3, 11, 7),
        free=lambda path: 8 << 30,
        commit_seconds=lambda path: 0.002,
        this_year=lambda: 2026,
    )
    return replace(system, **other)  # type: ignore[arg-type]  # the test says what


def process(
    root: Path, number: int, name: str, command: str = "", open_file: str = "", holds: Sequence[int] = ()
) -> None:
    """Somebody runs, may have a file open, and may hold lines of the first chip."""
    place = root / "proc" / str(number)
    (place / "fd").mkdir(parents=True)
    (place / "comm").write_text(f"{name}\n")
    (place / "cmdline").write_text(command.replace(" ", "\0"))
    if open_file:
        (place / "fd" / "3").symlink_to(open_file)
    if holds:
        (place / "fdinfo").mkdir()
        (place / "fd" / "4").symlink_to("anon_inode:gpio-line")
        told = "".join(f"gpio-line:\t{offset}\n" for offset in holds)
        (place / "fdinfo" / "4").write_text(f"gpio-chip:\tgpiochip0\n{told}")
