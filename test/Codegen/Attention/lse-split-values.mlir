// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,sm_80,sm_90a dims=n:1" -o /dev/null | FileCheck %s --check-prefix=ONE
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,sm_80,sm_90a dims=n:5" -o /dev/null | FileCheck %s --check-prefix=MORE
// The log-sum-exp where blocks have some of the keys each: from what is merged.
// NOTE: checks by tools/update-lit-checks

graph.symbol @n in [1, 16]

// Three splits of 256 keys and one of 232; lengths end within any of them.
// ONE-LABEL: func.func @bf16
// ONE-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 512 elements equal
// ONE-NEXT: 16 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 64 tasks, 512 elements equal
// ONE-NEXT: 16 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 16 tasks, 512 elements equal
// ONE-NEXT: 16 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 64 tasks, 512 elements equal
// ONE-NEXT: 16 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 16 tasks, 512 elements equal
// ONE-NEXT: 16 elements equal
// MORE-LABEL: func.func @bf16
// MORE-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 2560 elements equal
// MORE-NEXT: 80 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 64 tasks, 2560 elements equal
// MORE-NEXT: 80 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 64 tasks, 2560 elements equal
// MORE-NEXT: 80 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @bf16(%a0: tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, %b0: tensor<2x2x1000x32xbf16>, %c0: tensor<2x2x1000x32xbf16>, %l0: tensor<2xi64>) -> (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x8x?xf32, #graph.shape<[n] -> [2, 8, n]>>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x1000x32xbf16>, tensor<2x2x1000x32xbf16>, tensor<2xi64>) -> (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x8x?xf32, #graph.shape<[n] -> [2, 8, n]>>) {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x1000x32xbf16>, tensor<2x2x1000x32xbf16>, tensor<2xi64>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
    %2 = graph.attention_lse %a, %b lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x1000x32xbf16>, tensor<2xi64>) -> tensor<2x8x?xf32, #graph.shape<[n] -> [2, 8, n]>>
    graph.yield %1, %2 : tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x8x?xf32, #graph.shape<[n] -> [2, 8, n]>>
  }
  return %k#0, %k#1 : tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x8x?xf32, #graph.shape<[n] -> [2, 8, n]>>
}

// In f32, whose maxima and sums are in shared memory.
// ONE-LABEL: func.func @f32
// ONE-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 128 elements equal
// ONE-NEXT: 8 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 32 tasks, 128 elements equal
// ONE-NEXT: 8 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 16 tasks, 128 elements equal
// ONE-NEXT: 8 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 32 tasks, 128 elements equal
// ONE-NEXT: 8 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 16 tasks, 128 elements equal
// ONE-NEXT: 8 elements equal
// MORE-LABEL: func.func @f32
// MORE-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 640 elements equal
// MORE-NEXT: 40 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 32 tasks, 640 elements equal
// MORE-NEXT: 40 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 32 tasks, 640 elements equal
// MORE-NEXT: 40 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @f32(%a0: tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, %b0: tensor<2x2x1000x16xf32>, %c0: tensor<2x2x1000x16xf32>, %l0: tensor<2xi64>) -> (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x4x?xf32, #graph.shape<[n] -> [2, 4, n]>>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x1000x16xf32>, tensor<2x2x1000x16xf32>, tensor<2xi64>) -> (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x4x?xf32, #graph.shape<[n] -> [2, 4, n]>>) {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x1000x16xf32>, tensor<2x2x1000x16xf32>, tensor<2xi64>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
    %2 = graph.attention_lse %a, %b lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x1000x16xf32>, tensor<2xi64>) -> tensor<2x4x?xf32, #graph.shape<[n] -> [2, 4, n]>>
    graph.yield %1, %2 : tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x4x?xf32, #graph.shape<[n] -> [2, 4, n]>>
  }
  return %k#0, %k#1 : tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x4x?xf32, #graph.shape<[n] -> [2, 4, n]>>
}

// Codes.
// ONE-LABEL: func.func @codes
// ONE-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 64 elements equal
// ONE-NEXT: 4 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 12 tasks, 64 elements equal
// ONE-NEXT: 4 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 6 tasks, 64 elements equal
// ONE-NEXT: 4 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 12 tasks, 64 elements equal
// ONE-NEXT: 4 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 6 tasks, 64 elements equal
// ONE-NEXT: 4 elements equal
// MORE-LABEL: func.func @codes
// MORE-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 320 elements equal
// MORE-NEXT: 20 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 12 tasks, 320 elements equal
// MORE-NEXT: 20 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 12 tasks, 320 elements equal
// MORE-NEXT: 20 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @codes(%a0: tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, %b0: tensor<1x2x700x16xi8>, %c0: tensor<1x2x700x16xi8>, %l0: tensor<1xi64>, %s0: tensor<1x2x700xf32>, %t0: tensor<1x2x700xf32>) -> (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x4x?xf32, #graph.shape<[n] -> [1, 4, n]>>) {
  %k:2 = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0, %s = %s0, %t = %t0) : (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x2x700x16xi8>, tensor<1x2x700x16xi8>, tensor<1xi64>, tensor<1x2x700xf32>, tensor<1x2x700xf32>) -> (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x4x?xf32, #graph.shape<[n] -> [1, 4, n]>>) {
    %1 = graph.attention %a, %b, %c lengths %l scales %s, %t {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x2x700x16xi8>, tensor<1x2x700x16xi8>, tensor<1xi64>, tensor<1x2x700xf32>, tensor<1x2x700xf32>) -> tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>
    %2 = graph.attention_lse %a, %b lengths %l scales %s {scale = 0.25 : f64, causal, from_length} : (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x2x700x16xi8>, tensor<1xi64>, tensor<1x2x700xf32>) -> tensor<1x4x?xf32, #graph.shape<[n] -> [1, 4, n]>>
    graph.yield %1, %2 : tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x4x?xf32, #graph.shape<[n] -> [1, 4, n]>>
  }
  return %k#0, %k#1 : tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x4x?xf32, #graph.shape<[n] -> [1, 4, n]>>
}
