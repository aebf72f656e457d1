// RUN: kiln-opt %s --split-input-file --kiln-fuse-kernels --kiln-verify-kernels | sed "s/ attributes {nodes = .*} {/ {/" | FileCheck %s
// An attention and the log-sum-exp of its scores are two results of one kernel.

// What stands between them, and what is computed of either, stays outside: it may need the log-sum-exps of other ranks.
// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.*]]:2 = graph.kernel "attention" (%[[Q:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}) : ({{.*}}) -> (tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
// CHECK-NEXT: %[[O:.*]] = graph.attention %[[Q]], %[[K]], %[[K]] {causal, scale = 5.000000e-01 : f64}
// CHECK-NEXT: %[[L:.*]] = graph.attention_lse %[[Q]], %[[K]] {causal, scale = 5.000000e-01 : f64}
// CHECK-NEXT: graph.yield %[[O]], %[[L]]
// CHECK: graph.all_gather %[[A]]#1 axis 0 ranks 2
// CHECK: graph.kernel "pointwise" (%{{.*}} = %{{.*}}, %{{.*}} = %[[A]]#0)
// CHECK-NEXT: graph.unary tanh
// CHECK-NEXT: graph.binary mul
module attributes {graph.ranks = 2 : i64} {
func.func @main(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %x: tensor<1x2x4x8xf32>) -> (tensor<1x2x4x8xf32>, tensor<2x2x4xf32>) {
  %a = graph.attention %q, %k, %k {causal, scale = 0.5 : f64} : (tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x4x8xf32>
  %e = graph.unary tanh %x : (tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %l = graph.attention_lse %q, %k {causal, scale = 0.5 : f64} : (tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x4xf32>
  %g = graph.all_gather %l axis 0 ranks 2 : (tensor<1x2x4xf32>) -> tensor<2x2x4xf32>
  %y = graph.binary mul %a, %e : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %y, %g : tensor<1x2x4x8xf32>, tensor<2x2x4xf32>
}
}

// -----

// Of two attentions, that of the same scores; the other one has its ops behind it in its kernel.
// CHECK-LABEL: func.func @main(
// CHECK: %{{.*}}:2 = graph.kernel "attention"
// CHECK-NEXT: graph.attention {{.*}} {scale = 5.000000e-01 : f64}
// CHECK-NEXT: graph.attention_lse {{.*}} {scale = 5.000000e-01 : f64}
// CHECK: %{{.*}} = graph.kernel "attention"
// CHECK-NEXT: graph.attention {{.*}} {scale = 2.500000e-01 : f64}
// CHECK-NEXT: graph.unary tanh
// CHECK-NOT: graph.kernel
func.func @main(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4xf32>) {
  %a = graph.attention %q, %k, %k {scale = 0.5 : f64} : (tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x4x8xf32>
  %b = graph.attention %q, %k, %k {scale = 0.25 : f64} : (tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x4x8xf32>
  %l = graph.attention_lse %q, %k {scale = 0.5 : f64} : (tensor<1x2x4x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x2x4xf32>
  %c = graph.unary tanh %b : (tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %a, %c, %l : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4xf32>
}
