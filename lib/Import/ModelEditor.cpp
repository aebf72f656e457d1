//===- ModelEditor.cpp - An ONNX model that is made smaller ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Import/ModelEditor.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "lib/Import/ControlFlowEdits.h"
#include "lib/Import/Onnx/OnnxLibrary.h"
#include "lib/Import/TypedData.h"
#include "lib/Import/Weights.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace kiln;
using namespace kiln::import;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
template <typename T> using Repeated = google::protobuf::RepeatedPtrField<T>;
}

/// The model, and the types of its values by their names.
struct ModelEditor::Contents {
  onnx::ModelProto model;
  llvm::StringMap<onnx::TypeProto> types;

  bool wasWellFormed = false; ///< as it was read

  onnx::GraphProto &graph() { return *model.mutable_graph(); }
  void findTypes();
  /// Finds types anew and gives outputs theirs; false if one is not known.
  bool declareOutputs();
  size_t countIn(onnx::GraphProto &one, Edit edit);
  bool applyIn(onnx::GraphProto &one, Edit edit, size_t begin, size_t end);
};

ModelEditor::ModelEditor(std::unique_ptr<Contents> contents)
    : contents(std::move(contents)) {}
ModelEditor::ModelEditor(ModelEditor &&) noexcept = default;
ModelEditor::~ModelEditor() = default;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static llvm::StringSet<> namesRead(const onnx::GraphProto &graph) {
  llvm::StringSet<> names;
  for (const onnx::NodeProto &node : graph.node())
    forEachRead(node, [&](StringRef name) { names.insert(name); });
  for (const onnx::ValueInfoProto &output : graph.output())
    names.insert(output.name());
  return names;
}

static bool declares(const Repeated<onnx::ValueInfoProto> &values, StringRef name) {
  return llvm::any_of(values, [&](const auto &value) { return value.name() == name; });
}

/// Removes the elements that `isRemoved` says; true if there were any.
template <typename T>
static bool removeIf(Repeated<T> &list, llvm::function_ref<bool(const T &)> isRemoved) {
  int kept = 0;
  for (int i = 0; i < list.size(); ++i)
    if (!isRemoved(list.Get(i)))
      list.SwapElements(kept++, i);
  bool changed = kept < list.size();
  list.DeleteSubrange(kept, list.size() - kept);
  return changed;
}

/// Type of an initializer as an input.
static onnx::TypeProto typeOf(const onnx::TensorProto &tensor) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(tensor.data_type());
  auto *shape = type.mutable_tensor_type()->mutable_shape();
  for (int64_t dim : tensor.dims())
    shape->add_dim()->set_dim_value(dim);
  return type;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Tensors of initializers and attributes, in order.
static void collectTensors(onnx::GraphProto &graph,
                           std::vector<onnx::TensorProto *> &tensors) {
  for (onnx::TensorProto &tensor : *graph.mutable_initializer())
    tensors.push_back(&tensor);
  for (onnx::NodeProto &node : *graph.mutable_node())
    for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
      if (attribute.has_t())
        tensors.push_back(attribute.mutable_t());
      if (attribute.has_g())
        collectTensors(*attribute.mutable_g(), tensors);
    }
}

/// Bytes of a tensor that are not in its message; none if it has all. Packed data in
/// files of their own cannot be had as they are stored.
static Expected<std::optional<ArrayRef<uint8_t>>>
findData(const ModelFile &file, Weights &weights, const onnx::TensorProto &tensor) {
  if (std::optional<ByteRange> range = file.rangeOf(tensor))
    return file.file().bytes(*range);
  if (tensor.data_location() != onnx::TensorProto::EXTERNAL)
    return std::nullopt;
  Expected<TensorBytes> found = weights.locate(tensor, "tensor '" + tensor.name() + "'");
  if (!found)
    return found.takeError();
  if (packedBits(tensor.data_type()))
    return makeError({ErrorCode::FormUnsupported, "tensor '" + tensor.name() + "'",
                      "packed external data cannot be reduced", "data in the model file",
                      "external data", "save the model in one file"});
  return found->bytes;
}

