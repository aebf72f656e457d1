// RUN: kiln-opt %s --split-input-file --kiln-shard=ranks=2 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-shard{ranks=2})' -o /dev/null
// What is split among two ranks; shard-refused.mlir has what is not.

// By columns with its bias, then by rows; the second bias is added once, behind the sum of the ranks.
graph.weight @w1 : tensor<8x16xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @b1 : tensor<16xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<16x8xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @b2 : tensor<8xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4x8xf32>
// CHECK-SAME: ) -> tensor<4x8xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<8x8xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @b1_part : tensor<8xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<8x8xf32>
// CHECK-NEXT: %[[GET_WEIGHT_4:[^ ,:)]+]] = graph.get_weight @b2 : tensor<8xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MATMUL]], %[[GET_WEIGHT_2]] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[ADD]] : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[GELU]], %[[GET_WEIGHT_3]] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[SUM]], %[[GET_WEIGHT_4]] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[ADD_2]] : tensor<4x8xf32>
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w1 = graph.get_weight @w1 : tensor<8x16xf32>
  %b1 = graph.get_weight @b1 : tensor<16xf32>
  %w2 = graph.get_weight @w2 : tensor<16x8xf32>
  %b2 = graph.get_weight @b2 : tensor<8xf32>
  %0 = graph.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.binary add %0, %b1 : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %2 = graph.unary gelu %1 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = graph.matmul %2, %w2 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %4 = graph.binary add %3, %b2 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// Gate and up are slices of one product: each rank has its part of both. A constant that is no splat becomes a weight.
graph.weight @w1 : tensor<16x4xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_whole_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w1_whole_0_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_4:[^ ,:)]+]] = graph.get_weight @constant_whole_part : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] {transpose_b} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_2]] {transpose_b} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape steps [1, 1] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SILU:[^ ,:)]+]] = graph.unary silu %[[SLICE]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[SILU]], %[[SLICE_2]] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MUL]], %[[GET_WEIGHT_4]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[ADD]], %[[CONSTANT]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[MUL_2]], %[[GET_WEIGHT_3]] {transpose_b} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_3]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<2x4xf32>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<16x4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x8xf32>
  %b = graph.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %s = graph.constant dense<2.0> : tensor<8xf32>
  %0 = graph.matmul %x, %w1 {transpose_b} : (tensor<2x4xf32>, tensor<16x4xf32>) -> tensor<2x16xf32>
  %g = graph.slice %0 starts #graph.shape<[] -> [0, 0]> steps [1, 1] : (tensor<2x16xf32>) -> tensor<2x8xf32>
  %u = graph.slice %0 starts #graph.shape<[] -> [0, 8]> steps [1, 1] : (tensor<2x16xf32>) -> tensor<2x8xf32>
  %1 = graph.unary silu %g : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = graph.binary mul %1, %u : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = graph.binary add %2, %b : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %4 = graph.binary mul %3, %s : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %5 = graph.matmul %4, %w2 {transpose_b} : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}
// CHECK-LABEL: func.func @bake() {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1 : tensor<16x4xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[GET_WEIGHT]] starts #shape1 steps [1, 1] : (tensor<16x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: graph.set_weight @w1_whole, %[[SLICE]] : tensor<8x4xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[GET_WEIGHT]] starts #shape steps [1, 1] : (tensor<16x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: graph.set_weight @w1_whole_0, %[[SLICE_2]] : tensor<8x4xf32>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<8xf32>
// CHECK-NEXT: graph.set_weight @constant_whole, %[[CONSTANT]] : tensor<8xf32>
// CHECK-NEXT: return

// -----

