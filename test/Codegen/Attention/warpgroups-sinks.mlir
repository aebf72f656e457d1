// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition" -o /dev/null | FileCheck %s
// Attention with sinks for warpgroups, split into a producer and consumers, run with every barrier watched.
// NOTE: checks by tools/update-lit-checks

// Several steps of keys.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 2 tasks, 8192 elements equal
func.func @plain(%a0: tensor<1x2x64x64xbf16>, %b0: tensor<1x2x200x64xbf16>, %c0: tensor<1x2x200x64xbf16>) -> tensor<1x2x64x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x64x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) -> tensor<1x2x64x64xbf16> {
    %s0 = graph.constant dense<3.0> : tensor<1xf32>
    %s1 = graph.constant dense<-3.0> : tensor<1xf32>
    %s = graph.concat %s0, %s1 axis 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.125 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>, tensor<2xf32>) -> tensor<1x2x64x64xbf16>
    graph.yield %1 : tensor<1x2x64x64xbf16>
  }
  return %k : tensor<1x2x64x64xbf16>
}

// Rows past the last query; sinks in memory.
// CHECK-LABEL: func.func @grouped
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 8 tasks, 35840 elements equal
func.func @grouped(%a0: tensor<2x4x70x64xf16>, %b0: tensor<2x2x96x64xf16>, %c0: tensor<2x2x96x64xf16>, %s0: tensor<4xf32>) -> tensor<2x4x70x64xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<2x4x70x64xf16>, tensor<2x2x96x64xf16>, tensor<2x2x96x64xf16>, tensor<4xf32>) -> tensor<2x4x70x64xf16> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.125 : f64} : (tensor<2x4x70x64xf16>, tensor<2x2x96x64xf16>, tensor<2x2x96x64xf16>, tensor<4xf32>) -> tensor<2x4x70x64xf16>
    graph.yield %1 : tensor<2x4x70x64xf16>
  }
  return %k : tensor<2x4x70x64xf16>
}

// Rows that may be computed again.
// CHECK-LABEL: func.func @causal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 4 tasks, 19200 elements equal
func.func @causal(%a0: tensor<1x2x150x64xbf16>, %b0: tensor<1x1x150x64xbf16>, %c0: tensor<1x1x150x64xbf16>, %s0: tensor<2xf32>) -> tensor<1x2x150x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<1x2x150x64xbf16>, tensor<1x1x150x64xbf16>, tensor<1x1x150x64xbf16>, tensor<2xf32>) -> tensor<1x2x150x64xbf16> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.125 : f64, causal} : (tensor<1x2x150x64xbf16>, tensor<1x1x150x64xbf16>, tensor<1x1x150x64xbf16>, tensor<2xf32>) -> tensor<1x2x150x64xbf16>
    graph.yield %1 : tensor<1x2x150x64xbf16>
  }
  return %k : tensor<1x2x150x64xbf16>
}

// Queries that see no key.
// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 6 tasks, 24576 elements equal
func.func @lengths(%a0: tensor<3x2x64x64xbf16>, %b0: tensor<3x1x96x64xbf16>, %c0: tensor<3x1x96x64xbf16>, %l0: tensor<3xi64>, %s0: tensor<2xf32>) -> tensor<3x2x64x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0, %s = %s0) : (tensor<3x2x64x64xbf16>, tensor<3x1x96x64xbf16>, tensor<3x1x96x64xbf16>, tensor<3xi64>, tensor<2xf32>) -> tensor<3x2x64x64xbf16> {
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.125 : f64, causal, from_length} : (tensor<3x2x64x64xbf16>, tensor<3x1x96x64xbf16>, tensor<3x1x96x64xbf16>, tensor<3xi64>, tensor<2xf32>) -> tensor<3x2x64x64xbf16>
    graph.yield %1 : tensor<3x2x64x64xbf16>
  }
  return %k : tensor<3x2x64x64xbf16>
}

// A mask with a row per query.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 64, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 2 tasks, 8192 elements equal
func.func @mask(%a0: tensor<1x2x64x64xbf16>, %b0: tensor<1x1x130x64xbf16>, %c0: tensor<1x1x130x64xbf16>, %d0: tensor<1x1x64x130xbf16>, %s0: tensor<2xf32>) -> tensor<1x2x64x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0, %s = %s0) : (tensor<1x2x64x64xbf16>, tensor<1x1x130x64xbf16>, tensor<1x1x130x64xbf16>, tensor<1x1x64x130xbf16>, tensor<2xf32>) -> tensor<1x2x64x64xbf16> {
    %1 = graph.attention %a, %b, %c mask %d sinks %s {scale = 0.125 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x1x130x64xbf16>, tensor<1x1x130x64xbf16>, tensor<1x1x64x130xbf16>, tensor<2xf32>) -> tensor<1x2x64x64xbf16>
    graph.yield %1 : tensor<1x2x64x64xbf16>
  }
  return %k : tensor<1x2x64x64xbf16>
}
