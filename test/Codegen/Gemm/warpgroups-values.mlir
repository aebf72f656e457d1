// RUN: kiln-opt %s --kiln-test-run-kernels="targets=sm_90a partition" -o /dev/null | FileCheck %s
// Products for warpgroups, split into a producer and consumers, run with every barrier watched.

// One tile of the result; three steps of K.
// CHECK-LABEL: func.func @one_task
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
func.func @one_task(%a0: tensor<100x192xf16>, %b0: tensor<192x96xf16>) -> tensor<100x96xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<100x192xf16>, tensor<192x96xf16>) -> tensor<100x96xf16> {
    %1 = graph.matmul %a, %b : (tensor<100x192xf16>, tensor<192x96xf16>) -> tensor<100x96xf16>
    graph.yield %1 : tensor<100x96xf16>
  }
  return %k : tensor<100x96xf16>
}

// Rows, columns and K that end within tiles: what TMA reads outside is zero, what it would write is not.
// CHECK-LABEL: func.func @ragged
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 6 tasks, 17680 elements equal
func.func @ragged(%a0: tensor<130x200xbf16>, %b0: tensor<200x136xbf16>) -> tensor<130x136xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<130x200xbf16>, tensor<200x136xbf16>) -> tensor<130x136xbf16> {
    %1 = graph.matmul %a, %b : (tensor<130x200xbf16>, tensor<200x136xbf16>) -> tensor<130x136xbf16>
    graph.yield %1 : tensor<130x136xbf16>
  }
  return %k : tensor<130x136xbf16>
}

// Blocks walk over their tasks; barriers go on from one to the next.
// CHECK-LABEL: func.func @several_tasks
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 24 tasks, 153600 elements equal
func.func @several_tasks(%a0: tensor<400x128xbf16>, %b0: tensor<128x384xbf16>) -> tensor<400x384xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<400x128xbf16>, tensor<128x384xbf16>) -> tensor<400x384xbf16> {
    %1 = graph.matmul %a, %b : (tensor<400x128xbf16>, tensor<128x384xbf16>) -> tensor<400x384xbf16>
    graph.yield %1 : tensor<400x384xbf16>
  }
  return %k : tensor<400x384xbf16>
}

// Packed weights, panels of 16 columns.
// CHECK-LABEL: func.func @packed
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 4, block_k = 64, stages = 7, epilogue_panels = 4, row_threads = 4, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
func.func @packed(%a0: tensor<100x128xf16>, %b0: tensor<6x128x16xf16>) -> tensor<100x96xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<100x128xf16>, tensor<6x128x16xf16>) -> tensor<100x96xf16> {
    %1 = graph.unpack %b : (tensor<6x128x16xf16>) -> tensor<128x96xf16>
    %2 = graph.matmul %a, %1 : (tensor<100x128xf16>, tensor<128x96xf16>) -> tensor<100x96xf16>
    graph.yield %2 : tensor<100x96xf16>
  }
  return %k : tensor<100x96xf16>
}

// The right operand is stored [N, K]: its tiles are contiguous along K.
// CHECK-LABEL: func.func @transposed
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
func.func @transposed(%a0: tensor<100x128xbf16>, %b0: tensor<96x128xbf16>) -> tensor<100x96xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<100x128xbf16>, tensor<96x128xbf16>) -> tensor<100x96xbf16> {
    %1 = graph.matmul %a, %b {transpose_b} : (tensor<100x128xbf16>, tensor<96x128xbf16>) -> tensor<100x96xbf16>
    graph.yield %1 : tensor<100x96xbf16>
  }
  return %k : tensor<100x96xbf16>
}

// The left one [K, M].
// CHECK-LABEL: func.func @transposed_left
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9984 elements equal
func.func @transposed_left(%a0: tensor<128x104xbf16>, %b0: tensor<128x96xbf16>) -> tensor<104x96xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<128x104xbf16>, tensor<128x96xbf16>) -> tensor<104x96xbf16> {
    %1 = graph.matmul %a, %b {transpose_a} : (tensor<128x104xbf16>, tensor<128x96xbf16>) -> tensor<104x96xbf16>
    graph.yield %1 : tensor<104x96xbf16>
  }
  return %k : tensor<104x96xbf16>
}

