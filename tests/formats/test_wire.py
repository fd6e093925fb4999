from __future__ import annotations

import random

import pytest
from google.protobuf.internal import encoder
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto

from workbench.formats.onnx.wire import BYTES, FIXED32, VARINT, WireError, count_packed, fields, packed, signed, varint


def written(value: int) -> bytes:
    out = bytearray()
    encoder._VarintEncoder()(out.extend, value)  # protobuf's own, as the other opinion
    return bytes(out)


@given(st.integers(0, (1 << 64) - 1))
def test_a_varint_reads_as_protobuf_wrote_it(value: int) -> None:
    data = b"\xff" + written(value)
    assert varint(data, 1, len(data)) == (value, len(data))


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_negative_integers_are_twos_complement(value: int) -> None:
    assert signed(value & ((1 << 64) - 1)) == value


@given(st.lists(st.integers(0, (1 << 64) - 1)))
def test_packed_numbers_are_counted_without_being_made(values: list[int]) -> None:
    data = b"".join(map(written, values))
    assert list(packed(data, 0, len(data))) == values
    assert count_packed(data, 0, len(data)) == len(values)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x80" * 11, "more than 64 bits"),
        (b"\xff" * 9 + b"\x7f", "more than 64 bits"),
        (b"\x80", "cut off"),
        (b"\x10", "cut off"),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "content beyond its message"),
        (b"\x0a\x05abc", "content beyond its message"),
        (b"\x0d\x00", "content beyond its message"),
        (b"\x0b", "wire type 3"),
        (b"\x00\x00", "field 0"),
        (b"\x08\x01", "field 1 of wire type 0"),
    ],
)
def test_what_is_no_message_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(WireError, match=reason):
        list(fields(data, 0, len(data), {1: (BYTES, FIXED32)}))


def test_a_length_of_exabytes_allocates_nothing() -> None:
    data = b"\x4a" + written((1 << 62) + 7) + b"x"
    with pytest.raises(WireError) as caught:
        list(fields(data, 0, len(data), {}))
    assert caught.value.end > 1 << 62


def test_unknown_fields_pass_through_with_their_places() -> None:
    data = b"\x9a\x06\x03abc\x08\x96\x01"
    assert list(fields(data, 0, len(data), {1: (VARINT,)})) == [(99, BYTES, 3, 6), (1, VARINT, 150, 9)]


def test_every_field_of_a_tensor_lies_where_protobuf_put_it() -> None:
    tensor = TensorProto(name="w", data_type=1, dims=[2, 3], raw_data=random.Random(0).randbytes(24))
    data = tensor.SerializeToString()
    places = {number: (a, b) for number, kind, a, b in fields(data, 0, len(data), {}) if kind == BYTES}
    begin, end = places[9]
    assert data[begin:end] == tensor.raw_data
