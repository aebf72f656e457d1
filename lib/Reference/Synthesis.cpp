//===- Synthesis.cpp - Synthetic dims, inputs and weights -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/Synthesis.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <limits>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Returns pseudorandom bits (splitmix64), deterministic for a key and an index.
static uint64_t bitsAt(uint64_t key, uint64_t index) {
  uint64_t x = key + index * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Returns a value in [-1, 1), a multiple of 2^-20, which every float type except the
/// narrowest represents exactly.
static double uniformAt(uint64_t key, uint64_t index) {
  return static_cast<double>(bitsAt(key, index) >> 43) / (1 << 20) - 1;
}

static double floatAt(uint64_t key, uint64_t index, Flavour flavour) {
  double plain = 2 * uniformAt(key, index);
  uint64_t choice = bitsAt(~key, index) % 32;
  // Few values, so that most rows have different means and maxima.
  static constexpr double kEdges[] = {0.0, -0.0, 0.5, -2.5, 1e-30, 30, -30, 1000};
  static constexpr double kNonFinite[] = {std::numeric_limits<double>::quiet_NaN(),
                                          std::numeric_limits<double>::infinity(),
                                          -std::numeric_limits<double>::infinity()};
  if (flavour == Flavour::Adversarial && choice < std::size(kEdges))
    return kEdges[choice];
  if (flavour == Flavour::NonFinite && choice < std::size(kNonFinite))
    return kNonFinite[choice];
  return plain;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

Symbols reference::chooseSymbols(ModuleOp module, int64_t first) {
  Symbols symbols;
  for (auto symbol : module.getOps<SymbolOp>()) {
    int64_t min = symbol.getMin(), max = symbol.getMax();
    symbols.set(symbol.getSymName(), std::clamp(first++, min, max));
  }
  return symbols;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Adds the values that a use passes its operand on to: a kernel's argument, or a result.
static void followUse(OpOperand &use, SetVector<Value> &values) {
  Operation *user = use.getOwner();
  if (auto kernel = dyn_cast<graph::KernelOp>(user))
    values.insert(kernel.getBlock().getArgument(use.getOperandNumber()));
  else if (isa<CastOp, ConcatOp>(user) || isView(user))
    values.insert(user->getResult(0));
}

std::optional<int64_t> reference::tableSize(Value value, const Symbols &symbols) {
  std::optional<int64_t> smallest;
  SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      followUse(use, values);
      std::optional<SymbolicExpr> indexed = indexedDim(use);
      if (!indexed)
        continue;
      std::optional<int64_t> extent = symbols.evaluate(*indexed);
      if (extent && (!smallest || *extent < *smallest))
        smallest = extent;
    }
  return smallest;
}

/// Returns an element of a mask whose rows keep nothing, everything, or all but padding
/// at the end or at the start.
static int64_t maskAt(uint64_t key, size_t row, size_t column, size_t width) {
  uint64_t bits = bitsAt(~key, row), border = bits / 4 % width;
  switch (bits % 4) {
  case 0:
    return 0;
  case 1:
    return 1;
  case 2:
    return column < border;
  default:
    return column >= border;
  }
}

static Tensor makeInput(BlockArgument argument, const Shape &shape, const Symbols &symbols,
                        uint64_t key, Flavour flavour) {
  Type type = cast<RankedTensorType>(argument.getType()).getElementType();
  size_t count = *countElements(shape);
  if (isa<FloatType>(type)) {
    std::vector<double> values(count);
    for (auto [i, value] : llvm::enumerate(values))
      value = floatAt(key, i, flavour);
    return Tensor::fromDoubles(type, shape, values).rounded();
  }
  std::optional<int64_t> rows = tableSize(argument, symbols);
  size_t width = shape.empty() ? 1 : std::max<int64_t>(shape.back(), 1);
  std::vector<int64_t> values(count);
  for (auto [i, value] : llvm::enumerate(values))
    if (rows)
      value = bitsAt(key, i) % std::max<int64_t>(*rows, 1);
    else if (flavour == Flavour::Masked)
      value = maskAt(key, i / width, i % width, width);
    else // 1 is more frequent: masks keep most of a row
      value = bitsAt(key, i) % 4 != 0;
  return Tensor::fromInts(type, shape, values);
}

llvm::Expected<SmallVector<Tensor>> reference::makeInputs(func::FuncOp main,
                                                          const Symbols &symbols,
                                                          uint64_t seed, Flavour flavour) {
  SmallVector<Tensor> inputs;
  for (BlockArgument argument : main.getArguments()) {
    llvm::Expected<Shape> shape = shapeOf(argument.getType(), symbols);
    if (!shape)
      return shape.takeError();
    uint64_t key = bitsAt(seed + 1, argument.getArgNumber());
    inputs.push_back(makeInput(argument, *shape, symbols, key, flavour));
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Maximum size of weights that are read from files: scalars, position tables, masks.
static constexpr int64_t kReadBytes = 64 << 10;

/// Returns a seed that is the same for weights with the same bytes, so that passes may
/// merge them.
static uint64_t keyOf(WeightOp weight) {
  return llvm::xxh3_64bits(weight.getHash().value_or(weight.getSymName()));
}

static Tensor makeWeight(WeightOp weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  ArrayRef<int64_t> shape = type.getShape();
  uint64_t key = keyOf(weight);
  if (!isa<FloatType>(type.getElementType())) {
    std::vector<int64_t> values(*countElements(shape));
    for (auto [i, value] : llvm::enumerate(values))
      value = bitsAt(key, i) & 1;
    return Tensor::fromInts(type.getElementType(), shape, values);
  }
  // A matmul with a square weight preserves magnitudes. The scale depends only on the
  // number of elements, so that a pass may view the same bytes with another shape.
  double scale = std::sqrt(3.0) / std::pow(*countElements(shape) + 1.0, 0.25);
  bool f32 = type.getElementType().isF32();
  Tensor result = Tensor::allocate(type.getElementType(), shape, /*wide=*/!f32);
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    double value = scale * uniformAt(key, i);
    if (f32)
      result.mutableDataAs<float>()[i] = static_cast<float>(value);
    else
      result.mutableDataAs<double>()[i] = value;
  }
  return result.rounded();
}

llvm::Expected<Tensor> SynthesisedWeights::get(WeightOp weight) {
  bool floats = isa<FloatType>(cast<RankedTensorType>(weight.getType()).getElementType());
  bool small = weight.getLength() && static_cast<int64_t>(*weight.getLength()) <= kReadBytes;
  if (files && (small || !floats))
    return files->get(weight);
  return makeWeight(weight);
}
