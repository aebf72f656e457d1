"""The measuring itself: nobody looks twice at a wrong clock."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cpus  # noqa: E402
import decoders  # noqa: E402
import large_model  # noqa: E402
import lengths  # noqa: E402
import packages  # noqa: E402
import report  # noqa: E402
import timing  # noqa: E402


def test_interleaved_tells_fast_from_slow():
    calls = [lambda: time.sleep(0.002), lambda: time.sleep(0.02)]
    fast, slow = timing.interleaved(calls, rounds=3, seconds_per_turn=0.04)
    assert 0.002 <= fast < 0.02 <= slow < 0.2


def test_peak_memory_counts_what_a_process_fills():
    program = "import time; data = bytearray(64 << 20); time.sleep(0.2)"
    seconds, peak = timing.run_measured([sys.executable, "-c", program])
    assert seconds >= 0.2
    assert 64 << 20 <= peak < 128 << 20


def test_a_command_that_fails_is_not_measured():
    with pytest.raises(subprocess.CalledProcessError):
        timing.run_measured([sys.executable, "-c", "raise SystemExit(3)"])


def test_table():
    peers_ms = dict(onnxruntime=3.0, openvino=4.0)
    case = dict(batch=1, sequence=16, threads=2, kiln_ms=2.0, peers_ms=peers_ms, speedup=1.5, largest_relative_difference=2e-6)
    model = dict(
        model="m", compile_seconds=1.25, compile_peak_anonymous_bytes=300 << 20, package_bytes=90 << 20, load_ms=7.04, cases=[case]
    )
    machine = dict(cpu="a CPU", isa=["avx2"], cores=2)
    text = report.table(dict(machine=machine, peers=dict(onnxruntime="1.0", openvino="2.0"), command="python x.py", models=[model]))
    assert "against onnxruntime 1.0 and openvino 2.0 with" in text
    assert "| m | 1 | 16 | 2 | 2.00 | 3.00 | 4.00 | 1.50 | 2.0e-06 |" in text
    assert "| m | 1.25 | 300 | 90.0 | 7.0 |" in text


def test_table_of_decoders():
    step = dict(kind="step", tokens=127, threads=2, kiln_ms=2.0, peers_ms={"onnxruntime": {"pasts": 3.0, "one buffer": 2.5}},
                speedup=1.25, speedup_same_graph=1.5, largest_relative_difference=2e-6, bandwidth_share=0.93,
                memory_bandwidth_share=1.104, bf16_ms=1.25, speedup_bf16=1.6)
    prompt = dict(kind="prompt", tokens=512, threads=1, kiln_ms=20.0, peers_ms={"onnxruntime": {"pasts": 30.0}}, speedup=1.5,
                  speedup_same_graph=1.5, largest_relative_difference=3e-6, bf16_ms=25.0, speedup_bf16=0.8)
    result = dict(command="c", machine=dict(cpu="a CPU", isa=["avx2"], cores=2), peers={"onnxruntime": "1.0"}, compile_seconds=6.0,
                  compile_peak_anonymous_bytes=150 << 20, package_bytes=476 << 20, cases=[step, prompt])
    text = decoders.table(result)
    assert "| step behind 127 tokens | 2 | 2.00 | 3.00 (pasts), 2.50 (one buffer) | 1.50 | 1.25 | 93 % | 110 % | 2.0e-06 | 1.25 | 1.60 |" in text
    assert "| prompt of 512 tokens | 1 | 20.00 | 30.00 (pasts) | 1.50 | 1.50 |  |  | 3.0e-06 | 25.00 | 0.80 |" in text


def test_table_of_a_large_model():
    run = dict(threads=2, decode_tokens_per_second=18.04, bandwidth_share=0.93)
    model = dict(model="m", model_bytes=2098 << 20, package_bytes=2100 << 20, compile_seconds=16.04,
                 compile_peak_anonymous_bytes=64 << 20, load_ms=4.04, load_trusted_ms=3.04, checked_ms=120.4, generated=[run])
    machine = dict(cpu="a CPU", isa=["avx2"], cores=2)
    text = large_model.table(dict(command="c", machine=machine, load_average_before=0.31, models=[model]))
    assert "load average was 0.3 when" in text
    assert "| m | 2098 | 2100 | 16.0 | 64 | 4.0 | 3.0 | 120 |" in text
    assert "| m | 2 | 18.0 | 93 % |" in text and "Lowering" not in text
    costs = dict(seconds=60.4, cpu_seconds=100.2, peak_anonymous_bytes=200 << 20, package_bytes=150 << 20)
    lowering = [dict(model="m", weights="f32", algorithm="gptq", lowered=costs, plain={**costs, "seconds": 4.2})]
    text = large_model.table(dict(command="c", machine=machine, load_average_before=0.31, models=[model], lowering=lowering,
                                  lowering_load_average_before=2.04))
    assert "The load average was 2.0:" in text
    assert "| m | f32 | gptq | 60 | 100 | 200 | 150 | 4 | 100 | 200 |" in text


def test_pairs_tell_fast_from_slow():
    slow, fast = lambda: sum(range(200_000)), lambda: sum(range(50_000))
    fast_first = packages.pairs_of(fast, slow, rounds=5, seconds=0.02)
    found = packages.compare(packages.pairs_of(slow, fast, rounds=5, seconds=0.02), [pair[::-1] for pair in fast_first])
    assert found["before_ms"] > found["ms"] > 0 and found["quartiles"][0] <= found["speedup"] <= found["quartiles"][1]
    assert 1.5 < found["speedup"] < 10


def test_table_of_packages():
    case = dict(model="m", what="batch 1", same_bytes=False, before_ms=4.0, ms=2.0, speedup=2.0, quartiles=[1.9, 2.1])
    result = dict(command="c", machine=dict(cpu="a CPU", isa=["avx2"], cores=2), commit="c2", before_commit="c1", load_average_before=0.25,
                  load_average_after=0.5, threads=1, cases=[case, case | dict(what="batch 2", same_bytes=True, speedup=0.5)])
    text = packages.table(result)
    assert "Commit c2, before: c1; both by the runtime of the former, on 1 thread." in text
    assert "| m | batch 1 | 4.00 | 2.00 | 2.000 | 1.90 to 2.10 | differ |" in text and "| equal |" in text
    assert "The geometric mean is 1.000." in text


def test_steps_by_length():
    slow_halves = [[length, 5.0 if (length - 1) % 32 < 16 else 4.0, length % 16 == 1] for length in range(1, 129)]
    assert lengths.summarize(slow_halves) == [[1, 64, 5.0, 4.0, 1 / 16], [65, 128, 5.0, 4.0, 1 / 16]]
    assert lengths.largest_fall(slow_halves) == 1
    assert lengths.largest_fall([[1, 4.0, 0], [33, 8.0, 0], [65, 2.0, 0]]) == 4
    run = {"precision": "int4", "rows": 8, "first": slow_halves, "second": [[length, 4.0, 0] for length, _, _ in slow_halves]}
    machine = {"cpu": "C", "isa": ["avx2"], "cores": 2}
    text = lengths.table({"command": "python lengths.py", "machine": machine, "runs": [run]})
    assert "| int4 | 8 | 65 to 128 | 5.00 | 4.00 | 1.25 | 0.1 | 4.00 | 4.00 | 1.00 | 0.0 |" in text


def test_targets_beside_native():
    def step(seconds):
        return lambda: [None for end in [time.process_time() + seconds] for _ in iter(lambda: time.process_time() >= end, True)]

    case = cpus.paired(step(0.004), step(0.002), rounds=5, steps=2)
    assert 1.6 < case["speedup"] < 2.4 and case["native_ms"] > case["ms"] > 1.9
    own = {"command": "python cpus.py", "machine": {"isa": ["avx2"], "cores": 2}, "load_average": 1, "row": "cpu x\nmeasured y\n",
           "cases": [{"precision": "int4", "past": 127, "target": "znver5", "native_ms": 4, "ms": 2, "speedup": 2, "quartiles": [1.9, 2.1]}]}
    text = cpus.page({"CPU A": own, "CPU B": own})
    assert text.count("| int4 | 127 | znver5 | 4.00 | 2.00 | 2.00 | 1.90 to 2.10 |") == 2 and "## CPU A" in text and "    measured y" in text
    assert "own f32 ms" not in text


def test_encoders_beside_peers():
    bf16 = {"model": "minilm", "sequence": 128, "precision": "bf16", "ms": {"kiln": 2.0, "kiln f32": 8.0, "openvino": 3.0}}
    f32 = {"model": "minilm", "sequence": 128, "precision": "f32", "ms": {"kiln": 4.0, "kiln f32": 4.0, "onnxruntime": 5.0, "openvino": 6.0}}
    lines = cpus.encoder_table([bf16, f32])
    assert lines[-2] == "| minilm | 128 | bf16 | 2.00 | 8.00 | 4.00 |  | 3.00 | 1.50 |"
    assert lines[-1] == "| minilm | 128 | f32 | 4.00 | 4.00 | 1.00 | 5.00 | 6.00 | 1.25 |"
    assert cpus.encoder_table([{**f32, "ms": {"kiln": 4.0, "kiln f32": 4.0}}])[-1].endswith("| 1.00 |  |  |  |")
