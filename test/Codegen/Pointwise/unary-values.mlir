// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Functions of one tensor: every kind, in a type and a size that say something.

// Fewer elements than a vector of the host has.
// CHECK-LABEL: func.func @abs_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 15 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 15 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 15 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 15 elements equal
func.func @abs_f32(%a0: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<3x5xf32>) -> tensor<3x5xf32> {
    %1 = graph.unary abs %a : (tensor<3x5xf32>) -> tensor<3x5xf32>
    graph.yield %1 : tensor<3x5xf32>
  }
  return %k : tensor<3x5xf32>
}

// A ragged end in f16.
// CHECK-LABEL: func.func @neg_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 33 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 33 elements equal
func.func @neg_f16(%a0: tensor<33xf16>) -> tensor<33xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<33xf16>) -> tensor<33xf16> {
    %1 = graph.unary neg %a : (tensor<33xf16>) -> tensor<33xf16>
    graph.yield %1 : tensor<33xf16>
  }
  return %k : tensor<33xf16>
}

// Rows that are no whole number of vectors are one row of 80.
// CHECK-LABEL: func.func @exp_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 80 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 80 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 80 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 80 elements equal
func.func @exp_f32(%a0: tensor<2x40xf32>) -> tensor<2x40xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<2x40xf32>) -> tensor<2x40xf32> {
    %1 = graph.unary exp %a : (tensor<2x40xf32>) -> tensor<2x40xf32>
    graph.yield %1 : tensor<2x40xf32>
  }
  return %k : tensor<2x40xf32>
}

// Four or eight numbers of 64 bits are a vector.
// CHECK-LABEL: func.func @sqrt_f64
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 7 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 7 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8, grain = 1024, stage = false, threads = 128, group_threads = 4>: 1 tasks, 7 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8, grain = 1024, stage = false, threads = 128, group_threads = 4>: 1 tasks, 7 elements equal
func.func @sqrt_f64(%a0: tensor<7xf64>) -> tensor<7xf64> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<7xf64>) -> tensor<7xf64> {
    %1 = graph.unary sqrt %a : (tensor<7xf64>) -> tensor<7xf64>
    graph.yield %1 : tensor<7xf64>
  }
  return %k : tensor<7xf64>
}

// bf16 is computed in f32: one rounding at the end.
// CHECK-LABEL: func.func @reciprocal_bf16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 129 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 129 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 129 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 129 elements equal
func.func @reciprocal_bf16(%a0: tensor<129xbf16>) -> tensor<129xbf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<129xbf16>) -> tensor<129xbf16> {
    %1 = graph.unary reciprocal %a : (tensor<129xbf16>) -> tensor<129xbf16>
    graph.yield %1 : tensor<129xbf16>
  }
  return %k : tensor<129xbf16>
}

// Whole vectors only.
// CHECK-LABEL: func.func @erf_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>: 1 tasks, 64 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>: 1 tasks, 64 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 64 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 64 elements equal
func.func @erf_f32(%a0: tensor<64xf32>) -> tensor<64xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<64xf32>) -> tensor<64xf32> {
    %1 = graph.unary erf %a : (tensor<64xf32>) -> tensor<64xf32>
    graph.yield %1 : tensor<64xf32>
  }
  return %k : tensor<64xf32>
}

// One element.
// CHECK-LABEL: func.func @tanh_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 1, grain = 16384, stage = false>: 1 tasks, 1 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 1 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 1, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 1 elements equal
func.func @tanh_f32(%a0: tensor<1xf32>) -> tensor<1xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<1xf32>) -> tensor<1xf32> {
    %1 = graph.unary tanh %a : (tensor<1xf32>) -> tensor<1xf32>
    graph.yield %1 : tensor<1xf32>
  }
  return %k : tensor<1xf32>
}

