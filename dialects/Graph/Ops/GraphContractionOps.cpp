//===- GraphContractionOps.cpp - Matmul and attention -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"
#include "dialects/Graph/PartialAttention.h"
#include "dialects/Types/FloatFormat.h"

using namespace mlir;
using namespace kiln::graph;

/// (C5) and (C6) of matmul.
static LogicalResult checkPrecision(Loc loc, Type operands, std::optional<Type> result,
                                    bool tf32) {
  if (result && !(result->isF32() && (operands.isF16() || operands.isBF16())))
    return emitOptionalError(loc,
                             "(C5) expected a result of f32 from f16 or bf16, found ",
                             *result, " from ", operands);
  if (tf32 && !operands.isF32())
    return emitOptionalError(loc, "(C6) expected operands of f32 for tf32, found ",
                             operands);
  return success();
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Dims a = getDims(adaptor.getLhs()), b = getDims(adaptor.getRhs());
  if (a.size() < 2 || b.size() < 2)
    return emitOptionalError(loc, "(C1) expected ranks of at least 2, found ", a.size(),
                             " and ", b.size());
  if (failed(checkSameElement(loc, "(C4)", adaptor.getLhs(), adaptor.getRhs())))
    return failure();
  Type element = elementTypeOf(adaptor.getLhs());
  std::optional<Type> wider = adaptor.getResultElement();
  if (failed(checkPrecision(loc, element, wider, adaptor.getTf32())))
    return failure();
  if (adaptor.getTransposeA())
    std::swap(a[a.size() - 1], a[a.size() - 2]);
  if (adaptor.getTransposeB())
    std::swap(b[b.size() - 1], b[b.size() - 2]);
  if (a.back() != b[b.size() - 2])
    return emitOptionalError(loc, "(C2) contracted dims differ: ", a.back().str(),
                             " and ", b[b.size() - 2].str());
  ArrayRef<SymbolicExpr> leadA = ArrayRef(a).drop_back(2),
                         leadB = ArrayRef(b).drop_back(2);
  std::optional<Dims> dims = broadcastDims(leadA, leadB);
  if (!dims)
    return emitOptionalError(loc,
                             "(C3) leading dims do not broadcast: ", printDims(leadA),
                             " and ", printDims(leadB));
  dims->push_back(a[a.size() - 2]);
  dims->push_back(b.back());
  types.push_back(makeTensorType(*dims, wider.value_or(element)));
  return success();
}

/// (C1)-(C3) of attention.
static LogicalResult checkAttention(Loc loc, ArrayRef<SymbolicExpr> q,
                                    ArrayRef<SymbolicExpr> k, ArrayRef<SymbolicExpr> v) {
  if (q.size() != 4 || k.size() != 4 || v.size() != 4)
    return emitOptionalError(loc, "(C1) expected rank 4, found query ", printDims(q),
                             ", key ", printDims(k), ", value ", printDims(v));
  if (q[0] != k[0] || q[0] != v[0] || q[3] != k[3] || k[2] != v[2] || k[1] != v[1])
    return emitOptionalError(loc, "(C2) dims do not match: query ", printDims(q),
                             ", key ", printDims(k), ", value ", printDims(v));
  std::optional<int64_t> heads = q[1].getConstant(), shared = k[1].getConstant();
  if (!heads || !shared || *shared <= 0 || *heads % *shared)
    return emitOptionalError(loc, "(C3) key heads must divide query heads, found ",
                             k[1].str(), " and ", q[1].str());
  return success();
}

/// (C7) of attention.
static LogicalResult checkSinks(Loc loc, Value query, Value sinks) {
  if (!sinks)
    return success();
  if (!elementTypeOf(sinks).isF32() &&
      failed(checkSameElement(loc, "(C7)", query, sinks)))
    return failure();
  if (getDims(sinks) != Dims{getDims(query)[1]})
    return emitOptionalError(loc, "(C7) expected a sink per query head, [",
                             getDims(query)[1].str(), "], found ",
                             printDims(getDims(sinks)));
  return success();
}

/// (C1) and (C10) of attention for quantized keys or values.
static LogicalResult checkCodes(Loc loc, Value query, Value codes, Value scales) {
  if (!scales)
    return checkSameElement(loc, "(C1)", query, codes);
  Type code = elementTypeOf(codes);
  if (!code.isSignlessInteger(8) && !kiln::isFloat8(code))
    return emitOptionalError(
        loc, "(C1) expected codes of i8 or f8E4M3FN beside scales, found ", code);
  Dims rows = getDims(codes);
  rows.pop_back();
  if (!elementTypeOf(scales).isF32() || getDims(scales) != rows)
    return emitOptionalError(loc, "(C10) expected scales ", printDims(rows),
                             " of f32, found ", scales.getType());
  return success();
}

/// (C1) and (C10) of attention, for keys and values.
static LogicalResult checkCodes(Loc loc, AttentionOp::Adaptor op) {
  if (bool(op.getKeyScales()) != bool(op.getValueScales()))
    return emitOptionalError(loc, "(C10) expected two tensors of scales, found one");
  if (op.getKeyScales() &&
      failed(checkSameElement(loc, "(C1)", op.getKey(), op.getValue())))
    return failure();
  return success(
      succeeded(checkCodes(loc, op.getQuery(), op.getKey(), op.getKeyScales())) &&
      succeeded(checkCodes(loc, op.getQuery(), op.getValue(), op.getValueScales())));
}

