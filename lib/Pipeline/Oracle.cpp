//===- Oracle.cpp - Double-precision reference for packages ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Oracle.h"
#include "Weights.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Codegen/Configs.h"
#include "kiln/Codegen/ConfigsFile.h"
#include "kiln/Codegen/KernelAnalyses.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/ErrorCodes/Internal.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Pipeline/Registration.h"
#include "kiln/Reference/Evaluator.h"
#include "kiln/Support/Error.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <cmath>

using namespace kiln;
using namespace mlir;

struct PackageGraph::Contents {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  std::vector<graph::KernelOp> kernels;
  codegen::KernelAnalyses analyses;
};

PackageGraph::PackageGraph(std::unique_ptr<Contents> contents)
    : contents(std::move(contents)) {}
PackageGraph::PackageGraph(PackageGraph &&) = default;
PackageGraph &PackageGraph::operator=(PackageGraph &&) = default;
PackageGraph::~PackageGraph() = default;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static llvm::Error unreadable(StringRef where, StringRef found) {
  return makeError({ErrorCode::GraphMissing, where.str(),
                    "the graph of the package cannot be read",
                    "the module that kiln compile stores", found.str(),
                    "compile the model again with this version of kiln"});
}

static void loadDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
}

llvm::Expected<PackageGraph> PackageGraph::parse(StringRef text, StringRef where,
                                                 StringRef program) {
  auto contents = std::make_unique<Contents>();
  loadDialects(contents->context);
  std::string first = "no text";
  ScopedDiagnosticHandler handler(&contents->context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      first = diagnostic.str();
    return success();
  });
  contents->module =
      parseSourceString<ModuleOp>(text, ParserConfig(&contents->context), "provenance");
  if (!contents->module)
    return unreadable(where, first);
  auto function = contents->module->lookupSymbol<func::FuncOp>(program);
  if (!function || function.isDeclaration())
    return unreadable(where, ("a module without @" + program).str());
  for (auto kernel : function.getOps<graph::KernelOp>())
    contents->kernels.push_back(kernel);
  return PackageGraph(std::move(contents));
}

size_t PackageGraph::kernelCount() const { return contents->kernels.size(); }
StringRef PackageGraph::heroOf(size_t kernel) const {
  return contents->kernels[kernel].getHero();
}

bool PackageGraph::permitsTf32(size_t kernel) const {
  auto products = contents->kernels[kernel].getBlock().getOps<graph::MatmulOp>();
  return llvm::any_of(products, [](graph::MatmulOp op) { return op.getTf32(); });
}

bool PackageGraph::permitsShortSums(size_t kernel) const {
  auto products = contents->kernels[kernel].getBlock().getOps<graph::ScaledMatmulOp>();
  return llvm::any_of(products, [](graph::ScaledMatmulOp op) {
    return op.getAccumulation() != graph::Accumulation::wide;
  });
}

llvm::Expected<KernelChoices> PackageGraph::explain(size_t kernel, StringRef target,
                                                    StringRef suffix) const {
  llvm::Expected<TargetInfo> info = TargetInfo::get(target);
  if (!info)
    return info.takeError();
  // Configs are attributes of the tile dialect, which the graph does not use.
  contents->context.getOrLoadDialect<tile::TileDialect>();
  std::optional<codegen::Variant> variant = codegen::Variant::ofSuffix(suffix);
  graph::KernelOp op = contents->kernels[kernel];
  codegen::Explanation explanation = contents->analyses.of(op).explain({*info, variant});
  KernelChoices choices{codegen::problemKey(op) + codegen::variantSuffix(variant),
                        explanation.criterion,
                        {}};
  for (const codegen::Candidate &one : explanation.candidates)
    choices.candidates.push_back({one.config, one.cost});
  return choices;
}

