//===- Kernels.h - kiln-translate --to-ptx and the like ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TOOLS_KILN_TRANSLATE_KERNELS_H
#define KILN_TOOLS_KILN_TRANSLATE_KERNELS_H

namespace kiln {

/// Registers --to-llvmir, --to-asm, --to-ptx with --kernel and --target, and
/// --to-package.
void registerKernelTranslations();

} // namespace kiln

#endif // KILN_TOOLS_KILN_TRANSLATE_KERNELS_H
