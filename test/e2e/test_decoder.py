"""kiln.Decoder: models whose pasts and presents have become state, against ONNX Runtime and against themselves."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess
import sys

import decoders
import kiln
import numpy as np
import onnx
import pytest
import tool
from decoders import tokens
from onnx import TensorProto, helper


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    return decoders.Packages(tmp_path_factory.mktemp("decoders"))


@pytest.fixture(scope="module")
def llama(packages):
    return packages.package("llama", "native")


def bits(array):
    return np.asarray(array, np.float32).tobytes()


@pytest.mark.parametrize("device", decoders.DEVICES.values())
@pytest.mark.parametrize("family", decoders.FAMILIES | decoders.GENAI)
def test_steps_agree_with_onnxruntime(packages, driver, tmp_path, family, device):
    # Row by row: with a past, ONNX Runtime's GroupQueryAttention takes several tokens only for a single row.
    peers = [packages.peer(family, 1) for _ in range(2)]
    expected = []
    for step, count in enumerate(decoders.STEPS):
        ids = tokens(step, 2, count)
        expected.append(np.concatenate([peer.run(ids[row : row + 1]) for row, peer in enumerate(peers)]))
    expected[0] = expected[0][:, -1:]
    found, lengths = decoders.run_elsewhere(packages.package(family), device, tmp_path, driver)
    np.testing.assert_allclose(found, np.concatenate(expected, axis=1), rtol=0, atol=1e-4)
    assert lengths.tolist() == [sum(decoders.STEPS)] * 2


@pytest.mark.parametrize("family", decoders.FAMILIES | decoders.GENAI)
def test_chunks_rows_and_threads_change_no_bit(packages, family):
    """A token's logits do not depend on how the prompt was cut, on other rows, or on threads."""
    package = packages.package(family, "native")
    prompts = [tokens(row, count) for row, count in enumerate((7, 1, 30, 16, 17))]
    whole = kiln.Decoder(package, rows=5, capacity=64, threads=2)
    expected = whole.prefill(prompts)
    follow = tokens(9, 5, 3)
    expected_next = whole.decode(follow)
    for row, prompt in enumerate(prompts):
        alone = kiln.Decoder(package, rows=1, capacity=64, threads=1)
        # The length after the new rows selects the table for their rotation, so a prompt split in parts gives other
        # results.
        for part in [prompt] if family == "phi3-genai" else prompt[:, None]:
            last = alone.prefill([part])
        assert bits(last[0]) == bits(expected[row])
        for k in range(3):
            assert bits(alone.decode(follow[row : row + 1, k : k + 1])[0, 0]) == bits(expected_next[row, k])


@pytest.mark.parametrize("device", ["cpu", "sim:a100", "sim:h200"])
def test_padding_may_reach_beyond_the_capacity(packages, driver, tmp_path, device):
    """A row with few new tokens beside one with many, so near its end that the padding has no room."""
    alone = kiln.Decoder(packages.package("llama"), rows=1, capacity=20)
    alone.prefill([tokens(0, 18)])
    expected = alone.prefill([[7]])[0]
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import decoders, kiln, numpy as np;"
        "d = kiln.Decoder(sys.argv[2], device=sys.argv[3], rows=2, capacity=20);"
        "d.prefill([decoders.tokens(0, 18), [1]]);"
        "np.save(sys.argv[4], d.prefill([[7], decoders.tokens(1, 12)]))"
    )
    words = [sys.executable, "-c", script, decoders.MODELS.parent / "test/e2e", packages.package("llama"), device, tmp_path / "y.npy"]
    subprocess.run([*map(str, words)], check=True, env=driver, timeout=300)
    np.testing.assert_allclose(np.load(tmp_path / "y.npy")[0], expected, rtol=0, atol=1e-5)


def test_rows_join_and_leave(llama):
    """An empty prompt leaves its row alone; a row that was reset begins anew."""
    decoder = kiln.Decoder(llama, rows=2, capacity=32)
    first = decoder.prefill([tokens(0, 6), []])
    assert decoder.lengths.tolist() == [6, 0]
    both = decoder.prefill([[], tokens(1, 4)])
    assert bits(both[0]) == bits(first[0]) and decoder.lengths.tolist() == [6, 4]
    decoder.reset(0)
    again = decoder.prefill([tokens(0, 6), []])
    assert bits(again[0]) == bits(first[0]) and bits(again[1]) == bits(both[1])
    decoder.reset()
    assert decoder.lengths.tolist() == [0, 0]


