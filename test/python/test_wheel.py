"""The wheel: built from the sources, installed where there is nothing but NumPy."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import subprocess
import sys
import venv
import zipfile

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    environment = os.environ | {"CMAKE_BUILD_PARALLEL_LEVEL": os.environ.get("KILN_JOBS", "2")}
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(ROOT / "runtime" / "python")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("kiln-*.whl")
    return path


@pytest.fixture(scope="module")
def empty(wheel, tmp_path_factory):
    """A new environment with the wheel, and NumPy as the only thing it can see besides."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    site = next((folder / "venv").glob("lib/python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    parent = pathlib.Path(np.__file__).parents[1]
    for path in (parent / "numpy", *parent.glob("numpy.libs")):
        (site / path.name).symlink_to(path)
    return python


def test_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("kiln/_runtime.") and name.endswith(".so") for name in names)
    assert {"kiln/__init__.py", "kiln/__main__.py", "kiln/_runtime.pyi", "kiln/py.typed"} <= set(names)
    pages = {path.name for path in (ROOT / "docs" / "errors").glob("KILN-E*.md")}
    assert {"kiln/errors/" + name for name in pages} <= set(names)
    assert not any("LLVM" in name or name.startswith("build/") or name.endswith((".cpp", ".h")) for name in names)
    assert wheel.stat().st_size < 2 << 20


def test_runs_with_numpy_only(empty, package, tmp_path):
    x = np.random.default_rng(0).standard_normal((2, 3, 8)).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    script = (
        "import sys, kiln, numpy as np\n"
        "x = np.load('x.npy')\n"
        "np.save('y.npy', kiln.Session(sys.argv[1], threads=2).run({'x': x})['y'])\n"
        "print(kiln.__file__)\n"
    )
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
    command = [str(empty), "-c", script, str(package)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert str(empty.parents[1]) in done.stdout
    import kiln

    assert np.array_equal(np.load(tmp_path / "y.npy"), kiln.Session(package).run({"x": x})["y"])


def test_needs_no_compiler_libraries(empty):
    library = next(empty.parents[1].glob("lib/python*/site-packages/kiln/_runtime*.so"))
    needed = subprocess.run(["ldd", library], capture_output=True, text=True).stdout
    assert not any(word in needed for word in ("LLVM", "MLIR", "protobuf", "onnx"))
