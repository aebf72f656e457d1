//===- Family.cpp - The scatter kernel family -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ConfigCheck.h"
#include "Program.h"
#include "kiln/Codegen/KernelFamily.h"
#include "kiln/Codegen/Scatter.h"
#include "kiln/ErrorCodes/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

namespace {
class ScatterAnalysis final : public KernelAnalysis {
public:
  explicit ScatterAnalysis(graph::KernelOp kernel)
      : context(kernel.getContext()), problem(scatterProblem(kernel)),
        program(ScatterProgram::build(kernel, why)) {}

  bool canEmit(std::string &reason) const override {
    reason = why;
    return program != nullptr;
  }
  Explanation explain(const CodeRequest &request) const override {
    return byRule(
        "fragments along the columns, or along the rows where there is one column",
        rank(request.target));
  }
  ConfigProblem checkConfig(const CodeRequest &request, Attribute config) const override;
  FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const CodeRequest &request,
                                 OpBuilder &builder, Attribute config) const override;

private:
  SmallVector<tile::ScatterConfigAttr> rank(const TargetInfo &target) const {
    return rankScatterConfigs(context, problem, target);
  }

  MLIRContext *context;
  ScatterProblem problem;
  std::string why;
  std::unique_ptr<const ScatterProgram> program; ///< null: `why` has the reason
};

class ScatterFamily final : public KernelFamily {
public:
  ScatterFamily() : KernelFamily("scatter", {"scatter"}) {}

  const Hero *heroOf(Operation *op) const override {
    static const Hero hero{"scatter", 2, Hero::Prologue::None, Hero::Epilogue::None,
                           /*absorbsViews=*/false};
    return isa<graph::ScatterOp>(op) ? &hero : nullptr;
  }
  bool matches(graph::KernelOp kernel) const override {
    return holds<graph::ScatterOp>(kernel);
  }
  std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel) const override {
    return std::make_unique<ScatterAnalysis>(kernel);
  }
};
} // namespace

ConfigProblem ScatterAnalysis::checkConfig(const CodeRequest &request,
                                           Attribute config) const {
  auto scatter = dyn_cast<tile::ScatterConfigAttr>(config);
  if (!scatter)
    return wrongFamily(config, "scatter");
  if (llvm::is_contained(rank(request.target), scatter))
    return std::nullopt;
  return wrongValue(config, "part (rows)", "the config that kiln explain lists",
                    scatter.getRows());
}

FailureOr<tile::KernelOp> ScatterAnalysis::emit(graph::KernelOp kernel,
                                                const CodeRequest &request,
                                                OpBuilder &builder,
                                                Attribute config) const {
  if (!program)
    return kiln::emitError(kernel.getLoc(), {ErrorCode::KernelNotEmittable, "", why,
                                             "one scatter between views", "", ""});
  auto chosen = dyn_cast_or_null<tile::ScatterConfigAttr>(config);
  return emitScatter(kernel, *program, builder,
                     chosen ? chosen : rank(request.target).front());
}

const KernelFamily &kiln::codegen::scatterFamily() {
  static const ScatterFamily family;
  return family;
}
