"""The record of all cases: what all_cases.py makes of the rows of case_record.py."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import json

import all_cases
import cases_table

ROWS = [
    {"case": "test_a.py::test_many[1]", "outcome": "passed", "reason": "", "setup": 30.0, "call": 1.0, "teardown": 0.0},
    {"case": "test_a.py::test_many[2]", "outcome": "passed", "reason": "", "setup": 0.5, "call": 1.5, "teardown": 0.0},
    {"case": "test_a.py::test_many[3]", "outcome": "passed", "reason": "", "setup": 0.5, "call": 2.5, "teardown": 0.0},
    {"case": "test_a.py::test_two[1]", "outcome": "passed", "reason": "", "setup": 20.0, "call": 0.25, "teardown": 0.0},
    {"case": "test_a.py::test_two[2]", "outcome": "failed", "reason": "assert 1 | 2", "setup": 0.0, "call": 0.5, "teardown": 0.0},
    {"case": "test_a.py::test_gpu", "outcome": "skipped", "reason": f"{all_cases.ROOT}/build/x is absent", "setup": 0.0, "teardown": 0.0},
]
# The machine was busy: CPU time is half of the wall-clock time.
for row in ROWS:
    row |= {f"cpu_{phase}": row.get(phase, 0.0) / 2 for phase in all_cases.PHASES}
PASSES, FAILS = "def test_it(): pass\n", "def test_it(): assert False\n"


def test_costs_tell_what_a_case_takes_from_what_all_share():
    costs = all_cases.function_costs(ROWS)
    assert costs["test_a.py::test_many"] == {"seconds": 1.0, "setup": 14.75, "cases": 3}
    assert costs["test_a.py::test_two"] == {"seconds": 0.19, "setup": 10.0, "cases": 2}, "a single case may have set up what others use"
    more, less = {"seconds": 9.0, "setup": 30.0, "cases": 2}, {"seconds": 0.01, "setup": 0.0, "cases": 1}
    known = {"test_a.py::test_two": more, "test_a.py::test_many": less, "test_b.py::test_other": less}
    merged = all_cases.merged_costs(known, ROWS)
    assert merged["test_a.py::test_two"] == more, "a case that failed did not run to its end"
    assert all_cases.merged_costs({}, ROWS)["test_a.py::test_two"] == {"seconds": all_cases.sampling.SECONDS, "setup": 10.0, "cases": 2}
    assert merged["test_a.py::test_many"] == costs["test_a.py::test_many"] and merged["test_b.py::test_other"] == less
    assert "test_a.py::test_gpu" not in costs, "to skip takes no time, to run does"


def test_table():
    result = {"machine": {"cpu": "a CPU", "cores": 2}, "files": {"test_a.py": all_cases.summary(ROWS, "abc")}}
    text = cases_table.table(result)
    assert "4 passed, 1 failed, 1 skipped, of 1 files; on a CPU (2 cores) at commit abc, by" in text
    assert "| test_a.py | 4 | 1 | 1 | 57 |" in text
    assert "| test_a.py::test_two[2] | assert 1 \\| 2 |" in text and "| test_a.py | 1 | ./build/x is absent |" in text
    assert "| test_a.py::test_many[1] | 31 |" in text and "test_gpu |" not in text


def options_for(folder, monkeypatch):
    """A folder with two files, one of which fails."""
    for name in ("conftest.py", "sampling.py", "case_record.py", "tool.py"):
        (folder / name).write_text((all_cases.FOLDER / name).read_text())
    (folder / "test_good.py").write_text(PASSES)
    (folder / "test_bad.py").write_text(FAILS)
    monkeypatch.setattr(all_cases, "FOLDER", folder)
    monkeypatch.setattr(all_cases, "commit", lambda: "abc")
    options = argparse.Namespace(workers=1, ordinary=False, minutes=float("inf"), restart=False, output=folder / "cases.json",
                                 costs=folder / "costs.json", files=[])
    monkeypatch.setattr(all_cases, "parse_arguments", lambda: options)
    return options


def recorded(options):
    return {name: (row["passed"], len(row["failed"])) for name, row in json.loads(options.output.read_text())["files"].items()}


def test_an_interrupted_record_goes_on(tmp_path, monkeypatch, capfd):
    options = options_for(tmp_path, monkeypatch)
    options.files = ["test_good.py"]
    assert all_cases.main() == 0 and recorded(options) == {"test_good.py": (1, 0)}
    options.files, options.minutes = [], 0
    assert all_cases.main() == 0 and "1 files are left" in capfd.readouterr().out
    options.minutes = 1
    assert all_cases.main() == 1
    assert recorded(options) == {"test_bad.py": (0, 1), "test_good.py": (1, 0)}
    assert "test_good.py" not in capfd.readouterr().out, "it is not run again"
    monkeypatch.setattr(all_cases, "commit", lambda: "def")
    (tmp_path / "test_bad.py").unlink()
    assert all_cases.main() == 0 and recorded(options) == {"test_good.py": (1, 0)}, "another commit runs all again"


def test_a_file_that_cannot_be_read_is_not_recorded(tmp_path, monkeypatch):
    options = options_for(tmp_path, monkeypatch)
    (tmp_path / "test_bad.py").write_text("import nothing_of_this_name\n")
    assert all_cases.main() == 1 and recorded(options) == {"test_good.py": (1, 0)}


def test_an_ordinary_run_writes_costs_alone(tmp_path, monkeypatch):
    options = options_for(tmp_path, monkeypatch)
    options.ordinary, options.files = True, ["test_good.py"]
    assert all_cases.main() == 0 and not options.output.exists()
    assert list(json.loads(options.costs.read_text())) == ["test_good.py::test_it"]
