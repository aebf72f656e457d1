"""Help, versions, usage errors, inspect, bench."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib
import re
import subprocess

import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]

COMMANDS = ["compile", "check", "run", "inspect", "explain", "verify", "bench"]


def test_version():
    assert re.match(r"kiln \d+\.\d+\.\d+ \(MLIR 22\.", tool.call("version").stdout)
    assert tool.call("--version").stdout == tool.call("version").stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command):
    text = tool.call(command, "--help").stdout
    assert text == tool.call("help", command).stdout
    assert f"Usage: kiln {command} M." in text and "--help" in text


def test_help_lists_commands():
    text = tool.call("help").stdout
    assert all(f"  {command} " in text for command in COMMANDS)


def test_help_on_errors():
    page = tool.call("help", "KILN-E0604").stdout
    assert page == (ROOT / "docs" / "errors" / "KILN-E0604.md").read_text()
    assert page == tool.call("help", "e604").stdout == tool.call("help", "604").stdout
    tool.assert_error(tool.call("help", "KILN-E0999", status=None), "KILN-E0001", "KILN-E0999", status=2)
    for path in (ROOT / "docs" / "errors").glob("KILN-E*.md"):
        assert tool.call("help", path.stem).stdout == path.read_text()


def test_ops():
    listed = json.loads(tool.call("ops", "--json").stdout)
    ops = {(op["domain"], op["op"]): op for op in listed["ops"]}
    assert 13 in ops["ai.onnx", "Softmax"]["versions"] and "f32" in ops["ai.onnx", "Softmax"]["types"]
    assert ("com.microsoft", "Attention") in ops and "Celu" in listed["functions"]
    assert tool.call("ops").stdout.count("\n") > len(ops)
    assert "MatMul" in tool.call("ops", "--op", "MatMul").stdout
    assert tool.call("ops", "--op", "NonMaxSuppression", status=1).stdout == ""


def complete(*words):
    script = 'eval "$("$KILN" completion bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kiln; echo "${COMPREPLY[@]}"'
    command = ["bash", "-c", script, "bash", "kiln", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"KILN": str(tool.binary())})
    return set(done.stdout.split()), done.stderr


def test_completion():
    assert complete("co") == ({"compile", "completion"}, "")
    assert complete("run", "--in") == ({"--input"}, "")
    assert complete("help", "ver") == ({"verify", "version"}, "")
    for command in COMMANDS:
        offered, _ = complete(command, "-")
        assert offered == set(re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*(?=[ ,=\[])", options_of(command))) | {"--help"}
    zsh = tool.call("completion", "zsh").stdout
    assert zsh.startswith("#compdef kiln\n") and "--memory-limit=" in zsh
    tool.assert_error(tool.call("completion", "fish", status=None), "KILN-E0001", "bash or zsh", status=2)


def options_of(command):
    """The left column of the help."""
    text = tool.call(command, "--help").stdout.split("\n\n")[2]
    return "".join(line[:36] + " \n" if line[36:37] == " " else line + " \n" for line in text.splitlines())


USAGE = {
    "no command": ([], "none"),
    "unknown command": (["bnech"], "kiln bench?"),
    "no package": (["run"], "M.kiln"),
    "two packages": (["run", "a.kiln", "b.kiln"], "b.kiln"),
    "unknown option": (["run", "a.kiln", "--thread", "2"], "--threads?"),
    "value missing": (["run", "a.kiln", "--threads"], "end of the line"),
    "value out of range": (["run", "a.kiln", "--threads", "0"], "'0'"),
    "value to a flag": (["inspect", "a.kiln", "--json=1"], "'=1'"),
    "option twice": (["run", "a.kiln", "--seed", "1", "--seed=2"], "again"),
    "input without file": (["run", "a.kiln", "--input", "x"], "NAME=@file.npy"),
    "no output": (["compile", "m.onnx"], "-o M.kiln"),
    "package to stdout": (["compile", "m.onnx", "-o", "-"], "'-'"),
    "version": (["version", "--verbose"], "unknown option"),
    "size": (["compile", "m.onnx", "-o", "m.kiln", "--memory-limit", "24Q"], "24GiB"),
    "time": (["compile", "m.onnx", "-o", "m.kiln", "--time-limit", "3 days"], "90s"),
    "target twice": (["compile", "m.onnx", "-o", "m.kiln", "--target", "native,x86-64-v3,native"], "'native' again"),
    "verify mode": (["compile", "m.onnx", "-o", "m.kiln", "--verify=some"], "each"),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage(name):
    arguments, word = USAGE[name]
    tool.assert_error(tool.call(*arguments, status=None), "KILN-E0001", word, status=2)


def test_every_line_of_help_is_in_its_column():
    for command in ("compile", "run", "verify", "bench", "inspect", "explain", "version"):
        usage, options = tool.call(command, "--help").stdout.split("\n\n")[1:3]
        assert usage.startswith(f"Usage: kiln {command}")
        for line in options.splitlines():
            assert re.match(r"  \S| {37}\S", line), line


def test_inspect(small_package):
    description = json.loads(tool.call("inspect", small_package[1], "--json").stdout)
    assert [i["name"] for i in description["inputs"]] == ["x"]
    assert [d["expr"] for d in description["outputs"][0]["dims"]] == ["batch", "seq", "8"]
    assert {s["name"]: (s["min"], s["max"]) for s in description["symbols"]} == {"batch": (1, 4), "seq": (1, 16)}
    assert description["file_bytes"] == small_package[1].stat().st_size
    nodes = {node for step in description["steps"] for node in step["nodes"]}
    assert any("hidden" in node for node in nodes) and any("norm" in node for node in nodes)
    assert all(step["bytes"] > 0 for step in description["steps"])
    text = tool.call("inspect", small_package[1], "--kernels").stdout
    assert "activations" in text and "norm" in text
    assert "activations" in tool.call("inspect", small_package[1], "--memory").stdout
    assert "graph.kernel" in tool.call("inspect", small_package[1], "--graph").stdout


def test_bench(small_package):
    quick = ["--warm-up", "0.01", "--duration", "0.05"]
    text = tool.call("bench", small_package[1], "--profile", *quick).stdout
    assert "Performance summary" in text and "median" in text and "p99" in text and "GFLOP/s" in text
    result = json.loads(
        tool.call("bench", small_package[1], "--json", "--profile", "--dims", "batch=2,seq=5", "--iterations", 20).stdout
    )
    assert result["runs"] == 20 and result["dims"] == {"batch": 2, "seq": 5}
    seconds = result["seconds"]
    assert 0 < seconds["min"] <= seconds["median"] <= seconds["p90"] <= seconds["p99"] <= seconds["max"]
    assert abs(sum(step["share"] for step in result["steps"]) - 1) < 1e-6


def test_verify(small_package):
    model, package = small_package
    text = tool.call("verify", package, "--model", model, "--dims", "batch=3,seq=5").stdout
    assert text.splitlines()[-1] == "PASSED"
    # Floating-point results are never exact.
    text = tool.call("verify", package, "--tolerance", "0", status=1).stdout
    assert text.splitlines()[-1] == "FAILED"


def test_verify_with_a_fixed_dim(small_package, tmp_path):
    """The model is read again with the dims of the package, those that are no symbols any more among them."""
    model, package = small_package[0], tmp_path / "m.kiln"
    tool.call("compile", model, "-o", package, "--dims", "batch=2..2,seq=1..16")
    assert tool.call("verify", package, "--model", model).stdout.splitlines()[-1] == "PASSED"
    dims = json.loads(tool.call("inspect", package, "--json").stdout)["provenance"]["dims"]
    assert {d["name"]: (d["lo"], d["hi"]) for d in dims} == {"batch": (2, 2), "seq": (1, 16)}


def test_spaces_in_dims(small_package, tmp_path):
    tool.call("compile", small_package[0], "-o", tmp_path / "m.kiln", "--dims", " batch = 1..8, seq=4 ")
    inspected = json.loads(tool.call("inspect", tmp_path / "m.kiln", "--json").stdout)
    assert inspected["symbols"][0]["max"] == 8 and len(inspected["symbols"]) == 1


def test_report_of_a_compile(small_package, tmp_path):
    text = tool.call("compile", small_package[0], "-o", tmp_path / "m.kiln").stdout
    assert "batch=1..64,seq=1..512" in text.replace(" ", "")
    assert "activations" in text and "kernels" in text and "time" in text
    assert tool.call("compile", small_package[0], "-o", tmp_path / "m.kiln", "-q").stdout == ""


SLOWEST = re.compile(r"^ +(\d+\.\d\d) s (\w+) for (\S+) \(node '(\S+)' \(Softmax, .*\)(?: and \d+ more)?\)$", re.MULTILINE)


def test_verbose_lists_the_slowest_kernels(tmp_path):
    """Ten of them, the slowest first, with the node that each computes; without -v none."""
    import models

    rows = "\n".join(f"[node{i}] s{i} = Softmax <axis = -1> (x{i})" for i in range(12))
    inputs, outputs = (", ".join(f"float[{i + 2},9] {name}{i}" for i in range(12)) for name in "xs")
    model, package = tmp_path / "m.onnx", tmp_path / "m.kiln"
    models.write(model, f"many ({inputs}) => ({outputs}) {{ {rows} }}")
    text = tool.call("compile", model, "-o", package, "--target", "x86-64-v3,sm_80", "-v").stdout
    head = re.search(r"slowest +kernels to compile, of (\S+) CPU seconds for all (\d+):", text)
    lines = SLOWEST.findall(text[head.end():])
    assert len(lines) == 10 and int(head[2]) == 24
    seconds = [float(line[0]) for line in lines]
    assert seconds == sorted(seconds, reverse=True) and 0 < sum(seconds) <= float(head[1]) + 0.1
    assert {line[2] for line in lines} <= {"x86-64-v3", "sm_80"} and all(line[3].startswith("node") for line in lines)
    plan = json.loads(tool.call("inspect", package, "--json").stdout)
    assert {line[1] for line in lines} <= {step["kernel"] for step in plan["steps"]}
    assert "slowest  kernels" not in tool.call("compile", model, "-o", package).stdout


def test_phases_and_dumps(small_package, tmp_path):
    text = tool.call("compile", small_package[0], "--compile-to=import").stdout
    assert "graph.matmul" in text
    tool.call("compile", small_package[0], "-o", tmp_path / "m.kiln", "--save-temps", tmp_path / "dumps", "--verify=each")
    assert any("kernels" in path.name for path in (tmp_path / "dumps").iterdir())


def test_explain(tmp_path):
    """What a kernel has stands first, and nothing that lost costs less."""
    import models

    model = models.write(tmp_path / "m.onnx", models.MLP)
    package = tmp_path / "m.kiln"
    tool.call("compile", model, "-o", package, "--target", "x86-64-v3,sm_80,sm_90a", "--precision", "bf16",
              "--dims", "batch=1..4,seq=1..64")
    steps = json.loads(tool.call("inspect", package, "--json").stdout)["steps"]
    entries = json.loads(tool.call("explain", package, "--json").stdout)
    assert {e["target"] for e in entries} == {"x86-64-v3", "sm_80", "sm_90a"}
    assert {e["kernel"] for e in entries} == {s["kernel"] for s in steps}
    for entry in entries:
        assert entry["criterion"] and entry["candidates"]
        costs = [c["cost"] for c in entry["candidates"] if "cost" in c]
        assert costs == sorted(costs)
    told = json.loads(tool.call("inspect", package, "--json").stdout)
    config = {(one["kernel"], target): text for one in told["configs"] for target, text in one["targets"].items()}
    assert all(config[s["kernel"], "x86-64-v3"] == s["config"] for s in steps)  # the first target
    for entry in entries:
        [chosen] = [c["config"] for c in entry["candidates"] if c["chosen"]]
        assert chosen == entry["candidates"][0]["config"]
        if entry["code"] == entry["kernel"]:
            assert chosen == config[entry["kernel"], entry["target"]]
    assert any("cost" in e["candidates"][0] for e in entries if e["target"] == "sm_80" and e["hero"] == "matmul")
    text = tool.call("explain", package, "--target", "sm_80").stdout
    assert "chosen" in text and "predicted ns on the multiprocessor" in text and "x86-64-v3" not in text


def test_inspect_names_no_file(small_package):
    """A package does not say what its model was called: its bytes depend on what is in the model alone."""
    assert re.search(r"^  model +\d+ ONNX nodes$", tool.call("inspect", small_package[1]).stdout, flags=re.MULTILINE)


def test_explain_knows_its_names(small_package):
    package = small_package[1]
    outcome = tool.call("explain", package, "--kernel", "conv_7", status=2)
    tool.assert_error(outcome, "KILN-E0001", "--kernel", "'conv_7'", status=2)
    outcome = tool.call("explain", package, "--target", "sm_75", status=2)
    tool.assert_error(outcome, "KILN-E0001", "--target", "'sm_75'", status=2)
