"""The decoder builders against ONNX Runtime, onnx.reference and the double-precision reference."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import dataclasses
import itertools
import pathlib
import subprocess
import sys
import tracemalloc

import numpy as np
import onnx
import pytest

from bert import save
from decoder import config as shapes
from decoder import gpt2, gqa, past, reference, rope, scatter, session, weights

MODELS = pathlib.Path(__file__).resolve().parents[1]
LLAMA = shapes.FAMILIES["llama"]
SPELLINGS = {"past": past, "gqa": gqa, "scatter": scatter}
STEPS = 8


def build(path, spelling, config, seed=3, dtype=weights.BF16, external=False):
    values = weights.seeded(config, seed, dtype)
    save.save(*SPELLINGS[spelling].build(config, values), path, external)
    return values


def compare(found, expected, config, rows=1, prompt=5, steps=STEPS, tolerance=1e-4):
    """Logits of a prompt and of single tokens behind it."""
    random = np.random.default_rng(7)
    for length in [prompt] + [1] * steps:
        ids = random.integers(0, config.vocabulary, (rows, length))
        logits, truth = found.run(ids), expected.run(ids)
        assert logits.shape == truth.shape == (rows, length, config.vocabulary)
        assert np.abs(logits - truth).max() <= tolerance
        assert np.abs(truth).max() > 0.1  # the tolerance means something


@pytest.mark.parametrize("family", shapes.FAMILIES)
@pytest.mark.parametrize("spelling", ["past", "gqa"])
@pytest.mark.parametrize("rows", [1, 3])
def test_decoder_matches_onnxruntime(tmp_path, family, spelling, rows):
    config = shapes.FAMILIES[family]
    values = build(tmp_path / "m.onnx", spelling, config)
    # A traced Phi knows only the table for short sequences; the builder's chooses when the sequence grows past 12.
    steps = 6 if family == "phi3" and spelling == "past" else STEPS
    compare(session.Decoder(tmp_path / "m.onnx", rows), reference.Decoder(config, values), config, rows, steps=steps)


@pytest.mark.parametrize("adjacent", [False, True])
@pytest.mark.parametrize("scaling", rope.SCALINGS)
@pytest.mark.parametrize("spelling", ["past", "gqa", "scatter"])
def test_rotations_match_onnxruntime(tmp_path, spelling, scaling, adjacent):
    config = dataclasses.replace(LLAMA, scaling=scaling, adjacent=adjacent, scaling_factor=4.0, original_positions=16)
    values = build(tmp_path / "m.onnx", spelling, config)
    compare(session.Decoder(tmp_path / "m.onnx"), reference.Decoder(config, values), config)


def test_frequencies_of_longer_contexts():
    """Fast pairs keep theirs, slow ones are divided by the factor; Llama 3's at a wavelength between, as transformers computes it."""
    config = dataclasses.replace(LLAMA, head_size=128, theta=5e5, scaling_factor=8.0, original_positions=8192)
    plain = rope.frequencies(config)
    for scaling in ("yarn", "llama3"):
        found = rope.frequencies(dataclasses.replace(config, scaling=scaling))
        assert found[0] == plain[0] and found[-1] == pytest.approx(plain[-1] / 8) and (found <= plain).all()
        assert (np.diff(found) < 0).all() and (plain / 8 <= found * (1 + 1e-12)).all()
    wavelength = 2 * np.pi / plain[30]
    smooth = (8192 / wavelength - 1) / 3
    assert 0 < smooth < 1 and found[30] == pytest.approx((1 - smooth) * plain[30] / 8 + smooth * plain[30])
    ntk = rope.frequencies(dataclasses.replace(config, scaling="ntk"))
    assert ntk[0] == plain[0] and ntk[-1] == pytest.approx(plain[-1] / 8)


# The opset-24 spelling has neither windows nor tables by length.
SCATTERED = {
    name: dataclasses.replace(config, window=0, short_factors=(), long_factors=(), original_positions=0)
    for name, config in shapes.FAMILIES.items()
}


@pytest.mark.parametrize("family", SCATTERED)
@pytest.mark.parametrize("engine", [session.OnnxRuntime, session.Reference])
@pytest.mark.parametrize("rows", [1, 2])
def test_scattered_cache_matches_both_runtimes(tmp_path, family, engine, rows):
    config = SCATTERED[family]
    values = build(tmp_path / "m.onnx", "scatter", config)
    compare(session.Decoder(tmp_path / "m.onnx", rows, 16, engine), reference.Decoder(config, values), config, rows)


