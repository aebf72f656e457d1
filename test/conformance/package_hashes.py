#!/usr/bin/env python3
"""Records what Kiln makes of many models, so that a change that should change nothing shows that it does not.

  PYTHONPATH=build/python build/venv/bin/python test/conformance/package_hashes.py --kiln build/bin/kiln --data ../shared/data \\
    --work build/conformance/hashes --output before.json
  ... the same command behind the change, with --before before.json: lists what differs, and exits with 1 if anything does

Models: the archives of the test data, those that exporters wrote for test/e2e, and decoders and an encoder that models/ builds. Each is
compiled for a CPU and for GPUs, some with options of precision, sharding and state too; a refusal is recorded by its text. The hash is
that of the IR behind the last phase (every tile program and the plan), without what the module records of the compile, which no package
has; with --packages, that of the package, which also has machine code and weights, and takes ten times as long.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/e2e"))
ARCHIVES = ("exporter-models", "new-architectures", "bug-reports", "exported-graphs", "experts")
TARGETS = ("x86-64-v3", "sm_80,sm_90a")
VARIANTS = (
    ["--precision", "bf16"], ["--precision", "int8"], ["--precision", "int4"], ["--precision", "nvfp4"], ["--precision", "fp8"],
    ["--shard", "tp=2"], ["--shard", "sp=2"], ["--shard", "cp=2"], ["--shard", "pp=2,tp=2"], ["--no-state"], ["--kv", "int8"],
    ["--batch-invariant"],
)  # fmt: skip


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder of the archives")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="where models are written")
    parser.add_argument("--packages", action="store_true", help="hash packages")
    parser.add_argument("--only", default="", metavar="TEXT", help="models with this in their names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=pathlib.Path, help="write the hashes, by model and options, as JSON")
    parser.add_argument("--before", type=pathlib.Path, help="the JSON of an earlier run")
    return parser.parse_args()


def unpack(archive, folder):
    if not folder.exists():
        folder.mkdir(parents=True)
        with tarfile.open(archive) as tar:
            tar.extractall(folder)


def archived(settings):
    """Models of the archives by name."""
    paths = [settings.data / f"{name}.tar.xz" for name in ARCHIVES]
    for path in [*paths, *sorted((ROOT / "test/e2e/exports").glob("*.tar.xz"))]:
        folder = settings.work / path.name.removesuffix(".tar.xz")
        unpack(path, folder)
        for model in sorted([*folder.rglob("*.onnx"), *folder.rglob("*.onnxtxt")]):
            yield str(model.relative_to(settings.work)), model


def built(settings):
    """Models of models/ by name."""
    import decoders  # it names the folder of the others
    from bert import config, encoder, save, weights

    packages = decoders.Packages(settings.work)
    for family in (*decoders.FAMILIES, *decoders.GENAI):
        yield f"built/{family}", packages.model(family)
    small = config.Config(hidden=128, layers=2, heads=4, intermediate=512, vocabulary=100, positions=64)
    save.save(*encoder.build(small, weights.seeded(small, 5), config.Outputs(sentence=True)), settings.work / "bert.onnx")
    yield "built/bert", settings.work / "bert.onnx"


def cases(settings):
    """(name, model, options) of every compile."""
    for name, model in (*archived(settings), *built(settings)):
        variants = VARIANTS if name.startswith("built/") else []
        for target in TARGETS:
            for options in ([], *variants):
                case = " ".join([name, target, *options])
                if settings.only in case:
                    yield case, model, ["--target", target, *options]


RECORDS = ("compile", "source", "precision", "sharding", "observed", "indices", "calibration", "activation_ranges")  # dialects/Graph/Reports.h
HEADER = re.compile(r"^module attributes \{(.*)\} \{$", re.MULTILINE)
# A part of a list of attributes: up to a comma that is in no string and no bracket, which attributes() counts.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[({<]|[\])}>]|, |[^"\[\](){}<>,]+|,')


def attributes(text):
    """The attributes of a dictionary's text."""
    depth, part = 0, ""
    for token in TOKEN.findall(text):
        depth += (token in "[({<") - (token in "])}>")
        if depth == 0 and token == ", ":
            yield part
            part = ""
        else:
            part += token
    yield part


def without_records(text):
    """The text of a module without what passes record in it."""

    def keep(match):
        left = [each for each in attributes(match[1]) if each.split(" ")[0] not in [f"graph.{name}" for name in RECORDS]]
        return f"module attributes {{{', '.join(left)}}} {{" if left else "module {"

    return HEADER.sub(keep, text, count=1)


def hash_of(settings, number, model, options):
    output = settings.work / f"{number}.out"
    stop = [] if settings.packages else ["--compile-to", "plan"]
    command = [settings.kiln, "compile", model, "-o", output, "-q", "--threads", 1, *stop, *options]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=1800)
    if done.returncode:
        text = done.stderr.replace(str(settings.work), "")
        return f"refused {hashlib.sha256(text.encode()).hexdigest()[:16]}"
    made = output.read_bytes() if settings.packages else without_records(output.read_text()).encode()
    digest = hashlib.sha256(made).hexdigest()[:16]
    output.unlink()
    return digest


def differences(found, before):
    for case in sorted(found.keys() | before.keys()):
        old, new = before.get(case, "none"), found.get(case, "none")
        if old != new:
            yield f"{case}: {old} -> {new}"


def main():
    settings = arguments()
    settings.work.mkdir(parents=True, exist_ok=True)
    listed = list(cases(settings))
    with concurrent.futures.ThreadPoolExecutor(settings.jobs) as pool:
        jobs = [pool.submit(hash_of, settings, number, model, options) for number, (_, model, options) in enumerate(listed)]
        found = {case: job.result() for (case, _, _), job in zip(listed, jobs, strict=True)}
    refused = sum(each.startswith("refused") for each in found.values())
    print(f"{len(found)} compiles, {refused} of them refused")
    if settings.output:
        settings.output.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n")
    if not settings.before:
        return 0
    before = json.loads(settings.before.read_text())
    if settings.only:
        before = {case: value for case, value in before.items() if settings.only in case}
    changed = list(differences(found, before))
    print(*changed, f"{len(changed)} differ", sep="\n")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
