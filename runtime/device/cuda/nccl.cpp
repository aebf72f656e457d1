//===- nccl.cpp - NCCL as a table of functions ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/nccl.h"
#include "runtime/base/plugin_path.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

static constexpr int oldestVersion = 21800;

std::optional<int> kiln::rt::cuda::ncclTypeOf(kiln_dtype dtype) {
  switch (dtype) {
  case KILN_DTYPE_I8:
    return 0;
  case KILN_DTYPE_U8:
    return 1;
  case KILN_DTYPE_I32:
    return 2;
  case KILN_DTYPE_U32:
    return 3;
  case KILN_DTYPE_I64:
    return 4;
  case KILN_DTYPE_U64:
    return 5;
  case KILN_DTYPE_F16:
    return 6;
  case KILN_DTYPE_F32:
    return 7;
  case KILN_DTYPE_F64:
    return 8;
  case KILN_DTYPE_BF16:
    return 9;
  default:
    return std::nullopt;
  }
}

int kiln::rt::cuda::ncclOpOf(Reduction reduction) {
  switch (reduction) {
  case Reduction::Sum:
    return 0;
  case Reduction::Prod:
    return 1;
  case Reduction::Max:
    return 2;
  case Reduction::Min:
    return 3;
  case Reduction::Mean:
    return 4;
  }
  return 0;
}

std::string kiln::rt::cuda::ncclVersionText(int version) {
  return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) +
         '.' + std::to_string(version % 100);
}

Status Nccl::check(ncclResult_t result, const char *call, ncclComm_t comm,
                   const Where &where) const {
  if (result == ncclSuccess)
    return {};
  const char *text = getErrorString(result), *last = getLastError(comm);
  std::string found =
      (text ? text : "an unknown error") + (" (" + std::to_string(result) + ")");
  if (last && *last)
    found += std::string(": ") + last;
  return Failure{Code::DriverCall,
                 where(),
                 std::string(call) + " failed",
                 "success",
                 found,
                 "set NCCL_DEBUG=INFO to see why, or KILN_COLLECTIVES=host to do without "
                 "NCCL"};
}

static Status resolve(void *library, const std::string &path, const char *symbol,
                      void *&out) {
  out = dlsym(library, symbol);
  if (out)
    return {};
  return Failure{Code::DriverFunction,
                 path,
                 "the library is no NCCL that this runtime can use",
                 std::string("the function ") + symbol,
                 "none of that name",
                 "install NCCL 2.18 or later, or correct KILN_NCCL_LIBRARY"};
}

/// Checks that the modelled NCCL is used with simulated GPUs, and only with these.
static Status checkKind(void *library, const std::string &path, bool simulated) {
  bool isModelled = dlsym(library, "kilnSimNccl");
  if (isModelled == simulated)
    return {};
  return Failure{Code::DeviceUnavailable,
                 path,
                 simulated ? "simulated GPUs cannot use this NCCL"
                           : "the modelled NCCL serves simulated GPUs only",
                 simulated ? "the libkiln_sim_nccl.so of this build" : "libnccl.so.2",
                 simulated ? "an NCCL for real GPUs" : "the modelled one",
                 "correct or unset KILN_NCCL_LIBRARY"};
}

Status Nccl::open(bool simulated, std::shared_ptr<const Nccl> &out) {
  const char *given = std::getenv("KILN_NCCL_LIBRARY");
  std::string path = given && *given ? given
                     : simulated     ? pathOfPlugin("libkiln_sim_nccl.so")
                                     : "libnccl.so.2";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return Failure{Code::DeviceUnavailable,
                   path,
                   "NCCL cannot be loaded",
                   "NCCL 2.18 or later",
                   reason ? reason : "no reason given",
                   "install NCCL, set KILN_NCCL_LIBRARY to its path, or set "
                   "KILN_COLLECTIVES=host to do without"};
  }
  KILN_TRY(checkKind(library, path, simulated));
  auto nccl = std::make_shared<Nccl>();
  void *function = nullptr;
#define CALL(member, symbol, result, parameters)                                         \
  KILN_TRY(resolve(library, path, #symbol, function));                                   \
  nccl->member = reinterpret_cast<result(*) parameters>(function);
#include "runtime/device/cuda/nccl_calls.def"
  KILN_TRY(nccl->check(nccl->getVersion(&nccl->version), "ncclGetVersion", nullptr,
                       [&] { return path; }));
  if (nccl->version < oldestVersion)
    return Failure{Code::DeviceUnavailable,
                   path,
                   "this NCCL is too old",
                   "NCCL " + ncclVersionText(oldestVersion) + " or later",
                   ncclVersionText(nccl->version),
                   "install a newer NCCL, or set KILN_COLLECTIVES=host to do without"};
  out = std::move(nccl);
  return {};
}
