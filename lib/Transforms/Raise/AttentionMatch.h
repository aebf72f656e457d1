//===- AttentionMatch.h - Attention matcher ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Raise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_RAISE_ATTENTIONMATCH_H
#define KILN_LIB_TRANSFORMS_RAISE_ATTENTIONMATCH_H

#include "kiln/Analysis/Match.h"

#include <cmath>
#include <string>

namespace kiln::graph {

/// Upper bound of finite constants that models use as masks.
constexpr double kMaskedAtMost = -1e4;

/// Mask term: a tensor that the model adds to the scores, or a select that replaces
/// scores by a constant.
struct MaskTerm {
  mlir::Value value;         ///< summand, or condition of a select
  double factor = 1;         ///< product of the scales that are applied after the add
  bool select = false;
  bool keepOnTrue = true;    ///< select: whether the true branch is the scores
  double removed = 0;        ///< select: the constant of the other branch, scaled
  Dims scores;               ///< dims of the scores where the term is applied
  Dims own;                  ///< dims of the mask, with the rank of the scores
  Dims wide;                 ///< dims that the mask is broadcast to before dims are
                             ///< collapsed
  Dims dims;                 ///< dims of the mask that broadcast to [B, H, S, T]
};

struct AttentionMatch {
  SoftmaxOp softmax;
  MatmulOp scores, output;
  double scale = 1;
  double softcap = 0;   ///< soft cap of the scores, before masks; 0: none
  bool nanZero = false; ///< NaN weights become 0
  bool hasWideMask = false;             ///< a mask is f32, independent of the query's
                                        ///< type
  llvm::SmallVector<MaskTerm, 0> masks; ///< in order from the softmax to the matmul
  Dims lead;                         ///< [B, H]
  mlir::Value sinks;                 ///< one element per head; null: none
  mlir::Type sinkType;               ///< type of the column that is concatenated to the
                                     ///< scores
  Dims sinkScores;                   ///< leading dims of the scores at the concatenation
};

/// Matches an attention around one softmax, without changing the IR.
class AttentionMatcher {
public:
  explicit AttentionMatcher(SoftmaxOp softmax) { result.softmax = softmax; }
  std::optional<AttentionMatch> match();
  /// Whether the softmax looks like softmax(QK^T)V; `why` is the reason if it did not
  /// match.
  bool looksLikeOne();
  /// Reason why it does not match.
  std::string why;

private:
  bool refuse(const llvm::Twine &reason) {
    why = reason.str();
    return false;
  }
  /// Match from the softmax to the matmul of query and key.
  bool matchScores();
  bool step(mlir::Value &scores);
  void noteSplit(ReshapeOp op);
  bool stepReshape(ReshapeOp op, mlir::Value &scores);
  bool stepAdd(BinaryOp op, mlir::Value &scores);
  bool stepSelect(SelectOp op, mlir::Value &scores);
  bool stepCap(UnaryOp tanh, mlir::Value &scores);
  bool stepShift(BinaryOp op, mlir::Value &scores);
  bool stepFloor(BinaryOp op, mlir::Value &scores);
  bool stepConcat(ConcatOp op, mlir::Value &scores);
  /// Match from the softmax to the matmul with the value.
  bool matchOutput();
  bool stepNanToZero(mlir::Value &weights);
  bool stepSlice(SliceOp op, mlir::Value &weights);
  /// Determine the dims as [B, H, ..], and check that they are those of an attention.
  bool matchLead();
  bool matchOperands();
  bool matchFloor();
  bool fitMask(MaskTerm &term);
  bool matchMasks();
  bool matchSinks();

  AttentionMatch result;
  mlir::Value shifted;   ///< scores from which their maximum is subtracted
  bool hasFloor = false; ///< scores are at least the lowest finite value
  bool dropsSink = false; ///< the softmax's last column is dropped
  double outerScale = 1; ///< product of the scales between the softmax and the current
                         ///< step
  Dims split;            ///< [B, H] from a reshape of the scores
};

/// Collapses the leading dims of an attention's scores to two if there are more, and
/// returns the new softmax; returns the softmax itself if there are not, or if ops other
/// than scales are between its matmuls. (AttentionScores.cpp)
SoftmaxOp joinLead(SoftmaxOp softmax);

/// Moves a scale per head from the matmul of query and key to the query.
/// (AttentionScores.cpp)
void moveHeadScale(SoftmaxOp softmax);

/// Replaces the masks that are added to scores with split dims, [B, rows, columns, rows,
/// columns], by one mask that is added to the original scores. (AttentionScores.cpp)
void joinSplitMasks(SoftmaxOp softmax);

/// Builds the tensor [H] of sinks; null if there are none. (AttentionSinks.cpp)
mlir::Value buildSinks(mlir::OpBuilder &builder, mlir::Location loc,
                       const AttentionMatch &match);

/// Converts the part of an attention's mask that depends only on positions to `causal`,
/// `lengths` and `window`; replaces the op. False if there is no such part.
/// (AttentionSight.cpp)
bool readSight(AttentionOp op);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_RAISE_ATTENTIONMATCH_H
