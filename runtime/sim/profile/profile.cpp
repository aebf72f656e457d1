//===- profile.cpp - The profiles that are compiled in --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/profile/profile.h"
#include "runtime/sim/profile/reader.h"
#include <algorithm>
#include <cstdio>

using namespace kiln::sim;

namespace kiln::sim::detail {
/// The texts of profile/data, written by CMakeLists.txt; the last is null.
extern const char *const ProfileTexts[];
} // namespace kiln::sim::detail

const std::vector<DeviceProfile> &kiln::sim::allProfiles() {
  static const std::vector<DeviceProfile> profiles = [] {
    std::vector<DeviceProfile> list;
    for (const char *const *text = detail::ProfileTexts; *text; text++) {
      DeviceProfile profile;
      std::string error;
      if (parseProfile(*text, profile, error))
        list.push_back(std::move(profile));
      else
        fprintf(stderr, "kiln-sim: a built-in profile is broken: %s\n", error.c_str());
    }
    std::sort(list.begin(), list.end(), [](auto &a, auto &b) { return a.id < b.id; });
    return list;
  }();
  return profiles;
}

const DeviceProfile *kiln::sim::findProfile(std::string_view id) {
  for (const DeviceProfile &profile : allProfiles())
    if (profile.id == id)
      return &profile;
  return nullptr;
}
