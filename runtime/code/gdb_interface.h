//===- gdb_interface.h - Kernels by name in gdb -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface is that of "JIT Compilation Interface" in gdb's manual: a list of object
// files in memory, and a function at which gdb stops when the list has changed.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_GDB_INTERFACE_H
#define KILN_CODE_GDB_INTERFACE_H

#include "runtime/code/kernel_symbols.h"

namespace kiln::rt {

/// The ELF object that describes the kernels of an image, which stays where it is.
std::string describeCode(const CodeImage &image, std::span<const KernelSymbol> symbols);

/// Adds the object to gdb's list, or removes it, for one thread at a time.
void addToGdb(const CodeImage &image, std::span<const KernelSymbol> symbols);
/// Nothing if it is not in the list.
void removeFromGdb(const CodeImage &image);

} // namespace kiln::rt

#endif // KILN_CODE_GDB_INTERFACE_H
