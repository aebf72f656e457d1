//===- KernelAnalyses.cpp - Cache of kernel analyses ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/KernelAnalyses.h"
#include "kiln/Codegen/Configs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

struct KernelAnalyses::Entry {
  std::once_flag made;
  OwningOpRef<ModuleOp> module; ///< owns the copy of the kernel that the analysis refers
                                ///< to
  std::unique_ptr<KernelAnalysis> analysis;
};

KernelAnalyses::KernelAnalyses() = default;
KernelAnalyses::~KernelAnalyses() = default;

/// Returns the key of a kernel: its fingerprint and the ranges of the symbols, on both of
/// which analyses depend.
static std::string keyOf(graph::KernelOp kernel) {
  std::string key = fingerprint(kernel);
  llvm::raw_string_ostream os(key);
  if (auto module = kernel->getParentOfType<ModuleOp>())
    for (auto symbol : module.getOps<graph::SymbolOp>())
      os << '\n'
         << symbol.getSymName() << ' ' << symbol.getMin() << ' ' << symbol.getMax();
  return key;
}

/// Copies a kernel and the symbols into a module, in a function whose arguments are the
/// kernel's operands.
static graph::KernelOp copyInto(ModuleOp module, graph::KernelOp kernel) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  if (auto from = kernel->getParentOfType<ModuleOp>())
    for (auto symbol : from.getOps<graph::SymbolOp>())
      builder.clone(*symbol);
  auto function =
      func::FuncOp::create(builder, kernel.getLoc(), "kernel",
                           builder.getFunctionType(kernel.getOperandTypes(), {}));
  Block *entry = function.addEntryBlock();
  IRMapping mapping;
  mapping.map(kernel.getOperands(), entry->getArguments());
  builder.setInsertionPointToEnd(entry);
  auto copy = cast<graph::KernelOp>(builder.clone(*kernel, mapping));
  func::ReturnOp::create(builder, kernel.getLoc());
  return copy;
}

KernelAnalyses::Entry &KernelAnalyses::entryOf(StringRef key) {
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Entry> &entry = entries[key];
  if (!entry)
    entry = std::make_unique<Entry>();
  return *entry;
}

const KernelAnalysis &KernelAnalyses::of(graph::KernelOp kernel) {
  Entry &entry = entryOf(keyOf(kernel));
  std::call_once(entry.made, [&] {
    entry.module = ModuleOp::create(kernel.getLoc());
    entry.analysis = analyze(copyInto(*entry.module, kernel));
  });
  return *entry.analysis;
}

size_t KernelAnalyses::size() const {
  std::lock_guard<std::mutex> lock(mutex);
  return entries.size();
}
