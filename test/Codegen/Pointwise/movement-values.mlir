// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Slices, concatenations, gathers, and what needs no operand.

// Rows 2 to 4.
// CHECK-LABEL: func.func @slice_rows
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 51 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 51 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 51 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 51 elements equal
func.func @slice_rows(%a0: tensor<9x17xf32>) -> tensor<3x17xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<9x17xf32>) -> tensor<3x17xf32> {
    %1 = graph.slice %a starts <[] -> [2, 0]> steps [1, 1] : (tensor<9x17xf32>) -> tensor<3x17xf32>
    graph.yield %1 : tensor<3x17xf32>
  }
  return %k : tensor<3x17xf32>
}

// Columns 5 to 12: rows no longer lie side by side.
// CHECK-LABEL: func.func @slice_columns
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 72 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 72 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 72 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 72 elements equal
func.func @slice_columns(%a0: tensor<9x17xf32>) -> tensor<9x8xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<9x17xf32>) -> tensor<9x8xf32> {
    %1 = graph.slice %a starts <[] -> [0, 5]> steps [1, 1] : (tensor<9x17xf32>) -> tensor<9x8xf32>
    graph.yield %1 : tensor<9x8xf32>
  }
  return %k : tensor<9x8xf32>
}

// Every third column: elements apart.
// CHECK-LABEL: func.func @slice_steps
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 68 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 68 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 68 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 68 elements equal
func.func @slice_steps(%a0: tensor<4x50xf32>) -> tensor<4x17xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<4x50xf32>) -> tensor<4x17xf32> {
    %1 = graph.slice %a starts <[] -> [0, 1]> steps [1, 3] : (tensor<4x50xf32>) -> tensor<4x17xf32>
    graph.yield %1 : tensor<4x17xf32>
  }
  return %k : tensor<4x17xf32>
}

// From the end to the front.
// CHECK-LABEL: func.func @slice_backwards
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 200 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 200 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 200 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 200 elements equal
func.func @slice_backwards(%a0: tensor<4x50xf16>) -> tensor<4x50xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<4x50xf16>) -> tensor<4x50xf16> {
    %1 = graph.slice %a starts <[] -> [0, 49]> steps [1, -1] : (tensor<4x50xf16>) -> tensor<4x50xf16>
    graph.yield %1 : tensor<4x50xf16>
  }
  return %k : tensor<4x50xf16>
}

// What is computed is computed where it is read.
// CHECK-LABEL: func.func @slice_of_sum
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 18 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 18 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 18 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 18 elements equal
func.func @slice_of_sum(%a0: tensor<4x50xf32>, %b0: tensor<50xf32>) -> tensor<2x9xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<4x50xf32>, tensor<50xf32>) -> tensor<2x9xf32> {
    %1 = graph.binary add %a, %b : (tensor<4x50xf32>, tensor<50xf32>) -> tensor<4x50xf32>
    %2 = graph.slice %1 starts <[] -> [1, 2]> steps [2, 5] : (tensor<4x50xf32>) -> tensor<2x9xf32>
    graph.yield %2 : tensor<2x9xf32>
  }
  return %k : tensor<2x9xf32>
}

// The boundary lies within a vector of some targets.
// CHECK-LABEL: func.func @concat_columns
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 165 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 165 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 165 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 165 elements equal
func.func @concat_columns(%a0: tensor<5x24xf32>, %b0: tensor<5x9xf32>) -> tensor<5x33xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<5x24xf32>, tensor<5x9xf32>) -> tensor<5x33xf32> {
    %1 = graph.concat %a, %b axis 1 : (tensor<5x24xf32>, tensor<5x9xf32>) -> tensor<5x33xf32>
    graph.yield %1 : tensor<5x33xf32>
  }
  return %k : tensor<5x33xf32>
}

// Between rows: one after the other.
// CHECK-LABEL: func.func @concat_rows
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 160 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 160 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 160 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 160 elements equal
func.func @concat_rows(%a0: tensor<3x20xf16>, %b0: tensor<1x20xf16>, %c0: tensor<4x20xf16>) -> tensor<8x20xf16> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0) : (tensor<3x20xf16>, tensor<1x20xf16>, tensor<4x20xf16>) -> tensor<8x20xf16> {
    %1 = graph.concat %a, %b, %c axis 0 : (tensor<3x20xf16>, tensor<1x20xf16>, tensor<4x20xf16>) -> tensor<8x20xf16>
    graph.yield %1 : tensor<8x20xf16>
  }
  return %k : tensor<8x20xf16>
}

// Of what is computed: exp of one, the other doubled.
// CHECK-LABEL: func.func @concat_computed
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 96 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 96 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 96 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 96 elements equal
func.func @concat_computed(%a0: tensor<3x16xf32>, %b0: tensor<3x16xf32>) -> tensor<3x32xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x32xf32> {
    %1 = graph.unary exp %a : (tensor<3x16xf32>) -> tensor<3x16xf32>
    %2 = graph.binary add %b, %b : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
    %3 = graph.concat %1, %2 axis 1 : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x32xf32>
    graph.yield %3 : tensor<3x32xf32>
  }
  return %k : tensor<3x32xf32>
}