llvm::Expected<std::vector<std::string>>
PackageGraph::candidates(size_t kernel, StringRef target, StringRef suffix) const {
  llvm::Expected<TargetInfo> info = TargetInfo::get(target);
  if (!info)
    return info.takeError();
  contents->context.getOrLoadDialect<tile::TileDialect>();
  graph::KernelOp op = contents->kernels[kernel];
  std::optional<codegen::Variant> variant = codegen::Variant::ofSuffix(suffix);
  std::string key = codegen::problemKey(op) + codegen::variantSuffix(variant);
  std::vector<std::string> lines;
  for (Attribute config :
       codegen::candidateConfigs(contents->analyses.of(op), {*info, variant}))
    lines.push_back(codegen::formatConfigLine(key, info->name, config));
  return lines;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static std::string dtypeName(Type type) {
  if (type.isInteger(1))
    return "bool";
  if (auto integer = dyn_cast<IntegerType>(type))
    return (integer.isUnsigned() ? "u" : "i") + std::to_string(integer.getWidth());
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return StringRef(text).lower();
}

static OracleTensor plain(const reference::Tensor &tensor) {
  OracleTensor result{dtypeName(tensor.getElementType()), {}, {}, {}};
  result.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  result.values.reserve(tensor.getNumElements());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    result.values.push_back(tensor.getDouble(i));
  return result;
}

static reference::Symbols toSymbols(const SymbolValues &values) {
  reference::Symbols symbols;
  for (const auto &[name, value] : values)
    symbols.set(name, value);
  return symbols;
}

/// Wraps the bytes of a tensor of this type; additional bytes belong to the rest of the
/// buffer.
static llvm::Expected<reference::Tensor>
borrow(Type type, TensorBytes bytes, const reference::Symbols &symbols, StringRef what) {
  llvm::Expected<reference::Shape> shape = reference::shapeOf(type, symbols);
  if (!shape)
    return shape.takeError();
  reference::Tensor tensor = reference::Tensor::borrow(
      cast<RankedTensorType>(type).getElementType(), *shape, bytes.data());
  auto needed = static_cast<uint64_t>(tensor.getNumElements() * tensor.getElementBytes());
  if (needed > bytes.size())
    return makeError({ErrorCode::GraphMissing, what.str(), "graph and plan do not match",
                      std::to_string(needed) + " bytes",
                      std::to_string(bytes.size()) + " bytes",
                      "compile the model again with this version of kiln"});
  return tensor;
}

/// Raises the slack to the differences between the expected values and an evaluation with
/// other options, times a factor.
static llvm::Error addSlack(graph::KernelOp kernel, ArrayRef<reference::Tensor> inputs,
                            const reference::Symbols &symbols,
                            const reference::Options &options, double factor,
                            std::vector<OracleTensor> &expected) {
  reference::NoWeights weights;
  llvm::Expected<reference::Results> moved =
      reference::evaluate(kernel.getBlock(), inputs, symbols, weights, options);
  if (!moved)
    return moved.takeError();
  for (auto [tensor, other] : llvm::zip(expected, *moved)) {
    tensor.slack.resize(tensor.values.size());
    for (auto [i, value] : llvm::enumerate(tensor.values)) {
      double distance = std::fabs(other.getDouble(i) - value);
      if (std::isfinite(distance))
        tensor.slack[i] = std::max(tensor.slack[i], factor * distance);
    }
  }
  return llvm::Error::success();
}

/// Whether the kernel has ops of 16-bit types. Kernels keep values between these in f32,
/// so rounding every op would overestimate the error.
static bool hasNarrowFloats(graph::KernelOp kernel) {
  auto result = kernel.getBlock().walk([](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (tensor.getElementType().isF16() || tensor.getElementType().isBF16())
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Adds rounding errors that are not relative to the result: if large operands cancel, or
/// a float determines an integer, the error is relative to the operands. Its size is
/// estimated by rounding every op to its type; kernels sum in other orders, so several
/// times that is allowed. Errors of attention's scores have their own bound, which is
/// propagated through the elementwise ops that follow.
static llvm::Error addSlack(graph::KernelOp kernel, ArrayRef<reference::Tensor> inputs,
                            const reference::Symbols &symbols,
                            std::vector<OracleTensor> &expected) {
  constexpr double kOtherOrders = 4;
  reference::Options rounded, scores;
  rounded.exactTyped = true;
  if (!hasNarrowFloats(kernel))
    if (llvm::Error error =
            addSlack(kernel, inputs, symbols, rounded, kOtherOrders, expected))
      return error;
  if (kernel.getBlock().getOps<graph::AttentionOp>().empty())
    return llvm::Error::success();
  scores.moveByScores = true;
  return addSlack(kernel, inputs, symbols, scores, 1, expected);
}

/// Makes expected values that overflow the type infinite, as they are in the kernel.
static void limitToType(const reference::Tensor &tensor, OracleTensor &expected) {
  if (!tensor.isFloat())
    return;
  reference::Tensor rounded = tensor.rounded();
  for (auto [i, value] : llvm::enumerate(expected.values))
    if (double stored = rounded.getDouble(i); std::isinf(stored))
      value = stored;
}

llvm::Expected<std::vector<OracleTensor>>
PackageGraph::evaluate(size_t index, ArrayRef<TensorBytes> operands,
                       const SymbolValues &values) const {
  graph::KernelOp kernel = contents->kernels[index];
  std::string where =
      "kernel " + std::to_string(index) + " (" + kernel.getHero().str() + ")";
  if (operands.size() != kernel.getNumOperands())
    return makeError({ErrorCode::GraphMissing, where, "graph and plan do not match",
                      std::to_string(kernel.getNumOperands()) + " operands",
                      std::to_string(operands.size()),
                      "compile the model again with this version of kiln"});
  reference::Symbols symbols = toSymbols(values);
  SmallVector<reference::Tensor> inputs;
  for (auto [bytes, type] : llvm::zip(operands, kernel.getOperandTypes())) {
    llvm::Expected<reference::Tensor> tensor = borrow(type, bytes, symbols, where);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(std::move(*tensor));
  }
  reference::NoWeights weights;
  llvm::Expected<reference::Results> results =
      reference::evaluate(kernel.getBlock(), inputs, symbols, weights);
  if (!results)
    return results.takeError();
  std::vector<OracleTensor> expected;
  for (const reference::Tensor &tensor : *results)
    limitToType(tensor, expected.emplace_back(plain(tensor)));
  if (llvm::Error error = addSlack(kernel, inputs, symbols, expected))
    return error;
  return expected;
}

//===----------------------------------------------------------------------===//
// Entire models
//===----------------------------------------------------------------------===//

static std::string nameOf(DictionaryAttr attributes) {
  auto name = attributes ? attributes.getAs<StringAttr>("graph.name") : StringAttr();
  return name ? name.str() : "";
}

static llvm::Expected<std::map<std::string, OracleTensor>>
evaluateMain(import::ImportedModel &model,
             const std::map<std::string, TensorBytes> &inputs,
             const reference::Symbols &symbols) {
  auto main = model.module->lookupSymbol<func::FuncOp>("main");
  SmallVector<reference::Tensor> arguments;
  for (BlockArgument argument : main.getArguments()) {
    std::string name = nameOf(main.getArgAttrDict(argument.getArgNumber()));
    auto bytes = inputs.find(name);
    if (bytes == inputs.end())
      return makeError({ErrorCode::TensorMissing, "input '" + name + "'",
                        "the model has an input that the package lacks", "it in both",
                        "it in the model only",
                        "verify with the model that was compiled"});
    llvm::Expected<reference::Tensor> tensor =
        borrow(argument.getType(), bytes->second, symbols, "input '" + name + "'");
    if (!tensor)
      return tensor.takeError();
    arguments.push_back(std::move(*tensor));
  }
  std::unique_ptr<reference::WeightSource> weights = makeWeightSource(model);
  llvm::Expected<reference::Results> results =
      reference::evaluate(main, arguments, symbols, *weights);
  if (!results)
    return results.takeError();
  std::map<std::string, OracleTensor> expected;
  for (auto [i, tensor] : llvm::enumerate(*results))
    expected[nameOf(main.getResultAttrDict(i))] = plain(tensor);
  return expected;
}

llvm::Expected<std::map<std::string, OracleTensor>>
kiln::evaluateModel(StringRef path, const std::vector<DimRange> &dims,
                    const std::map<std::string, TensorBytes> &inputs,
                    const SymbolValues &values) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  std::optional<Diagnosis> first;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !first)
      first = diagnosisOf(diagnostic);
    return success();
  });
  import::ImportOptions options;
  for (const DimRange &dim : dims)
    options.dims.push_back({dim.name, dim.lo, dim.hi});
  FailureOr<import::ImportedModel> model = import::importModel(path, options, context);
  if (failed(model))
    return makeError(
        first.value_or(Diagnosis{ErrorCode::Internal, path.str(),
                                 "the import failed without saying why", "", "", ""}));
  return evaluateMain(*model, inputs, toSymbols(values));
}
