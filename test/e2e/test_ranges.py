"""kiln compile --range: one scale for all activations of a product, a constant that samples say. What estimators find beside numpy."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re
import shutil
import subprocess
import time

import kiln
import numpy as np
import onnx
import pytest
import tool
from test_calibration import many_products, size_of
from test_quantization import correlated_product

DIMS = ["--dims", "n=1..128"]
EIGHT = ["--precision", "int8", "--algorithm", "rtn"]
FLOAT8 = ["--precision", "fp8", "--activations", "fp8"]
METHODS = ["max", "percentile:99.9", "mse", "entropy"]


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """(a model of one product, its weight, an archive of samples that have a few large numbers, the samples)."""
    folder = tmp_path_factory.mktemp("product")
    model, weight, _ = correlated_product(folder)
    random = np.random.default_rng(3)
    samples = random.laplace(size=(4, 96, 64)).astype(np.float32)
    samples[1, 5, 7] = 60
    np.savez(folder / "samples.npz", x=samples)
    return model, weight, folder / "samples.npz", samples


def compile_product(product, package, *options, status=0):
    return tool.call("compile", product[0], "-o", package, *DIMS, "--calib", product[2], *options, status=status)


def range_of(package):
    entries = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    return [entry["activation_range"] for entry in entries if "activation_range" in entry]


# Estimators, by numpy


def width_of(largest):
    """The largest magnitude is in the upper half of 4096 bins, whose width is a power of two."""
    return 2.0 ** (np.floor(np.log2(largest)) - 11)


def codes(x, limit, format):
    scaled = np.minimum(x / limit, 1)
    if format == "int8":
        return np.rint(scaled * 127)
    y = scaled * 448
    step = 2.0 ** (np.floor(np.log2(np.maximum(y, 2.0**-6))) - 3)
    return np.rint(y / step) * step


def divergence(counts, kept, centres, limit, format):
    """Kullback-Leibler, of what codes say of the first bins from the numbers in them and beyond."""
    p = counts[:kept].astype(float)
    p[-1] += counts[kept:].sum()
    q = np.zeros(kept)
    of_bin = codes(centres[:kept], limit, format)
    for code in np.unique(of_bin):
        here = of_bin == code
        filled = here & (p > 0)
        q[filled] = counts[:kept][here].sum() / max(filled.sum(), 1)
    p, q = p / p.sum(), q / q.sum()
    if (q[p > 0] == 0).any():
        return np.inf
    return (p[p > 0] * np.log(p[p > 0] / q[p > 0])).sum()


def estimate(samples, method, format):
    magnitudes = np.abs(samples.astype(np.float64)).ravel()
    largest = magnitudes.max()
    if method == "max":
        return largest
    width = width_of(largest)
    if method.startswith("percentile"):
        exact = np.percentile(magnitudes, float(method.split(":")[1]), method="inverted_cdf")
        return min((np.floor(exact / width) + 1) * width, largest)
    counts, edges = np.histogram(magnitudes, bins=4096, range=(0, 4096 * width))
    centres = (edges[:-1] + edges[1:]) / 2
    centres[0] = 0
    used = int(largest // width) + 1
    losses = {}
    for kept in [*range(128, used, 8), used]:
        limit = largest if kept == used else kept * width
        if method == "mse":
            scale = limit / (127 if format == "int8" else 448)
            losses[limit] = (counts * (centres - codes(centres, limit, format) * scale) ** 2).sum()
        else:
            losses[limit] = divergence(counts[:used], kept, centres, limit, format)
    return losses


@pytest.mark.parametrize("options, format", [(EIGHT, "int8"), (FLOAT8, "fp8")])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_estimators_find_what_numpy_does(product, tmp_path, seed, method, options, format):
    random = np.random.default_rng(seed)
    shape = (3, 70 + seed, 64)
    kinds = [random.standard_normal, random.laplace, lambda size: random.standard_t(3, size=size), lambda size: np.maximum(random.standard_normal(size), 0)]
    samples = (kinds[seed](size=shape) * 10.0 ** (seed - 2)).astype(np.float32)
    np.savez(tmp_path / "samples.npz", x=samples)
    tool.call("compile", product[0], "-o", tmp_path / "m.kiln", "-q", *DIMS, *options, "--calib", tmp_path / "samples.npz", "--range", method)
    (found,) = range_of(tmp_path / "m.kiln")
    expected = estimate(samples, method, format)
    if isinstance(expected, dict):
        limit = min(expected, key=lambda limit: abs(limit - found["limit"]))
        assert limit == pytest.approx(found["limit"], rel=1e-12) and expected[limit] <= min(expected.values()) * (1 + 1e-9)
    else:
        assert found["limit"] == pytest.approx(expected, rel=1e-12)
    beyond = np.abs(samples) >= found["limit"] if found["limit"] < np.abs(samples).max() else np.zeros(1)
    assert found["values"] == samples.size and found["saturated"] == beyond.sum()


# Results of kernels


@pytest.mark.parametrize("target", ["native", "x86-64-v3"])
@pytest.mark.parametrize("options", [EIGHT, FLOAT8, ["--precision", "int4"], ["--precision", "mxfp4", "--activations", "fp8"]])
@pytest.mark.parametrize("rows", [1, 3, 96])
def test_results(product, tmp_path, rows, options, target):
    """By the constant scale, whatever the run's own largest magnitude is; beyond it numbers saturate, and NaN is 0."""
    model, weight, samples, _ = product
    compile_product(product, tmp_path / "m.kiln", "-q", *options, "--range", "percentile:99.9", "--target", target)
    assert tool.call("verify", tmp_path / "m.kiln").stdout.endswith("PASSED\n")
    limit = range_of(tmp_path / "m.kiln")[0]["limit"]
    session = kiln.Session(tmp_path / "m.kiln")
    x = np.random.default_rng(0).standard_normal((rows, 64)).astype(np.float32)
    found, exact = session.run({"x": x})["y"], x @ weight
    assert np.linalg.norm(found - exact) < (0.05 if "8" in options[1] else 0.2) * np.linalg.norm(exact)
    beyond, saturated = x.copy(), x.copy()
    beyond[0, :3], saturated[0, :3] = (1000 * limit, np.inf, np.nan), (limit, limit, 0)
    np.testing.assert_array_equal(session.run({"x": beyond})["y"], session.run({"x": saturated})["y"])
    # A row's quantized values depend on no other row, nor on its other elements.
    other = x.copy()
    other[0, 0] = limit
    assert np.abs(session.run({"x": other})["y"][1:] - found[1:]).max(initial=0) == 0


