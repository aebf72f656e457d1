"""kiln.compile: finding the program, its options, its errors."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import kiln
import models
import numpy as np
import pytest
from kiln import errors


@pytest.fixture
def model(tmp_path):
    return models.write(tmp_path / "m.onnx", models.MLP)


def test_options(model, tmp_path):
    report = kiln.compile(
        model, str(tmp_path / "m.kiln"), target=["x86-64-v3"], dims={"batch": 2, "seq": (1, 8)}, memory_limit="1GiB", threads=1
    )
    assert "x86-64-v3" in report
    (x,) = kiln.Session(tmp_path / "m.kiln").inputs
    assert [(dim.min, dim.max) for dim in x.dims] == [(2, 2), (1, 8), (8, 8)]


def test_errors_have_codes(model, tmp_path):
    with pytest.raises(kiln.Error) as caught:
        kiln.compile(tmp_path / "none.onnx", tmp_path / "m.kiln")
    assert caught.value.code == "KILN-E0002" and caught.value.exit_code == 3
    assert caught.value.where and caught.value.what and caught.value.fix
    with pytest.raises(kiln.Error) as caught:
        kiln.compile(model, tmp_path / "m.kiln", memory_limit=10)
    assert caught.value.code == "KILN-E0302"
    with pytest.raises(kiln.Error) as caught:
        kiln.compile(model, tmp_path / "m.kiln", target="z80")
    assert caught.value.code == "KILN-E0400" and caught.value.exit_code == 2


def test_ranges_of_dims(model, tmp_path):
    kiln.compile(model, tmp_path / "m.kiln", dims={"batch": np.int64(2), "seq": [1, 8]})
    for dims in ({"batch": "1..4"}, {"batch": (1, 2, 3)}, {"batch": 1.5}):
        with pytest.raises(kiln.Error) as caught:
            kiln.compile(model, tmp_path / "m.kiln", dims=dims)
        assert caught.value.code == "KILN-E0123" and caught.value.exit_code == 2


def test_compiler_not_found(model, tmp_path, monkeypatch):
    monkeypatch.setenv("KILN_COMPILER", str(tmp_path / "nowhere"))
    with pytest.raises(kiln.Error) as caught:
        kiln.compile(model, tmp_path / "m.kiln")
    assert caught.value.code == "KILN-E0005" and "nowhere" in caught.value.found


def test_messages_are_parsed():
    line = "error: KILN-E0604: input \"ids\", dim 1: it is too large; expected 1 to 8, found 9; fix: use less"
    error = errors.parse(line, 2)
    assert (error.code, error.where, error.what) == ("KILN-E0604", 'input "ids", dim 1', "it is too large")
    assert (error.expected, error.found, error.fix, error.exit_code) == ("1 to 8", "9", "use less", 2)
    assert "error: " + str(error) == line
    short = errors.parse("KILN-E0900: something broke", 3)
    assert (short.where, short.what, short.expected, short.fix) == ("", "something broke", "", "")
    assert errors.parse("no code here", 3) is None
