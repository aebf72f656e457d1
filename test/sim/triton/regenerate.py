#!/usr/bin/env python3
# Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of kernels/ into generated/, for each architecture.

    regenerate.py [--check] [CASE ...]

Needs Triton (3.9 made what is committed), but no GPU: install it into a virtual environment of your own. Each file is
the xz of a JSON object, by architecture: the PTX, and what a launch needs to know.
"""
import argparse
import json
import lzma
import os
import re
import sys

os.environ.setdefault("TRITON_DISABLE_LINE_INFO", "1")
os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")

from cases import ARCHS, HERE, load  # noqa: E402

KEPT = ("name", "shared", "num_warps", "num_ctas", "global_scratch_size", "profile_scratch_size",
        "launch_cooperative_grid", "launch_pdl", "tensordesc_meta")  # fmt: skip
PTX_VERSION = 87  # the newest driver that is modelled takes 9.0


def compiled(case, arch):
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    constants, signature, attributes = case.constants_of(arch), {}, {}
    types = case.signature_of(arch)
    for index, name in enumerate(case.kernel.arg_names):
        kind = types.get(name, "constexpr")
        if kind.startswith("*") or kind.endswith("/16"):
            attributes[(index,)] = [["tt.divisibility", 16]]
        signature[name] = kind.removesuffix("/16")
    source = ASTSource(fn=case.kernel, signature=signature, constexprs=constants, attrs=attributes)
    options = {"num_warps": case.option(arch, "warps"), "num_stages": case.option(arch, "stages"),
               "num_ctas": case.option(arch, "ctas"), "ptx_version": PTX_VERSION, **case.option(arch, "options")}  # fmt: skip
    kernel = triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)
    metadata = kernel.metadata._asdict()
    ptx = re.sub(r"\n\s*//[^\n]*", "", kernel.asm["ptx"])  # names of the compiler's files
    return {"ptx": ptx, **{key: metadata[key] for key in KEPT}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with what is committed, write nothing")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_intermixed_args()
    try:
        import triton  # noqa: F401
    except ImportError:
        print("no Triton here")
        return 77
    wrong = 0
    for name, case in load().items():
        if options.cases and not any(pattern in name for pattern in options.cases):
            continue
        try:
            text = json.dumps({str(arch): compiled(case, arch) for arch in ARCHS}, sort_keys=True)
        except Exception as problem:  # Triton refuses kernels with various exceptions
            print(f"{name}: {type(problem).__name__}: {str(problem)[-1500:]}")
            wrong += 1
            continue
        path = HERE / "generated" / (name + ".json.xz")
        if options.check:
            same = path.exists() and lzma.decompress(path.read_bytes()).decode() == text
            wrong += not same
            if not same:
                print(f"{name}: differs from what is committed")
        else:
            path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
