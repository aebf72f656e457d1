"""Context parallelism by heads: around an attention ranks exchange rows for heads (--shard cp), with the bits of one rank."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import json

import kiln
import numpy as np
import onnx
import pytest
import tool
from onnx import TensorProto, helper, numpy_helper
from test_context_parallel import assert_same_bits
from test_ranks import LAYERS, Meshes, bert, inputs_of, run_processes  # noqa: F401 (fixtures)

DEPTH, HIDDEN, BATCH, ROWS = 8, 64, 3, 40


@dataclasses.dataclass
class Block:
    """Products with weights around attention, behind what is computed of a rank's rows; `mask`: one of each head is an input."""

    heads: int
    keys: int
    causal: bool = False
    mask: bool = False

    def write(self, path):
        random = np.random.default_rng(1)
        widths = {"q": self.heads * DEPTH, "k": self.keys * DEPTH, "v": self.keys * DEPTH}
        shapes = {f"w{name}": (HIDDEN, width) for name, width in widths.items()} | {"wo": (self.heads * DEPTH, HIDDEN)}
        weights = [numpy_helper.from_array(random.standard_normal(shape, np.float32) / 8, name) for name, shape in shapes.items()]
        nodes = [helper.make_node("Tanh", ["x"], ["t"])]
        nodes += [helper.make_node("MatMul", ["t", f"w{name}"], [name]) for name in widths]
        names = ["q", "k", "v"] + (["m"] if self.mask else [])
        nodes.append(helper.make_node("Attention", names, ["a"], is_causal=int(self.causal), q_num_heads=self.heads, kv_num_heads=self.keys))
        nodes.append(helper.make_node("MatMul", ["a", "wo"], ["o"]))
        nodes.append(helper.make_node("Add", ["x", "o"], ["y"]))
        x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["b", "s", HIDDEN]) for name in "xy")
        mask = [helper.make_tensor_value_info("m", TensorProto.FLOAT, [1, self.heads, "s", "s"])] if self.mask else []
        graph = helper.make_graph(nodes, "block", [x, *mask], [y], weights)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10), path)
        return Meshes(path, path.parent, "--dims", f"b=1..{BATCH},s=1..{ROWS}")

    def inputs(self, batch, rows):
        random = np.random.default_rng(rows)
        values = {"x": random.standard_normal((batch, rows, HIDDEN), np.float32)}
        return values | ({"m": random.standard_normal((1, self.heads, rows, rows), np.float32)} if self.mask else {})


def kinds_of(package):
    return [one["kind"] for one in json.loads(tool.call("inspect", package, "--ranks", "--json").stdout)["collectives"]]


BLOCKS = {
    "equal": (Block(8, 8), "cp=4", True), "grouped": (Block(8, 4), "cp=4", True), "mask": (Block(4, 4, mask=True), "cp=4", True),
    "causal": (Block(8, 8, causal=True), "cp=2", True), "causal-grouped": (Block(8, 4, causal=True), "cp=4", True),
    "three": (Block(6, 3, causal=True), "cp=3", True), "equal-two": (Block(8, 8), "cp=2", False),
    "grouped-two": (Block(8, 4, causal=True), "cp=2", False), "few-keys": (Block(8, 2), "cp=4", False),
    "tensor-parallel": (Block(8, 8, causal=True), "tp=2,cp=2", True),
}  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_bits_of_one_rank(tmp_path, name):
    """Also of rows that the ranks do not divide, of fewer rows than ranks, and of several sequences. An exchange takes the place of a gather
    where it moves less, or as much and attention is causal."""
    block, mesh, exchanges = BLOCKS[name]
    meshes = block.write(tmp_path / "m.onnx")
    group = kiln.Group(meshes.of_mesh(mesh))
    one = kiln.Group(meshes.of_mesh("tp=2")) if "tp" in mesh else kiln.Session(meshes.of_mesh(""))
    for dims in [(1, 1), (1, 3), (BATCH, 17), (2, 23), (1, ROWS)]:
        expected = one.run(block.inputs(*dims))
        for own in group.run_all_ranks(block.inputs(*dims)):
            assert_same_bits(own, expected)
    kinds = kinds_of(meshes.of_mesh(mesh))
    assert kinds.count("all_to_all") == (4 if exchanges else 0)
    assert kinds.count("all_gather") == (1 if exchanges else 3)


def test_bytes(bert):  # noqa: F811
    """A rank gives its rows of all heads of queries, keys, values and results, of which a part for each rank: with four ranks half of what
    gathering keys and values takes. Ranks of MiniLM's kind exchange, two of them gather."""
    table = json.loads(tool.call("inspect", bert.of_mesh("cp=4"), "--ranks", "--json").stdout)
    exchanged = [one["bytes"] for one in table["collectives"] if one["kind"] == "all_to_all"]
    assert exchanged == [4 * (32 // 4) * 128 * 4] * (4 * LAYERS)
    assert kinds_of(bert.of_mesh("cp=4")).count("all_gather") == 1 and "all_to_all" not in kinds_of(bert.of_mesh("cp=2"))


def test_processes(bert, tmp_path):  # noqa: F811
    """The bits of threads; two compiles give the same bytes."""
    run = ["run", bert.of_mesh("cp=4"), "--dims", "batch=2,sequence=19", "--output"]
    tool.call(*run, f"last_hidden_state=@{tmp_path}/threads.npy")
    _, *others = run_processes(*run, f"last_hidden_state=@{tmp_path}/processes.npy", size=4)
    assert not any(others) and (tmp_path / "processes.npy").read_bytes() == (tmp_path / "threads.npy").read_bytes()
    tool.call("compile", bert.model, "-o", tmp_path / "again.kiln", "-q", "--ranks", 4, "--shard", "cp", *bert.options)
    assert (tmp_path / "again.kiln").read_bytes() == bert.of_mesh("cp=4").read_bytes()


def test_verify(bert):  # noqa: F811
    outcome = tool.call("verify", bert.of_mesh("cp=4"), "--model", bert.model, "--dims", "batch=2,sequence=19")
    assert "on all ranks" in outcome.stdout and outcome.stdout.endswith("PASSED\n")


def test_report(bert, tmp_path):  # noqa: F811
    report = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", "--ranks", 4, "--shard", "cp", *bert.options).stdout
    assert f"{LAYERS} attention by exchanged heads" in report


def test_stamps(bert, tmp_path):  # noqa: F811
    import os

    folder = tmp_path / "stamps"
    folder.mkdir()
    tool.call("run", bert.of_mesh("cp=4"), "--dims", "batch=1,sequence=8", env={**os.environ, "KILN_STAMPS": str(folder)})
    table = json.loads(tool.call("inspect", "--stamps", folder, "--json").stdout)
    assert sum(one["kind"] == "all_to_all" and set(one["states"]) == {"done"} for one in table["collectives"]) == 4 * LAYERS
