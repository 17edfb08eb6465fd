"""The real guardian process, on a chip that is a directory: its label is the path."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from hardware import guardian
from tests.hardware.guarded.file_chip import FileChip

sys.exit(guardian.main(open_it=lambda label: FileChip(Path(label))))