/// (C11) of attention.
static LogicalResult checkKeep(Loc loc, AttentionOp::Adaptor op,
                               ArrayRef<SymbolicExpr> scores) {
  Value keep = op.getKeep();
  if (!keep)
    return success();
  if (!op.getMask() || op.getMaskHides())
    return emitOptionalError(loc, "(C11) keep needs a mask without mask_hides");
  if (!broadcastsTo(getDims(keep), scores))
    return emitOptionalError(loc, "(C11) keep ", printDims(getDims(keep)),
                             " does not broadcast to ", printDims(scores));
  return success();
}

/// Kernels compute positions in 32 bits.
static constexpr uint64_t kMaxWindow = uint64_t(1) << 30;

/// (C5), (C6) and (C8) of attention: the visible keys, and the soft cap of scores.
template <typename Adaptor> static LogicalResult checkScores(Loc loc, Adaptor op) {
  Dims q = getDims(op.getQuery());
  if (Value lengths = op.getLengths();
      lengths && ArrayRef<SymbolicExpr>(getDims(lengths)) != ArrayRef(q).take_front())
    return emitOptionalError(loc, "(C5) expected lengths of [", q[0].str(), "], found ",
                             printDims(getDims(lengths)));
  if (op.getFromLength() && !(op.getCausal() && op.getLengths()))
    return emitOptionalError(loc, "(C5) from_length needs causal and lengths");
  if (std::optional<APFloat> cap = op.getSoftcap();
      cap && !(cap->isFiniteNonZero() && !cap->isNegative()))
    return emitOptionalError(loc, "(C6) expected a positive softcap, found ",
                             cap->convertToDouble());
  if (std::optional<uint64_t> window = op.getWindow();
      window && (*window == 0 || *window > kMaxWindow || !op.getCausal()))
    return emitOptionalError(loc,
                             "(C8) expected a window of 1 to 2^30 and causal, found ",
                             int64_t(*window), op.getCausal() ? "" : " without causal");
  return success();
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Value query = adaptor.getQuery(), mask = adaptor.getMask();
  Dims q = getDims(query), k = getDims(adaptor.getKey()), v = getDims(adaptor.getValue());
  if (failed(checkAttention(loc, q, k, v)) || failed(checkCodes(loc, adaptor)))
    return failure();
  if (mask) {
    if (!elementTypeOf(mask).isF32() &&
        failed(checkSameElement(loc, "(C4)", query, mask)))
      return failure();
    Dims scores{q[0], q[1], q[2], k[2]};
    if (!broadcastsTo(getDims(mask), scores))
      return emitOptionalError(loc, "(C4) mask ", printDims(getDims(mask)),
                               " does not broadcast to ", printDims(scores));
  }
  if (failed(checkScores(loc, adaptor)) ||
      failed(checkSinks(loc, query, adaptor.getSinks())))
    return failure();
  if (adaptor.getMaskHides() && !mask)
    return emitOptionalError(loc, "(C9) mask_hides needs a mask");
  if (failed(checkKeep(loc, adaptor, Dims{q[0], q[1], q[2], k[2]})))
    return failure();
  types.push_back(makeTensorType({q[0], q[1], q[2], v[3]}, elementTypeOf(query)));
  return success();
}

LogicalResult AttentionLseOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  Value query = adaptor.getQuery(), key = adaptor.getKey();
  Dims q = getDims(query), k = getDims(key);
  if (failed(checkAttention(loc, q, k, k)) ||
      failed(checkCodes(loc, query, key, adaptor.getKeyScales())) ||
      failed(checkScores(loc, adaptor)))
    return failure();
  Type f64 = Float64Type::get(context), f32 = Float32Type::get(context);
  types.push_back(
      makeTensorType({q[0], q[1], q[2]}, elementTypeOf(query).isF64() ? f64 : f32));
  return success();
}

LogicalResult RopeOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Value input = adaptor.getInput();
  Dims rows = getDims(input);
  for (Value table : {adaptor.getCosine(), adaptor.getSine()}) {
    if (failed(checkSameElement(loc, "(C1)", input, table)))
      return failure();
    Dims own = getDims(table);
    auto width = rows.empty() ? std::nullopt : rows.back().getConstant();
    auto pairs = own.empty() ? std::nullopt : own.back().getConstant();
    if (!width || !pairs || *pairs < 1 || 2 * *pairs > *width)
      return emitOptionalError(loc, "(C2) expected tables of at most half of ",
                               printDims(rows), ", found ", printDims(own));
    Dims rotated = rows;
    rotated.back() = SymbolicExpr(*pairs);
    if (!broadcastsTo(own, rotated))
      return emitOptionalError(loc, "(C3) ", printDims(own), " does not broadcast to ",
                               printDims(rotated));
  }
  if (getDims(adaptor.getCosine()).back() != getDims(adaptor.getSine()).back())
    return emitOptionalError(loc, "(C3) cosines and sines differ in width");
  types.push_back(input.getType());
  return success();
}
