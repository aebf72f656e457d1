//===- TestRunKernels.cpp - Emitted programs against the reference --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits every graph.kernel for some targets, with its variants, runs the programs in
// lib/Interpreter with two orders of tasks, and compares the results with lib/Reference.
// Prints a line per program: the config, the tasks, and whether the results are equal.
// Operands of kernels are function arguments. All programs of a kernel are emitted from
// one analysis, and must equal those of a fresh analysis.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Interpreter/TileEvaluator.h"
#include "kiln/Reference/Compare.h"
#include "kiln/Reference/Synthesis.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace kiln;
using namespace mlir;
using reference::Tensor;

/// For each result, the operand whose memory it updates in place, if there is one.
using UpdatedOperands = SmallVector<std::optional<unsigned>>;

static UpdatedOperands updatedOperands(graph::KernelOp kernel) {
  UpdatedOperands updated;
  for (unsigned i = 0; i < kernel->getNumResults(); ++i)
    updated.push_back(graph::updatedOperand(kernel, i));
  return updated;
}

namespace {
using Memory = std::vector<std::vector<char>>;

struct RunKernels : public PassWrapper<RunKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunKernels)

  RunKernels() = default;
  RunKernels(const RunKernels &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "kiln-test-run-kernels"; }
  StringRef getDescription() const final {
    return "Print whether the tile program of every kernel computes what the graph says";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    codegen::registerConfigDialects(registry);
    registry.insert<affine::AffineDialect, arith::ArithDialect, math::MathDialect,
                    scf::SCFDialect, vector::VectorDialect>();
  }

  ListOption<std::string> targets{*this, "targets", llvm::cl::desc("The targets")};
  ListOption<std::string> dims{
      *this, "dims", llvm::cl::desc("Values of symbols: name:value,name:value")};
  Option<bool> partition{*this, "partition", llvm::cl::init(false),
                         llvm::cl::desc("Run what kiln-partition-warps makes of them")};

  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      llvm::outs() << "func.func @" << function.getName() << "\n";
      if (llvm::Error error = check(function)) {
        (void)kiln::emitError(function.getLoc(), takeDiagnosis(std::move(error)));
        return signalPassFailure();
      }
    }
  }