// Attention by heads, from a joined product; a norm within heads and a mask with a dim of heads.
graph.weight @wqkv : tensor<8x24xf32> {file = "w", hash = "0", length = 768 : i64, offset = 0 : i64}
graph.weight @wo : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @m : tensor<4x3x3xf32> {file = "w", hash = "0", length = 144 : i64, offset = 0 : i64}
graph.weight @n : tensor<2xf32> {file = "w", hash = "0", length = 8 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x3x8xf32>
// CHECK-SAME: ) -> tensor<1x3x8xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @wqkv_whole_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @wqkv_whole_0_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @wqkv_whole_1_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_4:[^ ,:)]+]] = graph.get_weight @wo_part : tensor<4x8xf32>
// CHECK-NEXT: %[[GET_WEIGHT_5:[^ ,:)]+]] = graph.get_weight @m_part : tensor<2x3x3xf32>
// CHECK-NEXT: %[[GET_WEIGHT_6:[^ ,:)]+]] = graph.get_weight @n : tensor<2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_2]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_3]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[MATMUL_3]] starts #shape steps [1, 1, 1] : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[SLICE]] : (tensor<1x3x4xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE]] [0, 2, 1, 3] : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[MATMUL]] starts #shape steps [1, 1, 1] : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[SLICE_2]] : (tensor<1x3x4xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[RESHAPE_2]] [0, 2, 1, 3] : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[SLICE_3:[^ ,:)]+]] = graph.slice %[[MATMUL_2]] starts #shape steps [1, 1, 1] : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[SLICE_3]] : (tensor<1x3x4xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: %[[TRANSPOSE_3:[^ ,:)]+]] = graph.transpose %[[RESHAPE_3]] [0, 2, 1, 3] : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[TRANSPOSE]] scale %[[GET_WEIGHT_6]] axis 3 {epsilon = 1.000000e-05 : f64} : (tensor<1x2x3x2xf32>, tensor<2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[RMS_NORM]], %[[TRANSPOSE_2]], %[[TRANSPOSE_3]] mask %[[GET_WEIGHT_5]] {scale = 5.000000e-01 : f64} : (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>, tensor<2x3x3xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[TRANSPOSE_4:[^ ,:)]+]] = graph.transpose %[[ATTENTION]] [0, 2, 1, 3] : (tensor<1x2x3x2xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE_4]] : (tensor<1x3x2x2xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_4:[^ ,:)]+]] = graph.matmul %[[RESHAPE_4]], %[[GET_WEIGHT_4]] : (tensor<1x3x4xf32>, tensor<4x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_4]] ranks 2 : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[SUM]] : (tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[ADD]] : tensor<1x3x8xf32>
func.func @main(%x: tensor<1x3x8xf32>) -> tensor<1x3x8xf32> {
  %wqkv = graph.get_weight @wqkv : tensor<8x24xf32>
  %wo = graph.get_weight @wo : tensor<8x8xf32>
  %m = graph.get_weight @m : tensor<4x3x3xf32>
  %n = graph.get_weight @n : tensor<2xf32>
  %0 = graph.matmul %x, %wqkv : (tensor<1x3x8xf32>, tensor<8x24xf32>) -> tensor<1x3x24xf32>
  %q0 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 0]> steps [1, 1, 1] : (tensor<1x3x24xf32>) -> tensor<1x3x8xf32>
  %q1 = graph.reshape %q0 : (tensor<1x3x8xf32>) -> tensor<1x3x4x2xf32>
  %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x3x4x2xf32>) -> tensor<1x4x3x2xf32>
  %k0 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 8]> steps [1, 1, 1] : (tensor<1x3x24xf32>) -> tensor<1x3x8xf32>
  %k1 = graph.reshape %k0 : (tensor<1x3x8xf32>) -> tensor<1x3x4x2xf32>
  %k2 = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x3x4x2xf32>) -> tensor<1x4x3x2xf32>
  %v0 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 16]> steps [1, 1, 1] : (tensor<1x3x24xf32>) -> tensor<1x3x8xf32>
  %v1 = graph.reshape %v0 : (tensor<1x3x8xf32>) -> tensor<1x3x4x2xf32>
  %v2 = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x3x4x2xf32>) -> tensor<1x4x3x2xf32>
  %q3 = graph.rms_norm %q2 scale %n axis 3 {epsilon = 1.0e-05 : f64} : (tensor<1x4x3x2xf32>, tensor<2xf32>) -> tensor<1x4x3x2xf32>
  %1 = graph.attention %q3, %k2, %v2 mask %m {scale = 5.0e-01 : f64} : (tensor<1x4x3x2xf32>, tensor<1x4x3x2xf32>, tensor<1x4x3x2xf32>, tensor<4x3x3xf32>) -> tensor<1x4x3x2xf32>
  %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x4x3x2xf32>) -> tensor<1x3x4x2xf32>
  %3 = graph.reshape %2 : (tensor<1x3x4x2xf32>) -> tensor<1x3x8xf32>
  %4 = graph.matmul %3, %wo : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %5 = graph.binary add %x, %4 : (tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  return %5 : tensor<1x3x8xf32>
}
// CHECK-LABEL: func.func @bake() {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @wqkv : tensor<8x24xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[GET_WEIGHT]] starts #shape1 steps [1, 1] : (tensor<8x24xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: graph.set_weight @wqkv_whole, %[[SLICE]] : tensor<8x8xf32>
// CHECK-NEXT: %[[SLICE_2:[^ ,:)]+]] = graph.slice %[[GET_WEIGHT]] starts #shape2 steps [1, 1] : (tensor<8x24xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: graph.set_weight @wqkv_whole_0, %[[SLICE_2]] : tensor<8x8xf32>
// CHECK-NEXT: %[[SLICE_3:[^ ,:)]+]] = graph.slice %[[GET_WEIGHT]] starts #shape3 steps [1, 1] : (tensor<8x24xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: graph.set_weight @wqkv_whole_1, %[[SLICE_3]] : tensor<8x8xf32>
// CHECK-NEXT: return

