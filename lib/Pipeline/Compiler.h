//===- Compiler.h - One compile, phase by phase -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_COMPILER_H
#define KILN_PIPELINE_COMPILER_H

#include "Images.h"
#include "kiln/Codegen/KernelAnalyses.h"
#include "kiln/Estimate/CostModel.h"
#include "kiln/Import/Import.h"
#include "kiln/Package/PackageWriter.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Pipeline/Phases.h"
#include "kiln/Reference/QuantizationErrors.h"
#include "kiln/Support/Error.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/Timer.h"

namespace kiln {

class Compiler {
public:
  friend llvm::ArrayRef<Phase> getPhases();

  Compiler(const CompileOptions &options, CompileReport &report);
  /// Runs the compile. warning: about the model as a whole; empty: none.
  llvm::Error run(llvm::StringRef warning = "");
  /// Runs the compile without machine code and adds all errors to `problems`.
  void check(std::vector<Diagnosis> &problems);
  /// Returns the workload of one rank of a stage from the plan, without machine code and
  /// without reading weights.
  llvm::Expected<estimate::Workload> describe(const estimate::MeshShape &mesh);

private:
  /// Goal of the run: a package; all problems of a model (without reading its weights);
  /// or its plan as a workload (external data may be missing).
  enum class Purpose { Package, Check, Estimate };

  llvm::Error checkOptions();
  /// Checks that `name`, the value of `option`, is a phase with passes, or empty.
  static llvm::Error checkPhase(llvm::StringRef option, llvm::StringRef name);
  /// Reads the model and the dump that options.resume names, and checks them. Returns the
  /// first phase that is left.
  llvm::Expected<const Phase *> resume();
  llvm::Error takeDumpOf(const Phase &last);
  llvm::Error checkResumed(const Phase &last);
  llvm::Error hashSource();
  import::ImportOptions importOptions() const;
  void takeModel(import::ImportedModel imported);
  llvm::Error planOnPaper(const estimate::MeshShape &mesh);
  /// Runs the phases that yield a module.
  llvm::Error runModulePhases();
  llvm::Error runPhase(const Phase &phase);
  llvm::Error runAndDump(const Phase &phase);
  /// Imports the model or reads a dump of it. Returns the first phase that is left.
  llvm::Expected<const Phase *> begin();
  mlir::LogicalResult runPasses(const Phase &phase);
  /// The passes of a phase as kiln-opt's --pass-pipeline takes them.
  std::string pipelineOf(const Phase &phase);
  /// Pipelines of all phases, a line each: the phase's name and its pipeline.
  std::string allPipelines();
  llvm::Error printPipeline();

  // Steps before and after the passes of phases, as getPhases() lists them.
  llvm::Error import();
  llvm::Error reportGraph();
  llvm::Error keepGraph();
  llvm::Error printPlan();
  llvm::Error makeImages();
  llvm::Error fillReport();
  llvm::Error writePackage();

  void reportStateDims();
  /// Returns the first diagnostic of the phase that failed.
  llvm::Error reported();
  /// Writes the module to the files of --save-temps and --compile-to.
  llvm::Error dump(const Phase &phase);
  void addArenas();
  void addStages();
  std::string provenance(const std::string &graphText,
                         const reference::QuantizationErrors *errors) const;
  void reserveProvenance(package::PackageContents &contents,
                         const reference::QuantizationErrors &errors) const;

  const CompileOptions &options;
  CompileReport &report;
  PhaseOptions phaseOptions; ///< `options` with additions from the model and the mesh
  Purpose purpose = Purpose::Package;
  mlir::MLIRContext context;
  codegen::SharedAnalyses analyses = std::make_shared<codegen::KernelAnalyses>();
  import::ImportedModel model;
  std::string kernelGraph; // text of the module after the kernels phase
  std::string sourceHash;  // SHA-256 of the model's file
  Images images;
  std::optional<Diagnosis> firstError;
  mlir::DefaultTimingManager timing; // prints when it is destroyed, the scope before it
  mlir::TimingScope allPhases;
};

} // namespace kiln

#endif // KILN_PIPELINE_COMPILER_H
