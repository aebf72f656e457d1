// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 | FileCheck %s

// Scores, maxima, sums and results are carried in registers; the exponentials are
// the left operand of the second product, and scratch is for the results only.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-SAME: config = #tile.block_attention_config<rows = 64, keys = 64, threads = 128>
// CHECK: tile.stage {{.*}} -> <64x64xbf16>
// CHECK: tile.pipeline {{.*}} : !tile.frag<64xf32>, !tile.frag<64xf32>, !tile.frag<64x64xf32> load {
// CHECK: %[[S:.*]] = tile.mma {{.*}} : !tile.staged<64x64xbf16>, <64x64xbf16>, <64x64xf32>
// CHECK-NOT: tile.store
// CHECK-NOT: tile.iota
// CHECK: tile.reduce max %[[S]] axis 1
// CHECK: math.exp2
// CHECK: %[[P:.*]] = tile.convert {{.*}} -> <64x64xbf16>
// CHECK: tile.mma %[[P]], {{.*}} : !tile.frag<64x64xbf16>, <64x64xbf16>, <64x64xf32>
// CHECK: stages = 2
// CHECK: tile.store {{.*}} : !tile.frag<64x64xf32>
func.func @main(%q: tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
    %1 = graph.attention %a, %a, %a {scale = 0.25 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16>
    graph.yield %1 : tensor<1x2x64x64xbf16>
  }
  return %0 : tensor<1x2x64x64xbf16>
}

// -----

// Later keys are masked by their numbers.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK: tile.mma
// CHECK: tile.iota %{{.*}} axis 0 : i32
// CHECK: tile.iota %{{.*}} axis 1 : i32
// CHECK: arith.cmpi sle
// CHECK: tile.reduce max
// CHECK: tile.mma
func.func @main(%q: tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
    %1 = graph.attention %a, %a, %a {causal, scale = 0.25 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16>
    graph.yield %1 : tensor<1x2x64x64xbf16>
  }
  return %0 : tensor<1x2x64x64xbf16>
}
