"""How fast a push is beside ``adb push``: same server, same simulated phone, same file, interleaved.

Prints one JSON line for each version of adb. ``python -m tests.benchmarks.push_speed``. ``ratio``
is our speed over that of ``adb push`` (which includes the start of that command): at least 0.9 is wanted.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.adb_server import PrivateAdb, bundled_adb, in_environment, private_adb, simulated_phone, system_adb
from workbench.core.steps import Quiet
from workbench.devices.adb import AdbLink

_BYTES = 50 << 20
_PAIRS = 10
_WANTED = 0.9


def seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def measure(adb: PrivateAdb, file: Path) -> dict[str, float | int | bool | str]:
    with simulated_phone(adb) as phone:
        link = AdbLink(phone.serial, adb.server)
        ours, theirs = [], []
        for _ in range(_PAIRS):
            ours.append(seconds(lambda: link.push(file, f"{link.folder}/ours", ctx=Quiet())))
            theirs.append(seconds(lambda: adb.run("-s", phone.serial, "push", str(file), f"{link.folder}/theirs")))
        sizes = [link.stat(f"{link.folder}/{name}") for name in ("ours", "theirs")]
    assert [found.size for found in sizes if found is not None] == [_BYTES, _BYTES]
    ratio = statistics.median(theirs) / statistics.median(ours)
    return {
        "benchmark": "push_speed",
        "adb": adb.run("version").stdout.decode().splitlines()[1].removeprefix("Version "),
        "bytes": _BYTES,
        "pairs": _PAIRS,
        "ours_s": round(statistics.median(ours), 4),
        "adb_push_s": round(statistics.median(theirs), 4),
        "ratio": round(ratio, 3),
        "wanted": _WANTED,
        "ok": ratio >= _WANTED,
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "big")
        file.write_bytes(os.urandom(_BYTES))
        for binary in (system_adb(), bundled_adb()):
            with tempfile.TemporaryDirectory() as own, private_adb(Path(own), binary) as adb, in_environment(adb):
                print(json.dumps(measure(adb, file)))


if __name__ == "__main__":
    main()
