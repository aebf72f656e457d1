//===- MakePrograms.cpp - Makes prefill and decode ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs last: the two programs then differ only in their number of positions, and weights
// have been packed and moved to @bake once for both.
//
//===----------------------------------------------------------------------===//

#include "LastPosition.h"
#include "SubstituteSymbols.h"
#include "dialects/Graph/SymbolBounds.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_MAKEPROGRAMSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kTokens = "tokens";

namespace {
class MakeProgramsPass : public kiln::impl::MakeProgramsPassBase<MakeProgramsPass> {
public:
  using MakeProgramsPassBase::MakeProgramsPassBase;

  void runOnGraph() override {
    auto main = mainOf(getOperation());
    std::optional<unsigned> counts = main ? findCounts(main) : std::nullopt;
    if (!counts) {
      if (!tokens.empty())
        refuse(getOperation().getLoc(), "a model with state", "none");
      return;
    }
    auto about = main.getArgAttrOfType<DictionaryAttr>(*counts, kCountsAttr);
    SymbolicExpr added = getDims(about.getAs<ShapeAttr>("added"))[0];
    // A model that takes one token at a time needs no prefill.
    if (!added.getSymbol()) {
      if (!tokens.empty())
        return refuse(main.getLoc(), "the new positions of the model: " + added.str(), tokens);
      return main.setName("decode");
    }
    std::optional<Bounds> range = rangeOf(added.getSymbol());
    if (!range)
      return;
    makeDecode(main, added.getSymbol(), *range);
    main.setName("prefill");
    (void)keepLastPosition(main, main.getArgument(*counts), added);
    numPrograms += 2;
  }

private:
  static std::optional<unsigned> findCounts(func::FuncOp main) {
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (main.getArgAttr(i, kCountsAttr))
        return i;
    return std::nullopt;
  }

  void refuse(Location loc, const Twine &expected, const Twine &found) {
    kiln::emitError(loc, {ErrorCode::DimsInvalid, "--dims",
                          "the dim 'tokens' of @decode cannot have this range", expected.str(),
                          found.str(), "correct --dims"});
    signalPassFailure();
  }

  /// Returns the range of new positions of @decode: that of the option `tokens`, or the
  /// largest; nullopt after it reported an error.
  std::optional<Bounds> rangeOf(StringAttr sequence) {
    auto symbol = getOperation().lookupSymbol<SymbolOp>(sequence);
    if (!symbol) {
      kiln::emitError(getOperation().getLoc(),
                      {ErrorCode::DimUndeclared, "", "a dim uses an undeclared symbol",
                       "graph.symbol @" + sequence.str(), "none", ""});
      signalPassFailure();
      return std::nullopt;
    }
    Bounds range{1, std::min<int64_t>(symbol.getMax(), kMaxTokens)};
    if (tokens.empty())
      return range;
    Bounds given{0, 0};
    auto [from, to] = StringRef(tokens).split("..");
    if (from.getAsInteger(10, given.min) || to.getAsInteger(10, given.max) || given.min < 1 ||
        given.max < given.min || given.max > range.max) {
      refuse(symbol.getLoc(), "a part of 1.." + std::to_string(range.max), tokens);
      return std::nullopt;
    }
    return given;
  }

  void makeDecode(func::FuncOp main, StringAttr sequence, Bounds range) {
    OpBuilder builder(main.getContext());
    builder.setInsertionPointAfter(main);
    auto decode = cast<func::FuncOp>(builder.clone(*main));
    decode.setName("decode");
    auto number = [&](int64_t value) { return SymbolicExpr(value); };
    SymbolMap map;
    auto name = builder.getStringAttr(kTokens);
    map[sequence] = range.min == range.max ? number(range.min) : SymbolicExpr::symbol(name);
    substituteSymbols(decode, map);
    if (range.min == range.max)
      return;
    builder.setInsertionPoint(getOperation().lookupSymbol<SymbolOp>(sequence));
    SymbolOp::create(builder, main.getLoc(), kTokens, range.min, range.max, nullptr);
  }

  /// Maximum number of draft tokens that are verified together; a run with more is a
  /// prefill.
  static constexpr int64_t kMaxTokens = 16;
};
} // namespace
