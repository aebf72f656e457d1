// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Comparisons, selections and casts.

// Booleans out of i64.
// CHECK-LABEL: func.func @equal
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 33 elements equal
func.func @equal(%a0: tensor<3x11xi64>, %b0: tensor<11xi64>) -> tensor<3x11xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x11xi64>, tensor<11xi64>) -> tensor<3x11xi1> {
    %1 = graph.compare equal %a, %b : (tensor<3x11xi64>, tensor<11xi64>) -> tensor<3x11xi1>
    graph.yield %1 : tensor<3x11xi1>
  }
  return %k : tensor<3x11xi1>
}

// Booleans out of f32.
// CHECK-LABEL: func.func @not_equal
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 33 elements equal
func.func @not_equal(%a0: tensor<3x11xf32>, %b0: tensor<11xf32>) -> tensor<3x11xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x11xf32>, tensor<11xf32>) -> tensor<3x11xi1> {
    %1 = graph.compare not_equal %a, %b : (tensor<3x11xf32>, tensor<11xf32>) -> tensor<3x11xi1>
    graph.yield %1 : tensor<3x11xi1>
  }
  return %k : tensor<3x11xi1>
}

// Booleans out of f16.
// CHECK-LABEL: func.func @less
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 33 elements equal
func.func @less(%a0: tensor<3x11xf16>, %b0: tensor<11xf16>) -> tensor<3x11xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x11xf16>, tensor<11xf16>) -> tensor<3x11xi1> {
    %1 = graph.compare less %a, %b : (tensor<3x11xf16>, tensor<11xf16>) -> tensor<3x11xi1>
    graph.yield %1 : tensor<3x11xi1>
  }
  return %k : tensor<3x11xi1>
}

// Booleans out of bf16.
// CHECK-LABEL: func.func @less_equal
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 33 elements equal
func.func @less_equal(%a0: tensor<3x11xbf16>, %b0: tensor<11xbf16>) -> tensor<3x11xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x11xbf16>, tensor<11xbf16>) -> tensor<3x11xi1> {
    %1 = graph.compare less_equal %a, %b : (tensor<3x11xbf16>, tensor<11xbf16>) -> tensor<3x11xi1>
    graph.yield %1 : tensor<3x11xi1>
  }
  return %k : tensor<3x11xi1>
}

// Booleans out of i8.
// CHECK-LABEL: func.func @greater
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 33 elements equal
func.func @greater(%a0: tensor<3x11xi8>, %b0: tensor<11xi8>) -> tensor<3x11xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x11xi8>, tensor<11xi8>) -> tensor<3x11xi1> {
    %1 = graph.compare greater %a, %b : (tensor<3x11xi8>, tensor<11xi8>) -> tensor<3x11xi1>
    graph.yield %1 : tensor<3x11xi1>
  }
  return %k : tensor<3x11xi1>
}

// Booleans out of f64.
// CHECK-LABEL: func.func @greater_equal
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 1024, stage = false, threads = 128, group_threads = 8>: 1 tasks, 33 elements equal
func.func @greater_equal(%a0: tensor<3x11xf64>, %b0: tensor<11xf64>) -> tensor<3x11xi1> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<3x11xf64>, tensor<11xf64>) -> tensor<3x11xi1> {
    %1 = graph.compare greater_equal %a, %b : (tensor<3x11xf64>, tensor<11xf64>) -> tensor<3x11xi1>
    graph.yield %1 : tensor<3x11xi1>
  }
  return %k : tensor<3x11xi1>
}

// A boolean per row selects whole rows.
// CHECK-LABEL: func.func @select
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 45 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 45 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 45 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 45 elements equal
func.func @select(%a0: tensor<5x1xi1>, %b0: tensor<5x9xf32>, %c0: tensor<9xf32>) -> tensor<5x9xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0) : (tensor<5x1xi1>, tensor<5x9xf32>, tensor<9xf32>) -> tensor<5x9xf32> {
    %1 = graph.select %a, %b, %c : (tensor<5x1xi1>, tensor<5x9xf32>, tensor<9xf32>) -> tensor<5x9xf32>
    graph.yield %1 : tensor<5x9xf32>
  }
  return %k : tensor<5x9xf32>
}

