// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s --check-prefix=HOST

// Some columns of eight rows at a time go into scratch: read along their own neighbours,
// written a row after the other. A row comes from there; what lies along it is read as
// it is. The last tile has fewer rows, the last columns are cut off. Hosts gather.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: (%[[A:.*]]: !tile.buffer<f32>, %[[R:.*]]: !tile.buffer<f32>) -> (%[[Y:.*]]: !tile.buffer<f32>) symbols() task(%[[TASK:.*]]) attributes
// CHECK-SAME: #tile.staging_config<tile = [512, 8], pads = [4], compute = <lanes = 1024,
// CHECK: %[[SCRATCH:.*]] = tile.scratch
// CHECK: %[[FIRST:.*]] = arith.muli
// CHECK: %[[VALID:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[COLUMN]]
// CHECK: %[[FROM:.*]] = tile.view %[[A]] offset %{{.*}} sizes(%[[LEFT]], %[[VALID]]) strides() : <f32> -> <?x?xf32, [196, 1]>
// CHECK: %[[LINES:.*]] = tile.load %[[FROM]]{{.*}} masked [0, 1] : {{.*}} -> !tile.frag<512x8xf32>
// CHECK: %[[TO:.*]] = tile.view %[[SCRATCH]] offset %[[COLUMN]] sizes(%[[LEFT]]) {{.*}} -> <?x8xf32, [1, 1028]>
// CHECK: tile.store %[[LINES]], %[[TO]]{{.*}} masked [0]
// CHECK: }
// CHECK: %[[ROWS:.*]] = arith.minsi %[[VALID]],
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %[[ROWS]]
// CHECK: %[[AT:.*]] = arith.muli %[[ROW]],
// CHECK: tile.view %[[SCRATCH]] offset %[[AT]] {{.*}} -> <1000xf32, [1]>
// CHECK: tile.view %[[R]] {{.*}} -> <1000xf32, [1]>
// CHECK: tile.reduce max
// CHECK-NOT: tile.view %[[SCRATCH]]
// CHECK-NOT: tile.view %[[R]]
// CHECK: tile.reduce sum
// CHECK-NOT: tile.view %[[SCRATCH]]
// CHECK-NOT: tile.view %[[R]]
// CHECK: tile.view %[[Y]] {{.*}} -> <1000xf32, [1]>
// CHECK: {tile.team = 32 : i64}
// HOST-LABEL: tile.kernel
// HOST-SAME: pointwise_config
// HOST: tile.gather
func.func @main(%x: tensor<3x1000x196xf32>, %y: tensor<3x196x1000xf32>) -> tensor<3x196x1000xf32> {
  %0 = graph.kernel "row" (%a = %x, %r = %y) : (tensor<3x1000x196xf32>, tensor<3x196x1000xf32>) -> tensor<3x196x1000xf32> {
    %1 = graph.transpose %a [0, 2, 1] : (tensor<3x1000x196xf32>) -> tensor<3x196x1000xf32>
    %2 = graph.binary add %1, %r : (tensor<3x196x1000xf32>, tensor<3x196x1000xf32>) -> tensor<3x196x1000xf32>
    %3 = graph.softmax %2 axis 2 : (tensor<3x196x1000xf32>) -> tensor<3x196x1000xf32>
    graph.yield %3 : tensor<3x196x1000xf32>
  }
  return %0 : tensor<3x196x1000xf32>
}

// -----

// The rows of two operands lie one behind the other, and both are under way before either is written.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: scratch = #[[BYTES:.*]], symbols
// CHECK: tile.scratch %c0
// CHECK: tile.scratch
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.load
// CHECK: tile.store
// CHECK: tile.store
// CHECK: }
// CHECK-NOT: tile.gather
// HOST-LABEL: tile.kernel
// HOST: tile.gather
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = graph.kernel "row" (%a = %x, %b = %y) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %1 = graph.binary add %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.transpose %1 [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %3 = graph.softmax %2 axis 1 : (tensor<64x64xf32>) -> tensor<64x64xf32>
    graph.yield %3 : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// -----

// Rows that no shared memory holds are read as they lie.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: pointwise_config
// CHECK: tile.gather
func.func @main(%x: tensor<8192x64xf32>) -> tensor<64x8192xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<8192x64xf32>) -> tensor<64x8192xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<8192x64xf32>) -> tensor<64x8192xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<64x8192xf32>) -> tensor<64x8192xf32>
    graph.yield %2 : tensor<64x8192xf32>
  }
  return %0 : tensor<64x8192xf32>
}
