// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a dims=n:1" -o /dev/null | FileCheck %s --check-prefix=ONE
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a dims=n:5" -o /dev/null | FileCheck %s --check-prefix=MORE
// Flash-decoding: where a launch may have few tiles of queries, blocks have some of the keys each.
// NOTE: checks by tools/update-lit-checks

graph.symbol @n in [1, 16]

// Three splits of 256 keys and one of 232; lengths end within any of them.
// ONE-LABEL: func.func @lengths
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 64 tasks, 512 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 16 tasks, 512 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 64 tasks, 512 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 16 tasks, 512 elements equal
// MORE-LABEL: func.func @lengths
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 64 tasks, 2560 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 64 tasks, 2560 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @lengths(%a0: tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, %b0: tensor<2x2x1000x32xbf16>, %c0: tensor<2x2x1000x32xbf16>, %l0: tensor<2xi64>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x1000x32xbf16>, tensor<2x2x1000x32xbf16>, tensor<2xi64>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x1000x32xbf16>, tensor<2x2x1000x32xbf16>, tensor<2xi64>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
    graph.yield %1 : tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
  }
  return %k : tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
}

// The same in f32, whose maxima and sums are in shared memory.
// ONE-LABEL: func.func @f32
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 32 tasks, 128 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 16 tasks, 128 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 32 tasks, 128 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 16 tasks, 128 elements equal
// MORE-LABEL: func.func @f32
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 32 tasks, 640 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 32 tasks, 640 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @f32(%a0: tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, %b0: tensor<2x2x1000x16xf32>, %c0: tensor<2x2x1000x16xf32>, %l0: tensor<2xi64>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x1000x16xf32>, tensor<2x2x1000x16xf32>, tensor<2xi64>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x1000x16xf32>, tensor<2x2x1000x16xf32>, tensor<2xi64>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
    graph.yield %1 : tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
  }
  return %k : tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
}

// A sink counts once, however many splits there are.
// ONE-LABEL: func.func @sinks
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 24 tasks, 256 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 12 tasks, 256 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 24 tasks, 256 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 12 tasks, 256 elements equal
// MORE-LABEL: func.func @sinks
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 24 tasks, 1280 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 24 tasks, 1280 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @sinks(%a0: tensor<2x4x?x32xbf16, #graph.shape<[n] -> [2, 4, n, 32]>>, %b0: tensor<2x2x700x32xbf16>, %c0: tensor<2x2x700x32xbf16>, %l0: tensor<2xi64>, %s0: tensor<4xf32>) -> tensor<2x4x?x32xbf16, #graph.shape<[n] -> [2, 4, n, 32]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0, %s = %s0) : (tensor<2x4x?x32xbf16, #graph.shape<[n] -> [2, 4, n, 32]>>, tensor<2x2x700x32xbf16>, tensor<2x2x700x32xbf16>, tensor<2xi64>, tensor<4xf32>) -> tensor<2x4x?x32xbf16, #graph.shape<[n] -> [2, 4, n, 32]>> {
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64, causal, from_length} : (tensor<2x4x?x32xbf16, #graph.shape<[n] -> [2, 4, n, 32]>>, tensor<2x2x700x32xbf16>, tensor<2x2x700x32xbf16>, tensor<2xi64>, tensor<4xf32>) -> tensor<2x4x?x32xbf16, #graph.shape<[n] -> [2, 4, n, 32]>>
    graph.yield %1 : tensor<2x4x?x32xbf16, #graph.shape<[n] -> [2, 4, n, 32]>>
  }
  return %k : tensor<2x4x?x32xbf16, #graph.shape<[n] -> [2, 4, n, 32]>>
}

// In f32, with a mask of all keys.
// ONE-LABEL: func.func @mask
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 24 tasks, 128 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 12 tasks, 128 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 24 tasks, 128 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 12 tasks, 128 elements equal
// MORE-LABEL: func.func @mask
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 24 tasks, 640 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 24 tasks, 640 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @mask(%a0: tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, %b0: tensor<2x2x700x16xf32>, %c0: tensor<2x2x700x16xf32>, %m0: tensor<2x1x1x700xf32>, %s0: tensor<4xf32>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %m = %m0, %s = %s0) : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x700x16xf32>, tensor<2x2x700x16xf32>, tensor<2x1x1x700xf32>, tensor<4xf32>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>> {
    %1 = graph.attention %a, %b, %c mask %m sinks %s {scale = 0.25 : f64} : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x700x16xf32>, tensor<2x2x700x16xf32>, tensor<2x1x1x700xf32>, tensor<4xf32>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
    graph.yield %1 : tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
  }
  return %k : tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
}

// Splits in front of the window have no keys.
// ONE-LABEL: func.func @window
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 48 tasks, 128 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 48 tasks, 128 elements equal
// MORE-LABEL: func.func @window
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 48 tasks, 640 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 48 tasks, 640 elements equal
func.func @window(%a0: tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>, %b0: tensor<2x2x1500x16xbf16>, %c0: tensor<2x2x1500x16xbf16>, %l0: tensor<2xi64>) -> tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x1500x16xbf16>, tensor<2x2x1500x16xbf16>, tensor<2xi64>) -> tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, window = 600 : i64} : (tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x1500x16xbf16>, tensor<2x2x1500x16xbf16>, tensor<2xi64>) -> tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>
    graph.yield %1 : tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>
  }
  return %k : tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>
}

