// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// A maximum, a sum that leaves the exponentials in scratch, a product.
// CHECK-LABEL: tile.kernel
// CHECK-SAME: scratch = #[[$SCRATCH:.*]],
// CHECK: %[[STAGE:.*]] = tile.scratch
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.cmpf ogt
// CHECK: %[[MAX:.*]] = tile.reduce max
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.subf %{{.*}}, %[[MAX]]
// CHECK: math.exp
// CHECK: tile.view %[[STAGE]]
// CHECK: tile.store
// CHECK: %[[SUM:.*]] = tile.reduce sum
// CHECK: arith.divf %{{.*}}, %[[SUM]]
// CHECK: scf.for
// CHECK: tile.view %[[STAGE]]
// CHECK: tile.load
// CHECK: arith.mulf
// CHECK: tile.store
func.func @main(%x: tensor<4x128xf32>) -> tensor<4x128xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<4x128xf32>) -> tensor<4x128xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<4x128xf32>) -> tensor<4x128xf32>
    graph.yield %1 : tensor<4x128xf32>
  }
  return %0 : tensor<4x128xf32>
}

// -----

// Along an outer axis the lanes are columns: nothing is reduced across lanes.
// CHECK-LABEL: tile.kernel
// CHECK-NOT: tile.reduce
// CHECK: scf.for {{.*}} iter_args
// CHECK: scf.for {{.*}} iter_args
// CHECK: math.exp
// CHECK-NOT: tile.reduce
// CHECK: tile.store
// CHECK: scf.for
// CHECK-NOT: tile.reduce
// CHECK: tile.store
func.func @main(%x: tensor<7x64xf32>) -> tensor<7x64xf32> {
  %0 = graph.kernel "row" (%a = %x) : (tensor<7x64xf32>) -> tensor<7x64xf32> {
    %1 = graph.softmax %a axis 0 : (tensor<7x64xf32>) -> tensor<7x64xf32>
    graph.yield %1 : tensor<7x64xf32>
  }
  return %0 : tensor<7x64xf32>
}
