//===- Kernels.cpp - kiln-translate --to-ptx and the like -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kiln-translate/Kernels.h"
#include "kiln/Pipeline/Registration.h"
#include "kiln/Pipeline/Translate.h"
#include "kiln/Support/Error.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "tools/kiln-translate/Options.h"
#include "llvm/Support/SourceMgr.h"

using namespace kiln;

static const std::string &kernelOption() {
  static ConversionOption option("kernel", "name", "Only the kernels of this name");
  return option.getValue();
}

static const std::string &targetOption() {
  static ConversionOption option("target", "target",
                                 "Only the kernels for this target; also the target of "
                                 "kernels whose module names none");
  return option.getValue();
}

static llvm::LogicalResult report(llvm::Error error, mlir::MLIRContext *context) {
  if (error)
    return emitError(mlir::UnknownLoc::get(context), takeDiagnosis(std::move(error)));
  return llvm::success();
}

static void registerKernelText(const char *name, const char *description,
                               KernelTextKind kind) {
  mlir::TranslateFromMLIRRegistration registration(
      name, description,
      [kind](mlir::ModuleOp module, llvm::raw_ostream &os) {
        TranslateOptions options{kind, kernelOption(), targetOption()};
        return report(translateKernels(module, options, os), module.getContext());
      },
      registerAllDialects);
}

void kiln::registerKernelTranslations() {
  kernelOption();
  targetOption();
  registerKernelText("to-llvmir", "kernels to LLVM IR, as --save-temps writes it",
                     KernelTextKind::LLVMIR);
  registerKernelText("to-asm", "kernels for CPUs to assembly", KernelTextKind::Assembly);
  registerKernelText("to-ptx", "kernels for GPUs to PTX", KernelTextKind::PTX);
  static mlir::TranslateRegistration package(
      "to-package", "a dump of kiln compile to a package",
      [](const std::shared_ptr<llvm::SourceMgr> &sources, llvm::raw_ostream &os,
         mlir::MLIRContext *context) {
        const llvm::MemoryBuffer &buffer =
            *sources->getMemoryBuffer(sources->getMainFileID());
        return report(translatePackage(buffer.getBufferIdentifier().str(), os), context);
      });
}
