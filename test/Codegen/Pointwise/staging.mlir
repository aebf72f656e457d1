// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s --check-prefix=HOST

// A tile of the transposed operand goes into scratch in contiguous lines of its own, a
// padded one per column; rows come out across the lines. The other operand is read as it
// is. The last tile of a row is cut off. A host transposes a square in registers, and has its rows
// in scratch; several squares of a row are one task.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: (%[[A:.*]]: !tile.buffer<f16>, %[[B:.*]]: !tile.buffer<f16>) -> (%[[Y:.*]]: !tile.buffer<f16>) symbols() task(%[[TASK:.*]]) attributes
// CHECK-SAME: #tile.staging_config<tile = [64, 64], pads = [2],
// CHECK: %[[SCRATCH:.*]] = tile.scratch
// CHECK: %[[COLUMN:.*]] = arith.muli
// CHECK: %[[VALID:.*]] = arith.subi %{{.*}}, %[[COLUMN]]
// CHECK: %[[FROM:.*]] = tile.view %[[A]] offset %{{.*}} sizes(%[[VALID]]) strides() : <f16> -> <?x64xf16, [64, 1]>
// CHECK: %[[TILE:.*]] = tile.load %[[FROM]]{{.*}} masked [0] : {{.*}} -> !tile.frag<64x64xf16>
// CHECK: %[[LINES:.*]] = tile.view %[[SCRATCH]] {{.*}} -> <64x64xf16, [66, 1]>
// CHECK: tile.store %[[TILE]], %[[LINES]]
// CHECK-NOT: masked
// CHECK: scf.if
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[ACROSS:.*]] = tile.view %[[SCRATCH]] offset %[[ROW]] sizes() strides() : <f16> -> <64xf16, [66]>
// CHECK: tile.load %[[ACROSS]]
// CHECK: %[[AS_IT_LIES:.*]] = tile.view %[[B]] {{.*}} -> <64xf16, [1]>
// CHECK: tile.load %[[AS_IT_LIES]]
// CHECK: %[[TO:.*]] = tile.view %[[Y]] {{.*}} -> <64xf16, [1]>
// CHECK: tile.store %{{.*}}, %[[TO]]
// CHECK-NOT: masked
// CHECK: {tile.team =
// CHECK: } else {
// CHECK: tile.store {{.*}} masked [0]
// CHECK-NOT: tile.gather
// HOST-LABEL: tile.kernel
// HOST-SAME: #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>
// HOST: scf.for
// HOST: scf.if
// HOST: %[[SQUARE:.*]] = tile.load %{{.*}} : <8x8xf16, [64, 1]> -> !tile.frag<8x8xf16>
// HOST: tile.transpose %[[SQUARE]]
// HOST: } else {
// HOST: tile.load %{{.*}} masked [0] : {{.*}} -> !tile.frag<8x8xf16>
// HOST-NOT: tile.gather
func.func @main(%x: tensor<70x64xf16>, %y: tensor<64x70xf16>) -> tensor<64x70xf16> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<70x64xf16>, tensor<64x70xf16>) -> tensor<64x70xf16> {
    %1 = graph.transpose %a [1, 0] : (tensor<70x64xf16>) -> tensor<64x70xf16>
    %2 = graph.binary add %1, %b : (tensor<64x70xf16>, tensor<64x70xf16>) -> tensor<64x70xf16>
    graph.yield %2 : tensor<64x70xf16>
  }
  return %0 : tensor<64x70xf16>
}

// -----

// All operands are under way before the first is written.
// HOST-LABEL: tile.kernel
// HOST-COUNT-2: tile.transpose
// CHECK-LABEL: tile.kernel
// CHECK: tile.load
// CHECK: tile.load
// CHECK: tile.store
// CHECK: tile.store
// CHECK: scf.for
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %1 = graph.binary add %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.transpose %1 [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    graph.yield %2 : tensor<64x64xf32>
  }
  return %0 : tensor<64x64xf32>
}

// -----

