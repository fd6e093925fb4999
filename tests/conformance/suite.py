"""Many node tests put to Workbench, several at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from fnmatch import fnmatchcase
from queue import SimpleQueue
from typing import Final

from tests.conformance.engine import Engine
from tests.conformance.node_tests import NodeTest, applicable, left_out, operators
from tests.conformance.trial import Engines, Result, put_to_test
from workbench.children.workers import Workers

SAMPLE: Final = 300
SEED: Final = 3


def chosen(only: str = "*") -> tuple[str, ...]:
    """The names of the tests that count, of one operator or by a pattern of names."""
    about = operators()
    return tuple(name for name in about if (about[name] == only or fnmatchcase(name, only)) and not left_out(name))


def sample(names: Sequence[str], count: int, seed: int) -> tuple[str, ...]:
    """``count`` of ``names``, the same for the same seed, in their order."""
    picked = frozenset(random.Random(seed).sample(list(names), min(count, len(names))))
    return tuple(name for name in names if name in picked)


def run(
    names: Sequence[str],
    form: str,
    workers: Workers,
    jobs: int = 1,
    done: Callable[[Result], None] = lambda _: None,
    *,
    rewrite: bool = False,
) -> tuple[Result, ...]:
    """Put every test of ``names`` to the test in ``form``, by name. ``done`` hears of each as it ends."""
    engines: SimpleQueue[Engines] = SimpleQueue()

    def one(test: NodeTest) -> Result:
        own = engines.get()
        try:
            return put_to_test(test, form, workers, own, rewrite=rewrite)
        finally:
            engines.put(own)

    found = []
    with ExitStack() as stack:
        for _ in range(jobs):
            engines.put(Engines(stack.enter_context(Engine()), stack.enter_context(Engine(filled=True))))
        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        for future in as_completed([pool.submit(one, test) for test in applicable(tuple(names))]):
            found.append(future.result())
            done(found[-1])
    return tuple(sorted(found, key=lambda result: result.name))
