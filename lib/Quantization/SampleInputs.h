//===- SampleInputs.h - Inputs of a model from a sample ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_SAMPLEINPUTS_H
#define KILN_LIB_QUANTIZATION_SAMPLEINPUTS_H

#include "CalibrationSamples.h"
#include "kiln/Execution/OutputSet.h"
#include "kiln/Execution/SessionSettings.h"

namespace kiln::quantization {

/// All inputs of a model for one run, and the arrays that they refer to.
struct SampleInputs {
  std::vector<execution::Npy> arrays;
  execution::InputSet inputs;
};

/// Creates the inputs. Those that the sample does not give are random, as in kiln run,
/// except that positions count from 0 and undetermined dims are at their minimum. Errors,
/// which name `option`: KILN-E0126.
llvm::Expected<SampleInputs> sampleInputs(kiln_model *model,
                                          const CalibrationSample &sample,
                                          const std::string &option);

/// Opens a session for inputs of this size, unless there is one.
llvm::Error openSession(kiln_model *model, execution::Session &session,
                        const execution::InputSet &inputs,
                        const execution::SessionSettings &how);
/// Runs the inputs, opening a session if there is none, and returns the outputs.
llvm::Expected<execution::OutputSet> runInputs(kiln_model *model,
                                               execution::Session &session,
                                               const execution::InputSet &inputs,
                                               const execution::SessionSettings &how);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_SAMPLEINPUTS_H
