"""Cases in the form of ONNX's node tests: where they are, what they feed and what they expect."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import fcntl
import pathlib
import tarfile

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

ARCHIVE = "onnx-node-tests.tar.xz"

# Rounding errors that results of a type may have, over the largest finite element: those of OnnxNodeTests.cpp.
TOLERANCES = {"float64": 1e-7, "float32": 1e-5, "float16": 5e-3, "bfloat16": 2e-2}

# What kiln.Session takes; elements of other types cannot be inputs or outputs of a package.
TYPES = {"float64", "float32", "float16", "bfloat16", "bool"} | {f"{u}int{n}" for u in ("", "u") for n in (2, 4, 8, 16, 32, 64)} | {
    "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn",
    "float4_e2m1fn"}

# Inputs that may be constants where a shape depends on them: small integers and scalars, as in CaseFiles.cpp.
FREEZABLE = ("int32", "int64", "bool")
FREEZABLE_NAMES = ("scales", "roi")  # floats that Resize and Upsample compute shapes from
FREEZABLE_BYTES = 1024


@dataclasses.dataclass
class Case:
    inputs: dict  # name -> array
    outputs: dict


def unpack(archive, folder):
    """The folder that holds node/ and simple/, unpacked from the archive if it was not yet."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "unpacked"
    # Several tests want it, and may run at the same time.
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists():
            print(f"unpacking {archive.name}", flush=True)
            with tarfile.open(archive) as tar:
                # Python 3.11.2 has no filters yet; newer ones warn without.
                safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
                tar.extractall(folder, **safe)
            stamp.touch()
    return next(folder.rglob("node")).parent


def find(*folders):
    """Folders of cases, by name."""
    found = (path.parent for folder in folders for path in pathlib.Path(folder).glob("*/model.onnx"))
    return sorted(found, key=lambda path: path.name)


def _tensor(path):
    """None where the file is absent or holds no tensor of a type that a session takes."""
    if not path.exists():
        return None
    proto = TensorProto.FromString(path.read_bytes())
    if proto.data_type == TensorProto.BFLOAT16 and proto.HasField("raw_data"):
        return np.frombuffer(proto.raw_data, ml_dtypes.bfloat16).reshape(proto.dims)
    try:
        array = numpy_helper.to_array(proto)
    except (TypeError, ValueError, KeyError):  # newer than the onnx of this environment, or strings
        return None
    return array if array.dtype.name in TYPES else None


def _tensors(folder, prefix, values):
    arrays = {}
    for i, value in enumerate(values):
        # Values of another kind have files that parse as some tensor: ask the type.
        if value.HasField("type") and not value.type.HasField("tensor_type"):
            return None
        arrays[value.name] = _tensor(folder / f"{prefix}_{i}.pb")
        if arrays[value.name] is None:
            return None
    return arrays


def load(folder, graph):
    """None where inputs or outputs are no tensors that a session takes."""
    data = folder / "test_data_set_0"
    inputs, outputs = _tensors(data, "input", graph.input), _tensors(data, "output", graph.output)
    return None if inputs is None or outputs is None else Case(inputs, outputs)


def freeze(model, case):
    """A copy of the model in which what a shape may depend on is constant."""
    frozen = onnx.ModelProto()
    frozen.CopyFrom(model)
    names = {name for name, array in case.inputs.items()
             if (array.dtype.name in FREEZABLE or array.ndim == 0 or name in FREEZABLE_NAMES)
             and array.nbytes <= FREEZABLE_BYTES}
    kept = [value for value in model.graph.input if value.name not in names]
    del frozen.graph.input[:]
    frozen.graph.input.extend(kept)
    frozen.graph.initializer.extend(numpy_helper.from_array(case.inputs[name], name) for name in sorted(names))
    return frozen


def difference(found, expected):
    """Why an output is wrong; "" if it is right. As reference::compare does."""
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return f"expected {expected.dtype}{list(expected.shape)}, found {found.dtype}{list(found.shape)}"
    if expected.dtype.name not in TOLERANCES and expected.dtype.name.startswith("float"):
        a, b = found.astype(np.float32), expected.astype(np.float32)
        wrong = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    elif expected.dtype.name not in TOLERANCES:
        wrong = found != expected
    else:
        a, b = found.astype(np.float64), expected.astype(np.float64)
        finite = np.abs(b[np.isfinite(b)])
        allowed = TOLERANCES[expected.dtype.name] * (finite.max() if finite.size else 0)
        with np.errstate(invalid="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= allowed)
        wrong = ~same
    if not wrong.any():
        return ""
    first = tuple(int(i) for i in np.argwhere(wrong)[0]) if wrong.ndim else ()
    return (f"{int(wrong.sum())} of {wrong.size} elements, first at {list(first)}: "
            f"expected {expected[first]}, found {found[first]}")
