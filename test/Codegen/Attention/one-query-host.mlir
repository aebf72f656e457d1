// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4" -o /dev/null | FileCheck %s
// Attention with one query on a host: the query heads of a key head are rows of a tile.
// NOTE: checks by tools/update-lit-checks

// Four heads of each of two key heads; values of 64 columns are read where they lie.
// CHECK-LABEL: func.func @grouped
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 1024 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 16 tasks, 1024 elements equal
func.func @grouped(%a0: tensor<2x8x1x64xf32>, %b0: tensor<2x2x75x64xf32>, %c0: tensor<2x2x75x64xf32>) -> tensor<2x8x1x64xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<2x8x1x64xf32>, tensor<2x2x75x64xf32>, tensor<2x2x75x64xf32>) -> tensor<2x8x1x64xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal} : (tensor<2x8x1x64xf32>, tensor<2x2x75x64xf32>, tensor<2x2x75x64xf32>) -> tensor<2x8x1x64xf32>
    graph.yield %1 : tensor<2x8x1x64xf32>
  }
  return %k : tensor<2x8x1x64xf32>
}

// No heads in common.
// CHECK-LABEL: func.func @alone
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 5 tasks, 160 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 5 tasks, 160 elements equal
func.func @alone(%a0: tensor<1x5x1x32xf32>, %b0: tensor<1x5x70x32xf32>, %c0: tensor<1x5x70x32xf32>) -> tensor<1x5x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x5x1x32xf32>, tensor<1x5x70x32xf32>, tensor<1x5x70x32xf32>) -> tensor<1x5x1x32xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x5x1x32xf32>, tensor<1x5x70x32xf32>, tensor<1x5x70x32xf32>) -> tensor<1x5x1x32xf32>
    graph.yield %1 : tensor<1x5x1x32xf32>
  }
  return %k : tensor<1x5x1x32xf32>
}

// One key head, which is read by some tasks, so that there is more than one.
// CHECK-LABEL: func.func @shared_by_all
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 16 tasks, 512 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 16 tasks, 512 elements equal
func.func @shared_by_all(%a0: tensor<1x16x1x32xf32>, %b0: tensor<1x1x130x32xf32>, %c0: tensor<1x1x130x32xf32>) -> tensor<1x16x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x16x1x32xf32>, tensor<1x1x130x32xf32>, tensor<1x1x130x32xf32>) -> tensor<1x16x1x32xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x16x1x32xf32>, tensor<1x1x130x32xf32>, tensor<1x1x130x32xf32>) -> tensor<1x16x1x32xf32>
    graph.yield %1 : tensor<1x16x1x32xf32>
  }
  return %k : tensor<1x16x1x32xf32>
}

// More heads than a register tile has rows.
// CHECK-LABEL: func.func @many
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 96 tasks, 3072 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 96 tasks, 3072 elements equal
func.func @many(%a0: tensor<1x96x1x32xf32>, %b0: tensor<1x4x33x32xf32>, %c0: tensor<1x4x33x32xf32>) -> tensor<1x96x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x96x1x32xf32>, tensor<1x4x33x32xf32>, tensor<1x4x33x32xf32>) -> tensor<1x96x1x32xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x96x1x32xf32>, tensor<1x4x33x32xf32>, tensor<1x4x33x32xf32>) -> tensor<1x96x1x32xf32>
    graph.yield %1 : tensor<1x96x1x32xf32>
  }
  return %k : tensor<1x96x1x32xf32>
}

// Columns that are no whole panels: values are packed.
// CHECK-LABEL: func.func @odd_columns
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 240 elements equal
func.func @odd_columns(%a0: tensor<1x6x1x24xf32>, %b0: tensor<1x2x19x24xf32>, %c0: tensor<1x2x19x40xf32>) -> tensor<1x6x1x40xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x6x1x24xf32>, tensor<1x2x19x24xf32>, tensor<1x2x19x40xf32>) -> tensor<1x6x1x40xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x6x1x24xf32>, tensor<1x2x19x24xf32>, tensor<1x2x19x40xf32>) -> tensor<1x6x1x40xf32>
    graph.yield %1 : tensor<1x6x1x40xf32>
  }
  return %k : tensor<1x6x1x40xf32>
}

