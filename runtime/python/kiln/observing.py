"""What runs and loads tell: profiles of steps, and records for Python's logging."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import atexit
import json
import logging
import os
import re
import time
import typing

from . import _runtime
from .errors import Error

_LEVELS = {5: logging.DEBUG, 9: logging.INFO, 13: logging.WARNING, 17: logging.ERROR}
_SHOWN_NODES = 3
_NODE = re.compile(r"node '(.*)' \(.*\)")


def set_logger(logger):
    """Sends what Kiln logs (packages that are loaded, weights that are compared, fallbacks) to a logging.Logger, or to that of a
    name; None: to nobody. Each record has its fields as attributes ("extra"), under names of OpenTelemetry where there are any:
    "event.name", "file.path", "file.size", "error.type", "kiln.duration_ms" ..."""
    if logger is None:
        return _runtime.set_log(None)
    logger = logging.getLogger(logger) if isinstance(logger, str) else logger
    if not callable(getattr(logger, "log", None)):
        raise TypeError(f"logger: expected a logging.Logger, a name or None, found {type(logger).__name__}")

    def forward(severity, code, event, text, fields):
        level = _LEVELS[severity]
        if logger.isEnabledFor(level):
            logger.log(level, text, extra={"event.name": event, **fields})

    _runtime.set_log(forward)
    atexit.register(_runtime.set_log, None)


class ProfiledStep(typing.NamedTuple):
    """A step of a profile."""

    index: int
    name: str
    """The step's main operation, "matmul", "attention" ..., or "copy", "all_reduce" ..."""
    kernel: str
    nodes: tuple
    """ONNX nodes that it computes."""
    calls: int
    mean_us: float
    share: float
    """Of the time of all steps, 0 to 1."""


class Profile:
    """The times of the steps of some runs. print() shows a table, with the steps that take the longest first."""

    def __init__(self, entry, steps, begins, runs, times):
        """steps: kernel, hero and ONNX nodes of each. begins, runs: nanoseconds of the beginning and of the whole of each run.
        times: of each step, by run."""
        self.entry = entry
        self.run_us = [duration / 1000 for duration in runs]
        """Microseconds of each run, from call to return."""
        self._begins, self._times = begins, times
        means = [sum(own) / len(times) / 1000 for own in zip(*times)]
        total = sum(means)
        self.steps = [
            ProfiledStep(i, hero or kernel, kernel, tuple(nodes), len(times), mean, mean / total if total else 0.0)
            for i, ((kernel, hero, nodes), mean) in enumerate(zip(steps, means))
        ]
        """Each step, in the order in which they run."""

    @property
    def total_us(self):
        """Mean microseconds of all steps together."""
        return sum(step.mean_us for step in self.steps)

    def __str__(self):
        head = ("step", "name", "kernel", "calls", "mean us", "share", "ONNX nodes")
        rows = [
            (str(s.index), s.name, s.kernel, str(s.calls), f"{s.mean_us:.1f}", f"{100 * s.share:.1f} %", _shortened(s.nodes))
            for s in sorted(self.steps, key=lambda step: -step.mean_us)
        ]
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        right = (True, False, False, True, True, True, False)
        lines = [
            "  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right)).rstrip() for row in (head, *rows)
        ]
        mean_run = sum(self.run_us) / len(self.run_us)
        lines.append(f"{len(self.run_us)} runs of {self.entry}: {mean_run:.1f} us each, of which steps {self.total_us:.1f} us")
        return "\n".join(lines)

    def __repr__(self):
        return f"<kiln.Profile of {self.entry}: {len(self.run_us)} runs, {len(self.steps)} steps>"

    def to_trace(self, path):
        """Writes a trace for Perfetto and Chrome, in the format of `kiln estimate --timeline`: a track of runs, and one of their
        steps, one after the other from the beginning of the run."""
        events = [_name("process_name", "kiln", None), _name("thread_name", "runs", 0), _name("thread_name", "steps", 1)]
        first = self._begins[0]
        for begin, duration, own in zip(self._begins, self.run_us, self._times):
            at = (begin - first) / 1000
            events.append(self._span(f"run of {self.entry}", 0, at, duration, {}))
            for step, nanoseconds in zip(self.steps, own):
                args = {"step": step.index, "kernel": step.kernel, "nodes": list(step.nodes)}
                events.append(self._span(step.name, 1, at, nanoseconds / 1000, args))
                at += nanoseconds / 1000
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"displayTimeUnit": "ms", "traceEvents": events}, file)
            file.write("\n")

    def _span(self, name, track, begin, duration, args):
        return {"name": name, "cat": self.entry, "ph": "X", "pid": os.getpid(), "tid": track, "ts": begin, "dur": duration, "args": args}


def _name(what, name, track):
    event = {"name": what, "ph": "M", "pid": os.getpid(), "args": {"name": name}}
    return event if track is None else {**event, "tid": track}


def _shortened(nodes):
    shown = ", ".join(_NODE.sub(r"\1", node) for node in nodes[:_SHOWN_NODES])
    return shown + (f" and {len(nodes) - _SHOWN_NODES} more" if len(nodes) > _SHOWN_NODES else "")


def profile(session, inputs, runs=10):
    """Runs the model so many times, after a first run that is not counted, and returns the times of its steps. The runs are those of
    a session of their own, with memory of its own: states of this one stay, and its runs are as fast as before."""
    if runs < 1:
        raise Error("KILN-E0001", "kiln.Session.profile", "there is nothing to measure", "1 run or more", str(runs), "ask for more", 2)
    begins, durations, times = [], [], []
    with session._timed() as timed:
        timed.run(inputs)
        for _ in range(runs):
            begins.append(time.perf_counter_ns())
            timed.run(inputs)
            durations.append(time.perf_counter_ns() - begins[-1])
            entry, steps = timed._step_times()
            times.append([step[3] for step in steps])
    return Profile(entry, [step[:3] for step in steps], begins, durations, times)
