"""What kernels other than products and attention cost on the simulated GPU: a row is read once, whatever several passes do
with it; elementwise kernels and movement read and write what they have to, in whole sectors."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import numpy as np
import pytest
import test_ptx
from gpu_counters import BYTES, SECTOR

# Rows in the registers of a few threads, of a warp, of a block, in shared memory.
LENGTHS = [(24, 64), (24, 100), (8, 768), (8, 1000), (5, 1023), (3, 2048), (3, 5000), (2, 16384), (2, 33000)]
KINDS = ["FLOAT", "FLOAT16", "BFLOAT16"]
NORMS = {
    "softmax": ("Softmax", 0, {"axis": -1}),
    "layer_norm": ("LayerNormalization", 2, {"axis": -1}),
    "rms_norm": ("SimplifiedLayerNormalization", 1, {"axis": -1}),
}


def cases():
    for name in NORMS:
        for kind in KINDS:
            for i, (rows, length) in enumerate(LENGTHS):
                # Every length in f32; the others take turns.
                if kind == "FLOAT" or i % 2 == (kind == "BFLOAT16"):
                    yield ["sm_80", "sm_90a"][i % 2], name, kind, rows, length


def norm(path, name, kind, rows, length, residual=False):
    op, parameters, attributes = NORMS[name]
    inputs = {"x": [rows, length]}
    nodes, source = [], "x"
    if residual:
        inputs["r"] = [rows, length]
        nodes, source = [("Add", ["x", "r"], "sum", {})], "sum"
    for p in "sb"[:parameters]:
        inputs[p] = [length]
    nodes.append((op, [source, *"sb"[:parameters]], "y", attributes))
    return gpu_counters.write_model(path, nodes, inputs, {"y": [rows, length]}, kind)


def check(launch, asked, touched, aligned):
    assert launch.bytes == asked
    assert touched <= launch.distinct < touched + 8 * SECTOR  # ends of tensors
    assert launch.counters["local"]["bytes"] == 0
    if aligned:
        assert launch.efficiency >= 0.95


@pytest.mark.parametrize("residual", [False, True], ids=["plain", "residual"])
@pytest.mark.parametrize("target, name, kind, rows, length", [*cases()])
def test_rows_are_read_once(driver, tmp_path, target, name, kind, rows, length, residual):
    model = norm(tmp_path / "m.onnx", name, kind, rows, length, residual)
    [launch] = gpu_counters.measure(model, tmp_path, driver, target)
    data = rows * length * BYTES[kind]
    parameters = NORMS[name][1] * length * BYTES[kind]
    tensors = 2 + residual
    # Scale and bias are read for every row, from L1.
    check(launch, tensors * data + rows * parameters, tensors * data + parameters,
          aligned=length * BYTES[kind] % SECTOR == 0)
    assert launch.counters["shared"]["bank_conflicts"] == 0


# What the range of a row's length allows is held in registers of some threads, of a block, in shared memory.
RANGES = [(100, [1, 64, 100]), (512, [7, 128, 512]), (5000, [37, 5000]), (40000, [1000, 40000])]


@pytest.mark.parametrize("target, name, kind", [("sm_80", "softmax", "FLOAT"), ("sm_90a", "layer_norm", "BFLOAT16"),
                                                ("sm_80", "rms_norm", "FLOAT16")])
@pytest.mark.parametrize("most, lengths", RANGES, ids=[str(most) for most, _ in RANGES])
def test_rows_of_symbolic_length_are_read_once(driver, tmp_path, target, name, kind, most, lengths):
    rows = 6
    model = norm(tmp_path / "m.onnx", name, kind, rows, "s", True)
    for length in lengths:
        [launch] = gpu_counters.measure(model, tmp_path, driver, target, "--dims", f"s=1..{most}", dims=f"s={length}")
        data, parameters = rows * length * BYTES[kind], NORMS[name][1] * length * BYTES[kind]
        check(launch, 3 * data + rows * parameters, 3 * data + parameters, aligned=False)
        assert launch.counters["shared"]["bank_conflicts"] == 0


def test_rows_whose_range_is_beyond_shared_memory_are_read_again(driver, tmp_path):
    rows, length = 3, 300
    model = norm(tmp_path / "m.onnx", "softmax", "FLOAT", rows, "s")
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80", "--dims", "s=1..100000", dims=f"s={length}")
    check(launch, 4 * rows * length * 4, 2 * rows * length * 4, aligned=False)


def test_rows_of_symbolic_length_in_registers_assemble_without_spills(tmp_path):
    for most in (512, 1024, 16384):
        model = norm(tmp_path / "m.onnx", "layer_norm", "FLOAT", 4, "s", True)
        test_ptx.check(model, tmp_path, ["sm_80", "sm_90a"], "--dims", f"s=1..{most}")


@pytest.mark.parametrize("name, kind, length", [("softmax", "FLOAT", 1023), ("layer_norm", "BFLOAT16", 1024),
                                                ("softmax", "BFLOAT16", 16384), ("layer_norm", "FLOAT", 16384)])
def test_rows_in_registers_assemble_without_spills(tmp_path, name, kind, length):
    test_ptx.check(norm(tmp_path / "m.onnx", name, kind, 4, length, True), tmp_path, ["sm_80", "sm_90a"])


def test_longer_rows_are_read_again(driver, tmp_path):
    """What no shared memory holds: once per pass, and that is all."""
    rows, length = 2, 71680
    model = norm(tmp_path / "m.onnx", "softmax", "FLOAT", rows, length)
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    data = rows * length * 4
    check(launch, 4 * data, 2 * data, aligned=True)


# Over the last dim, over others, over both; the last ones have fewer columns than a block has threads.
REDUCTIONS = [((64, 512), [1]), ((64, 512), [0]), ((8, 33, 65), [2]), ((8, 32, 64), [0, 2]), ((64, 512), [0, 1]),
              ((8, 64, 48), [1]), ((8, 32, 64), [0, 1]), ((1024, 32), [0]), ((64, 36), [0])]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape, axes", REDUCTIONS)
def test_reductions_read_once(driver, tmp_path, kind, shape, axes):
    result = [n for i, n in enumerate(shape) if i not in axes]
    nodes = [("ReduceMax", ["x"], "y", {"axes": axes, "keepdims": 0})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": list(shape)}, {"y": result}, kind)
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    total = (int(np.prod(shape)) + int(np.prod(result))) * BYTES[kind]
    check(launch, total, total, aligned=shape[-1] * BYTES[kind] % SECTOR == 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_reduction_over_a_transposed_operand(driver, tmp_path, kind):
    """Neighbouring threads read neighbours, as they do without the transpose."""
    nodes = [("Transpose", ["x"], "t", {"perm": [1, 0]}), ("ReduceMax", ["t"], "y", {"axes": [1], "keepdims": 0})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"x": [64, 512]}, {"y": [512]}, kind)
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    check(launch, 65 * 512 * BYTES[kind], 65 * 512 * BYTES[kind], aligned=True)


A, ODD = [64, 512], [33, 77]
# name: (nodes, inputs, output, bytes asked for and touched per byte of an element, constants, whether sectors are whole)
POINTWISE = {
    "add": ([("Add", ["a", "b"], "y", {})], {"a": A, "b": A}, A, 3 * 32768, 3 * 32768, {}, True),
    "add_odd": ([("Add", ["a", "b"], "y", {})], {"a": ODD, "b": ODD}, ODD, 3 * 2541, 3 * 2541, {}, True),
    "row": ([("Mul", ["a", "b"], "y", {})], {"a": A, "b": [512]}, A, 3 * 32768, 2 * 32768 + 512, {}, True),
    "chain": ([("Add", ["a", "b"], "s", {}), ("Sigmoid", ["s"], "g", {}), ("Mul", ["s", "g"], "y", {})],
              {"a": A, "b": A}, A, 3 * 32768, 3 * 32768, {}, True),
    "heads": ([("Transpose", ["a"], "y", {"perm": [0, 2, 1, 3]})], {"a": [2, 64, 4, 64]}, [2, 4, 64, 64], 65536, 65536,
              {}, True),
    "slice": ([("Slice", ["a", "from", "to", "axes"], "y", {})], {"a": A}, [64, 256], 32768, 32768,
              {"from": [128], "to": [384], "axes": [1]}, True),
    "concat_rows": ([("Concat", ["a", "b"], "y", {"axis": 0})], {"a": [64, 64], "b": [32, 64]}, [96, 64], 12288, 12288,
                    {}, True),
    "concat_columns": ([("Concat", ["a", "b"], "y", {"axis": 1})], {"a": [64, 64], "b": [64, 128]}, [64, 192], 24576,
                       24576, {}, True),
    # The seam is within what a warp reads at once; where it is no multiple of a sector, a sector on it is read twice.
    "concat_halves": ([("Concat", ["a", "b"], "y", {"axis": 1})], {"a": [64, 32], "b": [64, 32]}, [64, 64], 8192, 8192,
                      {}, True),
    "concat_seam": ([("Concat", ["a", "b"], "y", {"axis": 1})], {"a": [64, 68], "b": [64, 60]}, [64, 128], 16384, 16384,
                    {}, False),
    "concat_three": ([("Concat", ["a", "b", "c"], "y", {"axis": 1})], {"a": [64, 16], "b": [64, 48], "c": [64, 80]},
                     [64, 144], 18432, 18432, {}, True),
    "rotate_half": ([("Slice", ["a", "zero", "half", "axis"], "p", {}), ("Slice", ["a", "half", "end", "axis"], "q", {}),
                     ("Neg", ["q"], "n", {}), ("Concat", ["n", "p"], "y", {"axis": 3})],
                    {"a": [2, 4, 16, 64]}, [2, 4, 16, 64], 16384, 16384,
                    {"zero": [0], "half": [32], "end": [64], "axis": [3]}, True),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", POINTWISE)
def test_pointwise_kernels(driver, tmp_path, name, kind):
    nodes, inputs, output, asked, touched, constants, whole = POINTWISE[name]
    constants = {key: np.array(value, dtype=np.int64) for key, value in constants.items()}
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, inputs, {"y": output}, kind, constants)
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    check(launch, asked * BYTES[kind], touched * BYTES[kind], whole)


def test_gather_reads_the_rows_it_needs(driver, tmp_path):
    rows = np.arange(0, 128, 8)
    nodes = [("Gather", ["a", "rows"], "y", {})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"a": [128, 64]}, {"y": [16, 64]},
                                     constants={"rows": rows})
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_80")
    moved = 2 * 16 * 64 * 4
    assert moved <= launch.distinct <= moved + rows.nbytes + SECTOR
    assert launch.efficiency >= 0.95


def test_where_reads_a_byte_per_condition(driver, tmp_path):
    nodes = [("Less", ["a", "b"], "c", {}), ("Where", ["c", "a", "b"], "y", {})]
    model = gpu_counters.write_model(tmp_path / "m.onnx", nodes, {"a": A, "b": A}, {"y": A})
    [launch] = gpu_counters.measure(model, tmp_path, driver, "sm_90a")
    # Conditions that nobody else wants exist in registers.
    check(launch, 3 * 32768 * 4, 3 * 32768 * 4, aligned=True)
