// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Updates of rows, in their order.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @replace
// CHECK-NEXT: #0 = dense<{{\[\[}}[3, 4], [2, 3], [1, 2], [6, 7]]]> : tensor<1x4x2xi32>
func.func @replace(%x0: tensor<1x4x2xi32>, %x1: tensor<1x2x2xi32>) -> tensor<1x4x2xi32> {
  %i = graph.constant dense<[[[2], [0]]]> : tensor<1x2x1xi64>
  %1 = graph.scatter %x0, %i, %x1 : (tensor<1x4x2xi32>, tensor<1x2x1xi64>, tensor<1x2x2xi32>) -> tensor<1x4x2xi32>
  return %1 : tensor<1x4x2xi32>
}

// Of two updates of one place the later.
// CHECK-LABEL: func.func @last_wins
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.000000e+00], [3.000000e+00, 4.000000e+00], [4.000000e+00, 5.000000e+00]]]> : tensor<1x3x2xf32>
func.func @last_wins(%x0: tensor<1x3x2xf32>, %x1: tensor<1x2x2xf32>) -> tensor<1x3x2xf32> {
  %i = graph.constant dense<[[[1], [1]]]> : tensor<1x2x1xi64>
  %1 = graph.scatter %x0, %i, %x1 : (tensor<1x3x2xf32>, tensor<1x2x1xi64>, tensor<1x2x2xf32>) -> tensor<1x3x2xf32>
  return %1 : tensor<1x3x2xf32>
}

// An index per element.
// CHECK-LABEL: func.func @by_element
// CHECK-NEXT: #0 = dense<{{\[\[}}[1.000000e+00, 1.000000e+00], [3.000000e+00, 3.000000e+00], [4.000000e+00, 4.000000e+00]]]> : tensor<1x3x2xf16>
func.func @by_element(%x0: tensor<1x3x2xf16>, %x1: tensor<1x2x2xf16>) -> tensor<1x3x2xf16> {
  %i = graph.constant dense<[[[0, 2], [1, 2]]]> : tensor<1x2x2xi32>
  %1 = graph.scatter %x0, %i, %x1 : (tensor<1x3x2xf16>, tensor<1x2x2xi32>, tensor<1x2x2xf16>) -> tensor<1x3x2xf16>
  return %1 : tensor<1x3x2xf16>
}

// CHECK-LABEL: func.func @batches
// CHECK-NEXT: #0 = dense<{{\[\[}}[0], [1]], {{\[\[}}2], [3]]]> : tensor<2x2x1xi64>
func.func @batches(%x0: tensor<2x2x1xi64>, %x1: tensor<2x1x1xi64>) -> tensor<2x2x1xi64> {
  %i = graph.constant dense<[[[1]], [[0]]]> : tensor<2x1x1xi64>
  %1 = graph.scatter %x0, %i, %x1 : (tensor<2x2x1xi64>, tensor<2x1x1xi64>, tensor<2x1x1xi64>) -> tensor<2x2x1xi64>
  return %1 : tensor<2x2x1xi64>
}

// CHECK-LABEL: func.func @negative
// CHECK-NEXT: #0 = dense<{{\[\[}}[2], [1], [2], [1]]]> : tensor<1x4x1xi8>
func.func @negative(%x0: tensor<1x4x1xi8>, %x1: tensor<1x2x1xi8>) -> tensor<1x4x1xi8> {
  %i = graph.constant dense<[[[-1], [-4]]]> : tensor<1x2x1xi64>
  %1 = graph.scatter %x0, %i, %x1 : (tensor<1x4x1xi8>, tensor<1x2x1xi64>, tensor<1x2x1xi8>) -> tensor<1x4x1xi8>
  return %1 : tensor<1x4x1xi8>
}

