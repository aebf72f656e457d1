// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Functions of two floats at what is special for them.
// NOTE: checks by tools/update-lit-checks

// Infinities of two signs are NaN; minus zero twice stays minus zero.
// CHECK-LABEL: func.func @add
// CHECK-NEXT: #0 = dense<[3.500000e+00, -0.000000e+00, 0xFFC00000, 0x7F800000, -5.500000e+00, 0x7FC00000, 0x7FC00000, 4.000000e+00]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[3.500000e+00, -0.000000e+00, 0xFE00, 0x7C00, -5.500000e+00, 0x7E00, 0x7E00, 4.000000e+00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[3.500000e+00, -0.000000e+00, 0xFFF8000000000000, 0x7FF0000000000000, -5.500000e+00, 0x7FF8000000000000, 0x7FF8000000000000, 4.000000e+00]> : tensor<8xf64>
func.func @add() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[1.5, -0.0, 0x7F800000, 0.0, -7.5, 0x7FC00000, -2.0, 4.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[2.0, -0.0, 0xFF800000, 0x7F800000, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<8xf32>
  %2 = graph.binary add %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[1.5, -0.0, 0x7C00, 0.0, -7.5, 0x7E00, -2.0, 4.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[2.0, -0.0, 0xFC00, 0x7C00, 2.0, 1.0, 0x7E00, 0.0]> : tensor<8xf16>
  %5 = graph.binary add %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0.0, -7.5, 0x7FF8000000000000, -2.0, 4.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[2.0, -0.0, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0x7FF8000000000000, 0.0]> : tensor<8xf64>
  %8 = graph.binary add %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// An infinity less itself is NaN.
// CHECK-LABEL: func.func @sub
// CHECK-NEXT: #0 = dense<[-5.000000e-01, 0.000000e+00, 0x7F800000, 0xFF800000, -9.500000e+00, 0x7FC00000, 0x7FC00000, 4.000000e+00]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[-5.000000e-01, 0.000000e+00, 0x7C00, 0xFC00, -9.500000e+00, 0x7E00, 0x7E00, 4.000000e+00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[-5.000000e-01, 0.000000e+00, 0x7FF0000000000000, 0xFFF0000000000000, -9.500000e+00, 0x7FF8000000000000, 0x7FF8000000000000, 4.000000e+00]> : tensor<8xf64>
func.func @sub() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[1.5, -0.0, 0x7F800000, 0.0, -7.5, 0x7FC00000, -2.0, 4.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[2.0, -0.0, 0xFF800000, 0x7F800000, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<8xf32>
  %2 = graph.binary sub %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[1.5, -0.0, 0x7C00, 0.0, -7.5, 0x7E00, -2.0, 4.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[2.0, -0.0, 0xFC00, 0x7C00, 2.0, 1.0, 0x7E00, 0.0]> : tensor<8xf16>
  %5 = graph.binary sub %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0.0, -7.5, 0x7FF8000000000000, -2.0, 4.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[2.0, -0.0, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0x7FF8000000000000, 0.0]> : tensor<8xf64>
  %8 = graph.binary sub %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// Zero times infinity is NaN.
// CHECK-LABEL: func.func @mul
// CHECK-NEXT: #0 = dense<[3.000000e+00, 0.000000e+00, 0xFF800000, 0xFFC00000, -1.500000e+01, 0x7FC00000, 0x7FC00000, 0.000000e+00]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[3.000000e+00, 0.000000e+00, 0xFC00, 0xFE00, -1.500000e+01, 0x7E00, 0x7E00, 0.000000e+00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[3.000000e+00, 0.000000e+00, 0xFFF0000000000000, 0xFFF8000000000000, -1.500000e+01, 0x7FF8000000000000, 0x7FF8000000000000, 0.000000e+00]> : tensor<8xf64>
func.func @mul() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[1.5, -0.0, 0x7F800000, 0.0, -7.5, 0x7FC00000, -2.0, 4.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[2.0, -0.0, 0xFF800000, 0x7F800000, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<8xf32>
  %2 = graph.binary mul %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[1.5, -0.0, 0x7C00, 0.0, -7.5, 0x7E00, -2.0, 4.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[2.0, -0.0, 0xFC00, 0x7C00, 2.0, 1.0, 0x7E00, 0.0]> : tensor<8xf16>
  %5 = graph.binary mul %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0.0, -7.5, 0x7FF8000000000000, -2.0, 4.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[2.0, -0.0, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0x7FF8000000000000, 0.0]> : tensor<8xf64>
  %8 = graph.binary mul %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// By either zero an infinity; zero by zero NaN.
// CHECK-LABEL: func.func @div
// CHECK-NEXT: #0 = dense<[7.500000e-01, 0xFFC00000, 0xFFC00000, 0.000000e+00, -3.750000e+00, 0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[7.500000e-01, 0xFE00, 0xFE00, 0.000000e+00, -3.750000e+00, 0x7E00, 0x7E00, 0x7C00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[7.500000e-01, 0xFFF8000000000000, 0xFFF8000000000000, 0.000000e+00, -3.750000e+00, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<8xf64>
func.func @div() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[1.5, -0.0, 0x7F800000, 0.0, -7.5, 0x7FC00000, -2.0, 4.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[2.0, -0.0, 0xFF800000, 0x7F800000, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<8xf32>
  %2 = graph.binary div %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[1.5, -0.0, 0x7C00, 0.0, -7.5, 0x7E00, -2.0, 4.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[2.0, -0.0, 0xFC00, 0x7C00, 2.0, 1.0, 0x7E00, 0.0]> : tensor<8xf16>
  %5 = graph.binary div %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0.0, -7.5, 0x7FF8000000000000, -2.0, 4.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[2.0, -0.0, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0x7FF8000000000000, 0.0]> : tensor<8xf64>
  %8 = graph.binary div %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// The sign of the divisor.
// CHECK-LABEL: func.func @mod
// CHECK-NEXT: #0 = dense<[1.500000e+00, 0xFFC00000, 0xFFC00000, 0.000000e+00, 5.000000e-01, 0x7FC00000, 0x7FC00000, 0xFFC00000]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[1.500000e+00, 0xFE00, 0xFE00, 0.000000e+00, 5.000000e-01, 0x7E00, 0x7E00, 0xFE00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[1.500000e+00, 0xFFF8000000000000, 0xFFF8000000000000, 0.000000e+00, 5.000000e-01, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF8000000000000]> : tensor<8xf64>
func.func @mod() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[1.5, -0.0, 0x7F800000, 0.0, -7.5, 0x7FC00000, -2.0, 4.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[2.0, -0.0, 0xFF800000, 0x7F800000, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<8xf32>
  %2 = graph.binary mod %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[1.5, -0.0, 0x7C00, 0.0, -7.5, 0x7E00, -2.0, 4.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[2.0, -0.0, 0xFC00, 0x7C00, 2.0, 1.0, 0x7E00, 0.0]> : tensor<8xf16>
  %5 = graph.binary mod %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0.0, -7.5, 0x7FF8000000000000, -2.0, 4.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[2.0, -0.0, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0x7FF8000000000000, 0.0]> : tensor<8xf64>
  %8 = graph.binary mod %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// The sign of the dividend; by zero NaN.
// CHECK-LABEL: func.func @fmod
// CHECK-NEXT: #0 = dense<[1.500000e+00, 0xFFC00000, 0xFFC00000, 0.000000e+00, -1.500000e+00, 0x7FC00000, 0x7FC00000, 0xFFC00000]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[1.500000e+00, 0xFE00, 0xFE00, 0.000000e+00, -1.500000e+00, 0x7E00, 0x7E00, 0xFE00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[1.500000e+00, 0xFFF8000000000000, 0xFFF8000000000000, 0.000000e+00, -1.500000e+00, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF8000000000000]> : tensor<8xf64>
func.func @fmod() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[1.5, -0.0, 0x7F800000, 0.0, -7.5, 0x7FC00000, -2.0, 4.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[2.0, -0.0, 0xFF800000, 0x7F800000, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<8xf32>
  %2 = graph.binary fmod %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[1.5, -0.0, 0x7C00, 0.0, -7.5, 0x7E00, -2.0, 4.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[2.0, -0.0, 0xFC00, 0x7C00, 2.0, 1.0, 0x7E00, 0.0]> : tensor<8xf16>
  %5 = graph.binary fmod %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0.0, -7.5, 0x7FF8000000000000, -2.0, 4.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[2.0, -0.0, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0x7FF8000000000000, 0.0]> : tensor<8xf64>
  %8 = graph.binary fmod %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// Anything to the power 0 is 1, NaN too; roots of negative numbers are NaN.
// CHECK-LABEL: func.func @pow
// CHECK-NEXT: #0 = dense<[1.024000e+03, 1.000000e+00, -8.000000e+00, 0xFFC00000, 0x7F800000, 0.000000e+00, 2.250000e+00, 3.000000e+00]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[1.024000e+03, 1.000000e+00, -8.000000e+00, 0xFE00, 0x7C00, 0.000000e+00, 2.250000e+00, 3.000000e+00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[1.024000e+03, 1.000000e+00, -8.000000e+00, 0xFFF8000000000000, 0x7FF0000000000000, 0.000000e+00, 2.250000e+00, 3.000000e+00]> : tensor<8xf64>
func.func @pow() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[2.0, 0x7FC00000, -2.0, -8.0, 0.0, 0x7F800000, -1.5, 9.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[10.0, 0.0, 3.0, 0.5, -1.0, -1.0, 2.0, 0.5]> : tensor<8xf32>
  %2 = graph.binary pow %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[2.0, 0x7E00, -2.0, -8.0, 0.0, 0x7C00, -1.5, 9.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[10.0, 0.0, 3.0, 0.5, -1.0, -1.0, 2.0, 0.5]> : tensor<8xf16>
  %5 = graph.binary pow %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[2.0, 0x7FF8000000000000, -2.0, -8.0, 0.0, 0x7FF0000000000000, -1.5, 9.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[10.0, 0.0, 3.0, 0.5, -1.0, -1.0, 2.0, 0.5]> : tensor<8xf64>
  %8 = graph.binary pow %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// NaN on either side is the result.
// CHECK-LABEL: func.func @min
// CHECK-NEXT: #0 = dense<[1.500000e+00, -0.000000e+00, 0xFF800000, 0.000000e+00, -7.500000e+00, 0x7FC00000, 0x7FC00000, 0.000000e+00]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[1.500000e+00, -0.000000e+00, 0xFC00, 0.000000e+00, -7.500000e+00, 0x7E00, 0x7E00, 0.000000e+00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[1.500000e+00, -0.000000e+00, 0xFFF0000000000000, 0.000000e+00, -7.500000e+00, 0x7FF8000000000000, 0x7FF8000000000000, 0.000000e+00]> : tensor<8xf64>
func.func @min() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[1.5, -0.0, 0x7F800000, 0.0, -7.5, 0x7FC00000, -2.0, 4.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[2.0, -0.0, 0xFF800000, 0x7F800000, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<8xf32>
  %2 = graph.binary min %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[1.5, -0.0, 0x7C00, 0.0, -7.5, 0x7E00, -2.0, 4.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[2.0, -0.0, 0xFC00, 0x7C00, 2.0, 1.0, 0x7E00, 0.0]> : tensor<8xf16>
  %5 = graph.binary min %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0.0, -7.5, 0x7FF8000000000000, -2.0, 4.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[2.0, -0.0, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0x7FF8000000000000, 0.0]> : tensor<8xf64>
  %8 = graph.binary min %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// NaN on either side is the result.
// CHECK-LABEL: func.func @max
// CHECK-NEXT: #0 = dense<[2.000000e+00, -0.000000e+00, 0x7F800000, 0x7F800000, 2.000000e+00, 0x7FC00000, 0x7FC00000, 4.000000e+00]> : tensor<8xf32>
// CHECK-NEXT: #1 = dense<[2.000000e+00, -0.000000e+00, 0x7C00, 0x7C00, 2.000000e+00, 0x7E00, 0x7E00, 4.000000e+00]> : tensor<8xf16>
// CHECK-NEXT: #2 = dense<[2.000000e+00, -0.000000e+00, 0x7FF0000000000000, 0x7FF0000000000000, 2.000000e+00, 0x7FF8000000000000, 0x7FF8000000000000, 4.000000e+00]> : tensor<8xf64>
func.func @max() -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf64>) {
  %c0 = graph.constant dense<[1.5, -0.0, 0x7F800000, 0.0, -7.5, 0x7FC00000, -2.0, 4.0]> : tensor<8xf32>
  %c1 = graph.constant dense<[2.0, -0.0, 0xFF800000, 0x7F800000, 2.0, 1.0, 0x7FC00000, 0.0]> : tensor<8xf32>
  %2 = graph.binary max %c0, %c1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c3 = graph.constant dense<[1.5, -0.0, 0x7C00, 0.0, -7.5, 0x7E00, -2.0, 4.0]> : tensor<8xf16>
  %c4 = graph.constant dense<[2.0, -0.0, 0xFC00, 0x7C00, 2.0, 1.0, 0x7E00, 0.0]> : tensor<8xf16>
  %5 = graph.binary max %c3, %c4 : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %c6 = graph.constant dense<[1.5, -0.0, 0x7FF0000000000000, 0.0, -7.5, 0x7FF8000000000000, -2.0, 4.0]> : tensor<8xf64>
  %c7 = graph.constant dense<[2.0, -0.0, 0xFFF0000000000000, 0x7FF0000000000000, 2.0, 1.0, 0x7FF8000000000000, 0.0]> : tensor<8xf64>
  %8 = graph.binary max %c6, %c7 : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %2, %5, %8 : tensor<8xf32>, tensor<8xf16>, tensor<8xf64>
}

// The exponent may be of another type than the base.
// CHECK-LABEL: func.func @pow_of_integers
// CHECK-NEXT: #0 = dense<[8.000000e+00, 9.000000e+00, 4.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: #1 = dense<[1, -27, 55]> : tensor<3xi32>
// CHECK-NEXT: #2 = dense<[8, -27, 113]> : tensor<3xi8>
func.func @pow_of_integers() -> (tensor<3xf32>, tensor<3xi32>, tensor<3xi8>) {
  %c0 = graph.constant dense<[2.0, -3.0, 0.5]> : tensor<3xf32>
  %c1 = graph.constant dense<[3, 2, -2]> : tensor<3xi64>
  %2 = graph.binary pow %c0, %c1 : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
  %c3 = graph.constant dense<[2, -3, 5]> : tensor<3xi32>
  %c4 = graph.constant dense<[0.0, 3.0, 2.5]> : tensor<3xf32>
  %5 = graph.binary pow %c3, %c4 : (tensor<3xi32>, tensor<3xf32>) -> tensor<3xi32>
  %c6 = graph.constant dense<[2, -3, 5]> : tensor<3xi8>
  %c7 = graph.constant dense<[3, 3, 4]> : tensor<3xui64>
  %8 = graph.binary pow %c6, %c7 : (tensor<3xi8>, tensor<3xui64>) -> tensor<3xi8>
  return %2, %5, %8 : tensor<3xf32>, tensor<3xi32>, tensor<3xi8>
}

// Sums in double precision: 256 + 1 has no bf16 of its own and goes to the even neighbour, 258 + 1 too.
// CHECK-LABEL: func.func @bf16
// CHECK-NEXT: #0 = dense<[2.560000e+02, 2.600000e+02, 0x7F80]> : tensor<3xbf16>
// CHECK-NEXT: #1 = dense<[2.560000e+02, 2.580000e+02, 0x7F80]> : tensor<3xbf16>
func.func @bf16() -> (tensor<3xbf16>, tensor<3xbf16>) {
  %c0 = graph.constant dense<[256.0, 258.0, 1.0e+38]> : tensor<3xbf16>
  %c1 = graph.constant dense<[1.0, 1.0, 3.0e+38]> : tensor<3xbf16>
  %2 = graph.binary add %c0, %c1 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  %3 = graph.binary mul %c0, %c1 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  return %2, %3 : tensor<3xbf16>, tensor<3xbf16>
}
