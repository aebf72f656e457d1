"""The check behind `embed.py --check`: errors against a double-precision reference and ONNX Runtime, and times.

Times are medians of runs in one process. The two runtimes take turns, and after each turn the other's worker
threads get time to fall asleep, because threads that still spin would be charged to whoever runs next.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import statistics
import sys
import time

import kiln
import numpy as np
import onnxruntime

import embed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "models"))
from bert import config as shapes  # noqa: E402
from bert import reference, weights  # noqa: E402

TOLERANCE = 2e-5  # relative to the largest value of an output
ROUNDS, RUNS, SETTLE_SECONDS = 8, 6, 0.05
TIMED_BATCH, TIMED_LENGTH = 1, 128


def run(arguments, tokenizer, sentences):
    """Prints both tables; the exit code says whether the errors are within the tolerance."""
    ok = print_errors(arguments, embed.tokenize(tokenizer, sentences[: embed.BATCH]))
    print_times(arguments)
    return 0 if ok else 1


def onnx_session(path, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def run_onnxruntime(session, feeds):
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds)))


def double_reference(folder, feeds):
    config, outputs = shapes.read_config(folder), shapes.read_outputs(folder)
    return reference.run(config, weights.read_checkpoint(folder), **feeds, outputs=outputs)


def relative_error(found, expected):
    return float(np.abs(found.astype(np.float64) - expected).max() / np.abs(expected).max())


def print_errors(arguments, feeds):
    found = kiln.Session(arguments.model, threads=1).run(feeds)
    other = run_onnxruntime(onnx_session(arguments.onnx, 1), feeds)
    batch, length = feeds["input_ids"].shape
    print(f"\nlargest relative error, {batch} sentences, {length} tokens:")
    print(f"  {'output':<22}{'kiln - double':>16}{'kiln - onnxrt':>16}{'onnxrt - double':>17}")
    worst = 0.0
    for name, expected in double_reference(arguments.weights, feeds).items():
        ours = relative_error(found[name], expected)
        between, theirs = relative_error(found[name], other[name]), relative_error(other[name], expected)
        print(f"  {name:<22}{ours:>16.2e}{between:>16.2e}{theirs:>17.2e}")
        worst = max(worst, ours)
    ok = worst <= TOLERANCE
    print(f"  {'within' if ok else 'NOT within'} {TOLERANCE:.0e} of the double-precision reference")
    return ok


def print_times(arguments):
    feeds = timing_feeds()
    print(f"\nmedian milliseconds, batch {TIMED_BATCH}, {TIMED_LENGTH} tokens:")
    print(f"  {'threads':<10}{'kiln':>10}{'onnxruntime':>14}{'onnxruntime / kiln':>21}")
    for threads in (1, 2):
        if threads > len(os.sched_getaffinity(0)):
            continue
        ours = kiln.Session(arguments.model, threads=threads)
        theirs = onnx_session(arguments.onnx, threads)
        kiln_ms, onnx_ms = interleaved(lambda: ours.run(feeds), lambda: theirs.run(None, feeds))
        print(f"  {threads:<10}{kiln_ms:>10.2f}{onnx_ms:>14.2f}{onnx_ms / kiln_ms:>21.2f}")


def timing_feeds():
    shape = (TIMED_BATCH, TIMED_LENGTH)
    return {
        "input_ids": np.random.default_rng(0).integers(1000, 30000, shape),
        "attention_mask": np.ones(shape, np.int64),
        "token_type_ids": np.zeros(shape, np.int64),
    }


def interleaved(*calls):
    """The median milliseconds of each call, measured in turns."""
    times = [[] for _ in calls]
    for _ in range(ROUNDS):
        for call, record in zip(calls, times):
            time.sleep(SETTLE_SECONDS)
            call()  # wakes the worker threads and fills the caches
            for _ in range(RUNS):
                begin = time.perf_counter()
                call()
                record.append((time.perf_counter() - begin) * 1e3)
    return [statistics.median(record) for record in times]
