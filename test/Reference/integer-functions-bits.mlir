// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Integers of every width and signedness: extremes, powers, bits.
// NOTE: checks by tools/update-lit-checks

// The sign of the dividend; by 0 it is 0.
// CHECK-LABEL: func.func @fmod
// CHECK-NEXT: #0 = dense<[0, 0, 1, -1, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[0, 0, 1, -1, 0, 0]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[0, 0, 1, -1, 0, 0]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[0, 0, 1, -1, 0, 0]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xui64>
func.func @fmod()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary fmod %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary fmod %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary fmod %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary fmod %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary fmod %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary fmod %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary fmod %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary fmod %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// CHECK-LABEL: func.func @min
// CHECK-NEXT: #0 = dense<[-128, 127, 3, -7, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[-32768, 32767, 3, -7, 0, 0]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, 2147483647, 3, -7, 0, 0]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, 9223372036854775807, 3, -7, 0, 0]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[0, 255, 3, 3, 0, 0]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[0, 65535, 3, 3, 0, 0]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[0, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[0, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
func.func @min()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary min %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary min %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary min %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary min %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary min %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary min %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary min %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary min %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// CHECK-LABEL: func.func @max
// CHECK-NEXT: #0 = dense<[-1, 127, 7, 3, 0, 127]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[-1, 32767, 7, 3, 0, 32767]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[-1, 2147483647, 7, 3, 0, 2147483647]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[-1, 9223372036854775807, 7, 3, 0, 9223372036854775807]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[3, 255, 7, 250, 0, 255]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[3, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[3, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[3, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
func.func @max()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary max %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary max %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary max %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary max %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary max %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary max %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary max %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary max %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// Wraps; negative exponents round the reciprocal towards zero.
// CHECK-LABEL: func.func @pow
// CHECK-NEXT: #0 = dense<[-13, 0, 1, 1, 1, 0]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[243, 0, 1, 1, 1, 0]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[243, 0, 1, 1, 1, 0]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[243, 0, 1, 1, 1, 0]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[243, 0, 1, 1, 1, 0]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[243, 0, 1, 1, 1, 256]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[243, 0, 1, 1, 1, 256]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[243, 0, 1, 1, 1, 256]> : tensor<6xui64>
func.func @pow()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[3, 2, 127, 1, 0, 2]> : tensor<6xi8>
  %c1 = graph.constant dense<[5, 100, 2, -3, 0, -1]> : tensor<6xi8>
  %2 = graph.binary pow %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[3, 2, 32767, 1, 0, 2]> : tensor<6xi16>
  %c4 = graph.constant dense<[5, 200, 2, -3, 0, -1]> : tensor<6xi16>
  %5 = graph.binary pow %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[3, 2, 2147483647, 1, 0, 2]> : tensor<6xi32>
  %c7 = graph.constant dense<[5, 200, 2, -3, 0, -1]> : tensor<6xi32>
  %8 = graph.binary pow %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[3, 2, 9223372036854775807, 1, 0, 2]> : tensor<6xi64>
  %c10 = graph.constant dense<[5, 200, 2, -3, 0, -1]> : tensor<6xi64>
  %11 = graph.binary pow %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[3, 2, 255, 1, 0, 2]> : tensor<6xui8>
  %c13 = graph.constant dense<[5, 100, 2, 9, 0, 8]> : tensor<6xui8>
  %14 = graph.binary pow %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[3, 2, 65535, 1, 0, 2]> : tensor<6xui16>
  %c16 = graph.constant dense<[5, 200, 2, 9, 0, 8]> : tensor<6xui16>
  %17 = graph.binary pow %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[3, 2, 4294967295, 1, 0, 2]> : tensor<6xui32>
  %c19 = graph.constant dense<[5, 200, 2, 9, 0, 8]> : tensor<6xui32>
  %20 = graph.binary pow %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[3, 2, 18446744073709551615, 1, 0, 2]> : tensor<6xui64>
  %c22 = graph.constant dense<[5, 200, 2, 9, 0, 8]> : tensor<6xui64>
  %23 = graph.binary pow %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// CHECK-LABEL: func.func @bit_and
