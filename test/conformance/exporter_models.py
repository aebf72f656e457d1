#!/usr/bin/env python3
"""Compiles the graphs of real exporters (exporter-models.tar.xz, new-architectures.tar.xz), runs every case on the host and
on simulated GPUs, and compares with ONNX Runtime. Prints a table by architecture and exporter; --table writes it.

The column `first try` says what `kiln compile MODEL` does with no flags: `yes`, `stateless` where the cache of a decoder
cannot become state and a warning says so, `narrowed` where a default range was changed or a dim can have one value only, or
the code of the error. Values are compared with pasts as inputs (--no-state), as the cases give them.

A model is `right` where all its outputs in all its cases are those of ONNX Runtime, of onnx.reference where that cannot
run the model; cases that neither runs are left out, and a model without any case is `unjudged`; a case beyond the default
ranges of dims is compiled for its own, as the error says; where a model quantizes its activations, a case may differ behind
a code to which two roundings are as near (codes.py checks that). `refused` where `kiln compile` says with a code what it
does not support; `wrong` otherwise, a crash or a hang among them. Exports of onnxruntime-genai take a cache that is state
and are refused here; test/e2e/test_exported_decoders.py runs them. Status 1 if a model is wrong, or is refused and
EXPECTED_REFUSALS does not say so.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile

import codes

ARCHIVES = {"exporter-models.tar.xz": "models/*.onnx", "new-architectures.tar.xz": "*.onnx"}
CODE = re.compile(r"^error: KILN-(E\d{4}): (.*)", re.MULTILINE)
SKIPPED = 77

# Models that are refused, by name and with the reason that the table gives.
EXPECTED_REFUSALS = {
    "llama-int4-genai": "GroupQueryAttention over pasts that are inputs; it takes a cache that is state",
    "llama-fp32-genai": "GroupQueryAttention over pasts that are inputs; it takes a cache that is state",
    "qwen3-fp32-genai": "GroupQueryAttention over pasts that are inputs; it takes a cache that is state",
}

# What a device's target is called.
TARGETS = {"cpu": "native", "sim:a100": "sm_80", "sim:h200": "sm_90a"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--data", type=pathlib.Path, help=f"the folder of {' and '.join(ARCHIVES)}")
    parser.add_argument("--folder", type=pathlib.Path, help="models of your own instead: NAME-EXPORTER.onnx beside .npz, as "
                        "export_families.py writes them")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where it is unpacked")
    parser.add_argument("--devices", nargs="+", choices=list(TARGETS), default=list(TARGETS))
    parser.add_argument("--sim-elements", type=int, default=2000,
                        help="on a simulated GPU, only cases whose first input has at most so many elements")
    parser.add_argument("--verify", action="store_true", help="compile with --verify=each")
    parser.add_argument("--time", action="store_true", help="also time the largest case beside ONNX Runtime, 1 thread")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=900, help="of a model, in seconds")
    parser.add_argument("--table", type=pathlib.Path, help="where to write the table")
    parser.add_argument("--one", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("models", nargs="*", help="only models whose name contains one of these")
    return parser.parse_args()


# ---- One model, in a process of its own ------------------------------------------------------------------------------


def cases_of(path):
    """{case: {input: array}}, in the order of the file."""
    import numpy as np

    cases = {}
    with np.load(path) as arrays:
        for key in arrays.files:
            case, _, name = key.partition(".")
            cases.setdefault(case, {})[name] = arrays[key]
    return cases


def oracle(path):
    """A function from inputs to {output: array}, with integers added exactly; and ONNX Runtime's session, if it runs the model."""
    import onnx
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    providers = ["CPUExecutionProvider"]
    judge = codes.with_exact_sums(onnx.load(path)).SerializeToString()
    try:
        session = onnxruntime.InferenceSession(path, options, providers=providers)
        judging = onnxruntime.InferenceSession(judge, options, providers=providers)
        names = [output.name for output in session.get_outputs()]
    except Exception:  # whatever it says: the other one decides
        session = None

    def reference(inputs):
        import onnx.reference

        evaluator = onnx.reference.ReferenceEvaluator(str(path))
        return dict(zip(evaluator.output_names, evaluator.run(None, inputs)))

    def run(inputs):
        """None where neither runs: the model itself does not hold for these inputs, or has ops of others."""
        for attempt in ([lambda: dict(zip(names, judging.run(names, inputs)))] if session else []) + [lambda: reference(inputs)]:
            try:
                return attempt()
            except Exception:
                continue
        return None

    return run, session


