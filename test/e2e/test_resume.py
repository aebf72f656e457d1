"""kiln compile goes on from the IR of every phase, and makes the very bytes of the package that the whole compile makes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import pathlib
import re
import subprocess
import sys

import decoders
import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHASES = ["import", "graph", "kernels", "code", "plan"]
TARGETS = ["native", "sm_90a", "native,sm_90a"]
OPTIONS = {
    "f32": [],
    "bf16": ["--precision", "bf16"],
    "int4": ["--precision", "int4"],
    "ranks": ["--ranks", "2"],
}
# Their caches are state, which is the default.
OF_DECODERS = OPTIONS | {"caches": ["--precision", "int4", "--kv", "int8"], "pasts": ["--no-state"]}
CASES = [("minilm", *case) for case in itertools.product(OPTIONS, TARGETS)]
CASES += [("tinylm", *case) for case in itertools.product(OF_DECODERS, TARGETS)]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A function from the name of a model to its path."""
    folder = tmp_path_factory.mktemp("models")
    arguments = {"minilm": ["minilm-shape", "--seed", "0"], "tinylm": ["tinylm"]}

    def build(name):
        path = folder / f"{name}.onnx"
        if not path.exists():
            subprocess.run([sys.executable, ROOT / "models/build.py", *arguments[name], "-o", path], check=True)
        return path

    return build


def dump(folder, phase):
    return folder / f"{PHASES.index(phase)}-{phase}.mlir"


def compile_whole(model, folder, *options):
    """The package and its dumps."""
    tool.call("compile", model, "-o", folder / "whole.kiln", "--save-temps", folder / "dumps", "-q", *options)
    return folder / "whole.kiln", folder / "dumps"


def assert_resumes(whole, dumps, folder, phases=PHASES):
    for phase in phases:
        tool.call("compile", dump(dumps, phase), "-o", folder / "rest.kiln", "-q")
        assert (folder / "rest.kiln").read_bytes() == whole.read_bytes(), f"the package from phase {phase} differs"


@pytest.mark.parametrize("name, options, target", CASES)
def test_packages_from_every_phase_are_equal(model, tmp_path, name, options, target):
    whole, dumps = compile_whole(model(name), tmp_path, "--target", target, *OF_DECODERS[options])
    assert_resumes(whole, dumps, tmp_path)


def test_all_that_a_command_line_says_is_in_the_dump(model, tmp_path):
    """Options that no pass reads are in the package all the same."""
    configs = tmp_path / "configs.txt"
    configs.write_text("")
    options = ["--dims", "batch=1..2,sequence=16", "--label", "a=b=c", "--graph-memory", "1MiB", "--clamp-indices", "--batch-invariant"]
    whole, dumps = compile_whole(model("minilm"), tmp_path, "--target", "sm_80", "--memory-limit", "2GiB", *options)
    assert_resumes(whole, dumps, tmp_path, ["graph", "plan"])
    plain, _ = compile_whole(model("minilm"), tmp_path, "--target", "sm_80")
    assert plain.read_bytes() != (tmp_path / "rest.kiln").read_bytes()


def test_chosen_outputs_and_frozen_inputs(model, tmp_path):
    """What the import reads is read again, for the weights."""
    outputs = re.findall(r'graph\.name = "([^"]+)"', tool.call("compile", model("tinylm"), "--no-state", "--compile-to=import").stdout)
    logits = next(name for name in outputs if "logits" in name)
    whole, dumps = compile_whole(model("tinylm"), tmp_path, "--no-state", "--outputs", logits)
    assert_resumes(whole, dumps, tmp_path, ["import", "kernels"])


def test_resumed_dumps_are_those_of_the_whole_compile(model, tmp_path):
    _, dumps = compile_whole(model("tinylm"), tmp_path, "--precision", "int4")
    tool.call("compile", dump(dumps, "import"), "-o", tmp_path / "rest.kiln", "--save-temps", tmp_path / "rest", "-q")
    for phase in PHASES[1:]:
        assert dump(tmp_path / "rest", phase).read_bytes() == dump(dumps, phase).read_bytes()


def calibrated(model, folder, *options):
    text = folder / "text.txt"
    text.write_bytes(decoders.HELD_OUT.read_bytes()[:600])
    return compile_whole(model("tinylm"), folder, "--precision", "int4", "--calib", text, *options)


def test_what_samples_gave_is_read_from_the_folder_that_keeps_it(model, tmp_path):
    whole, dumps = calibrated(model, tmp_path, "--calib-state", tmp_path / "state")
    assert_resumes(whole, dumps, tmp_path, ["import", "plan"])


def test_what_samples_gave_is_gone_without_a_folder(model, tmp_path):
    _, dumps = calibrated(model, tmp_path)
    outcome = tool.call("compile", dump(dumps, "plan"), "-o", tmp_path / "rest.kiln", status=3)
    assert outcome.code == "KILN-E0306" and "--calib-state" in outcome.message
    assert not (tmp_path / "rest.kiln").exists()


def test_external_data_that_has_changed(tmp_path):
    """The model's file is the same, a weight beside it is not."""
    path = tmp_path / "tinylm.onnx"
    subprocess.run([sys.executable, ROOT / "models/build.py", "tinylm", "--external", "-o", path], check=True)
    whole, dumps = compile_whole(path, tmp_path)
    assert_resumes(whole, dumps, tmp_path, ["plan"])
    data = next(file for file in tmp_path.iterdir() if file.suffix in (".data", ".bin", ".weights"))
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    outcome = tool.call("compile", dump(dumps, "plan"), "-o", tmp_path / "rest.kiln", status=3)
    assert outcome.code == "KILN-E0306" and "weight" in outcome.message
    data.unlink()
    tool.call("compile", dump(dumps, "plan"), "-o", tmp_path / "rest.kiln", status=3)