// Out of range: nothing is written.
// CHECK-LABEL: func.func @dropped
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00], [3.000000e+00]]]> : tensor<1x2x1xf64>
func.func @dropped(%x0: tensor<1x2x1xf64>, %x1: tensor<1x3x1xf64>) -> tensor<1x2x1xf64> {
  %i = graph.constant dense<[[[2], [-3], [1]]]> : tensor<1x3x1xi64>
  %1 = graph.scatter %x0, %i, %x1 : (tensor<1x2x1xf64>, tensor<1x3x1xi64>, tensor<1x3x1xf64>) -> tensor<1x2x1xf64>
  return %1 : tensor<1x2x1xf64>
}

// CHECK-LABEL: func.func @no_updates
// CHECK-NEXT: #0 = dense<{{\[\[}}[0, 1], [2, 3]]]> : tensor<1x2x2xi32>
func.func @no_updates(%x0: tensor<1x2x2xi32>, %x1: tensor<1x0x2xi32>) -> tensor<1x2x2xi32> {
  %i = graph.constant dense<> : tensor<1x0x1xi64>
  %1 = graph.scatter %x0, %i, %x1 : (tensor<1x2x2xi32>, tensor<1x0x1xi64>, tensor<1x0x2xi32>) -> tensor<1x2x2xi32>
  return %1 : tensor<1x2x2xi32>
}

