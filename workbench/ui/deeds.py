"""What the window's commands do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workbench.ui import edits
from workbench.ui.dialogs import Dialogs, model_pattern
from workbench.ui.dock.tab import Tab
from workbench.ui.fault import op_at_fault
from workbench.ui.flow import Flow
from workbench.ui.inspector.precision import BIT_CHOICES, selected_layers
from workbench.ui.jobbook import JobKind
from workbench.ui.main_action import main_action
from workbench.ui.phones import Phones
from workbench.ui.projects import Projects
from workbench.ui.step import Step
from workbench.ui.text import tr

if TYPE_CHECKING:
    from workbench.ui.window import Window

_BEHIND_START: Final = (
    "find",
    "find-next",
    "find-previous",
    "copy-csv",
    "commands",
    "keys",
    "toggle-layers",
    "toggle-inspector",
    "toggle-dock",
    "log",
)
"""Commands of what is made after the window shows."""


class Deeds:
    """One callable a command id: see ``table``."""

    def __init__(self, window: Window, flow: Flow, phones: Phones, projects: Projects, dialogs: Dialogs) -> None:
        self._window, self._flow, self._phones = window, flow, phones
        self._projects, self._dialogs = projects, dialogs
        self._session = flow.session

    def table(self) -> dict[str, Callable[[], object]]:
        window = self._window
        steps = {f"step-{step}": partial(self._go, step) for step in Step}
        bits = {f"bits-{number}": partial(self._set_bits, number) for number in BIT_CHOICES}
        themes = {f"theme-{mode}": partial(window.theme_wanted.emit, mode) for mode in ("system", "light", "dark")}
        languages = {
            f"language-{name}": partial(window.language_wanted.emit, name) for name in ("system", "en", "zh_CN")
        }
        table: dict[str, Callable[[], object]] = {
            "open-model": self._open_model,
            "open-project": self._open_project,
            "try-sample": window.keeping.open_sample,
            "start-page": window.show_start,
            "save-project": window.keeping.save,
            "save-artifact": self._save_artifact,
            "export": self._export,
            "quit": window.close,
            "undo": self._session.undo,
            "redo": self._session.redo,
            "find": self._find,
            "find-next": partial(self._find_step, 1),
            "find-previous": partial(self._find_step, -1),
            "copy-csv": self._copy_csv,
            "commands": self._show_palette,
            "keys": self._show_palette,
            "toggle-layers": self._toggle_layers,
            "toggle-inspector": self._toggle_inspector,
            "toggle-dock": self._toggle_dock,
            "main": self._main,
            "check": self._check,
            "show-fault": self._show_fault,
            "fix-all": lambda: self._session.set_rewriting(*edits.with_rewriting(True)),
            "rewrites-off": lambda: self._session.set_rewriting(*edits.with_rewriting(False)),
            "convert": self._convert,
            "inputs": self._inputs,
            "open-netron": self._open_netron,
            "run": self._run,
            "stop": self._stop,
            "start-phone": self._phones.start,
            "connect": self._connect,
            "refresh-devices": self._phones.look,
            "write-report": self._write_report,
            "log": self._show_log,
            "larger": partial(window.scale_wanted.emit, 1),
            "smaller": partial(window.scale_wanted.emit, -1),
            "usual-size": partial(window.scale_wanted.emit, 0),
            **steps,
            **bits,
            **themes,
            **languages,
        }
        return table | {command: partial(window.when_furnished, table[command]) for command in _BEHIND_START}

    # File

    def _open_model(self) -> None:
        path = self._dialogs.open_file(self._window, tr("Open model"), model_pattern())
        if path is not None:
            self._window.keeping.open_model(path)

    def _open_project(self) -> None:
        folder = self._dialogs.open_folder(self._window, tr("Open project"))
        if folder is not None:
            self._window.keeping.open_project(folder)

    def _save_artifact(self) -> None:
        state = self._session.state
        if state.model is None or state.artifact is None:
            return
        start = Path(state.model.path).with_suffix(".mnn")
        pattern = tr("MNN models (*.mnn)")
        path = self._dialogs.save_file(self._window, tr("Save the converted model"), start, pattern)
        if path is not None:
            self._flow.save_artifact(path)

    def _export(self) -> None:
        state = self._session.state
        exporters = self._projects.exporters()
        if state.model is None or not exporters:
            return
        patterns = {tr("{name} (*{suffix})", name=one.name, suffix=one.suffix): one for one in exporters}
        start = Path(state.model.path).with_suffix(exporters[0].suffix)
        path = self._dialogs.save_file(self._window, tr("Export"), start, ";;".join(patterns))
        if path is not None:
            chosen = next((one for one in exporters if path.name.endswith(one.suffix)), exporters[0])
            self._projects.export(chosen, path)

    def _write_report(self) -> None:
        state = self._session.state
        if state.model is None:
            return
        start = Path(state.model.path).with_suffix(".html")
        path = self._dialogs.save_file(self._window, tr("Write report"), start, tr("Reports (*.html)"))
        if path is not None:
            self._projects.report(path)

    # Edit

    def _set_bits(self, bits: int) -> None:
        state = self._session.state
        layers = selected_layers(state)
        if layers:
            self._session.set_plan(*edits.with_bits(state.plan, layers, bits))

    def _find(self) -> None:
        if self._window.step not in (Step.MODEL, Step.CHECK, Step.QUANTIZE, Step.CONVERT):
            self._window.show_step(Step.MODEL)
        self._window.panels.show_layers()
        self._window.workspace.layers.focus_filter()

    def _find_step(self, by: int) -> None:
        self._window.workspace.layers.view.step_to(by)

    def _copy_csv(self) -> None:
        self._window.workspace.layers.copy_csv()

    # View

    def _show_palette(self) -> None:
        self._window.palette_view.open()

    def _toggle_layers(self) -> None:
        self._window.panels.toggle_layers()

    def _toggle_inspector(self) -> None:
        self._window.panels.toggle_inspector()

    def _toggle_dock(self) -> None:
        self._window.panels.toggle_dock()

    def _show_log(self) -> None:
        self._window.panels.open_dock(Tab.LOG)

    # Steps

    def _go(self, step: Step) -> None:
        if self._session.state.model is not None:
            self._window.show_step(step)

    def _main(self) -> None:
        window = self._window
        if window.step is None:
            self._open_model()
            return
        remedy = window.error_bar.remedy
        action = main_action(window.step, self._session.state, self._flow.work)
        command = remedy or action.command
        if command:
            window.run_command(command)

    def _check(self) -> None:
        self._window.show_step(Step.CHECK)
        self._flow.check()

    def _show_fault(self) -> None:
        report = self._session.state.report
        node = op_at_fault(report) if report is not None else None
        if node is not None:
            self._window.show_node(node)

    def _convert(self) -> None:
        self._window.show_step(Step.CONVERT)
        self._flow.convert()

    def _inputs(self) -> None:
        path = self._dialogs.open_file(self._window, tr("Choose inputs"), tr("Arrays (*.npz);;All files (*)"))
        if path is not None:
            self._flow.use_inputs(path)

    def _open_netron(self) -> None:
        model = self._session.state.model
        if model is not None:
            self._flow.netron.show(Path(model.path))

    # Device

    def _run(self) -> None:
        self._window.show_step(Step.RUN)
        self._flow.run()

    def _stop(self) -> None:
        if not self._flow.work.cancel(JobKind.RUN):
            self._flow.work.cancel(JobKind.CONVERT)

    def _connect(self) -> None:
        label = tr("Address and port that the phone shows under wireless debugging")
        address = self._dialogs.ask_text(self._window, tr("Connect by address"), label)
        if address is not None:
            self._phones.connect_to(address)
