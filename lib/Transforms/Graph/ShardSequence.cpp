//===- ShardSequence.cpp - Divide rows of sequences among ranks -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bake.h"
#include "Match.h"
#include "dialects/Graph/Ranks.h"
#include "dialects/Graph/SymbolBounds.h"
#include "kiln/Support/Error.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "kiln/Transforms/Graph/Sharding.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace kiln {
#define GEN_PASS_DEF_SHARDSEQUENCEPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kPass = "kiln-shard-sequence";
/// Up to so many rows (decode) an all-reduce costs its latency; two collectives in place
/// of it cost twice that.
static constexpr int64_t kFewRows = 16;
/// Of [sequences, rows, elements]; leading dims of 1 may be absent.
static constexpr int64_t kRank = 3, kRowAxis = 1;

//===----------------------------------------------------------------------===//
// Which rows are divided
//===----------------------------------------------------------------------===//

namespace {
/// The ops of one program that are computed on a rank's rows.
class SequencePlan {
public:
  SequencePlan(func::FuncOp program, int64_t ranks)
      : program(program), ranks(ranks), ranges(program->getParentOfType<ModuleOp>()) {}
  void run();

  /// In the order of the program; all-reduces are those that become reduce-scatters.
  llvm::SetVector<Operation *> local;
  llvm::MapVector<AllReduceOp, std::string> refusals;

private:
  std::string whyNot(AllReduceOp reduce);
  bool isRowWise(Operation *op) const;
  bool isWorthless(Operation *op) const;

  func::FuncOp program;
  int64_t ranks;
  SymbolRanges ranges;
};
} // namespace

/// Why it stays, by itself; empty if nothing speaks against it.
std::string SequencePlan::whyNot(AllReduceOp reduce) {
  if (reduce.getKind() != ReduceKind::sum || rankOf(reduce.getResult()) != kRank)
    return "rows are no dim of their own";
  std::optional<int64_t> rows = ranges.maxOf(getDims(reduce.getResult())[kRowAxis]);
  if (rows && *rows <= std::max(kFewRows, ranks))
    return "a sequence has at most " + std::to_string(*rows) +
           (*rows == 1 ? " row" : " rows");
  return "";
}

/// The axis of rows of an operand that broadcasts to a result of kRank dims; nullopt if
/// it is the same for all rows.
static std::optional<int64_t> rowAxisOf(Value operand) {
  int64_t axis = kRowAxis - (kRank - rankOf(operand));
  if (axis < 0 || getDims(operand)[axis].isConstant(1))
    return std::nullopt;
  return axis;
}

/// Row r of the result depends on the operands' rows r alone.
bool SequencePlan::isRowWise(Operation *op) const {
  if (op->getNumResults() != 1 || rankOf(op->getResult(0)) != kRank)
    return false;
  SymbolicExpr rows = getDims(op->getResult(0))[kRowAxis];
  auto fits = [&](Value operand) {
    std::optional<int64_t> axis = rowAxisOf(operand);
    return rankOf(operand) <= kRank && (!axis || getDims(operand)[*axis] == rows);
  };
  if (!llvm::all_of(op->getOperands(), fits))
    return false;
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return norm.getAxis() > kRowAxis;
  if (auto norm = dyn_cast<RmsNormOp>(op))
    return norm.getAxis() > kRowAxis;
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return int64_t(softmax.getAxis()) > kRowAxis;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKeepDims() &&
           llvm::all_of(reduce.getAxes(), [](int64_t axis) { return axis > kRowAxis; });
  return op->hasTrait<graph::Elementwise>();
}

/// Nothing is computed on the result's rows, and all rows of each operand that is divided
/// are needed in any case: one more gather would be the only effect.
bool SequencePlan::isWorthless(Operation *op) const {
  auto isLocal = [&](Operation *other) { return local.contains(other); };
  if (llvm::any_of(op->getUsers(), isLocal))
    return false;
  if (isa<AllReduceOp>(op))
    return true;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *from = operand.getDefiningOp();
    return !from || !isLocal(from) || !llvm::all_of(operand.getUsers(), isLocal);
  });
}

