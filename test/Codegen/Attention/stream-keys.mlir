// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v4 | FileCheck %s
// Keys that one query reads once are packed eight at a time, a line of each after the other, and the lines of the keys two panels
// behind are fetched among the squares that are transposed.

// CHECK-LABEL: tile.kernel @attention_0
// CHECK: %[[KEYS:.*]] = tile.view {{.*}} -> <32x64xf32, [64, 1]>
// CHECK: scf.for %[[N:.*]] = {{.*}} {
// CHECK: %[[DISTANCE:.*]] = arith.constant 64 : index
// CHECK: %[[AHEAD:.*]] = arith.addi %[[N]], %[[DISTANCE]]
// CHECK: scf.for %[[K:.*]] = {{.*}} {
// CHECK-COUNT-4: tile.prefetch %[[KEYS]][%{{.*}}, %[[K]]] {locality = 3 : i64}
// CHECK-NOT: tile.prefetch
// CHECK: tile.load %[[KEYS]][%[[N]], %{{.*}}] {{.*}} -> !tile.frag<8x8xf32>
// CHECK: tile.transpose
// CHECK: tile.store
// CHECK-COUNT-4: tile.prefetch %[[KEYS]][%{{.*}}, %[[K]]] {locality = 3 : i64}
// CHECK-NOT: tile.prefetch
// CHECK: tile.transpose
// CHECK: tile.store
func.func @main(%a0: tensor<1x4x1x64xf32>, %b0: tensor<1x1x64x64xf32>, %c0: tensor<1x1x64x64xf32>) -> tensor<1x4x1x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x1x64xf32>, tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<1x4x1x64xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x4x1x64xf32>, tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<1x4x1x64xf32>
    graph.yield %1 : tensor<1x4x1x64xf32>
  }
  return %k : tensor<1x4x1x64xf32>
}

// -----

// Blocks of queries read the packed keys again and again.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-NOT: tile.prefetch
// CHECK: tile.transpose
// CHECK-NOT: tile.prefetch
func.func @main(%a0: tensor<1x4x32x64xf32>, %b0: tensor<1x1x64x64xf32>, %c0: tensor<1x1x64x64xf32>) -> tensor<1x4x32x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x32x64xf32>, tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<1x4x32x64xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x4x32x64xf32>, tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<1x4x32x64xf32>
    graph.yield %1 : tensor<1x4x32x64xf32>
  }
  return %k : tensor<1x4x32x64xf32>
}

// -----

// Queries of one block read a panel of keys once, too.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-COUNT-4: tile.prefetch
// CHECK: tile.transpose
func.func @main(%a0: tensor<1x4x8x64xf32>, %b0: tensor<1x1x64x64xf32>, %c0: tensor<1x1x64x64xf32>) -> tensor<1x4x8x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x8x64xf32>, tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<1x4x8x64xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x4x8x64xf32>, tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<1x4x8x64xf32>
    graph.yield %1 : tensor<1x4x8x64xf32>
  }
  return %k : tensor<1x4x8x64xf32>
}

// -----

// Rows of 24 elements are no whole lines.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-NOT: tile.prefetch
// CHECK: tile.transpose
// CHECK-NOT: tile.prefetch
func.func @main(%a0: tensor<1x4x1x24xf32>, %b0: tensor<1x1x64x24xf32>, %c0: tensor<1x1x64x24xf32>) -> tensor<1x4x1x24xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x1x24xf32>, tensor<1x1x64x24xf32>, tensor<1x1x64x24xf32>) -> tensor<1x4x1x24xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x4x1x24xf32>, tensor<1x1x64x24xf32>, tensor<1x1x64x24xf32>) -> tensor<1x4x1x24xf32>
    graph.yield %1 : tensor<1x4x1x24xf32>
  }
  return %k : tensor<1x4x1x24xf32>
}
