//===- TileRuns.cpp - Kernels of a package on the tile interpreter --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileRuns.h"
#include "Models.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Interpreter/TileEvaluator.h"
#include "kiln/Pipeline/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::test;
using tuning::KernelCheck;

struct TileRuns::Kernels {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<graph::KernelOp> list; ///< in the order of their launches

  explicit Kernels(const std::string &text) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    for (auto kernel :
         module->lookupSymbol<mlir::func::FuncOp>("main").getOps<graph::KernelOp>())
      list.push_back(kernel);
  }
};

TileRuns::TileRuns(kiln_model *model, std::vector<std::string> targets,
                   const SymbolValues &symbols)
    : model(model), targets(std::move(targets)), symbols(symbols),
      graph(valueOf(execution::graphOf(model))),
      check(model, graph, symbols, std::nullopt),
      kernels(std::make_unique<Kernels>(valueOf(execution::graphTextOf(model)))) {}

TileRuns::~TileRuns() = default;

void TileRuns::observe(void *self, size_t step, int after, const kiln_buffer_view *reads,
                       size_t readCount, const kiln_buffer_view *writes,
                       size_t writeCount) {
  auto *runs = static_cast<TileRuns *>(self);
  bool launches = execution::launchesKernel(*kiln_model_step(runs->model, step));
  // Interpret before the step runs, as it may overwrite its operands.
  if (!after && launches)
    runs->interpret(step, {reads, readCount}, {writes, writeCount});
  if (after && launches)
    runs->compareBits({writes, writeCount});
}

/// Returns true if a kernel multiplies and adds, and calls no function.
static bool hasExactBits(graph::KernelOp kernel) {
  bool multiplies = false;
  bool isExact = true;
  for (mlir::Operation &op : kernel.getBlock()) {
    multiplies |= mlir::isa<graph::MatmulOp, graph::ScaledMatmulOp>(op);
    auto unary = mlir::dyn_cast<graph::UnaryOp>(op);
    isExact &= !unary || unary.getKind() == graph::UnaryKind::relu;
  }
  return multiplies && isExact;
}

void TileRuns::compareBits(Views writes) {
  graph::KernelOp kernel = kernels->list[launched - 1];
  if (!hasExactBits(kernel))
    return;
  ++compared;
  ASSERT_EQ(interpreted.size(), writes.size());
  for (auto [expected, view] : llvm::zip(interpreted, writes))
    EXPECT_EQ(std::memcmp(view.data, expected.data(), expected.size()), 0)
        << "the bits are not those of the tile interpreter";
}

void TileRuns::interpret(size_t step, Views reads, Views writes) {
  for (const std::string &target : targets) {
    SCOPED_TRACE("interpreted for " + target);
    interpretFor(target, step, reads, writes);
  }
  ++launched;
}

/// Returns views of copies, so that the run's own buffers do not change.
static std::vector<kiln_buffer_view> copied(llvm::ArrayRef<kiln_buffer_view> views,
                                            std::vector<std::vector<char>> &memory) {
  std::vector<kiln_buffer_view> copies(views.begin(), views.end());
  for (kiln_buffer_view &view : copies) {
    char *data = static_cast<char *>(view.data);
    memory.emplace_back(data, data + view.bytes);
    view.data = memory.back().data();
  }
  return copies;
}

void TileRuns::interpretFor(const std::string &target, size_t step, Views reads,
                            Views writes) {
  std::vector<std::vector<char>> memory;
  memory.reserve(reads.size() + writes.size());
  std::vector<kiln_buffer_view> operands = copied(reads, memory);
  std::vector<kiln_buffer_view> results = copied(writes, memory);
  std::vector<interpreter::Buffer> buffers;
  for (std::vector<char> &bytes : memory)
    buffers.push_back({bytes.data(), static_cast<int64_t>(bytes.size()), {}});

  auto emitted = mlir::OwningOpRef<mlir::ModuleOp>(
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&kernels->context)));
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(emitted->getBody());
  mlir::FailureOr<tile::KernelOp> program = codegen::emitKernel(
      kernels->list[launched], valueOf(TargetInfo::get(target)), builder);
  ASSERT_TRUE(mlir::succeeded(program));
  std::vector<int64_t> values;
  for (llvm::StringRef name : program->getSymbols().getAsValueRange<mlir::StringAttr>())
    values.push_back(symbols.at(name.str()));
  KernelCheck::observe(&check, step, 0, operands.data(), operands.size(), results.data(),
                       results.size());
  llvm::Expected<interpreter::Report> report =
      interpreter::evaluateKernel(*program, buffers, values);
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  for (int64_t unwritten : report->unwritten)
    EXPECT_EQ(unwritten, 0);
  KernelCheck::observe(&check, step, 1, operands.data(), operands.size(), results.data(),
                       results.size());
  if (target == targets.front())
    interpreted.assign(memory.begin() + reads.size(), memory.end());
}

void TileRuns::expectRight() {
  EXPECT_EQ(messageOf(check.takeError()), "");
  EXPECT_EQ(check.results().size(), graph.kernelCount() * targets.size());
  for (const KernelCheck::StepResult &result : check.results())
    EXPECT_TRUE(result.passed) << "step " << result.step
                               << ": the tile interpreter is off by " << result.error
                               << ", allowed is " << result.tolerance;
}
