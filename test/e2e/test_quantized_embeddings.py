"""MiniLM with weights in few bits: how near its sentence embeddings stay to those in full precision."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib

import kiln
import numpy as np
import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = pathlib.Path(os.environ["KILN_BUILD"]) / "models"
FP8 = "fp8 --activations fp8"
LIMITS = {"int8": 0.995, "mxfp8": 0.995, "fp8": 0.995, FP8: 0.995, "int4": 0.97, "nvfp4": 0.97}


def tokenizer():
    tokenizers = pytest.importorskip("tokenizers")
    found = tokenizers.Tokenizer.from_file(str(MODELS / "minilm" / "tokenizer.json"))
    found.no_padding()
    return found


def inputs(encode, sentence):
    encoding = encode.encode(sentence)
    fields = {"input_ids": encoding.ids, "attention_mask": encoding.attention_mask, "token_type_ids": encoding.type_ids}
    return {name: np.array([values], np.int64) for name, values in fields.items()}


@pytest.fixture(scope="module")
def minilm(tmp_path_factory):
    """(the model, sentences as inputs, a folder of other sentences as samples)"""
    if not (MODELS / "minilm.onnx").exists() or not (MODELS / "minilm" / "tokenizer.json").exists():
        pytest.skip(f"{MODELS}/minilm.onnx is absent (tools/quickstart makes it)")
    encode = tokenizer()
    judged = (ROOT / "examples/embed/sentences.txt").read_text().splitlines()
    samples = (pathlib.Path(__file__).parent / "Inputs/sentences.txt").read_text().splitlines()
    assert len(judged) >= 16 and len(samples) == 24 and not set(judged) & set(samples)
    folder = tmp_path_factory.mktemp("samples")
    for number, sentence in enumerate(samples):
        (folder / f"{number:02}").mkdir()
        for name, array in inputs(encode, sentence).items():
            np.save(folder / f"{number:02}" / f"{name}.npy", array)
    return MODELS / "minilm.onnx", [inputs(encode, sentence) for sentence in judged], folder


def embeddings(model, sentences, folder, *options):
    package = folder / "minilm.kiln"
    tool.call("compile", model, "-o", package, "-q", *options, timeout=300)
    session = kiln.Session(package, threads=2)
    return np.concatenate([session.run(sentence)["sentence_embedding"] for sentence in sentences])


def ranks(similarities):
    upper = similarities[np.triu_indices(len(similarities), 1)]
    return np.argsort(np.argsort(upper))


def test_embeddings_stay_near(minilm, tmp_path):
    model, sentences, samples = minilm
    exact = embeddings(model, sentences, tmp_path)
    for precision, limit in LIMITS.items():
        options = ["--precision", *precision.split()]
        options += ["--calib", samples] if precision not in ("int8", "fp8", "mxfp8", FP8) else []
        found = embeddings(model, sentences, tmp_path, *options)
        cosine = (found * exact).sum(1) / np.linalg.norm(found, axis=1) / np.linalg.norm(exact, axis=1)
        print(precision, cosine.mean(), np.corrcoef(ranks(found @ found.T), ranks(exact @ exact.T))[0, 1])
        assert cosine.mean() >= limit, precision
        if precision == "int8":
            assert np.corrcoef(ranks(found @ found.T), ranks(exact @ exact.T))[0, 1] >= 0.995