@pytest.mark.parametrize("device", ["cpu", "sim:a100"])
def test_trim_and_fork(packages, simulator, monkeypatch, device):
    monkeypatch.setenv("KILN_SIM_DRIVER", str(simulator))
    decoder = kiln.Decoder(packages.package("llama"), device=device, rows=3, capacity=32)
    decoder.prefill([tokens(0, 6), tokens(1, 9), tokens(2, 2)])
    decoder.fork(0, 2)
    assert decoder.lengths.tolist() == [6, 9, 6]
    logits = decoder.decode([[5], [5], [5]])
    assert bits(logits[0]) == bits(logits[2]) != bits(logits[1])
    diverged = decoder.decode([[1], [2], [3]])
    assert bits(diverged[0]) != bits(diverged[2])
    for row in (0, 2):
        decoder.trim(row, 6)
    repeated = decoder.decode([[5], [7], [5]])
    assert bits(repeated[0]) == bits(logits[0]) and bits(repeated[2]) == bits(logits[2])


def test_save_and_load(llama, tmp_path):
    decoder = kiln.Decoder(llama, rows=2, capacity=32)
    decoder.prefill([tokens(0, 6), tokens(1, 9)])
    decoder.save(tmp_path / "chat.state")
    expected = decoder.decode([[5], [6]])
    other = kiln.Decoder(llama, rows=2, capacity=32)
    other.load(tmp_path / "chat.state")
    assert other.lengths.tolist() == [6, 9]
    assert bits(other.decode([[5], [6]])) == bits(expected)
    assert os.listdir(tmp_path) == ["chat.state"]


def test_a_state_that_does_not_fit_is_refused(packages, llama, tmp_path):
    decoder = kiln.Decoder(llama, rows=2, capacity=32)
    decoder.prefill([tokens(0, 6), tokens(1, 9)])
    decoder.save(tmp_path / "s")
    good = (tmp_path / "s").read_bytes()
    expected = decoder.decode([[5], [6]])

    def refused(data, decoder, what):
        (tmp_path / "bad").write_bytes(data)
        before = decoder.lengths.tolist()
        with pytest.raises(kiln.Error, match=what) as error:
            decoder.load(tmp_path / "bad")
        assert error.value.code == "KILN-E0618" and decoder.lengths.tolist() == before

    for cut in (0, 5, 40, 200, len(good) - 1):
        refused(good[:cut], decoder, "not all of one|damaged")
    for place in (12, 30, 60, len(good) // 2, len(good) - 1):
        refused(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :], decoder, "damaged|not all of one")
    refused(good.replace(b"KILNSTATE1", b"KILNSTATE0"), decoder, "by another version; expected KILNSTATE1, found KILNSTATE0")
    refused(good, kiln.Decoder(llama, rows=2, capacity=31), "another capacity")
    refused(good, kiln.Decoder(llama, rows=1, capacity=32), "another rows")
    refused(good, kiln.Decoder(packages.package("qwen2", "native"), rows=2, capacity=32), "another model")
    decoder.load(tmp_path / "s")
    assert bits(decoder.decode([[5], [6]])) == bits(expected)


def test_bad_use_is_an_error_and_changes_nothing(llama, packages, small_package):
    decoder = kiln.Decoder(llama, rows=2, capacity=20)
    for call, what in [
        (lambda: decoder.decode([[1], [2]]), "row 0 holds no tokens"),
        (lambda: decoder.prefill([[], []]), "all prompts are empty"),
        (lambda: decoder.prefill([[1]]), "another number of rows; expected 2, found 1"),
        (lambda: decoder.prefill([tokens(0, 21), [1]]), "row 0 has no room for its new tokens; expected at most 20"),
        (lambda: decoder.trim(0, 1), "cannot have this length; expected 0 to 0"),
        (lambda: decoder.trim(2, 0), "no such row; expected 0 to 1, found 2"),
        (lambda: decoder.fork(0, -1), "no such row"),
        (lambda: decoder.fork(0, 2), "no such row; expected 0 to 1, found 2"),
        (lambda: kiln.Decoder(small_package[1]), "no decoder with state"),
        (lambda: kiln.Decoder(llama, processes=True), "for one rank, which no other process can join"),
    ]:
        with pytest.raises(kiln.Error, match=what) as error:
            call()
        assert error.value.code == "KILN-E0617"
    decoder.prefill([tokens(0, 18), [1]])
    with pytest.raises(kiln.Error, match="row 0 has no room"):
        decoder.decode(tokens(1, 2, 3))
    with pytest.raises(kiln.Error, match=r"expected \[2, k\] with k from 1 to 16, found \[2, 17\]"):
        decoder.decode(tokens(1, 2, 17))
    with pytest.raises(kiln.Error) as error:
        decoder.prefill([[90], []])
    assert error.value.code == "KILN-E0614"
    assert decoder.lengths.tolist() == [18, 1]
    assert kiln.Decoder(llama, processes=False, timeout_ms=100).lengths.tolist() == [0]
    for options, code in [(dict(rows=9), "KILN-E0608"), (dict(capacity=65), "KILN-E0608")]:
        with pytest.raises(kiln.Error) as error:
            kiln.Decoder(llama, **options)
        assert error.value.code == code


