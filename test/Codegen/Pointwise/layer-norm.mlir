// RUN: kiln-opt %s --kiln-emit-kernels=targets=x86-64-v3 | FileCheck %s

// The embedding's row number is read once per row: wrapped, clamped, and in
// front of the three walks over the row.
// CHECK-LABEL: tile.kernel
// CHECK: scf.for
// CHECK: tile.load %{{.*}} -> i64
// CHECK: arith.index_cast
// CHECK: arith.select
// CHECK: arith.maxsi
// CHECK: %[[ID:.*]] = arith.minsi
// CHECK: %[[ROW:.*]] = arith.muli %[[ID]], %c384
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.reduce sum
// CHECK: scf.for {{.*}} iter_args
// CHECK: tile.reduce sum
// CHECK: math.sqrt
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: tile.store
func.func @main(%t: tensor<100x384xf32>, %i: tensor<2x3xi64>, %p: tensor<3x384xf32>,
                %s: tensor<384xf32>) -> tensor<2x3x384xf32> {
  %0 = graph.kernel "row" (%a = %t, %b = %i, %c = %p, %d = %s) : (tensor<100x384xf32>, tensor<2x3xi64>, tensor<3x384xf32>, tensor<384xf32>) -> tensor<2x3x384xf32> {
    %1 = graph.gather %a, %b axis 0 : (tensor<100x384xf32>, tensor<2x3xi64>) -> tensor<2x3x384xf32>
    %2 = graph.binary add %1, %c : (tensor<2x3x384xf32>, tensor<3x384xf32>) -> tensor<2x3x384xf32>
    %3 = graph.layer_norm %2 scale %d axis 2 {epsilon = 1.0e-12 : f64} : (tensor<2x3x384xf32>, tensor<384xf32>) -> tensor<2x3x384xf32>
    graph.yield %3 : tensor<2x3x384xf32>
  }
  return %0 : tensor<2x3x384xf32>
}
