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

static const Hero kSquare{"square", 5, Hero::Prologue::None, Hero::Epilogue::None,
                          /*absorbsViews=*/false};

static const Hero *ownHero(Operation *op) {
  auto binary = dyn_cast<graph::BinaryOp>(op);
  bool isSquare = binary && binary.getKind() == graph::BinaryKind::mul &&
                  binary.getLhs() == binary.getRhs() &&
                  getElementTypeOrSelf(binary.getType()).isF32();
  return isSquare ? &kSquare : nullptr;
}

static bool matches(graph::KernelOp kernel) {
  Block &block = kernel.getBlock();
  return llvm::hasNItems(block, 2) && block.getNumArguments() == 1 &&
         ownHero(&block.front());
}

static bool canEmit(graph::KernelOp, std::string *) { return true; }

/// Fewer elements per task after more.
static SmallVector<Attribute> rank(const CodeRequest &request) {
  SmallVector<Attribute> configs;
  bool isGpu = request.target.gpu.has_value();
  int64_t lanes = isGpu ? 128 : request.target.lanes(4), threads = isGpu ? 128 : 0;
  graph::KernelOp kernel = request.kernel;
  for (int64_t grain : {4096, 1024})
    configs.push_back(tile::PointwiseConfigAttr::get(kernel.getContext(), lanes, grain,
                                                     /*stage=*/false, threads,
                                                     isGpu ? 32 : 0, 1, 1));
  return configs;
}

static Attribute chooseConfig(const CodeRequest &request) {
  return rank(request).front();
}

static Explanation explain(const CodeRequest &request) {
  return byRule("squares: more elements per task first", rank(request));
}

static ConfigProblem checkConfig(const CodeRequest &request, Attribute config) {
  if (llvm::is_contained(rank(request), config))
    return std::nullopt;
  return wrongFamily(config, "one that kiln explain lists");
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
    auto multiply = [](OpBuilder &b, Location loc, ValueRange values) -> Value {
      return arith::MulFOp::create(b, loc, values[0], values[0]);
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
        loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(config.getTeam()));
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
} // namespace

static FailureOr<tile::KernelOp> emit(const CodeRequest &request, OpBuilder &builder,
                                      Attribute config) {
  graph::KernelOp kernel = request.kernel;
  Body body(kernel.getBlock());
  auto chosen = cast<tile::PointwiseConfigAttr>(config ? config : chooseConfig(request));
  return SquareEmitter(builder, kernel, body, chosen).emit();
}

const KernelFamily &kiln::test::squareFamily() {
  // Null: no copies of operands, nothing near a config, no variants.
  static const KernelFamily family{"square", {"pointwise"}, ownHero, matches, canEmit,
                                   nullptr,  chooseConfig,  explain, nullptr, checkConfig,
                                   nullptr,  nullptr,       emit};
  return family;
}