// A reduction over a transposed operand: vectors run along the dim that stays.
// CHECK-LABEL: tile.kernel
// CHECK-NOT: tile.gather
// CHECK: arith.maximumf
// CHECK-NOT: tile.reduce
// CHECK: tile.store
// HOST-LABEL: tile.kernel
// HOST-NOT: tile.gather
// HOST: tile.store
func.func @main(%x: tensor<64x512xf32>) -> tensor<512xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<64x512xf32>) -> tensor<512xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x512xf32>) -> tensor<512x64xf32>
    %2 = graph.reduce max %1 axes [1] : (tensor<512x64xf32>) -> tensor<512xf32>
    graph.yield %2 : tensor<512xf32>
  }
  return %0 : tensor<512xf32>
}

// -----

// One of two operands lies along the reduced dim: so do the vectors.
// CHECK-LABEL: tile.kernel
// CHECK: tile.reduce
func.func @main(%x: tensor<64x512xf32>, %y: tensor<512x64xf32>) -> tensor<512xf32> {
  %0 = graph.kernel "row" (%a = %x, %b = %y) : (tensor<64x512xf32>, tensor<512x64xf32>) -> tensor<512xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x512xf32>) -> tensor<512x64xf32>
    %2 = graph.binary add %1, %b : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
    %3 = graph.reduce max %2 axes [1] : (tensor<512x64xf32>) -> tensor<512xf32>
    graph.yield %3 : tensor<512xf32>
  }
  return %0 : tensor<512xf32>
}

// -----

// Of a concatenation whose seam lies within what a warp reads, fragments end at the seam:
// nothing is read from both. Threads have the fragments of rows that follow each other.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: lanes = 4,
// CHECK: scf.for %[[NUMBER:.*]] =
// CHECK: arith.divui %[[NUMBER]]
// CHECK: arith.remui %[[NUMBER]]
// CHECK: tile.load {{.*}} -> !tile.frag<4xf32>
// CHECK: {tile.team = 1 : i64}
func.func @main(%x: tensor<64x68xf32>, %y: tensor<64x60xf32>) -> tensor<64x128xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<64x68xf32>, tensor<64x60xf32>) -> tensor<64x128xf32> {
    %1 = graph.concat %a, %b axis 1 : (tensor<64x68xf32>, tensor<64x60xf32>) -> tensor<64x128xf32>
    graph.yield %1 : tensor<64x128xf32>
  }
  return %0 : tensor<64x128xf32>
}

// -----

// Behind a row of another operand: the first tile begins before the result does, so that the
// others begin where lines of the transposed operand do. It is loaded as far as it is selected,
// and read from scratch in the branch that selects it.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: (%[[A:.*]]: !tile.buffer<f32>, %[[B:.*]]: !tile.buffer<f32>) -> (%[[Y:.*]]: !tile.buffer<f32>) symbols() task(%[[TASK:.*]]) attributes
// CHECK-SAME: #tile.staging_config<tile = [32, 32],
// CHECK: %[[SCRATCH:.*]] = tile.scratch
// CHECK: %[[EARLY:.*]] = arith.subi %[[BASE:.*]], %c31
// CHECK: arith.maxsi %[[EARLY]], %c0
// CHECK: %[[BEGIN:.*]] = arith.subi %[[BASE]], %c32
// CHECK: %[[FIRST:.*]] = arith.maxsi %[[BEGIN]], %c0
// CHECK: arith.minsi %{{.*}}, %c64
// CHECK: %[[LEFT:.*]] = arith.maxsi
// CHECK: %[[FROM:.*]] = tile.view %[[A]] {{.*}}sizes(%[[LEFT]]) {{.*}} -> <32x?xf32, [64, 1]>
// CHECK: tile.load %[[FROM]]{{.*}} masked [1]
// CHECK: scf.for
// CHECK: scf.if
// CHECK: tile.view %[[B]]
// CHECK: } else {
// CHECK: tile.view %[[SCRATCH]] {{.*}} -> <32xf32, [33]>
// HOST-LABEL: tile.kernel
// HOST-NOT: tile.scratch
// HOST: tile.gather
func.func @main(%x: tensor<64x64xf32>, %y: tensor<1x64xf32>) -> tensor<65x64xf32> {
  %0 = graph.kernel "pointwise" (%a = %x, %b = %y) : (tensor<64x64xf32>, tensor<1x64xf32>) -> tensor<65x64xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = graph.concat %b, %1 axis 0 : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<65x64xf32>
    graph.yield %2 : tensor<65x64xf32>
  }
  return %0 : tensor<65x64xf32>
}
