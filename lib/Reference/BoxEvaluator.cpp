//===- BoxEvaluator.cpp - Evaluates boxes of values -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A box is a hyperrectangle of a tensor's elements, computed from boxes of the operands.
// Transposes, slices, broadcasts and reshapes change strides and copy nothing; a pack, a
// concat of several parts and elementwise ops make a new box.
//
//===----------------------------------------------------------------------===//

#include "BoxEvaluator.h"
#include "ReshapedBox.h"
#include "Storage.h"
#include "StridedCopy.h"
#include "dialects/Graph/Indexing.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/Reference/QuantizationErrors.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

static ArrayRef<int64_t> dimsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static BoxView viewOf(Tensor tensor) {
  BoxView view{std::move(tensor), 0, {}, {}};
  view.shape.assign(view.base.getShape().begin(), view.base.getShape().end());
  view.strides = stridesOf(view.shape);
  return view;
}

BoxView reference::partOf(const Tensor &tensor, const Box &box) {
  BoxView view{tensor, 0, box.size, stridesOf(tensor.getShape())};
  for (auto [begin, stride] : llvm::zip(box.begin, view.strides))
    view.offset += begin * stride;
  return view;
}

Tensor BoxView::contiguous() const {
  Shape own = stridesOf(shape);
  bool isContiguous = true;
  for (size_t i = 0; i < shape.size(); ++i)
    isContiguous &= shape[i] == 1 || strides[i] == own[i];
  if (isContiguous)
    return base.slice(offset, shape);
  Tensor result = Tensor::allocate(base.getElementType(), shape, base.isWide());
  copyStrided(result.mutableData(), base.data(), base.getElementBytes(), shape, offset,
              strides);
  return result;
}

//===----------------------------------------------------------------------===//
// Ops that work by box
//===----------------------------------------------------------------------===//

/// Returns true if all elements of a slice exist; others are errors of the evaluator.
static bool staysInside(SliceOp op) {
  ArrayRef<int64_t> input = dimsOf(op.getInput()), size = dimsOf(op.getResult());
  for (auto [i, expr] : llvm::enumerate(getDims(op.getStarts()))) {
    std::optional<int64_t> start = expr.getConstant();
    if (!start)
      return false;
    __int128 last = static_cast<__int128>(size[i] - 1) * op.getSteps()[i] + *start;
    if (*start < 0 || *start >= input[i] || last < 0 || last >= input[i])
      return false;
  }
  return true;
}