def difference(found, expected, half):
    """"" or what is wrong. Half precision anywhere in the model allows for its rounding."""
    import numpy as np

    if found.shape != expected.shape:
        return f"shape {found.shape}, expected {expected.shape}"
    if expected.size == 0 or not np.issubdtype(expected.dtype, np.floating):
        return "" if np.array_equal(found, expected) else f"{np.sum(found != expected)} elements differ"
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    if not np.array_equal(np.isnan(found), np.isnan(expected)):
        return f"{np.isnan(found).sum()} NaN, expected {np.isnan(expected).sum()}"
    same = np.isnan(expected) | (found == expected)
    error = np.abs(np.where(same, 0, found - expected))
    finite = np.abs(expected[np.isfinite(expected)])
    scale = max(finite.max() if finite.size else 0.0, 1e-3)
    worst = error.max() / scale
    limit = 2e-2 if half else 2e-4
    return "" if worst <= limit else f"off by {worst:.1e} of the largest value"


def is_half(model):
    import onnx

    types = (onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16)
    return any(tensor.data_type in types for tensor in model.graph.initializer)


def compile_for(options, model, package, devices, dims=()):
    targets = ",".join(TARGETS[device] for device in devices)
    # The cases give pasts as inputs.
    command = [options.kiln, "compile", model, "-o", package, "--target", targets, "--no-state", "-q"]
    if options.verify:
        command.append("--verify=each")
    if dims:
        command += ["--dims", ",".join(dims)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.timeout)
    return "" if done.returncode == 0 else done.stderr or f"ended with {done.returncode}"


def try_first(options, model):
    """What the table says of a compilation without flags."""
    package = options.work / f"{model.stem}.first.kiln"
    command = [options.kiln, "compile", model, "-o", package]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.timeout)
    package.unlink(missing_ok=True)
    if done.returncode:
        code = CODE.search(done.stderr)
        return code[1] if code else "failed"
    if "cache stays inputs and outputs" in done.stderr:
        return "stateless"
    return "narrowed" if re.search("default range of dim|can only be", done.stderr) else "yes"


def count_ops(options, model):
    """How many attentions were raised, and how many softmax ops are left."""
    command = [options.kiln, "compile", model, "--compile-to=graph", "--no-state", "-q"]
    text = subprocess.run(command, capture_output=True, text=True, errors="replace").stdout
    return text.count(" graph.attention "), text.count(" graph.softmax ")


def outside(error):
    """The dims of a case beyond the ranges, as --dims wants them; nothing for other errors."""
    return [f"{name}={size}..{size}" for name, size in re.findall(r"the dim (\w+) is outside its range.*found (\d+)", str(error))]


def run_case(options, path, package, device, inputs):
    import kiln

    def run(package):
        session = kiln.Session(str(package), device=device, threads=1)
        return session.run({tensor.name: inputs[tensor.name] for tensor in session.inputs})

    try:
        return run(package)
    except kiln.Error as error:
        dims, own = outside(error), package.with_suffix(".own.kiln")
        if not dims or compile_for(options, path, own, [device], dims):
            raise
    try:
        return run(own)
    finally:
        own.unlink()


