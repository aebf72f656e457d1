//===- PackageFuzzer.cpp - Any bytes as a package -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzes the loader, which must return success or a coded error for any bytes. As hash
// checks would reject nearly every input at once, each input is tried twice: as an
// entire file, and as the plan of an otherwise valid package.
//
//===----------------------------------------------------------------------===//
#include "runtime/model/model.h"
#include "runtime/package/checker.h"
#include "runtime/package/container.h"
#include <cstdlib>

using namespace kiln::rt;

static void requireCode(const Status &status) {
  if (!status.ok() && static_cast<unsigned>(status.code()) / 100 != 5)
    abort(); // this is no error code of packages
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