def test_a_static_scale_saves_the_pass_over_rows(tmp_path):
    """A product behind a product: its codes need nothing of the whole row. Every input has the same kernels."""
    model = many_products(tmp_path, k=64, count=6)
    kernels = {}
    for name, options in (("run", []), ("static", ["--calib", tmp_path / "samples.npz", "--range", "max"])):
        text = tool.call("compile", model, "-o", tmp_path / f"{name}.kiln", "--dims", "n=1..32", *EIGHT, *options).stdout
        kernels[name] = [int(number) for number in re.search(r"kernels  (\d+) different, (\d+) steps", text).groups()]
    assert kernels["static"][1] <= kernels["run"][1] and kernels["static"][0] <= kernels["run"][0] + 1
    assert len(range_of(tmp_path / "static.kiln")) == 6


def layers(folder, width=128):
    """Two layers: a norm, a product that is added to the layer's input, and two products with gelu between them."""
    random, nodes, weights, value = np.random.default_rng(0), [], [], "x"

    def weight(name, *shape):
        weights.append(onnx.numpy_helper.from_array((random.standard_normal(shape) / shape[0] ** 0.5).astype(np.float32), name))
        return name

    for layer in range(2):
        def op(kind, inputs, output, **attributes):
            nodes.append(onnx.helper.make_node(kind, inputs, [f"{output}{layer}"], name=f"{output}{layer}", **attributes))
            return f"{output}{layer}"

        normed = op("LayerNormalization", [value, weight(f"g{layer}", width), weight(f"b{layer}", width)], "norm", axis=-1)
        mixed = op("Add", [op("MatMul", [normed, weight(f"q{layer}", width, width)], "mix"), value], "mixed")
        up = op("MatMul", [mixed, weight(f"u{layer}", width, 4 * width)], "up")
        active = op("Gelu", [op("Add", [up, weight(f"ub{layer}", 4 * width)], "biased")], "active")
        value = op("Add", [op("MatMul", [active, weight(f"d{layer}", 4 * width, width)], "down"), mixed], "out")
    nodes[-1].output[0] = value = "y"
    graph = onnx.helper.make_graph(nodes, "g", [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["n", width])],
                                   [onnx.helper.make_tensor_value_info(value, onnx.TensorProto.FLOAT, ["n", width])], weights)
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 20)]), folder / "layers.onnx")
    np.savez(folder / "layers.npz", x=random.standard_normal((8, 64, width)).astype(np.float32))
    return folder / "layers.onnx", folder / "layers.npz"


