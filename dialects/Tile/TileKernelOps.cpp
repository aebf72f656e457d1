//===- TileKernelOps.cpp - Kernels and pipelines -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kiln::tile;

int64_t kiln::tile::groupThreads(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op);
  int64_t threads =
      (kernel ? kernel : op->getParentOfType<KernelOp>()).getThreads().value_or(1);
  for (; !isa<KernelOp>(op); op = op->getParentOp())
    if (auto size = op->getAttrOfType<IntegerAttr>(kTeamAttr))
      return std::min(size.getInt(), threads);
  return threads;
}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     TypeRange operands, TypeRange results, ArrayRef<StringRef> symbols,
                     AffineMap grid, AffineMap scratch, StringRef hero) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.reads = builder.getI64IntegerAttr(operands.size());
  properties.symbols = builder.getStrArrayAttr(symbols);
  properties.grid = AffineMapAttr::get(grid);
  properties.scratch = AffineMapAttr::get(scratch);
  properties.hero = builder.getStringAttr(hero);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(state.addRegion());
  for (TypeRange types : {operands, results})
    for (Type type : types)
      block->addArgument(type, state.location);
  for (unsigned i = 0; i <= symbols.size(); ++i)
    block->addArgument(builder.getIndexType(), state.location);
  ReturnOp::create(builder, state.location);
}

/// Parses `(%a: type, %b: type)`.
static ParseResult parseBuffers(OpAsmParser &parser,
                                SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  return parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                                  /*allowType=*/true);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments, results, indices;
  Type index = parser.getBuilder().getIndexType();
  Properties &properties = result.getOrAddProperties<Properties>();
  if (parser.parseSymbolName(name) || parseBuffers(parser, arguments) ||
      parser.parseArrow() || parseBuffers(parser, results) ||
      parser.parseKeyword("symbols") ||
      parser.parseArgumentList(indices, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("task") || parser.parseLParen() ||
      parser.parseArgument(indices.emplace_back()) || parser.parseRParen() ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  properties.sym_name = name;
  properties.reads = parser.getBuilder().getI64IntegerAttr(arguments.size());
  for (OpAsmParser::Argument &argument : indices)
    argument.type = index;
  llvm::append_range(arguments, results);
  llvm::append_range(arguments, indices);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  auto printArguments = [&](Block::BlockArgListType arguments, bool types) {
    printer << '(';
    llvm::interleaveComma(arguments, printer, [&](BlockArgument argument) {
      printer.printRegionArgument(argument, {}, /*omitType=*/!types);
    });
    printer << ')';
  };
  printer << ' ';
  printer.printSymbolName(getSymName());
  printArguments(getOperandBuffers(), true);
  printer << " -> ";
  printArguments(getResultBuffers(), true);
  printer << " symbols";
  printArguments(getSymbolArguments(), false);
  printer << " task";
  printArguments(getBlock().getArguments().take_back(1), false);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"sym_name", "reads"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/false);
}

static LogicalResult verifyMap(KernelOp op, AffineMap map, StringRef name) {
  if (map.getNumDims() == 0 && map.getNumSymbols() == op.getNumSymbols() &&
      map.getNumResults() == 1)
    return success();
  return op.emitOpError() << "(C3) expects " << name << " with no dims, "
                          << op.getNumSymbols() << " symbols and one result, found "
                          << AffineMapAttr::get(map);
}

static LogicalResult verifyBounds(KernelOp op) {
  bool replaces = op.getReplaces().has_value();
  if (op.getWhen().has_value() != replaces ||
      (replaces && (!op.getThreads() || op.getWhen()->empty())))
    return op.emitOpError("(C5) expects replaces, bounds and threads together");
  if (!replaces)
    return success();
  for (auto bound : op.getWhen()->getAsRange<BoundAttr>()) {
    if (failed(verifyMap(op, bound.getValue().getValue(), "a bound")))
      return failure();
    if (bound.getMax() < 0)
      return op.emitOpError("(C5) expects a bound that is not negative, found ")
             << bound.getMax();
  }
  return success();
}

