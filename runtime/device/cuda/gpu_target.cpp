//===- gpu_target.cpp - Code that a GPU can run ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/gpu_target.h"
#include <charconv>
#include <tuple>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

namespace {
struct Architecture {
  int number = 0;  ///< 90; 0 if the name is no PTX target
  char suffix = 0; ///< 'a', 'f' or none

  explicit Architecture(std::string_view name) {
    if (!name.starts_with("sm_"))
      return;
    int parsed = 0;
    const char *end = name.data() + name.size();
    auto [rest, error] = std::from_chars(name.data() + 3, end, parsed);
    if (error != std::errc() || end - rest > 1)
      return;
    suffix = rest == end ? 0 : *rest;
    if (!suffix || suffix == 'a' || suffix == 'f')
      number = parsed;
  }

  bool runsOn(int capability) const {
    if (!number)
      return false;
    if (suffix == 'a')
      return capability == number;
    bool sameFamily = capability / 10 == number / 10;
    return capability >= number && (suffix != 'f' || sameFamily);
  }

  /// Sort key; larger is better.
  std::tuple<int, int> rank() const {
    return {number, suffix == 'a' ? 2 : suffix == 'f' ? 1 : 0};
  }
};
} // namespace

bool cuda::runsOn(std::string_view target, int capability) {
  return Architecture(target).runsOn(capability);
}

/// Returns the advice of an error message: the newest target that runs at a compute
/// capability (80: 8.0).
static std::string advice(int capability) {
  for (std::string_view target :
       {"sm_120a", "sm_120", "sm_90a", "sm_89", "sm_86", "sm_80"})
    if (Architecture(target).runsOn(capability))
      return "compile with --target " + std::string(target);
  return "use a GPU of compute capability 8.0 or newer, or compile with --target native";
}

Status cuda::selectGpuTarget(const Plan &plan, const std::string &wanted, int capability,
                             const std::string &gpu, const std::string &where,
                             size_t &out) {
  const Target *best = nullptr;
  std::string known;
  for (const Target &target : plan.targets) {
    if (target.kind != TargetKind::Cuda || (!wanted.empty() && target.name != wanted))
      continue;
    known += (known.empty() ? "" : ", ") + target.name;
    Architecture candidate(target.name);
    if (candidate.runsOn(capability) &&
        (!best || Architecture(best->name).rank() < candidate.rank()))
      best = &target;
  }
  if (best) {
    out = static_cast<size_t>(best - plan.targets.data());
    return {};
  }
  return Failure{Code::TargetUnsupported,
                 where,
                 "the package has no code for this GPU",
                 known.empty() ? "code for a GPU" : "a GPU for " + known,
                 gpu + ", compute capability " + std::to_string(capability / 10) + "." +
                     std::to_string(capability % 10),
                 advice(capability)};
}
