//===- SessionOptions.h - Options of commands that run models ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SESSIONOPTIONS_H
#define KILN_LIB_DRIVER_SESSIONOPTIONS_H

#include "kiln/Execution/SessionSettings.h"
#include "lib/Driver/Support/Options.h"

namespace kiln::driver {

/// Returns a callback that stores "NAME=@path", the value of --input and --output.
OptionTable::Store storeTensorFile(std::string where,
                                   std::vector<execution::TensorFile> &out);

/// Declares --input, --device, --entry, --no-graph, --threads, --dims, --seed, --expect
/// and --trust-weights of kiln run, bench and verify.
void declareSessionOptions(OptionTable &table, execution::SessionSettings &settings,
                           execution::InputSettings &inputs);

/// Declares --ranks of kiln run, bench, generate and verify.
void declareRanks(OptionTable &table, execution::SessionSettings &settings);
/// Declares --timeout of kiln run, bench and generate.
void declareTimeout(OptionTable &table, execution::SessionSettings &settings);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SESSIONOPTIONS_H
