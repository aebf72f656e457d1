#!/usr/bin/env python3
"""Checks that every #include follows the table of docs/hacking/architecture.md.

A file belongs to a module by its folder, and so does a header by its path; a module may include itself and what
ALLOWED says. Modules of other projects are named by the first part of the path in <> or "".
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re

import tree

DIALECTS = {"Graph", "Plan", "Tile"}
LIB = {"Import", "Reference", "Interpreter", "Transforms", "Planning", "Codegen", "Target", "Package", "Pipeline", "Estimate"}
EXECUTES = {"Execution", "Quantization", "Tuning", "Reduce"}
COMPILER = {"mlir", "llvm", "error-codes", "Types"}

# What a folder of passes on the graph may include; "Transforms" is their public header and the pipeline.
PASSES = COMPILER | {"Graph", "Support", "Reference", "Analysis", "Transforms"}
# Folders that are modules of their own.
ROOMS = {
    **{("Transforms", room): room for room in ("Fusion", "Bake", "Canonicalize", "Raise", "Precision", "Sharding", "State")},
    ("Codegen", "Expression"): "Expression",
}

# Module -> what it may include beside itself. What the runtime must never see (LLVM, MLIR, ONNX, protobuf) follows from its line.
# "errors" is errors.def and "error-codes" the headers that CMake writes from it; "abi" what compiled kernels and packages are
# laid out by; "runtime-base" hashing and files, which whoever writes packages shares with whoever reads them; "target-info" the
# numbers of a target that configs are chosen by; "runtime-api" for importing is the limit of ranks, which a package has too.
ALLOWED = {
    "Types": {"mlir", "llvm"},
    "Graph": COMPILER | DIALECTS,
    "Plan": COMPILER | DIALECTS,
    "Tile": COMPILER | DIALECTS,
    "Support": COMPILER | {"errors"},
    "Import": COMPILER | {"Graph", "Support", "onnx", "google", "runtime-base", "runtime-api"},
    "Reference": COMPILER | {"Graph", "Support"},
    "Interpreter": COMPILER | {"Tile", "Support"},
    "Analysis": COMPILER | {"Graph", "Support", "Reference"},
    "Bake": PASSES,
    "Canonicalize": PASSES,
    "Raise": PASSES | {"Bake", "target-info"},
    "Precision": PASSES | {"Bake"},
    "Sharding": PASSES | {"Bake"},
    "State": PASSES,
    "Transforms": COMPILER | {"Graph", "Support", "Reference"},
    "Fusion": COMPILER | {"Graph", "Support", "Reference", "Analysis", "Transforms", "Codegen", "target-info"},
    "Planning": COMPILER | {"Analysis", "Graph", "Plan", "Support"},
    "Expression": COMPILER | {"Graph", "Tile", "Support"},
    "Codegen": COMPILER | {"Graph", "Tile", "Support", "abi", "target-info", "Expression"},
    "Target": COMPILER | {"Tile", "Support", "lld", "abi", "target-info"},
    "target-info": COMPILER | {"Support"},
    "Package": COMPILER | {"Graph", "Plan", "Support", "Reference", "abi", "runtime-base", "flatbuffers"},
    "Pipeline": COMPILER | DIALECTS | LIB | {"Fusion", "Support", "abi", "target-info", "runtime-base"},
    "Estimate": COMPILER | {"Support", "target-info"},
    "Execution": COMPILER | {"Pipeline", "Estimate", "Support", "target-info", "runtime-api"},
    "Quantization": COMPILER | {"Pipeline", "Execution", "Support", "target-info", "runtime-api"},
    "Tuning": COMPILER | {"Pipeline", "Execution", "Support", "target-info", "runtime-api"},
    "Reduce": COMPILER | DIALECTS | {"Import", "Support"},
    "Driver": COMPILER | EXECUTES | {"Pipeline", "Estimate", "Support", "target-info", "runtime-api", "errors"},
    "tools": COMPILER | {"Driver", "Pipeline", "Support", "Import", "Reduce"},
    "runtime": {"runtime-api", "runtime-base", "abi", "error-codes", "flatbuffers"},
    "runtime-base": {"runtime-api", "abi", "errors", "error-codes"},
    "runtime-api": {"abi", "errors"},
    "abi": set(),
    "errors": set(),
    "error-codes": set(),
    "examples": {"runtime-api"},
    "gpu-check": {"runtime-api"},
    "python": {"runtime-api", "nanobind"},
}
FOREIGN = {"mlir", "mlir-c", "llvm", "llvm-c", "onnx", "google", "flatbuffers", "nanobind", "lld"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^>"]+)[>"]', re.MULTILINE)


def module_of(path):
    """The module a file of this project belongs to; None where no rule applies (tests)."""
    text, parts = str(path), path.parts
    if "test" in parts or "tests" in parts:
        return None
    if text.endswith("errors.def"):
        return "errors"
    if text.startswith("include/kiln/ErrorCodes/"):
        return "error-codes"
    if text in ("runtime/include/kiln/abi.h", "runtime/package/format.h") or text.startswith("runtime/schema/"):
        return "abi"
    if text in tuple(f"include/kiln/Target/{name}.h" for name in ("TargetInfo", "MachineModel", "CheckTargets")):
        return "target-info"
    if text.startswith("runtime/include/"):
        return "runtime-api"
    if text.startswith("runtime/python/"):
        return "python"
    if text.startswith("runtime/base/"):
        return "runtime-base"
    if parts[:2] == ("tools", "gpu_check"):
        return "gpu-check"
    if parts[0] in ("runtime", "tools", "examples"):
        return parts[0]
    if parts[0] == "dialects":
        return parts[1]
    if parts[0] == "lib" or parts[:2] == ("include", "kiln"):
        inner = parts[1 if parts[0] == "lib" else 2 :]
        return ROOMS.get(tuple(inner[:2]), inner[0])
    return None


def module_of_include(includer, name):
    """The module a name in an #include stands for; None for system headers and headers generated beside."""
    if name.split("/")[0] in FOREIGN:
        return name.split("/")[0].removesuffix("-c")
    if name == "plan_generated.h":
        return "abi"
    for base in (includer.parent, pathlib.Path(), pathlib.Path("include"), pathlib.Path("runtime/include")):
        if (tree.ROOT / base / name).is_file():
            return module_of((tree.ROOT / base / name).resolve().relative_to(tree.ROOT))
    # Not in the source tree: generated, so its folder says whose it is.
    if name.startswith("kiln/"):
        return module_of(pathlib.Path("include") / name)
    return module_of(pathlib.Path(name)) if "/" in name else None


def check(path):
    module = module_of(path)
    if module is None:
        return []
    if module not in ALLOWED:
        return [f"{path}: module {module} is not in the table of {__file__}"]
    problems = []
    text = tree.read(path)
    for match in INCLUDE.finditer(text):
        included = module_of_include(path, match[2])
        if included is not None and included != module and included not in ALLOWED[module]:
            line = text.count("\n", 0, match.start()) + 1
            problems.append(f"{path}:{line}: {module} may not include {included} ({match[2]})")
    return problems


def main():
    sources = tree.files(".h", ".hpp", ".c", ".cpp", ".def")
    problems = [problem for path in sources for problem in check(path)]
    tree.finish(problems, f"include directions of {len(sources)} files")


if __name__ == "__main__":
    main()
