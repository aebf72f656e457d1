// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Scatter: rows and elements, combinations, sizes on both sides of what a thread group owns.

// Whole rows: one index for all columns.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 2 tasks, 1200 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 2 tasks, 1200 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 32, chunk = 16, held = false, threads = 128, group_threads = 8>: 2 tasks, 1200 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 32, chunk = 16, held = false, threads = 128, group_threads = 8>: 2 tasks, 1200 elements equal
func.func @rows(%a0: tensor<2x30x20xf32>, %b0: tensor<2x4x1xi64>, %c0: tensor<2x4x20xf32>) -> tensor<2x30x20xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x30x20xf32>, tensor<2x4x1xi64>, tensor<2x4x20xf32>) -> tensor<2x30x20xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<2x30x20xf32>, tensor<2x4x1xi64>, tensor<2x4x20xf32>) -> tensor<2x30x20xf32>
    graph.yield %1 : tensor<2x30x20xf32>
  }
  return %k : tensor<2x30x20xf32>
}

// An index per element: columns go to rows of their own.
// CHECK-LABEL: func.func @elements
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 2 tasks, 1200 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 2 tasks, 1200 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 32, chunk = 16, held = false, threads = 128, group_threads = 8>: 2 tasks, 1200 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 32, chunk = 16, held = false, threads = 128, group_threads = 8>: 2 tasks, 1200 elements equal
func.func @elements(%a0: tensor<2x30x20xf32>, %b0: tensor<2x4x20xi64>, %c0: tensor<2x4x20xf32>) -> tensor<2x30x20xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x30x20xf32>, tensor<2x4x20xi64>, tensor<2x4x20xf32>) -> tensor<2x30x20xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<2x30x20xf32>, tensor<2x4x20xi64>, tensor<2x4x20xf32>) -> tensor<2x30x20xf32>
    graph.yield %1 : tensor<2x30x20xf32>
  }
  return %k : tensor<2x30x20xf32>
}

// Updates of one row are added in their order.
// CHECK-LABEL: func.func @sum
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 2 tasks, 330 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 256, lanes = 64, chunk = 32, held = false>: 1 tasks, 330 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 64, chunk = 32, held = false, threads = 128, group_threads = 16>: 1 tasks, 330 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 64, chunk = 32, held = false, threads = 128, group_threads = 16>: 1 tasks, 330 elements equal
func.func @sum(%a0: tensor<1x10x33xf32>, %b0: tensor<1x12x1xi64>, %c0: tensor<1x12x33xf32>) -> tensor<1x10x33xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x10x33xf32>, tensor<1x12x1xi64>, tensor<1x12x33xf32>) -> tensor<1x10x33xf32> {
    %1 = graph.scatter %a, %b, %c combine sum : (tensor<1x10x33xf32>, tensor<1x12x1xi64>, tensor<1x12x33xf32>) -> tensor<1x10x33xf32>
    graph.yield %1 : tensor<1x10x33xf32>
  }
  return %k : tensor<1x10x33xf32>
}

// And of one element.
// CHECK-LABEL: func.func @sum_elements
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 2 tasks, 330 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 256, lanes = 64, chunk = 32, held = false>: 1 tasks, 330 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 64, chunk = 32, held = false, threads = 128, group_threads = 16>: 1 tasks, 330 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 64, chunk = 32, held = false, threads = 128, group_threads = 16>: 1 tasks, 330 elements equal
func.func @sum_elements(%a0: tensor<1x10x33xf32>, %b0: tensor<1x12x33xi64>, %c0: tensor<1x12x33xf32>) -> tensor<1x10x33xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x10x33xf32>, tensor<1x12x33xi64>, tensor<1x12x33xf32>) -> tensor<1x10x33xf32> {
    %1 = graph.scatter %a, %b, %c combine sum : (tensor<1x10x33xf32>, tensor<1x12x33xi64>, tensor<1x12x33xf32>) -> tensor<1x10x33xf32>
    graph.yield %1 : tensor<1x10x33xf32>
  }
  return %k : tensor<1x10x33xf32>
}

// Multiplied, in f16.
// CHECK-LABEL: func.func @prod
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 16, chunk = 8, held = false, threads = 128, group_threads = 2>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 16, chunk = 8, held = false, threads = 128, group_threads = 2>: 2 tasks, 288 elements equal
func.func @prod(%a0: tensor<2x9x16xf16>, %b0: tensor<2x5x1xi64>, %c0: tensor<2x5x16xf16>) -> tensor<2x9x16xf16> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x9x16xf16>, tensor<2x5x1xi64>, tensor<2x5x16xf16>) -> tensor<2x9x16xf16> {
    %1 = graph.scatter %a, %b, %c combine prod : (tensor<2x9x16xf16>, tensor<2x5x1xi64>, tensor<2x5x16xf16>) -> tensor<2x9x16xf16>
    graph.yield %1 : tensor<2x9x16xf16>
  }
  return %k : tensor<2x9x16xf16>
}

