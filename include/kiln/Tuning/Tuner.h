//===- Tuner.h - Measurement of kernel candidates ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A round compiles the model with the next candidate of every problem at once, checks the
// changed kernels against the reference, and alternates runs of the package and of the
// untuned one, timing every step, at several points (values of the model's dims). A
// candidate replaces the compiler's choice if it wins by a margin at one of them and
// loses at none. At the end the winners are measured together, and those that do not win
// again are dropped.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TUNING_TUNER_H
#define KILN_TUNING_TUNER_H

#include "kiln/Execution/Inputs.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/PairedTimes.h"
#include "kiln/Execution/SessionSettings.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Pipeline/Oracle.h"
#include "kiln/Support/OutputFiles.h"
#include "kiln/Tuning/TuneFile.h"
#include <functional>

namespace kiln::tuning {

struct TuneSettings {
  CompileOptions compile;           ///< output: the configs file
  std::vector<SymbolValues> points; ///< dims to measure at; empty: chosen automatically
  uint64_t seed = 0;                ///< seed of the random inputs
  execution::SessionSettings session;
  double seconds = 300; ///< time limit of the search; 0: nothing is measured
};

/// A loaded package with a session and outputs for each point of the tuner.
struct TunePackage {
  execution::Model model;
  execution::Session session;
  std::vector<execution::OutputSet> outputs;
};

class Tuner {
public:
  explicit Tuner(TuneSettings &settings) : settings(settings) {}

  /// Writes a file without lines, then searches and updates it after every round.
  llvm::Error run();

  llvm::ArrayRef<TuneProblem> getProblems() const { return problems; }
  const std::string &getTarget() const { return target; }
  /// Times of entire runs, untuned and tuned, by point; empty if no candidate won.
  llvm::ArrayRef<execution::PairedTimes> getWhole() const { return whole; }
  llvm::ArrayRef<execution::InputSet> getPoints() const { return points; }
  bool hasTimeLeft() const;

  std::function<void(const std::string &what)> progress;

private:
  using Choice = std::vector<size_t>; ///< index of a candidate for each problem
  /// By point, then by problem; empty if the time ran out.
  using Times = std::vector<std::vector<execution::PairedTimes>>;

  llvm::Error open();
  llvm::Error findProblems(const TunePackage &package);
  llvm::Error round(size_t number);
  llvm::Error confirm();
  llvm::Error confirmWhole();
  llvm::Error writeFile() const;

  llvm::Error compileTo(const std::string &path, const std::string &configs) const;
  llvm::Expected<TunePackage> load(const std::string &path, bool profile) const;
  /// Compiles and loads a package with these candidates; nullopt if they do not compile.
  llvm::Expected<std::optional<TunePackage>> build(const Choice &choice, bool profile);
  /// Returns false for each problem whose kernel differs from the reference.
  llvm::Expected<std::vector<bool>> verify(const Choice &choice);
  llvm::Expected<Times> measure(const TunePackage &candidate, double deadline);
  llvm::Error measureAt(size_t point, const TunePackage &candidate, double deadline,
                        std::vector<execution::PairedTimes> &times);
  llvm::Error choosePoints(kiln_model *model);
  std::vector<kiln_dim_range> rangesOf(kiln_model *model) const;
  llvm::Error runAt(size_t point, const TunePackage &package) const;
  /// Whether a problem's candidate wins by `margin`; if so, sets the times of `problem`.
  static bool wins(const Times &times, size_t number, double margin,
                   TuneProblem &problem);
  Choice winners() const;
  std::string linesOf(const Choice &choice) const;

  TuneSettings &settings;
  std::string target;
  TemporaryFile untunedFile, tunedFile, configsFile;
  std::optional<TunePackage> untuned; ///< profiles its steps
  std::vector<execution::InputSet> points;
  std::optional<PackageGraph> graph;
  std::vector<TuneProblem> problems;
  std::vector<execution::PairedTimes> whole;
  double begin = 0;
};

} // namespace kiln::tuning

#endif // KILN_TUNING_TUNER_H
