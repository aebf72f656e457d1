//===- process_rank.cpp - One rank among processes ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/session/process_rank.h"
#include "runtime/base/word_hash.h"
#include <cstdio>
#include <cstring>
#include <map>

using namespace kiln::rt;

/// Longer than other timeouts: ranks load the package before they join.
static constexpr uint32_t defaultJoinTimeout = 30000;

//===----------------------------------------------------------------------===//
// Values that ranks must agree on
//===----------------------------------------------------------------------===//

/// Returns the hash of the section table, which contains the hashes of all sections.
static std::string packageHash(const kiln_model &model) {
  format::Header header;
  std::memcpy(&header, model.bytes.data(), sizeof header);
  Sha256Digest digest = {};
  std::memcpy(digest.data(), header.digest, sizeof header.digest);
  return toHex(digest).substr(0, 2 * sizeof header.digest);
}

/// Returns the dims of a session, by name, and the target whose code it runs, as text.
static std::string optionsText(const kiln_model &model,
                               const kiln_group_options &options) {
  std::map<std::string, std::pair<int64_t, int64_t>> ranges;
  for (size_t i = 0; i < model.programCount(); ++i)
    for (const kiln_symbol_info &symbol : model.program(i).info.symbols)
      ranges[symbol.name] = {symbol.min, symbol.max};
  for (const kiln_dim_range &range :
       std::span(options.dims, options.dims ? options.dim_count : 0))
    ranges[range.name ? range.name : ""] = {range.lo, range.hi};
  std::string text = "dims";
  for (const auto &[name, range] : ranges)
    text += ' ' + name + '=' + std::to_string(range.first) + ".." +
            std::to_string(range.second);
  if (model.target >= 0)
    text += ", target " + model.plan.targets[static_cast<size_t>(model.target)].name;
  return text;
}

/// Returns the hash of the shapes and the data of a run's inputs.
static uint64_t hashOf(std::span<const kiln_tensor> inputs) {
  WordHash hash;
  for (const kiln_tensor &input : inputs) {
    uint64_t bytes = kiln_dtype_size(input.dtype);
    for (uint32_t d = 0; d < input.rank; ++d)
      hash.add(static_cast<uint64_t>(input.shape[d]));
    for (uint32_t d = 0; d < input.rank; ++d)
      bytes *= static_cast<uint64_t>(input.shape[d]);
    auto *at = static_cast<const uint8_t *>(input.data);
    for (uint64_t done = 0; done < bytes; done += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, at + done, std::min<uint64_t>(sizeof word, bytes - done));
      hash.add(word);
    }
  }
  return hash.value();
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static std::string countText(uint32_t ranks) {
  return std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks");
}

static Status checkSize(const kiln_model &model, const kiln_group_options &options,
                        const Launch &launch) {
  uint32_t count = model.plan.ranks;
  if (options.ranks && options.ranks != count)
    return Failure{Code::GroupRanks,
                   model.path,
                   "the package is for another number of ranks",
                   countText(count),
                   countText(options.ranks),
                   "ask for as many as the package is for"};
  if (launch.size == count)
    return {};
  std::string fix = count == 1
                        ? "run it without the launcher"
                        : "start as many processes (mpirun -n " + std::to_string(count) +
                              ", torchrun --nproc-per-node " + std::to_string(count) +
                              ", srun -n " + std::to_string(count) + ")";
  return Failure{Code::GroupRanks,
                 rankText(launch.rank) + ": " + model.path,
                 "the package is for another number of ranks",
                 countText(count),
                 countText(launch.size) +
                     (launch.launcher.empty() ? "" : " of " + launch.launcher),
                 fix + ", or compile with --ranks " + std::to_string(launch.size)};
}

Status ProcessRank::join(kiln_model &any, const kiln_group_options &options,
                         const kiln_join_options &wanted, kiln_group *&out) {
  kiln_model &model = *any.first;
  Launch launch;
  KILN_TRY(findLaunch(wanted, launch));
  const Transport *transport;
  KILN_TRY(findTransport(launch, transports(), transport));
  KILN_TRY(checkSize(model, options, launch));
  KILN_TRY(check(model, options, launch.size));
  KILN_TRY(checkDevice(options, launch.rank)); // before other ranks are waited for
  std::chrono::milliseconds timeout(wanted.timeout_ms ? wanted.timeout_ms
                                                      : defaultJoinTimeout);
  auto group = std::make_unique<ProcessRank>();
  Rendezvous self{launch.rank,
                  launch.size,
                  launch.place,
                  timeout,
                  kiln_version(),
                  packageHash(model),
                  optionsText(model, options)};
  if (transport->connectsNodes)
    self.store = launch.store;
  KILN_TRY(transport->join(self, group->backend));
  group->group = ProcessGroup(launch.rank, launch.size, *group->backend);
  group->headers.resize(launch.size);
  Status opened = group->open(model, options);
  if (!opened.ok()) {
    group->backend->fail(launch.rank, opened.failure());
    return opened;
  }
  KILN_TRY(group->group.barrier(noStep)); // all ranks are ready to run
  group->backend->setTimeout(patienceOf(options));
  out = group.release();
  return {};
}

