"""Measuring: calls in turns, a process's peak anonymous memory, and what machine this is."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import platform
import statistics
import subprocess
import time

SETTLE_SECONDS = 0.05  # worker threads of the last call must be asleep, or their spinning slows down the next one


def interleaved(calls, rounds=9, seconds_per_turn=0.25, most_runs=20):
    """The median seconds of each call; the calls take turns, so that drift of the machine hits all alike."""
    runs = [_runs_per_turn(call, seconds_per_turn, most_runs) for call in calls]
    times = [[] for _ in calls]
    for _ in range(rounds):
        for call, count, record in zip(calls, runs, times):
            time.sleep(SETTLE_SECONDS)
            if count > 1:
                call()  # wakes the worker threads; the cost is negligible for calls this long
            record.extend(_time(call) for _ in range(count))
    return [statistics.median(record) for record in times]


def _runs_per_turn(call, seconds, most):
    _time(call)  # the first call may cause page faults
    return max(1, min(most, int(seconds / _time(call))))


def _time(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def run_measured(command):
    """Runs a command; returns its seconds and the peak of its anonymous resident memory in bytes.

    The kernel keeps no high-water mark of anonymous memory alone (VmHWM counts mapped weights, too), so the
    value is sampled every two milliseconds.
    """
    begin = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command])
    peak = 0
    while process.poll() is None:
        peak = max(peak, _anonymous_bytes(process.pid))
        time.sleep(0.002)
    seconds = time.perf_counter() - begin
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return seconds, peak


def _anonymous_bytes(pid):
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # the process ended between the poll and the read
    return 0


def machine():
    """What the figures depend on, for the record."""
    info = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), platform.machine())
    flags = next((line.split(":", 1)[1].split() for line in info if line.startswith("flags")), [])
    isa = [flag for flag in ("avx2", "fma", "avx512f", "avx512_bf16", "amx_tile") if flag in flags]
    return {"cpu": model, "isa": isa, "cores": len(os.sched_getaffinity(0)), "kernel": platform.release()}
