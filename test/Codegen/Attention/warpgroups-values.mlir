// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition" -o /dev/null | FileCheck %s
// Attention for warpgroups, split into a producer and consumers, run with every barrier watched.

// Several steps of keys, the last one ragged.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 2 tasks, 8192 elements equal
func.func @plain(%a0: tensor<1x2x64x64xbf16>, %b0: tensor<1x2x200x64xbf16>, %c0: tensor<1x2x200x64xbf16>) -> tensor<1x2x64x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x64x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) -> tensor<1x2x64x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) -> tensor<1x2x64x64xbf16>
    graph.yield %1 : tensor<1x2x64x64xbf16>
  }
  return %k : tensor<1x2x64x64xbf16>
}

// More query rows than a block has, several heads.
// CHECK-LABEL: func.func @several_tasks
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 6 tasks, 14400 elements equal
func.func @several_tasks(%a0: tensor<1x3x150x32xf16>, %b0: tensor<1x3x140x32xf16>, %c0: tensor<1x3x140x32xf16>) -> tensor<1x3x150x32xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x3x150x32xf16>, tensor<1x3x140x32xf16>, tensor<1x3x140x32xf16>) -> tensor<1x3x150x32xf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64} : (tensor<1x3x150x32xf16>, tensor<1x3x140x32xf16>, tensor<1x3x140x32xf16>) -> tensor<1x3x150x32xf16>
    graph.yield %1 : tensor<1x3x150x32xf16>
  }
  return %k : tensor<1x3x150x32xf16>
}

// All keys at once.
// CHECK-LABEL: func.func @one_step
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 64, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 2 tasks, 5120 elements equal
func.func @one_step(%a0: tensor<1x2x40x64xbf16>, %b0: tensor<1x2x33x64xbf16>, %c0: tensor<1x2x33x64xbf16>) -> tensor<1x2x40x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x40x64xbf16>, tensor<1x2x33x64xbf16>, tensor<1x2x33x64xbf16>) -> tensor<1x2x40x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64} : (tensor<1x2x40x64xbf16>, tensor<1x2x33x64xbf16>, tensor<1x2x33x64xbf16>) -> tensor<1x2x40x64xbf16>
    graph.yield %1 : tensor<1x2x40x64xbf16>
  }
  return %k : tensor<1x2x40x64xbf16>
}

// The loop ends with the last key that a query of the block sees.
// CHECK-LABEL: func.func @causal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 4 tasks, 19200 elements equal
func.func @causal(%a0: tensor<1x2x150x64xbf16>, %b0: tensor<1x2x150x64xbf16>, %c0: tensor<1x2x150x64xbf16>) -> tensor<1x2x150x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x150x64xbf16>, tensor<1x2x150x64xbf16>, tensor<1x2x150x64xbf16>) -> tensor<1x2x150x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64, causal} : (tensor<1x2x150x64xbf16>, tensor<1x2x150x64xbf16>, tensor<1x2x150x64xbf16>) -> tensor<1x2x150x64xbf16>
    graph.yield %1 : tensor<1x2x150x64xbf16>
  }
  return %k : tensor<1x2x150x64xbf16>
}

// With keys in front of the first query.
// CHECK-LABEL: func.func @causal_past
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 1 tasks, 4480 elements equal
func.func @causal_past(%a0: tensor<1x1x70x64xbf16>, %b0: tensor<1x1x200x64xbf16>, %c0: tensor<1x1x200x64xbf16>) -> tensor<1x1x70x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x1x70x64xbf16>, tensor<1x1x200x64xbf16>, tensor<1x1x200x64xbf16>) -> tensor<1x1x70x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64, causal} : (tensor<1x1x70x64xbf16>, tensor<1x1x200x64xbf16>, tensor<1x1x200x64xbf16>) -> tensor<1x1x70x64xbf16>
    graph.yield %1 : tensor<1x1x70x64xbf16>
  }
  return %k : tensor<1x1x70x64xbf16>
}

// Four query heads to a key head.
// CHECK-LABEL: func.func @grouped
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 4 tasks, 12288 elements equal
func.func @grouped(%a0: tensor<1x4x48x64xf16>, %b0: tensor<1x1x100x64xf16>, %c0: tensor<1x1x100x64xf16>) -> tensor<1x4x48x64xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x48x64xf16>, tensor<1x1x100x64xf16>, tensor<1x1x100x64xf16>) -> tensor<1x4x48x64xf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64} : (tensor<1x4x48x64xf16>, tensor<1x1x100x64xf16>, tensor<1x1x100x64xf16>) -> tensor<1x4x48x64xf16>
    graph.yield %1 : tensor<1x4x48x64xf16>
  }
  return %k : tensor<1x4x48x64xf16>
}

// A number of keys per sequence: none, fewer than none, three.
// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 64, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 3 tasks, 7680 elements equal
func.func @lengths(%a0: tensor<3x1x40x64xbf16>, %b0: tensor<3x1x64x64xbf16>, %c0: tensor<3x1x64x64xbf16>, %d0: tensor<3xi64>) -> tensor<3x1x40x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<3x1x40x64xbf16>, tensor<3x1x64x64xbf16>, tensor<3x1x64x64xbf16>, tensor<3xi64>) -> tensor<3x1x40x64xbf16> {
    %1 = graph.attention %a, %b, %c lengths %d {scale = 0.125 : f64, masked_zero} : (tensor<3x1x40x64xbf16>, tensor<3x1x64x64xbf16>, tensor<3x1x64x64xbf16>, tensor<3xi64>) -> tensor<3x1x40x64xbf16>
    graph.yield %1 : tensor<3x1x40x64xbf16>
  }
  return %k : tensor<3x1x40x64xbf16>
}

