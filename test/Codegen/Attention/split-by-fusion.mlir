// RUN: kiln-opt %s --kiln-fuse-kernels --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// What the attention emitter refuses, fusion gives to others: a function of the
// query and the matmul that follows are kernels of their own.
// CHECK-LABEL: func.func @main
// CHECK: code = @pointwise_0
// CHECK-NEXT: graph.unary exp
// CHECK: code = @attention_0
// CHECK-NEXT: graph.attention
// CHECK-NEXT: graph.yield
// CHECK: code = @matmul_0
// CHECK-NEXT: graph.matmul
// CHECK-DAG: tile.kernel @pointwise_0
// CHECK-DAG: tile.kernel @attention_0
// CHECK-DAG: tile.kernel @matmul_0
!h = tensor<1x2x8x8xf32>
func.func @main(%q: !h, %k: !h, %v: !h) -> !h {
  %0 = graph.unary exp %q : (!h) -> !h
  %1 = graph.attention %0, %k, %v {scale = 0.25 : f64} : (!h, !h, !h) -> !h
  %2 = graph.matmul %1, %k : (!h, !h) -> !h
  return %2 : !h
}
