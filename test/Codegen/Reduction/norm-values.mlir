// RUN: kiln-opt %s --kiln-test-run-kernels="targets=x86-64-v3,x86-64-v4,sm_80,sm_90a" -o /dev/null | FileCheck %s
// Norms: over what, with which operands, and what is fused to them.

// Scale and bias.
// CHECK-LABEL: func.func @layer_norm
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 185 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 185 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 185 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 185 elements equal
func.func @layer_norm(%a0: tensor<5x37xf32>, %b0: tensor<37xf32>, %c0: tensor<37xf32>) -> tensor<5x37xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<5x37xf32>, tensor<37xf32>, tensor<37xf32>) -> tensor<5x37xf32> {
    %1 = graph.layer_norm %a scale %b bias %c axis 1 {epsilon = 1.0e-5 : f64} : (tensor<5x37xf32>, tensor<37xf32>, tensor<37xf32>) -> tensor<5x37xf32>
    graph.yield %1 : tensor<5x37xf32>
  }
  return %k : tensor<5x37xf32>
}

// Neither.
// CHECK-LABEL: func.func @layer_norm_bare
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 320 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 320 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 320 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 320 elements equal
func.func @layer_norm_bare(%a0: tensor<5x64xf32>) -> tensor<5x64xf32> {
  %k = graph.kernel "row" (%a = %a0) : (tensor<5x64xf32>) -> tensor<5x64xf32> {
    %1 = graph.layer_norm %a axis 1 {epsilon = 1.0e-5 : f64} : (tensor<5x64xf32>) -> tensor<5x64xf32>
    graph.yield %1 : tensor<5x64xf32>
  }
  return %k : tensor<5x64xf32>
}

// No bias, in f16: statistics in f32.
// CHECK-LABEL: func.func @layer_norm_scale
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 500 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 500 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 500 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 500 elements equal
func.func @layer_norm_scale(%a0: tensor<5x100xf16>, %b0: tensor<100xf16>) -> tensor<5x100xf16> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<5x100xf16>, tensor<100xf16>) -> tensor<5x100xf16> {
    %1 = graph.layer_norm %a scale %b axis 1 {epsilon = 1.0e-5 : f64} : (tensor<5x100xf16>, tensor<100xf16>) -> tensor<5x100xf16>
    graph.yield %1 : tensor<5x100xf16>
  }
  return %k : tensor<5x100xf16>
}

// Over the last two dims.
// CHECK-LABEL: func.func @layer_norm_two_dims
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 240 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 240 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 240 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 1 tasks, 240 elements equal
func.func @layer_norm_two_dims(%a0: tensor<3x4x20xf32>, %b0: tensor<4x20xf32>, %c0: tensor<4x20xf32>) -> tensor<3x4x20xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<3x4x20xf32>, tensor<4x20xf32>, tensor<4x20xf32>) -> tensor<3x4x20xf32> {
    %1 = graph.layer_norm %a scale %b bias %c axis 1 {epsilon = 1.0e-5 : f64} : (tensor<3x4x20xf32>, tensor<4x20xf32>, tensor<4x20xf32>) -> tensor<3x4x20xf32>
    graph.yield %1 : tensor<3x4x20xf32>
  }
  return %k : tensor<3x4x20xf32>
}

// A residual is added first: the encoder's block.
// CHECK-LABEL: func.func @layer_norm_residual
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 288 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 288 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 288 elements equal
func.func @layer_norm_residual(%a0: tensor<6x48xf32>, %b0: tensor<6x48xf32>, %c0: tensor<48xf32>, %d0: tensor<48xf32>) -> tensor<6x48xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<6x48xf32>, tensor<6x48xf32>, tensor<48xf32>, tensor<48xf32>) -> tensor<6x48xf32> {
    %1 = graph.binary add %a, %b : (tensor<6x48xf32>, tensor<6x48xf32>) -> tensor<6x48xf32>
    %2 = graph.layer_norm %1 scale %c bias %d axis 1 {epsilon = 1.0e-5 : f64} : (tensor<6x48xf32>, tensor<48xf32>, tensor<48xf32>) -> tensor<6x48xf32>
    graph.yield %2 : tensor<6x48xf32>
  }
  return %k : tensor<6x48xf32>
}

