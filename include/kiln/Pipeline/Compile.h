//===- Compile.h - From a model to a package --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entire compiler as one call: what `kiln compile` runs.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_COMPILE_H
#define KILN_PIPELINE_COMPILE_H

#include "kiln/Pipeline/AccuracyRecord.h"
#include "kiln/Pipeline/CompileCache.h"
#include "kiln/Pipeline/PassPrinting.h"
#include "kiln/Pipeline/Remarks.h"
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

  /// The fields, as dialects/Graph/Record.h reads and writes them.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("name", self.name);
    visitor("lo", self.lo);
    visitor("hi", self.hi);
  }
};

/// Where a compile goes on, as takeDump (kiln/Pipeline/Resume.h) finds it.
struct ResumePoint {
  std::string dump;   ///< path of the module
  std::string phase;  ///< that left it
  std::string sha256; ///< of the model's file, as it was compiled
};

/// Options of a compile: those that phases read, and file names.
struct CompileOptions : PhaseOptions {
  std::string input;  ///< .onnx or .onnxtxt
  std::string output; ///< package; MLIR text if compileTo is set ("-": stdout)
  std::vector<DimRange> dims;
  std::optional<ShardAnnotations> annotations; ///< axes and stages of single weights
  std::string compileTo; ///< stop after this phase; empty: the package
  /// Go on from a dump of the model, with the options of that compile; none: from the
  /// model.
  std::optional<ResumePoint> resume;
  std::string saveTemps; ///< folder for the IR after each phase
  std::optional<AccuracyRecord> accuracy; ///< stored in the provenance
  /// Cache for several compiles in one process; null: no cache.
  std::shared_ptr<CompileCache> cache;
  /// Verify behind every pass, not only behind every phase, and evaluate the program
  /// before and after each graph pass.
  bool verifyEach = false;
  /// Phase whose pipeline is written to `output`, in the words of kiln-opt, in place of a
  /// compile: "all" writes a line per phase, its name and its pipeline; empty: none.
  std::string printPipeline;
  /// Values of symbols, as "n=4", at which the plan's byte offsets go to stdout; nullopt:
  /// not printed.
  std::optional<std::string> printPlanAt;
  /// Regular expression over "PASS:NAME" of the remarks that `diagnose` gets; empty:
  /// none.
  std::string remarks;
  bool keepRemarks = false; ///< all of them, in the report
  PassPrinting passPrinting;
  /// Outputs that the package has, by their names; empty: all of the model.
  std::vector<std::string> outputs;
  /// Labels that the user gives the package, as keys and values.
  std::vector<std::pair<std::string, std::string>> labels;
  /// Inputs that become constants, each with the value of all its elements.
  std::vector<std::pair<std::string, std::string>> frozen;
  /// Folder that symbolic links of external data may lead into; empty: no links.
  std::string externalDataFrom;
  unsigned threads = 0; ///< 0: as many as CPUs are available
  /// Called with the name of each phase when it begins.
  std::function<void(llvm::StringRef phase)> progress;
  /// Called for each diagnostic, on the thread that emits it.
  std::function<void(mlir::Diagnostic &)> diagnose;
};

struct CompileReport {
  struct Arena {
    std::string kind, formula;
    uint64_t maxBytes = 0; ///< upper bound over all dims of the envelope
  };
  struct Phase {
    std::string name;
    double seconds = 0;
  };

  /// Time to compile a kernel for a target.
  struct KernelTime {
    std::string kernel, target;
    std::vector<std::string> nodes; ///< nodes of the first step that launches it
    double seconds = 0;             ///< CPU time
  };

  /// A program that pipeline stages run.
  struct PipelinedProgram {
    std::string name;
    int64_t microBatches = 1;
    double bubble = 0; ///< fraction of a run that a stage waits, estimated by a cost
                       ///< model
  };

  std::map<std::string, unsigned> fused; ///< how many of a kind are one op: "attention"
  std::vector<PassRemark> remarks;       ///< of all passes, as they ran
  std::vector<ObservedInput> observed;   ///< of a package that observes products
  bool hasByteLogits = false;            ///< an output of the model is [.., .., 256]
  PrecisionReport precision;             ///< which products are of fewer bits, and why
  std::vector<PredictedSpeed> predicted; ///< of all products with weights, by target
  Mesh mesh;                             ///< the ranks
  ShardReport sharding;              ///< what tensor-parallel ranks split; empty for one
  std::vector<int64_t> stageWeights; ///< of a pipeline: bytes that each stage reads
  uint64_t handovers = 0;            ///< from stage to stage in one run
  std::vector<PipelinedProgram> pipelined; ///< empty without stages
  std::vector<DimRange> dims;              ///< every symbol, with the chosen or given
                                           ///< range
  std::vector<std::string> defaults;       ///< symbols whose range was chosen
  std::vector<std::string> dependentDims;  ///< dims of inputs such as "total = past +
                                           ///< sequence"
  IndexReport indices;                     ///< all 0 if indices are clamped
  uint64_t nodes = 0;                      ///< number of nodes of the ONNX graph
  uint64_t steps = 0;                      ///< kernel launches and copies of one run
  uint64_t kernels = 0;                    ///< different kernels generated
  uint64_t variants = 0;                   ///< additional code for launches with few
                                           ///< rows, on all targets
  std::vector<std::string> targets;        ///< with "native" resolved
  /// CPU features that every CPU target's code requires to load.
  std::vector<std::string> features;
  std::vector<Arena> arenas;
  std::vector<Phase> phases;
  std::vector<KernelTime> kernelTimes; ///< in descending order
  uint64_t outputBytes = 0;
};

/// Compiles a model. Errors are either reported through `diagnose`, in which case the
/// first one is returned, or only returned. No file is left behind on failure.
llvm::Error compile(const CompileOptions &options, CompileReport &report);

/// Returns options that compile the same model for one rank, without sharding and without
/// the memory limit, which applies to one rank of the mesh. Calibration runs such a
/// package while it compiles the package for several ranks; both compute the same bits.
CompileOptions onOneRank(CompileOptions options);

/// Returns all GPU targets, the oldest first.
std::vector<std::string> gpuTargets();

struct CheckReport {
  uint64_t nodes = 0;              ///< number of nodes of the ONNX graph
  std::vector<DimRange> dims;      ///< as in CompileReport
  uint64_t kernels = 0;            ///< as in CompileReport
  std::vector<Diagnosis> problems; ///< empty: compile succeeds
  std::string warning;             ///< property that a compile would lose silently;
                                   ///< empty: none
};

/// Finds all errors of `compile` without generating machine code: every node that cannot
/// be imported and, if there is none, the errors of later phases. Writes no file and
/// reads no weights.
CheckReport check(const CompileOptions &options);

} // namespace kiln

#endif // KILN_PIPELINE_COMPILE_H
