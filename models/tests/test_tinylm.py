"""tinylm in its three spellings: the same logits, tokens and perplexity, and a corpus that is cut the same way each time."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from decoder import config as shapes
from decoder import reference, session, weights
from tinylm import corpus, export, perplexity

MODELS = pathlib.Path(__file__).resolve().parents[1]
TINYLM = MODELS / "tinylm"
SPELLINGS = list(perplexity.SPELLINGS)
HELD_OUT = (TINYLM / "held_out.bin").read_bytes()
PROMPT = b"//===- "


def committed(name):
    """Name -> columns of a table beside the model."""
    lines = [line.split("\t") for line in (TINYLM / name).read_text().splitlines()]
    return {cells[0]: dict(zip(lines[0], cells)) for cells in lines[1:]}


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tinylm")
    for spelling in SPELLINGS:
        command = [sys.executable, MODELS / "build.py", "tinylm", "--spelling", spelling, "-o", folder / f"{spelling}.onnx"]
        subprocess.run(command, check=True)
    return {spelling: folder / f"{spelling}.onnx" for spelling in SPELLINGS}


def ids(text):
    return np.frombuffer(text, np.uint8).astype(np.int64)[None]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_logits_match_reference_in_prefill_and_decode(exported, spelling):
    found = session.Decoder(exported[spelling])
    expected = reference.Decoder(shapes.read_config(TINYLM), weights.read_checkpoint(TINYLM))
    text = HELD_OUT[400:448]
    for begin, end in [(0, 40), *((place, place + 1) for place in range(40, 48))]:
        assert np.abs(found.run(ids(text[begin:end])) - expected.run(ids(text[begin:end]))).max() <= 1e-4


def test_opset_24_matches_onnx_reference(exported):
    found, expected = (session.Decoder(exported["scatter"], engine=e) for e in (session.Reference, session.OnnxRuntime))
    for text in (HELD_OUT[:24], HELD_OUT[24:25]):
        assert np.abs(found.run(ids(text)) - expected.run(ids(text))).max() <= 1e-4


def greedy(path, count):
    decoder, found = session.Decoder(path, capacity=len(PROMPT) + count), bytearray(PROMPT)
    logits = decoder.run(ids(PROMPT))
    for _ in range(count):
        found.append(int(logits[0, -1].argmax()))
        logits = decoder.run(ids(found[-1:]))
    return bytes(found)


def test_greedy_text_is_the_same_in_all_spellings_and_looks_like_a_header(exported):
    first, *others = (greedy(exported[spelling], 160) for spelling in SPELLINGS)
    assert all(other == first for other in others)
    assert first.count(b"//") >= 2 and first.isascii()


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_perplexity_is_the_committed_one(exported, spelling):
    row = committed("perplexity.tsv")[f"tinylm {spelling}"]
    found = 2 ** perplexity.bits_per_byte(exported[spelling], HELD_OUT)
    assert found == pytest.approx(float(row["perplexity"]), rel=1e-4)


def test_model_is_far_below_the_entropy_of_bytes():
    table = committed("perplexity.tsv")
    frequencies = float(table["byte frequencies, all held-out headers"]["bits_per_byte"])
    assert float(table["tinylm gqa, all held-out headers"]["bits_per_byte"]) < 0.4 * frequencies
    assert float(table["tinylm past"]["bits_per_byte"]) < 0.4 * frequencies


def test_model_is_small():
    assert sum(path.stat().st_size for path in TINYLM.rglob("*") if path.is_file()) < 10e6


def headers(folder, texts):
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return folder


def test_corpus_is_cut_by_the_contents_of_files(tmp_path):
    texts = {f"llvm/IR/{index}.h": b"#define N%d\n" % index for index in range(300)}
    folder = headers(tmp_path, texts | {"llvm/IR/copy.h": texts["llvm/IR/7.h"], "llvm/a.cpp": b"x", "clang/b.h": b"y"})
    assert len(corpus.files(folder)) == 301
    training, held_out = corpus.read(folder)
    parts = [set(text.split(b"\0")) - {b""} for text in (training, held_out)]
    assert not parts[0] & parts[1] and parts[0] | parts[1] == set(texts.values())
    assert 2 <= len(parts[1]) <= 25 and all(map(corpus.is_held_out, parts[1]))
    assert corpus.excerpt(folder, 20) == corpus.excerpt(folder, 40)[:20]


def test_corpus_without_headers_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="none of the headers"):
        corpus.files(tmp_path)


def test_entropy_of_byte_frequencies():
    uniform = bytes(range(256)) * 64
    assert corpus.unigram_bits(uniform, uniform) == pytest.approx(8.0)
    assert corpus.unigram_bits(b"ab" * 100000, b"abba") == pytest.approx(1.0, abs=0.01)


def test_bits_of_uniform_logits():
    assert perplexity.bits(np.full((2, 3, 256), 5.0), np.zeros((2, 3), int)) == pytest.approx(6 * 8)


def test_export_rounds_the_mean_to_bf16(tmp_path):
    random, config = np.random.default_rng(0), shapes.read_config(TINYLM)
    values = {name: random.standard_normal(shape).astype(np.float32) for name, shape in weights.shapes(config).items()}
    kinds = {f"{kind}/{name}": factor * value for kind, factor in (("mean", 1), ("weights", 2)) for name, value in values.items()}
    np.savez(tmp_path / "checkpoint.npz", count=1, seconds=2.0, **kinds)
    weights.write_checkpoint(tmp_path / "model.safetensors", export.read(tmp_path / "checkpoint.npz"))
    found = weights.read_checkpoint(tmp_path)
    for name, value in values.items():
        assert found[name].dtype == weights.BF16
        assert np.abs(found[name].astype(np.float32) - value).max() <= np.abs(value).max() * math.ldexp(1, -8)


@pytest.mark.parametrize(
    "change,message",
    [
        (('"llama"', '"mistral"'), "model_type is 'mistral'"),
        (('"silu"', '"gelu"'), "hidden_act is 'gelu'"),
        (('"hidden_size"', '"rope_scaling": {"factor": 2}, "hidden_size"'), "rope_scaling"),
        (('"vocab_size": 256', '"vocab_size": 257'), "model.embed_tokens.weight"),
    ],
)
def test_checkpoint_that_is_refused(tmp_path, change, message):
    (tmp_path / "config.json").write_text((TINYLM / "config.json").read_text().replace(*change))
    (tmp_path / "model.safetensors").symlink_to(TINYLM / "model.safetensors")
    command = [sys.executable, MODELS / "build.py", "llama", tmp_path, "-o", tmp_path / "m.onnx"]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 3 and message in found.stderr and not (tmp_path / "m.onnx").exists()
