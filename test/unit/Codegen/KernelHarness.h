//===- KernelHarness.h - Emit graph kernels and run them --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the text of a module with one graph.kernel to a function that runs it over all
// its tasks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_CODEGEN_KERNELHARNESS_H
#define KILN_TEST_UNIT_CODEGEN_KERNELHARNESS_H

#include "../Target/HostHarness.h"
#include "dialects/Graph/Graph.h"

#include <random>
#include <vector>

namespace kiln::test {

using Emit = llvm::function_ref<mlir::FailureOr<tile::KernelOp>(
    graph::KernelOp, const TargetInfo &, mlir::OpBuilder &)>;

inline int64_t evaluate(mlir::AffineMap map, llvm::ArrayRef<int64_t> symbols) {
  llvm::SmallVector<mlir::Attribute> operands, results;
  mlir::Builder builder(map.getContext());
  for (int64_t value : symbols)
    operands.push_back(builder.getIndexAttr(value));
  if (mlir::failed(map.constantFold(operands, results)))
    return -1;
  return mlir::cast<mlir::IntegerAttr>(results[0]).getInt();
}

/// One kernel of the tile dialect and its compiled code.
struct BuiltKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tile::KernelOp kernel;
  std::unique_ptr<LoadedImage> image;
  std::vector<char> scratch;

  /// Runs tasks [0, grid) at once or, with `cuts`, in several parts.
  void run(std::vector<void *> buffers, std::vector<int64_t> symbols, int64_t cuts = 1) {
    int64_t tasks = evaluate(kernel.getGrid(), symbols);
    int64_t bytes = evaluate(kernel.getScratch(), symbols);
    ASSERT_GE(tasks, 0);
    ASSERT_GE(bytes, 0);
    scratch.assign(bytes + 128, 0x55); // fill scratch with garbage
    auto address = (reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64;
    kiln_host_kernel function = image->kernel(kernel.getSymName());
    for (int64_t part = 0; part < cuts; ++part)
      function(buffers.data(), symbols.data(), tasks * part / cuts, tasks * (part + 1) / cuts,
               reinterpret_cast<void *>(address));
    for (size_t i = address - reinterpret_cast<uintptr_t>(scratch.data()) + bytes;
         i < scratch.size(); ++i)
      ASSERT_EQ(scratch[i], 0x55) << "wrote past its scratch of " << bytes << " bytes";
  }
};

inline graph::KernelOp findKernel(mlir::ModuleOp module) {
  graph::KernelOp found;
  module.walk([&](graph::KernelOp kernel) { found = kernel; });
  return found;
}

inline mlir::OwningOpRef<mlir::ModuleOp> parseGraph(mlir::MLIRContext &context,
                                                    llvm::StringRef text) {
  loadTileDialects(context);
  context.loadDialect<graph::GraphDialect>();
  return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
}

/// Builds a kernel; null, with a test failure recorded, if a step fails.
inline std::unique_ptr<BuiltKernel> buildKernel(mlir::MLIRContext &context,
                                                llvm::StringRef text, const TargetInfo &target,
                                                Emit emit) {
  auto source = parseGraph(context, text);
  if (!source) {
    ADD_FAILURE() << "the graph cannot be parsed:\n" << text.str();
    return nullptr;
  }
  auto built = std::make_unique<BuiltKernel>();
  built->module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(built->module->getBody());
  mlir::FailureOr<tile::KernelOp> kernel = emit(findKernel(*source), target, builder);
  if (mlir::failed(kernel)) {
    ADD_FAILURE() << "the kernel is not emitted";
    return nullptr;
  }
  built->kernel = *kernel;
  if (std::getenv("KILN_TEST_DUMP"))
    built->module->dump();
  if (mlir::failed(built->module->verify())) {
    ADD_FAILURE() << "the tile program is not valid";
    return nullptr;
  }
  built->image = compile(*built->module, target);
  return built->image ? std::move(built) : nullptr;
}

inline std::vector<float> randomFloats(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> distribution(-1.f, 1.f);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(engine);
  return values;
}

} // namespace kiln::test

#endif // KILN_TEST_UNIT_CODEGEN_KERNELHARNESS_H
