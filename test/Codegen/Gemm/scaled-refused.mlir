// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --verify-diagnostics
// Instructions of GPUs have 16 steps of K at least, and a block has one scale.

func.func @row(%x0: tensor<1x64xi8>, %s0: tensor<1x8xf32>, %u0: tensor<1x8xi32>, %w0: tensor<3x8x16x4xui8>, %t0: tensor<3x8x16xbf16>) -> tensor<1x48xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: a scale belongs to 8 steps of K; products of quantized operands for GPUs have a multiple of 16}}
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0) : (tensor<1x64xi8>, tensor<1x8xf32>, tensor<1x8xi32>, tensor<3x8x16x4xui8>, tensor<3x8x16xbf16>) -> tensor<1x48xf32> {
    %m = graph.scaled_matmul %x <i8, block 8, scale f32> scales %s totals %u by %w <ui4, block 8, scale bf16> scales %t columns 48 accumulate wide : (tensor<1x64xi8>, tensor<1x8xf32>, tensor<1x8xi32>, tensor<3x8x16x4xui8>, tensor<3x8x16xbf16>) -> tensor<1x48xf32>
    graph.yield %m : tensor<1x48xf32>
  }
  return %k : tensor<1x48xf32>
}
