// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Softmax along each axis, and of rows that are special.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @last
// CHECK-NEXT: #0 = dense<{{\[\[}}0.0756848082, 0.00228548306, 0.922029734], [5.52634359E-4, 0.999186336, 2.61045963E-4]]> : tensor<2x3xf32>
func.func @last() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.softmax %x axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @first
// CHECK-NEXT: #0 = dense<{{\[\[}}0.731058597, 4.53978682E-5, 0.985936343], [0.268941432, 0.999954581, 0.0140636275]]> : tensor<2x3xf32>
func.func @first() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.softmax %x axis 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @middle
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.0900305733, 0.0900305733], [0.244728476, 0.244728476], [0.665240943, 0.665240943]], {{\[\[}}0.0900305733, 0.0900305733], [0.244728476, 0.244728476], [0.665240943, 0.665240943]]]> : tensor<2x3x2xf32>
func.func @middle() -> tensor<2x3x2xf32> {
  %x = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %1 = graph.softmax %x axis 1 : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  return %1 : tensor<2x3x2xf32>
}

// A row of one element is 1, whatever it is.
// CHECK-LABEL: func.func @one
// CHECK-NEXT: #0 = dense<1.000000e+00> : tensor<2x1xf32>
func.func @one() -> tensor<2x1xf32> {
  %x = graph.constant dense<[[5.0], [-1.0e+30]]> : tensor<2x1xf32>
  %1 = graph.softmax %x axis 1 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}

// CHECK-LABEL: func.func @equal
// CHECK-NEXT: #0 = dense<2.500000e-01> : tensor<1x4xf32>
func.func @equal() -> tensor<1x4xf32> {
  %x = graph.constant dense<[[3.0, 3.0, 3.0, 3.0]]> : tensor<1x4xf32>
  %1 = graph.softmax %x axis 1 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}

// No overflow: the largest is taken out.
// CHECK-LABEL: func.func @large
// CHECK-NEXT: #0 = dense<[0.268941432, 0.731058597, 0.000000e+00]> : tensor<3xf32>
func.func @large() -> tensor<3xf32> {
  %x = graph.constant dense<[1000.0, 1001.0, 0.0]> : tensor<3xf32>
  %1 = graph.softmax %x axis 0 : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// Minus infinity has no weight; a row of nothing else is NaN, and so is one with NaN or infinity.
// CHECK-LABEL: func.func @removed
// CHECK-NEXT: #0 = dense<{{\[\[}}5.000000e-01, 0.000000e+00, 5.000000e-01], [0xFFC00000, 0xFFC00000, 0xFFC00000], [0x7FC00000, 0x7FC00000, 0x7FC00000], [0xFFC00000, 0xFFC00000, 0xFFC00000]]> : tensor<4x3xf32>
func.func @removed() -> tensor<4x3xf32> {
  %x = graph.constant dense<[[0.0, 0xFF800000, 0.0], [0xFF800000, 0xFF800000, 0xFF800000], [1.0, 0x7FC00000, 0.0], [0x7F800000, 0.0, 0.0]]> : tensor<4x3xf32>
  %1 = graph.softmax %x axis 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// A row of one large negative number has equal weights.
// CHECK-LABEL: func.func @finite_mask
// CHECK-NEXT: #0 = dense<{{\[\[}}2.500000e-01, 2.500000e-01, 2.500000e-01, 2.500000e-01], [0.000000e+00, 0.000000e+00, 5.000000e-01, 5.000000e-01]]> : tensor<2x4xf32>
func.func @finite_mask() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[-1.0e+30, -1.0e+30, -1.0e+30, -1.0e+30], [-1.0e+30, -1.0e+30, 0.0, 0.0]]> : tensor<2x4xf32>
  %1 = graph.softmax %x axis 1 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @half
// CHECK-NEXT: #0 = dense<{{\[\[}}7.568360e-02, 2.285000e-03, 9.218750e-01], [5.526540e-04, 9.990230e-01, 2.610680e-04]]> : tensor<2x3xf16>
func.func @half() -> tensor<2x3xf16> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf16>
  %1 = graph.softmax %x axis 1 : (tensor<2x3xf16>) -> tensor<2x3xf16>
  return %1 : tensor<2x3xf16>
}

// CHECK-LABEL: func.func @brain
// CHECK-NEXT: #0 = dense<{{\[\[}}7.568360e-02, 2.288820e-03, 9.218750e-01], [5.531310e-04, 1.000000e+00, 2.613070e-04]]> : tensor<2x3xbf16>
func.func @brain() -> tensor<2x3xbf16> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xbf16>
  %1 = graph.softmax %x axis 1 : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return %1 : tensor<2x3xbf16>
}

// CHECK-LABEL: func.func @empty
// CHECK-NEXT: #0 = dense<> : tensor<0x3xf32>
// CHECK-NEXT: #1 = dense<> : tensor<2x0xf32>
func.func @empty(%x0: tensor<0x3xf32>, %x1: tensor<2x0xf32>) -> (tensor<0x3xf32>, tensor<2x0xf32>) {
  %0 = graph.softmax %x0 axis 1 : (tensor<0x3xf32>) -> tensor<0x3xf32>
  %1 = graph.softmax %x1 axis 1 : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %0, %1 : tensor<0x3xf32>, tensor<2x0xf32>
}
