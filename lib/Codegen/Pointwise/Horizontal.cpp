//===- Horizontal.cpp - Independent results in one kernel -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Horizontal.h"
#include "../Expression/KernelShell.h"
#include "Problem.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

bool kiln::codegen::isHorizontal(graph::KernelOp kernel) {
  auto values = kernel.getYielded();
  return values.size() > 1 && llvm::any_of(values, [](Value value) {
           return value.getDefiningOp<graph::KvWriteOp>() != nullptr;
         });
}

std::unique_ptr<Horizontal> Horizontal::build(graph::KernelOp kernel, std::string &why,
                                              bool splits) {
  std::unique_ptr<Horizontal> result(new Horizontal);
  for (unsigned i = 0; i < kernel.getYielded().size(); ++i) {
    std::unique_ptr<Program> program = Program::buildResult(kernel, i, why, splits);
    if (!program)
      return nullptr;
    result->programs.push_back(std::move(program));
  }
  return result;
}

SmallVector<tile::PointwiseConfigAttr>
Horizontal::configs(MLIRContext *context, const TargetInfo &target) const {
  // Rows of one element, such as scales of a cache, are few compared to the others; they
  // must not determine the config.
  auto length = [](const PointwiseProblem &problem) {
    return problem.inner == 1 ? INT64_MAX : problem.inner.value_or(INT64_MAX - 1);
  };
  std::optional<PointwiseProblem> shortest;
  for (const auto &program : programs) {
    PointwiseProblem problem = problemOf(*program);
    if (!shortest || length(problem) < length(*shortest))
      shortest = problem;
  }
  return rankPointwiseConfigs(context, *shortest, target);
}

bool Horizontal::dividesLastDim() const {
  return llvm::any_of(programs,
                      [](const auto &program) { return program->dividesLastDim; });
}

namespace {
/// Emits the branches that dispatch a task number to the result that owns it.
class Branches {
public:
  Branches(OpBuilder &b, tile::KernelOp shell,
           ArrayRef<std::unique_ptr<KernelEmitter>> parts)
      : b(b), shell(shell), parts(parts) {}

  void emit(Value task, size_t first = 0) {
    KernelEmitter &part = *parts[first];
    part.open(shell);
    if (first + 1 == parts.size())
      return part.emitTask(task);
    Location loc = shell.getLoc();
    Value count = part.index(part.taskCount());
    Value isOwn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, task, count);
    auto own = [&](OpBuilder &, Location) {
      part.emitTask(task);
      scf::YieldOp::create(b, loc);
    };
    auto others = [&](OpBuilder &, Location) {
      emit(arith::SubIOp::create(b, loc, task, count), first + 1);
      scf::YieldOp::create(b, loc);
    };
    scf::IfOp::create(b, loc, isOwn, own, others);
  }

private:
  OpBuilder &b;
  tile::KernelOp shell;
  ArrayRef<std::unique_ptr<KernelEmitter>> parts;
};
} // namespace

tile::KernelOp Horizontal::emit(graph::KernelOp kernel, OpBuilder &builder,
                                tile::PointwiseConfigAttr config) const {
  std::vector<std::unique_ptr<Program>> own; // copies, because emitters add nodes
  std::vector<std::unique_ptr<KernelEmitter>> parts;
  SymbolicExpr count;
  for (const auto &program : programs) {
    own.push_back(std::make_unique<Program>(*program));
    parts.push_back(
        std::make_unique<KernelEmitter>(builder, kernel, *own.back(), config));
    count += parts.back()->taskCount();
  }
  tile::KernelOp shell =
      createShell(builder, kernel, count, /*scratchBytes=*/SymbolicExpr(0), config);
  if (config.getThreads())
    shell.setThreads(config.getThreads());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&shell.getBlock());
  Branches(builder, shell, parts).emit(shell.getTask());
  return shell;
}
