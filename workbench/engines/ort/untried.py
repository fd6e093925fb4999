"""What no input has tried so far: bodies that never ran, outputs that never moved; and inputs that do.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray

from workbench.children.serve import Refusal
from workbench.engines.ort.evaluator import Evaluator, NotAccepted, open_model
from workbench.engines.ort.influence import SIZES, Influence
from workbench.engines.ort.visits import VISITS, count_visits

Array = NDArray[Any]
Arrays = dict[str, Array]

_MOST_TRIES: Final = 96
"""Of inputs in a search: each is a run of the whole model."""


class Untried:
    """``bodies`` (places, see ``influence.py``) that no input ran and ``outputs`` that held one value on all of them.

    Only those that inputs decide: a body behind a constant is dead, an output of constants is what it is.
    """

    def __init__(self, path: Path, evaluator: Evaluator, folder: Path, influence: Influence) -> None:
        self._evaluator = evaluator
        self._counting: Evaluator | None = None
        self._follows = influence.bodies
        self._places: tuple[str, ...] = ()
        self.bodies = [place for place, follows in influence.bodies.items() if follows]
        self.by_size = any(SIZES in influence.bodies[place] for place in self.bodies)
        self.outputs = [name for name in evaluator.outputs if influence.depends.get(name, frozenset()) - {SIZES}]
        self._held: dict[str, Any] = {}
        if self.bodies:
            model = onnx.load(path)
            self._places = count_visits(model)
            try:
                self._counting = open_model(model, folder)
            except Refusal:  # what counts is not accepted: then all bodies stay untried, and are told
                self._counting = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing left to try."""
        return not (self.outputs or (self.bodies and self._counting is not None))

    def note(self, feeds: Arrays, outputs: Arrays) -> None:
        """What an input that the reference accepts has tried."""
        if self.bodies and self._counting is not None:
            self._note_visits(self._counting.run(feeds)[VISITS])
        self._note_outputs(outputs)

    def found(self, candidates: Iterable[Arrays]) -> Iterator[tuple[str, Arrays, Arrays]]:
        """Those of ``candidates`` that try something more: what for, inputs, outputs."""
        for number, feeds in enumerate(candidates):
            if self.is_empty or number >= _MOST_TRIES:
                return
            before = [*self.bodies, *self.outputs]
            try:
                values = (self._counting or self._evaluator).run(feeds)
            except NotAccepted:
                continue
            visits = values.pop(VISITS, None)
            if visits is not None:
                self._note_visits(visits)
            self._note_outputs(values)
            new = [name for name in before if name not in self.bodies and name not in self.outputs]
            if new:
                yield f"for {new[0]}", feeds, values

    @property
    def told(self) -> list[str]:
        """The bodies left that values decide, without those inside others that are left.

        One that sizes alone decide, and that no size of the search has run, is part of other sizes: an answer is for
        the sizes tried anyway. Exporters write such bodies for ranks and sizes that never come.
        """
        left = [place for place in self.bodies if self._follows[place] - {SIZES}]
        return [place for place in left if not any(place.startswith(f"{outer}/") for outer in left)]

    def _note_visits(self, visits: Array) -> None:
        ran = {place for place, times in zip(self._places, visits, strict=True) if times}
        self.bodies = [place for place in self.bodies if place not in ran]

    def _note_outputs(self, outputs: Arrays) -> None:
        self.outputs = [name for name in self.outputs if not self._moved(name, outputs[name])]

    def _moved(self, name: str, array: Array) -> bool:
        if not array.size:
            return False
        first = array.reshape(-1)[0]
        held = self._held.setdefault(name, first)
        return not np.array_equal(array, np.full_like(array, held), equal_nan=array.dtype.kind == "f")
