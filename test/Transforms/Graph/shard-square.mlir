// RUN: kiln-opt %s --kiln-shard=ranks=2 | FileCheck %s
// What is made once is stored in f32, so that the result moves by a rounding: no --kiln-test-verify-each here.

// The square of a weight is made once, and its columns are divided: not those of both operands.
graph.weight @w : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-DAG: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w_whole_part : tensor<4x2xf32>
// CHECK-DAG: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<2x4xf32>
// CHECK: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_2]] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<2x4xf32>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = graph.get_weight @w : tensor<4x4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x4xf32>
  %ww = graph.matmul %w, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = graph.matmul %x, %ww : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = graph.unary relu %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = graph.matmul %1, %w2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @bake() {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w : tensor<4x4xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[GET_WEIGHT]], %[[GET_WEIGHT]] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: graph.set_weight @w_whole, %[[MATMUL]] : tensor<4x4xf32>
// CHECK-NEXT: return