// A mask per key.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 64, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 4 tasks, 10240 elements equal
func.func @mask(%a0: tensor<2x2x40x64xbf16>, %b0: tensor<2x2x72x64xbf16>, %c0: tensor<2x2x72x64xbf16>, %d0: tensor<2x1x1x72xf32>) -> tensor<2x2x40x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<2x2x40x64xbf16>, tensor<2x2x72x64xbf16>, tensor<2x2x72x64xbf16>, tensor<2x1x1x72xf32>) -> tensor<2x2x40x64xbf16> {
    %1 = graph.attention %a, %b, %c mask %d {scale = 0.125 : f64} : (tensor<2x2x40x64xbf16>, tensor<2x2x72x64xbf16>, tensor<2x2x72x64xbf16>, tensor<2x1x1x72xf32>) -> tensor<2x2x40x64xbf16>
    graph.yield %1 : tensor<2x2x40x64xbf16>
  }
  return %k : tensor<2x2x40x64xbf16>
}

// A bias per score.
// CHECK-LABEL: func.func @bias
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 64, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 2 tasks, 5120 elements equal
func.func @bias(%a0: tensor<1x2x40x64xbf16>, %b0: tensor<1x2x72x64xbf16>, %c0: tensor<1x2x72x64xbf16>, %d0: tensor<2x40x72xf32>) -> tensor<1x2x40x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<1x2x40x64xbf16>, tensor<1x2x72x64xbf16>, tensor<1x2x72x64xbf16>, tensor<2x40x72xf32>) -> tensor<1x2x40x64xbf16> {
    %1 = graph.attention %a, %b, %c mask %d {scale = 0.125 : f64} : (tensor<1x2x40x64xbf16>, tensor<1x2x72x64xbf16>, tensor<1x2x72x64xbf16>, tensor<2x40x72xf32>) -> tensor<1x2x40x64xbf16>
    graph.yield %1 : tensor<1x2x40x64xbf16>
  }
  return %k : tensor<1x2x40x64xbf16>
}

// A cap of the scores.
// CHECK-LABEL: func.func @softcap
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 2 tasks, 5120 elements equal
func.func @softcap(%a0: tensor<1x2x40x64xbf16>, %b0: tensor<1x2x72x64xbf16>, %c0: tensor<1x2x72x64xbf16>) -> tensor<1x2x40x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x40x64xbf16>, tensor<1x2x72x64xbf16>, tensor<1x2x72x64xbf16>) -> tensor<1x2x40x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64, softcap = 5.0 : f64} : (tensor<1x2x40x64xbf16>, tensor<1x2x72x64xbf16>, tensor<1x2x72x64xbf16>) -> tensor<1x2x40x64xbf16>
    graph.yield %1 : tensor<1x2x40x64xbf16>
  }
  return %k : tensor<1x2x40x64xbf16>
}

// Heads of 128.
// CHECK-LABEL: func.func @wide_heads
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 2, producer_registers = 0, consumer_registers = 0> in warpgroups: 1 tasks, 8192 elements equal
func.func @wide_heads(%a0: tensor<1x1x64x128xbf16>, %b0: tensor<1x1x150x128xbf16>, %c0: tensor<1x1x150x128xbf16>) -> tensor<1x1x64x128xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x1x64x128xbf16>, tensor<1x1x150x128xbf16>, tensor<1x1x150x128xbf16>) -> tensor<1x1x64x128xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64} : (tensor<1x1x64x128xbf16>, tensor<1x1x150x128xbf16>, tensor<1x1x150x128xbf16>) -> tensor<1x1x64x128xbf16>
    graph.yield %1 : tensor<1x1x64x128xbf16>
  }
  return %k : tensor<1x1x64x128xbf16>
}

// Operands as a projection leaves them.
// CHECK-LABEL: func.func @heads_behind
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 2 tasks, 5120 elements equal
func.func @heads_behind(%a0: tensor<1x40x2x64xbf16>, %b0: tensor<1x72x2x64xbf16>, %c0: tensor<1x72x2x64xbf16>) -> tensor<1x2x40x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x40x2x64xbf16>, tensor<1x72x2x64xbf16>, tensor<1x72x2x64xbf16>) -> tensor<1x2x40x64xbf16> {
    %1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x40x2x64xbf16>) -> tensor<1x2x40x64xbf16>
    %2 = graph.transpose %b [0, 2, 1, 3] : (tensor<1x72x2x64xbf16>) -> tensor<1x2x72x64xbf16>
    %3 = graph.transpose %c [0, 2, 1, 3] : (tensor<1x72x2x64xbf16>) -> tensor<1x2x72x64xbf16>
    %4 = graph.attention %1, %2, %3 {scale = 0.125 : f64} : (tensor<1x2x40x64xbf16>, tensor<1x2x72x64xbf16>, tensor<1x2x72x64xbf16>) -> tensor<1x2x40x64xbf16>
    graph.yield %4 : tensor<1x2x40x64xbf16>
  }
  return %k : tensor<1x2x40x64xbf16>
}