// CHECK-NEXT: #0 = dense<[-128, 127, 3, 1, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[-32768, 32767, 3, 1, 0, 0]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, 2147483647, 3, 1, 0, 0]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, 9223372036854775807, 3, 1, 0, 0]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[0, 255, 3, 2, 0, 0]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[0, 65535, 3, 2, 0, 0]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[0, 4294967295, 3, 2, 0, 0]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[0, 18446744073709551615, 3, 2, 0, 0]> : tensor<6xui64>
func.func @bit_and()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary bit_and %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary bit_and %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary bit_and %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary bit_and %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary bit_and %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary bit_and %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary bit_and %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary bit_and %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// CHECK-LABEL: func.func @bit_or
// CHECK-NEXT: #0 = dense<[-1, 127, 7, -5, 0, 127]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[-1, 32767, 7, -5, 0, 32767]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[-1, 2147483647, 7, -5, 0, 2147483647]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[-1, 9223372036854775807, 7, -5, 0, 9223372036854775807]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[3, 255, 7, 251, 0, 255]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[3, 65535, 7, 251, 0, 65535]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[3, 4294967295, 7, 251, 0, 4294967295]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[3, 18446744073709551615, 7, 251, 0, 18446744073709551615]> : tensor<6xui64>
func.func @bit_or()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary bit_or %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary bit_or %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary bit_or %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary bit_or %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary bit_or %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary bit_or %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary bit_or %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary bit_or %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// CHECK-LABEL: func.func @bit_xor
// CHECK-NEXT: #0 = dense<[127, 0, 4, -6, 0, 127]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[32767, 0, 4, -6, 0, 32767]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[2147483647, 0, 4, -6, 0, 2147483647]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[9223372036854775807, 0, 4, -6, 0, 9223372036854775807]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[3, 0, 4, 249, 0, 255]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[3, 0, 4, 249, 0, 65535]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[3, 0, 4, 249, 0, 4294967295]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[3, 0, 4, 249, 0, 18446744073709551615]> : tensor<6xui64>
func.func @bit_xor()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary bit_xor %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary bit_xor %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary bit_xor %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary bit_xor %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary bit_xor %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary bit_xor %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary bit_xor %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary bit_xor %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// By the width or more: 0.
// CHECK-LABEL: func.func @shift_left
// CHECK-NEXT: #0 = dense<[-128, -2, 0, 0, 0]> : tensor<5xi8>
// CHECK-NEXT: #1 = dense<[-32768, -2, 0, 0, 0]> : tensor<5xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, -2, 0, 0, 0]> : tensor<5xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, -2, 0, 0, 0]> : tensor<5xi64>
// CHECK-NEXT: #4 = dense<[128, 254, 0, 0, 0]> : tensor<5xui8>
// CHECK-NEXT: #5 = dense<[32768, 65534, 0, 0, 0]> : tensor<5xui16>
// CHECK-NEXT: #6 = dense<[2147483648, 4294967294, 0, 0, 0]> : tensor<5xui32>
// CHECK-NEXT: #7 = dense<[9223372036854775808, 18446744073709551614, 0, 0, 0]> : tensor<5xui64>
func.func @shift_left()
    -> (tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>) {
  %c0 = graph.constant dense<[1, 127, -128, -128, 5]> : tensor<5xi8>
  %c1 = graph.constant dense<[7, 1, 1, 7, 8]> : tensor<5xi8>
  %2 = graph.binary shift_left %c0, %c1 : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
  %c3 = graph.constant dense<[1, 32767, -32768, -32768, 5]> : tensor<5xi16>
  %c4 = graph.constant dense<[15, 1, 1, 15, 16]> : tensor<5xi16>
  %5 = graph.binary shift_left %c3, %c4 : (tensor<5xi16>, tensor<5xi16>) -> tensor<5xi16>
  %c6 = graph.constant dense<[1, 2147483647, -2147483648, -2147483648, 5]> : tensor<5xi32>
  %c7 = graph.constant dense<[31, 1, 1, 31, 32]> : tensor<5xi32>
  %8 = graph.binary shift_left %c6, %c7 : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %c9 = graph.constant dense<[1, 9223372036854775807, -9223372036854775808, -9223372036854775808, 5]> : tensor<5xi64>
  %c10 = graph.constant dense<[63, 1, 1, 63, 64]> : tensor<5xi64>
  %11 = graph.binary shift_left %c9, %c10 : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %c12 = graph.constant dense<[1, 255, 0, 0, 5]> : tensor<5xui8>
  %c13 = graph.constant dense<[7, 1, 1, 7, 8]> : tensor<5xui8>
  %14 = graph.binary shift_left %c12, %c13 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  %c15 = graph.constant dense<[1, 65535, 0, 0, 5]> : tensor<5xui16>
  %c16 = graph.constant dense<[15, 1, 1, 15, 16]> : tensor<5xui16>
  %17 = graph.binary shift_left %c15, %c16 : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xui16>
  %c18 = graph.constant dense<[1, 4294967295, 0, 0, 5]> : tensor<5xui32>
  %c19 = graph.constant dense<[31, 1, 1, 31, 32]> : tensor<5xui32>
  %20 = graph.binary shift_left %c18, %c19 : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
  %c21 = graph.constant dense<[1, 18446744073709551615, 0, 0, 5]> : tensor<5xui64>
  %c22 = graph.constant dense<[63, 1, 1, 63, 64]> : tensor<5xui64>
  %23 = graph.binary shift_left %c21, %c22 : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>
}

