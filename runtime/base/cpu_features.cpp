//===- cpu_features.cpp - What this CPU can do ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A feature counts only if the operating system saves the registers that it needs
// (XCR0). AMX tiles also need the system's permission, which a process has to request.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/cpu_features.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace kiln::rt;

#if defined(__x86_64__)
namespace {
enum Register : uint8_t { A, B, C, D };

/// Register state that the operating system must save (bits of XCR0).
enum State : uint32_t {
  None = 0,
  Ymm = 0x6,
  Zmm = 0xe6,
  Tiles = 0x60000,
};

struct Feature {
  std::string_view name;
  uint32_t leaf, subleaf;
  Register reg;
  uint8_t bit;
  State state;
};

constexpr uint32_t ext = 0x80000001;

// Names as in LLVM's X86TargetParser.
constexpr Feature features[] = {
    {"x87", 1, 0, D, 0, None},
    {"cx8", 1, 0, D, 8, None},
    {"cmov", 1, 0, D, 15, None},
    {"mmx", 1, 0, D, 23, None},
    {"fxsr", 1, 0, D, 24, None},
    {"sse", 1, 0, D, 25, None},
    {"sse2", 1, 0, D, 26, None},
    {"sse3", 1, 0, C, 0, None},
    {"pclmul", 1, 0, C, 1, None},
    {"ssse3", 1, 0, C, 9, None},
    {"fma", 1, 0, C, 12, Ymm},
    {"cx16", 1, 0, C, 13, None},
    {"sse4.1", 1, 0, C, 19, None},
    {"sse4.2", 1, 0, C, 20, None},
    {"crc32", 1, 0, C, 20, None},
    {"movbe", 1, 0, C, 22, None},
    {"popcnt", 1, 0, C, 23, None},
    {"aes", 1, 0, C, 25, None},
    {"xsave", 1, 0, C, 27, None},
    {"avx", 1, 0, C, 28, Ymm},
    {"f16c", 1, 0, C, 29, Ymm},
    {"rdrnd", 1, 0, C, 30, None},
    {"fsgsbase", 7, 0, B, 0, None},
    {"bmi", 7, 0, B, 3, None},
    {"avx2", 7, 0, B, 5, Ymm},
    {"bmi2", 7, 0, B, 8, None},
    {"invpcid", 7, 0, B, 10, None},
    {"rtm", 7, 0, B, 11, None},
    {"avx512f", 7, 0, B, 16, Zmm},
    {"avx512dq", 7, 0, B, 17, Zmm},
    {"rdseed", 7, 0, B, 18, None},
    {"adx", 7, 0, B, 19, None},
    {"avx512ifma", 7, 0, B, 21, Zmm},
    {"clflushopt", 7, 0, B, 23, None},
    {"clwb", 7, 0, B, 24, None},
    {"avx512cd", 7, 0, B, 28, Zmm},
    {"sha", 7, 0, B, 29, None},
    {"avx512bw", 7, 0, B, 30, Zmm},
    {"avx512vl", 7, 0, B, 31, Zmm},
    {"avx512vbmi", 7, 0, C, 1, Zmm},
    {"pku", 7, 0, C, 4, None},
    {"waitpkg", 7, 0, C, 5, None},
    {"avx512vbmi2", 7, 0, C, 6, Zmm},
    {"shstk", 7, 0, C, 7, None},
    {"gfni", 7, 0, C, 8, None},
    {"vaes", 7, 0, C, 9, Ymm},
    {"vpclmulqdq", 7, 0, C, 10, Ymm},
    {"avx512vnni", 7, 0, C, 11, Zmm},
    {"avx512bitalg", 7, 0, C, 12, Zmm},
    {"avx512vpopcntdq", 7, 0, C, 14, Zmm},
    {"rdpid", 7, 0, C, 22, None},
    {"cldemote", 7, 0, C, 25, None},
    {"movdiri", 7, 0, C, 27, None},
    {"movdir64b", 7, 0, C, 28, None},
    {"enqcmd", 7, 0, C, 29, None},
    {"uintr", 7, 0, D, 5, None},
    {"avx512vp2intersect", 7, 0, D, 8, Zmm},
    {"serialize", 7, 0, D, 14, None},
    {"tsxldtrk", 7, 0, D, 16, None},
    {"amx-bf16", 7, 0, D, 22, Tiles},
    {"avx512fp16", 7, 0, D, 23, Zmm},
    {"amx-tile", 7, 0, D, 24, Tiles},
    {"amx-int8", 7, 0, D, 25, Tiles},
    {"avxvnni", 7, 1, A, 4, Ymm},
    {"avx512bf16", 7, 1, A, 5, Zmm},
    {"cmpccxadd", 7, 1, A, 7, None},
    {"amx-fp16", 7, 1, A, 21, Tiles},
    {"hreset", 7, 1, A, 22, None},
    {"avxifma", 7, 1, A, 23, Ymm},
    {"avxvnniint8", 7, 1, D, 4, Ymm},
    {"avxneconvert", 7, 1, D, 5, Ymm},
    {"avxvnniint16", 7, 1, D, 10, Ymm},
    {"prefetchi", 7, 1, D, 14, None},
    {"xsaveopt", 0xd, 1, A, 0, None},
    {"xsavec", 0xd, 1, A, 1, None},
    {"xsaves", 0xd, 1, A, 3, None},
    {"sahf", ext, 0, C, 0, None},
    {"lzcnt", ext, 0, C, 5, None},
    {"sse4a", ext, 0, C, 6, None},
    {"prfchw", ext, 0, C, 8, None},
    {"xop", ext, 0, C, 11, Ymm},
    {"fma4", ext, 0, C, 16, Ymm},
    {"tbm", ext, 0, C, 21, None},
    {"mwaitx", ext, 0, C, 29, None},
    {"64bit", ext, 0, D, 29, None},
    {"clzero", 0x80000008, 0, B, 0, None},
    {"rdpru", 0x80000008, 0, B, 4, None},
    {"wbnoinvd", 0x80000008, 0, B, 9, None},
};

uint64_t savedState() {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}
} // namespace

