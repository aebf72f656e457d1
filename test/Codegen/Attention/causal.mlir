// RUN: kiln-opt %s --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// Per head: keys packed transposed in squares, values as they are. Then for each
// block of queries the scores into a strip, softmax in two walks over it, and the
// product with the values, divided by the sum where it is stored. All end at the last
// key that the block sees, and a row that is not finite is added up once more from the
// values that its query sees.
// CHECK-DAG: #[[$GRID:.*]] = affine_map<() -> (4)>
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-SAME: (%[[Q:.*]]: !tile.buffer<f32>, %[[K:.*]]: !tile.buffer<f32>, %[[V:.*]]: !tile.buffer<f32>) -> (%[[Y:.*]]: !tile.buffer<f32>)
// CHECK-SAME: config = #tile.attention_config<mr = 6, nr = 16, mc = 128>
// CHECK-SAME: grid = #[[$GRID]]

// CHECK: tile.view %[[K]]
// CHECK: tile.transpose %{{.*}} : <8x8xf32> -> <8x8xf32>
// CHECK: tile.view %[[V]]
// CHECK-NOT: tile.transpose
// CHECK: %[[QUERIES:.*]] = tile.view %[[Q]] {{.*}} -> <12x16xf32, [16, 1]>
// CHECK: %[[STRIP:.*]] = tile.view %{{.*}} -> <6x16xf32, [16, 1]>
// CHECK: %[[SUMS:.*]] = tile.view %{{.*}} -> <6xf32, [1]>

// CHECK: %[[LAST:.*]] = arith.maxsi
// CHECK: arith.ceildivui %[[LAST]]
// CHECK: %[[SCORES:.*]] = tile.pipeline
// CHECK: tile.stage %[[QUERIES]]
// CHECK: tile.mma {{.*}} : !tile.staged<6x?xf32>, !tile.staged<?x16xf32>, <6x16xf32>
// CHECK: tile.store %[[SCORES]], %[[STRIP]]

// Query i sees keys up to i + 16 - 12.
// CHECK: arith.mulf
// CHECK: %[[AHEAD:.*]] = arith.constant 4 : index
// CHECK: arith.addi %{{.*}}, %[[AHEAD]]
// CHECK: %[[SEEN:.*]] = tile.select_range {{.*}} else
// CHECK: tile.store %[[SEEN]], %[[STRIP]]
// CHECK: %[[MAX:.*]] = tile.reduce max
// CHECK: %[[SHIFT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[MAX]]
// CHECK: arith.subf %{{.*}}, %[[SHIFT]]
// CHECK: math.exp
// CHECK: %[[SUM:.*]] = tile.reduce sum
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[SUM]]
// CHECK: tile.store %[[INVERSE]], %[[SUMS]]

// CHECK: tile.pipeline %{{.*}} to %[[LAST]]
// CHECK: tile.stage %[[STRIP]]
// CHECK: tile.mma
// CHECK: %[[BAD:.*]] = arith.cmpf uno
// CHECK: scf.if %[[BAD]]
// CHECK: scf.for
// CHECK: math.fma
// CHECK: %[[BY:.*]] = tile.load %[[SUMS]]
// CHECK: arith.mulf %{{.*}}, %[[BY]]
// CHECK: tile.view %[[Y]]
// CHECK: tile.store
func.func @main(%q: tensor<1x4x12x16xf32>, %k: tensor<1x2x16x16xf32>, %v: tensor<1x2x16x16xf32>) -> tensor<1x4x12x16xf32> {
  %0 = graph.kernel "attention" (%a = %q, %c = %k, %d = %v) : (tensor<1x4x12x16xf32>, tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>) -> tensor<1x4x12x16xf32> {
    %1 = graph.attention %a, %c, %d {causal, scale = 0.25 : f64} : (tensor<1x4x12x16xf32>, tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>) -> tensor<1x4x12x16xf32>
    graph.yield %1 : tensor<1x4x12x16xf32>
  }
  return %0 : tensor<1x4x12x16xf32>
}