/// Makes a value of a graph an input of the model; false if the model has another value
/// of this name.
static bool addInput(onnx::GraphProto &main, const onnx::GraphProto &graph,
                     const std::string &name, const onnx::TypeProto &type) {
  for (const onnx::ValueInfoProto &input : main.input())
    if (input.name() == name)
      return input.type().SerializeAsString() == type.SerializeAsString();
  for (const onnx::NodeProto &node : main.node())
    if (&graph != &main && llvm::is_contained(node.output(), name))
      return false;
  onnx::ValueInfoProto &input = *main.add_input();
  input.set_name(name);
  *input.mutable_type() = type;
  return true;
}

/// Makes inputs of the model of these initializers of a graph, which bodies see, too.
static bool weightsToInputs(onnx::GraphProto &main, onnx::GraphProto &graph,
                            const llvm::StringSet<> &names) {
  return removeIf<onnx::TensorProto>(
      *graph.mutable_initializer(), [&](const onnx::TensorProto &tensor) {
        bool isInput = declares(graph.input(), tensor.name());
        return names.contains(tensor.name()) &&
               (isInput || addInput(main, graph, tensor.name(), typeOf(tensor)));
      });
}

/// Puts the data that are not in messages into the copies of these; initializers for
/// which there is no room become inputs.
static Error readData(const ModelFile &file, onnx::GraphProto &copy) {
  std::vector<onnx::TensorProto *> tensors, copies;
  collectTensors(const_cast<onnx::GraphProto &>(file.model().graph()), tensors);
  collectTensors(copy, copies);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Weights weights(file, "", &context);
  llvm::StringSet<> absent;
  constexpr uint64_t kMaxBytes = uint64_t(1) << 30;
  uint64_t room = kMaxBytes;
  for (auto [tensor, copied] : llvm::zip(tensors, copies)) {
    auto data = findData(file, weights, *tensor);
    if (!data)
      return data.takeError();
    if (!*data)
      continue;
    copied->clear_external_data();
    copied->clear_data_location();
    if ((*data)->size() > room) {
      absent.insert(tensor->name());
      continue;
    }
    room -= (*data)->size();
    copied->set_raw_data((*data)->data(), (*data)->size());
  }
  weightsToInputs(copy, copy, absent);
  return Error::success();
}

Expected<ModelEditor> ModelEditor::read(StringRef path) {
  std::unique_ptr<ModelFile> file;
  if (Error error = ModelFile::open(path).moveInto(file))
    return error;
  auto contents = std::make_unique<Contents>();
  contents->model = file->model();
  if (Error error = readData(*file, contents->graph()))
    return error;
  contents->findTypes();
  contents->wasWellFormed = isWellFormed(contents->model);
  return ModelEditor(std::move(contents));
}

void ModelEditor::Contents::findTypes() {
  types.clear();
  for (onnx::ValueInfoProto &value : inferTypes(model))
    types[value.name()] = std::move(*value.mutable_type());
}

bool ModelEditor::Contents::declareOutputs() {
  findTypes();
  return llvm::all_of(*graph().mutable_output(), [&](onnx::ValueInfoProto &output) {
    auto type = types.find(output.name());
    if (type == types.end() || !type->second.tensor_type().has_shape())
      return false;
    *output.mutable_type() = type->second;
    return true;
  });
}