def test_rows_stay_out_of_a_step(llama):
    """An empty row of decode is left alone, as one of prefill is."""
    decoder, other = (kiln.Decoder(llama, rows=3, capacity=32) for _ in range(2))
    prompts = [tokens(0, 6), tokens(1, 4), tokens(2, 5)]
    decoder.prefill(prompts)
    other.prefill(prompts)
    found = decoder.decode([[1, 2], [], [3, 4]])
    assert found.shape[:2] == (3, 2) and decoder.lengths.tolist() == [8, 4, 7]
    assert bits(found[[0, 2]]) == bits(other.decode([[1, 2], [9, 9], [3, 4]])[[0, 2]])
    other.trim(1, 4)
    assert bits(decoder.decode([[5], [6], []])[:2]) == bits(other.decode([[5], [6], [7]])[:2])
    for wrong in ([[], [], []], [[1], [2] * 17, [4]], [[1], [2]], [1, 2, 3], [[[1]], [[2]], [[3]]]):
        with pytest.raises(kiln.Error, match=r"expected \[3, k\] with k from 1 to 16") as error:
            decoder.decode(wrong)
        assert error.value.code == "KILN-E0617"


def test_rows_of_a_step_have_different_numbers_of_tokens(llama):
    """As drafts of several sequences have: each row has the bits that it has alone."""
    drafts = [[1, 2, 3], [4], []]
    decoder = kiln.Decoder(llama, rows=3, capacity=32)
    prompts = [tokens(0, 6), tokens(1, 4), tokens(2, 5)]
    decoder.prefill(prompts)
    found = decoder.decode(drafts)
    assert found.shape[:2] == (3, 3) and decoder.lengths.tolist() == [9, 5, 5]
    last = []
    for row, (prompt, draft) in enumerate(zip(prompts, drafts)):
        alone = kiln.Decoder(llama, rows=1, capacity=32)
        last.append(alone.prefill([prompt])[0])
        if draft:
            expected = alone.decode([draft])[0]
            assert bits(found[row, : len(draft)]) == bits(expected)
            last[row] = expected[-1]
    # The next prefill returns the last logits of the rows that it leaves alone.
    behind = decoder.prefill([[7], [], []])
    assert bits(behind[1]) == bits(last[1]) and bits(behind[2]) == bits(last[2])


def test_entries_share_state(llama):
    """kiln.Session below Decoder: prefill gives the last position, decode all of them, over one cache."""
    session = kiln.Session(llama, dims={"capacity": 32, "rows": 2})
    assert session.entries == ["prefill", "decode"]
    decode = session.entry("decode")
    ids, counts = tokens(0, 2, 5), np.array([5, 3], np.int64)
    last = session.run({"input_ids": ids, "counts": counts})["logits"]
    assert last.shape[:2] == (2, 1)
    other = session.clone()
    every = other.entry("decode").run({"input_ids": ids, "counts": counts})["logits"]
    assert bits(every[0, 4]) == bits(last[0, 0]) and bits(every[1, 2]) == bits(last[1, 0])
    step = {"input_ids": tokens(1, 2, 1), "counts": np.array([1, 1], np.int64)}
    assert bits(decode.run(step)["logits"]) == bits(other.entry("decode").run(step)["logits"])
    for wrong in ("main", ""):
        with pytest.raises(kiln.Error, match="no such entry; expected prefill, decode") as error:
            session.entry(wrong)
        assert error.value.code == "KILN-E0619"
    session.close()
    assert decode.run(step)["logits"].shape[:2] == (2, 1)  # an entry point keeps its session


