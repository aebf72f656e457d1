"""Weights by name: drawn from a seed in row blocks, or read from a checkpoint folder.

Names and shapes are those of the checkpoints: linear weights are [out, in].
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import json
import mmap
import pathlib
import struct
import zlib

import ml_dtypes
import numpy as np

BF16 = np.dtype(ml_dtypes.bfloat16)
ROWS = 64  # of a block; the same for all tensors, so that blocks of tensors side by side can be joined


class Drawn:
    """A [rows, columns] tensor that exists in blocks only: drawn from the seed and its own name when asked for."""

    def __init__(self, name, shape, seed, dtype=BF16):
        self.name, self.shape, self.seed, self.dtype = name, shape, seed, np.dtype(dtype)
        self.nbytes = int(np.prod(shape)) * self.dtype.itemsize

    def blocks(self):
        for index, begin in enumerate(range(0, self.shape[0], ROWS)):
            random = np.random.Generator(np.random.PCG64([self.seed, zlib.crc32(self.name.encode()), index]))
            rows = min(ROWS, self.shape[0] - begin)
            yield self._scaled(random.standard_normal((rows, *self.shape[1:]), dtype=np.float32))

    def _scaled(self, values):
        values *= np.float32(0.04 if self.name.endswith("weight") and len(self.shape) > 1 else 0.1)
        if len(self.shape) == 1 and "norm" in self.name or self.name.endswith(("ln_1.weight", "ln_2.weight", "ln_f.weight")):
            values += np.float32(1)
        # All dtypes hold the same values, those that bf16 can express.
        return values.astype(BF16).astype(self.dtype, copy=False)

    @property
    def T(self):
        return Transposed(self)

    def array(self):
        return np.concatenate(list(self.blocks()))


class Transposed:
    """The [out, in] view of a linear weight that is drawn, and stored by exporters, as [in, out]."""

    def __init__(self, drawn):
        self.T, self.dtype, self.shape = drawn, drawn.dtype, drawn.shape[::-1]

    def array(self):
        return self.T.array().T


class Joined:
    """Tensors of equally many rows side by side, as one tensor of all their columns."""

    def __init__(self, parts):
        self.parts, self.dtype = parts, parts[0].dtype
        self.shape = (parts[0].shape[0], sum(part.shape[1] for part in parts))
        self.nbytes = self.shape[0] * self.shape[1] * self.dtype.itemsize

    def blocks(self):
        for blocks in zip(*(row_blocks(part) for part in self.parts)):
            yield np.concatenate(blocks, axis=1)


def row_blocks(value):
    """The blocks of a tensor of any kind, in order."""
    if hasattr(value, "blocks"):
        return value.blocks()
    return (value[begin : begin + ROWS] for begin in range(0, value.shape[0], ROWS))


def array(value):
    """A tensor of any kind as one numpy array."""
    return value.array() if hasattr(value, "array") else np.asarray(value)


def wide(weights):
    """Every weight as f64, for the reference."""
    return {name: array(value).astype(np.float64) for name, value in weights.items()}


def shapes(config):
    """Name -> shape of every weight of a decoder."""
    hidden, head = config.hidden, config.head_size
    found = {"model.embed_tokens.weight": (config.vocabulary, hidden), "model.norm.weight": (hidden,)}
    if not config.tied:
        found["lm_head.weight"] = (config.vocabulary, hidden)
    for layer in range(config.layers):
        prefix = f"model.layers.{layer}."
        found |= {f"{prefix}{norm}.weight": (hidden,) for norm in norms(config)}
        for name, rows in projections(config).items():
            found[f"{prefix}self_attn.{name}.weight"] = (rows, hidden)
            if config.bias:
                found[f"{prefix}self_attn.{name}.bias"] = (rows,)
        found[f"{prefix}self_attn.o_proj.weight"] = (hidden, config.heads * head)
        if config.sinks:
            found[f"{prefix}self_attn.sinks"] = (config.heads,)
        if config.head_norms:
            found |= {f"{prefix}self_attn.{role}_norm.weight": (head,) for role in "qk"}
        for name, rows in gates(config).items():
            found[f"{prefix}mlp.{name}.weight"] = (rows, hidden)
        found[f"{prefix}mlp.down_proj.weight"] = (hidden, config.wide)
    return found


def norms(config):
    middle = ["pre_feedforward_layernorm", "post_feedforward_layernorm"] if config.post_norms else []
    return ["input_layernorm", "post_attention_layernorm", *middle]


def projections(config):
    queries, keys = config.heads * config.head_size, config.key_heads * config.head_size
    if config.packed:
        return {"qkv_proj": queries + 2 * keys}
    return {"q_proj": queries, "k_proj": keys, "v_proj": keys}


def gates(config):
    return {"gate_up_proj": 2 * config.wide} if config.packed else {"gate_proj": config.wide, "up_proj": config.wide}


def gpt2_shapes(config):
    """Linear weights of GPT-2 are [in, out] in its checkpoints too."""
    hidden = config.hidden
    found = {"transformer.wte.weight": (config.vocabulary, hidden), "transformer.wpe.weight": (config.positions, hidden)}
    for prefix in [f"transformer.h.{layer}." for layer in range(config.layers)]:
        for name, shape in (
            ("ln_1", (hidden,)), ("attn.c_attn", (hidden, 3 * hidden)), ("attn.c_proj", (hidden, hidden)),
            ("ln_2", (hidden,)), ("mlp.c_fc", (hidden, 4 * hidden)), ("mlp.c_proj", (4 * hidden, hidden)),
        ):  # fmt: skip
            found |= {f"{prefix}{name}.weight": shape, f"{prefix}{name}.bias": shape[-1:]}
    return found | {"transformer.ln_f.weight": (hidden,), "transformer.ln_f.bias": (hidden,)}


def seeded(config, seed, dtype=BF16):
    """Weights like a trained model's in size. Each depends on the seed and its own name only."""
    found = {}
    for name, shape in shapes(config).items():
        if name.endswith("_proj.weight") or name == "lm_head.weight":
            found[name] = Drawn(name, shape[::-1], seed, dtype).T
        elif config.norm_offset and "norm" in name:
            found[name] = Drawn(name.replace("norm", "offset"), shape, seed, dtype)
        else:
            found[name] = Drawn(name, shape, seed, dtype)
    return found


