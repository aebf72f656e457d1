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

/// A model of one kernel, or of a few, and how it is compiled and run.
struct KernelCase {
  std::string family; ///< "matmul"
  std::string name;   ///< among those of its family: "bf16_NT_33x17x45"
  ModelText model;
  std::vector<std::string> gpus; ///< targets of the package, beside this host
  bool forHost = true;           ///< false: the package is for GPUs alone
  PrecisionPolicy precision = {};
  std::vector<DimRange> dims = {};      ///< of symbols
  std::vector<SymbolValues> at = {{}};  ///< a run for each
  std::vector<std::string> heroes = {}; ///< kernels of the plan; empty: any
  std::vector<std::string> ptx = {}; ///< in the code for each GPU there is each of these
  std::vector<std::string> noPtx = {}; ///< and none of these
  std::string config = {};             ///< text of kernels' configs on each GPU
  size_t configs = 1;                  ///< so many kernels, at least, have that config
  std::map<std::string, std::vector<double>> given = {}; ///< inputs that are not random
  /// In every line of the package's graph with this op is each of opHas and none of
  /// opLacks.
  std::string graphOp = {};
  std::vector<std::string> opHas = {}, opLacks = {};
  /// Codes and sums of integers: every device gives the same bits.
  bool sameBits = false;
  /// The tile program for each target is interpreted, too: for small cases, as that takes
  /// about a millisecond for a thousand multiply-adds.
  bool interpreted = false;
  /// No element of a GPU's outputs is further from the host's than this part of the
  /// host's largest; 0: they are not compared.
  double nearHost = 0;
  /// No element is further from the model as it is written than this part of the largest
  /// one, or of 1; 0: only their root mean square is limited.
  double bound = 0;
  /// The root mean square of what outputs are off the model as it is written, as a part
  /// of theirs; 0: the limit of kiln verify for the types and the precision.
  double rms = 0;
  /// Traffic of each launch on a GPU, which depends on no schedule, so that
  /// the row runs under one; empty: it is not counted.
  std::vector<Traffic> traffic = {};
  /// Instead of `traffic`, checks the launches of a run on a GPU, where what they may
  /// cost depends on their configs or on each other.
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

/// Checks what is said of pairs of formats that no kernel multiplies.
void checkRefusedPairs();

/// All rows.
KernelTable kernelTable();

/// The first case of each family, precision and list of targets, and every fifth one.
KernelTable someOf(const KernelTable &table);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_KERNELCASE_H
