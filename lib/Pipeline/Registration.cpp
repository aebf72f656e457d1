//===- Registration.cpp - Registration of all dialects and passes ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Registration.h"
#include "FindCode.h"
#include "ParserChecks.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Plan/Plan.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Codegen/Attention.h"
#include "kiln/Codegen/Passes.h"
#include "kiln/Pipeline/Phases.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Target/Passes.h"
#include "kiln/Transforms/Fusion/Passes.h"
#include "kiln/Transforms/Graph/Pipeline.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

void kiln::registerAllDialects(mlir::DialectRegistry &registry) {
  linkParserChecks();
  registry.insert<graph::GraphDialect, plan::PlanDialect, tile::TileDialect>();
  registry.insert<
      mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect, mlir::affine::AffineDialect,
      mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
      mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
}

/// Like findCode, but handwritten modules, such as tests of planning, may lack the module
/// of a target: a kernel then has one task and no scratch, as without a FindCode.
static mlir::FailureOr<kiln::KernelCode> findCodeIfThere(kiln::graph::KernelOp kernel) {
  auto targets = kernel->getParentOfType<mlir::ModuleOp>().getOps<mlir::ModuleOp>();
  if (!targets.empty())
    return kiln::findCode(kernel);
  return kiln::KernelCode{{1}, {0}, {}, {}, {}};
}

void kiln::registerAllPasses() {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  // Passes with callbacks to code generation are registered first, as the first
  // registration of a pass counts.
  mlir::registerPass([] { return createDecomposeAttentionPass({}, codegen::holdsAttention); });
  registerKilnGraphTransformsPasses();
  mlir::registerPass([] { return createFuseKernelsPass(getKernelCodegen()); });
  mlir::registerPass([] { return createCheckIndicesPass(getKernelCodegen(), false); });
  mlir::registerPass([] { return createLiftStartsPass(getKernelCodegen()); });
  mlir::registerPass([] { return createLiftScalarsPass(getKernelCodegen()); });
  registerKilnFusionPasses();
  registerKilnCodegenPasses();
  registerKilnTargetPasses();
  mlir::registerPass([] { return createBuildPlanPass({}, findCodeIfThere); });
  registerKilnPlanningPasses();
  registerPhasePipelines();
}

std::string kiln::describePassDriver() {
  return "Kiln's pass driver\n\n"
         "Phases of kiln compile, in order, as pipelines; their options are below:\n" +
         describeModulePhases("--kiln-", "-pipeline");
}

void kiln::hideLibraryOptions() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (!name.starts_with("help") && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
}
