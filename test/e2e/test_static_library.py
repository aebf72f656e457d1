"""The installed static library mixes with nothing in a program: its symbols are kiln_* alone."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess

import pytest

# What a program has that verifies FlatBuffers of its own by another version of that library, where the linker keeps
# the program's functions for all.
OWN_VERIFIER = """
#include <cstddef>
#include <cstdint>
namespace flatbuffers {
class Table;
class Verifier { public: bool VerifyTableStart(const uint8_t *); size_t other[9]; };
bool Verifier::VerifyTableStart(const uint8_t *) { return false; }
}
"""
LOAD = """
#include <kiln/runtime.h>
#include <stdio.h>
int main(int count, char **arguments) {
  kiln_model *model = NULL;
  kiln_session *session = NULL;
  kiln_status *status = kiln_model_load(arguments[1], NULL, &model);
  if (!status) status = kiln_session_create(model, NULL, &session);
  puts(status ? kiln_status_message(status) : "loaded");
  kiln_status_free(status);
  kiln_session_release(session);
  kiln_model_release(model);
  return 0;
}
"""
# Calls two libraries, of which one has its functions renamed.
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


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", os.environ["KILN_BUILD"], "--component", "runtime", "--prefix", folder)
    return folder


@pytest.fixture(scope="module")
def archive(prefix):
    return next(prefix.rglob("libkiln_runtime.a"))


def link(prefix, folder, compiler, *more):
    """Compiles the sources of the folder with the C compiler, which names no library of C++, or with another."""
    program = folder / "program"
    run(compiler, "-O0", "-I", prefix / "include", *more, "-lstdc++", "-lm", "-ldl", "-lpthread", "-o", program)
    return program


def test_only_functions_of_kiln_are_visible(archive):
    lines = run("nm", "--defined-only", "--extern-only", archive).splitlines()
    names = {line.split()[-1] for line in lines if len(line.split()) == 3}
    assert "kiln_session_run" in names and not [name for name in names if not name.startswith("kiln_")]


def test_program_with_a_flatbuffers_of_its_own(prefix, archive, small_package, tmp_path):
    (tmp_path / "own.cpp").write_text(OWN_VERIFIER)
    (tmp_path / "main.cpp").write_text(LOAD)
    program = link(prefix, tmp_path, "g++", tmp_path / "own.cpp", tmp_path / "main.cpp", archive)
    assert run(program, small_package[1]) == "loaded\n"


def test_program_in_c(prefix, archive, small_package, tmp_path):
    (tmp_path / "main.c").write_text(LOAD)
    assert run(link(prefix, tmp_path, "gcc", tmp_path / "main.c", archive), small_package[1]) == "loaded\n"


def test_two_libraries_in_one_program(prefix, archive, small_package, tmp_path):
    names = [line.split()[-1] for line in run("nm", "--defined-only", "--extern-only", archive).splitlines() if " kiln_" in line]
    (tmp_path / "names").write_text("".join(f"{name} {name.replace('kiln_', 'older_', 1)}\n" for name in names))
    run("objcopy", f"--redefine-syms={tmp_path}/names", archive, tmp_path / "libolder.a")
    (tmp_path / "main.c").write_text(TWO)
    program = link(prefix, tmp_path, "gcc", tmp_path / "main.c", archive, tmp_path / "libolder.a")
    assert run(program, small_package[1]) == "loaded by both\n"


def test_cmake_project_in_c(prefix, small_package, tmp_path):
    """Without CXX among its languages: the imported target names what it needs."""
    (tmp_path / "main.c").write_text(LOAD)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(app C)\nfind_package(Kiln REQUIRED COMPONENTS runtime)\n"
        "add_executable(app main.c)\ntarget_link_libraries(app PRIVATE Kiln::runtime_static)\n"
    )
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_C_COMPILER=gcc")
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build" / "app", small_package[1]) == "loaded\n"


def test_pkg_config(prefix, small_package, tmp_path):
    """The file names the prefix by its own place, so that an installed folder can be moved."""
    (tmp_path / "main.c").write_text(LOAD)
    file = next(prefix.rglob("kiln.pc"))
    flags = run("pkg-config", "--cflags", "--libs", file).split()
    program = tmp_path / "program"
    run("gcc", tmp_path / "main.c", *flags, f"-Wl,-rpath,{next(prefix.rglob('libkiln_runtime.so')).parent}", "-o", program)
    assert run(program, small_package[1]) == "loaded\n"
