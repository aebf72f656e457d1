//===- ProductOp.h - The matmul op of a GEMM kernel -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// graph.matmul or graph.scaled_matmul. The latter's left operand is never transposed, and
// its right operand is always packed in panels. Internal to lib/Codegen/Gemm.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_GEMM_PROGRAM_PRODUCTOP_H
#define KILN_LIB_CODEGEN_GEMM_PROGRAM_PRODUCTOP_H

#include "dialects/Graph/Graph.h"

namespace kiln::codegen {

class ProductOp {
public:
  ProductOp() = default;
  /// Returns null if the op is neither.
  static ProductOp of(mlir::Operation *op) {
    ProductOp product;
    if (mlir::isa<graph::MatmulOp, graph::ScaledMatmulOp>(op))
      product.op = op;
    return product;
  }

  explicit operator bool() const { return op; }
  mlir::Operation *getOperation() const { return op; }
  mlir::Value getLhs() const { return op->getOperand(0); }
  mlir::Value getResult() const { return op->getResult(0); }
  bool getTransposeA() const { return matmul() && matmul().getTransposeA(); }
  bool getTransposeB() const { return matmul() && matmul().getTransposeB(); }
  bool getTf32() const { return matmul() && matmul().getTf32(); }

  /// Returns the op if it is of that kind, else null.
  graph::MatmulOp matmul() const { return mlir::dyn_cast<graph::MatmulOp>(op); }
  graph::ScaledMatmulOp scaled() const {
    return mlir::dyn_cast<graph::ScaledMatmulOp>(op);
  }

private:
  mlir::Operation *op = nullptr;
};

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_GEMM_PROGRAM_PRODUCTOP_H
