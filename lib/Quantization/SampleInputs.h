//===- SampleInputs.h - A sample as inputs of a model -----------*- C++ -*-===//
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

/// All inputs of a model for one run, and what they are read from.
struct SampleInputs {
  std::vector<execution::Npy> arrays;
  execution::InputSet inputs;
};

/// Makes up what the sample does not give, as kiln run does, but positions count from 0,
/// and dims that no array decides are as small as they can be. `option` is named in
/// errors, which are KILN-E0126.
llvm::Expected<SampleInputs> sampleInputs(kiln_model *model,
                                          const CalibrationSample &sample,
                                          const std::string &option);

/// A session for inputs of this size, if it is null.
llvm::Error openSession(kiln_model *model, execution::Session &session,
                        const execution::InputSet &inputs,
                        const execution::SessionSettings &how);
/// The outputs for them, of a session that is opened for the first of them.
llvm::Expected<execution::OutputSet> runInputs(kiln_model *model,
                                               execution::Session &session,
                                               const execution::InputSet &inputs,
                                               const execution::SessionSettings &how);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_SAMPLEINPUTS_H