// The sum is a result as well.
// CHECK-LABEL: func.func @layer_norm_both
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 16384, stage = false>: 1 tasks, 288 elements equal
// CHECK-NEXT: 288 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 288 elements equal
// CHECK-NEXT: 288 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 288 elements equal
// CHECK-NEXT: 288 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 288 elements equal
// CHECK-NEXT: 288 elements equal
func.func @layer_norm_both(%a0: tensor<6x48xf32>, %b0: tensor<6x48xf32>, %c0: tensor<48xf32>) -> (tensor<6x48xf32>, tensor<6x48xf32>) {
  %k:2 = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<6x48xf32>, tensor<6x48xf32>, tensor<48xf32>) -> (tensor<6x48xf32>, tensor<6x48xf32>) {
    %1 = graph.binary add %a, %b : (tensor<6x48xf32>, tensor<6x48xf32>) -> tensor<6x48xf32>
    %2 = graph.layer_norm %1 scale %c axis 1 {epsilon = 1.0e-5 : f64} : (tensor<6x48xf32>, tensor<48xf32>) -> tensor<6x48xf32>
    graph.yield %1, %2 : tensor<6x48xf32>, tensor<6x48xf32>
  }
  return %k#0, %k#1 : tensor<6x48xf32>, tensor<6x48xf32>
}

// An activation behind it.
// CHECK-LABEL: func.func @layer_norm_gelu
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 4096, stage = false>: 1 tasks, 198 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 4096, stage = false>: 1 tasks, 198 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 198 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 198 elements equal
func.func @layer_norm_gelu(%a0: tensor<6x33xbf16>, %b0: tensor<33xbf16>) -> tensor<6x33xbf16> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<6x33xbf16>, tensor<33xbf16>) -> tensor<6x33xbf16> {
    %1 = graph.layer_norm %a scale %b axis 1 {epsilon = 1.0e-5 : f64} : (tensor<6x33xbf16>, tensor<33xbf16>) -> tensor<6x33xbf16>
    %2 = graph.unary gelu %1 : (tensor<6x33xbf16>) -> tensor<6x33xbf16>
    graph.yield %2 : tensor<6x33xbf16>
  }
  return %k : tensor<6x33xbf16>
}

// A row in the registers of a block.
// CHECK-LABEL: func.func @layer_norm_long
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 8, grain = 16384, stage = false>: 1 tasks, 10000 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 10000 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 8192, grain = 8192, stage = false, threads = 512, group_threads = 512>: 2 tasks, 10000 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 8192, grain = 8192, stage = false, threads = 512, group_threads = 512>: 2 tasks, 10000 elements equal
func.func @layer_norm_long(%a0: tensor<2x5000xf32>, %b0: tensor<5000xf32>) -> tensor<2x5000xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<2x5000xf32>, tensor<5000xf32>) -> tensor<2x5000xf32> {
    %1 = graph.layer_norm %a scale %b axis 1 {epsilon = 1.0e-5 : f64} : (tensor<2x5000xf32>, tensor<5000xf32>) -> tensor<2x5000xf32>
    graph.yield %1 : tensor<2x5000xf32>
  }
  return %k : tensor<2x5000xf32>
}

// Of rows that are looked up: the embedding of an encoder.
// CHECK-LABEL: func.func @layer_norm_of_gather
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 168 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 168 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 168 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 168 elements equal
func.func @layer_norm_of_gather(%a0: tensor<30x24xf32>, %b0: tensor<7xi64>, %c0: tensor<24xf32>, %d0: tensor<24xf32>) -> tensor<7x24xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0, %d = %d0) : (tensor<30x24xf32>, tensor<7xi64>, tensor<24xf32>, tensor<24xf32>) -> tensor<7x24xf32> {
    %1 = graph.gather %a, %b axis 0 : (tensor<30x24xf32>, tensor<7xi64>) -> tensor<7x24xf32>
    %2 = graph.layer_norm %1 scale %c bias %d axis 1 {epsilon = 1.0e-5 : f64} : (tensor<7x24xf32>, tensor<24xf32>, tensor<24xf32>) -> tensor<7x24xf32>
    graph.yield %2 : tensor<7x24xf32>
  }
  return %k : tensor<7x24xf32>
}

// Of three lookups: words, positions, types.
// CHECK-LABEL: func.func @layer_norm_of_three
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 168 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 168 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 168 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 1 tasks, 168 elements equal
func.func @layer_norm_of_three(%a0: tensor<30x24xf32>, %b0: tensor<7xi64>, %c0: tensor<7x24xf32>, %d0: tensor<2x24xf32>, %e0: tensor<7xi64>, %f0: tensor<24xf32>) -> tensor<7x24xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0, %d = %d0, %e = %e0, %f = %f0) : (tensor<30x24xf32>, tensor<7xi64>, tensor<7x24xf32>, tensor<2x24xf32>, tensor<7xi64>, tensor<24xf32>) -> tensor<7x24xf32> {
    %1 = graph.gather %a, %b axis 0 : (tensor<30x24xf32>, tensor<7xi64>) -> tensor<7x24xf32>
    %2 = graph.binary add %1, %c : (tensor<7x24xf32>, tensor<7x24xf32>) -> tensor<7x24xf32>
    %3 = graph.gather %d, %e axis 0 : (tensor<2x24xf32>, tensor<7xi64>) -> tensor<7x24xf32>
    %4 = graph.binary add %2, %3 : (tensor<7x24xf32>, tensor<7x24xf32>) -> tensor<7x24xf32>
    %5 = graph.layer_norm %4 scale %f axis 1 {epsilon = 1.0e-5 : f64} : (tensor<7x24xf32>, tensor<24xf32>) -> tensor<7x24xf32>
    graph.yield %5 : tensor<7x24xf32>
  }
  return %k : tensor<7x24xf32>
}

