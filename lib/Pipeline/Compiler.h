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
#include "llvm/Support/Timer.h"

namespace kiln {

class Compiler {
public:
  friend llvm::ArrayRef<Phase> getPhases();

  Compiler(const CompileOptions &options, CompileReport &report);
  /// `warning`: about the model as a whole; empty: none.
  llvm::Error run(llvm::StringRef warning = "");
  /// As far as can be told without machine code; problems go to `problems`.
  void check(std::vector<Diagnosis> &problems);
  /// Returns the work of one of `ranks` ranks of a stage, from the plan; without machine
  /// code and without the bytes of weights.
  llvm::Expected<estimate::Workload> describe(const estimate::MeshShape &mesh);

private:
  /// Goal of the run: a package, all problems of a model (without the bytes of its
  /// weights), or its plan in numbers (also where its external data is absent).
  enum class Purpose { Package, Check, Estimate };

  llvm::Error checkOptions();
  llvm::Error checkCompileTo() const;
  llvm::Error hashSource();
  import::ImportOptions importOptions() const;
  void takeModel(import::ImportedModel imported);
  llvm::Error planOnPaper(const estimate::MeshShape &mesh);
  /// Runs the phases that leave a module.
  llvm::Error runModulePhases();
  llvm::Error runPhase(const Phase &phase);
  mlir::LogicalResult runPasses(const Phase &phase);

  // Work around the passes of phases, as getPhases() lists it.
  llvm::Error import();
  llvm::Error watchFusion();
  llvm::Error reportGraph();
  llvm::Error keepGraph();
  llvm::Error makeImages();
  llvm::Error fillReport();
  llvm::Error writePackage();

  void reportStateDims();
  /// The first diagnostic of the phase that failed.
  llvm::Error reported();
  /// Writes the module where --save-temps and --compile-to want it.
  llvm::Error dump(const Phase &phase);
  void addArenas();
  void addStages();
  std::string provenance(const std::string &graphText,
                         const reference::QuantizationErrors *errors) const;
  void reserveProvenance(package::PackageContents &contents,
                         const reference::QuantizationErrors &errors) const;

  const CompileOptions &options;
  CompileReport &report;
  PhaseOptions phaseOptions; ///< of `options`, with what the model and the mesh add
  Purpose purpose = Purpose::Package;
  mlir::MLIRContext context;
  codegen::SharedAnalyses analyses = std::make_shared<codegen::KernelAnalyses>();
  import::ImportedModel model;
  std::string kernelGraph; // text of the module after the kernels phase
  std::string sourceHash;  // SHA-256 of the model's file
  Images images;
  std::optional<Diagnosis> firstError;
};

} // namespace kiln

#endif // KILN_PIPELINE_COMPILER_H
