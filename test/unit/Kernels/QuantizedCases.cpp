//===- QuantizedCases.cpp - Matmuls with quantized weights ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::test;

/// Root mean square limit of E4M3, E2M3 and E3M2, which have two or three mantissa bits:
/// tighter than kiln verify's limit, which bounds single elements. 0 for other formats.
static double rmsOf(const PrecisionPolicy &precision) {
  llvm::StringRef format = precision.precision;
  return format.contains("fp8") || format.contains("fp6") ? 0.1 : 0;
}

/// Rounds up to a multiple of a block of 32.
static int64_t wholeBlocks(int64_t k) { return (k + 31) / 32 * 32; }

static ModelText matmul(const std::string &m, int64_t n, int64_t k) {
  ModelText model;
  return model.input("x", KILN_DTYPE_F32, {m, std::to_string(k)})
      .weight("w", KILN_DTYPE_F32, {k, n})
      .node("[matmul] y = MatMul(x, w)")
      .output("y", KILN_DTYPE_F32, {m, std::to_string(n)});
}

static KernelCase caseOf(const std::string &family, const std::string &m, int64_t n,
                         int64_t k, const PrecisionPolicy &precision,
                         const std::vector<std::string> &gpus) {
  std::string name =
      precision.precision +
      (precision.activations.empty() ? "" : "_by_" + precision.activations);
  KernelCase row{family,
                 name + "_" + m + "x" + std::to_string(n) + "x" + std::to_string(k),
                 matmul(m, n, k), gpus};
  row.precision = precision;
  row.rms = rmsOf(precision);
  return row;
}

static void addRowsOfTheLaunch(KernelCase &row, const std::vector<int64_t> &rows) {
  row.dims = {{"m", 1, 200}};
  row.at.clear();
  for (int64_t count : rows)
    row.at.push_back({{"m", count}});
}

/// Quantized activations times quantized weights, with integer accumulators.
static void addCodes(KernelTable &table) {
  struct Size {
    int64_t m, n, k;
  };
  for (const char *format : {"int8", "int4", "nvfp4", "mxfp4"})
    for (auto [m, n, k] : {Size{1, 37, 64}, {3, 80, 96}, {17, 16, 32}}) {
      KernelCase row =
          caseOf("codes", std::to_string(m), n, k, {format}, {"sm_80", "sm_90a"});
      row.sameBits = true;
      row.interpreted = true;
      table.push_back(row);
    }
  // Rows around those of a register tile, in one package.
  for (const char *format : {"int8", "int4", "nvfp4"}) {
    KernelCase rows = caseOf("codes", "m", 37, 96, {format}, {"sm_80"});
    addRowsOfTheLaunch(rows, {2, 5, 9, 31, 33});
    rows.sameBits = true;
    rows.interpreted = true;
    table.push_back(rows);
  }
  KernelCase row = caseOf("codes", "m", 48, 64, {"int4"}, {"sm_80"});
  addRowsOfTheLaunch(row, {1, 16, 65});
  row.sameBits = true;
  table.push_back(row);
}

/// Returns integers below `bound`, uniformly distributed.
static std::vector<double> codes(size_t count, unsigned bound) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<double>((i * 7919 + i / bound * 31) % bound);
  return values;
}

/// MatMulNBits as exporters write it, with a bias.
static ModelText exported(int64_t m, int64_t n, int64_t k, int64_t bits, int64_t block,
                          bool zeros) {
  int64_t blocks = k / block, bytes = block * bits / 8, packed = (blocks * bits + 7) / 8;
  std::vector<double> scales = normals(n * blocks, 5);
  for (double &scale : scales)
    scale = 0.01 * (1 + scale * scale);
  ModelText model;
  model.input("x", KILN_DTYPE_F32, dimsOf({m, k}))
      .weight("codes", KILN_DTYPE_U8, {n, blocks, bytes}, codes(n * blocks * bytes, 256))
      .weight("scales", KILN_DTYPE_F32, {n * blocks}, scales)
      .weight("bias", KILN_DTYPE_F32, {n});
  if (zeros)
    model.weight("zeros", KILN_DTYPE_U8, {n * packed}, codes(n * packed, 256));
  return model
      .node("[matmul] p = com.microsoft.MatMulNBits <K = " + std::to_string(k) +
            ", N = " + std::to_string(n) + ", bits = " + std::to_string(bits) +
            ", block_size = " + std::to_string(block) +
            ", accuracy_level = 4> (x, codes, scales" + (zeros ? ", zeros)" : ")"))
      .node("y = Add(p, bias)")
      .output("y", KILN_DTYPE_F32, dimsOf({m, n}));
}

static void addExported(KernelTable &table) {
  struct Format {
    int64_t bits, block;
    bool zeros;
  };
  for (auto [bits, block, zeros] : {Format{4, 16, true},
                                    {4, 32, false},
                                    {4, 128, true},
                                    {8, 16, false},
                                    {8, 32, true}}) {
    KernelCase row{"codes",
                   "nbits" + std::to_string(bits) + "_block" + std::to_string(block) +
                       (zeros ? "_zeros" : ""),
                   exported(5, 33, 256, bits, block, zeros),
                   {"sm_80", "sm_90a"}};
    row.sameBits = true;
    table.push_back(row);
  }
}