bool reference::worksByBox(Operation *op) {
  if (auto slice = dyn_cast<SliceOp>(op))
    return staysInside(slice);
  if (isa<ReshapeOp, TransposeOp, BroadcastOp, ConcatOp, PackOp, UnpackOp>(op))
    return true;
  if (auto quantize = dyn_cast<QuantizeWeightOp>(op))
    return !llvm::is_contained({QuantizedPart::unit, QuantizedPart::multipliers},
                               quantize.getPart());
  return op->hasTrait<kiln::graph::Elementwise>();
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

BoxEvaluator::Result BoxEvaluator::visit(ReshapeOp op, const Box &box) {
  ReshapedBox reshaped(dimsOf(op.getInput()), dimsOf(op.getResult()), box);
  Result input = get(op.getInput(), reshaped.source);
  if (!input)
    return input;
  return BoxView{input->contiguous(), reshaped.offset, box.size, reshaped.strides};
}

namespace {
/// An operand's index along one dim, affine in the result's index: first + sum of step *
/// index.
struct PlaceSteps {
  int64_t first = 0;
  Shape steps;
  int64_t at(ArrayRef<int64_t> index) const { return first + linear(index, steps); }
};
} // namespace

/// Returns the indices of a read with constant starts and steps, by dim of the operand.
static SmallVector<PlaceSteps> stepsOf(OpIndexing &indexing, const OperandRead &read) {
  SmallVector<PlaceSteps> places;
  for (const SymbolicExpr &place : read.at) {
    PlaceSteps &steps = places.emplace_back();
    SymbolicExpr first = place;
    for (const SymbolicExpr &dim : indexing->places()) {
      std::optional<SymbolicExpr> step = coefficientOf(place, dim.getSymbol());
      steps.steps.push_back(step.value().getConstant().value());
      first = first - *step * dim;
    }
    steps.first = first.getConstant().value();
  }
  return places;
}

/// Returns the smallest box with all elements that `places` maps a box of the result to.
static Box boxOf(ArrayRef<PlaceSteps> places, const Box &box) {
  Box source;
  for (const PlaceSteps &place : places) {
    int64_t low = place.at(box.begin), high = low;
    for (auto [step, size] : llvm::zip(place.steps, box.size))
      (step < 0 ? low : high) += step * (size - 1);
    source.begin.push_back(low);
    source.size.push_back(high - low + 1);
  }
  return source;
}

/// Returns the box of an operand that an elementwise op reads for a box of its result.
static Box beforeBroadcast(Operation *op, unsigned operand, const Box &box) {
  OpIndexing indexing(op);
  return boxOf(stepsOf(indexing, indexing->reads()[operand]), box);
}

BoxEvaluator::Result BoxEvaluator::visitView(Operation *op, const Box &box) {
  OpIndexing indexing(op);
  SmallVector<PlaceSteps> places = stepsOf(indexing, indexing->reads().front());
  Box source = boxOf(places, box);
  Result input = get(op->getOperand(0), source);
  if (!input)
    return input;
  BoxView view{input->base, input->offset, box.size, Shape(box.size.size(), 0)};
  for (auto [place, low, stride] : llvm::zip(places, source.begin, input->strides)) {
    view.offset += (place.at(box.begin) - low) * stride;
    for (auto [own, step] : llvm::zip(view.strides, place.steps))
      own += step * stride;
  }
  return view;
}

/// Returns the overlap of a box with elements [begin, end) of a dim, relative to `begin`.
static std::optional<Box> overlap(Box box, size_t dim, int64_t begin, int64_t end) {
  int64_t low = std::max(box.begin[dim], begin);
  int64_t high = std::min(box.begin[dim] + box.size[dim], end);
  if (low >= high)
    return std::nullopt;
  box.begin[dim] = low - begin;
  box.size[dim] = high - low;
  return box;
}

BoxEvaluator::Result BoxEvaluator::visit(ConcatOp op, const Box &box) {
  size_t axis = op.getAxis();
  SmallVector<BoxView> parts;
  int64_t begin = 0;
  for (Value operand : op.getInputs()) {
    int64_t end = begin + dimsOf(operand)[axis];
    if (std::optional<Box> own = overlap(box, axis, begin, end)) {
      Result view = get(operand, *own);
      if (!view)
        return view;
      parts.push_back(std::move(*view));
    }
    begin = end;
  }
  if (parts.size() == 1)
    return parts.front();
  bool wide = llvm::any_of(parts, [](const BoxView &view) { return view.base.isWide(); });
  Results operands;
  for (BoxView &view : parts) {
    Tensor tensor = view.contiguous();
    operands.push_back(wide ? tensor.widen() : tensor);
  }
  return viewOf(joined(operands, axis, box.size));
}

/// Copies columns of a view from `first` on as rows of `width` elements; columns beyond
/// the view are left unchanged.
static void copyPanel(char *out, int64_t width, const BoxView &from, int64_t first) {
  int64_t bytes = from.base.getElementBytes(),
          offset = from.offset + first * from.strides[1];
  Shape shape{from.shape[0], std::min(width, from.shape[1] - first)};
  if (shape[1] == width)
    return copyStrided(out, from.base.data(), bytes, shape, offset, from.strides);
  Tensor columns = BoxView{from.base, offset, shape, from.strides}.contiguous();
  for (int64_t row = 0; row < shape[0]; ++row)
    std::memcpy(out + row * width * bytes, columns.data() + row * shape[1] * bytes,
                shape[1] * bytes);
}

BoxEvaluator::Result BoxEvaluator::visit(PackOp op, const Box &box) {
  int64_t width = op.getWidth(), columns = dimsOf(op.getInput())[1];
  int64_t first = box.begin[0] * width;
  int64_t count = std::min(columns - first, box.size[0] * width);
  Result input = get(op.getInput(), {{box.begin[1], first}, {box.size[1], count}});
  if (!input)
    return input;
  Shape shape{box.size[0], box.size[1], width};
  Tensor panels =
      Tensor::allocate(input->base.getElementType(), shape, input->base.isWide());
  int64_t bytes = panels.getElementBytes();
  if (count < box.size[0] * width)
    std::memset(panels.mutableData(), 0, panels.getNumElements() * bytes);
  for (int64_t panel = 0; panel < shape[0]; ++panel)
    copyPanel(panels.mutableData() + panel * shape[1] * width * bytes, width, *input,
              panel * width);
  return partOf(panels, {{0, 0, box.begin[2]}, box.size});
}

BoxEvaluator::Result BoxEvaluator::visit(UnpackOp op, const Box &box) {
  int64_t width = dimsOf(op.getInput())[2], rows = box.size[0];
  int64_t first = box.begin[1] / width, last = (box.begin[1] + box.size[1] - 1) / width;
  Result input =
      get(op.getInput(), {{first, box.begin[0], 0}, {last - first + 1, rows, width}});
  if (!input)
    return input;
  Tensor panels = input->contiguous();
  Shape whole{rows, (last - first + 1) * width};
  Tensor result = Tensor::allocate(panels.getElementType(), whole, panels.isWide());
  int64_t bytes = width * result.getElementBytes();
  for (int64_t panel = 0; panel <= last - first; ++panel)
    for (int64_t row = 0; row < rows; ++row)
      std::memcpy(result.mutableData() + (row * (last - first + 1) + panel) * bytes,
                  panels.data() + (panel * rows + row) * bytes, bytes);
  return partOf(result, {{0, box.begin[1] - first * width}, box.size});
}

/// Quantizes a few panels at a time, each with its own evaluator: boxes of scales are
/// small compared to the columns that they are computed from, which need not all be in
/// memory at once.
BoxEvaluator::Result BoxEvaluator::visit(QuantizeWeightOp op, const Box &box) {
  // Not too few panels, because a merged weight reads its parts again for each group.
  constexpr int64_t kElements = 2 << 20;
  int64_t perPanel = op.getK() * QuantizeWeightOp::kWidth;
  int64_t panels = std::max<int64_t>(kElements / perPanel, 1);
  if (box.size[0] <= panels)
    return quantizePanels(op, box);
  Tensor all;
  for (int64_t first = 0; first < box.size[0]; first += panels) {
    Box part = box;
    part.begin[0] += first;
    part.size[0] = std::min(panels, box.size[0] - first);
    Result view = BoxEvaluator(leaves, options).quantizePanels(op, part);
    if (!view)
      return view;
    Tensor own = view->contiguous();
    if (first == 0)
      all = Tensor::allocate(own.getElementType(), box.size, own.isWide());
    int64_t bytes = own.getNumElements() * own.getElementBytes();
    std::memcpy(all.mutableData() + bytes / part.size[0] * first, own.data(), bytes);
  }
  return viewOf(all);
}

/// Quantizes panels: panels of the result are columns of the weight, with all of K.
BoxEvaluator::Result BoxEvaluator::quantizePanels(QuantizeWeightOp op, const Box &box) {
  int64_t width = QuantizeWeightOp::kWidth, first = box.begin[0] * width;
  int64_t count = std::min(op.getColumns() - first, box.size[0] * width);
  Results operands;
  for (Value operand : op->getOperands()) {
    Box part{Shape(dimsOf(operand).size(), 0), Shape(dimsOf(operand))};
    if (operand == op.getWeight())
      part = {{0, first}, {op.getK(), count}};
    Result view = get(operand, part);
    if (!view)
      return view;
    operands.push_back(view->contiguous());
  }
  Box own = box;
  own.begin[0] = 0;
  bool measures = options.errors && makesCodes(op);
  std::vector<SquaredError> errors;
  reference::Result panels = quantizedPanels(op, operands, measures ? &errors : nullptr);
  if (!panels)
    return panels.takeError();
  for (auto [i, sums] : llvm::enumerate(errors))
    options.errors->add(op, box.begin[0] + i, sums);
  return partOf(*panels, own);
}

//===----------------------------------------------------------------------===//
// Elementwise ops and dispatch
//===----------------------------------------------------------------------===//

/// Measures the error of a cast to f8E4M3FN: the difference between `rounded`, as it is
/// stored, and elements of a weight divided by their scales.
llvm::Error BoxEvaluator::measureFloat8(Operation *op, const Tensor &rounded,
                                        BinaryOp source, const Box &box) {
  Result view = get(source.getRhs(), beforeBroadcast(source, 1, box));
  if (!view)
    return view.takeError();
  Tensor divisors = view->contiguous();
  Tensor scaled = rounded;
  if (op->getOperand(0) != source.getResult()) {
    Result quotients = get(source, box);
    if (!quotients)
      return quotients.takeError();
    scaled = quotients->contiguous();
  }
  const FloatFormat &format = *floatFormatOf(getElementTypeOrSelf(op->getResult(0)));
  SquaredError sums;
  bool isScalar = divisors.getNumElements() == 1;
  if (!isScalar && divisors.getNumElements() != scaled.getNumElements())
    return llvm::Error::success(); // no pass creates this form
  for (int64_t i = 0; i < scaled.getNumElements(); ++i) {
    double scale = divisors.getDouble(isScalar ? 0 : i), number = scaled.getDouble(i);
    double stored = decode(encode(rounded.getDouble(i), format, true), format);
    double error = (number - stored) * scale;
    sums.error += error * error;
    sums.weight += number * scale * number * scale;
  }
  options.errors->add(op, linear(box.begin, stridesOf(dimsOf(op->getResult(0)))), sums);
  return llvm::Error::success();
}

BoxEvaluator::Result BoxEvaluator::elementwise(Operation *op, const Box &box) {
  Results operands;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Result view = get(operand, beforeBroadcast(op, i, box));
    if (!view)
      return view;
    operands.push_back(view->contiguous());
  }
  if (options.errors)
    if (BinaryOp source = float8Source(op))
      if (llvm::Error error = measureFloat8(op, operands[0], source, box))
        return std::move(error);
  NoWeights none;
  Symbols symbols;
  Call call{operands, box.size, symbols, none, options};
  reference::Result result = evaluateSimple(op, call);
  if (!result)
    return result.takeError();
  bool isRounded =
      options.exactTyped || (options.rounded && options.rounded->contains(op));
  return viewOf(isRounded ? result->rounded() : *result);
}

BoxEvaluator::Result BoxEvaluator::compute(Value value, const Box &box) {
  if (auto leaf = leaves.find(value); leaf != leaves.end()) {
    // A leaf's elements are rounded to the weight's type, as they are stored.
    llvm::Expected<Tensor> stored = leaf->second->get(box);
    return stored ? Result(viewOf(*stored)) : stored.takeError();
  }
  return llvm::TypeSwitch<Operation *, Result>(value.getDefiningOp())
      .Case<ReshapeOp, ConcatOp, PackOp, UnpackOp, QuantizeWeightOp>(
          [&](auto op) { return visit(op, box); })
      .Case<TransposeOp, BroadcastOp, SliceOp>(
          [&](Operation *view) { return visitView(view, box); })
      .Default([&](Operation *op) { return elementwise(op, box); });
}

BoxEvaluator::Result BoxEvaluator::get(Value value, const Box &box) {
  if (auto leaf = leaves.find(value); leaf != leaves.end() && leaf->second->exists())
    return leaf->second->view(box);
  if (value.hasOneUse())
    return compute(value, box);
  for (auto &[known, view] : kept[value])
    if (known == box)
      return view;
  Result result = compute(value, box);
  if (result)
    kept[value].push_back({box, *result});
  return result;
}
