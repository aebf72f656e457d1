//===- GraphImporter.cpp - One pass over an ONNX graph --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/GraphImporter.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "lib/Import/Choice.h"
#include "lib/Import/Declarations.h"
#include "lib/Import/Onnx/OnnxLibrary.h"
#include "lib/Import/Triangle.h"
#include "lib/Import/Types.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>
#include <cstring>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

GraphImporter::GraphImporter(const ModelFile &file, const ModelOrder &order,
                             Symbols &symbols, Weights &weights,
                             const ImportOptions &options, MLIRContext &context)
    : file(file), order(order), symbols(symbols), weights(weights), options(options),
      context(context), builder(&context) {
  top.opsets = &order.opsets;
  for (const onnx::TensorProto &tensor : file.model().graph().initializer())
    if (!options.keepsInput(tensor.name()))
      initializers[tensor.name()] = &tensor;
}

LogicalResult GraphImporter::report(llvm::Error error) {
  kiln::emitError(builder.getUnknownLoc(), takeDiagnosis(std::move(error)));
  return failure();
}

std::string GraphImporter::uniqueSymbol(StringRef name) {
  std::string base = name.empty() ? "weight" : name.str(), result = base;
  for (unsigned &i = symbolNames[base];
       symbolNames.count(result) && (i || result != base);)
    result = base + "_" + std::to_string(++i);
  symbolNames.try_emplace(result, 0);
  return result;
}

/// Erases ops whose results are unused, users first.
static void eraseDead(func::FuncOp function) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

