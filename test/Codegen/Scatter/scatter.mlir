// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 | FileCheck %s

// A part copies its rows, looks at some indices at a time, and stores the updates of
// its own rows where the columns of a thread are those that it copied.
// CHECK-LABEL: tile.kernel
// CHECK: scf.for
// CHECK: scf.for
// CHECK: tile.load %{{.*}} -> !tile.frag<64xf32>
// CHECK: tile.store %{{.*}} : !tile.frag<64xf32>
// CHECK: scf.for
// CHECK: tile.load %{{.*}} -> !tile.frag<32xi64>
// CHECK: %[[ANY:.*]] = tile.reduce or
// CHECK: %[[HIT:.*]] = arith.cmpi ne, %[[ANY]]
// CHECK: scf.if %[[HIT]]
// CHECK: scf.for
// CHECK: %[[MINE:.*]] = arith.cmpi ult
// CHECK: scf.if %[[MINE]]
// CHECK-NOT: tile.scatter
// CHECK: %[[UPDATE:.*]] = tile.load %{{.*}} -> !tile.frag<64xf32>
// CHECK: tile.store %[[UPDATE]]
// CHECK: {tile.team = 16 : i64}
func.func @main(%x: tensor<8x512x64xf32>, %i: tensor<8x40x1xi64>, %u: tensor<8x40x64xf32>) -> tensor<8x512x64xf32> {
  %0 = graph.kernel "scatter" (%a = %x, %b = %i, %c = %u) : (tensor<8x512x64xf32>, tensor<8x40x1xi64>, tensor<8x40x64xf32>) -> tensor<8x512x64xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<8x512x64xf32>, tensor<8x40x1xi64>, tensor<8x40x64xf32>) -> tensor<8x512x64xf32>
    graph.yield %1 : tensor<8x512x64xf32>
  }
  return %0 : tensor<8x512x64xf32>
}

// -----

// Indices of each column: every thread goes its own way, and none is skipped.
// CHECK-LABEL: tile.kernel
// CHECK: tile.store
// CHECK-NOT: tile.reduce
// CHECK: %[[OLD:.*]] = tile.gather %[[VIEW:.*]][] at %[[WHERE:.*]] pad
// CHECK: arith.addf
// CHECK: tile.scatter %{{.*}}, %[[VIEW]][] at %[[WHERE]] masked
func.func @main(%x: tensor<2x512x64xf32>, %i: tensor<2x40x64xi64>, %u: tensor<2x40x64xf32>) -> tensor<2x512x64xf32> {
  %0 = graph.kernel "scatter" (%a = %x, %b = %i, %c = %u) : (tensor<2x512x64xf32>, tensor<2x40x64xi64>, tensor<2x40x64xf32>) -> tensor<2x512x64xf32> {
    %1 = graph.scatter %a, %b, %c combine sum : (tensor<2x512x64xf32>, tensor<2x40x64xi64>, tensor<2x40x64xf32>) -> tensor<2x512x64xf32>
    graph.yield %1 : tensor<2x512x64xf32>
  }
  return %0 : tensor<2x512x64xf32>
}

// -----

// One column: the rows of a part stay in registers and are stored once.
// CHECK-LABEL: tile.kernel
// CHECK: %[[HELD:.*]] = tile.load %{{.*}} -> !tile.frag<512xf32>
// CHECK: %[[END:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[HELD]])
// CHECK-NOT: tile.store
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK: tile.store %[[END]]
// CHECK-NOT: tile.store
func.func @main(%x: tensor<1x4096x1xf32>, %i: tensor<1x40x1xi64>, %u: tensor<1x40x1xf32>) -> tensor<1x4096x1xf32> {
  %0 = graph.kernel "scatter" (%a = %x, %b = %i, %c = %u) : (tensor<1x4096x1xf32>, tensor<1x40x1xi64>, tensor<1x40x1xf32>) -> tensor<1x4096x1xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<1x4096x1xf32>, tensor<1x40x1xi64>, tensor<1x40x1xf32>) -> tensor<1x4096x1xf32>
    graph.yield %1 : tensor<1x4096x1xf32>
  }
  return %0 : tensor<1x4096x1xf32>
}
