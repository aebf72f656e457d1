"""kiln tune and kiln compile --configs: the file, its replay, bad lines, and a search that ends early."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import re
import signal
import subprocess
import time

import decoders
import models
import pytest
import tool

DIMS = ("--dims", "batch=1..4,seq=1..64")
TARGET = ("--target", "x86-64-v3")
LINE = re.compile(r"^(\w+-[0-9a-f]{16}(?:/rows<=\d+)?) ([\w-]+) (\w+) (\w+ = .*)$")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return models.write(tmp_path_factory.mktemp("tune") / "m.onnx", models.MLP)


def compile(model, package, *options, status=0):
    return tool.call("compile", model, "-o", package, *DIMS, *options, status=status)


def lines(path):
    """The lines of a configs file; every one must be well-formed."""
    texts = [t for t in (t.split("#")[0].strip() for t in path.read_text().splitlines()) if t]
    assert all(LINE.match(t) for t in texts), texts
    return texts


def keys(model, folder, *options):
    """What kiln explain says of each kernel: key, and its first config."""
    compile(model, folder / "keys.kiln", *options)
    return {e["key"]: e["candidates"][0]["config"]
            for e in json.loads(tool.call("explain", folder / "keys.kiln", "--json").stdout)}


def given(model, tmp_path, text, *options, status=0):
    (tmp_path / "given.txt").write_text(text)
    return compile(model, tmp_path / "given.kiln", "--configs", tmp_path / "given.txt", *(options or TARGET), status=status)


def test_a_search_writes_a_file_that_compiles(model, tmp_path):
    file = tmp_path / "tuned.txt"
    text = tool.call("tune", model, "-o", file, *DIMS, *TARGET, "--minutes", "0.1", "--at", "batch=2,seq=16").stdout
    assert "kernels have another config" in text and "matmul_0" in text
    assert "# measured at batch=2 seq=16" in file.read_text()
    found = lines(file)
    assert all(line.split()[1] == "x86-64-v3" for line in found)
    # Configs that stay the compiler's choice are comments; without the comment's words they are valid lines.
    edited = re.sub(r"^# the compiler's choice stays: ", "", file.read_text(), flags=re.MULTILINE)
    (tmp_path / "edited.txt").write_text(edited)
    assert len(lines(tmp_path / "edited.txt")) > len(found)
    for name in ("one", "two"):
        compile(model, tmp_path / f"{name}.kiln", *TARGET, "--configs", tmp_path / "edited.txt")
    assert (tmp_path / "one.kiln").read_bytes() == (tmp_path / "two.kiln").read_bytes()
    assert "PASSED" in tool.call("verify", tmp_path / "one.kiln", "--model", model).stdout
    assert not [p for p in tmp_path.iterdir() if p.suffix == ".tmp"]


def test_an_edited_line_is_what_the_package_has(model, tmp_path):
    (key, config), *_ = [(k, c) for k, c in keys(model, tmp_path, *TARGET).items() if "gemm_config" in c]
    edited = re.sub(r"mc = \d+", "mc = 32", config.removeprefix("#tile.gemm_config<").removesuffix(">"))
    outcome = given(model, tmp_path, f"# by hand\n{key} x86-64-v3 gemm {edited}\n")
    assert "warning" not in outcome.stderr
    configs = {s["config"] for s in json.loads(tool.call("inspect", tmp_path / "given.kiln", "--json").stdout)["steps"]}
    assert f"#tile.gemm_config<{edited}>" in configs
    assert "PASSED" in tool.call("verify", tmp_path / "given.kiln", "--model", model).stdout


def test_explain_marks_what_was_given(model, tmp_path):
    """On a target that is not the package's first, for a kernel and a variant; also where no list has the config."""
    targets = ("--target", "x86-64-v3,sm_80")

    def explained(package):
        return {(e["key"], e["target"]): e["candidates"] for e in json.loads(tool.call("explain", package, "--json").stdout)}

    compile(model, tmp_path / "plain.kiln", *targets)
    plain = explained(tmp_path / "plain.kiln")
    key = next(k for k, target in plain if target == "sm_80" and k.startswith("matmul") and "/" not in k)
    few = next(k for k, target in plain if target == "sm_80" and "/rows<=" in k and len(plain[k, target]) > 1)
    row = next(k for k, target in plain if target == "sm_80" and not k.startswith("matmul"))
    other = plain[key, "sm_80"][2]["config"]
    fewer = plain[few, "sm_80"][1]["config"]
    unlisted = plain[row, "sm_80"][0]["config"].replace("grain = ", "grain = 2")
    given(model, tmp_path, "".join(f"{k} sm_80 {c[6:].split('_config<')[0]} {c.split('<', 1)[1][:-1]}\n"
                                   for k, c in [(key, other), (few, fewer), (row, unlisted)]), *targets)
    found = explained(tmp_path / "given.kiln")
    assert found.keys() == plain.keys()
    wanted = {(key, "sm_80"): other, (few, "sm_80"): fewer, (row, "sm_80"): unlisted}
    for problem, candidates in found.items():
        chosen = [c["config"] for c in candidates if c["chosen"]]
        assert chosen == [wanted.get(problem, plain[problem][0]["config"])]
    text = tool.call("explain", tmp_path / "given.kiln", "--target", "sm_80").stdout
    assert re.search(rf"^ *chosen .*{re.escape(other)}", text, flags=re.MULTILINE)
    told = tool.call("inspect", tmp_path / "given.kiln", "--kernels").stdout
    assert re.search(rf" sm_80 +{re.escape(other)}", told) and re.search(r" x86-64-v3 +#tile.gemm", told)


