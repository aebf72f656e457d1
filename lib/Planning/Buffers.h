//===- Buffers.h - Programs as buffers and steps ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner's model of a program: buffers with lifetimes and steps that read
// and write them. Internal to lib/Planning.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PLANNING_BUFFERS_H
#define KILN_PLANNING_BUFFERS_H

#include "dialects/Graph/Ranks.h"
#include "dialects/Graph/SymbolBounds.h"
#include "dialects/Plan/Plan.h"
#include "kiln/Planning/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <string>
#include <vector>

namespace kiln {

/// Value of a stage for steps and buffers of all stages.
inline constexpr int64_t kAllStages = -1;

struct Buffer {
  plan::ArenaKind arena = plan::ArenaKind::activations;
  graph::SymbolicExpr size; // bytes
  int64_t first = 0, last = 0;
  /// Buffer whose storage this one uses, or -1.
  int64_t alias = -1;
  /// Buffers that must lie below this one in the same arena.
  llvm::SmallVector<unsigned> above;
  /// Offset in the weights arena; for a weight that is divided among ranks, the bytes
  /// from one rank's part to the next.
  int64_t weightOffset = 0, rankStride = 0;
  graph::MeshAxis rankAxis; ///< axis of the ranks that have different parts
  /// Pipeline stage whose ranks have this state, or kAllStages.
  int64_t stage = kAllStages;
  std::string source;
  mlir::Type type;
  /// graph.check of the result in this buffer, or null.
  mlir::DictionaryAttr check;
};

/// Returns true for a named state of the model; false for what kernels keep in the state
/// arena and for values that a kernel writes in place of a state.
inline bool isState(const Buffer &buffer) {
  return buffer.arena == plan::ArenaKind::state && buffer.type && buffer.alias < 0;
}

struct Step {
  mlir::Operation *op = nullptr; // a graph.kernel or collective; null for copies and
                                 // handovers
  enum Kind { Copy, Handover };
  Kind kind = Copy;            // if `op` is null; a handover writes the buffer that it
                               // reads
  int64_t stage = kAllStages;  // stage that runs the step
  int64_t takers = kAllStages; // stage that receives a handover
  llvm::SmallVector<unsigned> reads, writes;
  KernelCode code{{1}, {0}, {}, {}, {}};
  std::optional<unsigned> workspace, tickets; // buffers of this step only
  /// Step that waits for this collective, which overlaps with the steps before that one;
  /// 0: no overlap.
  int64_t join = 0;

  bool isHandover() const { return !op && kind == Handover; }
};

struct Program {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  unsigned numInPlace = 0;
  mlir::func::FuncOp function; // source of this program

  /// Returns all buffers, each after those that lie below it and the one whose storage it
  /// uses.
  llvm::SmallVector<unsigned> inOrder() const;
  /// Returns the buffer whose storage `index` uses, through all aliases.
  unsigned storageOf(unsigned index) const {
    while (buffers[index].alias >= 0)
      index = buffers[index].alias;
    return index;
  }
};

/// Offsets of weights, which the programs of a module have in common.
struct WeightPlaces {
  explicit WeightPlaces(mlir::ModuleOp module);

  /// Axis of the ranks that have different parts of a weight, by name; other weights are
  /// equal on all ranks.
  llvm::DenseMap<mlir::StringAttr, graph::MeshAxis> divided;
  llvm::DenseMap<mlir::Attribute, int64_t> offsets; ///< by name, in bytes
  int64_t bytes = 0;                                ///< total
};

/// Returns the buffers and steps of a function, with aliases for in-place updates, and
/// assigns offsets to weights.
mlir::FailureOr<Program> assignBuffers(mlir::func::FuncOp main, WeightPlaces &places);

/// Divides the programs of a module into pipeline stages (AssignStages.cpp), and adds the
/// handovers between them. Errors: KILN-E0209.
mlir::LogicalResult assignStages(llvm::MutableArrayRef<Program> programs, int64_t stages);

/// Orders steps such that kernels overlap with collectives, and sets the joins of
/// collectives (ScheduleSteps.cpp).
void scheduleSteps(Program &program, const graph::SymbolRanges &ranges);

/// Orders the steps of a pipeline so that its stages compute different parts of a run at
/// the same time (OrderWaves.cpp).
void orderWaves(Program &program);

/// Returns, per step, the steps that must come before it: it reads what they write, or
/// writes what they read or write.
std::vector<llvm::SetVector<unsigned>> dependencesOf(const Program &program);

/// Computes lifetimes of all buffers, and lets results reuse the memory of operands.
void assignLifetimes(Program &program);

/// Finds the code of every step, and adds the workspace and arrival counters (tickets)
/// that it needs.
mlir::LogicalResult addWorkspaces(Program &program, const FindCode &findCode,
                                  const graph::SymbolRanges &ranges);

/// Checks that every dim and size is 0 or more at both ends of its range and bounded in
/// between. Errors: KILN-E0123.
mlir::LogicalResult checkEnvelope(mlir::func::FuncOp main, const Program &program);

/// Fills `above` of every buffer of `arena` such that buffers that are live at the same
/// time do not overlap, for any dims. State lies at the bottom of its arena, and so at
/// the same offset in every program of a model.
void packArena(Program &program, plan::ArenaKind arena,
               const graph::SymbolRanges &ranges);

/// Adds a candidate to a maximum of polynomials, none of which dominates another.
void addMaximum(llvm::SmallVectorImpl<graph::SymbolicExpr> &maxima,
                const graph::SymbolicExpr &candidate);

/// Returns the size of `arena` in bytes as a maximum of a few polynomials; an upper bound
/// if the exact maximum has too many.
llvm::SmallVector<graph::SymbolicExpr> arenaSize(const Program &program,
                                                 plan::ArenaKind arena,
                                                 const graph::SymbolRanges &ranges);

} // namespace kiln

#endif // KILN_PLANNING_BUFFERS_H
