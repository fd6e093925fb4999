"""What is swept: for each operator its usual usage, and what is varied. A row a sweep."""
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from tests.conformance.arrays import Array

Attributes = Mapping[str, Any]
OPSET: Final = 20
SEED: Final = 11


@dataclass(frozen=True, slots=True)
class Sweep:
    """An operator. ``shapes``: of its inputs; ``constants``: further inputs that are initializers, None for not given.

    ``base``: attributes of the usual usage. ``vary``: other values, one at a time; None leaves it out.
    ``dtypes``, ``ranks``: of the first inputs, one at a time.
    """

    op: str
    shapes: tuple[tuple[int, ...], ...]
    base: Attributes = field(default_factory=dict)
    vary: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    constants: tuple[Array | None, ...] = ()
    dtypes: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    opset: int = OPSET


def _floats(*shape: int) -> Array:
    return np.random.default_rng(SEED).standard_normal(shape).astype(np.float32)


SIDES: Final = (3, 4, 2, 5, 2, 3)
_RANKS: Final = (0, 1, 2, 3, 4, 5, 6)
_NUMBERS: Final = ("float16", "float64", "int32", "int64", "uint8", "int8")
_UNARY: Final = (
    "Abs", "Ceil", "Cos", "Elu", "Erf", "Exp", "Floor", "HardSigmoid", "HardSwish", "Identity", "LeakyRelu", "Neg",
    "Relu", "Round", "Selu", "Sigmoid", "Sign", "Sin", "Softplus", "Softsign", "Tanh", "ThresholdedRelu", "Atan",
    "Sinh", "Cosh", "Gelu",
)  # fmt: skip
_BINARY: Final = (
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Max",
    "Min",
    "Pow",
    "Equal",
    "Greater",
    "GreaterOrEqual",
    "Less",
    "LessOrEqual",
    "Mod",
    "PRelu",
)
LOGICAL: Final = {"And": 2, "Or": 2, "Xor": 2, "Not": 1}  # fmt: skip
_REDUCE: Final = (
    "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceL1", "ReduceL2", "ReduceSumSquare",
    "ReduceLogSum", "ReduceLogSumExp",
)  # fmt: skip
_IMAGE: Final = (1, 3, 9, 8)
_WINDOW: Final = {
    "kernel_shape": ((3, 3), (2, 3)),
    "strides": (None, (1, 1), (2, 1)),
    "pads": (None, (1, 1, 1, 1), (0, 1, 1, 0)),
    "dilations": (None, (1, 1), (2, 2)),
    "auto_pad": ("SAME_UPPER", "SAME_LOWER", "VALID"),
}
_POOL: Final = {"kernel_shape": (2, 2), "strides": (2, 2), "pads": (0, 0, 0, 0)}
_CONV: Final = {"kernel_shape": (3, 3), "strides": (1, 1), "pads": (1, 1, 1, 1), "dilations": (1, 1), "group": 1}
_POOL_1D: Final = {"kernel_shape": (2,), "strides": (2,), "pads": (0, 0)}
_POOL_3D: Final = {"kernel_shape": (2, 2, 2), "strides": (2, 2, 2), "pads": (0,) * 6}
_RNN: Final = {"LSTM": 4, "GRU": 3, "RNN": 1}

