//===- unwind_table.h - Callers of generated code ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profiler that stops a thread in a kernel asks the unwinder of the process (libgcc's)
// how to find the caller. The package has the answer for each function of its code: the
// records of .eh_frame (Linux Standard Base, "DWARF Extensions"). In the package a
// function begins at its offset in the image; here at its distance from the record.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_UNWIND_TABLE_H
#define KILN_CODE_UNWIND_TABLE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kiln::rt {

/// A function of an image.
struct CodeFunction {
  uint64_t offset, size; ///< in the image
  // Records in the table: the common one, and that of the function.
  size_t common, own;
};

/// Rewrites the records for a table that begins `distance` bytes behind the image, and
/// lists the functions by their offsets. False if it is not such a table, which may then
/// be changed in part.
bool readUnwindTable(std::span<uint8_t> table, uint64_t imageSize, uint64_t distance,
                     std::vector<CodeFunction> &out);

/// The length of a record of a table that was read.
size_t unwindRecordSize(const uint8_t *record);

/// Offset of the place in a function's record that says where it begins.
inline constexpr size_t unwindBeginOffset = 8;

/// Memory in which libgcc keeps what it knows of a table: 6 to 8 words, by its version.
struct UnwindRegistration {
  void *words[16] = {};
};

/// Tells the process's unwinder of a table that four zero bytes end. From then on it and
/// the registration must stay where they are until it is withdrawn. begin: of a function
/// of it.
void registerUnwindTable(const uint8_t *table, const uint8_t *begin,
                         UnwindRegistration &registration);
void withdrawUnwindTable(const uint8_t *table);

} // namespace kiln::rt

#endif // KILN_CODE_UNWIND_TABLE_H
