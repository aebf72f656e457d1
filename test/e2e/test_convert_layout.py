"""tile.convert_layout on the simulated GPU: random layouts of a fragment, through shared memory, for every width."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

LLVM = pathlib.Path("/usr/lib/llvm-22/bin")
BIN = pathlib.Path(os.environ["KILN_BIN"])
TYPES = {"i8": np.int8, "i16": np.int16, "f32": np.float32, "i64": np.int64}
KERNEL = """
#from = #tile.linear_layout<registers = {from_registers}, threads = {from_threads}>
#to = #tile.linear_layout<registers = {to_registers}, threads = {to_threads}>
tile.kernel @k(%x: !tile.buffer<{type}>) -> (%y: !tile.buffer<{type}>) symbols() task(%t)
    attributes {{symbols = [], hero = "x", threads = {threads}, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>}} {{
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<{type}> -> !tile.view<{rows}x{columns}x{type}, [{columns}, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<{type}> -> !tile.view<{rows}x{columns}x{type}, [{columns}, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<{rows}x{columns}x{type}, [{columns}, 1]> -> !tile.frag<{rows}x{columns}x{type}, #from>
  %g = tile.convert_layout %f : !tile.frag<{rows}x{columns}x{type}, #from> -> !tile.frag<{rows}x{columns}x{type}, #to>
  tile.store %g, %w[%c0, %c0] : !tile.frag<{rows}x{columns}x{type}, #to>, !tile.view<{rows}x{columns}x{type}, [{columns}, 1]>
}}
"""


def random_layout(random, elements, threads):
    """Bases in any order over registers and threads; zeros where there are more threads than elements."""
    bases = [1 << bit for bit in range(elements.bit_length() - 1)]
    random.shuffle(bases)
    owners = bases[: threads.bit_length() - 1]
    owners += [0] * (threads.bit_length() - 1 - len(owners))
    random.shuffle(owners)
    return bases[threads.bit_length() - 1 :], owners


def compile_ptx(source, folder):
    lowered = subprocess.run([BIN / "kiln-opt", "--kiln-pipeline-copies", "--kiln-allocate-shared", "--kiln-insert-barriers", "--kiln-lower-tile-to-nvvm", "--kiln-lower-to-llvm"], input=source, check=True,
                             capture_output=True, text=True).stdout
    ir = subprocess.run([LLVM / "mlir-translate", "--mlir-to-llvmir"], input=lowered, check=True, capture_output=True, text=True).stdout
    path = folder / "k.ptx"
    subprocess.run([LLVM / "llc", "-march=nvptx64", "-mcpu=sm_80", "-mattr=+ptx80", "-o", path], input=ir, check=True,
                   capture_output=True, text=True)
    return path


@pytest.mark.skipif(not shutil.which(LLVM / "llc"), reason="LLVM's own llc is not installed")
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", range(6))
def test_every_element_arrives(kind, seed, tmp_path):
    random = np.random.default_rng(seed)
    threads, rows, columns = (int(2 ** random.integers(*span)) for span in ((5, 8), (0, 5), (0, 7)))
    layouts = [random_layout(random, rows * columns, threads) for _ in range(2)]
    source = KERNEL.format(type=kind, threads=threads, rows=rows, columns=columns, from_registers=layouts[0][0],
                           from_threads=layouts[0][1], to_registers=layouts[1][0], to_threads=layouts[1][1])
    given = random.integers(-100, 100, (rows, columns)).astype(TYPES[kind])
    np.save(tmp_path / "x.npy", given)
    np.save(tmp_path / "y.npy", np.zeros_like(given))
    ptx = compile_ptx(source, tmp_path)
    outcome = subprocess.run([BIN / "kiln-ptx", "run", ptx, "--device", "a100", "--block", str(threads), "--shared", "65536",
                              "--arg", tmp_path / "x.npy", "--arg", f"{tmp_path / 'y.npy'}:{tmp_path / 'out.npy'}"],
                             capture_output=True, text=True, env={**os.environ, "KILN_SIM_CHECK": "all"})
    assert outcome.returncode == 0 and not outcome.stderr, outcome
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), given)
