// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Products of all sizes around those of tiles, in all types.

// One product.
// CHECK-LABEL: func.func @m1k1n1_f32
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 1 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 1 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 1, unroll = 1, along_k = false, row_threads = 4>: 1 tasks, 1 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 1, unroll = 1, along_k = false, row_threads = 4>: 1 tasks, 1 elements equal
func.func @m1k1n1_f32(%a0: tensor<1x1xf32>, %b0: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32> {
    %1 = graph.matmul %a, %b : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    graph.yield %1 : tensor<1x1xf32>
  }
  return %k : tensor<1x1xf32>
}

// Less than a register tile along all dims.
// CHECK-LABEL: func.func @m3k5n7_f32
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 2, vector = 1, unroll = 2, along_k = false, row_threads = 16>: 1 tasks, 21 elements equal
func.func @m3k5n7_f32(%a0: tensor<3x5xf32>, %b0: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32> {
    %1 = graph.matmul %a, %b : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
    graph.yield %1 : tensor<3x7xf32>
  }
  return %k : tensor<3x7xf32>
}

// One row, one column more than tiles.
// CHECK-LABEL: func.func @m17k40n33_f32
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 561 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 561 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 2 tasks, 561 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 2, block_k = 16, stages = 3, threads = 128, row_threads = 16>: 2 tasks, 561 elements equal
func.func @m17k40n33_f32(%a0: tensor<17x40xf32>, %b0: tensor<40x33xf32>) -> tensor<17x33xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<17x40xf32>, tensor<40x33xf32>) -> tensor<17x33xf32> {
    %1 = graph.matmul %a, %b : (tensor<17x40xf32>, tensor<40x33xf32>) -> tensor<17x33xf32>
    graph.yield %1 : tensor<17x33xf32>
  }
  return %k : tensor<17x33xf32>
}

// Whole tiles.
// CHECK-LABEL: func.func @m64k64n64_f32
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 4096 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 4096 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 4096 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 4096 elements equal
func.func @m64k64n64_f32(%a0: tensor<64x64xf32>, %b0: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
    %1 = graph.matmul %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    graph.yield %1 : tensor<64x64xf32>
  }
  return %k : tensor<64x64xf32>
}

// More rows than a block of threads has.
// CHECK-LABEL: func.func @m130k20n70_f32
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 4 tasks, 9100 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 4 tasks, 9100 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 6 tasks, 9100 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 64, panels = 4, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 6 tasks, 9100 elements equal
func.func @m130k20n70_f32(%a0: tensor<130x20xf32>, %b0: tensor<20x70xf32>) -> tensor<130x70xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<130x20xf32>, tensor<20x70xf32>) -> tensor<130x70xf32> {
    %1 = graph.matmul %a, %b : (tensor<130x20xf32>, tensor<20x70xf32>) -> tensor<130x70xf32>
    graph.yield %1 : tensor<130x70xf32>
  }
  return %k : tensor<130x70xf32>
}

// Two rows: a product for warps on a GPU.
// CHECK-LABEL: func.func @m2k300n40_f32
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 80 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 80 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 4, unroll = 8, along_k = false, row_threads = 4>: 3 tasks, 80 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 4, vector = 4, unroll = 8, along_k = false, row_threads = 4>: 3 tasks, 80 elements equal
func.func @m2k300n40_f32(%a0: tensor<2x300xf32>, %b0: tensor<300x40xf32>) -> tensor<2x40xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<2x300xf32>, tensor<300x40xf32>) -> tensor<2x40xf32> {
    %1 = graph.matmul %a, %b : (tensor<2x300xf32>, tensor<300x40xf32>) -> tensor<2x40xf32>
    graph.yield %1 : tensor<2x40xf32>
  }
  return %k : tensor<2x40xf32>
}

// K is long: some blocks share it.
// CHECK-LABEL: func.func @m8k512n16_f32
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 128 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 128 elements equal
// CHECK-NEXT: sm_80 #tile.gemv_config<columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4>: 1 tasks, 128 elements equal
// CHECK-NEXT: sm_90a #tile.gemv_config<columns = 16, across = 1, split = 8, vector = 4, unroll = 8, along_k = false, row_threads = 4>: 1 tasks, 128 elements equal
func.func @m8k512n16_f32(%a0: tensor<8x512xf32>, %b0: tensor<512x16xf32>) -> tensor<8x16xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<8x512xf32>, tensor<512x16xf32>) -> tensor<8x16xf32> {
    %1 = graph.matmul %a, %b : (tensor<8x512xf32>, tensor<512x16xf32>) -> tensor<8x16xf32>
    graph.yield %1 : tensor<8x16xf32>
  }
  return %k : tensor<8x16xf32>
}

