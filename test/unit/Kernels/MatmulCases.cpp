//===- MatmulCases.cpp - Matmuls of floats --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"
#include "MatmulModel.h"

using namespace kiln;
using namespace kiln::test;

static std::string nameOf(const Matmul &matmul, const PrecisionPolicy &precision) {
  std::string type = kiln_dtype_name(matmul.dtype);
  if (precision.precision != "f32")
    type = precision.precision;
  return type + "_" + matmul.layout + "_" + std::to_string(matmul.m) + "x" +
         std::to_string(matmul.n) + "x" + std::to_string(matmul.k) +
         (matmul.batch ? "_batch" + std::to_string(matmul.batch) : "") +
         (matmul.isWeight ? "_weight" : "");
}

static KernelCase caseOf(const std::string &family, const Matmul &matmul,
                         const std::vector<std::string> &gpus,
                         const PrecisionPolicy &precision = {}) {
  KernelCase row{family, nameOf(matmul, precision), modelOf(matmul), gpus};
  row.precision = precision;
  row.heroes = {"matmul"};
  return row;
}

static const PrecisionPolicy kTf32{"tf32"};

/// mma.sync tiles with odd sizes, in every layout.
static void addTiles(KernelTable &table) {
  const Matmul matmuls[] = {
      {100, 80, 96},
      {33, 17, 45, KILN_DTYPE_BF16, "NT"},
      {33, 17, 45, KILN_DTYPE_F16, "TN"},
      {70, 48, 80, KILN_DTYPE_BF16, "TT", false, 3},
      {130, 200, 100, KILN_DTYPE_F16},
      {12, 100, 33, KILN_DTYPE_BF16, "NT"},
      {64, 64, 64, KILN_DTYPE_F16, "NT", true},
      {65, 90, 72, KILN_DTYPE_BF16, "NN", true},
      {16, 16, 16},
      {300, 136, 20, KILN_DTYPE_BF16, "TN"},
      {9, 7, 300, KILN_DTYPE_F16, "TT"},
      {150, 170, 140},
  };
  for (const Matmul &matmul : matmuls) {
    KernelCase row = caseOf("matmul", matmul, {"sm_80"});
    std::string type = matmul.dtype == KILN_DTYPE_F16 ? "f16" : "bf16";
    row.interpreted = matmul.m * matmul.n * matmul.k < 40000;
    row.ptx = {"mma.sync.aligned.m16n8k16.row.col.f32." + type + "." + type + ".f32",
               "ldmatrix"};
    table.push_back(row);
  }
}

/// Warpgroups (wgmma) multiply if operand A is not transposed.
static void addWarpgroupTiles(KernelTable &table) {
  const Matmul matmuls[] = {{100, 80, 96},
                            {130, 200, 104, KILN_DTYPE_F16, "TN"},
                            {70, 48, 80, KILN_DTYPE_BF16, "TT", false, 3},
                            {131, 77, 160, KILN_DTYPE_F16, "NN", true}};
  for (const Matmul &matmul : matmuls) {
    KernelCase row = caseOf("matmul", matmul, {"sm_90a"});
    row.name += "_sm_90a";
    if (matmul.layout[0] == 'N')
      row.ptx = {"wgmma.mma_async"};
    table.push_back(row);
  }
}

/// f32 uses FMA, or tf32 tensor cores if permitted.
static void addTilesOfF32(KernelTable &table) {
  KernelCase exact = caseOf("matmul", {40, 40, 40, KILN_DTYPE_F32}, {"sm_80"});
  exact.ptx = {"fma.rn.f32"};
  exact.noPtx = {"mma.sync"};
  table.push_back(exact);
  std::vector<Matmul> rounded = {{70, 90, 44, KILN_DTYPE_F32, "NN", true}};
  for (const char *layout : {"NN", "NT", "TN", "TT"})
    rounded.push_back({50, 40, 36, KILN_DTYPE_F32, layout});
  for (const Matmul &matmul : rounded) {
    KernelCase row = caseOf("matmul", matmul, {"sm_80"}, kTf32);
    row.ptx = {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "cvt.rna.tf32.f32"};
    table.push_back(row);
  }
}

