//===- Weights.h - Tensors of the model -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the bytes of a TensorProto, checks their size against its shape, and hashes them
// once. Data larger than a constant is left in its file.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_WEIGHTS_H
#define KILN_LIB_IMPORT_WEIGHTS_H

#include "lib/Import/Onnx/ModelFile.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace kiln::import {

/// A tensor's type and the location of its bytes.
struct TensorBytes {
  mlir::RankedTensorType type;
  llvm::ArrayRef<uint8_t> bytes; ///< little-endian, row-major; a bool is a byte
  std::string file;              ///< relative to the model's folder; kInlineFile
  uint64_t offset = 0;
  bool isUnpacked = false; ///< packed types: expanded to a byte per element
  /// True if its file is missing: `bytes` has a size and no data.
  bool isAbsent = false;
};

class Weights {
public:
  /// `linkedFolder`, `allowsAbsent`: see ImportOptions::externalDataFrom and
  /// ImportOptions::allowsAbsentData.
  Weights(const ModelFile &model, llvm::StringRef linkedFolder,
          mlir::MLIRContext *context, bool allowsAbsent = false)
      : model(model), linkedFolder(linkedFolder), context(context),
        allowsAbsent(allowsAbsent) {}

  /// Finds and checks a tensor; `where` is the location for errors.
  llvm::Expected<TensorBytes> locate(const onnx::TensorProto &tensor,
                                     const std::string &where);
  /// Returns the SHA-256 of located bytes, in hexadecimal; computed once per tensor.
  const std::string &hashOf(const onnx::TensorProto &tensor,
                            llvm::ArrayRef<uint8_t> bytes);
  /// Returns the offset of a decoded tensor's bytes among all bytes that are in no file.
  uint64_t inlineOffset(const onnx::TensorProto &tensor, llvm::ArrayRef<uint8_t> bytes);
  std::vector<char> takeInline() { return std::move(inlineBytes); }

private:
  /// Locates `size` bytes as stored, packed if the type is.
  llvm::Error locateStored(const onnx::TensorProto &tensor, uint64_t size, uint64_t elements,
                           const std::string &where, TensorBytes &out);
  llvm::Error locateExternal(const onnx::TensorProto &tensor, uint64_t size,
                             const std::string &where, TensorBytes &out);
  llvm::Expected<const MappedFile *> openExternal(llvm::StringRef location,
                                                  const std::string &where);

  const ModelFile &model;
  std::string linkedFolder;
  mlir::MLIRContext *context;
  bool allowsAbsent;
  llvm::StringMap<std::unique_ptr<MappedFile>> files;
  llvm::DenseMap<const onnx::TensorProto *, std::string> hashes;
  llvm::DenseMap<const onnx::TensorProto *, std::unique_ptr<std::vector<uint8_t>>>
      decoded;
  llvm::DenseMap<const onnx::TensorProto *, uint64_t> inlineOffsets;
  std::vector<char> inlineBytes;
};

/// Checks the dims of a declaration and returns their size in bytes.
llvm::Expected<uint64_t> checkedByteSize(llvm::ArrayRef<int64_t> dims,
                                         mlir::Type elementType,
                                         const std::string &where);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_WEIGHTS_H
