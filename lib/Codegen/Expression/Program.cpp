//===- Program.cpp - Loop program of a kernel -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contiguity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace mlir;

/// Maximum nesting of selects. Each level multiplies the code: every operand is emitted
/// once for fragments inside it and once for those that cross a concatenation boundary.
static constexpr int kMostChoices = 3;

/// Returns the maximum of a sum of products of symbols, from the symbols' ranges; nullopt
/// for any other expression, or if a range is too large.
static std::optional<int64_t> boundOf(const SymbolicExpr &extent, ModuleOp module) {
  // Larger bounds count as unknown: no GPU keeps so many elements on chip.
  constexpr uint64_t kMost = uint64_t(1) << 20;
  bool isKnown = true;
  for (const SymbolicExpr::Term &term : extent.getTerms()) {
    isKnown &= term.coefficient > 0;
    for (const SymbolicExpr::Atom &factor : term.factors)
      isKnown &= factor.kind == SymbolicExpr::AtomKind::Symbol;
  }
  if (!isKnown)
    return std::nullopt;
  std::optional<int64_t> most = extent.evaluate([&](StringAttr name) {
    auto symbol = module ? module.lookupSymbol<SymbolOp>(name) : SymbolOp();
    isKnown &= symbol && symbol.getMax() <= kMost;
    return isKnown ? int64_t(symbol.getMax()) : 1;
  });
  return isKnown && most && *most <= int64_t(kMost) ? most : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

std::unique_ptr<Program> Program::build(KernelOp kernel, std::string &why, bool splits) {
  SmallVector<Operation *> heroes;
  for (Operation &op : kernel.getBlock())
    if (!reducedDims(&op).empty() && !op.use_empty())
      heroes.push_back(&op);
  std::unique_ptr<Program> program(new Program(kernel.getBlock()));
  splits &= heroes.empty();
  bool ok = heroes.empty() ? program->buildPointwise(kernel.getYielded(), splits)
                           : program->buildRows(kernel.getYielded(), heroes);
  if (!ok) {
    why = program->body.why;
    return nullptr;
  }
  return finish(std::move(program), kernel->getParentOfType<ModuleOp>(), why);
}

std::unique_ptr<Program> Program::buildResult(KernelOp kernel, unsigned result,
                                              std::string &why, bool splits) {
  std::unique_ptr<Program> program(new Program(kernel.getBlock()));
  if (!program->buildPointwise({kernel.getYielded()[result]}, splits)) {
    why = program->body.why;
    return nullptr;
  }
  for (Output &output : program->outputs)
    output.result = result;
  return finish(std::move(program), kernel->getParentOfType<ModuleOp>(), why);
}

std::unique_ptr<Program> Program::finish(std::unique_ptr<Program> program,
                                         ModuleOp module, std::string &why) {
  if (program->choiceDepth() > kMostChoices) {
    why = "concatenations stand inside of each other";
    return nullptr;
  }
  vectorizeContiguousLoop(*program);
  program->simplify();
  const Loop *vector = program->vectorLoop();
  program->mostInner = boundOf(vector ? vector->extent : SymbolicExpr(1), module);
  program->mostDepth = boundOf(extentOf(program->reduced), module);
  return program;
}

SymbolicExpr kiln::codegen::extentOf(ArrayRef<Loop> loops) {
  SymbolicExpr product = 1;
  for (const Loop &loop : loops)
    product *= loop.extent;
  return product;
}

bool Program::addOutputs(ValueRange values, ArrayRef<SymbolicExpr> indices,
                         ArrayRef<SymbolicExpr> dims) {
  for (auto [i, value] : llvm::enumerate(values)) {
    if (ArrayRef<SymbolicExpr>(getDims(value)) != dims) {
      body.why = "result " + std::to_string(i) + " has dims " +
                 printDims(getDims(value)) + " where the kernel's loops run over " +
                 printDims(dims);
      return false;
    }
    Node *node = body.pull(value, indices);
    if (!node)
      return false;
    outputs.push_back({node, unsigned(i), IndexVars::linearize(indices, dims)});
  }
  return true;
}

SymbolicExpr kiln::codegen::indexOf(const Loop &loop) {
  return loop.extent.isConstant(1) ? SymbolicExpr(0) : SymbolicExpr::symbol(loop.var);
}

SymbolicExpr Program::addLoop(std::vector<Loop> &loops, const SymbolicExpr &extent) {
  // A dim of one element has index 0, like one that is broadcast.
  if (extent.isConstant(1))
    return 0;
  loops.push_back({body.vars.addLoop(extent), extent});
  return SymbolicExpr::symbol(loops.back().var);
}

// Minimum number of contiguous elements; shorter ones cost more than scalar loads.
static constexpr int64_t kLeastLine = 8;

/// Returns the value before reshapes at the end of a kernel. They only rename elements,
/// and without them the indices have no floordiv.
static Value behindReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    Dims before = getDims(reshape.getInput());
    if (before.empty() || before.back().getConstant().value_or(kLeastLine) < kLeastLine)
      break;
    value = reshape.getInput();
  }
  return value;
}

