//===- Contraction.cpp - Matmul and attention -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "Storage.h"
#include "StridedCopy.h"

#include <cmath>
#include <limits>

using namespace kiln;
using namespace kiln::graph;
using namespace kiln::reference;
using namespace mlir;

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

/// Computes c = a b for row-major [m, k] and [k, n]. Each element accumulates in the
/// order of k; blocking only keeps data in the caches.
template <typename T>
static void multiply(const T *a, const T *b, T *c, int64_t m, int64_t k, int64_t n) {
  constexpr int64_t kRows = 8, kColumns = 256;
  std::fill(c, c + m * n, T(0));
  for (int64_t r0 = 0; r0 < m; r0 += kRows)
    for (int64_t c0 = 0; c0 < n; c0 += kColumns) {
      int64_t r1 = std::min(r0 + kRows, m), width = std::min(kColumns, n - c0);
      for (int64_t i = 0; i < k; ++i)
        for (int64_t r = r0; r < r1; ++r) {
          const T factor = a[r * k + i], *row = b + i * n + c0;
          T *sums = c + r * n + c0;
          for (int64_t j = 0; j < width; ++j)
            sums[j] += factor * row[j];
        }
    }
}

namespace {
/// Sizes of a matmul and the broadcast of its batch dims.
struct Product {
  Product(MatmulOp op, const Call &call) {
    ArrayRef<int64_t> lhs = call.operands[0].getShape(),
                      rhs = call.operands[1].getShape();
    lead.assign(call.shape.begin(), call.shape.end() - 2);
    m = call.shape[call.shape.size() - 2];
    n = call.shape.back();
    k = lhs[lhs.size() - (op.getTransposeA() ? 2 : 1)];
    strides = {broadcastStrides(lhs.drop_back(2), lead),
               broadcastStrides(rhs.drop_back(2), lead)};
  }

  Shape lead;
  int64_t m, n, k;
  std::array<Shape, 2> strides;
};
} // namespace

/// Returns the matrices of an operand, transposed if they are stored transposed.
template <typename T>
static std::vector<T> matrices(ArrayRef<T> values, bool transposed, int64_t rows,
                               int64_t columns) {
  if (!transposed || rows * columns == 0)
    return values.vec();
  std::vector<T> result(values.size());
  int64_t count = values.size() / (rows * columns);
  copyStrided(reinterpret_cast<char *>(result.data()),
              reinterpret_cast<const char *>(values.data()), sizeof(T),
              {count, rows, columns}, 0, {rows * columns, 1, rows});
  return result;
}

template <typename T>
static std::vector<T> product(MatmulOp op, const Call &call, ArrayRef<T> lhs,
                              ArrayRef<T> rhs) {
  Product p(op, call);
  std::vector<T> a = matrices(lhs, op.getTransposeA(), p.m, p.k);
  std::vector<T> b = matrices(rhs, op.getTransposeB(), p.k, p.n);
  std::vector<T> c(countElements(call.shape).value());
  forEachElement(p.lead, p.strides, [&](int64_t i, const std::array<int64_t, 2> &at) {
    multiply(a.data() + at[0] * p.m * p.k, b.data() + at[1] * p.k * p.n,
             c.data() + i * p.m * p.n, p.m, p.k, p.n);
  });
  return c;
}

Result reference::evaluate(MatmulOp op, const Call &call) {
  Type type = op.getType().getElementType();
  if (call.operands[0].isFloat()) {
    Tensor lhs = call.operands[0].widen(), rhs = call.operands[1].widen();
    return Tensor::fromDoubles(type, call.shape,
                               product(op, call, lhs.doubles(), rhs.doubles()));
  }
  // Unsigned, so that accumulators wrap.
  auto bits = [](const Tensor &tensor) {
    std::vector<int64_t> values = tensor.ints();
    return std::vector<uint64_t>(values.begin(), values.end());
  };
  std::vector<uint64_t> lhs = bits(call.operands[0]), rhs = bits(call.operands[1]);
  std::vector<uint64_t> sums = product<uint64_t>(op, call, lhs, rhs);
  return Tensor::fromInts(type, call.shape,
                          std::vector<int64_t>(sums.begin(), sums.end()));
}

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

