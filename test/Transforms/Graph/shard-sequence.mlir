// RUN: kiln-opt %s --split-input-file --kiln-shard-sequence | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-shard-sequence)' -o /dev/null
// Which all-reduces become a reduce-scatter and an all-gather, and which stay.

// The residual is read at a rank's rows; the norm behind the sum is computed on them, and a product needs all rows. The last sum has
// nothing behind it that could be computed on a rank's rows.
module attributes {graph.ranks = 2 : i64} {
graph.symbol @S in [1, 64]
graph.weight @w : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @s : tensor<4xf32> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
// CHECK-DAG: #[[$PART:.*]] = #graph.shape<[S] -> [(S ceildiv 2)]>
// CHECK-DAG: #[[$ZEROS:.*]] = #graph.shape<[S] -> [3, -1 * S + 2 * (S ceildiv 2), 4]>
// CHECK-DAG: #[[$PADDED:.*]] = #graph.shape<[S] -> [3, 2 * (S ceildiv 2), 4]>
// CHECK-DAG: #[[$LOCAL:.*]] = #graph.shape<[S] -> [3, (S ceildiv 2), 4]>
// CHECK: graph.weight @rank_index_whole : tensor<2xi64>
// CHECK: graph.weight @rank_index : tensor<1xi64> {graph.part = {axis = 0 : i64, of = @rank_index_whole}}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^ ,:)]+]]: tensor
// CHECK: %[[INDEX:.*]] = graph.get_weight @rank_index
// CHECK: %[[PLACE:.*]] = graph.binary max {{.*}} -> tensor<?xi64, #[[$PART]]>
// CHECK: %[[PRODUCT:.*]] = graph.matmul %[[X]]
// CHECK-NEXT: %[[FILL:.*]] = graph.fill 0.000000e+00 : f32 : tensor<3x?x4xf32, #[[$ZEROS]]>
// CHECK-NEXT: %[[CONCAT:.*]] = graph.concat %[[PRODUCT]], %[[FILL]] axis 1 : {{.*}} -> tensor<3x?x4xf32, #[[$PADDED]]>
// CHECK-NEXT: %[[SUM:.*]] = graph.reduce_scatter sum %[[CONCAT]] axis 1 ranks 2 : {{.*}} -> tensor<3x?x4xf32, #[[$LOCAL]]>
// CHECK-NEXT: %[[ROWS:.*]] = graph.gather %[[X]], %[[PLACE]] axis 1 : {{.*}} -> tensor<3x?x4xf32, #[[$LOCAL]]>
// CHECK-NEXT: %[[ADD:.*]] = graph.binary add %[[ROWS]], %[[SUM]]
// CHECK-NEXT: %[[NORM:.*]] = graph.rms_norm %[[ADD]] {{.*}} -> tensor<3x?x4xf32, #[[$LOCAL]]>
// CHECK-NEXT: %[[ALL:.*]] = graph.all_gather %[[NORM]] axis 1 ranks 2 : {{.*}} -> tensor<3x?x4xf32, #[[$PADDED]]>
// CHECK-NEXT: %[[SLICE:.*]] = graph.slice %[[ALL]]
// CHECK-NEXT: %[[LAST:.*]] = graph.matmul %[[SLICE]]
// CHECK-NEXT: %[[WHOLE:.*]] = graph.all_reduce sum %[[LAST]] ranks 2
// CHECK-NEXT: return %[[WHOLE]]
// CHECK-LABEL: func.func @bake() {
// CHECK-NEXT: %[[NUMBERS:.*]] = graph.iota axis 0 : tensor<2xi64>
// CHECK-NEXT: graph.set_weight @rank_index_whole, %[[NUMBERS]]
func.func @main(%x: tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>> {
  %w = graph.get_weight @w : tensor<4x4xf32>
  %s = graph.get_weight @s : tensor<4xf32>
  %0 = graph.matmul %x, %w : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4x4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %1 = graph.all_reduce sum %0 ranks 2 : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %2 = graph.binary add %x, %1 : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %3 = graph.rms_norm %2 scale %s axis 2 {epsilon = 1.0e-05 : f64} : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %4 = graph.matmul %3, %w : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4x4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %5 = graph.all_reduce sum %4 ranks 2 : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  return %5 : tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
}
}

// -----

// Two sums in a row: between them rows stay divided, and the residual is not gathered. Rows that the ranks divide are not padded.
module attributes {graph.ranks = 4 : i64} {
graph.weight @w : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: graph.get_weight
// CHECK-NEXT: %[[SUM:.*]] = graph.reduce_scatter sum %{{.*}} axis 1 ranks 4 : (tensor<1x32x4xf32>) -> tensor<1x8x4xf32>
// CHECK-NEXT: %[[TANH:.*]] = graph.unary tanh %[[SUM]]
// CHECK-NEXT: %[[ALL:.*]] = graph.all_gather %[[TANH]] axis 1 ranks 4
// CHECK-NEXT: %[[PRODUCT:.*]] = graph.matmul %[[ALL]]
// CHECK-NEXT: %[[NEXT:.*]] = graph.reduce_scatter sum %[[PRODUCT]] axis 1 ranks 4
// CHECK-NEXT: %[[ADD:.*]] = graph.binary add %[[SUM]], %[[NEXT]]
// CHECK-NEXT: %[[END:.*]] = graph.all_gather %[[ADD]] axis 1 ranks 4
// CHECK-NEXT: return %[[END]]
func.func @main(%x: tensor<1x32x4xf32>, %y: tensor<1x32x4xf32>) -> tensor<1x32x4xf32> {
  %w = graph.get_weight @w : tensor<4x4xf32>
  %1 = graph.all_reduce sum %x ranks 4 : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  %2 = graph.unary tanh %1 : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  %3 = graph.matmul %2, %w : (tensor<1x32x4xf32>, tensor<4x4xf32>) -> tensor<1x32x4xf32>
  %4 = graph.all_reduce sum %3 ranks 4 : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  %5 = graph.binary add %1, %4 : (tensor<1x32x4xf32>, tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  return %5 : tensor<1x32x4xf32>
}
}

// -----

// What is computed behind rows that an output needs all of in any case is computed of all rows; here nothing is left to divide.
module attributes {graph.ranks = 2 : i64} {
// CHECK-LABEL: func.func @main(
// CHECK-NOT: reduce_scatter
// CHECK: graph.all_reduce
func.func @main(%x: tensor<1x32x4xf32>) -> (tensor<1x32x4xf32>, tensor<1x32x4xf32>) {
  %1 = graph.all_reduce sum %x ranks 2 : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  %2 = graph.unary tanh %1 : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  return %1, %2 : tensor<1x32x4xf32>, tensor<1x32x4xf32>
}
}

// -----

// Few rows, as when decoding.
module attributes {graph.ranks = 2 : i64} {
graph.symbol @T in [1, 16]
// CHECK-LABEL: func.func @main(
// CHECK-NOT: reduce_scatter
// CHECK: graph.all_reduce
func.func @main(%x: tensor<1x?x4xf32, #graph.shape<[T] -> [1, T, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[T] -> [1, T, 4]>> {
  %1 = graph.all_reduce sum %x ranks 2 : (tensor<1x?x4xf32, #graph.shape<[T] -> [1, T, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[T] -> [1, T, 4]>>
  %2 = graph.unary tanh %1 : (tensor<1x?x4xf32, #graph.shape<[T] -> [1, T, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[T] -> [1, T, 4]>>
  return %2 : tensor<1x?x4xf32, #graph.shape<[T] -> [1, T, 4]>>
}
}

// -----

// Rows of a matrix, and a norm over rows: neither is computed on a rank's rows.
module attributes {graph.ranks = 2 : i64} {
// CHECK-LABEL: func.func @main(
// CHECK-NOT: reduce_scatter
// CHECK-COUNT-2: graph.all_reduce
func.func @main(%x: tensor<32x4xf32>, %y: tensor<1x32x4xf32>) -> (tensor<32x4xf32>, tensor<1x32x4xf32>) {
  %1 = graph.all_reduce sum %x ranks 2 : (tensor<32x4xf32>) -> tensor<32x4xf32>
  %2 = graph.unary tanh %1 : (tensor<32x4xf32>) -> tensor<32x4xf32>
  %3 = graph.all_reduce sum %y ranks 2 : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  %4 = graph.softmax %3 axis 1 : (tensor<1x32x4xf32>) -> tensor<1x32x4xf32>
  return %2, %4 : tensor<32x4xf32>, tensor<1x32x4xf32>
}
}