LogicalResult KernelOp::verify() {
  int64_t total = getBlock().getNumArguments(), symbols = getNumSymbols();
  if (total < static_cast<int64_t>(getReads()) + symbols + 2)
    return emitOpError() << "(C1) expects " << getReads()
                         << " operand buffers, a result buffer, " << symbols
                         << " symbols and the task, found " << total << " arguments";
  for (BlockArgument argument : getBlock().getArguments()) {
    bool isBuffer = argument.getArgNumber() < total - symbols - 1;
    if (isBuffer ? !isa<BufferType>(argument.getType()) : !argument.getType().isIndex())
      return emitOpError() << "(C1) argument " << argument.getArgNumber() << " expects "
                           << (isBuffer ? "a buffer" : "an index") << ", found "
                           << argument.getType();
  }
  auto names = getSymbols().getAsValueRange<StringAttr>();
  SmallVector<StringRef> list(names.begin(), names.end());
  for (size_t i = 1; i < list.size(); ++i)
    if (list[i - 1] >= list[i])
      return emitOpError() << "(C2) expects symbols sorted and distinct, found '"
                           << list[i] << "' after '" << list[i - 1] << "'";
  if (failed(verifyMap(*this, getGrid(), "grid")) ||
      failed(verifyMap(*this, getScratch(), "scratch")))
    return failure();
  if (getWorkspace().has_value() != getTickets().has_value() ||
      (getWorkspace() && !getThreads()))
    return emitOpError("(C4) expects workspace, tickets and threads together");
  if (failed(verifyBounds(*this)))
    return failure();
  if (getCluster() && (!getThreads() || *getCluster() < 2))
    return emitOpError("(C6) expects a cluster of 2 blocks at least, with threads");
  if (!getWorkspace())
    return success();
  return success(succeeded(verifyMap(*this, *getWorkspace(), "workspace")) &&
                 succeeded(verifyMap(*this, *getTickets(), "tickets")));
}

//===----------------------------------------------------------------------===//
// WorkspaceOp, TicketOp
//===----------------------------------------------------------------------===//

static bool hasWorkspace(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return kernel && kernel.getWorkspace();
}

LogicalResult WorkspaceOp::verify() {
  if (hasWorkspace(*this))
    return success();
  return emitOpError("(C1) expects a kernel that states a workspace");
}

LogicalResult TicketOp::verify() {
  if (!hasWorkspace(*this))
    return emitOpError("(C1) expects a kernel that states tickets");
  if (getCount() < 2)
    return emitOpError() << "(C2) expects at least 2 tasks, found " << getCount();
  for (Operation *parent = getOperation()->getParentOp();
       parent && !isa<KernelOp>(parent); parent = parent->getParentOp())
    if (parent->hasAttr(kTeamAttr))
      return emitOpError("(C3) stands in a loop that teams share");
  return success();
}

//===----------------------------------------------------------------------===//
// PipelineOp
//===----------------------------------------------------------------------===//

void PipelineOp::build(
    OpBuilder &builder, OperationState &state, Value lower, Value upper, Value step,
    ValueRange inits, function_ref<SmallVector<Value>(OpBuilder &, Location, Value)> load,
    function_ref<SmallVector<Value>(OpBuilder &, Location, Value, ValueRange, ValueRange)>
        compute) {
  state.addOperands({lower, upper, step});
  state.addOperands(inits);
  state.addTypes(inits.getTypes());
  Region *loadRegion = state.addRegion(), *computeRegion = state.addRegion();
  OpBuilder::InsertionGuard guard(builder);
  Location loc = state.location;
  Block *block = builder.createBlock(loadRegion, {}, builder.getIndexType(), loc);
  SmallVector<Value> staged = load(builder, loc, block->getArgument(0));
  YieldOp::create(builder, loc, staged);

  SmallVector<Type> types{builder.getIndexType()};
  llvm::append_range(types, ValueRange(staged).getTypes());
  llvm::append_range(types, inits.getTypes());
  block = builder.createBlock(computeRegion, {}, types,
                              SmallVector<Location>(types.size(), loc));
  ValueRange arguments = block->getArguments();
  SmallVector<Value> carried =
      compute(builder, loc, arguments[0], arguments.slice(1, staged.size()),
              arguments.drop_front(1 + staged.size()));
  YieldOp::create(builder, loc, carried);
}

