//===- Reduction.cpp - Softmax, norms, reductions -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combine.h"
#include "Ops.h"
#include "Storage.h"

#include <cmath>
#include <limits>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// softmax
//===----------------------------------------------------------------------===//

/// Computes the softmax of `count` elements `stride` apart, in place.
static void softmaxLine(double *line, int64_t count, int64_t stride) {
  double largest = -kInfinity, sum = 0;
  for (int64_t i = 0; i < count; ++i)
    largest = maxOf(line[i * stride], largest);
  for (int64_t i = 0; i < count; ++i)
    sum += line[i * stride] = std::exp(line[i * stride] - largest);
  for (int64_t i = 0; i < count; ++i)
    line[i * stride] /= sum;
}

Result reference::evaluate(SoftmaxOp op, const Call &call) {
  Tensor input = call.operands[0].widen();
  std::vector<double> values = input.doubles().vec();
  int64_t count = call.shape[op.getAxis()], stride = stridesOf(call.shape)[op.getAxis()];
  int64_t block = count * stride;
  for (int64_t outer = 0; outer < static_cast<int64_t>(values.size()); outer += block)
    for (int64_t inner = 0; inner < stride; ++inner)
      softmaxLine(values.data() + outer + inner, count, stride);
  return Tensor::fromDoubles(input.getElementType(), call.shape, values);
}

//===----------------------------------------------------------------------===//
// layer_norm, rms_norm
//===----------------------------------------------------------------------===//

/// Returns the elements of an optional operand, broadcast to the normalized dims.
static std::vector<double> repeated(const Tensor &tensor, ArrayRef<int64_t> shape) {
  Tensor wide = tensor.widen();
  std::vector<double> values(countElements(shape).value());
  std::array<Shape, 1> strides{broadcastStrides(tensor.getShape(), shape)};
  forEachElement(shape, strides, [&](int64_t i, const std::array<int64_t, 1> &at) {
    values[i] = wide.doubles()[at[0]];
  });
  return values;
}

static double meanOf(ArrayRef<double> values, function_ref<double(double)> fn) {
  double sum = 0;
  for (double value : values)
    sum += fn(value);
  return sum / static_cast<double>(values.size());
}

/// Normalizes each run of elements over dims [axis, rank): subtracts the mean if
/// `centred`, divides by sqrt(mean of squares + epsilon), multiplies by scale and adds
/// bias.
static Tensor normalise(const Tensor &input, int64_t axis, double epsilon, bool centred,
                        const Tensor *scale, const Tensor *bias) {
  Tensor wide = input.widen();
  ArrayRef<int64_t> normalised = input.getShape().drop_front(axis);
  std::vector<double> scales, biases, result(input.getNumElements());
  if (scale)
    scales = repeated(*scale, normalised);
  if (bias)
    biases = repeated(*bias, normalised);
  size_t count = countElements(normalised).value();
  for (size_t at = 0; at < result.size(); at += count) {
    ArrayRef<double> run = wide.doubles().slice(at, count);
    double mean = centred ? meanOf(run, [](double x) { return x; }) : 0;
    double variance = meanOf(run, [&](double x) { return (x - mean) * (x - mean); });
    double root = std::sqrt(variance + epsilon);
    for (size_t i = 0; i < count; ++i) {
      double value = (run[i] - mean) / root;
      value = scale ? value * scales[i] : value;
      result[at + i] = bias ? value + biases[i] : value;
    }
  }
  return Tensor::fromDoubles(input.getElementType(), input.getShape(), result);
}

Result reference::evaluate(LayerNormOp op, const Call &call) {
  const Tensor *scale = op.getScale() ? &call.operands[1] : nullptr;
  const Tensor *bias = op.getBias() ? &call.operands.back() : nullptr;
  return normalise(call.operands[0], op.getAxis(), op.getEpsilon().convertToDouble(),
                   /*centred=*/true, scale, bias);
}

