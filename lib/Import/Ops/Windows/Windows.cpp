//===- Windows.cpp - Windows over spatial dims ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/IntFold.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>> kiln::import::readList(Node &n, StringRef name,
                                                           size_t count,
                                                           int64_t otherwise,
                                                           int64_t minimum) {
  SmallVector<int64_t> values(count, otherwise);
  if (auto given = n.intsAttr(name); given && !given->empty())
    values = *given;
  if (values.size() == count &&
      llvm::all_of(values, [&](int64_t v) { return v >= minimum && v <= INT32_MAX; }))
    return values;
  (void)n.fail(ErrorCode::NodeInvalid, "'" + name + "' does not fit the input",
               Twine(count) + " values of at least " + Twine(minimum),
               Twine(values.size()) + " values", "correct the node");
  return std::nullopt;
}

/// Returns the dim in the form that types use, so that equal quotients compare equal.
static SymbolicExpr normalForm(Node &n, const SymbolicExpr &dim) {
  return graph::getDims(graph::makeTensorType({dim}, n.builder.getI64Type())).front();
}

/// Pads so that there are ceil(in / stride) windows; an odd element is added after
/// (SAME_UPPER) or before.
static void padSame(Node &n, Window &w, bool upper) {
  w.out = normalForm(n, w.in.ceilDiv(w.stride));
  SymbolicExpr covered = (w.out - 1) * SymbolicExpr(w.stride) + w.extent();
  SymbolicExpr total = n.symbols.maxOf(covered - w.in, 0), half = total.floorDiv(2);
  w.before = upper ? half : total - half;
  w.after = total - w.before;
}

/// Computes the number of windows with explicit pads. A signal (a single spatial dim)
/// should have 128 windows at the end of its default range: a second of sound is 16000
/// samples, and a larger default for batches of long signals exceeds the memory of many
/// machines.
static LogicalResult countWindows(Node &n, Window &w, bool roundUp, bool isSignal) {
  constexpr int64_t kWindows = 128;
  SymbolicExpr room = w.in + w.before + w.after - w.extent();
  std::optional<int64_t> reach;
  if (isSignal && w.stride > 1)
    reach = (kWindows - 1) * w.stride;
  if (!n.symbols.isAtLeast(room, 0).value_or(false) &&
      !n.symbols.raise(room, 0, describe(n.loc), reach)) {
    std::string minimum = n.symbols.smallestFor(room, 0);
    return n.fail(ErrorCode::ShapeMismatch, "a window is larger than the padded input",
                  "at least " + Twine(w.extent()) + " elements in a dim",
                  (room + w.extent()).str(),
                  minimum.empty() ? "give larger inputs"
                                  : "compile for " + minimum + ", with --dims");
  }
  if (!roundUp) {
    w.out = normalForm(n, room.floorDiv(w.stride) + 1);
    return success();
  }
  // A window that begins in the padding after the input does not count.
  SymbolicExpr last =
      n.symbols.minOf(room.ceilDiv(w.stride), (w.in + w.before - 1).floorDiv(w.stride));
  w.out = normalForm(n, last + 1);
  SymbolicExpr missing =
      last * SymbolicExpr(w.stride) + w.extent() - (w.in + w.before + w.after);
  // If the number of missing elements depends on sizes, pads more than needed; windows
  // leave some of it unread.
  w.overhang = n.symbols.isAtLeast(missing, 0).value_or(false)   ? missing
               : n.symbols.isAtLeast(0, missing).value_or(false) ? SymbolicExpr(0)
                                                                 : SymbolicExpr(w.stride);
  return success();
}

