"""Products by mma.sync whose right operand is in registers, on the simulated GPU: against numpy, over shapes and types."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

LLVM = pathlib.Path("/usr/lib/llvm-22/bin")
BIN = pathlib.Path(os.environ["KILN_BIN"])
# Operand B is loaded as i16, bit-cast to a half, doubled, and multiplied from registers.
KERNEL = """
tile.kernel @k(%x: !tile.buffer<{half}>, %b: !tile.buffer<i16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {{symbols = [], hero = "x", threads = {threads}, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>}} {{
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<{half}> -> !tile.view<{rows}x{depth}x{half}, [{depth}, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<{depth}x{columns}xi16, [{columns}, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<{rows}x{columns}xf32, [{columns}, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<{rows}x{depth}x{half}, [{depth}, 1]> -> !tile.staged<{rows}x{depth}x{half}>
  %i = tile.load %u[%c0, %c0] : !tile.view<{depth}x{columns}xi16, [{columns}, 1]> -> !tile.frag<{depth}x{columns}xi16>
  %r = tile.map %i : !tile.frag<{depth}x{columns}xi16> -> !tile.frag<{depth}x{columns}x{half}> {{
  ^bb0(%bits: i16):
    %e = arith.bitcast %bits : i16 to {half}
    %f = arith.extf %e : {half} to f32
    %g = arith.addf %f, %f : f32
    %d = arith.truncf %g : f32 to {half}
    tile.yield %d : {half}
  }}
  %z = arith.constant 1.0 : f32
  %a = tile.fill %z : f32 -> !tile.frag<{rows}x{columns}xf32>
  %s = tile.mma %l, %r, %a : !tile.staged<{rows}x{depth}x{half}>, !tile.frag<{depth}x{columns}x{half}>, !tile.frag<{rows}x{columns}xf32>
  tile.store %s, %w[%c0, %c0] : !tile.frag<{rows}x{columns}xf32>, !tile.view<{rows}x{columns}xf32, [{columns}, 1]>
}}
"""


def bits(values, half):
    return values.view(np.uint16) if half == "f16" else (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def compile_ptx(source, folder):
    lowered = subprocess.run([BIN / "kiln-opt", "--kiln-assign-layouts", "--kiln-pipeline-copies", "--kiln-allocate-shared", "--kiln-insert-barriers",
                              "--kiln-lower-tile-to-nvvm", "--kiln-expand-math", "--kiln-lower-to-llvm"], input=source, check=True, capture_output=True,
                             text=True).stdout
    ir = subprocess.run([LLVM / "mlir-translate", "--mlir-to-llvmir"], input=lowered, check=True, capture_output=True, text=True).stdout
    path = folder / "k.ptx"
    subprocess.run([LLVM / "llc", "-march=nvptx64", "-mcpu=sm_80", "-mattr=+ptx80", "-o", path], input=ir, check=True,
                   capture_output=True, text=True)
    return path


# Row counts equal to K and to the columns: the same shape is then an accumulator and an operand B.
SHAPES = [(16, 16, 8, 32), (16, 32, 16, 64), (32, 16, 64, 128), (64, 64, 64, 128), (128, 16, 32, 128), (16, 64, 128, 256)]


@pytest.mark.skipif(not shutil.which(LLVM / "llc"), reason="LLVM's own llc is not installed")
@pytest.mark.parametrize("half", ["f16", "bf16"])
@pytest.mark.parametrize("rows,depth,columns,threads", SHAPES)
def test_products_equal_numpy(half, rows, depth, columns, threads, tmp_path):
    random = np.random.default_rng(rows + depth + columns)
    # Small integers: all products and sums are exact in either type.
    left, right = (random.integers(-8, 8, shape).astype(np.float16) for shape in ((rows, depth), (depth, columns)))
    np.save(tmp_path / "x.npy", bits(left, half))
    np.save(tmp_path / "b.npy", bits(right, half))
    np.save(tmp_path / "y.npy", np.zeros((rows, columns), np.float32))
    ptx = compile_ptx(KERNEL.format(half=half, rows=rows, depth=depth, columns=columns, threads=threads), tmp_path)
    assert "mma.sync.aligned.m16n8k16" in ptx.read_text()
    outcome = subprocess.run([BIN / "kiln-ptx", "run", ptx, "--device", "a100", "--block", str(threads), "--shared", "98304",
                              "--arg", tmp_path / "x.npy", "--arg", tmp_path / "b.npy",
                              "--arg", f"{tmp_path / 'y.npy'}:{tmp_path / 'out.npy'}"],
                             capture_output=True, text=True, env={**os.environ, "KILN_SIM_CHECK": "all"})
    assert outcome.returncode == 0 and not outcome.stderr, outcome
    expected = 1 + left.astype(np.float32) @ (2 * right.astype(np.float32))
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), expected)
