//===- ParserChecks.h - What is checked around MLIR's parser ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_PARSERCHECKS_H
#define KILN_LIB_PIPELINE_PARSERCHECKS_H

namespace kiln {

/// Puts the functions of ParserChecks.cpp in place of MLIR's in a program that calls
/// this, by linking them.
void linkParserChecks();

} // namespace kiln

#endif // KILN_LIB_PIPELINE_PARSERCHECKS_H
