"""The command line: argparse made from the commands' signatures; answers for people or as JSON."""

from __future__ import annotations

from workbench.cli.main import main

__all__ = ["main"]
