//===- OnnxLibrary.cpp - Wrappers of the ONNX library ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with exceptions; each function catches the library's exceptions.
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Onnx/OnnxLibrary.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "onnx/checker.h"
#include "onnx/defs/parser.h"
#include "onnx/defs/schema.h"
#include "onnx/shape_inference/implementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace kiln;
using namespace kiln::import;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

/// Joins the lines of a library message into one.
static std::string oneLine(StringRef message) {
  SmallVector<StringRef> lines;
  message.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef &line : lines)
    line = line.trim();
  return llvm::join(lines, ", ");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Returns the maximum nesting of brackets: the parser recurses without a limit.
static unsigned nestingDepth(StringRef source) {
  unsigned depth = 0, deepest = 0;
  for (size_t i = 0; i < source.size(); ++i) {
    char c = source[i];
    if (c == '#') {
      i = source.find('\n', i);
    } else if (c == '"') {
      for (++i; i < source.size() && source[i] != '"'; ++i)
        i += source[i] == '\\';
    } else if (StringRef("([{<").contains(c)) {
      deepest = std::max(deepest, ++depth);
    } else if (StringRef(")]}").contains(c) || (c == '>' && i && source[i - 1] != '=')) {
      depth -= depth > 0;
    }
    if (i == StringRef::npos)
      break;
  }
  return deepest;
}

llvm::Error kiln::import::parseText(StringRef source, StringRef path,
                                    onnx::ModelProto &model) {
  auto fail = [&](std::string found) {
    return makeError({ErrorCode::ModelText, path.str(), "the ONNX text cannot be parsed",
                      "the syntax of ONNX text (onnx/docs/Syntax.md)", std::move(found),
                      "correct the text at that place"});
  };
  constexpr unsigned kMaxDepth = 64;
  if (unsigned depth = nestingDepth(source); depth > kMaxDepth)
    return fail("brackets nested " + std::to_string(depth) + " deep");
  if (source.contains('\0'))
    return fail("a NUL character");
  std::string terminated = source.str(), message;
  try {
    onnx::OnnxParser parser(terminated.c_str());
    onnx::Common::Status status = parser.Parse(model);
    if (status.IsOK() && parser.EndOfInput())
      return llvm::Error::success();
    message = status.IsOK() ? "text after the model " + parser.GetCurrentPos()
                            : oneLine(status.ErrorMessage());
  } catch (const std::exception &e) {
    message = std::string("a number out of range (") + e.what() + ")";
  }
  return fail(message);
}

//===----------------------------------------------------------------------===//
// Schemas
//===----------------------------------------------------------------------===//

static const onnx::OpSchema *lookup(StringRef domain, StringRef op, int opset) {
  try {
    return onnx::OpSchemaRegistry::Schema(op.str(), opset, domain.str());
  } catch (const std::exception &) {
    return nullptr;
  }
}

std::optional<OpSchema> kiln::import::findSchema(StringRef domain, StringRef op,
                                                 int opset) {
  const onnx::OpSchema *schema = lookup(domain, op, opset);
  if (!schema)
    return std::nullopt;
  return OpSchema{schema->SinceVersion(), schema->Deprecated(),
                  schema->HasFunction() || schema->HasContextDependentFunction()};
}

std::vector<std::string> kiln::import::firstInputTypes(StringRef domain, StringRef op,
                                                       int opset) {
  const onnx::OpSchema *schema = lookup(domain, op, opset);
  if (!schema || schema->inputs().empty())
    return {};
  std::vector<std::string> names;
  for (const auto &type : schema->inputs().front().GetTypes())
    names.push_back(*type);
  return names;
}

std::vector<std::string> kiln::import::opsWithFunctions() {
  std::vector<std::string> names;
  try {
    for (const onnx::OpSchema &schema : onnx::OpSchemaRegistry::get_all_schemas())
      if (schema.domain().empty() && !schema.Deprecated() &&
          (schema.HasFunction() || schema.HasContextDependentFunction()))
        names.push_back(schema.Name());
  } catch (const std::exception &) {
    return {};
  }
  return names;
}

SmallVector<int> kiln::import::schemaVersions(StringRef domain, StringRef op) {
  SmallVector<int> versions;
  for (int opset = newestOpset(domain); opset > 0;) {
    const onnx::OpSchema *schema = lookup(domain, op, opset);
    if (!schema)
      break;
    versions.push_back(schema->SinceVersion());
    opset = schema->SinceVersion() - 1;
  }
  return versions;
}

int kiln::import::newestOpset(StringRef domain) {
  const auto &map = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  auto it = map.find(domain.str());
  return it == map.end() ? 0 : it->second.second;
}

std::optional<std::string> kiln::import::checkAgainstSchema(const onnx::NodeProto &node,
                                                            int opset) {
  StringRef domain = node.domain() == "ai.onnx" ? "" : StringRef(node.domain());
  const onnx::OpSchema *schema = lookup(domain, node.op_type(), opset);
  if (!schema)
    return std::nullopt;
  try {
    schema->Verify(node);
  } catch (const std::exception &e) {
    return oneLine(e.what());
  }
  return std::nullopt;
}

