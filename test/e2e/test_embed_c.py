"""examples/embed-c builds against an installed Kiln and runs with only the runtime library present."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import re
import shutil
import subprocess

import models
import numpy as np
import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The program and a folder that holds nothing but the runtime's shared library."""
    folder = tmp_path_factory.mktemp("embed-c")
    run("cmake", "--install", os.environ["KILN_BUILD"], "--component", "runtime", "--prefix", folder / "installed")
    run("cmake", "-S", ROOT / "examples" / "embed-c", "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={folder}/installed")
    run("cmake", "--build", folder / "build")
    alone = folder / "alone"
    alone.mkdir()
    shutil.copy(folder / "build" / "embed-c", alone)
    library = next((folder / "installed").rglob("libkiln_runtime.so.0"))
    shutil.copy(library.resolve(), alone / "libkiln_runtime.so.0")
    shutil.rmtree(folder / "installed")
    return alone


def test_runs_alone(example, small_package, tmp_path):
    x = np.random.default_rng(0).standard_normal((2, 3, 8)).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    shutil.copy(small_package[1], tmp_path / "m.kiln")
    environment = {"LD_LIBRARY_PATH": str(example)}
    needed = run("ldd", example / "embed-c", env=environment | {"PATH": os.environ["PATH"]})
    assert not re.search(r"LLVM|MLIR|protobuf|onnx", needed) and str(example) in needed
    text = run(example / "embed-c", tmp_path / "m.kiln", f"x=@{tmp_path}/x.npy", env=environment)
    assert text.startswith("y f32[2,3,8]: ")
    tool.call("run", small_package[1], "--input", f"x=@{tmp_path}/x.npy", "--output", f"y=@{tmp_path}/y.npy")
    first = [float(word) for word in text.split(": ")[1].split(", ")[:6]]
    assert np.allclose(first, np.load(tmp_path / "y.npy").flat[:6], atol=1e-6)


def test_one_string_chooses_the_device(example, tmp_path):
    """The same program and package on a CPU and on a simulated GPU; nothing of CUDA is linked."""
    simulator = pathlib.Path(os.environ["KILN_BUILD"]) / "lib" / "libkiln_sim_cuda.so"
    if not simulator.exists():
        pytest.skip(f"{simulator} is absent (KILN_BUILD_SIM is off)")
    model = models.write(tmp_path / "m.onnx", models.MLP)
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "--target", "native,sm_80", "--dims", "batch=1..4,seq=1..16")
    np.save(tmp_path / "x.npy", np.random.default_rng(1).standard_normal((2, 3, 8)).astype(np.float32))
    environment = {"LD_LIBRARY_PATH": str(example)}
    for file in ("embed-c", "libkiln_runtime.so.0"):
        needed = run("ldd", example / file, env=environment | {"PATH": os.environ["PATH"]})
        assert not re.search(r"cuda|nvidia|nvrtc|nvtx|kiln_sim", needed, re.IGNORECASE), needed
    results = []
    for device in ("cpu", "sim"):
        command = [example / "embed-c", "--device", device, tmp_path / "m.kiln", f"x=@{tmp_path}/x.npy"]
        text = run(*command, env=environment | {"KILN_SIM_DRIVER": str(simulator)})
        assert text.startswith("y f32[2,3,8]: ")
        results.append([float(word) for word in text.split(": ")[1].split(", ")[:6]])
    assert np.allclose(*results, atol=1e-5)
    done = subprocess.run(
        [example / "embed-c", "--device", "cuda", tmp_path / "m.kiln", f"x=@{tmp_path}/x.npy"],
        env=environment | {"KILN_CUDA_DRIVER": "libno-such-driver.so"}, capture_output=True, text=True,
    )
    assert done.returncode == 4 and done.stderr.startswith("error: KILN-E0704: device cuda: ")


def test_error_of_the_example(example, small_package):
    done = subprocess.run(
        [example / "embed-c", "missing.kiln", "1"], env={"LD_LIBRARY_PATH": str(example)}, capture_output=True, text=True
    )
    assert done.returncode == 3 and done.stderr.startswith("error: KILN-E0002: missing.kiln: ")
