// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3,x86-64-v4 | FileCheck %s

// Equal bodies share one program; every target gets one.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise" {{.*}} attributes {code = @pointwise_0}
// CHECK: graph.kernel "pointwise" {{.*}} attributes {code = @pointwise_0}
// CHECK: module @"x86-64-v3"
// CHECK-COUNT-1: tile.kernel @pointwise_0
// CHECK-NOT: tile.kernel
// CHECK: module @"x86-64-v4"
// CHECK-COUNT-1: tile.kernel @pointwise_0
// CHECK-NOT: tile.kernel
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = graph.unary exp %a : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    %3 = graph.unary exp %a : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %3 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}

// -----

// Another function, another type, other operand positions: programs of their own.
// CHECK-LABEL: func.func @main
// CHECK: code = @pointwise_0
// CHECK: code = @pointwise_1
// CHECK: code = @pointwise_2
// CHECK: code = @pointwise_3
// CHECK: module @"x86-64-v3"
// CHECK-COUNT-4: tile.kernel @pointwise_
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<8xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4xf32>) {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    %1 = graph.binary sub %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    %3 = graph.binary sub %b, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    graph.yield %3 : tensor<4xf32>
  }
  %4 = graph.kernel "pointwise" (%a = %z) : (tensor<8xf32>) -> tensor<8xf32> {
    %5 = graph.unary exp %a : (tensor<8xf32>) -> tensor<8xf32>
    graph.yield %5 : tensor<8xf32>
  }
  %6 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %7 = graph.unary exp %a : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %7 : tensor<4xf32>
  }
  return %0, %2, %4, %6 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>, tensor<4xf32>
}
