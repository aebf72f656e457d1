// RUN: kiln-reduce %s --test "kiln-opt --kiln-verify-graph" --message "graph.unary erf" -o %t.mlir | FileCheck %s --check-prefix=REPORT
// RUN: kiln-opt %t.mlir --kiln-verify-graph | FileCheck %s
// RUN: kiln-reduce %s -j 1 -q --test "kiln-opt --kiln-verify-graph" --message "graph.unary erf" -o %t.one.mlir
// RUN: diff %t.mlir %t.one.mlir

// Ops in front of what is kept become an input, those behind it an output that is dropped;
// weights and symbolic dims that nothing uses go, and sizes shrink. The result satisfies
// kiln-verify-graph, and does not depend on how many tests run at a time.

// REPORT: programs.mlir.tmp.mlir: 1 op, of 9 ops, in {{.*}} s and {{.*}} tests

// CHECK-NOT: graph.symbol
// CHECK-NOT: graph.weight
// CHECK: func.func @main(%[[X:.*]]: tensor<1x1xf32> {graph.name = "{{.*}}"}) {
// CHECK-NEXT: %{{.*}} = graph.unary erf %[[X]] : (tensor<1x1xf32>) -> tensor<1x1xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }

!rows = tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>

graph.symbol @batch in [1, 64]
graph.weight @w : tensor<8xf32> {file = "m.data", offset = 0, length = 32, hash = "w"}

func.func @main(%x: !rows {graph.name = "x"}) -> (!rows {graph.name = "y"}, !rows {graph.name = "z"}) {
  %w = graph.get_weight @w : tensor<8xf32>
  %0 = graph.unary exp %x : (!rows) -> !rows
  %1 = graph.binary add %0, %w : (!rows, tensor<8xf32>) -> !rows
  %2 = graph.unary tanh %1 : (!rows) -> !rows
  %3 = graph.unary erf %2 : (!rows) -> !rows
  %4 = graph.unary neg %3 : (!rows) -> !rows
  %5 = graph.unary sqrt %4 : (!rows) -> !rows
  return %5, %1 : !rows, !rows
}
