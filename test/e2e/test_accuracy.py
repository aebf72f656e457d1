"""--accuracy: products that cost most stay in f32 until a budget holds, and what is said where it cannot hold."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import signal
import subprocess

import decoders
import kiln
import numpy as np
import onnx
import pytest
import tool
from decoders import HELD_OUT, perplexity

DIMS = ["--dims", "rows=1,capacity=1..512,sequence=1..256"]
WIDTH, LAYERS = 64, 5


@pytest.fixture(scope="module")
def chain(tmp_path_factory):
    """Products with a residual each; the weights of the third have outliers, which take the bits of their blocks."""
    random = np.random.default_rng(1)
    nodes, weights, value = [], [], "x"
    for layer in range(LAYERS):
        weight = random.standard_normal((WIDTH, WIDTH)).astype(np.float32) / 8
        if layer == 2:
            weight[::16] *= 24
        weights.append(onnx.numpy_helper.from_array(weight, f"w{layer}"))
        # A node name that would be a glob pattern matching others.
        nodes.append(onnx.helper.make_node("MatMul", [value, f"w{layer}"], [f"h{layer}"], name=f"layer[{layer}]/*"))
        nodes.append(onnx.helper.make_node("Tanh", [f"h{layer}"], [f"t{layer}"]))
        result = "logits" if layer == LAYERS - 1 else f"y{layer}"
        nodes.append(onnx.helper.make_node("Add", [f"t{layer}", value], [result]))
        value = result
    shape = ["n", WIDTH]
    graph = onnx.helper.make_graph(nodes, "g", [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, shape)],
                                   [onnx.helper.make_tensor_value_info(value, onnx.TensorProto.FLOAT, shape)], weights)
    folder = tmp_path_factory.mktemp("chain")
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)]), folder / "chain.onnx")
    for number in range(3):
        (folder / "samples" / str(number)).mkdir(parents=True)
        np.save(folder / "samples" / str(number) / "x.npy", random.standard_normal((40, WIDTH)).astype(np.float32))
    return folder


def compile_chain(folder, output, *options, status=0):
    return tool.call("compile", folder / "chain.onnx", "-o", output, "--dims", "n=1..64", *options, status=status)


def record_of(package):
    return json.loads(tool.call("inspect", package, "--precision", "--json").stdout)["accuracy"]


def outputs(package, folder):
    session = kiln.Session(package)
    return [session.run({"x": np.load(path / "x.npy")})["logits"].astype(np.float64) for path in sorted((folder / "samples").iterdir())]


def cosine(expected, found):
    rows = [(a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1) for a, b in zip(expected, found)]
    return np.concatenate(rows).mean()


def divergence(expected, found):
    def log_softmax(x):
        x = x - x.max(1, keepdims=True)
        return x - np.log(np.exp(x).sum(1, keepdims=True))

    rows = [(np.exp(log_softmax(a)) * (log_softmax(a) - log_softmax(b))).sum(1) for a, b in zip(expected, found)]
    return np.concatenate(rows).mean()


def max_error(expected, found):
    return max((abs(a - b) / np.maximum(abs(a), np.sqrt((a * a).mean()))).max() for a, b in zip(expected, found))


METRICS = {"cosine": cosine, "kl": divergence, "max": max_error}


@pytest.mark.parametrize("metric", METRICS)
def test_outputs_come_near_enough(chain, tmp_path, metric):
    """Numbers are those that numpy computes; the product with outliers is the one that is kept."""
    compile_chain(chain, tmp_path / "f32.kiln")
    comparison, loose = (">=", "0") if metric == "cosine" else ("<=", "1000")
    loose = compile_chain(chain, tmp_path / "m.kiln", "--precision", "int4", "--accuracy",
                          f"{metric}{comparison}{loose}:{chain / 'samples'}").stdout
    assert "products in f32" not in loose
    found = record_of(tmp_path / "m.kiln")
    assert found["blames"] == [] and found["metric"] == metric and found["samples"] == "3 samples"
    expected = outputs(tmp_path / "f32.kiln", chain)
    assert found["quantized"] == found["measured"] == pytest.approx(METRICS[metric](expected, outputs(tmp_path / "m.kiln", chain)), rel=1e-4)

    without = found["measured"]
    budget = 1 - (1 - without) / 2 if metric == "cosine" else without / 2
    text = compile_chain(chain, tmp_path / "m.kiln", "--precision", "int4", "--accuracy",
                         f"{metric}{comparison}{budget!r}:{chain / 'samples'}").stdout
    found = record_of(tmp_path / "m.kiln")
    assert found["measured"] >= budget if metric == "cosine" else found["measured"] <= budget
    assert found["quantized"] == without
    assert found["measured"] == pytest.approx(METRICS[metric](expected, outputs(tmp_path / "m.kiln", chain)), rel=1e-4)
    assert found["blames"][0]["nodes"] == ["layer[2]/*"] and found["blames"][0]["kept"]
    kept = [entry for entry in found["blames"] if entry["kept"]]
    assert len(kept) < LAYERS and f"{len(kept)} of {LAYERS} products in f32" in text
    table = tool.call("inspect", tmp_path / "m.kiln", "--precision").stdout
    assert "blame" in table and table.count("quantized") >= LAYERS - len(kept)
    explained = tool.call("explain", tmp_path / "m.kiln", "--accuracy").stdout
    assert explained and table.endswith(explained) and "layer[2]" in explained
    assert json.loads(tool.call("explain", tmp_path / "m.kiln", "--accuracy", "--json").stdout) == found


def test_the_policy_that_was_found(chain, tmp_path):
    """The same package without a search, and the same bytes of a search on any number of threads."""
    options = ["--precision", "int4", "--accuracy", f"kl<=0.02:{chain / 'samples'}", "--policy-out", tmp_path / "policy.json"]
    compile_chain(chain, tmp_path / "m.kiln", *options)
    compile_chain(chain, tmp_path / "one.kiln", *options, "--threads", "1")
    assert (tmp_path / "m.kiln").read_bytes() == (tmp_path / "one.kiln").read_bytes()
    policy = json.loads((tmp_path / "policy.json").read_text())
    kept = [entry["nodes"][0] for entry in record_of(tmp_path / "m.kiln")["blames"] if entry["kept"]]
    assert policy["precision"] == "int4" and len(policy["rules"]) == len(kept) > 0
    compile_chain(chain, tmp_path / "again.kiln", "--precision", tmp_path / "policy.json")
    tool.assert_error(tool.call("explain", tmp_path / "again.kiln", "--accuracy", status=None), "KILN-E0001", "without a budget", status=2)
    outcome = tool.call("explain", tmp_path / "m.kiln", "--accuracy", "--kernel", "k", status=None)
    tool.assert_error(outcome, "KILN-E0001", "not of a kernel or target", status=2)
    report = [json.loads(tool.call("inspect", tmp_path / name, "--precision", "--json").stdout) for name in ("m.kiln", "again.kiln")]
    assert report[0]["precision_report"] == report[1]["precision_report"] and "accuracy" not in report[1]
    for one, other in zip(outputs(tmp_path / "m.kiln", chain), outputs(tmp_path / "again.kiln", chain)):
        assert one.tobytes() == other.tobytes()
    # A policy's own rules are kept.
    rules = [{"nodes": "*4*", "precision": "int8"}]
    (tmp_path / "own.json").write_text(json.dumps({"precision": "int4", "rules": rules}))
    compile_chain(chain, tmp_path / "own.kiln", "--precision", tmp_path / "own.json", *options[2:])
    assert json.loads((tmp_path / "policy.json").read_text())["rules"][-1:] == rules


def test_a_budget_that_cannot_hold(chain, tmp_path):
    options = ["--precision", "int4", "--accuracy", f"kl<=0:{chain / 'samples'}", "--policy-out", tmp_path / "policy.json"]
    outcome = compile_chain(chain, tmp_path / "m.kiln", *options, status=None)
    tool.assert_error(outcome, "KILN-E0127", "--accuracy kl<=0", "with all 5 products quantized", "with 4 of them in f32", status=3)
    assert not (tmp_path / "m.kiln").exists() and not (tmp_path / "policy.json").exists()


def test_samples_that_no_budget_names(chain, tmp_path):
    compile_chain(chain, tmp_path / "m.kiln", "--precision", "int4", "--calib", chain / "samples", "--accuracy", "cosine>=0.5")
    assert record_of(tmp_path / "m.kiln")["samples"] == "3 samples"
    compile_chain(chain, tmp_path / "m.kiln", "--precision", "int8", "--accuracy", "cosine>=0.99")
    assert record_of(tmp_path / "m.kiln")["samples"] == "random inputs"


@pytest.mark.parametrize(
    "options, code, words",
    [
        (["--precision", "int4", "--accuracy", "bleu>=1"], "KILN-E0001", "ppl, cosine, kl or max"),
        (["--precision", "int4", "--accuracy", "cosine<=1"], "KILN-E0001", "cosine>=0.999"),
        (["--precision", "int4", "--accuracy", "ppl<=1:text"], "KILN-E0001", "ppl<=1%"),
        (["--precision", "int4", "--accuracy", "kl<=-1"], "KILN-E0001", "0 to 1e6"),
        (["--precision", "int4", "--accuracy", "kl<=1:"], "KILN-E0001", "the samples have no name"),
        (["--precision", "int4", "--accuracy", "ppl<=1%"], "KILN-E0001", "ppl<=1%:FILE.txt"),
        (["--precision", "int4", "--accuracy", "kl<=1:none.txt"], "KILN-E0002", "check the path of --accuracy"),
        (["--precision", "int4", "--accuracy", "ppl<=1%:none.txt"], "KILN-E0002", "check the path of --accuracy"),
        (["--precision", "int4", "--accuracy", "ppl<=1%:text.txt"], "KILN-E0126", "a decoder with state"),
        (["--precision", "int4", "--accuracy", "kl<=1:text.txt"], "KILN-E0126", "byte-level models"),
        (["--precision", "int4", "--accuracy", "kl<=1:nan"], "KILN-E0126", "the array holds NaN"),
        (["--precision", "int4", "--accuracy", "kl<=1:inf"], "KILN-E0126", "an output is no number"),
        (["--precision", "int4", "--accuracy", "kl<=1:empty"], "KILN-E0126", "holds no sample"),
        (["--accuracy", "kl<=1"], "KILN-E0001", "nothing is quantized"),
        (["--precision", "bf16", "--accuracy", "kl<=1"], "KILN-E0001", "nothing is quantized"),
        (["--precision", "int4", "--accuracy", "kl<=1", "--target", "sm_80"], "KILN-E0001", "add native to --target"),
        (["--precision", "int4", "--policy-out", "p.json"], "KILN-E0001", "add --accuracy"),
        (["--precision", "int4", "--accuracy", "kl<=1", "--policy-out", "none/p.json"], "KILN-E0003", "none"),
    ],
)
def test_bad_budgets(chain, tmp_path, monkeypatch, options, code, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_bytes(b"a text of some words")
    (tmp_path / "empty").mkdir()
    for name in ("nan", "inf"):
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "x.npy", np.full((2, WIDTH), float(name), np.float32))
    outcome = compile_chain(chain, tmp_path / "m.kiln", *options, status=None)
    tool.assert_error(outcome, code, words, status={"KILN-E0001": 2, "KILN-E0003": 4}.get(code, 3))
    assert not (tmp_path / "m.kiln").exists()


def test_it_is_not_clear_which_outputs_are_logits(small_package, tmp_path):
    model = onnx.load(small_package[0])
    first = model.graph.node[0].output[0]
    model.graph.output.append(onnx.helper.make_empty_tensor_value_info(first))
    onnx.save(model, tmp_path / "two.onnx")
    outcome = tool.call("compile", tmp_path / "two.onnx", "-o", tmp_path / "m.kiln", "--precision", "int8", "--accuracy", "kl<=1", status=None)
    tool.assert_error(outcome, "KILN-E0126", "which output", first, status=3)


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    """The model, and half of the held-out text."""
    folder = tmp_path_factory.mktemp("tinylm")
    decoders.compile_tinylm(folder, *DIMS, spelling="past")
    (folder / "text.txt").write_bytes(HELD_OUT.read_bytes()[:16384])
    return folder


def test_perplexity_is_repaired(tinylm, tmp_path):
    """mxfp4 to nearest costs 1.5 %: 1 % holds with fewer products in f32 than the first and the last layer and the head
    have, and blames say what repair gains."""
    text = tinylm / "text.txt"
    tool.call("compile", tinylm / "past.onnx", "-o", tmp_path / "m.kiln", "--precision", "mxfp4", "--accuracy", f"ppl<=1%:{text}", *DIMS,
              "--time-limit", "0", timeout=1800)
    found = record_of(tmp_path / "m.kiln")
    exact = perplexity(tinylm / "past.kiln", text)
    assert found["measured"] == pytest.approx(perplexity(tmp_path / "m.kiln", text) / exact - 1, abs=1e-6)
    assert found["measured"] <= 0.01 < 0.012 < found["quantized"]
    kept = [entry for entry in found["blames"] if entry["kept"]]
    assert len(found["blames"]) == 25 and 0 < len(kept) < 9
    predicted, measured = (found["quantized"] - found[key] for key in ("predicted", "measured"))
    assert predicted == pytest.approx(sum(entry["blame"] for entry in kept))
    assert abs(predicted - measured) < 0.25 * measured, (predicted, measured)
    assert found["blames"] == sorted(found["blames"], key=lambda entry: -entry["blame"] / entry["bytes"])


def test_calibration_comes_before_repair(tinylm, tmp_path):
    """What rounding to nearest misses, calibration on other text meets with every product in int4."""
    (tmp_path / "other.txt").write_bytes(HELD_OUT.read_bytes()[16384:])
    tool.call("compile", tinylm / "past.onnx", "-o", tmp_path / "m.kiln", "--precision", "int4", "--calib", tmp_path / "other.txt",
              "--accuracy", f"ppl<=0.6%:{tinylm / 'text.txt'}", *DIMS)
    found = record_of(tmp_path / "m.kiln")
    assert found["blames"] == [] and 0 < found["measured"] == found["quantized"] <= 0.006


def test_decoders_take_samples_of_tokens(tinylm, tmp_path):
    """A text in windows and its bytes as token ids are the same samples."""
    text = HELD_OUT.read_bytes()[:256]
    (tmp_path / "text.txt").write_bytes(text)
    (tmp_path / "ids").mkdir()
    np.save(tmp_path / "ids" / "input_ids.npy", np.frombuffer(text, np.uint8).astype(np.int64)[None])
    found = []
    for samples in ("text.txt", "ids"):
        tool.call("compile", tinylm / "past.onnx", "-o", tmp_path / "m.kiln", "--precision", "int4", "--accuracy",
                  f"kl<=1:{tmp_path / samples}", *DIMS)
        found.append(record_of(tmp_path / "m.kiln"))
    assert found[0]["measured"] == found[1]["measured"] and 1e-5 < found[0]["measured"] < 0.1

    def failure(array, name="input_ids"):
        folder = tmp_path / f"{name}{array.size}"
        folder.mkdir()
        np.save(folder / f"{name}.npy", array)
        return tool.call("compile", tinylm / "past.onnx", "-o", tmp_path / "n.kiln", "--precision", "int4", "--accuracy", f"kl<=1:{folder}",
                         *DIMS, status=None)

    tool.assert_error(failure(np.full((1, 3), 300)), "KILN-E0126", "none of the model's", status=3)
    tool.assert_error(failure(np.zeros((1, 4))), "KILN-E0126", "no sequence of token ids", status=3)
    tool.assert_error(failure(np.zeros((1, 600), np.int64)), "KILN-E0126", "longer than the model's state", status=3)
    tool.assert_error(failure(np.zeros((1, 5), np.int64), "other"), "KILN-E0126", "input_ids.npy", status=3)


def test_an_interrupted_search_says_what_it_has(tinylm, tmp_path):
    command = [tool.binary(), "compile", tinylm / "past.onnx", "-o", tmp_path / "m.kiln", "-v", "--precision", "int4", "--accuracy",
               f"ppl<=0.1%:{tinylm / 'text.txt'}", *DIMS]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if "measurement 3 of" in line:
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
    assert process.returncode == 3 and "KILN-E0127" in rest and "was interrupted" in rest
    assert "with all 25 products quantized" in rest and "with 1 of them in f32" in rest
    assert not (tmp_path / "m.kiln").exists()
