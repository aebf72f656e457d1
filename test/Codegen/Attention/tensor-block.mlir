// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 | FileCheck %s

// Scores, maxima, sums and results are carried in registers; the exponentials are
// the left operand of the second product, and scratch is for the results only.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK-SAME: config = #tile.block_attention_config<rows = 64, keys = 64, threads = 128>
// CHECK: tile.stage {{.*}} -> <64x64xbf16>
// CHECK: tile.pipeline {{.*}} : !tile.frag<64xf32>, !tile.frag<64xf32>, !tile.frag<64x64xf32> load {
// CHECK: %[[S:.*]] = tile.mma {{.*}} : !tile.staged<64x64xbf16>, !tile.staged<64x64xbf16>, <64x64xf32>
// CHECK-NOT: tile.store
// CHECK-NOT: tile.iota
// CHECK: tile.reduce max %[[S]] axis 1
// CHECK: math.exp2
// CHECK: %[[P:.*]] = tile.convert {{.*}} -> <64x64xbf16>
// CHECK: tile.mma %[[P]], {{.*}} : !tile.frag<64x64xbf16>, !tile.staged<64x64xbf16>, <64x64xf32>
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

// Later keys are masked by their numbers, in tiles that some queries see in part.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK: %[[EDGE:.*]] = arith.cmpi sgt
// CHECK: tile.mma
// CHECK: scf.if %[[EDGE]]
// CHECK: tile.iota %{{.*}} axis 0 : i32
// CHECK: tile.iota %{{.*}} axis 1 : i32
// CHECK: arith.cmpi slt
// CHECK: } else {
// CHECK: tile.reduce max
// CHECK: tile.mma
func.func @main(%q: tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
    %1 = graph.attention %a, %a, %a {causal, scale = 0.25 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16>
    graph.yield %1 : tensor<1x2x64x64xbf16>
  }
  return %0 : tensor<1x2x64x64xbf16>
}

// -----

// A length per sequence ends the loop over the keys, and what is staged of them.
// CHECK-LABEL: tile.kernel @attention_0
// CHECK: %[[LENGTH:.*]] = tile.load {{.*}} -> i64
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[LENGTH]] : i64 to index
// CHECK: %[[LEAST:.*]] = arith.maxsi %[[INDEX]]
// CHECK: %[[END:.*]] = arith.minsi %[[LEAST]]
// CHECK: tile.pipeline %{{.*}} to %[[END]]
// CHECK: scf.if
// CHECK: tile.select_range
func.func @main(%q: tensor<2x2x64x64xbf16>, %n: tensor<2xi64>) -> tensor<2x2x64x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %l = %n) : (tensor<2x2x64x64xbf16>, tensor<2xi64>) -> tensor<2x2x64x64xbf16> {
    %1 = graph.attention %a, %a, %a lengths %l {scale = 0.25 : f64} : (tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2x2x64x64xbf16>, tensor<2xi64>) -> tensor<2x2x64x64xbf16>
    graph.yield %1 : tensor<2x2x64x64xbf16>
  }
  return %0 : tensor<2x2x64x64xbf16>
}
