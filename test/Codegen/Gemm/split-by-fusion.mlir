// RUN: kiln-opt %s --kiln-fuse-kernels --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// What the GEMM emitter refuses, fusion gives to the pointwise emitter: exp before
// a product and softmax after it are kernels of their own, the bias is not.
// CHECK-LABEL: func.func @main
// CHECK: code = @pointwise_0
// CHECK-NEXT: graph.unary exp
// CHECK: code = @matmul_0
// CHECK-NEXT: graph.matmul
// CHECK-NEXT: graph.binary add
// CHECK: code = @row_0
// CHECK-NEXT: graph.softmax
// CHECK-DAG: tile.kernel @pointwise_0
// CHECK-DAG: tile.kernel @matmul_0
// CHECK-DAG: tile.kernel @row_0
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %c: tensor<4xf32>) -> tensor<4x4xf32> {
  %0 = graph.unary exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.matmul %0, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = graph.binary add %1, %c : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %3 = graph.softmax %2 axis 1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
