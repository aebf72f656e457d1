//===- MakeState.cpp - Converts pasts to state ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs after attention is raised: its masks are then attributes, and the few remaining
// masks depend on positions. PerSequence.cpp converts all other values that depend on the
// past's length.
//
//===----------------------------------------------------------------------===//

#include "PerSequence.h"
#include "RoundedCache.h"
#include "State.h"
#include "SubstituteSymbols.h"
#include "dialects/Graph/SymbolBounds.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Indexing.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/Support/Error.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_MAKESTATEPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Default number of rows of a state in models without a table of positions.
static constexpr int64_t kDefaultCapacity = 2048;

namespace {
/// Range of a dim that every state has.
struct StateDim {
  std::string name;
  Bounds range;
};

/// One tensor of a past: all of it, or its keys or values.
struct Cache {
  std::string name;
  ConcatOp concat; ///< the past followed by the new rows
  int64_t axis;
  BlockArgument state;
  Value later;   ///< new rows as later runs read them, if that differs from this run
  Value written; ///< the state after the write of new rows
};

class StateMaker {
public:
  StateMaker(func::FuncOp main, ArrayRef<StateDim> given)
      : main(main), builder(main.getContext()), given(given) {}

  /// Returns the number of states.
  FailureOr<unsigned> run();

private:
  LogicalResult collect();
  LogicalResult addCaches(BlockArgument past, unsigned result);
  LogicalResult refuse(BlockArgument past, Location loc, const Twine &why);
  void dropPresents();
  BlockArgument addArgument(Type type, StringAttr attribute, StringRef name);
  void addArguments();
  Value write(Cache &cache, Value state, Value rows);
  void writeCaches(PerSequence &values);
  LogicalResult checkRest();
  void findUncausal();
  void addResults();
  void warn(Location where, const Twine &text);
  LogicalResult refuseDim(const StateDim &dim, const Twine &expected);
  LogicalResult nameDim(const SymbolicExpr &old, StringRef name, Bounds limit,
                        SymbolMap &map);
  LogicalResult nameDims(std::optional<int64_t> limit);

  StringAttr symbol(StringRef name) { return builder.getStringAttr(name); }

  func::FuncOp main;
  OpBuilder builder;
  ArrayRef<StateDim> given;
  SmallVector<BlockArgument> pasts;
  llvm::BitVector presents; ///< by result number
  std::vector<Cache> caches;
  std::optional<StateAxis> along;
  PastLength length;
  bool isStepBranch = false;        ///< see kStepBranchAttr
  std::optional<Location> uncausal; ///< an attention whose new rows see later rows
};
} // namespace

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

LogicalResult StateMaker::refuse(BlockArgument past, Location loc, const Twine &why) {
  auto name = main.getArgAttrOfType<StringAttr>(past.getArgNumber(), kPastAttr);
  kiln::emitError(loc, {ErrorCode::StatePair, "",
                        (why + ", input '" + name.getValue() + "'").str(),
                        "its present to be the past with new rows behind it", "",
                        "compile with --no-state"});
  return failure();
}

/// Returns the concat that a value views, if the view only adds or removes dims of size
/// 1.
static ConcatOp concatBehind(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    value = reshape.getInput();
  }
  return value.getDefiningOp<ConcatOp>();
}

/// Returns the index along the first dim of the part of the past that a value is; nullopt
/// if it is not a part.
static std::optional<int64_t> partOf(Value value, BlockArgument past) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  auto slice = value.getDefiningOp<SliceOp>();
  if (!slice || slice.getInput() != past || !getDims(slice.getResult())[0].isConstant(1))
    return std::nullopt;
  Dims starts = getDims(slice.getStarts()), dims = getDims(slice.getResult());
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i] != getDims(past)[i])
      return std::nullopt;
  return starts[0].getConstant();
}

