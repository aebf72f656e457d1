# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("KILN_BIN", str(ROOT / "build" / "bin"))
os.environ.setdefault("KILN_COMPILER", str(pathlib.Path(os.environ["KILN_BIN"]) / "kiln"))
sys.path.insert(0, str(ROOT / "test" / "e2e"))


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """A small model compiled by kiln.compile, for batch 1..4 and seq 1..16."""
    import kiln
    import models

    folder = tmp_path_factory.mktemp("python")
    models.write(folder / "m.onnx", models.MLP)
    kiln.compile(folder / "m.onnx", folder / "m.kiln", target="native", dims={"batch": (1, 4), "seq": (1, 16)})
    return folder / "m.kiln"


@pytest.fixture(scope="session")
def split(tmp_path_factory):
    """The model of `package`, for two ranks."""
    import kiln
    import models

    folder = tmp_path_factory.mktemp("split")
    models.write(folder / "m.onnx", models.MLP)
    kiln.compile(folder / "m.onnx", folder / "m.kiln", dims={"batch": (1, 4), "seq": (1, 16)}, ranks=2)
    return folder / "m.kiln"
