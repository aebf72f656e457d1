"""kiln.compile: calls the kiln program."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import operator
import os
import pathlib
import shutil
import subprocess

from . import errors


def compile(model, output, *, target="native", dims=None, precision=None, kv=None, memory_limit=None,
            threads=None, batch_invariant=False, external_data_from=None, ranks=1, shard=None, options=()):
    """Compiles an ONNX file into a package and returns what `kiln compile` reports.

    target: "native", "x86-64-v3", ..., or several in a list, for one package.
    dims: {"batch": (1, 8), "seq": 128}, the ranges of symbolic dims.
    precision: what matrix products are computed in: "f32", "tf32", "bf16", "f16", "int8", "mxfp8", "fp8", "int4", "nvfp4", "mxfp4", or
        the path of a policy that ends in .json.
    kv: "int8" or "fp8", what a decoder's cache is kept in; None: as products have it.
    memory_limit: bytes, or text such as "24GiB".
    batch_invariant: on a GPU a row of a result has the same bits however many rows run with it.
    external_data_from: a folder that external data may be links into, as in caches of model hubs.
    ranks: how many ranks the model is split among, which kiln.Group runs.
    shard: how they divide it: "tp" (tensor parallel, the default), "sp" (sequence parallel, too), "pp" (pipeline), a mesh such
        as "pp=2,tp=2", or annotations of weights: a file that ends in .json, or "onnx" for those of the model.
    options: more options of `kiln compile`, as strings.
    """
    command = [find(), "compile", os.fspath(model), "-o", os.fspath(output)]
    command += _model_options(target, dims, precision, kv, memory_limit, batch_invariant, external_data_from, ranks, shard)
    if threads is not None:
        command += ["--threads", str(threads)]
    return _run(command + list(options))


def check(model, *, target="native", dims=None, precision=None, kv=None, memory_limit=None,
          batch_invariant=False, external_data_from=None, ranks=1, shard=None, options=()):
    """Everything that keeps a model from compiling, as a list of dicts: code, node, domain, op, opset, what, expected,
    found and fix (of what is no node, where instead of node to opset). Empty if `compile` succeeds with these options.
    options: more options of `kiln check`, as strings.
    """
    command = [find(), "check", os.fspath(model), "--json"]
    command += _model_options(target, dims, precision, kv, memory_limit, batch_invariant, external_data_from, ranks, shard)
    command += map(str, options)
    return json.loads(_run(command, accepted=3))["gaps"]


def _model_options(target, dims, precision, kv, memory_limit, batch_invariant, external_data_from, ranks, shard):
    command = ["--target", target if isinstance(target, str) else ",".join(target)]
    if dims:
        if not hasattr(dims, "items"):
            raise TypeError(f"dims: expected a dict of names and ranges, found {type(dims).__name__}")
        command += ["--dims", ",".join(_range(name, value) for name, value in dims.items())]
    if precision is not None:
        command += ["--precision", precision]
    if kv is not None:
        command += ["--kv", kv]
    if memory_limit is not None:
        command += ["--memory-limit", str(memory_limit)]
    if batch_invariant:
        command += ["--batch-invariant"]
    if external_data_from is not None:
        command += ["--external-data-from", os.fspath(external_data_from)]
    if ranks != 1:
        command += ["--ranks", str(ranks)]
    if shard:
        command += ["--shard", shard]
    return command


def _range(name, value):
    pair = value if isinstance(value, (tuple, list)) else (value, value)
    try:
        lo, hi = map(operator.index, pair)
    except (TypeError, ValueError):
        raise errors.Error(
            "KILN-E0123",
            f"dim {name!r}",
            "its range cannot be read",
            "a number or a pair (lo, hi)",
            repr(value),
            'give the range as in {"batch": (1, 8)}',
            2,
        ) from None
    return f"{name}={lo}..{hi}"


def _run(command, accepted=0):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode == 0 or (done.returncode == accepted and done.stdout):
        return done.stdout
    raise failure(command[0], done.returncode, done.stderr)


def failure(program, status, stderr):
    """The error that the program ended with."""
    for line in stderr.splitlines():
        error = line.startswith("error: ") and errors.parse(line, status)
        if error:
            return error
    text = stderr.strip() or f"exit status {status}"
    return errors.Error("KILN-E0900", program, f"the program failed: {text}", fix="report this")


def find():
    """The path of the kiln program."""
    here = pathlib.Path(__file__).resolve().parent
    beside = [here.parents[1] / "bin" / "kiln", here / "bin" / "kiln"]
    chosen = os.environ.get("KILN_COMPILER")
    candidates = [chosen] if chosen else [str(path) for path in beside] + [shutil.which("kiln")]
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK) and os.path.isfile(candidate):
            return candidate
    raise errors.Error(
        "KILN-E0005",
        "kiln.compile",
        "the kiln program cannot be found",
        "it in KILN_COMPILER, beside this package, or in PATH",
        chosen or "none of them",
        "set KILN_COMPILER to the path of kiln",
        4,
    )
