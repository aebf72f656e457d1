//===- Annotations.cpp - The multi-device annotations of ONNX -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Import/Annotations.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "lib/Import/Onnx/ModelFile.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <numeric>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

namespace {
/// Reads the annotations of one configuration of a model.
class AnnotationReader {
public:
  AnnotationReader(const onnx::ModelProto &model, StringRef path)
      : model(model), path(path) {}
  llvm::Expected<ShardAnnotations> run(StringRef name);

private:
  using NodeConfiguration = onnx::NodeDeviceConfigurationProto;
  using Spec = onnx::ShardingSpecProto;

  llvm::Error choose(StringRef name);
  llvm::Error checkPlaces() const;
  const NodeConfiguration *find(const onnx::NodeProto &node) const;
  llvm::Error countStages();
  llvm::Error readNode(const onnx::NodeProto &node, const NodeConfiguration &own);
  llvm::Error readSpec(const onnx::NodeProto &node, const NodeConfiguration &own,
                       const Spec &spec);
  llvm::Expected<int64_t> readAxis(const onnx::NodeProto &node, const Spec &spec) const;
  llvm::Error checkDevices(const onnx::NodeProto &node, const NodeConfiguration &own,
                           const Spec &spec, bool isDivided) const;
  llvm::Error checkActivation(const onnx::NodeProto &node, StringRef name,
                              int64_t axis) const;
  void addStage(const onnx::NodeProto &node, int64_t stage);

  llvm::Error wrong(const onnx::NodeProto &node, const Twine &what, const Twine &expected,
                    const Twine &found) const {
    return makeError({ErrorCode::NodeInvalid, placeOf(node), what.str(), expected.str(),
                      found.str(), "correct the model's annotations"});
  }
  llvm::Error unsupported(const onnx::NodeProto &node, const Twine &what,
                          const Twine &expected, const Twine &found) const {
    return makeError({ErrorCode::FormUnsupported, placeOf(node), what.str(),
                      expected.str(), found.str(),
                      "leave the annotation out, or write one for Kiln "
                      "(docs/guides/ranks.md)"});
  }
  static std::string placeOf(const onnx::NodeProto &node) {
    return "node '" + node.name() + "' (" + node.op_type() + ")";
  }

  const onnx::ModelProto &model;
  StringRef path;
  const onnx::DeviceConfigurationProto *configuration = nullptr;
  int64_t stages = 1, tp = 1;
  llvm::StringMap<const onnx::TensorProto *> weights;
  llvm::StringMap<SmallVector<std::string>> dims; ///< of inputs and values; "" if unknown
  llvm::MapVector<StringRef, int64_t> axes, stageOf; ///< of weights
};
} // namespace

llvm::Error AnnotationReader::choose(StringRef name) {
  SmallVector<StringRef> known;
  for (const onnx::DeviceConfigurationProto &one : model.configuration()) {
    known.push_back(one.name());
    if (name.empty() || name == one.name())
      configuration = &one;
  }
  std::string names = known.empty() ? "no configuration" : join(known, ", ");
  if (name.empty() && known.size() > 1)
    return makeError({ErrorCode::BadUsage, "--shard onnx",
                      "the model has several configurations of devices",
                      "--shard onnx:NAME", names, "name one of them"});
  if (!configuration)
    return makeError({ErrorCode::BadUsage, "--shard onnx",
                      "the model has no such configuration of devices",
                      name.empty() ? "a model with multi-device annotations (IR 11)"
                                   : "'" + name.str() + "'",
                      names, "choose another way to divide it, for example --shard tp"});
  if (configuration->num_devices() < 1)
    return makeError({ErrorCode::NodeInvalid, path.str(),
                      "the configuration '" + configuration->name() + "' has no devices",
                      "num_devices of 1 or more",
                      std::to_string(configuration->num_devices()),
                      "correct the model's annotations"});
  return llvm::Error::success();
}

const onnx::NodeDeviceConfigurationProto *
AnnotationReader::find(const onnx::NodeProto &node) const {
  for (const NodeConfiguration &one : node.device_configurations())
    if (one.configuration_id() == configuration->name())
      return &one;
  return nullptr;
}

/// Checks that annotations are on nodes of the main graph and of existing configurations.
llvm::Error AnnotationReader::checkPlaces() const {
  StringSet<> known;
  for (const onnx::DeviceConfigurationProto &one : model.configuration())
    known.insert(one.name());
  for (const onnx::NodeProto &node : model.graph().node()) {
    for (const NodeConfiguration &one : node.device_configurations())
      if (!known.contains(one.configuration_id()))
        return wrong(node, "its annotation is of a configuration that the model lacks",
                     "a name of the model's configurations",
                     "'" + one.configuration_id() + "'");
    for (const onnx::AttributeProto &attribute : node.attribute())
      for (const onnx::NodeProto &inner : attribute.g().node())
        if (inner.device_configurations_size())
          return unsupported(inner, "an annotated node inside of a branch or loop",
                             "annotations of nodes of the main graph", "it");
  }
  for (const onnx::FunctionProto &function : model.functions())
    for (const onnx::NodeProto &inner : function.node())
      if (inner.device_configurations_size())
        return unsupported(inner, "an annotated node inside of a function",
                           "annotations of nodes of the main graph", "it");
  return llvm::Error::success();
}