namespace {
/// One head of one batch entry: pointers to its matrices.
struct Head {
  const double *query, *key, *value; // [S, D], [T, D], [T, Dv]
  int64_t keys;                      // existing keys, clamped to T
  int64_t end;                       // position after the sequence's last query
  double *result;                    // [S, Dv]
};

struct Attention {
  int64_t queries, keys, depth, valueDepth; // S, T, D, Dv
  double scale, softcap;                    // 0: none
  int64_t window;                           // visible keys per query; 0: all
  bool causal, fromLength, maskedZero, nanZero;
  double unit; ///< of scores' rounding error; 0: do not widen results
};

/// Scores of one query with its visible keys.
struct Row {
  std::vector<double> scores;
  std::vector<double> sizes;       ///< sum of magnitudes of a score's terms
  int64_t first = 0;               ///< first visible key
  std::vector<bool> isHidden = {}; ///< masked keys; empty: none

  bool sees(size_t key) const {
    return int64_t(key) >= first && (isHidden.empty() || !isHidden[key]);
  }
};
} // namespace

/// Returns the scores of query i with its visible keys, scaled, before the mask.
static Row scoresOf(const Attention &a, const Head &head, int64_t i) {
  int64_t end = a.fromLength ? head.end : a.keys, seen = head.keys;
  if (a.causal)
    seen = std::clamp<int64_t>(i + end - a.queries + 1, 0, seen);
  int64_t first = a.window > 0 ? i + end - a.queries + 1 - a.window : 0;
  Row row{std::vector<double>(seen), std::vector<double>(seen)};
  row.first = std::clamp<int64_t>(first, 0, seen);
  std::fill_n(row.scores.begin(), row.first, -std::numeric_limits<double>::infinity());
  for (int64_t j = row.first; j < seen; ++j) {
    double sum = 0;
    for (int64_t d = 0; d < a.depth; ++d)
      sum += head.query[i * a.depth + d] * head.key[j * a.depth + d];
    row.scores[j] = a.scale * sum;
    if (a.softcap > 0)
      row.scores[j] = a.softcap * std::tanh(row.scores[j] / a.softcap);
    row.sizes[j] = std::fabs(row.scores[j]);
  }
  return row;
}

static void addMask(Row &row, function_ref<double(int64_t)> mask) {
  for (auto [j, score, size] : llvm::enumerate(row.scores, row.sizes)) {
    double added = mask(j);
    score += added;
    size += std::isfinite(added) ? std::fabs(added) : 0;
  }
}

/// Replaces scores that are not kept by the mask.
static void replaceScores(Row &row, function_ref<double(int64_t)> mask,
                          function_ref<bool(int64_t)> keeps) {
  for (auto [j, score, size] : llvm::enumerate(row.scores, row.sizes))
    if (row.sees(j) && !keeps(j)) {
      score = mask(j);
      size = std::isfinite(score) ? std::fabs(score) : 0;
    }
}

/// Hides the keys whose mask is minus infinity, whatever their scores.
static void hideMasked(Row &row, function_ref<double(int64_t)> mask) {
  row.isHidden.resize(row.scores.size());
  for (auto [j, score, size] : llvm::enumerate(row.scores, row.sizes)) {
    if (mask(j) != -std::numeric_limits<double>::infinity())
      continue;
    row.isHidden[j] = true;
    score = -std::numeric_limits<double>::infinity();
    size = 0;
  }
}

/// Returns the number of roundings in the error bound of a score; see moveResult.
static double roundingsOf(const Attention &a) { return a.softcap > 0 ? 8 : 4; }

/// Moves a row of the result, y, by the bound of its change due to rounded scores. With
/// error e_j of score j, |e_j| <= d_j, softmax weights p_j and values v_j it becomes
///   y + sum_j p_j (exp(e_j) - 1) (v_j - y) / sum_j p_j exp(e_j),
/// because sum_j p_j (v_j - y) = 0. So it changes by at most
///   sum_j p_j (exp(d_j) - 1) |v_j - y| / sum_j p_j exp(-d_j),
/// and, because results are means of values, by at most the maximum |v_j - y|. d_j: a
/// scaled score and a mask are added, each rounded, and the mask itself is a
/// multiply-add: four roundings of values not larger than both together. A softcap adds a
/// division, a tanh and a multiplication. A sink is the last weight, with value 0.
static void moveResult(const Attention &a, const Head &head, const Row &scores,
                       ArrayRef<double> weights, double sum, double *row) {
  double minSum = 0;
  std::vector<double> parts(weights.size());
  for (auto [j, weight] : llvm::enumerate(weights)) {
    bool isSink = j == scores.scores.size();
    double error = isSink ? 0 : roundingsOf(a) * a.unit * scores.sizes[j];
    parts[j] = weight / sum * std::expm1(error);
    minSum += weight / sum * std::exp(-error);
  }
  for (int64_t d = 0; d < a.valueDepth; ++d) {
    double moved = 0, farthest = 0;
    for (auto [j, part] : llvm::enumerate(parts)) {
      bool isSink = j == scores.scores.size();
      if (!isSink && !scores.sees(j))
        continue;
      double value = isSink ? 0 : head.value[j * a.valueDepth + d];
      double away = std::fabs(value - row[d]);
      moved += part > 0 ? part * away : 0;
      farthest = std::fmax(farthest, away);
    }
    row[d] += std::fmin(moved / minSum, farthest);
  }
}

