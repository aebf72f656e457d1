//===- ProductModel.cpp - How long a matrix product takes -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions are those of the main loops that docs/rationale/quantization.md describes,
// counted per multiply-add or per weight. What a kernel expands of a weight it uses for
// all rows of a register tile.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/ProductModel.h"
#include "kiln/Target/TargetInfo.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace kiln;

namespace {
/// Work of a matmul with some rows, for all of its weight.
struct Work {
  double multiplies = 0;   ///< on the units that multiply, in their instructions
  double instructions = 0; ///< all, these included
  double tiles = 0;        ///< cycles of a matrix unit beside them
};

/// Rates of one core, in vectors per cycle. Vectors of 512 bits are two halves on Zen 4,
/// the smallest machine of its level (see HostModels.cpp).
struct HostRates {
  double multiplies, instructions;
};
} // namespace

/// Bytes that one core reads from memory in a cycle: 40 GB/s of a Zen 4 at 5 GHz.
static constexpr double kHostMemoryBytes = 8;

static HostRates ratesOf(const TargetInfo &target) {
  return target.vectorBytes > 32 ? HostRates{1, 2} : HostRates{2, 2};
}

/// An accumulator of every row and of two vectors of columns fits the registers.
static int64_t hostTileRows(const TargetInfo &target) {
  return target.vectorRegisters > 16 ? 12 : 6;
}

/// Integers within a block, then a conversion, a multiplication and an addition in f32.
static Work codesOnHost(const TargetInfo &target, const WeightProduct &p, double rows) {
  double lanes = target.lanes(4), weights = double(p.k) * p.columns;
  double bytes = 4 * lanes; // that a vector multiplies
  bool hasVnni = target.has("avx512vnni");
  // Instructions per vector: vpdpbusd; else vpmaddubsw and an add, or two of vpmaddwd and
  // add.
  double perVector = hasVnni ? 1 : p.bits <= 4 ? 2 : 4;
  double unpack = p.bits <= 4 ? 1.5 : hasVnni ? 0 : 2;
  double scaling = 3 * rows * weights / (p.block * lanes);
  double expanded = unpack * weights / bytes;
  if (target.has("amx-int8") && rows >= 8 && p.block > 16)
    // 16 rows by 16 columns by 64 steps take 16 cycles; sums go through the stack.
    return {0, expanded + scaling * 4 / 3, rows * weights / 1024};
  double multiplies = rows * weights * perVector / bytes;
  double tiles = llvm::divideCeil(int64_t(rows), hostTileRows(target));
  return {hasVnni ? multiplies : multiplies / 2, multiplies + scaling + expanded * tiles,
          0};
}

static Work onHost(const TargetInfo &target, const WeightProduct &p, double rows) {
  if (p.kind == ProductKind::codes)
    return codesOnHost(target, p, rows);
  double vectors = double(p.k) * p.columns / target.lanes(4);
  double tiles = llvm::divideCeil(int64_t(rows), hostTileRows(target));
  double multiplies = rows * vectors, expanded = 0;
  if (p.kind == ProductKind::half)
    expanded = vectors; // a shift or a conversion
  if (p.kind == ProductKind::float8)
    expanded = 6 * vectors; // sign, fields, 2^120, NaN
  if (p.kind == ProductKind::halfCodes)
    expanded = 4 * vectors; // a shift, a mask, a zero point, a conversion
  if (p.kind == ProductKind::float8Both)
    // Sign, fields and 2^120 of each weight, and of each activation for each panel.
    return {multiplies, 4 * multiplies + multiplies + 4 * vectors * tiles, 0};
  double scaling = p.block > 0 ? multiplies / p.block : 0;
  return {multiplies + scaling, multiplies + scaling + expanded * tiles, 0};
}

/// Cycles of all multiprocessors together. Up to 8 rows go to the GEMV kernel.
static double onGpu(const GpuInfo &gpu, const WeightProduct &p, int64_t rows) {
  constexpr int64_t kGemvRows = 8, kTileRows = 64;
  const GpuModel &model = gpu.model;
  double weights = double(p.k) * p.columns, tensorBytes = model.tensorOperandBytes;
  double issue = 32.0 * model.partitions; // of threads
  bool isGemv = rows <= kGemvRows && p.kind != ProductKind::codes &&
                p.kind != ProductKind::halfCodes && p.kind != ProductKind::float8Both;
  double tiles = isGemv ? 1 : llvm::divideCeil(rows, kTileRows);
  double multiplies = 0, instructions = 0;
  double padded = std::max<int64_t>(llvm::alignTo(rows, 8), 8);
  switch (p.kind) {
  case ProductKind::codes:
    // At most an instruction per weight; conversion and scaling per block and row.
    multiplies = padded * weights / tensorBytes;
    instructions = weights * tiles + 3 * padded * weights / p.block;
    break;
  case ProductKind::halfCodes:
    // Three instructions per pair of codes, loads included; scaling per block and row.
    multiplies = padded * weights * 2 / tensorBytes;
    instructions = 1.5 * weights * tiles + padded * weights / p.block;
    break;
  case ProductKind::float8Both:
    // Where they are not multiplied as bytes, they become f16, activations for each
    // panel.
    multiplies = padded * weights * (gpu.hasFloat8 ? 1 : 2) / tensorBytes;
    instructions = weights * tiles * (gpu.hasFloat8 ? 0.5 : 2.5) +
                   padded * weights * (gpu.hasFloat8 ? 0 : 0.125);
    break;
  case ProductKind::float8:
    instructions = weights * tiles * (gpu.hasFloat8 ? 4 : 8);
    multiplies =
        isGemv ? rows * weights / model.multiplyAdds : padded * weights * 4 / tensorBytes;
    break;
  case ProductKind::half:
  case ProductKind::tf32: {
    double bytes = p.kind == ProductKind::half ? 2 : 4;
    multiplies = isGemv ? rows * weights / model.multiplyAdds
                        : padded * weights * bytes / tensorBytes;
    break;
  }
  case ProductKind::f32:
    multiplies = rows * weights / model.multiplyAdds;
    break;
  }
  return std::max(multiplies, instructions / issue) / model.multiprocessors;
}

double kiln::predictCycles(const TargetInfo &target, const WeightProduct &product,
                           int64_t rows) {
  if (target.gpu)
    return std::max(product.weightBytes / double(target.gpu->model.memoryBytes),
                    onGpu(*target.gpu, product, rows));
  Work work = onHost(target, product, rows);
  HostRates rates = ratesOf(target);
  return std::max({product.weightBytes / kHostMemoryBytes,
                   work.multiplies / rates.multiplies,
                   work.instructions / rates.instructions + work.tiles});
}
