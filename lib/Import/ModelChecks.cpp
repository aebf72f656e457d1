//===- ModelChecks.cpp - Checks before the import -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/ModelChecks.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Advice.h"
#include "lib/Import/Onnx/OnnxLibrary.h"
#include "lib/Import/OpTable.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

namespace {
constexpr int kOldestOpset = 7;
/// Maximum number of listed problems of one kind; further ones are only counted.
constexpr size_t kMaxReports = 20;
constexpr int kMaxNodes = 1'000'000;

class ModelChecker {
public:
  ModelChecker(const ModelFile &file, ModelOrder &order, bool keepGoing)
      : path(file.name()), model(file.model()), order(order), keepGoing(keepGoing) {}

  std::vector<Diagnosis> run();

private:
  void checkOpsets();
  void collectFunctions();
  void checkNames();
  void findLive();
  void checkOps();
  void checkOp(int index);
  void sortNodes();
  void reportCycle(ArrayRef<int> pending);
  void report(Diagnosis diagnosis) {
    if (++count <= kMaxReports || keepGoing)
      problems.push_back(std::move(diagnosis));
  }

  std::string path;
  const onnx::ModelProto &model;
  ModelOrder &order;
  bool keepGoing;
  std::vector<Diagnosis> problems;
  size_t count = 0;
  StringSet<> inputs;             ///< inputs and initializers
  llvm::StringMap<int> definedBy; ///< value -> node
  DenseSet<int> overridden;       ///< constants that are redefined later
  BitVector live;                 ///< nodes that an output depends on
};
} // namespace

StringRef kiln::import::canonicalDomain(StringRef domain) {
  return domain == "ai.onnx" ? "" : domain;
}

std::string kiln::import::nodeText(const onnx::NodeProto &node, int opset) {
  std::string name = node.name();
  if (name.empty() && node.output_size())
    name = node.output(0);
  std::string domain = canonicalDomain(node.domain()).str();
  return "node '" + name + "' (" + (domain.empty() ? "" : domain + ".") + node.op_type() +
         ", opset " + std::to_string(opset) + ")";
}

//===----------------------------------------------------------------------===//
// Versions and names
//===----------------------------------------------------------------------===//

void ModelChecker::checkOpsets() {
  // Tools of ONNX Runtime use its ops without importing its opset.
  order.opsets["com.microsoft"] = 1;
  for (const onnx::OperatorSetIdProto &id : model.opset_import()) {
    StringRef domain = canonicalDomain(id.domain());
    order.opsets[domain] = int(std::clamp<int64_t>(id.version(), 0, INT32_MAX));
    if (domain.empty() && (id.version() < kOldestOpset || id.version() > newestOpset("")))
      report({ErrorCode::OpsetUnsupported, path, "this opset version is not read",
              "opset " + std::to_string(kOldestOpset) + " to " +
                  std::to_string(newestOpset("")),
              "opset " + std::to_string(id.version()), "export the model with opset 17"});
  }
}

void ModelChecker::collectFunctions() {
  for (const onnx::FunctionProto &function : model.functions()) {
    ModelOrder::Function &entry = order.functions[functionKey(function, function.name())];
    entry.proto = &function;
    for (const onnx::OperatorSetIdProto &id : function.opset_import())
      entry.opsets[canonicalDomain(id.domain())] =
          int(std::clamp<int64_t>(id.version(), 0, INT32_MAX));
  }
}

static bool isUtf8(StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  return llvm::isLegalUTF8String(&begin, begin + text.size());
}

/// Returns true for a constant that is defined again: some exporters do so and mean the
/// last definition, as ONNX Runtime does.
static bool overrides(const onnx::NodeProto &first, const onnx::NodeProto &second) {
  return &first != &second && first.op_type() == "Constant" &&
         second.op_type() == "Constant";
}

