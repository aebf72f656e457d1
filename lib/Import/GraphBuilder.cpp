//===- GraphBuilder.cpp - Building graph ops with checks ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/GraphBuilder.h"
#include "kiln/ErrorCodes/Model.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::import;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Errors and checks
//===----------------------------------------------------------------------===//

LogicalResult GraphBuilder::fail(ErrorCode::ID code, const Twine &what,
                                 const Twine &expected, const Twine &found,
                                 const Twine &fix) {
  // An earlier range conflict with --dims is the cause of this error, so it is reported
  // instead.
  if (std::optional<Symbols::Conflict> conflict = symbols.takeConflict())
    kiln::emitError(loc, {ErrorCode::DimsInvalid, describe(loc),
                          "the model works for a part of a range given with --dims",
                          conflict->needed.empty() ? "ranges that have sizes in common"
                                                   : conflict->needed,
                          conflict->given,
                          conflict->needed.empty() ? "give both dims one range"
                                                   : "--dims " + conflict->needed});
  else
    kiln::emitError(
        loc, {code, describe(loc), what.str(), expected.str(), found.str(), fix.str()});
  return failure();
}

LogicalResult GraphBuilder::failUndecided(const Twine &what, const Undecided &undecided) {
  if (symbols.decide(undecided, describe(loc)))
    return failure();
  std::string ranges = symbols.proposal(undecided);
  bool equal = undecided.kind == Undecided::Kind::Equal;
  return fail(ErrorCode::ShapeUndecided, what + " depends on the sizes of dims",
              equal ? "two sizes that are always or never equal"
                    : "two sizes of which the same is larger for all sizes",
              undecided.a.str() + " and " + undecided.b.str(),
              ranges.empty() ? "narrow the ranges of the symbols with --dims" : ranges);
}

LogicalResult GraphBuilder::unsupported(const Twine &what, const Twine &expected,
                                        const Twine &found) {
  return fail(ErrorCode::FormUnsupported, what, expected, found,
              "export the op in that form, or decompose it before the export");
}

LogicalResult GraphBuilder::checkDims(ArrayRef<SymbolicExpr> dims) {
  // 2^40 elements are far beyond any memory; 2^31 is the limit of one dim.
  constexpr int64_t kMaxDim = INT32_MAX, kMaxElements = int64_t(1) << 40;
  __int128 elements = 1;
  bool tooLarge = false;
  for (const SymbolicExpr &dim : dims) {
    Symbols::Bounds bounds = symbols.boundsOf(dim);
    if (bounds.hi < 0 || (dim.isConstant() && bounds.lo < 0))
      return fail(ErrorCode::TensorDims, "the result has a negative dim", "dims >= 0",
                  printDims(dims), "check the shapes the model computes");
    elements *= bounds.hi;
    tooLarge |= bounds.hi > kMaxDim || elements > kMaxElements;
  }
  if (!tooLarge || elements == 0)
    return success();
  return fail(ErrorCode::TensorDims, "the result is too large",
              "dims below 2^31 and at most 2^40 elements", printDims(dims),
              "narrow the ranges with --dims");
}

