"""Made-up inputs that the reference accepts, at sizes that it accepts.

Worker side: only the reference's worker imports this file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from workbench.children.serve import Refusal
from workbench.engines import inputs as made_up
from workbench.engines import sizes
from workbench.engines.inputs import Spec
from workbench.engines.ort.evaluator import Evaluator, NotAccepted
from workbench.engines.ort.signature import Signature

Arrays = dict[str, NDArray[Any]]
_MOST_ELEMENTS: Final = 1 << 22
"""Of all inputs together at a size of our choice, an image of 1182 x 1182: with five axes open, 257 each is
13 GB of memory in the reference."""


class Maker:
    """Makes inputs of one size after another and runs the reference on them."""

    def __init__(self, evaluator: Evaluator, signature: Signature, given: Arrays) -> None:
        self._evaluator = evaluator
        self._signature = signature
        self._given = given
        integers = any(spec.is_integer for spec in signature.specs(signature.ones))
        self._kinds = made_up.INTEGER_KINDS if integers else made_up.FLOAT_KINDS
        self._second_kinds = made_up.SECOND_SIZE_INTEGERS if integers else made_up.SECOND_SIZE_FLOATS
        switches = max((len(hint.values) for hint in signature.hints.values()), default=0)
        self._probes = range(max(1, min(switches, len(self._kinds))))
        self._highest = made_up.NARROWER[0]
        self._last_refusal = ""
        self._ready: dict[int, tuple[Arrays, Arrays]] = {}

    def first_size(self, fixed: Mapping[str, int]) -> dict[str, int]:
        """The first size whose probes the reference accepts, none of whose outputs is empty if possible.

        Refuses with "no_size".
        """
        every = list(sizes.first_candidates(self._signature.axes, fixed))
        candidates = [chosen for chosen in every if self._elements(chosen) <= _MOST_ELEMENTS] or every
        ranges = made_up.NARROWER if self._unbounded(self._signature.specs(candidates[0])) else made_up.NARROWER[:1]
        for strict, highest in product((True, False), ranges):
            self._highest = highest
            for chosen in candidates:
                if self._probe(chosen, strict=strict):
                    return chosen
        raise Refusal("no_size", self._last_refusal)

    def second_size(self, fixed: Mapping[str, int], first: Mapping[str, int]) -> dict[str, int] | None:
        """The size most unlike the first that the reference accepts; None where there is none."""
        most = max(_MOST_ELEMENTS, self._elements(first))
        for chosen in sizes.second_candidates(self._signature.axes, fixed, first):
            if self._elements(chosen) <= most and self._probe(chosen, strict=True):
                return chosen
        return None

    def _elements(self, chosen: Mapping[str, int]) -> int:
        return sum(math.prod(shape) for shape in sizes.bind(self._signature.shapes, chosen).values())

    def cases(self, chosen: Mapping[str, int]) -> Iterator[tuple[str, Arrays, Arrays]]:
        """Every kind of input that the reference accepts at this size: label, inputs, outputs."""
        yield from self._cases(chosen, self._kinds)

    def cases_at_second_size(self, chosen: Mapping[str, int]) -> Iterator[tuple[str, Arrays, Arrays]]:
        """As ``cases``, fewer kinds: what a size breaks, it breaks for most inputs."""
        yield from self._cases(chosen, self._second_kinds)

    def _cases(self, chosen: Mapping[str, int], kinds: tuple[str, ...]) -> Iterator[tuple[str, Arrays, Arrays]]:
        specs = self._signature.specs(chosen)
        ready, self._ready = self._ready, {}
        for kind in kinds:
            number = self._kinds.index(kind)
            done = ready.get(number) or self._made(specs, number)
            if done is not None:
                yield kind, *done

    def _probe(self, chosen: Mapping[str, int], *, strict: bool) -> bool:
        """Run the probe cases at a size. Strict: every switch value works and no output is empty."""
        specs = self._signature.specs(chosen)
        self._ready = {}
        for number in self._probes:
            feeds = self._feeds(specs, number, self._highest)
            outputs = self._try(feeds)
            if outputs is not None and not (strict and any(array.size == 0 for array in outputs.values())):
                self._ready[number] = (feeds, outputs)
            elif strict:
                return False
        return bool(self._ready)

    def _made(self, specs: list[Spec], number: int) -> tuple[Arrays, Arrays] | None:
        """One case, its unbounded integers as wide as the reference accepts; None where it accepts none."""
        ranges = made_up.NARROWER[made_up.NARROWER.index(self._highest) :]
        for highest in ranges if self._unbounded(specs) else ranges[:1]:
            feeds = self._feeds(specs, number, highest)
            if (outputs := self._try(feeds)) is not None:
                return feeds, outputs
        return self._with_given(specs, feeds)

    def _with_given(self, specs: list[Spec], feeds: Arrays) -> tuple[Arrays, Arrays] | None:
        """The user's own integers in place of made-up ones, which may be sizes; then all but the first input."""
        integers = {spec.name for spec in specs if spec.is_integer}
        for kept in (integers, {spec.name for spec in specs[1:]}):
            own = {name: self._given[name] for name in kept if name in self._given}
            fits = all(array.shape == feeds[name].shape for name, array in own.items())
            if own and fits and (outputs := self._try(feeds | own)) is not None:
                return feeds | own, outputs
        return None

    def _feeds(self, specs: list[Spec], number: int, highest: int) -> Arrays:
        return {
            spec.name: made_up.make(
                spec, position, number, np.random.default_rng((made_up.SEED, number, position)), highest=highest
            )
            for position, spec in enumerate(specs)
        }

    def _try(self, feeds: Arrays) -> Arrays | None:
        try:
            return self._evaluator.run(feeds)
        except NotAccepted as no:
            self._last_refusal = str(no)
            return None

    @staticmethod
    def _unbounded(specs: list[Spec]) -> bool:
        return any(spec.is_integer and spec.high is None for spec in specs)
