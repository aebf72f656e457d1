"""Kernels in profilers and debuggers: stacks, names, threads."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, status=0, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == status, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("observed")
    run(sys.executable, ROOT / "models" / "build.py", "minilm-shape", "--layers", "2", "-o", folder / "m.onnx")
    tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln", "--dims", "batch=1,sequence=1..64")
    return folder / "m.kiln"


@pytest.fixture(scope="module", params=["shared", "static"])
def program(request, tmp_path_factory):
    """Inputs/observed.c with the installed library."""
    folder = tmp_path_factory.mktemp(request.param)
    run("cmake", "--install", os.environ["KILN_BUILD"], "--component", "runtime", "--prefix", folder)
    library = next(folder.rglob("libkiln_runtime." + ("so" if request.param == "shared" else "a")))
    more = [f"-Wl,-rpath,{library.parent}"] if request.param == "shared" else ["-lstdc++", "-lm", "-lpthread"]
    source = ROOT / "test" / "e2e" / "Inputs" / "observed.c"
    run("gcc", "-O1", "-rdynamic", "-Wall", "-Wextra", "-I", folder / "include", source, library, *more, "-ldl", "-o", folder / "observed")
    return folder / "observed"


@pytest.mark.parametrize("threads", [1, 2])
def test_stacks_of_kernels_reach_main(program, package, threads):
    """A handler of SIGPROF asks glibc for the stack."""
    text = run(program, package, threads, 200, timeout=300)
    samples, reached = map(int, re.fullmatch(r"(\d+) samples, (\d+) reach main\n", text).groups())
    assert samples == 200 and reached >= 0.95 * samples, text


def samples_of_perf(program, package, folder, *options, **environment):
    perf = shutil.which("perf")
    if not perf:
        pytest.skip("perf is absent (tools/test installs linux-perf)")
    data, names = folder / "perf.data", os.environ | environment
    done = subprocess.run([perf, "record", "-q", "-o", data, "-e", "cpu-clock", *options, program, package, "1", "100"],
                          capture_output=True, text=True, env=names)
    if not data.exists() or not data.stat().st_size:
        pytest.skip(f"perf record is not possible here: {done.stderr.strip()[:200]}")
    if "jitdump" in environment.get("KILN_SYMBOLS", ""):
        run(perf, "inject", "--jit", "-i", data, "-o", folder / "named.data", cwd=folder)
        data = folder / "named.data"
    return run(perf, "script", "-i", data, "-F", "comm,ip,sym,dso", env=names)


def test_perf_names_kernels_by_the_map(program, package, tmp_path):
    text = samples_of_perf(program, package, tmp_path, KILN_SYMBOLS="map")
    names = re.findall(r"kiln:(\S+)\[(\S+)\]", text)
    assert len(names) >= 50 and any("query" in nodes or "MatMul" in nodes for _, nodes in names), text[:2000]
    for path in re.findall(r"/tmp/perf-\d+\.map", text):
        pathlib.Path(path).unlink(missing_ok=True)


def test_perf_unwinds_kernels_of_a_dump(program, package, tmp_path):
    environment = {"KILN_SYMBOLS": "jitdump", "JITDUMPDIR": str(tmp_path)}
    text = samples_of_perf(program, package, tmp_path, "-k", "mono", "--call-graph", "dwarf", **environment)
    stacks = [stack for stack in text.split("\n\n") if re.search(r"kiln:\w+\[", stack)]
    reached = [stack for stack in stacks if re.search(r"\bmain\b", stack)]
    assert len(stacks) >= 50 and len(reached) >= 0.9 * len(stacks), f"{len(reached)} of {len(stacks)}\n{text[:2000]}"


def test_gdb_names_kernels_and_their_callers(program, package):
    gdb = shutil.which("gdb")
    if not gdb:
        pytest.skip("gdb is absent (tools/test installs it)")
    commands = ["set breakpoint pending on", "break kiln_session_create", "run", "break kiln_matmul_0", "continue", "backtrace"]
    text = run(gdb, "-q", "-nx", "-batch", *(word for c in commands for word in ("-ex", c)), "--args", program, package, 1, 1,
               env=os.environ | {"KILN_SYMBOLS": "gdb"}, timeout=300)
    if "ptrace" in text and "not permitted" in text:
        pytest.skip("this system lets no debugger look at a program")
    stack = text[text.rindex("#0") :]
    assert re.search(r"#0 .* kiln:matmul_0\[", stack) and re.search(r"#\d+ .* main ", stack), text[-3000:]


def test_threads_have_names(program, package):
    process = subprocess.Popen([program, package, "2", "1000"], stdout=subprocess.DEVNULL)
    names = set()
    try:
        while process.poll() is None and "kiln-w1" not in names:
            for path in pathlib.Path(f"/proc/{process.pid}/task").glob("*/comm"):
                try:
                    names.add(path.read_text().strip())
                except OSError:
                    pass  # the process has ended
    finally:
        process.kill()
        process.wait()
    assert "kiln-w1" in names or len(os.sched_getaffinity(0)) == 1, names
