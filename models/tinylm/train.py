#!/usr/bin/env python3
"""Trains tinylm on the installed LLVM headers, with JAX on one CPU thread.

  XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1" \\
      train.py --work FOLDER --minutes 60 --log training.tsv

FOLDER gets checkpoint.npz every two minutes; the same command continues from it. `export.py` makes model.safetensors of
any checkpoint. requirements.txt says what it needs beyond the tools of the project.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import functools
import math
import pathlib
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from decoder import config as shapes
from decoder import weights as names
from tinylm import corpus

CONTEXT = 256
CONFIG = shapes.read_config(pathlib.Path(__file__).resolve().parent)
LAYERS, HIDDEN, HEADS, KEY_HEADS, HEAD = CONFIG.layers, CONFIG.hidden, CONFIG.heads, CONFIG.key_heads, CONFIG.head_size
ADAM_RATE, MUON_RATE, WARMUP, FLOOR = 3e-3, 0.02, 100, 0.05
EVALUATIONS = 64  # held-out windows


def initial(seed):
    random = np.random.default_rng(seed)
    weights = {}
    for name, shape in names.shapes(CONFIG).items():
        if "norm" in name:
            weights[name] = np.ones(shape, np.float32)
            continue
        scale = 0.02 if "embed" in name else 0.5 / math.sqrt(shape[1])
        if name.endswith(("o_proj.weight", "down_proj.weight")):
            scale /= math.sqrt(2 * LAYERS)
        weights[name] = scale * random.standard_normal(shape, dtype=np.float32)
    return weights


def norm(x, scale):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + CONFIG.epsilon) * scale


def rotate(x):
    """Rotary embedding of [batch, heads, length, HEAD] in halves."""
    angles = jnp.arange(x.shape[2])[:, None] * CONFIG.theta ** (-jnp.arange(0, HEAD, 2) / HEAD)
    low, high = jnp.split(x, 2, -1)
    return jnp.concatenate(
        [low * jnp.cos(angles) - high * jnp.sin(angles), high * jnp.cos(angles) + low * jnp.sin(angles)], -1
    )


def logits(weights, ids):
    batch, length = ids.shape
    mask = jnp.where(jnp.tril(jnp.ones((length, length), bool)), 0.0, -1e9)
    x = weights["model.embed_tokens.weight"][ids]
    for layer in range(LAYERS):
        get = lambda name: weights[f"model.layers.{layer}.{name}.weight"]
        y = norm(x, get("input_layernorm"))
        split = lambda role, heads: (y @ get(f"self_attn.{role}_proj").T).reshape(batch, length, heads, HEAD)
        query = rotate(split("q", HEADS).transpose(0, 2, 1, 3))
        key = rotate(split("k", KEY_HEADS).transpose(0, 2, 1, 3))
        value = split("v", KEY_HEADS).transpose(0, 2, 1, 3)
        # The query heads of one key head are more rows of one product.
        query = query.reshape(batch, KEY_HEADS, -1, HEAD)
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(HEAD)
        scores = scores.reshape(batch, KEY_HEADS, HEADS // KEY_HEADS, length, length) + mask
        scores = jax.nn.softmax(scores, -1).reshape(batch, KEY_HEADS, -1, length)
        context = (scores @ value).reshape(batch, HEADS, length, HEAD).transpose(0, 2, 1, 3)
        x = x + context.reshape(batch, length, HIDDEN) @ get("self_attn.o_proj").T
        y = norm(x, get("post_attention_layernorm"))
        gated = jax.nn.silu(y @ get("mlp.gate_proj").T) * (y @ get("mlp.up_proj").T)
        x = x + gated @ get("mlp.down_proj").T
    return norm(x, weights["model.norm.weight"]) @ weights["model.embed_tokens.weight"].T


def loss(weights, windows):
    """Bits per byte of the windows' bytes but the first of each."""
    found = jax.nn.log_softmax(logits(weights, windows[:, :-1]))
    return -jnp.take_along_axis(found, windows[:, 1:, None], -1).mean() / math.log(2)


