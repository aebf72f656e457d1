// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Comparisons of floats, of signed and of unsigned integers.
// NOTE: checks by tools/update-lit-checks

// NaN is equal to nothing, zeros of both signs are equal; unsigned numbers are not taken for negative ones.
// CHECK-LABEL: func.func @equal
// CHECK-NEXT: #0 = dense<[true, false, false, true, false, false]> : tensor<6xi1>
// CHECK-NEXT: #1 = dense<[true, false, false]> : tensor<3xi1>
// CHECK-NEXT: #2 = dense<[false, true, false]> : tensor<3xi1>
// CHECK-NEXT: #3 = dense<[false, true, false]> : tensor<3xi1>
// CHECK-NEXT: #4 = dense<false> : tensor<2xi1>
// CHECK-NEXT: #5 = dense<false> : tensor<2xi1>
func.func @equal() -> (tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>) {
  %x = graph.constant dense<[0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0]> : tensor<6xf32>
  %y = graph.constant dense<[-0.0, 0x7FC00000, 1.0, 0x7F800000, 0x7F800000, 1.5]> : tensor<6xf32>
  %2 = graph.compare equal %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %c3 = graph.constant dense<[1.0, 0x7FC0, -2.0]> : tensor<3xbf16>
  %c4 = graph.constant dense<[1.0, 1.0, -1.0]> : tensor<3xbf16>
  %5 = graph.compare equal %c3, %c4 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %c6 = graph.constant dense<[-1, 0, 127]> : tensor<3xi8>
  %c7 = graph.constant dense<[1, 0, -128]> : tensor<3xi8>
  %8 = graph.compare equal %c6, %c7 : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %c9 = graph.constant dense<[255, 0, 128]> : tensor<3xui8>
  %c10 = graph.constant dense<[1, 0, 127]> : tensor<3xui8>
  %11 = graph.compare equal %c9, %c10 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %c12 = graph.constant dense<[-1, 4611686018427387904]> : tensor<2xi64>
  %c13 = graph.constant dense<[1, 4611686018427387905]> : tensor<2xi64>
  %14 = graph.compare equal %c12, %c13 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %big = graph.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %one = graph.constant dense<1> : tensor<2xui64>
  %15 = graph.compare equal %big, %one : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  return %2, %5, %8, %11, %14, %15 : tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>
}

