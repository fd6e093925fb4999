"""ONNX's tensor types: numpy's spelling (ml_dtypes for what numpy lacks), size, and where values lie.

Numbers, sizes and fields: TensorProto in onnx.proto of onnx 1.23.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FLOAT_DATA: Final = 4
INT32_DATA: Final = 5
STRING_DATA: Final = 6
INT64_DATA: Final = 7
DOUBLE_DATA: Final = 10
UINT64_DATA: Final = 11

UNDEFINED: Final = 0
STRING: Final = 8


@dataclass(frozen=True, slots=True)
class ElementType:
    """``bits`` of one element in raw data (0 for strings); ``field`` of TensorProto for typed values.

    An entry of that field holds ``elements / entries`` elements.
    """

    name: str
    bits: int
    field: int
    elements: int = 1
    entries: int = 1

    def raw_bytes(self, count: int) -> int:
        """Bytes of ``count`` elements in raw_data."""
        return (count * self.bits + 7) // 8

    def typed_entries(self, count: int) -> int:
        """Entries that ``count`` elements take in ``field``."""
        return -(-count * self.entries // self.elements)


ELEMENT_TYPES: Final = {
    1: ElementType("float32", 32, FLOAT_DATA),
    2: ElementType("uint8", 8, INT32_DATA),
    3: ElementType("int8", 8, INT32_DATA),
    4: ElementType("uint16", 16, INT32_DATA),
    5: ElementType("int16", 16, INT32_DATA),
    6: ElementType("int32", 32, INT32_DATA),
    7: ElementType("int64", 64, INT64_DATA),
    STRING: ElementType("string", 0, STRING_DATA),
    9: ElementType("bool", 8, INT32_DATA),
    10: ElementType("float16", 16, INT32_DATA),
    11: ElementType("float64", 64, DOUBLE_DATA),
    12: ElementType("uint32", 32, UINT64_DATA),
    13: ElementType("uint64", 64, UINT64_DATA),
    14: ElementType("complex64", 64, FLOAT_DATA, entries=2),
    15: ElementType("complex128", 128, DOUBLE_DATA, entries=2),
    16: ElementType("bfloat16", 16, INT32_DATA),
    17: ElementType("float8_e4m3fn", 8, INT32_DATA),
    18: ElementType("float8_e4m3fnuz", 8, INT32_DATA),
    19: ElementType("float8_e5m2", 8, INT32_DATA),
    20: ElementType("float8_e5m2fnuz", 8, INT32_DATA),
    21: ElementType("uint4", 4, INT32_DATA, elements=2),
    22: ElementType("int4", 4, INT32_DATA, elements=2),
    23: ElementType("float4_e2m1fn", 4, INT32_DATA, elements=2),
    24: ElementType("float8_e8m0fnu", 8, INT32_DATA),
    25: ElementType("uint2", 2, INT32_DATA, elements=4),
    26: ElementType("int2", 2, INT32_DATA, elements=4),
    27: ElementType("float6_e2m3fn", 6, INT32_DATA),
    28: ElementType("float6_e3m2fn", 6, INT32_DATA),
}


def dtype_name(number: int) -> str:
    """The type's name; "" where the model leaves it open; "type 99" for a number that is none."""
    if number == UNDEFINED:
        return ""
    known = ELEMENT_TYPES.get(number)
    return known.name if known else f"type {number}"
