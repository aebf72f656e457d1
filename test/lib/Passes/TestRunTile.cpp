//===- TestRunTile.cpp - What tile programs compute -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every tile.kernel of a module in lib/Interpreter and prints its results.
// Attributes of the kernel describe the run: `given` has the values of its operands,
// `room` the number of elements of each result, `values` the symbols.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"
#include "kiln/Interpreter/TileEvaluator.h"
#include "kiln/Reference/Tensor.h"
#include "kiln/Support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace kiln;
using namespace mlir;

namespace {
struct RunTile : public PassWrapper<RunTile, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RunTile)

  RunTile() = default;
  RunTile(const RunTile &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "kiln-test-run-tile"; }
  StringRef getDescription() const final {
    return "Print what every tile.kernel computes from the values that it is given";
  }

  Option<bool> reverse{*this, "reverse", llvm::cl::init(false),
                       llvm::cl::desc("Run the last task first")};

  void runOnOperation() override {
    for (tile::KernelOp kernel : getOperation().getOps<tile::KernelOp>())
      if (llvm::Error error = print(kernel)) {
        (void)kiln::emitError(kernel.getLoc(), takeDiagnosis(std::move(error)));
        signalPassFailure();
      }
  }

private:
  static SmallVector<int64_t> integers(tile::KernelOp kernel, StringRef name) {
    SmallVector<int64_t> result;
    if (auto list = kernel->getAttrOfType<ArrayAttr>(name))
      for (auto value : list.getAsRange<IntegerAttr>())
        result.push_back(value.getInt());
    return result;
  }

  /// Returns values as bytes in memory; the reference has no tensors of 8-bit floats.
  static std::vector<char> bytesOf(ElementsAttr values) {
    if (!isa<FloatType>(values.getElementType()) ||
        values.getElementType().getIntOrFloatBitWidth() > 8)
      return reference::Tensor::fromAttr(values)->toBytes();
    std::vector<char> bytes;
    for (const APFloat &value : values.getValues<APFloat>())
      bytes.push_back(static_cast<char>(value.bitcastToAPInt().getZExtValue()));
    return bytes;
  }

  llvm::Error print(tile::KernelOp kernel) {
    std::vector<std::vector<char>> memory;
    if (auto given = kernel->getAttrOfType<ArrayAttr>("given"))
      for (auto values : given.getAsRange<ElementsAttr>())
        memory.push_back(bytesOf(values));
    SmallVector<int64_t> room = integers(kernel, "room");
    for (auto [result, size] : llvm::zip(kernel.getResultBuffers(), room)) {
      Type element = cast<tile::BufferType>(result.getType()).getElementType();
      memory.emplace_back(size * tile::elementBytes(element), char(0));
    }
    SmallVector<interpreter::Buffer> buffers;
    for (std::vector<char> &bytes : memory)
      buffers.push_back({bytes.data(), static_cast<int64_t>(bytes.size()), {}});
    interpreter::Options options;
    options.order =
        reverse ? interpreter::TaskOrder::Reverse : interpreter::TaskOrder::Forward;
    auto report =
        interpreter::evaluateKernel(kernel, buffers, integers(kernel, "values"), options);
    if (!report)
      return report.takeError();
    llvm::outs() << "tile.kernel @" << kernel.getSymName() << "\n";
    for (auto [i, size] : llvm::enumerate(room))
      printResult(kernel, i, size, memory[kernel.getReads() + i].data(), *report);
    return llvm::Error::success();
  }

  static void printResult(tile::KernelOp kernel, size_t i, int64_t size, const char *data,
                          const interpreter::Report &report) {
    auto type = cast<tile::BufferType>(kernel.getResultBuffers()[i].getType());
    DenseElementsAttr value =
        reference::Tensor::borrow(type.getElementType(), {size}, data).toAttr();
    llvm::outs() << "  #" << i << " = " << value;
    if (report.unwritten[i])
      llvm::outs() << ", " << report.unwritten[i] << " not written";
    llvm::outs() << "\n";
  }
};
} // namespace

void kiln::test::registerRunTile() { PassRegistration<RunTile>(); }
