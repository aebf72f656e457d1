#!/usr/bin/env python3
"""A decoder's step at every length of its cache, where memory is new and where it was used before, for one row and eight.

  build/venv/bin/python test/bench/lengths.py                      into docs/benchmarks
  build/venv/bin/python test/bench/lengths.py --precisions f32 int4 --longest 300 --stride 5 --output-dir build/bench

The Llama of 110 million parameters decodes token by token up to --longest, one thread, CPU time of each step; then once more in the
same memory. Of --stride N tokens the last is a timed step, the others are a prompt. Writes lengths.json and the table made of it,
lengths.md; docs/benchmarks/README.md says what the fields mean.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json
import os
import pathlib
import resource
import shlex
import statistics
import subprocess
import sys
import time

os.environ.pop("OPENBLAS_CORETYPE", None)

import timing  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = "llama-110m"
TILE = 32  # keys that attention reads together with AVX-512
BOUNDS = [1, 65, 129, 257, 513, 1025, 1537]  # first lengths of the table's lines


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    runs = [measure(arguments, precision, rows) for precision in arguments.precisions for rows in arguments.rows]
    result = {"command": shlex.join(["python", *sys.argv]), "machine": timing.machine(), "runs": runs}
    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    (arguments.output_dir / "lengths.json").write_text(json.dumps(result) + "\n")
    text = table(result)
    (arguments.output_dir / "lengths.md").write_text(text)
    print(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, default=ROOT / "build/bin/kiln")
    parser.add_argument("--target", default="native")
    parser.add_argument("--precisions", nargs="+", default=["int4"])
    parser.add_argument("--rows", nargs="+", type=int, default=[1, 8])
    parser.add_argument("--longest", type=int, default=2100)
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--output-dir", type=pathlib.Path, default=ROOT / "docs/benchmarks")
    return parser.parse_args()


def package_of(arguments, precision):
    model, package = (arguments.work / f"{MODEL}-{name}" for name in ("past.onnx", f"{precision}-lengths.kiln"))
    if not model.exists():
        builder = [ROOT / "models/build.py", MODEL, "--dtype", "f32", "--spelling", "past", "-o", model]
        subprocess.run([sys.executable, *map(str, builder)], check=True)
    command = [arguments.kiln, "compile", model, "-o", package, "-q", "--target", arguments.target]
    command += [] if precision == "f32" else ["--precision", precision]
    subprocess.run([*map(str, command), "--dims", f"capacity=1..{arguments.longest}"], check=True)
    return package


def measure(arguments, precision, rows):
    import kiln
    import numpy as np

    package = package_of(arguments, precision)
    decoder = kiln.Decoder(package, threads=1, rows=rows, capacity=arguments.longest)
    ids = np.random.default_rng(0).integers(0, 32000, (rows, arguments.longest))
    uses = {}
    for use in ("first", "second"):
        print(f"  {precision}, {rows} rows, {use} use", flush=True)
        decoder.reset()
        uses[use] = steps(decoder, ids, arguments.stride)
    return {"precision": precision, "rows": rows, **uses}


def steps(decoder, ids, stride):
    """Length with the new token, CPU milliseconds and minor page faults of each step."""
    records = []
    for end in range(1 + stride, ids.shape[1] + 1, stride):
        begin = end - stride - (not records)
        if end - 1 > begin:
            decoder.prefill(ids[:, begin : end - 1])
        faults, at = resource.getrusage(resource.RUSAGE_SELF).ru_minflt, time.process_time()
        decoder.decode(ids[:, end - 1 : end])
        spent = time.process_time() - at
        records.append([end, round(spent * 1e3, 3), resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults])
    return records


def summarize(records):
    """Per line of the table: its lengths, the median milliseconds of steps in the first half and in the second half of a tile, page
    faults per step."""
    lines = []
    for low, high in zip(BOUNDS, [bound - 1 for bound in BOUNDS[1:]] + [max(record[0] for record in records)]):
        own = [record for record in records if low <= record[0] <= high]
        halves = [[ms for length, ms, _ in own if (length - 1) % TILE // (TILE // 2) == half] for half in (0, 1)]
        if all(halves):
            lines.append([low, high, *map(statistics.median, halves), sum(record[2] for record in own) / len(own)])
    return lines


def largest_fall(records):
    """The largest quotient of the median of a tile of lengths by that of a longer one: 1 where a step's cost only grows."""
    tiles = {}
    for length, ms, _ in records:
        tiles.setdefault((length - 1) // TILE, []).append(ms)
    medians = [statistics.median(tiles[tile]) for tile in sorted(tiles)]
    return max((one / min(medians[i:]) for i, one in enumerate(medians)), default=1)


def table(result):
    machine = result["machine"]
    lines = [
        "# Steps by length",
        "",
        f"Llama of 110 million parameters, one thread, on {machine['cpu']} ({', '.join(machine['isa'])}; {machine['cores']} cores) with",
        "",
        f"    {result['command']}",
        "",
        "Medians of CPU milliseconds per step. README.md says what each column means.",
        "",
        "| weights | rows | lengths | first use: half tile | whole tile | ratio | faults | second use: half tile | whole tile | ratio | faults |",
        "| --- |" + " ---: |" * 10,
    ]
    for run in result["runs"]:
        for first, second in zip(summarize(run["first"]), summarize(run["second"])):
            cells = [f"{half:.2f} | {whole:.2f} | {half / whole:.2f} | {faults:.1f}" for _, _, half, whole, faults in (first, second)]
            lines.append(f"| {run['precision']} | {run['rows']} | {first[0]} to {first[1]} | {' | '.join(cells)} |")
    falls = [f"{run['precision']}, {run['rows']} rows {largest_fall(run[use]):.2f} ({use} use)" for run in result["runs"] for use in ("first", "second")]
    lines += ["", "How many times the median of 32 lengths is that of longer ones at most: " + ", ".join(falls) + "."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
