// RUN: kiln-opt %s --split-input-file --kiln-shard=ranks=2 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-shard{ranks=2})' -o /dev/null
// Which heads are split by columns and gathered.
// NOTE: checks by tools/update-lit-checks

// Wider than what it reads, and an output but for its cap.
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @head : tensor<16x4xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x16xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @head_part : tensor<8x4xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_2]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[SUM]], %[[GET_WEIGHT_3]] {transpose_b} : (tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[ALL_GATHER:[^ ,:)]+]] = graph.all_gather %[[MATMUL_3]] axis 1 ranks 2 : (tensor<2x8xf32>) -> tensor<2x16xf32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[ALL_GATHER]] : (tensor<2x16xf32>) -> tensor<2x16xf32>
// CHECK-NEXT: return %[[TANH]] : tensor<2x16xf32>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x16xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %head = graph.get_weight @head : tensor<16x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %1 = graph.unary relu %0 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = graph.matmul %1, %w2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %3 = graph.matmul %2, %head {transpose_b} : (tensor<2x4xf32>, tensor<16x4xf32>) -> tensor<2x16xf32>
  %4 = graph.unary tanh %3 : (tensor<2x16xf32>) -> tensor<2x16xf32>
  return %4 : tensor<2x16xf32>
}

// -----

// A tied table, which is whole on every rank for the gather.
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @table : tensor<16x4xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xi64>
// CHECK-SAME: ) -> tensor<2x16xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @table : tensor<16x4xf32>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[GET_WEIGHT_3]], %[[ARG]] axis 0 : (tensor<16x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[GATHER]], %[[GET_WEIGHT]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_2]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[SUM]], %[[GET_WEIGHT_3]] {transpose_b} : (tensor<2x4xf32>, tensor<16x4xf32>) -> tensor<2x16xf32>
// CHECK-NEXT: return %[[MATMUL_3]] : tensor<2x16xf32>
func.func @main(%ids: tensor<2xi64>) -> tensor<2x16xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %table = graph.get_weight @table : tensor<16x4xf32>
  %x = graph.gather %table, %ids axis 0 : (tensor<16x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %1 = graph.unary relu %0 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = graph.matmul %1, %w2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %3 = graph.matmul %2, %table {transpose_b} : (tensor<2x4xf32>, tensor<16x4xf32>) -> tensor<2x16xf32>
  return %3 : tensor<2x16xf32>
}

// -----

// Narrower than what it reads: gathering would move more than it saves.
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @head : tensor<4x2xf32> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x2xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @head : tensor<4x2xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_2]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[SUM]], %[[GET_WEIGHT_3]] : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %[[MATMUL_3]] : tensor<2x2xf32>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %head = graph.get_weight @head : tensor<4x2xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %1 = graph.unary relu %0 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = graph.matmul %1, %w2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %3 = graph.matmul %2, %head : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// -----

// A softmax reads all of what is gathered.
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w3 : tensor<4x16xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x16xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @w3_part : tensor<4x8xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_2]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[SUM]], %[[GET_WEIGHT_3]] : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[ALL_GATHER:[^ ,:)]+]] = graph.all_gather %[[MATMUL_3]] axis 1 ranks 2 : (tensor<2x8xf32>) -> tensor<2x16xf32>
// CHECK-NEXT: %[[SOFTMAX:[^ ,:)]+]] = graph.softmax %[[ALL_GATHER]] axis 1 : (tensor<2x16xf32>) -> tensor<2x16xf32>
// CHECK-NEXT: return %[[SOFTMAX]] : tensor<2x16xf32>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x16xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %w3 = graph.get_weight @w3 : tensor<4x16xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %1 = graph.unary relu %0 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = graph.matmul %1, %w2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %3 = graph.matmul %2, %w3 : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
  %4 = graph.softmax %3 axis 1 : (tensor<2x16xf32>) -> tensor<2x16xf32>
  return %4 : tensor<2x16xf32>
}

// -----

// The largest logit is chosen from what is gathered.
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w3 : tensor<4x16xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x1xi32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @w3_part : tensor<4x8xf32>
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<16> : tensor<i32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_2]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[SUM]], %[[GET_WEIGHT_3]] : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[ALL_GATHER:[^ ,:)]+]] = graph.all_gather %[[MATMUL_3]] axis 1 ranks 2 : (tensor<2x8xf32>) -> tensor<2x16xf32>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.reduce max %[[ALL_GATHER]] axes [1] {keep_dims} : (tensor<2x16xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[EQUAL:[^ ,:)]+]] = graph.compare equal %[[ALL_GATHER]], %[[MAX]] : (tensor<2x16xf32>, tensor<2x1xf32>) -> tensor<2x16xi1>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 1 : tensor<1x16xi32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = graph.select %[[EQUAL]], %[[IOTA]], %[[CONSTANT]] : (tensor<2x16xi1>, tensor<1x16xi32>, tensor<i32>) -> tensor<2x16xi32>
// CHECK-NEXT: %[[MIN:[^ ,:)]+]] = graph.reduce min %[[SELECT]] axes [1] {keep_dims} : (tensor<2x16xi32>) -> tensor<2x1xi32>
// CHECK-NEXT: return %[[MIN]] : tensor<2x1xi32>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x1xi32> {
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %w3 = graph.get_weight @w3 : tensor<4x16xf32>
  %nowhere = graph.constant dense<16> : tensor<i32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %1 = graph.unary relu %0 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = graph.matmul %1, %w2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %3 = graph.matmul %2, %w3 : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
  %4 = graph.reduce max %3 axes [1] {keep_dims} : (tensor<2x16xf32>) -> tensor<2x1xf32>
  %5 = graph.compare equal %3, %4 : (tensor<2x16xf32>, tensor<2x1xf32>) -> tensor<2x16xi1>
  %6 = graph.iota axis 1 : tensor<1x16xi32>
  %7 = graph.select %5, %6, %nowhere : (tensor<2x16xi1>, tensor<1x16xi32>, tensor<i32>) -> tensor<2x16xi32>
  %8 = graph.reduce min %7 axes [1] {keep_dims} : (tensor<2x16xi32>) -> tensor<2x1xi32>
  return %8 : tensor<2x1xi32>
}

// -----

// Attention reads it: the products of a layer are no heads.
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w3 : tensor<4x16xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x2xf32> {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @w1_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @w2_part : tensor<4x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @w3 : tensor<4x16xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[RELU:[^ ,:)]+]] = graph.unary relu %[[MATMUL]] : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[RELU]], %[[GET_WEIGHT_2]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_2]] ranks 2 : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[SUM]], %[[GET_WEIGHT_3]] : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
// CHECK-NEXT: %[[MATMUL_4:[^ ,:)]+]] = graph.matmul %[[MATMUL_3]], %[[MATMUL_3]] {transpose_b} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %[[MATMUL_4]] : tensor<2x2xf32>
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %w3 = graph.get_weight @w3 : tensor<4x16xf32>
  %0 = graph.matmul %x, %w1 : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %1 = graph.unary relu %0 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = graph.matmul %1, %w2 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %3 = graph.matmul %2, %w3 : (tensor<2x4xf32>, tensor<4x16xf32>) -> tensor<2x16xf32>
  %4 = graph.matmul %3, %3 {transpose_b} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x2xf32>
  return %4 : tensor<2x2xf32>
}
