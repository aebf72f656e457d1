//===- PrintPlan.cpp - A memory plan at given dims ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Planning/PrintPlan.h"
#include "PlanLayout.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

namespace kiln {
#define GEN_PASS_DEF_PRINTPLANPASS
#include "kiln/Planning/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

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
  values[symbol.getSymNameAttr()] = value;
  return success();
}

static FailureOr<SymbolValues> readValues(ModuleOp module, StringRef dims) {
  SymbolValues values;
  for (auto symbol : module.getOps<SymbolOp>())
    values[symbol.getSymNameAttr()] = symbol.getMax();
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
  PlanPrinter(plan::ProgramOp program, const SymbolValues &dims, raw_ostream &os)
      : program(program), layout(program, dims), os(os) {}
  LogicalResult print();

private:
  LogicalResult fail(Operation *op, const Twine &what);
  LogicalResult printArena(plan::ArenaOp arena);
  LogicalResult printBuffer(plan::BufferOp buffer);

  plan::ProgramOp program;
  PlanLayout layout;
  raw_ostream &os;
};
} // namespace

LogicalResult PlanPrinter::fail(Operation *op, const Twine &what) {
  return kiln::emitError(op->getLoc(),
                         {ErrorCode::PlanRefused, "memory plan", what.str(), "",
                          "at these dims", "see what kiln-verify-plan says of the plan"});
}

LogicalResult PlanPrinter::printBuffer(plan::BufferOp buffer) {
  std::string why;
  std::optional<BufferExtent> extent = layout.add(buffer, why);
  if (!extent)
    return fail(buffer, why);
  std::string steps = llvm::formatv("{0}..{1}", buffer.getFirst(), buffer.getLast());
  std::string name = ("@" + buffer.getSymName()).str();
  if (buffer.getAlias())
    name += (" = @" + *buffer.getAlias()).str();
  os << llvm::formatv("  {0,12} {1,12}  {2,-10} {3,-12} {4}\n", extent->offset,
                      extent->size, steps, name,
                      withoutControls(buffer.getSource().value_or("")));
  return success();
}

LogicalResult PlanPrinter::printArena(plan::ArenaOp arena) {
  std::optional<int64_t> bytes = layout.evaluate(arena.getSizes());
  if (!bytes)
    return fail(arena, "the size of arena @" + arena.getSymName() +
                           " is negative, or has no 63 bits");
  os << "arena @" << arena.getSymName() << ": " << *bytes << " bytes\n";
  os << llvm::formatv("  {0,12} {1,12}  {2,-10} {3,-12} {4}\n", "offset", "bytes",
                      "steps", "buffer", "source");
  for (auto buffer : program.getBody().getOps<plan::BufferOp>())
    if (buffer.getArena() == arena.getSymName() && failed(printBuffer(buffer)))
      return failure();
  return success();
}

LogicalResult PlanPrinter::print() {
  os << "program " << program.getName().value_or("main") << '\n';
  for (auto arena : program.getBody().getOps<plan::ArenaOp>())
    if (failed(printArena(arena)))
      return failure();
  return success();
}

LogicalResult kiln::printPlans(ModuleOp module, StringRef dims, raw_ostream &os) {
  FailureOr<SymbolValues> values = readValues(module, dims);
  if (failed(values))
    return failure();
  for (auto program : module.getOps<plan::ProgramOp>())
    if (failed(PlanPrinter(program, *values, os).print()))
      return failure();
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
