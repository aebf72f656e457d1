//===- Memory.cpp - Checked memory of a kernel ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "dialects/Tile/Tile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln;
using namespace kiln::interpreter;
using llvm::ArrayRef;

bool View::contains(ArrayRef<int64_t> index) const {
  return llvm::all_of(llvm::zip(index, sizes), [](auto pair) {
    return std::get<0>(pair) >= 0 && std::get<0>(pair) < std::get<1>(pair);
  });
}

static std::string printIndex(ArrayRef<int64_t> index) {
  std::string text = "[";
  for (auto [i, value] : llvm::enumerate(index))
    text += (i ? ", " : "") + std::to_string(value);
  return text + "]";
}

static AccessError outside(std::string what) { return {std::move(what), /*race=*/false}; }
static AccessError race(std::string what) { return {std::move(what), /*race=*/true}; }

/// Returns the byte offset of an element in its memory; an error if it is outside of the
/// view or the memory. Extents and strides come from the program, so sums are computed in
/// 128 bits, which cannot overflow.
static AccessError locate(const View &view, ArrayRef<int64_t> index, int64_t &at) {
  if (!view.contains(index))
    return outside(llvm::formatv("element {0} is outside of a view of {1}", printIndex(index),
                                 printIndex(view.sizes)));
  __int128 element = view.offset;
  for (auto [i, stride] : llvm::zip(index, view.strides))
    element += static_cast<__int128>(i) * stride;
  int64_t size = tile::elementBytes(view.elementType);
  __int128 byte = view.buffer.offset + element * size;
  if (byte < 0 || byte + size > view.buffer.memory->bytes)
    return outside(llvm::formatv("element {0} is byte {1} of {2}, which has {3} bytes",
                                 printIndex(index), static_cast<int64_t>(byte),
                                 view.buffer.memory->name, view.buffer.memory->bytes));
  at = static_cast<int64_t>(byte);
  return {};
}

AccessError interpreter::readElement(const View &view, ArrayRef<int64_t> index, int64_t task,
                                     Scalar &value) {
  int64_t at = 0;
  if (AccessError error = locate(view, index, at))
    return error;
  Memory &memory = *view.buffer.memory;
  if (!memory.writer.empty()) {
    int64_t element = at / tile::elementBytes(view.elementType);
    int64_t writer = memory.writer[element];
    if (writer == Memory::kNobody && !memory.isOperandToo)
      return race(llvm::formatv("task {0} reads element {1} of {2}, which nothing has written",
                                task, element, memory.name));
    if (writer != Memory::kNobody && writer != task)
      return race(llvm::formatv("task {0} reads element {1} of {2}, which task {3} wrote", task,
                                element, memory.name, writer));
    int64_t &reader = memory.reader[element];
    reader = reader == Memory::kNobody || reader == task ? task : Memory::kSeveral;
  }
  value = loadScalar(view.elementType, memory.data + at);
  return {};
}

AccessError interpreter::writeElement(const View &view, ArrayRef<int64_t> index, int64_t task,
                                      Scalar value) {
  int64_t at = 0;
  if (AccessError error = locate(view, index, at))
    return error;
  Memory &memory = *view.buffer.memory;
  if (!view.buffer.writable)
    return outside(
        llvm::formatv("{0} is read through an operand and cannot be written", memory.name));
  if (!memory.writer.empty()) {
    int64_t element = at / tile::elementBytes(view.elementType);
    int64_t &writer = memory.writer[element], reader = memory.reader[element];
    if (writer != Memory::kNobody && writer != task)
      return race(llvm::formatv("tasks {0} and {1} both write element {2} of {3}", writer, task,
                                element, memory.name));
    if (reader != Memory::kNobody && reader != task)
      return race(llvm::formatv(
          "task {0} writes element {1} of {2}, which {3} read", task, element, memory.name,
          reader == Memory::kSeveral ? "other tasks" : "task " + std::to_string(reader)));
    writer = task;
  }
  storeScalar(view.elementType, value, memory.data + at);
  return {};
}
