// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Integers of every width and signedness at the ends of their ranges.
// NOTE: checks by tools/update-lit-checks

// The least number has no positive counterpart and stays.
// CHECK-LABEL: func.func @abs
// CHECK-NEXT: #0 = dense<[-128, 127, 0, 1, 127]> : tensor<5xi8>
// CHECK-NEXT: #1 = dense<[-32768, 32767, 0, 1, 32767]> : tensor<5xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, 2147483647, 0, 1, 2147483647]> : tensor<5xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, 9223372036854775807, 0, 1, 9223372036854775807]> : tensor<5xi64>
// CHECK-NEXT: #4 = dense<[0, 1, 0, 1, 255]> : tensor<5xui8>
// CHECK-NEXT: #5 = dense<[0, 1, 0, 1, 65535]> : tensor<5xui16>
// CHECK-NEXT: #6 = dense<[0, 1, 0, 1, 4294967295]> : tensor<5xui32>
// CHECK-NEXT: #7 = dense<[0, 1, 0, 1, 18446744073709551615]> : tensor<5xui64>
func.func @abs()
    -> (tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>) {
  %c0 = graph.constant dense<[-128, -127, 0, 1, 127]> : tensor<5xi8>
  %1 = graph.unary abs %c0 : (tensor<5xi8>) -> tensor<5xi8>
  %c2 = graph.constant dense<[-32768, -32767, 0, 1, 32767]> : tensor<5xi16>
  %3 = graph.unary abs %c2 : (tensor<5xi16>) -> tensor<5xi16>
  %c4 = graph.constant dense<[-2147483648, -2147483647, 0, 1, 2147483647]> : tensor<5xi32>
  %5 = graph.unary abs %c4 : (tensor<5xi32>) -> tensor<5xi32>
  %c6 = graph.constant dense<[-9223372036854775808, -9223372036854775807, 0, 1, 9223372036854775807]> : tensor<5xi64>
  %7 = graph.unary abs %c6 : (tensor<5xi64>) -> tensor<5xi64>
  %c8 = graph.constant dense<[0, 1, 0, 1, 255]> : tensor<5xui8>
  %9 = graph.unary abs %c8 : (tensor<5xui8>) -> tensor<5xui8>
  %c10 = graph.constant dense<[0, 1, 0, 1, 65535]> : tensor<5xui16>
  %11 = graph.unary abs %c10 : (tensor<5xui16>) -> tensor<5xui16>
  %c12 = graph.constant dense<[0, 1, 0, 1, 4294967295]> : tensor<5xui32>
  %13 = graph.unary abs %c12 : (tensor<5xui32>) -> tensor<5xui32>
  %c14 = graph.constant dense<[0, 1, 0, 1, 18446744073709551615]> : tensor<5xui64>
  %15 = graph.unary abs %c14 : (tensor<5xui64>) -> tensor<5xui64>
  return %1, %3, %5, %7, %9, %11, %13, %15 : tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>
}

// Wraps: of unsigned numbers the complement.
// CHECK-LABEL: func.func @neg
// CHECK-NEXT: #0 = dense<[-128, 127, 0, -1, -127]> : tensor<5xi8>
// CHECK-NEXT: #1 = dense<[-32768, 32767, 0, -1, -32767]> : tensor<5xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, 2147483647, 0, -1, -2147483647]> : tensor<5xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, 9223372036854775807, 0, -1, -9223372036854775807]> : tensor<5xi64>
// CHECK-NEXT: #4 = dense<[0, 255, 0, 255, 1]> : tensor<5xui8>
// CHECK-NEXT: #5 = dense<[0, 65535, 0, 65535, 1]> : tensor<5xui16>
// CHECK-NEXT: #6 = dense<[0, 4294967295, 0, 4294967295, 1]> : tensor<5xui32>
// CHECK-NEXT: #7 = dense<[0, 18446744073709551615, 0, 18446744073709551615, 1]> : tensor<5xui64>
func.func @neg()
    -> (tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>) {
  %c0 = graph.constant dense<[-128, -127, 0, 1, 127]> : tensor<5xi8>
  %1 = graph.unary neg %c0 : (tensor<5xi8>) -> tensor<5xi8>
  %c2 = graph.constant dense<[-32768, -32767, 0, 1, 32767]> : tensor<5xi16>
  %3 = graph.unary neg %c2 : (tensor<5xi16>) -> tensor<5xi16>
  %c4 = graph.constant dense<[-2147483648, -2147483647, 0, 1, 2147483647]> : tensor<5xi32>
  %5 = graph.unary neg %c4 : (tensor<5xi32>) -> tensor<5xi32>
  %c6 = graph.constant dense<[-9223372036854775808, -9223372036854775807, 0, 1, 9223372036854775807]> : tensor<5xi64>
  %7 = graph.unary neg %c6 : (tensor<5xi64>) -> tensor<5xi64>
  %c8 = graph.constant dense<[0, 1, 0, 1, 255]> : tensor<5xui8>
  %9 = graph.unary neg %c8 : (tensor<5xui8>) -> tensor<5xui8>
  %c10 = graph.constant dense<[0, 1, 0, 1, 65535]> : tensor<5xui16>
  %11 = graph.unary neg %c10 : (tensor<5xui16>) -> tensor<5xui16>
  %c12 = graph.constant dense<[0, 1, 0, 1, 4294967295]> : tensor<5xui32>
  %13 = graph.unary neg %c12 : (tensor<5xui32>) -> tensor<5xui32>
  %c14 = graph.constant dense<[0, 1, 0, 1, 18446744073709551615]> : tensor<5xui64>
  %15 = graph.unary neg %c14 : (tensor<5xui64>) -> tensor<5xui64>
  return %1, %3, %5, %7, %9, %11, %13, %15 : tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>
}

