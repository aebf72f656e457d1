"""Observers, profiles, records for Python's logging, names of kernels."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gc
import json
import logging
import os
import subprocess
import sys
import weakref

import kiln
import numpy as np
import pytest

X = np.random.default_rng(0).standard_normal((2, 3, 8)).astype(np.float32)


@pytest.fixture
def records():
    """The records of a logger that Kiln writes to."""
    found = []

    class Keep(logging.Handler):
        def emit(self, record):
            found.append(record)

    logger = logging.getLogger("kiln.test")
    logger.setLevel(logging.DEBUG)
    handler = Keep()
    logger.addHandler(handler)
    kiln.set_logger(logger)
    yield found
    kiln.set_logger(None)
    logger.removeHandler(handler)


def test_records_have_fields(package, records, tmp_path):
    session = kiln.Session(package)
    session.check_weights()
    loaded, created, checked = records
    assert (loaded.levelname, created.levelname, checked.levelname) == ("INFO", "DEBUG", "INFO")
    fields = vars(loaded)
    assert fields["event.name"] == "kiln.model.loaded" and fields["file.path"] == str(package)
    assert fields["file.size"] == package.stat().st_size and fields["kiln.duration_ms"] > 0
    assert loaded.getMessage() == f"loaded {package}"
    with pytest.raises(kiln.Error):
        kiln.Session(tmp_path / "100%s.kiln")
    assert vars(records[-1])["error.type"] == "KILN-E0002" and records[-1].levelname == "ERROR"
    assert "100%s.kiln" in records[-1].getMessage()


def test_levels_and_names(package, records, caplog):
    logging.getLogger("kiln.test").setLevel(logging.WARNING)
    kiln.Session(package)
    assert not records
    kiln.set_logger("kiln.other")
    with caplog.at_level(logging.INFO, "kiln.other"):
        kiln.Session(package)
    assert [record.name for record in caplog.records] == ["kiln.other"]
    with pytest.raises(TypeError, match="logger: expected"):
        kiln.set_logger(3)


def test_loggers_that_raise_and_that_run_kiln(package, capsys):
    class Raises:
        def isEnabledFor(self, _):
            return True

        def log(self, *_, **__):
            raise RuntimeError("a mistake")

    class Runs(Raises):
        calls = 0

        def log(self, *_, **__):
            self.calls += 1
            kiln.Session(package).run({"x": X})

    hook, seen = sys.unraisablehook, []
    sys.unraisablehook = lambda error: seen.append(error.exc_value)
    try:
        kiln.set_logger(Raises())
        kiln.Session(package).run({"x": X})
        runs = Runs()
        kiln.set_logger(runs)
        kiln.Session(package).run({"x": X})
    finally:
        kiln.set_logger(None)
        sys.unraisablehook = hook
    assert seen and all(str(error) == "a mistake" for error in seen)
    assert runs.calls == 3  # loaded, created, checked: records from within callbacks are dropped


def test_logger_at_exit(package):
    script = f"import kiln, logging; logging.basicConfig(level=10); kiln.set_logger('kiln'); s = kiln.Session({str(package)!r})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0 and "INFO:kiln:loaded" in done.stderr


def test_observer(package):
    events, kept = [], []

    def observe(event):
        events.append((event.step, event.after, event.kernel, tuple(event.nodes), len(event.reads), len(event.writes)))
        kept.append(event)
        if event.after:
            assert len(event.writes[0].bytes()) == event.writes[0].size

    session = kiln.Session(package, observer=observe, threads=1)
    expected = kiln.Session(package).run({"x": X})["y"]
    assert np.array_equal(session.run({"x": X})["y"], expected)
    assert [event[:2] for event in events] == [(i // 2, bool(i % 2)) for i in range(len(events))]
    assert all(event[3] for event in events) and len(events) >= 2
    with pytest.raises(kiln.Error, match="KILN-E0001.*observer has returned"):
        kept[-1].writes[0].bytes()
    before = len(events)
    session.clone().run({"x": X})
    session.entry("main").run({"x": X})
    assert len(events) == 3 * before


@pytest.mark.parametrize("error", [ValueError("no more"), KeyboardInterrupt(), SystemExit(3)])
def test_observer_that_raises(package, error):
    calls = []

    def observe(event):
        calls.append(event.step)
        if wanted:
            raise error

    wanted = True
    session = kiln.Session(package, observer=observe, threads=2)
    with pytest.raises(type(error)):
        session.run({"x": X})
    assert calls == [0]
    wanted = False
    assert np.array_equal(session.run({"x": X})["y"], kiln.Session(package).run({"x": X})["y"])


def test_observer_that_runs_its_session(package):
    session = kiln.Session(package, observer=lambda event: session.run({"x": X}))
    with pytest.raises(kiln.Error, match="KILN-E0609"):
        session.run({"x": X})
    with pytest.raises(TypeError, match="observer: expected a function"):
        kiln.Session(package, observer=3)


def test_observer_in_a_circle(package):
    def make():
        session = kiln.Session(package, observer=lambda event: session.threads)
        session.run({"x": X})
        twin = session.entry("main")
        return weakref.ref(session), weakref.ref(twin)

    alive = make()
    gc.collect()
    assert [one() for one in alive] == [None, None]


def test_profile(package, tmp_path):
    session = kiln.Session(package, threads=1)
    profile = session.profile({"x": X}, runs=5)
    assert len(profile.steps) >= 1 and {step.calls for step in profile.steps} == {5}
    assert abs(sum(step.share for step in profile.steps) - 1) < 1e-9
    assert all(step.mean_us > 0 and step.nodes and step.kernel for step in profile.steps)
    assert profile.total_us < sum(profile.run_us) / 5
    lines = str(profile).splitlines()
    assert lines[0].split() == ["step", "name", "kernel", "calls", "mean", "us", "share", "ONNX", "nodes"]
    assert len(lines) == len(profile.steps) + 2 and lines[-1].startswith("5 runs of main: ")
    profile.to_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    assert len(spans) == 5 * (1 + len(profile.steps)) and all(span["dur"] > 0 for span in spans)
    runs = [span for span in spans if span["tid"] == 0]
    for span in spans:
        assert any(run["ts"] <= span["ts"] and span["ts"] + span["dur"] <= run["ts"] + run["dur"] + 1e-6 for run in runs)
    with pytest.raises(kiln.Error, match="KILN-E0001.*1 run or more"):
        session.profile({"x": X}, runs=0)


def test_several_ranks(split):
    ranks, wanted = [], False

    def observe(event):
        ranks.append(event.rank)
        if wanted and event.rank == 1:
            raise ValueError("no more")

    group = kiln.Group(split, observer=observe)
    expected = group.run({"x": X})["y"]
    assert set(ranks) == {0, 1}
    wanted = True
    with pytest.raises(ValueError, match="no more"):
        group.run({"x": X})
    wanted = False
    assert np.array_equal(group.run({"x": X})["y"], expected)
    profile = group.profile({"x": X}, runs=2)
    assert profile.total_us > 0 and any(step.name == "all_reduce" for step in profile.steps)


def test_profiles_leave_states_alone(tmp_path):
    import decoders

    session = kiln.Session(decoders.compile_tinylm(tmp_path), dims={"rows": 1, "capacity": 64})
    lengths = next(i for i, state in enumerate(session.states) if state.name == "lengths")
    ids = next(tensor.name for tensor in session.inputs if tensor.name != "counts")
    feeds = {ids: [[1, 2, 3]], "counts": [3]}
    session.run(feeds)
    profile = session.profile(feeds, runs=3)
    assert profile.entry == session.entries[0] and len(profile.run_us) == 3
    assert np.frombuffer(session.read_state(lengths), np.int64).tolist() == [3]


def test_symbols(package):
    script = (
        f"import kiln, os, numpy as np\n"
        f"s = kiln.Session({str(package)!r})\n"
        f"kiln.publish_symbols('map')\n"
        f"path = f'/tmp/perf-{{os.getpid()}}.map'\n"
        f"print(open(path).read()); os.remove(path)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "kiln:" in done.stdout
    with pytest.raises(kiln.Error, match="KILN-E0001.*map, jitdump, gdb"):
        kiln.publish_symbols("perf")
    environment = os.environ | {"KILN_SYMBOLS": "nonsense"}
    done = subprocess.run([sys.executable, "-c", f"import kiln; kiln.Session({str(package)!r})"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and done.stderr.startswith("warning: KILN-E0001")
