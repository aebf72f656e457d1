//===- IndexMath.h - Index expressions of fused bodies ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports the names of the graph dialect's index expressions. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPRESSION_INDEXMATH_H
#define KILN_CODEGEN_EXPRESSION_INDEXMATH_H

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/IndexVars.h"

namespace kiln::codegen {

using graph::broadcastPlaces;
using graph::coefficientOf;
using graph::Dims;
using graph::findDivisor;
using graph::IndexVars;
using graph::isVariable;
using graph::mentions;
using graph::replace;
using graph::SymbolicExpr;
using Indices = Dims;

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPRESSION_INDEXMATH_H
