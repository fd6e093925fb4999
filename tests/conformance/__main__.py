"""Runs the node tests from the command line.

python -m tests.conformance [--only OP_OR_GLOB] [--sample N] [--seed S] [--form FORM]... [--rewrite]
                            [--jobs N] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.conformance import results, suite
from tests.conformance.forms import FORMS
from tests.conformance.trial import Result
from workbench.children.workers import Workers


def main() -> int:
    asked = _parser().parse_args()
    folder = asked.out or Path(tempfile.mkdtemp(prefix="conformance-"))
    folder.mkdir(parents=True, exist_ok=True)
    names = suite.chosen(asked.only)
    if asked.sample is not None:
        names = suite.sample(names, asked.sample, asked.seed)
    found: list[Result] = []
    with Workers() as workers:
        for form in asked.form or FORMS:
            file = folder / f"{form}{'-rewritten' if asked.rewrite else ''}.jsonl"
            found += _run(names, form, file, workers, asked.jobs, rewrite=asked.rewrite)
    return 1 if any(result.is_lie for result in found) else 0


def _run(names: tuple[str, ...], form: str, file: Path, workers: Workers, jobs: int, *, rewrite: bool) -> list[Result]:
    known = {result.name: result for result in results.read(file)}
    missing = [name for name in names if name not in known]

    def done(result: Result) -> None:
        results.append(file, result)
        sys.stderr.write("L" if result.is_lie else "." if result.yes else "n")
        sys.stderr.flush()

    known |= {result.name: result for result in suite.run(missing, form, workers, jobs, done, rewrite=rewrite)}
    found = [known[name] for name in names]
    sys.stderr.write("\n")
    print(f"{form}: {file}\n{results.summary(found)}\n")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--only", default="*", help="an operator, or a pattern of test names")
    parser.add_argument("--sample", type=int, help="so many of the tests")
    parser.add_argument("--seed", type=int, default=suite.SEED, help="which sample")
    parser.add_argument("--form", action="append", choices=tuple(FORMS), help="all of them by default")
    parser.add_argument("--rewrite", action="store_true", help="let what is not right be rewritten")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--out", type=Path, help="a folder for the results; a run with the same folder goes on")
    return parser


if __name__ == "__main__":
    sys.exit(main())
