//===- settings.h - Environment variables of the modelled NCCL -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_NCCL_SETTINGS_H
#define KILN_SIM_NCCL_SETTINGS_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace kiln::sim::nccl {

/// KILN_SIM_NCCL_FAULT: fail:RANK:CALL, delay:RANK:CALL:MS or drop:RANK:CALL. Call 0 is
/// the communicator's initialisation, 1 the first collective in it. For delays and for
/// launches of graphs, which make no calls, CALL counts the collectives that the rank's
/// stream reaches.
struct Fault {
  enum Kind { Fail, Delay, Drop } kind = Fail;
  int rank = 0;
  uint64_t call = 0;
  std::chrono::milliseconds delay{0};
};

bool parseFault(const std::string &text, Fault &out);

struct Settings {
  int version = 22809;                     ///< KILN_SIM_NCCL_VERSION
  std::chrono::milliseconds bound{60'000}; ///< KILN_SIM_NCCL_TIMEOUT, in ms
  std::optional<Fault> fault;
  std::string mistake; ///< description of an invalid value; every call then fails with it
};

/// Returns the settings, which are read once.
const Settings &settings();

} // namespace kiln::sim::nccl

#endif // KILN_SIM_NCCL_SETTINGS_H
