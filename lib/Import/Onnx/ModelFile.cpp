//===- ModelFile.cpp - An ONNX file without its weights -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Onnx/ModelFile.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "lib/Import/Onnx/OnnxLibrary.h"
#include "lib/Import/Onnx/WindowCaches.h"
#include "lib/Import/Onnx/WireScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace kiln;
using namespace kiln::import;
using namespace llvm;

namespace {

/// Maximum size of tensor data that the protobuf library reads.
constexpr uint64_t kInlineBytes = 1024;
/// Maximum size of a message without tensors: the protobuf library's limit.
constexpr uint64_t kMessageBytes = INT32_MAX;
constexpr unsigned kMaxDepth = 64;

/// Decodes a model from its file without the bytes of large tensors.
class ModelReader {
public:
  ModelReader(const MappedFile &file,
              DenseMap<const onnx::TensorProto *, ByteRange> &ranges)
      : file(file.bytes()), ranges(ranges) {}

  bool readModel(onnx::ModelProto &model);
  /// Describes the error that stopped the reader.
  Diagnosis diagnose(StringRef path) const;

private:
  bool readGraph(ByteRange range, onnx::GraphProto &graph);
  bool readFunction(ByteRange range, onnx::FunctionProto &function);
  bool readNode(ByteRange range, onnx::NodeProto &node);
  bool readAttribute(ByteRange range, onnx::AttributeProto &attribute);
  bool readTensor(ByteRange range, onnx::TensorProto &tensor);

  /// Calls `take` for every field; the protobuf library merges those that it returns
  /// false for into `message`.
  bool readFields(ByteRange range, google::protobuf::Message &message,
                  function_ref<bool(const WireField &)> take);
  bool stop(WireError error, uint64_t position, StringRef what) {
    if (failure == WireError::None)
      failure = error, failedAt = position, failedIn = what.str();
    return false;
  }

  ArrayRef<uint8_t> file;
  DenseMap<const onnx::TensorProto *, ByteRange> &ranges;
  WireError failure = WireError::None;
  uint64_t failedAt = 0;
  std::string failedIn;
  unsigned fields = 0;    ///< of the top-level message
  bool plausible = false; ///< all of them are fields of ModelProto
};

} // namespace

/// Returns true if ModelProto has a field of this number and type: distinguishes a
/// truncated model from a file of another format.
static bool isModelField(const WireField &field) {
  switch (field.number) {
  case onnx::ModelProto::kIrVersionFieldNumber:
  case onnx::ModelProto::kModelVersionFieldNumber:
    return field.type == WireField::Varint;
  case onnx::ModelProto::kProducerNameFieldNumber:
  case onnx::ModelProto::kProducerVersionFieldNumber:
  case onnx::ModelProto::kDomainFieldNumber:
  case onnx::ModelProto::kDocStringFieldNumber:
  case onnx::ModelProto::kGraphFieldNumber:
  case onnx::ModelProto::kOpsetImportFieldNumber:
  case onnx::ModelProto::kMetadataPropsFieldNumber:
  case onnx::ModelProto::kTrainingInfoFieldNumber:
  case onnx::ModelProto::kFunctionsFieldNumber:
  case onnx::ModelProto::kConfigurationFieldNumber:
    return field.type == WireField::Bytes;
  default:
    return false;
  }
}

bool ModelReader::readFields(ByteRange range, google::protobuf::Message &message,
                             function_ref<bool(const WireField &)> take) {
  std::string name = message.GetTypeName();
  WireScanner scanner(file, range);
  std::string rest;
  WireField field;
  while (scanner.next(field)) {
    if (failure == WireError::None && take(field))
      continue;
    if (failure != WireError::None)
      return false;
    if (rest.size() + field.whole.length > kMessageBytes)
      return stop(WireError::Malformed, field.whole.offset, name);
    rest.append(reinterpret_cast<const char *>(file.data()) + field.whole.offset,
                field.whole.length);
  }
  if (scanner.error() != WireError::None)
    return stop(scanner.error(), scanner.position(), name);
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(rest.data()), int(rest.size()));
  stream.SetRecursionLimit(kMaxDepth);
  if (!message.MergePartialFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    return stop(WireError::Malformed, range.offset, name);
  return true;
}

bool ModelReader::readModel(onnx::ModelProto &model) {
  return readFields({0, file.size()}, model, [&](const WireField &field) {
    plausible = (fields++ == 0 || plausible) && isModelField(field);
    if (field.type != WireField::Bytes)
      return false;
    if (field.number == onnx::ModelProto::kGraphFieldNumber)
      return readGraph(field.payload, *model.mutable_graph());
    if (field.number == onnx::ModelProto::kFunctionsFieldNumber)
      return readFunction(field.payload, *model.add_functions());
    return false;
  });
}

bool ModelReader::readGraph(ByteRange range, onnx::GraphProto &graph) {
  return readFields(range, graph, [&](const WireField &field) {
    if (field.type != WireField::Bytes)
      return false;
    if (field.number == onnx::GraphProto::kNodeFieldNumber)
      return readNode(field.payload, *graph.add_node());
    if (field.number == onnx::GraphProto::kInitializerFieldNumber)
      return readTensor(field.payload, *graph.add_initializer());
    return false;
  });
}

bool ModelReader::readFunction(ByteRange range, onnx::FunctionProto &function) {
  return readFields(range, function, [&](const WireField &field) {
    return field.type == WireField::Bytes &&
           field.number == onnx::FunctionProto::kNodeFieldNumber &&
           readNode(field.payload, *function.add_node());
  });
}