def run_cases(options, path, package, device, cases, expected, half):
    import kiln

    for case, inputs in cases.items():
        if device != "cpu" and next(iter(inputs.values())).size > options.sim_elements:
            continue
        try:
            outputs = run_case(options, path, package, device, inputs)
        except kiln.Error as error:
            return f"{case}: {error}"
        for name, value in expected[case].items():
            if wrong := difference(outputs[name], value, half):
                if ties_explain(options, path, device, inputs):
                    break
                return f"{case}: {name}: {wrong}"
    return ""


def ties_explain(options, path, device, inputs):
    """The first codes that differ from ONNX Runtime's are those of ties, so that later values say nothing."""
    shown = options.work / f"{path.stem}.codes.onnx"
    quantized = codes.show(path, shown)
    if not quantized:
        return False
    package = shown.with_suffix(".kiln")
    if error := compile_for(options, shown, package, [device]):
        raise RuntimeError(error)
    expected, _ = oracle(shown)
    try:
        return codes.first_difference_is_tie(quantized, run_case(options, shown, package, device, inputs),
                                             {**inputs, **expected(inputs)})
    finally:
        shown.unlink()
        package.unlink()


def time_largest(package, session, cases):
    """ONNX Runtime's time over Kiln's for the case with the most elements, medians of turns within one process."""
    import statistics
    import time

    import kiln

    inputs = max(cases.values(), key=lambda arrays: sum(array.size for array in arrays.values()))
    ours = kiln.Session(str(package), device="cpu", threads=1)
    feeds = {tensor.name: inputs[tensor.name] for tensor in ours.inputs}
    times = ([], [])
    for _ in range(15):
        for runtime, run in enumerate((lambda: ours.run(feeds), lambda: session.run(None, inputs))):
            run()
            begin = time.perf_counter()
            for _ in range(3):
                run()
            times[runtime].append(time.perf_counter() - begin)
    return statistics.median(times[1]) / statistics.median(times[0])


def judge(options):
    import onnx

    path = options.one
    result = {"devices": {}, "attentions": "", "ratio": None}
    if "cpu" in options.devices:
        result["first"] = try_first(options, path)
    half = is_half(onnx.load(path))
    cases = cases_of(path.with_suffix(".npz"))
    run, session = oracle(path)
    package = options.work / f"{path.stem}.kiln"
    error = compile_for(options, path, package, options.devices)
    if error:
        code = CODE.search(error)
        verdict = ("refused", f"{code[1]} {code[2]}") if code else ("wrong", error[-300:])
        result["devices"] = {device: verdict for device in options.devices}
        return result
    raised, left = count_ops(options, path)
    result["attentions"] = f"{raised} of {raised + left}"
    expected = {case: run(inputs) for case, inputs in cases.items()}
    cases = {case: inputs for case, inputs in cases.items() if expected[case] is not None}
    for device in options.devices:
        wrong = run_cases(options, path, package, device, cases, expected, half)
        result["devices"][device] = ("wrong", wrong) if wrong else ("right" if cases else "unjudged", "")
    if options.time and session and cases and "cpu" in options.devices:
        result["ratio"] = time_largest(package, session, cases)
    package.unlink()
    return result


# ---- All of them ------------------------------------------------------------------------------------------------------


def judge_on(options, path, device):
    """A process for each device: the simulated driver models one GPU in a process."""
    given = sys.argv[: sys.argv.index("--")] if "--" in sys.argv else sys.argv  # an option behind "--" would be a name
    command = [sys.executable, *given, "--one", path, "--work", options.work, "--devices", device]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.timeout)
        return json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"devices": {device: ("wrong", f"has not ended after {options.timeout:g} s")}}
    except (IndexError, ValueError):
        return {"devices": {device: ("wrong", f"ended with {done.returncode}: {done.stderr[-300:]}")}}