SWEEPS: Final[tuple[Sweep, ...]] = (
    *(Sweep(op, (SIDES[:3],), dtypes=_NUMBERS, ranks=_RANKS) for op in _UNARY),
    *(Sweep(op, (SIDES[:3], SIDES[:3]), dtypes=_NUMBERS, ranks=_RANKS) for op in _BINARY),
    *(Sweep(op, (SIDES[:3], (1,)), dtypes=_NUMBERS) for op in _BINARY),
    *(Sweep(op, (SIDES[:3],) * inputs, ranks=_RANKS) for op, inputs in LOGICAL.items()),
    *(
        Sweep(op, (SIDES[:3],), {"axes": (1,), "keepdims": 1}, {"axes": (None, (-1,), (0, 2)), "keepdims": (None, 0)},
              ranks=(1, 2, 4, 5), dtypes=("int32",), opset=13 if op != "ReduceSum" else 11)
        for op in _REDUCE
    ),
    *(
        Sweep(op, (SIDES[:3],), {"keepdims": 1}, {"keepdims": (None, 0), "noop_with_empty_axes": (1,)},
              (np.array([1], np.int64),), opset=18)
        for op in _REDUCE
    ),
    *(
        Sweep(op, (SIDES[:3],), {"axis": 1, "keepdims": 1},
              {"axis": (None, 0, -1), "keepdims": (None, 0), "select_last_index": (0, 1)}, ranks=(1, 2, 4))
        for op in ("ArgMax", "ArgMin")
    ),
    *(
        Sweep(op, (SIDES[:3],), {"axis": -1}, {"axis": (None, 0, 1, 2)}, ranks=(1, 2, 4, 5), opset=opset)
        for op in ("Softmax", "LogSoftmax")
        for opset in (11, 13)
    ),
    Sweep("MaxPool", (_IMAGE,), _POOL, {**_WINDOW, "ceil_mode": (0, 1), "storage_order": (0, 1)}),
    Sweep("AveragePool", (_IMAGE,), _POOL, {**_WINDOW, "ceil_mode": (0, 1), "count_include_pad": (0, 1)}),
    Sweep("LpPool", (_IMAGE,), _POOL, {**_WINDOW, "p": (1, 2, 3)}),
    *(Sweep(op, ((1, 3, 9),), _POOL_1D, {"strides": (None, (1,)), "pads": (None, (1, 0))}) for op in ("MaxPool", "AveragePool")),
    *(Sweep(op, ((1, 3, 6, 5, 4),), _POOL_3D, {"strides": (None, (1, 1, 1)), "pads": (None,)}) for op in ("MaxPool", "AveragePool")),
    Sweep("Conv", (_IMAGE,), _CONV,
          {"strides": (None, (2, 2)), "pads": (None, (0, 1, 1, 0)), "dilations": (None, (2, 2)), "group": (None,),
           "kernel_shape": (None,), "auto_pad": ("SAME_UPPER", "SAME_LOWER", "VALID")},
          (_floats(4, 3, 3, 3), _floats(4)), dtypes=("float16", "float64")),
    Sweep("Conv", (_IMAGE,), {**_CONV, "group": 3}, {}, (_floats(6, 1, 3, 3), None)),
    Sweep("Conv", ((1, 3, 9),), {"kernel_shape": (3,), "strides": (1,), "pads": (1, 1)},
          {"strides": (None, (2,)), "pads": (None,), "dilations": ((1,), (2,))}, (_floats(4, 3, 3), _floats(4))),
    Sweep("Conv", ((1, 3, 5, 6, 4),), {"kernel_shape": (3, 3, 3), "strides": (1, 1, 1), "pads": (1,) * 6, "dilations": (1, 1, 1)},
          {"strides": (None, (2, 2, 2)), "pads": (None,), "dilations": (None, (2, 2, 2))}, (_floats(4, 3, 3, 3, 3), _floats(4))),
    Sweep("Conv", (_IMAGE, (4, 3, 3, 3)), _CONV),
    Sweep("ConvTranspose", (_IMAGE,), _CONV,
          {"strides": (None, (2, 2)), "pads": (None, (0, 1, 1, 0)), "dilations": (None, (2, 2)), "group": (None,),
           "output_padding": ((0, 0),), "output_shape": ((11, 10),), "auto_pad": ("SAME_UPPER", "SAME_LOWER")},
          (_floats(3, 4, 3, 3), _floats(4))),
    Sweep("ConvTranspose", (_IMAGE,), {**_CONV, "strides": (2, 2)}, {"output_padding": ((1, 1),)}, (_floats(3, 4, 3, 3), None)),
    Sweep("ConvTranspose", ((1, 3, 9),), {"kernel_shape": (3,), "strides": (2,), "pads": (1, 1)}, {}, (_floats(3, 4, 3), None)),
    Sweep("Gemm", ((4, 5),), {"alpha": 1.0, "beta": 1.0, "transA": 0, "transB": 0},
          {"alpha": (None, 0.5), "beta": (None, 0.25), "transB": (None,)}, (_floats(5, 3), _floats(3))),
    Sweep("Gemm", ((5, 4),), {"transA": 1}, {}, (_floats(5, 3), _floats(3))),
    Sweep("Gemm", ((4, 5),), {"transB": 1}, {}, (_floats(3, 5), _floats(3))),
    Sweep("Gemm", ((4, 5),), {"transB": 1}, {}, (_floats(3, 5),)),
    Sweep("Gemm", ((5, 4), (5, 3)), {"transA": 1}),
    *(Sweep("MatMul", shapes) for shapes in (((4, 5), (5, 3)), ((2, 4, 5), (2, 5, 3)), ((5,), (5,)), ((5,), (5, 3)),
                                            ((4, 5), (5,)), ((2, 1, 4, 5), (3, 5, 2)), ((2, 3, 4, 5), (5, 2)))),
    Sweep("BatchNormalization", (_IMAGE,), {"epsilon": 1e-5}, {"epsilon": (None, 1e-2), "momentum": (0.5,)},
          (_floats(3), _floats(3), _floats(3), np.abs(_floats(3)) + 1), ranks=(), opset=15),
    Sweep("BatchNormalization", ((2, 3),), {}, {}, (_floats(3), _floats(3), _floats(3), np.abs(_floats(3)) + 1), opset=15),
    Sweep("BatchNormalization", ((2, 3, 7),), {}, {}, (_floats(3), _floats(3), _floats(3), np.abs(_floats(3)) + 1), opset=15),
    Sweep("InstanceNormalization", (_IMAGE,), {"epsilon": 1e-5}, {"epsilon": (None, 1e-2)}, (_floats(3), _floats(3))),
    Sweep("LayerNormalization", ((2, 3, 8),), {"axis": -1, "epsilon": 1e-5}, {"axis": (None, 2), "epsilon": (None,)}, (_floats(8), _floats(8))),
    Sweep("LayerNormalization", ((2, 3, 8),), {"axis": 1}, {}, (_floats(3, 8), _floats(3, 8))),
    Sweep("LayerNormalization", ((2, 3, 8),), {"axis": -1}, {}, (_floats(8),)),
    Sweep("LRN", (_IMAGE,), {"size": 3, "alpha": 1e-4, "beta": 0.75, "bias": 1.0}, {"size": (2, 5), "alpha": (None, 0.5), "beta": (None,), "bias": (None, 2.0)}),
    Sweep("Transpose", ((2, 3, 4),), {"perm": (0, 2, 1)}, {"perm": (None, (2, 1, 0))}, ranks=()),
    Sweep("Concat", ((2, 3, 4), (2, 3, 4)), {"axis": 1}, {"axis": (0, -1)}, dtypes=_NUMBERS),
    Sweep("Split", ((4, 4),), {"axis": 1}, {"axis": (None, 0, -1)}, (np.array([2, 2], np.int64),)),
    Sweep("Flatten", ((2, 3, 4),), {"axis": 1}, {"axis": (None, 0, 2, -1)}),
    Sweep("Gather", ((4, 5),), {"axis": 0}, {"axis": (None, 1, -1)}, (np.array([2, 0, 3], np.int64),)),
    Sweep("Gather", ((4, 5),), {"axis": 0}, {"axis": (1,)}, (np.array([-1, 0], np.int64),)),
    Sweep("Gather", ((4, 5),), {"axis": 0}, {"axis": (1,)}, (np.array(2, np.int64),)),
    Sweep("GatherElements", ((3, 3),), {"axis": 1}, {"axis": (None, 0)}, (np.array([[0, 2, 1]], np.int64),)),
    Sweep("Slice", ((6, 5),), {}, {}, (np.array([1], np.int64), np.array([5], np.int64), np.array([0], np.int64), np.array([2], np.int64))),
    Sweep("Slice", ((6, 5),), {}, {}, (np.array([-1], np.int64), np.array([-7], np.int64), np.array([0], np.int64), np.array([-1], np.int64))),
    Sweep("Slice", ((6, 5),), {}, {}, (np.array([1], np.int64), np.array([5], np.int64))),
    Sweep("Pad", ((1, 3, 5, 6),), {"mode": "constant"}, {"mode": (None, "reflect", "edge", "wrap")},
          (np.array([0, 0, 1, 2, 0, 0, 2, 1], np.int64),)),
    Sweep("Pad", ((1, 3, 5, 6),), {}, {}, (np.array([0, 0, -1, 0, 0, 0, -1, 0], np.int64),)),
    Sweep("Pad", ((1, 3, 5, 6),), {}, {}, (np.array([0, 0, 1, 2, 0, 0, 2, 1], np.int64), np.array(1.5, np.float32))),
    *(
        Sweep("Resize", ((1, 3, 6, 5),), {"mode": mode, "coordinate_transformation_mode": "half_pixel"},
              {"coordinate_transformation_mode": (None, "asymmetric", "align_corners", "pytorch_half_pixel"),
               **({"nearest_mode": (None, "floor", "ceil", "round_prefer_floor", "round_prefer_ceil")} if mode == "nearest" else {}),
               **({"antialias": (1,)} if mode != "nearest" else {})},
              (None, np.array([1, 1, *scales], np.float32)))
        for mode in ("nearest", "linear", "cubic")
        for scales in ((2.0, 2.0), (0.5, 0.6), (1.5, 1.3))
    ),
    Sweep("GridSample", ((1, 3, 5, 6), (1, 4, 4, 2)), {"mode": "linear", "padding_mode": "zeros", "align_corners": 0},
          {"mode": (None, "nearest", "cubic"), "padding_mode": (None, "border", "reflection"), "align_corners": (None, 1)}),
    Sweep("DepthToSpace", ((1, 8, 3, 4),), {"blocksize": 2, "mode": "DCR"}, {"mode": (None, "CRD")}),
    Sweep("SpaceToDepth", ((1, 2, 4, 6),), {"blocksize": 2}),
    Sweep("Clip", ((3, 4),), {}, {}, (np.array(-0.5, np.float32), np.array(0.5, np.float32))),
    Sweep("Clip", ((3, 4),), {}, {}, (np.array(-0.5, np.float32),)),
    Sweep("Clip", ((3, 4),), {}, {}, (None, np.array(0.5, np.float32))),
    Sweep("TopK", ((3, 8),), {"axis": 1, "largest": 1, "sorted": 1}, {"axis": (None, 0, -1), "largest": (None, 0)}, (np.array([2], np.int64),)),
    Sweep("CumSum", ((3, 4),), {}, {"exclusive": (0, 1), "reverse": (0, 1)}, (np.array(1, np.int64),)),
    Sweep("Trilu", ((4, 5),), {}, {"upper": (None, 0, 1)}),
    Sweep("Einsum", ((2, 3, 4), (2, 4, 5)), {"equation": "bij,bjk->bik"}),
    Sweep("Expand", ((3, 1),), {}, {}, (np.array([2, 3, 4], np.int64),)),
    Sweep("Tile", ((2, 3),), {}, {}, (np.array([2, 1], np.int64),)),
    Sweep("Cast", ((3, 4),), {"to": 1}, {"to": (6, 7, 9, 2, 3, 10, 11)}, dtypes=_NUMBERS),
    *(
        Sweep(op, ((5, 2, 3),), {"hidden_size": 4}, {"direction": ("forward", "reverse"), "linear_before_reset": (0, 1) if op == "GRU" else ()},
              (_floats(1, gates * 4, 3), _floats(1, gates * 4, 4), _floats(1, gates * 8)))
        for op, gates in _RNN.items()
    ),
    *(
        Sweep(op, ((5, 2, 3),), {"hidden_size": 4, "direction": "bidirectional"}, {},
              (_floats(2, gates * 4, 3), _floats(2, gates * 4, 4), _floats(2, gates * 8)))
        for op, gates in _RNN.items()
    ),
)  # fmt: skip
