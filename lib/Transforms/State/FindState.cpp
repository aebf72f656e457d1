//===- FindState.cpp - Finds pasts and presents ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decoder that was exported with a cache has inputs (pasts) and outputs (presents);
// each present is a past followed by the new rows. This pass finds the pairs by their
// names and types, and computes inputs that depend on the past's length (masks,
// positions) from it, so that later passes can analyze them.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "SubstituteSymbols.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace kiln {
#define GEN_PASS_DEF_FINDSTATEPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
/// Names of a past and its present.
using Names = std::pair<std::string, std::string>;

class StateFinder {
public:
  StateFinder(func::FuncOp main, ArrayRef<Names> given, const llvm::StringSet<> &kept)
      : main(main), given(given), kept(kept) {}

  /// Returns the number of pairs; fails if a pair that the user gave is not valid.
  FailureOr<unsigned> run();

private:
  std::optional<unsigned> argumentNamed(StringRef name);
  std::optional<unsigned> resultNamed(StringRef name);
  bool isEncoderDecoder();
  void pairByName();
  void pairCaches();
  LogicalResult checkCaches();
  LogicalResult pairGiven();
  std::optional<Diagnosis> addPair(unsigned argument, unsigned result);
  void joinSymbols();
  void replaceInputs();
  Value valueOf(OpBuilder &builder, BlockArgument argument, StringRef name);

  func::FuncOp main;
  ArrayRef<Names> given;
  const llvm::StringSet<> &kept;
  unsigned numPairs = 0;
  StringAttr past;           ///< symbol of the past's length
  SymbolicExpr batch, added; ///< number of sequences, and of new rows of each
};
} // namespace

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

std::optional<unsigned> StateFinder::argumentNamed(StringRef name) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto own = main.getArgAttrOfType<StringAttr>(i, kNameAttr); own && own == name)
      return i;
  return std::nullopt;
}

std::optional<unsigned> StateFinder::resultNamed(StringRef name) {
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (auto own = main.getResultAttrOfType<StringAttr>(i, kNameAttr); own && own == name)
      return i;
  return std::nullopt;
}

/// Returns names of the present for a past: "past_key_values.0.key" -> "present.0.key",
/// "past_0" -> "present_0" and similar ones.
static SmallVector<std::string> presentNames(StringRef past) {
  SmallVector<std::string> names;
  for (StringRef word : {"past_key_values", "past_key_value", "past"}) {
    size_t at = past.find(word);
    if (at == StringRef::npos)
      continue;
    for (StringRef by : {"present", "present_key_values", "present_key_value"})
      names.push_back(
          (past.take_front(at) + by + past.drop_front(at + word.size())).str());
  }
  return names;
}

/// Returns the axis along which a present is longer, with the difference, and the symbol
/// of the past's length.
std::optional<StateAxis> kiln::graph::stateAxis(Type past, Type present) {
  auto from = dyn_cast<RankedTensorType>(past), to = dyn_cast<RankedTensorType>(present);
  if (!from || !to || from.getElementType() != to.getElementType() ||
      from.getRank() != to.getRank())
    return std::nullopt;
  std::optional<StateAxis> found;
  Dims before = getDims(past), after = getDims(present);
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i])
      continue;
    StringAttr symbol = before[i].getSymbol();
    SymbolicExpr added = after[i] - before[i];
    if (found || !symbol || llvm::is_contained(added.getSymbols(), symbol))
      return std::nullopt;
    found = StateAxis{int64_t(i), symbol, added};
  }
  return found;
}

/// Returns a name for messages.
static std::string textOf(StringAttr name) { return name ? name.str() : "(no name)"; }

std::optional<Diagnosis> StateFinder::addPair(unsigned argument, unsigned result) {
  Type from = main.getArgumentTypes()[argument], to = main.getResultTypes()[result];
  std::optional<StateAxis> axis = stateAxis(from, to);
  auto name = main.getArgAttrOfType<StringAttr>(argument, kNameAttr);
  auto present = main.getResultAttrOfType<StringAttr>(result, kNameAttr);
  auto problem = [&](const Twine &expected) {
    return Diagnosis{ErrorCode::StatePair,
                     "input '" + textOf(name) + "'",
                     "it is no past of output '" + textOf(present) + "'",
                     expected.str(),
                     printDims(getDims(from)) + " and " + printDims(getDims(to)),
                     "with --no-state pasts and presents stay inputs and outputs"};
  };
  if (!name)
    return problem("an input with a graph.name");
  if (!axis || axis->axis == 0)
    return problem("one type, and one dim that is longer by the new rows");
  // If keys and values are in one tensor, the first dim distinguishes them.
  Dims dims = getDims(from);
  SymbolicExpr sequences = dims.size() == 5 ? dims[1] : dims[0];
  if (past && (axis->past != past || axis->added != added || sequences != batch))
    return problem("the sequences and lengths of the other pasts");
  past = axis->past;
  added = axis->added;
  batch = sequences;
  main.setArgAttr(argument, kPastAttr, name);
  main.setResultAttr(result, kPastAttr, name);
  ++numPairs;
  return std::nullopt;
}

