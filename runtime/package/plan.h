//===- plan.h - The plan in memory ------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// plan.fbs as plain structs. decodePlan ensures that every index is in range and every
// enumeration valid; MemoryChecker checks that its memory is safe.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_PLAN_H
#define KILN_PACKAGE_PLAN_H

#include "runtime/base/expr.h"
#include "runtime/base/status.h"
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kiln::rt {

using ExprIndex = uint32_t;

struct Symbol {
  std::string name;
  int64_t min, max;
};

struct Arena {
  kiln_arena_kind kind;
  ExprIndex size;
  std::string formula;
};

/// An axis of the mesh of a stage's ranks, see plan.fbs.
struct RankAxis {
  uint32_t size = 0; ///< 0: all ranks of the stage
  uint32_t stride = 1;
};

struct Buffer {
  std::string name;
  uint32_t arena;
  ExprIndex size;
  uint64_t offset; ///< weights only
  std::vector<uint32_t> above;
  uint32_t firstStep, lastStep;
  int32_t aliasOf;
  uint32_t storage;        ///< last buffer of the alias chain; may be itself
  uint64_t rankStride = 0; ///< weights only, see plan.fbs
  int32_t stage = -1;      ///< state only, see plan.fbs
  RankAxis rankAxis = {};  ///< weights only
};

struct Tensor {
  std::string name;
  kiln_dtype dtype;
  std::vector<ExprIndex> dims;
  uint32_t buffer;
};

/// Description of a kernel's buffer for TMA copies, see plan.fbs.
struct TensorMap {
  uint32_t buffer; ///< index in the kernel's operands, then results
  kiln_dtype dtype;
  ExprIndex offset;
  std::vector<ExprIndex> extents, strides;
  std::vector<uint32_t> box;
  uint32_t swizzle;
};

/// Launch parameters of a kernel on a GPU target; no threads for a host target.
struct Block {
  uint32_t threads;
  ExprIndex shared;
  std::vector<TensorMap> maps;
  bool persistent;
  bool waits;                ///< for earlier kernels by griddepcontrol
  uint64_t cubin, cubinSize; ///< range in the target's cubin section; size 0: none
  /// Expressions: bytes of the workspace, number of arrival counters; both -1: none.
  int32_t workspace = -1, tickets = -1;
  uint32_t cluster = 1; ///< blocks per cluster

  bool hasWorkspace() const { return workspace >= 0; }
};

/// A condition: an expression is at most `max`.
struct Bound {
  ExprIndex value;
  int64_t max;
};

/// A kernel's code for some dims on one GPU target, see plan.fbs.
struct Variant {
  std::string name, config;
  uint32_t target;
  std::vector<Bound> when; ///< all must hold
  uint64_t entry;
  ExprIndex grid;
  Block block;
};

struct Kernel {
  std::string name, hero, config;
  std::vector<uint64_t> entries; ///< one per target
  std::vector<uint32_t> symbols;
  ExprIndex scratch;
  std::vector<Block> blocks;        ///< one per target; empty if all are hosts
  std::vector<Variant> variants;    ///< by target, then in order of precedence
  std::vector<std::string> configs; ///< one per target; empty if there is only one target

  /// Whether a block of any target needs a workspace.
  bool needsWorkspace() const;
};

enum class StepKind : uint8_t { Launch, Copy, Collective };

enum class CollectiveKind : uint8_t {
  AllReduce,
  AllGather,
  ReduceScatter,
  Broadcast,
  AllToAll,
  Permute
};
enum class Reduction : uint8_t { Sum, Mean, Max, Min, Prod };

/// Whether a collective transfers data between pipeline stages.
inline bool isHandover(CollectiveKind kind) {
  return kind == CollectiveKind::Broadcast || kind == CollectiveKind::Permute;
}

/// A collective step, see plan.fbs.
struct Collective {
  CollectiveKind kind;
  Reduction reduction;
  kiln_dtype dtype;
  ExprIndex outer, inner;
  int32_t kernel = -1, splitKernel = -1; ///< kernels over peer memory
  RankAxis axis = {};
  uint32_t join = 0;   ///< step that waits for it; 0: it does not overlap with steps
  int32_t takers = -1; ///< Permute: the receiving stage

  bool reduces() const {
    return kind == CollectiveKind::AllReduce || kind == CollectiveKind::ReduceScatter;
  }
  /// Whether a transfer sends its buffer to the ranks of a stage.
  bool reaches(uint32_t stage) const {
    return takers < 0 || static_cast<uint32_t>(takers) == stage;
  }
};

/// Returns "all_reduce" ...
const char *collectiveName(CollectiveKind kind);

struct Step {
  StepKind kind;
  uint32_t kernel; ///< Launch only
  std::vector<uint32_t> reads, writes;
  std::vector<std::string> nodes;
  std::vector<ExprIndex> grids; ///< Launch: one per target
  ExprIndex grid;               ///< Launch: for the selected target, see useTarget
  ExprIndex bytes, flops;
  int32_t workspace = -1, tickets = -1; ///< buffers used only by this step; both -1: none
  std::optional<Collective> collective; ///< set for Collective
  int32_t stage = -1;                   ///< pipeline stage that runs it; -1: all
};

enum class TargetKind : uint8_t { Host, Cuda };

struct Target {
  std::string name;
  std::vector<std::string> features;
  uint32_t image; ///< index in the sections of its type
  TargetKind kind;
};

/// Indices in an input, see plan.fbs.
struct IndexRows {
  uint32_t input;
  ExprIndex rows;
  uint32_t first, step;
  std::string node;
};

/// Indices that a kernel of the model checks, see plan.fbs.
struct CheckedPart {
  ExprIndex rows;
  std::vector<ExprIndex> dims;
  int32_t input; ///< -1: the model computes them
  uint32_t first, step;
  std::string node;
};

/// The result of a launch that checks indices, see plan.fbs.
struct IndexCheck {
  uint32_t buffer, step, valueBits;
  std::vector<CheckedPart> parts;

  /// Whether all checked indices are model inputs: the host compares those in host memory
  /// before a run.
  bool isOfInputs() const;
};

/// The numbers of rows of the states' sequences, see plan.fbs.
struct Sequences {
  uint32_t lengths, counts;
  ExprIndex added, capacity;
  int64_t ring = 0,
          window = 0; ///< rows of ring buffers, and of their sliding window
};

struct Plan {
  uint32_t abiVersion = 0;
  std::string name; ///< name of the program; empty: the model has only one
  std::vector<Symbol> symbols;
  std::vector<Expr> exprs;
  std::vector<Arena> arenas;
  std::vector<Buffer> buffers;
  std::vector<Tensor> inputs, outputs;
  std::vector<Kernel> kernels;
  std::vector<Step> steps;
  std::vector<Target> targets;
  std::vector<IndexRows> indexRows;
  std::vector<IndexCheck> indexChecks;
  std::vector<Tensor> states;
  std::optional<Sequences> sequences;
  uint64_t graphMemory = 0; ///< bytes for a session's instantiated CUDA graphs
  uint32_t ranks = 1;       ///< number of ranks that run this plan
  uint32_t stages = 1;      ///< pipeline stages into which the ranks are divided

  uint32_t ranksPerStage() const { return ranks / stages; }
  uint32_t stageOf(uint32_t rank) const { return rank / ranksPerStage(); }
  /// Whether a rank runs a step that is not a collective.
  bool runsOn(const Step &step, uint32_t rank) const {
    return step.stage < 0 || static_cast<uint32_t>(step.stage) == stageOf(rank);
  }
  /// Number of ranks along an axis.
  uint32_t sizeOf(const RankAxis &axis) const {
    return axis.size ? axis.size : ranksPerStage();
  }
  /// Bytes from the offset of a weight to a rank's shard.
  uint64_t partOf(uint32_t buffer, uint32_t rank) const {
    const RankAxis &axis = buffers[buffer].rankAxis;
    return buffers[buffer].rankStride *
           (rank % ranksPerStage() / axis.stride % sizeOf(axis));
  }
  /// Returns the weight buffers that a rank reads in a step or has as outputs, with
  /// duplicates.
  std::vector<uint32_t> weightsOf(uint32_t rank) const;
  kiln_arena_kind kindOf(uint32_t buffer) const {
    return arenas[buffers[buffer].arena].kind;
  }
  /// Whether the value of output `index` is computed in the output's memory. Otherwise
  /// the value is an input, a weight, state or an earlier output, and is copied there.
  bool providesStorage(uint32_t index) const;
  std::string text(ExprIndex expr) const;
  /// Sets `grid` of every step to that of target `index`; decoding sets it to the first
  /// target's.
  void useTarget(size_t index);
  /// Return `buffer 7 ("x")` and `step 3 (kernel "gemm0")`.
  std::string bufferName(uint32_t buffer) const;
  std::string stepName(uint32_t step) const;
};

/// Other sections of the package that a plan refers to.
struct PlanSurroundings {
  uint64_t weightsSize = 0;
  std::vector<uint64_t> imageSizes;          ///< of each host image
  std::vector<std::span<const uint8_t>> ptx; ///< each PTX section
  std::vector<uint64_t> cubinSizes; ///< of each cubin section, one per PTX or none
};

/// Decodes and validates the bytes of a plan section. where: for error messages. Errors:
/// KILN-E0505 (not a plan), E0506 (contradiction), E0509 (ABI).
Status decodePlan(std::span<const uint8_t> bytes, const PlanSurroundings &around,
                  const std::string &where, Plan &out);

/// Validates a decoded plan, the second half of decodePlan; fills Buffer::storage.
Status validatePlan(const PlanSurroundings &around, const std::string &where, Plan &plan);

} // namespace kiln::rt

#endif // KILN_PACKAGE_PLAN_H
