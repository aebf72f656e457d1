// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Integers to integers: the low bits, with the sign of the source above them.
// NOTE: checks by tools/update-lit-checks

// The low bits.
// CHECK-LABEL: func.func @i8_to_integers
// CHECK-NEXT: #0 = dense<[-128, 127, 1, 64]> : tensor<4xi16>
// CHECK-NEXT: #1 = dense<[-128, 127, 1, 64]> : tensor<4xi32>
// CHECK-NEXT: #2 = dense<[-128, 127, 1, 64]> : tensor<4xi64>
// CHECK-NEXT: #3 = dense<[128, 127, 1, 64]> : tensor<4xui8>
// CHECK-NEXT: #4 = dense<[65408, 127, 1, 64]> : tensor<4xui16>
// CHECK-NEXT: #5 = dense<[4294967168, 127, 1, 64]> : tensor<4xui32>
// CHECK-NEXT: #6 = dense<[18446744073709551488, 127, 1, 64]> : tensor<4xui64>
// CHECK-NEXT: #7 = dense<true> : tensor<4xi1>
func.func @i8_to_integers()
    -> (tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>) {
  %x = graph.constant dense<[-128, 127, 1, 64]> : tensor<4xi8>
  %0 = graph.cast %x : (tensor<4xi8>) -> tensor<4xi16>
  %1 = graph.cast %x : (tensor<4xi8>) -> tensor<4xi32>
  %2 = graph.cast %x : (tensor<4xi8>) -> tensor<4xi64>
  %3 = graph.cast %x : (tensor<4xi8>) -> tensor<4xui8>
  %4 = graph.cast %x : (tensor<4xi8>) -> tensor<4xui16>
  %5 = graph.cast %x : (tensor<4xi8>) -> tensor<4xui32>
  %6 = graph.cast %x : (tensor<4xi8>) -> tensor<4xui64>
  %7 = graph.cast %x : (tensor<4xi8>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>
}

// CHECK-LABEL: func.func @i16_to_integers
// CHECK-NEXT: #0 = dense<[0, -1, 1, 0]> : tensor<4xi8>
// CHECK-NEXT: #1 = dense<[-32768, 32767, 1, 16384]> : tensor<4xi32>
// CHECK-NEXT: #2 = dense<[-32768, 32767, 1, 16384]> : tensor<4xi64>
// CHECK-NEXT: #3 = dense<[0, 255, 1, 0]> : tensor<4xui8>
// CHECK-NEXT: #4 = dense<[32768, 32767, 1, 16384]> : tensor<4xui16>
// CHECK-NEXT: #5 = dense<[4294934528, 32767, 1, 16384]> : tensor<4xui32>
// CHECK-NEXT: #6 = dense<[18446744073709518848, 32767, 1, 16384]> : tensor<4xui64>
// CHECK-NEXT: #7 = dense<true> : tensor<4xi1>
func.func @i16_to_integers()
    -> (tensor<4xi8>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>) {
  %x = graph.constant dense<[-32768, 32767, 1, 16384]> : tensor<4xi16>
  %0 = graph.cast %x : (tensor<4xi16>) -> tensor<4xi8>
  %1 = graph.cast %x : (tensor<4xi16>) -> tensor<4xi32>
  %2 = graph.cast %x : (tensor<4xi16>) -> tensor<4xi64>
  %3 = graph.cast %x : (tensor<4xi16>) -> tensor<4xui8>
  %4 = graph.cast %x : (tensor<4xi16>) -> tensor<4xui16>
  %5 = graph.cast %x : (tensor<4xi16>) -> tensor<4xui32>
  %6 = graph.cast %x : (tensor<4xi16>) -> tensor<4xui64>
  %7 = graph.cast %x : (tensor<4xi16>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>
}

// CHECK-LABEL: func.func @i32_to_integers
// CHECK-NEXT: #0 = dense<[0, -1, 1, 0]> : tensor<4xi8>
// CHECK-NEXT: #1 = dense<[0, -1, 1, 0]> : tensor<4xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, 2147483647, 1, 1073741824]> : tensor<4xi64>
// CHECK-NEXT: #3 = dense<[0, 255, 1, 0]> : tensor<4xui8>
// CHECK-NEXT: #4 = dense<[0, 65535, 1, 0]> : tensor<4xui16>
// CHECK-NEXT: #5 = dense<[2147483648, 2147483647, 1, 1073741824]> : tensor<4xui32>
// CHECK-NEXT: #6 = dense<[18446744071562067968, 2147483647, 1, 1073741824]> : tensor<4xui64>
// CHECK-NEXT: #7 = dense<true> : tensor<4xi1>
func.func @i32_to_integers()
    -> (tensor<4xi8>, tensor<4xi16>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>) {
  %x = graph.constant dense<[-2147483648, 2147483647, 1, 1073741824]> : tensor<4xi32>
  %0 = graph.cast %x : (tensor<4xi32>) -> tensor<4xi8>
  %1 = graph.cast %x : (tensor<4xi32>) -> tensor<4xi16>
  %2 = graph.cast %x : (tensor<4xi32>) -> tensor<4xi64>
  %3 = graph.cast %x : (tensor<4xi32>) -> tensor<4xui8>
  %4 = graph.cast %x : (tensor<4xi32>) -> tensor<4xui16>
  %5 = graph.cast %x : (tensor<4xi32>) -> tensor<4xui32>
  %6 = graph.cast %x : (tensor<4xi32>) -> tensor<4xui64>
  %7 = graph.cast %x : (tensor<4xi32>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xi16>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>
}

// CHECK-LABEL: func.func @i64_to_integers
// CHECK-NEXT: #0 = dense<[0, -1, 1, 0]> : tensor<4xi8>
// CHECK-NEXT: #1 = dense<[0, -1, 1, 0]> : tensor<4xi16>
// CHECK-NEXT: #2 = dense<[0, -1, 1, 0]> : tensor<4xi32>
// CHECK-NEXT: #3 = dense<[0, 255, 1, 0]> : tensor<4xui8>
// CHECK-NEXT: #4 = dense<[0, 65535, 1, 0]> : tensor<4xui16>
// CHECK-NEXT: #5 = dense<[0, 4294967295, 1, 0]> : tensor<4xui32>
// CHECK-NEXT: #6 = dense<[9223372036854775808, 9223372036854775807, 1, 4611686018427387904]> : tensor<4xui64>
// CHECK-NEXT: #7 = dense<true> : tensor<4xi1>
func.func @i64_to_integers()
    -> (tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>) {
  %x = graph.constant dense<[-9223372036854775808, 9223372036854775807, 1, 4611686018427387904]> : tensor<4xi64>
  %0 = graph.cast %x : (tensor<4xi64>) -> tensor<4xi8>
  %1 = graph.cast %x : (tensor<4xi64>) -> tensor<4xi16>
  %2 = graph.cast %x : (tensor<4xi64>) -> tensor<4xi32>
  %3 = graph.cast %x : (tensor<4xi64>) -> tensor<4xui8>
  %4 = graph.cast %x : (tensor<4xi64>) -> tensor<4xui16>
  %5 = graph.cast %x : (tensor<4xi64>) -> tensor<4xui32>
  %6 = graph.cast %x : (tensor<4xi64>) -> tensor<4xui64>
  %7 = graph.cast %x : (tensor<4xi64>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>
}

// CHECK-LABEL: func.func @ui8_to_integers
// CHECK-NEXT: #0 = dense<[0, -1, 1, -128]> : tensor<4xi8>
// CHECK-NEXT: #1 = dense<[0, 255, 1, 128]> : tensor<4xi16>
// CHECK-NEXT: #2 = dense<[0, 255, 1, 128]> : tensor<4xi32>
// CHECK-NEXT: #3 = dense<[0, 255, 1, 128]> : tensor<4xi64>
// CHECK-NEXT: #4 = dense<[0, 255, 1, 128]> : tensor<4xui16>
// CHECK-NEXT: #5 = dense<[0, 255, 1, 128]> : tensor<4xui32>
// CHECK-NEXT: #6 = dense<[0, 255, 1, 128]> : tensor<4xui64>
// CHECK-NEXT: #7 = dense<[false, true, true, true]> : tensor<4xi1>
func.func @ui8_to_integers()
    -> (tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>) {
  %x = graph.constant dense<[0, 255, 1, 128]> : tensor<4xui8>
  %0 = graph.cast %x : (tensor<4xui8>) -> tensor<4xi8>
  %1 = graph.cast %x : (tensor<4xui8>) -> tensor<4xi16>
  %2 = graph.cast %x : (tensor<4xui8>) -> tensor<4xi32>
  %3 = graph.cast %x : (tensor<4xui8>) -> tensor<4xi64>
  %4 = graph.cast %x : (tensor<4xui8>) -> tensor<4xui16>
  %5 = graph.cast %x : (tensor<4xui8>) -> tensor<4xui32>
  %6 = graph.cast %x : (tensor<4xui8>) -> tensor<4xui64>
  %7 = graph.cast %x : (tensor<4xui8>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui16>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>
}

// CHECK-LABEL: func.func @ui16_to_integers
// CHECK-NEXT: #0 = dense<[0, -1, 1, 0]> : tensor<4xi8>
// CHECK-NEXT: #1 = dense<[0, -1, 1, -32768]> : tensor<4xi16>
// CHECK-NEXT: #2 = dense<[0, 65535, 1, 32768]> : tensor<4xi32>
// CHECK-NEXT: #3 = dense<[0, 65535, 1, 32768]> : tensor<4xi64>
// CHECK-NEXT: #4 = dense<[0, 255, 1, 0]> : tensor<4xui8>
// CHECK-NEXT: #5 = dense<[0, 65535, 1, 32768]> : tensor<4xui32>
// CHECK-NEXT: #6 = dense<[0, 65535, 1, 32768]> : tensor<4xui64>
// CHECK-NEXT: #7 = dense<[false, true, true, true]> : tensor<4xi1>
func.func @ui16_to_integers()
    -> (tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>) {
  %x = graph.constant dense<[0, 65535, 1, 32768]> : tensor<4xui16>
  %0 = graph.cast %x : (tensor<4xui16>) -> tensor<4xi8>
  %1 = graph.cast %x : (tensor<4xui16>) -> tensor<4xi16>
  %2 = graph.cast %x : (tensor<4xui16>) -> tensor<4xi32>
  %3 = graph.cast %x : (tensor<4xui16>) -> tensor<4xi64>
  %4 = graph.cast %x : (tensor<4xui16>) -> tensor<4xui8>
  %5 = graph.cast %x : (tensor<4xui16>) -> tensor<4xui32>
  %6 = graph.cast %x : (tensor<4xui16>) -> tensor<4xui64>
  %7 = graph.cast %x : (tensor<4xui16>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui32>, tensor<4xui64>, tensor<4xi1>
}

// CHECK-LABEL: func.func @ui32_to_integers
// CHECK-NEXT: #0 = dense<[0, -1, 1, 0]> : tensor<4xi8>
// CHECK-NEXT: #1 = dense<[0, -1, 1, 0]> : tensor<4xi16>
// CHECK-NEXT: #2 = dense<[0, -1, 1, -2147483648]> : tensor<4xi32>
// CHECK-NEXT: #3 = dense<[0, 4294967295, 1, 2147483648]> : tensor<4xi64>
// CHECK-NEXT: #4 = dense<[0, 255, 1, 0]> : tensor<4xui8>
// CHECK-NEXT: #5 = dense<[0, 65535, 1, 0]> : tensor<4xui16>
// CHECK-NEXT: #6 = dense<[0, 4294967295, 1, 2147483648]> : tensor<4xui64>
// CHECK-NEXT: #7 = dense<[false, true, true, true]> : tensor<4xi1>
func.func @ui32_to_integers()
    -> (tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui64>, tensor<4xi1>) {
  %x = graph.constant dense<[0, 4294967295, 1, 2147483648]> : tensor<4xui32>
  %0 = graph.cast %x : (tensor<4xui32>) -> tensor<4xi8>
  %1 = graph.cast %x : (tensor<4xui32>) -> tensor<4xi16>
  %2 = graph.cast %x : (tensor<4xui32>) -> tensor<4xi32>
  %3 = graph.cast %x : (tensor<4xui32>) -> tensor<4xi64>
  %4 = graph.cast %x : (tensor<4xui32>) -> tensor<4xui8>
  %5 = graph.cast %x : (tensor<4xui32>) -> tensor<4xui16>
  %6 = graph.cast %x : (tensor<4xui32>) -> tensor<4xui64>
  %7 = graph.cast %x : (tensor<4xui32>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui64>, tensor<4xi1>
}

// CHECK-LABEL: func.func @ui64_to_integers
// CHECK-NEXT: #0 = dense<[0, -1, 1, 0]> : tensor<4xi8>
// CHECK-NEXT: #1 = dense<[0, -1, 1, 0]> : tensor<4xi16>
// CHECK-NEXT: #2 = dense<[0, -1, 1, 0]> : tensor<4xi32>
// CHECK-NEXT: #3 = dense<[0, -1, 1, -9223372036854775808]> : tensor<4xi64>
// CHECK-NEXT: #4 = dense<[0, 255, 1, 0]> : tensor<4xui8>
// CHECK-NEXT: #5 = dense<[0, 65535, 1, 0]> : tensor<4xui16>
// CHECK-NEXT: #6 = dense<[0, 4294967295, 1, 0]> : tensor<4xui32>
// CHECK-NEXT: #7 = dense<[false, true, true, true]> : tensor<4xi1>
func.func @ui64_to_integers()
    -> (tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xi1>) {
  %x = graph.constant dense<[0, 18446744073709551615, 1, 9223372036854775808]> : tensor<4xui64>
  %0 = graph.cast %x : (tensor<4xui64>) -> tensor<4xi8>
  %1 = graph.cast %x : (tensor<4xui64>) -> tensor<4xi16>
  %2 = graph.cast %x : (tensor<4xui64>) -> tensor<4xi32>
  %3 = graph.cast %x : (tensor<4xui64>) -> tensor<4xi64>
  %4 = graph.cast %x : (tensor<4xui64>) -> tensor<4xui8>
  %5 = graph.cast %x : (tensor<4xui64>) -> tensor<4xui16>
  %6 = graph.cast %x : (tensor<4xui64>) -> tensor<4xui32>
  %7 = graph.cast %x : (tensor<4xui64>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xi16>, tensor<4xi32>, tensor<4xi64>, tensor<4xui8>, tensor<4xui16>, tensor<4xui32>, tensor<4xi1>
}

// A boolean is 0 or 1 in every type.
// CHECK-LABEL: func.func @booleans
// CHECK-NEXT: #0 = dense<[1, 0]> : tensor<2xi8>
// CHECK-NEXT: #1 = dense<[1, 0]> : tensor<2xi16>
// CHECK-NEXT: #2 = dense<[1, 0]> : tensor<2xi32>
// CHECK-NEXT: #3 = dense<[1, 0]> : tensor<2xi64>
// CHECK-NEXT: #4 = dense<[1, 0]> : tensor<2xui8>
// CHECK-NEXT: #5 = dense<[1, 0]> : tensor<2xui16>
// CHECK-NEXT: #6 = dense<[1, 0]> : tensor<2xui32>
// CHECK-NEXT: #7 = dense<[1, 0]> : tensor<2xui64>
// CHECK-NEXT: #8 = dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf16>
// CHECK-NEXT: #9 = dense<[1.000000e+00, 0.000000e+00]> : tensor<2xbf16>
// CHECK-NEXT: #10 = dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: #11 = dense<[1.000000e+00, 0.000000e+00]> : tensor<2xf64>
func.func @booleans()
    -> (tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xi64>, tensor<2xui8>, tensor<2xui16>, tensor<2xui32>, tensor<2xui64>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf32>, tensor<2xf64>) {
  %b = graph.constant dense<[true, false]> : tensor<2xi1>
  %1 = graph.cast %b : (tensor<2xi1>) -> tensor<2xi8>
  %2 = graph.cast %b : (tensor<2xi1>) -> tensor<2xi16>
  %3 = graph.cast %b : (tensor<2xi1>) -> tensor<2xi32>
  %4 = graph.cast %b : (tensor<2xi1>) -> tensor<2xi64>
  %5 = graph.cast %b : (tensor<2xi1>) -> tensor<2xui8>
  %6 = graph.cast %b : (tensor<2xi1>) -> tensor<2xui16>
  %7 = graph.cast %b : (tensor<2xi1>) -> tensor<2xui32>
  %8 = graph.cast %b : (tensor<2xi1>) -> tensor<2xui64>
  %9 = graph.cast %b : (tensor<2xi1>) -> tensor<2xf16>
  %10 = graph.cast %b : (tensor<2xi1>) -> tensor<2xbf16>
  %11 = graph.cast %b : (tensor<2xi1>) -> tensor<2xf32>
  %12 = graph.cast %b : (tensor<2xi1>) -> tensor<2xf64>
  return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xi64>, tensor<2xui8>, tensor<2xui16>, tensor<2xui32>, tensor<2xui64>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf32>, tensor<2xf64>
}
