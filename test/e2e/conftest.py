# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import sys
import tarfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import case_record  # noqa: E402
import sampling  # noqa: E402
import tool  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("KILN_BIN", str(ROOT / "build" / "bin"))
os.environ.setdefault("KILN_BUILD", str(pathlib.Path(os.environ["KILN_BIN"]).parent))
os.environ.setdefault("KILN_COMPILER", str(pathlib.Path(os.environ["KILN_BIN"]) / "kiln"))
os.environ.setdefault("KILN_TEST_DATA", str(ROOT.parent / "shared" / "data"))


def pytest_addoption(parser):
    sampling.add_options(parser)
    case_record.add_options(parser)


def pytest_configure(config):
    sampling.configure(config)
    case_record.configure(config)


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    """-q leaves out what pytest_report_header returns."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and not hasattr(session.config, "workerinput"):
        reporter.write_line(sampling.title(session.config))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    sampling.select(config, items)
    if hasattr(config, "workerinput"):
        sampling.sort_by_cost(items)


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
def exported_graph(tmp_path_factory):
    """A function from the name of an exported graph of the test data to its path."""
    archive = tool.data_file("exported-graphs.tar.xz")
    folder = tmp_path_factory.mktemp("exported")

    def extract(name):
        with tarfile.open(archive) as tar:
            member = next(n for n in tar.getnames() if n.endswith(f"/{name}"))
            (folder / name).write_bytes(tar.extractfile(member).read())
        return folder / name

    return extract


@pytest.fixture(scope="session")
def bert_toy(exported_graph):
    """bert_toy_optimized.onnx of the test data."""
    return exported_graph("bert_toy_optimized.onnx")


@pytest.fixture(scope="session")
def small_package(tmp_path_factory):
    """A package of a small model, compiled once: (path of the model, path of the package)."""
    import models
    import tool

    folder = tmp_path_factory.mktemp("small")
    model = models.write(folder / "small.onnx", models.MLP)
    tool.call("compile", model, "-o", folder / "small.kiln", "--dims", "batch=1..4,seq=1..16")
    return model, folder / "small.kiln"
