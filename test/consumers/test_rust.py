"""bindings/rust: its declarations are those of the headers, and its tests, lints and features pass. Without cargo they are skipped."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import shutil
import subprocess
import sys

import conftest
import pytest
from conftest import ROOT, run

RUST = ROOT / "bindings" / "rust"
BINDINGS = RUST / "kiln-sys" / "src" / "bindings.rs"


@pytest.fixture(scope="module")
def cargo(prefix, libraries, package, long_package, tmp_path_factory):
    """A function that calls cargo without a network on the workspace."""
    if not shutil.which("cargo"):
        pytest.skip("cargo is not installed")
    folder = tmp_path_factory.mktemp("cargo")
    environment = conftest.environment(
        KILN_DIR=str(prefix), LD_LIBRARY_PATH=str(libraries), KILN_TEST_PACKAGE=str(package), KILN_TEST_LONG_PACKAGE=str(long_package),
        CARGO_TARGET_DIR=str(folder), CARGO_NET_OFFLINE="true",
    )

    def call(*arguments, **options):
        done = subprocess.run(["cargo", *arguments], cwd=RUST, env=environment, capture_output=True, text=True, **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    call.folder = folder
    return call


def test_declarations_are_those_of_the_headers():
    run(sys.executable, RUST / "generate.py", "--check")


def test_structs_have_the_sizes_of_c(prefix, tmp_path):
    if not shutil.which("rustc"):
        pytest.skip("rustc is not installed")
    names = re.findall(r"derive\(Clone, Copy\)\]\npub struct (\w+)", BINDINGS.read_text())
    assert len(names) > 15
    (tmp_path / "sizes.c").write_text(
        "".join(f"#include <kiln/{path.name}>\n" for path in sorted((prefix / "include" / "kiln").glob("*.h")))
        + "#include <stdio.h>\nint main(void) {\n"
        + "".join(f'  printf("{name} %zu\\n", sizeof({name}));\n' for name in names) + "  return 0;\n}\n"
    )
    (tmp_path / "sizes.rs").write_text(
        f'#![allow(warnings)]\nmod c {{ include!("{BINDINGS}"); }}\nfn main() {{\n'
        + "".join(f'    println!("{name} {{}}", std::mem::size_of::<c::{name}>());\n' for name in names) + "}\n"
    )
    run("gcc", "-I", prefix / "include", tmp_path / "sizes.c", "-o", tmp_path / "of_c")
    run("rustc", "--edition", "2021", tmp_path / "sizes.rs", "-o", tmp_path / "of_rust")
    assert run(tmp_path / "of_rust") == run(tmp_path / "of_c")


def test_tests_of_the_workspace(cargo):
    text = cargo("test", "--offline", "--workspace", "--", "--nocapture")
    assert "skipped: " not in text and len(re.findall(r"test result: ok. [1-9]", text)) >= 2, text
    assert "warning" not in text, text


def test_lints(cargo):
    for name, arguments in (("clippy", ["--all-targets", "--", "-D", "warnings"]), ("fmt", ["--check"])):
        if subprocess.run(["cargo", name, "--version"], capture_output=True).returncode:
            pytest.skip(f"cargo {name} is not installed")
        cargo(name, *arguments)


def test_static_program(cargo, package):
    cargo("build", "--offline", "--example", "ones", "--features", "static")
    program = cargo.folder / "debug" / "examples" / "ones"
    assert run(program, package, env=conftest.environment()).startswith("y f32: ")
    assert "libkiln_runtime" not in run("readelf", "-d", program)


def test_library_that_is_not_there(cargo, tmp_path):
    environment = conftest.environment(KILN_DIR=str(tmp_path), CARGO_TARGET_DIR=str(tmp_path / "target"))
    done = subprocess.run(["cargo", "build", "--offline"], cwd=RUST, env=environment, capture_output=True, text=True)
    assert done.returncode and "there is no libkiln_runtime.so" in done.stderr and "fix: cmake --install" in done.stderr
