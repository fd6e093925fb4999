"""Engines of other Pythons' wheels, to run the one agent on each: fetched when setting up, used offline.

    python -m tests.agent.engines            those of x86-64
    python -m tests.agent.engines --arm64    also the one of arm64, for the soak tests

They lie in ``.models/engines``, or below ``WORKBENCH_TEST_CACHE`` where that is set.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_VERSION = "3.6.1"


@dataclass(frozen=True)
class Wheel:
    """``python``: the version as pip takes it. ``sha256``: of the wheel on PyPI."""

    python: str
    platform: str
    sha256: str

    @property
    def folder(self) -> Path:
        cache = os.environ.get("WORKBENCH_TEST_CACHE")
        return (Path(cache) if cache else _ROOT / ".models") / "engines" / f"{self.platform}-{self.python}"

    @property
    def libraries(self) -> dict[str, Path]:
        """The engine under the name that the agent links, and what it needs. Fails where it was not fetched."""
        found = sorted(self.folder.glob("*.so*"))
        assert found, f"{self.folder} is empty: make setup"
        return {"libmnnengine.so" if path.name.startswith("_mnncengine") else path.name: path for path in found}


X86_64 = (
    Wheel("3.11", "manylinux2014_x86_64", "abebaaa0c7b0af6dfd6e9f4bda46bb6a30bb95d2b88a5b441a65d1cd322311d0"),
    Wheel("3.12", "manylinux2014_x86_64", "9091f8eaa24a4eaa86c9f4e8ab731a5dce00e9ea68d8628a5dd8d73486be9200"),
    Wheel("3.13", "manylinux2014_x86_64", "34e8a4ebc2671459dbf1305f26f6861d14897b581cff4d0920ae8805445af46f"),
    Wheel("3.14", "manylinux2014_x86_64", "c3e269d179e5c67d5cb387799005b98b18008e8e2e6f2e0fcac4c4752b4cdd3d"),
)
ARM64 = Wheel("3.11", "manylinux2014_aarch64", "7f8fbf264047e81bf66f0b04ef95a8c83b8d5ca0a3670afcf3c0c3b6861de4a5")


def fetch(wheel: Wheel) -> None:
    """Download and unpack the engine, unless it is there."""
    if wheel.folder.is_dir():
        return
    wheel.folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=wheel.folder.parent) as name:
        scratch = Path(name)
        where = ["--python-version", wheel.python, "--platform", wheel.platform, "--dest", str(scratch)]
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, *where, f"mnn=={_VERSION}"], check=True)
        (file,) = scratch.glob("*.whl")
        found = hashlib.sha256(file.read_bytes()).hexdigest()
        if found != wheel.sha256:
            sys.exit(f"{file.name}: sha256 {found}, not {wheel.sha256}")
        unpacked = scratch / "engine"
        unpacked.mkdir()
        with zipfile.ZipFile(file) as archive:
            for entry in archive.namelist():
                if entry.startswith(("_mnncengine", "mnn.libs/")) and not entry.endswith("/"):
                    (unpacked / Path(entry).name).write_bytes(archive.read(entry))
        unpacked.rename(wheel.folder)


if __name__ == "__main__":
    for each in (*X86_64, ARM64) if "--arm64" in sys.argv[1:] else X86_64:
        fetch(each)