void SequencePlan::run() {
  for (Operation &op : program.front()) {
    if (auto reduce = dyn_cast<AllReduceOp>(op)) {
      if (std::string why = whyNot(reduce); why.empty())
        local.insert(&op);
      else
        refusals[reduce] = why;
    } else if (isRowWise(&op) && llvm::any_of(op.getOperands(), [&](Value operand) {
                 return operand.getDefiningOp() &&
                        local.contains(operand.getDefiningOp());
               })) {
      local.insert(&op);
    }
  }
  // From the last one on: what is taken out has users in front of it no more.
  SmallVector<Operation *> planned = llvm::to_vector(local);
  for (Operation *op : llvm::reverse(planned)) {
    if (!isWorthless(op))
      continue;
    local.remove(op);
    if (auto reduce = dyn_cast<AllReduceOp>(op))
      refusals[reduce] = "all of its rows are needed behind it";
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// @rank_index, of which rank r has [r]; made when it is first asked for.
class RankIndex {
public:
  RankIndex(ModuleOp module, int64_t ranks) : symbols(module), ranks(ranks) {}
  Value read(OpBuilder &builder, Location loc);

private:
  SymbolTable symbols;
  int64_t ranks;
  WeightOp part;
};

class SequenceSplitter {
public:
  SequenceSplitter(func::FuncOp program, const SequencePlan &plan, RankIndex &index,
                   int64_t ranks)
      : program(program), plan(plan), index(index), ranks(ranks) {}
  void run();

private:
  Value scatter(AllReduceOp reduce);
  Value compute(Operation *op);
  Value localOf(Value value, OpBuilder &builder);
  Value wholeOf(Value value);
  Value placesOf(const SymbolicExpr &rows);

  func::FuncOp program;
  const SequencePlan &plan;
  RankIndex &index;
  int64_t ranks;
  llvm::MapVector<Value, Value> locals; ///< what has all rows, and a rank's rows of it
  DenseMap<Value, Value> wholes;        ///< behind a gather
  std::vector<std::pair<SymbolicExpr, Value>> places; ///< by number of rows
};
} // namespace

Value RankIndex::read(OpBuilder &builder, Location loc) {
  Type i64 = builder.getI64Type();
  if (!part) {
    auto all = RankedTensorType::get({ranks}, i64);
    WeightOp whole = createWeight(symbols, loc, "rank_index_whole", all);
    OpBuilder bake(getOrCreateBake(symbols).front().getTerminator());
    auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, ranks));
    Value constant = ConstantOp::create(
        bake, loc, DenseElementsAttr::get(all, ArrayRef<int64_t>(numbers)));
    SetWeightOp::create(bake, loc, FlatSymbolRefAttr::get(whole.getSymNameAttr()),
                        constant);
    part = createWeight(symbols, loc, "rank_index", RankedTensorType::get({1}, i64));
    setPart(part, {FlatSymbolRefAttr::get(whole.getSymNameAttr()), 0});
  }
  return GetWeightOp::create(builder, loc, part.getType(),
                             FlatSymbolRefAttr::get(part.getSymNameAttr()));
}

/// The numbers of a rank's rows, at the front of the program. Rows behind the last one
/// are that one again: nobody reads what is computed of them.
Value SequenceSplitter::placesOf(const SymbolicExpr &rows) {
  for (auto &[known, value] : places)
    if (known == rows)
      return value;
  OpBuilder builder(&program.front(), program.front().begin());
  Location loc = program.getLoc();
  SymbolicExpr part = rows.ceilDiv(ranks);
  auto number = [&](const SymbolicExpr &value) -> Value {
    return DimsOp::create(builder, loc, RankedTensorType::get({}, builder.getI64Type()),
                          makeShape(builder.getContext(), {value}));
  };
  auto binary = [&](BinaryKind kind, Value lhs, Value rhs) -> Value {
    return BinaryOp::create(builder, loc, kind, lhs, rhs);
  };
  Value counted =
      IotaOp::create(builder, loc, makeTensorType({part}, builder.getI64Type()),
                     builder.getI64IntegerAttr(0), builder.getF64FloatAttr(0),
                     builder.getF64FloatAttr(1));
  Value first = binary(BinaryKind::mul, index.read(builder, loc), number(part));
  Value place = binary(BinaryKind::min, binary(BinaryKind::add, first, counted),
                       number(rows - SymbolicExpr(1)));
  place = binary(BinaryKind::max, place, number(SymbolicExpr(0)));
  places.emplace_back(rows, place);
  return place;
}

