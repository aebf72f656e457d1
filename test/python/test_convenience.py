"""kiln for Python at the prompt: conversions without loss, with, repr, help, check, python -m kiln."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import subprocess
import sys
import threading

import kiln
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = {"f": TensorProto.FLOAT, "d": TensorProto.DOUBLE, "l": TensorProto.INT64, "i": TensorProto.INT32, "b": TensorProto.INT8}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Inputs of several types that are returned as they came, each plus zero."""
    folder = tmp_path_factory.mktemp("mixed")
    inputs = [helper.make_tensor_value_info(name, kind, ["n"]) for name, kind in TYPES.items()]
    outputs = [helper.make_tensor_value_info(name + "_out", kind, ["n"]) for name, kind in TYPES.items()]
    nodes = [helper.make_node("Add", [name, name], [name + "_out"]) for name in TYPES]
    model = helper.make_model(helper.make_graph(nodes, "g", inputs, outputs), opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, folder / "m.onnx")
    kiln.compile(folder / "m.onnx", folder / "m.kiln")
    return kiln.Session(folder / "m.kiln")


def run(session, **given):
    count = len(next(iter(given.values())))
    dtypes = {tensor.name: tensor.dtype for tensor in session.inputs}
    inputs = {name: np.zeros(count, dtype) for name, dtype in dtypes.items()} | given
    return {name: session.run(inputs)[name + "_out"] for name in given}


@pytest.mark.parametrize("dtype,name", [("int32", "l"), ("uint8", "l"), ("uint32", "l"), ("bool", "l"), ("int8", "i"), ("float16", "f"), ("float32", "d"), ("float16", "d"), ("bool", "f")])
def test_wider_types_are_taken(mixed, dtype, name):
    values = np.array([0, 1, 1, 0], dtype)
    result = run(mixed, **{name: values})[name]
    assert result.dtype.name == {t.name: t.dtype for t in mixed.inputs}[name]
    assert np.array_equal(result, values.astype(result.dtype) * 2)


@pytest.mark.parametrize("dtype,name", [("int64", "i"), ("uint64", "l"), ("uint32", "i"), ("float64", "f"), ("float32", "l"), ("int64", "d"), ("int32", "f"), ("int64", "b")])
def test_narrower_types_are_refused(mixed, dtype, name):
    with pytest.raises(kiln.Error) as caught:
        run(mixed, **{name: np.zeros(4, dtype)})
    assert caught.value.code == "KILN-E0602" and f'"{name}"' in caught.value.where


def test_lists(mixed):
    assert run(mixed, l=[1, -2, 2**62])["l"].tolist() == [2, -4, -(2**63)]
    assert run(mixed, f=[0.5, 1, 2])["f"].tolist() == [1, 2, 4]
    assert run(mixed, f=(0.1, float("inf")))["f"].tolist() == [float(np.float32(0.1)) * 2, float("inf")]
    assert run(mixed, b=[1, -64])["b"].tolist() == [2, -128]
    assert run(mixed, i=[True, False])["i"].tolist() == [2, 0]
    bad = {"b": [128], "i": [2**31], "l": [2**63], "f": [2**24 + 1], "d": ["1"]}
    for name, values in bad.items():
        with pytest.raises(kiln.Error) as caught:
            run(mixed, **{name: values})
        assert caught.value.code == "KILN-E0602", name
    with pytest.raises(kiln.Error) as caught:
        run(mixed, l=[0.5])
    assert caught.value.code == "KILN-E0602"


def test_with(package):
    with kiln.Session(package, threads=1) as session:
        twin = session.clone()
        expected = session.run({"x": np.ones((1, 2, 8), np.float32)})["y"]
    for use in (lambda: session.run({"x": expected}), lambda: session.threads, lambda: session.memory, session.synchronize):
        with pytest.raises(kiln.Error) as caught:
            use()
        assert caught.value.code == "KILN-E0001" and "closed" in str(caught.value)
    session.close()
    assert "closed" in repr(session) and session.inputs[0].name == "x"
    assert np.array_equal(twin.run({"x": np.ones((1, 2, 8), np.float32)})["y"], expected)


def test_close_during_a_run(package):
    """The run goes on with the session's memory; what comes after it is an error."""
    x = np.zeros((4, 16, 8), np.float32)
    for _ in range(20):
        session, outcomes = kiln.Session(package, threads=1), []

        def runs(session=session, outcomes=outcomes):
            try:
                while True:
                    session.run({"x": x})
            except kiln.Error as error:
                outcomes.append(error.code)

        thread = threading.Thread(target=runs, daemon=True)
        thread.start()
        session.close()
        thread.join(60)
        assert outcomes == ["KILN-E0001"]


def test_repr(package):
    session = kiln.Session(package, threads=1)
    text = repr(session)
    assert str(package) in text and "x float32[batch, seq, 8] -> y float32[batch, seq, 8]" in text and "1 threads" in text
    assert repr(session.inputs[0]) == "<kiln.Tensor x: float32[batch, seq, 8]>"
    assert [repr(dim) for dim in session.inputs[0].dims] == ["<kiln.Dim batch in 1..4>", "<kiln.Dim seq in 1..16>", "<kiln.Dim 8>"]
    assert all(repr(arena).startswith(f"<kiln.Arena {arena.kind}: at most {arena.max_bytes} bytes") for arena in session.memory)


def test_everything_has_a_docstring():
    for name in kiln.__all__:
        thing = getattr(kiln, name)
        assert thing.__doc__, name
        for member in vars(thing) if isinstance(thing, type) and thing is not kiln.Error else ():
            if not member.startswith("_"):
                assert getattr(thing, member).__doc__, f"{name}.{member}"


def test_check(tmp_path):
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[n] x) => (float[m] y) { y = NonMaxSuppression(x, x) }'
    (tmp_path / "m.onnxtxt").write_text(text)
    (gap,) = kiln.check(tmp_path / "m.onnxtxt")
    assert (gap["code"], gap["node"], gap["op"]) == ("KILN-E0104", "y", "NonMaxSuppression") and gap["fix"]
    (tmp_path / "n.onnxtxt").write_text(text.replace("NonMaxSuppression(x, x)", "Relu(x)").replace("[m]", "[n]"))
    assert kiln.check(tmp_path / "n.onnxtxt", dims={"n": (1, 8)}) == []
    with pytest.raises(kiln.Error) as caught:
        kiln.check(tmp_path / "none.onnx")
    assert caught.value.code == "KILN-E0002"


def module(*arguments, **environment):
    import os

    command = [sys.executable, "-m", "kiln", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)


def test_help(tmp_path):
    page = (ROOT / "docs" / "errors" / "KILN-E0604.md").read_text()
    assert kiln.help("KILN-E0604") == kiln.help("e604") == kiln.help(604) == page
    with pytest.raises(kiln.Error):
        kiln.help("KILN-E0999")
    absent = {"KILN_COMPILER": str(tmp_path / "none")}
    assert module("help", "KILN-E0604", **absent).stdout == page
    assert kiln.runtime_version() in module("version", **absent).stdout
    done = module("ops", **absent)
    assert done.returncode == 4 and done.stderr.startswith("error: KILN-E0005")


def test_module_is_the_program():
    assert "MatMul" in module("ops", "--op", "MatMul").stdout
    done = module("bnech")
    assert done.returncode == 2 and "kiln bench?" in done.stderr