// -----

// One key head for all query heads: every rank has all of it. Rotary embeddings are the same for all heads.
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x2xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @wv : tensor<8x2xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @wo : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @c : tensor<3x1xf32> {file = "w", hash = "0", length = 12 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x3x8xf32>
// CHECK-SAME: ) -> tensor<1x3x8xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @wq_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @wk : tensor<8x2xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @wv : tensor<8x2xf32>
// CHECK-NEXT: %[[GET_WEIGHT_4:[^ ,:)]+]] = graph.get_weight @wo_part : tensor<4x8xf32>
// CHECK-NEXT: %[[GET_WEIGHT_5:[^ ,:)]+]] = graph.get_weight @c : tensor<3x1xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[MATMUL]] : (tensor<1x3x4xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE]] [0, 2, 1, 3] : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[ROPE:[^ ,:)]+]] = graph.rope %[[TRANSPOSE]], %[[GET_WEIGHT_5]], %[[GET_WEIGHT_5]] : (tensor<1x2x3x2xf32>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_2]] : (tensor<1x3x8xf32>, tensor<8x2xf32>) -> tensor<1x3x2xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[MATMUL_2]] : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_3]] : (tensor<1x3x8xf32>, tensor<8x2xf32>) -> tensor<1x3x2xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MATMUL_3]] : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[ROPE]], %[[RESHAPE_2]], %[[RESHAPE_3]] {causal, scale = 5.000000e-01 : f64} : (tensor<1x2x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[ATTENTION]] [0, 2, 1, 3] : (tensor<1x2x3x2xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE_2]] : (tensor<1x3x2x2xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_4:[^ ,:)]+]] = graph.matmul %[[RESHAPE_4]], %[[GET_WEIGHT_4]] : (tensor<1x3x4xf32>, tensor<4x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_4]] ranks 2 : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<1x3x8xf32>
func.func @main(%x: tensor<1x3x8xf32>) -> tensor<1x3x8xf32> {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %wk = graph.get_weight @wk : tensor<8x2xf32>
  %wv = graph.get_weight @wv : tensor<8x2xf32>
  %wo = graph.get_weight @wo : tensor<8x8xf32>
  %c = graph.get_weight @c : tensor<3x1xf32>
  %q0 = graph.matmul %x, %wq : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %q1 = graph.reshape %q0 : (tensor<1x3x8xf32>) -> tensor<1x3x4x2xf32>
  %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x3x4x2xf32>) -> tensor<1x4x3x2xf32>
  %q3 = graph.rope %q2, %c, %c : (tensor<1x4x3x2xf32>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<1x4x3x2xf32>
  %k0 = graph.matmul %x, %wk : (tensor<1x3x8xf32>, tensor<8x2xf32>) -> tensor<1x3x2xf32>
  %k1 = graph.reshape %k0 : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
  %v0 = graph.matmul %x, %wv : (tensor<1x3x8xf32>, tensor<8x2xf32>) -> tensor<1x3x2xf32>
  %v1 = graph.reshape %v0 : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
  %1 = graph.attention %q3, %k1, %v1 {scale = 5.0e-01 : f64, causal} : (tensor<1x4x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x4x3x2xf32>
  %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x4x3x2xf32>) -> tensor<1x3x4x2xf32>
  %3 = graph.reshape %2 : (tensor<1x3x4x2xf32>) -> tensor<1x3x8xf32>
  %4 = graph.matmul %3, %wo : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  return %4 : tensor<1x3x8xf32>
}

// -----

// One key head and a cache that is given and returned: all ranks have all of it, and compute it once.
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x2xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @wv : tensor<8x2xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @wo : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-DAG: graph.get_weight @wq_part : tensor<8x4xf32>
// CHECK-DAG: graph.get_weight @wo_part : tensor<4x8xf32>
// CHECK: %[[KEYS:[^ ,:)]+]] = graph.concat {{.*}} axis 2 : (tensor<1x1x5x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x8x2xf32>
// CHECK: %[[VALUES:[^ ,:)]+]] = graph.concat {{.*}} axis 2 : (tensor<1x1x5x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x8x2xf32>
// CHECK-NOT: graph.concat
// CHECK: graph.attention %{{[^ ,:)]+}}, %[[KEYS]], %[[VALUES]] {scale = 5.000000e-01 : f64} : (tensor<1x2x3x2xf32>, tensor<1x1x8x2xf32>, tensor<1x1x8x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %{{[^ ,:)]+}} ranks 2 : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[SUM]], %[[KEYS]], %[[VALUES]] : tensor<1x3x8xf32>, tensor<1x1x8x2xf32>, tensor<1x1x8x2xf32>
func.func @main(%x: tensor<1x3x8xf32>, %pk: tensor<1x1x5x2xf32>, %pv: tensor<1x1x5x2xf32>) -> (tensor<1x3x8xf32>, tensor<1x1x8x2xf32>, tensor<1x1x8x2xf32>) {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %wk = graph.get_weight @wk : tensor<8x2xf32>
  %wv = graph.get_weight @wv : tensor<8x2xf32>
  %wo = graph.get_weight @wo : tensor<8x8xf32>
  %q0 = graph.matmul %x, %wq : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %q1 = graph.reshape %q0 : (tensor<1x3x8xf32>) -> tensor<1x3x4x2xf32>
  %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x3x4x2xf32>) -> tensor<1x4x3x2xf32>
  %k0 = graph.matmul %x, %wk : (tensor<1x3x8xf32>, tensor<8x2xf32>) -> tensor<1x3x2xf32>
  %k1 = graph.reshape %k0 : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
  %k = graph.concat %pk, %k1 axis 2 : (tensor<1x1x5x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x8x2xf32>
  %v0 = graph.matmul %x, %wv : (tensor<1x3x8xf32>, tensor<8x2xf32>) -> tensor<1x3x2xf32>
  %v1 = graph.reshape %v0 : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
  %v = graph.concat %pv, %v1 axis 2 : (tensor<1x1x5x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x8x2xf32>
  %1 = graph.attention %q2, %k, %v {scale = 5.0e-01 : f64} : (tensor<1x4x3x2xf32>, tensor<1x1x8x2xf32>, tensor<1x1x8x2xf32>) -> tensor<1x4x3x2xf32>
  %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x4x3x2xf32>) -> tensor<1x3x4x2xf32>
  %3 = graph.reshape %2 : (tensor<1x3x4x2xf32>) -> tensor<1x3x8xf32>
  %4 = graph.matmul %3, %wo : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  return %4, %k, %v : tensor<1x3x8xf32>, tensor<1x1x8x2xf32>, tensor<1x1x8x2xf32>
}

// -----

// A quantized weight is split with its scales: per column, and per group of two rows.
graph.weight @w1 : tensor<4x4xi8> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
graph.weight @s1 : tensor<4xf32> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<4x4xi8> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
graph.weight @s2 : tensor<2x4xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x2xi8>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @s1_part : tensor<2xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<2x4xi8>
// CHECK-NEXT: %[[GET_WEIGHT_4:[^ ,:)]+]] = graph.get_weight @s2_part : tensor<1x4xf32>
// CHECK-NEXT: %[[DEQUANTIZE:[^ ,:)]+]] = graph.dequantize %[[GET_WEIGHT]], %[[GET_WEIGHT_2]] {axis = 1 : i64} : (tensor<4x2xi8>, tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %[[DEQUANTIZE_2:[^ ,:)]+]] = graph.dequantize %[[GET_WEIGHT_3]], %[[GET_WEIGHT_4]] {axis = 0 : i64, block = 2 : i64} : (tensor<2x4xi8>, tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[DEQUANTIZE]] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[DEQUANTIZE_2]] : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[SUM]] : tensor<2x4xf32>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x4xi8>
  %s1 = graph.get_weight @s1 : tensor<4xf32>
  %w2 = graph.get_weight @w2 : tensor<4x4xi8>
  %s2 = graph.get_weight @s2 : tensor<2x4xf32>
  %d1 = graph.dequantize %w1, %s1 {axis = 1} : (tensor<4x4xi8>, tensor<4xf32>) -> tensor<4x4xf32>
  %d2 = graph.dequantize %w2, %s2 {axis = 0, block = 2} : (tensor<4x4xi8>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %0 = graph.matmul %x, %d1 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = graph.unary relu %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = graph.matmul %1, %d2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
