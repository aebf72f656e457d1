//===- KernelShell.cpp - Common parts of all emitters ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelShell.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Returns the symbols of every shape in the kernel, sorted by name.
static SmallVector<StringAttr> symbolsOf(graph::KernelOp kernel) {
  SmallVector<StringAttr> symbols;
  auto addAll = [&](ArrayRef<SymbolicExpr> dims) {
    for (const SymbolicExpr &dim : dims)
      llvm::append_range(symbols, dim.getSymbols());
  };
  for (Value argument : kernel.getBlock().getArguments())
    addAll(graph::getDims(argument));
  for (Operation &op : kernel.getBlock()) {
    for (Value result : op.getResults())
      addAll(graph::getDims(result));
    for (NamedAttribute attribute : op.getAttrs())
      if (auto shape = dyn_cast<graph::ShapeAttr>(attribute.getValue()))
        addAll(graph::getDims(shape));
  }
  llvm::sort(symbols,
             [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  symbols.erase(llvm::unique(symbols), symbols.end());
  return symbols;
}

static AffineMap mapOf(const SymbolicExpr &expr, ArrayRef<StringAttr> symbols,
                       MLIRContext *context) {
  return AffineMap::get(0, symbols.size(), expr.toAffine(symbols, context), context);
}

static Type bufferOf(Value tensor) {
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  return tile::BufferType::get(tensor.getContext(), storageType(element));
}

tile::KernelOp kiln::codegen::createShell(OpBuilder &builder, graph::KernelOp kernel,
                                          const SymbolicExpr &tasks,
                                          const SymbolicExpr &scratchBytes,
                                          Attribute config) {
  SmallVector<StringAttr> symbols = symbolsOf(kernel);
  auto names = llvm::map_to_vector(symbols, [](StringAttr s) { return s.getValue(); });
  MLIRContext *context = builder.getContext();
  auto shell = tile::KernelOp::create(
      builder, kernel.getLoc(), kernel.getHero(),
      llvm::map_to_vector(kernel.getBlock().getArguments(), bufferOf),
      llvm::map_to_vector(kernel.getYielded(), bufferOf), names,
      mapOf(tasks, symbols, context), mapOf(scratchBytes, symbols, context),
      kernel.getHero());
  shell.setConfigAttr(config);
  if (ArrayAttr nodes = kernel.getNodesAttr())
    shell.setNodesAttr(nodes);
  return shell;
}

void kiln::codegen::setWorkspace(tile::KernelOp shell, graph::KernelOp kernel,
                                 const SymbolicExpr &bytes, const SymbolicExpr &tickets) {
  SmallVector<StringAttr> symbols = symbolsOf(kernel);
  shell.setWorkspace(mapOf(bytes, symbols, shell.getContext()));
  shell.setTickets(mapOf(tickets, symbols, shell.getContext()));
}

void kiln::codegen::setBounds(tile::KernelOp shell, graph::KernelOp kernel,
                              ArrayRef<std::pair<SymbolicExpr, int64_t>> bounds) {
  MLIRContext *context = shell.getContext();
  SmallVector<Attribute> when;
  for (const auto &[value, max] : bounds) {
    auto map = AffineMapAttr::get(mapOf(value, symbolsOf(kernel), context));
    when.push_back(tile::BoundAttr::get(context, map, max));
  }
  shell.setWhenAttr(ArrayAttr::get(context, when));
}

void kiln::codegen::bindShell(NodeEmitter &emitter, graph::KernelOp kernel,
                              tile::KernelOp shell) {
  for (auto [name, argument] : llvm::zip(symbolsOf(kernel), shell.getSymbolArguments()))
    emitter.bind(name, argument);
  for (auto [argument, buffer] :
       llvm::zip(kernel.getBlock().getArguments(), shell.getOperandBuffers()))
    emitter.memories.push_back({buffer, graph::numElements(graph::getDims(argument))});
}

tile::KernelOp ShellEmitter::fill(tile::KernelOp shell, function_ref<void(Value)> task) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&shell.getBlock());
  bindShell(emitter, kernel, shell);
  for (auto [value, buffer] : llvm::zip(kernel.getYielded(), shell.getResultBuffers()))
    results.push_back({buffer, graph::numElements(graph::getDims(value))});
  task(shell.getTask());
  return shell;
}

Value kiln::codegen::takePosition(OpBuilder &b, Location loc, NodeEmitter &emitter,
                                  Value &number, const SymbolicExpr &extent) {
  if (extent.isConstant(1))
    return emitter.constantIndex(0);
  Value count = emitter.index(extent);
  Value position = b.createOrFold<arith::RemUIOp>(loc, number, count);
  number = b.createOrFold<arith::DivUIOp>(loc, number, count);
  return position;
}

void kiln::codegen::forWhole(OpBuilder &b, Location loc, NodeEmitter &emitter,
                             Value valid, int64_t length,
                             function_ref<void(Value)> body) {
  if (!valid)
    return body({});
  Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, valid,
                                        emitter.constantIndex(length));
  auto branch = [&](Value positions) {
    return [&b, loc, body, positions](OpBuilder &, Location) {
      body(positions);
      scf::YieldOp::create(b, loc);
    };
  };
  scf::IfOp::create(b, loc, isWhole, branch({}), branch(valid));
}

void TaskBuilder::forTeams(Value count, int64_t threads,
                            function_ref<void(Value)> each) {
  auto loop = scf::ForOp::create(b, loc, index(0), count, index(1), ValueRange(),
                                 [&](OpBuilder &, Location, Value number, ValueRange) {
                                   NodeEmitter::Scope scope(emitter);
                                   each(number);
                                   scf::YieldOp::create(b, loc);
                                 });
  loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(threads));
}

void TaskBuilder::storeOutputs(ArrayRef<Output> outputs) {
  SmallVector<Node *> nodes;
  for (const Output &output : outputs)
    nodes.push_back(output.value);
  for (auto [output, value] : llvm::zip(outputs, emitter.fragments(nodes)))
    emitter.store(value, results[output.result], output.address);
}

void TaskBuilder::prefetchStretch(const NodeEmitter::Memory &memory, Value offset,
                                   Value count) {
  constexpr int64_t kLineBytes = 128;
  Type element = cast<tile::BufferType>(memory.buffer.getType()).getElementType();
  int64_t line = kLineBytes / tile::elementBytes(element);
  Value view =
      tile::ViewOp::create(b, loc, memory.buffer, offset, ArrayRef<OpFoldResult>{count},
                           ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  auto one = [&](OpBuilder &, Location, Value at, ValueRange) {
    tile::PrefetchOp::create(b, loc, view, ValueRange{at}, /*locality=*/1);
    scf::YieldOp::create(b, loc);
  };
  auto loop = scf::ForOp::create(b, loc, index(0), count, index(line), ValueRange(), one);
  loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(1));
}

OpFoldResult TaskBuilder::fold(const SymbolicExpr &expr) {
  if (auto constant = expr.getConstant())
    return b.getIndexAttr(*constant);
  return emitter.index(expr);
}
