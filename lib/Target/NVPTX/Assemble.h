//===- Assemble.h - PTX to machine code -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_ASSEMBLE_H
#define KILN_LIB_TARGET_NVPTX_ASSEMBLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kiln::nvptx {

/// Assembles PTX text for an architecture ("sm_80") with the ptxas in the PATH.
/// Errors: KILN-E0406, with ptxas's message if it rejects the text.
llvm::Error assemble(llvm::StringRef text, llvm::StringRef architecture, std::string &cubin);

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_ASSEMBLE_H
