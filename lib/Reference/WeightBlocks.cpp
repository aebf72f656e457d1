//===- WeightBlocks.cpp - Computes weights block by block -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/WeightBlocks.h"
#include "BoxEvaluator.h"
#include "llvm/ADT/SetVector.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

std::vector<Box> reference::contiguousBoxes(ArrayRef<int64_t> shape, int64_t elements) {
  if (countElements(shape) == 0)
    return {};
  Shape strides = stridesOf(shape);
  // The first dim for which its stride in elements fits: a box is a range of this dim,
  // one index of the dims before it, and all of the dims after it.
  size_t dim = 0;
  while (dim + 1 < shape.size() && strides[dim] > elements)
    ++dim;
  if (shape.empty())
    return {Box()};
  int64_t step = std::max<int64_t>(elements / strides[dim], 1);
  int64_t outer = *countElements(shape.take_front(dim));
  std::vector<Box> boxes;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t at = 0; at < shape[dim]; at += step) {
      Box box{Shape(shape.size(), 0), Shape(shape)};
      for (size_t d = dim, rest = i; d-- > 0; rest /= shape[d]) {
        box.begin[d] = rest % shape[d];
        box.size[d] = 1;
      }
      box.begin[dim] = at;
      box.size[dim] = std::min(step, shape[dim] - at);
      boxes.push_back(std::move(box));
    }
  return boxes;
}

WeightBlocks::WeightBlocks(Tensor tensor)
    : whole(std::move(tensor)), shape(whole.getShape()),
      elementType(whole.getElementType()) {}

/// Returns the value from the cache, or computes it.
static llvm::Expected<Tensor> keptValue(Value value, WeightSource &weights,
                                        const Options &options) {
  if (!options.kept || !value.getDefiningOp<QuantizeWeightOp>())
    return valueOf(value, weights, options);
  if (auto found = options.kept->find(value); found != options.kept->end())
    return found->second;
  llvm::Expected<Tensor> made = valueOf(value, weights, options);
  if (made)
    options.kept->try_emplace(value, *made);
  return made;
}

/// Opens a leaf as blocks too: it may be a part of another weight, or baked itself.
static llvm::Expected<WeightBlocks> openLeaf(Value value, WeightSource &weights,
                                             const Options &options) {
  if (auto get = value.getDefiningOp<GetWeightOp>())
    if (auto weight =
            SymbolTable::lookupNearestSymbolFrom<WeightOp>(get, get.getWeightAttr()))
      return weights.openBlocks(weight);
  llvm::Expected<Tensor> tensor = keptValue(value, weights, options);
  if (!tensor)
    return tensor.takeError();
  return WeightBlocks(*tensor);
}

/// Finds the leaves that boxes of `value` are computed from.
llvm::Error WeightBlocks::resolve(Value value, WeightSource &weights) {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    Operation *op = needed[i].getDefiningOp();
    if (op && worksByBox(op)) {
      needed.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    llvm::Expected<WeightBlocks> leaf = openLeaf(needed[i], weights, options);
    if (!leaf)
      return leaf.takeError();
    if (!isa_and_nonnull<GetWeightOp, ConstantOp>(op))
      wholeBytes += leaf->whole.getNumElements() * leaf->whole.getElementBytes();
    wholeBytes += leaf->wholeBytes;
    leaves[needed[i]] = std::make_shared<WeightBlocks>(std::move(*leaf));
  }
  return llvm::Error::success();
}

/// Boxes are computed by recursion, so long chains of ops are evaluated as entire
/// tensors.
static bool isSmallTree(Value value) {
  constexpr size_t kMaxOps = 256;
  llvm::SetVector<Operation *> ops;
  if (Operation *op = value.getDefiningOp())
    ops.insert(op);
  for (size_t i = 0; i < ops.size() && ops.size() <= kMaxOps; ++i)
    for (Value operand : ops[i]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        ops.insert(op);
  return ops.size() <= kMaxOps;
}

llvm::Expected<WeightBlocks> WeightBlocks::open(Value value, WeightSource &weights,
                                                const Options &options) {
  if (!isSmallTree(value)) {
    llvm::Expected<Tensor> tensor = valueOf(value, weights, options);
    if (!tensor)
      return tensor.takeError();
    WeightBlocks blocks(*tensor);
    blocks.wholeBytes = tensor->getNumElements() * tensor->getElementBytes();
    return blocks;
  }
  WeightBlocks blocks;
  auto type = cast<RankedTensorType>(value.getType());
  blocks.value = value;
  blocks.shape.assign(type.getShape().begin(), type.getShape().end());
  blocks.elementType = type.getElementType();
  blocks.options = options;
  if (llvm::Error error = blocks.resolve(value, weights))
    return std::move(error);
  return blocks;
}

WeightBlocks WeightBlocks::part(const Box &box) const {
  WeightBlocks blocks = *this;
  blocks.shape = box.size;
  blocks.origin = box.begin;
  for (size_t dim = 0; dim < origin.size(); ++dim)
    blocks.origin[dim] += origin[dim];
  return blocks;
}

llvm::Expected<BoxView> WeightBlocks::view(const Box &asked) const {
  Box box = asked;
  for (size_t dim = 0; dim < origin.size(); ++dim)
    box.begin[dim] += origin[dim];
  if (value)
    return BoxEvaluator(leaves, options).get(value, box);
  // A tensor with one element may represent a splat.
  if (whole.getNumElements() == 1)
    return BoxView{whole, 0, box.size, Shape(box.size.size(), 0)};
  return partOf(whole, box);
}

llvm::Expected<Tensor> WeightBlocks::get(const Box &box) const {
  llvm::Expected<BoxView> own = view(box);
  if (!own)
    return own.takeError();
  return own->contiguous().rounded();
}
