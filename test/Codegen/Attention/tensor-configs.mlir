// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_80 | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_86 | FileCheck %s --check-prefixes=CHECK,SMALL

// bf16: four warps of 16 queries, and as many keys as registers and memory hold.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.block_attention_config<rows = 64, keys = 64, threads = 128>
// CHECK-NEXT: #tile.block_attention_config<rows = 64, keys = 32, threads = 128>
// CHECK: module {
func.func @main(%q: tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
    %1 = graph.attention %a, %a, %a {scale = 0.25 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16>
    graph.yield %1 : tensor<1x2x64x64xbf16>
  }
  return %0 : tensor<1x2x64x64xbf16>
}

// -----

// CHECK-LABEL: kernel "attention" for
// LARGE-NEXT: #tile.block_attention_config<rows = 64, keys = 16, threads = 128>
// SMALL-NEXT: #tile.block_attention_config<rows = 32, keys = 16, threads = 64>
// CHECK: module {
func.func @main(%q: tensor<1x2x64x256xbf16>) -> tensor<1x2x64x256xbf16> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x64x256xbf16>) -> tensor<1x2x64x256xbf16> {
    %1 = graph.attention %a, %a, %a {scale = 0.25 : f64} : (tensor<1x2x64x256xbf16>, tensor<1x2x64x256xbf16>, tensor<1x2x64x256xbf16>) -> tensor<1x2x64x256xbf16>
    graph.yield %1 : tensor<1x2x64x256xbf16>
  }
  return %0 : tensor<1x2x64x256xbf16>
}
