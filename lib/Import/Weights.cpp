//===- Weights.cpp - Tensors of the model ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Weights.h"
#include "dialects/Graph/Graph.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Import/Import.h"
#include "kiln/Support/Error.h"
#include "lib/Import/TypedData.h"
#include "lib/Import/Types.h"
#include "runtime/base/sha256.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

static std::string printShape(ArrayRef<int64_t> dims) {
  SmallVector<std::string> texts;
  for (int64_t dim : dims)
    texts.push_back(std::to_string(dim));
  return "[" + join(texts, ", ") + "]";
}

llvm::Expected<uint64_t> kiln::import::checkedByteSize(ArrayRef<int64_t> dims,
                                                       mlir::Type elementType,
                                                       const std::string &where) {
  constexpr size_t kMaxRank = 64;
  constexpr int64_t kMaxBytes = int64_t(1) << 48;
  int64_t size = graph::elementBytes(elementType);
  bool bad = dims.size() > kMaxRank, empty = is_contained(dims, 0);
  for (int64_t dim : dims) {
    bad |= dim < 0 || dim > INT32_MAX;
    if (bad || (!empty && (llvm::MulOverflow(size, dim, size) || size > kMaxBytes)))
      return makeError({ErrorCode::TensorDims, where,
                        "the dims of a tensor are impossible",
                        "at most 64 dims from 0 to 2^31 - 1, and at most 2^48 bytes",
                        printShape(dims.take_front(kMaxRank)), "export the model again"});
  }
  return empty ? 0 : uint64_t(size);
}

/// Makes the error of a tensor whose data do not match its shape.
static llvm::Error wrongSize(const onnx::TensorProto &tensor, uint64_t expected,
                             uint64_t found, StringRef unit, const std::string &where) {
  return makeError({ErrorCode::TensorBytes, where,
                    "the data do not match the shape of the tensor",
                    std::to_string(expected) + " " + unit.str() + " for " +
                        onnxTypeName(tensor.data_type()) +
                        printShape({tensor.dims().data(), size_t(tensor.dims_size())}),
                    std::to_string(found) + " " + unit.str(), "export the model again"});
}

llvm::Expected<TensorBytes> Weights::locate(const onnx::TensorProto &tensor,
                                            const std::string &where) {
  mlir::Type elementType = elementTypeOf(tensor.data_type(), context);
  if (!elementType)
    return makeError({ErrorCode::ElementType, where,
                      "tensors of this type are not supported", kSupportedTypes.str(),
                      onnxTypeName(tensor.data_type()),
                      "convert the tensor to a supported type before the export"});
  if (tensor.has_segment())
    return makeError({ErrorCode::FormUnsupported, where, "a tensor is stored in segments",
                      "a tensor in one piece", "a segment",
                      "save the model in one piece"});
  ArrayRef<int64_t> dims(tensor.dims().data(), tensor.dims_size());
  uint64_t size;
  if (llvm::Error error = checkedByteSize(dims, elementType, where).moveInto(size))
    return error;
  TensorBytes out{mlir::RankedTensorType::get(dims, elementType), {}, "", 0};
  uint64_t elements = size / graph::elementBytes(elementType);
  int packed = packedBits(tensor.data_type());
  if (packed)
    size = llvm::divideCeil(elements * packed, 8);
  if (llvm::Error error = locateStored(tensor, size, elements, where, out))
    return error;
  if (packed && !out.isUnpacked) {
    auto &bytes = decoded[&tensor];
    if (!bytes)
      bytes = std::make_unique<std::vector<uint8_t>>(
          unpack(tensor.data_type(), out.bytes.data(), elements));
    out.bytes = *bytes;
    out.file = kInlineFile.str();
    out.offset = 0;
  }
  return out;
}

