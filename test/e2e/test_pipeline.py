"""Packages whose ranks are stages of a pipeline: the bits of one rank, a part of the weights and of the caches each."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import decoders
import kiln
import pytest
import tool
from test_ranks import BATCH, SEQUENCE, Meshes, inputs_of, run_processes, tinylm  # noqa: F401 (a fixture)

from bert import config, encoder, save, weights  # isort: skip  (decoders names their folder)

DEEP = config.Config(hidden=128, layers=4, heads=4, intermediate=512, vocabulary=100, positions=64)
PROMPT = "/// Returns true if the "


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    save.save(*encoder.build(DEEP, weights.seeded(DEEP, 5), config.Outputs(sentence=True)), folder / "bert.onnx")
    return Meshes(folder / "bert.onnx", folder, "--dims", f"batch=1..{BATCH},sequence=1..{SEQUENCE}")


def assert_same_bits(found, expected):
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name].tobytes() == values.tobytes(), name


@pytest.mark.parametrize("mesh", ["pp=2", "pp=3", "pp=4"])
def test_outputs_have_the_bits_of_one_rank(bert, mesh):
    one, group = kiln.Session(bert.of_mesh("")), kiln.Group(bert.of_mesh(mesh))
    assert group.ranks == int(mesh[-1])
    for dims in [(1, 1), (BATCH, SEQUENCE), (3, 7), (1, 1)]:
        expected = one.run(inputs_of(*dims))
        for own in group.run_all_ranks(inputs_of(*dims)):
            assert_same_bits(own, expected)


def test_a_mesh_of_both_has_the_bits_of_tensor_parallel_ranks(bert, tinylm):  # noqa: F811
    two, four = kiln.Group(bert.of_mesh("tp=2")), kiln.Group(bert.of_mesh("pp=2,tp=2"))
    assert four.ranks == 4
    for dims in [(1, 1), (BATCH, SEQUENCE), (3, 7)]:
        for own in four.run_all_ranks(inputs_of(*dims)):
            assert_same_bits(own, two.run(inputs_of(*dims)))
    tokens = []
    for mesh in ("tp=2", "pp=2,tp=2"):
        decoder = kiln.Decoder(tinylm.of_mesh(mesh), rows=2, capacity=64)
        logits = [decoder.prefill(decoders.tokens(0, 2, 7)), decoder.decode(decoders.tokens(1, 2, 3))]
        tokens.append(b"".join(each.tobytes() for each in logits))
    assert tokens[0] == tokens[1]


@pytest.mark.parametrize("mesh", ["pp=2", "pp=4"])
def test_text_is_that_of_one_rank(tinylm, mesh):  # noqa: F811
    options = ["--prompt", PROMPT, "--max-new", 64, "--json"]
    expected = json.loads(tool.call("generate", tinylm.of_mesh(""), *options).stdout)
    found = json.loads(tool.call("generate", tinylm.of_mesh(mesh), *options).stdout)
    assert found["tokens"] == expected["tokens"] and len(found["tokens"]) == 64


def test_states(tinylm, tmp_path):  # noqa: F811
    """Each rank has the caches of its layers, and a file has those of all of them."""
    one, two = (kiln.Decoder(tinylm.of_mesh(mesh), rows=2, capacity=64) for mesh in ("", "pp=2"))
    ids = decoders.tokens(0, 2, 9)
    for decoder in (one, two):
        decoder.prefill(ids)
        decoder.fork(0, 1)
    expected = one.decode(decoders.tokens(1, 2, 4))
    two.save(tmp_path / "state")
    assert two.decode(decoders.tokens(1, 2, 4)).tobytes() == expected.tobytes()
    two.trim(0, 3)
    two.load(tmp_path / "state")
    assert two.decode(decoders.tokens(1, 2, 4)).tobytes() == expected.tobytes()
    caches = [index for index, state in enumerate(two.session.states) if state.name != "lengths"]
    for index in caches:
        whole, parts = one.session.state_bytes(index), [two.session.state_bytes(index, rank) for rank in range(2)]
        assert sorted(parts) == [0, whole] and whole > 0
    assert len(caches) >= 12


def test_precision_is_kept(tinylm):  # noqa: F811
    """Weights of few bits are cut as others are: the same bits."""
    for options in (("--precision", "int4"), ("--precision", "bf16"), ("--kv", "int8")):
        one, two = (kiln.Decoder(tinylm.of_mesh(mesh, *options), rows=1, capacity=64) for mesh in ("", "pp=2"))
        ids = decoders.tokens(0, 1, 9)
        assert one.prefill(ids).tobytes() == two.prefill(ids).tobytes()
        assert one.decode(ids[:, :1]).tobytes() == two.decode(ids[:, :1]).tobytes()


@pytest.mark.parametrize("option, mesh", [("--calib", "pp=2"), ("--accuracy", "pp=2"), ("--accuracy", "cp=2")])
def test_calibration_and_budget_are_those_of_one_rank(tinylm, tmp_path, option, mesh):  # noqa: F811
    """The model is run on one rank while it is compiled, so that pipelines and context-parallel ranks have its weights and bits."""
    text = tmp_path / "text.txt"
    text.write_bytes(decoders.HELD_OUT.read_bytes()[:1024])
    options = [option, text if option == "--calib" else f"ppl<=1%:{text}"]
    packages = {}
    for each in ("tp=1", mesh):
        packages[each] = tmp_path / f"{each}.kiln"
        tool.call("compile", tinylm.model, "-o", packages[each], "-q", "--shard", each, "--precision", "int4", *tinylm.options, *options)
    one, two = (kiln.Decoder(path, rows=1, capacity=64) for path in packages.values())
    ids = decoders.tokens(0, 1, 19)
    assert one.prefill(ids).tobytes() == two.prefill(ids).tobytes()


def test_processes(bert, tmp_path):
    written = [f"--output={name}=@{tmp_path}/{name}.npy" for name in ("last_hidden_state", "sentence_embedding")]
    tool.call("run", bert.of_mesh(""), "--dims", "batch=2,sequence=9", *written)
    first, second = run_processes("run", bert.of_mesh("pp=2"), "--dims", "batch=2,sequence=9", "--compare", tmp_path)
    assert "PASSED" in first and not second


def test_what_each_rank_has(bert):
    table = json.loads(tool.call("inspect", bert.of_mesh("pp=2"), "--ranks", "--json").stdout)
    (whole,) = json.loads(tool.call("inspect", bert.of_mesh(""), "--ranks", "--json").stdout)["ranks"]
    sizes = [rank["weights_bytes"] for rank in table["ranks"]]
    shared = table["ranks"][0]["replicated_bytes"]
    assert sum(sizes) - shared == whole["weights_bytes"] and shared < 0.02 * whole["weights_bytes"]
    assert max(sizes) < 0.65 * whole["weights_bytes"]
    kinds = {each["kind"] for each in table["collectives"]}
    assert kinds == {"broadcast", "permute"} and len(table["collectives"]) <= 4


def test_what_is_handed_on(bert, tinylm, tmp_path):  # noqa: F811
    """With four stages a hidden state goes to the next one alone; outputs go to all ranks. In a mesh with tp to the rank in its place."""
    for package, states in ((bert.of_mesh("pp=4"), 3), (tinylm.of_mesh("pp=4"), 6), (bert.of_mesh("pp=2,tp=2"), 1)):
        table = json.loads(tool.call("inspect", package, "--ranks", "--json").stdout)
        kinds = [each["kind"] for each in table["collectives"]]
        assert kinds.count("permute") >= states
        assert kinds.count("broadcast") <= 3
    one = ["run", bert.of_mesh("pp=4"), "--dims", "batch=2,sequence=9", "--output"]
    tool.call(*one, f"last_hidden_state=@{tmp_path}/threads.npy")
    _, *others = run_processes(*one, f"last_hidden_state=@{tmp_path}/processes.npy", size=4)
    assert not any(others) and (tmp_path / "processes.npy").read_bytes() == (tmp_path / "threads.npy").read_bytes()


def test_report_and_determinism(bert, tmp_path):
    report = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", "--ranks", 2, "--shard", "pp", *bert.options).stdout
    assert re.search(r"  stages   2: weights of \S+ \S+, \S+ \S+; \d handovers in a run\n .* 50 % of it \(the bubble\)\n", report)
    assert (tmp_path / "m.kiln").read_bytes() == bert.of_mesh("pp=2").read_bytes()
    assert tool.call("verify", bert.of_mesh("pp=2"), "--model", bert.model, "--dims", "batch=2,sequence=9").stdout.endswith("PASSED\n")
    stats = json.loads(tool.call("run", bert.of_mesh("pp=2"), "--stats=json", "--dims", "batch=2,sequence=9").stdout)
    assert stats["ranks"] == 2


def test_python(bert, tmp_path):
    dims = {"batch": (1, BATCH), "sequence": (1, SEQUENCE)}
    kiln.compile(bert.model, tmp_path / "m.kiln", dims=dims, ranks=2, shard="pp")
    assert (tmp_path / "m.kiln").read_bytes() == bert.of_mesh("pp=2").read_bytes()
    assert kiln.check(bert.model, dims=dims, shard="pp=2") == kiln.check(bert.model, dims=dims, options=["--shard", "tp=2"]) == []
    (gap,) = kiln.check(bert.model, dims=dims, shard="tp=3")
    assert gap["code"] == "KILN-E0209"


@pytest.mark.parametrize(
    "options, words",
    [
        (["--shard", "pp=2,pp=2"], ["names an axis twice"]), (["--shard", "ep"], ["is not a way to split", "'ep'"]),
        (["--shard", "tp=2,sp=2"], ["names an axis twice", "of tp and sp one"]),
        (["--shard", "pp=0"], ["an axis of no ranks"]), (["--ranks", 4, "--shard", "pp,tp"], ["more than one axis without a number"]),
        (["--ranks", 4, "--shard", "pp=3"], ["does not divide the ranks", "found 3"]), (["--ranks", 4, "--shard", "pp=2"], ["another number of ranks"]),
        (["--shard", "pp=16,tp=8"], ["too many ranks", "found 128"]),
    ],
)  # fmt: skip
def test_meshes_that_are_wrong(bert, tmp_path, options, words):
    outcome = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", *options, *bert.options, status=2)
    tool.assert_error(outcome, "KILN-E0001", *words, status=2)


def test_more_stages_than_weights(tmp_path):
    from test_quantization import correlated_product

    model, _, _ = correlated_product(tmp_path)
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--dims", "n=1..8", "--shard", "pp=2", status=3)
    tool.assert_error(outcome, "KILN-E0209", "cannot be a pipeline of 2 stages", "found 1 large weights", status=3)
