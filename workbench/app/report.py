"""A report for people: one HTML file that needs nothing else, derived from what was measured."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jinja2

import workbench
from workbench.app import files
from workbench.app.events_file import read_events
from workbench.app.run_answer import budget_line
from workbench.app.session import FinishedRun, State
from workbench.core.artifact import by_rule
from workbench.core.errors import WorkbenchError
from workbench.core.messages import Message, Translate, plain
from workbench.core.metric import Accuracy
from workbench.core.numbers import three_digits
from workbench.core.places import resources
from workbench.core.protocol import Event, Sample
from workbench.core.statistics import least_runs
from workbench.core.steps import Quiet
from workbench.core.verdict import Figure, Status, condition_in_words

_QUIET: Final = (Status.RIGHT, Status.CONDITION)
_CHART_POINTS: Final = 600
_CHART_WIDTH: Final = 720
_CHART_HEIGHT: Final = 160


@dataclass(frozen=True, slots=True)
class Chart:
    """A line over the steady runs: ``points`` for an SVG polyline, ``low`` and ``high`` in milliseconds."""

    points: str
    low: float
    high: float
    n: int
    width: int = _CHART_WIDTH
    height: int = _CHART_HEIGHT


def write_report(state: State, accuracies: Sequence[Accuracy], path: Path, translate: Translate = str) -> None:
    """Write the report of ``state`` to ``path``. Raises BadInput where it cannot be written."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resources() / "report"),
        autoescape=True,  # names from models and phones are data
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def say(thing: object, **places: Any) -> str:
        return thing.render(translate) if isinstance(thing, Message) else translate(str(thing)).format(**places)

    environment.filters |= {"plain": plain, "say": say, "short": _short, "digits": _digits, "megabytes": _megabytes}
    text = environment.get_template("report.html.j2").render(
        state=state,
        t=say,
        version=workbench.__version__,
        written=datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        least_runs=least_runs,
        in_words=condition_in_words,
        budget_line=budget_line,
        trouble=[v for v in state.report.nodes if v.status not in _QUIET] if state.report else [],
        figures=list(_figures(state)),
        rewrites=by_rule(state.artifact.rewrites) if state.artifact else {},
        names={node.id: node.title for node in state.model.graph.all_nodes()} if state.model else {},
        accuracies=accuracies,
        runs=[_drawn(run) for run in state.runs],
    )
    files.write_text(path, text)


def _figures(state: State) -> Iterable[tuple[str, Figure]]:
    verification = state.artifact.verification if state.artifact else None
    if verification is None:
        return
    if verification.engine is not None:
        yield "engine", verification.engine
    if verification.price is not None:
        yield "price", verification.price


def _events(run: FinishedRun) -> tuple[Event, ...] | WorkbenchError:
    """What the run measured, or why that cannot be told: the other runs and figures still can."""
    if run.events_file is None:
        return ()
    try:
        return read_events(run.events_file, Quiet())
    except WorkbenchError as error:
        return error


def _drawn(run: FinishedRun) -> tuple[FinishedRun, Chart | None, WorkbenchError | None]:
    events = _events(run)
    if isinstance(events, WorkbenchError):
        return run, None, events
    return run, _chart(events) if run.summary.latency_ms is not None else None, None


def _chart(events: Sequence[Event]) -> Chart | None:
    """The steady latencies in the order measured; None where there are too few."""
    values = [event.ms for event in events if isinstance(event, Sample) and event.phase == "steady"]
    if len(values) < 2:
        return None
    shown = _peaks(values)
    low, high = 0.0, max(shown) * 1.05
    step = _CHART_WIDTH / (len(shown) - 1)
    points = " ".join(f"{i * step:.1f},{_CHART_HEIGHT * (1 - v / high):.1f}" for i, v in enumerate(shown))
    return Chart(points, low, high, len(values))


def _peaks(values: list[float]) -> list[float]:
    """At most ``_CHART_POINTS`` values, each the highest of its stretch: no outlier is hidden."""
    size = -(-len(values) // _CHART_POINTS)
    return [max(values[i : i + size]) for i in range(0, len(values), size)]


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


def _digits(value: float | None) -> str:
    return "–" if value is None else three_digits(value)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB"