const onnx::AttributeProto *kiln::import::defaultAttribute(StringRef domain, StringRef op,
                                                           int opset, StringRef name) {
  const onnx::OpSchema *schema = lookup(domain, op, opset);
  if (!schema)
    return nullptr;
  auto it = schema->attributes().find(name.str());
  bool known = it != schema->attributes().end() && it->second.default_value.has_name();
  return known ? &it->second.default_value : nullptr;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string typeName(int elementType) {
  try {
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(elementType);
    return *onnx::Utils::DataTypeUtils::ToType(type);
  } catch (const std::exception &) {
    return "element type " + std::to_string(elementType);
  }
}

/// Returns the formal parameter that input `i` belongs to; the last may be variadic.
static const onnx::OpSchema::FormalParameter *formal(const onnx::OpSchema &schema,
                                                     size_t i) {
  const auto &inputs = schema.inputs();
  if (i < inputs.size())
    return &inputs[i];
  bool variadic =
      !inputs.empty() && inputs.back().GetOption() == onnx::OpSchema::Variadic;
  return variadic ? &inputs.back() : nullptr;
}

static std::string allowedTypes(const onnx::OpSchema::FormalParameter &parameter) {
  SmallVector<std::string> names;
  for (const std::string *type : parameter.GetTypes())
    names.push_back(*type);
  llvm::sort(names);
  return llvm::join(names, " or ");
}

std::optional<TypeConflict> kiln::import::checkTypes(const onnx::NodeProto &node,
                                                     int opset,
                                                     ArrayRef<int> elementTypes) {
  StringRef domain = node.domain() == "ai.onnx" ? "" : StringRef(node.domain());
  const onnx::OpSchema *schema = lookup(domain, node.op_type(), opset);
  if (!schema)
    return std::nullopt;
  llvm::SmallVector<std::pair<std::string, std::string>> bound;
  for (auto [i, elementType] : llvm::enumerate(elementTypes)) {
    const auto *parameter = formal(*schema, i);
    if (!elementType || !parameter)
      continue;
    std::string found = typeName(elementType);
    auto isFound = [&](const std::string *type) { return *type == found; };
    std::string place = "input " + parameter->GetName();
    if (!parameter->GetTypes().empty() && llvm::none_of(parameter->GetTypes(), isFound))
      return TypeConflict{allowedTypes(*parameter) + " as " + place, found};
    bool shared = parameter->GetOption() != onnx::OpSchema::Variadic ||
                  parameter->GetIsHomogeneous();
    auto same =
        llvm::find_if(bound, [&](auto &b) { return b.first == parameter->GetTypeStr(); });
    if (shared && same != bound.end() && same->second != found)
      return TypeConflict{
          same->second + " as " + place + ", the type of an input before it", found};
    bound.emplace_back(parameter->GetTypeStr(), found);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Function bodies
//===----------------------------------------------------------------------===//

/// Returns the version of a function body to use: the newest for the opset, or the oldest
/// if the op got its body later without a change in semantics. Bodies name the opsets
/// that they use.
static int bodyVersion(const std::vector<int> &versions, int opset) {
  int best = *std::min_element(versions.begin(), versions.end());
  for (int version : versions)
    if (version <= opset)
      best = std::max(best, version);
  return best;
}

std::unique_ptr<onnx::FunctionProto>
kiln::import::functionBody(const onnx::NodeProto &node, int opset,
                           ArrayRef<onnx::TypeProto> types) {
  StringRef domain = node.domain() == "ai.onnx" ? "" : StringRef(node.domain());
  const onnx::OpSchema *schema = lookup(domain, node.op_type(), opset);
  if (!schema)
    return nullptr;
  try {
    if (schema->HasFunction())
      if (const auto *body =
              schema->GetFunction(bodyVersion(schema->function_opset_versions(), opset)))
        return std::make_unique<onnx::FunctionProto>(*body);
    if (!schema->HasContextDependentFunction())
      return nullptr;
    onnx::FunctionBodyBuildContextImpl context(node, {types.begin(), types.end()});
    auto body = std::make_unique<onnx::FunctionProto>();
    int version = bodyVersion(schema->context_dependent_function_opset_versions(), opset);
    if (schema->BuildContextDependentFunction(context, *body, version))
      return body;
  } catch (const std::exception &) {
    // The library has no body for these inputs.
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Types of values of a graph, behind those of the bodies of its nodes.
static void collectTypes(const onnx::GraphProto &graph,
                         std::vector<onnx::ValueInfoProto> &values) {
  for (const onnx::NodeProto &node : graph.node())
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        collectTypes(attribute.g(), values);
  for (const auto *list : {&graph.input(), &graph.output(), &graph.value_info()})
    for (const onnx::ValueInfoProto &value : *list)
      if (value.has_type())
        values.push_back(value);
}

std::vector<onnx::ValueInfoProto> kiln::import::inferTypes(onnx::ModelProto model) {
  try {
    // Also follows the values of shapes, of which reshapes are made.
    onnx::shape_inference::DataValueMap shapes;
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                       onnx::ShapeInferenceOptions(/*check_type=*/false,
                                                                   /*strict_mode=*/0,
                                                                   /*data_prop=*/true),
                                       &shapes);
  } catch (const std::exception &) {
    // What was found so far is in the model.
  }
  std::vector<onnx::ValueInfoProto> values;
  collectTypes(model.graph(), values);
  return values;
}

bool kiln::import::isWellFormed(const onnx::ModelProto &model) {
  try {
    onnx::checker::check_model(model);
    return true;
  } catch (const std::exception &) {
    return false;
  }
}
