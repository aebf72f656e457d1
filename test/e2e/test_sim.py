"""Packages for GPUs on the simulated GPU: the PTX of a package, through the same runtime and the same CUDA graph that a
real driver would run, against the CPU."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os

import pytest
import tool

OUTPUTS = ["prediction_scores", "seq_relationship_score"]


@pytest.fixture(scope="module")
def gpu_package(bert_toy, tmp_path_factory):
    package = tmp_path_factory.mktemp("gpu") / "bert_toy.kiln"
    tool.call("compile", bert_toy, "-o", package, "--target", "native,sm_80")
    return package


def dims(batch, sequence):
    return f"batch={batch},max_seq_len_in_batch={sequence}"


@pytest.mark.parametrize("batch, sequence", [(1, 1), (2, 7), (1, 64)])
def test_the_gpu_agrees_with_the_cpu(driver, gpu_package, tmp_path, batch, sequence):
    options = ["--dims", dims(batch, sequence)]
    saved = [word for name in OUTPUTS for word in ("--output", f"{name}=@{tmp_path}/{name}.npy")]
    tool.call("run", gpu_package, *options, *saved)
    text = tool.call("run", gpu_package, "--device", "sim", *options, "--compare", tmp_path, env=driver).stdout
    assert text.endswith("PASSED\n")


def test_every_kernel_is_verified(driver, gpu_package):
    text = tool.call("verify", gpu_package, "--device", "sim", "--dims", dims(2, 9), env=driver).stdout
    # 42 launches of the model's 12 kernels, and one of the kernel that checks indices.
    assert "43 launches of 13 kernels checked" in text and text.endswith("PASSED\n")


def test_steps_give_the_bits_of_the_graph(driver, gpu_package):
    command = ["run", gpu_package, "--device", "sim", "--dims", dims(1, 5)]
    results = [tool.call(*command, *more, env=driver).stdout.split("time:")[0] for more in ([], ["--no-graph"])]
    assert results[0] == results[1] and "prediction_scores" in results[0]


def test_schedules_give_the_same_bits(driver, gpu_package):
    """Whenever work runs and in whatever order warps do, with a graph or without; nothing is found on the way."""
    results = set()
    for schedule in ("eager,forward", "late,reverse", "random,random,1", "random,random,2"):
        for more in ([], ["--no-graph"]):
            command = ["run", gpu_package, "--device", "sim:a100", "--dims", dims(2, 3), *more]
            outcome = tool.call(*command, env={**driver, "KILN_SIM_SCHEDULE": schedule})
            assert "kiln-sim" not in outcome.stderr
            results.add(outcome.stdout.split("time:")[0])
    assert len(results) == 1 and "prediction_scores" in results.pop()


def test_profiles(driver, gpu_package):
    tool.call("run", gpu_package, "--device", "sim:a100", "--dims", dims(1, 2), env=driver)
    outcome = tool.call("run", gpu_package, "--device", "sim:tnt2", status=4, env=driver)
    tool.assert_error(outcome, "KILN-E0702", "sim:tnt2", "profiles: a100 b200", "found 'tnt2'", "behind sim:", status=4)


MISTAKES = {
    "KILN_SIM_CHECK": ("rase", "all, none, or a list of init race"),
    "KILN_SIM_DEVICES": ("h200,k80", "profiles: a100 b200"),
    "KILN_SIM_FAIL": ("0", "n or n:ERROR"),
    "KILN_SIM_ISA": ("sse", "portable, avx2 or avx512"),
    "KILN_SIM_MEMORY": ("plenty", "bytes, or a number with K, M, G or T"),
    "KILN_SIM_SCHEDULE": ("soon", "eager, late or random["),
    "KILN_SIM_THREADS": ("0", "a number of threads from 1"),
}


@pytest.mark.parametrize("variable", MISTAKES)
def test_environment_that_is_not_understood(driver, gpu_package, variable):
    """The variable, what is allowed and what it has; not that there is no GPU."""
    value, allowed = MISTAKES[variable]
    for device in ("sim", "sim:a100")[: 1 if variable == "KILN_SIM_DEVICES" else 2]:
        outcome = tool.call("run", gpu_package, "--device", device, status=4, env={**driver, variable: value})
        words = [f"device {device}: ", f"the variable {variable}", f"expected {allowed}", f"fix: correct or unset {variable}"]
        tool.assert_error(outcome, "KILN-E0702", *words, f"found '{value.split(',')[-1]}'", status=4)


def test_names_of_devices(driver, gpu_package):
    """No profile is no default, and a message is one line whatever the name."""
    for name, words in (("sim:", ["the profile of the simulated GPU is missing", "such as sim:h200"]), ("sim:\n\t\x1b", ["sim:\\n\\t\\x1b"])):
        outcome = tool.call("run", gpu_package, "--device", name, status=4, env=driver)
        tool.assert_error(outcome, "KILN-E0702", *words, status=4)
    assert outcome.stderr[outcome.stderr.index("error: ") :].count("\n") == 1
    outcome = tool.call("compile", "a\nb.onnx", "-o", "x.kiln", status=3)
    tool.assert_error(outcome, "KILN-E0002", "a\\nb.onnx: ")
    assert len(outcome.stderr.splitlines()) == 1


def test_a_profile_that_is_no_file(driver, gpu_package):
    for path in ("/", "/dev/zero"):
        outcome = tool.call("run", gpu_package, "--device", f"sim:{path}", status=4, env=driver, timeout=20)
        tool.assert_error(outcome, "KILN-E0702", f"sim:{path}", status=4)


def test_package_without_code_for_the_gpu(driver, small_package):
    outcome = tool.call("run", small_package[1], "--device", "sim", status=3, env=driver)
    tool.assert_error(outcome, "KILN-E0510", "H200", "--target sm_90a")
    outcome = tool.call("run", small_package[1], "--device", "sim:b200", status=3, env=driver)
    tool.assert_error(outcome, "KILN-E0510", "B200", "--target sm_89")


def test_no_driver(gpu_package):
    environment = {**os.environ, "KILN_CUDA_DRIVER": "libno-such-driver.so"}
    outcome = tool.call("run", gpu_package, "--device", "cuda", status=4, env=environment)
    tool.assert_error(outcome, "KILN-E0704", "libno-such-driver.so", "--device cpu", status=4)
