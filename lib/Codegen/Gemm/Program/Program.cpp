//===- Program.cpp - Program of a GEMM kernel -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "ColumnHalves.h"
#include "lib/Codegen/Blocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Loop extents of the result's dims: one list per leading dim and one for the columns,
/// outermost first. Addresses behind reshapes are linear only if the dims that a reshape
/// splits or joins have loop variables of their own.
struct GemmProgram::Factors {
  std::vector<std::vector<SymbolicExpr>> leading;
  std::vector<SymbolicExpr> columns;
};

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

SymbolicExpr GemmProgram::panelCount() const {
  SymbolicExpr count = panel.extent;
  for (const Loop &outer : columnOuter)
    count *= outer.extent;
  return count;
}

bool GemmProgram::hasPartialPanel() const {
  auto columns = columnsInner.getConstant();
  return !columns || *columns % width != 0;
}

bool GemmProgram::loadsRhsDirectly() const {
  auto step = coefficientOf(rhs->index, lane.var);
  return step && step->isConstant(1) && (isPacked || !hasPartialPanel());
}

std::optional<tile::DotProduct> GemmProgram::dotProduct(const TargetInfo &target) const {
  if (scaled || rhsBytes || rhsScales || !lhs->storage.isBF16() ||
      !rhs->storage.isBF16() || !accumulator.isF32() || width != kTileRegisterColumns)
    return std::nullopt;
  return bf16DotProduct(target);
}

bool GemmProgram::fitsTensorCores() const {
  Type operand = lhs->storage;
  bool isHalf = operand.isF16() || operand.isBF16();
  bool isTF32 = operand.isF32() && op.getTf32();
  bool fits = operand == rhs->storage ? isHalf || isTF32 : isTF32 && rhsBytes;
  return fits && accumulator.isF32();
}

int GemmProgram::epilogueCost() const {
  int cost = 0;
  walkEpilogue([&](Node *node) { cost += node->cost; });
  return cost;
}

GemmProblem::Deal GemmProgram::deal() const {
  auto isAlongDepth = [&](const Node *operand) {
    return coefficientOf(operand->index, k.var)->isConstant(1);
  };
  bool columns = isAlongDepth(rhs);
  return {columns, columns && isAlongDepth(lhs)};
}

int64_t kiln::codegen::alignedRun(const SymbolicExpr &address, StringAttr along,
                                  int64_t max) {
  int64_t run = max;
  for (const SymbolicExpr::Term &term : address.getTerms()) {
    bool isAlong = term.factors.size() == 1 && term.coefficient == 1 &&
                   term.factors[0].kind == SymbolicExpr::AtomKind::Symbol &&
                   term.factors[0].symbol == along;
    if (!isAlong && term.coefficient != 0)
      run = std::min(run, term.coefficient & -term.coefficient);
  }
  return run;
}

