// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_90a --canonicalize --cse | FileCheck %s

// 132 tiles have a task each; 66 more are cut into 132 units, which have a first and a second task.
// CHECK: affine_map<() -> (264)>
// CHECK-LABEL: module @sm_90a
// CHECK: tile.kernel @matmul_0({{.*}}) task(%[[TASK:.*]]) attributes
// CHECK: %[[IS_TAIL:.*]] = arith.cmpi sge, %[[TASK]], %c132
// CHECK: %[[TILE:.*]] = arith.select %[[IS_TAIL]], %{{.*}}, %[[TASK]]
// CHECK: %[[BEGIN:.*]] = arith.select %[[IS_TAIL]], %{{.*}}, %c0
// CHECK: %[[END:.*]] = arith.select %[[IS_TAIL]], %{{.*}}, %c16384
// CHECK: %[[OWN:.*]]:12 = tile.pipeline %[[BEGIN]] to %[[END]] step %c64
// CHECK: %[[IS_WHOLE:.*]] = arith.cmpi slt, %[[TILE]], %c132
// CHECK: %[[ALL:.*]]:13 = scf.if
// CHECK: %[[COUNTER:.*]] = arith.subi %[[TILE]], %c132
// CHECK: tile.workspace
// CHECK-COUNT-12: tile.store %[[OWN]]
// CHECK: %[[LAST:.*]] = tile.ticket %[[COUNTER]] of 2 actual %[[UNITS:.*]]
// CHECK: scf.if %[[LAST]]
// CHECK: scf.for {{.*}} = %c1 to %[[UNITS]] step %c1
// CHECK: scf.yield %[[IS_WHOLE]], %[[OWN]]#0
// CHECK: scf.if %[[ALL]]#0 {
// CHECK-NOT: tile.ticket
func.func @main(%x: tensor<2304x16384xf16>, %w: tensor<128x16384x16xf16>) -> tensor<2304x2048xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<2304x16384xf16>, tensor<128x16384x16xf16>) -> tensor<2304x2048xf16> {
    %1 = graph.unpack %b : (tensor<128x16384x16xf16>) -> tensor<16384x2048xf16>
    %2 = graph.matmul %a, %1 : (tensor<2304x16384xf16>, tensor<16384x2048xf16>) -> tensor<2304x2048xf16>
    graph.yield %2 : tensor<2304x2048xf16>
  }
  return %0 : tensor<2304x2048xf16>
}

// -----

// 264 tiles in whole waves, and ten tasks for each of 8 more: a unit has steps of one tile.
// CHECK: affine_map<() -> (344)>
// CHECK-LABEL: module @sm_90a
// CHECK: tile.ticket %{{.*}} of 10 actual
func.func @main(%x: tensor<2176x16384xf16>, %w: tensor<256x16384x16xf16>) -> tensor<2176x4096xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<2176x16384xf16>, tensor<256x16384x16xf16>) -> tensor<2176x4096xf16> {
    %1 = graph.unpack %b : (tensor<256x16384x16xf16>) -> tensor<16384x4096xf16>
    %2 = graph.matmul %a, %1 : (tensor<2176x16384xf16>, tensor<16384x4096xf16>) -> tensor<2176x4096xf16>
    graph.yield %2 : tensor<2176x4096xf16>
  }
  return %0 : tensor<2176x4096xf16>
}

// -----

// A nearly full last wave: a task per tile.
// CHECK: affine_map<() -> (512)>
// CHECK-LABEL: module @sm_90a
// CHECK-NOT: tile.ticket
func.func @main(%x: tensor<4096x4096xf16>, %w: tensor<256x4096x16xf16>) -> tensor<4096x4096xf16> {
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4096x4096xf16>, tensor<256x4096x16xf16>) -> tensor<4096x4096xf16> {
    %1 = graph.unpack %b : (tensor<256x4096x16xf16>) -> tensor<4096x4096xf16>
    %2 = graph.matmul %a, %1 : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
    graph.yield %2 : tensor<4096x4096xf16>
  }
  return %0 : tensor<4096x4096xf16>
}
