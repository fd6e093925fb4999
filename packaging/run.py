"""``make run``: the window on the sample with a simulated phone; without a display, the demo."""

from __future__ import annotations

import os
import sys

from workbench.cli import main

if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    sys.exit(main(["demo", "--out", "demo"]))
sys.exit(main(["gui", "--sample", "--simulated"]))
