//===- Explain.h - Why a kernel has its config ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists that the emitters choose from, for people.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPLAIN_H
#define KILN_CODEGEN_EXPLAIN_H

#include "dialects/Graph/Graph.h"
#include "kiln/Target/TargetInfo.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln::codegen {

struct Candidate {
  mlir::Attribute attribute;
  std::string config;         ///< as `kiln inspect --kernels` prints it
  std::optional<double> cost; ///< less is better; none where a rule decides
};

/// Candidates in the order of preference: the first is what the kernel has.
struct Explanation {
  std::string criterion; ///< what the costs are, or the rule
  std::vector<Candidate> candidates;
};

/// Empty for a kernel that the target has no emitter for. `mostRows`: of the code for
/// launches of so many rows at most, see rowVariants.
Explanation explainKernel(graph::KernelOp kernel, const TargetInfo &target,
                          std::optional<int64_t> mostRows = {});

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPLAIN_H
