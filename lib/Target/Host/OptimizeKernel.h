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

/// Returns true if loop control is a large part of the run time of a module's loops.
/// Elementwise kernels and row reductions have short bodies; GEMMs and attention have
/// hundreds of loops whose bodies use all registers.
bool hasShortLoops(const llvm::Module &module);

/// Runs the passes that benefit a lowered tile.kernel on a module of one kernel;
/// `unrolls`: also unrolls its loops.
void optimizeKernel(llvm::Module &module, llvm::TargetMachine &machine, bool unrolls);

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_OPTIMIZEKERNEL_H
