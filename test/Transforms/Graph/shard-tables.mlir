// RUN: kiln-opt %s --split-input-file --kiln-shard=ranks=2 --verify-diagnostics | FileCheck %s
// Tables that the user divides by rows (graph.shard_axis = 0).

// The head reads the rows of its rank, too. Each rank knows where a row of the table lies in its part.
graph.weight @table : tensor<6x4xf32> {file = "w", graph.shard_axis = 0 : i64, hash = "0", length = 96 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
// CHECK: graph.weight @table_places : tensor<6xi32> {bounds = array<i64: -1, 2>, graph.part = {axis = 0 : i64, of = @table_places_whole}}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ID:[^ ,:)]+]]: tensor<5xi64>
// CHECK: %[[PART:.+]] = graph.get_weight @table_part : tensor<3x4xf32>
// CHECK: %[[PLACES:.+]] = graph.get_weight @table_places : tensor<6xi32>
// CHECK: %[[PLACE:.+]] = graph.gather %[[PLACES]], %[[ID]] axis 0 : (tensor<6xi32>, tensor<5xi64>) -> tensor<5xi32>
// CHECK: %[[OWN:.+]] = graph.compare greater_equal %[[PLACE]]
// CHECK: %[[ROW:.+]] = graph.binary max %[[PLACE]]
// CHECK: %[[FOUND:.+]] = graph.gather %[[PART]], %[[ROW]] axis 0 : (tensor<3x4xf32>, tensor<5xi32>) -> tensor<5x4xf32>
// CHECK: %[[OWN_ROW:.+]] = graph.reshape %[[OWN]] : (tensor<5xi1>) -> tensor<5x1xi1>
// CHECK: %[[MINE:.+]] = graph.select %[[OWN_ROW]], %[[FOUND]]
// CHECK: graph.all_reduce sum %[[MINE]] ranks 2 : (tensor<5x4xf32>) -> tensor<5x4xf32>
// CHECK: graph.matmul {{.*}} {transpose_b} : (tensor<5x4xf32>, tensor<3x4xf32>) -> tensor<5x3xf32>
// CHECK: graph.all_gather
// CHECK-LABEL: func.func @bake(
// CHECK: graph.set_weight @table_places_whole, {{.*}} : tensor<12xi32>
func.func @main(%ids: tensor<5xi64>) -> tensor<5x6xf32> {
  %table = graph.get_weight @table : tensor<6x4xf32>
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %0 = graph.gather %table, %ids axis 0 : (tensor<6x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  %1 = graph.matmul %0, %w1 : (tensor<5x4xf32>, tensor<4x8xf32>) -> tensor<5x8xf32>
  %2 = graph.unary gelu %1 : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %3 = graph.matmul %2, %w2 : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  %4 = graph.matmul %3, %table {transpose_b} : (tensor<5x4xf32>, tensor<6x4xf32>) -> tensor<5x6xf32>
  return %4 : tensor<5x6xf32>
}

// -----

// Behind a cast; numbers of 16 bits are added up in f32.
graph.weight @table : tensor<6x4xbf16> {file = "w", graph.shard_axis = 0 : i64, hash = "0", length = 48 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<4x8xf16> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf16> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK: %[[PART:.+]] = graph.get_weight @table_part : tensor<3x4xbf16>
// CHECK: %[[CAST:.+]] = graph.cast %[[PART]] : (tensor<3x4xbf16>) -> tensor<3x4xf16>
// CHECK: graph.gather %[[CAST]]
// CHECK: %[[SUM:.+]] = graph.all_reduce sum {{.*}} : (tensor<5x4xf32>) -> tensor<5x4xf32>
// CHECK: graph.cast %[[SUM]] : (tensor<5x4xf32>) -> tensor<5x4xf16>
func.func @main(%ids: tensor<5xi64>) -> tensor<5x4xf16> {
  %table = graph.get_weight @table : tensor<6x4xbf16>
  %cast = graph.cast %table : (tensor<6x4xbf16>) -> tensor<6x4xf16>
  %w1 = graph.get_weight @w1 : tensor<4x8xf16>
  %w2 = graph.get_weight @w2 : tensor<8x4xf16>
  %0 = graph.gather %cast, %ids axis 0 : (tensor<6x4xf16>, tensor<5xi64>) -> tensor<5x4xf16>
  %1 = graph.matmul %0, %w1 : (tensor<5x4xf16>, tensor<4x8xf16>) -> tensor<5x8xf16>
  %2 = graph.unary gelu %1 : (tensor<5x8xf16>) -> tensor<5x8xf16>
  %3 = graph.matmul %2, %w2 : (tensor<5x8xf16>, tensor<8x4xf16>) -> tensor<5x4xf16>
  return %3 : tensor<5x4xf16>
}

// -----

// Without an annotation, and along its columns, a table stays whole.
graph.weight @table : tensor<6x4xf32> {file = "w", hash = "0", length = 96 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK: graph.get_weight @table : tensor<6x4xf32>
// CHECK-COUNT-1: graph.all_reduce
// CHECK-NOT: graph.all_reduce
func.func @main(%ids: tensor<5xi64>) -> tensor<5x4xf32> {
  %table = graph.get_weight @table : tensor<6x4xf32>
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %0 = graph.gather %table, %ids axis 0 : (tensor<6x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  %1 = graph.matmul %0, %w1 : (tensor<5x4xf32>, tensor<4x8xf32>) -> tensor<5x8xf32>
  %2 = graph.unary gelu %1 : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %3 = graph.matmul %2, %w2 : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}

// -----

// Ranks that do not divide its rows.
// expected-error @below {{weight 'table': the weight cannot be divided along axis 0 as its annotation says; found}}
graph.weight @table : tensor<7x4xf32> {file = "w", graph.shard_axis = 0 : i64, hash = "0", length = 112 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
func.func @main(%ids: tensor<5xi64>) -> tensor<5x4xf32> {
  %table = graph.get_weight @table : tensor<7x4xf32>
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %0 = graph.gather %table, %ids axis 0 : (tensor<7x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  %1 = graph.matmul %0, %w1 : (tensor<5x4xf32>, tensor<4x8xf32>) -> tensor<5x8xf32>
  %2 = graph.unary gelu %1 : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %3 = graph.matmul %2, %w2 : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}

// -----

// A lookup by indices that are known is a part of the model's weights: nothing looks it up at run time.
// expected-error @below {{weight 'table': the weight cannot be divided along axis 0}}
graph.weight @table : tensor<6x4xf32> {file = "w", graph.shard_axis = 0 : i64, hash = "0", length = 96 : i64, offset = 0 : i64}
graph.weight @w1 : tensor<4x8xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @w2 : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
func.func @main(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %table = graph.get_weight @table : tensor<6x4xf32>
  %ids = graph.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi64>
  %w1 = graph.get_weight @w1 : tensor<4x8xf32>
  %w2 = graph.get_weight @w2 : tensor<8x4xf32>
  %0 = graph.gather %table, %ids axis 0 : (tensor<6x4xf32>, tensor<5xi64>) -> tensor<5x4xf32>
  %sum = graph.binary add %0, %x : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  %1 = graph.matmul %sum, %w1 : (tensor<5x4xf32>, tensor<4x8xf32>) -> tensor<5x8xf32>
  %2 = graph.unary gelu %1 : (tensor<5x8xf32>) -> tensor<5x8xf32>
  %3 = graph.matmul %2, %w2 : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}
