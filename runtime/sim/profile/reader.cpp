//===- reader.cpp - Reads device profiles ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/profile/reader.h"
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <variant>

using namespace kiln::sim;

namespace {

using D = DeviceProfile;
/// Types of values: "9.0" as two numbers, and "9.0" as the number 90.
struct Capability {};
struct Version {
  uint32_t D::*field;
};
using Field = std::variant<std::string D::*, uint32_t D::*, uint64_t D::*, double D::*,
                           bool D::*, Capability, Version>;

struct Key {
  const char *name;
  Field field;
};

const Key Keys[] = {
    {"id", &D::id},
    {"name", &D::name},
    {"compute_capability", Capability()},
    {"architecture_specific", &D::archSpecific},
    {"multiprocessors", &D::multiprocessors},
    {"memory_bytes", &D::memoryBytes},
    {"l2_bytes", &D::l2Bytes},
    {"shared_per_block", &D::sharedPerBlock},
    {"shared_per_block_optin", &D::sharedPerBlockOptin},
    {"shared_per_sm", &D::sharedPerSm},
    {"shared_reserved", &D::sharedReserved},
    {"registers_per_sm", &D::registersPerSm},
    {"registers_per_block", &D::registersPerBlock},
    {"threads_per_sm", &D::threadsPerSm},
    {"blocks_per_sm", &D::blocksPerSm},
    {"max_cluster", &D::maxCluster},
    {"max_cluster_non_portable", &D::maxClusterNonPortable},
    {"sm_clock_khz", &D::smClockKhz},
    {"memory_clock_khz", &D::memoryClockKhz},
    {"bus_width_bits", &D::busWidthBits},
    {"memory_bytes_per_second", &D::memoryBytesPerSecond},
    {"dense_f16_flops_per_second", &D::denseF16FlopsPerSecond},
    {"f32_flops_per_second", &D::f32FlopsPerSecond},
    {"driver_version", &D::driverVersion},
    {"newest_ptx", Version{&D::newestPtx}},
};

std::string_view trim(std::string_view text) {
  const char *blanks = " \t\r";
  size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

template <class T> bool number(std::string_view text, T &out) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  return code == std::errc() && end == text.data() + text.size();
}

bool pair(std::string_view text, uint32_t &major, uint32_t &minor) {
  size_t dot = text.find('.');
  return dot != std::string_view::npos && number(text.substr(0, dot), major) &&
         number(text.substr(dot + 1), minor) && minor < 10;
}

struct Assign {
  DeviceProfile &profile;
  std::string_view text;
  bool operator()(std::string D::*field) const {
    profile.*field = text;
    return !text.empty();
  }
  bool operator()(bool D::*field) const {
    profile.*field = text == "yes";
    return text == "yes" || text == "no";
  }
  bool operator()(Capability) const {
    return pair(text, profile.computeMajor, profile.computeMinor);
  }
  bool operator()(Version version) const {
    uint32_t major, minor;
    if (!pair(text, major, minor))
      return false;
    profile.*version.field = major * 10 + minor;
    return true;
  }
  template <class T> bool operator()(T D::*field) const {
    return number(text, profile.*field);
  }
};

/// Returns the field with an impossible value, which would break models that divide by
/// it; null if there is none.
const char *impossible(const DeviceProfile &p) {
  if (!p.computeMajor || !p.multiprocessors || !p.memoryBytes)
    return "compute_capability, multiprocessors and memory_bytes must not be 0";
  if (!p.registersPerSm || !p.registersPerBlock || !p.threadsPerSm || !p.blocksPerSm)
    return "limits of a multiprocessor must not be 0";
  if (p.threadsPerSm % 32)
    return "threads_per_sm must be a multiple of the warp size, 32";
  if (p.sharedPerBlock > p.sharedPerBlockOptin || p.sharedPerBlockOptin > p.sharedPerSm)
    return "shared_per_block <= shared_per_block_optin <= shared_per_sm must hold";
  if (p.maxCluster > p.maxClusterNonPortable)
    return "max_cluster must not be above max_cluster_non_portable";
  auto positive = [](double value) { return value > 0 && value < 1e30; };
  if (!positive(p.memoryBytesPerSecond) || !positive(p.denseF16FlopsPerSecond) ||
      !positive(p.f32FlopsPerSecond) || !p.smClockKhz)
    return "clocks and speeds must be above 0";
  return nullptr;
}

} // namespace

bool kiln::sim::parseProfile(std::string_view text, DeviceProfile &out,
                             std::string &error) {
  DeviceProfile profile;
  std::map<std::string_view, unsigned> seen; // key -> line
  unsigned line = 0;
  auto fail = [&](const std::string &what) {
    error = "line " + std::to_string(line) + ": " + what;
    return false;
  };
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view row = text.substr(0, end);
    row = trim(row.substr(0, row.find('#')));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line++;
    if (row.empty())
      continue;
    size_t equals = row.find('=');
    if (equals == std::string_view::npos)
      return fail("expected 'key = value', found '" + std::string(row) + "'");
    std::string_view name = trim(row.substr(0, equals)),
                     value = trim(row.substr(equals + 1));
    const Key *key = nullptr;
    for (const Key &known : Keys)
      if (name == known.name)
        key = &known;
    if (!key)
      return fail("unknown key '" + std::string(name) + "'");
    if (auto [first, inserted] = seen.emplace(key->name, line); !inserted)
      return fail("'" + std::string(name) + "' again, first on line " +
                  std::to_string(first->second));
    if (!std::visit(Assign{profile, value}, key->field))
      return fail("'" + std::string(value) + "' is no value of '" + std::string(name) +
                  "'");
  }
  for (const Key &key : Keys)
    if (!seen.count(key.name))
      return fail("the key '" + std::string(key.name) + "' is missing");
  if (const char *reason = impossible(profile))
    return fail(reason);
  out = std::move(profile);
  return true;
}

bool kiln::sim::readProfileFile(const std::string &path, DeviceProfile &out,
                                std::string &error) {
  // Reading a folder throws, and a device file may be endless.
  constexpr std::uintmax_t kMaxBytes = 1 << 20;
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) {
    error = path + ": expected a file with a profile, found " +
            (std::filesystem::exists(path, none) ? "something else" : "nothing");
    return false;
  }
  if (std::filesystem::file_size(path, none) > kMaxBytes) {
    error = path + ": expected a profile of at most 1 MiB, found more";
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file)
    text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file || file.bad()) {
    error = path + ": cannot be read";
    return false;
  }
  if (!parseProfile(text, out, error)) {
    error = path + ": " + error;
    return false;
  }
  return true;
}
