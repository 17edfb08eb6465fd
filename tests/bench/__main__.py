"""`./uno bench [NAME...]`: figures of this machine, each beside a baseline measured in the same run. Never in CI."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys

BENCHES = {
    "rules": "turns of random play a second, beside a bare reference program; copying a position",
    "press": "from the press to the motor and the lamp with ten phones, beside bare gpiozero and a bare commit",
    "lid": "from the lid's edge to the motor off with fifty phones and a busy event loop, beside bare gpiozero",
    "idle": "processor time of a table with ten phones at which nothing happens, beside a bare WebSocket server",
    "count": "how well cards are counted, at one beam and two, over 10,000 shots and a grid of machines",
    "bridge": "a command and a button's event over the serial bridge, beside the bytes' own time on the wire",
    "fanout": "one event to 10, 50 and 200 open pages, beside a bare Starlette broadcast of the same bytes",
    "start": "start to ready, memory, what each page loads",
}
WITH_OPTIONS = {
    "mutants": "how strong the tests of the rules are; only when it is named (mutants --help)",
    "soak": "phones that come and go for 20 minutes; only when it is named (soak --help)",
}


def main() -> None:
    if sys.argv[1:2] and sys.argv[1] in WITH_OPTIONS:
        sys.exit(importlib.import_module(f"tests.bench.{sys.argv[1]}").main(sys.argv[2:]))
    listing = "\n".join(f"  {name:<8} {text}" for name, text in (BENCHES | WITH_OPTIONS).items())
    parser = argparse.ArgumentParser(
        prog="./uno bench",
        description=__doc__,
        epilog=f"benches:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="what to measure; without a name all but mutants and soak"
    )
    names = parser.parse_args().names or list(BENCHES)
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        parser.error(f"no bench called {', '.join(unknown)}; there are: {', '.join(BENCHES)}")
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, load {load:.1f}")
    for name in names:
        print(f"\n{name}: {BENCHES[name]}", flush=True)
        importlib.import_module(f"tests.bench.{name}").run()


if __name__ == "__main__":
    main()
