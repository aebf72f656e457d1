// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Functions of two tensors: every kind, with shapes that are repeated against each other.

// Equal shapes.
// CHECK-LABEL: func.func @add_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 20 elements equal
func.func @add_f32(%a0: tensor<4x5xf32>, %b0: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32> {
    %1 = graph.binary add %a, %b : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    graph.yield %1 : tensor<4x5xf32>
  }
  return %k : tensor<4x5xf32>
}

// A row for every row.
// CHECK-LABEL: func.func @sub_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 20 elements equal
func.func @sub_f32(%a0: tensor<4x5xf32>, %b0: tensor<5xf32>) -> tensor<4x5xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32> {
    %1 = graph.binary sub %a, %b : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
    graph.yield %1 : tensor<4x5xf32>
  }
  return %k : tensor<4x5xf32>
}

// A number per row.
// CHECK-LABEL: func.func @mul_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 20 elements equal
func.func @mul_f16(%a0: tensor<4x5xf16>, %b0: tensor<4x1xf16>) -> tensor<4x5xf16> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<4x5xf16>, tensor<4x1xf16>) -> tensor<4x5xf16> {
    %1 = graph.binary mul %a, %b : (tensor<4x5xf16>, tensor<4x1xf16>) -> tensor<4x5xf16>
    graph.yield %1 : tensor<4x5xf16>
  }
  return %k : tensor<4x5xf16>
}

// A column and a row: every pair.
// CHECK-LABEL: func.func @div_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 20 elements equal
func.func @div_f32(%a0: tensor<4x1xf32>, %b0: tensor<1x5xf32>) -> tensor<4x5xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<4x1xf32>, tensor<1x5xf32>) -> tensor<4x5xf32> {
    %1 = graph.unary abs %b : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %2 = graph.fill 1.0 : f32 : tensor<1xf32>
    %3 = graph.binary add %1, %2 : (tensor<1x5xf32>, tensor<1xf32>) -> tensor<1x5xf32>
    %4 = graph.binary div %a, %3 : (tensor<4x1xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
    graph.yield %4 : tensor<4x5xf32>
  }
  return %k : tensor<4x5xf32>
}

// A number per row, for every matrix.
// CHECK-LABEL: func.func @min_bf16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 24 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 4, grain = 16384, stage = false>: 1 tasks, 24 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 24 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 24 elements equal
func.func @min_bf16(%a0: tensor<2x3x4xbf16>, %b0: tensor<3x1xbf16>) -> tensor<2x3x4xbf16> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<2x3x4xbf16>, tensor<3x1xbf16>) -> tensor<2x3x4xbf16> {
    %1 = graph.binary min %a, %b : (tensor<2x3x4xbf16>, tensor<3x1xbf16>) -> tensor<2x3x4xbf16>
    graph.yield %1 : tensor<2x3x4xbf16>
  }
  return %k : tensor<2x3x4xbf16>
}

// One number on the left.
// CHECK-LABEL: func.func @max_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @max_f32(%a0: tensor<1xf32>, %b0: tensor<37xf32>) -> tensor<37xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<1xf32>, tensor<37xf32>) -> tensor<37xf32> {
    %1 = graph.binary max %a, %b : (tensor<1xf32>, tensor<37xf32>) -> tensor<37xf32>
    graph.yield %1 : tensor<37xf32>
  }
  return %k : tensor<37xf32>
}

// One exponent for all.
// CHECK-LABEL: func.func @pow_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 4096, stage = false>: 1 tasks, 40 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>: 1 tasks, 40 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 40 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 40 elements equal
func.func @pow_f32(%a0: tensor<40xf32>, %b0: tensor<1xf32>) -> tensor<40xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<40xf32>, tensor<1xf32>) -> tensor<40xf32> {
    %1 = graph.unary abs %a : (tensor<40xf32>) -> tensor<40xf32>
    %2 = graph.binary pow %1, %b : (tensor<40xf32>, tensor<1xf32>) -> tensor<40xf32>
    graph.yield %2 : tensor<40xf32>
  }
  return %k : tensor<40xf32>
}

// With the sign of the divisor ...
// CHECK-LABEL: func.func @mod_i32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 33 elements equal
func.func @mod_i32(%a0: tensor<33xi32>, %b0: tensor<33xi32>) -> tensor<33xi32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<33xi32>, tensor<33xi32>) -> tensor<33xi32> {
    %1 = graph.fill 3 : i32 : tensor<1xi32>
    %2 = graph.binary sub %a, %1 : (tensor<33xi32>, tensor<1xi32>) -> tensor<33xi32>
    %3 = graph.binary add %b, %1 : (tensor<33xi32>, tensor<1xi32>) -> tensor<33xi32>
    %4 = graph.binary mod %2, %3 : (tensor<33xi32>, tensor<33xi32>) -> tensor<33xi32>
    graph.yield %4 : tensor<33xi32>
  }
  return %k : tensor<33xi32>
}

// ... and with that of the dividend.
// CHECK-LABEL: func.func @fmod_i32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 33 elements equal
func.func @fmod_i32(%a0: tensor<33xi32>, %b0: tensor<33xi32>) -> tensor<33xi32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<33xi32>, tensor<33xi32>) -> tensor<33xi32> {
    %1 = graph.fill 3 : i32 : tensor<1xi32>
    %2 = graph.binary sub %a, %1 : (tensor<33xi32>, tensor<1xi32>) -> tensor<33xi32>
    %3 = graph.binary add %b, %1 : (tensor<33xi32>, tensor<1xi32>) -> tensor<33xi32>
    %4 = graph.binary fmod %2, %3 : (tensor<33xi32>, tensor<33xi32>) -> tensor<33xi32>
    graph.yield %4 : tensor<33xi32>
  }
  return %k : tensor<33xi32>
}

