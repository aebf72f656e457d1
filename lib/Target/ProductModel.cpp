//===- ProductModel.cpp - Cost model of matmuls ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions are those of the main loops that docs/rationale/quantization.md describes,
// counted per multiply-add or per weight. A kernel converts a weight once for all rows of
// a register tile.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/ProductModel.h"
#include "kiln/Target/TargetInfo.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace kiln;

namespace {
/// Instruction counts of a matmul with some rows, for its entire weight.
struct Work {
  double multiplies = 0;   ///< instructions on the multiplication ports
  double instructions = 0; ///< all instructions, these included
  double tiles = 0;        ///< additional cycles of the AMX unit
};
} // namespace

/// Returns the rows of a register tile: two vectors of columns per row fit the registers.
static int64_t hostTileRows(const TargetInfo &target) {
  return target.vectorRegisters > 16 ? 12 : 6;
}

/// Counts integer accumulation within a block, then an f32 conversion, multiplication and
/// addition.
static Work codesOnHost(const TargetInfo &target, const WeightProduct &p, double rows) {
  double lanes = target.lanes(4), weights = double(p.k) * p.columns;
  double bytes = 4 * lanes; // weights per vector instruction
  bool hasVnni = target.hasVnni();
  // Instructions per vector: vpdpbusd; else vpmaddubsw and an add, or two each of
  // vpmaddwd and add.
  double perVector = hasVnni ? 1 : p.bits <= 4 ? 2 : 4;
  double unpack = p.bits <= 4 ? 1.5 : hasVnni ? 0 : 2;
  double scaling = 3 * rows * weights / (p.block * lanes);
  double expanded = unpack * weights / bytes;
  if (target.has("amx-int8") && rows >= 8 && p.block > 16)
    // 16 rows by 16 columns by K = 64 take 16 cycles; accumulators go through the stack.
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
  if (p.kind == ProductKind::half && target.hasBf16Tiles()) {
    // 16 rows by 16 columns by K = 32 take 16 cycles. For every 32 rows, two rows of B
    // are interleaved by two loads, two unpacks and two stores per 16 columns.
    double blocks = llvm::divideCeil(int64_t(rows), 32);
    return {0, 3 * vectors * blocks,
            llvm::alignTo(int64_t(rows), 16) * double(p.k) * p.columns / 512};
  }
  if (p.kind == ProductKind::half && target.prefersBf16Dots()) {
    multiplies /= 2;
    expanded = vectors / 2; // two rows are interleaved
  } else if (p.kind == ProductKind::half) {
    expanded = vectors; // a shift or a conversion
  }
  if (p.kind == ProductKind::float8)
    expanded = 6 * vectors; // sign, exponent and mantissa, 2^120, NaN
  if (p.kind == ProductKind::halfCodes)
    expanded = 4 * vectors; // a shift, a mask, a zero point, a conversion
  if (p.kind == ProductKind::float8Both)
    // Per weight, and per activation and panel: sign, exponent and mantissa, 2^120.
    return {multiplies, 4 * multiplies + multiplies + 4 * vectors * tiles, 0};
  double scaling = p.block > 0 ? multiplies / p.block : 0;
  return {multiplies + scaling, multiplies + scaling + expanded * tiles, 0};
}

/// Returns the cycles on all multiprocessors together. Up to 8 rows use the GEMV kernel.
static double onGpu(const GpuInfo &gpu, const WeightProduct &p, int64_t rows) {
  constexpr int64_t kGemvRows = 8, kTileRows = 64;
  const GpuModel &model = gpu.model;
  double weights = double(p.k) * p.columns, tensorBytes = model.tensorOperandBytes;
  double issue = 32.0 * model.partitions; // in thread instructions
  bool isGemv = rows <= kGemvRows && p.kind != ProductKind::codes &&
                p.kind != ProductKind::halfCodes && p.kind != ProductKind::float8Both;
  double tiles = isGemv ? 1 : llvm::divideCeil(rows, kTileRows);
  double multiplies = 0, instructions = 0;
  double padded = std::max<int64_t>(llvm::alignTo(rows, 8), 8);
  switch (p.kind) {
  case ProductKind::codes:
    // At most one instruction per weight; conversion and scaling per block and row.
    multiplies = padded * weights / tensorBytes;
    instructions = weights * tiles + 3 * padded * weights / p.block;
    break;
  case ProductKind::halfCodes:
    // Three instructions per pair of weights, including loads; scaling per block and row.
    multiplies = padded * weights * 2 / tensorBytes;
    instructions = 1.5 * weights * tiles + padded * weights / p.block;
    break;
  case ProductKind::float8Both:
    // Without FP8 tensor cores both operands become f16, activations once per panel.
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
  return std::max({product.weightBytes / target.cpu->memoryBytes,
                   work.multiplies / target.cpu->multiplies,
                   work.instructions / target.cpu->instructions + work.tiles});
}