// Unsigned numbers above half of the range are not negative.
// CHECK-LABEL: func.func @relu
// CHECK-NEXT: #0 = dense<[0, 0, 0, 1, 127]> : tensor<5xi8>
// CHECK-NEXT: #1 = dense<[0, 0, 0, 1, 32767]> : tensor<5xi16>
// CHECK-NEXT: #2 = dense<[0, 0, 0, 1, 2147483647]> : tensor<5xi32>
// CHECK-NEXT: #3 = dense<[0, 0, 0, 1, 9223372036854775807]> : tensor<5xi64>
// CHECK-NEXT: #4 = dense<[0, 1, 0, 1, 255]> : tensor<5xui8>
// CHECK-NEXT: #5 = dense<[0, 1, 0, 1, 65535]> : tensor<5xui16>
// CHECK-NEXT: #6 = dense<[0, 1, 0, 1, 4294967295]> : tensor<5xui32>
// CHECK-NEXT: #7 = dense<[0, 1, 0, 1, 18446744073709551615]> : tensor<5xui64>
func.func @relu()
    -> (tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>) {
  %c0 = graph.constant dense<[-128, -127, 0, 1, 127]> : tensor<5xi8>
  %1 = graph.unary relu %c0 : (tensor<5xi8>) -> tensor<5xi8>
  %c2 = graph.constant dense<[-32768, -32767, 0, 1, 32767]> : tensor<5xi16>
  %3 = graph.unary relu %c2 : (tensor<5xi16>) -> tensor<5xi16>
  %c4 = graph.constant dense<[-2147483648, -2147483647, 0, 1, 2147483647]> : tensor<5xi32>
  %5 = graph.unary relu %c4 : (tensor<5xi32>) -> tensor<5xi32>
  %c6 = graph.constant dense<[-9223372036854775808, -9223372036854775807, 0, 1, 9223372036854775807]> : tensor<5xi64>
  %7 = graph.unary relu %c6 : (tensor<5xi64>) -> tensor<5xi64>
  %c8 = graph.constant dense<[0, 1, 0, 1, 255]> : tensor<5xui8>
  %9 = graph.unary relu %c8 : (tensor<5xui8>) -> tensor<5xui8>
  %c10 = graph.constant dense<[0, 1, 0, 1, 65535]> : tensor<5xui16>
  %11 = graph.unary relu %c10 : (tensor<5xui16>) -> tensor<5xui16>
  %c12 = graph.constant dense<[0, 1, 0, 1, 4294967295]> : tensor<5xui32>
  %13 = graph.unary relu %c12 : (tensor<5xui32>) -> tensor<5xui32>
  %c14 = graph.constant dense<[0, 1, 0, 1, 18446744073709551615]> : tensor<5xui64>
  %15 = graph.unary relu %c14 : (tensor<5xui64>) -> tensor<5xui64>
  return %1, %3, %5, %7, %9, %11, %13, %15 : tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>
}