// NaN is unequal to everything, itself too.
// CHECK-LABEL: func.func @not_equal
// CHECK-NEXT: #0 = dense<[false, true, true, false, true, true]> : tensor<6xi1>
// CHECK-NEXT: #1 = dense<[false, true, true]> : tensor<3xi1>
// CHECK-NEXT: #2 = dense<[true, false, true]> : tensor<3xi1>
// CHECK-NEXT: #3 = dense<[true, false, true]> : tensor<3xi1>
// CHECK-NEXT: #4 = dense<true> : tensor<2xi1>
// CHECK-NEXT: #5 = dense<true> : tensor<2xi1>
func.func @not_equal() -> (tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>) {
  %x = graph.constant dense<[0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0]> : tensor<6xf32>
  %y = graph.constant dense<[-0.0, 0x7FC00000, 1.0, 0x7F800000, 0x7F800000, 1.5]> : tensor<6xf32>
  %2 = graph.compare not_equal %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %c3 = graph.constant dense<[1.0, 0x7FC0, -2.0]> : tensor<3xbf16>
  %c4 = graph.constant dense<[1.0, 1.0, -1.0]> : tensor<3xbf16>
  %5 = graph.compare not_equal %c3, %c4 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %c6 = graph.constant dense<[-1, 0, 127]> : tensor<3xi8>
  %c7 = graph.constant dense<[1, 0, -128]> : tensor<3xi8>
  %8 = graph.compare not_equal %c6, %c7 : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %c9 = graph.constant dense<[255, 0, 128]> : tensor<3xui8>
  %c10 = graph.constant dense<[1, 0, 127]> : tensor<3xui8>
  %11 = graph.compare not_equal %c9, %c10 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %c12 = graph.constant dense<[-1, 4611686018427387904]> : tensor<2xi64>
  %c13 = graph.constant dense<[1, 4611686018427387905]> : tensor<2xi64>
  %14 = graph.compare not_equal %c12, %c13 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %big = graph.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %one = graph.constant dense<1> : tensor<2xui64>
  %15 = graph.compare not_equal %big, %one : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  return %2, %5, %8, %11, %14, %15 : tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @less
// CHECK-NEXT: #0 = dense<[false, false, false, false, true, true]> : tensor<6xi1>
// CHECK-NEXT: #1 = dense<[false, false, true]> : tensor<3xi1>
// CHECK-NEXT: #2 = dense<[true, false, false]> : tensor<3xi1>
// CHECK-NEXT: #3 = dense<false> : tensor<3xi1>
// CHECK-NEXT: #4 = dense<true> : tensor<2xi1>
// CHECK-NEXT: #5 = dense<[false, true]> : tensor<2xi1>
func.func @less() -> (tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>) {
  %x = graph.constant dense<[0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0]> : tensor<6xf32>
  %y = graph.constant dense<[-0.0, 0x7FC00000, 1.0, 0x7F800000, 0x7F800000, 1.5]> : tensor<6xf32>
  %2 = graph.compare less %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %c3 = graph.constant dense<[1.0, 0x7FC0, -2.0]> : tensor<3xbf16>
  %c4 = graph.constant dense<[1.0, 1.0, -1.0]> : tensor<3xbf16>
  %5 = graph.compare less %c3, %c4 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %c6 = graph.constant dense<[-1, 0, 127]> : tensor<3xi8>
  %c7 = graph.constant dense<[1, 0, -128]> : tensor<3xi8>
  %8 = graph.compare less %c6, %c7 : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %c9 = graph.constant dense<[255, 0, 128]> : tensor<3xui8>
  %c10 = graph.constant dense<[1, 0, 127]> : tensor<3xui8>
  %11 = graph.compare less %c9, %c10 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %c12 = graph.constant dense<[-1, 4611686018427387904]> : tensor<2xi64>
  %c13 = graph.constant dense<[1, 4611686018427387905]> : tensor<2xi64>
  %14 = graph.compare less %c12, %c13 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %big = graph.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %one = graph.constant dense<1> : tensor<2xui64>
  %15 = graph.compare less %big, %one : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  return %2, %5, %8, %11, %14, %15 : tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @less_equal
// CHECK-NEXT: #0 = dense<[true, false, false, true, true, true]> : tensor<6xi1>
// CHECK-NEXT: #1 = dense<[true, false, true]> : tensor<3xi1>
// CHECK-NEXT: #2 = dense<[true, true, false]> : tensor<3xi1>
// CHECK-NEXT: #3 = dense<[false, true, false]> : tensor<3xi1>
// CHECK-NEXT: #4 = dense<true> : tensor<2xi1>
// CHECK-NEXT: #5 = dense<[false, true]> : tensor<2xi1>
func.func @less_equal() -> (tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>) {
  %x = graph.constant dense<[0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0]> : tensor<6xf32>
  %y = graph.constant dense<[-0.0, 0x7FC00000, 1.0, 0x7F800000, 0x7F800000, 1.5]> : tensor<6xf32>
  %2 = graph.compare less_equal %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %c3 = graph.constant dense<[1.0, 0x7FC0, -2.0]> : tensor<3xbf16>
  %c4 = graph.constant dense<[1.0, 1.0, -1.0]> : tensor<3xbf16>
  %5 = graph.compare less_equal %c3, %c4 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %c6 = graph.constant dense<[-1, 0, 127]> : tensor<3xi8>
  %c7 = graph.constant dense<[1, 0, -128]> : tensor<3xi8>
  %8 = graph.compare less_equal %c6, %c7 : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %c9 = graph.constant dense<[255, 0, 128]> : tensor<3xui8>
  %c10 = graph.constant dense<[1, 0, 127]> : tensor<3xui8>
  %11 = graph.compare less_equal %c9, %c10 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %c12 = graph.constant dense<[-1, 4611686018427387904]> : tensor<2xi64>
  %c13 = graph.constant dense<[1, 4611686018427387905]> : tensor<2xi64>
  %14 = graph.compare less_equal %c12, %c13 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %big = graph.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %one = graph.constant dense<1> : tensor<2xui64>
  %15 = graph.compare less_equal %big, %one : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  return %2, %5, %8, %11, %14, %15 : tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @greater
// CHECK-NEXT: #0 = dense<false> : tensor<6xi1>
// CHECK-NEXT: #1 = dense<false> : tensor<3xi1>
// CHECK-NEXT: #2 = dense<[false, false, true]> : tensor<3xi1>
// CHECK-NEXT: #3 = dense<[true, false, true]> : tensor<3xi1>
// CHECK-NEXT: #4 = dense<false> : tensor<2xi1>
// CHECK-NEXT: #5 = dense<[true, false]> : tensor<2xi1>
func.func @greater() -> (tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>) {
  %x = graph.constant dense<[0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0]> : tensor<6xf32>
  %y = graph.constant dense<[-0.0, 0x7FC00000, 1.0, 0x7F800000, 0x7F800000, 1.5]> : tensor<6xf32>
  %2 = graph.compare greater %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %c3 = graph.constant dense<[1.0, 0x7FC0, -2.0]> : tensor<3xbf16>
  %c4 = graph.constant dense<[1.0, 1.0, -1.0]> : tensor<3xbf16>
  %5 = graph.compare greater %c3, %c4 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %c6 = graph.constant dense<[-1, 0, 127]> : tensor<3xi8>
  %c7 = graph.constant dense<[1, 0, -128]> : tensor<3xi8>
  %8 = graph.compare greater %c6, %c7 : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %c9 = graph.constant dense<[255, 0, 128]> : tensor<3xui8>
  %c10 = graph.constant dense<[1, 0, 127]> : tensor<3xui8>
  %11 = graph.compare greater %c9, %c10 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %c12 = graph.constant dense<[-1, 4611686018427387904]> : tensor<2xi64>
  %c13 = graph.constant dense<[1, 4611686018427387905]> : tensor<2xi64>
  %14 = graph.compare greater %c12, %c13 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %big = graph.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %one = graph.constant dense<1> : tensor<2xui64>
  %15 = graph.compare greater %big, %one : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  return %2, %5, %8, %11, %14, %15 : tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: func.func @greater_equal
// CHECK-NEXT: #0 = dense<[true, false, false, true, false, false]> : tensor<6xi1>
// CHECK-NEXT: #1 = dense<[true, false, false]> : tensor<3xi1>
// CHECK-NEXT: #2 = dense<[false, true, true]> : tensor<3xi1>
// CHECK-NEXT: #3 = dense<true> : tensor<3xi1>
// CHECK-NEXT: #4 = dense<false> : tensor<2xi1>
// CHECK-NEXT: #5 = dense<[true, false]> : tensor<2xi1>
func.func @greater_equal() -> (tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>) {
  %x = graph.constant dense<[0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0]> : tensor<6xf32>
  %y = graph.constant dense<[-0.0, 0x7FC00000, 1.0, 0x7F800000, 0x7F800000, 1.5]> : tensor<6xf32>
  %2 = graph.compare greater_equal %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %c3 = graph.constant dense<[1.0, 0x7FC0, -2.0]> : tensor<3xbf16>
  %c4 = graph.constant dense<[1.0, 1.0, -1.0]> : tensor<3xbf16>
  %5 = graph.compare greater_equal %c3, %c4 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %c6 = graph.constant dense<[-1, 0, 127]> : tensor<3xi8>
  %c7 = graph.constant dense<[1, 0, -128]> : tensor<3xi8>
  %8 = graph.compare greater_equal %c6, %c7 : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %c9 = graph.constant dense<[255, 0, 128]> : tensor<3xui8>
  %c10 = graph.constant dense<[1, 0, 127]> : tensor<3xui8>
  %11 = graph.compare greater_equal %c9, %c10 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %c12 = graph.constant dense<[-1, 4611686018427387904]> : tensor<2xi64>
  %c13 = graph.constant dense<[1, 4611686018427387905]> : tensor<2xi64>
  %14 = graph.compare greater_equal %c12, %c13 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  %big = graph.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %one = graph.constant dense<1> : tensor<2xui64>
  %15 = graph.compare greater_equal %big, %one : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  return %2, %5, %8, %11, %14, %15 : tensor<6xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<2xi1>
}
