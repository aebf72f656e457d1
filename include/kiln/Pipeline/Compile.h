//===- Compile.h - From a model to a package --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole compiler as one call: what `kiln compile` runs.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_COMPILE_H
#define KILN_PIPELINE_COMPILE_H

#include "kiln/Pipeline/AccuracyRecord.h"
#include "kiln/Pipeline/CompileCache.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/ShardAnnotations.h"
#include "kiln/Transforms/Fusion/IndexReport.h"
#include "kiln/Transforms/Graph/PhaseOptions.h"
#include "kiln/Transforms/Graph/PrecisionReport.h"
#include "kiln/Transforms/Graph/Sharding.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class Diagnostic;
}

namespace kiln {

/// A symbolic dim compiled for [lo, hi].
struct DimRange {
  std::string name;
  int64_t lo = 0, hi = 0;
};

/// Options of a compile: those that phases read, and where things lie.
struct CompileOptions : PhaseOptions {
  std::string input;  ///< .onnx or .onnxtxt
  std::string output; ///< package; MLIR text if compileTo is set ("-": stdout)
  std::vector<DimRange> dims;
  std::optional<ShardAnnotations> annotations; ///< of single weights
  std::string compileTo; ///< stop after this phase; empty: the package
  std::string saveTemps; ///< folder for the IR after each phase
  std::optional<AccuracyRecord> accuracy; ///< for the provenance
  /// Used by several compiles of a process; null: nothing is kept.
  std::shared_ptr<CompileCache> cache;
  bool verifyEach = false; ///< evaluate before and after each graph pass
  /// Outputs that the package has, by their names; empty: all of the model.
  std::vector<std::string> outputs;
  /// Labels that the user gives the package, keys and values.
  std::vector<std::pair<std::string, std::string>> labels;
  /// Inputs that become constants, each with the number that all its elements are.
  std::vector<std::pair<std::string, std::string>> frozen;
  /// Folder that external data may be links into; empty: no links.
  std::string externalDataFrom;
  unsigned threads = 0; ///< 0: as many as the machine gives
  /// Called with the name of each phase when it begins.
  std::function<void(llvm::StringRef phase)> progress;
  /// Called for each diagnostic, on the thread that emits it.
  std::function<void(mlir::Diagnostic &)> diagnose;
};

struct CompileReport {
  struct Arena {
    std::string kind, formula;
    uint64_t maxBytes = 0; ///< no dims of the envelope need more
  };
  struct Phase {
    std::string name;
    double seconds = 0;
  };

  /// Time to compile a kernel for a target.
  struct KernelTime {
    std::string kernel, target;
    std::vector<std::string> nodes; ///< of the first step that runs it
    double seconds = 0;             ///< CPU time
  };

  /// A program whose stages wait for each other.
  struct PipelinedProgram {
    std::string name;
    int64_t microBatches = 1;
    double bubble = 0; ///< fraction of a run for which a stage waits, by a cost model
  };

  /// Looks like an attention, a norm or an activation, and is computed op by op.
  struct Unfused {
    std::string what, node, why;
  };

  std::map<std::string, unsigned> fused; ///< how many of a kind are one op: "attention"
  std::vector<Unfused> unfused;
  std::vector<ObservedInput> observed;   ///< of a package that observes products
  bool hasByteLogits = false;            ///< an output of the model is [.., .., 256]
  PrecisionReport precision;             ///< which products are of fewer bits, and why
  std::vector<PredictedSpeed> predicted; ///< of all products with weights, by target
  Mesh mesh;                             ///< the ranks
  ShardReport sharding;              ///< what tensor-parallel ranks split; empty for one
  std::vector<int64_t> stageWeights; ///< of a pipeline: bytes that each stage reads
  uint64_t handovers = 0;            ///< from stage to stage in one run
  std::vector<PipelinedProgram> pipelined; ///< empty without stages
  std::vector<DimRange> dims;              ///< every symbol, chosen or given
  std::vector<std::string> defaults;       ///< the names of those whose range was chosen
  std::vector<std::string> dependentDims;  ///< of inputs, as "total = past + sequence"
  IndexReport indices;                     ///< all 0 if they are clamped
  uint64_t nodes = 0;                      ///< of the ONNX graph
  uint64_t steps = 0;                      ///< kernel launches and copies of one run
  uint64_t kernels = 0;                    ///< different ones generated
  uint64_t variants = 0;                   ///< for launches of few rows, on all targets
  std::vector<std::string> targets;        ///< "native" resolved
  /// CPU features without which the code of every CPU target refuses to load.
  std::vector<std::string> features;
  std::vector<Arena> arenas;
  std::vector<Phase> phases;
  std::vector<KernelTime> kernelTimes; ///< the longest first
  uint64_t outputBytes = 0;
};

/// Compiles. An error was either reported through `diagnose` already, or not
/// reported at all; the error returned is then the first of them.
/// No file is left behind on failure.
llvm::Error compile(const CompileOptions &options, CompileReport &report);

/// Returns options that compile the same model for one rank, without sharding and without
/// a memory limit, which is of one rank of the mesh. For a package that is run while the
/// package of several ranks is compiled, as a calibration does; both compute the same
/// bits.
CompileOptions onOneRank(CompileOptions options);

/// Every target that is a GPU, the oldest first.
std::vector<std::string> gpuTargets();

struct CheckReport {
  uint64_t nodes = 0;              ///< of the ONNX graph
  std::vector<DimRange> dims;      ///< as in CompileReport
  uint64_t kernels = 0;            ///< as in CompileReport
  std::vector<Diagnosis> problems; ///< empty: compile succeeds
  std::string warning;             ///< what it loses all the same; empty: nothing
};

/// Finds all that `compile` would refuse, without generating machine code: every
/// node that cannot be imported and, if there is none, what a later phase refuses.
/// Writes nothing, reads none of the weights.
CheckReport check(const CompileOptions &options);

} // namespace kiln

#endif // KILN_PIPELINE_COMPILE_H
