"""The table as text that a person compares: one operator a block, one usage a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import onnx

from workbench.engines.op_table import SCHEMA


def spelled(engine: str, entries: Mapping[str, Mapping[str, Any]]) -> str:
    """JSON with sorted operators."""
    head = {"schema": SCHEMA, "engine": engine, "onnx": onnx.__version__}
    lines = ["{", *(f"{_json(key)}: {_json(value)}," for key, value in head.items()), '"ops": {']
    blocks = [f"{_json(op)}: {_block(entry)}" for op, entry in sorted(entries.items())]
    return "\n".join([*lines, ",\n".join(blocks), "}", "}", ""])


def _block(entry: Mapping[str, Any]) -> str:
    plain = {key: value for key, value in entry.items() if key != "usages"}
    usages = entry.get("usages", ())
    if not usages:
        return _json(plain)
    rows = ",\n".join(f"  {_json(usage)}" for usage in usages)
    return f'{_json(plain)[:-1]}, "usages": [\n{rows}\n]}}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