@pytest.mark.parametrize("target", ["x86-64-v3", "native", "sm_80"])
@pytest.mark.parametrize("precision", ["int8", "int4", "nvfp4", "fp8"])
def test_layers_take_no_more_steps(tmp_path, precision, target):
    """Norms and epilogues write codes by static scales, which are no values of a run; results are near those of scales that runs find."""
    model, samples = layers(tmp_path)
    asked = ["--precision", precision, *(["--activations", "fp8"] if precision == "fp8" else []), "--dims", "n=1..64", "--target", target]
    static = ["--calib", samples, "--range", "max", *([] if precision == "fp8" else ["--algorithm", "rtn"])]
    steps = {}
    for name, options in (("run", []), ("static", static)):
        text = tool.call("compile", model, "-o", tmp_path / f"{name}.kiln", *asked, *options).stdout
        steps[name] = int(re.search(r"kernels  \d+ different, (\d+) steps", text).group(1))
    # Per layer at most three quantizations of activations, two of which are fused into a norm and an epilogue.
    assert steps["static"] <= min(steps["run"], 2 * {"fp8": 6, "int8": 6 if target == "sm_80" else 8}.get(precision, 7 if target == "sm_80" else 8))
    if target == "sm_80":
        return
    assert tool.call("verify", tmp_path / "static.kiln").stdout.endswith("PASSED\n")
    x = np.load(samples)["x"][0]
    run, found = (kiln.Session(tmp_path / f"{name}.kiln").run({"x": x})["y"] for name in steps)
    assert np.linalg.norm(run - found) < 0.05 * np.linalg.norm(run)


# Combinations with other options


def test_with_gptq(product, tmp_path):
    """Both look at the samples; the weights are those of gptq alone. Equal bytes on any number of threads."""
    text = compile_product(product, tmp_path / "m.kiln", "--precision", "int4", "--range", "mse").stdout
    assert "whose sums took" in text and "whose values and histograms took" in text
    report = tool.call("inspect", tmp_path / "m.kiln", "--precision").stdout
    assert "by gptq" in report and "static scale (mse)" in report and "static ranges by mse" in report
    compile_product(product, tmp_path / "plain.kiln", "--precision", "int4")
    errors = [json.loads(tool.call("inspect", tmp_path / name, "--precision", "--json").stdout)["precision_report"][0]["weight_error"]
              for name in ("m.kiln", "plain.kiln")]
    assert errors[0] == errors[1]
    first = (tmp_path / "m.kiln").read_bytes()
    compile_product(product, tmp_path / "m.kiln", "--precision", "int4", "--range", "mse", "--threads", "1")
    assert (tmp_path / "m.kiln").read_bytes() == first


def test_policy_files(product, tmp_path):
    (tmp_path / "policy.json").write_text(json.dumps({"precision": "int8", "range": "percentile:99"}))
    compile_product(product, tmp_path / "policy.kiln", "--precision", tmp_path / "policy.json", "--algorithm", "rtn")
    compile_product(product, tmp_path / "option.kiln", *EIGHT, "--range", "percentile:99")
    assert range_of(tmp_path / "policy.kiln") == range_of(tmp_path / "option.kiln") != []


@pytest.mark.parametrize("options, words", [
    ([*EIGHT, "--range", "largest"], ["no range has this name", "max, percentile, percentile:P, mse or entropy"]),
    ([*EIGHT, "--range", "percentile:3"], ["is not a percentile", "50 to 100"]),
    (["--precision", "f32", "--range", "max"], ["--range", "nothing is quantized"]),
    (["--precision", "fp8", "--range", "max"], ["--range", "not quantized", "--activations fp8"]),
    (["--precision", "int4", "--activations", "bf16", "--range", "max"], ["--range", "activations in 8 bits"]),
    (["--precision", "nvfp4", "--activations", "nvfp4", "--range", "max"], ["--range", "activations in 8 bits"]),
    (["--precision", "int8", "--algorithm", "smoothquant", "--range", "max"], ["--range", "changes the activations"]),
    (["--precision", "int4", "--algorithm", "awq", "--range", "max"], ["--range", "changes the activations"]),
])  # fmt: skip
def test_options_that_do_not_fit(product, tmp_path, options, words):
    tool.assert_error(compile_product(product, tmp_path / "m.kiln", *options, status=None), "KILN-E0001", *words, status=2)


def test_a_range_takes_samples(product, tmp_path):
    outcome = tool.call("compile", product[0], "-o", tmp_path / "m.kiln", *DIMS, *EIGHT, "--range", "max", status=None)
    tool.assert_error(outcome, "KILN-E0001", "--range", "takes samples", status=2)


# Samples


