//===- EmitCollectives.cpp - Tile programs of all-reduces -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Ranks.h"
#include "dialects/Graph/SymbolBounds.h"
#include "kiln/Codegen/AllReduce.h"
#include "kiln/Codegen/Passes.h"
#include "kiln/Target/TargetInfo.h"
#include "kiln/abi.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"

namespace kiln {
#define GEN_PASS_DEF_EMITCOLLECTIVESPASS
#include "kiln/Codegen/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
class EmitCollectivesPass
    : public kiln::impl::EmitCollectivesPassBase<EmitCollectivesPass> {
public:
  using EmitCollectivesPassBase::EmitCollectivesPassBase;

  void runOnOperation() override {
    SmallVector<ModuleOp> gpus;
    for (auto target : getOperation().getOps<ModuleOp>()) {
      std::optional<TargetInfo> info =
          TargetInfo::find(target.getName().value_or("").str());
      if (info && info->gpu)
        gpus.push_back(target);
    }
    if (gpus.empty())
      return;
    known.clear();
    for (func::FuncOp program : programsOf(getOperation()))
      for (auto op : program.getOps<AllReduceOp>())
        // All-reduces along one axis of a mesh run through the host.
        if (codegen::hasPeerKernel(op) &&
            op.getRanks() == uint64_t(ranksOf(getOperation())))
          setKernels(op, gpus);
  }

private:
  void setKernels(AllReduceOp op, ArrayRef<ModuleOp> gpus) {
    auto [it, isNew] = known.try_emplace(codegen::peerFingerprint(op));
    Kernels &kernels = it->second;
    if (isNew) {
      std::string name = "all_reduce_" + std::to_string(known.size() - 1);
      kernels.whole = emit(op, /*splits=*/false, name, gpus);
      std::optional<int64_t> bytes =
          SymbolRanges(getOperation()).maxOf(byteSize(op.getInput().getType()));
      if (!bytes || *bytes > KILN_PEER_BLOCKS * KILN_PEER_STAGING_BYTES)
        kernels.split = emit(op, /*splits=*/true, name + "_split", gpus);
    }
    op->setAttr(kPeerKernelAttr, kernels.whole);
    if (kernels.split)
      op->setAttr(kSplitPeerKernelAttr, kernels.split);
  }

  FlatSymbolRefAttr emit(AllReduceOp op, bool splits, StringRef name,
                         ArrayRef<ModuleOp> gpus) {
    ++numKernels;
    for (ModuleOp gpu : gpus) {
      OpBuilder builder = OpBuilder::atBlockEnd(gpu.getBody());
      codegen::emitPeerKernel(op, splits, name, builder);
    }
    return FlatSymbolRefAttr::get(&getContext(), name);
  }

  struct Kernels {
    FlatSymbolRefAttr whole, split;
  };
  llvm::StringMap<Kernels> known;
};
} // namespace
