"""Whole encoders: a toy BERT and MiniLM to verify, BERT-base to measure."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import sys
import tarfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .model import BF16, retype

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Number of MiniLM's words that are kept: the full table of 30522 would take most of the archive.
WORDS = 1024


def bert_toy(archive):
    """(model, feeds) of the toy of the test data."""
    with tarfile.open(archive) as tar:
        name = next(n for n in tar.getnames() if n.endswith("bert_toy_optimized.onnx"))
        model = onnx.load_from_string(tar.extractfile(name).read())
    return model, token_feeds(model, {"batch": 2, "max_seq_len_in_batch": 9}, 30)


def minilm(path):
    """(model, feeds) of MiniLM with the first WORDS words."""
    model = onnx.load(path)
    tables = [t for t in model.graph.initializer if len(t.dims) == 2 and t.dims[0] > 8192]
    if len(tables) != 1:
        raise ValueError(f"{path}: {len(tables)} tables of words; expected one")
    tables[0].CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tables[0])[:WORDS].copy(), tables[0].name))
    return model, token_feeds(model, {"batch": 2, "sequence": 17}, WORDS)


def token_feeds(model, dims, words):
    random = np.random.default_rng(5)
    feeds = {}
    initializers = {tensor.name for tensor in model.graph.initializer}
    for value in model.graph.input:
        if value.name in initializers:
            continue
        shape = [dims.get(dim.dim_param, dim.dim_value) for dim in value.type.tensor_type.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        ids = random.integers(0, words, shape)
        if "mask" in value.name:
            ids = np.ones(shape)
            ids[-1, shape[1] // 2 :] = 0
        elif "type" in value.name or "segment" in value.name:
            ids = random.integers(0, 2, shape)
        feeds[value.name] = ids.astype(dtype)
    return feeds


def bert_base(layers=12):
    """BERT-base in bf16 whose weights are inputs, so that the package holds none of them."""
    sys.path.insert(0, str(ROOT / "models"))
    from bert import config, encoder, weights

    import dataclasses

    shape = dataclasses.replace(config.BERT_BASE, layers=layers)
    model, initializers = encoder.build(shape, weights.seeded(shape, 0))
    model = retype(model, BF16)
    bf16 = helper.np_dtype_to_tensor_dtype(BF16)
    for name, array in initializers:
        if array.dtype == np.float32:
            model.graph.input.append(helper.make_tensor_value_info(name, bf16, array.shape))
        else:
            model.graph.initializer.append(numpy_helper.from_array(array, name))
    return model
