"""`uno-attack safe-off`: every output of the launcher low, by the kernel's own word, without a table."""

from __future__ import annotations

import argparse
import sys

from controller import config
from controller.commands import CommandError
from controller.commands.configuring import add_config_argument, find

_EXIT = """\
It says for each output what became of it. Exit code: 0 all are low; 1 at least one is not, for another process holds it
(--kill ends that one first) or the kernel refuses; 2 the chip or the configuration cannot be used.
An output is held low until this command ends. Whether it stays driven then is the kernel's choice, and is said."""

_SERIAL = (
    "with the backend 'serial' no pin of this machine moves the motor: its controller switches it off by itself within "
    "half a second of the last word of its table. While a table runs: uno-attack halt. In any case: take out the cells"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command understands."""
    parser.add_argument("--kill", action="store_true", help="end whatever process holds an output, at once")
    parser.add_argument(
        "--if-present", action="store_true",
        help="do nothing, and succeed, where the configured backend is not gpio or the machine has no GPIO chip",
    )  # fmt: skip
    add_config_argument(parser)
    parser.epilog = _EXIT
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Make it safe; returns the exit code. Raises `CommandError` when the chip cannot be used at all."""
    from hardware.chips import Chip, ChipError, find_chip, no_chips
    from hardware.pins import PinMap
    from hardware.safe_off import afterwards, in_the_way, kill, make_low

    backend = ""
    try:
        backend, label, values = config.wiring(find(arguments.config))
        outputs = PinMap.from_mapping(values).outputs()
        if arguments.if_present and (backend != "gpio" or no_chips()):
            why = (
                "this machine has no GPIO chip" if backend == "gpio" else f"the backend {backend!r} drives no pins here"
            )
            print(f"nothing to make low: {why}")
            return 0
        chip = Chip(find_chip(label).path)
    except (ValueError, ChipError, OSError) as error:
        raise CommandError(_SERIAL if backend == "serial" and isinstance(error, ChipError) else str(error)) from error
    try:
        for pid, names in in_the_way(chip, outputs).items():
            _holder(chip.info.label, pid, names)
            if arguments.kill:
                print(f"process {pid}: {'ended' if kill(pid) else 'does NOT end'}")
        failed = make_low(chip, outputs, print, patience=1.0 if arguments.kill else 0.0)
        print(f"{chip.info.name} [{chip.info.label}]: {afterwards(chip.info.label)}", flush=True)
        if backend == "serial":
            print(f"These are pins; {_SERIAL}")
    finally:
        chip.close()
    if failed and not arguments.kill:
        print("uno-attack safe-off --kill ends whoever holds them first", file=sys.stderr)
    return 1 if failed else 0


def _holder(label: str, pid: int, names: list[str]) -> None:
    from hardware.lock import Holder, command_of, holder_of

    holder = holder_of(label)
    if holder is None or holder.pid != pid:
        holder = Holder(pid, command_of(pid), "an unknown time")
    print(f"{', '.join(names)}: held by {holder}")
