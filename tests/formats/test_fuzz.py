"""Whatever the bytes are: a model or a BadInput, and a child that lives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.formats.models import conv_model, external_weight, if_model
from workbench.children.outcome import End, Limits, Outcome
from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.steps import Quiet
from workbench.formats.content import HEAD_BYTES, foreign
from workbench.formats.onnx.checked import CheckedModel, read_checked
from workbench.formats.onnx.handover import graph_lines
from workbench.formats.onnx.hollow import Hollow
from workbench.formats.onnx.sniff import looks_like_onnx
from workbench.formats.onnx.validate import Versions

KNOWN = Versions(ir=13, opset=26)
SEEDS = [
    conv_model().SerializeToString(),
    if_model().SerializeToString(),
    conv_model(external_weight("fuzz.bin")).SerializeToString(),
]

Change = tuple[float, int, bytes]
places = st.floats(0, 1, exclude_max=True)
replaced = st.tuples(places, st.integers(0, 8), st.binary(max_size=8))
overwritten = st.binary(min_size=1, max_size=4).flatmap(lambda new: st.tuples(places, st.just(len(new)), st.just(new)))
changes = st.lists(replaced, min_size=1, max_size=6) | st.lists(overwritten, min_size=1, max_size=6)


def changed(data: bytes, edits: list[Change]) -> bytes:
    """Replace, at a fraction of the file, some bytes by others."""
    for place, removed, added in edits:
        at = int(place * len(data))
        data = data[:at] + added + data[at + removed :]
    return data


def read(data: bytes) -> CheckedModel | None:
    """What the child does before native code: None where the file is refused."""
    try:
        checked = read_checked(data, "/nowhere/fuzz.onnx", KNOWN)
    except BadInput:
        return None
    assert Hollow(data, checked.places, checked.files).model(checked.model)
    lines = list(graph_lines(checked.graph, checked.places, {}))
    ids = [node["id"] for line in lines if line["kind"] == "nodes" for node in line["items"]]
    assert len(ids) == len(set(ids))
    return checked


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(SEEDS), changes)
def test_a_changed_file_is_a_model_or_a_refusal(seed: bytes, edits: list[Change]) -> None:
    read(changed(seed, edits))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
@example(b"\x08\x09\x3a\x00")
def test_any_bytes_are_a_model_or_a_refusal(data: bytes) -> None:
    read(data)
    looks_like_onnx(data)
    foreign(data)


@given(st.sampled_from(SEEDS[:2]), st.floats(0, 1, exclude_max=True))
def test_a_cut_file_is_never_a_model(seed: bytes, place: float) -> None:
    assert read(seed[: int(place * len(seed))]) is None  # the opset comes last


@given(st.sampled_from(SEEDS))
def test_the_first_bytes_tell_onnx(seed: bytes) -> None:
    assert looks_like_onnx(seed[:HEAD_BYTES])
    assert looks_like_onnx(seed[:30])


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(SEEDS), changes)
def test_the_child_survives_changed_files(workers: Workers, tmp_path: Path, seed: bytes, edits: list[Change]) -> None:
    path = tmp_path / "fuzz.onnx"
    path.write_bytes(changed(seed, edits) or b"\0")
    outcome = in_child(workers, path)
    assert outcome.end in (End.OK, End.REFUSED), outcome


@pytest.fixture(scope="module")
def fresh_workers() -> Iterator[Workers]:
    """Children that have read nothing large before."""
    with Workers() as workers:
        yield workers


@pytest.mark.parametrize("bomb", ["nodes", "dims", "ints", "names", "depth"])
def test_bombs_stay_within_small_memory(fresh_workers: Workers, tmp_path: Path, bomb: str) -> None:
    """Two megabytes that a naive reader would blow up: the child stays below 300 MB and answers."""
    path = tmp_path / "bomb.onnx"
    path.write_bytes(BOMBS[bomb]())
    outcome = in_child(fresh_workers, path, Limits(60, rss_bytes=300 << 20))
    assert outcome.end in (End.OK, End.REFUSED), outcome


def in_child(workers: Workers, path: Path, limits: Limits = Limits(60)) -> Outcome:
    request = {"path": str(path), "infer": True}
    return workers.run("workbench.formats.onnx.worker", "read", request, path.parent, Quiet(), limits)


def field(number: int, content: bytes) -> bytes:
    size, out = len(content), bytearray([number << 3 | 2])
    while size > 127:
        out.append(size & 127 | 128)
        size >>= 7
    return bytes((*out, size)) + content


def with_graph(content: bytes) -> bytes:
    return b"\x08\x09\x42\x02\x10\x11" + field(7, content)


def deep() -> bytes:
    content = b""
    while len(content) < 2 << 20:
        content = field(1, field(5, b"\xa0\x01\x05" + field(6, content + bytes(0) + field(10, b"x" * 20_000))))
    return with_graph(content)


BOMBS = {
    "nodes": lambda: with_graph(field(1, b"") * (1 << 17)),
    "dims": lambda: with_graph(field(5, field(1, b"\x01" * (2 << 20)))),
    "ints": lambda: with_graph(field(1, field(5, b"\xa0\x01\x07" + field(8, b"\x01" * (2 << 20))))),
    "names": lambda: with_graph(field(1, b"".join(field(1, b"%d" % index) for index in range(1 << 15)))),
    "depth": deep,
}  # fmt: skip
