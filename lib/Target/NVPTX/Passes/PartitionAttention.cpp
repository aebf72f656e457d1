//===- PartitionAttention.cpp - Pipelines the two MMAs of attention -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline of flash attention computes S = Q K, its softmax P, and O = scale(O) + P
// V. A step has three parts: S; the softmax, with everything that depends on S but not on
// O; and the rest. The parts are rotated so that S of a step and P V of the previous step
// are in flight together, and the softmax overlaps with P V (FlashAttention-3, section
// 3.2):
//
//     S(0), softmax(0), scale O
//     for k: issue S(k+1); issue P(k) V(k); wait for S(k+1); softmax(k+1);
//            wait for P(k) V(k); scale O
// P V of the last step
//
// Warpgroups alternate in issuing both MMAs (tile.wait_order), so that the softmax of one
// overlaps with the MMAs of the other (section 3.1).
//
// Between the two issues nothing may write registers that the MMAs read: ptxas would
// serialize them (its warning C7513). So O is complete and scaled, and P rounded and
// packed, before the next S is issued, and both are issued only after the MMA that reads
// the previous P is complete; the other warpgroup's MMAs fill the gap.
//
//===----------------------------------------------------------------------===//

#include "WarpPartition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

namespace kiln::nvptx {

class RotatedPipeline {
public:
  RotatedPipeline(WarpPartition &partition, WarpPartition::Cursors &cursors)
      : partition(partition), plan(partition.plan), b(partition.b), cursors(cursors),
        op(partition.plan.pipeline), compute(op.getCompute().front()) {}

  /// Returns false if the pipeline has another form; build() must not be called then.
  bool analyze();
  void build();

private:
  using Value = mlir::Value;
  using Values = llvm::SmallVector<Value>;
  using Cursor = WarpPartition::Cursor;

  /// Values that one step passes to the next: carried values except the result, operand A
  /// of the second MMA, and the accumulator that it adds to.
  struct State {
    Values carried;
    Value left, accumulator;
  };

  bool isFirst(const Product &product);
  void findRest();
  bool isSeparate(Operation *inner);
  Value issueFirst(const Cursor &cursor);
  Value issueSecond(const State &state, const Cursor &cursor);
  IRMapping softmax(Value position, Value scores, ValueRange carried);
  State finish(IRMapping &map, Value result);
  Value asPending(Value fragment);
  bool isOrdered();
  Values steps(Cursor &keys, Cursor &values);

  WarpPartition &partition;
  const PartitionPlan &plan;
  ImplicitLocOpBuilder &b;
  WarpPartition::Cursors &cursors;
  tile::PipelineOp op;
  Block &compute;

  tile::MmaOp first, second;
  unsigned keyChannel = 0, valueChannel = 0;
  unsigned resultNumber = 0; ///< index of O among the carried values
  llvm::SetVector<Operation *>
      rest;      ///< ops that depend on O, and their operands' broadcasts
  Value weights; ///< P; the rest rounds it to operand A of the second MMA
};

} // namespace kiln::nvptx

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

static unsigned firstCarried(tile::PipelineOp op) {
  return op.getCompute().front().getNumArguments() - op.getInits().size();
}

/// Returns true for the first MMA: its A operand and accumulator exist before the step
/// begins.
bool RotatedPipeline::isFirst(const Product &product) {
  tile::MmaOp mma = product.mmas.front();
  Operation *accumulator = mma.getAccumulator().getDefiningOp();
  return product.left && plan.channels[plan.operands[*product.left].channel].isOfTask &&
         product.mmas.size() == 1 && accumulator && accumulator->getBlock() != &compute;
}

/// Finds `rest`: the ops that depend on the previous O, and broadcasts and conversions
/// that only these use.
void RotatedPipeline::findRest() {
  Value result = compute.getArgument(firstCarried(op) + resultNumber);
  for (Operation &inner : compute.without_terminator()) {
    bool depends = false;
    inner.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        depends |= operand == result || rest.contains(operand.getDefiningOp());
    });
    if (depends)
      rest.insert(&inner);
  }
  llvm::SetVector<Operation *> all;
  for (Operation &inner : compute.without_terminator()) {
    bool isForRest = isa<tile::BroadcastOp, tile::ConvertOp>(inner) &&
                     llvm::all_of(inner.getUsers(), [&](Operation *user) {
                       return rest.contains(compute.findAncestorOpInBlock(*user));
                     });
    if (isForRest || rest.contains(&inner))
      all.insert(&inner);
  }
  rest = std::move(all);
}

