//===- Ledger.h - Where the time of a GPU goes ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the time of a step with what the GPU's data sheet allows: no kernel is
// faster than its bytes over the memory's bandwidth, nor than its operations over the
// rate of the units that do them.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_LEDGER_H
#define KILN_EXECUTION_LEDGER_H

#include "kiln/runtime.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kiln::execution {

/// Units that do a kernel's arithmetic.
enum class Arithmetic : uint8_t { F32, TF32, Half };

/// Rates of a GPU per second, dense, with f32 accumulation.
struct GpuLimits {
  llvm::StringRef name; ///< part of the driver's name
  double bytes;
  double f32, tf32, half;

  double rate(Arithmetic arithmetic) const;
};

/// NULL for a GPU whose data sheet is not known here. gpu: as its driver calls it.
const GpuLimits *findGpuLimits(llvm::StringRef gpu);

/// The fastest units that a kernel's PTX uses. ptx may be NULL, for a copy.
Arithmetic arithmeticOf(const char *ptx);
llvm::StringRef nameOf(Arithmetic arithmetic);

/// A launch that takes no time otherwise: the least that a kernel costs.
inline constexpr double launchSeconds = 2e-6;

struct LedgerEntry {
  Arithmetic arithmetic = Arithmetic::F32;
  double memorySeconds = 0, computeSeconds = 0;
  double waves = 0; ///< of blocks over the multiprocessors; 0 for a copy
  std::string why;  ///< "memory", "compute; 12 of 132 multiprocessors have work" ...

  /// The roofline: the larger of both.
  double bound() const;
  /// Fraction of the roofline, in [0, 1] unless the data sheet is wrong.
  double share(double seconds) const { return seconds > 0 ? bound() / seconds : 0; }
};

/// Cost of a step as this device runs it: its own tasks, and beyond what every
/// device must move, the sums of 4 bytes that blocks leave for each other, which are
/// written, read and added once.
kiln_step_cost costOn(const kiln_step_launch &launch, kiln_step_cost cost);

LedgerEntry judge(const GpuLimits &limits, const kiln_step_cost &cost,
                  const kiln_step_launch &launch, uint32_t multiprocessors,
                  Arithmetic arithmetic);

} // namespace kiln::execution

#endif // KILN_EXECUTION_LEDGER_H
