"""One operator with a cache, compiled with state: what it gives step by step, on the CPU and on a simulated GPU, against ONNX
Runtime, which is given the cache of each step."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
import tool
from onnx import helper, numpy_helper

import kiln

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))

from decoder_cases import normed, rotary_tables  # noqa: E402

HEADS, KEY_HEADS, SIZE, CAPACITY, ROWS = 4, 2, 16, 24, 2
BUFFER = 6  # rows of a cache of the window's size
STEPS = (3, 1, 5, 1, 2, 1)
RANDOM = np.random.default_rng(3)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


TABLES = dict(zip(("cos_cache", "sin_cache"), rotary_tables(RANDOM, CAPACITY, SIZE // 2)))
NORMS = {"q_norm_weight": floats(SIZE), "k_norm_weight": floats(SIZE)}
SINK = {"head_sink": floats(HEADS)}
FORMS = {
    "plain": ({}, {}),
    "sink": (SINK, {}),
    "smooth": ({}, {"smooth_softmax": 1}),
    "window": ({}, {"local_window_size": 4}),
    "window of a query": ({}, {"local_window_size": 1}),
    "cache of a window": (TABLES, {"local_window_size": 4, "sliding_window_cache": 1, "do_rotary": 1}),
    "all": (SINK | TABLES | NORMS, {"local_window_size": 5, "softcap": 2.0, "scale": 0.4, "do_rotary": 1, "rotary_interleaved": 1}),
    "norms": (NORMS | TABLES, {"qk_norm_epsilon": 0.01, "do_rotary": 1}),
    "bidirectional": ({}, {"causal": 0}),
}
INPUTS = ("query", "key", "value", "past_key", "past_value", "before", "total", "cos_cache", "sin_cache", "position_ids",
          "attention_bias", "head_sink", "k_scale", "v_scale", "q_norm_weight", "k_norm_weight")  # fmt: skip


def group_query(constants, attributes):
    def value(name, *dims, kind=onnx.TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, kind, dims)

    present = ("present_key", "present_value")
    rows = BUFFER if attributes.get("sliding_window_cache") else "past"
    given = ("query", "key", "value", "past_key", "past_value", "before", "total", *constants)
    names = [name if name in given else "" for name in INPUTS]
    while not names[-1]:
        names.pop()
    node = helper.make_node("GroupQueryAttention", names, ["y", *present], domain="com.microsoft", num_heads=HEADS,
                            kv_num_heads=KEY_HEADS, **attributes)  # fmt: skip
    inputs = [value("query", "batch", "seq", HEADS * SIZE)]
    inputs += [value(name, "batch", "seq", KEY_HEADS * SIZE) for name in ("key", "value")]
    inputs += [value(name, "batch", KEY_HEADS, rows, SIZE) for name in ("past_key", "past_value")]
    inputs += [value("before", "batch", kind=onnx.TensorProto.INT32), value("total", kind=onnx.TensorProto.INT32)]
    outputs = [value("y", "batch", "seq", HEADS * SIZE), *(value(name, "batch", KEY_HEADS, "all", SIZE) for name in present)]
    weights = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph([node], "g", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def open_peer(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def peer_steps(constants, attributes, steps):
    """Row by row, as ONNX Runtime takes several tokens behind a past for one row only; norms before, which its CPU has not."""
    rest = {name: array for name, array in constants.items() if name not in NORMS}
    epsilon = attributes.get("qk_norm_epsilon", 1e-6)
    session = open_peer(group_query(rest, attributes))
    results = []
    for row in range(ROWS):
        past = [np.zeros((1, KEY_HEADS, BUFFER if attributes.get("sliding_window_cache") else 0, SIZE), np.float32)] * 2
        total = 0
        for step in steps:
            feeds = {name: array[row : row + 1] for name, array in step.items()}
            for name, count, scale in [("query", HEADS, "q_norm_weight"), ("key", KEY_HEADS, "k_norm_weight")]:
                if scale in constants:
                    heads = feeds[name].reshape(1, -1, count, SIZE)
                    feeds[name] = normed(heads, constants[scale], epsilon).reshape(feeds[name].shape).astype(np.float32)
            total += feeds["query"].shape[1]
            feeds |= {"past_key": past[0], "past_value": past[1], "before": np.array([total - 1], np.int32)}
            feeds["total"] = np.array(total, np.int32)
            y, *past = session.run(None, feeds)
            results.append(y)
    return np.concatenate(results, axis=1).reshape(ROWS, -1, HEADS * SIZE)


def kiln_steps(package, device, steps):
    session = kiln.Session(package, device=device, dims={"rows": ROWS, "capacity": CAPACITY})
    decode = session.entry("decode")
    found = [decode.run({**step, "counts": np.full(ROWS, step["query"].shape[1], np.int64)})["y"] for step in steps]
    return np.concatenate(found, axis=1)


@pytest.mark.parametrize("form", FORMS)
def test_group_query_attention(tmp_path, simulator, monkeypatch, form):
    monkeypatch.setenv("KILN_SIM_DRIVER", str(simulator))
    constants, attributes = FORMS[form]
    onnx.save(group_query(constants, attributes), tmp_path / "m.onnx")
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--dims", "rows=1..2,capacity=1..24,sequence=1..16",
              "--target", "native,sm_80", "-q")  # fmt: skip
    steps = [{"query": floats(ROWS, count, HEADS * SIZE), "key": floats(ROWS, count, KEY_HEADS * SIZE),
              "value": floats(ROWS, count, KEY_HEADS * SIZE)} for count in STEPS]  # fmt: skip
    expected = peer_steps(constants, attributes, steps)
    for device in ("cpu", "sim:a100"):
        np.testing.assert_allclose(kiln_steps(tmp_path / "m.kiln", device, steps), expected, rtol=0, atol=2e-5, err_msg=device)


def multi_head():
    """MultiHeadAttention over a shared buffer, of which past_sequence_length rows count."""
    node = helper.make_node("MultiHeadAttention", ["q", "k", "v", "", "", "", "k_in", "v_in", "so_far"], ["y", "k_out", "v_out"],
                            domain="com.microsoft", num_heads=HEADS, unidirectional=1)  # fmt: skip
    floats_of = lambda name, *dims: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, dims)
    hidden, cache = ("batch", "seq", HEADS * SIZE), ("batch", HEADS, "max", SIZE)
    inputs = [*(floats_of(name, *hidden) for name in "qkv"), *(floats_of(name, *cache) for name in ("k_in", "v_in"))]
    inputs.append(helper.make_tensor_value_info("so_far", onnx.TensorProto.INT32, [1]))
    outputs = [floats_of("y", *hidden), *(floats_of(name, *cache) for name in ("k_out", "v_out"))]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(helper.make_graph([node], "g", inputs, outputs), opset_imports=opsets, ir_version=8)


def test_multi_head_attention_over_a_shared_buffer(tmp_path):
    onnx.save(multi_head(), tmp_path / "m.onnx")
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--dims", "rows=1..2,capacity=1..24,sequence=1..16", "-q")
    session = kiln.Session(tmp_path / "m.kiln", dims={"rows": ROWS, "capacity": CAPACITY})
    peer, caches, length = open_peer(multi_head()), [np.zeros((ROWS, HEADS, CAPACITY, SIZE), np.float32)] * 2, 0
    for count in STEPS:
        step = {name: floats(ROWS, count, HEADS * SIZE) for name in "qkv"}
        shared = {"k_in": caches[0], "v_in": caches[1], "so_far": np.array([length], np.int32)}
        expected, *caches = peer.run(None, step | shared)
        found = session.entry("decode").run({**step, "counts": np.full(ROWS, count, np.int64)})["y"]
        np.testing.assert_allclose(found, expected, rtol=0, atol=2e-5)
        length += count
