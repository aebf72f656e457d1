// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Operands and results of products that are views: transposes, batches, heads, slices, panels.

// The left operand is stored [K, M].
// CHECK-LABEL: func.func @transposed_left
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 126 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 126 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 1 tasks, 126 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 1 tasks, 126 elements equal
func.func @transposed_left(%a0: tensor<20x9xf32>, %b0: tensor<20x14xf32>) -> tensor<9x14xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<20x9xf32>, tensor<20x14xf32>) -> tensor<9x14xf32> {
    %1 = graph.matmul %a, %b {transpose_a} : (tensor<20x9xf32>, tensor<20x14xf32>) -> tensor<9x14xf32>
    graph.yield %1 : tensor<9x14xf32>
  }
  return %k : tensor<9x14xf32>
}

// The right one [N, K].
// CHECK-LABEL: func.func @transposed_right
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 126 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 126 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 1 tasks, 126 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 1 tasks, 126 elements equal
func.func @transposed_right(%a0: tensor<9x20xf32>, %b0: tensor<14x20xf32>) -> tensor<9x14xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<9x20xf32>, tensor<14x20xf32>) -> tensor<9x14xf32> {
    %1 = graph.matmul %a, %b {transpose_b} : (tensor<9x20xf32>, tensor<14x20xf32>) -> tensor<9x14xf32>
    graph.yield %1 : tensor<9x14xf32>
  }
  return %k : tensor<9x14xf32>
}

// Both.
// CHECK-LABEL: func.func @transposed_both
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 126 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 126 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 32, stages = 4, threads = 64, row_threads = 8>: 1 tasks, 126 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 32, stages = 4, threads = 64, row_threads = 8>: 1 tasks, 126 elements equal
func.func @transposed_both(%a0: tensor<20x9xf16>, %b0: tensor<14x20xf16>) -> tensor<9x14xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<20x9xf16>, tensor<14x20xf16>) -> tensor<9x14xf16> {
    %1 = graph.matmul %a, %b {transpose_a, transpose_b} : (tensor<20x9xf16>, tensor<14x20xf16>) -> tensor<9x14xf16>
    graph.yield %1 : tensor<9x14xf16>
  }
  return %k : tensor<9x14xf16>
}

// A transpose in the kernel is a view.
// CHECK-LABEL: func.func @transposed_by_an_op
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 126 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 126 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 1 tasks, 126 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 1 tasks, 126 elements equal
func.func @transposed_by_an_op(%a0: tensor<9x20xf32>, %b0: tensor<14x20xf32>) -> tensor<9x14xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<9x20xf32>, tensor<14x20xf32>) -> tensor<9x14xf32> {
    %1 = graph.transpose %b [1, 0] : (tensor<14x20xf32>) -> tensor<20x14xf32>
    %2 = graph.matmul %a, %1 : (tensor<9x20xf32>, tensor<20x14xf32>) -> tensor<9x14xf32>
    graph.yield %2 : tensor<9x14xf32>
  }
  return %k : tensor<9x14xf32>
}

// Three matrices on each side.
// CHECK-LABEL: func.func @batches
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 3 tasks, 189 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 3 tasks, 189 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 4, along_k = false, row_threads = 16>: 3 tasks, 189 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 4, along_k = false, row_threads = 16>: 3 tasks, 189 elements equal
func.func @batches(%a0: tensor<3x7x10xf32>, %b0: tensor<3x10x9xf32>) -> tensor<3x7x9xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<3x7x10xf32>, tensor<3x10x9xf32>) -> tensor<3x7x9xf32> {
    %1 = graph.matmul %a, %b : (tensor<3x7x10xf32>, tensor<3x10x9xf32>) -> tensor<3x7x9xf32>
    graph.yield %1 : tensor<3x7x9xf32>
  }
  return %k : tensor<3x7x9xf32>
}

// One right operand for all.
// CHECK-LABEL: func.func @one_weight
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 189 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 189 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 1 tasks, 189 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 1 tasks, 189 elements equal
func.func @one_weight(%a0: tensor<3x7x10xf32>, %b0: tensor<10x9xf32>) -> tensor<3x7x9xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<3x7x10xf32>, tensor<10x9xf32>) -> tensor<3x7x9xf32> {
    %1 = graph.matmul %a, %b : (tensor<3x7x10xf32>, tensor<10x9xf32>) -> tensor<3x7x9xf32>
    graph.yield %1 : tensor<3x7x9xf32>
  }
  return %k : tensor<3x7x9xf32>
}

// Batches [2, 1] and [3] are repeated against each other.
// CHECK-LABEL: func.func @repeated_batches
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 6 tasks, 378 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 6 tasks, 378 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 4, along_k = false, row_threads = 16>: 6 tasks, 378 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 4, along_k = false, row_threads = 16>: 6 tasks, 378 elements equal
func.func @repeated_batches(%a0: tensor<2x1x7x10xf32>, %b0: tensor<3x10x9xf32>) -> tensor<2x3x7x9xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<2x1x7x10xf32>, tensor<3x10x9xf32>) -> tensor<2x3x7x9xf32> {
    %1 = graph.matmul %a, %b : (tensor<2x1x7x10xf32>, tensor<3x10x9xf32>) -> tensor<2x3x7x9xf32>
    graph.yield %1 : tensor<2x3x7x9xf32>
  }
  return %k : tensor<2x3x7x9xf32>
}