/// Returns false if an op of the rest uses carried values other than O.
bool RotatedPipeline::isSeparate(Operation *inner) {
  bool valid = true;
  inner->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (argument && argument.getOwner() == &compute) {
        bool isStaged =
            argument.getArgNumber() > 0 && argument.getArgNumber() < firstCarried(op);
        bool isResult = argument.getArgNumber() == firstCarried(op) + resultNumber;
        valid &= isStaged || isResult;
      }
    }
  });
  return valid;
}

bool RotatedPipeline::analyze() {
  if (plan.products.size() != 2 || !isFirst(plan.products[0]) || plan.products[1].left ||
      plan.products[1].mmas.size() != 1)
    return false;
  first = plan.products[0].mmas.front();
  second = plan.products[1].mmas.front();
  keyChannel = plan.operands[plan.products[0].right].channel;
  valueChannel = plan.operands[plan.products[1].right].channel;
  auto yielded = compute.getTerminator()->getOperands();
  auto place = llvm::find(yielded, Value(second.getResult()));
  if (place == yielded.end())
    return false;
  resultNumber = std::distance(yielded.begin(), place);
  findRest();
  auto rounding = second.getLhs().getDefiningOp<tile::ConvertOp>();
  if (!rest.contains(second) || rest.contains(first) || !rounding ||
      !rest.contains(rounding))
    return false;
  weights = rounding->getOperand(0);
  for (auto [i, value] : llvm::enumerate(yielded))
    if (i != resultNumber && rest.contains(value.getDefiningOp()))
      return false;
  return llvm::all_of(rest, [&](Operation *inner) { return isSeparate(inner); });
}

//===----------------------------------------------------------------------===//
// Parts of a step
//===----------------------------------------------------------------------===//

Value RotatedPipeline::issueFirst(const Cursor &cursor) {
  partition.waitFull(keyChannel, cursor);
  WarpPartition::Cursors own = cursors;
  own[keyChannel] = cursor;
  return partition.issue(plan.products[0], {}, own, Value(first.getAccumulator()))
      .getResult(0);
}

Value RotatedPipeline::issueSecond(const State &state, const Cursor &cursor) {
  partition.waitFull(valueChannel, cursor);
  WarpPartition::Cursors own = cursors;
  own[valueChannel] = cursor;
  return partition.issue(plan.products[1], state.left, own, state.accumulator)
      .getResult(0);
}

/// Builds the softmax of the step at a position. Maps all values of the step except the
/// rest.
IRMapping RotatedPipeline::softmax(Value position, Value scores, ValueRange carried) {
  IRMapping map;
  map.map(compute.getArgument(0), position);
  map.map(Value(first.getResult()), scores);
  size_t next = 0;
  for (size_t i = 0; i < op.getInits().size(); ++i)
    if (i != resultNumber)
      map.map(compute.getArgument(firstCarried(op) + i), carried[next++]);
  for (Operation &inner : compute.without_terminator())
    if (!rest.contains(&inner) && &inner != first)
      b.clone(inner, map);
  return map;
}

