// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=sm_80 --verify-diagnostics
// Instructions of GPUs have 16 steps of K at least, and a block has one scale.

func.func @row(%x0: tensor<1x64xi8>, %s0: tensor<1x8xf32>, %u0: tensor<1x8xi32>, %w0: tensor<3x8x16x4xui8>, %t0: tensor<3x8x16xbf16>) -> tensor<1x48xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: a scale belongs to 8 steps of K; products of quantized operands for GPUs have a multiple of 16}}
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0) : (tensor<1x64xi8>, tensor<1x8xf32>, tensor<1x8xi32>, tensor<3x8x16x4xui8>, tensor<3x8x16xbf16>) -> tensor<1x48xf32> {
    %m = graph.scaled_matmul %x scales %s totals %u by %w scales %t bits 4 columns 48 : (tensor<1x64xi8>, tensor<1x8xf32>, tensor<1x8xi32>, tensor<3x8x16x4xui8>, tensor<3x8x16xbf16>) -> tensor<1x48xf32>
    graph.yield %m : tensor<1x48xf32>
  }
  return %k : tensor<1x48xf32>
}

// -----

// Weights in f8E4M3FN, which only hosts widen.
func.func @float8(%x0: tensor<1x96xf32>, %w0: tensor<2x96x64xf8E4M3FN>) -> tensor<1x128xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the weight is bytes of f8E4M3FN, which kernels of GPUs do not widen}}
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0) : (tensor<1x96xf32>, tensor<2x96x64xf8E4M3FN>) -> tensor<1x128xf32> {
    %u = graph.unpack %w : (tensor<2x96x64xf8E4M3FN>) -> tensor<96x128xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<96x128xf8E4M3FN>) -> tensor<96x128xf32>
    %m = graph.matmul %x, %f : (tensor<1x96xf32>, tensor<96x128xf32>) -> tensor<1x128xf32>
    graph.yield %m : tensor<1x128xf32>
  }
  return %k : tensor<1x128xf32>
}

// -----

// The same with scales per block.
func.func @block_scaled(%x0: tensor<1x96xf32>, %w0: tensor<2x96x64xf8E4M3FN>, %s0: tensor<2x3x64xf8E8M0FNU>) -> tensor<1x128xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the weight is bytes of f8E4M3FN, which kernels of GPUs do not widen}}
  %k = graph.kernel "matmul" (%x = %x0, %w = %w0, %s = %s0) : (tensor<1x96xf32>, tensor<2x96x64xf8E4M3FN>, tensor<2x3x64xf8E8M0FNU>) -> tensor<1x128xf32> {
    %u = graph.unpack %w : (tensor<2x96x64xf8E4M3FN>) -> tensor<96x128xf8E4M3FN>
    %f = graph.cast %u {graph.in_kernel} : (tensor<96x128xf8E4M3FN>) -> tensor<96x128xf32>
    %t = graph.unpack %s : (tensor<2x3x64xf8E8M0FNU>) -> tensor<3x128xf8E8M0FNU>
    %d = graph.cast %t {graph.in_kernel} : (tensor<3x128xf8E8M0FNU>) -> tensor<3x128xf32>
    %a = graph.reshape %d : (tensor<3x128xf32>) -> tensor<3x1x128xf32>
    %b = graph.broadcast %a : (tensor<3x1x128xf32>) -> tensor<3x32x128xf32>
    %r = graph.reshape %b : (tensor<3x32x128xf32>) -> tensor<96x128xf32>
    %v = graph.binary mul %f, %r : (tensor<96x128xf32>, tensor<96x128xf32>) -> tensor<96x128xf32>
    %m = graph.matmul %x, %v : (tensor<1x96xf32>, tensor<96x128xf32>) -> tensor<1x128xf32>
    graph.yield %m : tensor<1x128xf32>
  }
  return %k : tensor<1x128xf32>
}
