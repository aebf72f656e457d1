//===- unwind_table.h - Callers of generated code ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profiler that stops a thread in a kernel asks the process's unwinder (libgcc) for
// the caller. The package has unwind information for each function of its code: the
// records of .eh_frame (Linux Standard Base, "DWARF Extensions"). In the package a
// record gives a function's address as an offset in the image; in memory as the distance
// from the record.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_UNWIND_TABLE_H
#define KILN_CODE_UNWIND_TABLE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln::rt {

/// A function of an image and its unwind records.
struct CodeFunction {
  uint64_t offset, size; ///< range in the image
  // Offsets of its records in the table: the CIE, which functions share, and its own FDE.
  size_t common, own;
};

/// Relocates the records for a table that begins `distance` bytes behind the image, and
/// lists the functions by their offsets. False if the table is malformed; some records
/// may be changed then.
bool readUnwindTable(std::span<uint8_t> table, uint64_t imageSize, uint64_t distance,
                     std::vector<CodeFunction> &out);

/// Returns the length of a record of a table that was read.
size_t unwindRecordSize(const uint8_t *record);

/// Offset of the function's address in an FDE.
inline constexpr size_t unwindBeginOffset = 8;

/// Memory for libgcc's registration of a table: 6 to 8 words, depending on its version.
struct UnwindRegistration {
  void *words[16] = {};
};

/// Registers an unwind table, which ends with four zero bytes, with the process's
/// unwinder. Table and registration must not move until they are unregistered. begin:
/// address of a function of the table.
void registerUnwindTable(const uint8_t *table, const uint8_t *begin,
                         UnwindRegistration &registration);
void withdrawUnwindTable(const uint8_t *table);

} // namespace kiln::rt

#endif // KILN_CODE_UNWIND_TABLE_H
