// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition" -o /dev/null | FileCheck %s
// The log-sum-exp of attention for warpgroups.
// NOTE: checks by tools/update-lit-checks

// Results go through tensor maps, log-sum-exps do not.
// CHECK-LABEL: func.func @stored_by_tma
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 2 tasks, 8192 elements equal
// CHECK-NEXT: 128 elements equal
func.func @stored_by_tma(%a0: tensor<1x2x64x64xbf16>, %b0: tensor<1x2x200x64xbf16>, %c0: tensor<1x2x200x64xbf16>) -> (tensor<1x2x64x64xbf16>, tensor<1x2x64xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x64x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) -> (tensor<1x2x64x64xbf16>, tensor<1x2x64xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x200x64xbf16>, tensor<1x2x200x64xbf16>) -> tensor<1x2x64x64xbf16>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64} : (tensor<1x2x64x64xbf16>, tensor<1x2x200x64xbf16>) -> tensor<1x2x64xf32>
    graph.yield %1, %2 : tensor<1x2x64x64xbf16>, tensor<1x2x64xf32>
  }
  return %k#0, %k#1 : tensor<1x2x64x64xbf16>, tensor<1x2x64xf32>
}

// More query rows than a block has.
// CHECK-LABEL: func.func @several_tasks
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 6 tasks, 14400 elements equal
// CHECK-NEXT: 450 elements equal
func.func @several_tasks(%a0: tensor<1x3x150x32xf16>, %b0: tensor<1x3x140x32xf16>, %c0: tensor<1x3x140x32xf16>) -> (tensor<1x3x150x32xf16>, tensor<1x3x150xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x3x150x32xf16>, tensor<1x3x140x32xf16>, tensor<1x3x140x32xf16>) -> (tensor<1x3x150x32xf16>, tensor<1x3x150xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x3x150x32xf16>, tensor<1x3x140x32xf16>, tensor<1x3x140x32xf16>) -> tensor<1x3x150x32xf16>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64} : (tensor<1x3x150x32xf16>, tensor<1x3x140x32xf16>) -> tensor<1x3x150xf32>
    graph.yield %1, %2 : tensor<1x3x150x32xf16>, tensor<1x3x150xf32>
  }
  return %k#0, %k#1 : tensor<1x3x150x32xf16>, tensor<1x3x150xf32>
}

// Causal, with lengths, and rows that see no key.
// CHECK-LABEL: func.func @causal
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 8 tasks, 51200 elements equal
// CHECK-NEXT: 800 elements equal
func.func @causal(%a0: tensor<2x4x100x64xbf16>, %b0: tensor<2x2x150x64xbf16>, %c0: tensor<2x2x150x64xbf16>, %l0: tensor<2xi64>) -> (tensor<2x4x100x64xbf16>, tensor<2x4x100xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x4x100x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2xi64>) -> (tensor<2x4x100x64xbf16>, tensor<2x4x100xf32>) {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<2x4x100x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2xi64>) -> tensor<2x4x100x64xbf16>
    %2 = graph.attention_lse %a, %b lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x4x100x64xbf16>, tensor<2x2x150x64xbf16>, tensor<2xi64>) -> tensor<2x4x100xf32>
    graph.yield %1, %2 : tensor<2x4x100x64xbf16>, tensor<2x4x100xf32>
  }
  return %k#0, %k#1 : tensor<2x4x100x64xbf16>, tensor<2x4x100xf32>
}

// A cap.
// CHECK-LABEL: func.func @capped
// CHECK-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 2 tasks, 8960 elements equal
// CHECK-NEXT: 140 elements equal
func.func @capped(%a0: tensor<1x2x70x64xbf16>, %b0: tensor<1x1x70x64xbf16>, %c0: tensor<1x1x70x64xbf16>) -> (tensor<1x2x70x64xbf16>, tensor<1x2x70xf32>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x70x64xbf16>, tensor<1x1x70x64xbf16>, tensor<1x1x70x64xbf16>) -> (tensor<1x2x70x64xbf16>, tensor<1x2x70xf32>) {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, softcap = 2.0 : f64} : (tensor<1x2x70x64xbf16>, tensor<1x1x70x64xbf16>, tensor<1x1x70x64xbf16>) -> tensor<1x2x70x64xbf16>
    %2 = graph.attention_lse %a, %b {scale = 0.25 : f64, causal, softcap = 2.0 : f64} : (tensor<1x2x70x64xbf16>, tensor<1x1x70x64xbf16>) -> tensor<1x2x70xf32>
    graph.yield %1, %2 : tensor<1x2x70x64xbf16>, tensor<1x2x70xf32>
  }
  return %k#0, %k#1 : tensor<1x2x70x64xbf16>, tensor<1x2x70xf32>
}
