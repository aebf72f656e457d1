//===- Import.cpp - ONNX to graph -----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Import/Import.h"
#include "kiln/ErrorCodes/Internal.h"
#include "kiln/Support/Error.h"
#include "lib/Import/Declarations.h"
#include "lib/Import/GraphImporter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

void kiln::import::registerDialects(DialectRegistry &registry) {
  registry.insert<graph::GraphDialect, func::FuncDialect>();
}

static LogicalResult report(MLIRContext &context, llvm::Error error) {
  if (!error)
    return success();
  kiln::emitError(UnknownLoc::get(&context), takeDiagnosis(std::move(error)));
  return failure();
}

/// Runs all checks that need no ops. With `keepGoing`, ops that cannot be imported are
/// not yet a failure.
static LogicalResult checkBefore(const ModelFile &file, ModelOrder &order, bool keepGoing,
                                 MLIRContext &context) {
  std::vector<Diagnosis> problems = checkModel(file, order, keepGoing);
  for (const Diagnosis &problem : problems)
    kiln::emitError(UnknownLoc::get(&context), problem);
  if (problems.size() > (keepGoing ? order.refused.size() : 0))
    return failure();
  for (const std::string &warning : order.warnings)
    mlir::emitWarning(UnknownLoc::get(&context)) << warning;
  llvm::StringSet<> constants;
  for (const onnx::TensorProto &tensor : file.model().graph().initializer())
    constants.insert(tensor.name());
  for (const onnx::ValueInfoProto &input : file.model().graph().input())
    if (!constants.contains(input.name()) &&
        failed(report(context, checkDeclaration(input, &context))))
      return failure();
  return success();
}

/// Repeats the import until no further dims turn out to be equal.
static FailureOr<OwningOpRef<ModuleOp>>
importUntilStable(const ModelFile &file, const ModelOrder &order, Symbols &symbols,
                  Weights &weights, const ImportOptions &options, MLIRContext &context) {
  while (true) {
    // Only the last run's messages count: earlier runs do not know yet which dims are
    // equal.
    std::vector<Diagnostic> messages;
    size_t before = symbols.changes();
    FailureOr<OwningOpRef<ModuleOp>> module = failure();
    {
      ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
        messages.push_back(std::move(diagnostic));
        return success();
      });
      module = GraphImporter(file, order, symbols, weights, options, context).run();
    }
    // Terminates: every further run has one symbol less, or one with a smaller range.
    if (symbols.changes() != before)
      continue;
    for (Diagnostic &message : messages)
      context.getDiagEngine().emit(std::move(message));
    return module;
  }
}

/// Adds the metadata of a model file; missing entries are omitted.
static void describe(const onnx::ModelProto &model,
                     std::vector<std::pair<std::string, std::string>> &to) {
  std::string producer = model.producer_name();
  if (!model.producer_version().empty())
    producer += (producer.empty() ? "" : " ") + model.producer_version();
  std::string version =
      model.model_version() ? std::to_string(model.model_version()) : "";
  for (const auto &[key, value] :
       {std::pair<std::string, std::string>("producer", producer),
        {"domain", model.domain()},
        {"version", version},
        {"description", model.doc_string()}})
    if (!value.empty())
      to.emplace_back(key, value);
  for (const onnx::StringStringEntryProto &entry : model.metadata_props())
    to.emplace_back("metadata." + entry.key(), entry.value());
}

static FailureOr<ImportedModel>
importFile(const ModelFile &file, const ImportOptions &options, MLIRContext &context) {
  context.loadDialect<graph::GraphDialect, func::FuncDialect>();
  ModelOrder order;
  Symbols symbols(&context);
  Weights weights(file, options.externalDataFrom, &context, options.allowsAbsentData);
  if (failed(checkBefore(file, order, options.keepGoing, context)) ||
      failed(report(context,
                    symbols.declare(file.model().graph(), options, file.name()))))
    return failure();
  auto module = importUntilStable(file, order, symbols, weights, options, context);
  // Conflicts with given ranges do not stop the import, so that all problems are
  // reported.
  std::vector<Diagnosis> refusals = symbols.refusals();
  for (const Diagnosis &refusal : refusals)
    kiln::emitError(UnknownLoc::get(&context), refusal);
  if (failed(module) || !refusals.empty())
    return failure();
  for (const std::string &warning : symbols.warnings())
    mlir::emitWarning(UnknownLoc::get(&context)) << file.name() << ": " << warning;
  for (const std::string &remark : symbols.remarks())
    mlir::emitRemark(UnknownLoc::get(&context)) << file.name() << ": " << remark;
  if (failed(verify(**module))) {
    kiln::emitError(UnknownLoc::get(&context), {ErrorCode::Internal, file.name().str(),
                                                "the imported module is not valid", "",
                                                "", "report this with the model"});
    return failure();
  }
  ImportedModel result;
  result.module = std::move(*module);
  result.symbols = symbols.remaining();
  result.dependentDims = symbols.replaced();
  result.dimsLeft.assign(symbols.dimsLeft().begin(), symbols.dimsLeft().end());
  result.inlineWeights = weights.takeInline();
  result.folder = file.folder().str();
  result.file = llvm::sys::path::filename(file.name()).str();
  result.externalDataFrom = options.externalDataFrom;
  result.nodes = file.model().graph().node_size();
  describe(file.model(), result.description);
  return result;
}

FailureOr<ImportedModel> kiln::import::importModel(StringRef path,
                                                   const ImportOptions &options,
                                                   MLIRContext &context) {
  std::unique_ptr<ModelFile> file;
  if (failed(report(context, ModelFile::open(path).moveInto(file))))
    return failure();
  return importFile(*file, options, context);
}

FailureOr<ImportedModel> kiln::import::importBytes(ArrayRef<uint8_t> bytes,
                                                   StringRef name, bool text,
                                                   StringRef folder,
                                                   const ImportOptions &options,
                                                   MLIRContext &context) {
  std::unique_ptr<ModelFile> file;
  if (failed(
          report(context, ModelFile::decode(bytes, name, text, folder).moveInto(file))))
    return failure();
  return importFile(*file, options, context);
}
