//===- RankTable.h - What the ranks of a package have -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_TABLES_RANKTABLE_H
#define KILN_LIB_DRIVER_TABLES_RANKTABLE_H

#include "kiln/Execution/Handles.h"
#include "llvm/Support/JSON.h"

namespace kiln::driver {

/// The bytes of weights of each rank.
llvm::Expected<llvm::json::Array> ranksJson(kiln_model *model);
/// Returns what `kiln inspect --ranks` prints: "ranks" as of ranksJson, and the
/// "collectives" of all programs, where every dim is at its largest.
llvm::Expected<llvm::json::Object> rankTableJson(llvm::ArrayRef<kiln_model *> entries);
void printRankTable(llvm::raw_ostream &os, const llvm::json::Object &table);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TABLES_RANKTABLE_H
