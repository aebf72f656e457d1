#!/usr/bin/env python3
"""Quantized weights beside ONNX Runtime: a Llama of 110 million parameters in int4 beside MatMulNBits at accuracy level 4, and in
int8 beside dynamic quantization; the same decoder with its cache in int8 beside f32; BERT-base in int8 beside both.

  build/venv/bin/python test/bench/quantized.py                      everything, into docs/benchmarks
  build/venv/bin/python test/bench/quantized.py --pasts 127 --prompts 128 --output-dir build/bench

The peer's models are made of the f32 export that Kiln compiles, weights rounded to nearest in blocks of 32 with zero points
(int4) or per tensor by its own tool (int8). Writes quantized.json and the table made of it, quantized.md.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import shlex
import sys

# This variable, which is set while tuning by hand, changes the speed of numpy.
os.environ.pop("OPENBLAS_CORETYPE", None)

import kiln  # noqa: E402
import numpy as np  # noqa: E402
import onnx  # noqa: E402

import decoder_peers  # noqa: E402
import decoders  # noqa: E402
import encoders  # noqa: E402
import peers  # noqa: E402
import quantized_peers  # noqa: E402
import timing  # noqa: E402

PEER = "onnxruntime"
FORMATS = {"int4": "MatMulNBits, accuracy level 4", "int8": "quantize_dynamic"}
ENCODER = "bert-base"
LENGTHS = [32, 128, 384]


def main():
    arguments = decoders.parse_arguments(__doc__)
    arguments.work.mkdir(parents=True, exist_ok=True)
    models = decoders.build(arguments)
    result = {
        "command": shlex.join(["python", *sys.argv]),
        "machine": timing.machine(),
        "peers": {PEER: peers.version(PEER)},
        "formats": [measure_format(precision, models, arguments) for precision in FORMATS],
        "caches": measure_caches(models["past"], arguments),
        "encoder": measure_encoder(arguments),
    }
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "quantized.json").write_text(json.dumps(result, indent=2) + "\n")
    text = table(result)
    (arguments.output_dir / "quantized.md").write_text(text)
    print(text)


def measure_format(precision, models, arguments):
    package = arguments.work / f"{decoders.MODEL}-{precision}.kiln"
    seconds, peak = compile_package(models["past"], package, arguments, "--precision", precision)
    lowered = {spelling: lower(model, precision) for spelling, model in models.items()}
    return {
        "precision": precision,
        "peer": FORMATS[precision],
        "compile_seconds": seconds,
        "compile_peak_anonymous_bytes": peak,
        "package_bytes": package.stat().st_size,
        "cases": [measure(package, lowered, threads, kind, count, arguments) for threads in arguments.threads
                  for kind, counts in (("step", arguments.pasts), ("prompt", arguments.prompts)) for count in counts],
    }


def compile_package(model, package, arguments, *options):
    return timing.run_measured([arguments.kiln, "compile", model, "-o", package, "-q", *options])


def lower(model, precision):
    """The peer's model, made once."""
    target = model.with_name(f"{model.stem}-{precision}.onnx")
    if target.exists():
        return target
    if precision == "int4":
        quantized_peers.to_matmul_nbits(model, target)
    else:
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(model, target, op_types_to_quantize=["MatMul"], weight_type=QuantType.QInt8,
                         extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT})
    return target


def measure(package, models, threads, kind, count, arguments):
    print(f"  {package.stem}: {kind}, {count} tokens, {threads} threads", flush=True)
    ids = np.random.default_rng(0).integers(0, 32000, (1, count + 1))
    call_of = decoders.step_of if kind == "step" else decoders.prompt_of
    forms = decoder_peers.load(PEER, models, threads, kind, ids)
    calls = [call_of(kiln.Decoder(package, threads=threads, capacity=count + 1), ids), *forms.values()]
    kiln_seconds, *seconds = timing.interleaved(calls, arguments.rounds)
    result = {
        "kind": kind,
        "tokens": count,
        "threads": threads,
        "kiln_ms": kiln_seconds * 1e3,
        "peer_ms": {form: value * 1e3 for form, value in zip(forms, seconds)},
        "speedup": min(seconds) / kiln_seconds,
    }
    if kind == "step":
        result |= decoders.bandwidth(package, threads, count, calls[0], arguments)
    return result