def test_the_choice_given_back_changes_nothing(model, tmp_path):
    text = "".join(f"{key} x86-64-v3 {config[6:].split('_config<')[0]} {config.split('<', 1)[1][:-1]}\n"
                   for key, config in keys(model, tmp_path, *TARGET).items())
    given(model, tmp_path, text)
    assert (tmp_path / "given.kiln").read_bytes() == (tmp_path / "keys.kiln").read_bytes()


def test_lines_for_another_problem_or_target(model, tmp_path):
    key = next(iter(keys(model, tmp_path, *TARGET)))
    config = "pointwise lanes = 8, grain = 64, stage = false"
    stderr = given(model, tmp_path, f"row-0123456789abcdef x86-64-v3 {config}\n{key} sm_80 {config}\n").stderr
    assert "given.txt:1: unused: no kernel of this model is row-0123456789abcdef on x86-64-v3" in stderr
    assert f"given.txt:2: unused: no kernel of this model is {key} on sm_80" in stderr
    assert (tmp_path / "given.kiln").read_bytes() == (tmp_path / "keys.kiln").read_bytes()


def test_bad_lines(model, tmp_path):
    def refused(text, code, *words):
        (tmp_path / "given.kiln").unlink(missing_ok=True)
        tool.assert_error(given(model, tmp_path, text, status=2), code, "given.txt:", *words, status=2)
        assert not (tmp_path / "given.kiln").exists()

    key = next(k for k in keys(model, tmp_path, *TARGET) if k.startswith("matmul"))
    gemm = "gemm mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false"
    refused(f"{key} x86-64-v3\n", "KILN-E0407", "ends early")
    refused(f"{key} x86-64-v3 gemm mr = six\n", "KILN-E0407", "family gemm")
    refused(f"{key} x86-64-v3 gemm {gemm[5:]}> + <\n", "KILN-E0407")
    refused(f"{key} x86-64-v3 {gemm.replace('gemm', 'gem')}\n", "KILN-E0408", "'gem'", "warpgroup_gemm")
    refused(f"{key} x86-64-v3 {gemm}\n" * 2, "KILN-E0409", "given.txt:2", "given.txt:1")
    refused(f"{key} x86-64-v3 {gemm.replace('mr = 6', 'mr = 9')}\n", "KILN-E0410", "vector registers", "at most 16", "found 21")
    refused(f"{key} x86-64-v3 {gemm.replace('mc = 96', 'mc = 0')}\n", "KILN-E0410", "mc")
    refused(f"{key} x86-64-v3 pointwise lanes = 8, grain = 64, stage = false\n", "KILN-E0410", "expected gemm")
    outcome = compile(model, tmp_path / "given.kiln", "--configs", tmp_path / "none.txt", status=3)
    tool.assert_error(outcome, "KILN-E0004", "none.txt", parts=("expected ", "found "))


def test_what_a_gpu_does_not_have(model, tmp_path):
    def refused(config, *words):
        outcome = given(model, tmp_path, f"{key} sm_80 {config}\n", "--target", "sm_80", status=2)
        tool.assert_error(outcome, "KILN-E0410", *words, status=2)

    key = next(k for k in keys(model, tmp_path, "--target", "sm_80") if k.startswith("matmul") and "/" not in k)
    refused("block_gemm rows = 64, panels = 4, block_k = 16, stages = 30, threads = 128, row_threads = 4",
            "shared memory", "at most 166912 bytes")
    refused("block_gemm rows = 64, panels = 1, block_k = 16, stages = 2, threads = 2048, row_threads = 4",
            "threads", "at most 1024 threads", "found 2048 threads")
    refused("block_gemm rows = 1024, panels = 2, block_k = 8, stages = 2, threads = 64, row_threads = 4", "needs more")
    refused("warpgroup_gemm rows = 128, panels = 1, block_k = 64, stages = 4, epilogue_panels = 1, row_threads = 4, raster = 8, "
            "copy_registers = 40, compute_registers = 232", "block_gemm")


