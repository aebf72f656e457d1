//===- RankTable.h - Weights and collectives of ranks -----------*- C++ -*-===//
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

/// Returns the bytes of weights of each rank.
llvm::Expected<llvm::json::Array> ranksJson(kiln_model *model);
/// Returns the output of `kiln inspect --ranks`: "ranks" from ranksJson, and the
/// "collectives" of all programs at the maximum of every dim.
llvm::Expected<llvm::json::Object> rankTableJson(llvm::ArrayRef<kiln_model *> entries);
void printRankTable(llvm::raw_ostream &os, const llvm::json::Object &table);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TABLES_RANKTABLE_H
