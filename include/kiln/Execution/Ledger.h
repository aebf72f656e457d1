//===- Ledger.h - Time of GPU steps against the roofline --------*- C++ -*-===//
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

/// Units that execute a kernel's arithmetic.
enum class Arithmetic : uint8_t { F32, TF32, Half };

/// Rates of a GPU per second, dense, with f32 accumulation.
struct GpuLimits {
  llvm::StringRef name; ///< substring of the driver's name of the GPU
  double bytes;
  double f32, tf32, half;

  double rate(Arithmetic arithmetic) const;
};

/// Returns the limits of the GPU with this driver name; nullptr if its data sheet is not
/// known here.
const GpuLimits *findGpuLimits(llvm::StringRef gpu);

/// Returns the fastest units that a kernel's PTX uses. ptx may be nullptr, for a copy.
Arithmetic arithmeticOf(const char *ptx);
llvm::StringRef nameOf(Arithmetic arithmetic);

/// Time of an empty launch, a lower bound of every kernel's time.
inline constexpr double launchSeconds = 2e-6;

struct LedgerEntry {
  Arithmetic arithmetic = Arithmetic::F32;
  double memorySeconds = 0, computeSeconds = 0;
  double waves = 0; ///< waves of blocks on the multiprocessors; 0 for a copy
  std::string why;  ///< "memory", "compute; 12 of 132 multiprocessors have work" ...

  /// Returns the roofline: the larger of both times.
  double bound() const;
  /// Returns the fraction of the roofline, in [0, 1] unless the data sheet is wrong.
  double share(double seconds) const { return seconds > 0 ? bound() / seconds : 0; }
};

/// Cost of a step as this device runs it: with the device's number of tasks, and with the
/// workspace through which its blocks exchange partial sums of 4 bytes, each written,
/// read and added once.
kiln_step_cost costOn(const kiln_step_launch &launch, kiln_step_cost cost);

LedgerEntry judge(const GpuLimits &limits, const kiln_step_cost &cost,
                  const kiln_step_launch &launch, uint32_t multiprocessors,
                  Arithmetic arithmetic);

} // namespace kiln::execution

#endif // KILN_EXECUTION_LEDGER_H