LogicalResult StateMaker::addCaches(BlockArgument past, unsigned result) {
  auto name = main.getArgAttrOfType<StringAttr>(past.getArgNumber(), kPastAttr);
  auto ret = cast<func::ReturnOp>(main.front().getTerminator());
  Value later;
  if (RoundedCache rounded = takeRounding(past, ret.getOperand(result)); rounded.present)
    later = rounded.later;
  Value present = ret.getOperand(result);
  auto axis = stateAxis(past.getType(), present.getType());
  if (!axis || (along && (axis->past != along->past || axis->added != along->added)))
    return refuse(past, past.getLoc(), "a past and its present do not fit the others'");
  along = axis;
  auto concat = present.getDefiningOp<ConcatOp>();
  if (concat && concat.getInputs()[0] == past &&
      int64_t(concat.getAxis()) == axis->axis) {
    caches.push_back({name.str(), concat, axis->axis, {}, later, {}});
    return success();
  }
  // Keys and values are in one tensor, whose first dim distinguishes them.
  if (!concat || concat.getAxis() != 0)
    return refuse(past, present.getLoc(), "a present is not its past and new rows");
  for (auto [i, input] : llvm::enumerate(concat.getInputs())) {
    ConcatOp part = concatBehind(input);
    if (!part || partOf(part.getInputs()[0], past) != int64_t(i) ||
        int64_t(part.getAxis()) != axis->axis - 1)
      return refuse(past, input.getLoc(),
                    "a part of a present is not that part of its past and new rows");
    StringRef suffix = i == 0 ? ".key" : ".value";
    caches.push_back(
        {(name.getValue() + suffix).str(), part, axis->axis - 1, {}, {}, {}});
  }
  return success();
}

/// Returns the argument that a value is a view of.
static BlockArgument viewedArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      return {};
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

static SmallVector<int64_t> compose(ArrayRef<int64_t> inner, ArrayRef<int64_t> outer) {
  return llvm::map_to_vector(outer, [&](int64_t dim) { return inner[dim]; });
}

static Value transposed(OpBuilder &b, Location loc, Value value,
                        ArrayRef<int64_t> permutation) {
  return llvm::is_sorted(permutation)
             ? value
             : TransposeOp::create(b, loc, value, permutation).getResult();
}

/// If a past is transposed before its concat with new rows, concatenates in the order of
/// the past, and transposes the result for its users.
static void joinInOrderOfPast(ConcatOp op) {
  auto first = op.getInputs().front().getDefiningOp<TransposeOp>();
  if (!first || !viewedArgument(first))
    return;
  ArrayRef<int64_t> permutation = first.getPermutation();
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    inverse[from] = to;
  OpBuilder b(op);
  SmallVector<Value> inputs;
  for (Value input : op.getInputs()) {
    auto inner = input.getDefiningOp<TransposeOp>();
    inputs.push_back(inner ? transposed(b, op.getLoc(), inner.getInput(),
                                        compose(inner.getPermutation(), inverse))
                           : transposed(b, op.getLoc(), input, inverse));
  }
  Value joined = ConcatOp::create(b, op.getLoc(), inputs, permutation[op.getAxis()]);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto reader = dyn_cast<TransposeOp>(user))
      reader.getResult().replaceAllUsesWith(transposed(
          b, op.getLoc(), joined, compose(permutation, reader.getPermutation())));
  op.getResult().replaceAllUsesWith(transposed(b, op.getLoc(), joined, permutation));
}

LogicalResult StateMaker::collect() {
  for (ConcatOp op : llvm::to_vector(main.front().getOps<ConcatOp>()))
    if (BlockArgument past = viewedArgument(op.getInputs().front());
        past && main.getArgAttr(past.getArgNumber(), kPastAttr))
      joinInOrderOfPast(op);
  presents.resize(main.getNumResults());
  for (BlockArgument argument : main.getArguments()) {
    auto name = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kPastAttr);
    if (!name)
      continue;
    pasts.push_back(argument);
    std::optional<unsigned> present;
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      if (main.getResultAttr(i, kPastAttr) == name)
        present = i;
    if (!present)
      return refuse(argument, argument.getLoc(), "no result is the present");
    presents.set(*present);
    if (failed(addCaches(argument, *present)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

/// Erases unused ops in reverse order, except for those to keep.
static void eraseDead(func::FuncOp main, const llvm::SmallPtrSetImpl<Operation *> &kept) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(main.front())))
    if (isOpTriviallyDead(&op) && !kept.contains(&op))
      op.erase();
}

