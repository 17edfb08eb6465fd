"""A program that has nothing to do with ours and holds a line high: usage: holder CHIP-NUMBER LINE."""

from __future__ import annotations

import json
import sys

import lgpio

if __name__ == "__main__":
    lgpio.gpio_claim_output(lgpio.gpiochip_open(int(sys.argv[1])), int(sys.argv[2]), 1)
    print(json.dumps({"held": True}), flush=True)
    sys.stdin.read()
