"""The guide for authors of plugins says everything that the program has, and its example works."""

from __future__ import annotations

import re
import types
from dataclasses import fields
from pathlib import Path

from workbench.core.graph import Graph, Model, Node
from workbench.formats.registry import Exporter, Importer
from workbench.plugins import GROUP, Hooks, Plugins

GUIDE = (Path(__file__).parents[2] / "plugins" / "README.md").read_text(encoding="utf-8")
NODES = tuple(Node(name, "", op, "", (), (name,)) for name, op in (("a", "Relu"), ("b", "Conv"), ("c", "Relu")))


def test_every_hook_has_a_section() -> None:
    hooks = {name for name in vars(Hooks) if not name.startswith("_")}
    assert hooks
    assert set(re.findall(r"^### `(\w+)\(", GUIDE, re.MULTILINE)) == hooks


def test_every_field_of_what_hooks_offer_is_explained() -> None:
    named = {field.name for kind in (Importer, Exporter) for field in fields(kind)}
    assert set(re.findall(r"^\| `(\w+)` \|", GUIDE, re.MULTILINE)) == named


def test_the_example_is_a_plugin_that_works(tmp_path: Path) -> None:
    assert f'[project.entry-points."{GROUP}"]' in GUIDE
    (source,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    module = types.ModuleType("op_counts")
    exec(source, module.__dict__)  # noqa: S102 - the example of the guide
    plugins = Plugins()
    plugins.register(module, "op_counts")
    (exporter,) = plugins.exporters()
    model = Model("m.onnx", "onnx", 1, "", {}, Graph("", "", NODES, (), (), (), {}))
    exporter.write(model, None, tmp_path / "counts.txt")
    assert (tmp_path / "counts.txt").read_text() == "Relu 2\nConv 1\n"
    assert plugins.faults == []
