"""The main job with real parts: from an empty window to a live chart that moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.adb_server import in_environment, private_adb
from tests.rewrites.proof import model
from tests.ui.window.conftest import Answers, Driver
from tests.ui.window.fakes import FakeWork
from workbench.app.samples import digits
from workbench.app.services import Services
from workbench.core.errors import ExitCode
from workbench.core.verdict import Answer, Status
from workbench.ui import settings as stored
from workbench.ui.actions import bound
from workbench.ui.app import Shell
from workbench.ui.inspector.precision import selected_layers
from workbench.ui.settings import Settings
from workbench.ui.step import Step

PATIENCE_MS = 120_000


@pytest.fixture
def real(qtbot: QtBot, qapp: QApplication, home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A window over the real engine, on an adb server of its own."""
    services = Services(lambda *_args, **_more: ExitCode.YES)
    with private_adb(tmp_path_factory.mktemp("adb")) as adb, in_environment(adb):
        answers = Answers()
        file = home / "window.json"
        stored.save(Settings(theme="light"), file)
        shell = Shell(qapp, bound(services), answers.dialogs(), file)
        shell.show()
        qtbot.waitExposed(shell.window)
        shell.window.activateWindow()
        yield Driver(qtbot, shell, FakeWork(), answers)
        shell.close()
        shell.window.close()
        shell.window.deleteLater()
        shell.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    services.close()


def test_from_an_empty_window_to_a_live_chart_that_moves(real: Driver) -> None:
    window = real.window

    def wait(condition) -> None:
        real.qtbot.waitUntil(lambda: bool(condition()) or window.error_bar.isVisible(), timeout=PATIENCE_MS)
        assert not window.error_bar.isVisible(), window.error_bar.title.text()

    assert window.start_page.isVisible()
    real.click(window.start_page.devices.start_button)
    real.drop(digits().model)
    wait(lambda: real.state.report is not None)
    assert window.workspace.graph_page.answer.sentence.text() == "Ready: the engine computes all 20 ops right"

    real.click(window.topbar.main)  # choose precision
    assert window.step is Step.QUANTIZE
    window.workspace.layers.view.setFocus()
    window.workspace.layers.view.selectAll()
    assert len(selected_layers(real.state)) == 7
    real.key(Qt.Key.Key_8, Qt.KeyboardModifier.AltModifier)
    real.click(window.topbar.main)  # convert
    wait(lambda: real.state.artifact_is_current)
    artifact = real.state.artifact
    assert artifact is not None
    assert {layer.bits for layer in artifact.layers_applied} == {8}
    assert window.convert_page.title.text() == "Converted and verified"

    wait(lambda: real.state.chosen_device is not None)
    assert window.topbar.device.name.text() == "Simulated phone"
    real.shell.session.set_run_config(replace(real.state.run_config, seconds=1.5))
    real.click(window.topbar.main)  # run
    charts = window.run_page.charts
    wait(lambda: real.shell.flow.live_events)
    before = charts.view.grab().toImage()
    wait(lambda: charts.view.grab().toImage() != before)
    wait(lambda: real.state.runs)
    summary = real.state.runs[0].summary
    assert summary.outputs is not None
    assert summary.outputs.right
    assert summary.latency_ms is not None
    assert summary.dropped == 0
    assert real.state.runs[0].events_file is not None
    assert real.state.runs[0].events_file.is_file()


def test_fix_all_makes_an_artifact_that_is_right_of_a_model_that_is_not(real: Driver, tmp_path: Path) -> None:
    weights = {"w": np.random.default_rng(0).standard_normal((32, 8)).astype(np.float32)}
    graph = "g (float[N,32] x) => (float[N,8] m, bool[N,8] y) { m = MatMul(x, w) y = IsNaN(m) }"
    window = real.window

    def wait(condition) -> None:
        real.qtbot.waitUntil(lambda: bool(condition()) or window.error_bar.isVisible(), timeout=PATIENCE_MS)
        assert not window.error_bar.isVisible(), window.error_bar.title.text()

    real.drop(model(tmp_path, graph, weights=weights))
    wait(lambda: real.state.report is not None)
    assert real.state.report is not None
    assert real.state.report.verdict is Answer.REWRITABLE
    real.click(window.workspace.graph_page.answer.fix)
    assert real.state.verdicts["y"].status is Status.FIXED

    real.click(window.topbar.main)  # choose precision
    real.key(Qt.Key.Key_F5)  # convert
    wait(lambda: real.state.artifact_is_current)
    artifact = real.state.artifact
    assert artifact is not None
    assert artifact.verification.engine is not None
    assert artifact.verification.engine.right
    assert [(rewrite.rule, rewrite.node) for rewrite in artifact.rewrites] == [("compare/is-nan", "y")]
    assert Path(artifact.path).is_file()
    assert window.convert_page.rewritten.isVisible()
