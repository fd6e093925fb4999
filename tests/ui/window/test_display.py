"""A program that has no display says so; Qt itself would end the process."""

from __future__ import annotations

import os
import socket
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


def test_a_compositor_that_is_not_there_is_told_before_qt_ends_the_process(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        check_display({"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)})
    assert caught.value.where
    assert caught.value.what.template in ("The Wayland compositor does not answer", "Qt cannot open a window here")


def test_a_compositor_that_answers_is_left_to_qt(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-7"))
        compositor.listen()
        check_display({"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)})


def test_where_one_of_two_platforms_works_that_is_enough(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-7"))
        compositor.listen()
        check_display({"WAYLAND_DISPLAY": str(tmp_path / "wayland-7"), "DISPLAY": ":9731"})


@pytest.mark.parametrize(("library", "package"), [("libEGL.so.1", "libegl1"), ("libxkbcommon.so.0", "libxkbcommon0")])
def test_a_library_that_qt_misses_is_named_with_its_package(tmp_path: Path, library: str, package: str) -> None:
    (tmp_path / library).touch()  # the loader finds it first, and it is none
    told = subprocess.run(
        (sys.executable, "-m", "workbench", "gui"),
        env={
            **LINUX,
            "HOME": str(tmp_path),
            "WORKBENCH_HOME": str(tmp_path),
            "WORKBENCH_LANGUAGE": "en",
            "LD_LIBRARY_PATH": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert told.stderr.strip().count("\n") <= 1
    assert f"{library}: Qt cannot be loaded: a library of the system is missing" in told.stderr
    assert f"apt-get install {package}" in told.stderr


def test_a_platform_that_needs_no_display_is_left_alone() -> None:
    check_display({"QT_QPA_PLATFORM": "offscreen"})