// Three dims are one row.
// CHECK-LABEL: func.func @sigmoid_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>: 1 tasks, 105 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>: 1 tasks, 105 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 105 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 105 elements equal
func.func @sigmoid_f16(%a0: tensor<5x3x7xf16>) -> tensor<5x3x7xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<5x3x7xf16>) -> tensor<5x3x7xf16> {
    %1 = graph.unary sigmoid %a : (tensor<5x3x7xf16>) -> tensor<5x3x7xf16>
    graph.yield %1 : tensor<5x3x7xf16>
  }
  return %k : tensor<5x3x7xf16>
}

// A ragged end in bf16.
// CHECK-LABEL: func.func @relu_bf16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 272 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 272 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 272 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 2048, stage = false, threads = 128, group_threads = 4>: 1 tasks, 272 elements equal
func.func @relu_bf16(%a0: tensor<17x16xbf16>) -> tensor<17x16xbf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<17x16xbf16>) -> tensor<17x16xbf16> {
    %1 = graph.unary relu %a : (tensor<17x16xbf16>) -> tensor<17x16xbf16>
    graph.yield %1 : tensor<17x16xbf16>
  }
  return %k : tensor<17x16xbf16>
}

// One less than a vector.
// CHECK-LABEL: func.func @sin_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 31 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 31 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 31 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 31 elements equal
func.func @sin_f32(%a0: tensor<31xf32>) -> tensor<31xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<31xf32>) -> tensor<31xf32> {
    %1 = graph.unary sin %a : (tensor<31xf32>) -> tensor<31xf32>
    graph.yield %1 : tensor<31xf32>
  }
  return %k : tensor<31xf32>
}

// f64 on all.
// CHECK-LABEL: func.func @cos_f64
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 130 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 130 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 2, grain = 1024, stage = false, threads = 128, group_threads = 1>: 1 tasks, 130 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 2, grain = 1024, stage = false, threads = 128, group_threads = 1>: 1 tasks, 130 elements equal
func.func @cos_f64(%a0: tensor<130xf64>) -> tensor<130xf64> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<130xf64>) -> tensor<130xf64> {
    %1 = graph.unary cos %a : (tensor<130xf64>) -> tensor<130xf64>
    graph.yield %1 : tensor<130xf64>
  }
  return %k : tensor<130xf64>
}

// Integers have signs ...
// CHECK-LABEL: func.func @sign_i32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 19 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 19 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 19 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 19 elements equal
func.func @sign_i32(%a0: tensor<19xi32>) -> tensor<19xi32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<19xi32>) -> tensor<19xi32> {
    %1 = graph.unary sign %a : (tensor<19xi32>) -> tensor<19xi32>
    graph.yield %1 : tensor<19xi32>
  }
  return %k : tensor<19xi32>
}

// ... and magnitudes, of 8 bits as well.
// CHECK-LABEL: func.func @abs_i8
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 19 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 19 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 19 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 19 elements equal
func.func @abs_i8(%a0: tensor<19xi8>) -> tensor<19xi8> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<19xi8>) -> tensor<19xi8> {
    %1 = graph.unary abs %a : (tensor<19xi8>) -> tensor<19xi8>
    graph.yield %1 : tensor<19xi8>
  }
  return %k : tensor<19xi8>
}

// The exact one, by erf, in f32 and rounded once.
// CHECK-LABEL: func.func @gelu_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>: 1 tasks, 100 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>: 1 tasks, 100 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 100 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 100 elements equal
func.func @gelu_f16(%a0: tensor<100xf16>) -> tensor<100xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<100xf16>) -> tensor<100xf16> {
    %1 = graph.unary gelu %a : (tensor<100xf16>) -> tensor<100xf16>
    graph.yield %1 : tensor<100xf16>
  }
  return %k : tensor<100xf16>
}

