"""Attention that depends on positions: what other tests take of it (inputs, results in double precision), that it assembles without
spills, and which masks are no positions. test/unit/Kernels checks what it computes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses

import numpy as np
import pytest
import test_gpu_products
import test_ptx
import tool
from attention_models import Attention

SCHEDULES = test_gpu_products.SCHEDULES
# Max errors by type, for outputs of order one.
BOUNDS = {"FLOAT": 2e-5, "FLOAT16": 5e-3, "BFLOAT16": 4e-2}

DIMS = {"s": 37, "t": 75, "b": 2}


def resolved(case):
    return dataclasses.replace(case, **{name: DIMS.get(value, value) for name, value in vars(case).items()
                                        if isinstance(value, (str, int))})


def typed(array, kind):
    """Rounded to the type, in float64 for the reference and as it is written for the model."""
    if kind == "BFLOAT16":
        bits = np.asarray(array, np.float32).view(np.uint32) >> 16 << 16
        return bits.view(np.float32)
    return array.astype({"FLOAT": np.float32, "FLOAT16": np.float16}[kind])


def inputs_of(case, random):
    own = case.heads // case.shared
    columns = case.columns or case.depth
    shapes = {"q": [case.batch, case.heads, case.queries, case.depth], "k": [case.batch, own, case.keys, case.depth],
              "v": [case.batch, own, case.keys, columns]}
    if case.past is not None:
        shapes |= {"pk": [case.batch, own, case.past, case.depth], "pv": [case.batch, own, case.past, columns]}
    if case.mask:
        shapes["m"] = list(case.mask)
    values = {name: typed(random.standard_normal(shape), case.kind) for name, shape in shapes.items()}
    if case.lengths:
        # Every query sees a key: lengths are at least the number of queries.
        least = case.queries if case.causal else 1
        values["lengths"] = random.integers(least, case.keys + 1, case.batch)
        values["lengths"][0] = case.keys
    return values


def expected(case, values):
    """softmax(q k' / sqrt(depth) + mask) v over the keys that count, in double precision."""
    x = {name: array.astype(np.float64) for name, array in values.items()}
    if case.past is not None:
        x["k"], x["v"] = (np.concatenate([x[f"p{name}"], x[name]], axis=2) for name in "kv")
    k, v = (np.repeat(x[name], case.shared, axis=1) for name in "kv")
    scores = np.einsum("bhid,bhjd->bhij", x["q"], k) / np.sqrt(case.depth) + x.get("m", 0)
    keys = k.shape[2]
    lengths = x.get("lengths", np.full(case.batch, keys)).reshape(-1, 1, 1, 1)
    i, j = np.arange(case.queries).reshape(-1, 1), np.arange(keys)
    counts = np.broadcast_to(j < lengths, scores.shape)
    if case.causal:
        counts = counts & (j <= i + (lengths if case.lengths else keys) - case.queries)
    scores = np.where(counts, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("bhij,bhjd->bhid", weights / weights.sum(-1, keepdims=True), v)


def run(package, values, folder, device, environment):
    options = []
    for name, array in values.items():
        np.save(folder / f"{name}.npy", array)
        options += ["--input", f"{name}=@{folder}/{name}.npy"]
    outcome = tool.call("run", package, "--device", device, *options, "--output", f"y=@{folder}/y.npy", env=environment)
    assert outcome.stderr == "", outcome.stderr
    return np.load(folder / "y.npy").astype(np.float64)


@pytest.mark.parametrize("kind", ["FLOAT", "BFLOAT16"])
@pytest.mark.parametrize("depth", [32, 64, 96, 128, 256])
def test_heads_assemble_without_spills(tmp_path, kind, depth):
    case = Attention("s", "t", depth, heads=4, shared=2, batch="b", kind=kind, causal=True, lengths=True)
    test_ptx.check(case.write(tmp_path / "m.onnx"), tmp_path, ["sm_80", "sm_86", "sm_90a"])


@pytest.mark.parametrize("kind", ["FLOAT", "BFLOAT16"])
@pytest.mark.parametrize("depth", [64, 128, 256])
def test_splits_assemble_without_spills(tmp_path, kind, depth):
    case = Attention(1, 4096, depth, heads=8, shared=4, batch="b", kind=kind, causal=True, lengths=True)
    test_ptx.check(case.write(tmp_path / "m.onnx"), tmp_path, ["sm_80", "sm_86", "sm_90a"])


def test_a_mask_that_is_not_of_positions_stays(tmp_path):
    """Causal from the first key on, which is not the last query's last key where there are more keys than queries."""
    case = Attention(8, 20, 32, causal=True)
    tool.call("compile", case.write(tmp_path / "m.onnx"), "-o", tmp_path / "m.kiln", "--save-temps", tmp_path / "ir")
    graph = (tmp_path / "ir" / "1-graph.mlir").read_text()
    assert "causal" not in graph and " mask %" in graph