/// Whether inputs are named after an encoder. Pasts are then not paired by name: the
/// results of an encoder do not grow, and a merged decoder has inputs that tell the rest
/// of the model about its past.
bool StateFinder::isEncoderDecoder() {
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto name = main.getArgAttrOfType<StringAttr>(i, kNameAttr);
        name && name.getValue().contains("encoder"))
      return true;
  return false;
}

/// Returns the result that is the argument with rows appended.
static std::optional<unsigned> resultBehind(func::FuncOp main, BlockArgument argument) {
  for (auto [i, value] : llvm::enumerate(main.front().getTerminator()->getOperands()))
    if (auto concat = value.getDefiningOp<ConcatOp>())
      if (concat.getInputs().front() == argument)
        return i;
  return std::nullopt;
}

/// Pairs the caches that the model writes in place with their results, independent of
/// names.
void StateFinder::pairCaches() {
  for (BlockArgument argument : main.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto role = main.getArgAttrOfType<StringAttr>(i, kCacheAttr);
    std::optional<unsigned> result =
        role && role == "cache" ? resultBehind(main, argument) : std::nullopt;
    if (result && !main.getArgAttr(i, kPastAttr))
      (void)addPair(i, *result);
  }
}

/// Reports arguments that were imported as caches but have no matching result.
LogicalResult StateFinder::checkCaches() {
  for (BlockArgument argument : main.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto role = main.getArgAttrOfType<StringAttr>(i, kCacheAttr);
    main.removeArgAttr(i, StringAttr::get(main.getContext(), kCacheAttr));
    if (!role || role != "cache" || main.getArgAttr(i, kPastAttr))
      continue;
    auto name = main.getArgAttrOfType<StringAttr>(i, kNameAttr);
    kiln::emitError(
        argument.getLoc(),
        {ErrorCode::StatePair, "",
         name ? "what is written into the cache '" + name.str() + "' is no output"
              : "a cache has no name",
         name ? "the cache with its new rows as an output" : "graph.name", "none",
         "compile with --no-state"});
    return failure();
  }
  return success();
}

void StateFinder::pairByName() {
  if (isEncoderDecoder())
    return;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto name = main.getArgAttrOfType<StringAttr>(i, kNameAttr);
    if (!name)
      continue;
    for (const std::string &present : presentNames(name.getValue()))
      if (std::optional<unsigned> result = resultNamed(present)) {
        (void)addPair(i, *result); // on failure there is no state
        break;
      }
  }
}

