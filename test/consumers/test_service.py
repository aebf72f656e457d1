"""examples/service: one service in four languages, under the same requests; those of C and C++ with sanitizers, too."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import re
import shutil
import subprocess
import sys

import conftest
import numpy as np
import pytest
from conftest import ROOT, run

EXAMPLE = ROOT / "examples" / "service"
SANITIZERS = {"asan": "-fsanitize=address,undefined -fno-sanitize-recover=all", "tsan": "-fsanitize=thread"}
VARIANTS = ["c", "cpp", "python", "rust", *(f"{language}-{name}" for language in ("c", "cpp") for name in SANITIZERS)]
LONG = range(512)


def encoder(seed):
    """ids i64[batch,seq] -> y f32[batch,256]: tokens of a table, 40 products, their mean. 512 tokens take some 50 ms."""
    import models

    chain = "".join(f"m{i} = MatMul({f't{i - 1}' if i else 'e'}, w) s{i} = Mul(m{i}, small) t{i} = Tanh(s{i}) " for i in range(40))
    return f"""encoder (int64[batch,seq] ids) => (float[batch,seq,256] hidden, float[batch,256] y)
<{models._matrix("table", 600, 256, seed)}, {models._matrix("w", 256, 256, 1)}, float small = {{0.07}}>
{{ e = Gather <axis = 0> (table, ids) {chain} hidden = Identity(t39) y = ReduceMean <axes = [1], keepdims = 0> (t39) }}"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Two packages of the same inputs, with other results."""
    folders = [tmp_path_factory.mktemp(f"encoder{seed}") for seed in (7, 8)]
    return [conftest.compile_model(folder, encoder(seed), "batch=1..1,seq=1..512") for folder, seed in zip(folders, (7, 8))]


@pytest.fixture(scope="module")
def built(prefix, tmp_path_factory):
    """A function from a variant to its program, which it builds once."""
    folders = {}

    def build(flags):
        folder = tmp_path_factory.mktemp("service")
        run("cmake", "-S", EXAMPLE, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_FLAGS=-Wall -Wextra -Werror -O1 {flags}",
            f"-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror -O1 {flags}", "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22")
        run("cmake", "--build", folder)
        return folder

    def program(variant):
        language, _, sanitizer = variant.partition("-")
        if language == "python":
            return [sys.executable, EXAMPLE / "service.py"]
        name = language if language == "rust" else sanitizer
        if name not in folders:
            made = cargo_built(prefix, tmp_path_factory.mktemp("cargo")) if language == "rust" else build(SANITIZERS.get(sanitizer, ""))
            folders[name] = made
        return [folders[name] / ("kiln-service" if language == "rust" else f"service-{language}")]

    return program


def cargo_built(prefix, folder):
    if not shutil.which("cargo"):
        pytest.skip("cargo is not installed")
    run("cargo", "build", "--offline", "--manifest-path", EXAMPLE / "rust" / "Cargo.toml", "--target-dir", folder,
        env=conftest.environment(KILN_DIR=str(prefix), RUSTFLAGS="-D warnings"))
    return folder / "debug"


