//===- AttentionMatch.h - Find the parts of an attention --------*- C++ -*-===//
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

/// A finite number that stands for "no weight": the smallest models write.
constexpr double kMaskedAtMost = -1e4;

/// Mask term: a tensor that the model adds to the scores, or the condition of a select
/// that puts a number in their place.
struct MaskTerm {
  mlir::Value value;         ///< summand, or condition of a select
  double factor = 1;         ///< of the summand: scales outside of it
  bool select = false;
  bool keepOnTrue = true;    ///< select: the branch that holds the scores
  double removed = 0;        ///< select: the number of the other branch, scaled
  Dims scores;               ///< of the scores where it is applied
  Dims own;                  ///< its own, of the rank of the scores
  Dims wide;                 ///< what those are broadcast to before they are joined
  Dims dims;                 ///< after joining: broadcast to [B, H, S, T]
};

struct AttentionMatch {
  SoftmaxOp softmax;
  MatmulOp scores, output;
  double scale = 1;
  double softcap = 0;   ///< of the scores, before the masks; 0: none
  bool nanZero = false; ///< weights that are NaN count as 0
  bool hasWideMask = false;             ///< a mask is f32, whatever the query is
  llvm::SmallVector<MaskTerm, 0> masks; ///< from the softmax inwards
  Dims lead;                         ///< [B, H]
  mlir::Value sinks;                 ///< one number per head; null: none
  mlir::Type sinkType;               ///< of what joins the scores
  Dims sinkScores;                   ///< leading dims of the scores that they join
};

/// Matches around one softmax, without changing anything.
class AttentionMatcher {
public:
  explicit AttentionMatcher(SoftmaxOp softmax) { result.softmax = softmax; }
  std::optional<AttentionMatch> match();
  /// Weights of a product, whatever it is that keeps it from being an attention.
  bool looksLikeOne();
  /// Why it is none.
  std::string why;

private:
  bool refuse(const llvm::Twine &reason) {
    why = reason.str();
    return false;
  }
  /// From the softmax down to the product of query and key.
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
  /// From the softmax up to the product with the value.
  bool matchOutput();
  bool stepNanToZero(mlir::Value &weights);
  bool stepSlice(SliceOp op, mlir::Value &weights);
  /// The dims as [B, H, ..], and whether they are those of an attention.
  bool matchLead();
  bool matchOperands();
  bool matchFloor();
  bool fitMask(MaskTerm &term);
  bool matchMasks();
  bool matchSinks();

  AttentionMatch result;
  mlir::Value shifted;   ///< scores that are read for their maximum, too
  bool hasFloor = false; ///< scores are no less than the smallest number
  bool dropsSink = false; ///< the last column of the softmax has no value
  double outerScale = 1; ///< of everything below the current step
  Dims split;            ///< [B, H] as a reshape of the scores shows it
};

/// The softmax of an attention whose scores have more leading dims than two, after these
/// have been joined to two; the softmax itself if they have not, or where more than
/// scales stands between its matmuls. (AttentionScores.cpp)
SoftmaxOp joinLead(SoftmaxOp softmax);

/// Makes a scale of each head, which stands directly behind the matmul of query and key,
/// one of the query. (AttentionScores.cpp)
void moveHeadScale(SoftmaxOp softmax);

/// Adds what is added to scores whose dims are split, as [B, rows, columns, rows,
/// columns], as one mask to the scores themselves. (AttentionScores.cpp)
void joinSplitMasks(SoftmaxOp softmax);

/// [H] numbers; null if there are none. (AttentionSinks.cpp)
mlir::Value buildSinks(mlir::OpBuilder &builder, mlir::Location loc,
                       const AttentionMatch &match);

/// Takes what an attention's mask says of positions off it, as `causal` and
/// `lengths`; the op is replaced. False if there is nothing. (AttentionSight.cpp)
bool readSight(AttentionOp op);

} // namespace kiln::graph

#endif // KILN_LIB_TRANSFORMS_RAISE_ATTENTIONMATCH_H
