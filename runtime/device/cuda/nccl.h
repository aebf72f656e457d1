//===- nccl.h - NCCL as a table of functions --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL is loaded when ranks on GPUs are created, like the CUDA driver. The modelled NCCL
// of simulated GPUs is another library with the same function table.
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

/// Layout as of NCCL 2.18; later versions accept it by its size and version.
struct ncclConfig_t {
  size_t size = sizeof(ncclConfig_t);
  unsigned magic = 0xcafebeef, version = 21800;
  int blocking = INT_MIN; ///< INT_MIN, here and below: NCCL's default
  int cgaClusterSize = INT_MIN, minCTAs = INT_MIN, maxCTAs = INT_MIN;
  const char *netName = nullptr;
  int splitShare = INT_MIN;
};

/// Values of ncclDataType_t and ncclRedOp_t; nullopt for types that NCCL lacks.
std::optional<int> ncclTypeOf(kiln_dtype dtype);
int ncclOpOf(Reduction reduction);

/// NCCL's functions. Immutable once open, never unloaded.
class Nccl {
public:
#define CALL(member, symbol, result, parameters) result(*member) parameters = nullptr;
#include "runtime/device/cuda/nccl_calls.def"

  /// Loads NCCL: KILN_NCCL_LIBRARY, or libnccl.so.2, or for simulated GPUs this build's
  /// modelled library. Errors: KILN-E0702 (missing, too old, or a real library with
  /// simulated GPUs or the reverse), E0705 (a function is missing).
  static Status open(bool simulated, std::shared_ptr<const Nccl> &out);

  /// Returns success, or KILN-E0706 with the call and NCCL's error text. comm: may be
  /// null.
  Status check(ncclResult_t result, const char *call, ncclComm_t comm,
               const Where &where) const;

  int version = 0; ///< 21800 for 2.18.0
};

/// "2.18.3"
std::string ncclVersionText(int version);

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_NCCL_H
