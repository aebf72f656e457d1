"""Operators that decoders are exported with: random cases of a fixed seed (test/fuzz/decoder_ops.py), what the import makes of
them computed by the reference, against ONNX Runtime."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))

import decoder_cases  # noqa: E402
import decoder_ops  # noqa: E402


@pytest.mark.parametrize("kind", decoder_cases.KINDS)
def test_random_cases(tmp_path, kind):
    for number in range(25):
        case = decoder_ops.make(kind, 1, number)
        assert not decoder_ops.judge(pathlib.Path(os.environ["KILN_BIN"]), case, tmp_path / "m.onnx"), (number, case)


def test_a_wrong_result_is_seen(tmp_path):
    case = decoder_ops.make("gqa", 1, 0)
    case.peer = decoder_ops.make("gqa", 1, 0)
    case.peer.attributes["scale"] = 3.0
    assert "is off by" in decoder_ops.judge(pathlib.Path(os.environ["KILN_BIN"]), case, tmp_path / "m.onnx")