def test_memory_and_passes(tmp_path):
    """What is said is histograms and the values of a run; in several passes the bytes stay the same."""
    model = many_products(tmp_path, k=128, count=6)
    packages, histogram, values = [], 8 * (2 + 4096), 4 * 32 * 128
    for memory, passes, inputs in (("1GiB", "1 time", 6), ("110KiB", "3 times", 2), ("1", "6 times", 1)):
        text = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--dims", "n=1..32", *EIGHT, "--calib", tmp_path / "samples.npz", "--range", "entropy",
                         "--calib-memory", memory).stdout  # fmt: skip
        assert f"samples  3, run {passes} for 6 inputs" in text
        said = size_of(re.search(r"histograms took at most (\S+ \S+)\n", text).group(1))
        assert said == pytest.approx(inputs * (histogram + values), rel=0.01)
        packages.append((tmp_path / "m.kiln").read_bytes())
    assert packages[0] == packages[1] == packages[2]


@pytest.mark.parametrize("algorithm", ["rtn", "gptq"])
def test_a_folder_that_keeps_histograms(product, tmp_path, algorithm):
    options = ["--precision", "int8", "--algorithm", algorithm, "--calib-state", tmp_path / "state"]
    first = compile_product(product, tmp_path / "m.kiln", *options, "--range", "mse")
    again = compile_product(product, tmp_path / "again.kiln", *options, "--range", "mse")
    assert "were done already" not in first.stdout
    assert again.stdout.count("4 of 4 runs were done already") == (1 if algorithm == "rtn" else 2)
    assert (tmp_path / "m.kiln").read_bytes() == (tmp_path / "again.kiln").read_bytes()
    outcome = compile_product(product, tmp_path / "again.kiln", *options, "--range", "max", status=None)
    tool.assert_error(outcome, "KILN-E0126", "of another calibration", status=3)
    (sums,) = (tmp_path / "state").rglob("sums-0")
    sums.write_bytes(sums.read_bytes()[:-1])
    outcome = compile_product(product, tmp_path / "again.kiln", *options, "--range", "mse", status=None)
    tool.assert_error(outcome, "KILN-E0126", "is damaged", "sums-0", status=3)


@pytest.mark.parametrize("algorithm", ["rtn", "gptq"])
def test_a_calibration_that_was_killed_goes_on(tmp_path, algorithm):
    """Killed at ten points, while histograms are filled or matrices summed: the same bytes in the end, and what was done is not done again."""
    model = many_products(tmp_path, k=256, count=6)
    np.savez(tmp_path / "samples.npz", x0=np.random.default_rng(1).standard_normal((48, 128, 256)).astype(np.float32))
    found, state = tmp_path / "found.kiln", tmp_path / "state"
    command = ["compile", model, "-o", found, "--dims", "n=1..128", "--precision", "int8", "--algorithm", algorithm, "--calib", tmp_path / "samples.npz",
               "--range", "mse", "--calib-memory", "600KiB"]  # fmt: skip
    tool.call(*command)
    expected = found.read_bytes()
    command += ["--calib-state", state]
    begin = time.monotonic()
    tool.call(*command)
    seconds, resumed = time.monotonic() - begin, 0
    assert found.read_bytes() == expected
    for point in range(10):
        shutil.rmtree(state, ignore_errors=True)
        found.unlink(missing_ok=True)
        with subprocess.Popen([tool.binary(), *map(str, command)], stdout=subprocess.DEVNULL) as process:
            time.sleep(seconds * (point + 0.5) / 10)
            process.kill()
        report = tool.call(*command).stdout
        assert found.read_bytes() == expected
        resumed += any(0 < int(runs) for runs in re.findall(r"(\d+) of \d+ runs were done already", report))
    assert resumed >= 3
    done = re.findall(r"(\d+) of (\d+) runs were done already", tool.call(*command).stdout)
    assert len(done) == (1 if algorithm == "rtn" else 2) and all(one == all_of_them for one, all_of_them in done)


@pytest.mark.parametrize("shard", ["tp", "sp"])
def test_ranks_have_the_scales_of_one(tmp_path, shard):
    """Samples run on one rank; products that ranks divide, by columns or K, are quantized by the same limits."""
    model, samples = layers(tmp_path)
    options = ["--dims", "n=1..64", *EIGHT, "--calib", samples, "--range", "mse"]
    tool.call("compile", model, "-o", tmp_path / "one.kiln", "-q", *options)
    tool.call("compile", model, "-o", tmp_path / "two.kiln", "-q", *options, "--ranks", "2", "--shard", shard)
    limits = [range_of(tmp_path / name) for name in ("one.kiln", "two.kiln")]
    assert limits[0] == limits[1] and len(limits[0]) == 6
    x = np.load(samples)["x"][1]
    one = kiln.Session(tmp_path / "one.kiln").run({"x": x})["y"]
    with kiln.Group(tmp_path / "two.kiln") as group:
        two = group.run({"x": x})["y"]
    # Sums of K in two parts: a quantized value may be the adjacent one.
    assert np.linalg.norm(one - two) < 0.01 * np.linalg.norm(one)
    assert tool.call("verify", tmp_path / "two.kiln").stdout.endswith("PASSED\n")


