//===- ImportOnnx.cpp - kiln-translate --import-onnx ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kiln-translate/ImportOnnx.h"
#include "kiln/Import/Import.h"
#include "kiln/Support/Error.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "tools/kiln-translate/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace kiln;

static const std::string &dimsOption() {
  static ConversionOption option("dims", "ranges",
                                 "Ranges of symbolic dims: name=lo..hi,name=value");
  return option.getValue();
}

/// Whether a model is ONNX text: on standard input there is no file name to tell.
static bool looksLikeText(llvm::StringRef content) {
  return content.ltrim().starts_with("<") || content.starts_with("#");
}

static mlir::FailureOr<import::ImportedModel>
importBuffer(const llvm::MemoryBuffer &buffer, const import::ImportOptions &options,
             mlir::MLIRContext &context) {
  llvm::StringRef name = buffer.getBufferIdentifier();
  if (name != "<stdin>")
    return import::importModel(name, options, context);
  return import::importBytes(llvm::arrayRefFromStringRef(buffer.getBuffer()), name,
                             looksLikeText(buffer.getBuffer()), "", options, context);
}

static mlir::OwningOpRef<mlir::Operation *> translate(llvm::SourceMgr &sources,
                                                      mlir::MLIRContext *context) {
  import::ImportOptions options;
  auto dims = import::parseDimRanges(dimsOption());
  if (!dims) {
    emitError(mlir::UnknownLoc::get(context), takeDiagnosis(dims.takeError()));
    return {};
  }
  options.dims = std::move(*dims);
  const llvm::MemoryBuffer &buffer = *sources.getMemoryBuffer(sources.getMainFileID());
  mlir::FailureOr<import::ImportedModel> model = importBuffer(buffer, options, *context);
  if (mlir::failed(model))
    return {};
  for (const import::ImportedSymbol &symbol : model->symbols)
    llvm::errs() << "dim " << symbol.name << " in [" << symbol.lo << ", " << symbol.hi
                 << "]" << (symbol.given ? "" : " (default)") << "\n";
  return model->module.release().getOperation();
}

void kiln::registerImportOnnx() {
  dimsOption();
  static mlir::TranslateToMLIRRegistration registration(
      "import-onnx", "ONNX (.onnx or .onnxtxt) to the graph dialect",
      [](llvm::SourceMgr &sources, mlir::MLIRContext *context) {
        return translate(sources, context);
      },
      [](mlir::DialectRegistry &registry) { import::registerDialects(registry); });
}
