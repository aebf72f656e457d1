"""examples/batching: texts that join and leave between steps, from Python and from C, are what they are alone."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import subprocess
import sys

import decoders
import kiln
import pytest

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "batching"
sys.path.insert(0, str(EXAMPLE))

import batching  # noqa: E402

PROMPTS = ["/// Returns true if the ", "class ", "// ", "  if (", "static inline bool "]
MAX_NEW = 80


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    return decoders.compile_tinylm(tmp_path_factory.mktemp("tinylm"))


@pytest.fixture(scope="module")
def alone(tinylm):
    """Each text by itself."""
    decoder = kiln.Decoder(tinylm)
    return [batching.serve(decoder, [prompt.encode()], MAX_NEW)[0] for prompt in PROMPTS]


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_texts_do_not_depend_on_others(tinylm, alone, rows):
    events = []
    decoder = kiln.Decoder(tinylm, rows=rows)
    prompts = [prompt.encode() for prompt in PROMPTS]
    found = batching.serve(decoder, prompts, MAX_NEW, lambda *event: events.append(event))
    assert found == alone and len({len(text) for text in found}) > 1
    assert sorted(number for _, number, what in events if what == "leaves") == list(range(len(PROMPTS)))


def test_program(tinylm, alone):
    command = [sys.executable, EXAMPLE / "batching.py", tinylm, "--rows", "2", *PROMPTS]
    text = subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout
    assert "text 1 joins, row 1" in text
    for prompt, rest in zip(PROMPTS, alone):
        assert prompt + rest.decode().rstrip("\n") + "\n" in text


def test_from_c(tinylm, alone, tmp_path):
    def run(*command, **options):
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
        return done.returncode, done.stdout + done.stderr

    for command in (
        ["cmake", "--install", os.environ["KILN_BUILD"], "--component", "runtime", "--prefix", tmp_path / "installed"],
        ["cmake", "-S", EXAMPLE, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={tmp_path}/installed"],
        ["cmake", "--build", tmp_path / "build"],
    ):
        status, text = run(*command)
        assert status == 0, text
    status, text = run(tmp_path / "build" / "batching", tinylm, *PROMPTS)
    assert status == 0, text
    assert text.splitlines() == [prompt + rest.decode().split("\n")[0] for prompt, rest in zip(PROMPTS, alone)]
    status, text = run(tmp_path / "build" / "batching", tinylm, "")
    assert status == 2 and "a prompt has 1 to 128 bytes" in text