/// Max difference from the host as a fraction of its largest element: on tensor cores,
/// which round activations to tf32, and with FMA.
static constexpr double kRounded = 1e-3, kExact = 1e-6;

/// Weights in E4M3, read as bytes, times activations in f32.
static void addFloat8(KernelTable &table) {
  struct Size {
    int64_t m, n, k;
  };
  for (std::string format : {"fp8", "mxfp8"}) {
    for (auto [m, n, k] : {Size{1, 37, 45},
                           {3, 80, 100},
                           {8, 130, 65},
                           {17, 16, 32},
                           {65, 77, 161},
                           {130, 200, 96}}) {
      KernelCase row =
          caseOf("float8", std::to_string(m), n, format == "mxfp8" ? wholeBlocks(k) : k,
                 {format}, {"sm_80", "sm_89", "sm_90a"});
      row.nearHost = m == 1 ? kExact : kRounded;
      table.push_back(row);
      // Panels of 64 columns, as in a package only for GPUs.
      row.name += "_panels64";
      row.gpus = {"sm_80"};
      row.forHost = false;
      table.push_back(row);
    }
    KernelCase row = caseOf("float8", "m", 48, 64, {format}, {"sm_80"});
    addRowsOfTheLaunch(row, {1, 8, 9, 64, 65, 200});
    row.nearHost = kRounded;
    table.push_back(row);
  }
}

static const char *const kActivations[] = {"",         "bf16",  "f16",  "fp8",
                                           "fp8-fast", "nvfp4", "mxfp4"};

/// Returns every weight format with every activation type: kFormats is the compiler's
/// table, so that a new row of it is tested here too.
static std::vector<PrecisionPolicy> formatPairs() {
  std::vector<PrecisionPolicy> pairs;
  for (const WeightFormat &format : getWeightFormats())
    for (const char *activations : kActivations) {
      pairs.push_back({format.name.str()});
      pairs.back().activations = activations;
    }
  return pairs;
}

/// Unsupported pairs are refused with both names and an alternative.
void kiln::test::checkRefusedPairs() {
  size_t refused = 0;
  for (const PrecisionPolicy &pair : formatPairs()) {
    llvm::Error error = pair.check();
    if (!error)
      continue;
    ++refused;
    std::string text = llvm::toString(std::move(error));
    for (const std::string &part : {std::string("KILN-E0001"), pair.precision,
                                    std::string("choose"), pair.activations.substr(0, 3)})
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in " << text;
  }
  EXPECT_GT(refused, 0u);
}

static void addFormatPairs(KernelTable &table) {
  const std::vector<std::string> gpus = {"sm_80", "sm_90a", "sm_89", "sm_120", "sm_120a"};
  for (const PrecisionPolicy &pair : formatPairs())
    if (llvm::Error error = pair.check())
      llvm::consumeError(std::move(error));
    else
      table.push_back(caseOf("format_pairs", "5", 40, 128, pair, gpus));
  // Block scales applied by the MMA instruction, in a package only for that GPU.
  for (const char *format : {"nvfp4", "mxfp4"}) {
    PrecisionPolicy precision{format};
    precision.activations = format;
    KernelCase row = caseOf("format_pairs", "9", 40, 128, precision, {"sm_120a"});
    row.forHost = false;
    row.ptx = {"mma.sync.aligned.m16n8k64"};
    table.push_back(row);
  }
}

/// A norm with two uses: the fp8 activations of a matmul, and the residual added to its
/// result. One kernel computes both.
static void addNormsReadTwice(KernelTable &table) {
  for (const char *kind : {"rms", "layer"}) {
    std::string name = kind;
    ModelText model;
    model.input("x", KILN_DTYPE_F32, {"5", "96"})
        .weight("scale", KILN_DTYPE_F32, {96})
        .weight("w", KILN_DTYPE_F32, {96, 96});
    if (name == "layer")
      model.weight("bias", KILN_DTYPE_F32, {96})
          .node("h = LayerNormalization <axis = -1> (x, scale, bias)");
    else
      model.node("h = SimplifiedLayerNormalization <axis = -1> (x, scale)");
    model.node("[matmul] p = MatMul(h, w)")
        .node("y = Add(p, h)")
        .output("y", KILN_DTYPE_F32, {"5", "96"});
    KernelCase row{"narrow_activations",
                   "fp8_by_fp8_" + name + "_norm_read_twice",
                   model,
                   {"sm_80", "sm_90a"}};
    row.precision = {"fp8"};
    row.precision.activations = "fp8";
    row.rms = rmsOf(row.precision);
    row.heroes = {"row", "matmul"};
    table.push_back(row);
  }
}

void kiln::test::addQuantizedCases(KernelTable &table) {
  addCodes(table);
  addExported(table);
  addFloat8(table);
  addNormsReadTwice(table);
  addFormatPairs(table);
}
