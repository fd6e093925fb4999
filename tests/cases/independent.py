"""What an independent runner says of a converted model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

JUDGE = Path(__file__).with_name("judge.py")
TOLERANCE = 2e-3


def judged_in(folder: Path, model: Path, conditions: tuple[str, ...]) -> dict[str, object]:
    """What the independent runner says of ``model`` on the inputs in ``folder``."""
    path = "session" if "path=session" in conditions else "module"
    winograd = str("winograd=off" not in conditions)
    argv = [sys.executable, str(JUDGE), str(model), str(folder), path, winograd]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout)
    return answer
