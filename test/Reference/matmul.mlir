// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Products: argument i holds i, i + 1, i + 2 ...
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @square
// CHECK-NEXT: #0 = dense<{{\[\[}}3.000000e+00, 4.000000e+00], [1.100000e+01, 1.600000e+01]]> : tensor<2x2xf32>
func.func @square(%x0: tensor<2x2xf32>, %x1: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @odd
// CHECK-NEXT: #0 = dense<{{\[\[}}7.000000e+01, 8.000000e+01], [1.950000e+02, 2.300000e+02], [3.200000e+02, 3.800000e+02]]> : tensor<3x2xf32>
func.func @odd(%x0: tensor<3x5xf32>, %x1: tensor<5x2xf32>) -> tensor<3x2xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<3x5xf32>, tensor<5x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @transposed_left
// CHECK-NEXT: #0 = dense<{{\[\[}}9.600000e+01, 1.080000e+02, 1.200000e+02], [1.180000e+02, 1.340000e+02, 1.500000e+02]]> : tensor<2x3xf32>
func.func @transposed_left(%x0: tensor<4x2xf32>, %x1: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.matmul %x0, %x1 {transpose_a} : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @transposed_right
// CHECK-NEXT: #0 = dense<{{\[\[}}2.000000e+01, 4.400000e+01, 6.800000e+01], [6.000000e+01, 1.480000e+02, 2.360000e+02]]> : tensor<2x3xf32>
func.func @transposed_right(%x0: tensor<2x4xf32>, %x1: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %0 = graph.matmul %x0, %x1 {transpose_b} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @transposed_both
// CHECK-NEXT: #0 = dense<{{\[\[}}1.600000e+01, 3.400000e+01, 5.200000e+01, 7.000000e+01], [2.200000e+01, 4.900000e+01, 7.600000e+01, 1.030000e+02]]> : tensor<2x4xf32>
func.func @transposed_both(%x0: tensor<3x2xf32>, %x1: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = graph.matmul %x0, %x1 {transpose_a, transpose_b} : (tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @row_by_column
// CHECK-NEXT: #0 = dense<2.000000e+01> : tensor<1x1xf32>
func.func @row_by_column(%x0: tensor<1x4xf32>, %x1: tensor<4x1xf32>) -> tensor<1x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// CHECK-LABEL: func.func @column_by_row
// CHECK-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00], [1.000000e+00, 2.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<3x3xf32>
func.func @column_by_row(%x0: tensor<3x1xf32>, %x1: tensor<1x3xf32>) -> tensor<3x3xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<3x1xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @batches
// CHECK-NEXT: #0 = dense<{{\[\[}}[1.300000e+01, 1.600000e+01], [4.000000e+01, 5.200000e+01]], {{\[\[}}1.930000e+02, 2.140000e+02], [2.740000e+02, 3.040000e+02]]]> : tensor<2x2x2xf32>
func.func @batches(%x0: tensor<2x2x3xf32>, %x1: tensor<2x3x2xf32>) -> tensor<2x2x2xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

// One right operand for all batches.
// CHECK-LABEL: func.func @shared_right
// CHECK-NEXT: #0 = dense<{{\[\[}}[1.300000e+01, 1.600000e+01], [4.000000e+01, 5.200000e+01]], {{\[\[}}6.700000e+01, 8.800000e+01], [9.400000e+01, 1.240000e+02]]]> : tensor<2x2x2xf32>
func.func @shared_right(%x0: tensor<2x2x3xf32>, %x1: tensor<3x2xf32>) -> tensor<2x2x2xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x2x3xf32>, tensor<3x2xf32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

// CHECK-LABEL: func.func @shared_left
// CHECK-NEXT: #0 = dense<{{\[\[}}[1.300000e+01, 1.600000e+01], [4.000000e+01, 5.200000e+01]], {{\[\[}}3.100000e+01, 3.400000e+01], [1.120000e+02, 1.240000e+02]]]> : tensor<2x2x2xf32>
func.func @shared_left(%x0: tensor<2x3xf32>, %x1: tensor<2x3x2xf32>) -> tensor<2x2x2xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

// Each side repeats along another dim.
// CHECK-LABEL: func.func @crossed_batches
// CHECK-NEXT: #0 = dense<{{\[\[}}{{\[\[}}2.000000e+00]], {{\[\[}}4.000000e+00]], {{\[\[}}6.000000e+00]]], {{\[\[}}[8.000000e+00]], {{\[\[}}1.800000e+01]], {{\[\[}}2.800000e+01]]]]> : tensor<2x3x1x1xf32>
func.func @crossed_batches(%x0: tensor<2x1x1x2xf32>, %x1: tensor<1x3x2x1xf32>) -> tensor<2x3x1x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x1x1x2xf32>, tensor<1x3x2x1xf32>) -> tensor<2x3x1x1xf32>
  return %0 : tensor<2x3x1x1xf32>
}

// CHECK-LABEL: func.func @batches_transposed
// CHECK-NEXT: #0 = dense<{{\[\[}}[1.600000e+01, 3.400000e+01], [2.200000e+01, 4.900000e+01]], {{\[\[}}1.960000e+02, 2.680000e+02], [2.200000e+02, 3.010000e+02]]]> : tensor<2x2x2xf32>
func.func @batches_transposed(%x0: tensor<2x3x2xf32>, %x1: tensor<2x2x3xf32>) -> tensor<2x2x2xf32> {
  %0 = graph.matmul %x0, %x1 {transpose_a, transpose_b} : (tensor<2x3x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

// Sums of nothing are zeros.
// CHECK-LABEL: func.func @no_k
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<2x3xf32>
func.func @no_k(%x0: tensor<2x0xf32>, %x1: tensor<0x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @no_rows
// CHECK-NEXT: #0 = dense<> : tensor<0x3xf32>
func.func @no_rows(%x0: tensor<0x2xf32>, %x1: tensor<2x3xf32>) -> tensor<0x3xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<0x2xf32>, tensor<2x3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// CHECK-LABEL: func.func @f64
// CHECK-NEXT: #0 = dense<{{\[\[}}1.300000e+01, 1.600000e+01], [4.000000e+01, 5.200000e+01]]> : tensor<2x2xf64>
func.func @f64(%x0: tensor<2x3xf64>, %x1: tensor<3x2xf64>) -> tensor<2x2xf64> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}

// CHECK-LABEL: func.func @i32
// CHECK-NEXT: #0 = dense<{{\[\[}}13, 16], [40, 52]]> : tensor<2x2xi32>
func.func @i32(%x0: tensor<2x3xi32>, %x1: tensor<3x2xi32>) -> tensor<2x2xi32> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @i8_wraps
// CHECK-NEXT: #0 = dense<{{\[\[}}-68, -32], [-107, 10]]> : tensor<2x2xi8>
func.func @i8_wraps(%x0: tensor<2x9xi8>, %x1: tensor<9x2xi8>) -> tensor<2x2xi8> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x9xi8>, tensor<9x2xi8>) -> tensor<2x2xi8>
  return %0 : tensor<2x2xi8>
}

// CHECK-LABEL: func.func @ui8_wraps
// CHECK-NEXT: #0 = dense<{{\[\[}}188, 224], [149, 10]]> : tensor<2x2xui8>
func.func @ui8_wraps(%x0: tensor<2x9xui8>, %x1: tensor<9x2xui8>) -> tensor<2x2xui8> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x9xui8>, tensor<9x2xui8>) -> tensor<2x2xui8>
  return %0 : tensor<2x2xui8>
}

// Above 2048 f16 holds even numbers only.
// CHECK-LABEL: func.func @f16_rounded
// CHECK-NEXT: #0 = dense<{{\[\[}}1.078000e+03, 1.144000e+03], [2.806000e+03, 3.016000e+03]]> : tensor<2x2xf16>
func.func @f16_rounded(%x0: tensor<2x12xf16>, %x1: tensor<12x2xf16>) -> tensor<2x2xf16> {
  %0 = graph.matmul %x0, %x1 : (tensor<2x12xf16>, tensor<12x2xf16>) -> tensor<2x2xf16>
  return %0 : tensor<2x2xf16>
}

// result_element keeps the sums as they are.
// CHECK-LABEL: func.func @f16_kept
// CHECK-NEXT: #0 = dense<{{\[\[}}1.078000e+03, 1.144000e+03], [2.806000e+03, 3.016000e+03]]> : tensor<2x2xf32>
func.func @f16_kept(%x0: tensor<2x12xf16>, %x1: tensor<12x2xf16>) -> tensor<2x2xf32> {
  %0 = graph.matmul %x0, %x1 {result_element = f32} : (tensor<2x12xf16>, tensor<12x2xf16>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @bf16_rounded
// CHECK-NEXT: #0 = dense<{{\[\[}}4.440000e+02, 4.800000e+02]]> : tensor<1x2xbf16>
func.func @bf16_rounded(%x0: tensor<1x9xbf16>, %x1: tensor<9x2xbf16>) -> tensor<1x2xbf16> {
  %0 = graph.matmul %x0, %x1 : (tensor<1x9xbf16>, tensor<9x2xbf16>) -> tensor<1x2xbf16>
  return %0 : tensor<1x2xbf16>
}

// CHECK-LABEL: func.func @bf16_kept
// CHECK-NEXT: #0 = dense<{{\[\[}}4.440000e+02, 4.800000e+02]]> : tensor<1x2xf32>
func.func @bf16_kept(%x0: tensor<1x9xbf16>, %x1: tensor<9x2xbf16>) -> tensor<1x2xf32> {
  %0 = graph.matmul %x0, %x1 {result_element = f32} : (tensor<1x9xbf16>, tensor<9x2xbf16>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// The reference does not round operands.
// CHECK-LABEL: func.func @tf32
// CHECK-NEXT: #0 = dense<8.000000e+00> : tensor<1x1xf32>
func.func @tf32(%x0: tensor<1x3xf32>, %x1: tensor<3x1xf32>) -> tensor<1x1xf32> {
  %0 = graph.matmul %x0, %x1 {tf32} : (tensor<1x3xf32>, tensor<3x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// Wider than a block of columns of the reference.
// CHECK-LABEL: func.func @wide_right
// CHECK-NEXT: #0 = dense<{{\[\[}}5.550000e+02, 5.560000e+02, 5.570000e+02, 5.580000e+02, 5.590000e+02, 5.600000e+02]]> : tensor<1x6xf32>
func.func @wide_right(%x0: tensor<1x2xf32>, %x1: tensor<2x300xf32>) -> tensor<1x6xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<1x2xf32>, tensor<2x300xf32>) -> tensor<1x300xf32>
  %1 = graph.slice %0 starts <[] -> [0, 254]> steps [1, 1] : (tensor<1x300xf32>) -> tensor<1x6xf32>
  return %1 : tensor<1x6xf32>
}

// More rows than one block of the reference.
// CHECK-LABEL: func.func @many_rows
// CHECK-NEXT: #0 = dense<{{\[\[}}2.000000e+00], [8.000000e+00], [1.400000e+01], [2.000000e+01], [2.600000e+01], [3.200000e+01], [3.800000e+01], [4.400000e+01], [5.000000e+01]]> : tensor<9x1xf32>
func.func @many_rows(%x0: tensor<9x2xf32>, %x1: tensor<2x1xf32>) -> tensor<9x1xf32> {
  %0 = graph.matmul %x0, %x1 : (tensor<9x2xf32>, tensor<2x1xf32>) -> tensor<9x1xf32>
  return %0 : tensor<9x1xf32>
}

// Zero times infinity is NaN, and so is a sum of infinities of two signs.
// CHECK-LABEL: func.func @nan_and_infinity
// CHECK-NEXT: #0 = dense<{{\[\[}}0xFFC00000, 0x7FC00000], [0x7F800000, 0x7FC00000]]> : tensor<2x2xf32>
func.func @nan_and_infinity() -> tensor<2x2xf32> {
  %a = graph.constant dense<[[0.0, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %b = graph.constant dense<[[0x7F800000, 1.0], [2.0, 0x7FC00000]]> : tensor<2x2xf32>
  %2 = graph.matmul %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
