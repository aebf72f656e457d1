// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=n:1,m:7" -o /dev/null | FileCheck %s --check-prefix=AT0
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=n:40,m:40" -o /dev/null | FileCheck %s --check-prefix=AT1
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a dims=n:66,m:130" -o /dev/null | FileCheck %s --check-prefix=AT2
// Attention over lengths that only the launch knows.

graph.symbol @m in [1, 600]
graph.symbol @n in [1, 600]

// Both lengths of the launch, causal.
// AT0-LABEL: func.func @causal
// AT0-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 32 elements equal
// AT0-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 32 elements equal
// AT0-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 32 elements equal
// AT0-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 32 elements equal
// AT1-LABEL: func.func @causal
// AT1-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 1280 elements equal
// AT1-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 1280 elements equal
// AT1-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1280 elements equal
// AT1-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 1280 elements equal
// AT2-LABEL: func.func @causal
// AT2-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 2112 elements equal
// AT2-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 2112 elements equal
// AT2-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2112 elements equal
// AT2-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 2112 elements equal
func.func @causal(%a0: tensor<1x2x?x16xf32, #graph.shape<[n] -> [1, 2, n, 16]>>, %b0: tensor<1x2x?x16xf32, #graph.shape<[m] -> [1, 2, m, 16]>>, %c0: tensor<1x2x?x16xf32, #graph.shape<[m] -> [1, 2, m, 16]>>) -> tensor<1x2x?x16xf32, #graph.shape<[n] -> [1, 2, n, 16]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x?x16xf32, #graph.shape<[n] -> [1, 2, n, 16]>>, tensor<1x2x?x16xf32, #graph.shape<[m] -> [1, 2, m, 16]>>, tensor<1x2x?x16xf32, #graph.shape<[m] -> [1, 2, m, 16]>>) -> tensor<1x2x?x16xf32, #graph.shape<[n] -> [1, 2, n, 16]>> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, masked_zero} : (tensor<1x2x?x16xf32, #graph.shape<[n] -> [1, 2, n, 16]>>, tensor<1x2x?x16xf32, #graph.shape<[m] -> [1, 2, m, 16]>>, tensor<1x2x?x16xf32, #graph.shape<[m] -> [1, 2, m, 16]>>) -> tensor<1x2x?x16xf32, #graph.shape<[n] -> [1, 2, n, 16]>>
    graph.yield %1 : tensor<1x2x?x16xf32, #graph.shape<[n] -> [1, 2, n, 16]>>
  }
  return %k : tensor<1x2x?x16xf32, #graph.shape<[n] -> [1, 2, n, 16]>>
}

// In f16, without a mask.
// AT0-LABEL: func.func @half
// AT0-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 64 elements equal
// AT0-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 64 elements equal
// AT0-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 2 tasks, 64 elements equal
// AT0-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>: 2 tasks, 64 elements equal
// AT0-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64> when [#tile.bound<affine_map<()[s0, s1] -> (s1)> max 32>]: 2 tasks, 64 elements equal
// AT1-LABEL: func.func @half
// AT1-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 2560 elements equal
// AT1-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 2560 elements equal
// AT1-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 2 tasks, 2560 elements equal
// AT1-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>: 2 tasks, 2560 elements equal
// AT1-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64> when [#tile.bound<affine_map<()[s0, s1] -> (s1)> max 32>]: not at this size
// AT2-LABEL: func.func @half
// AT2-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 4224 elements equal
// AT2-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 4224 elements equal
// AT2-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 64, threads = 128>: 4 tasks, 4224 elements equal
// AT2-NEXT: sm_90a #tile.warpgroup_attention_config<rows = 128, keys = 128, stages = 3, producer_registers = 40, consumer_registers = 232>: 2 tasks, 4224 elements equal
// AT2-NEXT: sm_90a #tile.block_attention_config<rows = 32, keys = 64, threads = 64> when [#tile.bound<affine_map<()[s0, s1] -> (s1)> max 32>]: not at this size
func.func @half(%a0: tensor<1x2x?x32xf16, #graph.shape<[n] -> [1, 2, n, 32]>>, %b0: tensor<1x2x?x32xf16, #graph.shape<[m] -> [1, 2, m, 32]>>, %c0: tensor<1x2x?x32xf16, #graph.shape<[m] -> [1, 2, m, 32]>>) -> tensor<1x2x?x32xf16, #graph.shape<[n] -> [1, 2, n, 32]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x?x32xf16, #graph.shape<[n] -> [1, 2, n, 32]>>, tensor<1x2x?x32xf16, #graph.shape<[m] -> [1, 2, m, 32]>>, tensor<1x2x?x32xf16, #graph.shape<[m] -> [1, 2, m, 32]>>) -> tensor<1x2x?x32xf16, #graph.shape<[n] -> [1, 2, n, 32]>> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x2x?x32xf16, #graph.shape<[n] -> [1, 2, n, 32]>>, tensor<1x2x?x32xf16, #graph.shape<[m] -> [1, 2, m, 32]>>, tensor<1x2x?x32xf16, #graph.shape<[m] -> [1, 2, m, 32]>>) -> tensor<1x2x?x32xf16, #graph.shape<[n] -> [1, 2, n, 32]>>
    graph.yield %1 : tensor<1x2x?x32xf16, #graph.shape<[n] -> [1, 2, n, 32]>>
  }
  return %k : tensor<1x2x?x32xf16, #graph.shape<[n] -> [1, 2, n, 32]>>
}

// One query, keys of the launch, grouped heads: a decoder's step. On GPUs the heads of a group
// are rows of one tile.
// AT0-LABEL: func.func @keys_alone
// AT0-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 512 elements equal
// AT0-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 512 elements equal
// AT0-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 2 tasks, 512 elements equal
// AT0-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 2 tasks, 512 elements equal
// AT1-LABEL: func.func @keys_alone
// AT1-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 512 elements equal
// AT1-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 512 elements equal
// AT1-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 2 tasks, 512 elements equal
// AT1-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 2 tasks, 512 elements equal
// AT2-LABEL: func.func @keys_alone
// AT2-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 512 elements equal
// AT2-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 512 elements equal
// AT2-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 2 tasks, 512 elements equal
// AT2-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 2 tasks, 512 elements equal
func.func @keys_alone(%a0: tensor<1x8x1x64xbf16>, %b0: tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>, %c0: tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x8x1x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x8x1x64xbf16>, tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>, tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x8x1x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x8x1x64xbf16>, tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>, tensor<1x2x?x64xbf16, #graph.shape<[m] -> [1, 2, m, 64]>>) -> tensor<1x8x1x64xbf16>
    graph.yield %1 : tensor<1x8x1x64xbf16>
  }
  return %k : tensor<1x8x1x64xbf16>
}