llvm::Error Weights::locateStored(const onnx::TensorProto &tensor, uint64_t size,
                                  uint64_t elements, const std::string &where,
                                  TensorBytes &out) {
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    return locateExternal(tensor, size, where, out);
  }
  if (std::optional<ByteRange> range = model.rangeOf(tensor)) {
    if (range->length != size)
      return wrongSize(tensor, size, range->length, "bytes", where);
    out.bytes = model.file().bytes(*range);
    out.file = llvm::sys::path::filename(model.name()).str();
    out.offset = range->offset;
    return llvm::Error::success();
  }
  out.file = kInlineFile.str();
  if (tensor.has_raw_data()) {
    if (tensor.raw_data().size() != size)
      return wrongSize(tensor, size, tensor.raw_data().size(), "bytes", where);
    out.bytes = llvm::arrayRefFromStringRef(tensor.raw_data());
    return llvm::Error::success();
  }
  uint64_t entries = typedEntries(tensor.data_type(), elements);
  if (typedCount(tensor) != entries)
    return wrongSize(tensor, entries, typedCount(tensor), "elements", where);
  auto &bytes = decoded[&tensor];
  if (!bytes)
    bytes = std::make_unique<std::vector<uint8_t>>(decodeTyped(tensor, elements));
  out.bytes = *bytes;
  out.isUnpacked = true;
  return llvm::Error::success();
}

const std::string &Weights::hashOf(const onnx::TensorProto &tensor,
                                   ArrayRef<uint8_t> bytes) {
  std::string &hash = hashes[&tensor];
  if (hash.empty())
    hash = rt::toHex(rt::sha256(bytes.data(), bytes.size()));
  return hash;
}

uint64_t Weights::inlineOffset(const onnx::TensorProto &tensor, ArrayRef<uint8_t> bytes) {
  auto [it, isNew] = inlineOffsets.try_emplace(&tensor, inlineBytes.size());
  if (isNew)
    inlineBytes.insert(inlineBytes.end(), bytes.begin(), bytes.end());
  return it->second;
}

//===----------------------------------------------------------------------===//
// External data
//===----------------------------------------------------------------------===//

llvm::Expected<const MappedFile *> Weights::openExternal(StringRef location,
                                                         const std::string &where) {
  auto it = files.find(location);
  if (it != files.end())
    return it->second.get();
  std::unique_ptr<MappedFile> file;
  if (llvm::Error error =
          MappedFile::openBeneath(model.folder(), location, linkedFolder, where)
              .moveInto(file))
    return error;
  return (files[location] = std::move(file)).get();
}

/// Reads the keys of external data; unknown keys are an error, because they could change
/// the meaning of others.
static llvm::Error readKeys(const onnx::TensorProto &tensor, const std::string &where,
                            std::string &location, uint64_t &offset,
                            std::optional<uint64_t> &length) {
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    StringRef key = entry.key(), value = entry.value();
    uint64_t number = 0;
    bool known = key == "location" || key == "checksum" || key == "basepath";
    bool isNumber = key == "offset" || key == "length";
    if ((!known && !isNumber) || (isNumber && value.getAsInteger(10, number)))
      return makeError({ErrorCode::ExternalDataInvalid, where,
                        "the description of external data is malformed",
                        "location, offset, length or checksum, numbers >= 0",
                        key.str() + " = '" + value.str() + "'", "save the model again"});
    if (key == "location")
      location = value.str();
    if (key == "offset")
      offset = number;
    if (key == "length")
      length = number;
  }
  return llvm::Error::success();
}

llvm::Error Weights::locateExternal(const onnx::TensorProto &tensor, uint64_t size,
                                    const std::string &where, TensorBytes &out) {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  if (llvm::Error error = readKeys(tensor, where, location, offset, length))
    return error;
  if (length && *length != size)
    return wrongSize(tensor, size, *length, "bytes", where);
  const MappedFile *file = nullptr;
  if (llvm::Error error = openExternal(location, where).moveInto(file)) {
    Diagnosis diagnosis = takeDiagnosis(std::move(error));
    if (!allowsAbsent || diagnosis.code != ErrorCode::ExternalDataMissing ||
        packedBits(tensor.data_type()))
      return makeError(std::move(diagnosis));
    out.isAbsent = true;
    out.bytes = ArrayRef<uint8_t>(nullptr, size);
    out.file = location;
    out.offset = offset;
    return llvm::Error::success();
  }
  uint64_t available = file->bytes().size();
  if (offset > available || size > available - offset)
    return makeError({ErrorCode::ExternalDataShort, where,
                      "external data '" + location + "' is too short",
                      std::to_string(size) + " bytes at offset " + std::to_string(offset),
                      "a file of " + std::to_string(available) + " bytes",
                      "copy the whole file beside the model"});
  out.bytes = file->bytes({offset, size});
  out.file = location;
  out.offset = offset;
  return llvm::Error::success();
}
