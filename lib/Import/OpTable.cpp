//===- OpTable.cpp - ONNX ops and their handlers --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/OpTable.h"
#include "kiln/Import/Import.h"
#include "lib/Import/Onnx/OnnxLibrary.h"
#include "lib/Import/Ops/Ops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <tuple>

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

static constexpr OpEntry kTable[] = {
#define KILN_ONNX_OP(domain, op, version, handler) {domain, op, version, handler},
#include "lib/Import/Ops/Ops.def"
};

ArrayRef<OpEntry> kiln::import::opTable() { return kTable; }

static auto keyOf(const OpEntry &entry) {
  return std::tuple<StringRef, StringRef, int>(entry.domain, entry.op,
                                               entry.sinceVersion);
}

const OpEntry *kiln::import::findOp(StringRef domain, StringRef op, int sinceVersion) {
  std::tuple<StringRef, StringRef, int> key(domain, op, sinceVersion);
  const OpEntry *it =
      llvm::lower_bound(opTable(), key, [](const OpEntry &entry, const auto &k) {
        return keyOf(entry) < k;
      });
  return it != opTable().end() && keyOf(*it) == key ? it : nullptr;
}

SmallVector<int> kiln::import::handledVersions(StringRef domain, StringRef op) {
  SmallVector<int> versions;
  for (const OpEntry &entry : opTable())
    if (entry.domain == domain && entry.op == op)
      versions.push_back(entry.sinceVersion);
  return versions;
}

const OpEntry *kiln::import::findOpAt(StringRef domain, StringRef op, int opset) {
  if (std::optional<OpSchema> schema = findSchema(domain, op, opset))
    return schema->deprecated ? nullptr : findOp(domain, op, schema->sinceVersion);
  const OpEntry *newest = nullptr;
  for (const OpEntry &entry : opTable())
    if (entry.domain == domain && entry.op == op && entry.sinceVersion <= opset)
      newest = &entry;
  return newest;
}

std::vector<SupportedOp> kiln::import::supportedOps() {
  std::vector<SupportedOp> result;
  for (const OpEntry &entry : opTable())
    result.push_back({entry.domain, entry.op, entry.sinceVersion});
  return result;
}

std::string kiln::import::elementTypesOf(const SupportedOp &op) {
  static constexpr std::pair<StringLiteral, StringLiteral> kTypes[] = {
      {"tensor(float16)", "f16"}, {"tensor(bfloat16)", "bf16"}, {"tensor(float)", "f32"},
      {"tensor(double)", "f64"},  {"tensor(bool)", "bool"},     {"tensor(int8)", "i8"},
      {"tensor(int16)", "i16"},   {"tensor(int32)", "i32"},     {"tensor(int64)", "i64"},
      {"tensor(uint8)", "u8"},    {"tensor(uint16)", "u16"},    {"tensor(uint32)", "u32"},
      {"tensor(uint64)", "u64"},
      {"tensor(float8e4m3fn)", "f8e4m3fn"},
      {"tensor(float8e5m2)", "f8e5m2"},
      {"tensor(float8e4m3fnuz)", "f8e4m3fnuz"},
      {"tensor(float8e5m2fnuz)", "f8e5m2fnuz"},
      {"tensor(float8e8m0)", "f8e8m0fnu"},
      {"tensor(float6e2m3)", "f6e2m3fn"},
      {"tensor(float6e3m2)", "f6e3m2fn"},
      {"tensor(float4e2m1)", "f4e2m1fn"},
      {"tensor(int4)", "i4"},
      {"tensor(uint4)", "u4"},
      {"tensor(int2)", "i2"},
      {"tensor(uint2)", "u2"}};
  std::vector<std::string> allowed = firstInputTypes(op.domain, op.op, op.sinceVersion);
  SmallVector<StringRef> names;
  for (const auto &[onnx, name] : kTypes)
    if (llvm::is_contained(allowed, onnx.str()))
      names.push_back(name);
  return join(names, ", ");
}

std::vector<std::string> kiln::import::opsOfFunctions() {
  std::vector<std::string> names = opsWithFunctions();
  llvm::erase_if(
      names, [](const std::string &name) { return !handledVersions("", name).empty(); });
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}
