//===- Family.cpp - Scatter among the kernel families --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ConfigCheck.h"
#include "kiln/Codegen/KernelFamily.h"
#include "kiln/Codegen/Scatter.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static auto rank(const CodeRequest &request) {
  graph::KernelOp kernel = request.kernel;
  return rankScatterConfigs(kernel.getContext(), scatterProblem(kernel), request.target);
}

static Attribute chooseConfig(const CodeRequest &request) {
  return rank(request).front();
}

static Explanation explain(const CodeRequest &request) {
  return byRule(
      "fragments along the columns, or along the rows where there is one column",
      rank(request));
}

static ConfigProblem checkConfig(const CodeRequest &request, Attribute config) {
  auto scatter = dyn_cast<tile::ScatterConfigAttr>(config);
  if (!scatter)
    return wrongFamily(config, "scatter");
  if (llvm::is_contained(rank(request), scatter))
    return std::nullopt;
  return wrongValue(config, "part (rows)", "the config that kiln explain lists",
                    scatter.getRows());
}

static const Hero kScatter{"scatter", 2, Hero::Prologue::None, Hero::Epilogue::None,
                           /*absorbsViews=*/false};

static const Hero *ownHero(Operation *op) {
  return isa<graph::ScatterOp>(op) ? &kScatter : nullptr;
}

static FailureOr<tile::KernelOp> emit(const CodeRequest &request, OpBuilder &builder,
                                      Attribute config) {
  return emitScatter(request.kernel, request.target, builder,
                     dyn_cast_or_null<tile::ScatterConfigAttr>(config));
}

const KernelFamily &kiln::codegen::scatterFamily() {
  static const KernelFamily family{"scatter",
                                   {"scatter"},
                                   ownHero,
                                   holds<graph::ScatterOp>,
                                   canEmitScatter,
                                   /*operandToCopy=*/nullptr,
                                   chooseConfig,
                                   explain,
                                   /*variations=*/nullptr,
                                   checkConfig,
                                   /*quantities=*/nullptr,
                                   /*variants=*/nullptr,
                                   emit};
  return family;
}
