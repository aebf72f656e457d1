//===- PrintPlan.cpp - A memory plan at given dims ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Planning/PrintPlan.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Plan/Plan.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace kiln {
#define GEN_PASS_DEF_PRINTPLANPASS
#include "kiln/Planning/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

using SymbolValues = llvm::StringMap<int64_t>;

static LogicalResult refuse(ModuleOp module, const Twine &expected, StringRef found) {
  return kiln::emitError(module.getLoc(),
                         {ErrorCode::BadUsage, "dims of the plan", "cannot be used",
                          expected.str(), ("'" + found + "'").str(),
                          "write for example n=4,sequence=16"});
}

/// Reads one NAME=VALUE of `dims`.
static LogicalResult readValue(ModuleOp module, StringRef part, SymbolValues &values) {
  auto [name, text] = part.split('=');
  auto symbol = module.lookupSymbol<SymbolOp>(name);
  if (!symbol)
    return refuse(module, "the name of a symbol of the model", name);
  int64_t value, min = symbol.getMin(), max = symbol.getMax();
  if (text.getAsInteger(10, value) || value < min || value > max)
    return refuse(module, name + " from " + Twine(min) + " to " + Twine(max), text);
  values[name] = value;
  return success();
}

static FailureOr<SymbolValues> readValues(ModuleOp module, StringRef dims) {
  SymbolValues values;
  for (auto symbol : module.getOps<SymbolOp>())
    values[symbol.getSymName()] = symbol.getMax();
  SmallVector<StringRef> parts;
  dims.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    if (failed(readValue(module, part, values)))
      return failure();
  return values;
}

namespace {
/// Prints one program.
class PlanPrinter {
public:
  PlanPrinter(const SymbolValues &values, raw_ostream &os) : values(values), os(os) {}
  void print(plan::ProgramOp program);

private:
  struct Extent {
    int64_t offset = 0, size = 0;
  };

  int64_t evaluate(ShapeAttr sizes) const;
  Extent extentOf(plan::BufferOp buffer) const;
  void printBuffer(plan::BufferOp buffer);

  const SymbolValues &values;
  raw_ostream &os;
  llvm::StringMap<Extent> extents; ///< by buffer
};
} // namespace

int64_t PlanPrinter::evaluate(ShapeAttr sizes) const {
  int64_t largest = 0;
  for (const SymbolicExpr &size : getDims(sizes))
    largest = std::max(largest, size.evaluate([&](StringAttr symbol) {
                                      return values.lookup(symbol.getValue());
                                    })
                                    .value_or(0));
  return largest;
}

/// Offset and size as the runtime computes them: a buffer begins behind those that lie
/// below it, at a multiple of 64.
PlanPrinter::Extent PlanPrinter::extentOf(plan::BufferOp buffer) const {
  Extent extent{int64_t(buffer.getOffset().value_or(0)), evaluate(buffer.getSize())};
  if (buffer.getAlias())
    extent.offset = extents.lookup(*buffer.getAlias()).offset;
  else if (buffer.getAbove())
    for (auto name : buffer.getAbove()->getAsRange<FlatSymbolRefAttr>()) {
      Extent below = extents.lookup(name.getValue());
      extent.offset =
          std::max<int64_t>(extent.offset, llvm::alignTo(below.offset + below.size, 64));
    }
  return extent;
}

void PlanPrinter::printBuffer(plan::BufferOp buffer) {
  Extent extent = extents[buffer.getSymName()] = extentOf(buffer);
  std::string steps = llvm::formatv("{0}..{1}", buffer.getFirst(), buffer.getLast());
  std::string name = ("@" + buffer.getSymName()).str();
  if (buffer.getAlias())
    name += (" = @" + *buffer.getAlias()).str();
  os << llvm::formatv("  {0,12} {1,12}  {2,-10} {3,-12} {4}\n", extent.offset,
                      extent.size, steps, name,
                      withoutControls(buffer.getSource().value_or("")));
}

void PlanPrinter::print(plan::ProgramOp program) {
  os << "program " << program.getName().value_or("main") << '\n';
  for (auto arena : program.getBody().getOps<plan::ArenaOp>()) {
    os << "arena @" << arena.getSymName() << ": " << evaluate(arena.getSizes())
       << " bytes\n";
    os << llvm::formatv("  {0,12} {1,12}  {2,-10} {3,-12} {4}\n", "offset", "bytes",
                        "steps", "buffer", "source");
    for (auto buffer : program.getBody().getOps<plan::BufferOp>())
      if (buffer.getArena() == arena.getSymName())
        printBuffer(buffer);
  }
}

LogicalResult kiln::printPlans(ModuleOp module, StringRef dims, raw_ostream &os) {
  FailureOr<SymbolValues> values = readValues(module, dims);
  if (failed(values))
    return failure();
  for (auto program : module.getOps<plan::ProgramOp>())
    PlanPrinter(*values, os).print(program);
  return success();
}

namespace {
class PrintPlanPass : public kiln::impl::PrintPlanPassBase<PrintPlanPass> {
public:
  using PrintPlanPassBase::PrintPlanPassBase;
  void runOnOperation() override {
    if (failed(printPlans(getOperation(), dims, llvm::outs())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
