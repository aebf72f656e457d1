//===- FlatImage.h - Objects to one flat image ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A minimal linker for generated kernels. Private to lib/Target/Host.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_HOST_FLATIMAGE_H
#define KILN_LIB_TARGET_HOST_FLATIMAGE_H

#include "kiln/Target/Host.h"

namespace kiln::host {

/// Appends the text and read-only data of a relocatable x86-64 ELF object and resolves
/// its PC-relative relocations. Every function of the object becomes an entry. .eh_frame
/// is appended to the image's unwind table. Writable data, references to symbols outside
/// the object and absolute relocations are errors that name the symbol.
llvm::Error appendObject(HostImage &image, llvm::StringRef object);

} // namespace kiln::host

#endif // KILN_LIB_TARGET_HOST_FLATIMAGE_H
