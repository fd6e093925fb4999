from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

SCRIPT = (
    "import sys\n"
    "from workbench.children.scratch import scratch_folder\n"
    "with scratch_folder() as folder:\n"
    "    (folder / 'big').write_text('x')\n"
    "    print(folder, flush=True)\n"
    "    sys.stdin.read()\n"
)


def holder(root: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that has a scratch folder, an hour old, until its stdin ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(root)},
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    an_hour_ago = time.time() - 3600
    os.utime(folder, (an_hour_ago, an_hour_ago))
    return process, folder


def ended(process: subprocess.Popen[str], *, killed: bool) -> None:
    if killed:
        process.kill()
    process.communicate()


def test_the_folder_is_gone_at_the_end(tmp_path: Path) -> None:
    process, folder = holder(tmp_path)
    assert (folder / "big").is_file()
    ended(process, killed=False)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_by_the_next_and_what_is_in_use_stays(tmp_path: Path) -> None:
    left, abandoned = holder(tmp_path)
    in_use, kept = holder(tmp_path)
    ended(left, killed=True)
    another = tmp_path / "workbench-notes"
    another.mkdir()
    os.utime(another, (0, 0))
    assert abandoned.is_dir()
    ended(holder(tmp_path)[0], killed=False)
    assert not abandoned.exists()
    assert (kept / "big").is_file()
    assert another.is_dir()
    ended(in_use, killed=False)