def test_a_budget_beside_static_ranges(tmp_path):
    """What repair keeps in f32 has no range; the policy that was found gives the same weights and limits without a search."""
    model, samples = layers(tmp_path)
    options = ["--dims", "n=1..64", "--calib", samples, "--algorithm", "rtn"]
    static = [*options, "--precision", "int4", "--range", "max"]
    tool.call("compile", model, "-o", tmp_path / "all.kiln", "-q", *static, "--accuracy", "max<=1000")

    def record_of(name):
        return json.loads(tool.call("inspect", tmp_path / name, "--precision", "--json").stdout)

    without = record_of("all.kiln")["accuracy"]["measured"]
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", *static, "--accuracy", f"max<={0.7 * without!r}", "--policy-out", tmp_path / "policy.json")
    found = record_of("m.kiln")
    kept = sum(entry["kept"] for entry in found["accuracy"]["blames"])
    assert found["accuracy"]["measured"] <= 0.7 * without and 0 < kept < 6
    assert len(range_of(tmp_path / "m.kiln")) == 6 - kept
    assert json.loads((tmp_path / "policy.json").read_text())["range"] == "max"
    tool.call("compile", model, "-o", tmp_path / "again.kiln", "-q", *options, "--precision", tmp_path / "policy.json")
    assert record_of("again.kiln")["precision_report"] == found["precision_report"]


@pytest.mark.parametrize("values, word", [(0, "say nothing of a static scale"), (np.inf, "what is no number")])
def test_samples_that_give_no_range(product, tmp_path, values, word):
    np.savez(tmp_path / "samples.npz", x=np.full((2, 4, 64), values, np.float32))
    outcome = tool.call("compile", product[0], "-o", tmp_path / "m.kiln", *DIMS, *EIGHT, "--calib", tmp_path / "samples.npz", "--range", "max", status=None)
    tool.assert_error(outcome, "KILN-E0126", word, status=3)


# Too few samples: only a warning, as the results are still usable


@pytest.mark.parametrize("algorithm, few, enough", [("gptq", 63, 64), ("awq", 63, 64), ("smoothquant", 99, 100)])
def test_too_few_rows(product, tmp_path, algorithm, few, enough):
    for rows, warns in ((few, True), (enough, False)):
        x = np.random.default_rng(0).standard_normal((rows, 64)).astype(np.float32)
        np.savez(tmp_path / "samples.npz", x=x)
        outcome = tool.call("compile", product[0], "-o", tmp_path / "m.kiln", *DIMS, "--precision", "int4", "--algorithm", algorithm, "--calib",
                            tmp_path / "samples.npz")  # fmt: skip
        assert (f"warning: the samples of --calib have {rows} rows for product, fewer than {enough}" in outcome.stderr) == warns, outcome.stderr
        assert ("warning: the samples" in outcome.stderr) == warns


def test_rows_of_all_samples_count(product, tmp_path):
    np.savez(tmp_path / "samples.npz", x=np.random.default_rng(0).standard_normal((4, 16, 64)).astype(np.float32))
    arguments = ["compile", product[0], "-o", tmp_path / "m.kiln", *DIMS, "--precision", "int4", "--calib", tmp_path / "samples.npz"]
    assert "warning" not in tool.call(*arguments).stderr


@pytest.mark.parametrize("method, wanted", [("max", 10000), ("percentile:99.9", 10000), ("percentile:99.995", 20000), ("entropy", 10000)])
def test_too_few_values(product, tmp_path, method, wanted):
    for rows, warns in ((-(-wanted // 64) - 1, True), (-(-wanted // 64), False)):
        np.savez(tmp_path / "samples.npz", x=np.random.default_rng(0).standard_normal((rows, 1, 64)).astype(np.float32))
        outcome = tool.call("compile", product[0], "-o", tmp_path / "m.kiln", *DIMS, *EIGHT, "--calib", tmp_path / "samples.npz", "--range", method)
        assert (f"have {rows * 64} values for product, fewer than {wanted}" in outcome.stderr) == warns, outcome.stderr
