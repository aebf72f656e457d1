//===- Explain.h - Why a kernel has its config ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranked lists of configs for display.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_EXPLAIN_H
#define KILN_CODEGEN_EXPLAIN_H

#include "mlir/IR/Attributes.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln::codegen {

struct Candidate {
  mlir::Attribute attribute;
  std::string config;         ///< as `kiln inspect --kernels` prints it
  std::optional<double> cost; ///< smaller is better; nullopt if a rule decides
};

/// Candidates in the order of preference: the kernel has the first.
struct Explanation {
  std::string criterion; ///< meaning of the costs, or the rule
  std::vector<Candidate> candidates;
};

/// Explains candidates that are ordered by a rule.
template <typename Configs>
Explanation byRule(llvm::StringRef rule, const Configs &configs) {
  Explanation result{rule.str(), {}};
  for (mlir::Attribute config : configs) {
    Candidate &candidate = result.candidates.emplace_back();
    candidate.attribute = config;
    llvm::raw_string_ostream(candidate.config) << config;
  }
  return result;
}

/// Explains candidates that are ordered by the model `cost`.
template <typename Configs, typename Cost>
Explanation byCost(llvm::StringRef criterion, const Configs &configs, Cost cost) {
  Explanation result = byRule(criterion, configs);
  for (Candidate &candidate : result.candidates)
    candidate.cost = double(cost(candidate.attribute));
  return result;
}

} // namespace kiln::codegen

#endif // KILN_CODEGEN_EXPLAIN_H
