"""Weights beside the model: safetensors files, and more than 2 GiB."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import shutil
import struct

import kiln
import numpy as np
import onnx
import pytest
import tool
from onnx import TensorProto, helper

GIB = 1 << 30


def outside(name, array_type, dims, file, offset, length):
    """A tensor of which the model holds no bytes."""
    tensor = TensorProto(name=name, data_type=array_type, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in (("location", file), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))
    return tensor


def write_safetensors(path, arrays):
    """A file in the safetensors format; returns the offset of each tensor in it. The header's length is odd, so that
    tensors begin anywhere."""
    header, end = {}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": {"float32": "F32", "float16": "F16"}[array.dtype.name], "shape": array.shape,
                        "data_offsets": [end, end + array.nbytes]}
        end += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (1 - len(text) % 2)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(array.tobytes() for array in arrays.values()))
    return {name: 8 + len(text) + entry["data_offsets"][0] for name, entry in header.items()}


def save(path, nodes, inputs, outputs, initializers):
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializers)
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10).SerializeToString())


def test_weights_in_several_safetensors_files(tmp_path):
    """The model names a place in the files, as exporters write it that leave the weights of a checkpoint where they are."""
    random = np.random.default_rng(5)
    first = {"a": random.standard_normal((24, 7)).astype(np.float32), "bias": random.standard_normal(7).astype(np.float32)}
    second = {"half": random.standard_normal(5).astype(np.float16), "b": random.standard_normal((7, 5)).astype(np.float32)}
    initializers = []
    for file, arrays in (("model-00001-of-00002.safetensors", first), ("model-00002-of-00002.safetensors", second)):
        for name, offset in write_safetensors(tmp_path / file, arrays).items():
            array = arrays[name]
            assert offset % 2 == 1
            initializers.append(
                outside(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape, file, offset, array.nbytes))
    nodes = [
        helper.make_node("MatMul", ["x", "a"], ["xa"]),
        helper.make_node("Add", ["xa", "bias"], ["h"]),
        helper.make_node("MatMul", ["h", "b"], ["hb"]),
        helper.make_node("Cast", ["half"], ["wide"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["hb", "wide"], ["y"]),
    ]
    save(tmp_path / "m.onnx", nodes, [helper.make_tensor_value_info("x", 1, ["n", 24])],
         [helper.make_tensor_value_info("y", 1, ["n", 5])], initializers)
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "-q")
    x = random.standard_normal((3, 24)).astype(np.float32)
    expected = ((x @ first["a"] + first["bias"]) @ second["b"]) * second["half"].astype(np.float32)
    np.testing.assert_allclose(kiln.Session(tmp_path / "m.kiln").run({"x": x})["y"], expected, rtol=1e-4, atol=1e-5)


ROWS, WIDTH = 600_000, 1024  # 2.29 GiB


def lookup(path, table):
    nodes = [helper.make_node("Gather", ["table", "ids"], ["rows"]), helper.make_node("Neg", ["rows"], ["y"])]
    save(path, nodes, [helper.make_tensor_value_info("ids", TensorProto.INT64, ["n"])],
         [helper.make_tensor_value_info("y", 1, ["n", WIDTH])], [table])


def write_last_row(path, offset):
    """A file whose table is zeros, which take no room on the disk, but for its last row."""
    with open(path, "r+b") as file:
        file.truncate(offset + ROWS * WIDTH * 4)
        file.seek(offset + (ROWS - 1) * WIDTH * 4)
        file.write(np.arange(WIDTH, dtype=np.float32).tobytes())


def varint(number):
    digits = []
    while number > 127:
        digits.append(number % 128 + 128)
        number //= 128
    return bytes([*digits, number])


def field(number, size):
    """The tag and the length of a field of bytes."""
    return varint(number << 3 | 2) + varint(size)


def beside(folder):
    """The table in a file of its own."""
    lookup(folder / "m.onnx", outside("table", TensorProto.FLOAT, [ROWS, WIDTH], "table.bin", 4096, ROWS * WIDTH * 4))
    (folder / "table.bin").touch()
    write_last_row(folder / "table.bin", 4096)


def inside(folder):
    """The table in the model's own file, which protobuf's library cannot write: the end of a graph is a table."""
    table = TensorProto(name="table", data_type=TensorProto.FLOAT, dims=[ROWS, WIDTH])
    lookup(folder / "m.onnx", TensorProto(name="none", data_type=TensorProto.FLOAT, dims=[0]))
    model = onnx.load(folder / "m.onnx")
    graph = model.graph.SerializeToString()
    model.ClearField("graph")
    size = ROWS * WIDTH * 4
    tensor = table.SerializeToString() + field(9, size)
    body = graph + field(5, len(tensor) + size) + tensor
    head = model.SerializeToString() + field(7, len(body) + size) + body
    (folder / "m.onnx").write_bytes(head)
    write_last_row(folder / "m.onnx", len(head))


@pytest.mark.parametrize("write", [beside, inside])
def test_more_than_two_gib(write, tmp_path):
    if shutil.disk_usage(tmp_path).free < 4 * GIB:
        pytest.skip("needs 4 GiB of disk")
    write(tmp_path)
    assert "compiles" in tool.call("check", tmp_path / "m.onnx").stdout
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "-q")
    found = kiln.Session(tmp_path / "m.kiln").run({"ids": np.array([ROWS - 1, 0], np.int64)})["y"]
    np.testing.assert_array_equal(found, -np.stack([np.arange(WIDTH, dtype=np.float32), np.zeros(WIDTH, np.float32)]))
    (tmp_path / "m.kiln").unlink()
