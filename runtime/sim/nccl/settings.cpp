//===- settings.cpp - Environment variables of the modelled NCCL --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/nccl/settings.h"
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace kiln::sim;
using namespace kiln::sim::nccl;

static bool number(const std::string &text, uint64_t &out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

bool nccl::parseFault(const std::string &text, Fault &out) {
  std::vector<std::string> items(1);
  for (char c : text)
    if (c == ':')
      items.emplace_back();
    else
      items.back() += c;
  if (items[0] == "fail")
    out.kind = Fault::Fail;
  else if (items[0] == "delay")
    out.kind = Fault::Delay;
  else if (items[0] == "drop")
    out.kind = Fault::Drop;
  else
    return false;
  uint64_t rank = 0, delay = 0;
  bool delays = out.kind == Fault::Delay;
  if (items.size() != (delays ? 4 : 3) || !number(items[1], rank) ||
      !number(items[2], out.call) || (delays && !number(items[3], delay)))
    return false;
  out.rank = static_cast<int>(rank);
  out.delay = std::chrono::milliseconds(delay);
  return true;
}

static Settings read() {
  Settings out;
  auto variable = [](const char *name) -> std::string {
    const char *value = getenv(name);
    return value ? value : "";
  };
  auto note = [&](const char *name, const std::string &text, const char *expected) {
    out.mistake = std::string(name) + " is '" + text + "', not " + expected;
  };
  uint64_t value = 0;
  if (std::string text = variable("KILN_SIM_NCCL_VERSION"); number(text, value))
    out.version = static_cast<int>(value);
  else if (!text.empty())
    note("KILN_SIM_NCCL_VERSION", text, "a number such as 21800");
  if (std::string text = variable("KILN_SIM_NCCL_TIMEOUT"); number(text, value))
    out.bound = std::chrono::milliseconds(value);
  else if (!text.empty())
    note("KILN_SIM_NCCL_TIMEOUT", text, "a number of milliseconds");
  if (std::string text = variable("KILN_SIM_NCCL_FAULT"); !text.empty()) {
    Fault fault;
    if (parseFault(text, fault))
      out.fault = fault;
    else
      note("KILN_SIM_NCCL_FAULT", text,
           "fail:RANK:CALL, delay:RANK:CALL:MS or drop:RANK:CALL");
  }
  return out;
}

const Settings &nccl::settings() {
  static const Settings &it = *new Settings(read());
  return it;
}
