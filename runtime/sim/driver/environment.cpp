//===- environment.cpp - Settings from environment variables --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/driver/environment.h"

#include "runtime/sim/exec/launch.h"
#include "runtime/sim/profile/reader.h"
#include <charconv>
#include <cstdlib>
#include <limits>
#include <mutex>

using namespace kiln::sim;
using namespace kiln::sim::driver;

namespace {

constexpr size_t MaxDevices = 16;

std::string variable(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

bool number(const std::string &text, uint64_t &out) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && code == std::errc() && end == text.data() + text.size();
}

std::vector<std::string> items(const std::string &text) {
  std::vector<std::string> list(1);
  for (char c : text)
    if (c == ',')
      list.emplace_back();
    else
      list.back() += c;
  return list;
}

/// Finds a device by its profile's id or by a profile file's path. Sets `error` if the
/// file is invalid.
bool findDevice(const std::string &item, DeviceProfile &out, std::string &error) {
  if (item.find('/') != std::string::npos)
    return readProfileFile(item, out, error);
  const DeviceProfile *profile = findProfile(item);
  if (profile)
    out = *profile;
  return profile;
}

EnvironmentMistake mistakenDevices(const std::string &found) {
  std::string expected = "profiles:";
  for (const DeviceProfile &profile : allProfiles())
    expected += " " + profile.id;
  expected += ", or paths of profile files; at most " + std::to_string(MaxDevices) +
              ", with commas between them";
  return {"KILN_SIM_DEVICES", found, expected};
}

bool readDevices(const std::string &text, Environment &out) {
  for (const std::string &item : items(text)) {
    DeviceProfile profile;
    std::string error;
    if (!findDevice(item, profile, error)) {
      out.mistake =
          mistakenDevices("'" + item + "'" + (error.empty() ? "" : ": ") + error);
      return false;
    }
    out.devices.push_back(std::move(profile));
  }
  if (out.devices.size() > MaxDevices)
    out.mistake = mistakenDevices(std::to_string(out.devices.size()) + " devices");
  return !out.mistake;
}

} // namespace

bool driver::parseBytes(const std::string &text, uint64_t &out) {
  if (text.empty())
    return false;
  const char *const units = "KMGT";
  unsigned shift = 0;
  std::string digits = text;
  for (unsigned i = 0; units[i]; i++)
    if (text.back() == units[i] || text.back() == units[i] + ('a' - 'A'))
      shift = 10 * (i + 1);
  if (shift)
    digits.pop_back();
  if (!number(digits, out) || out > std::numeric_limits<uint64_t>::max() >> shift)
    return false;
  out <<= shift;
  return out != 0;
}

bool driver::parseFail(const std::string &text, uint64_t &at, CUresult &with) {
  size_t colon = text.find(':');
  if (!number(text.substr(0, colon), at) || !at)
    return false;
  return colon == std::string::npos || parseResult(text.substr(colon + 1), with);
}

bool driver::parseDelay(const std::string &text, uint64_t &at, uint64_t &by) {
  size_t colon = text.find(':');
  return colon != std::string::npos && number(text.substr(0, colon), at) && at &&
         number(text.substr(colon + 1), by);
}

bool driver::parseOrder(const std::string &text, Order &order, uint64_t &seed) {
  std::vector<std::string> list = items(text);
  if (list[0] == "eager")
    order = Order::Eager;
  else if (list[0] == "late")
    order = Order::Late;
  else if (list[0] == "random")
    order = Order::Random;
  else
    return false;
  return list.size() < 3 || number(list[2], seed);
}

namespace {
/// Modelled devices, fixed by the first call of chooseDevices() or readEnvironment().
struct Choice {
  std::mutex mutex;
  std::string devices;
  bool read = false;
};

Choice &choice() {
  static Choice it;
  return it;
}
} // namespace

EnvironmentMistake driver::chooseDevices(const std::string &devices) {
  Environment parsed;
  if (!readDevices(devices, parsed))
    return parsed.mistake;
  std::lock_guard lock(choice().mutex);
  if (choice().read && choice().devices != devices)
    return {"KILN_SIM_DEVICES", "'" + devices + "'",
            "'" + choice().devices + "', which this process models already"};
  choice().devices = devices;
  return {};
}

Environment driver::readEnvironment() {
  Environment out;
  std::lock_guard lock(choice().mutex);
  choice().read = true;
  if (choice().devices.empty())
    choice().devices = variable("KILN_SIM_DEVICES");
  if (choice().devices.empty())
    choice().devices = "h200";
  out.trace = variable("KILN_SIM_TRACE");
  std::string memory = variable("KILN_SIM_MEMORY"), failure = variable("KILN_SIM_FAIL"),
              delay = variable("KILN_SIM_DELAY"),
              schedule = variable("KILN_SIM_SCHEDULE");
  if (!readDevices(choice().devices, out))
    return out;
  if (!memory.empty() && !parseBytes(memory, out.memoryLimit))
    out.mistake = {"KILN_SIM_MEMORY", "'" + memory + "'",
                   "bytes, or a number with K, M, G or T, above 0"};
  else if (!failure.empty() && !parseFail(failure, out.failAt, out.failWith))
    out.mistake = {"KILN_SIM_FAIL", "'" + failure + "'",
                   "n or n:ERROR, such as 12:OUT_OF_MEMORY or 12:2, with n from 1"};
  else if (!delay.empty() && !parseDelay(delay, out.delayAt, out.delayBy))
    out.mistake = {"KILN_SIM_DELAY", "'" + delay + "'",
                   "n:MS, such as 12:5000, with n from 1"};
  else if (!schedule.empty() && !parseOrder(schedule, out.order, out.seed))
    out.mistake = {"KILN_SIM_SCHEDULE", "'" + schedule + "'",
                   "eager, late or random[,forward|reverse|random[,SEED]]"};
  else
    out.mistake = environmentMistake();
  return out;
}
