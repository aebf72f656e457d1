//===- main.cpp - gpu-check -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/check.h"
#include "tools/gpu_check/failure.h"
#include <cstdio>
#include <exception>

int main(int count, char **words) {
  using namespace kiln::gpucheck;
  try {
    return runCommand(parseOptions(count, words));
  } catch (const Failure &failure) {
    std::fprintf(stderr, "error: %s\n", failure.what());
    return failure.exit;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: KILN-E0900: gpu-check: %s\n", error.what());
    return Machine;
  }
}
