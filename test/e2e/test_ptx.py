"""GPU targets: what the assembler of the toolkit says to the PTX of whole models, what packages hold, and what a
machine without a GPU answers."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import models
import pytest
import tool

TARGETS = ["sm_80", "sm_86", "sm_89", "sm_90a", "sm_120", "sm_120a"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
# ptxas -v prints one such line per entry.
SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


def assembler():
    found = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    if not found:
        pytest.skip("ptxas of the CUDA toolkit is absent: PTX is not assembled")
    return found


def ptx_of(package, folder):
    tool.call("inspect", package, "--ptx", folder)
    return sorted(pathlib.Path(folder).glob("*/*.ptx"))


def assemble(path, target):
    command = [assembler(), "-v", f"--gpu-name={target}", str(path), "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    text = done.stdout + done.stderr
    assert done.returncode == 0, f"{path.name} for {target}:\n{text}"
    assert "warning" not in text.lower() and "C75" not in text, f"{path.name} for {target}:\n{text}"
    frames = SPILLS.findall(text)
    assert frames, text
    for frame in frames:
        assert frame == ("0", "0", "0"), f"{path.name} for {target} uses local memory:\n{text}"


def assert_waits_first(path, target):
    """From sm_90 on a kernel waits for earlier kernels, and before that it reads and writes no memory of theirs: what it
    may do is to ask for weights to come to L2."""
    parts = path.read_text().split("griddepcontrol.wait;")
    early = target in ("sm_90a", "sm_120", "sm_120a")
    # Producer and consumers of a warp-specialized kernel wait once each.
    waits = 2 if "wgmma" in parts[-1] else 1
    assert len(parts) == (1 + waits if early else 1), path
    assert not early or not re.search(r"(ld|st|atom|red)\.global|cp\.async\.(?!bulk\.prefetch)|ret;", parts[0]), path


def check(model, folder, targets, *options):
    package = folder / "gpu.kiln"
    tool.call("compile", model, "-o", package, "--target", ",".join(targets), *options)
    texts = ptx_of(package, folder / "ptx")
    assert {path.parent.name for path in texts} == set(targets)
    for path in texts:
        assemble(path, path.parent.name)
        assert_waits_first(path, path.parent.name)
    return texts


@pytest.mark.parametrize("name", ["MLP", "ELEMENTWISE", "SOFTMAX", "TRANSPOSED"])
def test_small_models_assemble_for_every_target(name, tmp_path):
    model = models.write(tmp_path / "m.onnx", getattr(models, name))
    check(model, tmp_path, TARGETS, "--dims", "batch=1..4,seq=1..64")


HEAD = '<ir_version: 9, opset_import: ["" : 20]> g '
# Kernels that assemblers spilled with their own heuristics, each for another reason.
TIGHT = {
    # One more block per SM instead of registers for accumulators and tiles.
    "multiply-adds": HEAD + """(float[m,512] x, float[64,512] w) => (float[m,64] y)
        { t = Transpose<perm = [1, 0]>(w) y = MatMul(x, t) }""",
    # One more block per SM instead of registers for row addresses.
    "scatter": HEAD + """(float[9,9,9,4] x, float[9,1,3,4] u) => (float[9,9,9,4] y) <int64[9,1,3,4] i = {%s}>
        { y = ScatterElements<axis = 0, reduction = "mul">(x, i, u) }""" % ",".join(["0,3,8"] * 36),
    # A transposed operand A, whose remainder is masked element by element.
    "few rows": HEAD + """(float16[500,m] x, float16[500,64] w) => (float16[m,64] y)
        { t = Transpose<perm = [1, 0]>(x) y = MatMul(t, w) }""",
}

# tf32 kernels that spilled: masked rows of copies, and addresses of words.
TIGHT_TF32 = [(1062, 512, 512), (4500, 128, 520), ("m", 384, 1536), ("m", 768, 768)]


@pytest.mark.parametrize("rows, depth, columns", TIGHT_TF32)
def test_products_in_tf32_assemble(rows, depth, columns, tmp_path):
    model = tmp_path / "m.onnxtxt"
    model.write_text(HEAD + f"""(float[{rows},{depth}] x, float[{columns},{depth}] w, float[{columns}] b)
        => (float[{rows},{columns}] y) {{ t = Transpose<perm = [1, 0]>(w) p = MatMul(x, t) y = Add(p, b) }}""")
    ranges = ["--dims", "m=1..512"] if rows == "m" else []
    check(model, tmp_path, ["sm_80", "sm_90a"], "--precision", "tf32", *ranges)


@pytest.mark.parametrize("name", TIGHT)
def test_kernels_with_many_registers_assemble(name, tmp_path):
    model = tmp_path / "m.onnxtxt"
    model.write_text(TIGHT[name])
    check(model, tmp_path, TARGETS, *([] if name == "scatter" else ["--dims", "m=1..2000"]))


def test_bert_toy_assembles(bert_toy, tmp_path):
    check(bert_toy, tmp_path, ["sm_80", "sm_120"])


def test_encoder_of_minilm_shape_assembles(tmp_path):
    model = tmp_path / "minilm.onnx"
    subprocess.run(
        [sys.executable, ROOT / "models" / "build.py", "minilm-shape", "--layers", "1", "-o", model],
        check=True, capture_output=True, timeout=300,
    )
    check(model, tmp_path, ["sm_80"])


def test_equal_compiles_give_equal_ptx(tmp_path):
    model = models.write(tmp_path / "m.onnx", models.MLP)
    texts = []
    for name in ("a", "b"):
        package = tmp_path / f"{name}.kiln"
        tool.call("compile", model, "-o", package, "--target", "sm_80", "--dims", "batch=1..4,seq=1..64")
        texts.append([path.read_bytes() for path in ptx_of(package, tmp_path / name)])
    assert texts[0] == texts[1] and texts[0]
    for text in texts[0]:
        assert b"/root" not in text and b"/tmp" not in text and b".loc" not in text


def test_one_package_for_gpu_and_cpu(tmp_path):
    model = models.write(tmp_path / "m.onnx", models.ELEMENTWISE)
    package = tmp_path / "both.kiln"
    tool.call("compile", model, "-o", package, "--target", "sm_80,x86-64-v3", "--dims", "batch=1..4,seq=1..64")
    tool.call("inspect", package, "--check")
    tool.call("verify", package)
    assert len(ptx_of(package, tmp_path / "ptx")) > 0


def test_a_package_for_gpus_does_not_run_on_a_cpu(tmp_path):
    model = models.write(tmp_path / "m.onnx", models.ELEMENTWISE)
    package = tmp_path / "gpu.kiln"
    tool.call("compile", model, "-o", package, "--target", "sm_80", "--dims", "batch=1..4,seq=1..64")
    outcome = tool.call("run", package, "--dims", "batch=1,seq=2", status=3)
    tool.assert_error(outcome, "KILN-E0510", "sm_80", "--device")


def test_unknown_gpus_are_refused(tmp_path):
    model = models.write(tmp_path / "m.onnx", models.ELEMENTWISE)
    outcome = tool.call("compile", model, "-o", tmp_path / "x.kiln", "--target", "sm_70", status=2)
    tool.assert_error(outcome, "KILN-E0400", "sm_70", "sm_80", status=2)


def test_cubins_lie_beside_the_ptx(tmp_path):
    """Machine code only where it is asked for, and the PTX in any case."""
    assembler()
    model = models.write(tmp_path / "m.onnx", models.MLP)
    options = ["--target", "sm_80,sm_90a", "--dims", "batch=1..4,seq=1..64"]
    plain, both = tmp_path / "plain.kiln", tmp_path / "both.kiln"
    tool.call("compile", model, "-o", plain, *options)
    environment = {**os.environ, "PATH": os.pathsep.join([os.environ["PATH"], str(pathlib.Path(assembler()).parent)])}
    tool.call("compile", model, "-o", both, "--cubin", *options, env=environment)
    assert b"\x7fELF" not in plain.read_bytes()
    kernels = len(ptx_of(both, tmp_path / "ptx"))
    assert kernels and both.read_bytes().count(b"\x7fELF") == kernels
    assert [p.read_bytes() for p in ptx_of(plain, tmp_path / "other")] == [
        p.read_bytes() for p in sorted((tmp_path / "ptx").glob("*/*.ptx"))]


    described = {name: json.loads(tool.call("inspect", name, "--json").stdout)["targets"] for name in (plain, both)}
    assert [target["cubin_bytes"] for target in described[plain]] == [0, 0]
    assert all(target["cubin_bytes"] > 1000 for target in described[both])
    text = tool.call("inspect", both).stdout
    assert text.count("KiB of cubins") == 2 and "of cubins" not in tool.call("inspect", plain).stdout


def test_cubins_of_no_gpu(tmp_path):
    model = models.write(tmp_path / "m.onnx", models.MLP)
    command = ["compile", model, "-o", tmp_path / "m.kiln", "--cubin", "--target"]
    outcome = tool.call(*command, "native,x86-64-v3", status=2)
    tool.assert_error(outcome, "KILN-E0001", "--cubin: no target is a GPU", "found native, x86-64-v3", status=2)
    assert not (tmp_path / "m.kiln").exists()


def test_cubins_without_an_assembler(tmp_path):
    model = models.write(tmp_path / "m.onnx", models.MLP)
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", "sm_80", "--cubin", status=None,
                        env={**os.environ, "PATH": str(tmp_path)})
    tool.assert_error(outcome, "KILN-E0406", "--cubin", "ptxas in the PATH", status=4)
    assert not (tmp_path / "m.kiln").exists()
