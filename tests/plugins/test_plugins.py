from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from workbench import plugins as plugins_module
from workbench.app import actions
from workbench.app.services import Services
from workbench.children.workers import Workers
from workbench.core.errors import BadInput, Cancelled, ExitCode, InternalError
from workbench.core.graph import Graph, Model
from workbench.core.steps import Context, Quiet
from workbench.formats.registry import Exporter, Importer, open_model
from workbench.plugins import GROUP, Hooks, Plugins, hookimpl

MODEL = Model("m.toy", "toy", 1, "", {}, Graph("", "", (), (), (), (), {}))


def toy_importer(**changes: object) -> Importer:
    fields: dict[str, object] = {
        "name": "Toy",
        "suffixes": (".toy",),
        "sniff": lambda head: head.startswith(b"TOY"),
        "open": lambda path, workers, ctx: MODEL,
    }
    return Importer(**(fields | changes))  # type: ignore[arg-type]


class ToyFormat:
    """A plugin that opens one more format."""

    def __init__(self, importer: object) -> None:
        self.importer = importer

    @hookimpl
    def importers(self) -> Sequence[object]:
        return (self.importer,)


class Failing:
    @hookimpl
    def importers(self) -> Sequence[Importer]:
        raise RuntimeError("cannot list")

    @hookimpl
    def exporters(self) -> Sequence[Exporter]:
        return ()


@pytest.fixture
def toy_file(tmp_path: Path) -> Path:
    path = tmp_path / "model.toy"
    path.write_bytes(b"TOY model \x00\xff")
    return path


def opened(plugins: Plugins, path: Path) -> Model:
    with Workers() as workers:
        return open_model(path, plugins.importers(), workers, Quiet())


def switched_on(*plugins: object) -> Plugins:
    made = Plugins()
    for index, plugin in enumerate(plugins):
        made.register(plugin, f"plugin{index}")
    return made


def test_onnx_comes_through_the_same_hook() -> None:
    plugins = Plugins()
    assert plugins.names == ("built-in",)
    assert [importer.name for importer in plugins.importers()] == ["ONNX"]
    assert plugins.exporters() == ()
    assert plugins.faults == []


def test_a_plugin_opens_its_format_by_content_whatever_the_name(toy_file: Path) -> None:
    renamed = toy_file.rename(toy_file.with_suffix(".onnx"))
    assert opened(switched_on(ToyFormat(toy_importer())), renamed) is MODEL


def test_a_plugin_opens_its_format_by_suffix_where_no_content_tells(toy_file: Path) -> None:
    plugins = switched_on(ToyFormat(toy_importer(sniff=lambda head: False)))
    assert opened(plugins, toy_file) is MODEL


def test_a_plugin_that_throws_when_asked_is_named_and_switched_off() -> None:
    plugins = switched_on(Failing(), ToyFormat(toy_importer()))
    assert [importer.name for importer in plugins.importers()] == ["ONNX", "Toy"]
    (fault,) = plugins.faults
    assert fault.plugin == "plugin0"
    assert str(fault.what) == "The plugin plugin0 failed and was switched off: RuntimeError: cannot list"
    assert "raise RuntimeError" in fault.details
    assert plugins.names == ("built-in", "plugin1")


def test_a_plugin_that_throws_while_it_looks_does_not_stop_the_others(toy_file: Path) -> None:
    def sniff(head: bytes) -> bool:
        raise ValueError("bad head")

    plugins = switched_on(ToyFormat(toy_importer(sniff=sniff)), ToyFormat(toy_importer(name="Other")))
    assert opened(plugins, toy_file) is MODEL
    assert [fault.plugin for fault in plugins.faults] == ["plugin0"]


@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(3), RecursionError()])
def test_a_plugin_that_throws_while_it_opens_is_named_in_the_error(toy_file: Path, error: BaseException) -> None:
    def fail(path: Path, workers: Workers, ctx: Context) -> Model:
        raise error

    plugins = switched_on(ToyFormat(toy_importer(open=fail)))
    with pytest.raises(InternalError, match="plugin0 failed and was switched off"):
        opened(plugins, toy_file)
    assert plugins.names == ("built-in",)
    assert type(error).__name__ in plugins.faults[0].details


