// RUN: kiln-opt %s --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// Extents that are symbols: a task is 128 queries of a head, a block has any
// height up to 6, and keys past the last are minus infinity. Heads are split by
// views alone: queries are read where they lie in the rows of all heads.
// CHECK-DAG: #[[$GRID:.*]] = affine_map<()[s0, s1] -> ({{.*}}s1 ceildiv 128{{.*}})>
// CHECK-DAG: #[[$SCRATCH:.*]] = affine_map<()[s0, s1] -> ({{.*}}s1{{.*}})>
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-SAME: %[[MASK:arg3]]: !tile.buffer<f32>
// CHECK-SAME: symbols(%{{.*}}, %[[S:.*]]) task
// CHECK-SAME: grid = #[[$GRID]]
// CHECK-SAME: scratch = #[[$SCRATCH]]
// CHECK-SAME: symbols = ["b", "s"]
// CHECK: tile.view %arg0 {{.*}} sizes(%[[S]]) {{.*}} -> <?x32xf32, [128, 1]>
// CHECK: scf.index_switch
// CHECK: case 1 {
// CHECK: tile.mma {{.*}} : !tile.staged<1x?xf32>, !tile.staged<?x16xf32>, <1x16xf32>
// CHECK: default {
// CHECK: tile.mma {{.*}} : !tile.staged<6x?xf32>, !tile.staged<?x16xf32>, <6x16xf32>
// CHECK: %[[ADDED:.*]] = tile.view %[[MASK]] {{.*}} -> <16xf32, [1]>
// CHECK: %[[TERM:.*]] = tile.load %[[ADDED]]
// CHECK: tile.map %{{.*}}, %[[TERM]]
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: scf.if
// CHECK: tile.load {{.*}} masked [0]
// CHECK: tile.select_range {{.*}} else
// CHECK: tile.reduce max
#x = #graph.shape<[b, s] -> [b, s, 128]>
#i = #graph.shape<[b, s] -> [b, s, 4, 32]>
#h = #graph.shape<[b, s] -> [b, 4, s, 32]>
#m = #graph.shape<[b, s] -> [b, 1, 1, s]>
graph.symbol @b in [1, 8]
graph.symbol @s in [1, 512]
func.func @main(%q: tensor<?x?x128xf32, #x>, %k: tensor<?x4x?x32xf32, #h>, %v: tensor<?x4x?x32xf32, #h>, %m: tensor<?x1x1x?xf32, #m>) -> tensor<?x4x?x32xf32, #h> {
  %0 = graph.kernel "attention" (%a = %q, %c = %k, %d = %v, %e = %m) : (tensor<?x?x128xf32, #x>, tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>, tensor<?x1x1x?xf32, #m>) -> tensor<?x4x?x32xf32, #h> {
    %1 = graph.reshape %a : (tensor<?x?x128xf32, #x>) -> tensor<?x?x4x32xf32, #i>
    %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<?x?x4x32xf32, #i>) -> tensor<?x4x?x32xf32, #h>
    %3 = graph.attention %2, %c, %d mask %e {scale = 0.25 : f64} : (tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>, tensor<?x4x?x32xf32, #h>, tensor<?x1x1x?xf32, #m>) -> tensor<?x4x?x32xf32, #h>
    graph.yield %3 : tensor<?x4x?x32xf32, #h>
  }
  return %0 : tensor<?x4x?x32xf32, #h>
}
