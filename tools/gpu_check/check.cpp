//===- check.cpp - The commands of gpu-check ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/check.h"
#include "tools/gpu_check/bits.h"
#include "tools/gpu_check/speed.h"
#include "tools/gpu_check/verify.h"
#include <cstdlib>
#include <filesystem>

using namespace kiln::gpucheck;

static int finish(const Report &report) {
  report.printSummary();
  return report.passed() ? Passed : Differs;
}

static int check(const Options &options) {
  DeviceName name(options.device);
  std::unique_ptr<Gpu> gpu = openGpu(name);
  std::unique_ptr<Gpu> reference;
  if (options.wants("bits")) {
    reference = openReference(options.reference, gpu->capability);
    gpu->enter();
  }
  std::filesystem::create_directories(options.out);
  Report report(options.line);
  report.describe(*gpu, reference ? reference->device : "");
  if (options.wants("verify"))
    verifyCases(options, gpu->device, report);
  if (options.wants("bits"))
    checkBits(*gpu, *reference, options, report);
  if (options.wants("speed"))
    measureSpeed(*gpu, options, report);
  report.write(options.out + "/report.json");
  return finish(report);
}

int kiln::gpucheck::runCommand(Options options) {
  if (options.command == "help") {
    std::fputs(helpText(), stdout);
    return Passed;
  }
  // The runtime and this program's own calls use the same simulator.
  setenv("KILN_SIM_DRIVER", simulatorPath().c_str(), 0);
  if (options.archive.empty())
    options.archive = programFolder();
  if (options.command == "run")
    return check(options);
  Report report(options.line);
  replayVectors(options, report);
  return finish(report);
}