// An odd K in f16: a line of operands is not aligned to 16 bytes.
// CHECK-LABEL: func.func @m20k33n20_f16
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 400 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 400 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 8>: 2 tasks, 400 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 8>: 2 tasks, 400 elements equal
func.func @m20k33n20_f16(%a0: tensor<20x33xf16>, %b0: tensor<33x20xf16>) -> tensor<20x20xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<20x33xf16>, tensor<33x20xf16>) -> tensor<20x20xf16> {
    %1 = graph.matmul %a, %b : (tensor<20x33xf16>, tensor<33x20xf16>) -> tensor<20x20xf16>
    graph.yield %1 : tensor<20x20xf16>
  }
  return %k : tensor<20x20xf16>
}

// f16, ragged rows.
// CHECK-LABEL: func.func @m33k64n72_f16
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 3, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 2376 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 4, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 2376 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16>: 6 tasks, 2376 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 8, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 0, compute_registers = 0>: 2 tasks, 2376 elements equal
func.func @m33k64n72_f16(%a0: tensor<33x64xf16>, %b0: tensor<64x72xf16>) -> tensor<33x72xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<33x64xf16>, tensor<64x72xf16>) -> tensor<33x72xf16> {
    %1 = graph.matmul %a, %b : (tensor<33x64xf16>, tensor<64x72xf16>) -> tensor<33x72xf16>
    graph.yield %1 : tensor<33x72xf16>
  }
  return %k : tensor<33x72xf16>
}

// bf16.
// CHECK-LABEL: func.func @m65k96n40_bf16
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 2 tasks, 2600 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 2, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 2 tasks, 2600 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 64, stages = 4, threads = 128, row_threads = 16>: 5 tasks, 2600 elements equal
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232>: 1 tasks, 2600 elements equal
func.func @m65k96n40_bf16(%a0: tensor<65x96xbf16>, %b0: tensor<96x40xbf16>) -> tensor<65x40xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<65x96xbf16>, tensor<96x40xbf16>) -> tensor<65x40xbf16> {
    %1 = graph.matmul %a, %b : (tensor<65x96xbf16>, tensor<96x40xbf16>) -> tensor<65x40xbf16>
    graph.yield %1 : tensor<65x40xbf16>
  }
  return %k : tensor<65x40xbf16>
}

// f64.
// CHECK-LABEL: func.func @m5k18n6_f64
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 8, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 30 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 8, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 30 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 32, panels = 1, block_k = 8, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 30 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 32, panels = 1, block_k = 8, stages = 3, threads = 128, row_threads = 4>: 1 tasks, 30 elements equal
func.func @m5k18n6_f64(%a0: tensor<5x18xf64>, %b0: tensor<18x6xf64>) -> tensor<5x6xf64> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<5x18xf64>, tensor<18x6xf64>) -> tensor<5x6xf64> {
    %1 = graph.matmul %a, %b : (tensor<5x18xf64>, tensor<18x6xf64>) -> tensor<5x6xf64>
    graph.yield %1 : tensor<5x6xf64>
  }
  return %k : tensor<5x6xf64>
}

// Integers.
// CHECK-LABEL: func.func @m12k30n14_i32
// CHECK-NEXT: x86-64-v3 #tile.gemm_config<mr = 6, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 1, staged_epilogue = false>: 1 tasks, 168 elements equal
// CHECK-NEXT: x86-64-v4 #tile.gemm_config<mr = 12, nr = 16, mc = 96, panels = 1, kc = 0, ku = 4, group = 2, staged_epilogue = false>: 1 tasks, 168 elements equal
// CHECK-NEXT: sm_80 #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 1 tasks, 168 elements equal
// CHECK-NEXT: sm_90a #tile.block_gemm_config<rows = 16, panels = 1, block_k = 16, stages = 3, threads = 128, row_threads = 8>: 1 tasks, 168 elements equal
func.func @m12k30n14_i32(%a0: tensor<12x30xi32>, %b0: tensor<30x14xi32>) -> tensor<12x14xi32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<12x30xi32>, tensor<30x14xi32>) -> tensor<12x14xi32> {
    %1 = graph.matmul %a, %b : (tensor<12x30xi32>, tensor<30x14xi32>) -> tensor<12x14xi32>
    graph.yield %1 : tensor<12x14xi32>
  }
  return %k : tensor<12x14xi32>
}