void ModelChecker::checkNames() {
  const onnx::GraphProto &graph = model.graph();
  auto checkText = [&](StringRef name, StringRef what) {
    constexpr size_t kMaxName = 65536;
    if (!isUtf8(name) || name.size() > kMaxName || name.contains('\0'))
      report({ErrorCode::ModelMalformed, path, "a name is malformed",
              "UTF-8 text of at most 65536 bytes", what.str(), "export the model again"});
  };
  auto duplicate = [&](StringRef name) {
    report({ErrorCode::NameDuplicate, path,
            "the value '" + name.str() + "' is defined twice", "one definition per name",
            "a second one", "rename one of the values"});
  };
  StringSet<> arguments, constants;
  for (const onnx::ValueInfoProto &input : graph.input()) {
    checkText(input.name(), "the name of an input");
    if (!arguments.insert(input.name()).second)
      duplicate(input.name());
  }
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    checkText(tensor.name(), "the name of an initializer");
    if (!constants.insert(tensor.name()).second)
      duplicate(tensor.name());
    inputs.insert(tensor.name());
  }
  for (const auto &name : arguments.keys())
    inputs.insert(name);
  for (auto [i, node] : llvm::enumerate(graph.node())) {
    checkText(node.name(), "the name of a node");
    for (const std::string &output : node.output()) {
      checkText(output, "an output of a node");
      if (output.empty())
        continue;
      auto [first, isNew] = definedBy.try_emplace(output, int(i));
      if (!isNew && overrides(graph.node(first->second), node)) {
        overridden.insert(first->second);
        first->second = int(i);
        order.warnings.push_back(path + ": the constant '" + output +
                                 "' is defined twice; the last one is used");
      } else if (!isNew || inputs.contains(output)) {
        duplicate(output);
      }
    }
  }
  if (graph.sparse_initializer_size())
    report({ErrorCode::ValueType, path, "the model has sparse initializers",
            "dense tensors",
            std::to_string(graph.sparse_initializer_size()) + " sparse ones",
            "convert them to dense initializers"});
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns suggestions for an unsupported op's message: supported versions of the op, or
/// ops with similar names. No similar names for ops of ONNX (`known`), whose name is not
/// a typo.
static std::string nearest(StringRef domain, StringRef op, bool known) {
  SmallVector<int> versions = handledVersions(domain, op);
  if (!versions.empty()) {
    SmallVector<std::string> texts;
    for (int version : versions)
      texts.push_back(std::to_string(version));
    return op.str() + " of version " + join(texts, ", ");
  }
  SmallVector<std::pair<unsigned, std::string>> close;
  // Allows one typo per three letters.
  const auto slips = unsigned(std::min<size_t>(2, op.size() / 3));
  for (const OpEntry &entry : known ? ArrayRef<OpEntry>() : opTable()) {
    std::string text =
        (entry.domain.empty() ? "" : entry.domain.str() + ".") + entry.op.str();
    unsigned distance = op.edit_distance(entry.op, /*AllowReplacements=*/true, slips + 1);
    if (distance <= slips)
      close.emplace_back(distance, text);
  }
  llvm::sort(close);
  close.erase(llvm::unique(close), close.end());
  SmallVector<std::string> names;
  for (auto &[distance, text] : ArrayRef(close).take_front(4))
    names.push_back(text);
  return names.empty() ? "an op with a handler or an ONNX function body"
                       : "for example " + join(names, ", ");
}

void ModelChecker::checkOp(int index) {
  const onnx::NodeProto &node = model.graph().node(index);
  const OpsetMap &opsets = order.opsets;
  StringRef domain = canonicalDomain(node.domain()), op = node.op_type();
  auto version = opsets.find(domain);
  int opset = version == opsets.end() ? 0 : version->second;
  bool isFunction = order.functions.count(functionKey(node, op));
  if (version == opsets.end() && !isFunction) {
    order.refused.insert(index);
    return report({ErrorCode::DomainUnknown, nodeText(node, 0),
                   "the model does not import the node's domain",
                   "an opset_import of '" + domain.str() + "'", "none",
                   "add the opset_import, or export the model again"});
  }
  std::optional<OpSchema> schema = findSchema(domain, op, opset);
  bool inlined = isFunction || (schema && schema->hasFunction && !schema->deprecated);
  if (findOpAt(domain, op, opset) || inlined)
    return;
  bool known = schema || !handledVersions(domain, op).empty();
  std::string found =
      schema && schema->deprecated ? "a deprecated op"
      : known ? "version " + std::to_string(schema ? schema->sinceVersion : opset)
              : "an unknown op";
  if (known && handledVersions(domain, op).empty())
    found = "no handler and no function body";
  StringRef kind = kindOf(node);
  if (!kind.empty())
    found = kind.str();
  order.refused.insert(index);
  report({ErrorCode::OpUnsupported, nodeText(node, opset), "this op cannot be imported",
          nearest(domain, op, known || !kind.empty()), found, adviceFor(node).str()});
}

/// Returns the names of the values that a node reads: its inputs, and values outside of
/// its branches that these refer to.
static SmallVector<StringRef> readsOf(const onnx::NodeProto &node) {
  SmallVector<StringRef> reads(node.input().begin(), node.input().end());
  // A branch still to be visited; `outer` has the names defined around it, which nested
  // branches see too.
  struct Level {
    const onnx::GraphProto *graph;
    std::shared_ptr<StringSet<>> outer;
  };
  SmallVector<Level> worklist;
  auto addBranches = [&](const onnx::NodeProto &node,
                         std::shared_ptr<StringSet<>> outer) {
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        worklist.push_back({&attribute.g(), outer});
  };
  addBranches(node, std::make_shared<StringSet<>>());
  while (!worklist.empty()) {
    Level level = worklist.pop_back_val();
    auto defined = std::make_shared<StringSet<>>(*level.outer);
    for (const onnx::TensorProto &tensor : level.graph->initializer())
      defined->insert(tensor.name());
    for (const onnx::ValueInfoProto &input : level.graph->input())
      defined->insert(input.name());
    auto read = [&](StringRef name) {
      if (!name.empty() && !defined->contains(name))
        reads.push_back(name);
    };
    for (const onnx::NodeProto &inner : level.graph->node()) {
      for (const std::string &name : inner.input())
        read(name);
      addBranches(inner, defined);
      for (const std::string &name : inner.output())
        defined->insert(name);
    }
    for (const onnx::ValueInfoProto &output : level.graph->output())
      read(output.name());
  }
  return reads;
}