@pytest.mark.parametrize("answer", [BadInput(plugins_module.msg("damaged")), Cancelled()])
def test_an_answer_is_no_fault(toy_file: Path, answer: Exception) -> None:
    def refuse(path: Path, workers: Workers, ctx: Context) -> Model:
        raise answer

    plugins = switched_on(ToyFormat(toy_importer(open=refuse)))
    with pytest.raises(type(answer)):
        opened(plugins, toy_file)
    assert plugins.faults == []


def test_a_plugin_that_offers_something_else_is_switched_off() -> None:
    plugins = switched_on(ToyFormat("an importer, honestly"))
    assert len(plugins.importers()) == 1
    assert "Importer expected, str offered" in str(plugins.faults[0].what)


def test_an_output_that_cannot_be_written_is_not_the_plugins_fault(tmp_path: Path) -> None:
    class Writes:
        @hookimpl
        def exporters(self) -> Sequence[Exporter]:
            return (Exporter("Text", ".txt", lambda model, verdicts, path: path.write_text("x") and None),)

    plugins = switched_on(Writes())
    (exporter,) = plugins.exporters()
    exporter.write(MODEL, None, tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == "x"
    with pytest.raises(BadInput) as caught:
        exporter.write(MODEL, None, tmp_path / "absent" / "out.txt")
    assert caught.value.where == str(tmp_path / "absent" / "out.txt")
    assert plugins.faults == []


def entry_points_of(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> None:
    made = EntryPoints(EntryPoint(name, target, GROUP) for name, target in points)
    monkeypatch.setattr(plugins_module, "entry_points", lambda group: made.select(group=group))


def test_a_plugin_that_cannot_be_loaded_is_named_and_the_next_one_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    entry_points_of(
        monkeypatch,
        ("broken", "no_such_module_anywhere"),
        ("wrong", "tests.plugins.test_plugins:WrongHook"),
        ("built-in", "tests.plugins.test_plugins:Failing"),
        ("good", "tests.plugins.test_plugins:LOADED"),
    )
    plugins = Plugins()
    plugins.load_installed()
    assert plugins.names == ("built-in", "good")
    assert [fault.plugin for fault in plugins.faults] == ["broken", "wrong", "built-in"]
    assert "no_such_module_anywhere" in plugins.faults[0].details
    assert [importer.name for importer in plugins.importers()] == ["ONNX", "Toy"]


class WrongHook:
    @hookimpl
    def importers(self, extra: int) -> Sequence[Importer]:
        return ()


LOADED = ToyFormat(toy_importer())


def test_importers_can_be_asked_from_many_threads_while_one_plugin_fails() -> None:
    plugins = switched_on(*(Failing() for _ in range(8)), ToyFormat(toy_importer()))
    seen: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: seen.append([importer.name for importer in plugins.importers()]))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [["ONNX", "Toy"]] * 8
    assert sorted(fault.plugin for fault in plugins.faults) == [f"plugin{index}" for index in range(8)]


def test_every_hook_is_documented() -> None:
    hooks = [hook for name, hook in vars(Hooks).items() if not name.startswith("_")]
    assert hooks
    assert all(hook.__doc__ for hook in hooks)


def test_a_command_opens_the_formats_of_installed_plugins_unless_told_not_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entry_points_of(monkeypatch, ("good", "tests.plugins.test_plugins:LOADED"))
    (tmp_path / "m.toy").write_bytes(b"TOY")
    services = Services(lambda *_args, **_options: ExitCode.YES)
    assert actions.open_model(tmp_path / "m.toy", services, Quiet()).model == MODEL
    assert actions.open_model(tmp_path / "m.toy", services, Quiet()).model == MODEL  # loaded once
    assert services.plugins.faults == []
    without = Services(lambda *_args, **_options: ExitCode.YES, plugins_enabled=False)
    with pytest.raises(BadInput):
        actions.open_model(tmp_path / "m.toy", without, Quiet())
    for one in (services, without):
        one.close()


def test_the_traceback_of_a_plugin_that_fails_is_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(logging.getLogger("workbench"), "propagate", True)
    entry_points_of(monkeypatch, ("broken", "no_such_module_anywhere"))
    Plugins().load_installed()
    assert "The plugin broken failed" in caplog.text
    assert "ModuleNotFoundError" in caplog.text
