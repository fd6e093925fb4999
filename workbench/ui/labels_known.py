"""Accuracy of what was converted, where the labels are known: measured beside the work, kept for the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from workbench.app.actions import Opened
from workbench.app.session import Session, State, Topic
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.ui.actions import Actions
from workbench.ui.jobbook import JobKind
from workbench.ui.steps_done import plan_word
from workbench.ui.work import Work

if TYPE_CHECKING:
    from workbench.core.artifact import Artifact
    from workbench.core.metric import Accuracy


class LabelsKnown(QObject):
    """Follows the converted model. ``measured``: figures of the one that is open are there."""

    measured = Signal()

    def __init__(self, session: Session, work: Work, actions: Actions, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._work, self._actions = session, work, actions
        self._samples: Path | None = None
        self._found: tuple[Artifact, tuple[Accuracy, ...]] | None = None
        session.follow(self._model_changed, Topic.MODEL)
        session.follow(self._artifact_changed, Topic.ARTIFACT)

    @property
    def are_known(self) -> bool:
        """Whether the open model has labelled data."""
        return self._samples is not None

    def accuracies(self, state: State) -> tuple[Accuracy, ...]:
        """Of the converted model of ``state``, the float reference first; nothing where it was not measured."""
        return self._found[1] if self._found is not None and self._found[0] == state.artifact else ()

    def measure(self, state: State, ctx: Context) -> tuple[Accuracy, ...]:
        """What ``accuracies`` answers, measured now where it was not. Runs in a job."""
        artifact, samples = state.artifact, self._samples
        known = self.accuracies(state)
        if known or artifact is None or samples is None or state.model is None:
            return known
        opened = Opened(state.model, state.contracts, state.layers)
        name = f"MNN, {plan_word(state, artifact.plan)}"
        return self._actions.accuracies(opened, {name: artifact}, samples, ctx)

    def _model_changed(self, state: State) -> None:
        from workbench.app.labelled import sample_of

        sample = sample_of(Path(state.model.path)) if state.model is not None else None
        self._samples = sample.heldout if sample is not None else None
        self._found = None

    def _artifact_changed(self, state: State) -> None:
        artifact = state.artifact
        if artifact is None or not self.are_known or self.accuracies(state):
            return

        def done(found: tuple[Accuracy, ...]) -> Message | None:
            self._found = (artifact, found)
            self.measured.emit()
            self._artifact_changed(self._session.state)
            told = msg("{percent} % of {total} images", percent=f"{found[-1].percent:.2f}", total=found[-1].total)
            return told if found else None

        title = msg("Measure accuracy of {file}", file=Path(artifact.path).name)
        self._work.start(JobKind.ACCURACY, title, lambda ctx: self.measure(state, ctx), done)
