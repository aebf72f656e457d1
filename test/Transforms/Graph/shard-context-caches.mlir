// RUN: kiln-opt %s --split-input-file --kiln-shard-context="ranks=4 divide-caches" | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-shard-context{ranks=4 divide-caches})' -o /dev/null
// Which caches ranks divide by positions, and how what their parts give is merged.

// A part begins at rank * (capacity ceildiv 4): starts of writes and lengths of attention are less by that. In @prefill the
// products' rows are divided as well, and queries gathered.
#rows = #graph.shape<[S] -> [S]>
module {
graph.symbol @C in [1, 256]
graph.symbol @S in [1, 64]
graph.weight @w : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
// CHECK-DAG: #[[$CACHE:.*]] = #graph.shape<[C] -> [2, 2, (C ceildiv 4), 4]>
// CHECK: module attributes {graph.ranks = 4 : i64, graph.sharding = [{{.*}}op = "attention", split = "cache"}
// CHECK-LABEL: func.func @prefill(
// CHECK-SAME: %[[CACHE:[^ ,:)]+]]: tensor<2x2x?x4xf32, #[[$CACHE]]>
// CHECK: %[[Q:.*]] = graph.matmul {{.*}} -> tensor<2x?x8xf32
// CHECK: graph.all_gather %[[Q]] axis 1 ranks 4
// CHECK: graph.kv_write
// CHECK: graph.attention {{.*}} {causal, from_length, masked_zero, scale = 1.000000e+00 : f64}
// CHECK: graph.attention_lse
// CHECK: graph.all_reduce sum
// CHECK: return
func.func @prefill(%cache: tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>> {graph.state = "past"}, %n: tensor<2xi64>, %x: tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>) -> (tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>, tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>> {graph.state = "past"}) {
  %w = graph.get_weight @w : tensor<8x8xf32>
  %q0 = graph.matmul %x, %w : (tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>, tensor<8x8xf32>) -> tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>
  %q1 = graph.reshape %q0 : (tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>) -> tensor<2x?x2x4xf32, #graph.shape<[S] -> [2, S, 2, 4]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<2x?x2x4xf32, #graph.shape<[S] -> [2, S, 2, 4]>>) -> tensor<2x2x?x4xf32, #graph.shape<[S] -> [2, 2, S, 4]>>
  %new = graph.kv_write %cache, %q starts %n counts %n axis 2 : (tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>, tensor<2x2x?x4xf32, #graph.shape<[S] -> [2, 2, S, 4]>>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>
  %s = graph.dims #rows : tensor<1xi64>
  %l = graph.binary add %n, %s : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi64>
  %a = graph.attention %q, %new, %new lengths %l {causal, from_length, scale = 1.0 : f64} : (tensor<2x2x?x4xf32, #graph.shape<[S] -> [2, 2, S, 4]>>, tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>, tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>, tensor<2xi64>) -> tensor<2x2x?x4xf32, #graph.shape<[S] -> [2, 2, S, 4]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<2x2x?x4xf32, #graph.shape<[S] -> [2, 2, S, 4]>>) -> tensor<2x?x2x4xf32, #graph.shape<[S] -> [2, S, 2, 4]>>
  %a2 = graph.reshape %a1 : (tensor<2x?x2x4xf32, #graph.shape<[S] -> [2, S, 2, 4]>>) -> tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>
  %o = graph.matmul %a2, %w : (tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>, tensor<8x8xf32>) -> tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>
  return %o, %new : tensor<2x?x8xf32, #graph.shape<[S] -> [2, S, 8]>>, tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>
}
// CHECK-LABEL: func.func @decode(
// CHECK-SAME: %[[CACHE:[^ ,:)]+]]: tensor<2x2x?x4xf32, #[[$CACHE]]>
// CHECK-SAME: %[[N:[^ ,:)]+]]: tensor<2xi64>, %[[Q:[^ ,:)]+]]: tensor<2x2x3x4xf32>
// CHECK: %[[RANK:.*]] = graph.get_weight @rank_index
// CHECK: %[[PART:.*]] = graph.dims
// CHECK: %[[FIRST:.*]] = graph.binary mul %[[RANK]], %[[PART]]
// CHECK: %[[START:.*]] = graph.binary sub %[[N]], %[[FIRST]]
// CHECK: %[[NEW:.*]] = graph.kv_write %[[CACHE]], %{{.*}} starts %[[START]] counts %[[N]] axis 2
// CHECK: %[[LENGTH:.*]] = graph.binary sub
// CHECK: %[[A:.*]] = graph.attention %[[Q]], %[[NEW]], %[[NEW]] lengths %[[LENGTH]] {causal, from_length, masked_zero, scale = 1.000000e+00 : f64, softcap = 2.000000e+00 : f64}
// CHECK-NEXT: %[[L:.*]] = graph.attention_lse %[[Q]], %[[NEW]] lengths %[[LENGTH]] {causal, from_length, scale = 1.000000e+00 : f64, softcap = 2.000000e+00 : f64}
// CHECK-NEXT: %[[OWN:.*]] = graph.reshape %[[L]] : (tensor<2x2x3xf32>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %[[ALL:.*]] = graph.all_gather %[[OWN]] axis 0 ranks 4
// CHECK-NEXT: %[[MAX:.*]] = graph.reduce max %[[ALL]] axes [0]
// CHECK-NEXT: %[[LIMIT:.*]] = graph.constant dense<-3.40282347E+38>
// CHECK-NEXT: %[[SHIFT:.*]] = graph.binary max %[[MAX]], %[[LIMIT]]
// CHECK-NEXT: %[[DOWN:.*]] = graph.binary sub %[[ALL]], %[[SHIFT]]
// CHECK-NEXT: %[[EXP:.*]] = graph.unary exp %[[DOWN]]
// CHECK-NEXT: %[[SUM:.*]] = graph.reduce sum %[[EXP]] axes [0]
// CHECK: %[[MINE:.*]] = graph.unary exp
// CHECK-NEXT: %[[SHARE:.*]] = graph.binary div %[[MINE]], %[[SUM]]
// CHECK-NEXT: %[[COLUMN:.*]] = graph.reshape %[[SHARE]] : (tensor<2x2x3xf32>) -> tensor<2x2x3x1xf32>
// CHECK-NEXT: %[[WEIGHTED:.*]] = graph.binary mul %[[A]], %[[COLUMN]]
// CHECK-NEXT: %[[Y:.*]] = graph.all_reduce sum %[[WEIGHTED]] ranks 4
// CHECK-NEXT: return %[[Y]], %[[NEW]]
func.func @decode(%cache: tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>> {graph.state = "past"}, %n: tensor<2xi64>, %q: tensor<2x2x3x4xf32>) -> (tensor<2x2x3x4xf32>, tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>> {graph.state = "past"}) {
  %new = graph.kv_write %cache, %q starts %n counts %n axis 2 : (tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>, tensor<2x2x3x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>
  %a = graph.attention %q, %new, %new lengths %n {causal, from_length, softcap = 2.0 : f64, scale = 1.0 : f64} : (tensor<2x2x3x4xf32>, tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>, tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>, tensor<2xi64>) -> tensor<2x2x3x4xf32>
  return %a, %new : tensor<2x2x3x4xf32>, tensor<2x2x?x4xf32, #graph.shape<[C] -> [2, 2, C, 4]>>
}
}

// -----

// Not: a cache beside one that stays whole, because something else reads its positions. The other layer's is divided.
module {
// CHECK-LABEL: func.func @decode(
// CHECK-SAME: tensor<1x2x64x4xf32> {graph.state = "key"}, %{{[^:]+}}: tensor<1x2x64x4xf32> {graph.state = "value"}, %{{[^:]+}}: tensor<1x2x16x4xf32> {graph.state = "other"}
// CHECK: graph.attention {{.*}} {causal, from_length, scale = 1.000000e+00 : f64}
// CHECK-NOT: graph.attention_lse
// CHECK: graph.attention {{.*}} {causal, from_length, masked_zero, scale = 1.000000e+00 : f64}
// CHECK-NEXT: graph.attention_lse
// CHECK: graph.binary max %{{.*}}, %{{.*}} : (tensor<1x2x1xf32>, tensor<f32>)
// CHECK: graph.binary max %{{.*}}, %{{.*}} : (tensor<1x2x1xf32>, tensor<f32>)
func.func @decode(%key: tensor<1x2x64x4xf32> {graph.state = "key"}, %value: tensor<1x2x64x4xf32> {graph.state = "value"}, %other: tensor<1x2x64x4xf32> {graph.state = "other"}, %n: tensor<1xi32>, %q: tensor<1x2x1x4xf32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32> {graph.state = "key"}, tensor<1x2x64x4xf32> {graph.state = "value"}, tensor<1x2x64x4xf32> {graph.state = "other"}) {
  %k = graph.kv_write %key, %q starts %n counts %n axis 2 : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x64x4xf32>
  %v = graph.kv_write %value, %q starts %n counts %n axis 2 : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x64x4xf32>
  %o = graph.kv_write %other, %q starts %n counts %n axis 2 : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x64x4xf32>
  %t = graph.unary tanh %v : (tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  %a = graph.attention %q, %k, %v lengths %n {causal, from_length, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1xi32>) -> tensor<1x2x1x4xf32>
  %b = graph.attention %a, %o, %o lengths %n {causal, from_length, masked_zero, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1xi32>) -> tensor<1x2x1x4xf32>
  return %b, %t, %k, %v, %o : tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>
}
}

// -----

// Where a query sees no key or a score is no number, the sum of the exponentials is none either, and the result 0.
module {
// CHECK-LABEL: func.func @decode(
// CHECK: %[[A:.*]] = graph.attention {{.*}} {causal, from_length, masked_zero, scale = 1.000000e+00 : f64, window = 9 : i64}
// CHECK-NEXT: graph.attention_lse
// CHECK: %[[SUM:.*]] = graph.reduce sum
// CHECK: %[[WEIGHTED:.*]] = graph.binary mul %[[A]],
// CHECK: %[[NUMBER:.*]] = graph.compare greater %[[SUM]],
// CHECK-NEXT: %[[COLUMN:.*]] = graph.reshape %[[NUMBER]]
// CHECK: %[[Y:.*]] = graph.select %[[COLUMN]], %[[WEIGHTED]],
// CHECK-NEXT: graph.all_reduce sum %[[Y]] ranks 4
func.func @decode(%past: tensor<1x2x64x4xf32> {graph.state = "past"}, %n: tensor<1xi64>, %q: tensor<1x2x1x4xf32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32> {graph.state = "past"}) {
  %k = graph.kv_write %past, %q starts %n counts %n axis 2 : (tensor<1x2x64x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x64x4xf32>
  %a = graph.attention %q, %k, %k lengths %n {causal, from_length, nan_zero, window = 9 : i64, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1xi64>) -> tensor<1x2x1x4xf32>
  return %a, %k : tensor<1x2x1x4xf32>, tensor<1x2x64x4xf32>
}
}
