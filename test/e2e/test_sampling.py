"""What an ordinary run leaves out (sampling.py), and what is written of each case (case_record.py)."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib
import subprocess
import sys

import pytest
import sampling

FOLDER = pathlib.Path(__file__).parent
CASES = """
import pytest
@pytest.mark.parametrize("n", range(40))
def test_many(n): pass
@pytest.mark.parametrize("n", range(4))
def test_few(n): pass
@pytest.mark.parametrize("n", range(30))
def test_cheap(n): pass
def test_one(): pass
"""
COSTS = {
    "test_cases.py::test_many": {"seconds": sampling.SECONDS / 4, "setup": 0.5, "cases": 40},
    "test_cases.py::test_cheap": {"seconds": 0.01, "setup": 0, "cases": 1},
    "test_cases.py::test_few": {"seconds": 0.01, "setup": sampling.SECONDS, "cases": 1},
}


@pytest.fixture
def folder(tmp_path):
    """A few tests beside a copy of the machinery."""
    for name in ("conftest.py", "sampling.py", "case_record.py", "tool.py"):
        (tmp_path / name).write_text((FOLDER / name).read_text())
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "costs.json").write_text(json.dumps(COSTS))
    return tmp_path


def run_pytest(folder, *options):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", sampling.SEED))}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def collected(folder, *options):
    text = run_pytest(folder, "--collect-only", *options)
    return {line.split("::")[1] for line in text.splitlines() if "::" in line}


def test_functions_keep_as_many_cases_as_their_seconds_allow(folder):
    some = collected(folder)
    assert len([name for name in some if "many" in name]) == 4
    assert len([name for name in some if "few" in name]) == 1, "its one case may have set up what each needs"
    assert len([name for name in some if "cheap" in name]) == 30 and "test_one" in some
    assert some == collected(folder), "the same each time"


def test_numbers_in_a_row_take_all_cases():
    for count, seconds in ((40, sampling.SECONDS / 4), (7, sampling.SECONDS), (3, 100.0), (1, 100.0), (30, 0.0)):
        kept = max(1, min(count, int(sampling.SECONDS / max(seconds, 1e-3))))
        parts = -(-count // kept)
        runs = [sampling.chosen(range(count), seconds, seed) for seed in range(7, 7 + parts)]
        assert sorted(case for run in runs for case in run) == [*range(count)] and all(0 < len(run) <= kept for run in runs)


def test_what_is_left_out_is_the_rest(folder):
    some, rest = collected(folder, "--case-seed", "5"), collected(folder, "--case-seed", "5", "--left-out-cases")
    assert not some & rest and some | rest == collected(folder, "--all-cases")


def cost(seconds, setup=0.0):
    return {"seconds": seconds, "setup": setup, "cases": sampling.FEW}


def test_long_functions_take_turns_by_file_where_they_share_packages():
    half = sampling.LONG_SECONDS / 2
    costs = {"test_a.py::test_shared": cost(1, half), "test_a.py::test_too": cost(1), "test_b.py::test_long": cost(half),
             "test_b.py::test_short": cost(1), "test_c.py::test_long": cost(half), "test_c.py::test_medium": cost(sampling.LONG)}
    groups = sampling.long_groups(costs)
    assert groups == {"test_a.py": half + 2, "test_b.py::test_long": half, "test_c.py::test_long": half}
    dealt = sampling.turns(groups)
    assert len(dealt) == 2 and sorted(sum(dealt, [])) == sorted(groups)
    runs = [sampling.numbers(costs, costs, seed) for seed in range(4, 8)]
    long = {"test_a.py::test_shared", "test_a.py::test_too", "test_b.py::test_long", "test_c.py::test_long"}
    assert all(costs.keys() - long <= run.keys() for run in runs)
    assert {*runs[0], *runs[1]} == {*costs} and not long & runs[0].keys() & runs[1].keys(), "two runs in a row have all"
    for name in long:
        assert sorted(run[name] for run in runs if name in run) == [2, 3], "each turn has the next number"
    assert sampling.numbers(["test_b.py::test_long"], costs, 4), "by itself a function has no turn to wait for"


def test_processes_choose_the_same_cases_and_the_record_has_them(folder):
    record = folder / "record.json"
    text = run_pytest(folder, "-n", "2", "--dist", "loadfile", "--case-seed", "3", "--case-record", record)
    assert f"{sampling.SEED}=3 repeats the choice" in text
    rows = [json.loads(line) for line in record.read_text().splitlines()]
    assert {row["case"].split("::")[1] for row in rows} == collected(folder, "--case-seed", "3")
    assert all(row["outcome"] == "passed" and row["call"] >= 0 for row in rows)


def test_a_record_says_why(folder):
    (folder / "test_cases.py").write_text("import pytest\ndef test_skips(): pytest.skip('no GPU')\n"
                                          "@pytest.fixture\ndef broken(): raise ValueError('no folder')\ndef test_fails(broken): pass\n")
    with pytest.raises(subprocess.CalledProcessError):
        run_pytest(folder, "--case-record", folder / "record.json")
    rows = [json.loads(line) for line in (folder / "record.json").read_text().splitlines()]
    assert [(row["outcome"], row["reason"]) for row in rows] == [("skipped", "no GPU"), ("failed", "ValueError: no folder")]


def test_without_a_repository_the_number_is_0(monkeypatch, tmp_path):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setattr(sampling, "COSTS", tmp_path / "costs.json")
    assert sampling.seed_of_commit() == 0


def test_costs_are_those_of_functions_that_exist():
    text = "\n".join(path.read_text() for path in FOLDER.glob("test_*.py"))
    assert not [name for name in sampling.costs() if f"def {name.split('::')[1]}(" not in text]
