//===- States.h - Generated states of decoders ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_STATES_H
#define KILN_EXECUTION_STATES_H

#include "kiln/Execution/Inputs.h"

namespace kiln::execution {

/// Fills states with random values, and lengths as `fillLengths` does. Does nothing for a
/// model without state.
llvm::Error fillStates(kiln_model *model, kiln_session *session, const InputSet &inputs,
                       uint64_t seed);
/// Sets the length of every sequence to the largest that leaves room for the rows of one
/// run.
llvm::Error fillLengths(kiln_model *model, kiln_session *session, const InputSet &inputs);

} // namespace kiln::execution

#endif // KILN_EXECUTION_STATES_H
