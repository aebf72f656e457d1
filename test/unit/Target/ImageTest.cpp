//===- ImageTest.cpp - Targets and images ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostHarness.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Target/NVPTX.h"
#include "lib/Target/Host/EmitObject.h"
#include "lib/Target/Host/FlatImage.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "runtime/code/unwind_table.h"

using namespace kiln;
using namespace kiln::test;

TEST(TargetInfo, LevelsNameTheirFeatures) {
  llvm::Expected<TargetInfo> v3 = TargetInfo::get("x86-64-v3"), v4 = TargetInfo::get("x86-64-v4");
  ASSERT_TRUE(static_cast<bool>(v3));
  ASSERT_TRUE(static_cast<bool>(v4));
  EXPECT_TRUE(v3->has("avx2") && v3->has("fma") && !v3->has("avx512f"));
  EXPECT_TRUE(v4->has("avx2") && v4->has("avx512f"));
  EXPECT_EQ(v3->lanes(4), 8);
  EXPECT_EQ(v4->lanes(4), 16);
  EXPECT_TRUE(llvm::is_sorted(v4->features));
}

TEST(TargetInfo, UnknownNameIsACodedError) {
  llvm::Expected<TargetInfo> target = TargetInfo::get("x86-64-v9");
  ASSERT_FALSE(static_cast<bool>(target));
  Diagnosis diagnosis = takeDiagnosis(target.takeError());
  EXPECT_EQ(diagnosis.code, ErrorCode::CompileTargetUnknown);
  EXPECT_EQ(diagnosis.found, "x86-64-v9");
}

static llvm::Error appendModule(llvm::StringRef text, HostImage &image) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  host::prepareEmission(&context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  llvm::SmallString<0> object;
  if (llvm::Error error =
          host::emitObject(*module, llvm::cantFail(TargetInfo::get("x86-64-v3")), "k",
                           /*texts=*/nullptr, object))
    return error;
  return host::appendObject(image, object);
}

TEST(FlatImage, RefusesACall) {
  HostImage image;
  llvm::Error error = appendModule(R"(
    llvm.func @sinf(f32) -> f32
    llvm.func @k(%x: f32) -> f32 {
      %y = llvm.call @sinf(%x) : (f32) -> f32
      llvm.return %y : f32
    })",
                                   image);
  ASSERT_TRUE(static_cast<bool>(error));
  Diagnosis diagnosis = takeDiagnosis(std::move(error));
  EXPECT_EQ(diagnosis.code, ErrorCode::ImageSymbol);
  EXPECT_EQ(diagnosis.found, "'sinf'");
}

TEST(FlatImage, RefusesWritableData) {
  HostImage image;
  llvm::Error error = appendModule(R"(
    llvm.mlir.global external @state(1 : i32) : i32
    llvm.func @k() -> i32 {
      %p = llvm.mlir.addressof @state : !llvm.ptr
      %y = llvm.load volatile %p : !llvm.ptr -> i32
      llvm.return %y : i32
    })",
                                   image);
  ASSERT_TRUE(static_cast<bool>(error));
  EXPECT_EQ(takeDiagnosis(std::move(error)).code, ErrorCode::ImageSymbol);
}

TEST(FlatImage, BytesDoNotDependOnThreads) {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += "tile.kernel @k" + std::to_string(i) + R"(() -> (%y: !tile.buffer<f32>) symbols() task(%t)
        attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
      %c0 = arith.constant 0 : index
      %x = arith.constant )" + std::to_string(i) + R"(.25 : f32
      %e = math.exp %x : f32
      %v = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
      tile.store %e, %v[%c0] : f32, !tile.view<1xf32, [1]>
    }
    )";
  TargetInfo target = llvm::cantFail(TargetInfo::get("x86-64-v3"));
  mlir::MLIRContext many, one(mlir::MLIRContext::Threading::DISABLED);
  auto a = compile(many, text, target), b = compile(one, text, target);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->image.bytes, b->image.bytes);
  ASSERT_EQ(a->image.entries.size(), 6u);
  for (int i = 0; i < 6; ++i) {
    float y = 0;
    void *buffers[] = {&y};
    a->kernel("k" + std::to_string(i))(buffers, nullptr, 0, 1, nullptr);
    EXPECT_NEAR(y, std::exp(i + 0.25f), 1e-4);
  }
}

/// A function that cannot be lowered is an error that names the kernel.
TEST(Host, WhatCannotBeLoweredIsACodedError) {
  mlir::MLIRContext context;
  loadTileDialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    tile.kernel @bad() -> (%y: !tile.buffer<f64>) symbols() task(%t)
        attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
      %c0 = arith.constant 0 : index
      %x = arith.constant 0.5 : f64
      %e = math.atan %x : f64
      %v = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f64> -> !tile.view<1xf64, [1]>
      tile.store %e, %v[%c0] : f64, !tile.view<1xf64, [1]>
    })",
                                                        &context);
  HostImage image;
  std::string seen;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    seen += diagnostic.str();
    return mlir::success();
  });
  llvm::Error error = compileToHostImage(*module, llvm::cantFail(TargetInfo::get("x86-64-v3")), image);
  ASSERT_TRUE(static_cast<bool>(error));
  Diagnosis diagnosis = takeDiagnosis(std::move(error));
  EXPECT_EQ(diagnosis.code, ErrorCode::NotLowerable);
  EXPECT_EQ(diagnosis.where, "kernel 'bad'");
  EXPECT_NE(seen.find("math.atan of f64"), std::string::npos) << seen;
}

