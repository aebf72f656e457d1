//===- CompileCacheTest.cpp -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace kiln;

namespace {
/// Returns [32, 4] values that depend on the seed.
std::string numbers(unsigned seed) {
  std::string text;
  for (unsigned i = 0; i < 128; ++i)
    text += (i ? ", " : "") + std::to_string(int((i * 37 + seed * 11) % 64) - 32);
  return text;
}

/// Returns a model of two matmuls, whose weights have these seeds.
std::string modelText(unsigned first, unsigned second) {
  return R"(<ir_version: 8, opset_import: ["" : 17]>
two (float[batch, 32] x) => (float[batch, 4] y, float[batch, 4] z)
<float[32, 4] v = {)" +
         numbers(first) + "}, float[32, 4] w = {" + numbers(second) + R"(}>
{ y = MatMul(x, v)
  a = Abs(x)
  z = MatMul(a, w) }
)";
}

class CompileCacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-compile-cache", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// Returns the bytes of a compiled package.
  std::string compiled(const std::string &model, const std::string &precision,
                       std::shared_ptr<CompileCache> cache) {
    CompileOptions options;
    options.input = (folder + "/m.onnxtxt").str();
    options.output = (folder + "/m.kiln").str();
    options.targets.names = {"x86-64-v3"};
    options.precision.precision = precision;
    options.cache = std::move(cache);
    std::error_code error;
    llvm::raw_fd_ostream(options.input, error) << model;
    CompileReport report;
    llvm::cantFail(compile(options, report));
    return llvm::cantFail(
               llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(options.output)))
        ->getBuffer()
        .str();
  }

  llvm::SmallString<128> folder;
};

TEST_F(CompileCacheTest, PackagesAreThoseWithoutACache) {
  auto cache = std::make_shared<CompileCache>();
  std::string expected = compiled(modelText(1, 2), "int4", nullptr);
  EXPECT_EQ(compiled(modelText(1, 2), "int4", cache), expected);
  size_t weights = cache->weights.size(), kernels = cache->kernels.size();
  EXPECT_GE(weights, 2u);
  EXPECT_GE(kernels, 1u);
  EXPECT_EQ(compiled(modelText(1, 2), "int4", cache), expected);
  EXPECT_EQ(cache->weights.size(), weights);
  EXPECT_EQ(cache->kernels.size(), kernels);
}

TEST_F(CompileCacheTest, WeightsAreFoundByTheirBytes) {
  auto cache = std::make_shared<CompileCache>();
  compiled(modelText(1, 2), "int4", cache);
  size_t weights = cache->weights.size(), kernels = cache->kernels.size();
  // The same weights in the other order are found in the cache; new ones are not.
  EXPECT_EQ(compiled(modelText(2, 1), "int4", cache),
            compiled(modelText(2, 1), "int4", nullptr));
  EXPECT_EQ(cache->weights.size(), weights);
  EXPECT_EQ(compiled(modelText(1, 3), "int4", cache),
            compiled(modelText(1, 3), "int4", nullptr));
  EXPECT_GT(cache->weights.size(), weights);
  EXPECT_EQ(cache->kernels.size(), kernels);
  weights = cache->weights.size();
  EXPECT_EQ(compiled(modelText(1, 2), "mxfp4", cache),
            compiled(modelText(1, 2), "mxfp4", nullptr));
  EXPECT_GT(cache->weights.size(), weights);
  // Weights that are not quantized are not cached.
  weights = cache->weights.size();
  compiled(modelText(1, 2), "f32", cache);
  EXPECT_EQ(cache->weights.size(), weights);
}
} // namespace
