// RUN: kiln-opt %s --split-input-file --kiln-split-micro-batches=parts=2 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-split-micro-batches{parts=2})' -o /dev/null
// Runs in parts that stages of a pipeline compute one behind the other.

// Attention that is not causal: sequences of a batch, of which none needs another. Only the output is joined.
graph.symbol @B in [1, 5]
graph.weight @w : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// CHECK-DAG: #[[$A:.*]] = #graph.shape<[B] -> [(B floordiv 2), 8, 4]>
// CHECK-DAG: #[[$B:.*]] = #graph.shape<[B] -> [((B + 1) floordiv 2), 8, 4]>
// CHECK-DAG: #[[$SECOND:.*]] = #graph.shape<[B] -> [(B floordiv 2), 0, 0]>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: attributes {{.*}}graph.micro_batches = 2 : i64
// CHECK: %[[XA:.*]] = graph.slice %arg0 {{.*}} -> tensor<?x8x4xf32, #[[$A]]>
// CHECK: %[[KA:.*]] = graph.matmul %[[XA]]
// CHECK: graph.attention {{.*}} mask %[[MA:[0-9]+]]
// CHECK: %[[OA:.*]] = graph.matmul
// CHECK-NOT: graph.concat
// CHECK: %[[XB:.*]] = graph.slice %arg0 starts #[[$SECOND]] {{.*}} -> tensor<?x8x4xf32, #[[$B]]>
// CHECK: %[[KB:.*]] = graph.matmul %[[XB]]
// CHECK: graph.attention {{.*}} mask %[[MB:[0-9]+]]
// CHECK: %[[OB:.*]] = graph.matmul
// CHECK-NEXT: %[[ALL:.*]] = graph.concat %[[OA]], %[[OB]] axis 0
func.func @main(%x: tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>, %mask: tensor<?x1x1x8xf32, #graph.shape<[B] -> [B, 1, 1, 8]>>) -> tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>> {
  %w = graph.get_weight @w : tensor<4x4xf32>
  %k0 = graph.matmul %x, %w : (tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>, tensor<4x4xf32>) -> tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>
  %k = graph.reshape %k0 : (tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>) -> tensor<?x1x8x4xf32, #graph.shape<[B] -> [B, 1, 8, 4]>>
  %q = graph.reshape %x : (tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>) -> tensor<?x1x8x4xf32, #graph.shape<[B] -> [B, 1, 8, 4]>>
  %a = graph.attention %q, %k, %k mask %mask {scale = 1.0 : f64} : (tensor<?x1x8x4xf32, #graph.shape<[B] -> [B, 1, 8, 4]>>, tensor<?x1x8x4xf32, #graph.shape<[B] -> [B, 1, 8, 4]>>, tensor<?x1x8x4xf32, #graph.shape<[B] -> [B, 1, 8, 4]>>, tensor<?x1x1x8xf32, #graph.shape<[B] -> [B, 1, 1, 8]>>) -> tensor<?x1x8x4xf32, #graph.shape<[B] -> [B, 1, 8, 4]>>
  %a1 = graph.reshape %a : (tensor<?x1x8x4xf32, #graph.shape<[B] -> [B, 1, 8, 4]>>) -> tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>
  %o = graph.matmul %a1, %w : (tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>, tensor<4x4xf32>) -> tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>
  return %o : tensor<?x8x4xf32, #graph.shape<[B] -> [B, 8, 4]>>
}

// -----

// Causal attention: a part of the rows reads keys and values of the parts before it and its own.
module {
graph.symbol @S in [1, 64]
graph.weight @w : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// CHECK-DAG: #[[$ALL:.*]] = #graph.shape<[S] -> [1, 1, (S floordiv 2) + ((S + 1) floordiv 2), 4]>
// CHECK-LABEL: func.func @main(
// CHECK: %[[KA:.*]] = graph.binary add
// CHECK: %[[HA:.*]] = graph.reshape %[[KA]]
// CHECK: graph.attention %{{.*}}, %[[HA]], %[[HA]] {causal, scale = 1.000000e+00 : f64}
// CHECK: %[[OA:.*]] = graph.unary tanh
// CHECK: %[[KB:.*]] = graph.binary add
// CHECK: %[[HB:.*]] = graph.reshape %[[KB]]
// CHECK: %[[K:.*]] = graph.concat %[[HA]], %[[HB]] axis 2 {{.*}} -> tensor<1x1x?x4xf32, #[[$ALL]]>
// CHECK: graph.attention %{{.*}}, %[[K]], %{{.*}} {causal, scale = 1.000000e+00 : f64}
// CHECK: %[[OB:.*]] = graph.unary tanh
// CHECK-NEXT: graph.concat %[[OA]], %[[OB]] axis 1
func.func @main(%x: tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>> {
  %w = graph.get_weight @w : tensor<4x4xf32>
  %k0 = graph.binary add %x, %x : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>, tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  %k = graph.reshape %k0 : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>) -> tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>
  %q0 = graph.matmul %x, %w : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>, tensor<4x4xf32>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  %q = graph.reshape %q0 : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>) -> tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>
  %a = graph.attention %q, %k, %k {causal, scale = 1.0 : f64} : (tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>, tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>, tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>) -> tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>
  %a1 = graph.reshape %a : (tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  %o = graph.unary tanh %a1 : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  return %o : tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
}
}

// -----

// A cache is written one part after the other: a part begins behind the rows of those before it, and has the rest of the
// rows that count. A mask of one row per query is cut, and so are the queries.
module {
// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.*]] = graph.kv_write %arg2, %{{.*}} starts %{{.*}} counts %{{.*}} axis 2 : (tensor<1x2x80x4xf32>, tensor<1x2x32x4xf32>
// CHECK: graph.attention %{{.*}}, %[[A]], %[[A]] mask %{{.*}} lengths %{{.*}} {causal, from_length, scale = 1.000000e+00 : f64} : (tensor<1x2x32x4xf32>, tensor<1x2x80x4xf32>, tensor<1x2x80x4xf32>, tensor<32x80xf32>
// CHECK: %[[B:.*]] = graph.kv_write %[[A]], %{{.*}} starts %{{.*}} counts %{{.*}} axis 2 : (tensor<1x2x80x4xf32>, tensor<1x2x32x4xf32>
// CHECK: graph.attention %{{.*}}, %[[B]], %[[B]] mask %{{.*}} lengths
// CHECK: graph.concat
// CHECK: return %{{.*}}, %[[B]]
func.func @main(%q: tensor<1x2x64x4xf32>, %new: tensor<1x2x64x4xf32>, %cache: tensor<1x2x80x4xf32>, %length: tensor<1xi64>, %total: tensor<1xi64>, %count: tensor<1xi64>, %mask: tensor<64x80xf32>) -> (tensor<1x2x64x4xf32>, tensor<1x2x80x4xf32>) {
  %k = graph.kv_write %cache, %new starts %length counts %count axis 2 : (tensor<1x2x80x4xf32>, tensor<1x2x64x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x80x4xf32>
  %a = graph.attention %q, %k, %k mask %mask lengths %total {causal, from_length, scale = 1.0 : f64} : (tensor<1x2x64x4xf32>, tensor<1x2x80x4xf32>, tensor<1x2x80x4xf32>, tensor<64x80xf32>, tensor<1xi64>) -> tensor<1x2x64x4xf32>
  return %a, %k : tensor<1x2x64x4xf32>, tensor<1x2x80x4xf32>
}
// Of one row nothing is split, and a cache that it is written to is whole.
// CHECK-LABEL: func.func @decode(
// CHECK-NOT: micro_batches
// CHECK-NOT: graph.slice
// CHECK: graph.kv_write %arg2, %arg1 starts %arg3 counts %arg4 axis 2
// CHECK-NEXT: graph.attention
// CHECK-NEXT: return
func.func @decode(%q: tensor<1x2x1x4xf32>, %new: tensor<1x2x1x4xf32>, %cache: tensor<1x2x80x4xf32>, %length: tensor<1xi64>, %count: tensor<1xi64>) -> (tensor<1x2x1x4xf32>, tensor<1x2x80x4xf32>) {
  %k = graph.kv_write %cache, %new starts %length counts %count axis 2 : (tensor<1x2x80x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x80x4xf32>
  %a = graph.attention %q, %k, %k lengths %count {causal, from_length, scale = 1.0 : f64} : (tensor<1x2x1x4xf32>, tensor<1x2x80x4xf32>, tensor<1x2x80x4xf32>, tensor<1xi64>) -> tensor<1x2x1x4xf32>
  return %a, %k : tensor<1x2x1x4xf32>, tensor<1x2x80x4xf32>
}
}

// -----

// A sum along one dim keeps the rows of another apart, also where its dim goes: behind the rows, and in front of them.
module {
graph.symbol @S in [1, 64]
graph.weight @w : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// CHECK-LABEL: func.func @main(
// CHECK: graph.reduce sum %{{.*}} axes [2]
// CHECK: graph.reduce sum %{{.*}} axes [0]
// CHECK: graph.attention
// CHECK: graph.reduce sum %{{.*}} axes [2]
// CHECK: graph.reduce sum %{{.*}} axes [0]
// CHECK: graph.attention
// CHECK-NEXT: graph.concat
func.func @main(%x: tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>, %y: tensor<2x1x?x4xf32, #graph.shape<[S] -> [2, 1, S, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>> {
  %w = graph.get_weight @w : tensor<4x4xf32>
  %t = graph.reduce sum %x axes [2] : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>) -> tensor<1x?xf32, #graph.shape<[S] -> [1, S]>>
  %t1 = graph.reshape %t : (tensor<1x?xf32, #graph.shape<[S] -> [1, S]>>) -> tensor<1x?x1xf32, #graph.shape<[S] -> [1, S, 1]>>
  %x1 = graph.binary mul %x, %t1 : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>, tensor<1x?x1xf32, #graph.shape<[S] -> [1, S, 1]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  %q0 = graph.matmul %x1, %w : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>, tensor<4x4xf32>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  %u = graph.reduce sum %y axes [0] : (tensor<2x1x?x4xf32, #graph.shape<[S] -> [2, 1, S, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  %q1 = graph.binary add %q0, %u : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>, tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  %q = graph.reshape %q1 : (tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>) -> tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>
  %a = graph.attention %q, %q, %q {causal, scale = 1.0 : f64} : (tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>, tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>, tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>) -> tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>
  %a1 = graph.reshape %a : (tensor<1x1x?x4xf32, #graph.shape<[S] -> [1, 1, S, 4]>>) -> tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
  return %a1 : tensor<1x?x4xf32, #graph.shape<[S] -> [1, S, 4]>>
}
}