// The larger one, of integers.
// CHECK-LABEL: func.func @max
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 2 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 16, chunk = 8, held = false, threads = 128, group_threads = 4>: 2 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 16, chunk = 8, held = false, threads = 128, group_threads = 4>: 2 tasks, 288 elements equal
func.func @max(%a0: tensor<2x9x16xi32>, %b0: tensor<2x5x1xi64>, %c0: tensor<2x5x16xi32>) -> tensor<2x9x16xi32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x9x16xi32>, tensor<2x5x1xi64>, tensor<2x5x16xi32>) -> tensor<2x9x16xi32> {
    %1 = graph.scatter %a, %b, %c combine max : (tensor<2x9x16xi32>, tensor<2x5x1xi64>, tensor<2x5x16xi32>) -> tensor<2x9x16xi32>
    graph.yield %1 : tensor<2x9x16xi32>
  }
  return %k : tensor<2x9x16xi32>
}

// The smaller one, of bf16.
// CHECK-LABEL: func.func @min
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 2048, lanes = 8, chunk = 32, held = false>: 1 tasks, 63 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 2048, lanes = 8, chunk = 32, held = false>: 1 tasks, 63 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 8, chunk = 8, held = false, threads = 128, group_threads = 1>: 1 tasks, 63 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 8, chunk = 8, held = false, threads = 128, group_threads = 1>: 1 tasks, 63 elements equal
func.func @min(%a0: tensor<1x9x7xbf16>, %b0: tensor<1x5x7xi64>, %c0: tensor<1x5x7xbf16>) -> tensor<1x9x7xbf16> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x9x7xbf16>, tensor<1x5x7xi64>, tensor<1x5x7xbf16>) -> tensor<1x9x7xbf16> {
    %1 = graph.scatter %a, %b, %c combine min : (tensor<1x9x7xbf16>, tensor<1x5x7xi64>, tensor<1x5x7xbf16>) -> tensor<1x9x7xbf16>
    graph.yield %1 : tensor<1x9x7xbf16>
  }
  return %k : tensor<1x9x7xbf16>
}

// Rows of one element.
// CHECK-LABEL: func.func @one_column
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 16384, lanes = 32, chunk = 32, held = false>: 1 tasks, 300 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 16384, lanes = 64, chunk = 32, held = false>: 1 tasks, 300 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 512, lanes = 512, chunk = 64, held = true, threads = 128, group_threads = 32>: 1 tasks, 300 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 512, lanes = 512, chunk = 64, held = true, threads = 128, group_threads = 32>: 1 tasks, 300 elements equal
func.func @one_column(%a0: tensor<1x300x1xf32>, %b0: tensor<1x20x1xi64>, %c0: tensor<1x20x1xf32>) -> tensor<1x300x1xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x300x1xf32>, tensor<1x20x1xi64>, tensor<1x20x1xf32>) -> tensor<1x300x1xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<1x300x1xf32>, tensor<1x20x1xi64>, tensor<1x20x1xf32>) -> tensor<1x300x1xf32>
    graph.yield %1 : tensor<1x300x1xf32>
  }
  return %k : tensor<1x300x1xf32>
}

// Added: a histogram.
// CHECK-LABEL: func.func @one_column_sum
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 16384, lanes = 32, chunk = 32, held = false>: 1 tasks, 300 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 16384, lanes = 64, chunk = 32, held = false>: 1 tasks, 300 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 512, lanes = 512, chunk = 64, held = true, threads = 128, group_threads = 32>: 1 tasks, 300 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 512, lanes = 512, chunk = 64, held = true, threads = 128, group_threads = 32>: 1 tasks, 300 elements equal
func.func @one_column_sum(%a0: tensor<1x300x1xf32>, %b0: tensor<1x40x1xi64>, %c0: tensor<1x40x1xf32>) -> tensor<1x300x1xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x300x1xf32>, tensor<1x40x1xi64>, tensor<1x40x1xf32>) -> tensor<1x300x1xf32> {
    %1 = graph.scatter %a, %b, %c combine sum : (tensor<1x300x1xf32>, tensor<1x40x1xi64>, tensor<1x40x1xf32>) -> tensor<1x300x1xf32>
    graph.yield %1 : tensor<1x300x1xf32>
  }
  return %k : tensor<1x300x1xf32>
}

// More updates than are looked at at a time.
// CHECK-LABEL: func.func @many_updates
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 2048, lanes = 8, chunk = 32, held = false>: 1 tasks, 320 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 2048, lanes = 8, chunk = 32, held = false>: 1 tasks, 320 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 8, chunk = 8, held = false, threads = 128, group_threads = 2>: 1 tasks, 320 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 8, chunk = 8, held = false, threads = 128, group_threads = 2>: 1 tasks, 320 elements equal
func.func @many_updates(%a0: tensor<1x40x8xf32>, %b0: tensor<1x100x1xi64>, %c0: tensor<1x100x8xf32>) -> tensor<1x40x8xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x40x8xf32>, tensor<1x100x1xi64>, tensor<1x100x8xf32>) -> tensor<1x40x8xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<1x40x8xf32>, tensor<1x100x1xi64>, tensor<1x100x8xf32>) -> tensor<1x40x8xf32>
    graph.yield %1 : tensor<1x40x8xf32>
  }
  return %k : tensor<1x40x8xf32>
}

