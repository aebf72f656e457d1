"""Caches of sliding windows as rings: a decoder of 200 tokens, of which its rings hold the last few, against double precision and
against the same decoder whose caches hold all."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import re
import subprocess
import sys

import decoders
import kiln
import numpy as np
import pytest
import tool
from decoder import config as shapes
from decoder import past, reference
from decoder import weights as weights_module
from decoders import tokens

WINDOWS = (5, 16)
CAPACITY = 256
SEQUENCE = 16
TOLERANCE = 1e-4  # relative to the largest logit; everything is computed in f32
STEPS = 200
DIMS = f"rows=1..3,capacity=1..{CAPACITY},sequence=1..{SEQUENCE}"
POISON = 89  # the last token, whose embedding is NaN in a poisoned package


def rows_of(window):
    return window + SEQUENCE - 1


def config_of(window, layers=2):
    """The first layer has a window."""
    return shapes.Config(hidden=24, layers=layers, heads=4, key_heads=2, head_size=16, wide=20, vocabulary=90, positions=CAPACITY, window=window)


class Packages:
    def __init__(self, folder):
        self.folder = folder

    @functools.cache
    def values(self, window):
        return weights_module.seeded(config_of(window), 4, np.dtype(np.float32))

    @functools.cache
    def package(self, window, target="native", sequence=SEQUENCE):
        model, package = self.folder / f"{window}.onnx", self.folder / f"{window}-{target}-{sequence}.kiln"
        decoders.save.save(*past.build(config_of(window), self.values(window)), model, False)
        dims = f"rows=1..3,capacity=1..{CAPACITY},sequence=1..{sequence}"
        tool.call("compile", model, "-o", package, "--dims", dims, "--target", target, "-q")
        return package

    @functools.cache
    def poisoned(self, window, target="native"):
        """Of the same weights, but for one token that makes keys and values NaN in all layers."""
        model, package = self.folder / f"{window}-nan.onnx", self.folder / f"{window}-nan-{target}.kiln"
        name = "model.embed_tokens.weight"
        rows = np.array(weights_module.array(self.values(window)[name]))
        rows[POISON] = np.nan
        decoders.save.save(*past.build(config_of(window), {**self.values(window), name: rows}), model, False)
        tool.call("compile", model, "-o", package, "--dims", DIMS, "--target", target, "-q")
        return package

    @functools.cache
    def mask(self, window):
        """Where a run adds as many rows as there are, a ring would be no smaller: the caches hold all rows."""
        return self.package(window, sequence=CAPACITY)

    def rings_alone(self, window):
        """A package without a cache of all rows, so that no state's size depends on the capacity."""
        config, model, package = config_of(window, layers=1), self.folder / "alone.onnx", self.folder / "alone.kiln"
        decoders.save.save(*past.build(config, weights_module.seeded(config, 4, np.dtype(np.float32))), model, False)
        tool.call("compile", model, "-o", package, "--dims", DIMS, "-q")
        return package

    @functools.cache
    def expected(self, window):
        return reference.Decoder(config_of(window), self.values(window)).run(tokens(7, 1, STEPS))[0]


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    return Packages(tmp_path_factory.mktemp("rings"))


def bits(array):
    return np.asarray(array, np.float32).tobytes()


def states_of(package):
    """{name: dims} of the states that `inspect` lists."""
    listed = tool.call("inspect", package).stdout
    return dict(re.findall(r"^  state +(\S+) \w+\[(\S+)\]$", listed, re.MULTILINE))


def one_by_one(decoder, ids):
    """The logits of each id, a step each."""
    first = decoder.prefill([ids[:1]])
    return np.concatenate([first, *(decoder.decode([[token]])[0] for token in ids[1:])])


def assert_close(found, right):
    error = np.abs(found - right).max() / np.abs(right).max()
    assert error <= TOLERANCE, f"logits differ by {error:.2e} of the largest"


