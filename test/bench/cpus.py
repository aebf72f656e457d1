#!/usr/bin/env python3
"""Rows of the table of CPUs on the machine at hand: what `kiln tune --machine` measures, decode steps of each target beside native, and
encoders in each precision beside OpenVINO and ONNX Runtime, those of them that are installed in the environment.

  build/venv/bin/python test/bench/cpus.py                                     into docs/benchmarks
  build/venv/bin/python test/bench/cpus.py --precisions int8 --targets znver5 --output-dir build/bench

A target and native take turns in one process, one thread, CPU time; encoders and their peers, too, in wall time. Adds the CPU to cpus.json, or replaces it there, and writes the
page of all CPUs, cpus.md; docs/benchmarks/README.md says what the fields mean.
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
import time

os.environ.pop("OPENBLAS_CORETYPE", None)

import peers  # noqa: E402
import timing  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = "llama-110m"


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    row = subprocess.run([arguments.kiln, "tune", "--machine"], check=True, capture_output=True, text=True).stdout
    own = {"command": shlex.join(["python", *sys.argv]), "machine": timing.machine(), "load_average": os.getloadavg()[0], "row": row}
    own["cases"] = [case for precision in arguments.precisions for case in measure(arguments, precision)]
    own["encoders"] = list(measure_encoders(arguments))
    path = arguments.output_dir / "cpus.json"
    result = json.loads(path.read_text()) if path.exists() else {}
    result[own["machine"]["cpu"]] = own
    path.write_text(json.dumps(result, indent=2) + "\n")
    text = page(result)
    (arguments.output_dir / "cpus.md").write_text(text)
    print(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--precisions", nargs="+", default=["f32", "int8", "int4"])
    parser.add_argument("--targets", nargs="+", default=["x86-64-v3", "x86-64-v4", "znver5"])
    parser.add_argument("--encoders", nargs="*", help="models of encoders.py; default: all")
    parser.add_argument("--encoder-precisions", nargs="+", default=["f32", "bf16"], choices=["f32", "bf16"])
    parser.add_argument("--sequences", nargs="+", type=int, default=[128, 511], help="tokens of an encoder's batch of one")
    parser.add_argument("--past", type=int, default=127, help="tokens in the cache before a step")
    parser.add_argument("--rounds", type=int, default=31, help="turns of each target")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def compile_for(arguments, precision, target):
    model, package = (arguments.work / f"{MODEL}-{name}" for name in ("past.onnx", f"{precision}-{target}.kiln"))
    if not model.exists():
        builder = [ROOT / "models/build.py", MODEL, "--dtype", "f32", "--spelling", "past", "-o", model]
        subprocess.run([sys.executable, *map(str, builder)], check=True)
    options = [] if precision == "f32" else ["--precision", precision]
    subprocess.run([*map(str, [arguments.kiln, "compile", model, "-o", package, "-q", "--target", target]), *options], check=True)
    return package


def measure(arguments, precision):
    native = stepper(compile_for(arguments, precision, "native"), arguments.past)
    for target in arguments.targets:
        package = compile_for(arguments, precision, target)
        try:
            other = stepper(package, arguments.past)
        except Exception as error:  # a CPU without what the target needs
            print(f"  {precision}, {target}: {error}", flush=True)
            continue
        yield {"precision": precision, "past": arguments.past, "target": target, **paired(native, other, arguments.rounds)}


def stepper(package, past):
    import kiln
    import numpy as np

    ids = np.random.default_rng(0).integers(0, 32000, (1, past + 1))
    decoder = kiln.Decoder(package, threads=1, capacity=past + 1)
    decoder.prefill(ids[:, :-1])

    def step():
        decoder.trim(0, past)
        decoder.decode(ids[:, -1:])

    return step


def paired(native, other, rounds, steps=4):
    """Medians of CPU milliseconds per step, and of the ratios of turns next to each other."""
    times = {native: [], other: []}
    for turn in range(rounds):
        for call in (native, other) if turn % 2 else (other, native):
            call()  # fills the cache with its own weights
            begin = time.process_time()
            for _ in range(steps):
                call()
            times[call].append((time.process_time() - begin) / steps * 1e3)
    ratios = [a / b for a, b in zip(times[native], times[other])]
    quartiles = statistics.quantiles(ratios, n=4)
    return {
        "native_ms": statistics.median(times[native]),
        "ms": statistics.median(times[other]),
        "speedup": quartiles[1],
        "quartiles": [quartiles[0], quartiles[2]],
    }


def measure_encoders(arguments):
    import encoders

    names = encoders.MODELS if arguments.encoders is None else arguments.encoders
    for name in names:
        yield from measure_encoder(arguments, name, encoders.build(name, arguments), encoders.inputs)


def measure_encoder(arguments, name, model, inputs):
    """An encoder in each precision, its own f32, and the peers, in turns."""
    import kiln

    sessions = {}
    for precision in dict.fromkeys(["f32", *arguments.encoder_precisions]):
        package = arguments.work / f"{name}-{precision}-native.kiln"
        options = [] if precision == "f32" else ["--precision", precision]
        subprocess.run([*map(str, [arguments.kiln, "compile", model, "-o", package, "-q"]), *options], check=True)
        sessions[precision] = kiln.Session(str(package), threads=1)
    for sequence in arguments.sequences:
        feeds = inputs(1, sequence)
        for precision in arguments.encoder_precisions:
            runs = {"kiln": sessions[precision].run, "kiln f32": sessions["f32"].run}
            runs |= {peer: peers.load(peer, model, 1, precision) for peer in peers.NAMES if peers.version(peer) and takes(peer, precision)}
            seconds = timing.interleaved([lambda run=run: run(feeds) for run in runs.values()], arguments.rounds)
            times = {runtime: value * 1e3 for runtime, value in zip(runs, seconds)}
            print(f"  {name}, {sequence} tokens, {precision}: {times}", flush=True)
            yield {"model": name, "sequence": sequence, "precision": precision, "ms": times}


def takes(peer, precision):
    return precision == "f32" or peer == "openvino"


def encoder_table(cases):
    """The speedup is over the faster peer; nothing where none is installed."""
    if not cases:
        return []
    lines = ["", "| encoder | tokens | precision | kiln ms | own f32 ms | over it | onnxruntime ms | openvino ms | over the faster |",
             "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for case in cases:
        times = case["ms"]
        others = [times.get(peer) for peer in peers.NAMES]
        faster = min((value for value in others if value), default=None)
        cells = [f"{value:.2f}" if value else "" for value in (*others, faster and faster / times["kiln"])]
        lines.append(f"| {case['model']} | {case['sequence']} | {case['precision']} | {times['kiln']:.2f} | {times['kiln f32']:.2f} "
                     f"| {times['kiln f32'] / times['kiln']:.2f} | " + " | ".join(cells) + " |")
    return lines


def page(result):
    lines = [
        "# CPUs",
        "",
        "What `kiln tune --machine` measured, and decode steps of the Llama of 110 million parameters, of targets of [the table](../spec/cpus.md) in turns with "
        "`native`, and encoders beside their peers. README.md says what each column means.",
    ]
    for cpu, own in result.items():
        lines += [
            "",
            f"## {cpu}",
            "",
            f"{', '.join(own['machine']['isa'])}; {own['machine']['cores']} cores, load average {own['load_average']:.1f} when it began; one thread, with",
            "",
            f"    {own['command']}",
            "",
            *(f"    {line}" for line in own["row"].splitlines()),
            "",
            "| weights | behind | target | native ms | ms | over native | quartiles |",
            "| --- | ---: | --- | ---: | ---: | ---: | --- |",
        ]
        for case in own["cases"]:
            low, high = case["quartiles"]
            lines.append(f"| {case['precision']} | {case['past']} | {case['target']} | {case['native_ms']:.2f} | {case['ms']:.2f} | {case['speedup']:.2f} "
                         f"| {low:.2f} to {high:.2f} |")
        lines += encoder_table(own.get("encoders", []))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
