//===- small_format_rows_test.cpp - cvt of pairs, tf32, scales, packs ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: the formats of test/sim/cuda/host/formats.h, which formats_test.cpp compares
// with the CUDA toolkit's headers; for scales and packs the definition in integers.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/host.h"
#include "test/sim/exec/rows/rows.h"

#include <algorithm>

namespace kiln::sim::test {

namespace {
using programs::Format;

struct SmallType {
  const char *name; ///< of the pair
  const Format &format;
  const char *row; ///< "fp8"
  unsigned place;  ///< bits between the elements of the pair
  char letter;     ///< of the register for the pair
};
const SmallType smalls[] = {{"e4m3x2", programs::E4m3, "fp8", 8, 'h'},
                            {"e5m2x2", programs::E5m2, "fp8", 8, 'h'},
                            {"e2m3x2", programs::E2m3, "fp6", 8, 'h'},
                            {"e3m2x2", programs::E3m2, "fp6", 8, 'h'},
                            {"e2m1x2", programs::E2m1, "fp4", 4, 'b'}};

const char *keptSmall(const std::string &id) {
  static std::set<std::string> ids;
  return ids.insert(id).first->c_str();
}
std::string targetOf(const SmallType &t) {
  return t.place == 8 && t.row[2] == '8' ? "sm_90a" : "sm_100a";
}

/// Encodes a value. With .relu a negative one becomes +0; NaNs stay.
uint64_t encoded(const Format &f, double value, bool relu) {
  if (std::isnan(value))
    return f.nan();
  uint32_t code = f.encode(value, true);
  return relu && (code & f.signBit()) ? 0 : code;
}

/// Returns values around those of the format, in the first two operands.
std::vector<In> around(const Format &f) {
  std::vector<uint64_t> values = singleEdges();
  uint32_t step = f.bits() > 8 ? 37 : 1;
  for (uint32_t code = 0; code < 1u << f.bits(); code += step) {
    double x = f.decode(code), next = f.decode(std::min(code + 1, f.largest()));
    for (double y : {x, (x + next) / 2})
      if (!std::isnan(y))
        for (int n : {-1, 0, 1})
          values.push_back(bitsOf(float(y)) + uint32_t(n));
  }
  std::vector<In> sets;
  for (size_t n = 0; n < values.size(); ++n)
    sets.push_back({values[n], values[(n * 7 + 11) % values.size()], 0, 0});
  return sets;
}

/// Converts f32 to f16, bf16 and their pairs, with one rounding to nearest or toward
/// zero.
uint64_t narrowed(const HalfType &t, uint64_t bits, bool toZero, bool relu,
                  bool satfinite) {
  double value = single(bits);
  if (std::isnan(value))
    return t.nan;
  uint32_t code = t.encode(value, toZero ? Round::Zero : Round::Even);
  if (satfinite && (code & 0x7fff) >= t.format.infinity())
    code = (code & 0x8000) | t.format.largest();
  return relu && (code & 0x8000) ? 0 : code;
}
} // namespace

TEST(SmallFormatRows, FromSingles) {
  for (const SmallType &t : smalls) {
    std::vector<Form> forms;
    for (bool relu : {false, true})
      forms.push_back({keptSmall(std::string("cvt.") + t.row + ".f32"),
                       std::string("cvt.rn.satfinite") + (relu ? ".relu." : ".") +
                           t.name + ".f32 %" + t.letter + "9, %r0, %r1;",
                       t.letter, [=, &t](const In &i) {
                         return encoded(t.format, single(i[0]), relu) << t.place |
                                encoded(t.format, single(i[1]), relu);
                       }});
    checkForms(forms, around(t.format), targetOf(t));
  }
}

TEST(SmallFormatRows, FromHalves) {
  for (const SmallType &t : smalls) {
    if (std::string(t.row) != "fp8")
      continue;
    std::vector<Form> forms;
    for (bool relu : {false, true})
      forms.push_back({"cvt.fp8.f16x2",
                       std::string("cvt.rn.satfinite") + (relu ? ".relu." : ".") +
                           t.name + ".f16x2 %h9, %r0;",
                       'h', [=, &t](const In &i) {
                         auto at = [&](unsigned up) {
                           return encoded(t.format, halfTypes[0].decode(i[0] >> up),
                                          relu);
                         };
                         return at(16) << 8 | at(0);
                       }});
    std::vector<In> operands = allValues(16);
    for (In &set : operands)
      set[0] |= set[1] << 16;
    checkForms(forms, operands);
  }
}

TEST(SmallFormatRows, ToHalves) {
  for (const SmallType &t : smalls) {
    std::vector<Form> forms;
    for (bool relu : {false, true})
      forms.push_back({keptSmall(std::string("cvt.f16x2.") + t.row),
                       std::string("cvt.rn") + (relu ? ".relu" : "") + ".f16x2." +
                           t.name + " %r9, %" + t.letter + "0;",
                       'r', [=, &t](const In &i) {
                         uint64_t both = 0;
                         uint32_t mask = (1u << t.format.bits()) - 1;
                         for (unsigned n : {0u, 1u}) {
                           uint32_t code = uint32_t(i[0] >> n * t.place) & mask;
                           uint64_t half = halfTypes[0].encode(t.format.decode(code));
                           bool negative = half & 0x8000;
                           both |= (relu && negative ? 0 : half) << 16 * n;
                         }
                         return both;
                       }});
    // Every pair; the two bits above a 6-bit element are ignored.
    checkForms(forms, allValues(t.place * 2), targetOf(t));
  }
}

TEST(SmallFormatRows, HalvesFromSingles) {
  for (const HalfType &t : halfTypes) {
    std::vector<Form> forms;
    for (int n = 0; n < 8; ++n) {
      bool toZero = n & 1, relu = n & 2, satfinite = n & 4;
      std::string how = std::string(toZero ? ".rz" : ".rn") + (relu ? ".relu" : "") +
                        (satfinite ? ".satfinite" : "");
      std::string name = t.name;
      auto one = [=, &t](uint64_t bits) {
        return narrowed(t, bits, toZero, relu, satfinite);
      };
      bool plain = !relu && !satfinite;
      std::string row = "cvt." + name + ".f32";
      forms.push_back({keptSmall(row + (name == "f16" && !plain ? ".relu" : "")),
                       "cvt" + how + "." + name + ".f32 %h9, %r0;", 'h',
                       [=](const In &i) { return one(i[0]); }});
      forms.push_back({keptSmall("cvt." + name + "x2.f32"),
                       "cvt" + how + "." + name + "x2.f32 %r9, %r0, %r1;", 'r',
                       [=](const In &i) { return one(i[0]) << 16 | one(i[1]); }});
    }
    checkForms(forms, around(t.format));
  }
}

TEST(SmallFormatRows, Tf32) {
  static constexpr Format Tf32 = {8, 10, Format::Ieee};
  // tf32: the ten fraction bits are the topmost of an f32.
  auto near = [](uint64_t bits, bool toZero, bool relu, bool satfinite) -> uint64_t {
    double value = single(bits);
    if (std::isnan(value))
      return SingleNan;
    uint32_t code = toZero ? Tf32.encodeTowardZero(value) : Tf32.encode(value, false);
    if (satfinite && (code & ~Tf32.signBit()) >= Tf32.infinity())
      code = (code & Tf32.signBit()) | Tf32.largest();
    return relu && (code & Tf32.signBit()) ? 0 : uint64_t(code) << 13;
  };
  // Ties away from zero: add half a place, then truncate.
  auto away = [](uint64_t bits, bool satfinite) -> uint64_t {
    if (std::isnan(single(bits)))
      return SingleNan;
    uint64_t size = bits & 0x7fffffff, cut = (size + 0x1000) & ~uint64_t(0x1fff);
    cut = std::min<uint64_t>(cut, satfinite ? 0x7f7fe000 : 0x7f800000);
    return (bits & 0x80000000) | cut;
  };
  std::vector<Form> forms, late;
  for (bool satfinite : {false, true})
    forms.push_back(
        {"cvt.tf32.rna",
         std::string("cvt.rna") + (satfinite ? ".satfinite" : "") + ".tf32.f32 %r9, %r0;",
         'r', [=](const In &i) { return away(i[0], satfinite); }});
  for (bool toZero : {false, true})
    for (bool relu : {false, true}) {
      std::string mode = toZero ? "cvt.rz" : "cvt.rn", tail = ".tf32.f32 %r9, %r0;";
      forms.push_back({"cvt.tf32", mode + (relu ? ".relu" : "") + tail, 'r',
                       [=](const In &i) { return near(i[0], toZero, relu, false); }});
      late.push_back({"cvt.tf32.satfinite",
                      mode + ".satfinite" + (relu ? ".relu" : "") + tail, 'r',
                      [=](const In &i) { return near(i[0], toZero, relu, true); }});
    }
  std::vector<In> operands = around(Tf32);
  checkForms(forms, operands);
  checkForms(late, operands, "sm_100a");
}

TEST(SmallFormatRows, Scales) {
  // 2^(code - 127); 0xff is NaN. The sign is ignored.
  auto scale = [](double value, bool up, bool satfinite) -> uint64_t {
    value = std::fabs(value);
    if (std::isnan(value))
      return 0xff;
    for (int code = 0; code < 255; ++code) {
      double power = std::ldexp(1.0, code - 127);
      if (up ? value <= power : value < 2 * power)
        return uint64_t(code);
    }
    return satfinite ? 0xfe : 0xff;
  };
  std::vector<Form> forms;
  for (bool up : {false, true})
    for (bool satfinite : {false, true}) {
      std::string how =
          std::string(up ? "cvt.rp" : "cvt.rz") + (satfinite ? ".satfinite" : "");
      forms.push_back(
          {"cvt.ue8m0.f32", how + ".ue8m0x2.f32 %h9, %r0, %r1;", 'h', [=](const In &i) {
             return scale(single(i[0]), up, satfinite) << 8 |
                    scale(single(i[1]), up, satfinite);
           }});
      forms.push_back(
          {"cvt.ue8m0.bf16x2", how + ".ue8m0x2.bf16x2 %h9, %r0;", 'h', [=](const In &i) {
             auto at = [&](unsigned n) {
               return scale(halfTypes[1].decode(i[0] >> n), up, satfinite);
             };
             return at(16) << 8 | at(0);
           }});
    }
  forms.push_back(
      {"cvt.bf16x2.ue8m0", "cvt.rn.bf16x2.ue8m0x2 %r9, %h0;", 'r', [](const In &i) {
         uint64_t both = 0;
         for (unsigned n : {0u, 1u}) {
           uint64_t code = i[0] >> 8 * n & 0xff;
           double value = code == 0xff ? NAN : std::ldexp(1.0, int(code) - 127);
           both |= uint64_t(halfTypes[1].encode(value)) << 16 * n;
         }
         return both;
       }});
  std::vector<In> operands = operandSets(singleEdges(), 32, 3000);
  for (uint64_t code = 0; code < 65536; code += 3)
    operands.push_back({code << 16 | (code ^ 0x1234), code << 15, 0, 0});
  checkForms(forms, operands, "sm_100a");
}

TEST(SmallFormatRows, Packs) {
  // The first two operands, clamped, below the third shifted up.
  std::vector<Form> forms;
  for (unsigned bits : {16u, 8u, 4u, 2u})
    for (bool isSigned : {false, true}) {
      auto clamped = [=](uint64_t x) {
        int64_t low = isSigned ? -(1 << (bits - 1)) : 0,
                high = (1 << (bits - isSigned)) - 1;
        return uint64_t(std::clamp<int64_t>(int32_t(x), low, high)) & ((1u << bits) - 1);
      };
      std::string type = (isSigned ? "s" : "u") + std::to_string(bits);
      bool whole = bits == 16;
      forms.push_back({whole       ? "cvt.pack.16"
                       : bits == 8 ? "cvt.pack.8"
                                   : "cvt.pack.4",
                       "cvt.pack.sat." + type + ".s32" + (whole ? "" : ".b32") +
                           " %r9, %r0, %r1" + (whole ? ";" : ", %r2;"),
                       'r', [=](const In &i) {
                         uint64_t rest = whole ? 0 : i[2] << 2 * bits;
                         return (rest | clamped(i[0]) << bits | clamped(i[1])) &
                                0xffffffff;
                       }});
    }
  checkForms(forms, operandSets(integerEdges(32), 32));
}

} // namespace kiln::sim::test
