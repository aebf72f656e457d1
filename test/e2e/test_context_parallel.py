"""Context parallelism (--shard cp): each rank computes its rows of a sequence, with the bits of one rank."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import decoders
import kiln
import pytest
import tool
from test_ranks import BATCH, LAYERS, Meshes, assert_close, bert, generate, inputs_of, run_processes, tinylm  # noqa: F401 (fixtures)


def assert_same_bits(found, expected):
    assert found.keys() == expected.keys()
    assert all(found[name].tobytes() == values.tobytes() for name, values in expected.items())


@pytest.mark.parametrize("mesh", ["cp=2", "cp=4", "pp=2,cp=2"])
def test_outputs_have_the_bits_of_one_rank(bert, mesh):  # noqa: F811
    """Also for fewer rows than ranks, and for rows that the ranks do not divide."""
    one, group = kiln.Session(bert.of_mesh("")), kiln.Group(bert.of_mesh(mesh))
    for dims in [(1, 1), (BATCH, 32), (2, 7), (2, 17), (3, 2), (1, 31)]:
        inputs = inputs_of(*dims)
        inputs["attention_mask"][-1, dims[1] // 2 + 1 :] = 0
        expected = one.run(inputs)
        for own in group.run_all_ranks(inputs):
            assert_same_bits(own, expected)


@pytest.mark.parametrize("mesh", ["tp=2,cp=2", "cp=4,tp=2", "pp=2,cp=2,tp=2"])
def test_products_with_tensor_parallelism(bert, mesh):  # noqa: F811
    """The bits of tensor-parallel ranks, on all ranks, and nearly those of one rank."""
    one, two, group = kiln.Session(bert.of_mesh("")), kiln.Group(bert.of_mesh("tp=2")), kiln.Group(bert.of_mesh(mesh))
    for dims in [(1, 1), (BATCH, 32), (2, 7), (2, 17), (3, 2), (1, 31)]:
        inputs = inputs_of(*dims)
        inputs["attention_mask"][-1, dims[1] // 2 + 1 :] = 0
        expected = two.run(inputs)
        assert_close(expected, one.run(inputs))
        for own in group.run_all_ranks(inputs):
            assert_same_bits(own, expected)


def test_collectives_of_products(bert):  # noqa: F811
    """Sums of a tensor-parallel rank are of its rows; keys and values are those of its heads. Weights are those of tensor-parallel ranks."""
    tp, both = (json.loads(tool.call("inspect", bert.of_mesh(mesh), "--ranks", "--json").stdout) for mesh in ("tp=2", "tp=2,cp=2"))
    assert [one["weights_bytes"] for one in both["ranks"][:2]] == [pytest.approx(one["weights_bytes"], abs=64) for one in tp["ranks"]]
    sums, whole = ([one["bytes"] for one in table["collectives"] if one["kind"] == "all_reduce"] for table in (both, tp))
    assert len(sums) == 2 * LAYERS and sums == [bytes_ // 2 for bytes_ in whole]
    assert sum(one["kind"] == "all_gather" for one in both["collectives"]) == 2 * LAYERS + 1


def test_a_decoder_of_products(tinylm):  # noqa: F811
    two, four = (kiln.Decoder(tinylm.of_mesh(mesh), rows=2, capacity=128) for mesh in ("tp=2", "tp=2,cp=2"))
    for ids in (decoders.tokens(0, 2, 41), [[], [5, 6, 7]], decoders.tokens(1, 2, 17)):
        assert four.prefill(ids).tobytes() == two.prefill(ids).tobytes()
    assert four.decode(decoders.tokens(2, 2, 4)).tobytes() == two.decode(decoders.tokens(2, 2, 4)).tobytes()
    options = ["--prompt", "/// Returns true if the string is", "--max-new", 64]
    assert generate(tinylm.of_mesh("tp=2,cp=2"), *options)["tokens"] == generate(tinylm.of_mesh(""), *options)["tokens"]


def test_collectives(bert):  # noqa: F811
    """Keys and values of each layer, and the output; every rank has all weights. Four ranks: test_context_heads.py."""
    table = json.loads(tool.call("inspect", bert.of_mesh("cp=2"), "--ranks", "--json").stdout)
    kinds = [one["kind"] for one in table["collectives"]]
    assert kinds == ["all_gather"] * (2 * LAYERS + 1)
    assert all(rank["weights_bytes"] == table["ranks"][0]["weights_bytes"] for rank in table["ranks"])


def test_processes_of_products(bert, tmp_path):  # noqa: F811
    """The bits of threads; and two compiles give the same bytes."""
    run = ["run", bert.of_mesh("tp=2,cp=2"), "--dims", "batch=2,sequence=19", "--output"]
    tool.call(*run, f"last_hidden_state=@{tmp_path}/threads.npy")
    _, *others = run_processes(*run, f"last_hidden_state=@{tmp_path}/processes.npy", size=4)
    assert not any(others) and (tmp_path / "processes.npy").read_bytes() == (tmp_path / "threads.npy").read_bytes()
    tool.call("compile", bert.model, "-o", tmp_path / "again.kiln", "-q", "--ranks", 4, "--shard", "tp=2,cp", *bert.options)
    assert (tmp_path / "again.kiln").read_bytes() == bert.of_mesh("tp=2,cp=2").read_bytes()


def test_processes(bert, tmp_path):  # noqa: F811
    """The bits of threads, and two compiles give the same bytes."""
    written = [f"--output={name}=@{tmp_path}/{name}.npy" for name in ("last_hidden_state", "sentence_embedding")]
    tool.call("run", bert.of_mesh(""), "--dims", "batch=2,sequence=19", *written)
    first, second = run_processes("run", bert.of_mesh("cp=2"), "--dims", "batch=2,sequence=19", "--compare", tmp_path)
    assert "PASSED" in first and not second
    tool.call("compile", bert.model, "-o", tmp_path / "again.kiln", "-q", "--ranks", 2, "--shard", "cp", *bert.options)
    assert (tmp_path / "again.kiln").read_bytes() == bert.of_mesh("cp=2").read_bytes()


def test_a_decoder(tinylm):  # noqa: F811
    """Prefill divides rows, whatever lies in the caches; decode, of at most 16 rows, does not. Every rank has all caches."""
    one, two = (kiln.Decoder(tinylm.of_mesh(mesh), rows=2, capacity=128) for mesh in ("", "cp=2"))
    for ids in (decoders.tokens(0, 2, 41), [[], [5, 6, 7]], decoders.tokens(1, 2, 17)):
        assert two.prefill(ids).tobytes() == one.prefill(ids).tobytes()
    assert two.decode(decoders.tokens(2, 2, 4)).tobytes() == one.decode(decoders.tokens(2, 2, 4)).tobytes()
    options = ["--prompt", "/// Returns true if the string is", "--max-new", 64]
    expected = generate(tinylm.of_mesh(""), *options)
    for ranks in (2, 4):
        assert generate(tinylm.of_mesh(f"cp={ranks}"), *options)["tokens"] == expected["tokens"]
    table = json.loads(tool.call("inspect", tinylm.of_mesh("cp=2"), "--ranks", "--json").stdout)
    assert {one["entry"] for one in table["collectives"]} == {"prefill"}


def test_states(tinylm, tmp_path):  # noqa: F811
    """A file of states is that of one rank."""
    one, two = (kiln.Decoder(tinylm.of_mesh(mesh), rows=2, capacity=64) for mesh in ("", "cp=2"))
    for decoder in (one, two):
        decoder.prefill(decoders.tokens(0, 2, 19))
        decoder.fork(0, 1)
    two.save(tmp_path / "state")
    expected = one.decode(decoders.tokens(1, 2, 4))
    assert two.decode(decoders.tokens(1, 2, 4)).tobytes() == expected.tobytes()
    two.trim(0, 3)
    two.load(tmp_path / "state")
    assert two.decode(decoders.tokens(1, 2, 4)).tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", ["gemma2", "gpt2", "phi3"])
def test_families(tmp_path, name):
    """Windows and softcaps, learned positions, and rotations of a part of each head."""
    model, dims = decoders.Packages(tmp_path).model(name), ["--dims", "rows=1,capacity=1..64,sequence=1..32"]
    meshes = Meshes(model, tmp_path, *dims)
    one, two = (kiln.Decoder(meshes.of_mesh(mesh), rows=1) for mesh in ("", "cp=2"))
    for step, count in enumerate((21, 3, 18)):
        ids = decoders.tokens(step, 1, count)
        assert two.prefill(ids).tobytes() == one.prefill(ids).tobytes()


@pytest.mark.parametrize("options", [("--precision", "int8"), ("--kv", "int8")], ids=" ".join)
def test_precision_is_kept(tinylm, options):  # noqa: F811
    """Weights are not divided, and scales of activations are those of rows: the same bits."""
    one, two = (kiln.Decoder(tinylm.of_mesh(mesh, *options), rows=1, capacity=64) for mesh in ("", "cp=2"))
    ids = decoders.tokens(0, 1, 23)
    assert two.prefill(ids).tobytes() == one.prefill(ids).tobytes()
    assert two.decode(ids[:, :1]).tobytes() == one.decode(ids[:, :1]).tobytes()


def test_report(bert, tinylm, tmp_path):  # noqa: F811
    report = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", "--ranks", 2, "--shard", "cp", *bert.options).stdout
    assert f"{LAYERS} attention by context" in report and "an all-gather of keys and values" in report
    report = tool.call("compile", tinylm.model, "-o", tmp_path / "m.kiln", "--shard", "cp=2", *tinylm.options).stdout
    assert "@decode: a sequence has at most 16 rows" in report


def test_what_is_refused(bert, tmp_path):  # noqa: F811
    def fails(*options, status, code, words):
        outcome = tool.call("compile", bert.model, "-o", tmp_path / "m.kiln", *options, status=status)
        tool.assert_error(outcome, code, words, status=status, parts=("fix: ",))

    fails("--shard", "cp=2,sp=2", status=2, code="KILN-E0001", words="divides rows of sequences twice")
    fails("--shard", "cp=2", "--dims", "batch=1,sequence=1..16", status=3, code="KILN-E0209", words="a sequence has at most 16 rows")


def test_verify(bert):  # noqa: F811
    for mesh in ("cp=2", "tp=2,cp=2"):
        outcome = tool.call("verify", bert.of_mesh(mesh), "--model", bert.model, "--dims", "batch=2,sequence=19")
        assert "on all ranks" in outcome.stdout and outcome.stdout.endswith("PASSED\n")
