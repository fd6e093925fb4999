"""Conditions on how an operator is used, as short texts that people read in a diff and programs test.

strides=[2, 2]       an attribute has this value (integers, text)
strides              an attribute is given
no strides           an attribute is not given
dilations not 1      a tuple of integers holds another one (also "not 0")
pads negative        a tuple of integers holds a negative one
input 3              an optional input is given
no input 3           it is not
input 1 variable     an input is given and is no constant
input 0 float16      the element type of an input
input 0 rank 5       how many axes an input has
outputs 1            how many outputs are asked for
A & B                both
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from workbench.core.graph import AttributeValue, Graph, Node, Tensor


@dataclass(frozen=True, slots=True)
class Place:
    """A node in its graph. ``constants``: names of initializers and of what Constant nodes make, outer ones too."""

    node: Node
    graph: Graph
    constants: frozenset[str]

    def input(self, position: int) -> str:
        """The name of an input, "" where it is not given."""
        return self.node.inputs[position] if position < len(self.node.inputs) else ""

    def tensor(self, position: int) -> Tensor | None:
        name = self.input(position)
        return self.graph.tensors.get(name) if name else None


Condition = Callable[[Place], bool]

AND: Final = " & "
_INPUT: Final = re.compile(r"input (\d+)(?: (variable|rank \d+|\w+))?")


def condition(text: str) -> Condition:
    """The test that ``text`` describes. Raises ValueError where it describes none."""
    if AND in text:
        parts = tuple(map(condition, text.split(AND)))
        return lambda place: all(part(place) for part in parts)
    if text.startswith("no "):
        opposite = condition(text[3:])
        return lambda place: not opposite(place)
    if found := _INPUT.fullmatch(text):
        return _of_input(int(found[1]), found[2] or "")
    if text.startswith("outputs "):
        count = int(text.removeprefix("outputs "))
        return lambda place: sum(map(bool, place.node.outputs)) == count
    return _of_attribute(text)


def _of_input(position: int, what: str) -> Condition:
    if not what:
        return lambda place: bool(place.input(position))
    if what == "variable":
        return lambda place: bool(place.input(position)) and place.input(position) not in place.constants
    if what.startswith("rank "):
        rank = int(what.removeprefix("rank "))
        return lambda place: _rank(place.tensor(position)) == rank
    return lambda place: (tensor := place.tensor(position)) is not None and tensor.dtype == what


def _of_attribute(text: str) -> Condition:
    name, equals, value = text.partition("=")
    if equals:
        return lambda place: name in place.node.attributes and _spelled(place.node.attributes[name]) == value
    name, _, what = text.partition(" ")
    match what:
        case "":
            return lambda place: name in place.node.attributes
        case "not 0" | "not 1":
            usual = int(what[-1])
            return lambda place: any(number != usual for number in _integers(place.node.attributes.get(name)))
        case "negative":
            return lambda place: any(number < 0 for number in _integers(place.node.attributes.get(name)))
    raise ValueError(text)


def conditions_of(place: Place, attributes: tuple[str, ...]) -> Iterator[str]:
    """Every condition that holds at ``place``; of attributes that are not given only those in ``attributes``."""
    given = place.node.attributes
    for name in sorted({*given, *attributes}):
        if name not in given:
            yield f"no {name}"
            continue
        yield name
        value = given[name]
        if isinstance(value, (int, str)) and len(_spelled(value)) < 32:
            yield f"{name}={_spelled(value)}"
        told = ("not 0", "negative") if "pad" in name else ("not 1",)
        yield from (f"{name} {what}" for what in told if condition(f"{name} {what}")(place))
    for position in range(max(len(place.node.inputs), 6)):
        yield from _of_one_input(place, position)
    yield f"outputs {sum(map(bool, place.node.outputs))}"


def _of_one_input(place: Place, position: int) -> Iterator[str]:
    if not place.input(position):
        yield f"no input {position}"
        return
    yield f"input {position}"
    if place.input(position) not in place.constants:
        yield f"input {position} variable"
    if (tensor := place.tensor(position)) is not None:
        yield f"input {position} {tensor.dtype}"
        if tensor.shape is not None:
            yield f"input {position} rank {len(tensor.shape)}"


def constants_of(graph: Graph) -> frozenset[str]:
    """Names of the graph's initializers, and of what its Constant nodes make."""
    made = (name for node in graph.nodes if node.op == "Constant" for name in node.outputs)
    return frozenset((*made, *(initializer.name for initializer in graph.initializers)))


def _rank(tensor: Tensor | None) -> int | None:
    return None if tensor is None or tensor.shape is None else len(tensor.shape)


def _spelled(value: AttributeValue) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _integers(value: AttributeValue | None) -> tuple[int, ...]:
    return tuple(number for number in value if isinstance(number, int)) if isinstance(value, tuple) else ()