def test_rows_of_a_scattered_cache_have_lengths_of_their_own(tmp_path):
    values = build(tmp_path / "m.onnx", "scatter", LLAMA)
    engine = session.OnnxRuntime(tmp_path / "m.onnx")
    caches = {f"{role}_cache.{layer}": np.zeros((2, 16, 32), np.float32) for layer in (0, 1) for role in ("key", "value")}
    prompt, expected = np.array([[3, 1, 4, 1, 5], [9, 2, 6, 0, 0]]), []
    for row, length in enumerate((5, 3)):
        decoder = reference.Decoder(LLAMA, values)
        decoder.run(prompt[row : row + 1, :length])
        expected.append(decoder.run([[7]])[0])
    names = ["logits", *(f"updated_{name}" for name in caches)]
    for ids, before, after in ((prompt, [0, 0], [5, 5]), (np.array([[7], [7]]), [5, 3], [6, 4])):
        positions = np.array(before)[:, None] + np.arange(ids.shape[1])
        feeds = {"input_ids": ids, "position_ids": positions, "write_indices": np.array(before)}
        logits, *state = engine(names, feeds | {"nonpad_kv_seqlen": np.array(after)} | caches)
        caches = dict(zip(caches, state))
    assert np.abs(logits - np.array(expected)).max() <= 1e-4


@pytest.mark.parametrize("family", ["gemma2", "phi3"])
def test_scatter_refuses_windows_and_tables_by_length(family):
    config = shapes.FAMILIES[family]
    with pytest.raises(ValueError, match="use past or gqa"):
        scatter.build(config, weights.seeded(config, 0))


@pytest.mark.parametrize("rows", [1, 3])
def test_gpt2_matches_onnxruntime(tmp_path, rows):
    config = shapes.GPT2_SMALL
    values = weights.gpt2_seeded(config, 5)
    save.save(*gpt2.build(config, values), tmp_path / "m.onnx")
    compare(session.Decoder(tmp_path / "m.onnx", rows), reference.Gpt2(config, values), config, rows)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_prompt_in_parts_is_the_prompt(tmp_path, spelling):
    build(tmp_path / "m.onnx", spelling, LLAMA)
    ids = np.random.default_rng(1).integers(0, LLAMA.vocabulary, (1, 11))
    cuts = [4, 6, 1]
    whole, parts = session.Decoder(tmp_path / "m.onnx"), session.Decoder(tmp_path / "m.onnx")
    ends = list(itertools.accumulate(cuts))
    found = [parts.run(ids[:, end - size : end]) for size, end in zip(cuts, ends)]
    assert np.abs(np.concatenate(found, 1) - whole.run(ids)).max() <= 1e-5


def interface(graph):
    dims = lambda entry: [dim.dim_param or dim.dim_value for dim in entry.type.tensor_type.shape.dim]
    return {entry.name: dims(entry) for entry in graph}


def test_interfaces_are_those_of_the_exporters(tmp_path):
    found = {}
    for spelling in SPELLINGS:
        build(tmp_path / "m.onnx", spelling, LLAMA)
        found[spelling] = onnx.load(tmp_path / "m.onnx").graph
    inputs = {spelling: interface(graph.input) for spelling, graph in found.items()}
    outputs = {spelling: interface(graph.output) for spelling, graph in found.items()}
    for spelling in ("past", "gqa"):
        assert inputs[spelling]["past_key_values.1.key"] == ["batch_size", 2, "past_sequence_length", 16]
        assert outputs[spelling]["logits"] == ["batch_size", "sequence_length", 90]
    assert inputs["past"]["attention_mask"] == ["batch_size", "past_sequence_length + sequence_length"]
    assert inputs["gqa"]["attention_mask"] == ["batch_size", "total_sequence_length"]
    assert outputs["gqa"]["present.1.value"] == ["batch_size", 2, "total_sequence_length", 16]
    assert inputs["scatter"]["value_cache.1"] == ["batch_size", "max_sequence_length", 32]
    assert list(outputs["scatter"])[1:] == [f"updated_{name}" for name in list(inputs["scatter"])[2:-2]]


