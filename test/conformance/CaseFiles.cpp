//===- CaseFiles.cpp - The files of an ONNX node test ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFiles.h"
#include "lib/Import/TypedData.h"
#include "lib/Import/Types.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace kiln;
using namespace kiln::test;

template <typename Message>
static bool readMessage(const std::string &path, Message &message) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return buffer && message.ParseFromArray((*buffer)->getBufferStart(),
                                          int((*buffer)->getBufferSize()));
}

bool test::readModel(llvm::StringRef path, onnx::ModelProto &model) {
  return readMessage(path.str(), model);
}

static std::optional<CaseTensor> readTensor(const std::string &path,
                                            mlir::MLIRContext &context) {
  onnx::TensorProto proto;
  if (!readMessage(path, proto))
    return std::nullopt;
  CaseTensor tensor;
  tensor.elementType = import::elementTypeOf(proto.data_type(), &context);
  if (!tensor.elementType)
    return std::nullopt;
  tensor.shape.assign(proto.dims().begin(), proto.dims().end());
  uint64_t elements = 1;
  for (int64_t dim : tensor.shape)
    elements *= uint64_t(dim);
  if (proto.has_raw_data() && import::packedBits(proto.data_type())) {
    const auto *raw = reinterpret_cast<const uint8_t *>(proto.raw_data().data());
    std::vector<uint8_t> unpacked = import::unpack(proto.data_type(), raw, elements);
    tensor.bytes.assign(unpacked.begin(), unpacked.end());
  } else if (proto.has_raw_data()) {
    tensor.bytes.assign(proto.raw_data().begin(), proto.raw_data().end());
  } else {
    std::vector<uint8_t> decoded = import::decodeTyped(proto, elements);
    tensor.bytes.assign(decoded.begin(), decoded.end());
  }
  return tensor;
}

template <typename Values>
static bool readAll(llvm::StringRef folder, const char *prefix, const Values &values,
                    mlir::MLIRContext &context,
                    std::vector<std::pair<std::string, CaseTensor>> &out) {
  for (int i = 0; i < values.size(); ++i) {
    // Values of another kind have files that parse as some tensor: ask the type.
    if (values[i].has_type() && !values[i].type().has_tensor_type())
      return false;
    auto tensor =
        readTensor((folder + "/" + prefix + std::to_string(i) + ".pb").str(), context);
    if (!tensor)
      return false;
    out.emplace_back(values[i].name(), std::move(*tensor));
  }
  return true;
}

std::optional<CaseData> test::readData(llvm::StringRef folder,
                                       const onnx::GraphProto &graph,
                                       mlir::MLIRContext &context) {
  CaseData data;
  if (!readAll(folder, "input_", graph.input(), context, data.inputs) ||
      !readAll(folder, "output_", graph.output(), context, data.outputs))
    return std::nullopt;
  return data;
}

std::vector<import::FrozenInput> test::frozenInputs(const CaseData &data) {
  constexpr size_t kSmall = 1024;
  std::vector<import::FrozenInput> frozen;
  for (const auto &[name, tensor] : data.inputs) {
    bool integer = tensor.elementType.isInteger(32) || tensor.elementType.isInteger(64) ||
                   tensor.elementType.isInteger(1) || tensor.shape.empty();
    // What Resize and Upsample compute shapes from.
    bool scales = name == "scales" || name == "roi";
    if ((integer || scales) && tensor.bytes.size() <= kSmall)
      frozen.push_back({name, tensor.bytes, tensor.shape});
  }
  return frozen;
}