// The one by tanh.
// CHECK-LABEL: func.func @gelu_tanh_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>: 1 tasks, 100 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>: 1 tasks, 100 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 100 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 100 elements equal
func.func @gelu_tanh_f32(%a0: tensor<100xf32>) -> tensor<100xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<100xf32>) -> tensor<100xf32> {
    %1 = graph.unary gelu_tanh %a : (tensor<100xf32>) -> tensor<100xf32>
    graph.yield %1 : tensor<100xf32>
  }
  return %k : tensor<100xf32>
}

// x * sigmoid(x).
// CHECK-LABEL: func.func @silu_bf16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>: 1 tasks, 132 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>: 1 tasks, 132 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 132 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 4, grain = 2048, stage = false, threads = 128, group_threads = 1>: 1 tasks, 132 elements equal
func.func @silu_bf16(%a0: tensor<4x33xbf16>) -> tensor<4x33xbf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<4x33xbf16>) -> tensor<4x33xbf16> {
    %1 = graph.unary silu %a : (tensor<4x33xbf16>) -> tensor<4x33xbf16>
    graph.yield %1 : tensor<4x33xbf16>
  }
  return %k : tensor<4x33xbf16>
}

// Bytes of a boolean out of words: the widest type counts for the vector.
// CHECK-LABEL: func.func @is_nan_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 40 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 40 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 40 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 40 elements equal
func.func @is_nan_f32(%a0: tensor<40xf32>) -> tensor<40xi1> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<40xf32>) -> tensor<40xi1> {
    %1 = graph.unary is_nan %a : (tensor<40xf32>) -> tensor<40xi1>
    graph.yield %1 : tensor<40xi1>
  }
  return %k : tensor<40xi1>
}

// log(1 + exp(x)).
// CHECK-LABEL: func.func @softplus_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 20 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 20 elements equal
func.func @softplus_f32(%a0: tensor<20xf32>) -> tensor<20xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<20xf32>) -> tensor<20xf32> {
    %1 = graph.unary softplus %a : (tensor<20xf32>) -> tensor<20xf32>
    graph.yield %1 : tensor<20xf32>
  }
  return %k : tensor<20xf32>
}

// Rounding of f16 is exact.
// CHECK-LABEL: func.func @floor_f16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 35 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 35 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 35 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 35 elements equal
func.func @floor_f16(%a0: tensor<35xf16>) -> tensor<35xf16> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<35xf16>) -> tensor<35xf16> {
    %1 = graph.unary floor %a : (tensor<35xf16>) -> tensor<35xf16>
    graph.yield %1 : tensor<35xf16>
  }
  return %k : tensor<35xf16>
}

// Upwards.
// CHECK-LABEL: func.func @ceil_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 35 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 35 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 35 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 35 elements equal
func.func @ceil_f32(%a0: tensor<35xf32>) -> tensor<35xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<35xf32>) -> tensor<35xf32> {
    %1 = graph.unary ceil %a : (tensor<35xf32>) -> tensor<35xf32>
    graph.yield %1 : tensor<35xf32>
  }
  return %k : tensor<35xf32>
}

// Ties to even.
// CHECK-LABEL: func.func @round_f32
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 35 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 35 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 35 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 35 elements equal
func.func @round_f32(%a0: tensor<35xf32>) -> tensor<35xf32> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<35xf32>) -> tensor<35xf32> {
    %1 = graph.unary round %a : (tensor<35xf32>) -> tensor<35xf32>
    graph.yield %1 : tensor<35xf32>
  }
  return %k : tensor<35xf32>
}

// Booleans are bytes of 0 and 1.
// CHECK-LABEL: func.func @logical_not
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 21 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 21 elements equal
func.func @logical_not(%a0: tensor<21xi1>) -> tensor<21xi1> {
  %k = graph.kernel "pointwise" (%a = %a0) : (tensor<21xi1>) -> tensor<21xi1> {
    %1 = graph.unary logical_not %a : (tensor<21xi1>) -> tensor<21xi1>
    graph.yield %1 : tensor<21xi1>
  }
  return %k : tensor<21xi1>
}