/// Requests permission to use AMX tiles (arch_prctl): Linux reserves the memory in which
/// it saves a thread's tiles only for processes that request it.
static bool mayUseTiles() {
#if defined(__linux__)
  constexpr long requestPermission = 0x1023,
                 tileData = 18; // asm/prctl.h, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
#else
  return false;
#endif
}

static bool present(const Feature &f) {
  static const uint64_t saved = savedState();
  unsigned r[4];
  if (!__get_cpuid_count(f.leaf, f.subleaf, &r[A], &r[B], &r[C], &r[D]))
    return false;
  if (!(r[f.reg] >> f.bit & 1) || (saved & f.state) != f.state)
    return false;
  if (f.state != Tiles)
    return true;
  static const bool isAllowed = mayUseTiles();
  return isAllowed;
}

/// Returns whether the user wants code for CPUs without the feature to be chosen, to try
/// or to measure it.
static bool isHidden(std::string_view name) {
  static const char *const variable = secure_getenv("KILN_HIDE_CPU_FEATURES");
  std::string_view rest = variable ? variable : "";
  while (!rest.empty()) {
    size_t end = std::min(rest.find(','), rest.size());
    if (rest.substr(0, end) == name)
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool kiln::rt::hasCpuFeature(std::string_view name) {
  for (const Feature &f : features)
    if (f.name == name)
      return !isHidden(name) && present(f);
  return false;
}
#else
bool kiln::rt::hasCpuFeature(std::string_view) { return false; }
#endif

std::string kiln::rt::missingCpuFeatures(std::span<const std::string> needed) {
  std::string missing;
  for (const std::string &name : needed)
    if (!hasCpuFeature(name))
      missing += (missing.empty() ? "" : ", ") + name;
  return missing;
}
