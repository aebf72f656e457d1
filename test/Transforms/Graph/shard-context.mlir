// RUN: kiln-opt %s --split-input-file --kiln-shard-context=ranks=4 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-shard-context{ranks=4})' -o /dev/null
// What each rank computes of its rows of a sequence, and what all ranks compute.

// An attention block behind an embedding: keys and values are gathered behind their products, and the result at the end.
module {
graph.symbol @S in [1, 64]
graph.weight @t : tensor<9x4xf32> {file = "w", hash = "0", length = 144 : i64, offset = 0 : i64}
graph.weight @w : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// CHECK-DAG: #[[$PART:.*]] = #graph.shape<[S] -> [3, (S ceildiv 4), 4]>
// CHECK-DAG: #[[$HEADS:.*]] = #graph.shape<[S] -> [3, 2, (S ceildiv 4), 2]>
// CHECK-DAG: #[[$KEYS:.*]] = #graph.shape<[S] -> [3, 2, S, 2]>
// CHECK: module attributes {graph.ranks = 4 : i64, graph.sharding = [{{.*}}op = "attention", split = "context"}
// CHECK: graph.weight @rank_index : tensor<1xi64> {graph.part = {axis = 0 : i64, of = @rank_index_whole}}
// CHECK-LABEL: func.func @main(
// CHECK: %[[PLACE:.*]] = graph.binary max
// CHECK: %[[IDS:.*]] = graph.gather %{{.*}}, %[[PLACE]] axis 1
// CHECK: %[[X:.*]] = graph.gather %{{.*}}, %[[IDS]] axis 0 : {{.*}} -> tensor<3x?x4xf32, #[[$PART]]>
// CHECK: %[[Q:.*]] = graph.matmul %[[X]]
// CHECK: %[[K:.*]] = graph.matmul %[[X]]
// CHECK-NEXT: graph.all_gather %[[K]] axis 1 ranks 4
// CHECK-NEXT: graph.slice
// CHECK: %[[V:.*]] = graph.matmul %[[X]]
// CHECK-NEXT: graph.all_gather %[[V]] axis 1 ranks 4
// CHECK: %[[A:.*]] = graph.attention {{.*}} : (tensor<3x2x?x2xf32, #[[$HEADS]]>, tensor<3x2x?x2xf32, #[[$KEYS]]>, tensor<3x2x?x2xf32, #[[$KEYS]]>) -> tensor<3x2x?x2xf32, #[[$HEADS]]>
// CHECK: %[[O:.*]] = graph.matmul {{.*}} -> tensor<3x?x4xf32, #[[$PART]]>
// CHECK-NEXT: %[[Y:.*]] = graph.binary add %[[X]], %[[O]]
// CHECK-NEXT: %[[ALL:.*]] = graph.all_gather %[[Y]] axis 1 ranks 4
// CHECK-NEXT: %[[END:.*]] = graph.slice %[[ALL]]
// CHECK-NEXT: return %[[END]]
func.func @main(%ids: tensor<3x?xi64, #graph.shape<[S] -> [3, S]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>> {
  %t = graph.get_weight @t : tensor<9x4xf32>
  %w = graph.get_weight @w : tensor<4x4xf32>
  %x = graph.gather %t, %ids axis 0 : (tensor<9x4xf32>, tensor<3x?xi64, #graph.shape<[S] -> [3, S]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %q0 = graph.matmul %x, %w : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4x4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %q1 = graph.reshape %q0 : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>) -> tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>
  %k0 = graph.matmul %x, %w : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4x4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %k1 = graph.reshape %k0 : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>) -> tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>
  %v0 = graph.matmul %x, %w : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4x4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %v1 = graph.reshape %v0 : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>
  %v = graph.transpose %v1 [0, 2, 1, 3] : (tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>) -> tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>
  %a = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>, tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>, tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>) -> tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>) -> tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>
  %a2 = graph.reshape %a1 : (tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %o = graph.matmul %a2, %w : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4x4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %y = graph.binary add %x, %o : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  return %y : tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
}
}

// -----

