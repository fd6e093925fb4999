"""Makes the table of operators for the installed engine: what it computes right, and which usages fail.

    python packaging/ops [--work FOLDER]     measure, and write resources/ops/mnn-VERSION.json
    python packaging/ops --check             exit 1, and show what differs, where the file is not what was measured

What was measured is kept in FOLDER, where a run that was stopped goes on. Takes about a quarter of an hour.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from command import main

if __name__ == "__main__":
    sys.exit(main(str(__doc__)))
