//===- transports.cpp - Backends of ranks that are processes --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/transports.h"
#include "runtime/collective/node_backend.h"
#include <cstdlib>

using namespace kiln::rt;

std::span<const Transport> kiln::rt::transports() {
  static constexpr Transport table[] = {
      {"shared_memory", /*connectsNodes=*/false, ProcessBackend::join},
      {"gloo", /*connectsNodes=*/true, NodeBackend::join},
  };
  return table;
}

/// Returns "shared_memory or gloo": the names of all transports, or of those that connect
/// nodes.
static std::string namesOf(std::span<const Transport> all, bool ofNodes) {
  std::string text;
  for (const Transport &each : all)
    if (each.connectsNodes || !ofNodes)
      text += (text.empty() ? "" : " or ") + std::string(each.name);
  return text;
}

static Status select(const Launch &launch, std::span<const Transport> all,
                     const Transport *&out) {
  const char *wanted = std::getenv("KILN_TRANSPORT");
  std::string name = wanted ? wanted : "";
  out = nullptr;
  for (const Transport &each : all)
    if (!out && (name.empty() ? each.connectsNodes || !launch.isOfSeveralNodes
                              : name == each.name))
      out = &each;
  if (!out)
    return Failure{Code::BadUsage,
                   "KILN_TRANSPORT",
                   "there is no such transport",
                   namesOf(all, /*ofNodes=*/false),
                   '\'' + name + '\'',
                   "set one of them, or unset the variable"};
  if (out->connectsNodes || !launch.isOfSeveralNodes)
    return {};
  return Failure{Code::BadUsage,
                 "KILN_TRANSPORT",
                 "ranks on several nodes share no memory",
                 namesOf(all, /*ofNodes=*/true) + ", or all ranks on one node",
                 name,
                 "unset the variable"};
}

/// Checks that the launch has an address and a port of rank 0.
static Status checkStore(const Launch &launch) {
  if (launch.store.port > UINT16_MAX)
    return Failure{Code::BadUsage,
                   rankText(launch.rank),
                   "there is no such TCP port",
                   "a port up to 65535 where rank 0 listens (MASTER_PORT + 1, or "
                   "KILN_STORE_PORT)",
                   std::to_string(launch.store.port),
                   "set another port"};
  if (!launch.store.host.empty() && launch.store.port)
    return {};
  return Failure{
      Code::BadUsage,
      rankText(launch.rank),
      "nothing says where ranks of several nodes meet",
      "MASTER_ADDR and MASTER_PORT",
      launch.store.host.empty() ? "no MASTER_ADDR" : "no MASTER_PORT",
      "set both on all ranks (mpirun -x MASTER_ADDR=node0 -x MASTER_PORT=29500)"};
}

Status kiln::rt::findTransport(const Launch &launch, std::span<const Transport> all,
                               const Transport *&out) {
  KILN_TRY(select(launch, all, out));
  return out->connectsNodes ? checkStore(launch) : Status();
}
