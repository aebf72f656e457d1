//===- NpzFile.h - NumPy .npz archives --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_NPZFILE_H
#define KILN_EXECUTION_NPZFILE_H

#include "kiln/Execution/Handles.h"

namespace kiln::execution {

struct NpzArray {
  std::string name; ///< name without .npy
  Npy array;
};

/// All arrays of an archive that numpy.savez or numpy.savez_compressed wrote, in the
/// order of their names. An archive is a zip file of at most 4 GiB. Errors: KILN-E0002
/// (no such file), KILN-E0126 for archives that are truncated, damaged, encrypted or
/// larger.
llvm::Expected<std::vector<NpzArray>> readNpz(const std::string &path);

} // namespace kiln::execution

#endif // KILN_EXECUTION_NPZFILE_H
