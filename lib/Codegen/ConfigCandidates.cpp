//===- ConfigCandidates.cpp - Configs for the tuner to measure ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPU families rank many configs; their lists are the candidates. On hosts the lists are
// short, because the rules leave few choices; there, variations of the selected config
// are candidates as well.
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Configs.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

SmallVector<Attribute> kiln::codegen::candidateConfigs(const KernelAnalysis &analysis,
                                                       const CodeRequest &request) {
  Attribute chosen = analysis.chooseConfig(request);
  if (!chosen)
    return {};
  SmallVector<Attribute> configs{chosen};
  auto add = [&](Attribute config) {
    if (!llvm::is_contained(configs, config) && !analysis.checkConfig(request, config))
      configs.push_back(config);
  };
  for (const Candidate &candidate : analysis.explain(request).candidates)
    add(candidate.attribute);
  llvm::for_each(analysis.variations(chosen), add);
  return configs;
}