void StateMaker::dropPresents() {
  main.front().getTerminator()->eraseOperands(presents);
  (void)main.eraseResults(presents);
  // A cache is written even if the model does not read it.
  llvm::SmallPtrSet<Operation *, 16> joins;
  for (Cache &cache : caches) {
    joins.insert(cache.concat);
    if (cache.later)
      joins.insert(cache.later.getDefiningOp());
  }
  eraseDead(main, joins);
}

BlockArgument StateMaker::addArgument(Type type, StringAttr attribute, StringRef name) {
  unsigned number = main.getNumArguments();
  auto attributes =
      builder.getDictionaryAttr(builder.getNamedAttr(attribute, symbol(name)));
  (void)main.insertArgument(number, type, attributes, main.getLoc());
  return main.getArgument(number);
}

void StateMaker::addArguments() {
  Dims first = getDims(caches.front().concat.getInputs()[0]);
  length.past = along->past;
  length.added = along->added;
  length.sequences = first[0];
  length.capacity = SymbolicExpr::symbol(symbol("capacity"));
  Type perSequence = makeTensorType({length.sequences}, builder.getI64Type());
  length.counts = addArgument(perSequence, symbol(kNameAttr), "counts");
  auto expr = [&](const SymbolicExpr &value) {
    return makeShape(builder.getContext(), {value});
  };
  main.setArgAttr(main.getNumArguments() - 1, kCountsAttr,
                  builder.getDictionaryAttr(
                      {builder.getNamedAttr("lengths", symbol("lengths")),
                       builder.getNamedAttr("added", expr(length.added)),
                       builder.getNamedAttr("capacity", expr(length.capacity))}));
  length.lengths = addArgument(perSequence, symbol(kStateAttr), "lengths");
  for (Cache &cache : caches) {
    Value past = cache.concat.getInputs()[0];
    Dims dims = getDims(past);
    dims[cache.axis] = length.capacity;
    cache.state = addArgument(makeTensorType(dims, elementTypeOf(past)),
                              symbol(kStateAttr), cache.name);
  }
}

Value StateMaker::write(Cache &cache, Value state, Value rows) {
  return KvWriteOp::create(builder, cache.concat.getLoc(), state, rows, length.lengths,
                           length.counts, cache.axis, /*ring=*/false);
}

void StateMaker::writeCaches(PerSequence &values) {
  for (Cache &cache : caches) {
    ConcatOp concat = cache.concat;
    builder.setInsertionPoint(concat);
    Location loc = concat.getLoc();
    ValueRange parts = concat.getInputs().drop_front();
    Value rows =
        parts.size() == 1
            ? parts.front()
            : ConcatOp::create(builder, loc, parts, concat.getAxis()).getResult();
    cache.written = write(cache, cache.state, rows);
    values.define(concat.getResult(), cache.written);
    if (!cache.later)
      continue;
    // After all users of the rows as this run reads them.
    builder.setInsertionPoint(main.front().getTerminator());
    cache.written = write(cache, cache.written, cache.later);
  }
}

/// Finds attention that is not causal, as exporters trace a decoder for one new row,
/// which has no later rows.
void StateMaker::findUncausal() {
  SymbolicExpr total = SymbolicExpr::symbol(length.past) + length.added;
  for (AttentionOp op : main.front().getOps<AttentionOp>()) {
    auto tellsApart = [](Value mask) { // queries are the second to last dim
      return mask && rankOf(mask) > 1 && variesAlong(mask, rankOf(mask) - 2);
    };
    if (getDims(op.getKey())[2] == total && !op.getCausal() &&
        !tellsApart(op.getMask()) && !tellsApart(op.getKeep()))
      uncausal = op.getLoc();
  }
}

