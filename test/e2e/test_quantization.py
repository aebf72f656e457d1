"""--precision int8 and int4: how far tinylm's perplexity moves, that every path gives the same bits, and what is refused."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import shutil

import decoders
import kiln
import numpy as np
import onnx
import pytest
import tool
from decoders import HELD_OUT, PROMPT, perplexity

from bert import config, encoder, save, weights  # isort: skip  (decoders names their folder)

SMALL = config.Config(hidden=128, layers=1, heads=4, intermediate=512, vocabulary=100, positions=64)
FORMATS = ["int8", "mxfp8", "fp8", "int4", "nvfp4", "mxfp4"]
DIMS = ["--dims", "rows=1..2,capacity=1..512,sequence=1..256"]


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """By precision, each in a folder of its own."""
    return {
        precision: decoders.compile_tinylm(tmp_path_factory.mktemp(precision), "--precision", precision, *DIMS, spelling="past")
        for precision in ("f32", *FORMATS)
    }


def test_perplexity_stays_near(packages):
    exact = perplexity(packages["f32"])
    assert perplexity(packages["int8"]) / exact - 1 < 1e-3
    # Max increase of the perplexity with round-to-nearest; measured: 0.84, 0.89, 1.49 and 0.05 %.
    for precision, limit in (("int4", 1.1e-2), ("nvfp4", 1.1e-2), ("mxfp4", 1.8e-2), ("fp8", 3e-3), ("mxfp8", 3e-3)):
        assert 1e-4 < perplexity(packages[precision]) / exact - 1 < limit, precision


@pytest.mark.parametrize("precision", ["fp8", "mxfp8"])
def test_perplexity_with_activations_in_fp8(packages, tmp_path, precision):
    """Measured: 0.14 and 0.19 %."""
    package = decoders.compile_tinylm(tmp_path, "--precision", precision, "--activations", "fp8", *DIMS, spelling="past")
    exact, rounded, found = (perplexity(package) for package in (packages["f32"], packages[precision], package))
    assert rounded < found < exact * (1 + 3e-3)


@pytest.mark.parametrize("precision", ["nvfp4", "mxfp4"])
def test_perplexity_with_activations_of_4_bits(packages, tmp_path, precision):
    """Measured: 2.05 and 3.62 %, of which weights alone cost 0.89 and 1.49 %."""
    options = ["--precision", precision, "--activations", precision]
    package = decoders.compile_tinylm(tmp_path, *options, *DIMS, spelling="past")
    exact, rounded, found = (perplexity(package) for package in (packages["f32"], packages[precision], package))
    assert rounded < found < exact * {"nvfp4": 1.025, "mxfp4": 1.042}[precision]


def test_packages_shrink(packages):
    size = {precision: package.stat().st_size for precision, package in packages.items()}
    assert size["mxfp4"] < size["nvfp4"] < size["int4"] < 0.7 * size["int8"] < 0.7 * size["f32"]
    assert size["int4"] < size["fp8"] < size["mxfp8"] < size["int8"]  # int8 has larger kernels


@pytest.mark.parametrize("precision", FORMATS)
def test_the_report_names_every_product(packages, precision):
    provenance = json.loads(tool.call("inspect", packages[precision], "--json").stdout)["provenance"]
    entries = [entry for entry in provenance["precision_report"] if entry["op"] == "matmul"]
    assert provenance["precision"] == precision and all(entry["node"] and entry["why"] for entry in entries)
    # Four matmuls per layer, gate and up merged, and the head; the matmul of RoPE angles has no weight.
    assert sorted(entry["became"] for entry in entries) == ["f32"] + [precision] * 25


@pytest.mark.parametrize("precision", FORMATS)
def test_kernels_are_those_of_the_reference(packages, precision):
    assert tool.call("verify", packages[precision], timeout=300).stdout.endswith("PASSED\n")


@pytest.mark.parametrize("precision", FORMATS)
def test_steps_give_the_bits_of_the_prompt(packages, precision):
    decoders.assert_steps_give_the_bits_of_the_prompt(packages[precision])


@pytest.mark.parametrize("precision, k", [("int8", 256), ("int8", 192), ("int8", 96), ("int4", 96), ("mxfp4", 64), ("nvfp4", 64)])
def test_every_height_of_a_register_tile(tmp_path, precision, k):
    """What multiplies the codes depends on the rows: vectors up to 7, tile registers (AMX) where the machine has them."""
    rng = np.random.default_rng(k)
    weight = onnx.numpy_helper.from_array(rng.standard_normal((k, 40)).astype(np.float32), "w")
    value = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["m", n]) for name, n in (("x", k), ("y", 40))]
    graph = onnx.helper.make_graph([onnx.helper.make_node("MatMul", ["x", "w"], ["y"])], "product", value[:1], value[1:], [weight])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9), tmp_path / "m.onnx")
    sessions = []
    for target in ("x86-64-v3", "native"):
        tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / f"{target}.kiln", "-q", "--precision", precision, "--target", target,
                  "--dims", "m=1..300")
        sessions.append(kiln.Session(tmp_path / f"{target}.kiln", threads=1))
    x = rng.standard_normal((300, k)).astype(np.float32)
    exact = x @ onnx.numpy_helper.to_array(weight)
    for rows in (*range(1, 42), 127, 128, 129, 300):
        results = [session.run({"x": x[:rows]})["y"] for session in sessions]
        np.testing.assert_array_equal(*results)
        # Six standard deviations of a sum of k rounding errors, each uniform in a step of 5 / 255 (both operands) or 5
        # / 15.
        assert np.abs(results[0] - exact[:rows]).max() < (0.05 if precision == "int8" else 0.6) * k**0.5


@pytest.mark.parametrize("precision", FORMATS)
def test_levels_of_the_cpu_agree(packages, precision, tmp_path):
    """Without VNNI, and with 32-byte registers, integer products are the same; what f32 adds up differs in order."""
    expected = kiln.Decoder(packages[precision], rows=1, capacity=64).prefill([PROMPT])
    package = decoders.compile_tinylm(tmp_path, "--precision", precision, "--target", "x86-64-v3", *DIMS, spelling="past")
    found = kiln.Decoder(package, rows=1, capacity=64).prefill([PROMPT])
    # A quantized activation may be the adjacent value where f32 rounds the other way.
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.02 * np.abs(expected).max())


@pytest.mark.parametrize("precision, device, target", [("int8", "sim:a100", "sm_80"), ("int4", "sim:h200", "sm_90a"),
                                                       ("nvfp4", "sim:a100", "sm_80"), ("mxfp4", "sim:h200", "sm_90a")])
def test_a_gpu_gives_the_same_logits(driver, precision, device, target, tmp_path):
    """Products of the same codes have the same bits (test_gpu_scaled.py); norms and attention add up in another order."""
    package = decoders.compile_tinylm(tmp_path, "--precision", precision, "--target", f"native,{target}", *DIMS, spelling="past")
    expected, lengths = decoders.run_steps(package, "cpu")
    found, found_lengths = decoders.run_elsewhere(package, device, tmp_path, driver)
    assert (found_lengths == lengths).all()
    # A quantized activation may be the adjacent value where f32 rounds the other way.
    np.testing.assert_allclose(found, expected, rtol=0, atol=0.02 * np.abs(expected).max())


def test_passes_over_k_end_with_blocks(tmp_path):
    """A config from outside may cut K, but not a block that has one scale."""
    options = ["--precision", "int4", "--target", "x86-64-v3", *DIMS]
    plain = decoders.compile_tinylm(tmp_path, *options, spelling="past")
    entries = json.loads(tool.call("explain", plain, "--json").stdout)
    keys = {entry["key"] for entry in entries if "gemm_config" in entry["candidates"][0]["config"]}

    def compile(steps, status):
        config = f"gemm mr = 2, nr = 16, mc = 96, panels = 4, kc = {steps}, ku = 4, group = 1, staged_epilogue = true"
        (tmp_path / "given.txt").write_text("".join(f"{key} x86-64-v3 {config}\n" for key in keys))
        return tool.call("compile", tmp_path / "past.onnx", "-o", tmp_path / "given.kiln", "-q", *options,
                         "--configs", tmp_path / "given.txt", status=status)

    tool.assert_error(compile(40, 2), "KILN-E0410", "kc", "a multiple of 32", "40", status=2)
    compile(64, 0)
    found, expected = (kiln.Decoder(package, rows=1, capacity=64).prefill([PROMPT]) for package in (tmp_path / "given.kiln", plain))
    assert found.tobytes() == expected.tobytes()


def policy(tmp_path, text):
    path = tmp_path / "policy.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def test_a_policy_names_nodes(tmp_path):
    rules = [{"nodes": "/model/layers.0/*", "precision": "int8"}, {"nodes": "/lm_head/*", "precision": "f32"}]
    given = policy(tmp_path, {"precision": "nvfp4", "rules": rules})
    package = decoders.compile_tinylm(tmp_path, "--precision", given, *DIMS, spelling="past")
    found = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)
    assert found["precision"] == "nvfp4" and found["precision_rules"] == rules
    became = collections.Counter(entry["became"] for entry in found["precision_report"] if entry["op"] == "matmul")
    # Four matmuls of the first layer and of five others; the head, and the matmul of RoPE angles.
    assert became == {"int8": 4, "nvfp4": 20, "f32": 2}
    text = tool.call("inspect", package, "--precision").stdout
    assert "a rule of the precision policy says so" in text and "/model/layers.0/*: int8" in text
    assert tool.call("verify", package, timeout=300).stdout.endswith("PASSED\n")


@pytest.mark.parametrize(
    "text, what",
    [
        ("{", "a policy is no JSON"),
        ("[]", "a policy is no object"),
        ({"rules": []}, "lacks \"precision\""),
        ({"precision": "int4", "rule": []}, "a key that means nothing"),
        ({"precision": "int4", "rules": {}}, "is no list"),
        ({"precision": "int4", "rules": ["/head"]}, "a rule is no object"),
        ({"precision": "int4", "rules": [{"nodes": "/head"}]}, "lacks \"precision\""),
        ({"precision": "int3"}, "no precision has this name"),
        ({"precision": "int4", "rules": [{"nodes": "/head", "precision": "bf16"}]}, "cannot stand side by side"),
        ({"precision": "int4", "rules": [{"nodes": "[", "precision": "f32"}]}, "no glob"),
        ({"precision": "int4", "rules": [{"nodes": "/tail", "precision": "f32"}]}, "a rule of the policy names no product"),
    ],
)
def test_policies_that_are_none(small_package, tmp_path, text, what):
    model, _ = small_package
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", policy(tmp_path, text), status=None)
    tool.assert_error(outcome, "KILN-E0001", what, status=2)


def test_a_policy_that_is_not_there(small_package, tmp_path):
    model, _ = small_package
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", tmp_path / "none.json", status=None)
    tool.assert_error(outcome, "KILN-E0002", "none.json", status=3)


@pytest.fixture(scope="module")
def calibration_text(tmp_path_factory):
    """Text of the kind that tinylm was trained on, and no part of what it is judged by."""
    held_out = HELD_OUT.read_bytes()
    headers = sorted((HELD_OUT.parents[2] / "include").rglob("*.h")) + sorted((HELD_OUT.parents[2] / "dialects").rglob("*.h"))
    text = b"".join(path.read_bytes() for path in headers)
    assert len(text) > 100_000 and held_out[:200] not in text
    path = tmp_path_factory.mktemp("calibration") / "text.txt"
    path.write_bytes(text)
    return path


@pytest.mark.parametrize("precision, limit", [("int4", 6e-3), ("nvfp4", 6e-3)])
def test_calibration_lowers_the_perplexity(packages, calibration_text, tmp_path, precision, limit):
    exact, nearest = perplexity(packages["f32"]), perplexity(packages[precision])
    options = ["--precision", precision, "--calib", calibration_text, "--calib-samples", "64", *DIMS]
    package = decoders.compile_tinylm(tmp_path, *options, spelling="past")
    found = perplexity(package)
    assert found / exact - 1 < min(limit, 0.7 * (nearest / exact - 1))
    entries = json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["precision_report"]
    assert sum("by gptq" in entry["why"] for entry in entries) == 25
    assert tool.call("verify", package, timeout=300).stdout.endswith("PASSED\n")
    (tmp_path / "again").mkdir()
    again = decoders.compile_tinylm(tmp_path / "again", *options, "--threads", "1", spelling="past")
    assert again.read_bytes() == package.read_bytes()


def test_ranges_by_squared_error_are_better_than_whole_ones(packages, tmp_path):
    package = decoders.compile_tinylm(tmp_path, "--precision", "int4", "--algorithm", "mse", *DIMS, spelling="past")
    assert perplexity(package) < perplexity(packages["int4"])


def correlated_product(folder):
    """A product whose inputs all but lie on a line, so that errors of weights can make up for each other."""
    random = np.random.default_rng(0)
    weight = onnx.numpy_helper.from_array(random.standard_normal((64, 24)).astype(np.float32), "w")
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["x", "w"], ["y"], name="product")], "g",
        [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["n", 64])],
        [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, ["n", 24])], [weight])
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), folder / "product.onnx")
    line = random.standard_normal(64)
    samples = [(random.standard_normal((96, 1)) * line + 0.1 * random.standard_normal((96, 64))).astype(np.float32) for _ in range(3)]
    return folder / "product.onnx", onnx.numpy_helper.to_array(weight), samples


def test_samples_of_a_folder(tmp_path):
    """Arrays of inputs, a folder per sample, for models that take no bytes."""
    model, weight, samples = correlated_product(tmp_path)
    for number, sample in enumerate(samples[:2]):
        (tmp_path / "samples" / str(number)).mkdir(parents=True)
        np.save(tmp_path / "samples" / str(number) / "x.npy", sample)
    errors = []
    for options in (["--dims", "n=1..128"], ["--dims", "n=1..128", "--calib", tmp_path / "samples"]):
        tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q", "--precision", "int4", *options)
        found = kiln.Session(tmp_path / "m.kiln").run({"x": samples[2]})["y"]
        errors.append(np.linalg.norm(found - samples[2] @ weight))
    assert errors[1] < 0.6 * errors[0]

    def failure(array, name="x"):
        folder = tmp_path / "other"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        np.save(folder / f"{name}.npy", array)
        return tool.call("compile", model, "-o", tmp_path / "n.kiln", "--precision", "int4", "--dims", "n=1..128", "--calib", folder,
                         status=None)

    for wrong in (failure(samples[0].astype(np.float64)), failure(samples[0][:, :5]), failure(samples[0], "other")):
        assert wrong.status != 0 and "KILN-E" in wrong.stderr and not (tmp_path / "n.kiln").exists()
    outcome = failure(np.full((4, 64), np.inf, np.float32))
    tool.assert_error(outcome, "KILN-E0126", "what is no number", "product", status=3)


def test_token_ids_calibrate_as_the_text_does(tmp_path):
    """Positions count from 0, and nothing is in the cache, whichever way a sample comes."""
    text = HELD_OUT.read_bytes()[:200]
    (tmp_path / "text.txt").write_bytes(text)
    (tmp_path / "ids").mkdir()
    np.save(tmp_path / "ids" / "input_ids.npy", np.frombuffer(text, np.uint8).astype(np.int64)[None])
    packages = [
        decoders.compile_tinylm(tmp_path, "--precision", "int4", "--calib", tmp_path / samples, *DIMS, spelling="past").read_bytes()
        for samples in ("text.txt", "ids")
    ]
    assert packages[0] == packages[1]


def test_calibration_without_samples(tmp_path):
    model, _, _ = correlated_product(tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "short.txt").write_bytes(b"a")
    (tmp_path / "text.txt").write_bytes(b"text of some words")

    def failure(*options):
        return tool.call("compile", model, "-o", tmp_path / "m.kiln", *options, status=None)

    tool.assert_error(failure("--precision", "int4", "--calib", empty), "KILN-E0126", "holds no sample", status=3)
    tool.assert_error(failure("--precision", "int4", "--calib", tmp_path / "short.txt"), "KILN-E0126", "too short", status=3)
    tool.assert_error(failure("--precision", "int4", "--calib", tmp_path / "text.txt"), "KILN-E0126", "byte-level models", status=3)
    tool.assert_error(failure("--precision", "int4", "--calib", tmp_path / "none"), "KILN-E0002", "none", status=3)
    tool.assert_error(failure("--precision", "int4", "--algorithm", "gptq"), "KILN-E0001", "--calib", status=2)
    tool.assert_error(failure("--precision", "int4", "--algorithm", "best"), "KILN-E0001", "rtn, mse, gptq, awq or smoothquant", status=2)
    tool.assert_error(failure("--precision", "bf16", "--algorithm", "mse"), "KILN-E0001", "nothing is quantized", status=2)
    tool.assert_error(failure("--precision", "int4", "--calib", empty, "--algorithm", "rtn"), "KILN-E0001", "takes no samples", status=2)


@pytest.mark.parametrize("precision", FORMATS)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_weight_that_is_no_number(tmp_path, precision, value):
    """A code would make some number of it without a word."""
    model, weight, _ = correlated_product(tmp_path)
    broken = weight.copy()
    broken[3, 5] = value
    proto = onnx.load(model)
    proto.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(broken, "w"))
    onnx.save(proto, model)
    outcome = tool.call("compile", model, "-o", tmp_path / "m.kiln", "--precision", precision, status=None)
    tool.assert_error(outcome, "KILN-E0125", "an element is no number", "product", status=3)
    assert not (tmp_path / "m.kiln").exists()
    tool.call("compile", model, "-o", tmp_path / "m.kiln", "-q")


@pytest.mark.parametrize("target", ["native", "x86-64-v3"])
def test_rows_that_blocks_do_not_divide(tmp_path, target):
    """Blocks of rows of unequal heights, and sums that take the place of the residual they add."""
    model = encoder.build(SMALL, weights.seeded(SMALL, 5), config.Outputs(sentence=True))
    save.save(*model, tmp_path / "bert.onnx")
    tool.call("compile", tmp_path / "bert.onnx", "-o", tmp_path / "m.kiln", "--precision", "int8", "--target", target, "--dims", "batch=1,sequence=1..32")
    for sequence in (4, 5, 7, 9, 11, 13, 31):
        assert tool.call("verify", tmp_path / "m.kiln", "--dims", f"sequence={sequence}").stdout.endswith("PASSED\n")
