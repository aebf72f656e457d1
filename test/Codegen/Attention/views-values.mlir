// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Attention: operands that are views, lengths per sequence.

// Queries, keys and values as a projection leaves them: [batch, length, heads, size].
// CHECK-LABEL: func.func @heads_behind
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
func.func @heads_behind(%a0: tensor<1x9x2x16xf32>, %b0: tensor<1x12x2x16xf32>, %c0: tensor<1x12x2x16xf32>) -> tensor<1x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x9x2x16xf32>, tensor<1x12x2x16xf32>, tensor<1x12x2x16xf32>) -> tensor<1x2x9x16xf32> {
    %1 = graph.transpose %a [0, 2, 1, 3] : (tensor<1x9x2x16xf32>) -> tensor<1x2x9x16xf32>
    %2 = graph.transpose %b [0, 2, 1, 3] : (tensor<1x12x2x16xf32>) -> tensor<1x2x12x16xf32>
    %3 = graph.transpose %c [0, 2, 1, 3] : (tensor<1x12x2x16xf32>) -> tensor<1x2x12x16xf32>
    %4 = graph.attention %1, %2, %3 {scale = 0.25 : f64} : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32>
    graph.yield %4 : tensor<1x2x9x16xf32>
  }
  return %k : tensor<1x2x9x16xf32>
}

// From [length, heads * size] and back.
// CHECK-LABEL: func.func @split_and_join
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
func.func @split_and_join(%a0: tensor<9x32xf32>, %b0: tensor<12x32xf32>, %c0: tensor<12x32xf32>) -> tensor<9x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<9x32xf32>, tensor<12x32xf32>, tensor<12x32xf32>) -> tensor<9x32xf32> {
    %1 = graph.reshape %a : (tensor<9x32xf32>) -> tensor<1x9x2x16xf32>
    %2 = graph.transpose %1 [0, 2, 1, 3] : (tensor<1x9x2x16xf32>) -> tensor<1x2x9x16xf32>
    %3 = graph.reshape %b : (tensor<12x32xf32>) -> tensor<1x12x2x16xf32>
    %4 = graph.transpose %3 [0, 2, 1, 3] : (tensor<1x12x2x16xf32>) -> tensor<1x2x12x16xf32>
    %5 = graph.reshape %c : (tensor<12x32xf32>) -> tensor<1x12x2x16xf32>
    %6 = graph.transpose %5 [0, 2, 1, 3] : (tensor<1x12x2x16xf32>) -> tensor<1x2x12x16xf32>
    %7 = graph.attention %2, %4, %6 {scale = 0.25 : f64} : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32>
    %8 = graph.transpose %7 [0, 2, 1, 3] : (tensor<1x2x9x16xf32>) -> tensor<1x9x2x16xf32>
    %9 = graph.reshape %8 : (tensor<1x9x2x16xf32>) -> tensor<9x32xf32>
    graph.yield %9 : tensor<9x32xf32>
  }
  return %k : tensor<9x32xf32>
}

// Keys are stored [size, length].
// CHECK-LABEL: func.func @keys_across
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
func.func @keys_across(%a0: tensor<1x2x9x16xf32>, %b0: tensor<1x2x16x12xf32>, %c0: tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x9x16xf32>, tensor<1x2x16x12xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32> {
    %1 = graph.transpose %b [0, 1, 3, 2] : (tensor<1x2x16x12xf32>) -> tensor<1x2x12x16xf32>
    %2 = graph.attention %a, %1, %c {scale = 0.25 : f64} : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32>
    graph.yield %2 : tensor<1x2x9x16xf32>
  }
  return %k : tensor<1x2x9x16xf32>
}

// Something elementwise behind it.
// CHECK-LABEL: func.func @epilogue
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 2 tasks, 288 elements equal
func.func @epilogue(%a0: tensor<1x2x9x16xf32>, %b0: tensor<1x2x12x16xf32>, %c0: tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x2x9x16xf32>, tensor<1x2x12x16xf32>, tensor<1x2x12x16xf32>) -> tensor<1x2x9x16xf32>
    %2 = graph.unary relu %1 : (tensor<1x2x9x16xf32>) -> tensor<1x2x9x16xf32>
    graph.yield %2 : tensor<1x2x9x16xf32>
  }
  return %k : tensor<1x2x9x16xf32>
}

// Each sequence has its own number of keys: none, fewer than none, and 3 of 12.
// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 864 elements equal
func.func @lengths(%a0: tensor<3x2x9x16xf32>, %b0: tensor<3x2x12x16xf32>, %c0: tensor<3x2x12x16xf32>, %d0: tensor<3xi64>) -> tensor<3x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<3x2x9x16xf32>, tensor<3x2x12x16xf32>, tensor<3x2x12x16xf32>, tensor<3xi64>) -> tensor<3x2x9x16xf32> {
    %1 = graph.attention %a, %b, %c lengths %d {scale = 0.25 : f64} : (tensor<3x2x9x16xf32>, tensor<3x2x12x16xf32>, tensor<3x2x12x16xf32>, tensor<3xi64>) -> tensor<3x2x9x16xf32>
    graph.yield %1 : tensor<3x2x9x16xf32>
  }
  return %k : tensor<3x2x9x16xf32>
}

// 0 where there are none.
// CHECK-LABEL: func.func @lengths_zero
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: sm_80 #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 864 elements equal
// CHECK-NEXT: sm_90a #tile.block_attention_config<rows = 64, keys = 32, threads = 128>: 6 tasks, 864 elements equal
func.func @lengths_zero(%a0: tensor<3x2x9x16xf32>, %b0: tensor<3x2x12x16xf32>, %c0: tensor<3x2x12x16xf32>, %d0: tensor<3xi32>) -> tensor<3x2x9x16xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<3x2x9x16xf32>, tensor<3x2x12x16xf32>, tensor<3x2x12x16xf32>, tensor<3xi32>) -> tensor<3x2x9x16xf32> {
    %1 = graph.attention %a, %b, %c lengths %d {scale = 0.25 : f64, masked_zero} : (tensor<3x2x9x16xf32>, tensor<3x2x12x16xf32>, tensor<3x2x12x16xf32>, tensor<3xi32>) -> tensor<3x2x9x16xf32>
    graph.yield %1 : tensor<3x2x9x16xf32>
  }
  return %k : tensor<3x2x9x16xf32>
}
