"""Hook specifications and their loading. What the program opens and exports itself comes through the same hooks.

Plugins are installed packages with an entry point in the group ``workbench.plugins`` that names a
module or object with hook implementations; nothing is loaded from a project or a folder. They run
in this process with the user's rights. One that throws is named, kept with its traceback in
``Plugins.faults`` and in the log, and switched off.
"""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, TypeVar

import pluggy

from workbench.children.workers import Workers
from workbench.core.errors import BadInput, InternalError, WorkbenchError
from workbench.core.graph import Model
from workbench.core.messages import Message, msg
from workbench.core.steps import Context
from workbench.core.verdict import Verdict
from workbench.formats.onnx.importer import IMPORTER as ONNX
from workbench.formats.registry import Exporter, Importer

PROJECT: Final = "workbench"
GROUP: Final = "workbench.plugins"
_BUILT_IN: Final = "built-in"
LOAD_SECONDS: Final = 10.0
"""Room for a heavy import from a cold disk; a command that needs a plugin's format waits no longer."""

_log = logging.getLogger(__name__)

hookspec: Final = pluggy.HookspecMarker(PROJECT)
hookimpl: Final = pluggy.HookimplMarker(PROJECT)

# The edge to foreign code, where anything may come out: it is named, kept and switched off.
_FAULTS: Final = (Exception, SystemExit)

Offer = TypeVar("Offer", Importer, Exporter)


class Hooks:
    """The whole contract with plugins."""

    @hookspec
    def importers(self) -> Sequence[Importer]:
        """Formats that the plugin opens. A file goes to the first whose ``sniff`` knows its content."""
        return ()

    @hookspec
    def exporters(self) -> Sequence[Exporter]:
        """Ways to write a model down that the plugin offers."""
        return ()


class _BuiltIn:
    """What comes with the program."""

    @hookimpl
    def importers(self) -> Sequence[Importer]:
        return (ONNX,)


@dataclass(frozen=True, slots=True)
class PluginFault:
    """A plugin that was switched off. ``details`` is the traceback, as it is in the log."""

    plugin: str
    what: Message
    details: str


class Plugins:
    """The plugins of one session. Starts with the built-in ones; safe to use from any thread."""

    def __init__(self) -> None:
        self.faults: list[PluginFault] = []
        self._lock = threading.RLock()
        self._manager = pluggy.PluginManager(PROJECT)
        self._manager.add_hookspecs(Hooks)
        self.register(_BuiltIn(), _BUILT_IN)

    def load_installed(self) -> None:
        """Load what is installed. Takes as long as the plugins' imports do, each at most ``LOAD_SECONDS``."""
        for point in entry_points(group=GROUP):
            try:
                self.register(_loaded(point), point.name)
            except _FAULTS as error:
                self._blame(point.name, error)

    def register(self, plugin: object, name: str) -> None:
        """Add ``plugin`` (a module or an object). Raises ValueError for a name taken, pluggy's error for a bad hook."""
        with self._lock:
            if self._manager.has_plugin(name):
                raise ValueError(f"a plugin called {name} is there already")
            try:
                self._manager.register(plugin, name=name)
            except pluggy.PluginValidationError:  # pluggy keeps the plugin that it has just rejected
                self._manager.unregister(name=name)
                raise

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the plugins that are switched on."""
        with self._lock:
            return tuple(name for name, _ in self._manager.list_name_plugin())

    def importers(self) -> tuple[Importer, ...]:
        """Every importer, built-in ones first; those of plugins switch their plugin off where they throw."""
        return tuple(
            importer if name == _BUILT_IN else self._guarded_importer(name, importer)
            for name, importer in self._offers("importers", Importer)
        )

    def exporters(self) -> tuple[Exporter, ...]:
        """Every exporter, guarded like the importers."""
        return tuple(self._guarded_exporter(name, exporter) for name, exporter in self._offers("exporters", Exporter))

    def _offers(self, hook: str, kind: type[Offer]) -> list[tuple[str, Offer]]:
        """(plugin, what it offers). Each plugin is asked alone, so that one that throws is known by name."""
        offers: list[tuple[str, Offer]] = []
        with self._lock:
            everyone = self._manager.list_name_plugin()
            for name, plugin in everyone:
                others = [other for _, other in everyone if other is not plugin]
                try:
                    answers = self._manager.subset_hook_caller(hook, others)()
                    offers += [(name, _checked(item, kind)) for answer in answers for item in answer]
                except _FAULTS as error:
                    self._switch_off(name, error)
        return offers

    def _guarded_importer(self, name: str, importer: Importer) -> Importer:
        def sniff(head: bytes) -> bool:
            try:
                return importer.sniff(head)
            except _FAULTS as error:  # the next importer is asked
                self._switch_off(name, error)
                return False

        def open_file(path: Path, workers: Workers, ctx: Context) -> Model:
            with self._guard(name, path):
                return importer.open(path, workers, ctx)

        return replace(importer, sniff=sniff, open=open_file)

    def _guarded_exporter(self, name: str, exporter: Exporter) -> Exporter:
        def write(model: Model, verdicts: Mapping[str, Verdict] | None, path: Path) -> None:
            with self._guard(name, path):
                exporter.write(model, verdicts, path)

        return replace(exporter, write=write)

    @contextmanager
    def _guard(self, name: str, path: Path) -> Iterator[None]:
        try:
            yield
        except WorkbenchError:  # an answer, not a fault: a damaged file, a cancel
            raise
        except OSError as error:  # the file's fault, not the plugin's
            reason = error.strerror or str(error)
            raise BadInput(
                msg("The file cannot be read or written: {reason}", reason=reason),
                where=str(path),
                hint=msg("Check the folder, its permissions and the free space."),
            ) from error
        except _FAULTS as error:
            what = self._switch_off(name, error)
            raise InternalError(what, hint=msg("The log has the details. Update or remove the plugin.")) from error

    def _switch_off(self, name: str, error: BaseException) -> Message:
        with self._lock:
            if self._manager.has_plugin(name):
                self._manager.unregister(name=name)
            return self._blame(name, error)

    def _blame(self, name: str, error: BaseException) -> Message:
        reason = f"{type(error).__name__}: {error}"
        what = msg("The plugin {plugin} failed and was switched off: {reason}", plugin=name, reason=reason)
        details = "".join(traceback.format_exception(error))
        _log.error("%s\n%s", what, details)
        self.faults.append(PluginFault(name, what, details))
        return what


def _loaded(point: EntryPoint) -> object:
    """What ``point`` names. Raises whatever its import raises, TimeoutError where that does not end in time.

    The import runs on a thread that nobody waits for when the program ends.
    """
    loading: Future[object] = Future()

    def load() -> None:
        try:
            loading.set_result(point.load())
        except BaseException as error:  # noqa: BLE001 - foreign code: it is blamed by the caller
            loading.set_exception(error if isinstance(error, _FAULTS) else RuntimeError(repr(error)))

    threading.Thread(target=load, name=f"plugin {point.name}", daemon=True).start()
    try:
        return loading.result(LOAD_SECONDS)
    except TimeoutError as error:
        if loading.done():
            raise
        raise TimeoutError(f"it was not loaded within {LOAD_SECONDS:g} s") from error


def _checked(item: object, kind: type[Offer]) -> Offer:
    if not isinstance(item, kind):
        raise TypeError(f"{kind.__name__} expected, {type(item).__name__} offered")
    return item
