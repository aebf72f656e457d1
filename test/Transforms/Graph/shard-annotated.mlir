// RUN: kiln-opt %s --split-input-file --kiln-shard=ranks=2 --verify-diagnostics | FileCheck %s
// Weights of which the user has said how ranks divide them (graph.shard_axis).

// As kiln-shard would have it.
graph.weight @w1 : tensor<8x16xf32> {file = "w", graph.shard_axis = 1 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<16x8xf32> {file = "w", graph.shard_axis = 0 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK: get_weight @w1_part : tensor<8x8xf32>
// CHECK: get_weight @w2_part : tensor<8x8xf32>
// CHECK: graph.all_reduce
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w1 = graph.get_weight @w1 : tensor<8x16xf32>
  %w2 = graph.get_weight @w2 : tensor<16x8xf32>
  %0 = graph.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.unary gelu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = graph.matmul %1, %w2 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// The axis is that of the model's weight, here in front of a transpose.
graph.weight @w1 : tensor<16x8xf32> {file = "w", graph.shard_axis = 0 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<16x8xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK: get_weight @w1_part : tensor<8x8xf32>
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w1 = graph.get_weight @w1 : tensor<16x8xf32>
  %t1 = graph.transpose %w1 [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %w2 = graph.get_weight @w2 : tensor<16x8xf32>
  %0 = graph.matmul %x, %t1 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.unary gelu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = graph.matmul %1, %w2 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Of two pairs one is to stay whole.
graph.weight @w1 : tensor<8x16xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<16x8xf32> {file = "w", graph.shard_axis = -1 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @w3 : tensor<8x16xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @w4 : tensor<16x8xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-DAG: get_weight @w1 : tensor<8x16xf32>
// CHECK-DAG: get_weight @w2 : tensor<16x8xf32>
// CHECK-DAG: get_weight @w3_part : tensor<8x8xf32>
// CHECK-DAG: get_weight @w4_part : tensor<8x8xf32>
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w1 = graph.get_weight @w1 : tensor<8x16xf32>
  %w2 = graph.get_weight @w2 : tensor<16x8xf32>
  %w3 = graph.get_weight @w3 : tensor<8x16xf32>
  %w4 = graph.get_weight @w4 : tensor<16x8xf32>
  %0 = graph.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.unary gelu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = graph.matmul %1, %w2 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %3 = graph.softmax %2 axis 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = graph.matmul %3, %w3 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %5 = graph.unary gelu %4 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %6 = graph.matmul %5, %w4 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}

// -----

// The first product of a pair cannot be split by rows.
// expected-error-re @+1 {{weight 'w1': the weight cannot be divided along axis 0 as its annotation says; found {{.*}}its annotation says that weight 'w1' is divided along axis 0, and it would be divided along axis 1; fix: annotate the products of a pair alike {{.}}columns, then rows), or leave the annotation of this weight out}}
graph.weight @w1 : tensor<8x16xf32> {file = "w", graph.shard_axis = 0 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<16x8xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w1 = graph.get_weight @w1 : tensor<8x16xf32>
  %w2 = graph.get_weight @w2 : tensor<16x8xf32>
  %0 = graph.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.unary gelu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = graph.matmul %1, %w2 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Both products of a pair are split, or none is.
// expected-error-re @+1 {{weight 'w1': the weight cannot be divided along axis 1 as its annotation says; found {{.*}}its annotation says that weight 'w2' is whole, and it would be divided along axis 0}}
graph.weight @w1 : tensor<8x16xf32> {file = "w", graph.shard_axis = 1 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<16x8xf32> {file = "w", graph.shard_axis = -1 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w1 = graph.get_weight @w1 : tensor<8x16xf32>
  %w2 = graph.get_weight @w2 : tensor<16x8xf32>
  %0 = graph.matmul %x, %w1 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.unary gelu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = graph.matmul %1, %w2 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// expected-error @+1 {{graph.shard_axis: 2 is no axis of 'tensor<8x16xf32>'}}
graph.weight @w1 : tensor<8x16xf32> {file = "w", graph.shard_axis = 2 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}

// -----

// expected-error @+1 {{graph.stage: -1 is no stage of 'tensor<8x16xf32>'}}
graph.weight @w1 : tensor<8x16xf32> {file = "w", graph.stage = -1 : i64, hash = "0", length = 512 : i64, offset = 0 : i64}

// -----

// expected-error @+1 {{carries graph.stage, which is an i64 of a weight}}
func.func @main() attributes {graph.stage = 0 : i64} {
  return
}
