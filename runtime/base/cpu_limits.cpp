//===- cpu_limits.cpp - How many CPUs this process may use ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/cpu_limits.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sched.h>

using namespace kiln::rt;

uint32_t kiln::rt::affinityCpuCount() {
  // sched_getaffinity fails if the set is smaller than the kernel's CPU mask: grow it
  // until it succeeds.
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (!set)
      break;
    size_t size = CPU_ALLOC_SIZE(cpus);
    int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (count > 0)
      return static_cast<uint32_t>(count);
  }
  return 1;
}

static std::string readText(const std::string &path) {
  std::string text;
  if (std::FILE *file = std::fopen(path.c_str(), "re")) {
    char chunk[4096];
    while (size_t n = std::fread(chunk, 1, sizeof chunk, file))
      text.append(chunk, n);
    std::fclose(file);
  }
  return text;
}

static uint32_t cpus(long long quota, long long period) {
  if (quota <= 0 || period <= 0)
    return UINT32_MAX;
  long long n = (quota + period - 1) / period;
  return static_cast<uint32_t>(std::min<long long>(n, UINT32_MAX));
}

/// Parses the text of cgroup v2's cpu.max, "max 100000" or "150000 100000".
static uint32_t limitV2(const std::string &folder) {
  long long quota = 0, period = 0;
  std::string text = readText(folder + "/cpu.max");
  if (std::sscanf(text.c_str(), "%lld %lld", &quota, &period) != 2)
    return UINT32_MAX;
  return cpus(quota, period);
}

static uint32_t limitV1(const std::string &folder) {
  std::string quota = readText(folder + "/cpu.cfs_quota_us");
  std::string period = readText(folder + "/cpu.cfs_period_us");
  return cpus(std::atoll(quota.c_str()), std::atoll(period.c_str()));
}

/// Returns the smallest limit of a cgroup and its ancestors. In a container the group's
/// path may not exist below the mount: the group itself is then the root of the mount.
template <typename Limit>
static uint32_t tightest(const std::string &mount, std::string group, Limit limit) {
  uint32_t minimum = limit(mount);
  while (group.size() > 1) {
    minimum = std::min(minimum, limit(mount + group));
    group.resize(group.rfind('/'));
  }
  return minimum;
}

static bool listsCpu(const std::string &controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

uint32_t kiln::rt::cgroupCpuLimit(const std::string &root) {
  uint32_t minimum = UINT32_MAX;
  std::string text = readText(root + "/proc/self/cgroup");
  for (size_t begin = 0; begin < text.size();) { // "4:cpu,cpuacct:/a/b"
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    size_t first = line.find(':');
    size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos || line.compare(second + 1, 1, "/") != 0)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    std::string mount = root + "/sys/fs/cgroup";
    if (controllers.empty()) {
      minimum = std::min(minimum, tightest(mount, group, limitV2));
      minimum = std::min(minimum, tightest(mount + "/unified", group, limitV2));
    } else if (listsCpu(controllers)) {
      minimum = std::min(minimum, tightest(mount + "/cpu", group, limitV1));
      minimum = std::min(minimum, tightest(mount + "/" + controllers, group, limitV1));
    }
  }
  return minimum;
}

uint32_t kiln::rt::allowedCpuCount() {
  return std::max(1u, std::min(affinityCpuCount(), cgroupCpuLimit()));
}