// Booleans beside halves: accesses of two widths in one fragment.
// CHECK-LABEL: func.func @select_halves
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 45 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 45 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 45 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 45 elements equal
func.func @select_halves(%a0: tensor<5x9xi1>, %b0: tensor<5x9xf16>, %c0: tensor<1xf16>) -> tensor<5x9xf16> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0) : (tensor<5x9xi1>, tensor<5x9xf16>, tensor<1xf16>) -> tensor<5x9xf16> {
    %1 = graph.select %a, %b, %c : (tensor<5x9xi1>, tensor<5x9xf16>, tensor<1xf16>) -> tensor<5x9xf16>
    graph.yield %1 : tensor<5x9xf16>
  }
  return %k : tensor<5x9xf16>
}

// Bytes.
// CHECK-LABEL: func.func @select_bytes
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 40 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 40 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 40 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 40 elements equal
func.func @select_bytes(%a0: tensor<40xi1>, %b0: tensor<40xi8>, %c0: tensor<40xi8>) -> tensor<40xi8> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0, %c = %c0) : (tensor<40xi1>, tensor<40xi8>, tensor<40xi8>) -> tensor<40xi8> {
    %1 = graph.select %a, %b, %c : (tensor<40xi1>, tensor<40xi8>, tensor<40xi8>) -> tensor<40xi8>
    graph.yield %1 : tensor<40xi8>
  }
  return %k : tensor<40xi8>
}

// A condition that is computed here, of the tensors that it selects from: the larger of both.
// CHECK-LABEL: func.func @both_sides
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 41 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 41 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 41 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 41 elements equal
func.func @both_sides(%a0: tensor<41xf32>, %b0: tensor<41xf32>) -> tensor<41xf32> {
  %k = graph.kernel "pointwise" (%a = %a0, %b = %b0) : (tensor<41xf32>, tensor<41xf32>) -> tensor<41xf32> {
    %1 = graph.compare greater %a, %b : (tensor<41xf32>, tensor<41xf32>) -> tensor<41xi1>
    %2 = graph.select %1, %a, %b : (tensor<41xi1>, tensor<41xf32>, tensor<41xf32>) -> tensor<41xf32>
    graph.yield %2 : tensor<41xf32>
  }
  return %k : tensor<41xf32>
}

// Rounded to nearest even.
// CHECK-LABEL: func.func @cast_f32_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_f32_f16(%a0: tensor<37xf32>) -> tensor<37xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xf32>) -> tensor<37xf16> {
    %1 = graph.cast %a : (tensor<37xf32>) -> tensor<37xf16>
    graph.yield %1 : tensor<37xf16>
  }
  return %k : tensor<37xf16>
}

// Exact.
// CHECK-LABEL: func.func @cast_f16_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_f16_f32(%a0: tensor<37xf16>) -> tensor<37xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xf16>) -> tensor<37xf32> {
    %1 = graph.cast %a : (tensor<37xf16>) -> tensor<37xf32>
    graph.yield %1 : tensor<37xf32>
  }
  return %k : tensor<37xf32>
}

// By way of f32.
// CHECK-LABEL: func.func @cast_bf16_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_bf16_f16(%a0: tensor<37xbf16>) -> tensor<37xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xbf16>) -> tensor<37xf16> {
    %1 = graph.cast %a : (tensor<37xbf16>) -> tensor<37xf16>
    graph.yield %1 : tensor<37xf16>
  }
  return %k : tensor<37xf16>
}

// Towards zero, and to the ends of the type.
// CHECK-LABEL: func.func @cast_f32_i8
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_f32_i8(%a0: tensor<37xf32>) -> tensor<37xi8> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xf32>) -> tensor<37xi8> {
    %1 = graph.cast %a : (tensor<37xf32>) -> tensor<37xi8>
    graph.yield %1 : tensor<37xi8>
  }
  return %k : tensor<37xi8>
}

// Exact.
// CHECK-LABEL: func.func @cast_i8_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_i8_f32(%a0: tensor<37xi8>) -> tensor<37xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xi8>) -> tensor<37xf32> {
    %1 = graph.cast %a : (tensor<37xi8>) -> tensor<37xf32>
    graph.yield %1 : tensor<37xf32>
  }
  return %k : tensor<37xf32>
}

