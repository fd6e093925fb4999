"""The command line: argparse made from the commands' signatures; answers for people or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_CANCELLED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``workbench``. Returns the exit code; a usage error is one line and exit code 2."""
    try:
        from workbench.cli.program import run

        return run(argv)
    except KeyboardInterrupt:  # so early that the command's own handler was not in place
        print("workbench: Cancelled", file=sys.stderr)
        return _CANCELLED
