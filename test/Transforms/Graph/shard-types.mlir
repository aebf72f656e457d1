// RUN: kiln-opt %s --kiln-shard=ranks=2 | FileCheck %s
// NOTE: checks by tools/update-lit-checks

// Sums of 16-bit products are added up in f32.
graph.weight @w1 : tensor<4x4xf16> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xf16> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf16>
// CHECK-SAME: ) -> tensor<2x4xf16> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x2xf16>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<2x4xf16>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<2x4xf16>, tensor<4x2xf16>) -> tensor<2x2xf16>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_2]] {result_element = f32} : (tensor<2x2xf16>, tensor<2x4xf16>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[SUM]] : (tensor<2x4xf32>) -> tensor<2x4xf16>
// CHECK-NEXT: return %[[CAST]] : tensor<2x4xf16>
func.func @main(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  %w1 = graph.get_weight @w1 : tensor<4x4xf16>
  %w2 = graph.get_weight @w2 : tensor<4x4xf16>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf16>, tensor<4x4xf16>) -> tensor<2x4xf16>
  %1 = graph.unary relu %0 : (tensor<2x4xf16>) -> tensor<2x4xf16>
  %2 = graph.matmul %1, %w2 : (tensor<2x4xf16>, tensor<4x4xf16>) -> tensor<2x4xf16>
  return %2 : tensor<2x4xf16>
}
