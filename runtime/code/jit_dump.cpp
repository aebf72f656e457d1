//===- jit_dump.cpp - Kernels for perf inject --jit -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/jit_dump.h"
#include "runtime/base/clock.h"
#include "runtime/code/append.h"
#include "runtime/package/format.h"
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kiln::rt;

namespace {
struct DumpHeader {
  uint32_t magic = 0x4a695444; // "JiTD"
  uint32_t version = 1;
  uint32_t size = sizeof(DumpHeader);
  uint32_t machine = EM_X86_64;
  uint32_t unused = 0;
  uint32_t process = static_cast<uint32_t>(getpid());
  uint64_t time = monotonicNow();
  uint64_t flags = 0;
};
static_assert(sizeof(DumpHeader) == 40);

enum RecordKind : uint32_t { CodeLoad = 0, UnwindInfo = 4 };
struct RecordHeader {
  uint32_t kind;
  uint32_t size; ///< of the entire record
  uint64_t time;
};

struct CodeLoadRecord {
  RecordHeader header;
  uint32_t process, thread;
  uint64_t address, codeAddress, codeSize, number;
};

struct UnwindRecord {
  RecordHeader header;
  uint64_t size;       ///< of unwind table and header
  uint64_t headerSize; ///< bytes of .eh_frame_hdr, which follows the unwind table
  uint64_t mappedSize;
};

/// .eh_frame_hdr of one function (Linux Standard Base), with 32-bit relative offsets.
struct FrameHeader {
  uint8_t version = 1;
  uint8_t tableEncoding = 0x1b; ///< relative to the field itself
  uint8_t countEncoding = 0x03;
  uint8_t entryEncoding = 0x3b; ///< relative to this header
  int32_t table = 0;
  uint32_t count = 1;
  int32_t function = 0, record = 0;
};
static_assert(sizeof(FrameHeader) == 20);
} // namespace

Status JitDump::open() {
  const char *folder = secure_getenv("JITDUMPDIR");
  std::string path = std::string(folder && *folder ? folder : "/tmp") + "/jit-" +
                     std::to_string(getpid()) + ".dump";
  KILN_TRY(file.open(path, O_TRUNC));
  std::string header;
  appendBytes(header, DumpHeader());
  KILN_TRY(file.write(header));
  // perf record sees the executable mapping of the file and records its name.
  void *data =
      mmap(nullptr, pageSize(), PROT_READ | PROT_EXEC, MAP_PRIVATE, file.descriptor(), 0);
  if (data != MAP_FAILED) {
    marker = Mapping(data, pageSize());
    return {};
  }
  return Failure{Code::OutputNotWritable,
                 path,
                 "the file cannot be mapped executable, so perf record would not see it",
                 "a file system without noexec",
                 std::strerror(errno),
                 "name another folder by JITDUMPDIR"};
}

/// Lays the record out as perf expects it: the table follows the code at the next
/// multiple of eight bytes, and the header follows the table.
std::string JitDump::unwindRecord(const CodeImage &image,
                                  const KernelSymbol &symbol) const {
  const uint8_t *common = image.table().data() + symbol.function.common;
  const uint8_t *own = image.table().data() + symbol.function.own;
  size_t commonSize = unwindRecordSize(common), ownSize = unwindRecordSize(own);
  std::string table(reinterpret_cast<const char *>(common), commonSize);
  table.append(reinterpret_cast<const char *>(own), ownSize);
  table.append(4, '\0');
  auto base = static_cast<int32_t>(format::alignUp(symbol.size, 8));
  auto begins = static_cast<int32_t>(commonSize + unwindBeginOffset);
  auto back = static_cast<uint32_t>(commonSize + 4); // from the FDE back to the CIE
  int32_t begin = -(base + begins);
  std::memcpy(&table[commonSize + 4], &back, sizeof back);
  std::memcpy(&table[commonSize + unwindBeginOffset], &begin, sizeof begin);
  FrameHeader header;
  auto headerAt = static_cast<int32_t>(table.size());
  header.table = -headerAt - 4;
  header.function = -(base + headerAt);
  header.record = static_cast<int32_t>(commonSize) - headerAt;
  appendBytes(table, header);

  UnwindRecord record{
      {UnwindInfo, 0, monotonicNow()}, table.size(), sizeof header, table.size()};
  size_t size = format::alignUp(sizeof record + table.size(), 8);
  record.header.size = static_cast<uint32_t>(size);
  std::string bytes;
  appendBytes(bytes, record);
  bytes += table;
  bytes.resize(size);
  return bytes;
}

Status JitDump::add(const CodeImage &image, std::span<const KernelSymbol> symbols) {
  std::string bytes;
  for (const KernelSymbol &symbol : symbols) {
    if (symbol.function.size)
      bytes += unwindRecord(image, symbol);
    const uint8_t *code = image.data() + symbol.offset;
    auto address = reinterpret_cast<uintptr_t>(code);
    CodeLoadRecord record{{CodeLoad, 0, monotonicNow()},
                          static_cast<uint32_t>(getpid()),
                          static_cast<uint32_t>(syscall(SYS_gettid)),
                          address,
                          address,
                          symbol.size,
                          count++};
    record.header.size =
        static_cast<uint32_t>(sizeof record + symbol.name.size() + 1 + symbol.size);
    appendBytes(bytes, record);
    bytes.append(symbol.name.c_str(), symbol.name.size() + 1);
    bytes.append(reinterpret_cast<const char *>(code), symbol.size);
  }
  return file.write(bytes);
}
