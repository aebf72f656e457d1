//===- ModelFile.h - An ONNX file without its weights -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ModelProto of a file without the bytes of large tensors, and the position of those
// bytes in the file.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_ONNX_MODELFILE_H
#define KILN_LIB_IMPORT_ONNX_MODELFILE_H

#include "lib/Import/Onnx/MappedFile.h"
#include "lib/Import/Onnx/Proto.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace kiln::import {

class ModelFile {
public:
  /// Opens and decodes `path`: ONNX text if it ends in .onnxtxt, else protobuf.
  static llvm::Expected<std::unique_ptr<ModelFile>> open(llvm::StringRef path);
  /// Decodes bytes that the caller keeps alive; external data is searched in `folder`.
  static llvm::Expected<std::unique_ptr<ModelFile>> decode(llvm::ArrayRef<uint8_t> bytes,
                                                           llvm::StringRef name,
                                                           bool text,
                                                           llvm::StringRef folder = "");

  const onnx::ModelProto &model() const { return proto; }
  /// Returns the position of a tensor's elements, little-endian and row-major, in the
  /// model file; nullopt: they are in the proto (or in external data).
  std::optional<ByteRange> rangeOf(const onnx::TensorProto &tensor) const;
  const MappedFile &file() const { return *bytes; }
  /// Returns the path as the user wrote it, for messages.
  llvm::StringRef name() const { return path; }
  llvm::StringRef folder() const { return parent; }

private:
  ModelFile() = default;
  llvm::Error read(bool text);
  llvm::Error decodeProto(bool text);

  std::string path, parent;
  std::unique_ptr<MappedFile> bytes;
  onnx::ModelProto proto;
  llvm::DenseMap<const onnx::TensorProto *, ByteRange> ranges;
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_ONNX_MODELFILE_H
