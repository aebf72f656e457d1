//===- syscalls.cpp - Functions that the simulator provides to kernels -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/syscalls.h"

#include "runtime/sim/exec/access.h"
#include "runtime/sim/exec/format.h"
#include "runtime/sim/exec/worker.h"

#include <cstdio>
#include <cstring>

namespace kiln::sim::exec {

namespace {
constexpr int AssertFailed = 710;
constexpr uint64_t MaxString = 1 << 16;

/// Arguments and results of a call, for one lane.
struct Arguments {
  const MicroOp *op;
  const CallSite &site;
  Warp &warp;
  unsigned lane;

  Origin origin() const { return originOf(warp, op, Mask(1) << lane); }
  uint8_t *bytes(const ParameterSlot &slot) const {
    const Frame &frame = *warp.current->frame;
    return slot.inRegister
               ? frame.registers + slot.offset + lane * slot.bytes
               : frame.parameters + size_t(lane) * frame.function->parameterBytes +
                     slot.offset;
  }
  uint64_t argument(size_t n) const {
    uint64_t value = 0;
    if (n < site.arguments.size())
      memcpy(&value, bytes(site.arguments[n]),
             std::min<size_t>(site.arguments[n].bytes, 8));
    return value;
  }
  void result(uint64_t value) const {
    if (!site.results.empty())
      memcpy(bytes(site.results[0]), &value, std::min<size_t>(site.results[0].bytes, 8));
  }
};

bool readString(const Origin &origin, uint64_t address, std::string &out) {
  while (out.size() < MaxString) {
    Place place =
        resolve(origin, Space::Generic, address + out.size(), 1, 1, AccessKind::Read);
    if (!place)
      return false;
    if (*place.bytes == 0)
      return true;
    out += char(*place.bytes);
  }
  return true;
}

/// printf(format, pointer to the packed arguments): 4-byte arguments take 4 bytes, others
/// 8.
bool callPrintf(const Arguments &call) {
  std::string text, format;
  if (!readString(call.origin(), call.argument(0), format))
    return false;
  uint64_t packed = call.argument(1);
  FormatReader reader;
  reader.value = [&](unsigned bytes, uint64_t &value) {
    packed = (packed + bytes - 1) / bytes * bytes;
    Place place =
        resolve(call.origin(), Space::Generic, packed, bytes, bytes, AccessKind::Read);
    if (!place)
      return false;
    value = 0;
    memcpy(&value, place.bytes, bytes);
    packed += bytes;
    return true;
  };
  reader.text = [&](uint64_t address, std::string &out) {
    return readString(call.origin(), address, out);
  };
  int arguments = formatText(format, reader, text);
  if (arguments == FormatFault)
    return false;
  fwrite(text.data(), 1, text.size(), stdout);
  fflush(stdout);
  call.result(uint64_t(int64_t(arguments)));
  return true;
}

bool callMalloc(const Arguments &call) {
  const Grid &grid = *call.warp.block->grid;
  uint64_t size = call.argument(0);
  std::shared_ptr<Allocation> a;
  if (size)
    a = grid.memory->allocate(Allocation::Kind::Global, grid.launch->device, size);
  call.result(a ? a->address : 0);
  return true;
}

bool callFree(const Arguments &call) {
  uint64_t address = call.argument(0);
  if (address == 0 || call.warp.block->grid->memory->release(address))
    return true;
  fault(call.origin(), LaunchFailed,
        "use after free: free of an address that malloc did not give, or that was freed "
        "before");
  return false;
}

/// __assertfail(message, file, line, function, size of a character)
bool callAssert(const Arguments &call) {
  std::string message, file, function;
  Origin origin = call.origin();
  if (!readString(origin, call.argument(0), message) ||
      !readString(origin, call.argument(1), file) ||
      !readString(origin, call.argument(3), function))
    return false;
  uint32_t thread = firstThread(call.warp) + call.lane;
  fault(origin, AssertFailed,
        file + ":" + std::to_string(uint32_t(call.argument(2))) + ": " + function +
            ": thread " + std::to_string(thread) + ": Assertion `" + message +
            "` failed.");
  return false;
}

struct SystemCall {
  std::string_view name;
  bool (*run)(const Arguments &call);
};
constexpr SystemCall systemCalls[] = {{"vprintf", callPrintf},
                                      {"malloc", callMalloc},
                                      {"free", callFree},
                                      {"__assertfail", callAssert}};
} // namespace

int findSystemCall(std::string_view name) {
  for (size_t i = 0; i < std::size(systemCalls); ++i)
    if (systemCalls[i].name == name)
      return int(i);
  return -1;
}

bool systemCall(const MicroOp *op, const CallSite &site, Mask mask, Warp &warp) {
  bool fine = true;
  warp.changed = true;
  forLanes(mask, [&](unsigned lane) {
    fine = fine && systemCalls[op->extra].run(Arguments{op, site, warp, lane});
  });
  return fine;
}

} // namespace kiln::sim::exec
