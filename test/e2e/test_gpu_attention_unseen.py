"""What a query does not see does not matter to it, whatever its bits: keys and values behind the query or behind a
sequence's length hold NaN and infinities, on the CPU and on the simulated GPU, in f32 and with operands of bf16. And
what a query does see matters: the queries behind a NaN are NaN."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import numpy as np
import pytest
import test_gpu_attention_positions as positions
import tool
from attention_models import Attention

CASES = [
    Attention(70, 70, 64, heads=4, shared=2, causal=True),
    Attention(33, 33, 40, causal=True, mask=(1, 1, 1, 33)),
    Attention(9, 9, 32, causal=True, past=61),
    Attention(20, 90, 64, batch=3, lengths=True),
    Attention(40, 90, 64, batch=3, lengths=True),  # TMA copies keys beyond the length
    Attention(20, 90, 64, batch=3, lengths=True, causal=True),
    Attention(5, 40, 128, heads=4, shared=4, batch=2, lengths=True, mask=(2, 1, 5, 40)),
]
GARBAGE = np.array([np.nan, np.inf, -np.inf, 3.4e38], np.float32)
BOUNDS = {"f32": 2e-5, "bf16": 4e-2}


def keys_of(case):
    return case.keys + (case.past or 0)


def hidden(case, values):
    """Keys by batch and query: True where the query does not see the key."""
    i, j = np.arange(case.queries).reshape(1, -1, 1), np.arange(keys_of(case)).reshape(1, 1, -1)
    lengths = values.get("lengths", np.full(case.batch, keys_of(case))).reshape(-1, 1, 1)
    seen = np.broadcast_to(j < lengths, (case.batch, case.queries, keys_of(case)))
    if case.causal:
        seen = seen & (j <= i + (lengths if case.lengths else keys_of(case)) - case.queries)
    return ~seen


def spoil(case, values, first):
    """Garbage in the keys and values of every sequence from a key on; those of earlier steps stay."""
    garbage = np.resize(GARBAGE, case.depth)
    past = case.past or 0
    spoilt = {name: array.copy() for name, array in values.items()}
    for batch, key in enumerate(first):
        for name in "kv":
            spoilt[name][batch, :, key - past :] = garbage[: spoilt[name].shape[-1]]
    return spoilt


@pytest.mark.parametrize("device", ["cpu", "sim:a100", "sim:h200"])
@pytest.mark.parametrize("precision", ["f32", "bf16"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_unseen(driver, tmp_path, number, precision, device):
    case = CASES[number]
    package, model = tmp_path / "m.kiln", case.write(tmp_path / "m.onnx")
    tool.call("compile", model, "-o", package, "--target", "native,sm_80,sm_90a", "--precision", precision)
    values = positions.inputs_of(case, np.random.default_rng(number))
    for name, array in values.items():
        if array.dtype == np.float32:
            values[name] = positions.typed(array, "BFLOAT16")
    lengths = values.get("lengths", np.full(case.batch, keys_of(case)))
    # Lengths hide all later keys; causal hides the last keys from all but the last queries.
    first = lengths.copy()
    if case.causal and not case.lengths:
        first -= min(5, case.queries - 1)
    right = positions.expected(case, values)
    found = positions.run(package, spoil(case, values, first), tmp_path, device, driver)
    # Queries that see a key with garbage: their results contain no finite value.
    spoilt = np.logical_and(~hidden(case, values), np.arange(keys_of(case)) >= first.reshape(-1, 1, 1)).any(-1)
    for batch in range(case.batch):
        clean, bad = found[batch][:, ~spoilt[batch]], found[batch][:, spoilt[batch]]
        bound = BOUNDS[precision] * max(1, np.abs(right).max())
        assert np.abs(clean - right[batch][:, ~spoilt[batch]]).max(initial=0) <= bound
        assert np.isnan(bad[..., 0]).all()
    assert spoilt.any() == (case.causal and not case.lengths)