class Client:
    """A running service, and what it answers."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment)

    def send(self, *lines):
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def answers(self, count):
        """{ID: ("ok" or "error", the rest)}"""
        lines = [self.process.stdout.readline().split(maxsplit=2) for _ in range(count)]
        assert all(len(line) == 3 for line in lines), self.process.stderr.read()
        return {line[1]: (line[0], line[2].rstrip()) for line in lines}

    def ask(self, line):
        self.send(line)
        return self.answers(1)[line.split()[1]]

    def metrics(self):
        self.send("metrics")
        lines = iter(lambda: self.process.stdout.readline().strip(), "end")
        return {name: float(value) for name, value in (line.rsplit(maxsplit=1) for line in lines)}

    def end(self):
        rest, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0 and not errors, errors
        return rest


def embed(name, tokens, milliseconds=60000):
    return f"embed {name} {milliseconds} {' '.join(map(str, tokens))}"


@pytest.fixture(scope="module")
def results(packages):
    """The first four values of each package for tokens, as the program `kiln run` computes them."""
    import tool

    def of(number, tokens):
        folder = packages[number].parent
        np.save(folder / "ids.npy", np.array([tokens], np.int64))
        tool.call("run", packages[number], "--input", f"ids=@{folder}/ids.npy", "--output", f"y=@{folder}/y.npy")
        return np.load(folder / "y.npy").reshape(-1)[:4]

    return {(number, tokens): of(number, tokens) for number in (0, 1) for tokens in ((1, 2, 3), (5,))}


def assert_values(answer, expected):
    assert answer[0] == "ok", answer
    assert np.allclose([float(word) for word in answer[1].split()], expected, atol=2e-6), (answer, expected)


@pytest.fixture
def client(request, prefix, libraries, built, packages, tmp_path):
    shutil.copy(packages[0], tmp_path / "m.kiln")
    environment = os.environ | {"LD_LIBRARY_PATH": str(libraries), "TSAN_OPTIONS": "halt_on_error=1", "ASAN_OPTIONS": "detect_leaks=1"}
    client = Client([*built(request.param), tmp_path / "m.kiln"], environment)
    yield client
    client.process.kill()


def replace(folder, package):
    """Copies a package beside m.kiln and renames it over that."""
    if isinstance(package, bytes):
        (folder / "next").write_bytes(package)
    else:
        shutil.copy(package, folder / "next")
    os.replace(folder / "next", folder / "m.kiln")


@pytest.mark.parametrize("client", VARIANTS, indirect=True)
def test_service(client, packages, results, tmp_path):
    assert_values(client.ask(embed("a", (1, 2, 3))), results[0, (1, 2, 3)])

    # Requests fail with these errors, and the next one succeeds.
    for line, code in [(embed("b", (1, 601)), "KILN-E0614"), (embed("c", ()), "KILN-E0604"), (embed("d", (1,), 0), "KILN-E0714"),
                       (embed("e", LONG, 3), "KILN-E0714")]:
        kind, text = client.ask(line)
        assert kind == "error" and re.match(rf"{code}: .*; fix: ", text), text
    client.send("what is this")
    assert client.answers(1)["-"][1].startswith("KILN-E0001: ")
    assert_values(client.ask(embed("f", (5,))), results[0, (5,)])

    # Two requests run concurrently, others wait, and those that do not fit into the queue are refused immediately.
    client.send(*(embed(f"long{i}", LONG) for i in range(40)), *(embed(f"s{i}", (1, 2, 3)) for i in range(60)))
    found = client.answers(100)
    refused = [name for name, (kind, _) in found.items() if kind == "error"]
    assert refused and all(found[name][1].startswith("KILN-E0623: ") for name in refused)
    for name in found.keys() - refused:
        if name.startswith("s"):
            assert_values(found[name], results[0, (1, 2, 3)])

    # The package is replaced during runs, by a valid one and by one that cannot be loaded.
    client.send(*(embed(f"old{i}", LONG) for i in range(2)))
    replace(tmp_path, packages[1])
    client.send(embed("new", (1, 2, 3)))
    found = client.answers(3)
    assert_values(found["new"], results[1, (1, 2, 3)])
    replace(tmp_path, packages[0].read_bytes()[:5000])
    assert_values(client.ask(embed("g", (5,))), results[1, (5,)])

    metrics = client.metrics()
    assert (metrics["kiln_loads_total"], metrics["kiln_failed_loads_total"], metrics["kiln_requests_waiting"]) == (2, 1, 0)
    assert metrics['kiln_requests_total{code="714"}'] == 2 and metrics['kiln_requests_total{code="623"}'] == len(refused)
    assert metrics['kiln_requests_total{code="0"}'] == 106 - len(refused)
    assert metrics["kiln_request_seconds_count"] == sum(value for name, value in metrics.items() if name.startswith("kiln_requests_total"))
    assert 0 < metrics["kiln_request_seconds_max"] <= metrics["kiln_request_seconds_sum"]

    # Requests that wait at the end are answered.
    client.send(*(embed(f"last{i}", (5,)) for i in range(5)))
    assert client.end().count("ok last") == 5


@pytest.mark.parametrize("variant", ["c", "cpp", "python", "rust"])
def test_no_package(built, libraries, variant, tmp_path):
    environment = os.environ | {"LD_LIBRARY_PATH": str(libraries)}
    for arguments, status in (([tmp_path / "missing.kiln"], 3), ([], 2 if variant != "python" else 1)):
        done = subprocess.run([*map(str, built(variant)), *arguments], env=environment, capture_output=True, text=True)
        assert done.returncode == status and done.stderr.startswith("error: "), done.stderr
