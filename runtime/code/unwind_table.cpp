//===- unwind_table.cpp - Callers of generated code -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/unwind_table.h"
#include <algorithm>
#include <cstring>
#include <unwind.h>

using namespace kiln::rt;

// Functions of libgcc. They are weak, as a program may use another unwinder, in which
// case no table is registered. __register_frame is not used: it crashes if it cannot
// allocate the registration that these functions take as an argument.
extern "C" {
__attribute__((weak)) void __register_frame_info(const void *table, void *registration);
__attribute__((weak)) void *__deregister_frame_info(const void *table);
}

/// First bytes of a CIE as LLVM writes it for x86-64: version 1, augmentation "zR",
/// alignment factors 1 and -8, return address in column 16, and function addresses as
/// 32-bit relative offsets.
static constexpr uint8_t commonHead[] = {1, 'z', 'R', 0, 1, 0x78, 0x10, 1, 0x1b};

static uint32_t load32(const uint8_t *from) {
  uint32_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

size_t kiln::rt::unwindRecordSize(const uint8_t *record) { return 4 + load32(record); }

namespace {
/// Reads the records (CIEs and FDEs) of .eh_frame one by one.
class TableReader {
public:
  TableReader(std::span<uint8_t> table, uint64_t imageSize, uint64_t distance)
      : table(table), imageSize(imageSize), distance(distance) {}

  bool read(std::vector<CodeFunction> &out) {
    for (size_t at = 0; at < table.size(); at += size) {
      // A record has a length, then an id (CIE) or the distance to its CIE (FDE), and at
      // least 12 more bytes.
      if (table.size() - at < 20 || load32(&table[at]) > table.size() - at - 4)
        return false;
      size = unwindRecordSize(&table[at]);
      if (size < 20 || !(load32(&table[at + 4]) ? readFunction(at, out) : readCommon(at)))
        return false;
    }
    return true;
  }

private:
  bool readCommon(size_t at) {
    commons.push_back(at);
    return std::memcmp(&table[at + 8], commonHead, sizeof commonHead) == 0;
  }

  bool readFunction(size_t at, std::vector<CodeFunction> &out) {
    size_t common = at + 4 - load32(&table[at + 4]);
    uint64_t place = at + unwindBeginOffset;
    uint64_t begin = load32(&table[place]), length = load32(&table[place + 4]);
    if (std::ranges::find(commons, common) == commons.end() || !length ||
        begin > imageSize || length > imageSize - begin || table[at + 16] != 0)
      return false;
    auto back = static_cast<int32_t>(static_cast<int64_t>(begin) -
                                     static_cast<int64_t>(distance + place));
    std::memcpy(&table[place], &back, sizeof back);
    out.push_back({begin, length, common, at});
    return true;
  }

  std::span<uint8_t> table;
  uint64_t imageSize, distance;
  size_t size = 0; ///< bytes of the current record
  std::vector<size_t> commons;
};
} // namespace

bool kiln::rt::readUnwindTable(std::span<uint8_t> table, uint64_t imageSize,
                               uint64_t distance, std::vector<CodeFunction> &out) {
  constexpr uint64_t limit = 1u << 30; // relative offsets have 32 bits
  if (imageSize > limit || table.size() > limit ||
      !TableReader(table, imageSize, distance).read(out))
    return false;
  std::ranges::sort(out, {}, &CodeFunction::offset);
  return !out.empty();
}

void kiln::rt::registerUnwindTable(const uint8_t *table, const uint8_t *begin,
                                   UnwindRegistration &registration) {
  if (!__register_frame_info || !__deregister_frame_info)
    return;
  __register_frame_info(table, registration.words);
  // libgcc before version 13 sorts a table on the first lookup and allocates memory for
  // that. The first lookup may come from a signal handler, so one is made here.
  _Unwind_FindEnclosingFunction(const_cast<uint8_t *>(begin) + 1);
}

void kiln::rt::withdrawUnwindTable(const uint8_t *table) {
  if (__register_frame_info && __deregister_frame_info)
    __deregister_frame_info(table);
}