/// Returns the maximum of `at` and the scores; NaN if one is NaN.
static double largestOf(const Row &scores, double at) {
  for (double score : scores.scores)
    at = std::isnan(score) || score > at ? score : at;
  return at;
}

/// Computes row i of the result: values weighted by the softmax of the scores. A row
/// without visible keys, or whose scores are all minus infinity, is 0 / 0, or zero if
/// `maskedZero` is set. With `nanZero`, the weights of such a row and of one with a NaN
/// or plus infinity score are zero.
static void weighValues(const Attention &a, const Head &head, const Row &scores,
                        int64_t i, std::optional<double> sink) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double largest = largestOf(scores, sink.value_or(kNone)), sum = 0;
  double *row = head.result + i * a.valueDepth;
  std::fill(row, row + a.valueDepth, 0.0);
  bool isEmpty = std::isinf(largest) && largest < 0;
  if (a.maskedZero && isEmpty)
    return;
  if (a.nanZero && !std::isfinite(largest)) {
    for (size_t j = 0; j < scores.scores.size(); ++j)
      for (int64_t d = 0; d < a.valueDepth && scores.sees(j); ++d)
        row[d] += 0 * head.value[j * a.valueDepth + d];
    return;
  }
  std::vector<double> weights;
  for (auto [j, score] : llvm::enumerate(scores.scores)) {
    weights.push_back(std::exp(score - largest));
    sum += weights.back();
    if (!scores.sees(j))
      continue;
    for (int64_t d = 0; d < a.valueDepth; ++d)
      row[d] += weights.back() * head.value[j * a.valueDepth + d];
  }
  if (sink) {
    weights.push_back(std::exp(*sink - largest));
    sum += weights.back();
  }
  for (int64_t d = 0; d < a.valueDepth; ++d)
    row[d] /= sum;
  if (a.unit > 0 && std::isfinite(sum))
    moveResult(a, head, scores, weights, sum, row);
}

/// Returns keys or values as floats: quantized values [B, Hkv, T, D] times scales [B,
/// Hkv, T], if there are scales.
static Tensor scaledRows(const Tensor &codes, const Tensor *scales) {
  if (!scales)
    return codes.widen();
  int64_t width = codes.getShape().back();
  Type f64 = Float64Type::get(codes.getElementType().getContext());
  std::vector<double> numbers = codes.convert(f64).widen().doubles().vec();
  for (auto [i, number] : llvm::enumerate(numbers))
    number *= scales->getDouble(int64_t(i) / width);
  return Tensor::fromDoubles(f64, codes.getShape(), numbers);
}

/// Returns the parameters of an op on scores that do not differ from head to head.
template <typename Op>
static Attention attentionOf(Op op, const Call &call, const Tensor &key) {
  Attention a{call.shape[2],
              key.getShape()[2],
              key.getShape()[3],
              /*valueDepth=*/0,
              op.getScale().convertToDouble(),
              op.getSoftcap() ? op.getSoftcap()->convertToDouble() : 0,
              int64_t(op.getWindow().value_or(0)),
              op.getCausal(),
              op.getFromLength(),
              /*maskedZero=*/false,
              /*nanZero=*/false,
              0};
  // Scores are computed in f32, or in f64 for f64 results.
  if (call.options.moveByScores)
    a.unit = op.getType().getElementType().isF64() ? 0x1p-53 : 0x1p-24;
  return a;
}

