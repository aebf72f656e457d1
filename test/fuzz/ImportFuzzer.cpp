//===- ImportFuzzer.cpp - Any bytes: a module or a coded error ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzes the import of models. The first byte selects protobuf or text. Run with a corpus
// of small models:
//   build-fuzz/bin/ImportFuzzer -max_len=65536 DIR
//
//===----------------------------------------------------------------------===//

#include "kiln/Import/Import.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  bool uncoded = false;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    uncoded |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
               diagnostic.str().rfind("KILN-E01", 0) != 0;
    return mlir::success();
  });
  (void)kiln::import::importBytes({data + 1, size - 1}, "fuzz.onnx", data[0] & 1,
                                  "/nonexistent", {}, context);
  if (uncoded)
    std::abort();
  return 0;
}
