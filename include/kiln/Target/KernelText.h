//===- KernelText.h - Texts that kernels become -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_KERNELTEXT_H
#define KILN_TARGET_KERNELTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>

namespace kiln {

/// Takes a text of a kernel: its LLVM IR behind LLVM's optimizations (`kind` "ll"), its
/// assembly for a CPU ("s") or its PTX ("ptx"). Several threads may call it at a time.
using KernelTextSink = std::function<llvm::Error(
    llvm::StringRef kernel, llvm::StringRef kind, llvm::StringRef text)>;

/// Returns a sink that writes each text to FOLDER/KERNEL.KIND, and creates the folder.
/// The sink fails with KILN-E0003 where a file cannot be written.
KernelTextSink writeTextsTo(std::string folder);

} // namespace kiln

#endif // KILN_TARGET_KERNELTEXT_H