/// Visits the heads: b is the batch entry, q the head's index among all queries' heads,
/// kv its index among all keys' heads.
template <typename Op, typename Visit>
static void forHeads(Op op, const Call &call, const Attention &a, const Tensor &query,
                     const Tensor &key, const Tensor *lengths, Visit visit) {
  // Longer lengths change nothing: all queries then see all keys, or none with a window.
  auto lengthOf = [&](int64_t batch) {
    if (!lengths)
      return a.keys;
    return std::clamp<int64_t>(lengths->getInt(batch), 0, a.keys + a.queries + a.window);
  };
  int64_t heads = call.shape[1], shared = key.getShape()[1];
  for (int64_t b = 0; b < call.shape[0]; ++b)
    for (int64_t h = 0; h < heads; ++h) {
      int64_t q = b * heads + h, kv = b * shared + h / (heads / shared);
      visit(b, q, kv,
            Head{query.doubles().data() + q * a.queries * a.depth,
                 key.doubles().data() + kv * a.keys * a.depth, nullptr,
                 std::min(a.keys, lengthOf(b)), lengthOf(b), nullptr});
    }
}

/// Returns an optional operand; null: there is none.
static const Tensor *optional(const Call &call, OperandRange part) {
  return part.empty() ? nullptr : &call.operands[part.getBeginOperandIndex()];
}

Result reference::evaluate(AttentionOp op, const Call &call) {
  Tensor query = call.operands[0].widen(), mask;
  Tensor key = scaledRows(call.operands[1], optional(call, op.getODSOperands(6)));
  Tensor value = scaledRows(call.operands[2], optional(call, op.getODSOperands(7)));
  Attention a = attentionOf(op, call, key);
  a.valueDepth = call.shape[3];
  a.maskedZero = op.getMaskedZero();
  a.nanZero = op.getNanZero();
  const Tensor *lengths = optional(call, op.getODSOperands(4));
  Tensor sinks = op.getSinks() ? optional(call, op.getODSOperands(5))->widen() : Tensor();
  int64_t heads = call.shape[1];
  const Tensor *keep = optional(call, op.getODSOperands(8));
  Shape scoresShape{call.shape[0], heads, a.queries, a.keys};
  Shape maskStrides(4, 0), keepStrides(4, 0);
  if (op.getMask()) {
    mask = call.operands[3].widen();
    maskStrides = broadcastStrides(mask.getShape(), scoresShape);
  }
  if (keep)
    keepStrides = broadcastStrides(keep->getShape(), scoresShape);
  std::vector<double> result(countElements(call.shape).value());
  forHeads(
      op, call, a, query, key, lengths, [&](int64_t b, int64_t q, int64_t kv, Head head) {
        int64_t h = q % heads;
        head.value = value.doubles().data() + kv * a.keys * a.valueDepth;
        head.result = result.data() + q * a.queries * a.valueDepth;
        for (int64_t i = 0; i < a.queries; ++i) {
          Row scores = scoresOf(a, head, i);
          auto placeOf = [&](const Shape &strides, int64_t j) {
            return b * strides[0] + h * strides[1] + i * strides[2] + j * strides[3];
          };
          auto masked = [&](int64_t j) {
            return mask.doubles()[placeOf(maskStrides, j)];
          };
          auto keeps = [&](int64_t j) {
            return keep->getInt(placeOf(keepStrides, j)) != 0;
          };
          if (op.getMask())
            addMask(scores, masked);
          if (keep)
            replaceScores(scores, masked, keeps);
          if (op.getMaskHides())
            hideMasked(scores, masked);
          weighValues(a, head, scores, i,
                      op.getSinks() ? std::optional(sinks.doubles()[h]) : std::nullopt);
        }
      });
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, result);
}

/// Returns log(sum(exp(scores))), plus the bound of its rounding error, which is at most
/// that of a score.
static double logSumExp(const Attention &a, const Row &scores) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double largest = largestOf(scores, kNone), sum = 0;
  if (largest == kNone)
    return kNone;
  double moved = 0;
  for (auto [score, size] : llvm::zip(scores.scores, scores.sizes)) {
    sum += std::exp(score - largest);
    moved = std::fmax(moved, roundingsOf(a) * a.unit * size);
  }
  return largest + std::log(sum) + moved;
}

Result reference::evaluate(AttentionLseOp op, const Call &call) {
  Tensor query = call.operands[0].widen();
  Tensor key = scaledRows(call.operands[1], optional(call, op.getODSOperands(3)));
  Attention a = attentionOf(op, call, key);
  std::vector<double> result(countElements(call.shape).value());
  forHeads(op, call, a, query, key, optional(call, op.getODSOperands(2)),
           [&](int64_t, int64_t q, int64_t, const Head &head) {
             for (int64_t i = 0; i < a.queries; ++i)
               result[q * a.queries + i] = logSumExp(a, scoresOf(a, head, i));
           });
  return Tensor::fromDoubles(op.getType().getElementType(), call.shape, result);
}
