// RUN: kiln-opt %s --split-input-file --kiln-shard-context=ranks=2 --mlir-print-local-scope | FileCheck %s
// With two ranks an exchange moves as much as a gather where queries have no more heads than keys.

// Causal attention: of some heads all ranks compute the same, of some rows the last rank most.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-3: graph.all_to_all
// CHECK: graph.attention {{.*}} -> tensor<1x1x?x4xf32
// CHECK: graph.all_to_all
module {
graph.symbol @S in [1, 64]
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @main(%x: tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %y = graph.unary exp %x : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %q0 = graph.matmul %y, %wq : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>, tensor<8x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %q1 = graph.reshape %q0 : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %k0 = graph.matmul %y, %wk : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>, tensor<8x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %k1 = graph.reshape %k0 : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %v0 = graph.matmul %y, %wk : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>, tensor<8x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %v1 = graph.reshape %v0 : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %a = graph.attention %q, %k, %v {causal, scale = 1.0 : f64} : (tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>, tensor<8x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  return %o : tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
}
}

// -----

// Not: all rows take as long.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: all_to_all
// CHECK-COUNT-2: graph.all_gather
// CHECK: graph.attention
// CHECK-NOT: all_to_all
// CHECK: return
module {
graph.symbol @S in [1, 64]
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
func.func @main(%x: tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) {
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %y = graph.unary exp %x : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %q0 = graph.matmul %y, %wq : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>, tensor<8x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %q1 = graph.reshape %q0 : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %k0 = graph.matmul %y, %wk : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>, tensor<8x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %k1 = graph.reshape %k0 : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %v0 = graph.matmul %y, %wk : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>, tensor<8x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %v1 = graph.reshape %v0 : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %a = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>) -> tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>) -> tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x2x4xf32, #graph.shape<[S] -> [1, S, 2, 4]>>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>, tensor<8x8xf32>) -> tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
  return %o : tensor<1x?x8xf32, #graph.shape<[S] -> [1, S, 8]>>
}
}

// -----

// Not: of more heads for queries an exchange moves more.
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
  %a = graph.attention %q, %k, %v {causal, scale = 1.0 : f64} : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>, tensor<1x2x?x4xf32, #graph.shape<[S] -> [1, 2, S, 4]>>) -> tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x4x?x4xf32, #graph.shape<[S] -> [1, 4, S, 4]>>) -> tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>
  %a2 = graph.reshape %a1 : (tensor<1x?x4x4xf32, #graph.shape<[S] -> [1, S, 4, 4]>>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  %o = graph.matmul %a2, %wq : (tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>, tensor<16x16xf32>) -> tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
  return %o : tensor<1x?x16xf32, #graph.shape<[S] -> [1, S, 16]>>
}
}
