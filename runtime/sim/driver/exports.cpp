//===- exports.cpp - The exported functions, which call their implementations ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "runtime/sim/driver/exports.h"
#include "runtime/sim/driver/calls.h"
#include "runtime/sim/driver/entry.h"
#include "runtime/sim/driver/kiln_sim.h"
#include "runtime/sim/driver/runtime.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

using namespace kiln::sim;
using namespace kiln::sim::driver;
using namespace kiln::sim::cu;

namespace {

/// Injected fault of KILN_SIM_FAIL or kilnSimFailAt().
struct Fault {
  std::atomic<uint64_t> calls = 0, at = 0;
  std::atomic<int> code = 0;

  Fault() : at(runtime().environment.failAt), code(runtime().environment.failWith) {}
};

Fault &fault() {
  static Fault state;
  return state;
}

CUresult guarded(const CallSite &site, CallBody body, void *data) {
  try {
    if (site.kind == CallKind::Silent) { // reads constants only
      body(data);
      return CUDA_SUCCESS;
    }
    ThreadState &thread = thisThread();
    if (thread.inCallback)
      fail(CUDA_ERROR_NOT_PERMITTED, "a host function must not call the driver");
    if (thread.lock) // called from a callback inside another call, which released the
                     // mutex
      fail(CUDA_ERROR_NOT_PERMITTED, "a call inside a callback of another call");
    std::unique_lock<std::mutex> lock(runtime().mutex);
    if (site.kind != CallKind::Early && !runtime().initialised)
      fail(CUDA_ERROR_NOT_INITIALIZED, "call cuInit(0) first");
    struct Held {
      ThreadState &thread;
      ~Held() {
        thread.lock = nullptr;
        thread.perThreadStream = false;
      }
    } held{thread};
    thread.lock = &lock;
    thread.perThreadStream = site.perThread;
    body(data);
    return CUDA_SUCCESS;
  } catch (const Failure &failure) {
    if (!failure.message.empty())
      say("%s: %s (%s)", site.symbol, failure.message.c_str(), resultName(failure.code));
    return failure.code;
  } catch (const std::bad_alloc &) {
    say("%s: the host has no memory left", site.symbol);
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    say("%s: %s", site.symbol, error.what());
    return CUDA_ERROR_UNKNOWN;
  }
}

} // namespace

CUresult driver::enter(const CallSite &site, CallBody body, void *data) {
  if (site.kind == CallKind::Silent)
    return guarded(site, body, data);
  uint64_t number = ++fault().calls;
  if (const Environment &wanted = runtime().environment; number == wanted.delayAt)
    std::this_thread::sleep_for(std::chrono::milliseconds(wanted.delayBy));
  if (number != fault().at.load())
    return guarded(site, body, data);
  auto code = CUresult(fault().code.load());
  // A failing Release call still releases: an injected fault must not make programs leak.
  if (site.kind == CallKind::Release)
    guarded(site, body, data);
  say("%s: call %llu fails with %s, as asked for", site.symbol,
      (unsigned long long)number, resultName(code));
  return code;
}

/// Mistake of this thread's last kilnSimChooseDevices(), which kilnSimMistake() reports.
static thread_local EnvironmentMistake lastMistake;

#define KILN_EXPORT extern "C" __attribute__((visibility("default")))

KILN_EXPORT int kilnSimChooseDevices(const char *devices) {
  lastMistake = driver::chooseDevices(devices);
  if (!lastMistake)
    return CUDA_SUCCESS;
  say("%s", lastMistake.text().c_str());
  return CUDA_ERROR_INVALID_DEVICE;
}

KILN_EXPORT int kilnSimMistake(const char **variable, const char **found,
                               const char **expected) {
  if (!lastMistake)
    lastMistake = runtime().environment.mistake;
  if (!lastMistake)
    return 0;
  *variable = lastMistake.variable.c_str();
  *found = lastMistake.found.c_str();
  *expected = lastMistake.expected.c_str();
  return 1;
}

KILN_EXPORT void kilnSimFailAt(uint64_t calls, int error) {
  fault().code = error;
  fault().at = calls ? fault().calls + calls : 0;
}

KILN_EXPORT int kilnSimReadSchedule(void) {
  Environment now = readEnvironment();
  if (now.mistake) {
    say("%s", now.mistake.text().c_str());
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::lock_guard lock(runtime().mutex);
  runtime().engine.configure(now.order, now.seed);
  return CUDA_SUCCESS;
}

KILN_EXPORT uint64_t kilnSimCallCount(void) { return fault().calls; }

#define KILN_ARGUMENTS(...) __VA_OPT__(, ) __VA_ARGS__
#define KILN_FORWARD(symbol, implementation, kind, parameters, arguments, perThread)     \
  KILN_EXPORT CUresult symbol parameters {                                               \
    static constexpr CallSite site = {#symbol, #arguments, CallKind::kind, perThread};   \
    return entry(site,                                                                   \
                 [&] { calls::implementation arguments; } KILN_ARGUMENTS arguments);     \
  }
#define KILN_None(...)
#define KILN_Ptds(symbol, implementation, kind, parameters, arguments)                   \
  KILN_FORWARD(symbol##_ptds, implementation, kind, parameters, arguments, true)
#define KILN_Ptsz(symbol, implementation, kind, parameters, arguments)                   \
  KILN_FORWARD(symbol##_ptsz, implementation, kind, parameters, arguments, true)
#define CALL(symbol, variant, base, since, implementation, kind, parameters, arguments)  \
  KILN_FORWARD(symbol, implementation, kind, parameters, arguments, false)               \
  KILN_##variant(symbol, implementation, kind, parameters, arguments)
#include "runtime/sim/driver/api/calls.def"
#include "runtime/sim/driver/api/graph_calls.def"
#undef CALL

namespace {

struct Export {
  const char *base, *symbol, *perThreadSymbol;
  int since;
  void *address, *perThread;
};

#define KILN_NAME_None(symbol) nullptr
#define KILN_NAME_Ptds(symbol) #symbol "_ptds"
#define KILN_NAME_Ptsz(symbol) #symbol "_ptsz"
#define KILN_ADDRESS_None(symbol) nullptr
#define KILN_ADDRESS_Ptds(symbol) reinterpret_cast<void *>(&symbol##_ptds)
#define KILN_ADDRESS_Ptsz(symbol) reinterpret_cast<void *>(&symbol##_ptsz)

const Export Exports[] = {
#define CALL(symbol, variant, base, since, implementation, kind, parameters, arguments)  \
  {#base,                                                                                \
   #symbol,                                                                              \
   KILN_NAME_##variant(symbol),                                                          \
   since,                                                                                \
   reinterpret_cast<void *>(&symbol),                                                    \
   KILN_ADDRESS_##variant(symbol)},
#include "runtime/sim/driver/api/calls.def"
#include "runtime/sim/driver/api/graph_calls.def"
#undef CALL
};

} // namespace

ExportLookup driver::findExport(const char *name, int cudaVersion, bool perThread) {
  ExportLookup found;
  int newest = 0;
  for (const Export &row : Exports) {
    if (!strcmp(name, row.base)) {
      found.known = true;
      if (row.since <= cudaVersion && row.since >= newest) {
        newest = row.since;
        found.address = perThread && row.perThread ? row.perThread : row.address;
      }
    }
  }
  if (found.known)
    return found;
  for (const Export &row : Exports) {
    if (!strcmp(name, row.symbol))
      return {perThread && row.perThread ? row.perThread : row.address, true};
    if (row.perThreadSymbol && !strcmp(name, row.perThreadSymbol))
      return {row.perThread, true};
  }
  return found;
}