/// K smaller than a tile.
static void addShortK(KernelTable &table) {
  const Matmul sizes[] = {
      {17, 9, 1}, {100, 1, 3, KILN_DTYPE_BF16, "TT"}, {33, 40, 8, KILN_DTYPE_BF16, "NT"},
      {1, 1, 1},  {64, 64, 7, KILN_DTYPE_BF16, "TN"}, {20, 24, 12}};
  for (const Matmul &size : sizes)
    for (kiln_dtype dtype : {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16})
      for (bool isWeight : {false, true}) {
        Matmul matmul = size;
        matmul.dtype = dtype;
        matmul.isWeight = isWeight;
        KernelCase row = caseOf("matmul", matmul, {"sm_80"},
                                dtype == KILN_DTYPE_F32 ? kTf32 : PrecisionPolicy());
        row.heroes.clear(); // a single f32 element is a row reduction
        table.push_back(row);
      }
}

/// GEMV and skinny GEMM: at most eight rows, streaming operand B.
static void addSkinny(KernelTable &table) {
  const Matmul matmuls[] = {
      {1, 200, 300},
      {1, 100, 512, KILN_DTYPE_BF16, "NT"},
      {3, 17, 45},
      {5, 33, 131, KILN_DTYPE_F16, "NT"},
      {8, 72, 90, KILN_DTYPE_F16, "TN"},
      {4, 48, 80, KILN_DTYPE_BF16, "TT"},
      {1, 70, 64, KILN_DTYPE_BF16, "NT", false, 6},
      {7, 40, 130, KILN_DTYPE_F32, "NN", false, 3},
      {2, 192, 256, KILN_DTYPE_BF16, "NN", true},
      {8, 100, 77, KILN_DTYPE_F16, "NT", true},
      {1, 90, 350, KILN_DTYPE_F32, "NN", true},
      {6, 44, 200, KILN_DTYPE_F32, "NT"},
      {8, 1, 600},
      {1, 1, 1, KILN_DTYPE_F16},
  };
  for (const Matmul &matmul : matmuls) {
    KernelCase row = caseOf("gemv", matmul, {"sm_80", "sm_90a"});
    row.config = "gemv_config";
    row.interpreted = matmul.m * matmul.n * matmul.k < 40000;
    table.push_back(row);
  }
  // Exact f32 even if tf32 is permitted.
  KernelCase exact = caseOf("gemv", {4, 64, 100, KILN_DTYPE_F32, "NN", true},
                            {"sm_80", "sm_90a"}, kTf32);
  exact.config = "gemv_config";
  exact.noPtx = {"mma.sync"};
  table.push_back(exact);
}

/// Symbolic rows in a short range: accumulators for the max number of rows.
static void addSkinnyRange(KernelTable &table) {
  ModelText model;
  model.input("x", KILN_DTYPE_BF16, {"m", "200"})
      .weight("w", KILN_DTYPE_BF16, {200, 72})
      .weight("b", KILN_DTYPE_BF16, {72})
      .node("[matmul] p = MatMul(x, w)")
      .node("q = Add(p, b)")
      .node("y = Relu(q)")
      .output("y", KILN_DTYPE_BF16, {"m", "72"});
  KernelCase row{"gemv", "bf16_rows_of_1_to_6", model, {"sm_80", "sm_90a"}};
  row.dims = {{"m", 1, 6}};
  row.at = {{{"m", 1}}, {{"m", 4}}, {{"m", 6}}};
  row.config = "gemv_config";
  table.push_back(row);
}

/// Weights that are prefetched before the preceding kernels have ended (PDL).
static void addPrefetched(KernelTable &table) {
  const Matmul matmuls[] = {{200, 320, 512}, {70, 90, 1000},
                            {4, 320, 1000},  {1, 77, 130, KILN_DTYPE_F32},
                            {20, 100, 96},   {131, 77, 521, KILN_DTYPE_F32}};
  for (Matmul matmul : matmuls) {
    matmul.isWeight = true;
    KernelCase row = caseOf("matmul", matmul, {"sm_90a"});
    row.name += "_prefetched";
    row.forHost = false;
    row.ptx = {"prefetch"};
    table.push_back(row);
  }
}

void kiln::test::addMatmulCases(KernelTable &table) {
  addTiles(table);
  addWarpgroupTiles(table);
  addTilesOfF32(table);
  addShortK(table);
  addSkinny(table);
  addSkinnyRange(table);
  addPrefetched(table);
}