// An epilogue of a bias and an activation.
// CHECK-LABEL: func.func @bias_gelu
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
func.func @bias_gelu(%a0: tensor<100x128xbf16>, %b0: tensor<128x96xbf16>, %c0: tensor<96xbf16>) -> tensor<100x96xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<100x128xbf16>, tensor<128x96xbf16>, tensor<96xbf16>) -> tensor<100x96xbf16> {
    %1 = graph.matmul %a, %b : (tensor<100x128xbf16>, tensor<128x96xbf16>) -> tensor<100x96xbf16>
    %2 = graph.binary add %1, %c : (tensor<100x96xbf16>, tensor<96xbf16>) -> tensor<100x96xbf16>
    %3 = graph.unary gelu %2 : (tensor<100x96xbf16>) -> tensor<100x96xbf16>
    graph.yield %3 : tensor<100x96xbf16>
  }
  return %k : tensor<100x96xbf16>
}

// And of a matrix.
// CHECK-LABEL: func.func @residual
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
func.func @residual(%a0: tensor<100x128xbf16>, %b0: tensor<128x96xbf16>, %c0: tensor<100x96xbf16>) -> tensor<100x96xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0, %c = %c0) : (tensor<100x128xbf16>, tensor<128x96xbf16>, tensor<100x96xbf16>) -> tensor<100x96xbf16> {
    %1 = graph.matmul %a, %b : (tensor<100x128xbf16>, tensor<128x96xbf16>) -> tensor<100x96xbf16>
    %2 = graph.binary add %1, %c : (tensor<100x96xbf16>, tensor<100x96xbf16>) -> tensor<100x96xbf16>
    graph.yield %2 : tensor<100x96xbf16>
  }
  return %k : tensor<100x96xbf16>
}

// A result of f32.
// CHECK-LABEL: func.func @wide
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
func.func @wide(%a0: tensor<100x128xbf16>, %b0: tensor<128x96xbf16>) -> tensor<100x96xf32> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<100x128xbf16>, tensor<128x96xbf16>) -> tensor<100x96xf32> {
    %1 = graph.matmul %a, %b {result_element = f32} : (tensor<100x128xbf16>, tensor<128x96xbf16>) -> tensor<100x96xf32>
    graph.yield %1 : tensor<100x96xf32>
  }
  return %k : tensor<100x96xf32>
}

// Matrices of a batch are tasks.
// CHECK-LABEL: func.func @batches
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 6 tasks, 28800 elements equal
func.func @batches(%a0: tensor<3x100x64xf16>, %b0: tensor<3x64x96xf16>) -> tensor<3x100x96xf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<3x100x64xf16>, tensor<3x64x96xf16>) -> tensor<3x100x96xf16> {
    %1 = graph.matmul %a, %b : (tensor<3x100x64xf16>, tensor<3x64x96xf16>) -> tensor<3x100x96xf16>
    graph.yield %1 : tensor<3x100x96xf16>
  }
  return %k : tensor<3x100x96xf16>
}

// K is one step: the pipeline begins and ends at once.
// CHECK-LABEL: func.func @one_step
// CHECK-NEXT: sm_90a #tile.warpgroup_gemm_config<rows = 128, panels = 1, block_k = 64, stages = 7, epilogue_panels = 1, row_threads = 16, raster = 8, copy_registers = 40, compute_registers = 232> in warpgroups: 2 tasks, 9600 elements equal
func.func @one_step(%a0: tensor<100x64xbf16>, %b0: tensor<64x96xbf16>) -> tensor<100x96xbf16> {
  %k = graph.kernel "matmul" (%a = %a0, %b = %b0) : (tensor<100x64xbf16>, tensor<64x96xbf16>) -> tensor<100x96xbf16> {
    %1 = graph.matmul %a, %b : (tensor<100x64xbf16>, tensor<64x96xbf16>) -> tensor<100x96xbf16>
    graph.yield %1 : tensor<100x96xbf16>
  }
  return %k : tensor<100x96xbf16>
}
