"""The bad-input list, models: each case says its code, its place, and leaves no file behind."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import models
import numpy as np
import onnx
import pytest
import tool
from onnx import TensorProto, helper

FLOAT = TensorProto.FLOAT


def build(nodes, initializers=(), inputs=None, outputs=None, opset=17, domains=()):
    """The bytes of a model that no checker has seen."""
    inputs = inputs or [helper.make_tensor_value_info("x", FLOAT, [2, 4])]
    outputs = outputs or [helper.make_tensor_value_info("y", FLOAT, [2, 4])]
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in domains)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()


def node(op, inputs, outputs, name="the_node", **attributes):
    return helper.make_node(op, inputs, outputs, name=name, **attributes)


ADD = [node("Add", ["x", "w"], ["y"])]


def weight(dims=(4,), data=b"\0" * 16, dtype=FLOAT):
    tensor = TensorProto(name="w", data_type=dtype, dims=dims)
    tensor.raw_data = data
    return tensor


def external(**entries):
    """Adds a weight stored outside of the model."""
    tensor = TensorProto(name="w", data_type=FLOAT, dims=[4], data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=str(value))
    return build(ADD, [tensor])


def valid():
    return build(ADD, [weight()])


def cycle():
    return build([node("Add", ["x", "b"], ["a"], "first"), node("Relu", ["a"], ["b"], "second"), node("Relu", ["b"], ["y"])])


def typed(dtype, shape, name="x"):
    return helper.make_tensor_value_info(name, dtype, shape)


# name: (bytes of m.onnx, allowed codes, words in the message)
CASES = {
    "not an ONNX file": (b"#!/bin/sh\necho hello, this is no model\n" * 9, {"0100", "0101"}, ["m.onnx"]),
    "empty": (b"", {"0100", "0101"}, ["m.onnx"]),
    "zeros": (b"\0" * 4096, {"0100", "0101"}, ["m.onnx"]),
    "truncated": (valid()[:-7], {"0100", "0101"}, ["m.onnx"]),
    "truncated in the middle": (valid()[: len(valid()) // 2], {"0100", "0101", "0125"}, ["m.onnx"]),
    "unknown op": (build([node("Frobnicate", ["x"], ["y"])]), {"0104"}, ["Frobnicate", "the_node", "17"]),
    "unknown domain": (
        build([node("Relu", ["x"], ["y"], domain="com.example")]),
        {"0104", "0105"},
        ["com.example", "the_node"],
    ),
    "unknown op of a known domain": (
        build([node("Frobnicate", ["x"], ["y"], domain="com.microsoft")], domains=["com.microsoft"]),
        {"0104"},
        ["com.microsoft", "Frobnicate"],
    ),
    "opset of the future": (build([node("Relu", ["x"], ["y"])], opset=99), {"0103"}, ["99"]),
    "cycle": (cycle(), {"0109"}, ["first"]),
    "missing initializer": (build(ADD), {"0110"}, ["w", "the_node"]),
    "bytes do not match the shape": (build(ADD, [weight(data=b"\0" * 15)]), {"0112"}, ["w", "15"]),
    "too many bytes": (build(ADD, [weight(data=b"\0" * 64)]), {"0112"}, ["w", "64"]),
    "negative dims": (build(ADD, [weight(dims=(-4,))]), {"0113", "0112"}, ["w", "-4"]),
    "dims of 2^40": (build(ADD, [weight(dims=(1 << 40, 1 << 40))]), {"0113", "0112"}, ["w"]),
    "input dims of 2^40": (
        build([node("Relu", ["x"], ["y"])], inputs=[typed(FLOAT, [1 << 40, 1 << 40])]),
        {"0113", "0124"},
        ["x"],
    ),
    "type mismatch": (
        build(ADD, [weight(dims=(2,), dtype=TensorProto.INT64)]),
        {"0107"},
        ["the_node"],
    ),
    "shapes that do not fit": (build(ADD, [weight(dims=(3,), data=b"\0" * 12)]), {"0108"}, ["the_node"]),
    "element type": (
        build([node("Relu", ["x"], ["y"])], inputs=[typed(TensorProto.COMPLEX64, [2])]),
        {"0107", "0114"},
        [],
    ),
    "name twice": (build([node("Relu", ["x"], ["y"]), node("Relu", ["x"], ["y"], "again")]), {"0111"}, ["y"]),
    "external data missing": (external(location="gone.bin"), {"0116"}, ["gone.bin", "w"]),
    "external data short": (external(location="short.bin", length=16), {"0118"}, ["short.bin", "w"]),
    "external data beyond the end": (
        external(location="short.bin", offset=1 << 40, length=16),
        {"0118"},
        ["short.bin"],
    ),
    "external data of another length": (external(location="long.bin", length=12), {"0112", "0119"}, ["w", "12"]),
    "external data absolute": (external(location="/etc/passwd", length=16), {"0117"}, ["/etc/passwd"]),
    "external data above": (external(location="../outside.bin", length=16), {"0117"}, ["../outside.bin"]),
    "external data by a symlink": (external(location="link.bin", length=16), {"0117"}, ["link.bin"]),
    "external data by a symlinked folder": (external(location="up/outside.bin", length=16), {"0117"}, ["up/outside.bin"]),
    "external offset negative": (external(location="long.bin", offset=-4, length=16), {"0119", "0118"}, ["-4"]),
}


@pytest.fixture
def folder(tmp_path):
    """model/ with data files, and a file outside of it."""
    inside = tmp_path / "model"
    inside.mkdir()
    (tmp_path / "outside.bin").write_bytes(b"\0" * 16)
    (inside / "short.bin").write_bytes(b"\0" * 15)
    (inside / "long.bin").write_bytes(b"\0" * 64)
    (inside / "link.bin").symlink_to(tmp_path / "outside.bin")
    (inside / "up").symlink_to(tmp_path)
    return inside


def refuse(folder, *options):
    """Compiles m.onnx, which must fail; checks that no output appears, whole or half."""
    before = sorted(os.listdir(folder))
    outcome = tool.call("compile", folder / "m.onnx", "-o", folder / "out.kiln", *options, status=None)
    assert sorted(os.listdir(folder)) == before
    return outcome


@pytest.mark.parametrize("name", CASES)
def test_bad_model(name, folder):
    data, codes, words = CASES[name]
    (folder / "m.onnx").write_bytes(data)
    outcome = refuse(folder)
    assert outcome.code in {f"KILN-E{code}" for code in codes}, outcome.stderr
    tool.assert_error(outcome, outcome.code, *words)


def test_valid_external_data_is_read(folder):
    (folder / "m.onnx").write_bytes(external(location="long.bin", offset=16, length=16))
    tool.call("compile", folder / "m.onnx", "-o", folder / "out.kiln")


def test_every_truncation_is_an_error(folder):
    data = valid()
    for size in range(0, len(data), 7):
        (folder / "m.onnx").write_bytes(data[:size])
        outcome = refuse(folder)
        assert outcome.status == 3 and outcome.code, (size, outcome.stderr)


def test_flipped_bits_never_crash(folder):
    data = onnx.load_from_string(models.parse(models.MLP).SerializeToString()).SerializeToString()
    random = np.random.default_rng(0)
    for place in random.integers(0, len(data), 40):
        changed = bytearray(data)
        changed[place] ^= 1 << int(random.integers(8))
        (folder / "m.onnx").write_bytes(bytes(changed))
        outcome = tool.call("compile", folder / "m.onnx", "-o", folder / "out.kiln", status=None)
        assert outcome.status == 0 or outcome.code, outcome.stderr
        assert outcome.code != "KILN-E0900", outcome.stderr


def test_a_folder_is_no_model(folder):
    outcome = tool.call("compile", folder, "-o", folder / "out.kiln", status=None)
    assert outcome.status == 3 and outcome.code in ("KILN-E0002", "KILN-E0004", "KILN-E0100"), outcome.stderr


def test_missing_model(folder):
    outcome = refuse(folder)
    tool.assert_error(outcome, "KILN-E0002", "m.onnx")


DIMS = {
    "dims outside of what the shapes allow": ("seq=0..4", {"0123", "0108", "0113"}),
    "name the model lacks": ("nope=1..4", {"0123"}),
    "reversed": ("seq=4..1", {"0001"}),
    "no numbers": ("seq=a..b", {"0001"}),
    "too large": ("seq=1..99999999999999", {"0123", "0113"}),
    "given twice": ("seq=1..2,seq=1..3", {"0001"}),
}


@pytest.mark.parametrize("name", [n for n in DIMS if not n.startswith("dims outside")])
def test_bad_dims_at_compile_time(name, folder):
    ranges, codes = DIMS[name]
    models.write(folder / "m.onnx", models.ELEMENTWISE)
    outcome = refuse(folder, "--dims", ranges)
    assert outcome.code in {f"KILN-E{code}" for code in codes}, outcome.stderr
    tool.assert_error(outcome, outcome.code, status=2)


def test_memory_limit_names_the_largest(folder):
    models.write(folder / "m.onnx", models.MLP)
    outcome = refuse(folder, "--dims", "batch=1..64,seq=1..4096", "--memory-limit", "1KiB")
    tool.assert_error(outcome, "KILN-E0302", "1024", "largest contributors")


@pytest.mark.parametrize("seconds", ["1ms", "0.3", "800ms"])
def test_time_limit_names_the_phase(folder, seconds):
    import graph_families

    onnx.save(graph_families.widths(200), folder / "m.onnx")
    outcome = refuse(folder, "--time-limit", seconds)
    tool.assert_error(outcome, "KILN-E0310", "phase '", "--time-limit", status=4)
    assert "phase 'image'" not in outcome.message or "kernel '" in outcome.message


def test_time_limit_that_is_not_reached(folder):
    models.write(folder / "m.onnx", models.MLP)
    for limit in ("0", "1h"):
        tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--time-limit", limit)


def test_unknown_target(folder):
    models.write(folder / "m.onnx", models.MLP)
    tool.assert_error(refuse(folder, "--target", "z80"), "KILN-E0400", "z80", status=2)


def test_unknown_phase(folder):
    models.write(folder / "m.onnx", models.MLP)
    outcome = refuse(folder, "--compile-to", "nowhere")
    tool.assert_error(outcome, "KILN-E0001", "nowhere", status=2, parts=("expected ", "found "))
