"""Which bodies of If, Loop and Scan a run goes through: a model that counts them.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Final

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from workbench.engines.ort.influence import bodies_of, place_of

VISITS: Final = "workbench.visits"
"""The output of a counting model: a number for each place, zero where the body never ran."""
_AXES_ARE_AN_INPUT: Final = 13
"""Since this opset ReduceSum takes its axes so."""


def count_visits(model: Any) -> tuple[str, ...]:
    """Give ``model`` the output VISITS, in place; the bodies' places in its order, an outer body before its inner ones.

    Places are as in ``influence.py``.
    """
    places = tuple(_places(model.graph, ""))
    if places:
        visits = _Counter(places, _opset(model)).added_to(model.graph, "")
        model.graph.node.append(helper.make_node("Identity", [visits], [VISITS]))
        model.graph.output.append(_declared(VISITS, len(places)))
    return places


def _places(graph: Any, outer: str) -> Sequence[str]:
    found: list[str] = []
    for node in graph.node:
        for attribute, body in bodies_of(node):
            place = place_of(node, attribute, outer)
            found += [place, *_places(body, f"{place}/")]
    return found


class _Counter:
    """Adds to every body an output that counts itself and the bodies inside it."""

    def __init__(self, places: Sequence[str], opset: int) -> None:
        self._places = places
        self._opset = opset
        self._numbers = count()

    def added_to(self, graph: Any, place: str) -> str:
        """The name of the tensor in ``graph`` that holds the counts, of ``graph`` itself too where it is a body."""
        own = np.zeros(len(self._places), np.int64)
        if place:
            own[self._places.index(place)] = 1
        made = [self._constant(own)]
        terms = [made[0].output[0]]
        nodes: list[Any] = []
        for node in graph.node:
            nodes.append(node)
            if any(True for _ in bodies_of(node)):
                added, term = self._counted(node, place)
                nodes += added
                terms.append(term)
        total: str = terms[0]
        for term in terms[1:]:
            made.append(helper.make_node("Add", [total, term], [self._name()]))
            total = made[-1].output[0]
        del graph.node[:]
        graph.node.extend([*nodes, *made])
        return total

    def _counted(self, node: Any, outer: str) -> tuple[list[Any], str]:
        """What follows ``node`` to make one count of its bodies', and its name."""
        prefix = f"{outer}/" if outer else ""
        outputs = 0
        for attribute, body in bodies_of(node):
            inner = self.added_to(body, place_of(node, attribute, prefix))
            outputs = len(body.output) - (node.op_type == "Loop")  # whose body gives its condition first
            body.output.append(_declared(inner, len(self._places)))
        node.output.extend([""] * (outputs - len(node.output)))
        name = self._name()
        node.output.append(name)
        if node.op_type == "If":
            return [], name
        for attribute in node.attribute:
            if attribute.name in ("scan_output_axes", "scan_output_directions"):
                attribute.ints.append(0)
        return self._summed(name)

    def _summed(self, rounds: str) -> tuple[list[Any], str]:
        """A loop gives a row for each time its body ran, none for no time."""
        summed = self._name()
        if self._opset < _AXES_ARE_AN_INPUT:
            return [helper.make_node("ReduceSum", [rounds], [summed], axes=[0], keepdims=0)], summed
        axes = self._constant(np.zeros(1, np.int64))
        return [axes, helper.make_node("ReduceSum", [rounds, axes.output[0]], [summed], keepdims=0)], summed

    def _constant(self, values: Any) -> Any:
        name = self._name()
        return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(values, name))

    def _name(self) -> str:
        return f"{VISITS}.{next(self._numbers)}"


def _declared(name: str, size: int) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.INT64, [size])


def _opset(model: Any) -> int:
    return next((opset.version for opset in model.opset_import if opset.domain in ("", "ai.onnx")), 1)
