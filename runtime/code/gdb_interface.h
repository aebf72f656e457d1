//===- gdb_interface.h - Kernels by name in gdb -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements "JIT Compilation Interface" of gdb's manual: a list of object files in
// memory, and a function at which gdb stops when the list has changed.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_GDB_INTERFACE_H
#define KILN_CODE_GDB_INTERFACE_H

#include "runtime/code/kernel_symbols.h"

namespace kiln::rt {

/// Returns an ELF object that describes the kernels of an image; the image must not move.
std::string describeCode(const CodeImage &image, std::span<const KernelSymbol> symbols);

/// Adds the object to gdb's list. Not thread-safe.
void addToGdb(const CodeImage &image, std::span<const KernelSymbol> symbols);
/// Removes the image's object from gdb's list, if it has one. Not thread-safe.
void removeFromGdb(const CodeImage &image);

} // namespace kiln::rt

#endif // KILN_CODE_GDB_INTERFACE_H
