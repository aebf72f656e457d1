//===- OptimizeKernel.h - LLVM's passes for tile programs -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_OPTIMIZEKERNEL_H
#define KILN_LIB_TARGET_HOST_OPTIMIZEKERNEL_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace kiln::host {

/// Returns whether counting takes a good part of the time of a module's loops.
/// Elementwise kernels and reductions of rows are short; GEMMs and attention have
/// hundreds of loops, each of which is as wide as registers allow.
bool hasShortLoops(const llvm::Module &module);

/// Runs the passes that a lowered tile.kernel profits from on a module of one kernel;
/// `unrolls` its loops, too.
void optimizeKernel(llvm::Module &module, llvm::TargetMachine &machine, bool unrolls);

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_OPTIMIZEKERNEL_H
