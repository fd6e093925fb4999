"""The pictures that the demo leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from workbench.app import actions, project
from workbench.app.samples import digits
from workbench.app.services import Services
from workbench.app.session import State
from workbench.core.errors import ExitCode
from workbench.core.steps import Quiet
from workbench.ui.pictures import main, take


def test_every_step_is_pictured_and_two_in_dark(qapp: QApplication, home: Path, tmp_path: Path) -> None:
    services = Services(lambda *_args, **_more: ExitCode.YES)
    opened = actions.open_model(digits().model, services, Quiet())
    services.close()
    folder = tmp_path / "digits.wb"
    project.save_project(folder, State(opened.model, opened.contracts, opened.layers), "00" * 32)
    files = take(folder, tmp_path)
    assert [file.name for file in files] == [
        "window-start.png",
        *(f"window-{step}-light.png" for step in ("model", "check", "quantize", "convert", "run", "report")),
        "window-check-dark.png",
        "window-run-dark.png",
    ]
    pictures = {file.stem: QImage(str(file)) for file in files}
    assert {(picture.width(), picture.height()) for picture in pictures.values()} == {(1440, 900)}
    assert brightness(pictures["window-check-light"]) > 200
    assert brightness(pictures["window-check-dark"]) < 60


def brightness(picture: QImage) -> float:
    """Mean lightness, 0 to 255, over a grid of pixels."""
    points = [(x, y) for x in range(0, picture.width(), 16) for y in range(0, picture.height(), 16)]
    return sum(picture.pixelColor(x, y).lightness() for x, y in points) / len(points)


def test_a_project_that_is_none_is_one_line_and_exit_code_one(
    qapp: QApplication, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), str(tmp_path)]) == 1
    said = capsys.readouterr().err.strip()
    assert "This is not a project folder" in said
    assert "\n" not in said