// CHECK-LABEL: func.func @f32_sum
// CHECK-NEXT: #0 = dense<{{\[\[}}[5.000000e-01], [-9.000000e+00], [8.500000e+00]]]> : tensor<1x3x1xf32>
func.func @f32_sum() -> tensor<1x3x1xf32> {
  %d = graph.constant dense<[[[1.5], [-2.0], [4.0]]]> : tensor<1x3x1xf32>
  %u = graph.constant dense<[[[2.0], [-3.0], [4.5], [-7.0]]]> : tensor<1x4x1xf32>
  %i = graph.constant dense<[[[0], [0], [2], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine sum : (tensor<1x3x1xf32>, tensor<1x4x1xi64>, tensor<1x4x1xf32>) -> tensor<1x3x1xf32>
  return %3 : tensor<1x3x1xf32>
}

// Wraps.
// CHECK-LABEL: func.func @i8_sum
// CHECK-NEXT: #0 = dense<{{\[\[}}[-127], [1], [0]]]> : tensor<1x3x1xi8>
func.func @i8_sum() -> tensor<1x3x1xi8> {
  %d = graph.constant dense<[[[100], [-2], [7]]]> : tensor<1x3x1xi8>
  %u = graph.constant dense<[[[20], [9], [-7], [3]]]> : tensor<1x4x1xi8>
  %i = graph.constant dense<[[[0], [0], [2], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine sum : (tensor<1x3x1xi8>, tensor<1x4x1xi64>, tensor<1x4x1xi8>) -> tensor<1x3x1xi8>
  return %3 : tensor<1x3x1xi8>
}

// CHECK-LABEL: func.func @ui8_sum
// CHECK-NEXT: #0 = dense<{{\[\[}}[44], [255], [16]]]> : tensor<1x3x1xui8>
func.func @ui8_sum() -> tensor<1x3x1xui8> {
  %d = graph.constant dense<[[[200], [2], [7]]]> : tensor<1x3x1xui8>
  %u = graph.constant dense<[[[100], [9], [3], [250]]]> : tensor<1x4x1xui8>
  %i = graph.constant dense<[[[0], [2], [1], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine sum : (tensor<1x3x1xui8>, tensor<1x4x1xi64>, tensor<1x4x1xui8>) -> tensor<1x3x1xui8>
  return %3 : tensor<1x3x1xui8>
}

// CHECK-LABEL: func.func @f32_prod
// CHECK-NEXT: #0 = dense<{{\[\[}}[-9.000000e+00], [1.400000e+01], [1.800000e+01]]]> : tensor<1x3x1xf32>
func.func @f32_prod() -> tensor<1x3x1xf32> {
  %d = graph.constant dense<[[[1.5], [-2.0], [4.0]]]> : tensor<1x3x1xf32>
  %u = graph.constant dense<[[[2.0], [-3.0], [4.5], [-7.0]]]> : tensor<1x4x1xf32>
  %i = graph.constant dense<[[[0], [0], [2], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine prod : (tensor<1x3x1xf32>, tensor<1x4x1xi64>, tensor<1x4x1xf32>) -> tensor<1x3x1xf32>
  return %3 : tensor<1x3x1xf32>
}

// Wraps.
// CHECK-LABEL: func.func @i8_prod
// CHECK-NEXT: #0 = dense<{{\[\[}}[80], [-6], [-49]]]> : tensor<1x3x1xi8>
func.func @i8_prod() -> tensor<1x3x1xi8> {
  %d = graph.constant dense<[[[100], [-2], [7]]]> : tensor<1x3x1xi8>
  %u = graph.constant dense<[[[20], [9], [-7], [3]]]> : tensor<1x4x1xi8>
  %i = graph.constant dense<[[[0], [0], [2], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine prod : (tensor<1x3x1xi8>, tensor<1x4x1xi64>, tensor<1x4x1xi8>) -> tensor<1x3x1xi8>
  return %3 : tensor<1x3x1xi8>
}

// CHECK-LABEL: func.func @ui8_prod
// CHECK-NEXT: #0 = dense<{{\[\[}}[32], [220], [63]]]> : tensor<1x3x1xui8>
func.func @ui8_prod() -> tensor<1x3x1xui8> {
  %d = graph.constant dense<[[[200], [2], [7]]]> : tensor<1x3x1xui8>
  %u = graph.constant dense<[[[100], [9], [3], [250]]]> : tensor<1x4x1xui8>
  %i = graph.constant dense<[[[0], [2], [1], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine prod : (tensor<1x3x1xui8>, tensor<1x4x1xi64>, tensor<1x4x1xui8>) -> tensor<1x3x1xui8>
  return %3 : tensor<1x3x1xui8>
}

// CHECK-LABEL: func.func @f32_max
// CHECK-NEXT: #0 = dense<{{\[\[}}[2.000000e+00], [-2.000000e+00], [4.500000e+00]]]> : tensor<1x3x1xf32>
func.func @f32_max() -> tensor<1x3x1xf32> {
  %d = graph.constant dense<[[[1.5], [-2.0], [4.0]]]> : tensor<1x3x1xf32>
  %u = graph.constant dense<[[[2.0], [-3.0], [4.5], [-7.0]]]> : tensor<1x4x1xf32>
  %i = graph.constant dense<[[[0], [0], [2], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine max : (tensor<1x3x1xf32>, tensor<1x4x1xi64>, tensor<1x4x1xf32>) -> tensor<1x3x1xf32>
  return %3 : tensor<1x3x1xf32>
}

// CHECK-LABEL: func.func @i8_max
// CHECK-NEXT: #0 = dense<{{\[\[}}[100], [3], [7]]]> : tensor<1x3x1xi8>
func.func @i8_max() -> tensor<1x3x1xi8> {
  %d = graph.constant dense<[[[100], [-2], [7]]]> : tensor<1x3x1xi8>
  %u = graph.constant dense<[[[20], [9], [-7], [3]]]> : tensor<1x4x1xi8>
  %i = graph.constant dense<[[[0], [0], [2], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine max : (tensor<1x3x1xi8>, tensor<1x4x1xi64>, tensor<1x4x1xi8>) -> tensor<1x3x1xi8>
  return %3 : tensor<1x3x1xi8>
}

// CHECK-LABEL: func.func @ui8_max
// CHECK-NEXT: #0 = dense<{{\[\[}}[200], [250], [9]]]> : tensor<1x3x1xui8>
func.func @ui8_max() -> tensor<1x3x1xui8> {
  %d = graph.constant dense<[[[200], [2], [7]]]> : tensor<1x3x1xui8>
  %u = graph.constant dense<[[[100], [9], [3], [250]]]> : tensor<1x4x1xui8>
  %i = graph.constant dense<[[[0], [2], [1], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine max : (tensor<1x3x1xui8>, tensor<1x4x1xi64>, tensor<1x4x1xui8>) -> tensor<1x3x1xui8>
  return %3 : tensor<1x3x1xui8>
}

// CHECK-LABEL: func.func @f32_min
// CHECK-NEXT: #0 = dense<{{\[\[}}[-3.000000e+00], [-7.000000e+00], [4.000000e+00]]]> : tensor<1x3x1xf32>
func.func @f32_min() -> tensor<1x3x1xf32> {
  %d = graph.constant dense<[[[1.5], [-2.0], [4.0]]]> : tensor<1x3x1xf32>
  %u = graph.constant dense<[[[2.0], [-3.0], [4.5], [-7.0]]]> : tensor<1x4x1xf32>
  %i = graph.constant dense<[[[0], [0], [2], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine min : (tensor<1x3x1xf32>, tensor<1x4x1xi64>, tensor<1x4x1xf32>) -> tensor<1x3x1xf32>
  return %3 : tensor<1x3x1xf32>
}

// CHECK-LABEL: func.func @i8_min
// CHECK-NEXT: #0 = dense<{{\[\[}}[9], [-2], [-7]]]> : tensor<1x3x1xi8>
func.func @i8_min() -> tensor<1x3x1xi8> {
  %d = graph.constant dense<[[[100], [-2], [7]]]> : tensor<1x3x1xi8>
  %u = graph.constant dense<[[[20], [9], [-7], [3]]]> : tensor<1x4x1xi8>
  %i = graph.constant dense<[[[0], [0], [2], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine min : (tensor<1x3x1xi8>, tensor<1x4x1xi64>, tensor<1x4x1xi8>) -> tensor<1x3x1xi8>
  return %3 : tensor<1x3x1xi8>
}

// CHECK-LABEL: func.func @ui8_min
// CHECK-NEXT: #0 = dense<{{\[\[}}[100], [2], [7]]]> : tensor<1x3x1xui8>
func.func @ui8_min() -> tensor<1x3x1xui8> {
  %d = graph.constant dense<[[[200], [2], [7]]]> : tensor<1x3x1xui8>
  %u = graph.constant dense<[[[100], [9], [3], [250]]]> : tensor<1x4x1xui8>
  %i = graph.constant dense<[[[0], [2], [1], [1]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine min : (tensor<1x3x1xui8>, tensor<1x4x1xi64>, tensor<1x4x1xui8>) -> tensor<1x3x1xui8>
  return %3 : tensor<1x3x1xui8>
}

// Summed in double precision, rounded once: in f16 each 1 would be lost.
// CHECK-LABEL: func.func @f16_sum
// CHECK-NEXT: #0 = dense<2.052000e+03> : tensor<1x1x1xf16>
func.func @f16_sum() -> tensor<1x1x1xf16> {
  %d = graph.constant dense<[[[2048.0]]]> : tensor<1x1x1xf16>
  %u = graph.constant dense<[[[1.0], [1.0], [1.0], [1.0]]]> : tensor<1x4x1xf16>
  %i = graph.constant dense<[[[0], [0], [0], [0]]]> : tensor<1x4x1xi64>
  %3 = graph.scatter %d, %i, %u combine sum : (tensor<1x1x1xf16>, tensor<1x4x1xi64>, tensor<1x4x1xf16>) -> tensor<1x1x1xf16>
  return %3 : tensor<1x1x1xf16>
}

// NaN wins over every number.
// CHECK-LABEL: func.func @nan_max
// CHECK-NEXT: #0 = dense<{{\[\[}}[0x7FC00000], [2.000000e+00]]]> : tensor<1x2x1xf32>
func.func @nan_max() -> tensor<1x2x1xf32> {
  %d = graph.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %u = graph.constant dense<[[[0x7FC00000], [1.0]]]> : tensor<1x2x1xf32>
  %i = graph.constant dense<[[[0], [1]]]> : tensor<1x2x1xi64>
  %3 = graph.scatter %d, %i, %u combine max : (tensor<1x2x1xf32>, tensor<1x2x1xi64>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
  return %3 : tensor<1x2x1xf32>
}