// Indices of 32 bits, bytes as data.
// CHECK-LABEL: func.func @narrow_index
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 2 tasks, 1200 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 2 tasks, 1200 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 32, chunk = 8, held = false, threads = 128, group_threads = 2>: 2 tasks, 1200 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 32, chunk = 8, held = false, threads = 128, group_threads = 2>: 2 tasks, 1200 elements equal
func.func @narrow_index(%a0: tensor<2x30x20xi8>, %b0: tensor<2x4x1xi32>, %c0: tensor<2x4x20xi8>) -> tensor<2x30x20xi8> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x30x20xi8>, tensor<2x4x1xi32>, tensor<2x4x20xi8>) -> tensor<2x30x20xi8> {
    %1 = graph.scatter %a, %b, %c : (tensor<2x30x20xi8>, tensor<2x4x1xi32>, tensor<2x4x20xi8>) -> tensor<2x30x20xi8>
    graph.yield %1 : tensor<2x30x20xi8>
  }
  return %k : tensor<2x30x20xi8>
}

// Booleans.
// CHECK-LABEL: func.func @booleans
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 1 tasks, 270 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 1 tasks, 270 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 16, chunk = 8, held = false, threads = 128, group_threads = 1>: 1 tasks, 270 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 16, chunk = 8, held = false, threads = 128, group_threads = 1>: 1 tasks, 270 elements equal
func.func @booleans(%a0: tensor<1x30x9xi1>, %b0: tensor<1x4x1xi64>, %c0: tensor<1x4x9xi1>) -> tensor<1x30x9xi1> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x30x9xi1>, tensor<1x4x1xi64>, tensor<1x4x9xi1>) -> tensor<1x30x9xi1> {
    %1 = graph.scatter %a, %b, %c : (tensor<1x30x9xi1>, tensor<1x4x1xi64>, tensor<1x4x9xi1>) -> tensor<1x30x9xi1>
    graph.yield %1 : tensor<1x30x9xi1>
  }
  return %k : tensor<1x30x9xi1>
}

// Rows of 700 elements, f64.
// CHECK-LABEL: func.func @long_rows
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 44 tasks, 3500 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 512, lanes = 32, chunk = 32, held = false>: 22 tasks, 3500 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 64, chunk = 64, held = false, threads = 128, group_threads = 32>: 11 tasks, 3500 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 64, chunk = 64, held = false, threads = 128, group_threads = 32>: 11 tasks, 3500 elements equal
func.func @long_rows(%a0: tensor<1x5x700xf64>, %b0: tensor<1x3x1xi64>, %c0: tensor<1x3x700xf64>) -> tensor<1x5x700xf64> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x5x700xf64>, tensor<1x3x1xi64>, tensor<1x3x700xf64>) -> tensor<1x5x700xf64> {
    %1 = graph.scatter %a, %b, %c : (tensor<1x5x700xf64>, tensor<1x3x1xi64>, tensor<1x3x700xf64>) -> tensor<1x5x700xf64>
    graph.yield %1 : tensor<1x5x700xf64>
  }
  return %k : tensor<1x5x700xf64>
}

// Nothing but a copy.
// CHECK-LABEL: func.func @no_updates
// CHECK-NEXT: x86-64-v3 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 2 tasks, 168 elements equal
// CHECK-NEXT: x86-64-v4 #tile.scatter_config<rows = 1024, lanes = 16, chunk = 32, held = false>: 2 tasks, 168 elements equal
// CHECK-NEXT: sm_80 #tile.scatter_config<rows = 16, lanes = 16, chunk = 8, held = false, threads = 128, group_threads = 4>: 2 tasks, 168 elements equal
// CHECK-NEXT: sm_90a #tile.scatter_config<rows = 16, lanes = 16, chunk = 8, held = false, threads = 128, group_threads = 4>: 2 tasks, 168 elements equal
func.func @no_updates(%a0: tensor<2x7x12xf32>, %b0: tensor<2x0x1xi64>, %c0: tensor<2x0x12xf32>) -> tensor<2x7x12xf32> {
  %k = graph.kernel "scatter" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x7x12xf32>, tensor<2x0x1xi64>, tensor<2x0x12xf32>) -> tensor<2x7x12xf32> {
    %1 = graph.scatter %a, %b, %c : (tensor<2x7x12xf32>, tensor<2x0x1xi64>, tensor<2x0x12xf32>) -> tensor<2x7x12xf32>
    graph.yield %1 : tensor<2x7x12xf32>
  }
  return %k : tensor<2x7x12xf32>
}
