"""What no input has tried so far: bodies that never ran, outputs that never moved, choices that were always the same.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper

from workbench.children.serve import Refusal
from workbench.engines.ort.evaluator import Evaluator, NotAccepted, open_model
from workbench.engines.ort.influence import SIZES, Influence
from workbench.engines.ort.search import variations
from workbench.engines.ort.visits import VISITS, count_visits

Array = NDArray[Any]
Arrays = dict[str, Array]

_MOST_TRIES: Final = 96
"""Of inputs in a search: each is a run of the whole model."""
_FEW_TRIES: Final = 24
_BIG: Final = 20_000_000
"""Bytes of a model from which on the search is short: a run takes a tenth of a second and more."""


class Untried:
    """``bodies`` (places, see ``influence.py``) that no input ran and ``outputs`` that held one value on all of them.

    ``choices``: conditions of Where that were true alone, or false alone; they are searched for, and not told.
    Only what inputs decide: a body behind a constant is dead, an output of constants is what it is.
    """

    def __init__(self, path: Path, evaluator: Evaluator, folder: Path, influence: Influence) -> None:
        self._evaluator = evaluator
        self._counting: Evaluator | None = None
        self._follows = influence.bodies
        self._places: tuple[str, ...] = ()
        self.bodies = [place for place, follows in influence.bodies.items() if follows]
        self.by_size = any(SIZES in influence.bodies[place] for place in self.bodies)
        self.outputs = [name for name in evaluator.outputs if influence.depends.get(name, frozenset()) - {SIZES}]
        self.choices: list[str] = []
        self._held: dict[str, Any] = {}
        self._once: dict[str, Arrays] = {}
        self._often: set[str] = set()
        self._most = _MOST_TRIES if path.stat().st_size < _BIG else _FEW_TRIES
        known = {*evaluator.outputs, *evaluator.inputs}
        choices = [name for name in influence.choices if name not in known]
        if self.bodies or choices:
            model = onnx.load(path)
            self._places = count_visits(model)
            model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in choices)
            try:
                self._counting = open_model(model, folder)
                self.choices = choices
            except Refusal:  # what counts is not accepted: then all bodies stay untried, and are told
                self._counting = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing left to try."""
        return not (self.outputs or self._watched)

    @property
    def _watched(self) -> bool:
        return self._counting is not None and bool(self.bodies or self.choices or self._once)

    def note(self, feeds: Arrays, outputs: Arrays) -> None:
        """What an input that the reference accepts has tried."""
        if self._counting is not None and self._watched:
            self._note(values := self._counting.run(feeds))
            self._note_once(values, feeds)
        else:
            self._note(outputs)

    def found(self, candidates: Iterable[Arrays]) -> Iterator[tuple[str, Arrays, Arrays]]:
        """Those of ``candidates`` that try something more: what for, inputs, outputs."""
        once, self._once = self._once, {}
        alike: dict[int, list[str]] = {}
        for place, feeds in once.items():
            alike.setdefault(id(feeds), []).append(place)
        for places in alike.values():
            yield from self._varied(places, once[places[0]])
        for number, feeds in enumerate(candidates):
            if self.is_empty or number >= self._most:
                return
            before = [*self.bodies, *self.outputs, *self.choices]
            values = self._run(feeds)
            if values is None:
                continue
            self._note(values)
            left = {*self.bodies, *self.outputs, *self.choices}
            new = [name for name in before if name not in left]
            if new:
                yield f"for {new[0]}", feeds, self._outputs_of(values)
            if ran := [place for place in new if place in self._places]:
                yield from self._varied(ran, feeds)

    def _varied(self, ran: list[str], feeds: Arrays) -> Iterator[tuple[str, Arrays, Arrays]]:
        """Inputs like ``feeds`` that run one of the bodies ``ran`` too: a single input shows few faults."""
        for varied in variations(feeds):
            values = self._run(varied)
            if values is None:
                continue
            visits = dict(zip(self._places, values[VISITS], strict=True))
            if any(visits[place] for place in ran):
                yield f"for {ran[0]}", varied, self._outputs_of(values)

    def _note_once(self, values: Arrays, feeds: Arrays) -> None:
        """Remember the input of a body that a single one runs."""
        for place, times in zip(self._places, values.get(VISITS, ()), strict=True):
            if times and place in self._follows and self._follows[place]:
                if self._once.pop(place, None) is None and place not in self._often:
                    self._once[place] = feeds
                else:
                    self._often.add(place)

    def _run(self, feeds: Arrays) -> Arrays | None:
        try:
            return (self._counting or self._evaluator).run(feeds)
        except NotAccepted:
            return None

    def _outputs_of(self, values: Arrays) -> Arrays:
        return {name: values[name] for name in self._evaluator.outputs}

    @property
    def told(self) -> list[str]:
        """The bodies left that values decide, without those inside others that are left.

        One that sizes alone decide, and that no size of the search has run, is part of other sizes: an answer is for
        the sizes tried anyway. Exporters write such bodies for ranks and sizes that never come.
        """
        left = [place for place in self.bodies if self._follows[place] - {SIZES}]
        return [place for place in left if not any(place.startswith(f"{outer}/") for outer in left)]

    def _note(self, values: Arrays) -> None:
        if VISITS in values:
            ran = {place for place, times in zip(self._places, values[VISITS], strict=True) if times}
            self.bodies = [place for place in self.bodies if place not in ran]
        self.outputs = [name for name in self.outputs if not self._moved(name, values[name])]
        self.choices = [name for name in self.choices if name not in values or not self._moved(name, values[name])]

    def _moved(self, name: str, array: Array) -> bool:
        if not array.size:
            return False
        first = array.reshape(-1)[0]
        held = self._held.setdefault(name, first)
        return not np.array_equal(array, np.full_like(array, held), equal_nan=array.dtype.kind == "f")
