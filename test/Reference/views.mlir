// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Which element goes where: argument i holds i, i + 1, i + 2 ...
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @matrix
// CHECK-NEXT: #0 = dense<{{\[\[}}0, 3], [1, 4], [2, 5]]> : tensor<3x2xi32>
func.func @matrix(%x0: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %0 = graph.transpose %x0 [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// CHECK-LABEL: func.func @last_two
// CHECK-NEXT: #0 = dense<{{\[\[}}[0, 3], [1, 4], [2, 5]], {{\[\[}}6, 9], [7, 10], [8, 11]]]> : tensor<2x3x2xi8>
func.func @last_two(%x0: tensor<2x2x3xi8>) -> tensor<2x3x2xi8> {
  %0 = graph.transpose %x0 [0, 2, 1] : (tensor<2x2x3xi8>) -> tensor<2x3x2xi8>
  return %0 : tensor<2x3x2xi8>
}

// Rows stay contiguous.
// CHECK-LABEL: func.func @first_two
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.000000e+00], [6.000000e+00, 7.000000e+00]], {{\[\[}}2.000000e+00, 3.000000e+00], [8.000000e+00, 9.000000e+00]], {{\[\[}}4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01]]]> : tensor<3x2x2xf16>
func.func @first_two(%x0: tensor<2x3x2xf16>) -> tensor<3x2x2xf16> {
  %0 = graph.transpose %x0 [1, 0, 2] : (tensor<2x3x2xf16>) -> tensor<3x2x2xf16>
  return %0 : tensor<3x2x2xf16>
}

// CHECK-LABEL: func.func @reversed
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 6.000000e+00], [2.000000e+00, 8.000000e+00], [4.000000e+00, 1.000000e+01]], {{\[\[}}1.000000e+00, 7.000000e+00], [3.000000e+00, 9.000000e+00], [5.000000e+00, 1.100000e+01]]]> : tensor<2x3x2xf64>
func.func @reversed(%x0: tensor<2x3x2xf64>) -> tensor<2x3x2xf64> {
  %0 = graph.transpose %x0 [2, 1, 0] : (tensor<2x3x2xf64>) -> tensor<2x3x2xf64>
  return %0 : tensor<2x3x2xf64>
}

// CHECK-LABEL: func.func @rotated
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0, 2, 4]], {{\[\[}}6, 8, 10]]], {{\[\[}}[1, 3, 5]], {{\[\[}}7, 9, 11]]]]> : tensor<2x2x1x3xi16>
func.func @rotated(%x0: tensor<2x1x3x2xi16>) -> tensor<2x2x1x3xi16> {
  %0 = graph.transpose %x0 [3, 0, 1, 2] : (tensor<2x1x3x2xi16>) -> tensor<2x2x1x3xi16>
  return %0 : tensor<2x2x1x3xi16>
}

// [B, S, H, D] to [B, H, S, D].
// CHECK-LABEL: func.func @heads
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0.000000e+00, 1.000000e+00], [4.000000e+00, 5.000000e+00], [8.000000e+00, 9.000000e+00]], {{\[\[}}2.000000e+00, 3.000000e+00], [6.000000e+00, 7.000000e+00], [1.000000e+01, 1.100000e+01]]]]> : tensor<1x2x3x2xf32>
func.func @heads(%x0: tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32> {
  %0 = graph.transpose %x0 [0, 2, 1, 3] : (tensor<1x3x2x2xf32>) -> tensor<1x2x3x2xf32>
  return %0 : tensor<1x2x3x2xf32>
}

// CHECK-LABEL: func.func @identity
// CHECK-NEXT: #0 = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xui8>
func.func @identity(%x0: tensor<2x2xui8>) -> tensor<2x2xui8> {
  %0 = graph.transpose %x0 [0, 1] : (tensor<2x2xui8>) -> tensor<2x2xui8>
  return %0 : tensor<2x2xui8>
}

// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: #0 = dense<0> : tensor<i32>
func.func @scalar(%x0: tensor<i32>) -> tensor<i32> {
  %0 = graph.transpose %x0 [] : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @empty
// CHECK-NEXT: #0 = dense<> : tensor<3x0xi32>
func.func @empty(%x0: tensor<0x3xi32>) -> tensor<3x0xi32> {
  %0 = graph.transpose %x0 [1, 0] : (tensor<0x3xi32>) -> tensor<3x0xi32>
  return %0 : tensor<3x0xi32>
}

// Numbers that are not rounded yet are moved in double precision.
// CHECK-LABEL: func.func @of_an_intermediate
// CHECK-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 2.000000e+00], [1.000000e+00, 3.000000e+00]]> : tensor<2x2xf16>
func.func @of_an_intermediate(%x0: tensor<2x2xf16>) -> tensor<2x2xf16> {
  %0 = graph.unary exp %x0 : (tensor<2x2xf16>) -> tensor<2x2xf16>
  %1 = graph.transpose %0 [1, 0] : (tensor<2x2xf16>) -> tensor<2x2xf16>
  %2 = graph.unary log %1 : (tensor<2x2xf16>) -> tensor<2x2xf16>
  return %2 : tensor<2x2xf16>
}

// CHECK-LABEL: func.func @split
// CHECK-NEXT: #0 = dense<{{\[\[}}0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>
func.func @split(%x0: tensor<6xi64>) -> tensor<2x3xi64> {
  %0 = graph.reshape %x0 : (tensor<6xi64>) -> tensor<2x3xi64>
  return %0 : tensor<2x3xi64>
}

// CHECK-LABEL: func.func @merge_across
// CHECK-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00], [8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01]]> : tensor<3x4xf32>
func.func @merge_across(%x0: tensor<2x3x2xf32>) -> tensor<3x4xf32> {
  %0 = graph.reshape %x0 : (tensor<2x3x2xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @ones
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}0], [1]], {{\[\[}}2], [3]]]]> : tensor<1x2x2x1xui16>
func.func @ones(%x0: tensor<2x1x2xui16>) -> tensor<1x2x2x1xui16> {
  %0 = graph.reshape %x0 : (tensor<2x1x2xui16>) -> tensor<1x2x2x1xui16>
  return %0 : tensor<1x2x2x1xui16>
}