std::optional<WindowAttributes>
kiln::import::readWindowAttributes(Node &n, ArrayRef<int64_t> kernel,
                                   ArrayRef<SymbolicExpr> in) {
  size_t count = kernel.size();
  auto strides = readList(n, "strides", count, 1, 1);
  auto dilations = strides ? readList(n, "dilations", count, 1, 1) : std::nullopt;
  auto pads = dilations ? readList(n, "pads", 2 * count, 0, INT32_MIN) : std::nullopt;
  if (!pads)
    return std::nullopt;
  StringRef automatic = n.stringAttr("auto_pad", "NOTSET");
  if (!llvm::is_contained({"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}, automatic)) {
    (void)n.fail(ErrorCode::NodeInvalid, "auto_pad has an unknown value",
                 "NOTSET, VALID, SAME_UPPER or SAME_LOWER", automatic,
                 "correct the node");
    return std::nullopt;
  }
  if (automatic != "NOTSET")
    pads->assign(2 * count, 0);
  WindowAttributes result{{}, *pads};
  for (size_t i = 0; i < count; ++i) {
    Window w;
    w.kernel = kernel[i], w.stride = (*strides)[i], w.dilation = (*dilations)[i];
    w.in = in[i];
    result.windows.push_back(w);
  }
  return result;
}

std::optional<std::vector<Window>> kiln::import::readWindows(Node &n,
                                                             ArrayRef<int64_t> kernel,
                                                             ArrayRef<SymbolicExpr> in,
                                                             bool roundUp) {
  std::optional<WindowAttributes> attributes = readWindowAttributes(n, kernel, in);
  if (!attributes)
    return std::nullopt;
  StringRef automatic = n.stringAttr("auto_pad", "NOTSET");
  bool same = automatic.starts_with("SAME");
  for (auto [i, w] : llvm::enumerate(attributes->windows)) {
    w.before = attributes->pads[i];
    w.after = attributes->pads[i + kernel.size()];
    if (same)
      padSame(n, w, automatic == "SAME_UPPER");
    else if (failed(countWindows(n, w, roundUp, kernel.size() == 1)))
      return std::nullopt;
  }
  return std::move(attributes->windows);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value kiln::import::padDim(GraphBuilder &b, Value x, int64_t axis,
                           const SymbolicExpr &before, const SymbolicExpr &after,
                           double value) {
  SmallVector<Value> parts;
  auto pad = [&](const SymbolicExpr &count) {
    std::optional<int64_t> constant = count.getConstant();
    if (!x || (constant && *constant <= 0))
      return;
    Dims dims = b.dims(x);
    dims[axis] = count;
    parts.push_back(b.fill(dims, GraphBuilder::elementType(x), value));
  };
  auto cropped = [](const SymbolicExpr &count) {
    std::optional<int64_t> constant = count.getConstant();
    return constant && *constant < 0 ? -*constant : 0;
  };
  int64_t front = cropped(before), back = cropped(after);
  if (x && (front || back))
    x = b.slice(x, axis, front, b.dims(x)[axis] - front - back);
  pad(before);
  parts.push_back(x);
  pad(after);
  return parts.size() == 1 ? x : b.concat(parts, axis);
}

static Value splitWindow(GraphBuilder &b, Value x, int64_t axis, const Window &w,
                         bool kernelFirst) {
  if (!x)
    return {};
  // Slices to exactly what the windows read, so that positions are in range for all
  // sizes.
  bool disjoint = w.isDisjoint();
  SymbolicExpr used = disjoint ? w.out * SymbolicExpr(w.kernel)
                               : (w.out - 1) * SymbolicExpr(w.stride) + w.extent();
  x = b.slice(x, axis, 0, used);
  Dims dims = b.dims(x);
  if (w.kernel == 1 && w.stride > 1) {
    SmallVector<int64_t> steps(dims.size(), 1);
    steps[axis] = w.stride;
    Dims sizes = dims;
    sizes[axis] = w.out;
    x = b.slice(x, Dims(dims.size(), SymbolicExpr(0)), sizes, steps);
    disjoint = true;
    dims = sizes;
  }
  if (disjoint || w.kernel == 1) {
    dims[axis] = w.out;
    dims.insert(dims.begin() + axis + 1, w.kernel);
    Value split = b.reshape(x, dims);
    if (!kernelFirst)
      return split;
    auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
    std::swap(permutation[axis], permutation[axis + 1]);
    return b.transpose(split, permutation);
  }
  Type index = b.builder.getI64Type();
  Dims shape{w.out, w.kernel};
  if (kernelFirst)
    std::swap(shape[0], shape[1]);
  Value positions =
      b.binary(BinaryKind::add, b.iota(shape, index, kernelFirst ? 1 : 0, 0, w.stride),
               b.iota(shape, index, kernelFirst ? 0 : 1, 0, w.dilation));
  return b.gather(x, positions, axis);
}

Value kiln::import::spread(GraphBuilder &b, Value x, int64_t axis, int64_t stride) {
  if (!x || stride == 1)
    return x;
  Dims dims = b.dims(x), flat = dims;
  Value y = padDim(b, b.unsqueeze(x, axis + 1), axis + 1, 0, stride - 1, 0);
  flat[axis] = dims[axis] * SymbolicExpr(stride);
  return b.slice(b.reshape(y, flat), axis, 0, flat[axis] - (stride - 1));
}

Value kiln::import::padWindows(GraphBuilder &b, Value x, int64_t axis,
                               ArrayRef<Window> windows, double padding) {
  for (auto [i, w] : llvm::enumerate(windows))
    x = padDim(b, x, axis + i, w.before, w.after + w.overhang, padding);
  return x;
}

Value kiln::import::splitPadded(GraphBuilder &b, Value x, int64_t axis,
                                ArrayRef<Window> windows, bool kernelFirst) {
  // Starts with the last dim, so that the indices of earlier dims stay valid.
  for (size_t i = windows.size(); i-- > 0;)
    x = splitWindow(b, x, axis + i, windows[i], kernelFirst);
  return x;
}

Value kiln::import::splitWindows(GraphBuilder &b, Value x, int64_t axis,
                                 ArrayRef<Window> windows, double padding) {
  return splitPadded(b, padWindows(b, x, axis, windows, padding), axis, windows);
}