// More columns than registers hold.
// CHECK-LABEL: func.func @wide
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 24 tasks, 6144 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 24 tasks, 6144 elements equal
func.func @wide(%a0: tensor<1x24x1x32xf32>, %b0: tensor<1x4x21x32xf32>, %c0: tensor<1x4x21x256xf32>) -> tensor<1x24x1x256xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x24x1x32xf32>, tensor<1x4x21x32xf32>, tensor<1x4x21x256xf32>) -> tensor<1x24x1x256xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x24x1x32xf32>, tensor<1x4x21x32xf32>, tensor<1x4x21x256xf32>) -> tensor<1x24x1x256xf32>
    graph.yield %1 : tensor<1x24x1x256xf32>
  }
  return %k : tensor<1x24x1x256xf32>
}

// A window ends at the only query.
// CHECK-LABEL: func.func @window
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 256 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 256 elements equal
func.func @window(%a0: tensor<1x8x1x32xf32>, %b0: tensor<1x4x75x32xf32>, %c0: tensor<1x4x75x32xf32>) -> tensor<1x8x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x8x1x32xf32>, tensor<1x4x75x32xf32>, tensor<1x4x75x32xf32>) -> tensor<1x8x1x32xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal, window = 20 : i64} : (tensor<1x8x1x32xf32>, tensor<1x4x75x32xf32>, tensor<1x4x75x32xf32>) -> tensor<1x8x1x32xf32>
    graph.yield %1 : tensor<1x8x1x32xf32>
  }
  return %k : tensor<1x8x1x32xf32>
}

// Sequences of different lengths, one of them longer than there are keys.
// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 12 tasks, 384 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 12 tasks, 384 elements equal
func.func @lengths(%a0: tensor<3x4x1x32xf32>, %b0: tensor<3x2x40x32xf32>, %c0: tensor<3x2x40x32xf32>, %l0: tensor<3xi64>) -> tensor<3x4x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<3x4x1x32xf32>, tensor<3x2x40x32xf32>, tensor<3x2x40x32xf32>, tensor<3xi64>) -> tensor<3x4x1x32xf32> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero} : (tensor<3x4x1x32xf32>, tensor<3x2x40x32xf32>, tensor<3x2x40x32xf32>, tensor<3xi64>) -> tensor<3x4x1x32xf32>
    graph.yield %1 : tensor<3x4x1x32xf32>
  }
  return %k : tensor<3x4x1x32xf32>
}

// The same with a window.
// CHECK-LABEL: func.func @lengths_window
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 12 tasks, 384 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 12 tasks, 384 elements equal
func.func @lengths_window(%a0: tensor<3x4x1x32xf32>, %b0: tensor<3x2x40x32xf32>, %c0: tensor<3x2x40x32xf32>, %l0: tensor<3xi64>) -> tensor<3x4x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %l = %l0) : (tensor<3x4x1x32xf32>, tensor<3x2x40x32xf32>, tensor<3x2x40x32xf32>, tensor<3xi64>) -> tensor<3x4x1x32xf32> {
    %1 = graph.attention %a, %b, %c lengths %l {scale = 0.25 : f64, causal, from_length, masked_zero, window = 7 : i64} : (tensor<3x4x1x32xf32>, tensor<3x2x40x32xf32>, tensor<3x2x40x32xf32>, tensor<3xi64>) -> tensor<3x4x1x32xf32>
    graph.yield %1 : tensor<3x4x1x32xf32>
  }
  return %k : tensor<3x4x1x32xf32>
}

