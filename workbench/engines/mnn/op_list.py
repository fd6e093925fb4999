"""The ONNX operators that the converter has code for: exact as a gate, no promise of right numbers."""

from __future__ import annotations

import json
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from workbench.children.outcome import Limits
from workbench.children.scratch import scratch_folder
from workbench.children.workers import Workers
from workbench.core.errors import EngineError
from workbench.core.graph import Graph, Node
from workbench.core.messages import msg
from workbench.core.places import cache_folder
from workbench.core.steps import Context
from workbench.engines.mnn.refused import STANDARD_DOMAINS
from workbench.engines.mnn.version import engine_version

_WORKER: Final = "workbench.engines.mnn.convert_worker"
_LIMITS: Final = Limits(seconds=60.0, rss_bytes=2 << 30)


def supported_ops(workers: Workers, ctx: Context, cache: Path | None = None) -> frozenset[str]:
    """The converter's own list, asked once for each build of the engine. ``cache``: folder to keep it in.

    Raises EngineError where the converter does not tell, Cancelled.
    """
    file = (cache or cache_folder()) / f"onnx-ops-{engine_build()}.json"
    ops = _kept(file)
    if ops is None:
        ops = _asked(workers, ctx)
        _keep(file, ops, ctx)
    return frozenset(ops)


def unsupported_nodes(graph: Graph, ops: frozenset[str]) -> tuple[Node, ...]:
    """The nodes that the converter refuses, and those of other domains, that it takes for what they are not."""
    return tuple(node for node in graph.all_nodes() if node.domain not in STANDARD_DOMAINS or node.op not in ops)


def engine_build() -> str:
    """What tells one build of the installed converter from another, such as "3.6.1-18a3f-..."."""
    spec = find_spec("_tools")
    if spec is None or spec.origin is None:
        raise EngineError(msg("The engine is not installed"), hint=msg("Install it: pip install mnn."))
    state = Path(spec.origin).stat()
    return f"{engine_version()}-{state.st_size:x}-{state.st_mtime_ns:x}"


def _asked(workers: Workers, ctx: Context) -> list[str]:
    with scratch_folder() as folder:
        outcome = workers.run(_WORKER, "op_list", {}, folder, ctx, _LIMITS)
    if not outcome.ok:
        raise EngineError(
            msg("The converter does not tell its operators: {reason}", reason=outcome.reason),
            hint=msg("Install the engine again: pip install --force-reinstall mnn."),
        )
    return list(outcome.result["ops"])


def _kept(file: Path) -> list[str] | None:
    """What an earlier process kept; None where that is nothing, or is damaged."""
    try:
        ops = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return ops if isinstance(ops, list) and ops else None


def _keep(file: Path, ops: list[str], ctx: Context) -> None:
    """Whole or not at all, as several processes may ask at once. A cache that cannot be written only costs time."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, suffix=".part", encoding="utf-8", delete=False) as part:
            json.dump(ops, part)
        Path(part.name).replace(file)
    except OSError as error:
        ctx.line(f"{file}: {error.strerror}")
