// kiln-reduce finds the ops that a pass needs to do its work: those of a GELU, of 12.
// RUN: kiln-reduce %s --test "kiln-opt --kiln-raise-gelu" --message "graph.unary gelu" --success -o %t.mlir | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s < %t.mlir
// RUN: not kiln-reduce %s --test "kiln-opt --kiln-raise-gelu" --message "graph.unary tanh" -o %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: the input is not interesting; expected the text 'graph.unary tanh'
// REPORT: 8 ops, of 12 ops, in

// CHECK: func.func @main(%[[X:[^:]+]]: tensor<1x1xf32>
// CHECK-NOT: graph.matmul
// CHECK: graph.binary mul %[[X]],
// CHECK: graph.unary erf
// CHECK: graph.binary mul
// CHECK-NEXT: return
// CHECK-NOT: graph.
func.func @main(%x: tensor<4x8xf32> {graph.name = "x"}, %w: tensor<8x8xf32> {graph.name = "w"}) -> (tensor<4x8xf32> {graph.name = "y"}) {
  %half = graph.constant dense<0.5> : tensor<f32>
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = graph.unary abs %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = graph.binary mul %1, %half : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %3 = graph.binary div %1, %root : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %4 = graph.unary erf %3 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = graph.binary add %4, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %6 = graph.binary mul %2, %5 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = graph.binary sub %6, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = graph.unary exp %7 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}
