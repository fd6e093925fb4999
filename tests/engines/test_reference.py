from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from tests.engines.models import BOOL, FLOAT, INT16, INT32, INT64, convolution, node, random, write
from tests.engines.steps import opened, referenced
from workbench.children.workers import Workers
from workbench.core.errors import BadInput
from workbench.core.steps import Quiet
from workbench.engines.inputs import FLOAT_KINDS, INTEGER_KINDS
from workbench.engines.ort.reference import NoReference, Reference, noise_changes


def reference(path: Path, workers: Workers, folder: Path, given: Path | None = None, **shapes) -> Reference:
    found = referenced(opened(path, workers), folder, workers, given, **shapes)
    assert isinstance(found, Reference), found
    return found


def load(files, name: str) -> np.ndarray:
    return np.load(files[name])


def test_an_image_model_gets_two_sizes_and_six_kinds_of_input(workers: Workers, tmp_path: Path) -> None:
    found = reference(convolution(tmp_path / "m.onnx"), workers, tmp_path)
    assert found.sizes[0] == {"x": (1, 3, 32, 32)}
    assert found.sizes[1]["x"][0] == 2
    assert [case.label for case in found.cases if case.size == 0] == list(FLOAT_KINDS)
    assert found.made_up >= 5
    assert found.label.startswith("onnxruntime ")
    case = found.cases[0]
    assert load(case.outputs, "y").shape == (1, 8, 32, 32)


def test_the_users_arrays_come_first_and_set_the_size(workers: Workers, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", in0=random(1, 3, 9, 11))
    found = reference(convolution(tmp_path / "m.onnx"), workers, tmp_path, tmp_path / "in.npz")
    assert found.cases[0].label == "given"
    assert found.sizes[0] == {"x": (1, 3, 9, 11)}
    assert np.array_equal(load(found.cases[0].inputs, "x"), random(1, 3, 9, 11))
    assert found.made_up >= 5


def test_a_size_that_the_user_fixed_is_kept(workers: Workers, tmp_path: Path) -> None:
    found = reference(convolution(tmp_path / "m.onnx"), workers, tmp_path, x=(1, 3, 20, 30))
    assert [size["x"] for size in found.sizes] == [(1, 3, 20, 30)]


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ({"x": (1, 4, 8, 8)}, "Axis 1 of input x is 3"),
        ({"x": (1, 3, 8)}, "has 4 axes"),
        ({"image": (1, 3, 8, 8)}, "no input image"),
    ],
)
def test_no_such_shape_is_told_with_what_there_is(workers: Workers, tmp_path: Path, shapes, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        reference(convolution(tmp_path / "m.onnx"), workers, tmp_path, **shapes)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"y": np.zeros((1, 3, 4, 4), np.float32)}, "no array for input x"),
        ({"x": np.zeros((1, 3, 4, 4), np.complex64)}, "takes float32"),
        ({"x": np.zeros((1, 3, 4, 4), np.float32), "more": np.zeros(1)}, "no input more"),
        ({"x": np.zeros((1, 5, 4, 4), np.float32)}, "Axis 1"),
        ({"x": np.array([{}], dtype=object)}, "not a .npz file of plain arrays"),
    ],
)
def test_inputs_that_do_not_fit_are_bad_input(workers: Workers, tmp_path: Path, arrays, words: str) -> None:
    np.savez(tmp_path / "in.npz", **arrays)
    with pytest.raises(BadInput, match=words):
        reference(convolution(tmp_path / "m.onnx"), workers, tmp_path, tmp_path / "in.npz")


def test_a_file_that_is_no_npz_is_bad_input(workers: Workers, tmp_path: Path) -> None:
    (tmp_path / "in.npz").write_bytes(b"text")
    with pytest.raises(BadInput, match="not a"):
        reference(convolution(tmp_path / "m.onnx"), workers, tmp_path, tmp_path / "in.npz")


def test_inputs_that_the_reference_refuses_are_bad_input(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Reshape", ["x", "shape"], ["y"])],
        [("x", FLOAT, ["n"])],
        [("y", FLOAT, [2, 4])],
        {"shape": np.array([2, 4])},
    )
    np.savez(tmp_path / "in.npz", x=random(9))
    with pytest.raises(BadInput, match="reference refuses"):
        reference(path, workers, tmp_path, tmp_path / "in.npz")


def test_the_smallest_size_that_works_is_found(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Reshape", ["x", "shape"], ["y"])],
        [("x", FLOAT, ["n"])],
        [("y", FLOAT, [2, 4])],
        {"shape": np.array([2, 4])},
    )
    assert reference(path, workers, tmp_path).sizes == ({"x": (8,)},)


def test_a_size_without_outputs_is_passed_over(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Slice", ["x", "from", "to"], ["y"])],
        [("x", FLOAT, ["n"])],
        [("y", FLOAT, None)],
        {"from": np.array([5]), "to": np.array([100])},
    )
    assert reference(path, workers, tmp_path).sizes[0] == {"x": (8,)}


