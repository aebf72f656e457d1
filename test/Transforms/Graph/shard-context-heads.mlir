// RUN: kiln-opt %s --split-input-file --kiln-shard-context=ranks=4 --mlir-print-local-scope | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-shard-context{ranks=4})' -o /dev/null
// Where four ranks exchange rows for heads around an attention, and where they gather keys and values.

// As many heads for queries as for keys: queries, keys and values are exchanged from S / 4 rows of all heads to all rows of one head, and the
// result back. Of the rows that fill up the last part nothing is read.
// CHECK-LABEL: func.func @main(
// CHECK: %[[Q:.*]] = graph.matmul
// CHECK: graph.reshape {{.*}} -> tensor<1x4x1x?x4xf32, #graph.shape<[S] -> [1, 4, 1, (S ceildiv 4), 4]>>
// CHECK-NEXT: %[[PARTS:.*]] = graph.transpose {{.*}} [1, 0, 3, 2, 4] : {{.*}} -> tensor<4x1x?x1x4xf32, #graph.shape<[S] -> [4, 1, (S ceildiv 4), 1, 4]>>
// CHECK-NEXT: %[[MINE:.*]] = graph.all_to_all %[[PARTS]] axis 0 ranks 4
// CHECK-NEXT: %[[INROWS:.*]] = graph.transpose %[[MINE]] [1, 0, 2, 3, 4]
// CHECK-NEXT: %[[ROWS:.*]] = graph.reshape %[[INROWS]]
// CHECK-NEXT: %[[ALL:.*]] = graph.slice %[[ROWS]] {{.*}} -> tensor<1x?x1x4xf32, #graph.shape<[S] -> [1, S, 1, 4]>>
// CHECK-NEXT: %[[QUERY:.*]] = graph.transpose %[[ALL]] [0, 2, 1, 3]
// CHECK: graph.all_to_all
// CHECK: graph.all_to_all
// CHECK: %[[A:.*]] = graph.attention %[[QUERY]], {{.*}} {scale = 1.000000e+00 : f64} : {{.*}} -> tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>
// CHECK-NEXT: %[[BACK:.*]] = graph.transpose %[[A]] [0, 2, 1, 3]
// CHECK-NEXT: %[[ZEROS:.*]] = graph.fill
// CHECK-NEXT: %[[PADDED:.*]] = graph.concat %[[BACK]], %[[ZEROS]] axis 1
// CHECK: graph.all_to_all {{.*}} axis 0 ranks 4
// CHECK-NEXT: graph.transpose {{.*}} [1, 0, 3, 2, 4]
// CHECK-NEXT: graph.reshape {{.*}} -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, (S ceildiv 4), 4]>>
// CHECK-NOT: all_to_all
// CHECK: %[[O:.*]] = graph.matmul {{.*}} -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, (S ceildiv 4), 16]>>
// CHECK-NEXT: graph.all_gather %[[O]] axis 1 ranks 4
module {
graph.symbol @S in [1, 64]
graph.weight @wq : tensor<16x16xf32> {file = "w", hash = "0", length = 1024 : i64, offset = 0 : i64}
graph.weight @wk : tensor<16x16xf32> {file = "w", hash = "0", length = 1024 : i64, offset = 0 : i64}
func.func @main(%x: tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) {
  %wq = graph.get_weight @wq : tensor<16x16xf32>
  %wk = graph.get_weight @wk : tensor<16x16xf32>
  %y = graph.unary exp %x : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %q0 = graph.matmul %y, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %q1 = graph.reshape %q0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %k0 = graph.matmul %y, %wk : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %k1 = graph.reshape %k0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %v0 = graph.matmul %y, %wk : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %v1 = graph.reshape %v0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  return %o : tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
}
}

// -----

