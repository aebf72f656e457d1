"""kiln check: every gap of a model, and the verdict of kiln compile."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re
import tarfile

import models
import onnx
import pytest
import tool
from onnx import TensorProto, helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAPHS = sorted((ROOT / "test" / "Import").glob("*.onnxtxt"))


@pytest.mark.parametrize("part", range(4))
def test_check_says_what_compile_does(tmp_path, part):
    """Of every graph that the importer is tested with."""
    for graph in GRAPHS[part::4]:
        compiled = tool.call("compile", graph, "-o", tmp_path / "m.kiln", "-q", status=None)
        checked = tool.call("check", graph, "--json", status=None)
        assert checked.status == compiled.status, f"{graph}\n{compiled.stderr}\n{checked.stdout}{checked.stderr}"
        if checked.status == 2:  # the --dims do not fit the model
            continue
        report = json.loads(checked.stdout)
        assert report["compiles"] == (compiled.status == 0) == (not report["gaps"])
        errors = [code for code, _ in tool.ERROR.findall(compiled.stderr)]
        gaps = [gap["code"] for gap in report["gaps"]]
        assert set(errors) <= set(gaps), f"{graph}: {errors} and {gaps}"
        assert all(gap["what"] and gap["fix"] for gap in report["gaps"]), gaps


def columns(path, count):
    """Sums along so many tensors of different sizes: a kernel for each."""
    sizes = range(3, 3 + count)
    inputs = [helper.make_tensor_value_info(f"x{n}", TensorProto.FLOAT, [n, 5]) for n in sizes]
    outputs = [helper.make_tensor_value_info(f"y{n}", TensorProto.FLOAT, [5]) for n in sizes]
    nodes = [helper.make_node("ReduceSum", [f"x{n}", "axis"], [f"y{n}"], keepdims=0) for n in sizes]
    axis = helper.make_tensor("axis", TensorProto.INT64, [1], [0])
    graph = helper.make_graph(nodes, "g", inputs, outputs, [axis])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    return path


@pytest.mark.parametrize("count", [200, 201])
def test_many_different_kernels_are_a_warning(tmp_path, count):
    model = columns(tmp_path / "m.onnx", count)
    outcome = tool.call("check", model)
    assert (f"warning: {count} different kernels" in outcome.stdout) == (count > 200)
    assert json.loads(tool.call("check", model, "--json").stdout)["kernels"] == count


def test_gap_of_a_later_phase(tmp_path):
    model = models.write(tmp_path / "m.onnx", models.MLP)
    outcome = tool.call("check", model, "--memory-limit", "1KiB", status=3)
    assert "KILN-E0302" in outcome.stdout and outcome.stderr == ""


def test_nothing_to_check(tmp_path):
    tool.assert_error(tool.call("check", tmp_path / "none.onnx", status=None), "KILN-E0002", "none.onnx")
    (tmp_path / "text.onnx").write_text("hello")
    assert "KILN-E0100" in tool.call("check", tmp_path / "text.onnx", status=3).stdout


def test_names_are_printed_without_control_characters(tmp_path):
    import onnx
    from onnx import TensorProto, helper

    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])
    node = helper.make_node("Unique", ["x"], ["y"], name="evil\x1b[31m\nname")
    model = helper.make_model(helper.make_graph([node], "g", [x], [y]), opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, tmp_path / "m.onnx")
    text = tool.call("check", tmp_path / "m.onnx", status=3).stdout
    assert "evil\\x1b[31m\\nname" in text and "\x1b" not in text


def test_what_the_readme_lists_compiles(tmp_path):
    """Each export that the README names passes the check, without the machine code that compile adds."""
    archives = [tool.data_file(name) for name in ("exporter-models.tar.xz", "new-architectures.tar.xz")]
    section = (ROOT / "README.md").read_text().split("## What compiles")[1].split("\n## ")[0]
    rows = re.findall(r"`([a-z0-9_-]+)` \(([a-z0-9_, ]+)\)", section)
    listed = {f"{family}-{exporter}" for family, exporters in rows for exporter in exporters.split(", ")}
    assert len(listed) >= 20
    # In the order of the archives, which can only be read sequentially.
    for archive in archives:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = pathlib.PurePath(member.name).stem
                if member.name.endswith(".onnx") and name in listed:
                    (tmp_path / f"{name}.onnx").write_bytes(tar.extractfile(member).read())
                    tool.call("check", tmp_path / f"{name}.onnx")
                    listed.remove(name)
    assert not listed, f"not in the archives: {listed}"
