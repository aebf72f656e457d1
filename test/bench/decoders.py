#!/usr/bin/env python3
"""Kiln beside ONNX Runtime and OpenVINO on a decoder of 110 million parameters: one prompt, and steps of one token.

  build/venv/bin/python test/bench/decoders.py                      everything, into docs/benchmarks
  build/venv/bin/python test/bench/decoders.py --pasts 127 --prompts 128 --output-dir build/bench

OpenVINO takes part where `pip install openvino` put it into the environment. Each peer runs in its faster form of those that
it has: ONNX Runtime with pasts as inputs, and with GroupQueryAttention over buffers that past and present have in common;
OpenVINO with pasts as inputs, and with state. Their prompts end in the logits of the last position, as Kiln's do.
Writes decoders.json and the table made of it, decoders.md; docs/benchmarks/README.md says what the fields mean.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys

# This variable, which is set while tuning by hand, changes the speed of numpy.
os.environ.pop("OPENBLAS_CORETYPE", None)

import kiln  # noqa: E402
import numpy as np  # noqa: E402

import decoder_peers  # noqa: E402
import peers  # noqa: E402
import timing  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = "llama-110m"
OTHER_GRAPH = "one buffer"  # graph form of peers whose model comes from another export than Kiln's


def main():
    arguments = parse_arguments(__doc__)
    arguments.work.mkdir(parents=True, exist_ok=True)
    models = build(arguments)
    package, narrow = arguments.work / f"{MODEL}.kiln", arguments.work / f"{MODEL}-bf16.kiln"
    seconds, peak = timing.run_measured([arguments.kiln, "compile", models["past"], "-o", package, "-q"])
    timing.run_measured([arguments.kiln, "compile", models["past"], "--precision", "bf16", "-o", narrow, "-q"])
    cases = [measure(package, narrow, models, threads, kind, count, arguments) for threads in arguments.threads
             for kind, counts in (("step", arguments.pasts), ("prompt", arguments.prompts)) for count in counts]
    result = {
        "command": shlex.join(["python", *sys.argv]),
        "machine": timing.machine(),
        "peers": {name: peers.version(name) for name in arguments.peers},
        "compile_seconds": seconds,
        "compile_peak_anonymous_bytes": peak,
        "package_bytes": package.stat().st_size,
        "cases": cases,
    }
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "decoders.json").write_text(json.dumps(result, indent=2) + "\n")
    text = table(result)
    (arguments.output_dir / "decoders.md").write_text(text)
    print(text)


def parse_arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--pasts", nargs="*", type=int, default=[127, 1023], help="tokens in the cache before a step")
    parser.add_argument("--prompts", nargs="*", type=int, default=[512])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=7, help="turns of each runtime per case")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    parser.add_argument("--peers", nargs="+", choices=peers.NAMES, help="default: those that are installed")
    arguments = parser.parse_args()
    arguments.peers = arguments.peers or [name for name in peers.NAMES if peers.version(name)]
    return arguments


def build(arguments):
    """The model by spelling."""
    models = {}
    for spelling in ("past", "gqa"):
        models[spelling] = arguments.work / f"{MODEL}-{spelling}.onnx"
        if not models[spelling].exists():
            builder = [ROOT / "models/build.py", MODEL, "--dtype", "f32", "--spelling", spelling, "-o", models[spelling]]
            subprocess.run([sys.executable, *map(str, builder)], check=True)
    return models


def measure(package, narrow, models, threads, kind, count, arguments):
    """A step behind `count` tokens, or a prompt of so many."""
    print(f"  {kind}, {count} tokens, {threads} threads", flush=True)
    ids = np.random.default_rng(0).integers(0, 32000, (1, count + 1))
    ours = kiln.Decoder(package, threads=threads, capacity=count + 1)
    forms = {name: decoder_peers.load(name, models, threads, kind, ids) for name in arguments.peers}
    call_of = step_of if kind == "step" else prompt_of
    calls = [call_of(ours, ids)]
    names = [(name, form) for name, all_forms in forms.items() for form in all_forms]
    calls += [forms[name][form] for name, form in names]
    found = calls[0]()
    differences = [float(np.abs(found - call()).max() / np.abs(found).max()) for call in calls[1:]]
    kiln_seconds, *seconds = timing.interleaved(calls, arguments.rounds)
    times = {}
    for (name, form), value in zip(names, seconds):
        times.setdefault(name, {})[form] = value * 1e3
    result = {
        "kind": kind,
        "tokens": count,
        "threads": threads,
        "kiln_ms": kiln_seconds * 1e3,
        "peers_ms": times,
        "speedup": min(seconds) / kiln_seconds,
        "speedup_same_graph": min(value for (_, form), value in zip(names, seconds) if form != OTHER_GRAPH) / kiln_seconds,
        "largest_relative_difference": max(differences),
    }
    lowered = call_of(kiln.Decoder(narrow, threads=threads, capacity=count + 1), ids)
    own_seconds, bf16_seconds = timing.interleaved([calls[0], lowered], arguments.rounds)
    result |= {"bf16_ms": bf16_seconds * 1e3, "speedup_bf16": own_seconds / bf16_seconds}
    if kind == "step":
        result |= bandwidth(package, threads, count, calls[0], arguments)
    return result


def step_of(decoder, ids):
    decoder.prefill(ids[:, :-1])

    def run():
        decoder.trim(0, ids.shape[1] - 1)
        return decoder.decode(ids[:, -1:])[0, 0]

    return run


def prompt_of(decoder, ids):
    def run():
        decoder.reset()
        return decoder.prefill(ids[:, :-1])[0]

    return run


def bandwidth(package, threads, past, call, arguments):
    """What a step reads, and what part of its time reading as many bytes takes: the median of pairs measured one after the other,
    because whatever shares the memory with this machine changes from one second to the next."""
    command = [arguments.kiln, "bench", package, "--prompt", past, "--gen", 1, "--threads", threads, "--duration", 0.1, "--json"]
    reads, shares, of_memory = [], [], []
    for _ in range(arguments.rounds):
        found = json.loads(subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout)
        (seconds,) = timing.interleaved([call], rounds=1)
        # Bandwidth relative to the steps measured here: in the bench command each step follows a prompt.
        reads.append(found["bandwidth_share"] * found["step_seconds"])
        shares.append(reads[-1] / seconds)
        of_memory.append(found["step_bytes"] / seconds / found["memory_bandwidth"])
    return {
        "step_bytes": found["step_bytes"],
        "read_ms": statistics.median(reads) * 1e3,
        "bandwidth_share": statistics.median(shares),
        "memory_bandwidth_share": statistics.median(of_memory),
    }


def bandwidth_cells(case):
    """Of a table: reading as many bytes over and over, and memory without caches."""
    return [f"{case[name] * 100:.0f} %" if case.get(name) else "" for name in ("bandwidth_share", "memory_bandwidth_share")]


def table(result):
    machine = result["machine"]
    versions = " and ".join(f"{name} {version}" for name, version in result["peers"].items())
    lines = [
        "# A decoder beside other runtimes",
        "",
        f"Llama of 110 million parameters, f32, one sequence, on {machine['cpu']} ({', '.join(machine['isa'])}; "
        f"{machine['cores']} cores) against {versions} with",
        "",
        f"    {result['command']}",
        "",
        "Medians of runs that take turns in one process. README.md says what each column means.",
        "",
        "| what | threads | kiln ms | " + " | ".join(f"{name} ms" for name in result["peers"]) + " | same graph | any graph | bandwidth | of memory | difference | bf16 ms | over f32 |",
        "| --- |" + " ---: |" * (9 + len(result["peers"])),
    ]
    for case in result["cases"]:
        what = f"step behind {case['tokens']} tokens" if case["kind"] == "step" else f"prompt of {case['tokens']} tokens"
        others = " | ".join(
            ", ".join(f"{value:.2f} ({form})" for form, value in case["peers_ms"][name].items()) for name in result["peers"])
        part, of_memory = bandwidth_cells(case)
        lines.append(f"| {what} | {case['threads']} | {case['kiln_ms']:.2f} | {others} | {case['speedup_same_graph']:.2f} | {case['speedup']:.2f} "
                     f"| {part} | {of_memory} | {case['largest_relative_difference']:.1e} | {case['bf16_ms']:.2f} | {case['speedup_bf16']:.2f} |")
    lines += ["", f"`kiln compile` took {result['compile_seconds']:.1f} s and {result['compile_peak_anonymous_bytes'] / 2**20:.0f} MiB "
              f"of anonymous memory; the package has {result['package_bytes'] / 2**20:.0f} MiB."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
