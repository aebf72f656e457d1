"""What build.py reads out of logs, and its tables."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import build  # noqa: E402
import build_log  # noqa: E402
import build_table  # noqa: E402
import header_costs  # noqa: E402

NINJA = """# ninja log v5
0\t1500\t17\tlib/A/CMakeFiles/KilnA.dir/Old.cpp.o\taa
1500\t4000\t17\tlib/A/CMakeFiles/KilnA.dir/Old.cpp.o\tab
100\t600\t17\tdialects/A/A.h.inc\tac
100\t600\t17\tdialects/A/A.cpp.inc\tac
4000\t4250\t17\tlib/libKilnA.a\tad
5000\t6000\t17\tbin/kiln\tae
"""
DEPS = """lib/A/CMakeFiles/KilnA.dir/A.cpp.o: #deps 4, deps mtime 17 (VALID)
    /src/lib/A/A.cpp
    /src/include/kiln/A.h
    /src/build/dialects/A/A.h.inc
    /usr/include/stdio.h

lib/A/CMakeFiles/KilnA.dir/B.cpp.o: #deps 2, deps mtime 17 (VALID)
    ../include/kiln/A.h
    ../lib/A/errors.def
    dialects/A/A.h.inc

"""
DRY_RUN = """ninja: Entering directory `/src/build'
[1/3] Building CXX object lib/A/CMakeFiles/KilnA.dir/Old.cpp.o
[2/3] Linking CXX static library lib/libKilnA.a
[3/3] Linking CXX executable bin/kiln
"""
CTEST = """Start testing: Nov 29 13:00 UTC
----------------------------------------------------------
1/2 Testing: lit
1/2 Test: lit
Command: "lit" "-v"
Directory: /src/build/test
"lit" start time: Nov 29 13:00 UTC
Output:
----------------------------------------------------------
Slowest Tests:
--------------------------------------------------------------------------
12.34s: Kiln :: Import/if.onnxtxt
<end of output>
Test time =  20.50 sec
----------------------------------------------------------
Test Passed.
"lit" end time: Nov 29 13:01 UTC
2/2 Testing: unit-A
2/2 Test: unit-A
Output:
----------------------------------------------------------
[       OK ] Sizes/Gemm.Odd/3 (1250 ms)
[       OK ] Sizes/Gemm.Even/3, where GetParam() = (1, 2) (250 ms)
8.00s setup    test_a.py::test_many[x y]
0.75s call     test_a.py::test_many[x y]
<end of output>
Test time =   1.60 sec
----------------------------------------------------------
Test Failed.
"""


def test_seconds_by_target_count_the_last_time_and_each_step_once():
    assert build_log.by_target(NINJA) == {
        "KilnA": {"steps": 2, "seconds": 2.75}, "kiln": {"steps": 1, "seconds": 1.0}, "TableGen": {"steps": 1, "seconds": 0.5}}


def test_headers_are_those_of_the_source_tree():
    assert build_log.includes(DEPS, "/src", "/src/build") == {"include/kiln/A.h": 2, "lib/A/errors.def": 1}


def test_objects_of_a_dry_run():
    assert build_log.objects(DRY_RUN) == ["lib/A/CMakeFiles/KilnA.dir/Old.cpp.o"]


def test_tests_and_their_cases():
    found = build_log.tests(CTEST)
    assert {name: seconds for name, (seconds, _) in found.items()} == {"lit": 20.5, "unit-A": 1.6}
    assert build_log.cases("lit", found["lit"][1]) == [(12.34, "Kiln :: Import/if.onnxtxt")]
    assert build_log.cases("unit-A", found["unit-A"][1]) == [
        (1.25, "unit-A: Sizes/Gemm.Odd/3"), (0.25, "unit-A: Sizes/Gemm.Even/3"),
        (8.0, "test_a.py::test_many[x y] (set-up)"), (0.75, "test_a.py::test_many[x y]")]


def test_parts_are_checked():
    assert build.parts("edits,compile") == ["edits", "compile"]
    with pytest.raises(argparse.ArgumentTypeError, match="editz: expected some of build,"):
        build.parts("build,editz")


def test_an_edit_counts_and_leaves_the_file_as_it_was(tmp_path):
    header, ninja = tmp_path / "a.h", tmp_path / "ninja"
    header.write_text("")
    before = header.stat().st_mtime_ns
    ninja.write_text(f"#!/bin/sh\ncat <<'E'\n{DRY_RUN}E\n")
    ninja.chmod(0o755)
    arguments = argparse.Namespace(edit_target="kiln", measure_edits=False)
    found = build.edit(header, [ninja], build_log.steps(NINJA), arguments)
    assert found == {"objects": 1, "object_seconds": 2.5} and header.stat().st_mtime_ns == before


def test_edits_are_built_and_taken_back(tmp_path, monkeypatch):
    """A ninja that compiles where the file has the edit, and writes that down."""
    (tmp_path / "a.cpp").write_text("int a;\n")
    ninja = tmp_path / "ninja"
    ninja.write_text(f"#!/bin/sh\ncat {tmp_path}/a.cpp >>{tmp_path}/built\ngrep -q edit {tmp_path}/a.cpp || exit 0\ncat <<'E'\n{DRY_RUN}E\n")
    ninja.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(build, "DEV_EDITS", {"a file": ("a.cpp", lambda text: text + "// edit\n")})
    arguments = argparse.Namespace(dev_build=tmp_path, jobs=2, edit_target="kiln", work=tmp_path, source=tmp_path, dev_edits=None)
    found = build.measure_dev(arguments, {})
    assert found["edits"]["a file"]["file"] == "a.cpp" and found["edits"]["a file"]["objects"] == 1
    assert (tmp_path / "a.cpp").read_text() == "int a;\n"
    assert (tmp_path / "built").read_text().splitlines() == ["int a;", "int a;", "// edit", "int a;"]


def test_each_edit_of_the_dev_preset_changes_its_file():
    for file, change in build.DEV_EDITS.values():
        text = (build.ROOT / file).read_text()
        assert len(change(text).splitlines()) - len(text.splitlines()) in (0, 1) and change(text) != text


def result(factor):
    """What a run writes; of the earlier one everything is so many times as much."""
    conditions = {"commit": f"c{factor}", "load_average_before": 0.25}
    phase = {"steps": 10 * factor, "cpu_seconds": 100.0 * factor, "seconds": 60.0 * factor}
    edit = {"included_by": 30 * factor, "objects": 20 * factor, "object_seconds": 200.0 * factor}
    tier = {"seconds": 90.0 * factor, "failed": 0, "tests": {"lit": 50.0 * factor, "only" if factor == 1 else "gone": 1.0}}
    return {
        "command": "c", "machine": {"cpu": "a CPU", "isa": ["avx2"], "cores": 2},
        "build": conditions | {"phases": {"tests": phase}, "targets": {"KilnA": {"steps": 4 * factor, "seconds": 12.0 * factor}}},
        "edits": conditions | {"target": "kiln", "headers": {"include/kiln/A.h": edit}},
        "dev": conditions | {"target": "kiln", "edits": {"a pass": {"file": "a.cpp", "objects": factor, "cpu_seconds": 9.0 * factor, "seconds": 5.0 * factor}}},
        "tests": conditions | {"tiers": {"check-kiln": tier}, "slowest": [[12.34, "Kiln :: a|b"]]},
        "compile": conditions | {"models": {"tinylm": {"seconds": 2.0 * factor, "cpu_seconds": 3.0 * factor, "package_bytes": factor << 20}}},
    }


def test_table_alone():
    text = build_table.table(result(1))
    assert "| tests | 10 | 100 | 60 |" in text and "| KilnA | 4 | 12 |" in text
    assert "| `include/kiln/A.h` | 30 | 20 | 200 |  |" in text
    assert "| a pass | `a.cpp` | 1 | 9 | 5 |" in text
    assert "| check-kiln | 2 | 0 | 90 |" in text and "| Kiln :: a\\|b | 12.3 |" in text
    assert "| tinylm | 3.0 | 2.0 | 1.0 |" in text and "before" not in text
    assert "Commit c1. The machine's load average was 0.2 when it began" in text


def test_table_beside_an_earlier_one():
    text = build_table.table(result(1) | {"before": result(3)})
    assert "| phase | steps before | steps | CPU s before | CPU s | wall s before | wall s |" in text
    assert "| tests | 30 | 10 | 300 | 100 | 180 | 60 |" in text and "| KilnA | 12 | 4 | 36 | 12 |" in text
    assert "| `include/kiln/A.h` | 90 | 30 | 60 | 20 | 600 | 200 |  |  |" in text
    assert "| a pass | `a.cpp` | 3 | 1 | 27 | 9 | 15 | 5 |" in text
    assert "| lit | 150 | 50 |" in text and "| gone | 1 |  |" in text and "| only |  | 1 |" in text
    assert "| tinylm | 9.0 | 3.0 | 6.0 | 2.0 | 3.0 | 1.0 |" in text and "Commit c1, before: c3." in text


def test_a_header_inside_itself_counts_once():
    root = pathlib.Path("/src")
    events = [
        {"ph": "b", "name": "Source", "ts": 0, "args": {"detail": "/src/include/kiln/A.h"}},
        {"ph": "b", "name": "Source", "ts": 10, "args": {"detail": "/usr/lib/llvm-22/include/mlir/IR/B.h"}},
        {"ph": "b", "name": "Source", "ts": 20, "args": {"detail": "/src/include/kiln/A.h"}},
        {"ph": "e", "name": "Source", "ts": 40},
        {"ph": "e", "name": "Source", "ts": 60},
        {"ph": "e", "name": "Source", "ts": 100},
        {"ph": "X", "name": "InstantiateClass", "ts": 0, "dur": 7, "args": {"detail": "llvm::DenseMap<int, std::vector<int>>"}},
        {"ph": "X", "name": "InstantiateFunction", "ts": 10, "dur": 3, "args": {"detail": "llvm::DenseMap<char, int>"}},
        {"ph": "X", "name": "Frontend", "ts": 0, "dur": 100},
        {"ph": "M", "name": "process_name"},
    ]
    costs = collections.defaultdict(collections.Counter)
    header_costs.add_costs(costs, events, root)
    assert costs["headers"] == {"include/kiln/A.h": 100, "mlir/IR/B.h": 50}
    assert costs["templates"] == {"llvm::DenseMap<>": 10}
    assert costs["phases"] == {"front end": 100}


def test_table_of_headers_names_what_left_the_list():
    run = {"commit": "c2", "load_average_before": 0.5, "compiled": 1, "templates": {}}
    before = run | {"commit": "c1", "sources": 4, "phases": {"all": 8.0}, "headers": {"A.h": 3.0, "B.h": 2.0}}
    now = run | {"command": "x", "machine": {"cpu": "c"}, "sources": 8, "phases": {"all": 4.0}, "headers": {"A.h": 1.0}, "before": before}
    text = header_costs.table(now)
    assert "Before: commit c1, 1 of 4 sources, load average 0.5." in text and "Now: commit c2, 1 of 8 sources" in text
    assert "| all | 2.0 | 0.5 |" in text and "| `all` | 8.0 | 4.0 |" in text
    assert "| `A.h` | 3.0 | 1.0 |" in text and "`B.h` (2.0 s, now less than those listed)" in text


def test_a_header_has_one_name():
    root = pathlib.Path("/src")
    paths = ["/src/lib/A/../B/B.h", "/src/lib/B/B.h", "../lib/B/B.h"]
    assert {header_costs.name_of(path, root) for path in paths} == {"lib/B/B.h"}
    assert header_costs.name_of("/src/build-dev/dialects/A/A.h.inc", root) == "dialects/A/A.h.inc"


def test_traces_are_scaled_to_cpu_time():
    events = [{"ph": "X", "name": "Frontend", "ts": 20, "dur": 100}, {"ph": "e", "name": "Source", "ts": 40}, {"ph": "M"}]
    scaled = header_costs.in_cpu_time(events, 0.5)
    assert scaled == [{"ph": "X", "name": "Frontend", "ts": 10, "dur": 50}, {"ph": "e", "name": "Source", "ts": 20}, {"ph": "M"}]
