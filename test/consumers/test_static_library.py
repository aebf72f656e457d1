"""The installed static library mixes with nothing in a program: its symbols are kiln_* alone."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pytest
from conftest import run

# A program that calls two libraries, one of which has renamed functions.
TWO = """
#include <kiln/runtime.h>
#include <stdio.h>
kiln_status *older_model_load(const char *, const kiln_model_options *, kiln_model **);
void older_model_release(kiln_model *);
int main(int count, char **arguments) {
  kiln_model *one = NULL, *other = NULL;
  if (kiln_model_load(arguments[1], NULL, &one) || older_model_load(arguments[1], NULL, &other)) return 1;
  older_model_release(other);
  kiln_model_release(one);
  puts("loaded by both");
  return 0;
}
"""


@pytest.fixture(scope="module")
def archive(libraries):
    return libraries / "libkiln_runtime.a"


def test_only_functions_of_kiln_are_visible(archive):
    lines = run("nm", "--defined-only", "--extern-only", archive).splitlines()
    names = {line.split()[-1] for line in lines if len(line.split()) == 3}
    assert "kiln_session_run" in names and not [name for name in names if not name.startswith("kiln_")]


def test_two_libraries_in_one_program(prefix, archive, package, tmp_path):
    names = [line.split()[-1] for line in run("nm", "--defined-only", "--extern-only", archive).splitlines() if " kiln_" in line]
    (tmp_path / "names").write_text("".join(f"{name} {name.replace('kiln_', 'older_', 1)}\n" for name in names))
    run("objcopy", f"--redefine-syms={tmp_path}/names", archive, tmp_path / "libolder.a")
    (tmp_path / "main.c").write_text(TWO)
    sources = [tmp_path / "main.c", archive, tmp_path / "libolder.a"]
    run("gcc", "-I", prefix / "include", *sources, "-lstdc++", "-lm", "-ldl", "-lpthread", "-o", tmp_path / "program")
    assert run(tmp_path / "program", package) == "loaded by both\n"
