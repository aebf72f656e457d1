//===- Problem.h - Pointwise problem of a program ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_PROBLEM_H
#define KILN_CODEGEN_POINTWISE_PROBLEM_H

#include "../Expression/Program.h"
#include "kiln/Codegen/Pointwise.h"

namespace kiln::codegen {

PointwiseProblem problemOf(const Program &program);

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_PROBLEM_H
