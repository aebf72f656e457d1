//===- main.cpp - kiln-reduce ---------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Driver/Driver.h"
#include "kiln/Pipeline/Registration.h"
#include "kiln/Reduce/Reduce.h"
#include "kiln/Support/Process.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#ifdef KILN_TEST_PASSES
#include "Passes/TestPasses.h"
#endif

using namespace kiln;

/// kiln-opt as tests call it: with the passes that are registered already.
static int runOpt(int count, char **arguments) {
  prepareProcess("kiln-opt", llvm::ArrayRef(arguments + 1, arguments + count));
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(count, arguments, describePassDriver(), registry));
}

int main(int argc, char **argv) {
  registerAllPasses();
#ifdef KILN_TEST_PASSES
  test::registerTestPasses();
#endif
  driver::addTestProgram({"kiln-opt", runOpt});
  return driver::runAlone("kiln-reduce", driver::runReduce,
                          driver::Arguments(argv + 1, argv + (argc ? argc : 1)));
}
