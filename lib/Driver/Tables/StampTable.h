//===- StampTable.h - Which rank reached which collective -------*- C++ -*-===//
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

/// The stamps of all ranks in a folder (rank-R.stamps): "ranks" (rank, node, process, and
/// the number of the "last" collective; null: it has no file) and "collectives" (number,
/// step, kind, bytes, and by rank "states": done, waits, differs, missing, or unknown
/// where the ring has been overwritten).
llvm::Expected<llvm::json::Object> stampTableJson(llvm::StringRef folder);
/// The last collectives, those where ranks differ, and a sentence that says who is
/// missing.
void printStampTable(llvm::raw_ostream &os, const llvm::json::Object &table);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TABLES_STAMPTABLE_H
