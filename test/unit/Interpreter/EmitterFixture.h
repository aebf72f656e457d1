//===- EmitterFixture.h - Graph kernels as tile programs --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the tile programs of graph kernels without a target, with three orders of tasks,
// and compares with the double precision reference.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_INTERPRETER_EMITTERFIXTURE_H
#define KILN_TEST_UNIT_INTERPRETER_EMITTERFIXTURE_H

#include "TileText.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Reference/Compare.h"
#include "kiln/Reference/Synthesis.h"
#include "mlir/IR/Builders.h"

namespace kiln::interpreter {
using reference::Flavour;
using reference::Symbols;
using reference::Tensor;

class Emitters : public TileTest {
protected:
  Emitters() { context.loadDialect<graph::GraphDialect, mlir::func::FuncDialect>(); }

  /// Returns @main with one kernel around a body that yields %r; operands are named %a,
  /// %b, ... inside and outside.
  static std::string mainOf(const std::vector<std::string> &types,
                            const std::string &result, const std::string &body) {
    std::string arguments, pairs, list;
    for (size_t i = 0; i < types.size(); ++i) {
      std::string name(1, static_cast<char>('a' + i)), comma = i ? ", " : "";
      arguments += comma + "%" + name + "0: " + types[i];
      pairs += comma + "%" + name + " = %" + name + "0";
      list += comma + types[i];
    }
    return "graph.symbol @n in [0, 64]\ngraph.symbol @m in [0, 64]\nfunc.func @main(" +
           arguments + ") -> " + result + " {\n%k = graph.kernel \"k\" (" + pairs +
           ") : (" + list + ") -> " + result + " {\n" + body +
           "\ngraph.yield %r : " + result + "\n}\nreturn %k : " + result + "\n}\n";
  }

  /// Emits for two or three CPUs and two GPUs and compares at these symbol values.
  void check(const std::string &text, const Symbols &symbols, double tolerance = 2e-5,
             Flavour flavour = Flavour::Plain) {
    SCOPED_TRACE(text + symbols.str());
    source = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(source);
    auto main = source->lookupSymbol<mlir::func::FuncOp>("main");
    auto inputs = llvm::cantFail(reference::makeInputs(main, symbols, 1, flavour));
    reference::NoWeights none;
    auto expected = llvm::cantFail(reference::evaluate(main, inputs, symbols, none));
    graph::KernelOp kernel = *main.getOps<graph::KernelOp>().begin();
    TargetInfo target; // an AVX2 machine
    target.name = "x86-64-v3";
    for (int64_t bytes : {32, 64}) {
      target.vectorBytes = bytes;
      target.vectorRegisters = bytes / 2;
      checkTarget(kernel, target, inputs, expected[0], symbols, tolerance);
    }
    std::vector<const char *> others{"sm_80", "sm_90a"};
    if (text.find("bf16") != std::string::npos)
      others.push_back("znver4"); // a CPU that multiplies bf16 by pairs of steps
    for (const char *name : others) {
      SCOPED_TRACE(name);
      TargetInfo other = llvm::cantFail(TargetInfo::get(name));
      checkTarget(kernel, other, inputs, expected[0], symbols, tolerance);
    }
  }

private:
  void checkTarget(graph::KernelOp kernel, const TargetInfo &target,
                   llvm::ArrayRef<Tensor> inputs, const Tensor &expected,
                   const Symbols &symbols, double tolerance) {
    mlir::OwningOpRef<mlir::ModuleOp> emitted =
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(emitted->getBody());
    auto program = codegen::emitKernel(kernel, target, builder);
    ASSERT_TRUE(mlir::succeeded(program));
    ASSERT_TRUE(mlir::succeeded(emitted->verify()));
    sharesK += program->getWorkspace().has_value();
    std::vector<int64_t> values;
    for (llvm::StringRef name : program->getSymbols().getAsValueRange<mlir::StringAttr>())
      values.push_back(symbols.lookup(name).value());
    std::vector<std::vector<char>> memory;
    for (const Tensor &input : inputs)
      memory.push_back(input.toBytes());
    for (size_t i = 1; bytesOfKeys && i <= 2; ++i)
      memory[i].resize(bytesOfKeys);
    std::vector<char> first;
    for (TaskOrder order :
         {TaskOrder::Forward, TaskOrder::Reverse, TaskOrder::Shuffled}) {
      std::vector<std::vector<char>> all = memory;
      all.push_back(std::vector<char>(expected.toBytes().size(), char(0xff)));
      std::vector<Buffer> buffers;
      for (std::vector<char> &bytes : all)
        buffers.push_back(buffer(bytes));
      auto report = evaluateKernel(*program, buffers, values, {order, 3});
      ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
      EXPECT_EQ(report->unwritten[0], 0);
      Tensor found = Tensor::borrow(expected.getElementType(), expected.getShape(),
                                    all.back().data());
      reference::Difference difference = reference::compare(found, expected, tolerance);
      EXPECT_TRUE(difference.same) << difference.str(expected.getShape());
      if (order == TaskOrder::Forward)
        first = all.back();
      EXPECT_EQ(first, all.back()) << "the order of tasks shows";
    }
  }

  mlir::OwningOpRef<mlir::ModuleOp> source;

protected:
  int sharesK = 0;        ///< programs so far that use split-K
  size_t bytesOfKeys = 0; ///< size to which operands 1 and 2 are cut; 0: full size
};

/// Symbol values around tile boundaries.
inline const Symbols kSizes[] = {{{"n", 1}, {"m", 1}},
                          {{"n", 2}, {"m", 3}},
                          {{"n", 7}, {"m", 5}},
                          {{"n", 17}, {"m", 9}},
                          {{"n", 33}, {"m", 20}}};
} // namespace kiln::interpreter

#endif // KILN_TEST_UNIT_INTERPRETER_EMITTERFIXTURE_H
