//===- KernelCase.h - A row of the table of kernel cases --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/hacking/kernel-cases.md describes the table, and how to add a row.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_KERNELCASE_H
#define KILN_TEST_UNIT_KERNELS_KERNELCASE_H

#include "ModelText.h"
#include "Traffic.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Pipeline/Oracle.h"
#include <functional>
#include <map>

namespace kiln::test {

/// A model of one or a few kernels, and how it is compiled and run.
struct KernelCase {
  std::string family; ///< "matmul"
  std::string name;   ///< within the family: "bf16_NT_33x17x45"
  ModelText model;
  std::vector<std::string> gpus; ///< targets of the package, besides this host
  bool forHost = true;           ///< false: the package is only for GPUs
  PrecisionPolicy precision = {};
  std::vector<DimRange> dims = {};      ///< ranges of symbols
  std::vector<SymbolValues> at = {{}};  ///< symbol values of each run
  std::vector<std::string> heroes = {}; ///< expected kernels of the plan; empty: any
  std::vector<std::string> ptx = {};    ///< texts that the code for each GPU must contain
  std::vector<std::string> noPtx = {};  ///< texts that it must not contain
  std::string config = {};              ///< text that kernels' configs on each GPU must
                                        ///< contain
  size_t configs = 1;                   ///< min number of kernels with that config
  std::map<std::string, std::vector<double>> given = {}; ///< values of inputs that are
                                                         ///< not random
  /// Every line of the package's graph with this op must contain all of opHas and none of
  /// opLacks.
  std::string graphOp = {};
  std::vector<std::string> opHas = {}, opLacks = {};
  /// Quantized integer arithmetic: every device must give the same bits.
  bool sameBits = false;
  /// Interprets the tile program for each target too: only for small cases, as that
  /// takes about a millisecond per thousand multiply-adds.
  bool interpreted = false;
  /// Max difference of a GPU's output element from the host's, as a fraction of the
  /// host's largest element; 0: not compared.
  double nearHost = 0;
  /// Max error of an element against the original model, as a fraction of the largest
  /// one, or of 1; 0: only the root mean square is limited.
  double bound = 0;
  /// Max root mean square error against the original model, as a fraction of the outputs'
  /// root mean square; 0: the limit of kiln verify for the types and the precision.
  double rms = 0;
  /// Expected traffic of each launch on a GPU. It does not depend on the schedule, so the
  /// row runs with only one; empty: not checked.
  std::vector<Traffic> traffic = {};
  /// Used instead of `traffic` to check a GPU run's launches if the allowed cost depends
  /// on their configs or on each other.
  std::function<void(const std::vector<CountedLaunch> &)> checkLaunches = {};
};

using KernelTable = std::vector<KernelCase>;

void addAttentionCases(KernelTable &table);
void addAttentionTrafficCases(KernelTable &table);
void addColumnCases(KernelTable &table);
void addColumnTrafficCases(KernelTable &table);
void addIndexCases(KernelTable &table);
void addMatmulCases(KernelTable &table);
void addMatmulTrafficCases(KernelTable &table);
void addMovementCases(KernelTable &table);
void addQuantizedCases(KernelTable &table);
void addRowCases(KernelTable &table);
void addTrafficCases(KernelTable &table);
void addConcatTrafficCases(KernelTable &table);
void addRowTrafficCases(KernelTable &table);
void addTransposedTrafficCases(KernelTable &table);

/// Checks the errors for pairs of formats that no kernel multiplies.
void checkRefusedPairs();

/// Returns all rows.
KernelTable kernelTable();

/// Returns the first case of each family, precision and list of targets, and every fifth
/// case.
KernelTable someOf(const KernelTable &table);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_KERNELCASE_H