bool ModelReader::readNode(ByteRange range, onnx::NodeProto &node) {
  return readFields(range, node, [&](const WireField &field) {
    return field.type == WireField::Bytes &&
           field.number == onnx::NodeProto::kAttributeFieldNumber &&
           readAttribute(field.payload, *node.add_attribute());
  });
}

bool ModelReader::readAttribute(ByteRange range, onnx::AttributeProto &attribute) {
  return readFields(range, attribute, [&](const WireField &field) {
    return field.type == WireField::Bytes &&
           field.number == onnx::AttributeProto::kTFieldNumber &&
           readTensor(field.payload, *attribute.mutable_t());
  });
}

bool ModelReader::readTensor(ByteRange range, onnx::TensorProto &tensor) {
  // Packed float and double data are little-endian words like raw data.
  std::optional<ByteRange> raw, packedFloat, packedDouble;
  unsigned pieces = 0;
  bool ok = readFields(range, tensor, [&](const WireField &field) {
    if (field.type != WireField::Bytes || field.payload.length <= kInlineBytes)
      return false;
    std::optional<ByteRange> *target =
        field.number == onnx::TensorProto::kRawDataFieldNumber      ? &raw
        : field.number == onnx::TensorProto::kFloatDataFieldNumber  ? &packedFloat
        : field.number == onnx::TensorProto::kDoubleDataFieldNumber ? &packedDouble
                                                                    : nullptr;
    if (!target)
      return false;
    ++pieces;
    *target = field.payload;
    return true;
  });
  if (!ok || !pieces)
    return ok;
  bool typed = packedFloat ? tensor.data_type() == onnx::TensorProto::FLOAT
                           : tensor.data_type() == onnx::TensorProto::DOUBLE;
  bool mixed =
      tensor.has_raw_data() || tensor.float_data_size() || tensor.double_data_size();
  if (pieces > 1 || mixed || !(raw || typed))
    return stop(WireError::Malformed, range.offset,
                "onnx.TensorProto with data in two places");
  ranges[&tensor] = raw ? *raw : packedFloat ? *packedFloat : *packedDouble;
  return true;
}

Diagnosis ModelReader::diagnose(StringRef path) const {
  std::string place = "byte " + std::to_string(failedAt) + " in " + failedIn;
  if (failure == WireError::Truncated && plausible)
    return {ErrorCode::ModelTruncated,
            path.str(),
            "the file ends inside the model",
            "a complete ONNX model",
            "the end of the file at byte " + std::to_string(file.size()),
            "export or download the model again"};
  return {ErrorCode::NotAModel,
          path.str(),
          "this is not an ONNX model",
          "an ONNX protobuf (.onnx) or ONNX text (.onnxtxt)",
          "malformed data at " + place,
          "export the model to ONNX; ONNX text must be named .onnxtxt"};
}

std::optional<ByteRange> ModelFile::rangeOf(const onnx::TensorProto &tensor) const {
  auto it = ranges.find(&tensor);
  return it == ranges.end() ? std::nullopt : std::optional(it->second);
}

/// Rejects messages that protobuf accepts but that are not a model: any message may be
/// empty.
static Error checkIsModel(const onnx::ModelProto &model, StringRef path) {
  StringRef missing = !model.has_graph()           ? "no graph"
                      : !model.opset_import_size() ? "no opset_import"
                      : model.graph().node_size() == 0 && model.graph().output_size() == 0
                          ? "an empty graph"
                          : "";
  if (missing.empty())
    return Error::success();
  return makeError({ErrorCode::NotAModel, path.str(), "this is not an ONNX model",
                    "a graph with nodes and an opset import", missing.str(),
                    "export the model to ONNX"});
}

/// Clears dims of -1, which older exporters use for unknown dims: a dim with neither
/// value nor name is unknown.
static void
freeUnknownDims(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> &values) {
  for (onnx::ValueInfoProto &value : values)
    if (value.type().tensor_type().has_shape())
      for (auto &dim :
           *value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim())
        if (dim.has_dim_value() && dim.dim_value() == -1)
          dim.clear_dim_value();
}

Error ModelFile::read(bool text) {
  if (Error error = decodeProto(text))
    return error;
  onnx::GraphProto &graph = *proto.mutable_graph();
  for (auto *values :
       {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()})
    freeUnknownDims(*values);
  nameWindowCaches(graph);
  return Error::success();
}

Error ModelFile::decodeProto(bool text) {
  ArrayRef<uint8_t> content = bytes->bytes();
  if (content.empty())
    return makeError({ErrorCode::NotAModel, path, "the file is empty", "an ONNX model",
                      "0 bytes", "export or download the model again"});
  if (text) {
    StringRef source(reinterpret_cast<const char *>(content.data()), content.size());
    if (Error error = parseText(source, path, proto))
      return error;
    return checkIsModel(proto, path);
  }
  ModelReader reader(*bytes, ranges);
  if (!reader.readModel(proto))
    return makeError(reader.diagnose(path));
  return checkIsModel(proto, path);
}

Expected<std::unique_ptr<ModelFile>> ModelFile::open(StringRef path) {
  std::unique_ptr<ModelFile> model(new ModelFile);
  model->path = path.str();
  model->parent = sys::path::parent_path(path).str();
  if (Error error = MappedFile::open(path).moveInto(model->bytes))
    return error;
  if (Error error = model->read(path.ends_with(".onnxtxt")))
    return error;
  return model;
}

Expected<std::unique_ptr<ModelFile>>
ModelFile::decode(ArrayRef<uint8_t> bytes, StringRef name, bool text, StringRef folder) {
  std::unique_ptr<ModelFile> model(new ModelFile);
  model->path = name.str();
  model->parent = folder.str();
  model->bytes = MappedFile::fromMemory(bytes);
  if (Error error = model->read(text))
    return error;
  return model;
}
