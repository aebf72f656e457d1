// RUN: kiln-opt %s --split-input-file --kiln-split-rows=parts=2 | FileCheck %s
// RUN: kiln-opt %s --split-input-file --kiln-test-verify-each=pipeline='builtin.module(kiln-split-rows{parts=2})' -o /dev/null
// Rows of a sequence in parts, so that an all-reduce of one part can run beside products of another one.

// An attention block: keys and values are joined behind their products, all else is of one part after the other.
module attributes {graph.ranks = 2 : i64} {
graph.symbol @S in [1, 64]
graph.weight @w : tensor<4x4xf32> {file = "w", hash = "0", length = 64 : i64, offset = 0 : i64}
// CHECK-DAG: #[[$A:.*]] = #graph.shape<[S] -> [3, (S floordiv 2), 4]>
// CHECK-DAG: #[[$B:.*]] = #graph.shape<[S] -> [3, ((S + 1) floordiv 2), 4]>
// CHECK-DAG: #[[$SECOND:.*]] = #graph.shape<[S] -> [0, (S floordiv 2), 0]>
// CHECK-LABEL: func.func @main(
// CHECK: %[[IA:.*]] = graph.slice {{.*}} -> tensor<3x?x4xf32, #[[$A]]>
// CHECK-NEXT: %[[XA:.*]] = graph.binary add %[[IA]], %[[IA]]
// CHECK: %[[KA:.*]] = graph.matmul %[[XA]]
// CHECK: %[[IB:.*]] = graph.slice %{{.*}} starts #[[$SECOND]] steps [1, 1, 1] : {{.*}} -> tensor<3x?x4xf32, #[[$B]]>
// CHECK-NEXT: %[[XB:.*]] = graph.binary add %[[IB]], %[[IB]]
// CHECK: %[[KB:.*]] = graph.matmul %[[XB]]
// CHECK: graph.concat %[[KA]], %[[KB]] axis 1
// CHECK: graph.attention
// CHECK: %[[OA:.*]] = graph.matmul {{.*}} -> tensor<3x?x4xf32, #[[$A]]>
// CHECK-NEXT: %[[RA:.*]] = graph.all_reduce sum %[[OA]]
// CHECK-NEXT: %[[YA:.*]] = graph.binary add %[[XA]], %[[RA]]
// CHECK: graph.attention
// CHECK: %[[OB:.*]] = graph.matmul {{.*}} -> tensor<3x?x4xf32, #[[$B]]>
// CHECK-NEXT: %[[RB:.*]] = graph.all_reduce sum %[[OB]]
// CHECK-NEXT: %[[YB:.*]] = graph.binary add %[[XB]], %[[RB]]
// CHECK-NEXT: %[[ALL:.*]] = graph.concat %[[YA]], %[[YB]] axis 1
func.func @main(%in: tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>> {
  %x = graph.binary add %in, %in : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %w = graph.get_weight @w : tensor<4x4xf32>
  %k0 = graph.matmul %x, %w : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4x4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %k1 = graph.reshape %k0 : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>
  %k = graph.transpose %k1 [0, 2, 1, 3] : (tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>) -> tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>
  %q1 = graph.reshape %x : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>
  %q = graph.transpose %q1 [0, 2, 1, 3] : (tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>) -> tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>
  %a = graph.attention %q, %k, %k {scale = 1.0 : f64} : (tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>, tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>, tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>) -> tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>
  %a1 = graph.transpose %a [0, 2, 1, 3] : (tensor<3x2x?x2xf32, #graph.shape<[S] -> [3, 2, S, 2]>>) -> tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>
  %a2 = graph.reshape %a1 : (tensor<3x?x2x2xf32, #graph.shape<[S] -> [3, S, 2, 2]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %o = graph.matmul %a2, %w : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<4x4xf32>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %r = graph.all_reduce sum %o ranks 2 : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  %y = graph.binary add %x, %r : (tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>, tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>) -> tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
  return %y : tensor<3x?x4xf32, #graph.shape<[S] -> [3, S, 4]>>
}
}

// -----

// Causal attention: `lengths` say where the queries of each part stand.
module attributes {graph.ranks = 2 : i64} {
// CHECK-DAG: #[[$SLICE:.*]] = #graph.shape<[] -> [0, 0, 20, 0]>
// CHECK-DAG: #[[$OWN:.*]] = #graph.shape<[] -> [20]>
// CHECK-LABEL: func.func @main(
// CHECK: graph.attention %{{.*}} lengths %{{.*}} {causal, from_length, scale = 1.000000e+00 : f64} : (tensor<1x2x20x4xf32>
// CHECK: graph.all_reduce
// CHECK: graph.slice %{{.*}} starts #[[$SLICE]]
// CHECK: graph.attention %{{.*}} lengths %{{.*}} {causal, from_length, scale = 1.000000e+00 : f64} : (tensor<1x2x20x4xf32>
// CHECK: graph.all_reduce
// CHECK: graph.concat
func.func @main(%q: tensor<1x2x40x4xf32>, %k: tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32> {
  %a = graph.attention %q, %k, %k {causal, scale = 1.0 : f64} : (tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32>
  %r = graph.all_reduce sum %a ranks 2 : (tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32>
  return %r : tensor<1x2x40x4xf32>
}
// 16 rows for each part are few.
// CHECK-LABEL: func.func @decode(
// CHECK-NOT: graph.slice
// CHECK: graph.attention %{{.*}} {causal, scale = 1.000000e+00 : f64} : (tensor<1x2x32x4xf32>
// CHECK-NOT: graph.concat
// CHECK: return
func.func @decode(%q: tensor<1x2x32x4xf32>, %k: tensor<1x2x32x4xf32>) -> tensor<1x2x32x4xf32> {
  %a = graph.attention %q, %k, %k {causal, scale = 1.0 : f64} : (tensor<1x2x32x4xf32>, tensor<1x2x32x4xf32>, tensor<1x2x32x4xf32>) -> tensor<1x2x32x4xf32>
  %r = graph.all_reduce sum %a ranks 2 : (tensor<1x2x32x4xf32>) -> tensor<1x2x32x4xf32>
  return %r : tensor<1x2x32x4xf32>
}
// There is no sum of ranks to hide.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: graph.slice
// CHECK: graph.attention %{{.*}} {causal, scale = 1.000000e+00 : f64} : (tensor<1x2x40x4xf32>
// CHECK-NOT: graph.concat
// CHECK: return
func.func @alone(%q: tensor<1x2x40x4xf32>, %k: tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32> {
  %a = graph.attention %q, %k, %k {causal, scale = 1.0 : f64} : (tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32>
  return %a : tensor<1x2x40x4xf32>
}
// Each row of a softmax along them needs all rows.
// CHECK-LABEL: func.func @mixed(
// CHECK-NOT: graph.slice
// CHECK: graph.all_reduce
// CHECK-NOT: graph.concat
// CHECK: return
func.func @mixed(%x: tensor<1x40x4xf32>) -> tensor<1x40x4xf32> {
  %s = graph.softmax %x axis 1 : (tensor<1x40x4xf32>) -> tensor<1x40x4xf32>
  %r = graph.all_reduce sum %s ranks 2 : (tensor<1x40x4xf32>) -> tensor<1x40x4xf32>
  return %r : tensor<1x40x4xf32>
}
}

// -----

// One rank meets nobody.
module {
// CHECK-LABEL: func.func @main(
// CHECK-NOT: graph.slice
// CHECK: return
func.func @main(%q: tensor<1x2x40x4xf32>, %k: tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32> {
  %a = graph.attention %q, %k, %k {causal, scale = 1.0 : f64} : (tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>) -> tensor<1x2x40x4xf32>
  return %a : tensor<1x2x40x4xf32>
}
}