/// Builds the rest of a step except its MMA, from the previous O.
RotatedPipeline::State RotatedPipeline::finish(IRMapping &map, Value result) {
  map.map(compute.getArgument(firstCarried(op) + resultNumber), result);
  for (Operation *inner : rest)
    if (inner != second)
      b.clone(*inner, map);
  State state;
  for (auto [i, value] : llvm::enumerate(compute.getTerminator()->getOperands()))
    if (i != resultNumber)
      state.carried.push_back(map.lookupOrDefault(value));
  state.left = partition.pack(map.lookupOrDefault(Value(second.getLhs())));
  state.accumulator = map.lookupOrDefault(Value(second.getAccumulator()));
  return state;
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

Value RotatedPipeline::asPending(Value fragment) {
  auto type = cast<tile::FragType>(fragment.getType());
  return tile::PendingOp::create(
      b, tile::PendingType::get(b.getContext(), type.getShape(), type.getElementType()),
      fragment);
}

/// Heads wider than this keep tensor cores busy in any order (FlashAttention-3's limit).
bool RotatedPipeline::isOrdered() {
  constexpr int64_t kWidestHead = 128;
  return plan.warpgroups > 1 && second.getType().getColumns() <= kWidestHead;
}

/// Builds all steps, of which there is at least one. Returns the final carried values.
RotatedPipeline::Values RotatedPipeline::steps(Cursor &keys, Cursor &values) {
  Values carried(op.getInits());
  Value init = carried[resultNumber];
  carried.erase(carried.begin() + resultNumber);
  auto takeFirst = [&](int64_t inFlight, Value issued) {
    Value scores = partition.waitMma(inFlight, issued).front();
    partition.release(keyChannel, keys.stage);
    keys = partition.advance(keys, plan.channels[keyChannel]);
    return scores;
  };
  auto takeSecond = [&](const State &state, Value issued, IRMapping *map) {
    // P of the next step is an operand of the wait: if it were rounded before, it would
    // overwrite the registers of the P that the MMA still reads.
    Values pending{issued};
    if (map)
      pending.push_back(asPending(map->lookup(weights)));
    Values complete = partition.waitMma(0, pending, state.left);
    if (map)
      map->map(weights, complete.back());
    partition.release(valueChannel, values.stage);
    values = partition.advance(values, plan.channels[valueChannel]);
    return complete.front();
  };
  IRMapping map = softmax(op.getLower(), takeFirst(0, issueFirst(keys)), carried);
  State state = finish(map, init);

  auto flat = [&](const State &state) {
    Values all(state.carried);
    all.append({state.left, state.accumulator, keys.stage, keys.parity, values.stage,
                values.parity});
    return all;
  };
  auto read = [&](ValueRange from) {
    ValueRange more = from.drop_front(carried.size());
    keys = {more[2], more[3]};
    values = {more[4], more[5]};
    return State{Values(from.take_front(carried.size())), more[0], more[1]};
  };
  Value last = arith::SubIOp::create(b, op.getUpper(), op.getStep());
  auto loop = scf::ForOp::create(b, op.getLower(), last, op.getStep(), flat(state));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    State before = read(loop.getRegionIterArgs());
    if (isOrdered())
      tile::WaitOrderOp::create(b);
    Value first = issueFirst(keys), second = issueSecond(before, values);
    if (isOrdered())
      tile::ArriveOrderOp::create(b);
    Value scores = takeFirst(1, first);
    Value position = arith::AddIOp::create(b, loop.getInductionVar(), op.getStep());
    IRMapping map = softmax(position, scores, before.carried);
    State after = finish(map, takeSecond(before, second, &map));
    scf::YieldOp::create(b, flat(after));
  }
  state = read(loop.getResults());
  Values all(state.carried);
  all.insert(all.begin() + resultNumber,
             takeSecond(state, issueSecond(state, values), nullptr));
  return all;
}

void RotatedPipeline::build() {
  Value any =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, op.getLower(), op.getUpper());
  Cursor keys = cursors[keyChannel], values = cursors[valueChannel];
  SmallVector<Type> types(op.getResultTypes());
  types.append(4, b.getI32Type());
  auto branch = scf::IfOp::create(b, types, any, /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    Values none(op.getInits());
    none.append({keys.stage, keys.parity, values.stage, values.parity});
    scf::YieldOp::create(b, none);
    b.setInsertionPointToStart(branch.thenBlock());
    Values all = steps(keys, values);
    all.append({keys.stage, keys.parity, values.stage, values.parity});
    scf::YieldOp::create(b, all);
  }
  ValueRange found = branch.getResults(), ends = found.take_back(4);
  cursors[keyChannel] = {ends[0], ends[1]};
  cursors[valueChannel] = {ends[2], ends[3]};
  op->replaceAllUsesWith(found.drop_back(4));
}

bool WarpPartition::consumeRotated(Cursors &cursors) {
  RotatedPipeline pipeline(*this, cursors);
  if (!pipeline.analyze())
    return false;
  pipeline.build();
  return true;
}