// Two query heads for each key head: 8 + 4 + 4 + 8 heads are less than the 8 heads of keys and values times 4 ranks. Causal attention of all rows
// needs no lengths.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-3: graph.all_to_all
// CHECK: graph.attention %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} {causal, scale = 1.000000e+00 : f64, window = 9 : i64} : (tensor<1x2x?x4xf32, {{.*}}, tensor<1x1x?x4xf32, {{.*}}) -> tensor<1x2x?x4xf32
// CHECK: graph.all_to_all
module {
graph.symbol @S in [1, 64]
graph.weight @wq : tensor<32x32xf32> {file = "w", hash = "0", length = 4096 : i64, offset = 0 : i64}
graph.weight @wk : tensor<32x16xf32> {file = "w", hash = "0", length = 2048 : i64, offset = 0 : i64}
func.func @main(%x: tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>) -> (tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>) {
  %wq = graph.get_weight @wq : tensor<32x32xf32>
  %wk = graph.get_weight @wk : tensor<32x16xf32>
  %y = graph.unary exp %x : (tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>) -> tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>
  %q0 = graph.matmul %y, %wq : (tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>, tensor<32x32xf32>) -> tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>
  %q1 = graph.reshape %q0 : (tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>) -> tensor<1x?x8x4xf32, #graph.shape<[S] -> [1, S, 8, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x?x8x4xf32, #graph.shape<[S] -> [1, S, 8, 4]>>) -> tensor<1x8x?x4xf32, #graph.shape<[S] -> [1, 8, S, 4]>>
  %k0 = graph.matmul %y, %wk : (tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>, tensor<32x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %k1 = graph.reshape %k0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %v0 = graph.matmul %y, %wk : (tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>, tensor<32x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %v1 = graph.reshape %v0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a = graph.attention %q, %k, %v {causal, window = 9 : i64, scale = 1.0 : f64} : (tensor<1x8x?x4xf32, #graph.shape<[S] -> [1, 8, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x8x?x4xf32, #graph.shape<[S] -> [1, 8, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x8x?x4xf32, #graph.shape<[S] -> [1, 8, S, 4]>>) -> tensor<1x?x8x4xf32, #graph.shape<[S] -> [1, S, 8, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x8x4xf32, #graph.shape<[S] -> [1, S, 8, 4]>>) -> tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>, tensor<32x32xf32>) -> tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>
  return %o : tensor<1x?x32xf32, #graph.shape<[S] -> [1, S, 32]>>
}
}

// -----

// A mask and sinks of each head: those of a rank's heads.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[M:[^ ,:)]+]]: tensor<1x4x?x?xf32, #graph.shape<[S] -> [1, 4, S, S]>>, %[[S:[^ ,:)]+]]: tensor<4xf32>)
// CHECK-COUNT-3: graph.all_to_all
// CHECK: %[[MASK:.*]] = graph.gather %[[M]], %[[HEADS:.*]] axis 1 : {{.*}} -> tensor<1x1x?x?xf32, #graph.shape<[S] -> [1, 1, S, S]>>
// CHECK: %[[SINKS:.*]] = graph.gather %[[S]], %[[HEADS]] axis 0 : {{.*}} -> tensor<1xf32>
// CHECK: graph.attention {{.*}} mask %[[MASK]] sinks %[[SINKS]]
// CHECK: graph.all_to_all
module {
graph.symbol @S in [1, 64]
graph.weight @wq : tensor<16x16xf32> {file = "w", hash = "0", length = 1024 : i64, offset = 0 : i64}
graph.weight @wk : tensor<16x16xf32> {file = "w", hash = "0", length = 1024 : i64, offset = 0 : i64}
func.func @main(%x: tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, %m: tensor<1x4x?x?xf32, #graph.shape<[S] -> [1, 4, S, S]>>, %s: tensor<4xf32>) -> (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) {
  %wq = graph.get_weight @wq : tensor<16x16xf32>
  %wk = graph.get_weight @wk : tensor<16x16xf32>
  %y = graph.unary exp %x : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %q0 = graph.matmul %y, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %q1 = graph.reshape %q0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %k0 = graph.matmul %y, %wk : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %k1 = graph.reshape %k0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %v0 = graph.matmul %y, %wk : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %v1 = graph.reshape %v0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a = graph.attention %q, %k, %v mask %m sinks %s {scale = 1.0 : f64} : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x?xf32, #graph.shape<[S] -> [1, 4, S, S]>>, tensor<4xf32>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  return %o : tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
}
}

// -----

// Not: four query heads for each key head, of which an exchange would move more.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: all_to_all
// CHECK-COUNT-2: graph.all_gather
// CHECK: graph.attention
// CHECK-NOT: all_to_all
// CHECK: return
module {
graph.symbol @S in [1, 64]
graph.weight @wq : tensor<64x64xf32> {file = "w", hash = "0", length = 16384 : i64, offset = 0 : i64}
graph.weight @wk : tensor<64x16xf32> {file = "w", hash = "0", length = 4096 : i64, offset = 0 : i64}
func.func @main(%x: tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>) -> (tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>) {
  %wq = graph.get_weight @wq : tensor<64x64xf32>
  %wk = graph.get_weight @wk : tensor<64x16xf32>
  %y = graph.unary exp %x : (tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>) -> tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>
  %q0 = graph.matmul %y, %wq : (tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>, tensor<64x64xf32>) -> tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>
  %q1 = graph.reshape %q0 : (tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>) -> tensor<1x?x16x4xf32, #graph.shape<[S] -> [1, S, 16, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x?x16x4xf32, #graph.shape<[S] -> [1, S, 16, 4]>>) -> tensor<1x16x?x4xf32, #graph.shape<[S] -> [1, 16, S, 4]>>
  %k0 = graph.matmul %y, %wk : (tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>, tensor<64x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %k1 = graph.reshape %k0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %v0 = graph.matmul %y, %wk : (tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>, tensor<64x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %v1 = graph.reshape %v0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<1x16x?x4xf32, #graph.shape<[S] -> [1, 16, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x16x?x4xf32, #graph.shape<[S] -> [1, 16, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x16x?x4xf32, #graph.shape<[S] -> [1, 16, S, 4]>>) -> tensor<1x?x16x4xf32, #graph.shape<[S] -> [1, S, 16, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x16x4xf32, #graph.shape<[S] -> [1, S, 16, 4]>>) -> tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>, tensor<64x64xf32>) -> tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>
  return %o : tensor<1x?x64xf32, #graph.shape<[S] -> [1, S, 64]>>
}
}

// -----

// Not: fewer key heads than ranks.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: all_to_all
// CHECK-COUNT-2: graph.all_gather
// CHECK: graph.attention
// CHECK-NOT: all_to_all
// CHECK: return
module {
graph.symbol @S in [1, 64]
graph.weight @wq : tensor<16x16xf32> {file = "w", hash = "0", length = 1024 : i64, offset = 0 : i64}
graph.weight @wk : tensor<16x8xf32> {file = "w", hash = "0", length = 512 : i64, offset = 0 : i64}
func.func @main(%x: tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) {
  %wq = graph.get_weight @wq : tensor<16x16xf32>
  %wk = graph.get_weight @wk : tensor<16x8xf32>
  %y = graph.unary exp %x : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %q0 = graph.matmul %y, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %q1 = graph.reshape %q0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %k0 = graph.matmul %y, %wk : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %k1 = graph.reshape %k0 : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %v0 = graph.matmul %y, %wk : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %v1 = graph.reshape %v0 : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %a = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  return %o : tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
}
}

// -----

// Not: something else reads all keys, which are gathered anyhow.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: all_to_all
// CHECK-COUNT-2: graph.all_gather
// CHECK: graph.attention
// CHECK-NOT: all_to_all
// CHECK: return
module {
graph.symbol @S in [1, 64]
graph.weight @wq : tensor<16x16xf32> {file = "w", hash = "0", length = 1024 : i64, offset = 0 : i64}
graph.weight @wk : tensor<16x16xf32> {file = "w", hash = "0", length = 1024 : i64, offset = 0 : i64}
func.func @main(%x: tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) {
  %wq = graph.get_weight @wq : tensor<16x16xf32>
  %wk = graph.get_weight @wk : tensor<16x16xf32>
  %y = graph.unary exp %x : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %q0 = graph.matmul %y, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %q1 = graph.reshape %q0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %k0 = graph.matmul %y, %wk : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %k1 = graph.reshape %k0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %v0 = graph.matmul %y, %wk : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %v1 = graph.reshape %v0 : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  return %o, %k : tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
}
}