def gpt2_seeded(config, seed, dtype=np.float32):
    return {name: Drawn(name, shape, seed, dtype) for name, shape in gpt2_shapes(config).items()}


def check(weights, expected):
    """Fails with the name of the first weight that is missing or of another shape."""
    for name, shape in expected.items():
        if name not in weights:
            raise ValueError(f"the checkpoint has no weight {name}")
        if tuple(weights[name].shape) != tuple(shape):
            raise ValueError(f"weight {name} is {tuple(weights[name].shape)}; expected {tuple(shape)}")


def read_checkpoint(folder):
    """The weights of a checkpoint folder as they are stored, mapped rather than read."""
    with open(pathlib.Path(folder) / "model.safetensors", "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    return {name: _stored(data, 8 + length, entry) for name, entry in header.items()}


def _stored(data, base, entry):
    begin, end = entry["data_offsets"]
    dtype = {"BF16": BF16, "F32": np.dtype(np.float32)}[entry["dtype"]]
    return np.frombuffer(data, dtype, (end - begin) // dtype.itemsize, base + begin).reshape(entry["shape"])


def write_checkpoint(path, weights):
    """Writes a safetensors file with the tensors in bf16, sorted by name."""
    names = sorted(weights)
    tensors = [np.ascontiguousarray(np.asarray(weights[name]).astype(BF16)) for name in names]
    ends = list(itertools.accumulate(tensor.nbytes for tensor in tensors))
    header = {
        name: {"dtype": "BF16", "shape": tensor.shape, "data_offsets": [end - tensor.nbytes, end]}
        for name, tensor, end in zip(names, tensors, ends)
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    blob = struct.pack("<Q", len(text)) + text + b"".join(tensor.tobytes() for tensor in tensors)
    pathlib.Path(path).write_bytes(blob)
