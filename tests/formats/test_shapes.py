from __future__ import annotations

import pytest

from workbench.core.errors import BadInput, UsageError
from workbench.core.graph import Graph, Model, Tensor
from workbench.formats.shapes import chosen_shapes, parse_shape


def model_with(*inputs: Tensor) -> Model:
    return Model("m.onnx", "onnx", 1, "", {"ai.onnx": 17}, Graph("", "", (), inputs, (), (), {}))


IMAGE = Tensor("x", "float32", ("N", 3, "H", "W"))
STATE = Tensor("a=b:0", "float32", ("N", 128))
OPEN = Tensor("open", "float32", None)
SCALAR = Tensor("sr", "int64", ())
MODEL = model_with(IMAGE, STATE, OPEN, SCALAR)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("x=1x3x224x224", ("x", (1, 3, 224, 224))),
        ("a=b:0=1X128", ("a=b:0", (1, 128))),
        ("input 0=7", ("input 0", (7,))),
        ("sr=", ("sr", ())),
        ("x=0x3", ("x", (0, 3))),
    ],
)
def test_the_last_equals_sign_divides_name_and_sizes(text: str, parsed: tuple[str, tuple[int, ...]]) -> None:
    assert parse_shape(text) == parsed


@pytest.mark.parametrize("text", ["x", "=1x3", "x=1x", "x=1,3", "x=-1x3", "x=axb", "x=1x3 ", "x=9999999999"])
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="NAME=1x3x224x224"):
        parse_shape(text)


def test_shapes_that_fit_are_taken() -> None:
    texts = ["x=1x3x32x64", "a=b:0=1x128", "open=4x4", "sr="]
    assert chosen_shapes(MODEL, texts) == {"x": (1, 3, 32, 64), "a=b:0": (1, 128), "open": (4, 4), "sr": ()}


@pytest.mark.parametrize(
    ("texts", "what"),
    [
        (["y=1"], "There is no input y"),
        (["x=1x3x8x8", "x=1x3x8x8"], "Input x got two shapes"),
        (["x=1x4x8x8"], "Axis 1 of input x is fixed at 3"),
        (["x=3x8x8"], "Input x has 4 axes, not 3"),
        (["sr=1"], "Input sr has 0 axes, not 1"),
        (["x=2x3x8x8", "a=b:0=1x128"], "Axis N is 1 in input a=b:0, but 2 in x"),
    ],
)
def test_shapes_that_do_not_fit_are_refused_by_name(texts: list[str], what: str) -> None:
    with pytest.raises((UsageError, BadInput)) as caught:
        chosen_shapes(MODEL, texts)
    assert str(caught.value.what) == what


def test_a_wrong_name_is_answered_with_the_inputs() -> None:
    with pytest.raises(UsageError) as caught:
        chosen_shapes(MODEL, ["y=1"])
    assert str(caught.value.hint) == "The inputs are: x=Nx3xHxW, a=b:0=Nx128, open, sr=."