// Both parts get the same bias.
// CHECK-LABEL: func.func @concat_then_add
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 64 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 64 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 64 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 64 elements equal
func.func @concat_then_add(%a0: tensor<4x8xf32>, %b0: tensor<4x8xf32>, %c0: tensor<16xf32>) -> tensor<4x16xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<16xf32>) -> tensor<4x16xf32> {
    %1 = graph.concat %a, %b axis 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %2 = graph.binary add %1, %c : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
    graph.yield %2 : tensor<4x16xf32>
  }
  return %k : tensor<4x16xf32>
}

// A row before a matrix that lies across.
// CHECK-LABEL: func.func @concat_behind_transpose
// CHECK-NEXT: x86-64-v3 #tile.staging_config<tile = [8, 8], pads = [0], compute = <lanes = 8, grain = 2048, stage = false>>: 6 tasks, 1360 elements equal
// CHECK-NEXT: x86-64-v4 #tile.staging_config<tile = [16, 16], pads = [0], compute = <lanes = 16, grain = 8192, stage = false>>: 4 tasks, 1360 elements equal
// CHECK-NEXT: sm_80 #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 8>>: 6 tasks, 1360 elements equal
// CHECK-NEXT: sm_90a #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 128, group_threads = 8>>: 6 tasks, 1360 elements equal
func.func @concat_behind_transpose(%a0: tensor<40x33xf32>, %b0: tensor<1x40xf32>) -> tensor<34x40xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<40x33xf32>, tensor<1x40xf32>) -> tensor<34x40xf32> {
    %1 = graph.transpose %a [1, 0] : (tensor<40x33xf32>) -> tensor<33x40xf32>
    %2 = graph.concat %b, %1 axis 0 : (tensor<1x40xf32>, tensor<33x40xf32>) -> tensor<34x40xf32>
    graph.yield %2 : tensor<34x40xf32>
  }
  return %k : tensor<34x40xf32>
}

// An embedding: rows by number.
// CHECK-LABEL: func.func @gather_rows
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 240 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 240 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 240 elements equal
func.func @gather_rows(%a0: tensor<30x20xf32>, %b0: tensor<4x3xi64>) -> tensor<4x3x20xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<30x20xf32>, tensor<4x3xi64>) -> tensor<4x3x20xf32> {
    %1 = graph.gather %a, %b axis 0 : (tensor<30x20xf32>, tensor<4x3xi64>) -> tensor<4x3x20xf32>
    graph.yield %1 : tensor<4x3x20xf32>
  }
  return %k : tensor<4x3x20xf32>
}

// Columns by number: elements one by one.
// CHECK-LABEL: func.func @gather_columns
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 42 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 42 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 42 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 42 elements equal
func.func @gather_columns(%a0: tensor<6x30xf32>, %b0: tensor<7xi32>) -> tensor<6x7xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<6x30xf32>, tensor<7xi32>) -> tensor<6x7xf32> {
    %1 = graph.gather %a, %b axis 1 : (tensor<6x30xf32>, tensor<7xi32>) -> tensor<6x7xf32>
    graph.yield %1 : tensor<6x7xf32>
  }
  return %k : tensor<6x7xf32>
}

// Along the middle dim.
// CHECK-LABEL: func.func @gather_middle
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 40 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 40 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 40 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 40 elements equal
func.func @gather_middle(%a0: tensor<2x9x5xf16>, %b0: tensor<4xi64>) -> tensor<2x4x5xf16> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<2x9x5xf16>, tensor<4xi64>) -> tensor<2x4x5xf16> {
    %1 = graph.gather %a, %b axis 1 : (tensor<2x9x5xf16>, tensor<4xi64>) -> tensor<2x4x5xf16>
    graph.yield %1 : tensor<2x4x5xf16>
  }
  return %k : tensor<2x4x5xf16>
}

// Numbers from -40 to 40 of 30 rows: counted from the end, and clamped to both ends.
// CHECK-LABEL: func.func @gather_outside
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 72 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 72 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 72 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 72 elements equal
func.func @gather_outside(%a0: tensor<30x8xf32>) -> tensor<9x8xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<30x8xf32>) -> tensor<9x8xf32> {
    %1 = graph.iota axis 0 {start = -40.0 : f64, step = 10.0 : f64} : tensor<9xi32>
    %2 = graph.gather %a, %1 axis 0 : (tensor<30x8xf32>, tensor<9xi32>) -> tensor<9x8xf32>
    graph.yield %2 : tensor<9x8xf32>
  }
  return %k : tensor<9x8xf32>
}

