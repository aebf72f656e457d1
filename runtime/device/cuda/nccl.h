//===- nccl.h - NCCL as a table of functions --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Found when ranks on GPUs are made, as the CUDA driver is. The modelled NCCL of the
// simulated GPUs is another library behind the same table.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_NCCL_H
#define KILN_DEVICE_CUDA_NCCL_H

#include "runtime/base/status.h"
#include "runtime/device/cuda/driver_types.h"
#include "runtime/package/plan.h"
#include <climits>
#include <memory>
#include <optional>
#include <string>

namespace kiln::rt::cuda {

using ncclComm_t = struct ncclComm *;
using ncclResult_t = int;
inline constexpr ncclResult_t ncclSuccess = 0, ncclInProgress = 7;

struct ncclUniqueId {
  char internal[128];
};

/// As of NCCL 2.18; later ones take it by its size and version.
struct ncclConfig_t {
  size_t size = sizeof(ncclConfig_t);
  unsigned magic = 0xcafebeef, version = 21800;
  int blocking = INT_MIN; ///< here as below: NCCL decides
  int cgaClusterSize = INT_MIN, minCTAs = INT_MIN, maxCTAs = INT_MIN;
  const char *netName = nullptr;
  int splitShare = INT_MIN;
};

/// NCCL's numbers of types and operations, for those that it has.
std::optional<int> ncclTypeOf(kiln_dtype dtype);
int ncclOpOf(Reduction reduction);

/// Immutable once open, never unloaded.
class Nccl {
public:
#define CALL(member, symbol, result, parameters) result(*member) parameters = nullptr;
#include "runtime/device/cuda/nccl_calls.def"

  /// Loads NCCL: KILN_NCCL_LIBRARY, or libnccl.so.2, or for simulated GPUs the modelled
  /// library of this build. Errors: KILN-E0702 (none, too old, or a real one for
  /// simulated GPUs or the reverse), E0705 (lacks a function).
  static Status open(bool simulated, std::shared_ptr<const Nccl> &out);

  /// Success, or KILN-E0706 with the call and NCCL's own error. comm: may be null.
  Status check(ncclResult_t result, const char *call, ncclComm_t comm,
               const Where &where) const;

  int version = 0; ///< 21800 for 2.18.0
};

/// "2.18.3"
std::string ncclVersionText(int version);

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_NCCL_H
