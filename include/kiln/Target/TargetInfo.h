//===- TargetInfo.h - What a target can do ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers named questions about a target, so that no code asks "is it at least
// version 4". Host targets: x86-64-v3 (AVX2 and FMA), x86-64-v4 (AVX-512), and
// native, which is the machine at hand named by its features.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_TARGETINFO_H
#define KILN_TARGET_TARGETINFO_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

struct TargetInfo {
  /// As asked for: "native", "x86-64-v3", "x86-64-v4".
  std::string name;
  /// What instruction selection may use beyond x86-64, in LLVM's spelling and
  /// sorted: exactly what a machine must have to run the image.
  std::vector<std::string> features;
  /// The CPU whose timing model schedules instructions; never adds features.
  std::string tuneCpu;

  int64_t vectorBytes = 32;
  int64_t vectorRegisters = 16;
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;
  int64_t cacheLineBytes = 64;

  bool has(llvm::StringRef feature) const;
  /// Elements of that many bytes in one vector register.
  int64_t lanes(int64_t elementBytes) const { return vectorBytes / elementBytes; }

  /// The target of that name; an unknown name and a machine without AVX2 are
  /// coded errors.
  static llvm::Expected<TargetInfo> get(llvm::StringRef name);
  /// Every name that `get` takes, native first.
  static std::vector<llvm::StringRef> names();
};

} // namespace kiln

#endif // KILN_TARGET_TARGETINFO_H
