// RUN: kiln-opt %s --kiln-emit-kernels=targets=x86-64-v3 --verify-diagnostics
// Kernels read sums of activations' codes from block to block: a view that repeats them has no step.

func.func @repeated(%x0: tensor<1x64xi8>, %s0: tensor<1x2xf32>, %u0: tensor<1x1x1xi32>, %w0: tensor<3x8x16x4xui8>, %t0: tensor<3x2x16xbf16>) -> tensor<1x48xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the codes or scales of quantized operands are not contiguous}}
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0) : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x1x1xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>) -> tensor<1x48xf32> {
    %b = graph.broadcast %u : (tensor<1x1x1xi32>) -> tensor<1x1x2xi32>
    %r = graph.reshape %b : (tensor<1x1x2xi32>) -> tensor<1x2xi32>
    %m = graph.scaled_matmul %x <i8, block 32, scale f32> scales %s totals %r by %w <ui4, block 32, scale bf16> scales %t columns 48 accumulate wide : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>) -> tensor<1x48xf32>
    graph.yield %m : tensor<1x48xf32>
  }
  return %k : tensor<1x48xf32>
}