def test_sizes_of_many_open_axes_stay_moderate(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Add", ["x", "k"], ["y"])],
        [("x", FLOAT, [None] * 6)],
        [("y", FLOAT, None)],
        {"k": random(16)},
    )
    found = reference(path, workers, tmp_path)
    assert len(found.sizes) == 2
    assert all(np.prod(size["x"]) <= 1 << 22 for size in found.sizes)


def test_token_ids_stay_within_the_table(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Gather", ["table", "ids"], ["y"])],
        [("ids", INT64, ["B", "S"])],
        [("y", FLOAT, ["B", "S", 4])],
        {"table": random(20, 4)},
    )
    found = reference(path, workers, tmp_path)
    assert [found.cases[n].label for n in found.usual if found.cases[n].size == 0] == list(INTEGER_KINDS)
    (end,) = (found.cases[n] for n in found.extreme)
    assert end.condition == "range=ids within 0..19"
    ids = [load(found.cases[n].inputs, "ids") for n in found.usual]
    assert min(a.min() for a in ids) == 0
    assert max(a.max() for a in ids) == 19


def test_a_one_hot_range_bounds_its_integers(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [
            node("Unsqueeze", ["ids", "axis"], ["u"]),
            node("Equal", ["u", "range"], ["e"]),
            node("Cast", ["e"], ["y"], to=FLOAT),
        ],
        [("ids", INT32, [1, 16])],
        [("y", FLOAT, [1, 16, 257])],
        {"axis": np.array([2]), "range": np.arange(257, dtype=np.int32).reshape(1, 1, 257)},
    )
    ids = [load(case.inputs, "ids") for case in reference(path, workers, tmp_path).cases]
    assert len(ids) >= 10
    assert max(a.max() for a in ids) == 256
    assert min(a.min() for a in ids) == 0


def test_both_branches_of_a_switch_are_taken(workers: Workers, tmp_path: Path) -> None:
    branches = [
        helper.make_graph(
            [node(op, ["x"], [f"{op}_out"])], op, [], [helper.make_tensor_value_info(f"{op}_out", 1, [3])]
        )
        for op in ("Neg", "Exp")
    ]
    path = write(
        tmp_path / "m.onnx",
        [
            node("Equal", ["rate", "k"], ["c"]),
            node("If", ["c"], ["y"], then_branch=branches[0], else_branch=branches[1]),
        ],
        [("x", FLOAT, [3]), ("rate", INT64, [])],
        [("y", FLOAT, [3])],
        {"k": np.array(16000)},
    )
    rates = {int(load(case.inputs, "rate")) for case in reference(path, workers, tmp_path).cases}
    assert 16000 in rates
    assert len(rates) > 1


def test_booleans_and_scalars_can_be_fed(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Where", ["b", "x", "s"], ["y"])],
        [("b", BOOL, [2, 3]), ("x", FLOAT, [2, 3]), ("s", FLOAT, [])],
        [("y", FLOAT, [2, 3])],
    )
    case = reference(path, workers, tmp_path).cases[1]
    assert load(case.inputs, "b").all()
    assert load(case.inputs, "s").shape == ()


def test_two_nodes_of_one_name_do_not_stop_the_reference(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Neg", ["x"], ["a"], "dup"), node("Exp", ["a"], ["y"], "dup")],
        [("x", FLOAT, [3])],
        [("y", FLOAT, [3])],
    )
    case = reference(path, workers, tmp_path).cases[0]
    assert np.allclose(load(case.outputs, "y"), np.exp(-load(case.inputs, "x")))


def test_a_kernel_that_onnxruntime_lacks_is_computed_by_onnx(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("Max", ["x", "x"], ["y"])],
        [("x", INT16, [3])],
        [("y", INT16, [3])],
    )
    found = referenced(opened(path, workers), tmp_path, workers)
    assert isinstance(found, Reference)
    assert found.label.startswith("onnx.reference")


def test_an_operator_that_nobody_knows_cannot_be_verified(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    write(path, [helper.make_node("Odd", ["x"], ["y"], domain="my")], [("x", FLOAT, [3])], [("y", FLOAT, [3])])
    import onnx

    model = onnx.load(path)
    model.opset_import.append(helper.make_opsetid("my", 1))
    onnx.save(model, path)
    found = referenced(opened(path, workers), tmp_path, workers)
    assert isinstance(found, NoReference)
    assert "Odd" in str(found.reason)


def test_noise_moves_outputs_by_about_one_unit_and_only_through_weights(workers: Workers, tmp_path: Path) -> None:
    path = write(
        tmp_path / "m.onnx",
        [node("MatMul", ["x", "w"], ["y"]), node("Neg", ["x"], ["z"])],
        [("x", FLOAT, [4, 32])],
        [("y", FLOAT, [4, 8]), ("z", FLOAT, [4, 32])],
        {"w": random(32, 8)},
    )
    found = reference(path, workers, tmp_path)
    folder = tmp_path / "noise"
    folder.mkdir()
    changes = noise_changes(path, {}, found.cases[:2], folder, workers, Quiet())
    assert not isinstance(changes, NoReference)
    assert len(changes) == 2
    assert 1e-8 < changes[0]["y"].whole < 1e-5
    assert max(changes[0]["y"].slices[1]) == changes[0]["y"].whole
    assert changes[0]["z"].whole == 0.0
