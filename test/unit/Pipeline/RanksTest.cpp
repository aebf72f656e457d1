//===- RanksTest.cpp - From a module for several ranks to a run -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructs that no pass creates by itself, such as a reduce-scatter, are compiled from
// the text of a module through every phase after the graph phases to a package that a
// group runs.
//
//===----------------------------------------------------------------------===//
#include "kiln/Reference/Ranks.h"
#include "Images.h"
#include "Weights.h"
#include "kiln/Pipeline/Phases.h"
#include "kiln/Pipeline/Registration.h"
#include "kiln/group.hpp"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/package/format.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace mlir;
using reference::Tensor;

namespace {
constexpr int64_t kWidth = 8, kHidden = 16;

/// Returns values of a weight or an input, around 0.
std::vector<float> numbers(int64_t count, int64_t seed) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>((i * 37 + seed * 11) % 64 - 32) / 64);
  return values;
}

std::string dense(int64_t rows, int64_t columns, int64_t seed) {
  std::vector<float> values = numbers(rows * columns, seed);
  std::string text = "dense<[";
  for (int64_t i = 0; i < rows * columns; ++i)
    text += (i == 0        ? "["
             : i % columns ? ", "
                           : "], [") +
            std::to_string(values[static_cast<size_t>(i)]);
  return text + "]]> : tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
         "xf32>";
}

std::string replaced(std::string text, const std::string &name, const std::string &by) {
  for (size_t at; (at = text.find(name)) != std::string::npos;)
    text.replace(at, name.size(), by);
  return text;
}

