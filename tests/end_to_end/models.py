"""Small models and inputs, good and bad, as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from onnx import helper

from tests.formats.models import array, conv_model, external_weight, model, value


def good(path: Path) -> Path:
    """One Conv and a Relu, x 1x3x8x8."""
    path.write_bytes(conv_model().SerializeToString())
    return path


def wrong(path: Path) -> Path:
    """An IsNaN, which the converter does not know."""
    nodes = [helper.make_node("IsNaN", ["x"], ["n"], name="isnan"), helper.make_node("Cast", ["n"], ["y"], to=1)]
    path.write_bytes(model(nodes, [value("x")], [value("y")]).SerializeToString())
    return path


def open_axes(path: Path) -> Path:
    """A Relu over x Nx3xHxW."""
    shape = ("N", 3, "H", "W")
    relu = helper.make_node("Relu", ["x"], ["y"])
    path.write_bytes(model([relu], [value("x", shape)], [value("y", shape)]).SerializeToString())
    return path


def large(path: Path) -> Path:
    """A product with 67 MB of weights: the converter takes over a second for it."""
    weights = array("w", np.random.default_rng(1).standard_normal((4096, 4096), np.float32) / 64)
    product = helper.make_node("MatMul", ["x", "w"], ["y"], name="product")
    path.write_bytes(model([product], [value("x", (1, 4096))], [value("y", (1, 4096))], [weights]).SerializeToString())
    return path


def named(path: Path, name: str) -> Path:
    """A Relu whose every name is ``name``."""
    relu = helper.make_node("Relu", [f"{name}in"], [f"{name}out"], name=name)
    path.write_bytes(model([relu], [value(f"{name}in")], [value(f"{name}out")]).SerializeToString())
    return path


def _cyclic() -> bytes:
    nodes = [helper.make_node("Neg", ["b"], ["a"]), helper.make_node("Neg", ["a"], ["b"])]
    return model(nodes, [value("x")], [value("b")]).SerializeToString()


def _short_initializer() -> bytes:
    weight = array("w", np.zeros((4, 3, 3, 3)))
    weight.raw_data = bytes(100)
    return conv_model(weight).SerializeToString()


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "empty"),
    "truncated": (lambda: conv_model().SerializeToString()[:300], "cut off"),
    "not ONNX": (lambda: b"hello, world\n", "not a model"),
    "a Git LFS pointer": (
        lambda: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        "Git LFS pointer",
    ),
    "external data missing": (lambda: conv_model(external_weight("w.bin")).SerializeToString(), "is missing"),
    "external data short": (lambda: conv_model(external_weight("short.bin")).SerializeToString(), "too short"),
    "external data outside": (
        lambda: conv_model(external_weight("../../w.bin")).SerializeToString(),
        "outside the model's folder",
    ),
    "cyclic": (_cyclic, "cycle"),
    "initializer of the wrong length": (_short_initializer, "takes 432 bytes, but the file has 100"),
}
"""The bytes of a file that is no model, and what is said of it."""


def bad(path: Path, name: str) -> Path:
    (path.parent / "short.bin").write_bytes(bytes(100))
    path.write_bytes(BAD[name][0]())
    return path