/// Removes the arguments of pasts; refuses those that still have users.
LogicalResult StateMaker::checkRest() {
  LogicalResult result = success();
  llvm::BitVector erased(main.getNumArguments());
  for (BlockArgument past : pasts) {
    erased.set(past.getArgNumber());
    for (Operation *user : past.getUsers())
      result = refuse(past, user->getLoc(), "a past is read by itself");
  }
  if (succeeded(result))
    (void)main.eraseArguments(erased);
  return result;
}

void StateMaker::addResults() {
  auto ret = cast<func::ReturnOp>(main.front().getTerminator());
  builder.setInsertionPoint(ret);
  auto addResult = [&](Value value, StringRef name) {
    auto attributes =
        builder.getDictionaryAttr(builder.getNamedAttr(kStateAttr, symbol(name)));
    (void)main.insertResult(main.getNumResults(), value.getType(), attributes);
    ret.getOperandsMutable().append(value);
  };
  Value after = BinaryOp::create(builder, main.getLoc(), BinaryKind::add, length.lengths,
                                 length.counts);
  addResult(after, "lengths");
  for (Cache &cache : caches)
    addResult(cache.written, cache.name);
}

/// Emits a warning without location, which all users see because it restricts the use of
/// the package.
void StateMaker::warn(Location where, const Twine &text) {
  mlir::emitWarning(UnknownLoc::get(builder.getContext()))
      << describe(where) << ": " << text;
}

LogicalResult StateMaker::refuseDim(const StateDim &dim, const Twine &expected) {
  kiln::emitError(
      main.getLoc(),
      {ErrorCode::DimsInvalid, "--dims", "the dim of a state cannot have this range",
       expected.str(),
       (dim.name + "=" + Twine(dim.range.min) + ".." + Twine(dim.range.max)).str(),
       "correct --dims"});
  return failure();
}

/// Gives a dim the name that it has in all states, and the range that was given.
LogicalResult StateMaker::nameDim(const SymbolicExpr &old, StringRef name, Bounds limit,
                                  SymbolMap &map) {
  auto module = main->getParentOfType<ModuleOp>();
  StringAttr from = old.getSymbol();
  auto known = from ? module.lookupSymbol<SymbolOp>(from) : SymbolOp();
  Bounds range = limit;
  if (known)
    range = {std::max<int64_t>(known.getMin(), limit.min),
             std::min<int64_t>(known.getMax(), limit.max)};
  for (const StateDim &dim : given) {
    if (dim.name != name)
      continue;
    if (auto fixed = old.getConstant();
        fixed && (dim.range.min != *fixed || dim.range.max != *fixed))
      return refuseDim(dim, "the " + std::to_string(*fixed) + " of the model");
    if (dim.range.min < 1 || dim.range.max < dim.range.min || dim.range.max > limit.max)
      return refuseDim(dim, "a part of 1.." + std::to_string(limit.max));
    range = dim.range;
  }
  if (old.isConstant())
    return success();
  range.min = std::min(range.min, range.max);
  if (known && from == name) {
    known.setMin(range.min);
    known.setMax(range.max);
    return success();
  }
  if (known)
    map[from] = SymbolicExpr::symbol(symbol(name));
  SymbolOp::create(builder, main.getLoc(), name, range.min, range.max, nullptr);
  return success();
}

