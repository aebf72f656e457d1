"""Programs that were built with the headers of each version run with the library of today.

test/compat/headers has the headers by the commit that they are of. A version that is released adds its own.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPAT = ROOT / "test" / "compat"
TODAY = ROOT / "runtime" / "include"
VERSIONS = sorted(path for path in (COMPAT / "headers").iterdir() if path.is_dir())
# docs/rationale/compatibility.md says why these have no struct_size.
FROZEN = {
    "kiln_tensor", "kiln_shape", "kiln_dim_range", "kiln_buffer_view", "kiln_dim_info", "kiln_bound_info", "kiln_log_field",  # in arrays
    "kiln_arena_usage", "kiln_step_launch", "kiln_step_cost", "kiln_graph_info", "kiln_rank_info", "kiln_collective_info",  # filled
}
RETURNED = {
    "kiln_tensor_info", "kiln_symbol_info", "kiln_arena_info", "kiln_target_info", "kiln_variant_info", "kiln_step_info", "kiln_device_info",
}
by_version = pytest.mark.parametrize("headers", [*VERSIONS, TODAY], ids=lambda path: path.name)


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def library():
    return next(pathlib.Path(os.environ["KILN_BUILD"]).rglob("libkiln_runtime.so")).parent


def build(compiler, source, headers, program, folder):
    run(compiler, "-Wall", "-Wextra", "-Werror", source, "-I", headers, "-L", folder, f"-Wl,-rpath,{folder}", "-lkiln_runtime", "-o", program)


#
# Programs
#


@by_version
def test_a_program_in_c(headers, library, small_package, tmp_path):
    build("gcc", COMPAT / "programs" / "run.c", headers, tmp_path / "run", library)
    text = run(tmp_path / "run", small_package[1])
    build("gcc", COMPAT / "programs" / "run.c", TODAY, tmp_path / "today", library)
    assert text == run(tmp_path / "today", small_package[1])
    for line in ("x 3 batch=1..4 seq=1..16 8=8..8", "cost 1 graph 1", "shape 3 2 3 8 192, behind it 55555555", "errors 602 604", "newer option 1"):
        assert line in text


@by_version
def test_a_program_in_cpp(headers, library, small_package, tmp_path):
    build("g++", COMPAT / "programs" / "wrapper.cpp", headers, tmp_path / "wrapper", library)
    text = run(tmp_path / "wrapper", small_package[1])
    assert re.fullmatch(r"y \S+ \S+\nsame 1\nerror 600 2\n", text), text


def test_a_program_of_a_library_without_symbol_versions(library, small_package, tmp_path):
    """As that of d806e82a was: the program names functions alone."""
    headers = COMPAT / "headers" / "d806e82a"
    text = "".join(path.read_text() for path in sorted((headers / "kiln").glob("*.h")))
    names = set(re.findall(r"^KILN_API [^;(]*?(kiln_\w+)\(", text, re.MULTILINE))
    assert "kiln_session_run" in names
    (tmp_path / "stub.c").write_text("".join(f"void {name}(void) {{}}\n" for name in names))
    old = tmp_path / "old"
    old.mkdir()
    run("gcc", "-shared", "-fPIC", tmp_path / "stub.c", "-Wl,-soname,libkiln_runtime.so.0", "-o", old / "libkiln_runtime.so")
    build("gcc", COMPAT / "programs" / "run.c", headers, tmp_path / "run", old)
    done = subprocess.run(
        [tmp_path / "run", small_package[1]], env={**os.environ, "LD_LIBRARY_PATH": str(library)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "") and "newer option 1" in done.stdout


def test_functions_have_a_version(library):
    lines = [line.split() for line in run("objdump", "-T", library / "libkiln_runtime.so").splitlines() if " kiln_" in line]
    assert len(lines) > 100 and {words[-2] for words in lines} == {"KILN_0.1"}


#
# Structs
#

STRUCT = re.compile(r"typedef struct (kiln_\w+) \{(.*?)\n\} \1;", re.DOTALL)


def structs(headers):
    """The fields of each struct, by its name."""
    text = "".join(path.read_text() for path in sorted((headers / "kiln").glob("*.h")))
    found = {}
    for name, body in STRUCT.findall(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)):
        fields = []
        for declaration in body.split(";"):
            if pointer := re.search(r"\(\*(\w+)\)\(", declaration):
                fields.append(pointer[1])
            elif declaration.strip():
                fields += [re.search(r"(\w+)(\[\w+\])?\s*$", one)[1] for one in declaration.split(",")]
        found[name] = fields
    return found


def layout(headers, tmp_path):
    """{struct: (size, {field: offset})}."""
    lines = ["#include <kiln/group.h>", "#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    for name, fields in structs(headers).items():
        lines.append(f'  printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'  printf("{name} {field} %zu\\n", offsetof({name}, {field}));' for field in fields]
    (tmp_path / "layout.c").write_text("\n".join([*lines, "}"]))
    run("gcc", "-I", headers, tmp_path / "layout.c", "-o", tmp_path / "layout")
    found = {}
    for words in map(str.split, run(tmp_path / "layout").splitlines()):
        if len(words) == 2:
            found[words[0]] = (int(words[1]), {})
        else:
            found[words[0]][1][words[1]] = int(words[2])
    return found


@pytest.mark.parametrize("headers", VERSIONS, ids=lambda path: path.name)
def test_structs_keep_their_layout(headers, tmp_path):
    before, today = layout(headers, tmp_path), layout(TODAY, tmp_path)
    assert len(before) > 15
    for name, (size, fields) in before.items():
        now, known = today[name]
        assert {field: known[field] for field in fields} == fields, name
        assert now == size or (name not in FROZEN and now > size), name
        # A new field must not be in an old program's padding, whose contents are arbitrary.
        assert all(offset >= size for field, offset in known.items() if field not in fields), name


def test_every_struct_can_grow_or_is_frozen():
    for name, fields in structs(TODAY).items():
        kinds = [fields[0] == "struct_size", name in FROZEN, name in RETURNED]
        assert kinds.count(True) == 1, f"{name}: begin it with struct_size"
