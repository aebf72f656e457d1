//===- main.cpp - kiln-opt ------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Registration.h"
#include "kiln/Support/Process.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#ifdef KILN_TEST_PASSES
#include "Passes/TestPasses.h"
#endif

int main(int argc, char **argv) {
  kiln::prepareProcess("kiln-opt", llvm::ArrayRef(argv + 1, argv + argc));
  kiln::hideLibraryOptions();
  mlir::DialectRegistry registry;
  kiln::registerAllDialects(registry);
  kiln::registerAllPasses();
#ifdef KILN_TEST_PASSES
  kiln::test::registerTestPasses();
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, kiln::describePassDriver(), registry));
}
