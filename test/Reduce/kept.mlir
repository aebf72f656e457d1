// RUN: kiln-reduce %s --test "kiln-opt" --message "tensor<?x" -o - 2>/dev/null | FileCheck %s --check-prefix=SYMBOL
// RUN: kiln-reduce %s --test "kiln-opt" --message "x8xf32" -o - 2>/dev/null | FileCheck %s --check-prefix=SIZE
// RUN: kiln-reduce %s --test "kiln-opt" --message "graph.weight" -o - 2>/dev/null | FileCheck %s --check-prefix=WEIGHT
// RUN: kiln-reduce %s --test "kiln-opt" --message "[1, 64]" -o - 2>/dev/null | FileCheck %s --check-prefix=RANGE
// RUN: kiln-reduce %s --script %S/Inputs/two-results.sh -o - 2>/dev/null | FileCheck %s --check-prefix=RESULTS
// RUN: kiln-reduce %s --test "kiln-opt" --message "graph.cast" -o - 2>/dev/null | FileCheck %s --check-prefix=CAST
// RUN: kiln-reduce %s --test "kiln-opt" --message "scf.for" -o - 2>/dev/null | FileCheck %s --check-prefix=LOOP
// RUN: kiln-reduce %s --test "kiln-opt" --message "scf.if" -o - 2>/dev/null | FileCheck %s --check-prefix=BRANCH

// What the test looks for stays, whatever kind of edit would remove it: a symbolic dim, a
// size, a weight, a range, two outputs, an op whose result has no operand's type, a loop,
// a condition. All else goes.

// A symbolic dim, in a type of an argument alone.
// SYMBOL: module {
// SYMBOL-NEXT: graph.symbol @batch in [1, 1]
// SYMBOL-NEXT: func.func @main(%{{.*}}: tensor<?x
// SYMBOL-NEXT: return
// SYMBOL-NEXT: }
// SYMBOL-NEXT: }

// SIZE-NOT: graph.symbol
// SIZE: func.func @main(%{{.*}}: tensor<1x8xf32>
// SIZE-NEXT: return
// SIZE-NOT: tile.kernel

// WEIGHT: module {
// WEIGHT-NEXT: graph.weight @w : tensor<1xf32>{{.*}}
// WEIGHT-NEXT: {{^}}}

// RANGE: graph.symbol @batch in [1, 64]
// RANGE-NEXT: }

// RESULTS: func.func @main(%{{.*}}) -> ({{.*}}, {{.*}}) {
// RESULTS-NEXT: return %{{.*}}, %{{.*}} :

// CAST: func.func @main(%[[X:.*]]: tensor<1x1xf32>
// CAST-NEXT: graph.cast %[[X]] : (tensor<1x1xf32>) -> tensor<1x1xf16>
// CAST-NEXT: return

// LOOP: tile.kernel @k()
// LOOP-NEXT: arith.constant
// LOOP-NEXT: arith.constant
// LOOP-NEXT: arith.constant
// LOOP-NEXT: scf.for
// LOOP-NEXT: }
// LOOP-NEXT: }

// BRANCH: tile.kernel @k()
// BRANCH-NEXT: %[[C:.*]] = arith.constant false
// BRANCH-NEXT: scf.if %[[C]] {
// BRANCH-NEXT: }
// BRANCH-NEXT: }

!rows = tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>
!halves = tensor<?x8xf16, #graph.shape<[batch] -> [batch, 8]>>

graph.symbol @batch in [1, 64]
graph.weight @w : tensor<8xf32> {file = "m.data", offset = 0, length = 32, hash = "w"}

func.func @main(%x: !rows {graph.name = "x"}) -> (!rows {graph.name = "y"}, !halves {graph.name = "z"}) {
  %w = graph.get_weight @w : tensor<8xf32>
  %0 = graph.unary exp %x : (!rows) -> !rows
  %1 = graph.binary add %0, %w : (!rows, tensor<8xf32>) -> !rows
  %2 = graph.cast %1 : (!rows) -> !halves
  return %1, %2 : !rows, !halves
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
        tile.sync_threads
      }
    }
  }
}
