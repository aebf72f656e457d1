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

/// Converts elements to `Word`, keeping the low bits.
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

int import::packedBits(int onnxType) {
  switch (onnxType) {
  case TensorProto::INT4:
  case TensorProto::UINT4:
  case TensorProto::FLOAT4E2M1:
    return 4;
  case TensorProto::INT2:
  case TensorProto::UINT2:
    return 2;
  case TensorProto::FLOAT6E2M3:
  case TensorProto::FLOAT6E3M2:
    return 6;
  default:
    return 0;
  }
}

/// Returns true if entries of int32_data hold a byte with several elements: true for 4
/// and 2 bits, false for 6 bits.
static bool isTypedPacked(int onnxType) {
  int bits = import::packedBits(onnxType);
  return bits == 4 || bits == 2;
}

uint64_t import::typedEntries(int onnxType, uint64_t elements) {
  uint64_t perEntry = isTypedPacked(onnxType) ? 8 / import::packedBits(onnxType) : 1;
  return elements / perEntry + (elements % perEntry != 0);
}

std::vector<uint8_t> import::unpack(int onnxType, const uint8_t *bytes, uint64_t elements) {
  unsigned bits = packedBits(onnxType), sign = 1u << (bits - 1);
  unsigned mask = (1u << bits) - 1;
  bool isSigned = onnxType == TensorProto::INT4 || onnxType == TensorProto::INT2;
  std::vector<uint8_t> result(elements);
  for (uint64_t i = 0; i < elements; ++i) {
    uint64_t at = i * bits / 8, shift = i * bits % 8;
    unsigned value = bytes[at] >> shift;
    if (shift + bits > 8)
      value |= unsigned(bytes[at + 1]) << (8 - shift);
    value &= mask;
    result[i] = uint8_t(isSigned ? (value ^ sign) - sign : value);
  }
  return result;
}

std::vector<uint8_t> import::decodeTyped(const TensorProto &tensor, uint64_t elements) {
  if (isTypedPacked(tensor.data_type()))
    return unpack(tensor.data_type(), convert<uint8_t>(tensor.int32_data()).data(), elements);
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
  case TensorProto::FLOAT6E2M3:
  case TensorProto::FLOAT6E3M2: {
    std::vector<uint8_t> bytes = convert<uint8_t>(tensor.int32_data());
    for (uint8_t &byte : bytes)
      byte &= 0x3f;
    return bytes;
  }
  default:
    return convert<uint8_t>(tensor.int32_data());
  }
}
