"""The command line of tools/gpu-check."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import pathlib
import sys
import tempfile

from . import archive, encoders, kernels, products, speed

ROOT = pathlib.Path(__file__).resolve().parents[3]
HELP = """tools/gpu-check: checks and measures Kiln on a GPU of another machine.

  tools/gpu-check pack OUT.tar         here, where Kiln is built: everything the other machine needs
  tools/gpu-check run [options]        the program of the archive, from the build tree
  tools/gpu-check replay FILE...

On the other machine: tar xf OUT.tar, cd gpu-check, ./gpu-check run
"""


def main(words):
    build = pathlib.Path(os.environ.get("KILN_BUILD", ROOT / "build"))
    if words[:1] == ["pack"]:
        return pack(parse(words[1:]), build)
    program = build / "bin/kiln-gpu-check"
    if not words or not program.exists():
        print(HELP if not words else f"error: {program} is absent; fix: cmake --build {build} --target kiln-gpu-check",
              file=sys.stderr)
        return 2
    os.environ.setdefault("KILN_SIM_DRIVER", str(build / "lib/libkiln_sim_cuda.so"))
    os.execv(program, [str(program), *words])


def parse(words):
    parser = argparse.ArgumentParser(prog="tools/gpu-check pack", description="Packs programs, packages and references.")
    parser.add_argument("out", metavar="OUT.tar")
    parser.add_argument("--targets", default="sm_80,sm_90a", help="of the packages (default %(default)s)")
    parser.add_argument("--kiln", default=None, help="the compiler (default: bin/kiln of the build tree)")
    parser.add_argument("--select", default="", metavar="A,B", help="only what has A or B in its name")
    parser.add_argument("--minilm", default=str(ROOT / "build/models/minilm.onnx"), help="model of models/build.py")
    data = os.environ.get("KILN_TEST_DATA", str(ROOT.parent / "shared/data"))
    parser.add_argument("--data", default=data, help="folder of the test data, for the toy BERT")
    return parser.parse_args(words)


def pack(arguments, build):
    kiln = arguments.kiln or build / "bin/kiln"
    parts = [part for part in arguments.select.split(",") if part]
    wanted = lambda name: not parts or any(part in name for part in parts)
    try:
        with tempfile.TemporaryDirectory() as folder:
            packer = archive.Packer(folder, kiln, arguments.targets)
            add_kernels(packer, wanted)
            add_encoders(packer, wanted, arguments)
            add_speeds(packer, wanted)
            size = packer.finish(build, arguments.out)
    except (archive.PackError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    print(f"{arguments.out}: {len(packer.cases)} cases, {len(packer.speeds)} measurements, {size / 2**20:.1f} MiB")
    return 0


def add_kernels(packer, wanted):
    for model in [*products.cases(), *kernels.cases()]:
        if wanted(model.name):
            packer.add_case(model.name, model.build(), model.feeds, model.tolerance, model.flags, model.heroes)


def add_encoders(packer, wanted, arguments):
    toy = pathlib.Path(arguments.data) / "exported-graphs.tar.xz"
    if wanted("bert_toy") and present("bert_toy", toy):
        # The errors of all kernels accumulate: this is the limit of `kiln verify --model`.
        packer.add_case("bert_toy", *encoders.bert_toy(toy), "1e-4", heroes=["attention", "matmul"])
    if wanted("minilm") and present("minilm", arguments.minilm):
        flags = ["--precision", "bf16", "--dims", "batch=1..8,sequence=1..512"]
        packer.add_case("minilm_bf16", *encoders.minilm(arguments.minilm), "1e-1", flags, ["attention", "matmul"])
        for where, dims in (("gpu", "1,128"), ("gpu", "8,128"), ("sim", "1,8")):
            batch, sequence = dims.split(",")
            packer.add_speed("model", f"minilm_bf16_b{batch}_s{sequence}", where,
                             {"dims": f"batch:{batch},sequence:{sequence}"}, package="cases/minilm_bf16/model.kiln")


def present(name, path):
    if not os.path.exists(path):
        print(f"skip {name}: {path} is absent")
    return os.path.exists(path)


def add_speeds(packer, wanted):
    for line in speed.lines():
        if wanted(line.model.name):
            packer.add_speed(line.kind, line.model.name, line.where, line.keys, line.model.build(),
                             heroes=line.model.heroes)
    if wanted("bert_base"):
        dims = ["--dims", "batch=1..1,sequence=128..128"]  # all dims are fixed, so no symbol is left
        packer.add_speed("model", "bert_base_bf16_b1_s128", "gpu", {"scale": "0.05"}, encoders.bert_base(), flags=dims,
                         heroes=["attention", "matmul"])