// A sink per query head.
// CHECK-LABEL: func.func @sinks
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 8 tasks, 256 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 8 tasks, 256 elements equal
func.func @sinks(%a0: tensor<1x8x1x32xf32>, %b0: tensor<1x2x33x32xf32>, %c0: tensor<1x2x33x32xf32>, %s0: tensor<8xf32>) -> tensor<1x8x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %s = %s0) : (tensor<1x8x1x32xf32>, tensor<1x2x33x32xf32>, tensor<1x2x33x32xf32>, tensor<8xf32>) -> tensor<1x8x1x32xf32> {
    %1 = graph.attention %a, %b, %c sinks %s {scale = 0.25 : f64} : (tensor<1x8x1x32xf32>, tensor<1x2x33x32xf32>, tensor<1x2x33x32xf32>, tensor<8xf32>) -> tensor<1x8x1x32xf32>
    graph.yield %1 : tensor<1x8x1x32xf32>
  }
  return %k : tensor<1x8x1x32xf32>
}

// Of one key head.
// CHECK-LABEL: func.func @sinks_of_one
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 24 tasks, 768 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 24 tasks, 768 elements equal
func.func @sinks_of_one(%a0: tensor<3x8x1x32xf32>, %b0: tensor<3x1x33x32xf32>, %c0: tensor<3x1x33x32xf32>, %d0: tensor<3x8x1x33xf32>, %l0: tensor<3xi64>, %s0: tensor<8xf32>) -> tensor<3x8x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0, %l = %l0, %s = %s0) : (tensor<3x8x1x32xf32>, tensor<3x1x33x32xf32>, tensor<3x1x33x32xf32>, tensor<3x8x1x33xf32>, tensor<3xi64>, tensor<8xf32>) -> tensor<3x8x1x32xf32> {
    %1 = graph.attention %a, %b, %c mask %d lengths %l sinks %s {scale = 0.25 : f64, causal, from_length, masked_zero, window = 7 : i64} : (tensor<3x8x1x32xf32>, tensor<3x1x33x32xf32>, tensor<3x1x33x32xf32>, tensor<3x8x1x33xf32>, tensor<3xi64>, tensor<8xf32>) -> tensor<3x8x1x32xf32>
    graph.yield %1 : tensor<3x8x1x32xf32>
  }
  return %k : tensor<3x8x1x32xf32>
}

// A bound of the scores.
// CHECK-LABEL: func.func @softcap
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 128 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 128 elements equal
func.func @softcap(%a0: tensor<1x4x1x32xf32>, %b0: tensor<1x2x33x32xf32>, %c0: tensor<1x2x33x32xf32>) -> tensor<1x4x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x1x32xf32>, tensor<1x2x33x32xf32>, tensor<1x2x33x32xf32>) -> tensor<1x4x1x32xf32> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, softcap = 3.0 : f64} : (tensor<1x4x1x32xf32>, tensor<1x2x33x32xf32>, tensor<1x2x33x32xf32>) -> tensor<1x4x1x32xf32>
    graph.yield %1 : tensor<1x4x1x32xf32>
  }
  return %k : tensor<1x4x1x32xf32>
}

// A mask of each query head.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 128 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 128 elements equal
func.func @mask(%a0: tensor<1x4x1x32xf32>, %b0: tensor<1x2x35x32xf32>, %c0: tensor<1x2x35x32xf32>, %d0: tensor<1x4x1x35xf32>) -> tensor<1x4x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<1x4x1x32xf32>, tensor<1x2x35x32xf32>, tensor<1x2x35x32xf32>, tensor<1x4x1x35xf32>) -> tensor<1x4x1x32xf32> {
    %1 = graph.attention %a, %b, %c mask %d {scale = 0.25 : f64} : (tensor<1x4x1x32xf32>, tensor<1x2x35x32xf32>, tensor<1x2x35x32xf32>, tensor<1x4x1x35xf32>) -> tensor<1x4x1x32xf32>
    graph.yield %1 : tensor<1x4x1x32xf32>
  }
  return %k : tensor<1x4x1x32xf32>
}

