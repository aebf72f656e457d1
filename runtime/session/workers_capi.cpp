//===- workers_capi.cpp - The C interface of shared workers ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/cpu_limits.h"
#include "runtime/device/host/shared_workers.h"
#include "runtime/session/api_guard.h"

using namespace kiln::rt;

extern "C" {

kiln_status *kiln_workers_create(const kiln_workers_options *given, kiln_workers **out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_workers_create", out));
    kiln_workers_options options = KILN_WORKERS_OPTIONS_INIT;
    KILN_TRY(readOptions(given, options, "kiln_workers_create"));
    KILN_TRY(present("kiln_workers_create", options.cpus, options.cpu_count));
    auto workers = std::make_unique<kiln_workers>();
    SharedWorkers::Settings settings;
    settings.threads = options.threads ? options.threads : allowedCpuCount();
    settings.cpus.assign(options.cpus, options.cpus + options.cpu_count);
    settings.nice = options.nice;
    settings.policy = options.policy;
    settings.priority = options.priority;
    KILN_TRY(SharedWorkers::create(settings, workers->shared));
    *out = workers.release();
    return {};
  });
}

void kiln_workers_retain(kiln_workers *workers) {
  if (workers)
    workers->references.fetch_add(1, std::memory_order_relaxed);
}

void kiln_workers_release(kiln_workers *workers) {
  if (workers && workers->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete workers;
}

uint32_t kiln_workers_threads(const kiln_workers *workers) {
  return workers ? workers->shared->size() : 0;
}

} // extern "C"