/// Names `rows`, `sequence` and `capacity`. limit: number of rows of a table of
/// positions.
LogicalResult StateMaker::nameDims(std::optional<int64_t> limit) {
  auto module = main->getParentOfType<ModuleOp>();
  int64_t max = limit.value_or(INT32_MAX), capacity = limit.value_or(kDefaultCapacity);
  for (const StateDim &dim : given)
    if (dim.name == "capacity")
      capacity = std::min<int64_t>(dim.range.max, max);
  SymbolMap map;
  builder.setInsertionPointToStart(module.getBody());
  bool isGiven =
      llvm::any_of(given, [](const StateDim &d) { return d.name == "capacity"; });
  // A branch that was traced for one row has no causal mask, as there is no later row;
  // the other branch, for prompts, has one.
  bool takesOne = uncausal && isStepBranch && !length.added.isConstant();
  const auto *longer = llvm::find_if(given, [&](const StateDim &dim) {
    return takesOne && dim.name == "sequence" && dim.range.max > 1;
  });
  if (longer != given.end())
    return refuseDim(*longer, "sequence=1: attention of " + describe(*uncausal) +
                                  " is not causal, as exporters trace it for one row");
  if (takesOne)
    warn(*uncausal, "attention is not causal, as exporters trace it for one row: a run "
                    "takes one row of each sequence, and prompts as many runs");
  else if (uncausal && !length.added.isConstant(1))
    warn(*uncausal,
         "attention is not causal: new rows of one run see each other, so that "
         "results depend on how a prompt is cut");
  if (failed(nameDim(length.capacity, "capacity", {1, isGiven ? max : capacity}, map)) ||
      failed(nameDim(length.sequences, "rows", {1, INT32_MAX}, map)) ||
      failed(nameDim(length.added, "sequence", {1, takesOne ? 1 : capacity}, map)))
    return failure();
  if (!map.empty())
    substituteSymbols(main, map);
  eraseUnusedSymbols(module);
  return success();
}

FailureOr<unsigned> StateMaker::run() {
  isStepBranch = bool(main->removeAttr(kStepBranchAttr));
  if (failed(collect()))
    return failure();
  if (pasts.empty())
    return 0;
  dropPresents();
  addArguments();
  PerSequence values(main, length);
  writeCaches(values);
  findUncausal();
  if (failed(values.run()))
    return failure();
  if (auto pieces = values.attentionInPieces())
    warn(*pieces, "attention is written out in a way that kiln-raise-attention does not "
                  "know: a run computes all rows of the capacity, however few a sequence "
                  "has; choose a small one with --dims capacity=1..N");
  llvm::SmallPtrSet<Operation *, 16> writes;
  for (KvWriteOp write : main.front().getOps<KvWriteOp>())
    writes.insert(write);
  eraseDead(main, writes);
  if (failed(checkRest()) || failed(values.checkNone()))
    return failure();
  addResults();
  if (failed(nameDims(values.maxRows())))
    return failure();
  return caches.size();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
class MakeStatePass : public kiln::impl::MakeStatePassBase<MakeStatePass> {
public:
  using MakeStatePassBase::MakeStatePassBase;

  void runOnGraph() override {
    auto main = mainOf(getOperation());
    if (!main)
      return;
    SmallVector<StateDim> given;
    for (StringRef text : dims) {
      StateDim &dim = given.emplace_back();
      auto [name, range] = text.split('=');
      auto [from, to] = range.split("..");
      dim.name = name.str();
      bool bad = from.getAsInteger(10, dim.range.min) ||
                 to.getAsInteger(10, dim.range.max) || dim.range.min < 0 ||
                 dim.range.max < dim.range.min || dim.range.max > INT32_MAX;
      if (bad) {
        main.emitError("'") << text << "' is no range such as rows=1..4";
        return signalPassFailure();
      }
    }
    FailureOr<unsigned> made = StateMaker(main, given).run();
    if (failed(made))
      return signalPassFailure();
    if (*made == 0 && !given.empty())
      return refuseDim(given.front().name);
    numStates += *made;
  }

private:
  /// Reports a range for a dim of state if the model has no state.
  void refuseDim(StringRef name) {
    std::string known;
    for (SymbolOp symbol : getOperation().getOps<SymbolOp>())
      known += (known.empty() ? "" : ", ") + symbol.getSymName().str();
    kiln::emitError(getOperation().getLoc(),
                    {ErrorCode::DimsInvalid, "--dims",
                     ("the model has no symbolic dim '" + name + "'").str(),
                     known.empty() ? "none: all dims are fixed" : known,
                     "a dim of models with state, and no past with its present",
                     "name dims of the model, or pasts and presents with --state"});
    signalPassFailure();
  }
};
} // namespace
