// RUN: kiln-reduce %s --test "kiln-opt --kiln-test-verify-each='pipeline=builtin.module(kiln-simplify-graph,kiln-test-plant-bug)'" --message "KILN-E0257: pass 'kiln-test-plant-bug'" -o - 2>/dev/null | FileCheck %s --check-prefix=ADD
// RUN: kiln-reduce %s --test "kiln-opt --kiln-test-verify-each='pipeline=builtin.module(kiln-test-plant-bug{bug=swap-operands})'" --message "KILN-E0257" -o - 2>/dev/null | FileCheck %s --check-prefix=SWAP
// RUN: kiln-reduce %s --test "kiln-opt --kiln-test-verify-each='pipeline=builtin.module(canonicalize,kiln-test-plant-bug{bug=epsilon})'" --message "KILN-E0257: pass 'kiln-test-plant-bug'" -o - 2>/dev/null | FileCheck %s --check-prefix=EPSILON
// RUN: not kiln-reduce %s --test "kiln-opt --kiln-test-verify-each='pipeline=builtin.module(kiln-test-plant-bug{bug=harmless})'" --message "KILN-E0257" -o %t 2>&1 | FileCheck %s --check-prefix=HARMLESS

// Three passes that compute something else are each shown by one op, of 14; a pass that
// only swaps the operands of a sum is shown by none.

// ADD: func.func @main
// ADD-NEXT: graph.binary add
// ADD-NEXT: return

// SWAP: func.func @main
// SWAP-NEXT: graph.binary {{sub|div}}
// SWAP-NEXT: return

// EPSILON: func.func @main
// EPSILON-NEXT: graph.layer_norm %{{[a-z0-9]+}} axis
// EPSILON-NEXT: return

// HARMLESS: error: KILN-E0007: kiln reduce: kiln-opt: the input is not interesting; expected the text 'KILN-E0257', found exit status 0

!rows = tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>
!wide = tensor<?x16xf32, #graph.shape<[batch] -> [batch, 16]>>

graph.symbol @batch in [1, 8]

func.func @main(%x: !rows {graph.name = "x"}, %g: tensor<8xf32> {graph.name = "g"}, %w: tensor<8x16xf32> {graph.name = "w"},
                %v: tensor<16x8xf32> {graph.name = "v"}) -> (!rows {graph.name = "y"}) {
  %0 = graph.unary tanh %x : (!rows) -> !rows
  %1 = graph.layer_norm %0 scale %g bias %g axis 1 {epsilon = 1.0e-1 : f64} : (!rows, tensor<8xf32>, tensor<8xf32>) -> !rows
  %2 = graph.matmul %1, %w : (!rows, tensor<8x16xf32>) -> !wide
  %3 = graph.unary gelu %2 : (!wide) -> !wide
  %4 = graph.matmul %3, %v : (!wide, tensor<16x8xf32>) -> !rows
  %5 = graph.binary sub %4, %x : (!rows, !rows) -> !rows
  %6 = graph.unary sigmoid %5 : (!rows) -> !rows
  %7 = graph.binary add %6, %1 : (!rows, !rows) -> !rows
  %8 = graph.binary mul %7, %6 : (!rows, !rows) -> !rows
  %9 = graph.softmax %8 axis 1 : (!rows) -> !rows
  %10 = graph.unary exp %9 : (!rows) -> !rows
  %11 = graph.binary div %10, %7 : (!rows, !rows) -> !rows
  %12 = graph.unary neg %11 : (!rows) -> !rows
  %13 = graph.unary erf %12 : (!rows) -> !rows
  return %13 : !rows
}
