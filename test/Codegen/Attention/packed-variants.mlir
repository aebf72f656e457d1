// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a dims=n:1" -o /dev/null | FileCheck %s --check-prefix=ONE
// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_80,sm_90a dims=n:5" -o /dev/null | FileCheck %s --check-prefix=MORE
// Attention of a decoder's steps: code for one query beside that for more.
// NOTE: checks by tools/update-lit-checks

graph.symbol @n in [1, 16]

// A variant for launches of one query.
// ONE-LABEL: func.func @plain
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 16 tasks, 512 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 4 tasks, 512 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 16 tasks, 512 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 4 tasks, 512 elements equal
// MORE-LABEL: func.func @plain
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 16 tasks, 2560 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 16 tasks, 2560 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @plain(%a0: tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, %b0: tensor<2x2x70x32xbf16>, %c0: tensor<2x2x70x32xbf16>, %l0: tensor<2xi64>, %s0: tensor<8xf32>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0, %s = %s0) : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x70x32xbf16>, tensor<2x2x70x32xbf16>, tensor<2xi64>, tensor<8xf32>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>> {
    %1 = graph.attention %a, %b, %c lengths %l sinks %s {scale = 0.25 : f64, causal, from_length} : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x70x32xbf16>, tensor<2x2x70x32xbf16>, tensor<2xi64>, tensor<8xf32>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
    graph.yield %1 : tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
  }
  return %k : tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
}

// The same in f32, through views.
// ONE-LABEL: func.func @f32
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 24 tasks, 384 elements equal
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 6 tasks, 384 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 24 tasks, 384 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: 6 tasks, 384 elements equal
// MORE-LABEL: func.func @f32
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 24 tasks, 1920 elements equal
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 24 tasks, 1920 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128> when [#tile.bound<affine_map<()[s0] -> (s0)> max 1>]: not at this size
func.func @f32(%a10: tensor<2x?x12x16xf32, #graph.shape<[n] -> [2, n, 12, 16]>>, %b10: tensor<2x50x3x16xf32>, %c0: tensor<2x3x50x16xf32>, %l0: tensor<2xi64>) -> tensor<2x?x192xf32, #graph.shape<[n] -> [2, n, 192]>> {
  %k = graph.kernel "attention" (%a1 = %a10, %b1 = %b10, %c = %c0, %l = %l0) : (tensor<2x?x12x16xf32, #graph.shape<[n] -> [2, n, 12, 16]>>, tensor<2x50x3x16xf32>, tensor<2x3x50x16xf32>, tensor<2xi64>) -> tensor<2x?x192xf32, #graph.shape<[n] -> [2, n, 192]>> {
    %a = graph.transpose %a1 [0, 2, 1, 3] : (tensor<2x?x12x16xf32, #graph.shape<[n] -> [2, n, 12, 16]>>) -> tensor<2x12x?x16xf32, #graph.shape<[n] -> [2, 12, n, 16]>>
    %b = graph.transpose %b1 [0, 2, 1, 3] : (tensor<2x50x3x16xf32>) -> tensor<2x3x50x16xf32>
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length} : (tensor<2x12x?x16xf32, #graph.shape<[n] -> [2, 12, n, 16]>>, tensor<2x3x50x16xf32>, tensor<2x3x50x16xf32>, tensor<2xi64>) -> tensor<2x12x?x16xf32, #graph.shape<[n] -> [2, 12, n, 16]>>
    %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<2x12x?x16xf32, #graph.shape<[n] -> [2, 12, n, 16]>>) -> tensor<2x?x12x16xf32, #graph.shape<[n] -> [2, n, 12, 16]>>
    %3 = graph.reshape %2 : (tensor<2x?x12x16xf32, #graph.shape<[n] -> [2, n, 12, 16]>>) -> tensor<2x?x192xf32, #graph.shape<[n] -> [2, n, 192]>>
    graph.yield %3 : tensor<2x?x192xf32, #graph.shape<[n] -> [2, n, 192]>>
  }
  return %k : tensor<2x?x192xf32, #graph.shape<[n] -> [2, n, 192]>>
}

// None for a window.
// ONE-LABEL: func.func @window
// ONE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 16 tasks, 512 elements equal
// ONE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 16 tasks, 512 elements equal
// MORE-LABEL: func.func @window
// MORE-NEXT: sm_80 #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 16 tasks, 2560 elements equal
// MORE-NEXT: sm_90a #tile.block_attention_config<rows = 16, keys = 64, threads = 32>: 16 tasks, 2560 elements equal
func.func @window(%a0: tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, %b0: tensor<2x2x70x32xbf16>, %c0: tensor<2x2x70x32xbf16>, %l0: tensor<2xi64>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x70x32xbf16>, tensor<2x2x70x32xbf16>, tensor<2xi64>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, window = 9 : i64} : (tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>, tensor<2x2x70x32xbf16>, tensor<2x2x70x32xbf16>, tensor<2xi64>) -> tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
    graph.yield %1 : tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
  }
  return %k : tensor<2x8x?x32xbf16, #graph.shape<[n] -> [2, 8, n, 32]>>
}