int64_t GemmProgram::resultRun(int64_t max) const {
  int64_t run = max;
  auto limit = [&](const SymbolicExpr &address) {
    auto step = coefficientOf(address, resultLane.var);
    if (step && step->isConstant(1))
      run = alignedRun(address, resultLane.var, run);
  };
  for (const Output &output : outputs)
    limit(output.address);
  walkEpilogue([&](Node *node) {
    if (node->kind == Node::Kind::Load)
      limit(node->index);
  });
  return run;
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

static ProductOp findProduct(graph::KernelOp kernel, std::string &why) {
  ProductOp found;
  for (Operation &op : kernel.getBlock())
    if (ProductOp product = ProductOp::of(&op)) {
      if (found)
        why = "the kernel has more than one matmul";
      found = product;
    }
  if (!found)
    why = "the kernel has no matmul";
  return why.empty() ? found : ProductOp();
}

/// Returns the accumulator's type; f16 and bf16 accumulate in f32.
static Type accumulatorOf(ProductOp op) {
  return computeType(cast<RankedTensorType>(op.getResult().getType()).getElementType());
}

/// Returns the unpack op of a packed weight, behind casts, which keep its padded panels.
static graph::UnpackOp unpackOf(Value rhs) {
  if (auto weight = graph::BlockScaledWeight::of(rhs))
    rhs = weight->numbers;
  while (auto cast = rhs.getDefiningOp<graph::CastOp>())
    rhs = cast.getInput();
  return rhs.getDefiningOp<graph::UnpackOp>();
}

/// Returns the indices of an operand, with the result's leading indices broadcast to it.
static Indices operandIndices(ArrayRef<SymbolicExpr> leading, Value operand,
                              SymbolicExpr first, SymbolicExpr second, bool transposed) {
  graph::Dims dims = graph::getDims(operand);
  size_t own = dims.size() - 2;
  Indices indices = broadcastPlaces(leading.take_back(own),
                                    ArrayRef<SymbolicExpr>(dims).take_front(own));
  indices.push_back(transposed ? second : first);
  indices.push_back(transposed ? first : second);
  return indices;
}

bool GemmProgram::analyze(graph::KernelOp kernel, const Factors &factors) {
  Indices leading;
  for (const std::vector<SymbolicExpr> &extents : factors.leading) {
    SymbolicExpr index;
    for (const SymbolicExpr &extent : extents) {
      Loop loop{body.vars.addLoop(extent), extent};
      batch.push_back(loop);
      index = index * extent +
              (extent.isConstant(1) ? SymbolicExpr(0) : SymbolicExpr::symbol(loop.var));
    }
    leading.push_back(index);
  }
  SymbolicExpr column;
  for (const SymbolicExpr &extent : ArrayRef<SymbolicExpr>(factors.columns).drop_back()) {
    columnOuter.push_back({body.vars.addLoop(extent), extent});
    column = column * extent + SymbolicExpr::symbol(columnOuter.back().var);
  }
  columnsInner = factors.columns.back();
  panel = {body.vars.addLoop(columnsInner.ceilDiv(width)), columnsInner.ceilDiv(width)};
  lane = {body.vars.addLoop(width), width};
  column = column * columnsInner + SymbolicExpr::symbol(panel.var) * SymbolicExpr(width) +
           SymbolicExpr::symbol(lane.var);
  graph::Dims lhsDims = graph::getDims(op.getLhs());
  SymbolicExpr steps = lhsDims[lhsDims.size() - (op.getTransposeA() ? 2 : 1)];
  k = {body.vars.addLoop(steps), steps};
  lhs = pullOperand(body, op.getLhs(),
                    operandIndices(ArrayRef<SymbolicExpr>(leading).drop_back(),
                                   op.getLhs(), leading.back(),
                                   SymbolicExpr::symbol(k.var), op.getTransposeA()),
                    "left");
  accumulator = accumulatorOf(op);
  if (!lhs || !(op.scaled() ? pullScaled(leading, column) : pullRhs(leading, column)))
    return false;
  product = body.bound(accumulator);
  return columnHalvesOf(op.getResult()) ? defineHalves(kernel, leading, column)
                                        : defineProduct(kernel, leading, column);
}

bool GemmProgram::pullRhs(ArrayRef<SymbolicExpr> leading, const SymbolicExpr &column) {
  Value operand = op.matmul().getRhs();
  if (auto weight = graph::BlockScaledWeight::of(operand))
    return pullBlockScaled(*weight, column);
  if (auto cast = operand.getDefiningOp<graph::CastOp>();
      cast && cast->hasAttr(graph::kInKernelAttr)) {
    operand = cast.getInput();
    rhsBytes = getElementTypeOrSelf(operand);
  }
  rhs =
      pullOperand(body, operand,
                  operandIndices(leading.drop_back(), operand,
                                 SymbolicExpr::symbol(k.var), column, op.getTransposeB()),
                  "right");
  return rhs;
}

/// Pulls a weight with scales per block. Both are packed in panels of the same width, so
/// that a row of a panel is one load of each.
bool GemmProgram::pullBlockScaled(graph::BlockScaledWeight weight,
                                  const SymbolicExpr &column) {
  Value numbers = weight.numbers.getInput();
  rhsBytes = getElementTypeOrSelf(numbers);
  SymbolicExpr blocks = *k.extent.exactDiv(SymbolicExpr(weight.block));
  BlockScales own{weight.block, {body.vars.addLoop(blocks), blocks}, nullptr};
  rhs = pullOperand(body, numbers, {SymbolicExpr::symbol(k.var), column}, "right");
  own.scales = pullOperand(body, weight.scales.getInput(),
                           {SymbolicExpr::symbol(own.step.var), column}, "right scale");
  if (!isPacked || op.getTransposeB())
    body.why = "a weight with scales per block is not packed";
  rhsScales = own;
  return rhs && own.scales && body.why.empty();
}

TypeAttr GemmProgram::ScaledOperands::scaleBytes() const {
  Type scale = rhs.getScale();
  return scale && graph::isNarrow(scale) ? TypeAttr::get(scale) : TypeAttr();
}

/// Pulls the operands of a graph.scaled_matmul: the weight by words of 32 bits along K,
/// scales and zero points by block.
bool GemmProgram::pullScaled(ArrayRef<SymbolicExpr> leading, const SymbolicExpr &column) {
  graph::ScaledMatmulOp from = op.scaled();
  ScaledOperands operands{from.getInputFormat(), from.getWeightFormat(),
                          from.getAccumulation(), from.getAccumulatedSteps()};
  SymbolicExpr words = *k.extent.exactDiv(SymbolicExpr(from.getStepsPerWord())),
               blocks = *k.extent.exactDiv(SymbolicExpr(operands.block));
  operands.wordStep = {body.vars.addLoop(words), words};
  operands.blockStep = {body.vars.addLoop(blocks), blocks};
  auto [number, at] = body.vars.divMod(column, SymbolicExpr(width));
  SymbolicExpr word = SymbolicExpr::symbol(operands.wordStep.var),
               block = SymbolicExpr::symbol(operands.blockStep.var);
  rhs = pullOperand(body, from.getWeight(), {number, word, at, SymbolicExpr(0)}, "right");
  bool isComplete = rhs != nullptr;
  auto pull = [&](Node *&into, Value value, const Indices &indices, StringRef name) {
    if (value)
      into = pullOperand(body, value, indices, name);
    isComplete &= !value || into;
  };
  Indices row(leading), ofScale{number, block, at};
  row.push_back(block * SymbolicExpr(operands.scalesPerBlock()));
  if (from.isFourByFour())
    ofScale.push_back(SymbolicExpr(0));
  pull(operands.lhsScales, from.getScales(), row, "left scale");
  pull(operands.lhsTotals, from.getTotals(), row, "left total");
  pull(operands.rhsScales, from.getWeightScales(), ofScale, "right scale");
  pull(operands.rhsZeros, from.getWeightZeros(), {number, block, at}, "zero point");
  scaled = operands;
  return isComplete && checkScaled();
}

/// tile.scaled_mma loads several quantized values, and the scales of all columns, at
/// once.
bool GemmProgram::checkScaled() {
  auto isContiguous = [](const Node *node, StringAttr along, int64_t step) {
    auto stride = coefficientOf(node->index, along);
    return stride && stride->isConstant(step);
  };
  if (width != gemmPanelWidth(accumulator))
    body.why = "the panels of quantized weights are not " +
               std::to_string(gemmPanelWidth(accumulator)) + " columns wide";
  else if (!isContiguous(lhs, k.var, 1) || !isContiguous(rhs, lane.var, 4) ||
           (scaled->rhsScales &&
            !isContiguous(scaled->rhsScales, lane.var, scaled->scalesPerBlock())) ||
           (scaled->rhsZeros && !isContiguous(scaled->rhsZeros, lane.var, 1)) ||
           // Activations have a scale per block of K or, if they have block sums
           // (totals), one per row.
           (scaled->lhsScales &&
            !isContiguous(scaled->lhsScales, scaled->blockStep.var,
                          scaled->scalesPerBlock()) &&
            !(scaled->lhsTotals &&
              isContiguous(scaled->lhsScales, scaled->blockStep.var, 0))) ||
           (scaled->lhsTotals &&
            !isContiguous(scaled->lhsTotals, scaled->blockStep.var, 1)))
    body.why = "the codes or scales of quantized operands are not contiguous";
  return body.why.empty();
}

Node *GemmProgram::scaledByRow(Node *accumulator, const Indices &leading) {
  if (!scaled || !scaled->lhs.getPerRow())
    return accumulator;
  Indices row(leading);
  row.push_back(SymbolicExpr(0));
  Node *scale = body.pull(op.scaled().getRowScales(), row);
  if (!scale)
    return nullptr;
  auto multiply = [](OpBuilder &b, Location loc, ValueRange x) -> Value {
    return arith::MulFOp::create(b, loc, x[0], x[1]);
  };
  return body.compute(accumulator->type, {accumulator, scale}, multiply, /*cost=*/1);
}

bool GemmProgram::defineProduct(graph::KernelOp kernel, Indices leading,
                                const SymbolicExpr &column) {
  resultLane = lane;
  // Elementwise ops expect index 0 in a dim of one element.
  bool oneColumn = graph::getDims(op.getResult()).back().isConstant(1);
  Node *value = scaledByRow(product, leading);
  leading.push_back(oneColumn ? SymbolicExpr(0) : column);
  body.define(op.getResult(), leading, value);
  return value && placeOutputs(kernel, op.getResult(), leading);
}

bool GemmProgram::defineHalves(graph::KernelOp kernel, Indices leading,
                               const SymbolicExpr &column) {
  ColumnHalves halves = *columnHalvesOf(op.getResult());
  SymbolicExpr first = column - SymbolicExpr::symbol(lane.var);
  std::optional<SymbolicExpr> result = first.exactDiv(SymbolicExpr(2));
  if (width != 2 * halves.block || hasPartialPanel() || !result) {
    body.why = "the halves of the columns are not those of whole panels";
    return false;
  }
  second = body.bound(accumulator);
  resultLane = {body.vars.addLoop(halves.block), halves.block};
  SymbolicExpr at = SymbolicExpr::symbol(resultLane.var);
  Node *one = scaledByRow(product, leading), *other = scaledByRow(second, leading);
  leading.push_back(first + at);
  body.define(op.getResult(), leading, one);
  leading.back() = first + at + SymbolicExpr(halves.block);
  body.define(op.getResult(), leading, other);
  leading.back() = *result + at;
  return one && other && placeOutputs(kernel, halves.first, leading);
}

bool GemmProgram::placeOutputs(graph::KernelOp kernel, Value from,
                               const Indices &indices) {
  for (auto [i, value] : llvm::enumerate(kernel.getYielded())) {
    std::optional<Indices> at = forwardIndices(body, from, indices, value, body.why);
    if (!at)
      return false;
    outputs.push_back(
        {nullptr, unsigned(i), IndexVars::linearize(*at, graph::getDims(value))});
    outputIndices.push_back(*at);
  }
  return true;
}

/// Pulls the outputs. Runs after refine() has removed all floordivs: only then are the
/// indices that pull() computes through the views those of the result again.
bool GemmProgram::pullOutputs(graph::KernelOp kernel) {
  for (auto [value, at, output] :
       llvm::zip(kernel.getYielded(), outputIndices, outputs)) {
    output.value = body.pull(value, at);
    if (!output.value)
      return false;
  }
  return true;
}

void GemmProgram::walkEpilogue(function_ref<void(Node *)> visit) const {
  SmallVector<Node *> roots;
  for (const Output &output : outputs)
    if (output.value)
      roots.push_back(output.value);
  body.walk(roots, visit);
}

std::vector<SymbolicExpr> GemmProgram::addresses() const {
  std::vector<SymbolicExpr> all{lhs->index, rhs->index};
  if (rhsScales)
    all.push_back(rhsScales->scales->index);
  if (scaled)
    for (Node *node :
         {scaled->lhsScales, scaled->lhsTotals, scaled->rhsScales, scaled->rhsZeros})
      if (node)
        all.push_back(node->index);
  for (const Output &output : outputs)
    all.push_back(output.address);
  return all;
}

/// Operands and results must be strided along every loop; other loads of the epilogue may
/// have any address.
bool GemmProgram::checkAddresses() {
  SmallVector<StringAttr> names{panel.var, lane.var, resultLane.var, k.var};
  for (ArrayRef<Loop> loops : {ArrayRef<Loop>(batch), ArrayRef<Loop>(columnOuter)})
    for (const Loop &loop : loops)
      names.push_back(loop.var);
  for (const SymbolicExpr &address : addresses())
    for (StringAttr name : names)
      if (!coefficientOf(address, name)) {
        body.why = "a view of an operand or a result is not strided: " + address.str();
        return false;
      }
  // A row of a panel's scales must be one load.
  if (rhsScales && !(coefficientOf(rhsScales->scales->index, lane.var)->isConstant(1) &&
                     coefficientOf(rhsScales->scales->index, rhsScales->step.var) &&
                     loadsRhsDirectly())) {
    body.why = "the scales of a weight's blocks are not packed as the weight is";
    return false;
  }
  return true;
}

/// Splits a dim in whose index there is a floordiv, by the divisor.
bool GemmProgram::refine(Factors &factors) const {
  std::vector<SymbolicExpr> all = addresses();
  walkEpilogue([&](Node *node) { all.push_back(node->index); });
  auto divisorOf = [&](StringAttr name) -> std::optional<SymbolicExpr> {
    for (const SymbolicExpr &address : all)
      if (auto divisor = findDivisor(address, name))
        return divisor;
    return std::nullopt;
  };
  auto split = [&](std::vector<SymbolicExpr> &extents, size_t i,
                   const SymbolicExpr &divisor) -> bool {
    std::optional<SymbolicExpr> rest = extents[i].exactDiv(divisor);
    if (!rest || rest->isConstant(1) || divisor.isConstant(1))
      return false;
    extents[i] = divisor;
    extents.insert(extents.begin() + i, *rest);
    return true;
  };
  size_t next = 0;
  for (std::vector<SymbolicExpr> &extents : factors.leading)
    for (size_t i = 0; i < extents.size(); ++i, ++next)
      if (auto divisor = divisorOf(batch[next].var))
        return split(extents, i, *divisor);
  for (StringAttr name : {panel.var, lane.var})
    if (auto divisor = divisorOf(name)) {
      auto constant = divisor->getConstant();
      return constant && *constant % width == 0 &&
             split(factors.columns, factors.columns.size() - 1, *divisor);
    }
  return false;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns true if a step of the outer loop moves every address as far as the full inner
/// loop.
bool GemmProgram::canMerge(const Loop &outer, const Loop &inner) const {
  std::vector<SymbolicExpr> all = addresses();
  walkEpilogue([&](Node *node) { all.push_back(node->index); });
  return llvm::all_of(all, [&](const SymbolicExpr &address) {
    auto slow = coefficientOf(address, outer.var),
         fast = coefficientOf(address, inner.var);
    return slow && fast && *slow == *fast * inner.extent;
  });
}

/// Merges as many leading dims as possible into one loop of rows; the others remain batch
/// loops.
void GemmProgram::mergeRows() {
  llvm::erase_if(batch, [](const Loop &loop) { return loop.extent.isConstant(1); });
  for (size_t i = batch.size(); i-- > 1;) {
    Loop outer = batch[i - 1], inner = batch[i];
    if (!canMerge(outer, inner))
      continue;
    SymbolicExpr extent = outer.extent * inner.extent;
    Loop merged{body.vars.addLoop(extent), extent};
    auto substitute = [&](StringAttr name, const SymbolicExpr &by) {
      body.substitute(name, by);
      for (Output &output : outputs)
        output.address = replace(output.address, name, by);
    };
    substitute(outer.var, SymbolicExpr(0));
    substitute(inner.var, SymbolicExpr::symbol(merged.var));
    batch[i - 1] = merged;
    batch.erase(batch.begin() + i);
  }
  if (!batch.empty() && !mentions(rhs->index, batch.back().var)) {
    row = batch.back();
    batch.pop_back();
  } else {
    row = {body.vars.addLoop(1), 1};
  }
}

/// Returns true for types that matmuls on hosts support. Other types have their own
/// kernels.
static bool isMultiplied(Type element) {
  if (isa<FloatType>(element))
    return element.isF16() || element.isBF16() || element.isF32() || element.isF64();
  return element.isInteger() && element.getIntOrFloatBitWidth() % 8 == 0;
}

/// Returns the lanes of a tile for panels of `packed` columns: at most `limit`, or both
/// halves if the panels have two.
static int64_t lanesOf(ProductOp op, int64_t packed, int64_t limit) {
  auto halves = columnHalvesOf(op.getResult());
  int64_t lanes = std::min(packed, halves ? 2 * halves->block : limit);
  // If the columns do not fill the packed panels, a tile is an entire packed panel, so
  // that only the last tile is partial.
  auto columns = graph::getDims(op.getResult()).back().getConstant();
  return packed % lanes == 0 && columns && *columns % packed == 0 ? lanes : packed;
}

std::unique_ptr<GemmProgram> GemmProgram::build(graph::KernelOp kernel, Lanes lanes,
                                                std::string &why) {
  ProductOp op = findProduct(kernel, why);
  if (!op)
    return nullptr;
  std::optional<int64_t> packed;
  if (graph::MatmulOp matmul = op.matmul()) {
    for (Value operand : matmul->getOperands())
      if (!isMultiplied(getElementTypeOrSelf(operand.getType()))) {
        why = "no product of this element type is known on a host";
        return nullptr;
      }
    if (graph::UnpackOp unpack = unpackOf(matmul.getRhs()))
      packed = graph::getDims(unpack.getInput())[2].getConstant();
  } else {
    packed = op.scaled().getPanelWidth();
  }
  Factors factors;
  graph::Dims dims = graph::getDims(op.getResult());
  for (const SymbolicExpr &dim : ArrayRef<SymbolicExpr>(dims).drop_back())
    factors.leading.push_back({dim});
  factors.columns = {dims.back()};
  // Each round splits one dim, and a chain of views may need one round per view.
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    std::unique_ptr<GemmProgram> program(new GemmProgram(kernel.getBlock()));
    program->op = op;
    program->isPacked = packed.has_value();
    program->width = packed ? lanesOf(op, *packed, lanes.maxPacked) : lanes.unpacked;
    program->panelsPerPack = packed ? *packed / program->width : 1;
    if (!program->analyze(kernel, factors)) {
      why = program->body.why;
      return nullptr;
    }
    if (program->refine(factors))
      continue;
    bool pulled = program->pullOutputs(kernel);
    if (pulled && program->refine(factors))
      continue;
    if (!pulled || !program->checkAddresses()) {
      why = program->body.why;
      return nullptr;
    }
    program->mergeRows();
    // The epilogue of two halves accesses pairs of elements.
    if (program->second && program->resultRun(2) < 2) {
      why = "the halves of the columns are not aligned in pairs";
      return nullptr;
    }
    return program;
  }
  why = "the views around the matmul split its dims too often";
  return nullptr;
}
