//===- Program.cpp - Program of an attention kernel -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "../Blocks.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static graph::AttentionOp findAttention(graph::KernelOp kernel, std::string &why) {
  graph::AttentionOp found;
  for (auto attention : kernel.getBlock().getOps<graph::AttentionOp>()) {
    if (found)
      why = "the kernel has more than one attention";
    found = attention;
  }
  if (!found)
    why = "the kernel has no attention";
  return why.empty() ? found : graph::AttentionOp();
}

bool AttentionProgram::fitsTensorCores() const {
  Type operand = query->storage;
  return (operand.isF16() || operand.isBF16()) && operand == keys->storage &&
         operand == values->storage && accumulator.isF32();
}

std::optional<tile::DotProduct>
AttentionProgram::dotProduct(const TargetInfo &target) const {
  if (!fitsTensorCores() || !query->storage.isBF16())
    return std::nullopt;
  return bf16DotProduct(target);
}

bool AttentionProgram::isLinear(const SymbolicExpr &address) {
  for (const Loop *loop : {&batch, &keyHead, &outer, &row, &key, &depth, &column})
    if (!coefficientOf(address, loop->var)) {
      body.why = "a view of an operand or a result is not strided: " + address.str();
      return false;
    }
  return true;
}

bool AttentionProgram::pullOperands(const Indices &lead, const SymbolicExpr &position,
                                    const Indices &keyLead) {
  auto pull = [&](Value operand, const Indices &from, const SymbolicExpr &first,
                  const Loop &second, StringRef role) -> Node * {
    Indices indices = from;
    indices.push_back(first);
    indices.push_back(indexOf(second));
    Node *node = pullOperand(body, operand, indices, role);
    return node && isLinear(node->index) ? node : nullptr;
  };
  query = pull(op.getQuery(), lead, position, depth, "query");
  keys = query ? pull(op.getKey(), keyLead, indexOf(key), depth, "key") : nullptr;
  values = keys ? pull(op.getValue(), keyLead, indexOf(key), column, "value") : nullptr;
  if (values && op.getKeyScales()) {
    Indices rows = keyLead;
    rows.push_back(indexOf(key));
    codes = cast<RankedTensorType>(op.getKey().getType()).getElementType();
    keyScales = body.pull(op.getKeyScales(), rows);
    valueScales = keyScales ? body.pull(op.getValueScales(), rows) : nullptr;
    if (!valueScales)
      return false;
  }
  if (values && op.getLengths()) {
    lengths = pullOperand(body, op.getLengths(), {lead.front()}, "lengths");
    if (!lengths)
      return false;
  }
  if (values && op.getSinks()) {
    sinks = body.pull(op.getSinks(), {lead.back()});
    if (!sinks)
      return false;
  }
  if (!values || !op.getMask())
    return values != nullptr;
  Indices scores = lead;
  scores.push_back(position);
  scores.push_back(indexOf(key));
  auto pullPerScore = [&](Value operand) {
    return body.pull(operand, broadcastPlaces(scores, graph::getDims(operand)));
  };
  mask = pullPerScore(op.getMask());
  if (!mask || !op.getKeep())
    return mask != nullptr;
  keep = pullPerScore(op.getKeep());
  return keep != nullptr;
}

/// Adds the log-sum-exp as an output without a node: the epilogue computes it from
/// maximum and sum.
bool AttentionProgram::addLse(unsigned result, const Indices &row) {
  SymbolicExpr address = IndexVars::linearize(row, graph::getDims(lse.getResult()));
  lseOutputs.push_back({nullptr, result, address});
  return isLinear(address);
}

bool AttentionProgram::addOutputs(graph::KernelOp kernel, const Indices &indices) {
  for (auto [i, value] : llvm::enumerate(kernel.getYielded())) {
    if (lse && value == lse.getResult()) {
      if (!addLse(i, Indices(ArrayRef(indices).drop_back())))
        return false;
      continue;
    }
    std::optional<Indices> at =
        forwardIndices(body, op.getResult(), indices, value, body.why);
    Node *node = at ? body.pull(value, *at) : nullptr;
    if (!node)
      return false;
    SymbolicExpr address = IndexVars::linearize(*at, graph::getDims(value));
    if (!isLinear(address))
      return false;
    outputs.push_back({node, unsigned(i), address});
  }
  return true;
}

bool AttentionProgram::analyze(graph::KernelOp kernel) {
  graph::Dims q = graph::getDims(op.getQuery()), k = graph::getDims(op.getKey()),
              v = graph::getDims(op.getValue());
  auto loop = [&](const SymbolicExpr &extent) {
    return Loop{body.vars.addLoop(extent), extent};
  };
  SymbolicExpr group = q[1].floorDiv(k[1]); // an exact division of constants
  batch = loop(q[0]);
  keyHead = loop(k[1]);
  outer = loop(group);
  row = loop(q[2]);
  key = loop(k[2]);
  depth = loop(q[3]);
  column = loop(v[3]);
  accumulator = computeType(cast<RankedTensorType>(op.getType()).getElementType());
  SymbolicExpr head = indexOf(keyHead) * group + indexOf(outer);
  Indices lead{indexOf(batch), head};
  if (!pullOperands(lead, indexOf(row), {indexOf(batch), indexOf(keyHead)}))
    return false;
  product = body.bound(accumulator);
  Indices indices = lead;
  indices.push_back(indexOf(row));
  indices.push_back(indexOf(column));
  body.define(op.getResult(), indices, product);
  return addOutputs(kernel, indices);
}

std::unique_ptr<AttentionProgram> AttentionProgram::build(graph::KernelOp kernel,
                                                          std::string &why) {
  graph::AttentionOp op = findAttention(kernel, why);
  if (!op)
    return nullptr;
  graph::AttentionLseOp lse = graph::lseOf(op);
  for (auto other : kernel.getBlock().getOps<graph::AttentionLseOp>())
    if (other != lse) {
      why = "the kernel has a log-sum-exp that is not that of its attention";
      return nullptr;
    }
  if (!kernel.getBlock().getOps<graph::MatmulOp>().empty()) {
    why = "the kernel has a matmul beside its attention";
    return nullptr;
  }
  std::unique_ptr<AttentionProgram> program(new AttentionProgram(kernel.getBlock()));
  program->op = op;
  program->lse = lse;
  if (program->analyze(kernel))
    return program;
  why = program->body.why;
  return nullptr;
}