bool Program::refine(SmallVectorImpl<SymbolicExpr> &factors) const {
  std::vector<Node *> loads;
  body.walk(roots(), [&](Node *node) {
    if (node->kind == Node::Kind::Load)
      loads.push_back(node);
  });
  size_t next = parallel.size();
  for (size_t i = factors.size(); i-- > 0;) {
    if (factors[i].isConstant(1))
      continue;
    const Loop &loop = parallel[--next];
    for (Node *load : loads) {
      auto divisor = findDivisor(load->index, loop.var);
      auto rest = divisor ? factors[i].exactDiv(*divisor) : std::nullopt;
      bool isLast = i + 1 == factors.size();
      bool isLong =
          !isLast || (divisor && divisor->getConstant().value_or(0) >= kLeastLine);
      if (!rest || rest->isConstant(1) || divisor->isConstant(1) || !isLong)
        continue;
      factors[i] = *divisor;
      factors.insert(factors.begin() + i, *rest);
      return true;
    }
  }
  return false;
}

/// Returns the ropes that the values depend on.
static SmallVector<RopeOp> ropesOf(ArrayRef<Value> values) {
  llvm::SetVector<Value> seen(values.begin(), values.end());
  SmallVector<RopeOp> ropes;
  for (size_t i = 0; i < seen.size(); ++i)
    if (Operation *op = seen[i].getDefiningOp()) {
      seen.insert(op->operand_begin(), op->operand_end());
      if (auto rope = dyn_cast<RopeOp>(op))
        ropes.push_back(rope);
    }
  return ropes;
}

/// Returns the parts of the last dim of a rope, each with one element per pair: first and
/// second elements of pairs, then elements that are not rotated, if these fill parts of
/// that length. The loop runs along pairs, so that each position computes both elements
/// of a pair from the same loads. Empty if there is no rope along the last dim.
static std::vector<LastDimPart> rotatedParts(ArrayRef<Value> values, const Dims &dims) {
  constexpr int64_t kMaxParts = 8;
  for (RopeOp rope : ropesOf(values)) {
    auto width = getDims(rope.getInput()).back().getConstant();
    auto pairs = getDims(rope.getCosine()).back().getConstant();
    if (!width || !pairs || dims.empty() || !dims.back().isConstant(*width) ||
        *width % *pairs || *width / *pairs > kMaxParts)
      continue;
    bool interleaved = rope.getInterleaved();
    std::vector<LastDimPart> parts;
    for (int64_t i = 0; i < *width / *pairs; ++i)
      parts.push_back(interleaved && i < 2 ? LastDimPart{*pairs, i, 2}
                                           : LastDimPart{*pairs, i * *pairs, 1});
    return parts;
  }
  return {};
}

bool Program::buildRotated(ValueRange values, const Dims &dims,
                           ArrayRef<LastDimPart> parts) {
  Indices indices;
  for (const SymbolicExpr &dim : ArrayRef<SymbolicExpr>(dims).drop_back())
    indices.push_back(addLoop(parallel, dim));
  SymbolicExpr along = addLoop(parallel, parts.front().length);
  for (const LastDimPart &part : parts) {
    Indices own = indices;
    own.push_back(part.at(along));
    if (!addOutputs(values, own, dims))
      return false;
  }
  return true;
}

