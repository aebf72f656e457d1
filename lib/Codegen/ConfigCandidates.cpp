//===- ConfigCandidates.cpp - Configs that are worth measuring ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPU families rank many configs, so their lists are the candidates. On hosts the lists
// are short, as the rules leave little open; there variations of the chosen config
// are tried as well.
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Configs.h"
#include "kiln/Codegen/KernelFamily.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

SmallVector<Attribute>
kiln::codegen::candidateConfigs(graph::KernelOp kernel, const TargetInfo &target,
                                const std::optional<Variant> &variant) {
  const KernelFamily &family = familyOf(kernel);
  Attribute chosen = chooseConfig(kernel, target, variant);
  if (!chosen)
    return {};
  SmallVector<Attribute> configs{chosen};
  auto add = [&](Attribute config) {
    if (!llvm::is_contained(configs, config) &&
        !checkConfig(kernel, target, variant, config))
      configs.push_back(config);
  };
  for (const Candidate &candidate : family.explain({kernel, target, variant}).candidates)
    add(candidate.attribute);
  if (family.variations)
    llvm::for_each(family.variations(chosen), add);
  return configs;
}
