//===- ConfigCheck.cpp - Errors of invalid configs ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error messages of the families' checks. The checks look at resources first, because
// edited configs mostly exceed these, then at shapes that the emitters do not support.
//
//===----------------------------------------------------------------------===//

#include "ConfigCheck.h"
#include "kiln/ErrorCodes/Target.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static std::string textOf(Attribute config) {
  std::string text;
  llvm::raw_string_ostream(text) << config;
  return text;
}

ConfigProblem kiln::codegen::wrongFamily(Attribute config, StringRef expected) {
  return Diagnosis{ErrorCode::ConfigImpossible,
                   "",
                   "this kernel has no config of this family on this target",
                   expected.str(),
                   textOf(config),
                   "give a config of that family, or delete the line"};
}

ConfigProblem kiln::codegen::wrongValue(Attribute config, StringRef what,
                                        const Twine &expected, int64_t found) {
  return Diagnosis{
      ErrorCode::ConfigImpossible,
      "",
      ("there is no code for such a " + what + " in " + textOf(config)).str(),
      expected.str(),
      std::to_string(found),
      "choose such a value, or delete the line"};
}

ConfigProblem kiln::codegen::exceeds(Attribute config, StringRef resource,
                                     const Twine &limit, const Twine &needed) {
  return Diagnosis{
      ErrorCode::ConfigImpossible,
      "",
      (Twine(textOf(config)) + " needs more " + resource + " than the target has").str(),
      "at most " + limit.str(),
      needed.str(),
      "choose smaller tiles or fewer stages, or delete the line"};
}

ConfigProblem kiln::codegen::checkBlock(Attribute config, const BlockResources &needed,
                                        const GpuInfo &gpu) {
  if (needed.threads < gpu.warpThreads || needed.threads > gpu.maxBlockThreads)
    return exceeds(config, "threads per block", Twine(gpu.maxBlockThreads) + " threads",
                   Twine(needed.threads) + " threads");
  if (needed.sharedBytes > gpu.maxSharedBytes)
    return exceeds(config, "shared memory", Twine(gpu.maxSharedBytes) + " bytes",
                   Twine(needed.sharedBytes) + " bytes");
  int64_t registers =
      std::min(gpu.maxThreadRegisters, gpu.registersPerMultiprocessor / needed.threads);
  if (needed.registers > registers)
    return exceeds(config, "registers", Twine(registers) + " registers per thread",
                   "about " + Twine(needed.registers) + " registers per thread");
  return std::nullopt;
}