static bool isAddressMath(Operation &op) {
  if (isa<StageOp, PrefetchOp, ViewOp, YieldOp>(op))
    return true;
  return isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
         llvm::all_of(op.getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
}

static LogicalResult verifyLoad(PipelineOp op, TypeRange staged) {
  Block &block = op.getLoad().front();
  if (block.getNumArguments() != 1 || !block.getArgument(0).getType().isIndex())
    return op.emitOpError("(C1) expects the load region to take one index");
  if (!llvm::all_of(staged, llvm::IsaPred<StagedType>))
    return op.emitOpError("(C1) expects the load region to yield staged tiles");
  for (Operation &inner : block)
    if (!isAddressMath(inner))
      return inner.emitOpError(
          "(C3) is not address math, tile.stage or tile.prefetch and "
          "cannot stand in the load region of tile.pipeline");
  return success();
}

LogicalResult PipelineOp::verify() {
  auto loadYield = dyn_cast<YieldOp>(getLoad().front().back());
  auto computeYield = dyn_cast<YieldOp>(getCompute().front().back());
  if (!loadYield || !computeYield)
    return emitOpError("expects both regions to end with tile.yield");
  TypeRange staged = loadYield.getOperandTypes();
  if (failed(verifyLoad(*this, staged)))
    return failure();
  SmallVector<Type> expected{IndexType::get(getContext())};
  llvm::append_range(expected, staged);
  llvm::append_range(expected, getInits().getTypes());
  if (!llvm::equal(getCompute().front().getArgumentTypes(), expected))
    return emitOpError(
        "(C2) expects the compute region to take the index, the staged tiles "
        "and the carried values");
  if (!llvm::equal(computeYield.getOperandTypes(), getInits().getTypes()))
    return emitOpError("(C2) expects the compute region to yield the carried types");
  if (!llvm::equal(getResultTypes(), getInits().getTypes()))
    return emitOpError("(C4) expects results of the carried types");
  return success();
}

//===----------------------------------------------------------------------===//
// MmaOp
//===----------------------------------------------------------------------===//

static bool widensTo(Type from, Type to) {
  if (from.isInteger(8) && to.isF32())
    return true;
  bool sameKind = isa<FloatType>(from) == isa<FloatType>(to) && !to.isIndex();
  return sameKind && from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth() &&
         (from == to || from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth());
}

static ArrayRef<int64_t> shapeOfOperand(Value operand) {
  if (auto frag = dyn_cast<FragType>(operand.getType()))
    return frag.getShape();
  return cast<StagedType>(operand.getType()).getShape();
}

static Type elementOfOperand(Value operand) {
  if (auto frag = dyn_cast<FragType>(operand.getType()))
    return frag.getElementType();
  return cast<StagedType>(operand.getType()).getElementType();
}

ArrayRef<int64_t> MmaOp::getLhsShape() { return shapeOfOperand(getLhs()); }
Type MmaOp::getLhsElement() { return elementOfOperand(getLhs()); }
ArrayRef<int64_t> MmaOp::getRhsShape() { return shapeOfOperand(getRhs()); }
Type MmaOp::getRhsElement() { return elementOfOperand(getRhs()); }

void MmaOp::build(OpBuilder &builder, OperationState &state, Type result, Value lhs,
                  Value rhs, Value accumulator, bool lhsUnsigned, bool rhsUnsigned,
                  bool tf32, std::optional<DotProduct> dot, Value ahead) {
  auto order = dot ? DotProductAttr::get(builder.getContext(), *dot) : DotProductAttr();
  build(builder, state, result, lhs, rhs, accumulator, Value(), Value(), ahead,
        lhsUnsigned, rhsUnsigned, tf32, /*mma_sync=*/false, order);
}

int64_t MmaOp::getScaleBlock() {
  return getLhsScales() ? getLhsShape()[1] / shapeOfOperand(getLhsScales())[1] : 0;
}

/// Block size along K of the formats that MMA multiplies with scales; 0 for other types:
/// OCP Microscaling Formats v1.0, table 1, and NVFP4.
static int64_t blockOfFormat(Type element, Type scale) {
  if (kiln::isPowerOfTwoType(scale) && kiln::isMicroscalingType(element))
    return 32;
  return kiln::isFloat8(scale) && kiln::isFloat4(element) ? 16 : 0;
}

static LogicalResult verifyScales(MmaOp op) {
  Value left = op.getLhsScales(), right = op.getRhsScales();
  if (!left && !right)
    return success();
  if (!left || !right)
    return op.emitOpError("(C5) expects scales of both operands or of neither");
  Type scale = elementOfOperand(left);
  int64_t block = blockOfFormat(op.getLhsElement(), scale);
  if (!block || scale != elementOfOperand(right) ||
      blockOfFormat(op.getRhsElement(), scale) != block)
    return op.emitOpError() << "(C6) expects operands and scales of a format, found "
                            << op.getLhsElement() << " by " << scale << " and "
                            << op.getRhsElement() << " by " << elementOfOperand(right);
  int64_t rows = op.getLhsShape()[0], k = op.getLhsShape()[1],
          columns = op.getRhsShape()[1];
  if (ShapedType::isDynamic(k) || k % block ||
      shapeOfOperand(left) != ArrayRef({rows, k / block}) ||
      shapeOfOperand(right) != ArrayRef({k / block, columns}))
    return op.emitOpError() << "(C5) expects scales of every " << block
                            << " steps of K, found " << left.getType() << " and "
                            << right.getType();
  if (!op.getType().getElementType().isF32())
    return op.emitOpError() << "(C7) expects an accumulator of f32, found "
                            << op.getType();
  return success();
}

/// Returns true if the dot product that an MMA names takes its operands.
static bool isDotProduct(MmaOp op) {
  auto isStagedHalf = [](Value operand, Type element) {
    return isa<StagedType>(operand.getType()) && element.isBF16();
  };
  FragType acc = op.getType();
  int64_t columns = acc.getShape()[1];
  bool isVector = op.getDot() == DotProduct::vdpbf16ps;
  return isStagedHalf(op.getLhs(), op.getLhsElement()) &&
         isStagedHalf(op.getRhs(), op.getRhsElement()) && !op.getLhsScales() &&
         acc.getElementType().isF32() && columns <= 256 &&
         (columns % 16 == 0 || (isVector && llvm::is_contained({4, 8}, columns)));
}

LogicalResult MmaOp::verify() {
  FragType acc = getAccumulator().getType();
  ArrayRef<int64_t> a = getLhsShape(), b = getRhsShape(), c = acc.getShape();
  if (a.size() != 2 || b.size() != 2 || c.size() != 2)
    return emitOpError() << "(C1) expects MxK, KxN and MxN, found " << getLhs().getType()
                         << ", " << getRhs().getType() << " and " << acc;
  if (ShapedType::isDynamic(a[0]) || ShapedType::isDynamic(b[1]))
    return emitOpError("(C2) expects static M and N");
  if (a[1] != b[0] || a[0] != c[0] || b[1] != c[1])
    return emitOpError() << "(C1) expects MxK, KxN and MxN, found " << getLhs().getType()
                         << ", " << getRhs().getType() << " and " << acc;
  for (Type element : {getLhsElement(), getRhsElement()})
    if (!widensTo(element, acc.getElementType()))
      return emitOpError() << "(C3) cannot widen " << element << " to "
                           << acc.getElementType();
  auto roundsToTf32 = [](Type element) {
    return element.isF32() || kiln::isFloat8(element); // which has fewer bits
  };
  if (getTf32() && !(getLhsElement().isF32() && roundsToTf32(getRhsElement()) &&
                     acc.getElementType().isF32()))
    return emitOpError() << "(C4) expects f32 for tf32, found " << getLhsElement() << ", "
                         << getRhsElement() << " and " << acc.getElementType();
  if (getDot() && !isDotProduct(*this))
    return emitOpError()
           << "(C8) expects staged bf16 and 16 to 256 columns of f32 (4 or 8 "
              "by vdpbf16ps, too) for a dot product, found "
           << getLhs().getType() << ", " << getRhs().getType() << " and " << acc;
  if (getAhead() && getDot() != DotProduct::tdpbf16ps)
    return emitOpError("(C9) expects tdpbf16ps for prefetches ahead");
  return verifyScales(*this);
}

//===----------------------------------------------------------------------===//
// Regions of assembly formats
//===----------------------------------------------------------------------===//

/// Parses regions, each behind its keyword if that has one. Until an op's parser is done
/// it owns them, so where one of them, or what follows them, cannot be read they die
/// while ops around may already use what they define: a text may use a value before its
/// definition.
static ParseResult parseRegions(OpAsmParser &parser,
                                ArrayRef<std::pair<StringRef, Region *>> regions,
                                NamedAttrList *attributes = nullptr) {
  auto parseOne = [&](auto &region) {
    if ((!region.first.empty() && parser.parseKeyword(region.first)) ||
        parser.parseRegion(*region.second))
      return false;
    if (region.second->empty())
      region.second->emplaceBlock();
    return true;
  };
  if (llvm::all_of(regions, parseOne) &&
      !(attributes && parser.parseOptionalAttrDict(*attributes)))
    return success();
  for (auto &[keyword, region] : regions)
    for (Block &block : *region)
      block.dropAllDefinedValueUses();
  return failure();
}

static void printRegions(OpAsmPrinter &printer,
                         ArrayRef<std::pair<StringRef, Region *>> regions,
                         DictionaryAttr attributes = {}) {
  llvm::interleave(
      regions, printer.getStream(),
      [&](auto &region) {
        if (!region.first.empty())
          printer << region.first << ' ';
        printer.printRegion(*region.second);
      },
      " ");
  if (attributes)
    printer.printOptionalAttrDict(attributes.getValue());
}

static ParseResult parseLoadAndCompute(OpAsmParser &parser, Region &load, Region &compute,
                                       NamedAttrList &attributes) {
  return parseRegions(parser, {{"load", &load}, {"compute", &compute}}, &attributes);
}

static void printLoadAndCompute(OpAsmPrinter &printer, PipelineOp, Region &load,
                                Region &compute, DictionaryAttr attributes) {
  printRegions(printer, {{"load", &load}, {"compute", &compute}}, attributes);
}

static ParseResult parseProducerAndConsumer(OpAsmParser &parser, Region &producer,
                                            Region &consumer) {
  return parseRegions(parser, {{"producer", &producer}, {"consumer", &consumer}});
}

static void printProducerAndConsumer(OpAsmPrinter &printer, Operation *, Region &producer,
                                     Region &consumer) {
  printRegions(printer, {{"producer", &producer}, {"consumer", &consumer}});
}

static ParseResult parseBody(OpAsmParser &parser, Region &body,
                             NamedAttrList &attributes) {
  return parseRegions(parser, {{"", &body}}, &attributes);
}

static void printBody(OpAsmPrinter &printer, Operation *, Region &body,
                      DictionaryAttr attributes) {
  printRegions(printer, {{"", &body}}, attributes);
}

#define GET_OP_CLASSES
#include "dialects/Tile/TileOps.cpp.inc"