FailureOr<OwningOpRef<ModuleOp>> GraphImporter::run() {
  Location loc = builder.getUnknownLoc();
  module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToEnd(module->getBody());
  symbolNames["main"] = 1;
  for (const ImportedSymbol &symbol : symbols.remaining()) {
    symbolNames[symbol.name] = 1;
    StringAttr source;
    if (!symbol.source.empty() && symbol.source != symbol.name)
      source = builder.getStringAttr(symbol.source);
    graph::SymbolOp::create(builder, loc, symbol.name, symbol.lo, symbol.hi, source);
  }
  function = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  if (failed(importInputs()) || failed(importNodes()) || failed(importOutputs()))
    return failure();
  eraseDead(function);
  return std::move(module);
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

/// Emits a remark on inputs with defaults: since IR version 4, an initializer is listed
/// as an input only if it is a default that users may override.
void GraphImporter::remarkDefaults() {
  constexpr int64_t kListsAll = 3;
  SmallVector<StringRef> names;
  for (const onnx::ValueInfoProto &input : file.model().graph().input())
    if (initializers.count(input.name()))
      names.push_back(input.name());
  if (names.empty() || file.model().ir_version() <= kListsAll)
    return;
  emitRemark(UnknownLoc::get(&context))
      << file.name() << ": " << names.size()
      << " inputs have defaults, which are compiled in, '" << names.front()
      << "' first; --keep-input NAME,... keeps them inputs";
}

/// Checks that every --freeze names an input.
LogicalResult GraphImporter::checkFrozen() {
  for (const FrozenInput &frozen : options.frozen) {
    std::string known;
    bool found = false;
    for (const onnx::ValueInfoProto &input : file.model().graph().input()) {
      if (initializers.count(input.name()))
        continue;
      known += (known.empty() ? "" : ", ") + input.name();
      found |= input.name() == frozen.name;
    }
    if (!found)
      return report(makeError({ErrorCode::BadUsage, "--freeze " + frozen.name,
                               "the model has no such input", known, frozen.name,
                               "name an input of the model"}));
  }
  return success();
}

/// Returns true if the input selects between a decoder's branches with and without a
/// cache, as optimum merges them: a boolean that only Ifs read.
static bool isCacheBranch(const onnx::ValueInfoProto &input,
                          const onnx::GraphProto &graph) {
  bool isCondition = false;
  for (const onnx::NodeProto &node : graph.node())
    for (auto [i, name] : llvm::enumerate(node.input()))
      if (name == input.name()) {
        if (node.op_type() != "If" || i != 0)
          return false;
        isCondition = true;
      }
  return isCondition && input.name() == "use_cache_branch" &&
         input.type().tensor_type().elem_type() == onnx::TensorProto::BOOL;
}

/// Returns the value that an input is frozen to, by --freeze or because it is known.
std::optional<FrozenInput>
GraphImporter::frozenInput(const onnx::ValueInfoProto &input) const {
  for (const FrozenInput &frozen : options.frozen)
    if (frozen.name == input.name())
      return frozen;
  if (!isCacheBranch(input, file.model().graph()))
    return std::nullopt;
  emitWarning(UnknownLoc::get(&context))
      << file.name() << ": input '" << input.name()
      << "' is taken for true: the branch with a cache computes prompts, too "
         "(--freeze use_cache_branch=false takes the other one)";
  FrozenInput known;
  known.name = input.name();
  known.text = "true";
  return known;
}

LogicalResult GraphImporter::importInputs() {
  if (failed(checkFrozen()))
    return failure();
  remarkDefaults();
  SmallVector<Type> types;
  SmallVector<StringRef> names;
  for (const onnx::ValueInfoProto &input : file.model().graph().input()) {
    // An initializer is the default of the input and is compiled in.
    if (initializers.count(input.name()))
      continue;
    RankedTensorType type = declaredType(input, symbols, &context);
    if (std::optional<FrozenInput> frozen = frozenInput(input)) {
      FailureOr<Operand> value = importFrozen(*frozen, type);
      if (failed(value))
        return failure();
      top.values[input.name()] = *value;
      bool isTrue = frozen->text && *frozen->text != "false" && *frozen->text != "0";
      if (isTrue && isCacheBranch(input, file.model().graph()))
        function->setAttr(graph::kStepBranchAttr, builder.getUnitAttr());
      continue;
    }
    types.push_back(type);
    names.push_back(input.name());
  }
  function.setFunctionType(builder.getFunctionType(types, {}));
  for (auto [i, type] : llvm::enumerate(types)) {
    Location loc = NameLoc::get(builder.getStringAttr("input '" + names[i] + "'"));
    BlockArgument argument = function.getBody().front().addArgument(type, loc);
    top.values[names[i]] = Operand{argument, {}};
    function.setArgAttr(i, graph::kNameAttr, builder.getStringAttr(names[i]));
  }
  return success();
}

/// Checks that every selected output is an output of the graph.
LogicalResult GraphImporter::checkOutputs() {
  for (const std::string &wanted : options.outputs) {
    std::string known;
    bool found = false;
    for (const onnx::ValueInfoProto &output : file.model().graph().output()) {
      known += (known.empty() ? "" : ", ") + output.name();
      found |= output.name() == wanted;
    }
    if (!found)
      return report(makeError({ErrorCode::BadUsage, "--outputs " + wanted,
                               "the model has no such output", known, wanted,
                               "name outputs of the model"}));
  }
  return success();
}

LogicalResult GraphImporter::importOutputs() {
  if (failed(checkOutputs()))
    return failure();
  SmallVector<Value> values;
  SmallVector<Type> types;
  SmallVector<StringRef> names;
  for (const onnx::ValueInfoProto &output : file.model().graph().output()) {
    if (!options.outputs.empty() && !llvm::is_contained(options.outputs, output.name()))
      continue;
    Operand *operand = lookup(output.name(), top);
    std::string where = "output '" + output.name() + "'";
    if (!operand)
      return report(
          makeError({ErrorCode::ValueUndefined, where, "nothing defines this output",
                     "an input, an initializer or the output of a node", "no definition",
                     "export the model again"}));
    Location loc = NameLoc::get(builder.getStringAttr(where));
    GraphBuilder made(builder, symbols, loc);
    if (!makeValue(made, *operand) ||
        failed(checkDeclaredOutput(output, operand->type(), loc)))
      return failure();
    values.push_back(operand->value);
    types.push_back(operand->value.getType());
    names.push_back(output.name());
  }
  func::ReturnOp::create(builder, builder.getUnknownLoc(), values);
  function.setFunctionType(builder.getFunctionType(function.getArgumentTypes(), types));
  for (auto [i, name] : llvm::enumerate(names))
    function.setResultAttr(i, graph::kNameAttr, builder.getStringAttr(name));
  return success();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// Continues after a node that cannot be imported. Its outputs are unknown, and nodes
/// that read unknown values are skipped silently.
LogicalResult GraphImporter::importWhatCanBe() {
  llvm::StringSet<> unknown;
  for (int index : order.nodes) {
    const onnx::NodeProto &node = file.model().graph().node(index);
    bool isSkipped = order.refused.contains(index) ||
                     llvm::any_of(node.input(),
                                  [&](StringRef name) { return unknown.contains(name); });
    importFailed = false;
    if (isSkipped || failed(importNode(node, top)))
      unknown.insert(node.output().begin(), node.output().end());
  }
  return success(unknown.empty());
}

LogicalResult GraphImporter::importNodes() {
  if (options.keepGoing)
    return importWhatCanBe();
  for (int node : order.nodes)
    if (failed(importNode(file.model().graph().node(node), top)))
      return failure();
  return success();
}

Location GraphImporter::locationOf(const onnx::NodeProto &proto, int opset,
                                   const Scope &scope) {
  StringAttr name = builder.getStringAttr(nodeText(proto, opset));
  if (!scope.caller)
    return NameLoc::get(name);
  // In an inlined function the location is the model's own node, then the inner node.
  auto outer = cast<NameLoc>(*scope.caller);
  return NameLoc::get(outer.getName(), NameLoc::get(name));
}

Attributes GraphImporter::resolveAttributes(const onnx::NodeProto &proto,
                                            const Scope &scope) const {
  Attributes result;
  for (const onnx::AttributeProto &attribute : proto.attribute()) {
    if (attribute.ref_attr_name().empty())
      result[attribute.name()] = &attribute;
    else if (const onnx::AttributeProto *given =
                 scope.attributes.lookup(attribute.ref_attr_name()))
      result[attribute.name()] = given;
  }
  return result;
}

LogicalResult GraphImporter::checkInputs(const onnx::NodeProto &proto, int opset,
                                         ArrayRef<Operand *> inputs, Location loc) {
  GraphBuilder errors(builder, symbols, loc);
  if (std::optional<std::string> message = checkAgainstSchema(proto, opset))
    return errors.fail(ErrorCode::NodeInvalid,
                       "the node contradicts the definition of its op",
                       "the inputs, outputs and attributes of opset " + Twine(opset),
                       *message, "export the model again");
  SmallVector<int> types;
  for (Operand *input : inputs)
    types.push_back(input ? onnxTypeOf(input->type().getElementType()) : 0);
  if (std::optional<TypeConflict> conflict = checkTypes(proto, opset, types))
    return errors.fail(ErrorCode::TypeMismatch, "an input has the wrong type",
                       conflict->expected, conflict->found, "insert a Cast in the model");
  return success();
}

LogicalResult GraphImporter::importNode(const onnx::NodeProto &proto, Scope &scope) {
  constexpr uint64_t kMaxExpanded = 2'000'000;
  StringRef domain = canonicalDomain(proto.domain());
  int opset = scope.opsets->lookup(domain);
  Location loc = locationOf(proto, opset, scope);
  GraphBuilder errors(builder, symbols, loc);
  if (++expandedNodes > kMaxExpanded)
    return errors.fail(ErrorCode::ModelLimits,
                       "the functions of the model expand to too many nodes",
                       Twine(kMaxExpanded), "more", "inline less");
  SmallVector<Operand *> inputs;
  for (const std::string &name : proto.input()) {
    Operand *operand = name.empty() ? nullptr : lookup(name, scope);
    if (!name.empty() && !operand)
      return importFailed ? failure()
                          : errors.fail(ErrorCode::ValueUndefined,
                                        "nothing defines the value '" + name + "'",
                                        "a value of the function", "no definition",
                                        "export the model again");
    inputs.push_back(operand && *operand ? operand : nullptr);
  }
  if (failed(checkInputs(proto, opset, inputs, loc)))
    return failure();
  if (const OpEntry *entry = findOpAt(domain, proto.op_type(), opset))
    return runHandler(proto, scope, *entry, inputs, loc);
  auto local = order.functions.find(functionKey(proto, proto.op_type()));
  if (local != order.functions.end())
    return inlineFunction(proto, scope, *local->second.proto, local->second.opsets,
                          inputs, loc);
  std::unique_ptr<onnx::FunctionProto> body = schemaFunction(proto, scope, opset, inputs);
  if (!body)
    return errors.fail(ErrorCode::OpUnsupported, "this op cannot be imported",
                       "an op with a handler or an ONNX function body",
                       "no function body for these inputs",
                       "replace the op before the export");
  OpsetMap opsets;
  for (const onnx::OperatorSetIdProto &id : body->opset_import())
    opsets[canonicalDomain(id.domain())] = int(id.version());
  opsets.try_emplace(domain, opset);
  LogicalResult result = inlineFunction(proto, scope, *body, opsets, inputs, loc);
  // Keeps the body until the end, because its constants were located by pointer.
  bodies.push_back(std::move(body));
  return result;
}

LogicalResult GraphImporter::runHandler(const onnx::NodeProto &proto, Scope &scope,
                                        const OpEntry &entry,
                                        MutableArrayRef<Operand *> inputs, Location loc) {
  auto importAttribute = [&](const onnx::TensorProto &tensor) {
    return importTensor(tensor, proto.output_size() ? proto.output(0) : "constant", loc);
  };
  auto importSubgraph = [&](const onnx::GraphProto &graph, ArrayRef<Operand> arguments) {
    return importBranch(graph, arguments, scope, loc);
  };
  (void)symbols.takeConflict(); // of a failed attempt
  Node node(proto, entry.sinceVersion, resolveAttributes(proto, scope), inputs,
            GraphBuilder(builder, symbols, loc), importAttribute, importSubgraph);
  if (failed(entry.handler(node)) || failed(node.checkChoices()))
    return failure();
  std::shared_ptr<const Undecided> undecided = node.getUndecided();
  for (auto [i, name] : llvm::enumerate(proto.output())) {
    if (name.empty())
      continue;
    if (!node.getResults()[i])
      return node.unsupported("an optional output is used", "only the first outputs",
                              "output " + Twine(i) + " '" + name + "'");
    Operand &value = scope.values[name] = node.getResults()[i];
    // Integer vectors and scalars may be used as shapes.
    if (undecided && !value.content && !value.undecided && value.type().getRank() <= 1 &&
        isTracked(value.type().getElementType()))
      value.undecided = undecided;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

std::unique_ptr<onnx::FunctionProto>
GraphImporter::schemaFunction(const onnx::NodeProto &proto, Scope &scope, int opset,
                              ArrayRef<Operand *> inputs) {
  SmallVector<onnx::TypeProto> types;
  for (Operand *input : inputs)
    types.push_back(input ? typeProtoOf(input->type()) : onnx::TypeProto());
  onnx::NodeProto resolved = proto;
  resolved.clear_attribute();
  for (auto &[name, attribute] : resolveAttributes(proto, scope)) {
    onnx::AttributeProto *copy = resolved.add_attribute();
    *copy = *attribute;
    copy->set_name(name.str());
    copy->clear_ref_attr_name();
  }
  return functionBody(resolved, opset, types);
}

LogicalResult GraphImporter::inlineFunction(const onnx::NodeProto &call, Scope &scope,
                                            const onnx::FunctionProto &body,
                                            const OpsetMap &opsets,
                                            ArrayRef<Operand *> inputs, Location loc) {
  constexpr unsigned kMaxDepth = 64;
  GraphBuilder errors(builder, symbols, loc);
  if (scope.depth >= kMaxDepth)
    return errors.fail(ErrorCode::ModelLimits, "functions call each other too deeply",
                       "at most 64 calls", "a deeper or endless chain at " + body.name(),
                       "remove the recursion");
  Scope inner;
  inner.opsets = &opsets;
  inner.caller = scope.caller ? *scope.caller : loc;
  inner.depth = scope.depth + 1;
  for (auto [i, name] : llvm::enumerate(body.input()))
    inner.values[name] = i < inputs.size() && inputs[i] ? *inputs[i] : Operand();
  int opset = scope.opsets->lookup(canonicalDomain(call.domain()));
  for (const std::string &name : body.attribute())
    if (const auto *otherwise =
            defaultAttribute(canonicalDomain(call.domain()), call.op_type(), opset, name))
      inner.attributes[name] = otherwise;
  for (const onnx::AttributeProto &otherwise : body.attribute_proto())
    inner.attributes[otherwise.name()] = &otherwise;
  for (auto &[name, given] : resolveAttributes(call, scope))
    inner.attributes[name] = given;
  for (const onnx::NodeProto &node : body.node())
    if (failed(importNode(node, inner)))
      return failure();
  for (auto [i, name] : llvm::enumerate(call.output())) {
    if (name.empty())
      continue;
    Operand *value =
        int(i) < body.output_size() ? lookup(body.output(int(i)), inner) : nullptr;
    if (!value || !*value)
      return errors.fail(ErrorCode::ValueUndefined,
                         "the function does not define output '" + name + "'",
                         "a value for every output", "none", "correct the function");
    scope.values[name] = *value;
  }
  return success();
}

FailureOr<SmallVector<Operand>> GraphImporter::importBranch(const onnx::GraphProto &graph,
                                                            ArrayRef<Operand> arguments,
                                                            Scope &outer, Location loc) {
  constexpr unsigned kMaxDepth = 64;
  GraphBuilder errors(builder, symbols, loc);
  if (outer.depth >= kMaxDepth)
    return errors.fail(ErrorCode::ModelLimits, "branches are nested too deeply",
                       "at most 64 levels", "more", "flatten the conditions");
  Scope inner;
  inner.parent = &outer;
  inner.opsets = outer.opsets;
  inner.attributes = outer.attributes;
  inner.caller = outer.caller;
  inner.depth = outer.depth + 1;
  for (auto [input, argument] : llvm::zip(graph.input(), arguments))
    inner.values[input.name()] = argument;
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    Operand operand = importTensor(tensor, tensor.name(), loc);
    if (!operand)
      return failure();
    inner.values[tensor.name()] = operand;
  }
  for (const onnx::NodeProto &node : graph.node())
    if (failed(importNode(node, inner)))
      return failure();
  SmallVector<Operand> results;
  for (const onnx::ValueInfoProto &output : graph.output()) {
    Operand *value = lookup(output.name(), inner);
    if (!value || !*value)
      return importFailed
                 ? failure()
                 : errors.fail(
                       ErrorCode::ValueUndefined,
                       "the branch does not define its output '" + output.name() + "'",
                       "a value for every output", "none", "export the model again");
    results.push_back(*value);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Operand *GraphImporter::lookup(StringRef name, Scope &scope) {
  auto it = scope.values.find(name);
  if (it != scope.values.end())
    return &it->second;
  if (scope.parent)
    return lookup(name, *scope.parent);
  auto initializer = initializers.find(name);
  if (&scope != &top || initializer == initializers.end())
    return nullptr;
  Location loc = NameLoc::get(builder.getStringAttr("initializer '" + name + "'"));
  Operand operand = importTensor(*initializer->second, name, loc);
  if (!operand)
    return nullptr;
  return &(scope.values[name] = operand);
}

/// Reads one element of a tracked type; nullopt for a float that is not an integer or
/// that integers cannot represent (-0).
static std::optional<int64_t> readInteger(Type type, const uint8_t *bytes) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    double value;
    float narrow;
    std::memcpy(&value, bytes, floating.getWidth() == 64 ? 8 : 0);
    std::memcpy(&narrow, bytes, floating.getWidth() == 32 ? 4 : 0);
    value = floating.getWidth() == 32 ? double(narrow) : value;
    double limit = double(exactLimit(type));
    bool whole = value >= -limit && value <= limit && value == std::trunc(value) &&
                 !(value == 0 && std::signbit(value));
    return whole ? std::optional(int64_t(value)) : std::nullopt;
  }
  int64_t value = 0;
  std::memcpy(&value, bytes, graph::elementBytes(type));
  if (type.isInteger(1))
    return value != 0;
  return type.isInteger(32) ? int64_t(int32_t(value)) : value;
}

/// Reads the elements as expressions; null if they are not tracked.
static std::shared_ptr<IntTensor> readContent(RankedTensorType type,
                                              ArrayRef<uint8_t> bytes) {
  if (!isTracked(type.getElementType()) ||
      type.getNumElements() > int64_t(IntTensor::kMaxElements))
    return nullptr;
  auto content = std::make_shared<IntTensor>();
  content->shape.assign(type.getShape().begin(), type.getShape().end());
  content->elementType = type.getElementType();
  int64_t width = graph::elementBytes(type.getElementType());
  for (size_t at = 0; at < bytes.size(); at += width) {
    std::optional<int64_t> value = readInteger(type.getElementType(), bytes.data() + at);
    if (!value)
      return nullptr;
    content->elements.push_back(*value);
  }
  return content;
}

static DenseElementsAttr readConstant(RankedTensorType type, ArrayRef<uint8_t> bytes) {
  if (graph::isNarrow(type.getElementType())) {
    // Masks bits above the type's width, so that equal attributes have equal bytes.
    unsigned bits = type.getElementType().getIntOrFloatBitWidth();
    SmallVector<char> masked;
    for (uint8_t byte : bytes)
      masked.push_back(char(byte & llvm::maskTrailingOnes<uint8_t>(bits)));
    return DenseElementsAttr::getFromRawBuffer(type, masked);
  }
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
  SmallVector<bool> values;
  for (uint8_t byte : bytes)
    values.push_back(byte != 0);
  return DenseElementsAttr::get(type, values);
}

/// Builds a triangular table by comparing row and column indices.
Operand GraphImporter::compareColumns(const Triangle &triangle, RankedTensorType type,
                                      Location loc) {
  GraphBuilder n(builder, symbols, loc);
  int64_t last = type.getRank() - 1, rows = type.getShape()[last];
  Dims across(last + 1, 1), down(last + 1, 1);
  across[last] = down[last - 1] = rows;
  Type i64 = builder.getI64Type(), element = type.getElementType();
  Value isUpTo = n.compare(graph::CompareKind::less_equal, n.iota(across, i64, last),
                           n.iota(down, i64, last - 1));
  auto single = [&](ArrayRef<uint8_t> bytes) {
    return n.constant(readConstant(RankedTensorType::get({}, element), bytes));
  };
  if (!element.isInteger(1))
    return Operand{n.select(isUpTo, single(triangle.upTo), single(triangle.behind)), {}};
  return Operand{triangle.upTo.front() ? isUpTo
                                       : n.unary(graph::UnaryKind::logical_not, isUpTo),
                 {}};
}

Operand GraphImporter::importTensor(const onnx::TensorProto &tensor, StringRef name,
                                    Location loc) {
  auto located = weights.locate(tensor, describe(loc));
  if (!located) {
    importFailed = true;
    (void)report(located.takeError());
    return {};
  }
  if (located->isAbsent)
    return referTo(*located, tensor, name, loc);
  if (std::optional<Triangle> triangle = readTriangle(located->type, located->bytes))
    return compareColumns(*triangle, located->type, loc);
  constexpr size_t kConstantBytes = 1024;
  if (std::shared_ptr<IntTensor> content = readContent(located->type, located->bytes))
    return Operand{{}, content};
  if (located->bytes.size() <= kConstantBytes)
    return Operand{GraphBuilder(builder, symbols, loc)
                       .constant(readConstant(located->type, located->bytes)),
                   {}};
  return referTo(*located, tensor, name, loc);
}

/// Parses an element, zero-extended to bytes; nullopt if the text is not a value of this
/// type.
static std::optional<APInt> parseElement(StringRef text, IntegerType type) {
  unsigned width = type.getWidth(), stored = std::max(8u, width);
  if (width == 1 && (text == "true" || text == "false"))
    return APInt(stored, text == "true");
  uint64_t number;
  if (type.isUnsigned() || width == 1) {
    bool fits = !text.getAsInteger(10, number) && llvm::isUIntN(width, number);
    return fits ? std::optional(APInt(stored, number)) : std::nullopt;
  }
  int64_t value;
  bool fits = !text.getAsInteger(10, value) && llvm::isIntN(width, value);
  return fits ? std::optional(APInt(stored, uint64_t(value), /*isSigned=*/true))
              : std::nullopt;
}

static std::optional<APInt> parseElement(StringRef text, Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return parseElement(text, integer);
  auto real = dyn_cast<FloatType>(type);
  double number;
  if (!real || text.getAsDouble(number))
    return std::nullopt;
  APFloat value(number);
  bool ignored;
  value.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven, &ignored);
  return value.bitcastToAPInt();
}

/// Completes an input that --freeze gives as one number: adds the declared shape, which
/// must be static, and the number's bytes for every element. Reports errors.
FailureOr<FrozenInput> GraphImporter::fillFrozen(const FrozenInput &frozen,
                                                 RankedTensorType declared) {
  constexpr int64_t kMaxElements = 1 << 20;
  auto refuse = [&](const Twine &what, const Twine &expected, const Twine &found,
                    const Twine &fix) {
    return report(makeError({ErrorCode::BadUsage, "--freeze " + frozen.name, what.str(),
                             expected.str(), found.str(), fix.str()}));
  };
  FrozenInput filled = frozen;
  int64_t count = 1;
  for (const SymbolicExpr &dim : graph::getDims(declared)) {
    std::optional<int64_t> size = dim.getConstant();
    if (!size || count * *size > kMaxElements)
      return refuse("the input has dims that are not fixed, or too many elements",
                    "fixed dims, at most " + Twine(kMaxElements) + " elements",
                    graph::printDims(graph::getDims(declared)),
                    "give its dims with --dims");
    filled.shape.push_back(*size);
    count *= *size;
  }
  std::optional<APInt> element = parseElement(*frozen.text, declared.getElementType());
  if (!element)
    return refuse("its value is no number of the input's type",
                  onnxTypeName(onnxTypeOf(declared.getElementType())), *frozen.text,
                  "write for example --freeze use_cache_branch=true");
  for (int64_t i = 0; i < count; ++i)
    for (unsigned bit = 0; bit < element->getBitWidth(); bit += 8)
      filled.bytes.push_back(static_cast<char>(element->extractBitsAsZExtValue(8, bit)));
  return filled;
}

FailureOr<Operand> GraphImporter::importFrozen(const FrozenInput &given,
                                               RankedTensorType declared) {
  FailureOr<FrozenInput> frozen =
      given.text ? fillFrozen(given, declared) : FailureOr<FrozenInput>(given);
  if (failed(frozen))
    return failure();
  RankedTensorType type = RankedTensorType::get(frozen->shape, declared.getElementType());
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(frozen->bytes.data()),
                          frozen->bytes.size());
  if (std::shared_ptr<IntTensor> content = readContent(type, bytes))
    return Operand{{}, content};
  GraphBuilder constants(builder, symbols, builder.getUnknownLoc());
  return Operand{constants.constant(readConstant(type, bytes)), {}};
}

/// Identifies a weight by its position in a file instead of a hash, without reading it.
static std::string placeOf(const TensorBytes &located, uint64_t offset) {
  return located.file + ":" + std::to_string(offset) + "+" +
         std::to_string(located.bytes.size());
}

Operand GraphImporter::referTo(const TensorBytes &located,
                               const onnx::TensorProto &tensor, StringRef name,
                               Location loc) {
  graph::WeightOp &weight = weightOps[&tensor];
  if (!weight) {
    uint64_t offset = located.file == kInlineFile
                          ? weights.inlineOffset(tensor, located.bytes)
                          : located.offset;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(function);
    weight = graph::WeightOp::create(
        builder, loc, builder.getStringAttr(uniqueSymbol(name)),
        TypeAttr::get(located.type), builder.getStringAttr(located.file),
        builder.getI64IntegerAttr(offset),
        builder.getI64IntegerAttr(located.bytes.size()),
        builder.getStringAttr(options.hashWeights ? weights.hashOf(tensor, located.bytes)
                                                  : placeOf(located, offset)));
  }
  return Operand{graph::GetWeightOp::create(builder, loc, located.type,
                                            SymbolRefAttr::get(weight.getSymNameAttr())),
                 {}};
}