def orthogonal(matrix):
    """The nearest matrix with singular values about 1 (Muon's Newton-Schulz iteration, Jordan et al. 2024)."""
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (jnp.linalg.norm(x) + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x.T if tall else x


def is_hidden_matrix(name):
    return name.endswith("_proj.weight")


@functools.partial(jax.jit, donate_argnums=(0,))
def step(state, windows, rate):
    """One update: Muon for the matrices between embedding and head, Adam for the rest."""
    count = state["count"] + 1
    value, gradients = jax.value_and_grad(loss)(state["weights"], windows)
    size = jnp.sqrt(sum(jnp.sum(g * g) for g in gradients.values()))
    gradients = {name: g * jnp.minimum(1.0, 1.0 / size) for name, g in gradients.items()}
    weights, first, second = {}, {}, {}
    for name, gradient in gradients.items():
        weight = state["weights"][name]
        if is_hidden_matrix(name):
            first[name] = 0.95 * state["first"][name] + gradient
            second[name] = state["second"][name]
            update = orthogonal(gradient + 0.95 * first[name]) * max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5
            weights[name] = weight * (1 - 0.05 * MUON_RATE * rate) - MUON_RATE * rate * update
            continue
        first[name] = 0.9 * state["first"][name] + 0.1 * gradient
        second[name] = 0.95 * state["second"][name] + 0.05 * gradient**2
        update = first[name] / (1 - 0.9**count) / (jnp.sqrt(second[name] / (1 - 0.95**count)) + 1e-8)
        weights[name] = weight - ADAM_RATE * rate * update
    mean = {name: 0.98 * state["mean"][name] + 0.02 * weights[name] for name in weights}
    return {"count": count, "weights": weights, "first": first, "second": second, "mean": mean}, value


evaluate = jax.jit(loss)


def fresh(seed):
    weights = initial(seed)
    zeros = {name: np.zeros_like(value) for name, value in weights.items()}
    # Adam's second moment is not needed for Muon's matrices: a scalar keeps its place.
    second = {name: np.zeros(() if is_hidden_matrix(name) else value.shape, np.float32) for name, value in weights.items()}
    copy = {name: value.copy() for name, value in weights.items()}
    return {"count": np.float32(0), "weights": weights, "first": zeros, "second": second, "mean": copy}


def save(path, state, seconds):
    flat = {"count": state["count"], "seconds": seconds}
    for kind in ("weights", "first", "second", "mean"):
        flat |= {f"{kind}/{name}": np.asarray(value) for name, value in state[kind].items()}
    temporary = path.with_suffix(".part.npz")
    np.savez(temporary, **flat)
    temporary.replace(path)


def load(path):
    flat = dict(np.load(path))
    state = {"count": np.float32(flat.pop("count"))}
    seconds = float(flat.pop("seconds"))
    for key, value in flat.items():
        kind, name = key.split("/")
        state.setdefault(kind, {})[name] = value
    return state, seconds


def rate_at(count, progress):
    """Linear warm-up by steps, then a cosine over the time down to FLOOR."""
    cosine = FLOOR + (1 - FLOOR) * 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))
    return min(1.0, (count + 1) / WARMUP) * cosine


def main():
    arguments = parse_arguments()
    training, held_out = (np.frombuffer(text, np.uint8) for text in corpus.read(arguments.headers))
    starts = np.linspace(0, len(held_out) - CONTEXT - 1, EVALUATIONS, dtype=np.int64)
    probe = held_out[starts[:, None] + np.arange(CONTEXT + 1)].astype(np.int32)
    path = arguments.work / "checkpoint.npz"
    state, before = load(path) if path.exists() else (fresh(0), 0.0)
    limit, begin = arguments.minutes * 60, time.time()
    random = np.random.default_rng([1, int(state["count"])])
    log = open(arguments.log, "a", buffering=1)
    if not log.tell():
        log.write("minutes\tsteps\tbytes\trate\ttraining_bits\theld_out_bits\n")
    count, average, reported = int(state["count"]), None, time.time()
    while (seconds := before + time.time() - begin) < limit:
        places = random.integers(0, len(training) - CONTEXT - 1, arguments.batch)
        windows = training[places[:, None] + np.arange(CONTEXT + 1)].astype(np.int32)
        rate = rate_at(count, seconds / limit)
        state, value = step(state, windows, np.float32(rate))
        count += 1
        average = float(value) if average is None else 0.98 * average + 0.02 * float(value)
        if time.time() - reported > 120:
            report(log, state, count, before + time.time() - begin, rate, average, probe, arguments.batch)
            save(path, state, before + time.time() - begin)
            reported = time.time()
    report(log, state, count, limit, 0.0, average, probe, arguments.batch)
    save(path, state, limit)


def report(log, state, count, seconds, rate, average, probe, batch):
    quality = float(evaluate(state["mean"], probe))
    log.write(f"{seconds / 60:.1f}\t{count}\t{count * batch * CONTEXT}\t{rate:.3f}\t{average:.4f}\t{quality:.4f}\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--log", required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--batch", type=int, default=16, help="windows per step")
    parser.add_argument("--headers", type=pathlib.Path, default=corpus.HEADERS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
