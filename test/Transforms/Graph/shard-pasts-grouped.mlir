// RUN: kiln-opt %s --kiln-shard=ranks=4 | FileCheck %s
// RUN: kiln-opt %s --kiln-test-verify-each=pipeline='builtin.module(kiln-shard{ranks=4})' -o /dev/null
// NOTE: checks by tools/update-lit-checks

// Pairs of ranks have a key head: the first one's new rows are kept for the output.
graph.weight @wq : tensor<8x16xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "1", length = 256 : i64, offset = 512 : i64}
graph.weight @wo : tensor<16x8xf32> {file = "w", hash = "2", length = 512 : i64, offset = 768 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<1x3x8xf32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: tensor<1x2x5x4xf32>
// CHECK-SAME: ) -> (tensor<1x3x8xf32>, tensor<1x2x8x4xf32>) {
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @constant_whole_part : tensor<1xi64>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[ARG_2]] : (tensor<1x2x5x4xf32>) -> tensor<1x2x1x5x4xf32>
// CHECK-NEXT: %[[GATHER:[^ ,:)]+]] = graph.gather %[[RESHAPE]], %[[GET_WEIGHT]] axis 1 : (tensor<1x2x1x5x4xf32>, tensor<1xi64>) -> tensor<1x1x1x5x4xf32>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[GATHER]] : (tensor<1x1x1x5x4xf32>) -> tensor<1x1x5x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_2:[^ ,:)]+]] = graph.get_weight @wq_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_3:[^ ,:)]+]] = graph.get_weight @wk_whole_part : tensor<8x4xf32>
// CHECK-NEXT: %[[GET_WEIGHT_4:[^ ,:)]+]] = graph.get_weight @wo_part : tensor<4x8xf32>
// CHECK-NEXT: %[[MATMUL:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_2]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[MATMUL]] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[TRANSPOSE:[^ ,:)]+]] = graph.transpose %[[RESHAPE_3]] [0, 2, 1, 3] : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_2:[^ ,:)]+]] = graph.matmul %[[ARG]], %[[GET_WEIGHT_3]] : (tensor<1x3x8xf32>, tensor<8x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[MATMUL_2]] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[TRANSPOSE_2:[^ ,:)]+]] = graph.transpose %[[RESHAPE_4]] [0, 2, 1, 3] : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[CONCAT:[^ ,:)]+]] = graph.concat %[[RESHAPE_2]], %[[TRANSPOSE_2]] axis 2 : (tensor<1x1x5x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x8x4xf32>
// CHECK-NEXT: %[[ALL_GATHER:[^ ,:)]+]] = graph.all_gather %[[TRANSPOSE_2]] axis 1 ranks 4 : (tensor<1x1x3x4xf32>) -> tensor<1x4x3x4xf32>
// CHECK-NEXT: %[[RESHAPE_5:[^ ,:)]+]] = graph.reshape %[[ALL_GATHER]] : (tensor<1x4x3x4xf32>) -> tensor<1x2x2x1x3x4xf32>
// CHECK-NEXT: %[[SLICE:[^ ,:)]+]] = graph.slice %[[RESHAPE_5]] starts #shape steps [1, 1, 1, 1, 1, 1] : (tensor<1x2x2x1x3x4xf32>) -> tensor<1x2x1x1x3x4xf32>
// CHECK-NEXT: %[[RESHAPE_6:[^ ,:)]+]] = graph.reshape %[[SLICE]] : (tensor<1x2x1x1x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[CONCAT_2:[^ ,:)]+]] = graph.concat %[[ARG_2]], %[[RESHAPE_6]] axis 2 : (tensor<1x2x5x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x8x4xf32>
// CHECK-NEXT: %[[ATTENTION:[^ ,:)]+]] = graph.attention %[[TRANSPOSE]], %[[CONCAT]], %[[CONCAT]] {scale = 5.000000e-01 : f64} : (tensor<1x1x3x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[TRANSPOSE_3:[^ ,:)]+]] = graph.transpose %[[ATTENTION]] [0, 2, 1, 3] : (tensor<1x1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[RESHAPE_7:[^ ,:)]+]] = graph.reshape %[[TRANSPOSE_3]] : (tensor<1x3x1x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT: %[[MATMUL_3:[^ ,:)]+]] = graph.matmul %[[RESHAPE_7]], %[[GET_WEIGHT_4]] : (tensor<1x3x4xf32>, tensor<4x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.all_reduce sum %[[MATMUL_3]] ranks 4 : (tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[SUM]], %[[CONCAT_2]] : tensor<1x3x8xf32>, tensor<1x2x8x4xf32>
func.func @main(%x: tensor<1x3x8xf32>, %past: tensor<1x2x5x4xf32>) -> (tensor<1x3x8xf32>, tensor<1x2x8x4xf32>) {
  %wq = graph.get_weight @wq : tensor<8x16xf32>
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %wo = graph.get_weight @wo : tensor<16x8xf32>
  %q = graph.matmul %x, %wq : (tensor<1x3x8xf32>, tensor<8x16xf32>) -> tensor<1x3x16xf32>
  %q1 = graph.reshape %q : (tensor<1x3x16xf32>) -> tensor<1x3x4x4xf32>
  %q2 = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x3x4x4xf32>) -> tensor<1x4x3x4xf32>
  %0 = graph.matmul %x, %wk : (tensor<1x3x8xf32>, tensor<8x8xf32>) -> tensor<1x3x8xf32>
  %1 = graph.reshape %0 : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
  %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
  %3 = graph.concat %past, %2 axis 2 : (tensor<1x2x5x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x8x4xf32>
  %4 = graph.attention %q2, %3, %3 {scale = 5.0e-01 : f64} : (tensor<1x4x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x4x3x4xf32>
  %5 = graph.transpose %4 [0, 2, 1, 3] : (tensor<1x4x3x4xf32>) -> tensor<1x3x4x4xf32>
  %6 = graph.reshape %5 : (tensor<1x3x4x4xf32>) -> tensor<1x3x16xf32>
  %7 = graph.matmul %6, %wo : (tensor<1x3x16xf32>, tensor<16x8xf32>) -> tensor<1x3x8xf32>
  return %7, %3 : tensor<1x3x8xf32>, tensor<1x2x8x4xf32>
}
// CHECK-LABEL: func.func @bake() {
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<2xi64>
// CHECK-NEXT: %[[RESHAPE:[^ ,:)]+]] = graph.reshape %[[IOTA]] : (tensor<2xi64>) -> tensor<2x1x1xi64>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[RESHAPE]] : (tensor<2x1x1xi64>) -> tensor<2x2x1xi64>
// CHECK-NEXT: %[[RESHAPE_2:[^ ,:)]+]] = graph.reshape %[[BROADCAST]] : (tensor<2x2x1xi64>) -> tensor<4xi64>
// CHECK-NEXT: graph.set_weight @constant_whole, %[[RESHAPE_2]] : tensor<4xi64>
// CHECK-NEXT: %[[GET_WEIGHT:[^ ,:)]+]] = graph.get_weight @wk : tensor<8x8xf32>
// CHECK-NEXT: %[[RESHAPE_3:[^ ,:)]+]] = graph.reshape %[[GET_WEIGHT]] : (tensor<8x8xf32>) -> tensor<8x2x1x4xf32>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = graph.broadcast %[[RESHAPE_3]] : (tensor<8x2x1x4xf32>) -> tensor<8x2x2x4xf32>
// CHECK-NEXT: %[[RESHAPE_4:[^ ,:)]+]] = graph.reshape %[[BROADCAST_2]] : (tensor<8x2x2x4xf32>) -> tensor<8x16xf32>
// CHECK-NEXT: graph.set_weight @wk_whole, %[[RESHAPE_4]] : tensor<8x16xf32>
// CHECK-NEXT: return
func.func @bake() {
  return
}