// Unsigned numbers have signs 0 and 1 only.
// CHECK-LABEL: func.func @sign
// CHECK-NEXT: #0 = dense<[-1, -1, 0, 1, 1]> : tensor<5xi8>
// CHECK-NEXT: #1 = dense<[-1, -1, 0, 1, 1]> : tensor<5xi16>
// CHECK-NEXT: #2 = dense<[-1, -1, 0, 1, 1]> : tensor<5xi32>
// CHECK-NEXT: #3 = dense<[-1, -1, 0, 1, 1]> : tensor<5xi64>
// CHECK-NEXT: #4 = dense<[0, 1, 0, 1, 1]> : tensor<5xui8>
// CHECK-NEXT: #5 = dense<[0, 1, 0, 1, 1]> : tensor<5xui16>
// CHECK-NEXT: #6 = dense<[0, 1, 0, 1, 1]> : tensor<5xui32>
// CHECK-NEXT: #7 = dense<[0, 1, 0, 1, 1]> : tensor<5xui64>
func.func @sign()
    -> (tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>) {
  %c0 = graph.constant dense<[-128, -127, 0, 1, 127]> : tensor<5xi8>
  %1 = graph.unary sign %c0 : (tensor<5xi8>) -> tensor<5xi8>
  %c2 = graph.constant dense<[-32768, -32767, 0, 1, 32767]> : tensor<5xi16>
  %3 = graph.unary sign %c2 : (tensor<5xi16>) -> tensor<5xi16>
  %c4 = graph.constant dense<[-2147483648, -2147483647, 0, 1, 2147483647]> : tensor<5xi32>
  %5 = graph.unary sign %c4 : (tensor<5xi32>) -> tensor<5xi32>
  %c6 = graph.constant dense<[-9223372036854775808, -9223372036854775807, 0, 1, 9223372036854775807]> : tensor<5xi64>
  %7 = graph.unary sign %c6 : (tensor<5xi64>) -> tensor<5xi64>
  %c8 = graph.constant dense<[0, 1, 0, 1, 255]> : tensor<5xui8>
  %9 = graph.unary sign %c8 : (tensor<5xui8>) -> tensor<5xui8>
  %c10 = graph.constant dense<[0, 1, 0, 1, 65535]> : tensor<5xui16>
  %11 = graph.unary sign %c10 : (tensor<5xui16>) -> tensor<5xui16>
  %c12 = graph.constant dense<[0, 1, 0, 1, 4294967295]> : tensor<5xui32>
  %13 = graph.unary sign %c12 : (tensor<5xui32>) -> tensor<5xui32>
  %c14 = graph.constant dense<[0, 1, 0, 1, 18446744073709551615]> : tensor<5xui64>
  %15 = graph.unary sign %c14 : (tensor<5xui64>) -> tensor<5xui64>
  return %1, %3, %5, %7, %9, %11, %13, %15 : tensor<5xi8>, tensor<5xi16>, tensor<5xi32>, tensor<5xi64>, tensor<5xui8>, tensor<5xui16>, tensor<5xui32>, tensor<5xui64>
}

// CHECK-LABEL: func.func @logical_not
// CHECK-NEXT: #0 = dense<{{\[\[}}false, true, true]]> : tensor<1x3xi1>
func.func @logical_not() -> tensor<1x3xi1> {
  %x = graph.constant dense<[[true, false, false]]> : tensor<1x3xi1>
  %1 = graph.unary logical_not %x : (tensor<1x3xi1>) -> tensor<1x3xi1>
  return %1 : tensor<1x3xi1>
}

// Wraps at the ends of the type.
// CHECK-LABEL: func.func @add
// CHECK-NEXT: #0 = dense<[127, -2, 10, -4, 0, 127]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[32767, -2, 10, -4, 0, 32767]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[2147483647, -2, 10, -4, 0, 2147483647]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[9223372036854775807, -2, 10, -4, 0, 9223372036854775807]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[3, 254, 10, 253, 0, 255]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[3, 65534, 10, 253, 0, 65535]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[3, 4294967294, 10, 253, 0, 4294967295]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[3, 18446744073709551614, 10, 253, 0, 18446744073709551615]> : tensor<6xui64>
func.func @add()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary add %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary add %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary add %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary add %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary add %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary add %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary add %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary add %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// Wraps at the ends of the type.
// CHECK-LABEL: func.func @sub
// CHECK-NEXT: #0 = dense<[-127, 0, 4, -10, 0, 127]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[-32767, 0, 4, -10, 0, 32767]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[-2147483647, 0, 4, -10, 0, 2147483647]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775807, 0, 4, -10, 0, 9223372036854775807]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[253, 0, 4, 247, 0, 255]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[65533, 0, 4, 247, 0, 65535]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[4294967293, 0, 4, 247, 0, 4294967295]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[18446744073709551613, 0, 4, 247, 0, 18446744073709551615]> : tensor<6xui64>
func.func @sub()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary sub %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary sub %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary sub %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary sub %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary sub %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary sub %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary sub %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary sub %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// The low bits of the product.
// CHECK-LABEL: func.func @mul
// CHECK-NEXT: #0 = dense<[-128, 1, 21, -21, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[-32768, 1, 21, -21, 0, 0]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, 1, 21, -21, 0, 0]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, 1, 21, -21, 0, 0]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[0, 1, 21, 238, 0, 0]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[0, 1, 21, 750, 0, 0]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[0, 1, 21, 750, 0, 0]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[0, 1, 21, 750, 0, 0]> : tensor<6xui64>
func.func @mul()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary mul %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary mul %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary mul %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary mul %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary mul %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary mul %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary mul %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary mul %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// Truncates; by 0 it is 0, and the least number by -1 wraps.
// CHECK-LABEL: func.func @div
// CHECK-NEXT: #0 = dense<[-128, 1, 2, -2, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[-32768, 1, 2, -2, 0, 0]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, 1, 2, -2, 0, 0]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, 1, 2, -2, 0, 0]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[0, 1, 2, 83, 0, 0]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[0, 1, 2, 83, 0, 0]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[0, 1, 2, 83, 0, 0]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[0, 1, 2, 83, 0, 0]> : tensor<6xui64>
func.func @div()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary div %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary div %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary div %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary div %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary div %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary div %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary div %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary div %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}