/// Two matmuls whose weights are divided among ranks, the second one's baked, and every
/// collective: some write outputs, and one reads a value that is read again later.
std::string moduleText(int64_t ranks) {
  std::string text = R"(
#x = #graph.shape<[n] -> [n, 8]>
#h = #graph.shape<[n] -> [n, HALF]>
#a = #graph.shape<[n] -> [n, 16]>
#s = #graph.shape<[n] -> [n, FEW]>
module attributes {graph.ranks = RANKS : i64} {
  graph.symbol @n in [1, 8]
  graph.weight @up : tensor<8x16xf32>
  graph.weight @down : tensor<16x8xf32>
  graph.weight @up_part : tensor<8xHALFxf32> {graph.part = {of = @up, axis = 1}}
  graph.weight @down_part : tensor<HALFx8xf32> {graph.part = {of = @down, axis = 0}}
  graph.weight @twice : tensor<HALFx8xf32>
  func.func @bake() {
    %0 = graph.constant UP
    graph.set_weight @up, %0 : tensor<8x16xf32>
    %1 = graph.constant DOWN
    graph.set_weight @down, %1 : tensor<16x8xf32>
    %2 = graph.get_weight @down_part : tensor<HALFx8xf32>
    %3 = graph.binary add %2, %2 : (tensor<HALFx8xf32>, tensor<HALFx8xf32>) -> tensor<HALFx8xf32>
    graph.set_weight @twice, %3 : tensor<HALFx8xf32>
    return
  }
  func.func @main(%x: tensor<?x8xf32, #x> {graph.name = "x"})
      -> (tensor<?x8xf32, #x> {graph.name = "y"}, tensor<?x8xf32, #x> {graph.name = "largest"},
          tensor<?x16xf32, #a> {graph.name = "hidden"}, tensor<?x8xf32, #x> {graph.name = "exp"}) {
    %u = graph.get_weight @up_part : tensor<8xHALFxf32>
    %d = graph.get_weight @twice : tensor<HALFx8xf32>
    %0 = graph.matmul %x, %u : (tensor<?x8xf32, #x>, tensor<8xHALFxf32>) -> tensor<?xHALFxf32, #h>
    %1 = graph.unary tanh %0 : (tensor<?xHALFxf32, #h>) -> tensor<?xHALFxf32, #h>
    %2 = graph.matmul %1, %d : (tensor<?xHALFxf32, #h>, tensor<HALFx8xf32>) -> tensor<?x8xf32, #x>
    %3 = graph.all_reduce sum %2 ranks RANKS : (tensor<?x8xf32, #x>) -> tensor<?x8xf32, #x>
    %y = graph.binary add %3, %x : (tensor<?x8xf32, #x>, tensor<?x8xf32, #x>) -> tensor<?x8xf32, #x>
    %m = graph.all_reduce max %2 ranks RANKS : (tensor<?x8xf32, #x>) -> tensor<?x8xf32, #x>
    %a = graph.all_gather %1 axis 1 ranks RANKS : (tensor<?xHALFxf32, #h>) -> tensor<?x16xf32, #a>
    %4 = graph.reduce_scatter sum %2 axis 1 ranks RANKS : (tensor<?x8xf32, #x>) -> tensor<?xFEWxf32, #s>
    %5 = graph.unary exp %4 : (tensor<?xFEWxf32, #s>) -> tensor<?xFEWxf32, #s>
    %e = graph.all_gather %5 axis 1 ranks RANKS : (tensor<?xFEWxf32, #s>) -> tensor<?x8xf32, #x>
    return %y, %m, %a, %e : tensor<?x8xf32, #x>, tensor<?x8xf32, #x>, tensor<?x16xf32, #a>, tensor<?x8xf32, #x>
  }
})";
  text = replaced(text, "RANKS", std::to_string(ranks));
  text = replaced(text, "HALF", std::to_string(kHidden / ranks));
  text = replaced(text, "FEW", std::to_string(kWidth / ranks));
  text = replaced(text, "UP", dense(kWidth, kHidden, 1));
  return replaced(text, "DOWN", dense(kHidden, kWidth, 2));
}

class CompiledRanks : public testing::TestWithParam<int64_t> {
protected:
  CompiledRanks() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    model.module = parse();
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::createUniqueDirectory("kiln-ranks", folder)));
    path = (folder + "/m.kiln").str();
  }
  ~CompiledRanks() override { llvm::sys::fs::remove_directories(folder); }

  OwningOpRef<ModuleOp> parse() {
    return parseSourceString<ModuleOp>(moduleText(GetParam()), &context);
  }
  void compile();
  std::vector<reference::Results> reference(const std::vector<float> &x, int64_t rows);

  MLIRContext context;
  import::ImportedModel model;
  llvm::SmallString<128> folder;
  std::string path;
};
} // namespace

/// Runs the phases after the graph phases (kernels, code and plan), and writes the
/// package.
void CompiledRanks::compile() {
  PassManager pm(&context);
  for (const Phase &phase : getPhases().slice(2, 3))
    phase.addTo(pm, PhaseOptions());
  ASSERT_TRUE(succeeded(pm.run(*model.module)));
  Images images = llvm::cantFail(compileImages(*model.module, "", /*cubin=*/false));
  package::PackageContents contents;
  contents.provenance = "{}";
  contents.plan = package::serializePlan(*model.module,
                                         *model.module->getOps<plan::ProgramOp>().begin(),
                                         images.kernels, images.targets);
  contents.hostImages = std::move(images.hostImages);
  WeightSources sources = makeWeightSources(model, PrecisionPolicy(), nullptr);
  reference::QuantizationErrors errors;
  contents.weights = listWeights(*model.module, sources, errors);
  package::WriteResult failed = package::writePackage(path, contents);
  ASSERT_FALSE(failed) << failed->what;
}

/// Returns the reference's results by rank.
std::vector<reference::Results> CompiledRanks::reference(const std::vector<float> &x,
                                                         int64_t rows) {
  OwningOpRef<ModuleOp> module = parse();
  Tensor input = Tensor::fromDoubles(Float32Type::get(&context), {rows, kWidth},
                                     std::vector<double>(x.begin(), x.end()));
  reference::NoWeights none;
  std::vector<reference::BakedWeights> baked;
  std::vector<reference::WeightSource *> weights;
  baked.reserve(static_cast<size_t>(GetParam()));
  for (int64_t rank = 0; rank < GetParam(); ++rank)
    weights.push_back(&baked.emplace_back(*module, none, rank));
  std::vector<ArrayRef<Tensor>> inputs(weights.size(), ArrayRef(input));
  return llvm::cantFail(reference::evaluateRanks(
      module->lookupSymbol<func::FuncOp>("main"), inputs, {{"n", rows}}, weights));
}

/// Returns the results of one rank with all of the weights: y, hidden and exp.
static std::array<std::vector<double>, 3> whole(const std::vector<float> &x,
                                                int64_t rows) {
  std::vector<float> up = numbers(kWidth * kHidden, 1),
                     down = numbers(kHidden * kWidth, 2);
  std::vector<double> hidden, y, exp;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t j = 0; j < kHidden; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < kWidth; ++k)
        sum += double(x[size_t(row * kWidth + k)]) * up[size_t(k * kHidden + j)];
      hidden.push_back(std::tanh(sum));
    }
    for (int64_t j = 0; j < kWidth; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < kHidden; ++k)
        sum += hidden[size_t(row * kHidden + k)] * 2 * down[size_t(k * kWidth + j)];
      y.push_back(sum + x[size_t(row * kWidth + j)]);
      exp.push_back(std::exp(sum));
    }
  }
  return {y, hidden, exp};
}

INSTANTIATE_TEST_SUITE_P(Ranks, CompiledRanks, testing::Values(2, 4));

TEST_P(CompiledRanks, ComputeWhatTheReferenceDoes) {
  ASSERT_TRUE(model.module);
  ASSERT_NO_FATAL_FAILURE(compile());
  rt::Group group((rt::Model(path)));
  ASSERT_EQ(group.ranks(), uint32_t(GetParam()));
  for (int64_t rows : {1, 8, 3}) {
    std::vector<float> x = numbers(rows * kWidth, rows);
    auto found = group.runAll({{"x", x, {rows, kWidth}}});
    std::vector<reference::Results> expected = reference(x, rows);
    for (size_t rank = 0; rank < found.size(); ++rank)
      for (size_t i = 0; i < found[rank].size(); ++i) {
        EXPECT_EQ(
            0, std::memcmp(found[rank][i].data(), found[0][i].data(), found[0][i].size))
            << "rank " << rank << ", result " << i;
        for (int64_t e = 0; e < expected[rank][i].getNumElements(); ++e)
          ASSERT_NEAR(found[rank][i].as<float>()[e], expected[rank][i].getDouble(e), 1e-5)
              << "rank " << rank << ", result " << i << ", element " << e;
      }
    auto [y, hidden, exp] = whole(x, rows);
    for (auto &[i, values] : {std::pair(0, &y), {2, &hidden}, {3, &exp}})
      for (size_t e = 0; e < values->size(); ++e)
        ASSERT_NEAR(found[0][size_t(i)].as<float>()[e], (*values)[e], 1e-5)
            << "result " << i << ", element " << e;
  }
}

/// The version must make loaders for a single rank refuse the package.
TEST_P(CompiledRanks, PackagesHaveTheVersionOfRanks) {
  ASSERT_NO_FATAL_FAILURE(compile());
  auto file = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)));
  rt::format::Header header;
  std::memcpy(&header, file->getBufferStart(), sizeof header);
  EXPECT_EQ(header.version, rt::format::ranksVersion);
  // Each weight has an offset per rank, and none is shared by all ranks.
  kiln_rank_info info = {};
  rt::check(kiln_model_rank(rt::Model(path).get(), 1, &info));
  EXPECT_EQ(info.replicated_bytes, 0u);
  EXPECT_GE(info.weights_bytes, uint64_t(2 * kWidth * kHidden * 4 / GetParam()));
}
