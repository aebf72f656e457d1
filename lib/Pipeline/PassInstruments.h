//===- PassInstruments.h - PassPrinting on a pass manager -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_PASSINSTRUMENTS_H
#define KILN_LIB_PIPELINE_PASSINSTRUMENTS_H

#include "kiln/Pipeline/PassPrinting.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace mlir {
class PassManager;
}

namespace kiln {

/// Checks that passes named by `printing` stand in `pipelines`, the text of pipelines.
/// Errors: KILN-E0001.
llvm::Error checkPassNames(const PassPrinting &printing, llvm::StringRef pipelines);

/// Makes a pass manager print the IR around the passes that `printing` names.
void printPasses(mlir::PassManager &pm, const PassPrinting &printing);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_PASSINSTRUMENTS_H