// Double precision.
// CHECK-LABEL: func.func @double
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 8, mc = 128>: 4 tasks, 128 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 16, mc = 128>: 4 tasks, 128 elements equal
func.func @double(%a0: tensor<1x4x1x32xf64>, %b0: tensor<1x2x35x32xf64>, %c0: tensor<1x2x35x32xf64>) -> tensor<1x4x1x32xf64> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x1x32xf64>, tensor<1x2x35x32xf64>, tensor<1x2x35x32xf64>) -> tensor<1x4x1x32xf64> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64} : (tensor<1x4x1x32xf64>, tensor<1x2x35x32xf64>, tensor<1x2x35x32xf64>) -> tensor<1x4x1x32xf64>
    graph.yield %1 : tensor<1x4x1x32xf64>
  }
  return %k : tensor<1x4x1x32xf64>
}

// A cache of 16 bits is widened when it is packed.
// CHECK-LABEL: func.func @narrow
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 4 tasks, 128 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 4 tasks, 128 elements equal
func.func @narrow(%a0: tensor<1x4x1x32xf32>, %b0: tensor<1x2x35x32xbf16>, %c0: tensor<1x2x35x32xbf16>) -> tensor<1x4x1x32xf32> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x4x1x32xf32>, tensor<1x2x35x32xbf16>, tensor<1x2x35x32xbf16>) -> tensor<1x4x1x32xf32> {
    %4 = graph.cast %b : (tensor<1x2x35x32xbf16>) -> tensor<1x2x35x32xf32>
    %5 = graph.cast %c : (tensor<1x2x35x32xbf16>) -> tensor<1x2x35x32xf32>
    %1 = graph.attention %a, %4, %5 {scale = 0.25 : f64} : (tensor<1x4x1x32xf32>, tensor<1x2x35x32xf32>, tensor<1x2x35x32xf32>) -> tensor<1x4x1x32xf32>
    graph.yield %1 : tensor<1x4x1x32xf32>
  }
  return %k : tensor<1x4x1x32xf32>
}

// Values of f16, which are widened in the product.
// CHECK-LABEL: func.func @half
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 384 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 384 elements equal
func.func @half(%a0: tensor<1x6x1x64xf16>, %b0: tensor<1x2x75x64xf16>, %c0: tensor<1x2x75x64xf16>) -> tensor<1x6x1x64xf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x6x1x64xf16>, tensor<1x2x75x64xf16>, tensor<1x2x75x64xf16>) -> tensor<1x6x1x64xf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal} : (tensor<1x6x1x64xf16>, tensor<1x2x75x64xf16>, tensor<1x2x75x64xf16>) -> tensor<1x6x1x64xf16>
    graph.yield %1 : tensor<1x6x1x64xf16>
  }
  return %k : tensor<1x6x1x64xf16>
}

// Values of bf16, which are widened in the product.
// CHECK-LABEL: func.func @brain
// CHECK-NEXT: x86-64-v3 #tile.attention_config<mr = 6, nr = 16, mc = 128>: 6 tasks, 384 elements equal
// CHECK-NEXT: x86-64-v4 #tile.attention_config<mr = 12, nr = 32, mc = 128>: 6 tasks, 384 elements equal
func.func @brain(%a0: tensor<1x6x1x64xbf16>, %b0: tensor<1x2x75x64xbf16>, %c0: tensor<1x2x75x64xbf16>) -> tensor<1x6x1x64xbf16> {
  %k = graph.kernel "attention" (%a = %a0, %b = %b0, %c = %c0) : (tensor<1x6x1x64xbf16>, tensor<1x2x75x64xbf16>, tensor<1x2x75x64xbf16>) -> tensor<1x6x1x64xbf16> {
    %1 = graph.attention %a, %b, %c {scale = 0.25 : f64, causal} : (tensor<1x6x1x64xbf16>, tensor<1x2x75x64xbf16>, tensor<1x2x75x64xbf16>) -> tensor<1x6x1x64xbf16>
    graph.yield %1 : tensor<1x6x1x64xbf16>
  }
  return %k : tensor<1x6x1x64xbf16>
}
