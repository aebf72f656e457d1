//===- stored.cpp - Values that a store writes -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/check/stored.h"

#include "runtime/sim/exec/function_code.h"

#include <cstring>

namespace kiln::sim::check {

namespace {
/// Returns the byte of a range at `offset` bytes from the start of its memory.
const uint8_t *byteOf(const void *tag, uint64_t offset) {
  const auto *place = static_cast<const exec::Place *>(tag);
  return place->bytes - place->offset + offset;
}
} // namespace

bool WarpStores::lookUp() {
  if (known)
    return isStore;
  known = true;
  const exec::Origin &origin = access ? access->origin : window->origin;
  const uint8_t *given = access ? access->values : window->values;
  const exec::MicroOp *op = origin.op;
  bytes = access ? access->bytes : window->bytes;
  lanes = origin.mask;
  isStore = bytes <= MaxBytes && op && op->info && op->info->source &&
            (given || op->info->source->opcode == ptx::Opcode::St);
  if (!isStore)
    return false;
  copyValues(origin, given);
  for (Mask left = lanes; left; left &= left - 1) {
    auto lane = unsigned(__builtin_ctz(left));
    targets[lane] = access
                        ? access->places[lane].bytes
                        : window->window.bytes +
                              (window->offsets ? window->offsets[lane]
                                               : window->first + uint64_t(lane) * bytes);
  }
  return true;
}

/// `given`: the values, if they are not in registers.
void WarpStores::copyValues(const exec::Origin &origin, const uint8_t *given) {
  const exec::MicroOp &op = *origin.op;
  const uint8_t *registers = origin.block->warps[origin.warp]->current->frame->registers;
  uint32_t size = ptx::bytes(op.info->source->type()), count = given ? 0 : op.extra;
  for (Mask left = lanes; left; left &= left - 1) {
    auto lane = unsigned(__builtin_ctz(left));
    if (given)
      memcpy(values[lane].data(), given + size_t(lane) * bytes, bytes);
    for (uint32_t n = 0; n < count; ++n) {
      uint32_t line = count == 1 ? op.b : op.info->operands[n];
      memcpy(&values[lane][n * size], registers + line + size_t(lane) * size, size);
    }
  }
}

const uint8_t *WarpStores::valueAt(unsigned lane, const uint8_t *at) const {
  auto offset = uint64_t(at - targets[lane]);
  return offset < bytes ? &values[lane][offset] : nullptr;
}

bool WarpStores::agree(const void *tag, uint64_t offset, unsigned count, Mask who) {
  if (!lookUp())
    return false;
  for (unsigned n = 0; n < count; ++n) {
    const uint8_t *at = byteOf(tag, offset + n), *first = nullptr;
    for (Mask left = who & lanes; left; left &= left - 1) {
      const uint8_t *value = valueAt(unsigned(__builtin_ctz(left)), at);
      if (!first)
        first = value;
      else if (value && *value != *first)
        return false;
    }
  }
  return true;
}

bool WarpStores::match(const void *tag, uint64_t offset, unsigned count, Mask who) {
  if (!lookUp())
    return false;
  for (unsigned n = 0; n < count; ++n) {
    const uint8_t *at = byteOf(tag, offset + n);
    for (Mask left = who & lanes; left; left &= left - 1) {
      const uint8_t *value = valueAt(unsigned(__builtin_ctz(left)), at);
      if (value && *value != *at)
        return false;
    }
  }
  return true;
}

} // namespace kiln::sim::check
