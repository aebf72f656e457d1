//===- WireScanner.h - A bounded reader of the protobuf wire format -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the fields of one message in place. This lets tensor bytes of any size stay in
// the file: only the parts of a model that are not weights are passed to the protobuf
// library, which copies them and is limited to 2 GiB.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_ONNX_WIRESCANNER_H
#define KILN_LIB_IMPORT_ONNX_WIRESCANNER_H

#include "lib/Import/Onnx/MappedFile.h"

namespace kiln::import {

/// One field of a message.
struct WireField {
  enum Type : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
  uint32_t number = 0;
  Type type = Varint;
  ByteRange whole;    ///< tag, length and payload
  ByteRange payload;  ///< of Bytes
  uint64_t value = 0; ///< of Varint
};

/// Reason why a message cannot be read.
enum class WireError { None, Truncated, Malformed };

class WireScanner {
public:
  /// Reads the fields in `range` of `file`.
  WireScanner(llvm::ArrayRef<uint8_t> file, ByteRange range)
      : file(file), at(range.offset), end(range.offset + range.length) {}

  /// Reads the next field; false at the end and on errors (see `error`).
  bool next(WireField &field);
  WireError error() const { return status; }
  /// Returns the current position, for messages.
  uint64_t position() const { return at; }

private:
  bool readVarint(uint64_t &value);
  bool skip(uint64_t count);
  bool fail(WireError error) {
    status = error;
    return false;
  }

  llvm::ArrayRef<uint8_t> file;
  uint64_t at, end;
  WireError status = WireError::None;
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_ONNX_WIRESCANNER_H