void ProcessRank::observe(void *user, size_t step, int after,
                          const kiln_buffer_view *reads, size_t readCount,
                          const kiln_buffer_view *writes, size_t writeCount) {
  const auto &self = *static_cast<ProcessRank *>(user);
  self.observer(self.observerUser, self.rank(), step, after, reads, readCount, writes,
                writeCount);
}

Status ProcessRank::open(kiln_model &model, const kiln_group_options &options) {
  observer = options.observer;
  observerUser = options.observer_user;
  uint32_t threads = options.threads ? options.threads : backend->cpusPerRank();
  return createSession(model, options, group, {threads, pool, observe, this}, own);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Status ProcessRank::find(const char *entry, size_t &out) const {
  out = 0;
  return entry ? own->findIndex(entry, out) : Status();
}

static std::string headerText(const ProcessRank::RunHeader &header) {
  char text[96];
  if (header.error)
    std::snprintf(text, sizeof text, "a run of entry %u that fails with KILN-E%04u",
                  header.entry, header.error);
  else
    std::snprintf(text, sizeof text, "a run of entry %u on inputs with the hash %016llx",
                  header.entry, static_cast<unsigned long long>(header.inputs));
  return text;
}

/// Compares the runs that all ranks are about to begin. Every rank compares all of them,
/// so all detect the same mismatch.
Status ProcessRank::agreeOn(const RunHeader &header) {
  KILN_TRY(group.allGather(&header, headers.data(), sizeof header, runStep));
  for (uint32_t other = 1; other < size(); ++other) {
    if (!std::memcmp(&headers[other], &headers[0], sizeof header))
      continue;
    backend->fail(other, {Code::CollectiveMismatch, rankText(other),
                          "it begins another run than rank 0", headerText(headers[0]),
                          headerText(headers[other]),
                          "give all ranks the same package, dims and inputs"});
    return group.health(noStep);
  }
  return {};
}

/// Runs a program. If the inputs are invalid on all ranks, the run ends on all of them
/// before it begins, and the group stays usable. If this rank's session is busy, the
/// other ranks are not notified: they wait until this rank tries again.
Status ProcessRank::runWith(kiln_session &program, uint32_t number,
                            std::span<const kiln_tensor> inputs,
                            std::span<const kiln_tensor> outputs,
                            const RunLimits &limits) {
  bool hasBegun = false;
  Status done = program.runAgreed(inputs, outputs, limits, [&](const Status &checked) {
    auto error = checked.ok() ? 0 : static_cast<uint32_t>(checked.code());
    Status agreed = agreeOn({number, error, error ? 0 : hashOf(inputs)});
    hasBegun = checked.ok() && agreed.ok();
    return agreed;
  });
  // All ranks report the same computed index out of range, after the last step.
  if (!done.ok() && hasBegun && done.code() != Code::IndexOutOfRange)
    backend->fail(rank(), done.failure());
  return done;
}

Status ProcessRank::run(const char *entry, std::span<const kiln_tensor> inputs,
                        std::span<const kiln_tensor> outputs, const RunLimits &limits) {
  BusyGuard guard(busy);
  KILN_TRY(guard.check());
  KILN_TRY(group.check());
  size_t index;
  KILN_TRY(find(entry, index));
  try {
    return runWith(own->program(index), static_cast<uint32_t>(index), inputs, outputs,
                   limits);
  } catch (const std::bad_alloc &) {
    Failure failure{Code::OutOfMemory, rankText(rank()), "memory is exhausted"};
    backend->fail(rank(), failure);
    return failure;
  }
}

Status ProcessRank::outputShapes(const char *entry, std::span<const kiln_tensor> given,
                                 std::span<kiln_shape> out) {
  BusyGuard guard(busy);
  KILN_TRY(guard.check());
  size_t index;
  KILN_TRY(find(entry, index));
  return own->program(index).outputShapes(given, out);
}

Status ProcessRank::resetState() {
  BusyGuard guard(busy);
  KILN_TRY(guard.check());
  return own->withStates([](States &states) { return states.reset(); });
}

Status ProcessRank::broadcast(void *data, size_t bytes) {
  BusyGuard guard(busy);
  KILN_TRY(guard.check());
  return group.broadcast(data, bytes);
}