bool Program::buildPointwise(SmallVector<Value> values, bool splits) {
  constexpr size_t kMostFactors = 6;
  if (values.size() == 1)
    if (auto write = values.front().getDefiningOp<KvWriteOp>())
      return buildKvWrite(write);
  if (values.size() == 1)
    values.front() = behindReshapes(values.front());
  Dims dims = getDims(values.front());
  if (auto parts = rotatedParts(values, dims); !parts.empty())
    return buildRotated(values, dims, parts);
  SmallVector<SymbolicExpr> factors;
  if (!dims.empty())
    factors.push_back(dims.back());
  while (true) {
    Indices indices, last;
    for (const SymbolicExpr &dim : ArrayRef<SymbolicExpr>(dims).take_front(
             dims.size() - std::min<size_t>(dims.size(), 1)))
      indices.push_back(addLoop(parallel, dim));
    for (const SymbolicExpr &factor : factors)
      last.push_back(addLoop(parallel, factor));
    if (!dims.empty())
      indices.push_back(IndexVars::linearize(last, factors));
    if (!addOutputs(values, indices, dims))
      return false;
    if (factors.size() == kMostFactors || !refine(factors))
      return true;
    dividesLastDim = true;
    if (!splits)
      return true;
    parallel.clear();
    outputs.clear();
  }
}

static Value zeroLike(OpBuilder &b, Location loc, Value value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(value.getType(), 0));
}

static Value widened(OpBuilder &b, Location loc, Value value) {
  Type wide = b.getI64Type();
  return value.getType() == wide ? value : arith::ExtSIOp::create(b, loc, wide, value);
}

/// Returns the position start + i of row i.
static Node *positionOf(Body &body, Node *start, const SymbolicExpr &row) {
  Type wide = IntegerType::get(start->type.getContext(), 64);
  return body.compute(
      wide, {start, body.indexValue(wide, row)},
      [](OpBuilder &b, Location loc, ValueRange values) -> Value {
        return arith::AddIOp::create(b, loc, widened(b, loc, values[0]), values[1]);
      },
      /*cost=*/2);
}

/// Returns whether row i is written: i < count, and position start + i is within the
/// capacity; a rolling buffer accepts any non-negative start.
static Node *isWritten(Body &body, const SymbolicExpr &row, Node *start, Node *count,
                       const SymbolicExpr &capacity, bool rolling) {
  auto *context = start->type.getContext();
  Type wide = IntegerType::get(context, 64);
  return body.compute(
      IntegerType::get(context, 1),
      {body.indexValue(wide, row), start, count, body.indexValue(wide, capacity)},
      [rolling](OpBuilder &b, Location loc, ValueRange values) -> Value {
        Value start = widened(b, loc, values[1]), count = widened(b, loc, values[2]);
        auto below = [&](arith::CmpIPredicate less, Value lhs, Value rhs) -> Value {
          return arith::CmpIOp::create(b, loc, less, lhs, rhs);
        };
        Value isRow = below(arith::CmpIPredicate::slt, values[0], count);
        if (rolling) {
          Value isPosition =
              below(arith::CmpIPredicate::sle, zeroLike(b, loc, start), start);
          return arith::AndIOp::create(b, loc, isRow, isPosition);
        }
        // The unsigned comparison rejects negative positions too.
        Value position = arith::AddIOp::create(b, loc, start, values[0]);
        Value isInside = below(arith::CmpIPredicate::ult, position, values[3]);
        return arith::AndIOp::create(b, loc, isRow, isInside);
      },
      /*cost=*/6);
}

/// Returns the row of a rolling buffer for a position, position mod rows; negative
/// positions, which are not written, give row 0.
static Node *rolledRow(Body &body, Node *position, const SymbolicExpr &rows) {
  return body.compute(
      position->type, {position, body.indexValue(position->type, rows)},
      [](OpBuilder &b, Location loc, ValueRange values) -> Value {
        Value known =
            arith::MaxSIOp::create(b, loc, values[0], zeroLike(b, loc, values[0]));
        return arith::RemUIOp::create(b, loc, known, values[1]);
      },
      /*cost=*/8);
}