def test_ids_of_32_bits(packages, llama, tmp_path):
    model = onnx.load(packages.model("llama"))
    ids = next(value for value in model.graph.input if value.name == "input_ids")
    for node in model.graph.node:
        node.input[:] = ["wide_ids" if name == "input_ids" else name for name in node.input]
    model.graph.node.insert(0, helper.make_node("Cast", ["input_ids"], ["wide_ids"], to=TensorProto.INT64))
    ids.type.tensor_type.elem_type = TensorProto.INT32
    onnx.save(model, tmp_path / "m.onnx")
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "--dims", decoders.DIMS, "-q")
    expected, found = (kiln.Decoder(package, rows=1, capacity=16) for package in (llama, tmp_path / "m.kiln"))
    assert bits(found.prefill([tokens(0, 5)])) == bits(expected.prefill([tokens(0, 5)]))
    assert bits(found.decode([[3]])) == bits(expected.decode([[3]]))
    options = ("--prompt-ids", "5,9,2", "--max-new", 4, "-t", 1)
    assert tool.call("generate", tmp_path / "m.kiln", *options).stdout == tool.call("generate", llama, *options).stdout


def test_a_session_without_dims_has_one_row(llama, tmp_path):
    """And the most capacity of the package: kiln.Session and kiln run work on a model with state as they are."""
    session, decoder = kiln.Session(llama), kiln.Decoder(llama, rows=1, capacity=64)
    ids = tokens(0, 5)
    found = session.run({"input_ids": np.array([ids]), "counts": np.array([5])})["logits"]
    assert bits(found) == bits(decoder.prefill([ids]))
    assert {arena.kind: arena.capacity for arena in session.memory}["state"] == {arena.kind: arena.capacity for arena in decoder.session.memory}["state"]
    with pytest.raises(kiln.Error, match=r"use dims in 1\.\.1, or create the session with dims rows=2") as error:
        session.run({"input_ids": np.array([ids, ids]), "counts": np.array([5, 5])})
    assert error.value.code == "KILN-E0604"
    tool.call("run", llama, "-q")
    tool.call("run", llama, "--dims", "rows=2,capacity=16", "-q")


def test_session_counts_rows_itself(llama):
    """Below Decoder: the session refuses counts and lengths that do not fit, and sizes that are not fixed."""
    for ranged, dims in [("rows", {"rows": (1, 2), "capacity": 8}), ("capacity", {"rows": 2, "capacity": (1, 8)})]:
        with pytest.raises(kiln.Error, match=f"dim \"{ranged}\": the size of the model's state depends on it") as error:
            kiln.Session(llama, dims=dims)
        assert error.value.code == "KILN-E0608"
    session = kiln.Session(llama, dims={"capacity": 8, "rows": 2})

    def run(count, counts):
        return session.run({"input_ids": tokens(0, 2, count), "counts": np.array(counts, np.int64)})

    for counts, what in [([1, 4], "do not have so many new rows; expected 0 to 3, found 4"), ([-1, 0], "found -1")]:
        with pytest.raises(kiln.Error, match=what) as error:
            run(3, counts)
        assert error.value.code == "KILN-E0615"
    run(6, [6, 2])
    with pytest.raises(kiln.Error, match=r"sequence 0: the state has no room .* at most 2 \(it has 6 of 8\)"):
        run(3, [3, 3])
    run(3, [2, 3])
    names = [state.name for state in session.states]
    lengths = names.index("lengths")
    assert np.frombuffer(session.read_state(lengths), np.int64).tolist() == [8, 5]
    for data, offset, code in [(b"\t" + bytes(7), 0, "KILN-E0615"), (bytes(8), 4, "KILN-E0616"), (bytes(8), 16, "KILN-E0616")]:
        with pytest.raises(kiln.Error) as error:
            session.write_state(lengths, offset, data)
        assert error.value.code == code
    session.write_state(lengths, 0, bytes(8))
    run(3, [3, 3])


