// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition dims=m:1,n:40" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition dims=m:130,n:66" -o /dev/null | FileCheck %s --check-prefix=AT1
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition dims=m:300,n:150" -o /dev/null | FileCheck %s --check-prefix=AT2
// Attention for warpgroups over lengths of the launch.

graph.symbol @m in [1, 600]
graph.symbol @n in [1, 600]

// Queries and keys of the launch, causal.
// AT0-LABEL: func.func @lengths_of_the_launch
// AT0-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 2 tasks, 5120 elements equal
// AT0-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64> when [#tile.bound<affine_map<()[s0, s1] -> (s1)> max 32>]: not at this size
// AT1-LABEL: func.func @lengths_of_the_launch
// AT1-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 2 tasks, 8448 elements equal
// AT1-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64> when [#tile.bound<affine_map<()[s0, s1] -> (s1)> max 32>]: not at this size
// AT2-LABEL: func.func @lengths_of_the_launch
// AT2-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232> in warpgroups: 4 tasks, 19200 elements equal
// AT2-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64> when [#tile.bound<affine_map<()[s0, s1] -> (s1)> max 32>]: not at this size
func.func @lengths_of_the_launch(%a0: tensor<1x2x?x64xbf16, #graph.shape<[n] -> [1, 2, n, 64]>>, %b0: tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>, %c0: tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x2x?x64xbf16, #graph.shape<[n] -> [1, 2, n, 64]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x?x64xbf16, #graph.shape<[n] -> [1, 2, n, 64]>>, tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>, tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x2x?x64xbf16, #graph.shape<[n] -> [1, 2, n, 64]>> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64, causal, masked_zero} : (tensor<1x2x?x64xbf16, #graph.shape<[n] -> [1, 2, n, 64]>>, tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>, tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x2x?x64xbf16, #graph.shape<[n] -> [1, 2, n, 64]>>
    graph.yield %1 : tensor<1x2x?x64xbf16, #graph.shape<[n] -> [1, 2, n, 64]>>
  }
  return %k : tensor<1x2x?x64xbf16, #graph.shape<[n] -> [1, 2, n, 64]>>
}

// Keys alone are of the launch.
// AT0-LABEL: func.func @decoder
// AT0-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 4 tasks, 10240 elements equal
// AT1-LABEL: func.func @decoder
// AT1-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 4 tasks, 10240 elements equal
// AT2-LABEL: func.func @decoder
// AT2-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 64, keys = 128, stages = 3, producer_registers = 0, consumer_registers = 0> in warpgroups: 4 tasks, 10240 elements equal
func.func @decoder(%a0: tensor<1x4x40x64xf16>, %b0: tensor<1x2x?x64xf16, #graph.shape<[m] -> [1, 2, m, 64]>>, %c0: tensor<1x2x?x64xf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x4x40x64xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x40x64xf16>, tensor<1x2x?x64xf16, #graph.shape<[m] -> [1, 2, m, 64]>>, tensor<1x2x?x64xf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x4x40x64xf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.125 : f64} : (tensor<1x4x40x64xf16>, tensor<1x2x?x64xf16, #graph.shape<[m] -> [1, 2, m, 64]>>, tensor<1x2x?x64xf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x4x40x64xf16>
    graph.yield %1 : tensor<1x4x40x64xf16>
  }
  return %k : tensor<1x4x40x64xf16>
}
