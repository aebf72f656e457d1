//===- TypedData.cpp - Tensor data in protobuf's typed fields -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/TypedData.h"

#include <cstring>

using namespace kiln;
using onnx::TensorProto;

uint64_t import::typedCount(const TensorProto &tensor) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return tensor.float_data_size();
  case TensorProto::DOUBLE:
    return tensor.double_data_size();
  case TensorProto::INT64:
    return tensor.int64_data_size();
  case TensorProto::UINT32:
  case TensorProto::UINT64:
    return tensor.uint64_data_size();
  default: // smaller integers, and the bits of small floats
    return tensor.int32_data_size();
  }
}

/// Elements converted to `Word`; conversions keep the low bits.
template <typename Word, typename Field>
static std::vector<uint8_t> convert(const Field &field) {
  std::vector<uint8_t> bytes(field.size() * sizeof(Word));
  uint8_t *to = bytes.data();
  for (auto element : field) {
    Word word = static_cast<Word>(element);
    std::memcpy(to, &word, sizeof(Word));
    to += sizeof(Word);
  }
  return bytes;
}

std::vector<uint8_t> import::decodeTyped(const TensorProto &tensor) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return convert<float>(tensor.float_data());
  case TensorProto::DOUBLE:
    return convert<double>(tensor.double_data());
  case TensorProto::INT64:
    return convert<int64_t>(tensor.int64_data());
  case TensorProto::UINT32:
    return convert<uint32_t>(tensor.uint64_data());
  case TensorProto::UINT64:
    return convert<uint64_t>(tensor.uint64_data());
  case TensorProto::INT32:
    return convert<int32_t>(tensor.int32_data());
  case TensorProto::INT16:
  case TensorProto::UINT16:
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
    return convert<uint16_t>(tensor.int32_data());
  case TensorProto::BOOL:
    return convert<bool>(tensor.int32_data());
  default:
    return convert<uint8_t>(tensor.int32_data());
  }
}
