//===- SharedCode.h - Code that compiles have in common ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_SHAREDCODE_H
#define KILN_PIPELINE_SHAREDCODE_H

#include <memory>

namespace kiln {

class KernelCache;

/// Empty, for CompileOptions::kernelCache of several compiles.
std::shared_ptr<KernelCache> makeKernelCache();

} // namespace kiln

#endif // KILN_PIPELINE_SHAREDCODE_H
