//===- nvtx.cpp - Ranges for profilers ----------------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/nvtx.h"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>

using namespace kiln::rt::cuda;

namespace {
using PushRange = int (*)(const char *name);
using PopRange = int (*)();

/// Function table that an injected profiler fills in (NVTX 3, nvtxTypes.h): the tool
/// requests the table of a module, whose entries point to slots, and writes its functions
/// into the slots.
class Slots {
public:
  using Function = void (*)();
  static constexpr unsigned core = 1, lastModule = 6; ///< NVTX_CB_MODULE_
  static constexpr unsigned count = 16;               ///< max slots per module
  static constexpr unsigned pushA = 9, pop = 11;      ///< NVTX_CBID_CORE_

  static Function function(unsigned id) { return functions[core - 1][id]; }
  static const void *exportTable(uint32_t id) {
    static const Callbacks callbacks = {sizeof callbacks, table};
    static const Version version = {sizeof version, 3, 0, ignoreVersion};
    return id == 1 ? static_cast<const void *>(&callbacks) : id == 3 ? &version : nullptr;
  }

private:
  struct Callbacks {
    size_t size;
    int (*table)(int module, Function ***table, unsigned *size);
  };
  struct Version {
    size_t size;
    uint32_t version, reserved;
    void (*setVersion)(uint32_t);
  };
  static void ignoreVersion(uint32_t) {}
  static int table(int module, Function ***out, unsigned *size) {
    if (module < 1 || module > static_cast<int>(lastModule))
      return 0;
    for (unsigned i = 0; i < count; ++i)
      pointers[module - 1][i] = &functions[module - 1][i];
    *out = pointers[module - 1];
    if (size)
      *size = count;
    return 1;
  }

  static Function functions[lastModule][count];
  static Function *pointers[lastModule][count];
};
Slots::Function Slots::functions[Slots::lastModule][Slots::count];
Slots::Function *Slots::pointers[Slots::lastModule][Slots::count];

struct Nvtx {
  PushRange push = nullptr;
  PopRange pop = nullptr;

  /// Loads the functions once per process; never unloaded, as tools have state of their
  /// own.
  static const Nvtx &get() {
    static const Nvtx nvtx;
    return nvtx;
  }

private:
  Nvtx() {
    if (!fromInjection())
      fromLibrary();
    if (!push || !pop)
      push = nullptr, pop = nullptr;
  }

  bool fromInjection() {
    const char *path = std::getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    using Initialize = int (*)(const void *(*)(uint32_t));
    auto initialize =
        library ? reinterpret_cast<Initialize>(dlsym(library, "InitializeInjectionNvtx2"))
                : nullptr;
    if (!initialize || !initialize(Slots::exportTable))
      return false;
    push = reinterpret_cast<PushRange>(Slots::function(Slots::pushA));
    pop = reinterpret_cast<PopRange>(Slots::function(Slots::pop));
    return true;
  }

  void fromLibrary() {
    void *library = dlopen("libnvToolsExt.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return;
    push = reinterpret_cast<PushRange>(dlsym(library, "nvtxRangePushA"));
    pop = reinterpret_cast<PopRange>(dlsym(library, "nvtxRangePop"));
  }
};
} // namespace

bool kiln::rt::cuda::nvtxActive() { return Nvtx::get().push != nullptr; }

NvtxRange::NvtxRange(const char *name) {
  if (nvtxActive())
    (void)Nvtx::get().push(name);
}

NvtxRange::~NvtxRange() {
  if (nvtxActive())
    (void)Nvtx::get().pop();
}