def test_operators_are_those_of_the_exporters(tmp_path):
    counts = {}
    for spelling in SPELLINGS:
        build(tmp_path / "m.onnx", spelling, LLAMA)
        model = onnx.load(tmp_path / "m.onnx")
        names = [node.name for node in model.graph.node]
        assert len(set(names)) == len(names)
        counts[spelling] = collections.Counter(node.op_type for node in model.graph.node)
        if spelling != "gqa":  # onnx does not know SimplifiedLayerNormalization
            onnx.checker.check_model(model, full_check=True)
    layers = LLAMA.layers
    assert counts["past"]["Softmax"] == counts["past"]["IsNaN"] == layers and counts["past"]["Neg"] == 2 * layers
    assert counts["gqa"]["GroupQueryAttention"] == layers
    assert counts["gqa"]["SkipSimplifiedLayerNormalization"] == 2 * layers
    assert counts["scatter"]["TensorScatter"] == 2 * layers and counts["scatter"]["Attention"] == layers
    assert counts["scatter"]["RMSNormalization"] == 2 * layers + 1


def test_longer_sequences_of_phi_choose_another_table(tmp_path):
    config = shapes.FAMILIES["phi3"]
    build(tmp_path / "m.onnx", "gqa", config)
    nodes = onnx.load(tmp_path / "m.onnx").graph.node
    (choice,) = (node for node in nodes if node.op_type == "If")
    assert list(choice.output) == ["cos_cache", "sin_cache"]
    branches = [attribute.g for attribute in choice.attribute]
    assert all(node.op_type == "Constant" for branch in branches for node in branch.node)
    assert sorted(interface(branch.output)["cos_cache_" + size][0] for branch, size in zip(branches, ("small", "large"))) == [12, 64]


def test_tied_table_is_stored_once(tmp_path):
    for spelling in SPELLINGS:
        build(tmp_path / "m.onnx", spelling, SCATTERED["qwen2"])
        stored = [tensor.dims for tensor in onnx.load(tmp_path / "m.onnx").graph.initializer]
        assert sum(sorted(dims) == [48, 90] for dims in stored) == 1


def test_f32_weights_hold_the_values_of_bf16(tmp_path):
    narrow, wide = (weights.seeded(LLAMA, 3, dtype) for dtype in (weights.BF16, np.float32))
    assert all(np.array_equal(weights.array(narrow[name]), weights.array(wide[name])) for name in narrow)
    build(tmp_path / "m.onnx", "past", LLAMA, dtype=np.float32)
    assert all(node.name.find("_f32") < 0 for node in onnx.load(tmp_path / "m.onnx").graph.node)
    compare(session.Decoder(tmp_path / "m.onnx"), reference.Decoder(LLAMA, wide), LLAMA)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_large_weights_are_written_in_blocks(tmp_path, spelling):
    config = dataclasses.replace(LLAMA, hidden=1024, wide=3072, vocabulary=8192)
    tracemalloc.start()
    values = build(tmp_path / "m.onnx", spelling, config, external=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (tmp_path / "m.onnx.data").stat().st_size > 60e6 and peak < 8e6
    compare(session.Decoder(tmp_path / "m.onnx"), reference.Decoder(config, values), config, steps=1, tolerance=1e-3)


def test_a_weight_of_another_shape_is_refused():
    values = weights.seeded(LLAMA, 0)
    with pytest.raises(ValueError, match="no weight model.layers.2.input_layernorm"):
        past.build(dataclasses.replace(LLAMA, layers=3), values)
    with pytest.raises(ValueError, match="expected .96, 48."):
        past.build(dataclasses.replace(LLAMA, wide=96), values)


def run_builder(*arguments):
    command = [sys.executable, MODELS / "build.py", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True)


def test_builder_writes_the_same_bytes_for_the_same_seed(tmp_path):
    found = []
    for seed in ("1", "1", "2"):
        run_builder("small", "qwen3", "--spelling", "gqa", "--seed", seed, "-o", tmp_path / "m.onnx")
        found.append((tmp_path / "m.onnx").read_bytes())
    assert found[0] == found[1] != found[2]


def test_builder_makes_the_large_shapes():
    # Table and head of the smaller one are apart: 100 million parameters without the head.
    assert parameters(shapes.LLAMA_110M) == 124_668_672
    assert parameters(shapes.LLAMA_1B) == 1_100_048_384


def parameters(config):
    return sum(int(np.prod(shape)) for shape in weights.shapes(config).values())
