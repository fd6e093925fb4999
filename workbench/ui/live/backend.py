"""Which back end was asked for, which one ran, and whether its numbers are right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from workbench.core.messages import plain
from workbench.core.run import RunConfig
from workbench.ui.live.recording import Recording
from workbench.ui.live.rows import Mark, Section, ValueLabel
from workbench.ui.text import listed, tr
from workbench.ui.theme.fonts import BODY
from workbench.ui.widgets.badge import TintBadge
from workbench.ui.widgets.labels import surface, text_label

_NAMES: Final = {
    "cpu": "CPU",
    "opencl": "OpenCL",
    "vulkan": "Vulkan",
    "opengl": "OpenGL",
    "metal": "Metal",
    "cuda": "CUDA",
    "nn": "NNAPI",
    "npu": "NPU",
}


class BackendSection(Section):
    """Asked for, ran on; a badge where they differ; the outputs' error."""

    def __init__(self) -> None:
        super().__init__(tr("Which back end ran"))
        self._asked, self._asked_detail = ValueLabel(BODY), text_label(role="hint", wrap=True)
        self._ran, self._ran_detail = ValueLabel(BODY), text_label(role="hint", wrap=True)
        self.fallback = TintBadge(tr("Fallback"), "condition", "triangle-alert")
        self._mark = Mark("circle-dashed")
        self.outputs = text_label(role="table", wrap=True)
        self.body.addWidget(self._card())
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._mark)
        row.addWidget(self.outputs, 1)
        self.body.addLayout(row)

    def show_run(self, recording: Recording | None, config: RunConfig | None) -> None:
        """Show what is known of the run; ``config`` says what was asked before its summary tells."""
        asked = _asked(recording, config)
        ran = _ran(recording)
        self._fill(self._asked, self._asked_detail, asked)
        self._fill(self._ran, self._ran_detail, ran)
        differs = "backend" in asked and "backend" in ran and asked["backend"] != ran["backend"]
        self.fallback.setVisible(differs or (recording is not None and recording.fell_back))
        mark, ink, text = _outputs(recording)
        self._mark.set_mark(mark, ink)
        self.outputs.setText(text)

    def _card(self) -> QWidget:
        card = QWidget()
        surface(card, "group")
        grid = QGridLayout(card)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        heads: tuple[QLabel, QLabel] = (text_label(tr("Asked for"), "hint"), text_label(tr("Ran on"), "hint"))
        ran_head = QHBoxLayout()
        ran_head.setSpacing(8)
        ran_head.addWidget(heads[1], 1)
        ran_head.addWidget(self.fallback)
        grid.addWidget(heads[0], 0, 0)
        grid.addLayout(ran_head, 0, 1)
        for row, (asked, ran) in enumerate(((self._asked, self._ran), (self._asked_detail, self._ran_detail)), 1):
            grid.addWidget(asked, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(ran, row, 1, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        return card

    @staticmethod
    def _fill(name: ValueLabel, detail: QLabel, facts: Mapping[str, str | int | float]) -> None:
        backend = str(facts.get("backend", ""))
        name.setText(plain(_NAMES.get(backend, backend)) or tr("not known yet"))
        name.set_ink("text" if backend else "text3")
        details = []
        if "threads" in facts:
            threads = facts["threads"]
            details.append(tr("1 thread") if threads == 1 else tr("{n} threads", n=threads))
        if facts.get("precision", "normal") != "normal":
            details.append(tr("precision {name}", name=str(facts["precision"])))
        detail.setText(listed(details))


def _asked(recording: Recording | None, config: RunConfig | None) -> Mapping[str, str | int | float]:
    if recording is not None and recording.summary is not None:
        return recording.summary.requested
    if config is not None:
        return {"backend": config.backend, "threads": config.threads, "precision": config.precision}
    return {}


def _ran(recording: Recording | None) -> Mapping[str, str | int | float]:
    if recording is not None and recording.summary is not None:
        return recording.summary.actual
    if recording is not None and recording.loaded is not None:
        return {"backend": recording.loaded.backend, "threads": recording.loaded.threads}
    return {}


def _outputs(recording: Recording | None) -> tuple[str, str, str]:
    """Icon, its token, and the sentence."""
    if recording is None or not recording.ended:
        return "circle-dashed", "text3", tr("Outputs are compared after the run")
    outputs = recording.summary.outputs if recording.summary is not None else None
    if outputs is None:
        return "circle-dashed", "text3", tr("Outputs not compared")
    error = f"{outputs.max_rel_error:.1e}".replace("e-0", "e-").replace("e+0", "e+").replace(".0e", "e")
    if outputs.right:
        return "circle-check", "right", tr("Output right: error {error} of largest", error=error)
    return "octagon-x", "wrong", tr("Output wrong: error {error} of largest", error=error)