Result reference::evaluate(RmsNormOp op, const Call &call) {
  return normalise(call.operands[0], op.getAxis(), op.getEpsilon().convertToDouble(),
                   /*centred=*/false, &call.operands[1], nullptr);
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// Returns strides into the result per dim of the input: 0 along reduced axes.
static Shape reducedStrides(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  Shape kept(shape);
  for (int64_t axis : axes)
    kept[axis] = 1;
  Shape strides = stridesOf(kept);
  for (int64_t axis : axes)
    strides[axis] = 0;
  return strides;
}

static double neutralFloat(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::max: return -kInfinity;
  case ReduceKind::min: return kInfinity;
  case ReduceKind::prod: return 1;
  default: return 0;
  }
}

static double stepFloat(ReduceKind kind, double sum, double x) {
  switch (kind) {
  case ReduceKind::l1: return sum + std::fabs(x);
  case ReduceKind::l2:
  case ReduceKind::sum_square: return sum + x * x;
  case ReduceKind::log_sum_exp: return sum + std::exp(x);
  default: return combineFloats(kind, sum, x);
  }
}

static double finishFloat(ReduceKind kind, double sum, int64_t count) {
  switch (kind) {
  case ReduceKind::mean: return sum / static_cast<double>(count);
  case ReduceKind::l2: return std::sqrt(sum);
  case ReduceKind::log_sum:
  case ReduceKind::log_sum_exp: return std::log(sum);
  default: return sum;
  }
}

static std::vector<double> reduceFloats(ReduceKind kind, const Tensor &input,
                                        const Shape &strides, int64_t results) {
  std::vector<double> sums(results, neutralFloat(kind));
  forEachElement<1>(input.getShape(), {strides}, [&](int64_t i, auto &at) {
    sums[at[0]] = stepFloat(kind, sums[at[0]], input.doubles()[i]);
  });
  // Number of elements per result; undefined if there are no results.
  int64_t count = results ? input.getNumElements() / results : 0;
  for (double &sum : sums)
    sum = finishFloat(kind, sum, count);
  return sums;
}

/// Returns log(sum(exp(x))) without overflow: the maximum is subtracted first.
static std::vector<double> logSumExp(const Tensor &input, const Shape &strides,
                                     int64_t results) {
  std::vector<double> largest = reduceFloats(ReduceKind::max, input, strides, results);
  // A maximum that is infinite or NaN is the result itself.
  for (double &value : largest)
    value = std::isfinite(value) ? value : 0;
  std::vector<double> shifted = input.doubles().vec();
  forEachElement<1>(input.getShape(), {strides}, [&](int64_t i, auto &at) {
    shifted[i] -= largest[at[0]];
  });
  Tensor rest = Tensor::fromDoubles(input.getElementType(), input.getShape(), shifted);
  std::vector<double> sums = reduceFloats(ReduceKind::log_sum_exp, rest, strides, results);
  for (auto [sum, value] : llvm::zip(sums, largest))
    sum += value;
  return sums;
}

template <typename T>
static std::vector<int64_t> reduceIntegers(ReduceKind kind, const Tensor &input,
                                           const Shape &strides, int64_t results) {
  using Limits = std::numeric_limits<T>;
  T neutral = kind == ReduceKind::max    ? Limits::lowest()
              : kind == ReduceKind::min  ? Limits::max()
              : kind == ReduceKind::prod ? 1
                                         : 0;
  std::vector<T> sums(results, neutral);
  std::vector<int64_t> values = input.ints();
  forEachElement<1>(input.getShape(), {strides}, [&](int64_t i, auto &at) {
    T &sum = sums[at[0]];
    sum = combineIntegers(kind, sum, static_cast<T>(values[i]));
  });
  return {sums.begin(), sums.end()};
}

Result reference::evaluate(ReduceOp op, const Call &call) {
  const Tensor &input = call.operands[0];
  Shape strides = reducedStrides(input.getShape(), op.getAxes());
  int64_t results = countElements(call.shape).value();
  if (!input.isFloat()) {
    std::vector<int64_t> values;
    withInteger(input.getElementType(), [&](auto zero) {
      values = reduceIntegers<decltype(zero)>(op.getKind(), input, strides, results);
    });
    return Tensor::fromInts(input.getElementType(), call.shape, values);
  }
  Tensor wide = input.widen();
  bool exps = op.getKind() == ReduceKind::log_sum_exp;
  return Tensor::fromDoubles(input.getElementType(), call.shape,
                             exps ? logSumExp(wide, strides, results)
                                  : reduceFloats(op.getKind(), wide, strides, results));
}
