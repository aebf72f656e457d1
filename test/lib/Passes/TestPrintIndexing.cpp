//===- TestPrintIndexing.cpp - Index maps as text ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "dialects/Graph/Indexing.h"
#include "mlir/Pass/Pass.h"

using namespace kiln::graph;
using namespace mlir;

static std::string spellData(const DataVariable &variable, const OperandRead &read) {
  std::string text = variable.name.str() + " = operand " + std::to_string(read.operand) +
                     " " + printDims(read.at);
  if (variable.rule != DataVariable::Rule::Plain)
    text += variable.rule == DataVariable::Rule::Clamped ? " clamped" : " wrapped";
  return text;
}

static void printRead(const OperandRead &read) {
  llvm::outs() << "  operand " << read.operand << " " << printDims(read.at);
  for (const auto &[index, first, end] : read.conditions)
    llvm::outs() << (&index == &read.conditions.front().index ? " where " : ", ")
                 << first.str() << " <= " << index.str() << " < " << end.str();
  llvm::outs() << (read.isIndex ? " index\n" : "\n");
}

/// Prints "graph.softmax [%d0, %d1] reduces %r0 < 8", and a line per data variable and
/// per read.
static void printMaps(Operation *op, OpIndexing &indexing) {
  llvm::outs() << op->getName() << " " << printDims(indexing->places());
  for (StringAttr name : indexing->reductions())
    llvm::outs() << (name == indexing->reductions().front() ? " reduces " : ", ")
                 << name.getValue() << " < " << indexing.vars().extentOf(name).str();
  llvm::outs() << (indexing->moves() ? " moves\n" : "\n");
  for (const DataVariable &variable : indexing->data())
    llvm::outs() << "  " << spellData(variable, indexing->reads()[variable.read]) << "\n";
  for (const SymbolicExpr &index : indexing->dependsOn())
    llvm::outs() << "  depends on " << index.str() << "\n";
  llvm::for_each(indexing->reads(), printRead);
}

namespace {
struct PrintIndexing : public PassWrapper<PrintIndexing, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintIndexing)

  StringRef getArgument() const final { return "kiln-test-print-indexing"; }
  StringRef getDescription() const final {
    return "Print which elements of its operands every op reads";
  }

  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      llvm::outs() << "@" << function.getName() << "\n";
      function.walk<WalkOrder::PreOrder>([](Operation *op) {
        if (OpIndexing indexing(op); indexing)
          printMaps(op, indexing);
      });
    }
  }
};
} // namespace

void kiln::test::registerPrintIndexing() { PassRegistration<PrintIndexing>(); }
