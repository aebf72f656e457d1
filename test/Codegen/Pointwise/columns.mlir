// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s --check-prefix=HOST

// Teams of four threads have every 32nd position of a strip of 16 columns; each leaves a
// line of scratch; a warp combines the lines and divides. Hosts walk over all positions.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: (%[[X:.*]]: !tile.buffer<f32>) -> (%[[Y:.*]]: !tile.buffer<f32>)
// CHECK-DAG: %[[PARTS:.*]] = tile.scratch
// CHECK-DAG: %[[TEAMS:.*]] = arith.constant 32 : index
// CHECK: scf.for %[[TEAM:.*]] = %{{.*}} to %[[TEAMS]] step
// CHECK: %[[FIRST:.*]] = arith.remui %[[TEAM]], %[[TEAMS]]
// CHECK: %[[DEPTH:.*]] = arith.constant 100 : index
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %[[FIRST]] to %[[DEPTH]] step %[[TEAMS]] iter_args
// CHECK: tile.view %[[X]] {{.*}} -> <16xf32, [1]>
// CHECK: %[[LINE:.*]] = tile.view %[[PARTS]] {{.*}} -> <16xf32, [1]>
// CHECK: tile.store %[[SUM]], %[[LINE]]
// CHECK: {tile.team = 4 : i64}
// CHECK: scf.for
// CHECK: %[[LINES:.*]] = tile.view %[[PARTS]] {{.*}} -> <32x16xf32, [16, 1]>
// CHECK: %[[ALL:.*]] = tile.load %[[LINES]]
// CHECK: tile.reduce sum %[[ALL]] axis 0 : <32x16xf32> -> !tile.frag<16xf32>
// CHECK: arith.divf
// CHECK: tile.view %[[Y]]
// CHECK: tile.store
// CHECK: {tile.team = 32 : i64}
// CHECK-NOT: scf.for
// HOST-LABEL: tile.kernel
// HOST-NOT: tile.scratch
// HOST-NOT: tile.team
// HOST: scf.for
func.func @main(%a: tensor<2x100x64xf32>) -> tensor<2x64xf32> {
  %0 = graph.kernel "row" (%x = %a) : (tensor<2x100x64xf32>) -> tensor<2x64xf32> {
    %s = graph.reduce mean %x axes [1] : (tensor<2x100x64xf32>) -> tensor<2x64xf32>
    graph.yield %s : tensor<2x64xf32>
  }
  return %0 : tensor<2x64xf32>
}

// -----

// A block has eight strips of sixteen positions at a time, the last block fewer. Columns
// past the last are masked, but in lines of scratch, which are written in whole.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: reduce_split = 16>
// CHECK: %[[LEFT:.*]] = arith.subi
// CHECK: %[[STRIPS:.*]] = arith.minsi %[[LEFT]]
// CHECK: %[[TEAMS:.*]] = arith.muli %[[STRIPS]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TEAMS]]
// CHECK: tile.load {{.*}} masked [0]
// CHECK: tile.store
// CHECK-NOT: masked
// CHECK: {tile.team = 4 : i64}
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[STRIPS]]
// CHECK: tile.store {{.*}} masked [0]
func.func @main(%a: tensor<37x11x3xf32>) -> tensor<37x3xf32> {
  %0 = graph.kernel "row" (%x = %a) : (tensor<37x11x3xf32>) -> tensor<37x3xf32> {
    %s = graph.reduce max %x axes [1] : (tensor<37x11x3xf32>) -> tensor<37x3xf32>
    graph.yield %s : tensor<37x3xf32>
  }
  return %0 : tensor<37x3xf32>
}

// -----

// Softmax keeps what it loads, in memory's type: one load from the operand, by the first
// pass, which writes it to scratch.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: (%[[X:.*]]: !tile.buffer<f16>) -> (%[[Y:.*]]: !tile.buffer<f16>)
// CHECK-SAME: stage = true
// CHECK: %[[STAGE:.*]] = tile.scratch {{.*}} : <f16>
// CHECK: tile.view %[[X]]
// CHECK: tile.view %[[STAGE]]
// CHECK-NOT: tile.view %[[X]]
// CHECK: tile.reduce max
// CHECK-NOT: tile.view %[[X]]
// CHECK: tile.view %[[STAGE]]
// CHECK-NOT: tile.view %[[X]]
// CHECK: tile.reduce sum
// CHECK-NOT: tile.view %[[X]]
// CHECK: tile.view %[[Y]]
// CHECK-NOT: tile.view %[[X]]
// CHECK: tile.team
// HOST-LABEL: tile.kernel
func.func @main(%a: tensor<4x64x32xf16>) -> tensor<4x64x32xf16> {
  %0 = graph.kernel "row" (%x = %a) : (tensor<4x64x32xf16>) -> tensor<4x64x32xf16> {
    %s = graph.softmax %x axis 1 : (tensor<4x64x32xf16>) -> tensor<4x64x32xf16>
    graph.yield %s : tensor<4x64x32xf16>
  }
  return %0 : tensor<4x64x32xf16>
}

// -----

// The last dim: a block has a row, and nothing is shared.
// CHECK-LABEL: tile.kernel
// CHECK-NOT: share
// CHECK: tile.reduce sum {{.*}} axis 0 : <1024xf32> -> f32
// HOST-LABEL: tile.kernel
func.func @main(%a: tensor<8x4096xf32>) -> tensor<8xf32> {
  %0 = graph.kernel "row" (%x = %a) : (tensor<8x4096xf32>) -> tensor<8xf32> {
    %s = graph.reduce sum %x axes [1] : (tensor<8x4096xf32>) -> tensor<8xf32>
    graph.yield %s : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