// Two embeddings, added.
// CHECK-LABEL: func.func @gather_two
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 100 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 100 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 100 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 100 elements equal
func.func @gather_two(%a0: tensor<30x20xf32>, %b0: tensor<5xi64>, %c0: tensor<7x20xf32>, %d0: tensor<5xi32>) -> tensor<5x20xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<30x20xf32>, tensor<5xi64>, tensor<7x20xf32>, tensor<5xi32>) -> tensor<5x20xf32> {
    %1 = graph.gather %a, %b axis 0 : (tensor<30x20xf32>, tensor<5xi64>) -> tensor<5x20xf32>
    %2 = graph.gather %c, %d axis 0 : (tensor<7x20xf32>, tensor<5xi32>) -> tensor<5x20xf32>
    %3 = graph.binary add %1, %2 : (tensor<5x20xf32>, tensor<5x20xf32>) -> tensor<5x20xf32>
    graph.yield %3 : tensor<5x20xf32>
  }
  return %k : tensor<5x20xf32>
}

// Row number i of a matrix.
// CHECK-LABEL: func.func @gather_scalar_index
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 20 elements equal
func.func @gather_scalar_index(%a0: tensor<30x20xf32>, %b0: tensor<i64>) -> tensor<20xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<30x20xf32>, tensor<i64>) -> tensor<20xf32> {
    %1 = graph.gather %a, %b axis 0 : (tensor<30x20xf32>, tensor<i64>) -> tensor<20xf32>
    graph.yield %1 : tensor<20xf32>
  }
  return %k : tensor<20xf32>
}

// A column over a matrix.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 180 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 180 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 180 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 180 elements equal
func.func @broadcast(%a0: tensor<6x1xf32>) -> tensor<3x6x10xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<6x1xf32>) -> tensor<3x6x10xf32> {
    %1 = graph.broadcast %a : (tensor<6x1xf32>) -> tensor<3x6x10xf32>
    graph.yield %1 : tensor<3x6x10xf32>
  }
  return %k : tensor<3x6x10xf32>
}

// Nothing is read.
// CHECK-LABEL: func.func @fill
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 21 elements equal
func.func @fill(%a0: tensor<1xf32>) -> tensor<3x7xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<1xf32>) -> tensor<3x7xf32> {
    %1 = graph.fill 2.5 : f32 : tensor<3x7xf32>
    %2 = graph.binary add %1, %a : (tensor<3x7xf32>, tensor<1xf32>) -> tensor<3x7xf32>
    graph.yield %2 : tensor<3x7xf32>
  }
  return %k : tensor<3x7xf32>
}

// The number of the row, beside what is read.
// CHECK-LABEL: func.func @iota_rows
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 36 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 36 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 36 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 36 elements equal
func.func @iota_rows(%a0: tensor<4x9xi64>) -> tensor<4x9xi64> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<4x9xi64>) -> tensor<4x9xi64> {
    %1 = graph.iota axis 0 : tensor<4x9xi64>
    %2 = graph.binary add %1, %a : (tensor<4x9xi64>, tensor<4x9xi64>) -> tensor<4x9xi64>
    graph.yield %2 : tensor<4x9xi64>
  }
  return %k : tensor<4x9xi64>
}

// 3 + 2 * the column, in f32.
// CHECK-LABEL: func.func @iota_columns
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 36 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 36 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 36 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 36 elements equal
func.func @iota_columns(%a0: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<4x9xf32>) -> tensor<4x9xf32> {
    %1 = graph.iota axis 1 {start = 3.0 : f64, step = 2.0 : f64} : tensor<4x9xf32>
    %2 = graph.binary mul %1, %a : (tensor<4x9xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
    graph.yield %2 : tensor<4x9xf32>
  }
  return %k : tensor<4x9xf32>
}

// Rows and columns compared: the lower triangle stays.
// CHECK-LABEL: func.func @causal_mask
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 81 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 81 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 81 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 81 elements equal
func.func @causal_mask(%a0: tensor<9x9xf32>) -> tensor<9x9xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<9x9xf32>) -> tensor<9x9xf32> {
    %1 = graph.iota axis 1 : tensor<9x9xi64>
    %2 = graph.iota axis 0 : tensor<9x9xi64>
    %3 = graph.compare less_equal %1, %2 : (tensor<9x9xi64>, tensor<9x9xi64>) -> tensor<9x9xi1>
    %4 = graph.fill -1.0 : f32 : tensor<9x9xf32>
    %5 = graph.select %3, %a, %4 : (tensor<9x9xi1>, tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
    graph.yield %5 : tensor<9x9xf32>
  }
  return %k : tensor<9x9xf32>
}

// Nothing to do.
// CHECK-LABEL: func.func @no_elements
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 0 tasks, 0 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 0 tasks, 0 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 0 tasks, 0 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 0 tasks, 0 elements equal
func.func @no_elements(%a0: tensor<0x8xf32>) -> tensor<0x8xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<0x8xf32>) -> tensor<0x8xf32> {
    %1 = graph.unary exp %a : (tensor<0x8xf32>) -> tensor<0x8xf32>
    graph.yield %1 : tensor<0x8xf32>
  }
  return %k : tensor<0x8xf32>
}

// Rank 0.
// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 1 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 1 elements equal
func.func @scalar(%a0: tensor<f32>, %b0: tensor<f32>) -> tensor<f32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
    %1 = graph.binary add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    graph.yield %1 : tensor<f32>
  }
  return %k : tensor<f32>
}
