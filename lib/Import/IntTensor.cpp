//===- IntTensor.cpp - Integer tensors with known content -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/IntTensor.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

std::optional<SmallVector<int64_t>> IntTensor::constants() const {
  SmallVector<int64_t> values;
  for (const SymbolicExpr &element : elements) {
    std::optional<int64_t> value = element.getConstant();
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

mlir::RankedTensorType IntTensor::type() const {
  return mlir::RankedTensorType::get(shape, elementType);
}

bool kiln::import::isTracked(mlir::Type type) {
  return type.isSignlessInteger(1) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64) || type.isF32() || type.isF64();
}

int64_t kiln::import::exactLimit(mlir::Type type) {
  if (type.isF32())
    return int64_t(1) << 24;
  if (type.isF64())
    return int64_t(1) << 53;
  return type.isInteger(32) ? INT32_MAX : INT64_MAX;
}

/// Counts minima and maxima in an expression: the time for its bounds doubles with each.
static size_t countMaxima(const SymbolicExpr &expr) {
  size_t count = 0;
  for (const SymbolicExpr::Term &term : expr.getTerms())
    for (const SymbolicExpr::Atom &atom : term.factors)
      if (atom.kind != SymbolicExpr::AtomKind::Symbol)
        count += countMaxima(*atom.lhs) + countMaxima(*atom.rhs) +
                 (atom.kind == SymbolicExpr::AtomKind::Max);
  return count;
}

bool kiln::import::isReasonable(const SymbolicExpr &expr) {
  constexpr int64_t kMaxCoefficient = int64_t(1) << 40;
  constexpr size_t kMaxTerms = 32, kMaxFactors = 8, kMaxMaxima = 12;
  if (expr.isConstant())
    return true;
  return expr.getTerms().size() <= kMaxTerms && countMaxima(expr) <= kMaxMaxima &&
         llvm::all_of(expr.getTerms(), [](const SymbolicExpr::Term &term) {
           return term.factors.size() <= kMaxFactors &&
                  term.coefficient <= kMaxCoefficient &&
                  term.coefficient >= -kMaxCoefficient;
         });
}

static int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// Broadcasts by numpy's rule; nullopt if the shapes do not broadcast or become too
/// large.
static std::optional<SmallVector<int64_t>>
broadcastShapes(ArrayRef<const IntTensor *> operands) {
  SmallVector<int64_t> result;
  for (const IntTensor *operand : operands) {
    ArrayRef<int64_t> shape = operand->shape;
    if (shape.size() > result.size())
      result.insert(result.begin(), shape.size() - result.size(), 1);
    for (size_t i = 0; i < shape.size(); ++i) {
      int64_t &size = result[result.size() - shape.size() + i];
      if (size != shape[i] && size != 1 && shape[i] != 1)
        return std::nullopt;
      size = size == 1 ? shape[i] : size;
    }
    if (result.size() > 8 || countOf(result) > int64_t(IntTensor::kMaxElements))
      return std::nullopt;
  }
  return result;
}

/// Returns the index in `tensor` of element `linear` of its broadcast to `shape`.
static int64_t sourceIndex(const IntTensor &tensor, ArrayRef<int64_t> shape,
                           int64_t linear) {
  int64_t index = 0, stride = 1;
  for (size_t back = 1; back <= shape.size(); ++back) {
    int64_t size = shape[shape.size() - back], position = linear % size;
    linear /= size;
    if (back > tensor.shape.size())
      continue;
    int64_t own = tensor.shape[tensor.shape.size() - back];
    index += (own == 1 ? 0 : position) * stride;
    stride *= own;
  }
  return index;
}

std::optional<IntTensor> kiln::import::combine(ArrayRef<const IntTensor *> operands,
                                               mlir::Type type, Combine function) {
  std::optional<SmallVector<int64_t>> shape = broadcastShapes(operands);
  if (!shape)
    return std::nullopt;
  IntTensor result{*shape, {}, type};
  for (int64_t i = 0, count = countOf(*shape); i < count; ++i) {
    SmallVector<SymbolicExpr> elements;
    for (const IntTensor *operand : operands)
      elements.push_back(operand->elements[sourceIndex(*operand, *shape, i)]);
    std::optional<SymbolicExpr> value = function(elements);
    if (!value || !isReasonable(*value))
      return std::nullopt;
    result.elements.push_back(*value);
  }
  return result;
}

std::optional<IntTensor> kiln::import::take(const IntTensor &data, int64_t axis,
                                            ArrayRef<int64_t> indices,
                                            ArrayRef<int64_t> indexShape) {
  ArrayRef<int64_t> shape = data.shape;
  int64_t outer = countOf(shape.take_front(axis)),
          inner = countOf(shape.drop_front(axis + 1));
  IntTensor result{SmallVector<int64_t>(shape.take_front(axis)), {}, data.elementType};
  llvm::append_range(result.shape, indexShape);
  llvm::append_range(result.shape, shape.drop_front(axis + 1));
  if (outer * int64_t(indices.size()) * inner > int64_t(IntTensor::kMaxElements))
    return std::nullopt;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t index : indices) {
      if (index < -shape[axis] || index >= shape[axis])
        return std::nullopt;
      int64_t row = o * shape[axis] + (index < 0 ? index + shape[axis] : index);
      for (int64_t i = 0; i < inner; ++i)
        result.elements.push_back(data.elements[row * inner + i]);
    }
  return result;
}

std::optional<IntTensor> kiln::import::join(ArrayRef<const IntTensor *> parts,
                                            int64_t axis) {
  IntTensor result{parts[0]->shape, {}, parts[0]->elementType};
  result.shape[axis] = 0;
  for (const IntTensor *part : parts) {
    if (part->rank() != result.rank())
      return std::nullopt;
    for (int64_t i = 0; i < part->rank(); ++i)
      if (i != axis && part->shape[i] != result.shape[i])
        return std::nullopt;
    result.shape[axis] += part->shape[axis];
  }
  if (countOf(result.shape) > int64_t(IntTensor::kMaxElements))
    return std::nullopt;
  int64_t outer = countOf(ArrayRef(result.shape).take_front(axis));
  for (int64_t o = 0; o < outer; ++o)
    for (const IntTensor *part : parts) {
      int64_t run = countOf(ArrayRef(part->shape).drop_front(axis));
      result.elements.append(part->elements.begin() + o * run,
                             part->elements.begin() + (o + 1) * run);
    }
  return result;
}

IntTensor kiln::import::transpose(const IntTensor &data, ArrayRef<int64_t> permutation) {
  IntTensor result{{}, {}, data.elementType};
  for (int64_t from : permutation)
    result.shape.push_back(data.shape[from]);
  for (int64_t i = 0, count = data.elements.size(); i < count; ++i) {
    int64_t rest = i, source = 0;
    for (size_t dim = permutation.size(); dim-- > 0; rest /= result.shape[dim])
      source += rest % result.shape[dim] *
                countOf(ArrayRef(data.shape).drop_front(permutation[dim] + 1));
    result.elements.push_back(data.elements[source]);
  }
  return result;
}

std::optional<IntTensor> kiln::import::reshape(const IntTensor &data,
                                               ArrayRef<int64_t> shape) {
  if (countOf(shape) != int64_t(data.elements.size()))
    return std::nullopt;
  return IntTensor{SmallVector<int64_t>(shape), data.elements, data.elementType};
}