private:
  reference::Symbols symbols() const {
    reference::Symbols given;
    for (StringRef dim : dims) {
      auto [name, value] = dim.split(':');
      int64_t number = 0;
      if (!value.getAsInteger(10, number))
        given.set(name, number);
    }
    return given;
  }

  llvm::Error check(func::FuncOp function) {
    reference::Symbols given = symbols();
    auto inputs = reference::makeInputs(function, given, 1, reference::Flavour::Plain);
    if (!inputs)
      return inputs.takeError();
    for (auto [argument, input] : llvm::zip(function.getArguments(), *inputs))
      if (!input.isFloat() && !input.getElementType().isInteger(1) &&
          !reference::tableSize(argument, given))
        input = smallIntegers(input, argument.getArgNumber());
    for (graph::KernelOp kernel : function.getOps<graph::KernelOp>()) {
      SmallVector<Tensor> operands;
      for (mlir::Value operand : kernel.getOperands())
        operands.push_back((*inputs)[cast<BlockArgument>(operand).getArgNumber()]);
      reference::NoWeights weights;
      auto expected = reference::evaluateOp(kernel, operands, given, weights);
      if (!expected)
        return expected.takeError();
      for (const std::string &target : targets)
        if (llvm::Error error = checkTarget(kernel, target, operands, *expected, given))
          return error;
    }
    return llvm::Error::success();
  }

  /// Returns small integers from -2 to 4, or 0 to 6 if unsigned: indices out of range at
  /// both ends, negative lengths, operands of both signs.
  static Tensor smallIntegers(const Tensor &like, int64_t seed) {
    int64_t first = reference::isUnsigned(like.getElementType()) ? 0 : -2;
    std::vector<int64_t> values;
    for (int64_t i = 0; i < like.getNumElements(); ++i)
      values.push_back((i * 5 + i / 7 + seed * 3) % 7 + first);
    return Tensor::fromInts(like.getElementType(), like.getShape(), values);
  }

  llvm::Error checkTarget(graph::KernelOp kernel, const std::string &name,
                          ArrayRef<Tensor> operands, ArrayRef<Tensor> expected,
                          const reference::Symbols &given) {
    llvm::Expected<TargetInfo> target = TargetInfo::get(name);
    if (!target)
      return target.takeError();
    std::unique_ptr<codegen::KernelAnalysis> analysis = codegen::analyze(kernel);
    SmallVector<std::optional<codegen::Variant>> codes{std::nullopt};
    llvm::append_range(codes, analysis->variants(*target));
    for (const std::optional<codegen::Variant> &variant : codes) {
      OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
      OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
      auto program = codegen::emitKernel(*analysis, kernel, {*target, variant}, builder);
      if (failed(program)) {
        llvm::outs() << "  " << name << " refused\n";
        return llvm::Error::success();
      }
      llvm::outs() << "  " << name << " " << program->getConfigAttr();
      if (text(*program) != freshText(kernel, {*target, variant}))
        llvm::outs() << " otherwise than by an analysis of its own";
      if (auto bounds = program->getWhen())
        llvm::outs() << " when " << *bounds;
      if (!holds(*program, given)) {
        llvm::outs() << ": not at this size\n";
        continue;
      }
      if (variant) // normally set by the caller of emitKernel
        program->setReplaces(kernel.getHero());
      if (partition && failed(partitionWarps(*module, name)))
        return llvm::createStringError("kiln-partition-warps failed");
      program = *module->getOps<tile::KernelOp>().begin();
      if (!program->getOps<tile::WarpSpecializeOp>().empty())
        llvm::outs() << " in warpgroups";
      if (llvm::Error error = runBoth(*program, operands, expected, given,
                                          updatedOperands(kernel)))
        return error;
    }
    return llvm::Error::success();
  }

  static std::string text(tile::KernelOp program) {
    std::string text;
    llvm::raw_string_ostream(text) << program;
    return text;
  }

  /// Emits the program from a new analysis.
  static std::string freshText(graph::KernelOp kernel,
                               const codegen::CodeRequest &request) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto program =
        codegen::emitKernel(kernel, request.target, builder, {}, request.variant);
    return failed(program) ? "" : text(*program);
  }

  static LogicalResult partitionWarps(ModuleOp module, const std::string &target) {
    PartitionWarpsPassOptions options;
    options.target = target;
    PassManager passes(module.getContext());
    passes.addPass(createPartitionWarpsPass(options));
    return passes.run(module);
  }

  static SmallVector<int64_t> valuesOf(tile::KernelOp program,
                                       const reference::Symbols &given) {
    SmallVector<int64_t> values;
    for (StringRef name : program.getSymbols().getAsValueRange<StringAttr>())
      values.push_back(given.lookup(name).value_or(0));
    return values;
  }

  /// Whether the bounds of a variant hold.
  static bool holds(tile::KernelOp program, const reference::Symbols &given) {
    if (!program.getWhen())
      return true;
    Builder builder(program.getContext());
    SmallVector<Attribute> symbols;
    for (int64_t value : valuesOf(program, given))
      symbols.push_back(builder.getIndexAttr(value));
    return llvm::all_of(
        program.getWhen()->getAsRange<tile::BoundAttr>(), [&](tile::BoundAttr bound) {
          SmallVector<Attribute> result;
          return succeeded(bound.getValue().getValue().constantFold(symbols, result)) &&
                 cast<IntegerAttr>(result[0]).getInt() <= bound.getMax();
        });
  }

  /// Runs tasks in forward and in reverse order: the results must have the same bits.
  static llvm::Error runBoth(tile::KernelOp program, ArrayRef<Tensor> operands,
                             ArrayRef<Tensor> expected, const reference::Symbols &given,
                             const UpdatedOperands &updated) {
    Memory first, second;
    auto tasks = run(program, operands, expected, given, interpreter::TaskOrder::Forward,
                     first, updated);
    if (!tasks)
      return tasks.takeError();
    auto again = run(program, operands, expected, given, interpreter::TaskOrder::Reverse,
                     second, updated);
    if (!again)
      return again.takeError();
    llvm::outs() << ": " << *tasks << " tasks, ";
    if (first != second)
      llvm::outs() << "the order of tasks shows, ";
    for (auto [i, tensor] : llvm::enumerate(expected))
      printDifference(tensor, first[operands.size() + i]);
    return llvm::Error::success();
  }

  static llvm::Expected<int64_t> run(tile::KernelOp program, ArrayRef<Tensor> operands,
                                     ArrayRef<Tensor> expected,
                                     const reference::Symbols &given,
                                     interpreter::TaskOrder order, Memory &memory,
                                     const UpdatedOperands &updated) {
    SmallVector<int64_t> values = valuesOf(program, given);
    for (const Tensor &operand : operands)
      memory.push_back(operand.toBytes());
    for (const Tensor &result : expected)
      memory.emplace_back(result.toBytes().size(), char(0xff));
    for (auto [i, operand] : llvm::enumerate(updated))
      if (operand)
        memory[memory.size() - updated.size() + i] = memory[*operand];
    SmallVector<interpreter::Buffer> buffers;
    for (std::vector<char> &bytes : memory)
      buffers.push_back({bytes.data(), static_cast<int64_t>(bytes.size()), {}});
    auto report = interpreter::evaluateKernel(program, buffers, values, {order, 0});
    if (!report)
      return report.takeError();
    return report->tasks;
  }

  static void printDifference(const Tensor &expected, const std::vector<char> &bytes) {
    Type element = expected.getElementType();
    double tolerance = element.isBF16() ? 2e-2 : element.isF16() ? 3e-3 : 2e-5;
    Tensor found = Tensor::borrow(element, expected.getShape(), bytes.data());
    reference::Difference difference = reference::compare(found, expected, tolerance);
    if (difference.same)
      llvm::outs() << expected.getNumElements() << " elements equal\n";
    else
      llvm::outs() << difference.str(expected.getShape()) << "\n";
  }
};
} // namespace

void kiln::test::registerRunKernels() { PassRegistration<RunKernels>(); }
