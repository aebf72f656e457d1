# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent
os.environ.setdefault("KILN_BIN", str(FOLDER.parents[1] / "build" / "bin"))
os.environ.setdefault("KILN_BUILD", str(pathlib.Path(os.environ["KILN_BIN"]).parent))
sys.path.insert(0, str(FOLDER))

import trials  # noqa: E402

RESULTS = {}


def pytest_addoption(parser):
    parser.addoption("--all-cases", action="store_true", help="all trials of each family, not some")
    parser.addoption("--seed", type=int, default=1, help="which packages are made (default 1)")
    parser.addoption("--table", type=pathlib.Path, metavar="FILE.md", help="write the results there; takes all trials")


@pytest.fixture(scope="session")
def setup(tmp_path_factory, request):
    folder = tmp_path_factory.mktemp("robustness")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    return trials.set_up(folder, request.config.getoption("--seed"))


@pytest.fixture(scope="session")
def results():
    return RESULTS


def pytest_terminal_summary(terminalreporter, config):
    """The table of the families that ran."""
    rows = [f"| {name} | {count} | {text} |" for name, (count, text) in RESULTS.items()]
    for row in rows:
        terminalreporter.write_line(row)
    path = config.getoption("--table")
    if path and len(rows) == len(trials.FAMILIES):
        write_table(path, rows, sum(count for count, _ in RESULTS.values()), config.getoption("--seed"))


def write_table(path, rows, count, seed):
    path.write_text(f"""# Robustness of the runtime

After this page you know what an application may do to `libkiln_runtime`, or have done to it, and how that ends: with the same bits or
with an error that has a code. {count} trials with seed {seed}; a signal, a hang or another result would fail the test:

    build/venv/bin/python -m pytest -q test/robustness --all-cases --table docs/benchmarks/robustness.md

| trial | number | results |
| --- | --- | --- |
""" + "".join(f"{row}\n" for row in rows) + """
"other bits": damage that the hashes were made to agree with, and that left a valid plan: other weights, say. "unharmed": the call went on
without what failed, and gave the same bits. After each failing allocation the process loads and runs the package once more, with the same
bits. Alarms come every millisecond for half of the seconds that a family has. Packages depend on the seed alone; how many allocations there
are depends a little on which thread comes first. test/robustness/trials.py says for each family which results are right.
""")
