//===- TileText.h - Running tile programs written as text -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_INTERPRETER_TILETEXT_H
#define KILN_TEST_UNIT_INTERPRETER_TILETEXT_H

#include "kiln/Interpreter/TileEvaluator.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <limits>

namespace kiln::interpreter {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class TileTest : public testing::Test {
protected:
  TileTest() {
    context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                        mlir::scf::SCFDialect, mlir::affine::AffineDialect>();
    context.disableMultithreading();
  }

  template <typename T> static Buffer buffer(std::vector<T> &values) {
    return {values.data(), static_cast<int64_t>(values.size() * sizeof(T)), {}};
  }

  /// Returns a kernel of `tasks` tasks around a body; %x, %y are f32 buffers unless
  /// `element` says otherwise, %n is the symbol, %t the task, %c0 zero.
  static std::string kernel(const std::string &body, const std::string &tasks = "1",
                            const std::string &element = "f32") {
    return "tile.kernel @k(%x: !tile.buffer<" + element + ">) -> (%y: !tile.buffer<" + element +
           ">) symbols(%n) task(%t) attributes {symbols = [\"n\"], hero = \"pointwise\", "
           "grid = affine_map<()[s0] -> (" +
           tasks + ")>, scratch = affine_map<()[s0] -> (256)>} {\n" +
           "%c0 = arith.constant 0 : index\n" + body + "\n}\n";
  }

  llvm::Expected<Report> run(const std::string &text, llvm::ArrayRef<Buffer> buffers,
                             llvm::ArrayRef<int64_t> symbols = {0},
                             const Options &options = {}) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return evaluateKernel(*module->getOps<tile::KernelOp>().begin(), buffers, symbols, options);
  }

  void expectError(const std::string &text, llvm::ArrayRef<Buffer> buffers,
                   const std::string &code, const std::string &words, int64_t n = 0) {
    for (TaskOrder order : {TaskOrder::Forward, TaskOrder::Reverse}) {
      llvm::Expected<Report> report = run(text, buffers, {n}, {order, 0});
      ASSERT_FALSE(static_cast<bool>(report)) << words;
      std::string message = llvm::toString(report.takeError());
      EXPECT_NE(message.find(code), std::string::npos) << message;
      EXPECT_NE(message.find(words), std::string::npos) << message;
    }
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace kiln::interpreter

#endif // KILN_TEST_UNIT_INTERPRETER_TILETEXT_H
