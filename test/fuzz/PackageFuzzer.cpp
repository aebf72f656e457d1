//===- PackageFuzzer.cpp - Any bytes as a package -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader must answer any bytes with success or a coded error. Hashes would
// stop nearly every input at the door, so the bytes are tried twice: as a whole
// file, and as the plan of an otherwise sound package.
//
//===----------------------------------------------------------------------===//
#include "runtime/model/model.h"
#include "runtime/package/checker.h"
#include "runtime/package/container.h"
#include <cstdlib>

using namespace kiln::rt;

static void requireCode(const Status &status) {
  if (!status.ok() && static_cast<unsigned>(status.code()) / 100 != 5)
    abort(); // not an error of packages
}

static void tryContainer(std::span<const uint8_t> bytes) {
  Container container;
  Status status = Container::parse(bytes, "fuzz", container);
  requireCode(status);
  if (!status.ok())
    return;
  requireCode(container.verifyAll(true));
  Plan plan;
  requireCode(loadPlan(container, "fuzz", plan));
}

static void tryPlan(std::span<const uint8_t> bytes) {
  Plan plan;
  PlanSurroundings around{1 << 20, {4096, 4096}};
  Status status = decodePlan(bytes, around, "fuzz", plan);
  requireCode(status);
  if (!status.ok())
    return;
  MemoryChecker checker;
  requireCode(checker.proveCorners(plan, around.weightsSize, "fuzz"));
  int target = 0;
  requireCode(selectTarget(plan, nullptr, "fuzz", target));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tryContainer({data, size});
  tryPlan({data, size});
  return 0;
}
