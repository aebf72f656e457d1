"""docs/guides/from-onnxruntime.md names every option that the installed ONNX Runtime has."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re

import onnxruntime
import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guides" / "from-onnxruntime.md"
FOLDER = pathlib.Path(onnxruntime.__file__).parent / "capi"
# A string of its own in the library; those looked up as part of something else are no keys.
KEY = re.compile(rb"(?<=\0)(?:session|optimization|mlas|memory|ep)(?:\.[a-z0-9_]+)+(?=\0)")


def named(heading):
    """The names in the first column of the table below a heading."""
    section = PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    names = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    assert len(names) == len(set(names)), "an option has two rows"
    return set(names)


@pytest.mark.parametrize("heading, kind", [("Every option of a session", "SessionOptions"), ("Every option of a run", "RunOptions")])
def test_options(heading, kind):
    options = {name for name in dir(getattr(onnxruntime, kind)) if not name.startswith("_")}
    assert named(heading) == options


def test_session_config_entries():
    keys = {key.decode() for path in FOLDER.glob("*onnxruntime*.so*") for key in KEY.findall(path.read_bytes())}
    assert len(keys) > 50
    missing = keys - named("Every session config entry")
    assert not missing, f"no row: {sorted(missing)}"
