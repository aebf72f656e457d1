"""Weights by name: from a safetensors file, or drawn from a seed.

Names are those of the checkpoint without the leading "bert."; linear weights are [out, in].
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import mmap
import pathlib
import struct
import zlib

import numpy as np

_DTYPES = {"F32": np.float32, "F16": np.float16, "F64": np.float64, "I64": np.int64}


def read_safetensors(path):
    """All tensors of a safetensors file, mapped rather than read; bf16 is widened to f32."""
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: _tensor(data, 8 + length, entry) for name, entry in header.items()}


def _tensor(data, base, entry):
    begin, end = entry["data_offsets"]
    if entry["dtype"] == "BF16":
        halves = np.frombuffer(data, np.uint16, (end - begin) // 2, base + begin)
        values = (halves.astype(np.uint32) << 16).view(np.float32)
    else:
        dtype = np.dtype(_DTYPES[entry["dtype"]])
        values = np.frombuffer(data, dtype, (end - begin) // dtype.itemsize, base + begin)
    return values.reshape(entry["shape"])


def read_checkpoint(folder):
    """The f32 weights of a checkpoint folder, under this module's names."""
    tensors = read_safetensors(pathlib.Path(folder) / "model.safetensors")
    weights = {}
    for name, values in tensors.items():
        # Checkpoints converted long ago call the two parameters of a norm gamma and beta.
        name = name.removeprefix("bert.").replace(".gamma", ".weight").replace(".beta", ".bias")
        if np.issubdtype(values.dtype, np.floating):
            weights[name] = values.astype(np.float32, copy=False)
    return weights


def shapes(config, pooler=False):
    """Name -> shape of every weight an encoder needs."""
    hidden, wide = config.hidden, config.intermediate
    found = {
        "embeddings.word_embeddings.weight": (config.vocabulary, hidden),
        "embeddings.position_embeddings.weight": (config.positions, hidden),
        "embeddings.token_type_embeddings.weight": (config.token_types, hidden),
    }
    found |= _pair("embeddings.LayerNorm", (hidden,), hidden)
    for layer in range(config.layers):
        prefix = f"encoder.layer.{layer}."
        for role in ("query", "key", "value"):
            found |= _pair(f"{prefix}attention.self.{role}", (hidden, hidden), hidden)
        found |= _pair(f"{prefix}attention.output.dense", (hidden, hidden), hidden)
        found |= _pair(f"{prefix}attention.output.LayerNorm", (hidden,), hidden)
        found |= _pair(f"{prefix}intermediate.dense", (wide, hidden), wide)
        found |= _pair(f"{prefix}output.dense", (hidden, wide), hidden)
        found |= _pair(f"{prefix}output.LayerNorm", (hidden,), hidden)
    if pooler:
        found |= _pair("pooler.dense", (hidden, hidden), hidden)
    return found


def _pair(name, weight, bias):
    return {f"{name}.weight": weight, f"{name}.bias": (bias,)}


def seeded(config, seed, pooler=False):
    """Weights like a trained model's in size. Each depends on the seed and its own name only."""
    return {name: _draw(name, shape, seed) for name, shape in shapes(config, pooler).items()}


def _draw(name, shape, seed):
    random = np.random.Generator(np.random.PCG64([seed, zlib.crc32(name.encode())]))
    values = random.standard_normal(shape, dtype=np.float32)
    if name.endswith("LayerNorm.weight"):
        return np.float32(1) + np.float32(0.1) * values
    return np.float32(0.05 if name.endswith("bias") else 0.04) * values


def check(weights, config, pooler=False):
    """Fails with the name of the first weight that is missing or of another shape."""
    for name, shape in shapes(config, pooler).items():
        if name not in weights:
            raise ValueError(f"the checkpoint has no weight {name}")
        if weights[name].shape != tuple(shape):
            raise ValueError(f"weight {name} is {weights[name].shape}; expected {tuple(shape)}")
