// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Rows by indices: argument i holds i, i + 1, i + 2 ...
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @rows
// CHECK-NEXT: #0 = dense<{{\[\[}}4, 5], [0, 1], [4, 5]]> : tensor<3x2xi32>
func.func @rows(%x0: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %i = graph.constant dense<[2, 0, 2]> : tensor<3xi64>
  %1 = graph.gather %x0, %i axis 0 : (tensor<3x2xi32>, tensor<3xi64>) -> tensor<3x2xi32>
  return %1 : tensor<3x2xi32>
}

// CHECK-LABEL: func.func @columns
// CHECK-NEXT: #0 = dense<{{\[\[}}1.000000e+00, 1.000000e+00], [4.000000e+00, 4.000000e+00]]> : tensor<2x2xf16>
func.func @columns(%x0: tensor<2x3xf16>) -> tensor<2x2xf16> {
  %i = graph.constant dense<[1, 1]> : tensor<2xi64>
  %1 = graph.gather %x0, %i axis 1 : (tensor<2x3xf16>, tensor<2xi64>) -> tensor<2x2xf16>
  return %1 : tensor<2x2xf16>
}

// A scalar index drops the dim.
// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: #0 = dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf64>
func.func @scalar(%x0: tensor<3x2xf64>) -> tensor<2xf64> {
  %i = graph.constant dense<1> : tensor<i64>
  %1 = graph.gather %x0, %i axis 0 : (tensor<3x2xf64>, tensor<i64>) -> tensor<2xf64>
  return %1 : tensor<2xf64>
}

// CHECK-LABEL: func.func @matrix_of_indices
// CHECK-NEXT: #0 = dense<{{\[\[}}0, 3], [2, 1]]> : tensor<2x2xi8>
func.func @matrix_of_indices(%x0: tensor<4xi8>) -> tensor<2x2xi8> {
  %i = graph.constant dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>
  %1 = graph.gather %x0, %i axis 0 : (tensor<4xi8>, tensor<2x2xi64>) -> tensor<2x2xi8>
  return %1 : tensor<2x2xi8>
}

// CHECK-LABEL: func.func @middle
// CHECK-NEXT: #0 = dense<{{\[\[}}[4, 5]], {{\[\[}}10, 11]]]> : tensor<2x1x2xui16>
func.func @middle(%x0: tensor<2x3x2xui16>) -> tensor<2x1x2xui16> {
  %i = graph.constant dense<[2]> : tensor<1xi32>
  %1 = graph.gather %x0, %i axis 1 : (tensor<2x3x2xui16>, tensor<1xi32>) -> tensor<2x1x2xui16>
  return %1 : tensor<2x1x2xui16>
}

// CHECK-LABEL: func.func @from_the_end
// CHECK-NEXT: #0 = dense<{{\[\[}}6, 7], [0, 1]]> : tensor<2x2xi32>
func.func @from_the_end(%x0: tensor<4x2xi32>) -> tensor<2x2xi32> {
  %i = graph.constant dense<[-1, -4]> : tensor<2xi64>
  %1 = graph.gather %x0, %i axis 0 : (tensor<4x2xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  return %1 : tensor<2x2xi32>
}

// Out of range: the nearest.
// CHECK-LABEL: func.func @clamped
// CHECK-NEXT: #0 = dense<{{\[\[}}4.000000e+00, 5.000000e+00], [4.000000e+00, 5.000000e+00], [0.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00]]> : tensor<4x2xf32>
func.func @clamped(%x0: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %i = graph.constant dense<[3, 100, -4, -100]> : tensor<4xi32>
  %1 = graph.gather %x0, %i axis 0 : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @no_indices
// CHECK-NEXT: #0 = dense<> : tensor<0x2xi32>
func.func @no_indices(%x0: tensor<3x2xi32>) -> tensor<0x2xi32> {
  %i = graph.constant dense<> : tensor<0xi64>
  %1 = graph.gather %x0, %i axis 0 : (tensor<3x2xi32>, tensor<0xi64>) -> tensor<0x2xi32>
  return %1 : tensor<0x2xi32>
}

// Indices of rank 2 along the last axis.
// CHECK-LABEL: func.func @indices_inside
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 2.000000e+00]], {{\[\[}}3.000000e+00, 5.000000e+00]]]> : tensor<2x1x2xbf16>
func.func @indices_inside(%x0: tensor<2x3xbf16>) -> tensor<2x1x2xbf16> {
  %i = graph.constant dense<[[0, 2]]> : tensor<1x2xi64>
  %1 = graph.gather %x0, %i axis 1 : (tensor<2x3xbf16>, tensor<1x2xi64>) -> tensor<2x1x2xbf16>
  return %1 : tensor<2x1x2xbf16>
}
