// One encoder layer as an exporter writes it, through every graph pass: one
// product for Q, K and V, an attention, a GELU, two layer norms, every weight
// packed at compile time.
// RUN: kiln-opt %s --pass-pipeline='builtin.module(kiln-graph-pipeline{targets=x86-64-v3})' | FileCheck %s

// CHECK: graph.weight @wq_pack : tensor<2x8x16xf32>
// CHECK: graph.weight @wo_pack : tensor<1x8x16xf32>
// CHECK: graph.weight @wi_pack : tensor<1x8x16xf32>
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.pack
// CHECK: graph.matmul %arg0, %{{.*}} -> tensor<?x6x24xf32
// CHECK: graph.attention %{{.*}} mask %{{.*}} {scale = 5.000000e-01 : f64}
// CHECK: graph.matmul
// CHECK: graph.layer_norm {{.*}} scale {{.*}} bias
// CHECK: graph.matmul
// CHECK: graph.unary gelu
// CHECK: graph.matmul
// CHECK: graph.layer_norm {{.*}} scale {{.*}} bias
// CHECK: return
// CHECK-LABEL: func.func @bake
// CHECK-COUNT-4: graph.set_weight
// CHECK: return

!x = tensor<?x6x8xf32, #graph.shape<[batch] -> [batch, 6, 8]>>
!h = tensor<?x6x2x4xf32, #graph.shape<[batch] -> [batch, 6, 2, 4]>>
!a = tensor<?x2x6x4xf32, #graph.shape<[batch] -> [batch, 2, 6, 4]>>
!at = tensor<?x2x4x6xf32, #graph.shape<[batch] -> [batch, 2, 4, 6]>>
!s = tensor<?x2x6x6xf32, #graph.shape<[batch] -> [batch, 2, 6, 6]>>
!m = tensor<?x1x1x6xf32, #graph.shape<[batch] -> [batch, 1, 1, 6]>>
!r = tensor<?x6x1xf32, #graph.shape<[batch] -> [batch, 6, 1]>>
!f = tensor<?x6x16xf32, #graph.shape<[batch] -> [batch, 6, 16]>>
graph.symbol @batch in [1, 4]
graph.weight @wq : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 0 : i64}
graph.weight @wk : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 256 : i64}
graph.weight @wv : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 512 : i64}
graph.weight @wo : tensor<8x8xf32> {file = "w", hash = "0", length = 256 : i64, offset = 768 : i64}
graph.weight @wi : tensor<8x16xf32> {file = "w", hash = "0", length = 512 : i64, offset = 1024 : i64}
graph.weight @wp : tensor<8x16xf32> {file = "w", hash = "0", length = 512 : i64, offset = 1536 : i64}
func.func @main(%x: !x {graph.name = "x"}, %keep: !m {graph.name = "keep"}) -> (!x {graph.name = "y"}) {
  %b = graph.constant dense<0.5> : tensor<8xf32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %low = graph.constant dense<-10000.0> : tensor<f32>
  %m0 = graph.binary sub %one, %keep : (tensor<f32>, !m) -> !m
  %mask = graph.binary mul %m0, %low : (!m, tensor<f32>) -> !m
  %wq = graph.get_weight @wq : tensor<8x8xf32>
  %q0 = graph.matmul %x, %wq : (!x, tensor<8x8xf32>) -> !x
  %q1 = graph.binary add %q0, %b : (!x, tensor<8xf32>) -> !x
  %q2 = graph.reshape %q1 : (!x) -> !h
  %q = graph.transpose %q2 [0, 2, 1, 3] : (!h) -> !a
  %wk = graph.get_weight @wk : tensor<8x8xf32>
  %k0 = graph.matmul %x, %wk : (!x, tensor<8x8xf32>) -> !x
  %k1 = graph.binary add %k0, %b : (!x, tensor<8xf32>) -> !x
  %k2 = graph.reshape %k1 : (!x) -> !h
  %k = graph.transpose %k2 [0, 2, 3, 1] : (!h) -> !at
  %wv = graph.get_weight @wv : tensor<8x8xf32>
  %v0 = graph.matmul %x, %wv : (!x, tensor<8x8xf32>) -> !x
  %v1 = graph.binary add %v0, %b : (!x, tensor<8xf32>) -> !x
  %v2 = graph.reshape %v1 : (!x) -> !h
  %v = graph.transpose %v2 [0, 2, 1, 3] : (!h) -> !a
  %s0 = graph.matmul %q, %k : (!a, !at) -> !s
  // sqrt(4), computed by the model.
  %d = graph.constant dense<4> : tensor<i64>
  %df = graph.cast %d : (tensor<i64>) -> tensor<f32>
  %root = graph.unary sqrt %df : (tensor<f32>) -> tensor<f32>
  %s1 = graph.binary div %s0, %root : (!s, tensor<f32>) -> !s
  %s2 = graph.binary add %s1, %mask : (!s, !m) -> !s
  %p = graph.softmax %s2 axis 3 : (!s) -> !s
  %o0 = graph.matmul %p, %v : (!s, !a) -> !a
  %o1 = graph.transpose %o0 [0, 2, 1, 3] : (!a) -> !h
  %o2 = graph.reshape %o1 : (!h) -> !x
  %wo = graph.get_weight @wo : tensor<8x8xf32>
  %o3 = graph.matmul %o2, %wo : (!x, tensor<8x8xf32>) -> !x
  %o4 = graph.binary add %o3, %b : (!x, tensor<8xf32>) -> !x
  %o5 = graph.binary add %o4, %x : (!x, !x) -> !x
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<1.0e-12> : tensor<f32>
  %n0 = graph.reduce mean %o5 axes [2] {keep_dims} : (!x) -> !r
  %n1 = graph.binary sub %o5, %n0 : (!x, !r) -> !x
  %n2 = graph.binary pow %n1, %two : (!x, tensor<f32>) -> !x
  %n3 = graph.reduce mean %n2 axes [2] {keep_dims} : (!x) -> !r
  %n4 = graph.binary add %n3, %eps : (!r, tensor<f32>) -> !r
  %n5 = graph.unary sqrt %n4 : (!r) -> !r
  %n6 = graph.binary div %n1, %n5 : (!x, !r) -> !x
  %n7 = graph.binary mul %n6, %b : (!x, tensor<8xf32>) -> !x
  %n = graph.binary add %n7, %b : (!x, tensor<8xf32>) -> !x
  %wi = graph.get_weight @wi : tensor<8x16xf32>
  %i0 = graph.matmul %n, %wi : (!x, tensor<8x16xf32>) -> !f
  %sq = graph.constant dense<1.41421354> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %g0 = graph.binary div %i0, %sq : (!f, tensor<f32>) -> !f
  %g1 = graph.unary erf %g0 : (!f) -> !f
  %g2 = graph.binary add %g1, %one : (!f, tensor<f32>) -> !f
  %g3 = graph.binary mul %i0, %g2 : (!f, !f) -> !f
  %g4 = graph.binary mul %g3, %half : (!f, tensor<f32>) -> !f
  %wp = graph.get_weight @wp : tensor<8x16xf32>
  %wt = graph.transpose %wp [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %p0 = graph.matmul %g4, %wt : (!f, tensor<16x8xf32>) -> !x
  %p1 = graph.binary add %p0, %n : (!x, !x) -> !x
  %l = graph.layer_norm %p1 axis 2 {epsilon = 1.0e-12 : f64} : (!x) -> !x
  %l1 = graph.binary mul %l, %b : (!x, tensor<8xf32>) -> !x
  %l2 = graph.binary add %b, %l1 : (tensor<8xf32>, !x) -> !x
  return %l2 : !x
}