// The sign of the divisor; by 0 it is 0.
// CHECK-LABEL: func.func @mod
// CHECK-NEXT: #0 = dense<[0, 0, 1, 2, 0, 0]> : tensor<6xi8>
// CHECK-NEXT: #1 = dense<[0, 0, 1, 2, 0, 0]> : tensor<6xi16>
// CHECK-NEXT: #2 = dense<[0, 0, 1, 2, 0, 0]> : tensor<6xi32>
// CHECK-NEXT: #3 = dense<[0, 0, 1, 2, 0, 0]> : tensor<6xi64>
// CHECK-NEXT: #4 = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xui8>
// CHECK-NEXT: #5 = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xui16>
// CHECK-NEXT: #6 = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xui32>
// CHECK-NEXT: #7 = dense<[0, 0, 1, 1, 0, 0]> : tensor<6xui64>
func.func @mod()
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>) {
  %c0 = graph.constant dense<[-128, 127, 7, -7, 0, 127]> : tensor<6xi8>
  %c1 = graph.constant dense<[-1, 127, 3, 3, 0, 0]> : tensor<6xi8>
  %2 = graph.binary mod %c0, %c1 : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8>
  %c3 = graph.constant dense<[-32768, 32767, 7, -7, 0, 32767]> : tensor<6xi16>
  %c4 = graph.constant dense<[-1, 32767, 3, 3, 0, 0]> : tensor<6xi16>
  %5 = graph.binary mod %c3, %c4 : (tensor<6xi16>, tensor<6xi16>) -> tensor<6xi16>
  %c6 = graph.constant dense<[-2147483648, 2147483647, 7, -7, 0, 2147483647]> : tensor<6xi32>
  %c7 = graph.constant dense<[-1, 2147483647, 3, 3, 0, 0]> : tensor<6xi32>
  %8 = graph.binary mod %c6, %c7 : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi32>
  %c9 = graph.constant dense<[-9223372036854775808, 9223372036854775807, 7, -7, 0, 9223372036854775807]> : tensor<6xi64>
  %c10 = graph.constant dense<[-1, 9223372036854775807, 3, 3, 0, 0]> : tensor<6xi64>
  %11 = graph.binary mod %c9, %c10 : (tensor<6xi64>, tensor<6xi64>) -> tensor<6xi64>
  %c12 = graph.constant dense<[0, 255, 7, 250, 0, 255]> : tensor<6xui8>
  %c13 = graph.constant dense<[3, 255, 3, 3, 0, 0]> : tensor<6xui8>
  %14 = graph.binary mod %c12, %c13 : (tensor<6xui8>, tensor<6xui8>) -> tensor<6xui8>
  %c15 = graph.constant dense<[0, 65535, 7, 250, 0, 65535]> : tensor<6xui16>
  %c16 = graph.constant dense<[3, 65535, 3, 3, 0, 0]> : tensor<6xui16>
  %17 = graph.binary mod %c15, %c16 : (tensor<6xui16>, tensor<6xui16>) -> tensor<6xui16>
  %c18 = graph.constant dense<[0, 4294967295, 7, 250, 0, 4294967295]> : tensor<6xui32>
  %c19 = graph.constant dense<[3, 4294967295, 3, 3, 0, 0]> : tensor<6xui32>
  %20 = graph.binary mod %c18, %c19 : (tensor<6xui32>, tensor<6xui32>) -> tensor<6xui32>
  %c21 = graph.constant dense<[0, 18446744073709551615, 7, 250, 0, 18446744073709551615]> : tensor<6xui64>
  %c22 = graph.constant dense<[3, 18446744073709551615, 3, 3, 0, 0]> : tensor<6xui64>
  %23 = graph.binary mod %c21, %c22 : (tensor<6xui64>, tensor<6xui64>) -> tensor<6xui64>
  return %2, %5, %8, %11, %14, %17, %20, %23 : tensor<6xi8>, tensor<6xi16>, tensor<6xi32>, tensor<6xi64>, tensor<6xui8>, tensor<6xui16>, tensor<6xui32>, tensor<6xui64>
}