std::string ModelEditor::serialize() const { return contents->model.SerializeAsString(); }
size_t ModelEditor::numNodes() const {
  size_t count = 0;
  for (const onnx::GraphProto *graph : graphsIn(contents->graph()))
    count += graph->node_size();
  return count;
}
bool ModelEditor::isValid() const {
  return !contents->wasWellFormed || isWellFormed(contents->model);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {
/// Removal of nodes that follow each other, and what becomes of the values between them
/// and the others.
class NodeCut {
public:
  /// `graph` is that of the model, `main`, or a body in it.
  NodeCut(onnx::GraphProto &main, onnx::GraphProto &graph,
          const llvm::StringMap<onnx::TypeProto> &types, size_t begin, size_t end);
  bool run();

private:
  bool isBody() const { return &graph != &main; }
  bool endsBody(const onnx::NodeProto &node) const;
  bool addInputs();
  void replaceOutputs();
  bool keepOutputs();

  onnx::GraphProto &main, &graph;
  const llvm::StringMap<onnx::TypeProto> &types;
  std::set<const onnx::NodeProto *> cut;
  std::vector<std::string> madeByCut, readByCut;
  llvm::StringSet<> madeByOthers, readByOthers;
};
} // namespace

NodeCut::NodeCut(onnx::GraphProto &main, onnx::GraphProto &graph,
                 const llvm::StringMap<onnx::TypeProto> &types, size_t begin, size_t end)
    : main(main), graph(graph), types(types) {
  for (const onnx::NodeProto &node : graph.node())
    madeByOthers.insert_range(node.output());
  for (size_t i = begin; i < end; ++i)
    if (!endsBody(graph.node(int(i))))
      cut.insert(&graph.node(int(i)));
  for (const onnx::NodeProto &node : graph.node()) {
    bool isCut = cut.count(&node) > 0;
    forEachRead(node, [&](StringRef name) {
      isCut ? readByCut.push_back(name.str()) : void(readByOthers.insert(name));
    });
    for (const std::string &name : node.output())
      if (isCut) {
        madeByCut.push_back(name);
        madeByOthers.erase(name);
      }
  }
}

/// Whether the node gives a body a value from outside of it as its output, which is all
/// that can be left.
bool NodeCut::endsBody(const onnx::NodeProto &node) const {
  return isBody() && node.op_type() == "Identity" && node.input_size() == 1 &&
         node.output_size() == 1 && declares(graph.output(), node.output(0)) &&
         !madeByOthers.contains(node.input(0));
}

/// Makes inputs of what others read; false if a type is not known.
bool NodeCut::addInputs() {
  for (const std::string &name : madeByCut) {
    if (name.empty() || !readByOthers.contains(name) ||
        (isBody() && declares(graph.output(), name)))
      continue;
    auto type = types.find(name);
    if (type == types.end() || !addInput(main, graph, name, type->second))
      return false;
  }
  return true;
}

/// Makes outputs of what nobody else reads, so that it stays.
void NodeCut::replaceOutputs() {
  removeIf<onnx::ValueInfoProto>(*graph.mutable_output(), [&](const auto &output) {
    return llvm::is_contained(madeByCut, output.name());
  });
  for (const std::string &name : readByCut) {
    if (!madeByOthers.contains(name) || readByOthers.contains(name) ||
        declares(graph.output(), name))
      continue;
    onnx::ValueInfoProto &output = *graph.add_output();
    output.set_name(name);
    if (auto type = types.find(name); type != types.end())
      *output.mutable_type() = type->second;
  }
}

/// Keeps the outputs of a body, which has to have as many as its node: an Identity in
/// place of the cut node makes each from an input of the model. False if a type is not
/// known.
bool NodeCut::keepOutputs() {
  for (const std::string &name : madeByCut) {
    if (!declares(graph.output(), name))
      continue;
    auto type = types.find(name);
    std::string outer = name + "_outer";
    if (type == types.end() || !addInput(main, graph, outer, type->second))
      return false;
    onnx::NodeProto &copy = *graph.add_node();
    copy.set_op_type("Identity");
    copy.add_input(outer);
    copy.add_output(name);
    // In front of all readers.
    auto *nodes = graph.mutable_node();
    std::rotate(nodes->pointer_begin(), nodes->pointer_end() - 1, nodes->pointer_end());
  }
  return true;
}

bool NodeCut::run() {
  if (cut.empty() || !addInputs())
    return false;
  if (!isBody())
    replaceOutputs();
  else if (!keepOutputs())
    return false;
  return removeIf<onnx::NodeProto>(
      *graph.mutable_node(),
      [&](const onnx::NodeProto &node) { return cut.count(&node) > 0; });
}

/// Whether an input can take the place of the only output of a node. One that is an
/// output of the graph is then made by the node that has made the input.
static bool canBypass(const onnx::GraphProto &graph, const onnx::NodeProto &node, int k) {
  if (node.output_size() != 1 || node.input(k).empty())
    return false;
  return !declares(graph.output(), node.output(0)) ||
         (makesByNode(graph, node.input(k)) && !declares(graph.output(), node.input(k)));
}

/// Numbers of a node and one of its inputs that can take the place of its only output.
static std::vector<std::pair<int, int>> bypasses(const onnx::GraphProto &graph) {
  std::vector<std::pair<int, int>> found;
  for (int i = 0; i < graph.node_size(); ++i) {
    const onnx::NodeProto &node = graph.node(i);
    for (int k = 0; k < node.input_size(); ++k)
      if (canBypass(graph, node, k))
        found.emplace_back(i, k);
  }
  return found;
}

static bool bypassNodes(onnx::GraphProto &graph, size_t begin, size_t end) {
  std::set<int> removed;
  std::vector<std::pair<int, int>> found = bypasses(graph);
  for (size_t site = begin; site < end; ++site) {
    auto [number, input] = found[site];
    const onnx::NodeProto &node = graph.node(number);
    if (removed.count(number) || !canBypass(graph, node, input))
      continue;
    removed.insert(number);
    const std::string from = node.output(0), to = node.input(input);
    if (declares(graph.output(), from))
      renameValue(graph, to, from);
    else
      renameReads(graph, from, to);
  }
  for (int number : llvm::reverse(removed))
    graph.mutable_node()->DeleteSubrange(number, 1);
  return !removed.empty();
}

//===----------------------------------------------------------------------===//
// Outputs that become constants
//===----------------------------------------------------------------------===//

/// Data of so many ones; empty for types that have none here.
static std::string ones(int type, size_t count) {
  std::string one;
  auto bytesOf = [](auto value) {
    return std::string(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  if (type == onnx::TensorProto::FLOAT)
    one = bytesOf(1.0f);
  else if (type == onnx::TensorProto::INT64)
    one = bytesOf(int64_t(1));
  else if (type == onnx::TensorProto::INT32)
    one = bytesOf(int32_t(1));
  else if (type == onnx::TensorProto::BOOL)
    one = bytesOf(char(1));
  std::string data;
  for (size_t i = 0; i < count; ++i)
    data += one;
  return data;
}

/// Initializer of ones with a name and a type; nullopt if it is not small and static.
static std::optional<onnx::TensorProto> makeOnes(const std::string &name,
                                                 const onnx::TypeProto &type) {
  constexpr int64_t kMaxElements = 64;
  const onnx::TypeProto::Tensor &tensor = type.tensor_type();
  onnx::TensorProto made;
  int64_t count = 1;
  for (const auto &dim : tensor.shape().dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 1 || dim.dim_value() > kMaxElements)
      return std::nullopt;
    made.add_dims(dim.dim_value());
    count *= dim.dim_value();
    if (count > kMaxElements)
      return std::nullopt;
  }
  made.set_name(name);
  made.set_data_type(tensor.elem_type());
  made.set_raw_data(ones(tensor.elem_type(), size_t(count)));
  return tensor.has_shape() && !made.raw_data().empty() ? std::optional(made)
                                                        : std::nullopt;
}

/// Numbers of the nodes whose only output can become such an initializer.
static std::vector<int>
constantCandidates(const onnx::GraphProto &graph,
                   const llvm::StringMap<onnx::TypeProto> &types) {
  std::vector<int> found;
  for (int i = 0; i < graph.node_size(); ++i) {
    const onnx::NodeProto &node = graph.node(i);
    auto type = node.output_size() == 1 ? types.find(node.output(0)) : types.end();
    if (type != types.end() && !declares(graph.output(), node.output(0)) &&
        makeOnes(node.output(0), type->second))
      found.push_back(i);
  }
  return found;
}

static bool outputsToOnes(onnx::GraphProto &graph,
                          const llvm::StringMap<onnx::TypeProto> &types, size_t begin,
                          size_t end) {
  std::vector<int> found = constantCandidates(graph, types);
  for (size_t site = end; site-- > begin;) {
    const std::string name = graph.node(found[site]).output(0);
    *graph.add_initializer() = *makeOnes(name, types.find(name)->second);
    graph.mutable_node()->DeleteSubrange(found[site], 1);
  }
  return begin < end;
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

using Dim = onnx::TensorShapeProto::Dimension;

static void forEachDim(onnx::TypeProto &type, llvm::function_ref<void(Dim &)> visit) {
  if (type.tensor_type().has_shape())
    for (Dim &dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim())
      visit(dim);
}

/// Names and sizes above 1 of inputs' dims.
static void collectDims(const onnx::GraphProto &graph, std::set<std::string> &names,
                        std::set<int64_t> &sizes) {
  for (const onnx::ValueInfoProto &input : graph.input())
    for (const Dim &dim : input.type().tensor_type().shape().dim()) {
      if (!dim.dim_param().empty())
        names.insert(dim.dim_param());
      if (dim.dim_value() > 1)
        sizes.insert(dim.dim_value());
    }
}

static void clearShapes(Repeated<onnx::ValueInfoProto> &values) {
  for (onnx::ValueInfoProto &value : values)
    if (value.type().has_tensor_type())
      value.mutable_type()->mutable_tensor_type()->clear_shape();
}

/// Makes dims of inputs 1. What is declared of other values may not fit any more.
static bool dimsToOne(onnx::GraphProto &graph,
                      llvm::function_ref<bool(const Dim &)> isChosen) {
  bool changed = false;
  for (onnx::ValueInfoProto &input : *graph.mutable_input())
    forEachDim(*input.mutable_type(), [&](Dim &dim) {
      if (!isChosen(dim))
        return;
      dim.set_dim_value(1);
      changed = true;
    });
  for (onnx::GraphProto *one : graphsIn(graph)) {
    one->clear_value_info();
    if (one != &graph)
      clearShapes(*one->mutable_input());
    clearShapes(*one->mutable_output());
  }
  return changed;
}

template <typename T>
static std::set<T> slice(const std::set<T> &values, size_t begin, size_t end) {
  return {std::next(values.begin(), begin), std::next(values.begin(), end)};
}

static bool namedDimsToOne(onnx::GraphProto &graph, size_t begin, size_t end) {
  std::set<std::string> names;
  std::set<int64_t> sizes;
  collectDims(graph, names, sizes);
  names = slice(names, begin, end);
  return dimsToOne(graph, [&](const Dim &dim) { return names.count(dim.dim_param()); });
}

static bool sizesToOne(onnx::GraphProto &graph, size_t begin, size_t end) {
  std::set<std::string> names;
  std::set<int64_t> sizes;
  collectDims(graph, names, sizes);
  sizes = slice(sizes, begin, end);
  return dimsToOne(graph, [&](const Dim &dim) { return sizes.count(dim.dim_value()); });
}

//===----------------------------------------------------------------------===//
// What nothing needs
//===----------------------------------------------------------------------===//

/// Names of initializers that nothing reads, and of such inputs: the node of a body says
/// how many it has.
static std::vector<std::string> unusedNames(const onnx::GraphProto &graph, bool isBody) {
  llvm::StringSet<> read = namesRead(graph);
  std::vector<std::string> unused;
  for (const onnx::ValueInfoProto &input : graph.input())
    if (!isBody && !read.contains(input.name()))
      unused.push_back(input.name());
  for (const onnx::TensorProto &tensor : graph.initializer())
    if (!read.contains(tensor.name()) && !declares(graph.input(), tensor.name()))
      unused.push_back(tensor.name());
  return unused;
}

static bool dropUnused(onnx::GraphProto &graph, bool isBody, size_t begin, size_t end) {
  std::vector<std::string> unused = unusedNames(graph, isBody);
  llvm::StringSet<> names;
  for (size_t site = begin; site < end; ++site)
    names.insert(unused[site]);
  bool changed =
      removeIf<onnx::ValueInfoProto>(*graph.mutable_input(), [&](const auto &input) {
        return names.contains(input.name());
      });
  changed |=
      removeIf<onnx::TensorProto>(*graph.mutable_initializer(), [&](const auto &tensor) {
        return names.contains(tensor.name());
      });
  return changed;
}

/// Bodies are what a node does, and are inlined instead.
static bool isOption(const onnx::AttributeProto &attribute) { return !attribute.has_g(); }

static size_t countAttributes(const onnx::GraphProto &graph) {
  size_t count = 0;
  for (const onnx::NodeProto &node : graph.node())
    count += llvm::count_if(node.attribute(), isOption);
  return count;
}

static bool dropAttributes(onnx::GraphProto &graph, size_t begin, size_t end) {
  size_t site = 0;
  for (onnx::NodeProto &node : *graph.mutable_node())
    removeIf<onnx::AttributeProto>(*node.mutable_attribute(), [&](const auto &attribute) {
      if (!isOption(attribute))
        return false;
      size_t here = site++;
      return here >= begin && here < end;
    });
  return begin < end;
}

static bool hasText(const onnx::GraphProto &graph) {
  return !graph.doc_string().empty() || graph.value_info_size() ||
         llvm::any_of(graph.node(), [](const onnx::NodeProto &node) {
           return !node.doc_string().empty() || node.metadata_props_size();
         });
}

static void dropText(onnx::GraphProto &graph) {
  graph.clear_doc_string();
  graph.clear_value_info();
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    node.clear_doc_string();
    node.clear_metadata_props();
  }
}

static bool hasText(onnx::ModelProto &model) {
  return !model.doc_string().empty() || model.metadata_props_size() ||
         llvm::any_of(graphsIn(*model.mutable_graph()),
                      [](const onnx::GraphProto *graph) { return hasText(*graph); });
}

static bool dropText(onnx::ModelProto &model) {
  model.clear_doc_string();
  model.clear_metadata_props();
  for (onnx::GraphProto *graph : graphsIn(*model.mutable_graph()))
    dropText(*graph);
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Calls `inlined` for the nodes of a type from place `begin` to `end`, the last first.
static bool inlineNodes(const onnx::GraphProto &graph, StringRef type, size_t begin,
                        size_t end, llvm::function_ref<bool(int)> inlined) {
  std::vector<int> nodes = nodesNamed(graph, type);
  bool changed = false;
  for (size_t site = end; site-- > begin;)
    changed |= inlined(nodes[site]);
  return changed;
}

static bool dropLoopValues(onnx::GraphProto &graph, size_t begin, size_t end) {
  std::vector<LoopValue> values = unreadLoopValues(graph);
  for (size_t site = end; site-- > begin;)
    dropLoopValue(graph, values[site]);
  return begin < end;
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

static bool weightsToInputs(onnx::GraphProto &main, onnx::GraphProto &graph, size_t begin,
                            size_t end) {
  llvm::StringSet<> names;
  for (size_t site = begin; site < end; ++site)
    names.insert(graph.initializer(int(site)).name());
  return weightsToInputs(main, graph, names);
}

/// Places in one graph: that of the model, or a body.
size_t ModelEditor::Contents::countIn(onnx::GraphProto &one, Edit edit) {
  bool isMain = &one == &graph();
  std::set<std::string> names;
  std::set<int64_t> sizes;
  switch (edit) {
  case Edit::WeightsToInputs:
    return one.initializer_size();
  case Edit::CutNodes:
    return one.node_size();
  case Edit::InlineThen:
  case Edit::InlineElse:
    return nodesNamed(one, "If").size();
  case Edit::InlineLoops:
    return nodesNamed(one, "Loop").size();
  case Edit::DropLoopValues:
    return unreadLoopValues(one).size();
  case Edit::DropOutputs:
    return isMain && one.output_size() > 1 ? one.output_size() : 0;
  case Edit::DropUnused:
    return unusedNames(one, !isMain).size();
  case Edit::BypassNodes:
    return bypasses(one).size();
  case Edit::OutputsToOnes:
    return constantCandidates(one, types).size();
  case Edit::NamedDimsToOne:
    collectDims(one, names, sizes);
    return isMain ? names.size() : 0;
  case Edit::SizesToOne:
    collectDims(one, names, sizes);
    return isMain ? sizes.size() : 0;
  case Edit::DropAttributes:
    return countAttributes(one);
  case Edit::DropText:
    return isMain && hasText(model);
  }
  llvm_unreachable("unknown edit");
}

bool ModelEditor::Contents::applyIn(onnx::GraphProto &one, Edit edit, size_t begin,
                                    size_t end) {
  switch (edit) {
  case Edit::WeightsToInputs:
    return weightsToInputs(graph(), one, begin, end);
  case Edit::CutNodes:
    return NodeCut(graph(), one, types, begin, end).run();
  case Edit::InlineThen:
  case Edit::InlineElse:
    return inlineNodes(one, "If", begin, end, [&](int node) {
      return inlineBranch(graph(), one, node,
                          edit == Edit::InlineThen ? "then_branch" : "else_branch");
    });
  case Edit::InlineLoops:
    return inlineNodes(one, "Loop", begin, end,
                       [&](int node) { return inlineIteration(graph(), one, node); });
  case Edit::DropLoopValues:
    return dropLoopValues(one, begin, end);
  case Edit::DropOutputs:
    one.mutable_output()->DeleteSubrange(int(begin), int(end - begin));
    return true;
  case Edit::DropUnused:
    return dropUnused(one, &one != &graph(), begin, end);
  case Edit::BypassNodes:
    return bypassNodes(one, begin, end);
  case Edit::OutputsToOnes:
    return outputsToOnes(one, types, begin, end);
  case Edit::NamedDimsToOne:
    return namedDimsToOne(one, begin, end) && declareOutputs();
  case Edit::SizesToOne:
    return sizesToOne(one, begin, end) && declareOutputs();
  case Edit::DropAttributes:
    return dropAttributes(one, begin, end);
  case Edit::DropText:
    return dropText(model);
  }
  llvm_unreachable("unknown edit");
}

size_t ModelEditor::countSites(Edit edit) const {
  size_t count = 0;
  for (onnx::GraphProto *graph : graphsIn(contents->graph()))
    count += contents->countIn(*graph, edit);
  return count;
}

bool ModelEditor::apply(Edit edit, size_t begin, size_t end) {
  std::vector<std::pair<onnx::GraphProto *, size_t>> firsts; // the first place of each
  size_t count = 0;
  for (onnx::GraphProto *graph : graphsIn(contents->graph())) {
    firsts.emplace_back(graph, count);
    count += contents->countIn(*graph, edit);
  }
  // Bodies first, as an edit of a graph may remove them.
  bool changed = false;
  for (auto [graph, first] : llvm::reverse(firsts)) {
    size_t from = std::max(begin, first), to = std::min(end, count);
    count = first;
    if (from < to)
      changed |= contents->applyIn(*graph, edit, from - first, to - first);
  }
  // Values of bodies have other names outside of them.
  if (changed &&
      (edit == Edit::InlineThen || edit == Edit::InlineElse || edit == Edit::InlineLoops))
    contents->findTypes();
  return changed;
}
