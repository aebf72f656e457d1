//===- StampTable.h - Progress of ranks in collectives ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_TABLES_STAMPTABLE_H
#define KILN_LIB_DRIVER_TABLES_STAMPTABLE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace kiln::driver {

/// Reads the stamps of all ranks in a folder (rank-R.stamps): "ranks" (rank, node,
/// process, and the number of the "last" collective; null without a file) and
/// "collectives" (number, step, kind, bytes, and "states" by rank: done, waits, differs,
/// missing, or unknown if the circular buffer overwrote the stamp).
llvm::Expected<llvm::json::Object> stampTableJson(llvm::StringRef folder);
/// Prints the last collectives, those in which ranks differ, and a sentence that names
/// the missing ranks.
void printStampTable(llvm::raw_ostream &os, const llvm::json::Object &table);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TABLES_STAMPTABLE_H
