// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// What follows a product in its kernel.

// A number per column.
// CHECK-LABEL: func.func @bias
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @bias(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>, %c0: tensor<36xf32>) -> tensor<18x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<18x40xf32>, tensor<40x36xf32>, tensor<36xf32>) -> tensor<18x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.binary add %1, %c : (tensor<18x36xf32>, tensor<36xf32>) -> tensor<18x36xf32>
    graph.yield %2 : tensor<18x36xf32>
  }
  return %k : tensor<18x36xf32>
}

// A number per row.
// CHECK-LABEL: func.func @bias_per_row
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @bias_per_row(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>, %c0: tensor<18x1xf32>) -> tensor<18x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<18x40xf32>, tensor<40x36xf32>, tensor<18x1xf32>) -> tensor<18x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.binary add %1, %c : (tensor<18x36xf32>, tensor<18x1xf32>) -> tensor<18x36xf32>
    graph.yield %2 : tensor<18x36xf32>
  }
  return %k : tensor<18x36xf32>
}

// An activation.
// CHECK-LABEL: func.func @gelu
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @gelu(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>, %c0: tensor<36xf32>) -> tensor<18x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<18x40xf32>, tensor<40x36xf32>, tensor<36xf32>) -> tensor<18x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.binary add %1, %c : (tensor<18x36xf32>, tensor<36xf32>) -> tensor<18x36xf32>
    %3 = graph.unary gelu %2 : (tensor<18x36xf32>) -> tensor<18x36xf32>
    graph.yield %3 : tensor<18x36xf32>
  }
  return %k : tensor<18x36xf32>
}

// A matrix.
// CHECK-LABEL: func.func @residual
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @residual(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>, %c0: tensor<18x36xf32>) -> tensor<18x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<18x40xf32>, tensor<40x36xf32>, tensor<18x36xf32>) -> tensor<18x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.binary add %1, %c : (tensor<18x36xf32>, tensor<18x36xf32>) -> tensor<18x36xf32>
    graph.yield %2 : tensor<18x36xf32>
  }
  return %k : tensor<18x36xf32>
}

// The result and its sigmoid: silu written out.
// CHECK-LABEL: func.func @gate
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @gate(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>) -> tensor<18x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.unary sigmoid %1 : (tensor<18x36xf32>) -> tensor<18x36xf32>
    %3 = graph.binary mul %1, %2 : (tensor<18x36xf32>, tensor<18x36xf32>) -> tensor<18x36xf32>
    graph.yield %3 : tensor<18x36xf32>
  }
  return %k : tensor<18x36xf32>
}

// A number of the model's.
// CHECK-LABEL: func.func @scaled
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @scaled(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>) -> tensor<18x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.fill 0.125 : f32 : tensor<1xf32>
    %3 = graph.binary mul %1, %2 : (tensor<18x36xf32>, tensor<1xf32>) -> tensor<18x36xf32>
    graph.yield %3 : tensor<18x36xf32>
  }
  return %k : tensor<18x36xf32>
}

// Rounded to f16 at the end.
// CHECK-LABEL: func.func @relu_then_cast
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @relu_then_cast(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>) -> tensor<18x36xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf16> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.unary relu %1 : (tensor<18x36xf32>) -> tensor<18x36xf32>
    %3 = graph.cast %2 : (tensor<18x36xf32>) -> tensor<18x36xf16>
    graph.yield %3 : tensor<18x36xf16>
  }
  return %k : tensor<18x36xf16>
}

// f16 operands; bias and gelu of f16.
// CHECK-LABEL: func.func @f16_epilogue
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16>: 2 tasks, 648 elements equal
func.func @f16_epilogue(%a0: tensor<18x40xf16>, %b0: tensor<40x36xf16>, %c0: tensor<36xf16>) -> tensor<18x36xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<18x40xf16>, tensor<40x36xf16>, tensor<36xf16>) -> tensor<18x36xf16> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf16>, tensor<40x36xf16>) -> tensor<18x36xf16>
    %2 = graph.binary add %1, %c : (tensor<18x36xf16>, tensor<36xf16>) -> tensor<18x36xf16>
    %3 = graph.unary gelu %2 : (tensor<18x36xf16>) -> tensor<18x36xf16>
    graph.yield %3 : tensor<18x36xf16>
  }
  return %k : tensor<18x36xf16>
}

// A boolean per element selects.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @mask(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>, %c0: tensor<18x36xi1>) -> tensor<18x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<18x40xf32>, tensor<40x36xf32>, tensor<18x36xi1>) -> tensor<18x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.fill 0.0 : f32 : tensor<18x36xf32>
    %3 = graph.select %c, %1, %2 : (tensor<18x36xi1>, tensor<18x36xf32>, tensor<18x36xf32>) -> tensor<18x36xf32>
    graph.yield %3 : tensor<18x36xf32>
  }
  return %k : tensor<18x36xf32>
}

