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