// No mean.
// CHECK-LABEL: func.func @rms_norm
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 185 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 185 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 185 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 64, grain = 2048, stage = false, threads = 128, group_threads = 16>: 1 tasks, 185 elements equal
func.func @rms_norm(%a0: tensor<5x37xf32>, %b0: tensor<37xf32>) -> tensor<5x37xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<5x37xf32>, tensor<37xf32>) -> tensor<5x37xf32> {
    %1 = graph.rms_norm %a scale %b axis 1 {epsilon = 1.0e-5 : f64} : (tensor<5x37xf32>, tensor<37xf32>) -> tensor<5x37xf32>
    graph.yield %1 : tensor<5x37xf32>
  }
  return %k : tensor<5x37xf32>
}

// In bf16, with a residual.
// CHECK-LABEL: func.func @rms_norm_bf16
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 640 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 64, grain = 16384, stage = false>: 1 tasks, 640 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 640 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 128, grain = 2048, stage = false, threads = 128, group_threads = 32>: 2 tasks, 640 elements equal
func.func @rms_norm_bf16(%a0: tensor<5x128xbf16>, %b0: tensor<5x128xbf16>, %c0: tensor<128xbf16>) -> tensor<5x128xbf16> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0, %c = %c0) : (tensor<5x128xbf16>, tensor<5x128xbf16>, tensor<128xbf16>) -> tensor<5x128xbf16> {
    %1 = graph.binary add %a, %b : (tensor<5x128xbf16>, tensor<5x128xbf16>) -> tensor<5x128xbf16>
    %2 = graph.rms_norm %1 scale %c axis 1 {epsilon = 1.0e-5 : f64} : (tensor<5x128xbf16>, tensor<128xbf16>) -> tensor<5x128xbf16>
    graph.yield %2 : tensor<5x128xbf16>
  }
  return %k : tensor<5x128xbf16>
}

// Per head of a projection.
// CHECK-LABEL: func.func @rms_norm_heads
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 768 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 32, grain = 16384, stage = false>: 1 tasks, 768 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 2 tasks, 768 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 32, grain = 2048, stage = false, threads = 128, group_threads = 8>: 2 tasks, 768 elements equal
func.func @rms_norm_heads(%a0: tensor<6x4x32xf16>, %b0: tensor<32xf16>) -> tensor<6x4x32xf16> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<6x4x32xf16>, tensor<32xf16>) -> tensor<6x4x32xf16> {
    %1 = graph.rms_norm %a scale %b axis 2 {epsilon = 1.0e-5 : f64} : (tensor<6x4x32xf16>, tensor<32xf16>) -> tensor<6x4x32xf16>
    graph.yield %1 : tensor<6x4x32xf16>
  }
  return %k : tensor<6x4x32xf16>
}

// The mean of selected positions: what sentence embeddings end with.
// CHECK-LABEL: func.func @mean_of_masked
// CHECK-NEXT: x86-64-v3 #tile.pointwise_config<lanes = 16, grain = 131072, stage = false, positions = 2>: 1 tasks, 32 elements equal
// CHECK-NEXT: x86-64-v4 #tile.pointwise_config<lanes = 16, grain = 131072, stage = false, positions = 2>: 1 tasks, 32 elements equal
// CHECK-NEXT: sm_80 #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 32 elements equal
// CHECK-NEXT: sm_90a #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>: 2 tasks, 32 elements equal
func.func @mean_of_masked(%a0: tensor<2x20x16xf32>, %b0: tensor<2x20x1xf32>) -> tensor<2x16xf32> {
  %k = graph.kernel "row" (%a = %a0, %b = %b0) : (tensor<2x20x16xf32>, tensor<2x20x1xf32>) -> tensor<2x16xf32> {
    %1 = graph.binary mul %a, %b : (tensor<2x20x16xf32>, tensor<2x20x1xf32>) -> tensor<2x20x16xf32>
    %2 = graph.reduce sum %1 axes [1] : (tensor<2x20x16xf32>) -> tensor<2x16xf32>
    graph.yield %2 : tensor<2x16xf32>
  }
  return %k : tensor<2x16xf32>
}