static std::string halfKernel(const std::string &name, const std::string &factor) {
  return R"(
    tile.kernel @)" +
         name + R"(() -> (%y: !tile.buffer<f32>) symbols() task(%t)
        attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
      %c0 = arith.constant 0 : index
      %x = arith.constant )" +
         factor + R"( : f32
      %v = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
      tile.store %x, %v[%c0] : f32, !tile.view<1xf32, [1]>
    })";
}

static HostImage imageOf(const std::string &text, llvm::StringRef target, ByteCache *cache) {
  mlir::MLIRContext context;
  loadTileDialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  HostImage image;
  llvm::cantFail(compileToHostImage(*module, llvm::cantFail(TargetInfo::get(target)),
                                    image, {nullptr, cache}));
  return image;
}

/// The cache finds objects by a kernel's code, not its name, and returns the bytes that
/// compiling gives.
TEST(Host, CachedKernelsGiveTheSameImage) {
  ByteCache cache;
  std::string both = halfKernel("first", "0.5") + halfKernel("second", "0.25");
  HostImage expected = imageOf(both, "x86-64-v3", nullptr);
  for (int repeat = 0; repeat < 2; ++repeat) {
    HostImage found = imageOf(both, "x86-64-v3", &cache);
    EXPECT_EQ(found.bytes, expected.bytes);
    ASSERT_EQ(found.entries.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(found.entries[i].name, expected.entries[i].name);
      EXPECT_EQ(found.entries[i].offset, expected.entries[i].offset);
    }
    EXPECT_EQ(cache.size(), 2u);
  }
  HostImage renamed = imageOf(halfKernel("other", "0.25"), "x86-64-v3", &cache);
  EXPECT_EQ(cache.size(), 2u);
  EXPECT_EQ(renamed.entries.front().name, "other");
  EXPECT_EQ(renamed.bytes, imageOf(halfKernel("other", "0.25"), "x86-64-v3", nullptr).bytes);
  imageOf(halfKernel("first", "0.125"), "x86-64-v3", &cache);
  EXPECT_EQ(cache.size(), 3u);
  imageOf(halfKernel("first", "0.5"), "x86-64-v4", &cache); // another target
  EXPECT_EQ(cache.size(), 4u);
}

/// Prefill and decode of a decoder have kernels that differ only in their names.
TEST(Host, EqualKernelsAreOneCode) {
  std::string three = halfKernel("first", "0.5") + halfKernel("other", "0.25") + halfKernel("second", "0.5");
  ByteCache cache;
  for (ByteCache *given : {static_cast<ByteCache *>(nullptr), &cache}) {
    HostImage found = imageOf(three, "x86-64-v3", given);
    ASSERT_EQ(found.entries.size(), 3u);
    EXPECT_EQ(found.entries[0].name, "first");
    EXPECT_EQ(found.entries[1].name, "other");
    EXPECT_EQ(found.entries[2].name, "second");
    EXPECT_EQ(found.entries[0].offset, found.entries[2].offset);
    EXPECT_NE(found.entries[0].offset, found.entries[1].offset);
    HostImage two = imageOf(halfKernel("first", "0.5") + halfKernel("other", "0.25"), "x86-64-v3", nullptr);
    EXPECT_EQ(found.bytes, two.bytes);
  }
}

/// Each function has an unwind record; kernels with equal code share it.
TEST(Host, FunctionsHaveUnwindRecords) {
  std::string three = halfKernel("first", "0.5") + halfKernel("other", "0.25") +
                      halfKernel("second", "0.5");
  HostImage image = imageOf(three, "x86-64-v3", nullptr);
  std::vector<rt::CodeFunction> functions;
  ASSERT_TRUE(
      rt::readUnwindTable(image.unwindTable, image.bytes.size(), 4096, functions));
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].offset, image.entries[0].offset);
  EXPECT_EQ(functions[1].offset, image.entries[1].offset);
  EXPECT_LE(functions[0].offset + functions[0].size, functions[1].offset);
}

/// Each kernel can be found by its own name.
TEST(Ptx, EqualKernelsDifferInTheirNames) {
  mlir::MLIRContext context;
  loadTileDialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      halfKernel("first", "0.5") + halfKernel("other", "0.25") + halfKernel("second", "0.5"), &context);
  for (auto kernel : module->getOps<tile::KernelOp>())
    kernel.setThreads(32);
  std::vector<PtxKernel> kernels;
  llvm::cantFail(compileToPtx(*module, llvm::cantFail(TargetInfo::get("sm_80")), kernels));
  ASSERT_EQ(kernels.size(), 3u);
  auto renamed = [&](size_t i) {
    std::string text = kernels[i].text;
    const std::string &name = kernels[i].name;
    EXPECT_NE(text.find(".entry " + name + "("), std::string::npos) << text;
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;)
      text.replace(at, name.size(), "X");
    return text;
  };
  EXPECT_EQ(renamed(0), renamed(2));
  EXPECT_NE(renamed(0), renamed(1));
}
