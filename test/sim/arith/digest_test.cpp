//===- digest_test.cpp - Conversions against the toolkit's fingerprints ---===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/convert.h"
#include "test/sim/arith/digests.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

using namespace kiln::sim::arith;
using namespace digests;

namespace {

std::map<std::string, uint64_t> ours() {
  std::map<std::string, uint64_t> all;
  auto narrowing = [](const Format &to, const Format &from, Rounding mode,
                      bool satfinite) {
    return [&to, &from, mode, satfinite](uint32_t bits) {
      return convertFloat(to, from, bits, {.mode = mode, .satfinite = satfinite});
    };
  };
  const std::pair<const char *, Rounding> modes[] = {{"rn", Rounding::Rn},
                                                     {"rz", Rounding::Rz},
                                                     {"rm", Rounding::Rm},
                                                     {"rp", Rounding::Rp}};
  for (auto [name, mode] : modes) {
    std::string suffix = std::string("_") + name;
    all["f32_to_f16" + suffix] = ofFloats(narrowing(F16, F32, mode, false));
    all["f32_to_bf16" + suffix] = ofFloats(narrowing(BF16, F32, mode, false));
    all["s16_to_f16" + suffix] = ofAll(65536, [mode](uint32_t bits) {
      return convertFromInt(F16, {16, true}, bits, {.mode = mode});
    });
    if (mode == Rounding::Rz || mode == Rounding::Rp)
      all["f32_to_ue8m0" + suffix] = ofFloats(
          [mode](uint32_t bits) { return convertToUe8m0(F32, bits, mode, true); });
  }
  const std::pair<std::string, const Format *> smalls[] = {{"e4m3", &E4M3},
                                                           {"e5m2", &E5M2},
                                                           {"e2m3", &E2M3},
                                                           {"e3m2", &E3M2},
                                                           {"e2m1", &E2M1}};
  for (const auto &[name, format] : smalls) {
    all["f32_to_" + name] = ofFloats(narrowing(*format, F32, Rounding::Rn, true));
    all["f16_to_" + name] = ofAll(65536, narrowing(*format, F16, Rounding::Rn, true));
    all["bf16_to_" + name] = ofAll(65536, narrowing(*format, BF16, Rounding::Rn, true));
    all[name + "_to_f16"] =
        ofAll(1u << format->bits, narrowing(F16, *format, Rounding::Rn, false));
  }
  all["ue8m0_to_bf16"] =
      ofAll(256, [](uint32_t bits) { return ue8m0ToBf16(static_cast<uint8_t>(bits)); });
  const std::pair<const char *, IntType> integers[] = {
      {"s16", {16, true}}, {"s32", {32, true}}, {"s64", {64, true}}};
  for (const auto &[name, type] : integers)
    all[std::string("f16_to_") + name + "_rz"] =
        ofAll(65536, [type = type](uint32_t bits) {
          return convertToInt(type, F16, bits, Rounding::Rz, false);
        });
  return all;
}

TEST(Digest, ConversionsAgreeWithTheToolkit) {
  const std::map<std::string, uint64_t> expected = {
#define DIGEST(name, value) {#name, value},
#include "test/sim/arith/toolkit_digests.def"
#undef DIGEST
  };
  EXPECT_GT(expected.size(), 30u);
  std::map<std::string, uint64_t> got = ours();
  for (const auto &[name, value] : expected)
    EXPECT_EQ(got[name], value) << name;
}

} // namespace
