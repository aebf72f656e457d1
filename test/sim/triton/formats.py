# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formats of numbers as Triton names them, those that numpy lacks as their bits."""
import numpy as np

NATIVE = {
    "fp16": np.float16, "fp32": np.float32, "fp64": np.float64, "i1": np.int8, "i8": np.int8, "i16": np.int16,
    "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
}  # fmt: skip


def _table(exponent_bits, mantissa_bits, bias, has_infinity):
    """The values of all bytes of an 8-bit float."""
    values = np.empty(256)
    for bits in range(256):
        sign = -1.0 if bits >> 7 else 1.0
        exponent = bits >> mantissa_bits & (1 << exponent_bits) - 1
        mantissa = bits & (1 << mantissa_bits) - 1
        last = (1 << exponent_bits) - 1
        if has_infinity and exponent == last:
            value = np.nan if mantissa else np.inf
        elif not has_infinity and (bits & 0x7F) == 0x7F:
            value = np.nan
        elif exponent == 0:
            value = mantissa * 2.0 ** (1 - bias - mantissa_bits)
        else:
            value = (1 + mantissa * 2.0**-mantissa_bits) * 2.0 ** (exponent - bias)
        values[bits] = sign * value
    return values


TABLES = {"fp8e4nv": _table(4, 3, 7, False), "fp8e5": _table(5, 2, 15, True)}


def _to_table(values, table):
    """The nearest finite value of the table, ties to the even byte."""
    finite = np.flatnonzero(np.isfinite(table[:128]))
    found = np.searchsorted(table[finite], np.abs(values))
    high = np.minimum(found, len(finite) - 1)
    low = np.maximum(high - 1, 0)
    magnitude = np.minimum(np.abs(values), table[finite[-1]])
    above, below = table[finite[high]] - magnitude, magnitude - table[finite[low]]
    nearest = np.where((below < above) | ((below == above) & (low % 2 == 0)), low, high)
    return (nearest | np.where(np.signbit(values), 128, 0)).astype(np.uint8)


def to_bits(values, format):
    values = np.asarray(values)
    if format in NATIVE:
        return values.astype(NATIVE[format])
    if format in TABLES:
        return _to_table(values.astype(np.float64), TABLES[format])
    assert format == "bf16", format
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bits(array, format):
    if format in TABLES:
        return TABLES[format][array.view(np.uint8)]
    if format == "bf16":
        return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64) if array.dtype.kind == "f" else array
