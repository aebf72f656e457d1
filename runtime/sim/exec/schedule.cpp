//===- schedule.cpp - KILN_SIM_SCHEDULE and its random numbers -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/schedule.h"

#include <charconv>

namespace kiln::sim::exec {

namespace {
constexpr std::string_view asyncNames[] = {"eager", "late", "random"};
constexpr std::string_view warpNames[] = {"forward", "reverse", "random"};

template <class E, size_t N>
bool find(const std::string_view (&names)[N], std::string_view word, E &out) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == word) {
      out = E(i);
      return true;
    }
  return false;
}

std::string_view takeWord(std::string_view &text) {
  size_t comma = text.find(',');
  std::string_view word = text.substr(0, comma);
  text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  return word;
}
} // namespace

bool Schedule::parse(std::string_view text, Schedule &out, std::string &error) {
  Schedule result;
  std::string_view word = takeWord(text);
  if (!find(asyncNames, word, result.async)) {
    error = "`" + std::string(word) + "` is no async schedule: eager, late or random";
    return false;
  }
  word = takeWord(text);
  if (!word.empty() && !find(warpNames, word, result.warps)) {
    error = "`" + std::string(word) + "` is no warp schedule: forward, reverse or random";
    return false;
  }
  word = text;
  if (!word.empty()) {
    auto [end, code] = std::from_chars(word.begin(), word.end(), result.seed);
    if (code != std::errc() || end != word.end()) {
      error = "`" + std::string(word) + "` is no seed: a number is expected";
      return false;
    }
  }
  result.state = result.seed;
  out = result;
  return true;
}

std::string Schedule::text() const {
  return std::string(asyncNames[size_t(async)]) + "," +
         std::string(warpNames[size_t(warps)]) + "," + std::to_string(seed);
}

uint64_t Schedule::random() {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

Schedule Schedule::fork(uint64_t salt) const {
  Schedule result = *this;
  result.state = seed * 0x2545f4914f6cdd1d + salt + 1;
  return result;
}

} // namespace kiln::sim::exec