def measure_caches(model, arguments):
    """Steps of int4 weights: keys and values in 8 bits beside f32."""
    packages = [arguments.work / f"{decoders.MODEL}-int4.kiln", arguments.work / f"{decoders.MODEL}-int4-kv8.kiln"]
    compile_package(model, packages[1], arguments, "--precision", "int4", "--kv", "int8")
    cases = []
    for threads in arguments.threads:
        for past in arguments.pasts:
            print(f"  cache of int8: step, {past} tokens, {threads} threads", flush=True)
            ids = np.random.default_rng(0).integers(0, 32000, (1, past + 1))
            calls = [decoders.step_of(kiln.Decoder(package, threads=threads, capacity=past + 1), ids) for package in packages]
            f32, int8 = timing.interleaved(calls, arguments.rounds)
            cases.append({"tokens": past, "threads": threads, "f32_ms": f32 * 1e3, "int8_ms": int8 * 1e3, "speedup": f32 / int8})
    return cases


def measure_encoder(arguments):
    """One sequence in int8 beside the peer's dynamic quantization and beside f32 of our own."""
    model = encoders.build(ENCODER, arguments)
    packages = [arguments.work / f"{ENCODER}-int8.kiln", arguments.work / f"{ENCODER}.kiln"]
    compile_package(model, packages[0], arguments, "--precision", "int8")
    compile_package(model, packages[1], arguments)
    cases = []
    for threads in arguments.threads:
        runs = [kiln.Session(str(package), threads=threads).run for package in packages]
        runs.append(peers.load(PEER, lower(model, "int8"), threads))
        for length in LENGTHS:
            print(f"  {ENCODER}: {length} tokens, {threads} threads", flush=True)
            feeds = encoders.inputs(1, length)
            calls = [lambda run=run: run(feeds) for run in runs]
            int8, f32, peer = timing.interleaved(calls, arguments.rounds)
            cases.append({"tokens": length, "threads": threads, "kiln_ms": int8 * 1e3, "peer_ms": peer * 1e3, "f32_ms": f32 * 1e3,
                          "speedup": peer / int8, "speedup_own": f32 / int8})
    return cases


def table(result):
    machine = result["machine"]
    lines = [
        "# Quantized weights beside ONNX Runtime",
        "",
        f"One sequence, on {machine['cpu']} ({', '.join(machine['isa'])}; {machine['cores']} cores) "
        f"against {PEER} {result['peers'][PEER]} with",
        "",
        f"    {result['command']}",
        "",
        "Medians of runs that take turns in one process. `bandwidth` is the time to read as many bytes as a step does, again and again, over the step's time: "
        "caches hold a part of them from one round to the next, of the step as well. `of memory` compares the step's bytes per second with those of reading "
        "512 MiB (over 100 %: caches held the rest).",
        "",
        "## A Llama of 110 million parameters",
        "",
        "| precision | what | threads | kiln ms | peer ms | over the faster | bandwidth | of memory |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for entry in result["formats"]:
        for case in entry["cases"]:
            what = f"step behind {case['tokens']} tokens" if case["kind"] == "step" else f"prompt of {case['tokens']} tokens"
            others = ", ".join(f"{value:.2f} ({form})" for form, value in case["peer_ms"].items())
            part, of_memory = decoders.bandwidth_cells(case)
            lines.append(f"| {entry['precision']} | {what} | {case['threads']} | {case['kiln_ms']:.2f} | {others} "
                         f"| {case['speedup']:.2f} | {part} | {of_memory} |")
    lines.append("")
    for entry in result["formats"]:
        lines.append(f"{entry['precision']} (peer: {entry['peer']}): `kiln compile` took {entry['compile_seconds']:.1f} s and "
                     f"{entry['compile_peak_anonymous_bytes'] / 2**20:.0f} MiB of anonymous memory; the package has "
                     f"{entry['package_bytes'] / 2**20:.0f} MiB.")
    lines += ["", "## The same, int4, with a cache of int8", "",
              "| step behind | threads | cache of f32 ms | of int8 ms | over f32 |", "| ---: | ---: | ---: | ---: | ---: |"]
    lines += [f"| {case['tokens']} | {case['threads']} | {case['f32_ms']:.2f} | {case['int8_ms']:.2f} | {case['speedup']:.2f} |"
              for case in result["caches"]]
    lines += ["", f"## {ENCODER}, int8", "", "| tokens | threads | kiln ms | quantize_dynamic ms | over it | own f32 ms | over own f32 |",
              "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    lines += [f"| {case['tokens']} | {case['threads']} | {case['kiln_ms']:.2f} | {case['peer_ms']:.2f} | {case['speedup']:.2f} "
              f"| {case['f32_ms']:.2f} | {case['speedup_own']:.2f} |" for case in result["encoder"]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