def test_no_budget(model, tmp_path):
    file = tmp_path / "tuned.txt"
    assert "0 of 0" in tool.call("tune", model, "-o", file, *DIMS, *TARGET, "--minutes", "0").stdout
    assert lines(file) == []
    compile(model, tmp_path / "m.kiln", *TARGET, "--configs", file)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted(model, tmp_path, number):
    file, scratch = tmp_path / "tuned.txt", tmp_path / "scratch"
    scratch.mkdir()
    command = [str(tool.binary()), "tune", str(model), "-o", str(file), *DIMS, *TARGET, "--minutes", "5"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env={**os.environ, "TMPDIR": str(scratch)})
    deadline = time.monotonic() + 60
    while "measured at" not in (file.read_text() if file.exists() else "") and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    process.wait(timeout=60)
    lines(file)
    compile(model, tmp_path / "m.kiln", *TARGET, "--configs", file)
    if number != signal.SIGKILL:
        assert process.returncode == 128 + number
        assert list(scratch.iterdir()) == [] and not list(tmp_path.glob("*.tmp"))


def test_on_a_simulated_gpu(driver, model, tmp_path):
    file = tmp_path / "tuned.txt"
    text = tool.call("tune", model, "-o", file, *DIMS, "--device", "sim:a100", "--target", "sm_80", "--minutes", "0.5",
                     "--at", "batch=2,seq=8", env=driver).stdout
    assert "matmul_0" in text
    assert all(line.split()[1] == "sm_80" for line in lines(file))
    compile(model, tmp_path / "m.kiln", "--target", "sm_80", "--configs", file)


def test_a_lost_device_leaves_a_file(driver, model, tmp_path):
    file = tmp_path / "tuned.txt"
    outcome = tool.call("tune", model, "-o", file, *DIMS, "--device", "cuda:7", "--target", "sm_80", status=None,
                        env=driver)
    assert outcome.status == 4 and outcome.code.startswith("KILN-E07")
    assert lines(file) == []


@pytest.mark.parametrize("when", ["opening", "searching"])
def test_a_device_lost_in_between(driver, model, tmp_path, when):
    """The driver fails a call: of the untuned package's session, or of a later round, behind which a file is left."""
    file, calls = tmp_path / "tuned.txt", tmp_path / "calls.txt"
    search = ["tune", model, "-o", file, *DIMS, "--device", "sim:a100", "--target", "sm_80", "--minutes", "0.2",
              "--at", "batch=2,seq=8"]
    tool.call(*search, env={**driver, "KILN_SIM_TRACE": str(calls)})
    launches = [i for i, line in enumerate(calls.read_text().splitlines(), 1) if "Launch" in line]
    number = launches[0] if when == "opening" else launches[len(launches) // 3]
    file.unlink()
    lost = {**driver, "KILN_SIM_FAIL": f"{number}:ILLEGAL_ADDRESS"}
    outcome = tool.call(*search, status=None, env=lost)
    assert outcome.status == 4 and outcome.code.startswith("KILN-E07"), outcome.stderr
    assert ("# device" in file.read_text()) == (when == "searching")
    assert all(line.split()[1] == "sm_80" for line in lines(file))
    compile(model, tmp_path / "m.kiln", "--target", "sm_80", "--configs", file)
    assert not list(tmp_path.glob("*.tmp"))


def test_what_is_asked_of_it(model, tmp_path):
    tool.assert_error(tool.call("tune", model, status=2), "KILN-E0001", "-o FILE", status=2)
    outcome = tool.call("tune", model, "-o", tmp_path / "t.txt", "--at", "rows=3", *DIMS, *TARGET, status=2)
    tool.assert_error(outcome, "KILN-E0001", "rows", status=2)
    outcome = tool.call("tune", model, "-o", model, *TARGET, status=2)
    tool.assert_error(outcome, "KILN-E0001", "overwrite", status=2)


@pytest.mark.parametrize("entry", ["prefill", "decode"])
def test_a_decoder_with_state(tmp_path, entry):
    """Whose lengths are set before each run; the kernels of the other entry are left alone."""
    package = decoders.Packages(tmp_path)
    tuned = tmp_path / "tuned.txt"
    options = ["--dims", "rows=1..2,capacity=1..64,sequence=1..16"]
    text = tool.call("tune", package.model("llama"), "-o", tuned, *options, "--entry", entry, "--minutes", "0.1").stdout
    assert "kernels have another config" in text and "attention" in text
    tool.call("compile", package.model("llama"), "-o", tmp_path / "m.kiln", *options, "--configs", tuned, "-q")
    outcome = tool.call("tune", package.model("llama"), "-o", tuned, *options, "--entry", "main", "--minutes", "0.1", status=2)
    assert outcome.code == "KILN-E0619"
