"""``python -m tests.ui.pictures``: compare, or take anew with ``--update``; exit code 1 where something differs."""

from __future__ import annotations

import argparse
import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from tests.ui.pictures import goldens, scenes
from workbench.ui.theme.apply import make_application


def main() -> int:
    """Every scene; one line each."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.pictures")
    parser.add_argument("--update", action="store_true", help="keep what the window looks like now")
    wanted = parser.parse_args()
    app = make_application(sys.argv[0])
    taken = [*scenes.take(app, "light"), *scenes.take(app, "dark"), scenes.take_chinese(app)]
    differing = 0
    for scene in taken:
        if wanted.update:
            print(goldens.keep(scene))
            continue
        found = goldens.compared(scene)
        differing += bool(found)
        print(f"{scene.name}: {found.words() if found else 'the same'}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