// The left operand's heads stand behind its rows.
// CHECK-LABEL: func.func @heads_in
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 4 tasks, 252 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 4 tasks, 252 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 4 tasks, 252 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 4 tasks, 252 elements equal
func.func @heads_in(%a0: tensor<7x4x16xf32>, %b0: tensor<4x16x9xf32>) -> tensor<4x7x9xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<7x4x16xf32>, tensor<4x16x9xf32>) -> tensor<4x7x9xf32> {
    %1 = graph.transpose %a [1, 0, 2] : (tensor<7x4x16xf32>) -> tensor<4x7x16xf32>
    %2 = graph.matmul %1, %b : (tensor<4x7x16xf32>, tensor<4x16x9xf32>) -> tensor<4x7x9xf32>
    graph.yield %2 : tensor<4x7x9xf32>
  }
  return %k : tensor<4x7x9xf32>
}

// The result's rows stand in front of its heads.
// CHECK-LABEL: func.func @heads_out
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 4 tasks, 224 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 4 tasks, 224 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 1, along_k = false, row_threads = 4>: 4 tasks, 224 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 4, unroll = 1, along_k = false, row_threads = 4>: 4 tasks, 224 elements equal
func.func @heads_out(%a0: tensor<4x7x16xf32>, %b0: tensor<4x16x8xf32>) -> tensor<7x4x8xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<4x7x16xf32>, tensor<4x16x8xf32>) -> tensor<7x4x8xf32> {
    %1 = graph.matmul %a, %b : (tensor<4x7x16xf32>, tensor<4x16x8xf32>) -> tensor<4x7x8xf32>
    %2 = graph.transpose %1 [1, 0, 2] : (tensor<4x7x8xf32>) -> tensor<7x4x8xf32>
    graph.yield %2 : tensor<7x4x8xf32>
  }
  return %k : tensor<7x4x8xf32>
}

// Every other row of the left operand.
// CHECK-LABEL: func.func @slice_in
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 90 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 90 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 1 tasks, 90 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 1 tasks, 90 elements equal
func.func @slice_in(%a0: tensor<20x16xf32>, %b0: tensor<16x9xf32>) -> tensor<10x9xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<20x16xf32>, tensor<16x9xf32>) -> tensor<10x9xf32> {
    %1 = graph.slice %a starts <[] -> [0, 0]> steps [2, 1] : (tensor<20x16xf32>) -> tensor<10x16xf32>
    %2 = graph.matmul %1, %b : (tensor<10x16xf32>, tensor<16x9xf32>) -> tensor<10x9xf32>
    graph.yield %2 : tensor<10x9xf32>
  }
  return %k : tensor<10x9xf32>
}

// Panels of 16 columns, the last one with 4 of 16.
// CHECK-LABEL: func.func @packed
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 324 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 324 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 324 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 324 elements equal
func.func @packed(%a0: tensor<9x40xf32>, %b0: tensor<3x40x16xf32>) -> tensor<9x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<9x40xf32>, tensor<3x40x16xf32>) -> tensor<9x36xf32> {
    %1 = graph.unpack %b : (tensor<3x40x16xf32>) -> tensor<40x36xf32>
    %2 = graph.matmul %a, %1 : (tensor<9x40xf32>, tensor<40x36xf32>) -> tensor<9x36xf32>
    graph.yield %2 : tensor<9x36xf32>
  }
  return %k : tensor<9x36xf32>
}

// Panels in f16.
// CHECK-LABEL: func.func @packed_f16
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 432 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 432 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4>: 2 tasks, 432 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 2, block_k = 64, stages = 4, threads = 64, row_threads = 4>: 2 tasks, 432 elements equal
func.func @packed_f16(%a0: tensor<9x40xf16>, %b0: tensor<3x40x16xf16>) -> tensor<9x48xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<9x40xf16>, tensor<3x40x16xf16>) -> tensor<9x48xf16> {
    %1 = graph.unpack %b : (tensor<3x40x16xf16>) -> tensor<40x48xf16>
    %2 = graph.matmul %a, %1 : (tensor<9x40xf16>, tensor<40x48xf16>) -> tensor<9x48xf16>
    graph.yield %2 : tensor<9x48xf16>
  }
  return %k : tensor<9x48xf16>
}

// Sums of f16 are not rounded.
// CHECK-LABEL: func.func @wide_result
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 180 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 180 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 8>: 1 tasks, 180 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 8>: 1 tasks, 180 elements equal
func.func @wide_result(%a0: tensor<9x40xf16>, %b0: tensor<40x20xf16>) -> tensor<9x20xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<9x40xf16>, tensor<40x20xf16>) -> tensor<9x20xf32> {
    %1 = graph.matmul %a, %b {result_element = f32} : (tensor<9x40xf16>, tensor<40x20xf16>) -> tensor<9x20xf32>
    graph.yield %1 : tensor<9x20xf32>
  }
  return %k : tensor<9x20xf32>
}