/// Computes the number of stages and of ranks per stage.
llvm::Error AnnotationReader::countStages() {
  for (const onnx::NodeProto &node : model.graph().node()) {
    const NodeConfiguration *own = find(node);
    if (!own || !own->has_pipeline_stage())
      continue;
    if (own->pipeline_stage() < 0 ||
        own->pipeline_stage() >= configuration->num_devices())
      return wrong(node, "its pipeline stage has no device",
                   "0 to " + Twine(configuration->num_devices() - 1),
                   Twine(own->pipeline_stage()));
    stages = std::max<int64_t>(stages, own->pipeline_stage() + 1);
  }
  if (configuration->num_devices() % stages)
    return makeError(
        {ErrorCode::FormUnsupported, path.str(), "stages of different numbers of devices",
         "a number of devices that the " + std::to_string(stages) + " stages divide",
         std::to_string(configuration->num_devices()),
         "annotate stages of equally many devices"});
  tp = configuration->num_devices() / stages;
  return llvm::Error::success();
}

llvm::Error AnnotationReader::checkDevices(const onnx::NodeProto &node,
                                           const NodeConfiguration &own, const Spec &spec,
                                           bool isDivided) const {
  SmallVector<int64_t> found;
  bool hasGroups = false;
  for (int64_t device : spec.device()) {
    const onnx::IntIntListEntryProto *group = nullptr;
    for (const onnx::IntIntListEntryProto &entry : spec.index_to_device_group_map())
      if (entry.key() == device)
        group = &entry;
    hasGroups |= group != nullptr;
    if (group)
      found.append(group->value().begin(), group->value().end());
    else
      found.push_back(device);
  }
  // A node without a stage may be on any.
  int64_t first = own.has_pipeline_stage() ? own.pipeline_stage() * tp
                  : found.empty()          ? 0
                                           : found.front() / tp * tp;
  if (hasGroups && isDivided)
    return unsupported(
        node, "shards of '" + spec.tensor_name() + "' that several devices have alike",
        "a shard per device of the stage", "groups of devices");
  auto listed = [](ArrayRef<int64_t> devices) {
    return join(map_range(devices, [](int64_t one) { return std::to_string(one); }),
                ", ");
  };
  SmallVector<int64_t> wanted(tp);
  std::iota(wanted.begin(), wanted.end(), first);
  if (!found.empty() && found != wanted)
    return unsupported(node, "the devices of '" + spec.tensor_name() + "'",
                       "all devices of the stage, in their order: " + listed(wanted),
                       listed(found));
  return llvm::Error::success();
}

/// Returns the axis that a spec divides; kWholeWeight if it replicates. A negative axis
/// of a tensor of unknown rank is returned as axis - 1, which differs from kWholeWeight.
llvm::Expected<int64_t> AnnotationReader::readAxis(const onnx::NodeProto &node,
                                                   const Spec &spec) const {
  const onnx::TensorProto *weight = weights.lookup(spec.tensor_name());
  auto known = dims.find(spec.tensor_name());
  std::optional<int64_t> rank, axis;
  if (weight)
    rank = weight->dims_size();
  else if (known != dims.end())
    rank = known->second.size();
  for (const onnx::ShardedDimProto &dim : spec.sharded_dim()) {
    std::string place = "'" + spec.tensor_name() + "'";
    if (dim.simple_sharding_size() != 1)
      return unsupported(node, "a sharding of " + place + " of joined dims",
                         "one simple_sharding per axis",
                         Twine(dim.simple_sharding_size()));
    const onnx::SimpleShardedDimProto &simple = dim.simple_sharding(0);
    if (rank && (dim.axis() < -*rank || dim.axis() >= *rank))
      return wrong(node, place + " has no such axis",
                   Twine(-*rank) + " to " + Twine(*rank - 1), Twine(dim.axis()));
    int64_t own = rank && dim.axis() < 0 ? dim.axis() + *rank : dim.axis();
    if (weight && simple.has_dim_value() && simple.dim_value() != weight->dims(int(own)))
      return wrong(node, "its annotation contradicts the shape of " + place,
                   Twine(weight->dims(int(own))), Twine(simple.dim_value()));
    if (simple.num_shards() == 1)
      continue;
    if (simple.num_shards() != tp)
      return unsupported(node, "the number of shards of " + place,
                         "1, or the " + Twine(tp) + " devices of a stage",
                         Twine(simple.num_shards()));
    if (axis)
      return unsupported(node, "a sharding of " + place + " along two axes", "one axis",
                         Twine(*axis) + " and " + Twine(own));
    axis = own < 0 ? own - 1 : own;
  }
  return axis.value_or(kWholeWeight);
}

