// RUN: kiln-opt %s --split-input-file --kiln-shard=ranks=2 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-shard{ranks=2})' -o /dev/null
// Attention over pasts that are inputs, and presents that are outputs.
// NOTE: checks by tools/update-lit-checks

// Each rank reads its heads of the past; new rows are gathered for the output.
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wo : tensor<8x8xf32> {file = "w", hash = "1", length = 256 : i64, offset = 256 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x3x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x5x4xf32>
// CHECK-SAME: ) -> (tensor<1x3x8xf32>, tensor<1x2x8x4xf32>) {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @constant_whole_part : tensor<1xi64>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG_2]] : (tensor<1x2x5x4xf32>) -> tensor<1x2x1x5x4xf32>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[RESHAPE]], %[[GET_WEIGHT]] axis 1 : (tensor<1x2x1x5x4xf32>, tensor<1xi64>) -> tensor<1x1x1x5x4xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[GATHER]] : (tensor<1x1x1x5x4xf32>) -> tensor<1x1x5x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @wk_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @wo_part : tensor<4x8xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_2]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MATMUL]] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE_3]] [0, 2, 1, 3] : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[RESHAPE_2]], %[[TRANSPOSE]] axis 2 : (tensor<1x1x5x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x8x4xf32>
// CHECK-NEXT: %[[ALL_GATHER:[^ ,:)]+]] = graph.all_gather %[[TRANSPOSE]] axis 1 ranks 2 : (tensor<1x1x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[ARG_2]], %[[ALL_GATHER]] axis 2 : (tensor<1x2x5x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x8x4xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[TRANSPOSE]], %[[CONCAT]], %[[CONCAT]] {scale = 5.000000e-01 : f64} : (tensor<1x1x3x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[ATTENTION]] [0, 2, 1, 3] : (tensor<1x1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE_2]] : (tensor<1x3x1x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RESHAPE_4]], %[[GET_WEIGHT_3]] : (tensor<1x3x4xf32>, tensor<4x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[SUM]], %[[CONCAT_2]] : tensor<1x3x8xf32>, tensor<1x2x8x4xf32>
func.func @main(%x: tensor<1x3x8xf32>, %past: tensor<1x2x5x4xf32>) -> (tensor<1x3x8xf32>, tensor<1x2x8x4xf32>) {
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %wo = graph.get_weight @wo : tensor<8x8xf32>
  %0 = graph.matmul %x, %wk : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %1 = graph.reshape %0 : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
  %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
  %3 = graph.concat %past, %2 axis 2 : (tensor<1x2x5x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x8x4xf32>
  %4 = graph.attention %2, %3, %3 {scale = 5.0e-01 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x3x4xf32>
  %5 = graph.transpose %4 [0, 2, 1, 3] : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
  %6 = graph.reshape %5 : (tensor<1x3x2x4xf32>) -> tensor<1x3x8xf32>
  %7 = graph.matmul %6, %wo : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  return %7, %3 : tensor<1x3x8xf32>, tensor<1x2x8x4xf32>
}
// CHECK-LABEL: func.func @bake() {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<2xi64>
// CHECK-NEXT: graph.set_weight @constant_whole, %[[IOTA]] : tensor<2xi64>
// CHECK-NEXT: return
func.func @bake() {
  return
}

// -----

// One key head, which both ranks have: their rows are the output's.
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x4xf32> {file = "w", hash = "1", length = 128 : i64, offset = 256 : i64}
graph.weight @wo : tensor<8x8xf32> {file = "w", hash = "2", length = 256 : i64, offset = 384 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x3x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x1x5x4xf32>
// CHECK-SAME: ) -> (tensor<1x3x8xf32>, tensor<1x1x8x4xf32>) {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @wq_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @wk : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @wo_part : tensor<4x8xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[MATMUL]] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE]] [0, 2, 1, 3] : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_2]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[MATMUL_2]] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[RESHAPE_2]] [0, 2, 1, 3] : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[ARG_2]], %[[TRANSPOSE_2]] axis 2 : (tensor<1x1x5x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x8x4xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[TRANSPOSE]], %[[CONCAT]], %[[CONCAT]] {scale = 5.000000e-01 : f64} : (tensor<1x1x3x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[TRANSPOSE_3:[^ ,:)]+]] = graph.transpose %[[ATTENTION]] [0, 2, 1, 3] : (tensor<1x1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE_3]] : (tensor<1x3x1x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[RESHAPE_3]], %[[GET_WEIGHT_3]] : (tensor<1x3x4xf32>, tensor<4x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_3]] ranks 2 : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[SUM]], %[[CONCAT]] : tensor<1x3x8xf32>, tensor<1x1x8x4xf32>
func.func @main(%x: tensor<1x3x8xf32>, %past: tensor<1x1x5x4xf32>) -> (tensor<1x3x8xf32>, tensor<1x1x8x4xf32>) {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %wk = graph.get_weight @wk : tensor<8x4xf32>
  %wo = graph.get_weight @wo : tensor<8x8xf32>
  %q = graph.matmul %x, %wq : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %q1 = graph.reshape %q : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
  %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
  %0 = graph.matmul %x, %wk : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
  %1 = graph.reshape %0 : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
  %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
  %3 = graph.concat %past, %2 axis 2 : (tensor<1x1x5x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x8x4xf32>
  %4 = graph.attention %q2, %3, %3 {scale = 5.0e-01 : f64} : (tensor<1x2x3x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x2x3x4xf32>
  %5 = graph.transpose %4 [0, 2, 1, 3] : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
  %6 = graph.reshape %5 : (tensor<1x3x2x4xf32>) -> tensor<1x3x8xf32>
  %7 = graph.matmul %6, %wo : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  return %7, %3 : tensor<1x3x8xf32>, tensor<1x1x8x4xf32>
}

// -----

// What is not joined with a past is needed whole by the output: attention stays whole, and the other pair is split.
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wo : tensor<8x8xf32> {file = "w", hash = "1", length = 256 : i64, offset = 256 : i64}
graph.weight @up : tensor<8x16xf32> {file = "w", hash = "2", length = 512 : i64, offset = 512 : i64}
graph.weight @down : tensor<16x8xf32> {file = "w", hash = "3", length = 512 : i64, offset = 1024 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x3x8xf32>
// CHECK-SAME: ) -> (tensor<1x3x8xf32>, tensor<1x2x3x4xf32>) {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @wk : tensor<8x8xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @wo_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @up_part : tensor<4x16xf32>
// CHECK-NEXT: %[[GET_WEIGHT_4:[^ ,:)]+]] = graph.get_weight @down : tensor<16x8xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[MATMUL]] : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE]] [0, 2, 1, 3] : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[TRANSPOSE]], %[[TRANSPOSE]], %[[TRANSPOSE]] {scale = 5.000000e-01 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[ATTENTION]] [0, 2, 1, 3] : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE_2]] : (tensor<1x3x2x4xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RESHAPE_2]], %[[GET_WEIGHT_2]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[MATMUL_2]], %[[GET_WEIGHT_3]] : (tensor<1x3x4xf32>, tensor<4x16xf32>) -> tensor<1x3x16xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_3]] ranks 2 : (tensor<1x3x16xf32>) -> tensor<1x3x16xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[SUM]] : (tensor<1x3x16xf32>) -> tensor<1x3x16xf32>
// CHECK-NEXT: %[[MATMUL_4:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_4]] : (tensor<1x3x16xf32>, tensor<16x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[MATMUL_4]], %[[TRANSPOSE]] : tensor<1x3x8xf32>, tensor<1x2x3x4xf32>
func.func @main(%x: tensor<1x3x8xf32>) -> (tensor<1x3x8xf32>, tensor<1x2x3x4xf32>) {
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %wo = graph.get_weight @wo : tensor<8x8xf32>
  %up = graph.get_weight @up : tensor<8x16xf32>
  %down = graph.get_weight @down : tensor<16x8xf32>
  %0 = graph.matmul %x, %wk : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %1 = graph.reshape %0 : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
  %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
  %4 = graph.attention %2, %2, %2 {scale = 5.0e-01 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  %5 = graph.transpose %4 [0, 2, 1, 3] : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
  %6 = graph.reshape %5 : (tensor<1x3x2x4xf32>) -> tensor<1x3x8xf32>
  %7 = graph.matmul %6, %wo : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %8 = graph.matmul %7, %up : (tensor<1x3x8xf32>, tensor<8x16xf32>) -> tensor<1x3x16xf32>
  %9 = graph.unary relu %8 : (tensor<1x3x16xf32>) -> tensor<1x3x16xf32>
  %10 = graph.matmul %9, %down : (tensor<1x3x16xf32>, tensor<16x8xf32>) -> tensor<1x3x8xf32>
  return %10, %2 : tensor<1x3x8xf32>, tensor<1x2x3x4xf32>
}

// -----

// An input that no past rows are in is whole: nothing of it is read by heads.
graph.weight @up : tensor<8x16xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @down : tensor<16x8xf32> {file = "w", hash = "1", length = 512 : i64, offset = 512 : i64}
graph.weight @w1 : tensor<8x16xf32> {file = "w", hash = "2", length = 512 : i64, offset = 1024 : i64}
graph.weight @w2 : tensor<16x8xf32> {file = "w", hash = "3", length = 512 : i64, offset = 1536 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<3x16xf32>
// CHECK-SAME: ) -> tensor<3x8xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @up : tensor<8x16xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @down_part : tensor<16x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x16xf32>
// CHECK-NEXT: %[[GET_WEIGHT_4:[^ ,:)]+]] = graph.get_weight @w2 : tensor<16x8xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<3x8xf32>, tensor<8x16xf32>) -> tensor<3x16xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[MATMUL]], %[[ARG_2]] : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[MUL]], %[[GET_WEIGHT_2]] : (tensor<3x16xf32>, tensor<16x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[MATMUL_2]], %[[GET_WEIGHT_3]] : (tensor<3x4xf32>, tensor<4x16xf32>) -> tensor<3x16xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_3]] ranks 2 : (tensor<3x16xf32>) -> tensor<3x16xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[SUM]] : (tensor<3x16xf32>) -> tensor<3x16xf32>
// CHECK-NEXT: %[[MATMUL_4:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_4]] : (tensor<3x16xf32>, tensor<16x8xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: return %[[MATMUL_4]] : tensor<3x8xf32>
func.func @main(%x: tensor<3x8xf32>, %gate: tensor<3x16xf32>) -> tensor<3x8xf32> {
  %up = graph.get_weight @up : tensor<8x16xf32>
  %down = graph.get_weight @down : tensor<16x8xf32>
  %w1 = graph.get_weight @w1 : tensor<8x16xf32>
  %w2 = graph.get_weight @w2 : tensor<16x8xf32>
  %0 = graph.matmul %x, %up : (tensor<3x8xf32>, tensor<8x16xf32>) -> tensor<3x16xf32>
  %1 = graph.binary mul %0, %gate : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  %2 = graph.matmul %1, %down : (tensor<3x16xf32>, tensor<16x8xf32>) -> tensor<3x8xf32>
  %3 = graph.matmul %2, %w1 : (tensor<3x8xf32>, tensor<8x16xf32>) -> tensor<3x16xf32>
  %4 = graph.unary relu %3 : (tensor<3x16xf32>) -> tensor<3x16xf32>
  %5 = graph.matmul %4, %w2 : (tensor<3x16xf32>, tensor<16x8xf32>) -> tensor<3x8xf32>
  return %5 : tensor<3x8xf32>
}
