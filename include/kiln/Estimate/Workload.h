//===- Workload.h - Compute and traffic of ranks ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan as numbers at given dims, the input of the cost model and the simulator, which
// depend on neither MLIR nor packages.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_WORKLOAD_H
#define KILN_ESTIMATE_WORKLOAD_H

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::estimate {

/// Element type of a kernel's matmuls, which determines its peak rate. F16 includes bf16.
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
  /// Identifies a weight or state: the same number in all programs; -1 for other values.
  int64_t key = -1;
  bool isDivided = false; ///< a weight that tensor-parallel ranks divide
};

/// A step of one rank.
struct Step {
  enum class Kind { Kernel, Copy, Collective };
  Kind kind = Kind::Kernel;
  std::string name;
  Arithmetic arithmetic = Arithmetic::F32;
  /// Operations in matmuls and attention, and all others.
  double productFlops = 0, otherFlops = 0;
  /// Kernels and copies: memory traffic. Collectives: size of the entire tensor that is
  /// reduced, gathered or scattered, or of the data that a rank exchanges.
  double bytes = 0;
  CollectiveKind collective = CollectiveKind::AllReduce;
  /// Groups of a collective: `groupSize` ranks that are `groupStride` apart form a group,
  /// and all groups run at the same time; 0: all ranks of the stage form one group.
  int64_t groupSize = 0, groupStride = 1;
  std::vector<unsigned> reads, writes; ///< indices of values of the program
  /// For a collective on the communication stream: index of the step before which kernels
  /// wait for it. 0: the collective is on the stream of kernels.
  unsigned join = 0;
};

/// One of the programs of a model: main, or prefill and decode.
struct Program {
  std::string name;
  std::vector<Value> values;
  std::vector<Step> steps;
  /// Bytes per rank other than weights and states.
  double activationBytes = 0, inputBytes = 0, outputBytes = 0, workspaceBytes = 0;
  double tokens = 0; ///< processed per run, over all sequences
};

/// All programs of a model, for one of `ranks` tensor-parallel ranks.
struct Workload {
  int64_t ranks = 1;
  std::vector<std::pair<std::string, int64_t>> dims; ///< dims that the numbers are for
  std::vector<Program> programs;
};

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_WORKLOAD_H
