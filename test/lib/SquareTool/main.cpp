//===- main.cpp - kiln and kiln-opt with one more kernel family -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Square/SquareFamily.h"
#include "kiln/Driver/Driver.h"
#include "kiln/Pipeline/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace kiln::driver;

static const Command commands[] = {
    {"compile", "turn an ONNX model into a package", runCompile},
    {"explain", "say which configs each kernel was chosen from", runExplain},
    {"inspect", "show what is inside a package", runInspect},
    {"verify", "check every kernel of a package against the reference", runVerify},
};

int main(int argc, char **argv) {
  // Registers the family before pointwise kernels, which accept all remaining ops.
  kiln::codegen::registerKernelFamily(kiln::test::squareFamily(), "pointwise");
  if (argc < 2 || llvm::StringRef(argv[1]) != "opt")
    return runTool(commands, Arguments(argv + 1, argv + (argc ? argc : 1)));
  mlir::DialectRegistry registry;
  kiln::registerAllDialects(registry);
  kiln::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc - 1, argv + 1, "Kiln's pass driver\n", registry));
}
