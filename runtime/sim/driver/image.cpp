//===- image.cpp - From a program's module image to compiled code ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/image.h"
#include "runtime/sim/driver/submit.h"
#include <cstring>
#include <fstream>
#include <iterator>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

constexpr uint32_t ElfMagic = 0x464c457f;
/// Magic numbers of the fat binary wrapper that compilers put into programs, and of its
/// data.
constexpr uint32_t WrapperMagic = 0x466243b1;
constexpr uint32_t FatMagic = 0xba55ed50;

struct Wrapper {
  uint32_t magic, version;
  const void *data;
  void *unused;
};

struct FatHeader {
  uint32_t magic;
  uint16_t version, headerSize;
  uint64_t size; ///< of all entries after the header
};

struct FatEntry {
  static constexpr uint16_t Ptx = 1;
  static constexpr uint64_t Compressed = 0x2000 | 0x8000; ///< LZ4, zstd
  uint16_t kind, version;
  uint32_t headerSize;
  uint64_t size;
  uint32_t compressedSize, optionsOffset;
  uint16_t minor, major;
  uint32_t architecture, nameOffset, nameSize;
  uint64_t flags;
};

std::string ptxOfFatBinary(const uint8_t *bytes) {
  FatHeader header;
  memcpy(&header, bytes, sizeof header);
  uint64_t at = header.headerSize, end = header.headerSize + header.size;
  std::string best;
  uint32_t bestArchitecture = 0;
  bool compressed = false, machine = false;
  while (at + sizeof(FatEntry) <= end) {
    FatEntry entry;
    memcpy(&entry, bytes + at, sizeof entry);
    if (entry.headerSize < sizeof entry || entry.headerSize > end - at ||
        entry.size > end - at - entry.headerSize)
      fail(CUDA_ERROR_INVALID_IMAGE, "the fat binary is damaged at byte %llu",
           (unsigned long long)at);
    bool ptx = entry.kind == FatEntry::Ptx;
    machine |= !ptx;
    if (ptx && (entry.flags & FatEntry::Compressed))
      compressed = true;
    else if (ptx && entry.architecture >= bestArchitecture) {
      const char *text = reinterpret_cast<const char *>(bytes + at + entry.headerSize);
      best.assign(text, strnlen(text, entry.size));
      bestArchitecture = entry.architecture;
    }
    at += entry.headerSize + entry.size;
  }
  if (best.empty())
    fail(CUDA_ERROR_NO_BINARY_FOR_GPU, "%s",
         compressed ? "the fat binary's PTX is compressed: build it with nvcc "
                      "--no-compress, or load the PTX itself"
         : machine ? "the fat binary holds machine code only, and the simulated GPU runs "
                     "PTX: build it with code=compute_90 or the like"
                   : "the fat binary is empty");
  return best;
}

uint32_t magicOf(const void *image) {
  // PTX may be shorter than four bytes and ends with a zero byte.
  const char *text = static_cast<const char *>(image);
  uint32_t magic = 0;
  for (unsigned i = 0; i < 4; i++) {
    magic |= uint32_t(uint8_t(text[i])) << (8 * i);
    if (!text[i])
      break;
  }
  return magic;
}

} // namespace

std::string driver::ptxOfImage(const void *image) {
  require(image, "the image is null");
  switch (magicOf(image)) {
  case ElfMagic:
    fail(CUDA_ERROR_NO_BINARY_FOR_GPU,
         "the image is a cubin: the simulated GPU runs PTX, so load the PTX that it was "
         "assembled from");
  case WrapperMagic: {
    Wrapper wrapper;
    memcpy(&wrapper, image, sizeof wrapper);
    if (!wrapper.data || magicOf(wrapper.data) != FatMagic)
      fail(CUDA_ERROR_INVALID_IMAGE, "the wrapper of a fat binary points to none");
    return ptxOfFatBinary(static_cast<const uint8_t *>(wrapper.data));
  }
  case FatMagic:
    return ptxOfFatBinary(static_cast<const uint8_t *>(image));
  }
  return static_cast<const char *>(image);
}

std::string driver::ptxOfFile(const char *name) {
  require(name, "the file's name is null");
  std::ifstream file(name, std::ios::binary);
  if (!file)
    fail(CUDA_ERROR_FILE_NOT_FOUND, "%s cannot be opened", name);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (file.bad())
    fail(CUDA_ERROR_FILE_NOT_FOUND, "%s cannot be read", name);
  FatHeader header;
  if (bytes.size() >= sizeof header && magicOf(bytes.data()) == FatMagic) {
    memcpy(&header, bytes.data(), sizeof header);
    if (header.headerSize > bytes.size() ||
        header.size > bytes.size() - header.headerSize)
      fail(CUDA_ERROR_INVALID_IMAGE, "%s is shorter than its fat binary says", name);
  } else if (magicOf(bytes.c_str()) == WrapperMagic) {
    fail(CUDA_ERROR_INVALID_IMAGE, "%s holds a pointer, not an image", name);
  }
  return ptxOfImage(bytes.c_str());
}

JitLogs::JitLogs(unsigned count, CUjit_option *options, void **values) {
  require(!count || (options && values), "the JIT options or their values are null");
  for (unsigned i = 0; i < count; i++)
    switch (options[i]) {
    case CU_JIT_INFO_LOG_BUFFER:
      info.text = static_cast<char *>(values[i]);
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      info.size = &values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      error.text = static_cast<char *>(values[i]);
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      error.size = &values[i];
      break;
    case CU_JIT_WALL_TIME:
      values[i] = nullptr; // 0.0f: compiling takes no modelled time
      break;
    default:
      // The other options only tune the real JIT compiler and change no result.
      if (options[i] < 0 || options[i] >= CU_JIT_NUM_OPTIONS)
        fail(CUDA_ERROR_INVALID_VALUE, "there is no JIT option %d", int(options[i]));
    }
}

void JitLogs::write(const Buffer &buffer, const std::string &text) {
  size_t room = buffer.size ? reinterpret_cast<size_t>(*buffer.size) : 0, length = 0;
  // Only 32 bits of the size are valid; programs leave the upper half unset.
  room = uint32_t(room);
  if (buffer.text && room) {
    length = std::min(room - 1, text.size());
    memcpy(buffer.text, text.data(), length);
    buffer.text[length] = 0;
  }
  if (buffer.size)
    *buffer.size = reinterpret_cast<void *>(length);
}

std::shared_ptr<Code> driver::compile(const std::string &ptx, Device &device,
                                      JitLogs *logs) {
  forbidInCapture();
  std::shared_ptr<Code> code;
  Outcome outcome;
  {
    Unlocked unlocked;
    outcome = loadCode(ptx, device.ordinal, device.profile, runtime().memory, code);
  }
  if (logs)
    logs->writeError(outcome.message);
  if (!outcome.ok())
    fail(CUresult(outcome.cuda), "%s", outcome.message.c_str());
  if (logs)
    logs->writeInfo("");
  return code;
}