// By the width or more: 0. Zeros come in from the left, of signed numbers too.
// CHECK-LABEL: func.func @shift_right
// CHECK-NEXT: #0 = dense<[0, 63, 64, 1, 0]> : tensor<5xi8>
// CHECK-NEXT: #1 = dense<[0, 16383, 16384, 1, 0]> : tensor<5xi16>
// CHECK-NEXT: #2 = dense<[0, 1073741823, 1073741824, 1, 0]> : tensor<5xi32>
// CHECK-NEXT: #3 = dense<[0, 4611686018427387903, 4611686018427387904, 1, 0]> : tensor<5xi64>
// CHECK-NEXT: #4 = dense<[0, 127, 0, 0, 0]> : tensor<5xui8>
// CHECK-NEXT: #5 = dense<[0, 32767, 0, 0, 0]> : tensor<5xui16>
// CHECK-NEXT: #6 = dense<[0, 2147483647, 0, 0, 0]> : tensor<5xui32>
// CHECK-NEXT: #7 = dense<[0, 9223372036854775807, 0, 0, 0]> : tensor<5xui64>
func.func @shift_right()
    -> (tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>) {
  %c0 = graph.constant dense<[1, 127, -128, -128, 5]> : tensor<5xi8>
  %c1 = graph.constant dense<[7, 1, 1, 7, 8]> : tensor<5xi8>
  %2 = graph.binary shift_right %c0, %c1 : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
  %c3 = graph.constant dense<[1, 32767, -32768, -32768, 5]> : tensor<5xi16>
  %c4 = graph.constant dense<[15, 1, 1, 15, 16]> : tensor<5xi16>
  %5 = graph.binary shift_right %c3, %c4 : (tensor<5xi16>, tensor<5xi16>) -> tensor<5xi16>
  %c6 = graph.constant dense<[1, 2147483647, -2147483648, -2147483648, 5]> : tensor<5xi32>
  %c7 = graph.constant dense<[31, 1, 1, 31, 32]> : tensor<5xi32>
  %8 = graph.binary shift_right %c6, %c7 : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %c9 = graph.constant dense<[1, 9223372036854775807, -9223372036854775808, -9223372036854775808, 5]> : tensor<5xi64>
  %c10 = graph.constant dense<[63, 1, 1, 63, 64]> : tensor<5xi64>
  %11 = graph.binary shift_right %c9, %c10 : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %c12 = graph.constant dense<[1, 255, 0, 0, 5]> : tensor<5xui8>
  %c13 = graph.constant dense<[7, 1, 1, 7, 8]> : tensor<5xui8>
  %14 = graph.binary shift_right %c12, %c13 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  %c15 = graph.constant dense<[1, 65535, 0, 0, 5]> : tensor<5xui16>
  %c16 = graph.constant dense<[15, 1, 1, 15, 16]> : tensor<5xui16>
  %17 = graph.binary shift_right %c15, %c16 : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xui16>
  %c18 = graph.constant dense<[1, 4294967295, 0, 0, 5]> : tensor<5xui32>
  %c19 = graph.constant dense<[31, 1, 1, 31, 32]> : tensor<5xui32>
  %20 = graph.binary shift_right %c18, %c19 : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xui32>
  %c21 = graph.constant dense<[1, 18446744073709551615, 0, 0, 5]> : tensor<5xui64>
  %c22 = graph.constant dense<[63, 1, 1, 63, 64]> : tensor<5xui64>
  %23 = graph.binary shift_right %c21, %c22 : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>
}
