//===- GraphStructureOps.cpp - Symbols, weights, constants, kernels ----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"
#include "dialects/Graph/Ranks.h"

using namespace mlir;
using namespace kiln::graph;

SmallVector<func::FuncOp> kiln::graph::programsOf(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return function.getName() != kBakeName && !function.isExternal();
  });
}

SmallVector<KernelOp> kiln::graph::kernelsOf(ModuleOp module) {
  SmallVector<KernelOp> kernels;
  for (func::FuncOp program : programsOf(module))
    llvm::append_range(kernels, program.getOps<KernelOp>());
  return kernels;
}

LogicalResult SymbolOp::verify() {
  int64_t min = getMin(), max = getMax();
  if (min >= 0 && min <= max && max < (int64_t(1) << 31))
    return success();
  return emitOpError("(C1) expected 0 <= min <= max < 2^31, found [")
         << min << ", " << max << "]";
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

LogicalResult WeightOp::verify() {
  if (!cast<RankedTensorType>(getType()).hasStaticShape())
    return emitOpError("(C1) expected a static type, found ") << getType();
  unsigned given = getFile().has_value() + getOffset().has_value() +
                   getLength().has_value() + getHash().has_value();
  if (given != 0 && given != 4)
    return emitOpError("(C2) expected file, offset, length and hash together, found ")
           << given << " of them";
  SymbolicExpr bytes = byteSize(getType());
  if (getLength() && !bytes.isConstant(*getLength()))
    return emitOpError("(C3) expected ")
           << bytes.str() << " bytes, found " << *getLength();
  return success();
}

static FailureOr<WeightOp> findWeight(Operation *user, FlatSymbolRefAttr name, Type type,
                                      SymbolTableCollection &symbols) {
  auto weight = symbols.lookupNearestSymbolFrom<WeightOp>(user, name);
  if (!weight)
    return user->emitOpError("(C1) ") << name << " is no graph.weight";
  if (weight.getType() != type)
    return user->emitOpError("(C1) expected type ")
           << weight.getType() << " of " << name << ", found " << type;
  return weight;
}

LogicalResult GetWeightOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return LogicalResult(findWeight(*this, getWeightAttr(), getType(), symbols));
}

LogicalResult SetWeightOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<WeightOp> weight =
      findWeight(*this, getWeightAttr(), getValue().getType(), symbols);
  if (failed(weight))
    return failure();
  if (weight->getFile())
    return emitOpError("(C1) ") << getWeightAttr() << " already has bytes in a file";
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, Loc, Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getValue().getType());
  return success();
}

LogicalResult ConstantOp::verify() {
  constexpr int64_t kLimit = 1024;
  std::optional<int64_t> bytes = byteSize(getType()).getConstant();
  if (getValue().isSplat() || (bytes && *bytes <= kLimit))
    return success();
  return emitOpError("(C1) expected at most 1024 bytes, found ")
         << byteSize(getType()).str();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult DimsOp::verify() {
  Dims result = getDims(getResult());
  size_t count = getValue().getDims().size();
  bool vector = result.size() == 1 && result[0].isConstant(count);
  if (vector || (result.empty() && count == 1))
    return success();
  return emitOpError("(C1) expected a vector of ")
         << count << " elements, found " << getType();
}

//===----------------------------------------------------------------------===//
// kernel: "hero" (%a = %x, ...) : (types) -> types attributes { body }
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr hero;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() || parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseAttribute(hero, "hero", result.attributes) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePair) ||
      parser.parseColonType(type) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.resolveOperands(operands, type.getInputs(), parser.getNameLoc(),
                             result.operands))
    return failure();
  for (auto [argument, argumentType] : llvm::zip(arguments, type.getInputs()))
    argument.type = argumentType;
  result.addTypes(type.getResults());
  return parser.parseRegion(*result.addRegion(), arguments);
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getHeroAttr() << " (";
  llvm::interleaveComma(
      llvm::zip(getBlock().getArguments(), getInputs()), printer,
      [&](auto pair) { printer << std::get<0>(pair) << " = " << std::get<1>(pair); });
  printer << ") : ";
  printer.printFunctionalType(getOperation());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getHeroAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verify() {
  Block &block = getBlock();
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("(C1) block arguments do not have the operands' types");
  if (!isa<YieldOp>(block.getTerminator()) || getYielded().getTypes() != getResultTypes())
    return emitOpError("(C2) yielded types are not the result types");
  if (getNumResults() == 0)
    return emitOpError("(C3) expected at least one result");
  for (Operation &op : block)
    if (isa<KernelOp, GetWeightOp, SetWeightOp>(op) || collectiveRanks(&op))
      return op.emitOpError("(C4) cannot stand inside a kernel");
  return success();
}