LogicalResult GraphBuilder::unify(const SymbolicExpr &a, const SymbolicExpr &b,
                                  StringRef what) {
  if (symbols.makeEqual(a, b, describe(loc)))
    return success();
  return fail(ErrorCode::ShapeMismatch, what, "equal dims",
              symbols.canonical(a).str() + " and " + symbols.canonical(b).str(),
              "check the shapes of the model's inputs and weights");
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Type GraphBuilder::elementType(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

Dims GraphBuilder::dims(Value value) const {
  Dims result = getDims(value);
  for (SymbolicExpr &dim : result)
    if (!dim.isConstant())
      dim = symbols.canonical(dim);
  return result;
}

Value GraphBuilder::canonical(Value value) {
  Dims now = dims(value);
  if (now == getDims(value))
    return value;
  // This reshape is temporary: the import runs again with the unified symbols.
  return ReshapeOp::create(builder, loc, makeTensorType(now, elementType(value)), value);
}

std::optional<Dims> GraphBuilder::broadcastDims(ArrayRef<SymbolicExpr> a,
                                                ArrayRef<SymbolicExpr> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Dims result(a);
  for (size_t i = 0; i < b.size(); ++i) {
    SymbolicExpr &left = result[a.size() - b.size() + i];
    const SymbolicExpr &right = b[i];
    if (right.isConstant(1))
      continue;
    if (left.isConstant(1))
      left = right;
    else if (symbols.makeEqual(left, right, describe(loc)))
      left = symbols.canonical(left);
    else
      return std::nullopt;
  }
  return result;
}

std::optional<Dims> GraphBuilder::broadcastShape(MutableArrayRef<Value> values) {
  std::optional<Dims> result = dims(values.front());
  for (Value value : values.drop_front()) {
    Dims own = dims(value);
    std::optional<Dims> both = broadcastDims(*result, own);
    if (!both) {
      (void)fail(ErrorCode::ShapeMismatch, "the shapes do not broadcast",
                 "dims that are equal or 1",
                 printDims(*result) + " and " + printDims(own),
                 "check the shapes of the model's inputs and weights");
      return std::nullopt;
    }
    result = both;
  }
  for (Value &value : values)
    value = canonical(value);
  return result;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

/// Prints "[2, 3] f32 and [4] f32".
static std::string printTypes(ValueRange values) {
  SmallVector<std::string> texts;
  for (Value value : values) {
    std::string text;
    llvm::raw_string_ostream(text)
        << printDims(getDims(value)) << " " << GraphBuilder::elementType(value);
    texts.push_back(text);
  }
  return llvm::join(texts, " and ");
}

Value GraphBuilder::inferAndCreate(OperationState &state, InferTypes infer) {
  if (llvm::is_contained(state.operands, Value()))
    return {};
  for (Value &operand : state.operands)
    operand = canonical(operand);
  SmallVector<Type> types;
  std::string message;
  {
    // The message is inference's, the error code and location are ours.
    ScopedDiagnosticHandler handler(builder.getContext(), [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    if (failed(infer(builder.getContext(), loc, state.operands,
                     state.attributes.getDictionary(builder.getContext()),
                     state.getRawProperties(), {}, types)))
      types.clear();
  }
  if (types.empty()) {
    StringRef what = message;
    if (what.starts_with("("))
      what = what.split(") ").second;
    (void)fail(what.contains("element type") || what.contains("not defined on")
                   ? ErrorCode::TypeMismatch
                   : ErrorCode::ShapeMismatch,
               "the inputs do not fit: " + what, "inputs the op is defined for",
               printTypes(state.operands), "check the model's inputs and weights");
    return {};
  }
  if (failed(checkDims(getDims(types.front()))))
    return {};
  state.types.assign(types.begin(), types.end());
  return builder.create(state)->getResult(0);
}

template <typename OpT, typename... Args> Value GraphBuilder::inferred(Args &&...args) {
  OperationState state(loc, OpT::getOperationName());
  // The type is inferred below: the inferring `build` would abort on an error.
  OpT::build(builder, state, builder.getNoneType(), std::forward<Args>(args)...);
  return inferAndCreate(state, OpT::inferReturnTypes);
}

template <typename OpT, typename... Args>
Value GraphBuilder::typed(RankedTensorType type, Args &&...args) {
  if (failed(checkDims(getDims(type))))
    return {};
  return OpT::create(builder, loc, type, std::forward<Args>(args)...);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value GraphBuilder::unary(UnaryKind kind, Value input) {
  return inferred<UnaryOp>(kind, input);
}

Value GraphBuilder::binary(BinaryKind kind, Value lhs, Value rhs) {
  Value operands[] = {lhs, rhs};
  if (!lhs || !rhs || !broadcastShape(operands))
    return {};
  return inferred<BinaryOp>(kind, operands[0], operands[1]);
}

Value GraphBuilder::compare(CompareKind kind, Value lhs, Value rhs) {
  Value operands[] = {lhs, rhs};
  if (!lhs || !rhs || !broadcastShape(operands))
    return {};
  return inferred<CompareOp>(kind, operands[0], operands[1]);
}

Value GraphBuilder::select(Value condition, Value onTrue, Value onFalse) {
  Value operands[] = {condition, onTrue, onFalse};
  if (!condition || !onTrue || !onFalse || !broadcastShape(operands))
    return {};
  return inferred<SelectOp>(operands[0], operands[1], operands[2]);
}

Value GraphBuilder::cast(Value input, Type type) {
  if (!input || elementType(input) == type)
    return input;
  return typed<CastOp>(makeTensorType(dims(input), type), canonical(input));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Attribute valueAttr(Type type, double value) {
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(floating, value);
  return IntegerAttr::get(type,
                          APInt(type.getIntOrFloatBitWidth(), uint64_t(int64_t(value)),
                                /*isSigned=*/false, /*implicitTrunc=*/true));
}

/// Maximum size of a graph.constant that is not a splat.
static constexpr int64_t kConstantBytes = 1024;

/// Splits a constant, as a vector, into small constants; baking folds their concat into a
/// weight.
static SmallVector<DenseElementsAttr> splitConstant(DenseElementsAttr value) {
  SmallVector<Attribute> elements(value.getValues<Attribute>());
  int64_t maxElements = kConstantBytes / elementBytes(value.getElementType());
  SmallVector<DenseElementsAttr> parts;
  for (ArrayRef<Attribute> rest = elements; !rest.empty();) {
    ArrayRef<Attribute> part = rest.take_front(maxElements);
    rest = rest.drop_front(part.size());
    parts.push_back(DenseElementsAttr::get(
        RankedTensorType::get({int64_t(part.size())}, value.getElementType()), part));
  }
  return parts;
}

Value GraphBuilder::constant(DenseElementsAttr value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (value.isSplat() ||
      type.getNumElements() * elementBytes(type.getElementType()) <= kConstantBytes)
    return ConstantOp::create(builder, loc, type, value);
  SmallVector<Value> parts;
  for (DenseElementsAttr part : splitConstant(value))
    parts.push_back(ConstantOp::create(builder, loc, part.getType(), part));
  return reshape(concat(parts, 0), getDims(type));
}

Value GraphBuilder::scalar(Type type, double value) {
  return constant(
      DenseElementsAttr::get(RankedTensorType::get({}, type), valueAttr(type, value)));
}

Value GraphBuilder::fill(ArrayRef<SymbolicExpr> dims, Type type, double value) {
  return typed<FillOp>(makeTensorType(dims, type),
                       cast<TypedAttr>(valueAttr(type, value)));
}

Value GraphBuilder::iota(ArrayRef<SymbolicExpr> dims, Type type, int64_t axis,
                         double start, double step) {
  return typed<IotaOp>(makeTensorType(dims, type), uint64_t(axis), APFloat(start),
                       APFloat(step));
}

/// Returns true for an arithmetic sequence, as from Range, too long for a constant.
static bool isLongRange(ArrayRef<int64_t> values, Type type) {
  if (int64_t(values.size()) * type.getIntOrFloatBitWidth() <= 8 * kConstantBytes)
    return false;
  for (size_t i = 2; i < values.size(); ++i)
    if (values[i] - values[i - 1] != values[1] - values[0])
      return false;
  return true;
}

Value GraphBuilder::integers(const IntTensor &content) {
  Type type = content.elementType;
  if (std::optional<SmallVector<int64_t>> values = content.constants()) {
    if (isLongRange(*values, type)) {
      ArrayRef<int64_t> all = *values;
      Value range =
          iota({int64_t(all.size())}, type, 0, double(all[0]), double(all[1] - all[0]));
      return content.rank() == 1 ? range : reshape(range, getDims(content.type()));
    }
    if (isa<FloatType>(type)) {
      SmallVector<Attribute> numbers;
      for (int64_t value : *values)
        numbers.push_back(FloatAttr::get(type, double(value)));
      return constant(DenseElementsAttr::get(content.type(), numbers));
    }
    SmallVector<APInt> words;
    for (int64_t value : *values)
      words.emplace_back(type.getIntOrFloatBitWidth(), uint64_t(value),
                         /*isSigned=*/false,
                         /*implicitTrunc=*/true);
    return constant(DenseElementsAttr::get(content.type(), words));
  }
  // graph.dims only makes vectors and scalars of i32 and i64.
  Type index = type.isSignlessInteger(32) ? type : builder.getI64Type();
  Dims shape = content.rank() == 0 ? Dims{} : Dims{SymbolicExpr(content.elements.size())};
  Value value = typed<DimsOp>(makeTensorType(shape, index),
                              makeShape(builder.getContext(), content.elements));
  if (content.rank() > 1)
    value = reshape(value, getDims(content.type()));
  return cast(value, type);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

/// Unifies a dim of the target with the source's dim at the same index if the number of
/// elements is equal then and not otherwise. Exporters give one dim two names, for
/// example when they reshape [s7, 12 * n] to [s3, -1].
static bool unifyPlaces(Symbols &symbols, ArrayRef<SymbolicExpr> from,
                        ArrayRef<SymbolicExpr> to, StringRef where) {
  for (auto [a, b] : llvm::zip(from, to)) {
    SymbolicExpr was = symbols.canonical(b), is = symbols.canonical(a);
    StringAttr symbol = was.getSymbol();
    if (!symbol || !is.getSymbol() || was == is)
      continue;
    auto replaced = [&](const SymbolicExpr &expr) {
      return symbols.canonical(expr).substitute([&](StringAttr name) {
        return name == symbol ? std::optional(is) : std::nullopt;
      });
    };
    if (replaced(numElements(from)) == replaced(numElements(to)))
      return symbols.unify(is, was, where);
  }
  return false;
}

LogicalResult GraphBuilder::checkReshape(ArrayRef<SymbolicExpr> fromDims,
                                         ArrayRef<SymbolicExpr> to) {
  SymbolicExpr from = numElements(fromDims), count = numElements(to);
  std::optional<bool> equal = symbols.isEqual(from, count);
  if (equal && !*equal)
    return fail(ErrorCode::ShapeMismatch, "a reshape changes the number of elements",
                from.str() + " elements as in " + printDims(fromDims),
                count.str() + " in " + printDims(to), "check the target shape");
  std::string where = describe(loc);
  if (equal || symbols.unifyProducts(from, count, where) ||
      symbols.narrowToEqual(from, count, where) ||
      unifyPlaces(symbols, fromDims, to, where))
    return success();
  std::optional<std::string> sizes =
      symbols.findSizes(from, count, Symbols::Wanted::Different);
  if (sizes && sizes->empty())
    return success();
  std::string dims = *symbols.findSizes(from, count, Symbols::Wanted::Equal);
  return fail(ErrorCode::ShapeUndecided,
              "a reshape changes the number of elements for some sizes",
              from.str() + " elements as in " + printDims(fromDims),
              count.str() + " in " + printDims(to) +
                  (sizes ? ", not equal for " + *sizes : std::string()),
              dims.empty() ? "check the target shape"
                           : "compile for sizes that divide, as with " + dims);
}

Value GraphBuilder::reshape(Value input, ArrayRef<SymbolicExpr> to) {
  if (!input || Dims(to) == dims(input))
    return input;
  if (failed(checkReshape(dims(input), to)))
    return {};
  // The check may have unified symbols.
  Dims target(to);
  for (SymbolicExpr &dim : target)
    dim = symbols.canonical(dim);
  return typed<ReshapeOp>(makeTensorType(target, elementType(input)), canonical(input));
}

Value GraphBuilder::transpose(Value input, ArrayRef<int64_t> permutation) {
  return inferred<TransposeOp>(input, permutation);
}

Value GraphBuilder::broadcast(Value input, ArrayRef<SymbolicExpr> to) {
  if (!input || Dims(to) == dims(input))
    return input;
  return typed<BroadcastOp>(makeTensorType(to, elementType(input)), canonical(input));
}

Value GraphBuilder::slice(Value input, ArrayRef<SymbolicExpr> starts,
                          ArrayRef<SymbolicExpr> sizes, ArrayRef<int64_t> steps) {
  if (!input)
    return {};
  bool whole =
      Dims(sizes) == dims(input) &&
      llvm::all_of(steps, [](int64_t s) { return s == 1; }) &&
      llvm::all_of(starts, [](const SymbolicExpr &s) { return s.isConstant(0); });
  if (whole)
    return input;
  return typed<SliceOp>(makeTensorType(sizes, elementType(input)), canonical(input),
                        makeShape(builder.getContext(), starts), steps);
}

Value GraphBuilder::slice(Value input, int64_t axis, SymbolicExpr start,
                          SymbolicExpr size) {
  if (!input)
    return {};
  Dims sizes = dims(input), starts(sizes.size(), SymbolicExpr(0));
  starts[axis] = start;
  sizes[axis] = size;
  return slice(input, starts, sizes, SmallVector<int64_t>(sizes.size(), 1));
}

Value GraphBuilder::concat(ArrayRef<Value> inputs, int64_t axis) {
  if (llvm::is_contained(inputs, Value()))
    return {};
  Dims first = dims(inputs.front());
  for (Value input : inputs.drop_front()) {
    Dims own = dims(input);
    for (size_t i = 0; i < std::min(own.size(), first.size()); ++i)
      if (int64_t(i) != axis &&
          failed(unify(first[i], own[i], "the inputs do not fit together")))
        return {};
  }
  return inferred<ConcatOp>(ValueRange(inputs), uint64_t(axis));
}

Value GraphBuilder::gather(Value data, Value indices, int64_t axis) {
  return inferred<GatherOp>(data, indices, uint64_t(axis));
}

Value GraphBuilder::scatter(Value data, Value indices, Value updates,
                            std::optional<ReduceKind> combine) {
  auto kind =
      combine ? ReduceKindAttr::get(builder.getContext(), *combine) : ReduceKindAttr();
  return inferred<ScatterOp>(data, indices, updates, kind);
}

Value GraphBuilder::unsqueeze(Value input, int64_t axis) {
  if (!input)
    return {};
  Dims shape = dims(input);
  shape.insert(shape.begin() + axis, 1);
  return reshape(input, shape);
}

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

Value GraphBuilder::reduce(ReduceKind kind, Value input, ArrayRef<int64_t> axes,
                           bool keepDims) {
  return inferred<ReduceOp>(kind, input, axes, keepDims);
}

Value GraphBuilder::softmax(Value input, int64_t axis) {
  return inferred<SoftmaxOp>(input, uint64_t(axis));
}

Value GraphBuilder::layerNorm(Value input, Value scale, Value bias, int64_t axis,
                              double epsilon) {
  return inferred<LayerNormOp>(input, scale, bias, uint64_t(axis), APFloat(epsilon));
}

Value GraphBuilder::rmsNorm(Value input, Value scale, int64_t axis, double epsilon) {
  return inferred<RmsNormOp>(input, scale, uint64_t(axis), APFloat(epsilon));
}

Value GraphBuilder::matmul(Value lhs, Value rhs, bool transposeA, bool transposeB) {
  if (!lhs || !rhs)
    return {};
  Dims a = dims(lhs), b = dims(rhs);
  if (a.size() >= 2 && b.size() >= 2) {
    const SymbolicExpr &left = a[a.size() - (transposeA ? 2 : 1)];
    const SymbolicExpr &right = b[b.size() - (transposeB ? 1 : 2)];
    if (!symbols.makeEqual(left, right, describe(loc))) {
      (void)fail(ErrorCode::ShapeMismatch, "the contracted dims differ", left.str(),
                 right.str(), "check the shapes " + printTypes({lhs, rhs}));
      return {};
    }
    // Inference reports failures.
    (void)broadcastDims(ArrayRef(a).drop_back(2), ArrayRef(b).drop_back(2));
  }
  return inferred<MatmulOp>(lhs, rhs, transposeA, transposeB, TypeAttr(), /*tf32=*/false);
}

Value GraphBuilder::rope(Value x, Value cosine, Value sine, bool interleaved) {
  for (Value table : {cosine, sine}) {
    if (!x || !table || rank(table) > rank(x) || rank(table) < 1)
      break;
    // Unifies all dims but the last, which may be shorter in the tables.
    (void)broadcastDims(ArrayRef(dims(table)).drop_back(), ArrayRef(dims(x)).drop_back());
  }
  return inferred<RopeOp>(x, cosine, sine, interleaved);
}

Value GraphBuilder::attention(Value query, Value key, Value value, Value mask,
                              double scale, bool causal, Value lengths, bool fromLength,
                              bool maskedZero, double softcap, Value sinks,
                              int64_t window, Value codeScales) {
  if (!query || !key || !value)
    return {};
  Dims q = dims(query), k = dims(key), v = dims(value);
  if (q.size() == 4 && k.size() == 4 && v.size() == 4) {
    if (failed(unify(q[0], k[0], "the batch of query and key differs")) ||
        failed(unify(q[0], v[0], "the batch of query and value differs")) ||
        failed(unify(k[2], v[2], "the lengths of key and value differ")))
      return {};
    if (mask)
      (void)broadcastDims(dims(mask), {q[0], q[1], q[2], k[2]});
    if (lengths && rank(lengths) == 1 &&
        failed(unify(q[0], dims(lengths)[0], "the batch of query and lengths differs")))
      return {};
  }
  return inferred<AttentionOp>(
      query, key, value, mask, lengths, sinks, codeScales, codeScales, /*keep=*/Value(),
      APFloat(scale), causal, fromLength, maskedZero,
      /*nan_zero=*/false, softcap != 0 ? builder.getF64FloatAttr(softcap) : FloatAttr(),
      window > 0 ? builder.getI64IntegerAttr(window) : IntegerAttr(),
      /*mask_hides=*/false);
}
