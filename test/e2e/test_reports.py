"""What commands print for people: nothing with --quiet, no control characters, colours and progress on terminals only."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pty
import re
import subprocess

import numpy as np
import onnx
import pytest
import tool
from onnx import TensorProto, helper

EVIL = "x\x1b[31m\nname"


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    """A package whose input, output, dim and nodes have control characters in their names."""
    folder = tmp_path_factory.mktemp("evil")
    x, y = (helper.make_tensor_value_info(n + EVIL, TensorProto.FLOAT, ["d" + EVIL, 8]) for n in "iy")
    nodes = [helper.make_node("Softmax", [x.name], ["h" + EVIL], name="n" + EVIL), helper.make_node("Relu", ["h" + EVIL], [y.name])]
    model = helper.make_model(helper.make_graph(nodes, "g", [x], [y]), opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, folder / "m.onnx")
    tool.call("compile", folder / "m.onnx", "-o", folder / "m.kiln")
    return folder


def reports(folder):
    model, package = folder / "m.onnx", folder / "m.kiln"
    return {
        "compile": ["compile", model, "-o", folder / "n.kiln", "--precision", "bf16", "-v"],
        "check": ["check", model],
        "run": ["run", package, "--stats"],
        "inspect": ["inspect", package, "--kernels"],
        "explain": ["explain", package],
        "verify": ["verify", package],
        "bench": ["bench", package, "--iterations", "2", "--warm-up", "0", "--profile"],
    }


COMMANDS = ["compile", "check", "run", "inspect", "explain", "verify", "bench"]


@pytest.mark.parametrize("command", COMMANDS)
def test_names_are_printed_without_control_characters(evil, command):
    outcome = tool.call(*reports(evil)[command])
    text = outcome.stdout + outcome.stderr
    assert outcome.stdout and not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text), text
    # A line break in the name must not start a new line.
    assert not re.search(r"^name", text, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_quiet(small_package, tmp_path, command):
    model, package = small_package
    (tmp_path / "m.onnx").symlink_to(model)
    (tmp_path / "m.kiln").symlink_to(package)
    words = [w for w in reports(tmp_path)[command] if w not in ("-v", "--stats", "--kernels")]
    for option in ("-q", "--quiet"):
        outcome = tool.call(*words, option)
        assert outcome.stdout == outcome.stderr == ""


def test_quiet_prints_what_options_ask_for(small_package):
    package = small_package[1]
    assert json.loads(tool.call("inspect", package, "--json", "-q").stdout)
    assert "activations" in tool.call("inspect", package, "--memory", "-q").stdout
    assert json.loads(tool.call("run", package, "--stats=json", "-q").stdout)
    assert tool.call("run", package, "-q", "--input", "x=@none.npy", status=None).code == "KILN-E0002"


def test_a_failed_comparison_says_so_by_its_status(small_package, tmp_path):
    tool.call("run", small_package[1], "--output", f"y=@{tmp_path}/y.npy", "-q")
    np.save(tmp_path / "y.npy", np.load(tmp_path / "y.npy") + 1)
    outcome = tool.call("run", small_package[1], "--compare", tmp_path, "-q", status=1)
    assert outcome.stdout == outcome.stderr == ""


def test_inspect_has_one_line_of_memory_and_no_json(small_package):
    text = tool.call("inspect", small_package[1]).stdout
    assert len(re.findall(r"^  memory ", text, re.MULTILINE)) == 1
    assert "ceildiv" not in text and "{" not in text and '"' not in text
    assert re.search(r"^ +needs .*avx2", text, re.MULTILINE)
    assert "ceildiv" in tool.call("inspect", small_package[1], "--memory").stdout


def test_compile_says_what_the_code_needs(small_package, tmp_path):
    for targets, wanted, unwanted in (("x86-64-v4", "avx512f", "sm_"), ("x86-64-v4,x86-64-v3", "avx2", "avx512f")):
        command = ["compile", small_package[0], "-o", tmp_path / "m.kiln", "--target", targets]
        text = tool.call(*command).stdout
        (line,) = re.findall(r"^  needs .*$", text, re.MULTILINE)
        assert wanted in line and unwanted not in line
        assert len(re.findall(r"^  memory   at most ", text, re.MULTILINE)) == 1


def on_terminal(*arguments, **environment):
    """stderr of kiln where that is a terminal."""
    leader, follower = pty.openpty()
    names = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | environment
    subprocess.run([tool.binary(), *map(str, arguments)], stderr=follower, stdout=subprocess.DEVNULL, env=names)
    os.close(follower)
    text = b""
    try:
        while part := os.read(leader, 4096):
            text += part
    except OSError:
        pass
    os.close(leader)
    return text.decode()


def test_colours_where_a_terminal_is():
    assert on_terminal("bnech").startswith("\x1b[") and "error:" in on_terminal("bnech")
    assert on_terminal("bnech", NO_COLOR="1").startswith("error: KILN-E0001")
    assert on_terminal("bnech", TERM="dumb").startswith("error: KILN-E0001")
    assert tool.call("bnech", status=2).stderr.startswith("error: KILN-E0001")