// The low bits.
// CHECK-LABEL: func.func @cast_i64_i32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 37 elements equal
func.func @cast_i64_i32(%a0: tensor<37xi64>) -> tensor<37xi32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xi64>) -> tensor<37xi32> {
    %1 = graph.cast %a : (tensor<37xi64>) -> tensor<37xi32>
    graph.yield %1 : tensor<37xi32>
  }
  return %k : tensor<37xi32>
}

// With the sign.
// CHECK-LABEL: func.func @cast_i32_i64
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 37 elements equal
func.func @cast_i32_i64(%a0: tensor<37xi32>) -> tensor<37xi64> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xi32>) -> tensor<37xi64> {
    %1 = graph.cast %a : (tensor<37xi32>) -> tensor<37xi64>
    graph.yield %1 : tensor<37xi64>
  }
  return %k : tensor<37xi64>
}

// Without one.
// CHECK-LABEL: func.func @cast_ui8_i32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_ui8_i32(%a0: tensor<37xui8>) -> tensor<37xi32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xui8>) -> tensor<37xi32> {
    %1 = graph.cast %a : (tensor<37xui8>) -> tensor<37xi32>
    graph.yield %1 : tensor<37xi32>
  }
  return %k : tensor<37xi32>
}

// Whether it is not 0.
// CHECK-LABEL: func.func @cast_f32_i1
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_f32_i1(%a0: tensor<37xf32>) -> tensor<37xi1> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xf32>) -> tensor<37xi1> {
    %1 = graph.cast %a : (tensor<37xf32>) -> tensor<37xi1>
    graph.yield %1 : tensor<37xi1>
  }
  return %k : tensor<37xi1>
}

// 0 or 1.
// CHECK-LABEL: func.func @cast_i1_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_i1_f16(%a0: tensor<37xi1>) -> tensor<37xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xi1>) -> tensor<37xf16> {
    %1 = graph.cast %a : (tensor<37xi1>) -> tensor<37xf16>
    graph.yield %1 : tensor<37xf16>
  }
  return %k : tensor<37xf16>
}

// Rounded once.
// CHECK-LABEL: func.func @cast_f64_bf16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 37 elements equal
func.func @cast_f64_bf16(%a0: tensor<37xf64>) -> tensor<37xbf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xf64>) -> tensor<37xbf16> {
    %1 = graph.cast %a : (tensor<37xf64>) -> tensor<37xbf16>
    graph.yield %1 : tensor<37xbf16>
  }
  return %k : tensor<37xbf16>
}

// Rounded once.
// CHECK-LABEL: func.func @cast_i64_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 1024, stage = false, threads = 128, group_threads = 32>: 1 tasks, 37 elements equal
func.func @cast_i64_f32(%a0: tensor<37xi64>) -> tensor<37xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xi64>) -> tensor<37xf32> {
    %1 = graph.cast %a : (tensor<37xi64>) -> tensor<37xf32>
    graph.yield %1 : tensor<37xf32>
  }
  return %k : tensor<37xf32>
}

// Up to 200 on both sides: the ends of i8.
// CHECK-LABEL: func.func @cast_saturates
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_saturates(%a0: tensor<37xf32>) -> tensor<37xi8> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xf32>) -> tensor<37xi8> {
    %1 = graph.fill 100.0 : f32 : tensor<1xf32>
    %2 = graph.binary mul %a, %1 : (tensor<37xf32>, tensor<1xf32>) -> tensor<37xf32>
    %3 = graph.cast %2 : (tensor<37xf32>) -> tensor<37xi8>
    graph.yield %3 : tensor<37xi8>
  }
  return %k : tensor<37xi8>
}

// Below 0 and above 255: the ends of ui8.
// CHECK-LABEL: func.func @cast_saturates_unsigned
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 37 elements equal
func.func @cast_saturates_unsigned(%a0: tensor<37xf16>) -> tensor<37xui8> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<37xf16>) -> tensor<37xui8> {
    %1 = graph.fill 200.0 : f16 : tensor<1xf16>
    %2 = graph.binary mul %a, %1 : (tensor<37xf16>, tensor<1xf16>) -> tensor<37xf16>
    %3 = graph.cast %2 : (tensor<37xf16>) -> tensor<37xui8>
    graph.yield %3 : tensor<37xui8>
  }
  return %k : tensor<37xui8>
}
