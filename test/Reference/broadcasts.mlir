// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Which element meets which: argument i holds i, i + 1, i + 2 ...
// NOTE: checks by tools/update-lit-checks

// A row below a column.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: #0 = dense<{{\[\[}}-1.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00], [-2.000000e+00, -1.000000e+00, 0.000000e+00, 1.000000e+00], [-3.000000e+00, -2.000000e+00, -1.000000e+00, 0.000000e+00]]> : tensor<3x4xf32>
func.func @rows(%x0: tensor<1x4xf32>, %x1: tensor<3x1xf32>) -> tensor<3x4xf32> {
  %0 = graph.binary sub %x0, %x1 : (tensor<1x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @scalar_left
// CHECK-NEXT: #0 = dense<{{\[\[}}-1.000000e+00, -2.000000e+00, -3.000000e+00], [-4.000000e+00, -5.000000e+00, -6.000000e+00]]> : tensor<2x3xf32>
func.func @scalar_left(%x0: tensor<f32>, %x1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.binary sub %x0, %x1 : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @scalar_right
// CHECK-NEXT: #0 = dense<{{\[\[}}-1.000000e+00, 0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00, 4.000000e+00]]> : tensor<2x3xf32>
func.func @scalar_right(%x0: tensor<2x3xf32>, %x1: tensor<f32>) -> tensor<2x3xf32> {
  %0 = graph.binary sub %x0, %x1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Leading dims are added.
// CHECK-LABEL: func.func @leading
// CHECK-NEXT: #0 = dense<{{\[\[}}[-1.000000e+00, -1.000000e+00, -1.000000e+00], [-4.000000e+00, -4.000000e+00, -4.000000e+00]], {{\[\[}}-7.000000e+00, -7.000000e+00, -7.000000e+00], [-1.000000e+01, -1.000000e+01, -1.000000e+01]]]> : tensor<2x2x3xf32>
func.func @leading(%x0: tensor<3xf32>, %x1: tensor<2x2x3xf32>) -> tensor<2x2x3xf32> {
  %0 = graph.binary sub %x0, %x1 : (tensor<3xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  return %0 : tensor<2x2x3xf32>
}

// Each side repeats along another dim.
// CHECK-LABEL: func.func @both_sides
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}-1.000000e+00, -2.000000e+00], [0.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00]], {{\[\[}}-3.000000e+00, -4.000000e+00], [-2.000000e+00, -3.000000e+00], [-1.000000e+00, -2.000000e+00]]], {{\[\[}}[2.000000e+00, 1.000000e+00], [3.000000e+00, 2.000000e+00], [4.000000e+00, 3.000000e+00]], {{\[\[}}0.000000e+00, -1.000000e+00], [1.000000e+00, 0.000000e+00], [2.000000e+00, 1.000000e+00]]]]> : tensor<2x2x3x2xf32>
func.func @both_sides(%x0: tensor<2x1x3x1xf32>, %x1: tensor<1x2x1x2xf32>) -> tensor<2x2x3x2xf32> {
  %0 = graph.binary sub %x0, %x1 : (tensor<2x1x3x1xf32>, tensor<1x2x1x2xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// Dims of 1 on both sides stay.
// CHECK-LABEL: func.func @ones
// CHECK-NEXT: #0 = dense<-1.000000e+00> : tensor<1x1xf32>
func.func @ones(%x0: tensor<1x1xf32>, %x1: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0 = graph.binary sub %x0, %x1 : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// A dim of 0 beside one of 1.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: #0 = dense<> : tensor<0x3xf32>
func.func @empty(%x0: tensor<0x3xf32>, %x1: tensor<1x3xf32>) -> tensor<0x3xf32> {
  %0 = graph.binary sub %x0, %x1 : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// Repeated inside, not at an end.
// CHECK-LABEL: func.func @inner
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 2.000000e+00], [0.000000e+00, 4.000000e+00], [0.000000e+00, 6.000000e+00]], {{\[\[}}1.400000e+01, 2.400000e+01], [1.800000e+01, 3.000000e+01], [2.200000e+01, 3.600000e+01]]]> : tensor<2x3x2xf32>
func.func @inner(%x0: tensor<2x1x2xf32>, %x1: tensor<2x3x2xf32>) -> tensor<2x3x2xf32> {
  %0 = graph.binary mul %x0, %x1 : (tensor<2x1x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

// A comparison broadcasts alike.
// CHECK-LABEL: func.func @compare_rows
// CHECK-NEXT: #0 = dense<{{\[\[}}true, false, false], [true, true, false]]> : tensor<2x3xi1>
func.func @compare_rows(%x0: tensor<1x3xi32>, %x1: tensor<2x1xi32>) -> tensor<2x3xi1> {
  %0 = graph.compare less %x0, %x1 : (tensor<1x3xi32>, tensor<2x1xi32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// Condition and both values repeat along dims of their own.
// CHECK-LABEL: func.func @select_three
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00], [2.000000e+00, 2.000000e+00]], {{\[\[}}1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]]> : tensor<2x3x2xf32>
func.func @select_three(%x0: tensor<1x3x1xf32>, %x1: tensor<2xf32>) -> tensor<2x3x2xf32> {
  %c = graph.constant dense<[[[true]], [[false]]]> : tensor<2x1x1xi1>
  %1 = graph.select %c, %x0, %x1 : (tensor<2x1x1xi1>, tensor<1x3x1xf32>, tensor<2xf32>) -> tensor<2x3x2xf32>
  return %1 : tensor<2x3x2xf32>
}

// CHECK-LABEL: func.func @logical
// CHECK-NEXT: #0 = dense<{{\[\[}}true, false, true], [false, false, false]]> : tensor<2x3xi1>
// CHECK-NEXT: #1 = dense<{{\[\[}}true, true, true], [true, false, true]]> : tensor<2x3xi1>
// CHECK-NEXT: #2 = dense<{{\[\[}}false, true, false], [true, false, true]]> : tensor<2x3xi1>
func.func @logical() -> (tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>) {
  %c = graph.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %d = graph.constant dense<[true, false, true]> : tensor<3xi1>
  %2 = graph.binary logical_and %c, %d : (tensor<2x1xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  %3 = graph.binary logical_or %c, %d : (tensor<2x1xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  %4 = graph.binary logical_xor %c, %d : (tensor<2x1xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %2, %3, %4 : tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>
}
