// RUN: kiln-opt %s --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// Neighbouring dims that every access crosses alike are one loop; a whole
// number of fragments needs no mask.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: config = #tile.pointwise_config<lanes = 32,
// CHECK-SAME: hero = "pointwise"
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c32
// CHECK-NOT: scf.for
// CHECK: tile.load
// CHECK: tile.load
// CHECK: tile.map
// CHECK: arith.addf
// CHECK: tile.store
// CHECK-NOT: masked
func.func @main(%x: tensor<4x8x64xf32>, %y: tensor<4x8x64xf32>) -> tensor<4x8x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<4x8x64xf32>, tensor<4x8x64xf32>) -> tensor<4x8x64xf32> {
    %1 = graph.binary add %a, %b : (tensor<4x8x64xf32>, tensor<4x8x64xf32>) -> tensor<4x8x64xf32>
    graph.yield %1 : tensor<4x8x64xf32>
  }
  return %0 : tensor<4x8x64xf32>
}
