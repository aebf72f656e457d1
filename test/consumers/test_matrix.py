"""Programs of several languages, compilers and ways to link, all against one installed prefix, give the same bits without a warning."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import pathlib
import shutil
import time

import conftest
import pytest
from conftest import ROOT, run

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Wpedantic", "-Werror"]
OF_C = ["-Wstrict-prototypes", "-Wmissing-prototypes"]
OF_CPP = ["-Wold-style-cast", "-Wnon-virtual-dtor", "-Woverloaded-virtual"]


@dataclasses.dataclass
class Build:
    """A program, and how it finds the library."""

    compiler: str
    standard: str
    found_by: str  # way to find Kiln: cmake, pkg-config, paths, cargo
    link: str  # shared; static: the archive; all static: also libc
    flags: list = dataclasses.field(default_factory=list)
    more: list = dataclasses.field(default_factory=list)  # more source files

    @property
    def is_c(self):
        return not self.standard.startswith("c++")

    @property
    def all_flags(self):
        return [f"-std={self.standard}", *WARNINGS, *(OF_C if self.is_c else OF_CPP), *self.flags]

    @property
    def sources(self):
        return [PROGRAMS / name for name in ("ones.c" if self.is_c else "ones.cpp", *self.more)]

    def __str__(self):
        return "-".join([self.compiler, self.standard, self.found_by, self.link, *self.more, *self.flags]).replace(" ", "-")


SMALL = ["-Os", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-static-libstdc++", "-static-libgcc"]
BUILDS = [
    Build("gcc-12", "c99", "pkg-config", "shared"),
    Build("gcc-12", "c11", "cmake", "static"),
    Build("clang-22", "c11", "paths", "all static"),
    Build("gcc-12", "c2x", "paths", "static", ["-O2"]),
    Build("clang-22", "c23", "cmake", "shared"),
    Build("g++-12", "c++17", "cmake", "shared"),
    Build("g++-12", "c++17", "paths", "static", ["-O0"], ["own_verifier.cpp"]),
    Build("g++-12", "c++17", "paths", "static", SMALL),
    Build("g++-11", "c++17", "paths", "static", ["-static-libstdc++"]),
    Build("g++-11", "c++20", "paths", "shared"),
    Build("clang++-22", "c++20", "pkg-config", "shared", ["-O1", "-fsanitize=undefined", "-fno-sanitize-recover"]),
    Build("g++-12", "c++23", "cmake", "static", ["-O2"]),
    Build("clang++-22", "c++23", "paths", "shared"),
    Build("cargo", "2021", "cargo", "shared"),
]


def by_cmake(build, prefix, folder):
    """Includes are no system's, so that warnings in them show."""
    language, target = ("C" if build.is_c else "CXX"), ("runtime" if build.link == "shared" else "runtime_static")
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.16)\nproject(app {language})\nfind_package(Kiln REQUIRED COMPONENTS runtime)\n"
        f"add_executable(program {' '.join(map(str, build.sources))})\nset_target_properties(program PROPERTIES NO_SYSTEM_FROM_IMPORTED ON)\n"
        f"target_compile_options(program PRIVATE {' '.join(build.all_flags)})\ntarget_link_libraries(program PRIVATE Kiln::{target})\n"
    )
    run("cmake", "-S", folder, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_{language}_COMPILER={build.compiler}")
    run("cmake", "--build", folder)
    return folder / "program"


def by_flags(build, prefix, libraries, folder):
    if build.found_by == "pkg-config":
        flags = run("pkg-config", "--cflags", "--libs", libraries / "pkgconfig" / "kiln.pc").split()
    elif build.link == "shared":
        flags = ["-I", prefix / "include", "-L", libraries, "-lkiln_runtime"]
    else:
        flags = ["-I", prefix / "include", libraries / "libkiln_runtime.a", "-lstdc++", "-lm", "-ldl"]
    flags += ["-static"] if build.link == "all static" else [f"-Wl,-rpath,{libraries}"]
    run(build.compiler, *build.all_flags, *build.sources, *flags, "-pthread", "-o", folder / "program")
    return folder / "program"


def by_cargo(prefix, folder):
    manifest = ROOT / "bindings" / "rust" / "Cargo.toml"
    run("cargo", "build", "--offline", "--manifest-path", manifest, "--target-dir", folder, "--example", "ones",
        env=conftest.environment(KILN_DIR=str(prefix), RUSTFLAGS="-D warnings"))
    return folder / "debug" / "examples" / "ones"


def made(build, prefix, libraries, folder):
    if build.found_by == "cargo":
        return by_cargo(prefix, folder)
    return by_cmake(build, prefix, folder) if build.found_by == "cmake" else by_flags(build, prefix, libraries, folder)


@pytest.fixture(scope="module")
def expected(prefix, libraries, package, tmp_path_factory):
    """What the first build prints."""
    program = made(BUILDS[0], prefix, libraries, tmp_path_factory.mktemp("first"))
    text = run(program, package)
    assert text.startswith("y f32: ") and len(text.split()) == 10
    return text


@pytest.mark.parametrize("build", BUILDS, ids=str)
def test_build(build, prefix, libraries, package, expected, tmp_path):
    if not shutil.which(build.compiler):
        pytest.skip(f"{build.compiler} is not installed")
    begin = time.monotonic()
    program = made(build, prefix, libraries, tmp_path)
    seconds = time.monotonic() - begin
    environment = conftest.environment(LD_LIBRARY_PATH=str(libraries)) if build.found_by == "cargo" else conftest.environment()
    assert run(program, package, env=environment) == expected
    needs_library = "libkiln_runtime" in run("readelf", "-d", program)
    assert needs_library == (build.link == "shared")
    flags = " ".join([*build.flags, *build.more])
    conftest.ROWS.append([build.compiler, build.standard, build.found_by, build.link, f"{program.stat().st_size >> 10} KiB", f"{seconds:.1f} s", flags])


def test_each_header_compiles_alone(prefix, tmp_path):
    """Those of C as C and C++, without a warning; also those that no program of the table includes."""
    headers = sorted((prefix / "include" / "kiln").glob("*.h*"))
    assert len(headers) > 8
    for suffix, compiler, flags in (("c", "gcc-12", ["-std=c99", *OF_C]), ("cpp", "g++-12", ["-std=c++17", *OF_CPP])):
        for header in headers if suffix == "cpp" else [path for path in headers if path.suffix == ".h"]:
            source = tmp_path / f"{header.stem}.{suffix}"
            source.write_text(f"#include <kiln/{header.name}>\n#include <kiln/{header.name}>\nint own(void);\nint own(void) {{ return 0; }}\n")
            run(compiler, "-fsyntax-only", *WARNINGS, *flags, "-I", prefix / "include", source)


def test_error_of_a_program(prefix, libraries, tmp_path):
    run(made(BUILDS[0], prefix, libraries, tmp_path), "missing.kiln", status=3)


def test_prefix_can_be_moved(prefix, package, expected, tmp_path):
    """pkg-config and CMake find the folder where it is now."""
    moved = tmp_path / "moved"
    shutil.copytree(prefix, moved, symlinks=True)
    libraries = next(moved.rglob("libkiln_runtime.so")).parent
    for number in (0, 5):
        (tmp_path / str(number)).mkdir()
        program = made(BUILDS[number], moved, libraries, tmp_path / str(number))
        assert run(program, package) == expected
        assert str(libraries) in run("ldd", program)


def test_component_that_does_not_exist(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(app C)\nfind_package(Kiln REQUIRED COMPONENTS compiler)\n"
    )
    done = conftest.subprocess.run(["cmake", "-S", tmp_path, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={prefix}"], capture_output=True, text=True)
    assert done.returncode and "Kiln has no component compiler; there is: runtime" in " ".join(done.stderr.split())


def test_shared_library_works_with_the_library_of_gcc_11(libraries):
    """libstdc++ of GCC 11 has symbols up to GLIBCXX_3.4.29 and CXXABI_1.3.13."""
    newest = {"GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13)}
    words = run("readelf", "--version-info", "--wide", libraries / "libkiln_runtime.so").split()
    needed = {word for word in words if word.split("_")[0] in newest}
    late = [word for word in needed if tuple(map(int, word.split("_")[1].split("."))) > newest[word.split("_")[0]]]
    assert needed and not late