// CHECK-LABEL: func.func @to_scalar
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<f16>
func.func @to_scalar(%x0: tensor<1x1xf16>) -> tensor<f16> {
  %0 = graph.reshape %x0 : (tensor<1x1xf16>) -> tensor<f16>
  return %0 : tensor<f16>
}

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: #0 = dense<> : tensor<2x0x3xi64>
func.func @nothing(%x0: tensor<0x4xi64>) -> tensor<2x0x3xi64> {
  %0 = graph.reshape %x0 : (tensor<0x4xi64>) -> tensor<2x0x3xi64>
  return %0 : tensor<2x0x3xi64>
}

// CHECK-LABEL: func.func @repeat_columns
// CHECK-NEXT: #0 = dense<{{\[\[}}0, 0, 0], [1, 1, 1]]> : tensor<2x3xi32>
func.func @repeat_columns(%x0: tensor<2x1xi32>) -> tensor<2x3xi32> {
  %0 = graph.broadcast %x0 : (tensor<2x1xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @repeat_rows
// CHECK-NEXT: #0 = dense<{{\[\[}}0, 1, 2], [0, 1, 2]]> : tensor<2x3xi8>
func.func @repeat_rows(%x0: tensor<1x3xi8>) -> tensor<2x3xi8> {
  %0 = graph.broadcast %x0 : (tensor<1x3xi8>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// CHECK-LABEL: func.func @add_dims
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.000000e+00]], {{\[\[}}0.000000e+00, 1.000000e+00]]]> : tensor<2x1x2xf64>
func.func @add_dims(%x0: tensor<2xf64>) -> tensor<2x1x2xf64> {
  %0 = graph.broadcast %x0 : (tensor<2xf64>) -> tensor<2x1x2xf64>
  return %0 : tensor<2x1x2xf64>
}

// CHECK-LABEL: func.func @from_scalar
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<2x2xf16>
func.func @from_scalar(%x0: tensor<f16>) -> tensor<2x2xf16> {
  %0 = graph.broadcast %x0 : (tensor<f16>) -> tensor<2x2xf16>
  return %0 : tensor<2x2xf16>
}

// A dim in the middle.
// CHECK-LABEL: func.func @between
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00]], {{\[\[}}2.000000e+00, 3.000000e+00], [2.000000e+00, 3.000000e+00]]]> : tensor<2x2x2xbf16>
func.func @between(%x0: tensor<2x1x2xbf16>) -> tensor<2x2x2xbf16> {
  %0 = graph.broadcast %x0 : (tensor<2x1x2xbf16>) -> tensor<2x2x2xbf16>
  return %0 : tensor<2x2x2xbf16>
}

// CHECK-LABEL: func.func @to_nothing
// CHECK-NEXT: #0 = dense<> : tensor<0x2xi32>
func.func @to_nothing(%x0: tensor<1x2xi32>) -> tensor<0x2xi32> {
  %0 = graph.broadcast %x0 : (tensor<1x2xi32>) -> tensor<0x2xi32>
  return %0 : tensor<0x2xi32>
}
