// RUN: kiln-opt %s --kiln-emit-kernels=targets=x86-64-v3 --verify-diagnostics

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error-re @+1 {{KILN-E0402: {{.*}}: reductions of one kernel run along different dims; expected row ops along the same dims, between views and elementwise ops}}
  %0 = graph.kernel "row" (%a = %x) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
    %1 = graph.softmax %a axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = graph.softmax %1 axis 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    graph.yield %2 : tensor<2x3xf32>
  }
  return %0 : tensor<2x3xf32>
}
