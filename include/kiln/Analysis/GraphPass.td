//===- GraphPass.td - Base of passes over graphs -----------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ANALYSIS_GRAPHPASS_TD
#define KILN_ANALYSIS_GRAPHPASS_TD

include "mlir/Pass/PassBase.td"

/// A pass that implements runOnGraph() of kiln::GraphPass, which checks the types of all
/// values first.
class GraphPass<string argument, string operation>
    : PassBase<argument, "::kiln::GraphPass<" # operation # ">">;

#endif // KILN_ANALYSIS_GRAPHPASS_TD
