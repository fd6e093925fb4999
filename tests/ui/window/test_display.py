"""A program that has no display says so; Qt itself would end the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.errors import BadInput
from workbench.ui.display import check_display

LINUX = {name: os.environ[name] for name in ("PATH",)}


def test_without_a_display_the_window_says_so_and_exits_with_2(tmp_path: Path) -> None:
    told = subprocess.run(
        (sys.executable, "-m", "workbench", "gui"),
        env={**LINUX, "HOME": str(tmp_path), "WORKBENCH_HOME": str(tmp_path), "WORKBENCH_LANGUAGE": "en"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert "There is no display" in told.stderr
    assert "Set DISPLAY, or run workbench demo" in told.stderr
    assert "Traceback" not in told.stderr


def test_an_x_server_that_is_not_there_is_told_before_qt_ends_the_process() -> None:
    with pytest.raises(BadInput) as caught:
        check_display({"DISPLAY": ":9731"})
    assert caught.value.where or caught.value.what.template == "Qt cannot open a window here"


def test_a_platform_that_needs_no_display_is_left_alone() -> None:
    check_display({"QT_QPA_PLATFORM": "offscreen"})
