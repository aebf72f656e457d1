"""What all programs that use an installed Kiln share: where it is installed, and packages."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("KILN_BIN", str(ROOT / "build" / "bin"))
os.environ.setdefault("KILN_BUILD", str(pathlib.Path(os.environ["KILN_BIN"]).parent))
sys.path.insert(0, str(ROOT / "test" / "e2e"))
ROWS = []  # rows of the table of builds, printed at the end of a run


def run(*command, status=0, **options):
    """What a command prints; fails the test if it ends otherwise."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == status, f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """The runtime as it is installed."""
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", os.environ["KILN_BUILD"], "--component", "runtime", "--prefix", folder)
    return folder


@pytest.fixture(scope="session")
def libraries(prefix):
    """The folder of the shared library and the archive."""
    return next(prefix.rglob("libkiln_runtime.so")).parent


def compile_model(folder, text, dims):
    import models
    import tool

    models.write(folder / "m.onnx", text)
    tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--dims", dims)
    return folder / "m.kiln"


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """x f32[batch,seq,8] -> y f32[batch,seq,8]."""
    import models

    return compile_model(tmp_path_factory.mktemp("small"), models.MLP, "batch=1..4,seq=1..16")


@pytest.fixture(scope="session")
def long_package(tmp_path_factory):
    """x f32[rows,256] -> y f32[rows,256], half f32[rows,256]; a second and more for all rows."""
    import models

    return compile_model(tmp_path_factory.mktemp("long"), models.SLOW, "rows=1..40000")


def pytest_terminal_summary(terminalreporter):
    if not ROWS:
        return
    widths = [max(len(row[i]) for row in ROWS) for i in range(len(ROWS[0]))]
    for row in ROWS:
        terminalreporter.write_line("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def environment(**more):
    """Of programs that see no library of Kiln but by what they are given."""
    return {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"} | more