/// With rows of zeros up to a multiple of the ranks.
Value SequenceSplitter::scatter(AllReduceOp reduce) {
  OpBuilder builder(reduce);
  Location loc = reduce.getLoc();
  Value operand = reduce.getInput();
  Dims dims = getDims(operand);
  SymbolicExpr rows = dims[kRowAxis];
  dims[kRowAxis] = rows.ceilDiv(ranks) * SymbolicExpr(ranks) - rows;
  if (!dims[kRowAxis].isConstant(0)) {
    Type element = elementTypeOf(operand);
    Value zeros = FillOp::create(builder, loc, makeTensorType(dims, element),
                                 cast<TypedAttr>(builder.getZeroAttr(element)));
    operand = ConcatOp::create(builder, loc, ValueRange{operand, zeros}, kRowAxis);
  }
  return ReduceScatterOp::create(builder, loc, ReduceKind::sum, operand, kRowAxis, ranks);
}

/// A rank's rows of an operand.
Value SequenceSplitter::localOf(Value value, OpBuilder &builder) {
  std::optional<int64_t> axis = rowAxisOf(value);
  if (!axis)
    return value;
  if (Value known = locals.lookup(value))
    return known;
  Value place = placesOf(getDims(value)[*axis]);
  return locals[value] =
             GatherOp::create(builder, value.getLoc(), value, place, uint64_t(*axis));
}

Value SequenceSplitter::compute(Operation *op) {
  OpBuilder builder(op);
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, localOf(operand, builder));
  Operation *copy = builder.clone(*op, operands);
  Dims dims = getDims(op->getResult(0));
  dims[kRowAxis] = dims[kRowAxis].ceilDiv(ranks);
  copy->getResult(0).setType(makeTensorType(dims, elementTypeOf(op->getResult(0))));
  return copy->getResult(0);
}

/// All rows of what a rank has its rows of, behind that.
Value SequenceSplitter::wholeOf(Value value) {
  Value &whole = wholes[value];
  if (whole)
    return whole;
  Value local = locals.lookup(value);
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(local);
  Location loc = value.getLoc();
  whole = AllGatherOp::create(builder, loc, local, uint64_t(kRowAxis), uint64_t(ranks));
  if (whole.getType() != value.getType())
    whole = SliceOp::create(builder, loc, value.getType(), whole,
                            makeShape(builder.getContext(), Dims(kRank, 0)),
                            builder.getDenseI64ArrayAttr(SmallVector<int64_t>(kRank, 1)));
  return whole;
}

void SequenceSplitter::run() {
  for (Operation *op : plan.local) {
    auto reduce = dyn_cast<AllReduceOp>(op);
    locals[op->getResult(0)] = reduce ? scatter(reduce) : compute(op);
  }
  for (Operation *op : plan.local)
    for (OpOperand &use : llvm::make_early_inc_range(op->getResult(0).getUses()))
      if (!plan.local.contains(use.getOwner()))
        use.set(wholeOf(op->getResult(0)));
  for (Operation *op : llvm::reverse(plan.local.getArrayRef()))
    op->erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void addTo(ShardReport &report, func::FuncOp program, const SequencePlan &plan) {
  auto add = [&](AllReduceOp reduce, const char *how, const std::string &why) {
    report.push_back({"sum", describe(reduce.getLoc()), how,
                      why.empty() ? why : "@" + program.getName().str() + ": " + why});
  };
  for (auto reduce : program.front().getOps<AllReduceOp>())
    if (plan.local.contains(reduce))
      add(reduce, ShardEntry::kSequence, "");
    else if (const auto *it = plan.refusals.find(reduce); it != plan.refusals.end())
      add(reduce, ShardEntry::kReplicated, it->second);
}

void kiln::shardSequence(ModuleOp module, ShardReport *report) {
  int64_t ranks = ranksOf(module);
  if (ranks == 1)
    return;
  RankIndex index(module, ranks);
  for (auto program : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (isBake(program) || !program.getBody().hasOneBlock())
      continue;
    SequencePlan plan(program, ranks);
    plan.run();
    for (auto &[reduce, why] : plan.refusals)
      remarkMissed(reduce, kPass, "shard-sequence", why);
    if (report)
      addTo(*report, program, plan);
    SequenceSplitter(program, plan, index, ranks).run();
  }
}

namespace {
class ShardSequencePass : public kiln::impl::ShardSequencePassBase<ShardSequencePass> {
public:
  ShardSequencePass() = default;
  explicit ShardSequencePass(ShardReport *report) : report(report) {}
  void runOnOperation() override { shardSequence(getOperation(), report); }

private:
  ShardReport *report = nullptr;
};
} // namespace

std::unique_ptr<Pass> kiln::createShardSequencePass(ShardReport *report) {
  return std::make_unique<ShardSequencePass>(report);
}
