# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import sys
import tarfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("KILN_BIN", str(ROOT / "build" / "bin"))
os.environ.setdefault("KILN_BUILD", str(pathlib.Path(os.environ["KILN_BIN"]).parent))
os.environ.setdefault("KILN_COMPILER", str(pathlib.Path(os.environ["KILN_BIN"]) / "kiln"))
os.environ.setdefault("KILN_TEST_DATA", str(ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def simulator():
    """The simulated driver of this build."""
    path = pathlib.Path(os.environ["KILN_BUILD"]) / "lib" / "libkiln_sim_cuda.so"
    if not path.exists():
        pytest.skip(f"{path} is absent (KILN_BUILD_SIM is off)")
    return path


@pytest.fixture(scope="session")
def driver(simulator):
    """The environment of programs that are to use it."""
    return {**os.environ, "KILN_SIM_DRIVER": str(simulator)}


@pytest.fixture(scope="session")
def bert_toy(tmp_path_factory):
    """bert_toy_optimized.onnx of the test data."""
    archive = pathlib.Path(os.environ["KILN_TEST_DATA"]) / "exported-graphs.tar.xz"
    if not archive.exists():
        pytest.skip(f"{archive} is absent (KILN_TEST_DATA names the folder of the test data)")
    folder = tmp_path_factory.mktemp("bert_toy")
    with tarfile.open(archive) as tar:
        name = next(n for n in tar.getnames() if n.endswith("bert_toy_optimized.onnx"))
        with open(folder / "bert_toy.onnx", "wb") as out:
            out.write(tar.extractfile(name).read())
    return folder / "bert_toy.onnx"


@pytest.fixture(scope="session")
def small_package(tmp_path_factory):
    """A package of a small model, compiled once: (path of the model, path of the package)."""
    import models
    import tool

    folder = tmp_path_factory.mktemp("small")
    model = models.write(folder / "small.onnx", models.MLP)
    tool.call("compile", model, "-o", folder / "small.kiln", "--dims", "batch=1..4,seq=1..16")
    return model, folder / "small.kiln"
