// RUN: kiln-opt %s --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// The bias is read along the row, one map computes everything, and the last
// fragment of a row is masked.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: lanes = 32
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[BASE:.*]] = arith.muli %[[ROW]], %c100
// CHECK: scf.for %[[COL:.*]] = %c0 to %c96 step %c32
// CHECK: %[[AT:.*]] = arith.addi %[[BASE]], %[[COL]]
// CHECK: tile.view %{{.*}} offset %[[AT]]
// CHECK: tile.view %{{.*}} offset %[[COL]]
// CHECK: tile.map
// CHECK: arith.addf
// CHECK: math.erf
// CHECK: tile.store %{{.*}} : !tile.frag<32xf32>
// CHECK: tile.load %{{.*}} masked [0] : <4xf32, [1]> -> !tile.frag<32xf32>
// CHECK: tile.store %{{.*}} masked [0]
func.func @main(%x: tensor<4x100xf32>, %y: tensor<100xf32>) -> tensor<4x100xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<4x100xf32>, tensor<100xf32>) -> tensor<4x100xf32> {
    %1 = graph.binary add %a, %b : (tensor<4x100xf32>, tensor<100xf32>) -> tensor<4x100xf32>
    %2 = graph.unary gelu %1 : (tensor<4x100xf32>) -> tensor<4x100xf32>
    graph.yield %2 : tensor<4x100xf32>
  }
  return %0 : tensor<4x100xf32>
}
