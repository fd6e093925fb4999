"""Copy the icons that the window uses from an unpacked lucide-static.

    npm pack lucide-static@1.62.0 && tar xzf lucide-static-1.62.0.tgz
    python packaging/icons/vendor_icons.py package resources/icons

``icons.txt`` beside this file lists them. The licence carries both notices: Lucide's (ISC) and
that of the icons that came from Feather (MIT).
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path


def main(package: Path, folder: Path) -> None:
    names = (Path(__file__).parent / "icons.txt").read_text(encoding="utf-8").split()
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.svg"):
        if stale.stem not in names:
            stale.unlink()
    for name in names:
        shutil.copyfile(package / "icons" / f"{name}.svg", folder / f"{name}.svg")
    shutil.copyfile(package / "LICENSE", folder / "LICENSE")
    print(f"{len(names)} icons")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
