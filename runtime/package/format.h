//===- format.h - The bytes of a package ------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format of packages. Little-endian. A package is this header, the section table,
// then the sections in the order of the table, each aligned as its entry says, with
// zeros in the gaps. The writer (lib/Package) and the loader have only this header and
// plan.fbs in common.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_FORMAT_H
#define KILN_PACKAGE_FORMAT_H

#include <cstddef>
#include <cstdint>

namespace kiln::rt::format {

// Magic bytes like PNG's: the first byte is not ASCII, and the line ends detect text-mode
// transfers.
inline constexpr uint8_t magic[8] = {0x89, 'K', 'I', 'L', 'N', '\r', '\n', 0x1a};

/// Incremented when an older loader could misread a package. 2: sections are hashed by
/// chunks. 3: chunks by XXH3 (base/chunk_hash.h). 5: a plan section for each program. 6:
/// ring buffers in states.
inline constexpr uint32_t version = 6;

/// Version of packages for several ranks, in which an older loader would ignore that
/// ranks have different weights. Other packages have `version`. 8: axes of a mesh.
inline constexpr uint32_t ranksVersion = 8;
inline constexpr uint32_t maxRanks = 4096;

inline constexpr uint32_t maxSections = 256;

struct Header {
  uint8_t magic[8];
  uint32_t version;
  uint32_t headerSize;   ///< sizeof(Header)
  uint64_t fileSize;     ///< of the entire package
  uint32_t sectionCount; ///< entries of the table that follows the header
  uint32_t sectionSize;  ///< sizeof(Section)
  uint64_t flags;        ///< 0
  /// First bytes of sha256(header with this field zero, section table).
  uint8_t digest[24];
};
static_assert(sizeof(Header) == 64);

/// Loaders refuse sections of unknown types unless this bit marks the type as optional.
inline constexpr uint32_t optionalSection = 1u << 31;

enum SectionType : uint32_t {
  Provenance = 1, ///< JSON text, UTF-8, not null-terminated
  Plan = 2,       ///< FlatBuffers, plan.fbs; one for each program
  HostImage = 3,  ///< flat position-independent x86-64 code, page-aligned
  Weights = 4,    ///< page-aligned; each weight aligned to weightAlignment
  Ptx = 5,        ///< PTX texts of one GPU target, each null-terminated
  Cubin = 6,      ///< machine code of one GPU target's kernels; for all or no targets
  /// .eh_frame of the host image with the same index (code/unwind_table.h).
  UnwindTable = 7 | optionalSection,
};

struct Section {
  uint32_t type;
  uint32_t index;  ///< 0, 1 ... among sections of the same type
  uint64_t offset; ///< from the start of the package
  uint64_t size;
  uint64_t alignment; ///< of offset; a power of two
  uint8_t hash[32];   ///< chunk hash of the content
};
static_assert(sizeof(Section) == 64);

inline constexpr uint64_t pageAlignment = 4096;
inline constexpr uint64_t weightAlignment = 64;
/// Alignment of buffers' offsets in arenas.
inline constexpr uint64_t bufferAlignment = 64;

/// Rounds up to a multiple of a power of two. The caller excludes overflow.
constexpr uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

} // namespace kiln::rt::format

#endif // KILN_PACKAGE_FORMAT_H
