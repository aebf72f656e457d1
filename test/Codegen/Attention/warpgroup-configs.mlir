// RUN: kiln-opt %s --split-input-file --kiln-test-rank-configs=target=sm_90a | FileCheck %s

// Two consumer warpgroups, and as many keys as registers hold; more stages where shared
// memory has room.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>
// CHECK-NEXT: #tile.warpgroup_attention_config<rows = 128, keys = 64, stages = 3, producer_registers = 40, consumer_registers = 232>
// CHECK: module {
func.func @main(%q: tensor<1x2x512x64xbf16>, %k: tensor<1x2x512x64xbf16>) -> tensor<1x2x512x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x512x64xbf16> {
    %1 = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x512x64xbf16>
    graph.yield %1 : tensor<1x2x512x64xbf16>
  }
  return %0 : tensor<1x2x512x64xbf16>
}

// -----

// Heads of 128: the results take so much of shared memory that fewer keys fit.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.warpgroup_attention_config<rows = 128, keys = 64, stages = 3,
// CHECK: module {
func.func @main(%q: tensor<1x2x512x128xbf16>, %k: tensor<1x2x512x128xbf16>) -> tensor<1x2x512x128xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (tensor<1x2x512x128xbf16>, tensor<1x2x512x128xbf16>) -> tensor<1x2x512x128xbf16> {
    %1 = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x2x512x128xbf16>, tensor<1x2x512x128xbf16>, tensor<1x2x512x128xbf16>) -> tensor<1x2x512x128xbf16>
    graph.yield %1 : tensor<1x2x512x128xbf16>
  }
  return %0 : tensor<1x2x512x128xbf16>
}

// -----

// Few queries: one consumer warpgroup, whose threads have registers enough. No more keys
// than there are.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.warpgroup_attention_config<rows = 64, keys = 64, stages = 3, producer_registers = 0, consumer_registers = 0>
// CHECK: module {
func.func @main(%q: tensor<1x2x64x64xbf16>, %k: tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16> {
    %1 = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>, tensor<1x2x64x64xbf16>) -> tensor<1x2x64x64xbf16>
    graph.yield %1 : tensor<1x2x64x64xbf16>
  }
  return %0 : tensor<1x2x64x64xbf16>
}

// -----

// Fewer still: not for warpgroups.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.block_attention_config
// CHECK: module {
func.func @main(%q: tensor<1x2x32x64xbf16>, %k: tensor<1x2x512x64xbf16>) -> tensor<1x2x32x64xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (tensor<1x2x32x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x32x64xbf16> {
    %1 = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x2x32x64xbf16>, tensor<1x2x512x64xbf16>, tensor<1x2x512x64xbf16>) -> tensor<1x2x32x64xbf16>
    graph.yield %1 : tensor<1x2x32x64xbf16>
  }
  return %0 : tensor<1x2x32x64xbf16>
}

// -----

// Lines of a head that TMA cannot copy.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.block_attention_config
// CHECK: module {
func.func @main(%q: tensor<1x2x512x20xbf16>, %k: tensor<1x2x512x20xbf16>) -> tensor<1x2x512x20xbf16> {
  %0 = graph.kernel "attention" (%a = %q, %b = %k) : (tensor<1x2x512x20xbf16>, tensor<1x2x512x20xbf16>) -> tensor<1x2x512x20xbf16> {
    %1 = graph.attention %a, %b, %b {scale = 0.25 : f64} : (tensor<1x2x512x20xbf16>, tensor<1x2x512x20xbf16>, tensor<1x2x512x20xbf16>) -> tensor<1x2x512x20xbf16>
    graph.yield %1 : tensor<1x2x512x20xbf16>
  }
  return %0 : tensor<1x2x512x20xbf16>
}

// -----

// The ranges of the symbols say how many queries there are at most: 32.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.block_attention_config<rows = 32,
// CHECK-NOT: #tile.block_attention_config<rows = 64,
// CHECK: module {
#h = #graph.shape<[s] -> [1, 2, s, 64]>
graph.symbol @s in [1, 32]
func.func @main(%q: tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h> {
    %1 = graph.attention %a, %a, %a {scale = 0.25 : f64} : (tensor<1x2x?x64xbf16, #h>, tensor<1x2x?x64xbf16, #h>, tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h>
    graph.yield %1 : tensor<1x2x?x64xbf16, #h>
  }
  return %0 : tensor<1x2x?x64xbf16, #h>
}

// -----

// Products of symbols too: 48 at most, one consumer warpgroup.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.warpgroup_attention_config<rows = 64,
// CHECK-NOT: #tile.warpgroup_attention_config<rows = 128,
// CHECK: module {
#h = #graph.shape<[b, s] -> [1, 2, b*s, 64]>
graph.symbol @b in [1, 3]
graph.symbol @s in [1, 16]
func.func @main(%q: tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h> {
    %1 = graph.attention %a, %a, %a {scale = 0.25 : f64} : (tensor<1x2x?x64xbf16, #h>, tensor<1x2x?x64xbf16, #h>, tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h>
    graph.yield %1 : tensor<1x2x?x64xbf16, #h>
  }
  return %0 : tensor<1x2x?x64xbf16, #h>
}

// -----

// A range that goes on.
// CHECK-LABEL: kernel "attention" for
// CHECK-NEXT: #tile.warpgroup_attention_config<rows = 128,
// CHECK: module {
#h = #graph.shape<[s] -> [1, 2, s, 64]>
graph.symbol @s in [1, 4096]
func.func @main(%q: tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h> {
  %0 = graph.kernel "attention" (%a = %q) : (tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h> {
    %1 = graph.attention %a, %a, %a {scale = 0.25 : f64} : (tensor<1x2x?x64xbf16, #h>, tensor<1x2x?x64xbf16, #h>, tensor<1x2x?x64xbf16, #h>) -> tensor<1x2x?x64xbf16, #h>
    graph.yield %1 : tensor<1x2x?x64xbf16, #h>
  }
  return %0 : tensor<1x2x?x64xbf16, #h>
}
