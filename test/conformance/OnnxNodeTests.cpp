//===- OnnxNodeTests.cpp - ONNX's node tests against the reference --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// onnx-node-tests LIST FOLDER... [+TEXT...]
//
// Imports the model of every case, evaluates it with the reference and compares
// with the outputs ONNX gives. A case that cannot be imported must fail with a
// code and op that LIST names; a line of LIST that no case needs is an error
// too, so that the list is exactly what is missing.
//
//===----------------------------------------------------------------------===//

#include "CaseFiles.h"
#include "kiln/Reference/Compare.h"
#include "kiln/Reference/Evaluator.h"
#include "kiln/Support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace kiln;
using namespace kiln::test;

namespace {
enum class Status { Passed, Unsupported, Failed };
struct Outcome {
  Status status;
  std::string detail; ///< of Unsupported: the key of the list
};
} // namespace

/// "E0104 Conv" of "KILN-E0104: node 'y' (Conv, opset 17): ...".
static std::string keyOf(llvm::StringRef message, const onnx::ModelProto &model) {
  llvm::StringRef code = message.take_until([](char c) { return c == ':'; });
  code.consume_front("KILN-");
  if (code == "E0103")
    return "E0103 any op";
  std::string op =
      message.split("' (").second.take_until([](char c) { return c == ','; }).str();
  if ((op.empty() || llvm::StringRef(op).contains(':')) && model.graph().node_size())
    op = model.graph().node(0).op_type();
  return code.str() + " " + op;
}

static mlir::FailureOr<import::ImportedModel>
importCase(llvm::StringRef path, const import::ImportOptions &options,
           mlir::MLIRContext &context, std::string &error) {
  error.clear();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && error.empty())
      error = diagnostic.str();
    return mlir::success();
  });
  return import::importModel(path, options, context);
}

namespace {
/// Weights of the model's file, and those that were decoded.
class CaseWeights final : public reference::WeightSource {
public:
  CaseWeights(const import::ImportedModel &model)
      : files(model.folder), decoded(model.inlineWeights) {}
  llvm::Expected<reference::Tensor> get(graph::WeightOp weight) override {
    if (weight.getFile() != import::kInlineFile)
      return files.get(weight);
    auto type = mlir::cast<mlir::RankedTensorType>(weight.getType());
    return reference::Tensor::borrow(type.getElementType(), type.getShape(),
                                     decoded.data() + *weight.getOffset());
  }

private:
  reference::MappedWeights files;
  const std::vector<char> &decoded;
};
} // namespace

/// Rounding errors that results of a type may have.
static double toleranceOf(mlir::Type type) {
  if (type.isF64())
    return 1e-7;
  if (type.isF32())
    return 1e-5;
  return type.isF16() ? 5e-3 : 2e-2;
}

static Outcome evaluateCase(import::ImportedModel &model, const CaseData &data) {
  auto main = *model.module->getOps<mlir::func::FuncOp>().begin();
  llvm::SmallVector<reference::Tensor> inputs;
  llvm::SmallVector<reference::Shape> shapes;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto name = main.getArgAttrOfType<mlir::StringAttr>(i, graph::kNameAttr);
    for (const auto &[input, tensor] : data.inputs)
      if (input == name.getValue()) {
        inputs.push_back(tensor.borrow());
        shapes.emplace_back(tensor.shape.begin(), tensor.shape.end());
      }
  }
  auto symbols = reference::bindSymbols(main, shapes);
  if (!symbols)
    return {Status::Failed, llvm::toString(symbols.takeError())};
  CaseWeights weights(model);
  auto results = reference::evaluate(main, inputs, *symbols, weights);
  if (!results)
    return {Status::Failed, llvm::toString(results.takeError())};
  for (auto [i, result] : llvm::enumerate(*results)) {
    const CaseTensor &expected = data.outputs[i].second;
    reference::Difference difference =
        reference::compare(result, expected.borrow(), toleranceOf(expected.elementType));
    if (!difference.same)
      return {Status::Failed,
              "output " + data.outputs[i].first + ": " +
                  (difference.comparable ? difference.str(expected.shape)
                                         : std::string("another type or shape"))};
  }
  return {Status::Passed, ""};
}