bool Program::buildKvWrite(KvWriteOp op) {
  // Rows that are not written must keep their contents in the state's memory.
  if (!isa<BlockArgument>(op.getState())) {
    body.why = "the state that rows are written to is computed in the kernel";
    return false;
  }
  Dims rows = getDims(op.getRows()), state = getDims(op.getState());
  int64_t axis = op.getAxis();
  // Rows have one element each, as scales of a quantized cache do.
  bool areElements = axis + 1 == int64_t(rows.size());
  Indices indices;
  for (const SymbolicExpr &dim :
       ArrayRef<SymbolicExpr>(rows).drop_back(areElements ? 0 : 1))
    indices.push_back(addLoop(parallel, dim));
  auto parts = rotatedParts(op.getRows(), rows);
  if (areElements)
    parts = {{SymbolicExpr(1), 0, 1}};
  else if (parts.empty())
    parts = {{rows.back(), 0, 1}};
  // The condition is evaluated once for all lanes but differs between rows; so lanes run
  // along the elements of a row, even if there is only one.
  parallel.push_back({body.vars.addLoop(parts.front().length), parts.front().length});
  SymbolicExpr along = SymbolicExpr::symbol(parallel.back().var);
  if (!areElements)
    indices.push_back(along);
  Node *start = body.pull(op.getStarts(), {indices[0]});
  Node *count = start ? body.pull(op.getCounts(), {indices[0]}) : nullptr;
  if (!count)
    return false;
  const SymbolicExpr &capacity = state[axis];
  Node *condition =
      isWritten(body, indices[axis], start, count, capacity, op.isRolling());
  // For a rolling buffer, this is the row of the first position, to which the row index
  // is added below.
  Node *known = op.isRolling() ? rolledRow(body, start, capacity)
                               : positionOf(body, start, indices[axis]);
  for (const LastDimPart &part : parts) {
    if (!areElements)
      indices.back() = part.at(along);
    Node *value = body.pull(op.getRows(), indices);
    if (!value)
      return false;
    Indices place = indices;
    place[axis] = SymbolicExpr::symbol(body.dataVariable(known, capacity));
    if (op.isRolling())
      place[axis] = (place[axis] + indices[axis]).mod(capacity);
    if (areElements)
      place[axis] = place[axis] + along;
    outputs.push_back({value, 0, IndexVars::linearize(place, state), condition});
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Returns true if some load of the term moves along the loop, and all that do move by 1
/// to kMostStride elements.
static bool readsNearby(const Program &program, const Node *term, const Loop &loop) {
  constexpr int64_t kMostStride = 8;
  bool isNear = true, moves = false;
  program.body.walk(const_cast<Node *>(term), [&](Node *node) {
    if (node->kind != Node::Kind::Load || !mentions(node->index, loop.var))
      return;
    auto step = coefficientOf(node->index, loop.var);
    auto apart = step ? step->getConstant() : std::nullopt;
    isNear &= apart && *apart > 0 && *apart <= kMostStride && !followsData(program, node);
    moves = true;
  });
  return isNear && moves;
}

void kiln::codegen::vectorizeWindows(Program &program) {
  constexpr int64_t kMostWindow = 16, kLeastColumns = 8;
  bool isPlain = program.vectorIsReduced && program.passes.size() == 1 &&
                 !program.outputsWholeRows && !program.parallel.empty();
  if (!isPlain)
    return;
  const Loop &columns = program.parallel.back();
  auto window = program.reduced.back().extent.getConstant();
  auto length = columns.extent.getConstant();
  if (!window || *window > kMostWindow || (length && *length < kLeastColumns))
    return;
  for (const Output &output : program.outputs) {
    auto step = coefficientOf(output.address, columns.var);
    if (!step || !step->isConstant(1))
      return;
  }
  if (readsNearby(program, program.passes.front().reduction.term, columns))
    program.vectorIsReduced = false;
}

const Loop *kiln::codegen::positionLoop(const Program &program) {
  constexpr int64_t kMostDepth = 4096;
  auto depth = extentOf(program.reduced).getConstant();
  bool isPlain = !program.vectorIsReduced && program.passes.size() == 1 &&
                 !program.outputsWholeRows && !program.passes.front().stage;
  if (!isPlain || !depth || *depth < 1 || *depth > kMostDepth ||
      program.parallel.size() < 2)
    return nullptr;
  return &program.parallel[program.parallel.size() - 2];
}

SmallVector<Node *> kiln::codegen::commonLoads(const Program &program,
                                               const Loop &positions) {
  const Loop *vector = program.vectorLoop();
  return llvm::filter_to_vector(
      unconditionalLoads(program.passes.front().reduction.term), [&](Node *load) {
        return vector && mentions(load->index, vector->var) &&
               !mentions(load->index, positions.var) && !followsData(program, load);
      });
}

//===----------------------------------------------------------------------===//
// Simplifying the iteration space
//===----------------------------------------------------------------------===//

SmallVector<Node *> Program::roots() const {
  SmallVector<Node *> roots;
  for (const Pass &pass : passes) {
    roots.push_back(pass.reduction.term);
    if (pass.stage)
      roots.push_back(pass.stage);
    for (auto [bound, value] : pass.finals)
      roots.push_back(value);
  }
  for (const Output &output : outputs) {
    roots.push_back(output.value);
    if (output.condition)
      roots.push_back(output.condition);
  }
  return roots;
}

const Loop *Program::vectorLoop() const {
  const std::vector<Loop> &loops = vectorIsReduced ? reduced : parallel;
  return loops.empty() ? nullptr : &loops.back();
}

int Program::choiceDepth() const {
  llvm::DenseMap<Node *, int> depth;
  int most = 0;
  body.walk(roots(), [&](Node *node) {
    int own = 0;
    for (Node *operand : node->operands)
      own = std::max(own, depth.lookup(operand));
    for (StringAttr name : node->index.getSymbols())
      if (Node *source = body.dataNode(name))
        own = std::max(own, depth.lookup(source));
    depth[node] = own + (node->kind == Node::Kind::Choose);
    most = std::max(most, depth[node]);
  });
  return most;
}

llvm::DenseSet<Node *> Program::perElement() const {
  llvm::DenseSet<Node *> varying;
  const Loop *loop = vectorLoop();
  body.walk(roots(), [&](Node *node) {
    bool differs =
        llvm::any_of(node->operands, [&](Node *n) { return varying.contains(n); });
    for (StringAttr name : node->index.getSymbols())
      differs |= (loop && name == loop->var) || varying.contains(body.dataNode(name));
    if (differs)
      varying.insert(node);
  });
  return varying;
}

void Program::substitute(StringAttr name, const SymbolicExpr &by) {
  body.substitute(name, by);
  for (Output &output : outputs)
    output.address = replace(output.address, name, by);
}

/// Returns true if a step of the outer loop moves the index as far as the full inner
/// loop, so that the two loops can be merged.
static bool movesAlike(const SymbolicExpr &index, const Loop &outer, const Loop &inner) {
  auto slow = coefficientOf(index, outer.var), fast = coefficientOf(index, inner.var);
  return slow && fast && *slow == *fast * inner.extent;
}

bool Program::canMerge(const Loop &outer, const Loop &inner) const {
  bool ok = true;
  body.walk(roots(), [&](Node *node) { ok &= movesAlike(node->index, outer, inner); });
  for (const Output &output : outputs)
    ok &= movesAlike(output.address, outer, inner);
  return ok;
}

void Program::simplify(std::vector<Loop> &loops) {
  for (size_t i = loops.size(); i-- > 1;) {
    if (!canMerge(loops[i - 1], loops[i]))
      continue;
    // The inner variable counts the positions of the merged loop.
    substitute(loops[i - 1].var, SymbolicExpr(0));
    loops[i].extent = loops[i - 1].extent * loops[i].extent;
    loops.erase(loops.begin() + i - 1);
  }
}

void Program::simplify() {
  simplify(parallel);
  simplify(reduced);
}
