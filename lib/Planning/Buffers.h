//===- Buffers.h - Values as buffers ----------------------------*- C++ -*-===//
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

/// In place of a stage of a pipeline: what all ranks run or have.
inline constexpr int64_t kAllStages = -1;

struct Buffer {
  plan::ArenaKind arena = plan::ArenaKind::activations;
  graph::SymbolicExpr size; // bytes
  int64_t first = 0, last = 0;
  /// Buffer whose storage this one is, or -1.
  int64_t alias = -1;
  /// Buffers that this one lies above, in the same arena.
  llvm::SmallVector<unsigned> above;
  /// Place in the weights arena, and of weights of which ranks have parts of their own
  /// the bytes from one part to the next.
  int64_t weightOffset = 0, rankStride = 0;
  graph::MeshAxis rankAxis; ///< of the ranks that have the parts
  /// The stage of a pipeline whose ranks have this state, or kAllStages.
  int64_t stage = kAllStages;
  std::string source;
  mlir::Type type;
  /// graph.check of the result that it holds, or null.
  mlir::DictionaryAttr check;
};

/// Whether a buffer is a state that has a name, unlike what kernels keep there for
/// themselves, and is not what a kernel makes of one.
inline bool isState(const Buffer &buffer) {
  return buffer.arena == plan::ArenaKind::state && buffer.type && buffer.alias < 0;
}

struct Step {
  mlir::Operation *op = nullptr; // a graph.kernel or a collective; null for others
  enum Kind { Copy, Handover };
  Kind kind = Copy;            // where op is null; a handover writes what it reads
  int64_t stage = kAllStages;  // whose ranks run it
  int64_t takers = kAllStages; // to which ranks it hands something on
  llvm::SmallVector<unsigned> reads, writes;
  KernelCode code{{1}, {0}, {}, {}, {}};
  std::optional<unsigned> workspace, tickets; // buffers of this step alone
  /// A collective beside which other steps run: the step in front of which these wait
  /// for it. 0: there are none.
  int64_t join = 0;

  bool isHandover() const { return !op && kind == Handover; }
};

struct Program {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  unsigned numInPlace = 0;
  mlir::func::FuncOp function; // that it is made from

  /// Every buffer, after those that it lies above and the one whose storage it uses.
  llvm::SmallVector<unsigned> inOrder() const;
  /// The buffer whose storage `index` uses in the end.
  unsigned storageOf(unsigned index) const {
    while (buffers[index].alias >= 0)
      index = buffers[index].alias;
    return index;
  }
};

/// Where weights lie, which the programs of a module have in common.
struct WeightPlaces {
  explicit WeightPlaces(mlir::ModuleOp module);

  /// Axes of the ranks that have different bytes of a weight, by the weight's name; other
  /// weights are equal on all ranks.
  llvm::DenseMap<mlir::StringAttr, graph::MeshAxis> divided;
  llvm::DenseMap<mlir::Attribute, int64_t> offsets; ///< by name, in bytes
  int64_t bytes = 0;                                ///< of all
};

/// Buffers and steps of a function, with the aliases of what is updated in place, and
/// weight offsets.
mlir::FailureOr<Program> assignBuffers(mlir::func::FuncOp main, WeightPlaces &places);

/// Divides the programs of a module into the stages of a pipeline (AssignStages.cpp), and
/// adds the handovers between them. Errors: KILN-E0209.
mlir::LogicalResult assignStages(llvm::MutableArrayRef<Program> programs, int64_t stages);

/// Orders steps so that some run beside collectives, and says where collectives are
/// waited for (ScheduleSteps.cpp).
void scheduleSteps(Program &program, const graph::SymbolRanges &ranges);

/// Orders the steps of a pipeline so that its stages compute parts of a run at the same
/// time (OrderWaves.cpp).
void orderWaves(Program &program);

/// For each step those that have to come first: it reads what they write, or writes what
/// they read or write.
std::vector<llvm::SetVector<unsigned>> dependencesOf(const Program &program);

/// Lifetimes of all buffers, and results that take the place of operands.
void assignLifetimes(Program &program);

/// Finds the code of every step, and adds a workspace and tickets where it asks for
/// some.
mlir::LogicalResult addWorkspaces(Program &program, const FindCode &findCode,
                                  const graph::SymbolRanges &ranges);

/// Every dim and size has a value of 0 or more at both ends of the envelope and a bound
/// for all dims in between. Errors: KILN-E0123.
mlir::LogicalResult checkEnvelope(mlir::func::FuncOp main, const Program &program);

/// Fills `above` of every buffer of `arena` so that the buffers that are live
/// together never overlap, for any dims. State lies below all else of its arena, and so
/// at the same place in every program of a model.
void packArena(Program &program, plan::ArenaKind arena,
               const graph::SymbolRanges &ranges);

/// Adds a candidate to a maximum of polynomials of which none dominates another.
void addMaximum(llvm::SmallVectorImpl<graph::SymbolicExpr> &maxima,
                const graph::SymbolicExpr &candidate);

/// The largest end of the buffers of `arena` in bytes, as a maximum of a few
/// polynomials; an upper bound where it takes too many to say it.
llvm::SmallVector<graph::SymbolicExpr> arenaSize(const Program &program,
                                                 plan::ArenaKind arena,
                                                 const graph::SymbolRanges &ranges);

} // namespace kiln

#endif // KILN_PLANNING_BUFFERS_H
