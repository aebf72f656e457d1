//===- gpu_backends.cpp - Backends of ranks on GPUs -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/gpu_backends.h"
#include "runtime/device/cuda/nccl_backend.h"
#include "runtime/device/cuda/peer_backend.h"
#include <cstdlib>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

std::span<const GpuBackend> kiln::rt::cuda::gpuBackends() {
  static constexpr GpuBackend table[] = {
      {"peer", PeerBackend::open},
      {"nccl", NcclBackend::open},
  };
  return table;
}

/// Values of KILN_COLLECTIVES as numbers: these, and from wantsRow on the rows of the
/// table.
enum : uint32_t { wantsAll, wantsHost, wantsRow };

static Status readWanted(std::span<const GpuBackend> table, uint32_t &out) {
  const char *given = std::getenv("KILN_COLLECTIVES");
  std::string text = given && *given ? given : "auto", names = "host";
  out = text == "host" ? wantsHost : wantsAll;
  for (auto row = static_cast<uint32_t>(table.size()); row-- > 0;) {
    names += std::string(", ") + table[row].name;
    if (text == table[row].name)
      out = wantsRow + row;
  }
  if (out != wantsAll || text == "auto")
    return {};
  return Failure{Code::BadUsage,
                 "KILN_COLLECTIVES",
                 "collectives of GPUs cannot take this way",
                 names + " or auto",
                 text,
                 "correct or unset KILN_COLLECTIVES"};
}

Status GpuBackends::open(const GpuRank &rank, std::span<const GpuBackend> table,
                         std::shared_ptr<GpuBackends> &out) {
  std::shared_ptr<GpuBackends> made(new GpuBackends(rank.group));
  KILN_TRY(readWanted(table, made->wanted));
  for (uint32_t row = 0; row < table.size(); ++row)
    if (bool isRequired = made->wanted == wantsRow + row;
        isRequired || made->wanted == wantsAll)
      KILN_TRY(table[row].open(rank, isRequired, made->backends.emplace_back()));
  out = std::move(made);
  return {};
}

Status kiln::rt::cuda::checkSameBackends(std::span<const uint32_t> wanted) {
  for (uint32_t rank = 1; rank < wanted.size(); ++rank)
    if (wanted[rank] != wanted[0])
      return Failure{Code::CollectiveMismatch,
                     rankText(rank),
                     "it has another KILN_COLLECTIVES",
                     "the value that rank 0 has",
                     "another one",
                     "give all ranks the same KILN_COLLECTIVES"};
  return {};
}

Status GpuBackends::agree() {
  if (hasAgreed)
    return {};
  std::vector<uint32_t> all(group.size());
  KILN_TRY(group.allGather(&wanted, all.data(), sizeof wanted));
  KILN_TRY(checkSameBackends(all));
  hasAgreed = true;
  return {};
}