LogicalResult StateFinder::pairGiven() {
  for (const auto &[from, to] : given) {
    std::optional<unsigned> argument = argumentNamed(from), result = resultNamed(to);
    std::optional<Diagnosis> problem;
    if (!argument || !result)
      problem =
          Diagnosis{ErrorCode::StatePair,
                    "--state",
                    "the model has no such " + std::string(argument ? "output" : "input"),
                    "names of an input and an output",
                    from + "=" + to,
                    "kiln inspect lists the names"};
    else if (main.getArgAttr(*argument, kPastAttr) ||
             main.getResultAttr(*result, kPastAttr))
      problem =
          Diagnosis{ErrorCode::StatePair, "--state",       "a name stands in two pairs",
                    "each name once",     from + "=" + to, "leave one of them out"};
    else
      problem = addPair(*argument, *result);
    if (problem) {
      kiln::emitError(main.getLoc(), *problem);
      return failure();
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Inputs that depend on the length
//===----------------------------------------------------------------------===//

/// Equates the symbol of a mask's length, which exporters introduce, with past + new
/// rows.
void StateFinder::joinSymbols() {
  SymbolMap map;
  SymbolicExpr total = SymbolicExpr::symbol(past) + added;
  for (BlockArgument argument : main.getArguments()) {
    auto name = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr);
    Dims dims = getDims(argument);
    if (!name || name != "attention_mask" || dims.size() != 2 ||
        kept.contains("attention_mask"))
      continue;
    StringAttr length = dims[1].getSymbol();
    bool isOwn =
        length && length != past && !llvm::is_contained(added.getSymbols(), length);
    if (isOwn)
      map[length] = total;
  }
  if (!map.empty())
    substituteSymbols(main, map);
}

/// Builds a value of the argument's type with all elements equal to a constant or to an
/// expression of dims.
static Value fill(OpBuilder &builder, BlockArgument argument, const SymbolicExpr &value) {
  Location loc = argument.getLoc();
  Type element = getElementTypeOrSelf(argument.getType());
  if (auto constant = value.getConstant()) {
    TypedAttr one = isa<FloatType>(element)
                        ? TypedAttr(builder.getFloatAttr(element, double(*constant)))
                        : TypedAttr(builder.getIntegerAttr(element, *constant));
    return FillOp::create(builder, loc, argument.getType(), one);
  }
  return broadcastTo(builder, loc, makeSize(builder, loc, value, element),
                     argument.getType());
}

/// Builds past + 0, 1, 2 ... along the last dim.
static Value positions(OpBuilder &builder, BlockArgument argument,
                       const SymbolicExpr &past) {
  Location loc = argument.getLoc();
  Value first = fill(builder, argument, past);
  Value counted =
      IotaOp::create(builder, loc, argument.getType(), getDims(argument).size() - 1,
                     llvm::APFloat(0.0), llvm::APFloat(1.0));
  return BinaryOp::create(builder, loc, BinaryKind::add, first, counted);
}

Value StateFinder::valueOf(OpBuilder &builder, BlockArgument argument, StringRef name) {
  Dims dims = getDims(argument);
  SymbolicExpr before = SymbolicExpr::symbol(past), total = before + added;
  Type element = getElementTypeOrSelf(argument.getType());
  bool isInteger =
      element.isSignlessInteger() && element.getIntOrFloatBitWidth() >= 8; // arithmetic
  if (name == "attention_mask" && dims.size() == 2 && dims[1] == total)
    return fill(builder, argument, 1);
  if (!isInteger)
    return {};
  auto role = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kCacheAttr);
  if (role && role != "cache")
    return fill(builder, argument,
                role == "past"   ? before
                : role == "last" ? total - SymbolicExpr(1)
                                 : total);
  bool isPositions = !dims.empty() && dims.back() == added;
  if ((name == "position_ids" || name == "cache_position") && isPositions)
    return positions(builder, argument, before);
  if (name == "seqlens_k" && !dims.empty() && dims[0] == batch)
    return fill(builder, argument, total - SymbolicExpr(1));
  if (numElements(dims).isConstant(1)) {
    if (name == "total_sequence_length")
      return fill(builder, argument, total);
    if (name == "past_sequence_length")
      return fill(builder, argument, before);
  }
  return {};
}

void StateFinder::replaceInputs() {
  OpBuilder builder = OpBuilder::atBlockBegin(&main.front());
  llvm::BitVector erased(main.getNumArguments());
  for (BlockArgument argument : main.getArguments()) {
    auto name = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr);
    if (!name || kept.contains(name.getValue()))
      continue;
    // Models with position biases (ALiBi) are exported with unused inputs of positions.
    bool isUnused =
        argument.use_empty() && (name == "position_ids" || name == "cache_position");
    Value value = isUnused ? Value() : valueOf(builder, argument, name.getValue());
    if (value)
      argument.replaceAllUsesWith(value);
    if (value || isUnused)
      erased.set(argument.getArgNumber());
  }
  (void)main.eraseArguments(erased);
}

FailureOr<unsigned> StateFinder::run() {
  if (failed(pairGiven()))
    return failure();
  if (given.empty())
    pairByName();
  pairCaches();
  if (numPairs > 0) {
    joinSymbols();
    replaceInputs();
    eraseUnusedSymbols(main->getParentOfType<ModuleOp>());
  }
  if (failed(checkCaches()))
    return failure();
  return numPairs;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
class FindStatePass : public kiln::impl::FindStatePassBase<FindStatePass> {
public:
  using FindStatePassBase::FindStatePassBase;

  void runOnGraph() override {
    auto main = mainOf(getOperation());
    if (!main)
      return;
    SmallVector<Names> given;
    for (StringRef pair : pairs) {
      auto [from, to] = pair.split('=');
      if (from.empty() || to.empty()) {
        (void)refuseOption(*this, "pairs", "input=output", "'" + pair + "'",
                           &getContext());
        return signalPassFailure();
      }
      given.push_back({from.str(), to.str()});
    }
    llvm::StringSet<> kept;
    for (StringRef name : keepInputs)
      kept.insert(name);
    FailureOr<unsigned> found = StateFinder(main, given, kept).run();
    if (failed(found))
      return signalPassFailure();
    numPairs += *found;
  }
};
} // namespace
