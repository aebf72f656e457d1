//===- SquareFamily.cpp - A kernel family that only tests have ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SquareFamily.h"
#include "lib/Codegen/ConfigCheck.h"
#include "lib/Codegen/Expression/KernelShell.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln;
using namespace kiln::codegen;
using namespace mlir;

static bool isSquare(Operation *op) {
  auto binary = dyn_cast<graph::BinaryOp>(op);
  return binary && binary.getKind() == graph::BinaryKind::mul &&
         binary.getLhs() == binary.getRhs() &&
         getElementTypeOrSelf(binary.getType()).isF32();
}

namespace {
class SquareEmitter : ShellEmitter {
public:
  SquareEmitter(OpBuilder &builder, graph::KernelOp kernel, Body &body,
                tile::PointwiseConfigAttr config)
      : ShellEmitter(builder, kernel, body), config(config),
        count(graph::numElements(graph::getDims(kernel.getBlock().getArgument(0)))),
        element(body.vars.addLoop(count)), address(graph::SymbolicExpr::symbol(element)) {
    Type f32 = b.getF32Type();
    Node *loaded = body.load(f32, 0, address);
    auto multiply = [](OpBuilder &b, Location loc, ValueRange x) -> Value {
      return arith::MulFOp::create(b, loc, x[0], x[0]);
    };
    square = body.compute(f32, {loaded}, multiply, /*cost=*/1);
  }

  tile::KernelOp emit() {
    tile::KernelOp shell =
        createShell(b, kernel, count.ceilDiv(config.getGrain()), 0, config);
    if (config.getThreads())
      shell.setThreads(config.getThreads());
    return fill(shell, [&](Value task) {
      Value begin = mul(task, index(config.getGrain()));
      Value end = minimum(add(begin, index(config.getGrain())), emitter.index(count));
      auto loop =
          scf::ForOp::create(b, loc, begin, end, index(config.getLanes()), ValueRange(),
                             [&](OpBuilder &, Location, Value first, ValueRange) {
                               fragment(first, sub(end, first));
                               scf::YieldOp::create(b, loc);
                             });
      if (config.getThreads())
        loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(config.getGroupThreads()));
    });
  }

private:
  void fragment(Value first, Value rest) {
    forWhole(b, loc, emitter, rest, config.getLanes(), [&](Value valid) {
      NodeEmitter::Scope scope(emitter);
      emitter.setLanes({element, first, config.getLanes(), valid});
      emitter.store(emitter.fragment(square), results[0], address);
    });
  }

  tile::PointwiseConfigAttr config;
  graph::SymbolicExpr count;
  StringAttr element;
  graph::SymbolicExpr address;
  Node *square;
};

class SquareAnalysis final : public KernelAnalysis {
public:
  explicit SquareAnalysis(graph::KernelOp kernel) : context(kernel.getContext()) {}

  bool canEmit(std::string & /*why*/) const override { return true; }
  Explanation explain(const CodeRequest &request) const override {
    return byRule("squares: more elements per task first", rank(request.target));
  }
  ConfigProblem checkConfig(const CodeRequest &request, Attribute config) const override {
    bool isKnown = llvm::is_contained(rank(request.target), config);
    return isKnown ? std::nullopt : wrongFamily(config, "one that kiln explain lists");
  }
  FailureOr<tile::KernelOp> emit(graph::KernelOp kernel, const CodeRequest &request,
                                 OpBuilder &builder, Attribute config) const override {
    Body body(kernel.getBlock());
    auto best = cast<tile::PointwiseConfigAttr>(config ? config : chooseConfig(request));
    return SquareEmitter(builder, kernel, body, best).emit();
  }

private:
  /// Returns the configs: one with more elements per task first, then one with fewer.
  SmallVector<Attribute> rank(const TargetInfo &target) const {
    bool isGpu = target.gpu.has_value();
    int64_t lanes = isGpu ? 128 : target.lanes(4), threads = isGpu ? 128 : 0;
    auto of = [&](int64_t grain) -> Attribute {
      return tile::PointwiseConfigAttr::get(context, lanes, grain, /*stage=*/false,
                                            threads, isGpu ? 32 : 0, 1, 1);
    };
    return {of(4096), of(1024)};
  }

  MLIRContext *context;
};

struct SquareFamily final : KernelFamily {
  SquareFamily() : KernelFamily("square", {"pointwise"}) {}
  const Hero *heroOf(Operation *op) const override {
    static const Hero hero{"square", 5, Hero::Prologue::None, Hero::Epilogue::None,
                           /*absorbsViews=*/false};
    return isSquare(op) ? &hero : nullptr;
  }
  bool matches(graph::KernelOp kernel) const override {
    Block &block = kernel.getBlock();
    return llvm::hasNItems(block, 2) && block.getNumArguments() == 1 &&
           isSquare(&block.front());
  }
  std::unique_ptr<KernelAnalysis> analyze(graph::KernelOp kernel) const override {
    return std::make_unique<SquareAnalysis>(kernel);
  }
};
} // namespace

const KernelFamily &kiln::test::squareFamily() {
  static const SquareFamily family;
  return family;
}