static Outcome runCase(const std::string &folder) {
  mlir::MLIRContext context;
  onnx::ModelProto proto;
  std::string path = folder + "/model.onnx", error;
  if (!readModel(path, proto))
    return {Status::Failed, "the model cannot be read"};
  std::optional<CaseData> data =
      readData(folder + "/test_data_set_0", proto.graph(), context);
  import::ImportOptions options;
  auto model = importCase(path, options, context, error);
  // Shapes that are inputs: known here, because the case gives them.
  if (mlir::failed(model) && data &&
      (llvm::StringRef(error).starts_with("KILN-E0120") ||
       llvm::StringRef(error).starts_with("KILN-E0122"))) {
    options.frozen = frozenInputs(*data);
    model = importCase(path, options, context, error);
  }
  if (mlir::failed(model))
    return {Status::Unsupported, keyOf(error, proto)};
  if (!data)
    return {Status::Unsupported, "data " + proto.graph().node(0).op_type()};
  return evaluateCase(*model, *data);
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// Keys of the list, without comments ("# why").
static std::optional<llvm::StringSet<>> readList(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return std::nullopt;
  llvm::StringSet<> keys;
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    if (llvm::StringRef key = line.split('#').first.trim(); !key.empty())
      keys.insert(key);
  return keys;
}

static std::vector<std::string> findCases(llvm::ArrayRef<std::string> folders,
                                          llvm::ArrayRef<std::string> filters) {
  std::vector<std::string> cases;
  for (const std::string &folder : folders) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error)) {
      llvm::StringRef name = llvm::sys::path::filename(it->path());
      bool wanted =
          filters.empty() || llvm::any_of(filters, [&](const std::string &filter) {
            return name.contains(filter);
          });
      if (wanted && llvm::sys::fs::exists(it->path() + "/model.onnx"))
        cases.push_back(it->path());
    }
  }
  llvm::sort(cases);
  return cases;
}

int main(int argc, char **argv) {
  std::vector<std::string> folders, filters;
  for (int i = 2; i < argc; ++i)
    (argv[i][0] == '+' ? filters : folders)
        .push_back(argv[i][0] == '+' ? argv[i] + 1 : argv[i]);
  auto list = argc > 2 ? readList(argv[1]) : std::nullopt;
  if (!list) {
    llvm::errs() << "usage: onnx-node-tests LIST FOLDER... [+TEXT...]\n";
    return 2;
  }
  unsigned passed = 0, unsupported = 0, problems = 0;
  std::map<std::string, unsigned> keys;
  for (const std::string &folder : findCases(folders, filters)) {
    std::string name = llvm::sys::path::filename(folder).str();
    Outcome outcome = runCase(folder);
    bool listedFailure = outcome.status == Status::Failed && list->contains(name);
    if (outcome.status == Status::Passed) {
      ++passed;
    } else if (outcome.status == Status::Unsupported || listedFailure) {
      ++unsupported;
      std::string key = listedFailure ? name : outcome.detail;
      if (!keys[key]++ && !list->contains(key)) {
        ++problems;
        llvm::outs() << "UNLISTED " << key << " (" << name << ")\n";
      }
    } else {
      ++problems;
      llvm::outs() << "FAILED " << name << ": " << outcome.detail << "\n";
    }
  }
  for (const auto &[key, count] : keys)
    llvm::outs() << llvm::formatv("{0,5}  {1}\n", count, key);
  for (const auto &entry : *list)
    if (filters.empty() && !keys.count(entry.getKey().str())) {
      ++problems;
      llvm::outs() << "LISTED WITHOUT NEED " << entry.getKey() << "\n";
    }
  llvm::outs() << passed << " passed, " << unsupported << " expected to be unsupported ("
               << keys.size() << " reasons), " << problems << " problems\n";
  return problems ? 1 : 0;
}