@pytest.mark.parametrize("family", decoders.FAMILIES | decoders.GENAI)
def test_the_state_does_not_move(packages, family):
    """1,000 steps of changing lengths: what memory there is was stated before."""
    decoder = kiln.Decoder(packages.package(family, "native"), rows=2, capacity=40)
    arenas = {arena.kind: arena for arena in decoder.session.memory}
    assert set(arenas["state"].formula) & set("rows") and "sequence" not in arenas["state"].formula
    prompts = [tokens(0, 4), tokens(1, 3)]
    first = decoder.prefill(prompts)
    for step in range(1000):
        if decoder.lengths.max() > 36:
            decoder.reset()
            decoder.prefill(prompts)
        decoder.decode(tokens(step, 2, step % 4 + 1))
    after = {arena.kind: arena for arena in decoder.session.memory}
    assert after["state"].capacity == arenas["state"].capacity == after["state"].last_formula
    decoder.reset()
    assert bits(decoder.prefill(prompts)) == bits(first)


def test_spellings_give_the_same_tokens(packages):
    """Of one model, greedily, as torch and as onnxruntime-genai write it."""
    texts = []
    for family in ("qwen3", "qwen3-genai"):
        decoder = kiln.Decoder(packages.package(family, "native"), capacity=64)
        logits, text = decoder.prefill([[1, 2, 3]]), []
        for _ in range(50):
            text.append(int(logits[0].argmax()))
            logits = decoder.decode([[text[-1]]])[:, -1]
        texts.append(text)
    assert texts[0] == texts[1] and len(set(texts[0])) > 3


def test_group_query_attention_needs_state(packages, tmp_path):
    outcome = tool.call("compile", packages.model("llama-genai"), "-o", tmp_path / "m.kiln", "--no-state", "-q", status=3)
    assert outcome.code == "KILN-E0122" and "leave --no-state out" in outcome.message


def test_no_state_is_not_advised_where_it_fails_too(packages, tmp_path):
    model = onnx.load(packages.model("llama-genai"))
    model.graph.output.remove(next(each for each in model.graph.output if each.name == "present.0.key"))
    onnx.save(model, tmp_path / "m.onnx")
    outcome = tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "-q", status=3)
    assert outcome.code == "KILN-E0206" and "compile with --no-state" not in outcome.message
    assert "--no-state does not help, as then node " in outcome.message and "needs a cache that is state" in outcome.message
    assert "--no-state does not help" in tool.call("check", tmp_path / "m.onnx", status=None).stdout


def test_rows_beyond_memory_are_refused(packages, driver):
    """The state of all rows, to which a fork writes, is allocated before anything runs."""
    script = "import sys, kiln; kiln.Decoder(sys.argv[1], device='sim:a100', rows=int(sys.argv[2]), capacity=64).fork(0, 0)"
    for rows in (1, 5):
        command = [sys.executable, "-c", script, packages.package("llama"), str(rows)]
        environment = driver | {"KILN_SIM_MEMORY": "320K"}
        done = subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True, timeout=100)
        assert ("KILN-E0708" in done.stderr, done.returncode != 0) == (rows > 1,) * 2, done.stderr


def test_kept_inputs(packages, tmp_path):
    """Positions that the caller gives: those that the state would give lead to the same bits, others to other logits."""
    tool.call("compile", packages.model("llama"), "-o", tmp_path / "m.kiln", "--dims", decoders.DIMS, "--keep-input", "position_ids",
              "-q")  # fmt: skip
    packages_of_both = (tmp_path / "m.kiln", packages.package("llama", "native"))
    kept, plain = (kiln.Session(package, dims={"capacity": 32, "rows": 2}) for package in packages_of_both)
    assert [tensor.name for tensor in kept.inputs] == ["input_ids", "position_ids", "counts"]
    step = {"input_ids": tokens(0, 2, 5), "counts": np.array([5, 5], np.int64)}
    positions = np.tile(np.arange(5), (2, 1))
    expected = plain.run(step)["logits"]
    assert bits(kept.run(step | {"position_ids": positions})["logits"]) == bits(expected)
    kept.reset_state()
    assert np.abs(kept.run(step | {"position_ids": positions * 2})["logits"] - expected).max() > 1e-3


def test_models_without_state_stay_as_they_are(packages, tmp_path):
    model = packages.model("llama")
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--no-state", "-q")
    assert any(tensor.name.startswith("past") for tensor in kiln.Session(tmp_path / "m.kiln").inputs)
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--dims", "rows=0..2", "-q", status=2)
    assert outcome.code == "KILN-E0123"