@pytest.mark.parametrize("window", WINDOWS)
def test_only_layers_with_a_window_have_rings(packages, window):
    ring, mask = states_of(packages.package(window)), states_of(packages.mask(window))
    whole = "rows,2,capacity,16"
    small = f"rows,2,{rows_of(window)},16"
    roles = ("key", "value")
    assert ring == {f"past_key_values.{layer}.{role}": (small, whole)[layer] for layer in (0, 1) for role in roles} | {"lengths": "rows"}
    assert mask == {f"past_key_values.{layer}.{role}": whole for layer in (0, 1) for role in roles} | {"lengths": "rows"}


@pytest.mark.parametrize("window", WINDOWS)
def test_stated_memory_is_allocated(packages, window):
    sizes = []
    for package in (packages.package(window), packages.mask(window)):
        decoder = kiln.Decoder(package, rows=2, capacity=CAPACITY)
        before = {arena.kind: arena.capacity for arena in decoder.session.memory}
        one_by_one_of = tokens(1, 2, 40)
        decoder.prefill(one_by_one_of)
        after = {arena.kind: arena for arena in decoder.session.memory}
        assert after["state"].capacity == before["state"] == after["state"].last_formula
        sizes.append(before["state"])
    saved = 2 * 2 * (CAPACITY - rows_of(window)) * 2 * 16 * 4  # rows, keys and values, cached rows, heads, head size, bytes
    assert abs(sizes[1] - sizes[0] - saved) < 1024  # alignment may change this much