def judge_apart(options, path):
    result = {"devices": {}}
    for device in options.devices:
        found = judge_on(options, path, device)
        result["devices"] |= found.pop("devices")
        result |= {key: value for key, value in found.items() if value}
    print(path.stem, *(f"{device}: {verdict} {reason}" for device, (verdict, reason) in result["devices"].items()),
          sep="\n    ", flush=True)
    return path.stem, result


def cell(text, limit=110):
    text = re.sub(r"\s+", " ", text).replace("|", "\\|")
    return text if len(text) <= limit else text[:limit] + " ..."


def table(results, options):
    command = shlex.join(["test/conformance/exporter_models.py", *(["--verify"] if options.verify else []),
                          *(["--time"] if options.time else [])])
    yield "# Graphs of real exporters"
    yield ""
    yield f"Written by `{command}`, which says what the words mean. Attention: how many softmax became an attention kernel."
    if options.time:
        yield "Speed: ONNX Runtime's time over Kiln's, the largest case, 1 thread."
    yield ""
    rights = sum(is_right(name, result) for name, result in results.items())
    unjudged = sum(any(verdict == "unjudged" for verdict, _ in result["devices"].values()) for result in results.values())
    yield (f"Right at the first try, without flags: {rights} of {len(results)} ({rights / max(len(results), 1):.0%}); {unjudged} of the others "
           "unjudged.")
    yield ""
    yield f"| model | exporter | first try | {' | '.join(options.devices)} | attention | speed | why not |"
    yield f"| --- | --- | --- |{' --- |' * len(options.devices)} --- | --- | --- |"
    for name, result in results.items():
        model, _, exporter = name.rpartition("-") if "-" in name else (name, "", "")
        verdicts = [result["devices"].get(device, ("wrong", "")) for device in options.devices]
        reason = next((reason for _, reason in result["devices"].values() if reason), "")
        ratio = f"{result['ratio']:.2f}" if result.get("ratio") else ""
        yield (f"| {model} | {exporter} | {result.get('first', '')} | {' | '.join(verdict for verdict, _ in verdicts)} | "
               f"{result.get('attentions', '')} | {ratio} | {cell(reason)} |")


def is_right(name, result):
    """Compiles without flags and computes what ONNX Runtime does; a cache that must be state is judged elsewhere."""
    accepted = ("right", "refused") if name in EXPECTED_REFUSALS else ("right",)
    return result.get("first") in ("yes", "stateless", "narrowed") and all(verdict in accepted for verdict, _ in result["devices"].values())


def problems(results):
    for name, result in results.items():
        for device, (verdict, reason) in result["devices"].items():
            if verdict == "wrong" or (verdict == "refused" and name not in EXPECTED_REFUSALS):
                yield f"{name}: {device}: {verdict}: {reason}"


def judge_all(options, paths):
    options.work.mkdir(parents=True, exist_ok=True)
    paths = sorted(path for path in paths if not options.models or any(name in path.stem for name in options.models))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return dict(pool.map(lambda path: judge_apart(options, path), paths))


def main():
    options = arguments()
    if not options.one and not options.data and not options.folder:
        sys.exit("error: --data or --folder is needed")
    if options.one:
        print(json.dumps(judge(options)))
        return 0
    os.environ.pop("OPENBLAS_CORETYPE", None)
    if options.folder:
        results = judge_all(options, options.folder.glob("*.onnx"))
    else:
        results = {}
        for archive, models in ARCHIVES.items():
            path = options.data / archive
            if not path.exists():
                print(f"SKIPPED: {path} is absent, so its models were not compiled")
                continue
            with tempfile.TemporaryDirectory() as scratch:
                with tarfile.open(path) as files:
                    # Python 3.11.2 has no filters yet; newer ones warn without.
                    files.extractall(scratch, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
                results |= judge_all(options, pathlib.Path(scratch).rglob(models))
        if not results and not options.models:
            return SKIPPED
    text = "\n".join(table(results, options)) + "\n"
    print(text)
    if options.table:
        options.table.write_text(text)
    found = list(problems(results))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