// Integers are divided towards zero.
// CHECK-LABEL: func.func @div_i64
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 33 elements equal
func.func @div_i64(%a0: tensor<33xi64>, %b0: tensor<33xi64>) -> tensor<33xi64> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<33xi64>, tensor<33xi64>) -> tensor<33xi64> {
    %1 = graph.fill 3 : i64 : tensor<1xi64>
    %2 = graph.binary sub %a, %1 : (tensor<33xi64>, tensor<1xi64>) -> tensor<33xi64>
    %3 = graph.binary add %b, %1 : (tensor<33xi64>, tensor<1xi64>) -> tensor<33xi64>
    %4 = graph.binary div %2, %3 : (tensor<33xi64>, tensor<33xi64>) -> tensor<33xi64>
    graph.yield %4 : tensor<33xi64>
  }
  return %k : tensor<33xi64>
}

// Booleans with a row of booleans.
// CHECK-LABEL: func.func @logical_and_i1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 21 elements equal
func.func @logical_and_i1(%a0: tensor<3x7xi1>, %b0: tensor<7xi1>) -> tensor<3x7xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x7xi1>, tensor<7xi1>) -> tensor<3x7xi1> {
    %1 = graph.binary logical_and %a, %b : (tensor<3x7xi1>, tensor<7xi1>) -> tensor<3x7xi1>
    graph.yield %1 : tensor<3x7xi1>
  }
  return %k : tensor<3x7xi1>
}

// A boolean per row.
// CHECK-LABEL: func.func @logical_or_i1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 2048, stage = false, threads = 128, group_threads = 2>: 1 tasks, 21 elements equal
func.func @logical_or_i1(%a0: tensor<3x7xi1>, %b0: tensor<3x1xi1>) -> tensor<3x7xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x7xi1>, tensor<3x1xi1>) -> tensor<3x7xi1> {
    %1 = graph.binary logical_or %a, %b : (tensor<3x7xi1>, tensor<3x1xi1>) -> tensor<3x7xi1>
    graph.yield %1 : tensor<3x7xi1>
  }
  return %k : tensor<3x7xi1>
}

// One of two.
// CHECK-LABEL: func.func @logical_xor_i1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 21 elements equal
func.func @logical_xor_i1(%a0: tensor<21xi1>, %b0: tensor<21xi1>) -> tensor<21xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<21xi1>, tensor<21xi1>) -> tensor<21xi1> {
    %1 = graph.binary logical_xor %a, %b : (tensor<21xi1>, tensor<21xi1>) -> tensor<21xi1>
    graph.yield %1 : tensor<21xi1>
  }
  return %k : tensor<21xi1>
}

// Bits of bytes.
// CHECK-LABEL: func.func @bit_and_i8
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 50 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 50 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 50 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 50 elements equal
func.func @bit_and_i8(%a0: tensor<50xi8>, %b0: tensor<50xi8>) -> tensor<50xi8> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<50xi8>, tensor<50xi8>) -> tensor<50xi8> {
    %1 = graph.binary bit_and %a, %b : (tensor<50xi8>, tensor<50xi8>) -> tensor<50xi8>
    graph.yield %1 : tensor<50xi8>
  }
  return %k : tensor<50xi8>
}

// Bits of 16.
// CHECK-LABEL: func.func @bit_or_i16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 50 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 50 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 50 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 50 elements equal
func.func @bit_or_i16(%a0: tensor<50xi16>, %b0: tensor<1xi16>) -> tensor<50xi16> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<50xi16>, tensor<1xi16>) -> tensor<50xi16> {
    %1 = graph.binary bit_or %a, %b : (tensor<50xi16>, tensor<1xi16>) -> tensor<50xi16>
    graph.yield %1 : tensor<50xi16>
  }
  return %k : tensor<50xi16>
}

// Bits of 64.
// CHECK-LABEL: func.func @bit_xor_i64
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 63 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 63 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 63 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 63 elements equal
func.func @bit_xor_i64(%a0: tensor<7x9xi64>, %b0: tensor<9xi64>) -> tensor<7x9xi64> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<7x9xi64>, tensor<9xi64>) -> tensor<7x9xi64> {
    %1 = graph.binary bit_xor %a, %b : (tensor<7x9xi64>, tensor<9xi64>) -> tensor<7x9xi64>
    graph.yield %1 : tensor<7x9xi64>
  }
  return %k : tensor<7x9xi64>
}

// Bytes without a sign.
// CHECK-LABEL: func.func @shift_left_ui8
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 30 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 30 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 30 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 30 elements equal
func.func @shift_left_ui8(%a0: tensor<30xui8>, %b0: tensor<30xui8>) -> tensor<30xui8> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<30xui8>, tensor<30xui8>) -> tensor<30xui8> {
    %1 = graph.binary shift_left %a, %b : (tensor<30xui8>, tensor<30xui8>) -> tensor<30xui8>
    graph.yield %1 : tensor<30xui8>
  }
  return %k : tensor<30xui8>
}

// Zeros come in from the left.
// CHECK-LABEL: func.func @shift_right_ui32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 30 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 30 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 30 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 30 elements equal
func.func @shift_right_ui32(%a0: tensor<30xui32>, %b0: tensor<1xui32>) -> tensor<30xui32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<30xui32>, tensor<1xui32>) -> tensor<30xui32> {
    %1 = graph.binary shift_right %a, %b : (tensor<30xui32>, tensor<1xui32>) -> tensor<30xui32>
    graph.yield %1 : tensor<30xui32>
  }
  return %k : tensor<30xui32>
}