def test_rings_alone_need_a_capacity(packages):
    """No state grows with it, but a session counts the rows of its sequences: as many as the package allows, or as given."""
    package = packages.rings_alone(5)
    assert states_of(package) == {f"past_key_values.0.{role}": f"rows,2,{rows_of(5)},16" for role in ("key", "value")} | {"lengths": "rows"}
    with pytest.raises(kiln.Error, match='dim "capacity": how long a sequence may become depends on it; expected one value') as error:
        kiln.Session(package, dims={"rows": 1, "capacity": (1, 64)})
    assert error.value.code == "KILN-E0608"
    session = kiln.Session(package)
    for _ in range(CAPACITY // 16):
        session.run({"input_ids": tokens(1, 1, 16), "counts": np.array([16])})
    with pytest.raises(kiln.Error, match=f"it has {CAPACITY} of {CAPACITY}"):
        session.run({"input_ids": tokens(1, 1, 1), "counts": np.array([1])})
    session = kiln.Session(package, dims={"rows": 1, "capacity": 30})
    for count in (16, 14):
        session.run({"input_ids": tokens(1, 1, count), "counts": np.array([count])})
    with pytest.raises(kiln.Error, match="it has 30 of 30") as error:
        session.run({"input_ids": tokens(1, 1, 1), "counts": np.array([1])})
    assert error.value.code == "KILN-E0615"


@pytest.mark.parametrize("window", WINDOWS)
def test_200_steps(packages, window):
    right, ids = packages.expected(window), tokens(7, STEPS)
    ring = one_by_one(kiln.Decoder(packages.package(window), capacity=CAPACITY), ids)
    mask = one_by_one(kiln.Decoder(packages.mask(window), capacity=CAPACITY), ids)
    assert_close(ring, right)
    assert_close(mask, right)
    # The window has an effect: without it the logits differ.
    wide = reference.Decoder(config_of(0), packages.values(window)).run(ids[None])[0]
    assert np.abs(wide - right).max() / np.abs(right).max() > 100 * TOLERANCE


@pytest.mark.parametrize("window", WINDOWS)
def test_cuts_and_other_rows_change_no_bit(packages, window):
    """Prompts at once and in parts, steps of one and of several tokens, a row by itself and beside others."""
    package, ids = packages.package(window), tokens(7, STEPS)
    steps = one_by_one(kiln.Decoder(package, capacity=CAPACITY, threads=1), ids)
    for cut in (1, 7, 16, 17, 63, STEPS):
        decoder, parts = kiln.Decoder(package, capacity=CAPACITY), []
        for begin in range(0, STEPS, cut):
            parts.append((min(begin + cut, STEPS), decoder.prefill([ids[begin : begin + cut]])[0]))
        assert all(bits(found) == bits(steps[end - 1]) for end, found in parts), f"prompts of {cut}"
    for count in (2, 5, 16):
        decoder = kiln.Decoder(package, capacity=CAPACITY)
        decoder.prefill([ids[:3]])
        end = 3 + (STEPS - 3) // count * count
        found = np.concatenate([decoder.decode([ids[at : at + count]])[0] for at in range(3, end, count)])
        assert bits(found) == bits(steps[3:end]), f"steps of {count}"
    # Next to a row that is always ahead, and one that is skipped half of the time.
    decoder, other, at = kiln.Decoder(package, rows=3, capacity=CAPACITY, threads=2), tokens(8, CAPACITY), 0
    decoder.prefill([ids[:1], other[:50], other[:1]])
    for at in range(1, STEPS):
        third = [other[at]] if at % 2 else []
        found = decoder.decode([[ids[at]], [other[49 + at]], third])
        assert bits(found[0, 0]) == bits(steps[at])


@pytest.mark.parametrize("window", WINDOWS)
def test_trim_fork_save_and_load(packages, window, tmp_path):
    package, ids = packages.package(window), tokens(7, STEPS)
    steps = one_by_one(kiln.Decoder(package, capacity=CAPACITY), ids)
    room = rows_of(window) - window + 1  # 16: tokens that can be removed again
    decoder = kiln.Decoder(package, rows=2, capacity=CAPACITY)
    decoder.prefill([ids[:100], tokens(8, 3)])
    decoder.fork(0, 1)
    decoder.prefill([tokens(9, room), []])
    decoder.trim(0, 100)  # remove a draft
    for row in (0, 1):
        rest = [[], []]
        rest[row] = ids[100:120]
        assert bits(decoder.prefill(rest)[row]) == bits(steps[119])
    # One token more than may be removed; smaller parts first.
    for shorter in (120 - room - 1, 1, 50):
        with pytest.raises(kiln.Error, match=f"expected 0, or {120 - room} and more .* found {shorter}") as error:
            decoder.trim(0, shorter)
        assert error.value.code == "KILN-E0620" and decoder.lengths.tolist() == [120, 120]
    decoder.trim(0, 115)
    decoder.trim(0, 120 - room)
    with pytest.raises(kiln.Error, match=f"expected 0, or {120 - room} and more") as error:
        decoder.trim(0, 120 - room - 1)
    assert error.value.code == "KILN-E0620"
    assert bits(decoder.prefill([ids[120 - room : 130], []])[0]) == bits(steps[129])
    # A file keeps both rows; after load nothing can be removed until new rows exist.
    decoder.save(tmp_path / "chat.state")
    other = kiln.Decoder(package, rows=2, capacity=CAPACITY)
    other.prefill([tokens(3, 77), tokens(4, 9)])
    other.load(tmp_path / "chat.state")
    assert other.lengths.tolist() == [130, 120]
    with pytest.raises(kiln.Error, match="expected 0, or 130 and more") as error:
        other.trim(0, 129)
    assert error.value.code == "KILN-E0620"
    draft = other.decode(tokens(5, 2, 4))
    assert draft.shape[1] == 4
    other.trim(0, 130)
    other.trim(1, 120)
    found = other.decode([ids[130:140], ids[120:130]])
    assert bits(found) == bits(np.stack([steps[130:140], steps[120:130]]))
    # Trimming to 0 is always possible, and so is any length before the ring buffer is full.
    other.reset(0)
    other.prefill([ids[: rows_of(window)], []])
    other.trim(0, 2)
    assert bits(other.prefill([ids[2:60], []])[0]) == bits(steps[59])


@pytest.mark.parametrize("at", (3, 21, 150))  # the ring buffer is not full, gets full by the draft, is full
@pytest.mark.parametrize("window", WINDOWS)
def test_nan_of_a_refused_draft_is_gone(packages, window, at):
    """Its rows stay in the ring until they are written again, and no query sees them: neither their keys nor their values count."""
    package, ids = packages.poisoned(window), tokens(7, STEPS) % POISON
    steps = one_by_one(kiln.Decoder(package, capacity=CAPACITY), ids)
    assert np.isfinite(steps).all()
    for count in (1, 16):
        decoder = kiln.Decoder(package, rows=2, capacity=CAPACITY)
        decoder.prefill([ids[:at], ids[:at]])
        draft = decoder.decode([[POISON, *ids[:15]], [*ids[at : at + 8], POISON, *ids[:7]]])
        assert np.isnan(draft[0]).all() and np.isnan(draft[1, 8:]).all()
        assert bits(draft[1, :8]) == bits(steps[at : at + 8])  # not affected by later tokens
        decoder.trim(0, at)
        decoder.trim(1, at + 8)
        for first in range(at, at + 32, count):
            later = first + 8
            found = decoder.decode([ids[first : first + count], ids[later : later + count]])
            assert bits(found) == bits(np.stack([steps[first : first + count], steps[later : later + count]])), first
    decoder.trim(0, at + 30)
    assert bits(decoder.prefill([ids[at + 30 : at + 40], []])[0]) == bits(steps[at + 39])


@pytest.mark.parametrize("window", WINDOWS)
def test_both_entries_verify(packages, window):
    outcome = tool.call("verify", packages.package(window))
    assert outcome.stdout.endswith("PASSED\n") and "FAILED" not in outcome.stdout, outcome.stdout
    assert all(entry in outcome.stdout for entry in ("prefill", "decode")), outcome.stdout


@pytest.mark.parametrize("device,target", [("sim:a100", "sm_80"), ("sim:h200", "sm_90a")])
@pytest.mark.parametrize("window", WINDOWS)
def test_steps_on_gpus(packages, driver, tmp_path, window, device, target):
    package, found = packages.package(window, target), tmp_path / "logits.npz"
    command = [sys.executable, __file__, package, device, found]
    subprocess.run([*map(str, command)], check=True, env=driver, timeout=500)
    arrays, right = np.load(found), packages.expected(window)
    assert_close(arrays["prompt"], right[49])
    assert_close(arrays["steps"], right[50:66])
    assert_close(arrays["several"], right[50:66])


@pytest.mark.parametrize("device,target", [("sim:a100", "sm_80"), ("sim:h200", "sm_90a")])
@pytest.mark.parametrize("window", WINDOWS)
def test_nan_of_a_refused_draft_is_gone_on_gpus(packages, driver, tmp_path, window, device, target):
    package, found = packages.poisoned(window, target), tmp_path / "logits.npz"
    command = [sys.executable, __file__, package, device, found]
    subprocess.run([*map(str, command)], check=True, env=driver, timeout=500)
    arrays = np.load(found)
    assert np.isnan(arrays["draft"][2:]).all()
    steps = one_by_one(kiln.Decoder(packages.poisoned(window), capacity=CAPACITY), tokens(7, STEPS)[:66] % POISON)
    assert_close(arrays["steps"], steps[50:66])
    assert_close(arrays["several"], steps[50:66])


@pytest.mark.parametrize("device,target", [("sim:a100", "sm_80"), ("sim:h200", "sm_90a")])
def test_both_entries_verify_on_gpus(packages, driver, device, target):
    outcome = tool.call("verify", packages.package(5, target), "--device", device, env=driver)
    assert outcome.stdout.endswith("PASSED\n") and not outcome.stderr, outcome.stdout + outcome.stderr


def run_on_gpu(package, device):
    """A prompt of several runs of prefill, a draft that is refused, 16 steps, and these again as one draft behind a trim."""
    decoder, ids = kiln.Decoder(package, device=device, capacity=CAPACITY), tokens(7, STEPS)
    if "-nan-" in package:
        ids %= POISON
    prompt = decoder.prefill([ids[:50]])[0]
    draft = decoder.decode([[1, 2, *[POISON] * 5]])[0]
    decoder.trim(0, 50)
    steps = np.concatenate([decoder.decode([[token]])[0] for token in ids[50:66]])
    decoder.trim(0, 50)
    return {"prompt": prompt, "draft": draft, "steps": steps, "several": decoder.decode([ids[50:66]])[0]}


if __name__ == "__main__":
    np.savez(sys.argv[3], **run_on_gpu(sys.argv[1], sys.argv[2]))
