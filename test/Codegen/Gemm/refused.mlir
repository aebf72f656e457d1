// RUN: kiln-opt %s --split-input-file --kiln-emit-kernels=targets=x86-64-v3 --verify-diagnostics

func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the kernel has more than one matmul; expected one matmul between views and elementwise ops}}
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = graph.matmul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = graph.matmul %a, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    graph.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the left operand is computed in the kernel}}
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = graph.unary exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = graph.matmul %1, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    graph.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: 'graph.softmax' after the contraction does not keep each of its elements}}
  %0 = graph.kernel "matmul" (%a = %x, %b = %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = graph.matmul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = graph.softmax %1 axis 1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    graph.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<2x64xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<2x8x8x4xui8>, %t: tensor<2x2x8xf32>) -> tensor<2x16xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the panels of quantized weights are not 16 columns wide}}
  %0 = graph.kernel "matmul" (%a = %x, %b = %s, %c = %u, %d = %w, %e = %t) : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x8x8x4xui8>, tensor<2x2x8xf32>) -> tensor<2x16xf32> {
    %1 = graph.scaled_matmul %a <i8, block 32, scale f32> scales %b totals %c by %d <ui4, block 32, scale f32> scales %e columns 16 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<2x8x8x4xui8>, tensor<2x2x8xf32>) -> tensor<2x16xf32>
    graph.yield %1 : tensor<2x16xf32>
  }
  return %0 : tensor<2x16xf32>
}

// -----

func.func @main(%x: tensor<64x2xi8>, %s: tensor<2x2xf32>, %u: tensor<2x2xi32>, %w: tensor<1x8x16x4xui8>, %t: tensor<1x2x16xf32>) -> tensor<2x16xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: the codes or scales of quantized operands are not contiguous}}
  %0 = graph.kernel "matmul" (%a = %x, %b = %s, %c = %u, %d = %w, %e = %t) : (tensor<64x2xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<1x8x16x4xui8>, tensor<1x2x16xf32>) -> tensor<2x16xf32> {
    %v = graph.transpose %a [1, 0] : (tensor<64x2xi8>) -> tensor<2x64xi8>
    %1 = graph.scaled_matmul %v <i8, block 32, scale f32> scales %b totals %c by %d <ui4, block 32, scale f32> scales %e columns 16 accumulate wide : (tensor<2x64xi8>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<1x8x16x4xui8>, tensor<1x2x16xf32>) -> tensor<2x16xf32>
    graph.yield %1 : tensor<2x16xf32>
  }
  return %0 : tensor<2x16xf32>
}
