//===- KernelTimeTable.h - Slowest kernels to compile -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_TABLES_KERNELTIMETABLE_H
#define KILN_LIB_DRIVER_TABLES_KERNELTIMETABLE_H

#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/raw_ostream.h"

namespace kiln::driver {

/// Prints the ten kernels that took the longest to compile; `times` must be sorted.
void printKernelTimes(llvm::raw_ostream &os,
                      llvm::ArrayRef<CompileReport::KernelTime> times);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TABLES_KERNELTIMETABLE_H
