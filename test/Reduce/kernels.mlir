// RUN: kiln-reduce %s --test "kiln-opt --kiln-verify-kernels" --message "graph.unary erf" -o - 2>/dev/null | FileCheck %s
// RUN: kiln-reduce %s --test "kiln-opt" --message "tile.sync_threads" -o - 2>/dev/null | FileCheck %s --check-prefix=TILE
// RUN: kiln-reduce %s --test "kiln-opt" --message "math.exp" -o - 2>/dev/null | FileCheck %s --check-prefix=MATH

// In a kernel too ops become arguments of it, and arguments and results that nothing reads
// go. Of tile kernels, loops are replaced by their first iteration, conditions by a branch,
// values by operands, arguments and constants, and buffers that nothing reads go.

// CHECK: func.func @main(%[[X:.*]]: tensor<1xf32> {graph.name = "{{.*}}"})
// CHECK-NEXT: graph.kernel "pointwise" (%[[A:.*]] = %[[X]]) : (tensor<1xf32>) -> tensor<1xf32> {
// CHECK-NEXT: graph.unary erf %[[A]]
// CHECK-NEXT: graph.yield
// CHECK-NOT: tile.

// TILE-NOT: graph.
// TILE: tile.kernel @k()
// TILE-NOT: scf
// TILE-NOT: tile.view
// TILE: tile.sync_threads
// TILE-NEXT: }

// MATH: tile.kernel
// MATH-NEXT: %[[C:.*]] = arith.constant 1.000000e+00 : f32
// MATH-NEXT: math.exp %[[C]] : f32
// MATH-NEXT: }

func.func @main(%x: tensor<8xf32> {graph.name = "x"}) -> (tensor<8xf32> {graph.name = "y"}) {
  %0:2 = graph.kernel "pointwise" (%a = %x) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %1 = graph.unary exp %a : (tensor<8xf32>) -> tensor<8xf32>
    %2 = graph.unary erf %1 : (tensor<8xf32>) -> tensor<8xf32>
    %3 = graph.unary neg %2 : (tensor<8xf32>) -> tensor<8xf32>
    graph.yield %3, %1 : tensor<8xf32>, tensor<8xf32>
  }
  %4 = graph.kernel "pointwise" (%a = %0#0, %b = %0#1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
    %5 = graph.binary add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    graph.yield %5 : tensor<8xf32>
  }
  return %4 : tensor<8xf32>
}

module @sm_80 {
  tile.kernel @k(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
      attributes {symbols = ["n"], grid = affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>,
                  hero = "pointwise", threads = 32 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %some = arith.cmpi slt, %t, %n : index
    scf.if %some {
      scf.for %i = %c0 to %n step %c1 {
        %0 = arith.index_cast %i : index to i32
        %1 = arith.sitofp %0 : i32 to f32
        %2 = math.exp %1 : f32
        tile.sync_threads
      }
    }
  }
}
