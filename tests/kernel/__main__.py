"""`python -m tests.kernel `: boots the guest and shows what every scene tells, as it ends."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from pprint import pprint

from tests.kernel.stand import Guest, StandError


def main() -> None:
    """Raises `StandError`."""
    with tempfile.TemporaryDirectory() as folder:
        guest = Guest(Path(folder))
        print("booting: the first scene ends within half a minute or so", flush=True)
        for told in guest.scenes():
            print(f"\n{told['scene']} ({told['seconds']} s of the guest's time):", flush=True)
            if "failed" in told:
                print(told["failed"])
            else:
                pprint(told["facts"], width=120, compact=True)
        print(guest.in_words())


if __name__ == "__main__":
    try:
        main()
    except StandError as error:
        sys.exit(str(error))