/// Checks a sharded activation: it must be sharded by columns or heads, as the sharding
/// of weights implies.
llvm::Error AnnotationReader::checkActivation(const onnx::NodeProto &node, StringRef name,
                                              int64_t axis) const {
  if (axis < 0)
    return llvm::Error::success();
  auto known = dims.find(name);
  bool isSymbolic = known != dims.end() && !known->second[axis].empty();
  if (axis > 0 && !isSymbolic)
    return llvm::Error::success();
  return unsupported(node, "a sharding of the activation '" + name + "'",
                     "shards along columns or heads, as they follow from weights",
                     "axis " + Twine(axis) +
                         (isSymbolic ? ", '" + known->second[axis] + "'" : "") +
                         " (data or sequence parallel)");
}

llvm::Error AnnotationReader::readSpec(const onnx::NodeProto &node,
                                       const NodeConfiguration &own, const Spec &spec) {
  StringRef name = spec.tensor_name();
  if (!is_contained(node.input(), name) && !is_contained(node.output(), name))
    return wrong(node, "its annotation is of a tensor that it does not have",
                 "an input or output of the node", "'" + name + "'");
  llvm::Expected<int64_t> axis = readAxis(node, spec);
  if (!axis)
    return axis.takeError();
  if (llvm::Error error = checkDevices(node, own, spec, *axis != kWholeWeight))
    return error;
  auto weight = weights.find(name);
  if (weight == weights.end())
    return checkActivation(node, name, *axis);
  auto [it, isNew] = axes.insert({weight->getKey(), *axis});
  if (isNew || it->second == *axis)
    return llvm::Error::success();
  auto inWords = [](int64_t axis) {
    return axis == kWholeWeight ? std::string("replicated")
                                : "axis " + std::to_string(axis);
  };
  return wrong(node, "its annotation of '" + name + "' contradicts another node's",
               inWords(it->second), inWords(*axis));
}

/// Assigns a weight to the stage of the first node that reads it.
void AnnotationReader::addStage(const onnx::NodeProto &node, int64_t stage) {
  for (StringRef input : node.input())
    if (auto weight = weights.find(input); weight != weights.end())
      stageOf.insert({weight->getKey(), stage});
}

llvm::Error AnnotationReader::readNode(const onnx::NodeProto &node,
                                       const NodeConfiguration &own) {
  for (const Spec &spec : own.sharding_spec())
    if (llvm::Error error = readSpec(node, own, spec))
      return error;
  if (own.has_pipeline_stage())
    addStage(node, own.pipeline_stage());
  return llvm::Error::success();
}

llvm::Expected<ShardAnnotations> AnnotationReader::run(StringRef name) {
  if (llvm::Error error = choose(name))
    return std::move(error);
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    weights[tensor.name()] = &tensor;
  for (const auto *values :
       {&model.graph().input(), &model.graph().value_info(), &model.graph().output()})
    for (const onnx::ValueInfoProto &value : *values)
      if (value.type().tensor_type().has_shape() && !dims.contains(value.name()))
        for (const auto &dim : value.type().tensor_type().shape().dim())
          dims[value.name()].push_back(dim.dim_param());
  if (llvm::Error error = checkPlaces())
    return std::move(error);
  if (llvm::Error error = countStages())
    return std::move(error);
  for (const onnx::NodeProto &node : model.graph().node())
    if (const NodeConfiguration *own = find(node))
      if (llvm::Error error = readNode(node, *own))
        return std::move(error);
  ShardAnnotations result;
  result.place = "the annotations of " + path.str();
  result.mesh = (stages > 1 ? "pp=" + std::to_string(stages) + "," : "") +
                "tp=" + std::to_string(tp);
  for (auto [weight, axis] : axes)
    if (tp > 1)
      result.rules.push_back({ShardRule::By::Name, weight.str(), axis, std::nullopt});
  for (auto [weight, stage] : stageOf)
    result.rules.push_back({ShardRule::By::Name, weight.str(), std::nullopt, stage});
  return result;
}

llvm::Expected<ShardAnnotations> kiln::import::readAnnotations(StringRef path,
                                                               StringRef configuration) {
  llvm::Expected<std::unique_ptr<ModelFile>> file = ModelFile::open(path);
  if (!file)
    return file.takeError();
  return AnnotationReader((*file)->model(), path).run(configuration);
}
