"""Runs in the guest: plays every scene and tells what came of it, a line of JSON each, on standard output."""

from __future__ import annotations

import json
import os
import subprocess
import time
import traceback

from tests.kernel.guest import ends, looks, scenes
from tests.kernel.guest.stage import Stage


def never_idle() -> None:
    """Give the processor something to do, behind everything else.

    The guest's time is the number of instructions it has done. An idle processor waits for the host's clock instead,
    and then timing depends on what else the host has to do.
    """
    work = subprocess.Popen(["busybox", "sha256sum", "/dev/zero"], stdout=subprocess.DEVNULL)
    os.sched_setscheduler(work.pid, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    """Each scene by itself: one that fails does not keep the others from playing."""
    never_idle()
    stage = Stage()
    for scene in (*scenes.SCENES, *looks.SCENES, *ends.SCENES):
        began = time.monotonic()
        told: dict[str, object] = {"scene": scene.__name__}
        try:
            stage.tidy()
            told["facts"] = scene(stage)
        except Exception:  # noqa: BLE001 - whatever it was, the host is told
            told["failed"] = traceback.format_exc()
        told["seconds"] = round(time.monotonic() - began, 3)
        print(json.dumps(told), flush=True)
    stage.close()


if __name__ == "__main__":
    main()
