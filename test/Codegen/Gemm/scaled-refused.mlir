// RUN: kiln-opt %s --kiln-emit-kernels=targets=sm_80 --verify-diagnostics
// Products of quantized operands are for hosts so far.

func.func @row(%x0: tensor<1x64xi8>, %s0: tensor<1x2xf32>, %u0: tensor<1x2xi32>, %w0: tensor<3x8x16x4xui8>, %t0: tensor<3x2x16xbf16>, %z0: tensor<3x2x16xui8>) -> tensor<1x48xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: a product of quantized operands has no code for a GPU}}
  %k = graph.kernel "matmul" (%x = %x0, %s = %s0, %u = %u0, %w = %w0, %t = %t0, %z = %z0) : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<1x48xf32> {
    %m = graph.scaled_matmul %x scales %s totals %u by %w scales %t zeros %z bits 4 columns 48 : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x8x16x4xui8>, tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<1x48xf32>
    graph.yield %m : tensor<1x48xf32>
  }
  return %k : tensor<1x48xf32>
}
