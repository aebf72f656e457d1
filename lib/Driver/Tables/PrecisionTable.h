//===- PrecisionTable.h - Precision of a package's matmuls ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_TABLES_PRECISIONTABLE_H
#define KILN_LIB_DRIVER_TABLES_PRECISIONTABLE_H

#include "llvm/Support/JSON.h"

namespace kiln::driver {

/// Returns the output of `kiln inspect --precision` from a package's provenance: its
/// "precision", "precision_rules", "algorithm", "precision_report" and "accuracy".
llvm::json::Object precisionJson(const llvm::json::Object &provenance);
void printPrecisionTable(llvm::raw_ostream &os, const llvm::json::Object &provenance);
/// Prints the measurements of `--accuracy` and the loss by quantizing each matmul, from
/// "accuracy" of a provenance.
void printAccuracyTable(llvm::raw_ostream &os, const llvm::json::Object &accuracy);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TABLES_PRECISIONTABLE_H