// Sequences that are longer than the cache: windows may begin behind the last key.
// ONE-LABEL: func.func @behind
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 16 tasks, 128 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 16 tasks, 128 elements equal
// MORE-LABEL: func.func @behind
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 16 tasks, 640 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32, split = 256>: 16 tasks, 640 elements equal
func.func @behind(%a0: tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>, %b0: tensor<2x2x512x16xbf16>, %c0: tensor<2x2x512x16xbf16>, %l0: tensor<2xi64>) -> tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x512x16xbf16>, tensor<2x2x512x16xbf16>, tensor<2xi64>) -> tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, window = 510 : i64, masked_zero} : (tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x512x16xbf16>, tensor<2x2x512x16xbf16>, tensor<2xi64>) -> tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>
    graph.yield %1 : tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>
  }
  return %k : tensor<2x4x?x16xbf16, #graph.shape<[n] -> [2, 4, n, 16]>>
}

// Rows that see no key are zero.
// ONE-LABEL: func.func @empty
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 24 tasks, 128 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 12 tasks, 128 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 24 tasks, 128 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 12 tasks, 128 elements equal
// MORE-LABEL: func.func @empty
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 24 tasks, 640 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256>: 24 tasks, 640 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128, split = 256> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @empty(%a0: tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, %b0: tensor<2x2x600x16xf32>, %c0: tensor<2x2x600x16xf32>, %l0: tensor<2xi64>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x600x16xf32>, tensor<2x2x600x16xf32>, tensor<2xi64>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, masked_zero} : (tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>, tensor<2x2x600x16xf32>, tensor<2x2x600x16xf32>, tensor<2xi64>) -> tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
    graph.yield %1 : tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
  }
  return %k : tensor<2x4x?x16xf32, #graph.shape<[n] -> [2, 4, n, 16]>>
}

// Enough heads for all multiprocessors.
// ONE-LABEL: func.func @many_heads
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 140 tasks, 1120 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 140 tasks, 1120 elements equal
// MORE-LABEL: func.func @many_heads
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 140 tasks, 5600 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 140 tasks, 5600 elements equal
func.func @many_heads(%a0: tensor<1x140x?x8xf32, #graph.shape<[n] -> [1, 140, n, 8]>>, %b0: tensor<1x140x600x8xf32>, %c0: tensor<1x140x600x8xf32>, %l0: tensor<1xi64>) -> tensor<1x140x?x8xf32, #graph.shape<[n] -> [1, 140, n, 8]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<1x140x?x8xf32, #graph.shape<[n] -> [1, 140, n, 8]>>, tensor<1x140x600x8xf32>, tensor<1x140x600x8xf32>, tensor<1xi64>) -> tensor<1x140x?x8xf32, #graph.shape<[n] -> [1, 140, n, 8]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<1x140x?x8xf32, #graph.shape<[n] -> [1, 140, n, 8]>>, tensor<1x140x600x8xf32>, tensor<1x140x600x8xf32>, tensor<1xi64>) -> tensor<1x140x?x8xf32, #graph.shape<[n] -> [1, 140, n, 8]>>
    graph.yield %1 : tensor<1x140x?x8xf32, #graph.shape<[n] -> [1, 140, n, 8]>>
  }
  return %k : tensor<1x140x?x8xf32, #graph.shape<[n] -> [1, 140, n, 8]>>
}

// A window of few keys.
// ONE-LABEL: func.func @narrow
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
// MORE-LABEL: func.func @narrow
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 320 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 320 elements equal
func.func @narrow(%a0: tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, %b0: tensor<1x2x600x16xf32>, %c0: tensor<1x2x600x16xf32>, %l0: tensor<1xi64>) -> tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x2x600x16xf32>, tensor<1x2x600x16xf32>, tensor<1xi64>) -> tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, window = 100 : i64} : (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x2x600x16xf32>, tensor<1x2x600x16xf32>, tensor<1xi64>) -> tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>
    graph.yield %1 : tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>
  }
  return %k : tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>
}

// Fewer keys than two splits.
// ONE-LABEL: func.func @short
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 2 tasks, 64 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 64 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 2 tasks, 64 elements equal
// MORE-LABEL: func.func @short
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 320 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 4 tasks, 320 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @short(%a0: tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, %b0: tensor<1x2x500x16xf32>, %c0: tensor<1x2x500x16xf32>, %l0: tensor<1xi64>) -> tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x2x500x16xf32>, tensor<1x2x500x16xf32>, tensor<1xi64>) -> tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64} : (tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>, tensor<1x2x500x16xf32>, tensor<1x2x500x16xf32>, tensor<1xi64>) -> tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>
    graph.yield %1 : tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>
  }
  return %k : tensor<1x4x?x16xf32, #graph.shape<[n] -> [1, 4, n, 16]>>
}