// Causal attention and its mask, whose rows are those of queries: `lengths` say where a rank's queries stand.
module {
// CHECK-DAG: #[[$ENDS:.*]] = #graph.shape<[] -> [16]>
// CHECK-DAG: #[[$MOVED:.*]] = #graph.shape<[] -> [-24]>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[Q:[^ ,:)]+]]: tensor<1x2x32x4xf32>, %[[K:[^ ,:)]+]]: tensor<1x2x40x4xf32>, %[[M:[^ ,:)]+]]: tensor<32x40xf32>
// CHECK-DAG: %[[OWN:.*]] = graph.gather %[[Q]], %{{.*}} axis 2 : {{.*}} -> tensor<1x2x8x4xf32>
// CHECK-DAG: %[[MASK:.*]] = graph.gather %[[M]], %{{.*}} axis 0 : {{.*}} -> tensor<8x40xf32>
// CHECK: %[[FIRST:.*]] = graph.binary mul
// CHECK: %[[DIM:.*]] = graph.dims #[[$ENDS]]
// CHECK: %[[LENGTH:.*]] = graph.binary add %[[FIRST]], %[[DIM]]
// CHECK-NEXT: graph.attention %[[OWN]], %[[K]], %[[K]] mask %[[MASK]] lengths %[[LENGTH]] {causal, from_length, scale = 1.000000e+00 : f64}
func.func @main(%q: tensor<1x2x32x4xf32>, %k: tensor<1x2x40x4xf32>, %m: tensor<32x40xf32>) -> tensor<1x2x32x4xf32> {
  %a = graph.attention %q, %k, %k mask %m {causal, scale = 1.0 : f64} : (tensor<1x2x32x4xf32>, tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>, tensor<32x40xf32>) -> tensor<1x2x32x4xf32>
  return %a : tensor<1x2x32x4xf32>
}
// The queries of a decoder are the last ones of so many positions: of a rank, those up to its last one.
// CHECK-LABEL: func.func @prefill(
// CHECK-SAME: %[[LENGTHS:[^ ,:)]+]]: tensor<2xi64>
// CHECK: %[[DIM:.*]] = graph.dims #[[$MOVED]]
// CHECK: %[[MOVED:.*]] = graph.binary add %{{.*}}, %[[DIM]]
// CHECK: %[[NEW:.*]] = graph.binary add %[[LENGTHS]], %[[MOVED]]
// CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} lengths %[[NEW]] {causal, from_length, scale = 1.000000e+00 : f64, window = 9 : i64}
func.func @prefill(%lengths: tensor<2xi64>, %q: tensor<2x2x32x4xf32>, %k: tensor<2x2x40x4xf32>) -> tensor<2x2x32x4xf32> {
  %a = graph.attention %q, %k, %k lengths %lengths {causal, from_length, window = 9 : i64, scale = 1.0 : f64} : (tensor<2x2x32x4xf32>, tensor<2x2x40x4xf32>, tensor<2x2x40x4xf32>, tensor<2xi64>) -> tensor<2x2x32x4xf32>
  return %a : tensor<2x2x32x4xf32>
}
// Few rows are computed by every rank; another program of the module has many.
// CHECK-LABEL: func.func @decode(
// CHECK-NOT: all_gather
// CHECK: graph.attention %{{.*}} : (tensor<1x2x16x4xf32>
// CHECK-NOT: all_gather
// CHECK: return
func.func @decode(%q: tensor<1x2x16x4xf32>, %k: tensor<1x2x40x4xf32>) -> tensor<1x2x16x4xf32> {
  %a = graph.attention %q, %k, %k {scale = 1.0 : f64} : (tensor<1x2x16x4xf32>, tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>) -> tensor<1x2x16x4xf32>
  return %a : tensor<1x2x16x4xf32>
}
}

// -----

// Behind a pair of products of two tensor-parallel ranks: sums of adjacent ranks are of a rank's rows, and rows are gathered from
// ranks that are two apart. There are four times as many ranks.
module attributes {graph.ranks = 2 : i64} {
// CHECK: module attributes {graph.ranks = 8 : i64, graph.sharding = [{{.*}}op = "matmul", split = "context"}]
// CHECK: graph.weight @part : tensor<4x4xf32> {graph.part = {axis = 0 : i64, of = @w}}
// CHECK: graph.weight @rank_index : tensor<1xi64> {graph.part = {axis = 0 : i64, of = @rank_index_whole, stride = 2 : i64}}
// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.*]] = graph.attention {{.*}} -> tensor<1x2x16x4xf32>
// CHECK: %[[P:.*]] = graph.matmul {{.*}} -> tensor<1x2x16x4xf32>
// CHECK-NEXT: %[[S:.*]] = graph.all_reduce sum %[[P]] ranks 2 : (tensor<1x2x16x4xf32>)
// CHECK-NEXT: %[[E:.*]] = graph.unary exp %[[S]] : (tensor<1x2x16x4xf32>)
// CHECK-NEXT: %[[ALL:.*]] = graph.all_gather %[[E]] axis 2 ranks 4 {graph.stride = 2 : i64}
// CHECK-NEXT: return %[[ALL]]
graph.weight @w : tensor<8x4xf32> {file = "w", hash = "0", length = 128 : i64, offset = 0 : i64}
graph.weight @part : tensor<4x4xf32> {graph.part = {of = @w, axis = 0 : i64}}
func.func @main(%q: tensor<1x2x64x4xf32>, %k: tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32> {
  %w = graph.get_weight @part : tensor<4x4xf32>
  %a = graph.attention %q, %k, %k {scale = 1.0 : f64} : (tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  %p = graph.matmul %a, %w : (tensor<1x2x64x4xf32>, tensor<4x4xf32>) -> tensor<1x2x64x4xf32>
  %s = graph.all_reduce sum %p ranks 2 : (tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  %e = graph.unary exp %s : (tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  return %e : tensor<1x2x64x4xf32>
}
}
