//===- main.cpp - kiln-translate ------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Registration.h"
#include "kiln/Support/Process.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "tools/kiln-translate/ImportOnnx.h"
#include "tools/kiln-translate/Kernels.h"

int main(int argc, char **argv) {
  kiln::prepareProcess("kiln-translate", llvm::ArrayRef(argv + 1, argv + argc));
  kiln::hideLibraryOptions();
  kiln::registerImportOnnx();
  kiln::registerKernelTranslations();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "Kiln's translations between formats"));
}
