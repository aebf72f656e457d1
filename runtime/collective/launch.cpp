//===- launch.cpp - What a launcher says of a process ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/launch.h"
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

using namespace kiln::rt;

namespace {
struct Launcher {
  const char *name;
  const char *rank, *size;
  const char *localSize; ///< variable: number of processes on this node
  const char *job;       ///< variable: name of the job, or NULL
};
} // namespace

static constexpr Launcher torchrun = {"torchrun", "RANK", "WORLD_SIZE",
                                      "LOCAL_WORLD_SIZE", nullptr};
static constexpr Launcher openMpi = {"mpirun", "OMPI_COMM_WORLD_RANK",
                                     "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE",
                                     "PMIX_NAMESPACE"};
static constexpr Launcher slurm = {"srun", "SLURM_PROCID", "SLURM_NTASKS", nullptr,
                                   nullptr};

static const char *read(const char *name) {
  const char *value = name ? std::getenv(name) : nullptr;
  return value && *value ? value : nullptr;
}

static Status readNumber(const char *name, uint32_t &out) {
  const char *text = read(name), *end = text + std::strlen(text);
  auto [stop, error] = std::from_chars(text, end, out);
  if (error == std::errc() && stop == end)
    return {};
  return Failure{Code::BadUsage,
                 name,
                 "the variable of a launcher is no number",
                 "a number, as the launcher sets it",
                 '\'' + std::string(text) + '\'',
                 "start the ranks by torchrun, mpirun or srun, or unset the variable"};
}

/// Whether this process is a Slurm task. Shells and batch scripts of a job also have the
/// variables of tasks; their step ids are at the end of the range.
static bool isSlurmTask() {
  constexpr unsigned long firstOfScripts = 0xfffffff0;
  if (!read("SLURM_PROCID"))
    return false;
  const char *step = read("SLURM_STEP_ID");
  return step ? std::strtoul(step, nullptr, 10) < firstOfScripts : !read("SLURM_JOB_ID");
}

static std::string slurmJob() {
  const char *job = read("SLURM_JOB_ID"), *step = read("SLURM_STEP_ID");
  return job && step ? std::string(job) + "." + step : "";
}

/// Returns the rendezvous name "host:port" from an address (NULL: MASTER_ADDR, or
/// 127.0.0.1) and a port (0: MASTER_PORT); empty without a port.
static std::string placeOf(const char *address, uint32_t port) {
  std::string text = port ? std::to_string(port) : "";
  if (const char *given = read("MASTER_PORT"); given && text.empty())
    text = given;
  if (text.empty())
    return "";
  const char *host = address ? address : read("MASTER_ADDR");
  return std::string(host ? host : "127.0.0.1") + ":" + text;
}

static Status findNodes(const Launcher &launcher, Launch &out) {
  uint32_t local = out.size, nodes = 1;
  if (read(launcher.localSize))
    KILN_TRY(readNumber(launcher.localSize, local));
  if (&launcher == &slurm && read("SLURM_STEP_NUM_NODES"))
    KILN_TRY(readNumber("SLURM_STEP_NUM_NODES", nodes));
  out.isOfSeveralNodes = local < out.size || nodes > 1;
  return {};
}

/// Added to MASTER_PORT, at which torchrun itself listens.
static constexpr uint32_t storePortOffset = 1;

/// Finds the address where rank 0 listens for ranks of other nodes: an address (NULL:
/// MASTER_ADDR) and a port (0: MASTER_PORT).
static Status findStore(const char *address, uint32_t port, Launch &out) {
  if (const char *given = address ? address : read("MASTER_ADDR"))
    out.store.host = given;
  else if (!out.isOfSeveralNodes)
    out.store.host = "127.0.0.1";
  if (!port && read("MASTER_PORT"))
    KILN_TRY(readNumber("MASTER_PORT", port));
  out.store.port = port ? port + storePortOffset : 0;
  return read("KILN_STORE_PORT") ? readNumber("KILN_STORE_PORT", out.store.port)
                                 : Status();
}

static Status readLaunch(const Launcher &launcher, const char *sizeName, Launch &out) {
  if (const char *missing = !read(launcher.rank) ? launcher.rank
                            : !read(sizeName)    ? sizeName
                                                 : nullptr)
    return Failure{Code::BadUsage,
                   launcher.name,
                   "a variable that the launcher sets for each rank is missing",
                   std::string(launcher.rank) + " and " + sizeName,
                   "no " + std::string(missing),
                   "set both, or neither of them"};
  out.launcher = launcher.name;
  KILN_TRY(readNumber(launcher.rank, out.rank));
  KILN_TRY(readNumber(sizeName, out.size));
  if (out.rank >= out.size)
    return Failure{Code::BadUsage,
                   launcher.rank,
                   "there is no such rank",
                   "less than " + std::to_string(out.size) + ", which is " + sizeName,
                   std::to_string(out.rank),
                   "start the ranks by torchrun, mpirun or srun, or unset the variable"};
  KILN_TRY(findNodes(launcher, out));
  out.place = placeOf(nullptr, 0);
  if (const char *job = read(launcher.job); job && out.place.empty())
    out.place = std::string(launcher.name) + " job " + job;
  if (std::string job = slurmJob();
      &launcher == &slurm && out.place.empty() && !job.empty())
    out.place = "srun job " + job;
  return {};
}

Status kiln::rt::findLaunch(Launch &out) {
  for (const Launcher *launcher : {&torchrun, &openMpi})
    if (read(launcher->rank) || read(launcher->size))
      return readLaunch(*launcher, launcher->size, out);
  if (!isSlurmTask())
    return {};
  // A job step may have fewer tasks than its job.
  const char *size =
      read("SLURM_STEP_NUM_TASKS") ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS";
  return readLaunch(slurm, size, out);
}

Status kiln::rt::findLaunch(const kiln_join_options &wanted, Launch &out) {
  if (!wanted.size)
    KILN_TRY(findLaunch(out));
  else
    out = {wanted.rank, wanted.size, "", "", false, {}};
  if (!out.size)
    return Failure{Code::BadUsage,
                   "kiln_group_join",
                   "nothing says which rank this process is",
                   "variables of a launcher, or a size",
                   "none of RANK, OMPI_COMM_WORLD_RANK and SLURM_PROCID",
                   "start it by torchrun, mpirun or srun"};
  if (std::string place = placeOf(wanted.address, wanted.port); !place.empty())
    out.place = place;
  KILN_TRY(findStore(wanted.address, wanted.port, out));
  if (out.rank < out.size && !out.place.empty())
    return {};
  if (out.place.empty())
    return Failure{Code::BadUsage,
                   "rank " + std::to_string(out.rank),
                   "nothing says where the ranks meet",
                   "a MASTER_PORT",
                   "none",
                   "set MASTER_PORT to a number that no other job of this node has"};
  return Failure{Code::BadUsage,           "kiln_group_join",
                 "there is no such rank",  "less than " + std::to_string(out.size),
                 std::to_string(out.rank), "number ranks from 0"};
}
