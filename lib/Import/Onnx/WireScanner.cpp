//===- WireScanner.cpp - A bounded reader of the protobuf wire format -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Onnx/WireScanner.h"

using namespace kiln::import;

bool WireScanner::readVarint(uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (at == end)
      return fail(WireError::Truncated);
    uint8_t byte = file[at++];
    // The tenth byte of a varint has only one valid bit.
    if (shift == 63 && byte > 1)
      return fail(WireError::Malformed);
    value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return true;
  }
  return fail(WireError::Malformed);
}

bool WireScanner::skip(uint64_t count) {
  if (count > end - at)
    return fail(WireError::Truncated);
  at += count;
  return true;
}

bool WireScanner::next(WireField &field) {
  if (at == end || status != WireError::None)
    return false;
  uint64_t begin = at, tag, length;
  if (!readVarint(tag))
    return false;
  field.number = uint32_t(tag >> 3);
  if (tag >> 32 || !field.number)
    return fail(WireError::Malformed);
  switch (tag & 7) {
  case WireField::Varint:
    if (!readVarint(field.value))
      return false;
    break;
  case WireField::Fixed64:
    if (!skip(8))
      return false;
    break;
  case WireField::Fixed32:
    if (!skip(4))
      return false;
    break;
  case WireField::Bytes:
    if (!readVarint(length))
      return false;
    field.payload = {at, length};
    if (!skip(length))
      return false;
    break;
  default: // groups are not used by ONNX
    return fail(WireError::Malformed);
  }
  field.type = WireField::Type(tag & 7);
  field.whole = {begin, at - begin};
  return true;
}