// The product and what follows from it.
// CHECK-LABEL: func.func @two_results
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 648 elements equal
// CHECK-NEXT: 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 2 tasks, 648 elements equal
// CHECK-NEXT: 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: 648 elements equal
func.func @two_results(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>) -> (tensor<18x36xf32>, tensor<18x36xf32>) {
  %k:2 = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<18x40xf32>, tensor<40x36xf32>) -> (tensor<18x36xf32>, tensor<18x36xf32>) {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.unary tanh %1 : (tensor<18x36xf32>) -> tensor<18x36xf32>
    graph.yield %1, %2 : tensor<18x36xf32>, tensor<18x36xf32>
  }
  return %k#0, %k#1 : tensor<18x36xf32>, tensor<18x36xf32>
}

// A bias that is looked up.
// CHECK-LABEL: func.func @row_of_a_table
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 2 tasks, 648 elements equal
func.func @row_of_a_table(%a0: tensor<18x40xf32>, %b0: tensor<40x36xf32>, %c0: tensor<9x36xf32>, %d0: tensor<18xi64>) -> tensor<18x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<18x40xf32>, tensor<40x36xf32>, tensor<9x36xf32>, tensor<18xi64>) -> tensor<18x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<18x40xf32>, tensor<40x36xf32>) -> tensor<18x36xf32>
    %2 = graph.gather %c, %d axis 0 : (tensor<9x36xf32>, tensor<18xi64>) -> tensor<18x36xf32>
    %3 = graph.binary add %1, %2 : (tensor<18x36xf32>, tensor<18x36xf32>) -> tensor<18x36xf32>
    graph.yield %3 : tensor<18x36xf32>
  }
  return %k : tensor<18x36xf32>
}

// The same for few rows: sums of warps are added first.
// CHECK-LABEL: func.func @few_rows_gelu
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = true>: 2 tasks, 108 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = true>: 2 tasks, 108 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 4, unroll = 8, along_k = false, row_threads = 4>: 3 tasks, 108 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 4, unroll = 8, along_k = false, row_threads = 4>: 3 tasks, 108 elements equal
func.func @few_rows_gelu(%a0: tensor<3x256xf32>, %b0: tensor<256x36xf32>, %c0: tensor<36xf32>) -> tensor<3x36xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<3x256xf32>, tensor<256x36xf32>, tensor<36xf32>) -> tensor<3x36xf32> {
    %1 = graph.matmul %a, %b : (tensor<3x256xf32>, tensor<256x36xf32>) -> tensor<3x36xf32>
    %2 = graph.binary add %1, %c : (tensor<3x36xf32>, tensor<36xf32>) -> tensor<3x36xf32>
    %3 = graph.unary gelu %2 : (tensor<3x36xf32>) -> tensor<3x36xf32>
    graph.yield %3 : tensor<3x36xf32>
  }
  return %k : tensor<3x36xf32>
}

// And where blocks share K: the last of them has the epilogue.
// CHECK-LABEL: func.func @split_bias
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 1024, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 320 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 320 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 32>: 32 tasks, 320 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 4, split = 32>: 32 tasks, 320 elements equal
func.func @split_bias(%a0: tensor<20x2048xf32>, %b0: tensor<2048x16xf32>, %c0: tensor<16xf32>) -> tensor<20x16xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<20x2048xf32>, tensor<2048x16xf32>, tensor<16xf32>) -> tensor<20x16xf32> {
    %1 = graph.matmul %a, %b : (tensor<20x2048xf32>, tensor<2048x16xf32>) -> tensor<20x16xf32>
    %2 = graph.binary add %1, %c : (tensor<20x16xf32>, tensor<16xf32>) -> tensor<20x16xf32>
    graph.yield %2 : tensor<20x16xf32>
  }
  return %k : tensor<20x16xf32>
}

// A residual of bf16, and its type.
// CHECK-LABEL: func.func @bf16_residual
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 1920 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 1920 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16>: 3 tasks, 1920 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 8, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 0, compute_registers = 0>: 1 tasks, 1920 elements equal
func.func @bf16_residual(%a0: tensor<40x64xbf16>, %b0: tensor<64x48xbf16>, %c0: tensor<40x48xbf16>) -> tensor<40x48xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<40x64xbf16>, tensor<64x48xbf16>, tensor<40x48xbf16>) -> tensor<40x48xbf16> {
    %1 = graph.matmul %a, %b : (tensor<40x64xbf16>, tensor<64x48xbf16>) -> tensor<40x48xbf16>
    %2 = graph.binary add %1, %c : (tensor<40x48xbf16>, tensor<40x48xbf16>) -> tensor<40x48xbf16>
    graph.yield %2 : tensor<40x48xbf16>
  }
  return %k : tensor<40x48xbf16>
}
