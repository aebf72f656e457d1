//===- Workload.h - What ranks have to compute and to move ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan as numbers, at given dims: what the cost model and the simulator read. They know
// neither MLIR nor packages.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_WORKLOAD_H
#define KILN_ESTIMATE_WORKLOAD_H

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::estimate {

/// Element type that a kernel multiplies, which decides its peak rate. F16 stands for
/// bf16 too.
enum class Arithmetic { F32, TF32, F16, F8, I8 };
inline constexpr int kArithmetics = 5;

enum class CollectiveKind {
  AllReduce,
  AllGather,
  ReduceScatter,
  Broadcast,
  AllToAll,
  Permute
};

/// A buffer of a plan.
struct Value {
  enum class Kind { Activation, Weight, State, Input, Output };
  Kind kind = Kind::Activation;
  double bytes = 0;
  /// Which weight or state it is: the same number in all programs.
  int64_t key = -1;
  bool isDivided = false; ///< a weight of which each tensor-parallel rank has a part
};

/// A step of one rank.
struct Step {
  enum class Kind { Kernel, Copy, Collective };
  Kind kind = Kind::Kernel;
  std::string name;
  Arithmetic arithmetic = Arithmetic::F32;
  /// Operations of matrix products and attention, and all others.
  double productFlops = 0, otherFlops = 0;
  /// Kernels and copies: of memory. Collectives: of the whole tensor that is combined,
  /// gathered or scattered, or of what a rank exchanges.
  double bytes = 0;
  CollectiveKind collective = CollectiveKind::AllReduce;
  /// Ranks of a stage that take part in one collective: groups of `groupSize` ranks that
  /// are `groupStride` apart run it side by side; 0: all ranks of the stage.
  int64_t groupSize = 0, groupStride = 1;
  std::vector<unsigned> reads, writes; ///< values of the program
  /// A collective in the stream of collectives: the step in front of which kernels wait
  /// for it. 0: it is in the stream of kernels.
  unsigned join = 0;
};

/// One of the programs of a model: main, or prefill and decode.
struct Program {
  std::string name;
  std::vector<Value> values;
  std::vector<Step> steps;
  /// Bytes of a rank beside weights and states.
  double activationBytes = 0, inputBytes = 0, outputBytes = 0, workspaceBytes = 0;
  double tokens = 0; ///< that one run takes, of all sequences
};

/// All programs of a model, for one rank of `ranks` tensor-parallel ones.
struct Workload {
  int64_t ranks = 1;
  std::vector<std::pair<std::string, int64_t>> dims; ///< it is of these sizes
  std::vector<Program> programs;
};

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_WORKLOAD_H