/// Finds the nodes that outputs depend on. Others are ignored: cutting a model leaves
/// such nodes behind, and their ops need not be supported.
void ModelChecker::findLive() {
  const onnx::GraphProto &graph = model.graph();
  live.resize(graph.node_size());
  SmallVector<int> worklist;
  auto visit = [&](StringRef value) {
    auto it = definedBy.find(value);
    if (it == definedBy.end() || live.test(it->second))
      return;
    live.set(it->second);
    worklist.push_back(it->second);
  };
  for (const onnx::ValueInfoProto &output : graph.output())
    visit(output.name());
  while (!worklist.empty())
    for (StringRef input : readsOf(graph.node(worklist.pop_back_val())))
      visit(input);
}

void ModelChecker::checkOps() {
  if (model.graph().node_size() > kMaxNodes)
    return report({ErrorCode::ModelLimits, path, "the model has too many nodes",
                   "at most " + std::to_string(kMaxNodes),
                   std::to_string(model.graph().node_size()), "split the model"});
  for (unsigned i : live.set_bits())
    checkOp(int(i));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void ModelChecker::reportCycle(ArrayRef<int> pending) {
  // Walks back through unfinished producers until one repeats.
  const onnx::GraphProto &graph = model.graph();
  DenseSet<int> unfinished(pending.begin(), pending.end());
  SmallVector<int> path_;
  int at = pending.front();
  while (!is_contained(path_, at)) {
    path_.push_back(at);
    for (StringRef input : readsOf(graph.node(at)))
      if (auto it = definedBy.find(input);
          it != definedBy.end() && unfinished.contains(it->second)) {
        at = it->second;
        break;
      }
    if (path_.size() > unfinished.size())
      break;
  }
  auto begin = llvm::find(path_, at);
  SmallVector<std::string> names;
  for (auto it = begin; it != path_.end() && names.size() < 8; ++it)
    names.push_back(graph.node(*it).output_size() ? graph.node(*it).output(0) : "");
  report({ErrorCode::GraphCycle,
          nodeText(graph.node(at),
                   order.opsets.lookup(canonicalDomain(graph.node(at).domain()))),
          "the node depends on its own result", "a graph without cycles",
          "the circle " + join(names, " <- ") + " <- " + names.front(),
          "export the model again"});
}

void ModelChecker::sortNodes() {
  const onnx::GraphProto &graph = model.graph();
  int size = graph.node_size();
  std::vector<int> missing(size, 0);
  std::vector<SmallVector<int, 2>> users(size);
  for (int i = 0; i < size; ++i)
    for (StringRef input : readsOf(graph.node(i))) {
      auto it = definedBy.find(input);
      if (it != definedBy.end()) {
        ++missing[i];
        users[it->second].push_back(i);
      } else if (!input.empty() && !inputs.contains(input)) {
        report({ErrorCode::ValueUndefined,
                nodeText(graph.node(i),
                         order.opsets.lookup(canonicalDomain(graph.node(i).domain()))),
                "nothing defines the value '" + input.str() + "'",
                "an input, an initializer or the output of a node", "no definition",
                "add the missing initializer, or export the model again"});
      }
    }
  // Keeps the file's order where possible: visits the ready node with the minimum index
  // first.
  std::vector<int> ready;
  int visited = 0;
  auto push = [&](int node) {
    ready.push_back(node);
    std::push_heap(ready.begin(), ready.end(), std::greater<>());
  };
  for (int i = 0; i < size; ++i)
    if (!missing[i])
      push(i);
  while (!ready.empty()) {
    std::pop_heap(ready.begin(), ready.end(), std::greater<>());
    int node = ready.back();
    ready.pop_back();
    if (live.test(node) && !overridden.contains(node))
      order.nodes.push_back(node);
    ++visited;
    for (int user : users[node])
      if (!--missing[user])
        push(user);
  }
  if (visited == size)
    return;
  SmallVector<int> pending;
  for (int i = 0; i < size; ++i)
    if (missing[i])
      pending.push_back(i);
  reportCycle(pending);
}

std::vector<Diagnosis> ModelChecker::run() {
  collectFunctions();
  if (model.graph().output_size() == 0)
    report({ErrorCode::ModelMalformed, path, "the graph has no outputs",
            "one output at least", "none", "name what is to be computed as an output"});
  for (auto check :
       {&ModelChecker::checkOpsets, &ModelChecker::checkNames, &ModelChecker::findLive,
        &ModelChecker::checkOps, &ModelChecker::sortNodes}) {
    (this->*check)();
    if (count && !(keepGoing && count == order.refused.size()))
      break;
  }
  if (count > kMaxReports && !keepGoing)
    problems.back().fix += " (" + std::to_string(count - kMaxReports) + " more problems)";
  return std::move(problems);
}

std::vector<Diagnosis> kiln::import::checkModel(const ModelFile &file, ModelOrder &order,
                                                bool keepGoing) {
  return ModelChecker(file, order, keepGoing).run();
}
