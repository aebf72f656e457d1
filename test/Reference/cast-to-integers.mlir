// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Floats to integers: towards zero, saturating.
// NOTE: checks by tools/update-lit-checks

// Truncated, then the nearest number there is; NaN is 0.
// CHECK-LABEL: func.func @f16_to_integers
// CHECK-NEXT: #0 = dense<[-128, -128, -128, -1, 0, 0, 2, 127, 127, 127, 127, 0]> : tensor<12xi8>
// CHECK-NEXT: #1 = dense<[-32768, -32768, -300, -1, 0, 0, 2, 200, 32767, 32767, 32767, 0]> : tensor<12xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, -40000, -300, -1, 0, 0, 2, 200, 60000, 65504, 2147483647, 0]> : tensor<12xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, -40000, -300, -1, 0, 0, 2, 200, 60000, 65504, 9223372036854775807, 0]> : tensor<12xi64>
// CHECK-NEXT: #4 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 255, 255, 255, 0]> : tensor<12xui8>
// CHECK-NEXT: #5 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 60000, 65504, 65535, 0]> : tensor<12xui16>
// CHECK-NEXT: #6 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 60000, 65504, 4294967295, 0]> : tensor<12xui32>
// CHECK-NEXT: #7 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 60000, 65504, 18446744073709551615, 0]> : tensor<12xui64>
// CHECK-NEXT: #8 = dense<true> : tensor<12xi1>
func.func @f16_to_integers()
    -> (tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xi1>) {
  %x = graph.constant dense<[0xFC00, -40000.0, -300.5, -1.75, -0.5, 0.5, 2.5, 200.25, 60000.0, 65504.0, 0x7C00, 0x7E00]> : tensor<12xf16>
  %1 = graph.cast %x : (tensor<12xf16>) -> tensor<12xi8>
  %2 = graph.cast %x : (tensor<12xf16>) -> tensor<12xi16>
  %3 = graph.cast %x : (tensor<12xf16>) -> tensor<12xi32>
  %4 = graph.cast %x : (tensor<12xf16>) -> tensor<12xi64>
  %5 = graph.cast %x : (tensor<12xf16>) -> tensor<12xui8>
  %6 = graph.cast %x : (tensor<12xf16>) -> tensor<12xui16>
  %7 = graph.cast %x : (tensor<12xf16>) -> tensor<12xui32>
  %8 = graph.cast %x : (tensor<12xf16>) -> tensor<12xui64>
  %9 = graph.cast %x : (tensor<12xf16>) -> tensor<12xi1>
  return %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xi1>
}

// CHECK-LABEL: func.func @bf16_to_integers
// CHECK-NEXT: #0 = dense<[-128, -128, -128, -1, 0, 0, 2, 127, 127, 127, 127, 0]> : tensor<12xi8>
// CHECK-NEXT: #1 = dense<[-32768, -32768, -300, -1, 0, 0, 2, 200, 32767, 32767, 32767, 0]> : tensor<12xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, -39936, -300, -1, 0, 0, 2, 200, 70144, 2147483647, 2147483647, 0]> : tensor<12xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, -39936, -300, -1, 0, 0, 2, 200, 70144, 3003121664, 9223372036854775807, 0]> : tensor<12xi64>
// CHECK-NEXT: #4 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 255, 255, 255, 0]> : tensor<12xui8>
// CHECK-NEXT: #5 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 65535, 65535, 65535, 0]> : tensor<12xui16>
// CHECK-NEXT: #6 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 70144, 3003121664, 4294967295, 0]> : tensor<12xui32>
// CHECK-NEXT: #7 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 70144, 3003121664, 18446744073709551615, 0]> : tensor<12xui64>
// CHECK-NEXT: #8 = dense<true> : tensor<12xi1>
func.func @bf16_to_integers()
    -> (tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xi1>) {
  %x = graph.constant dense<[0xFF80, -40000.0, -300.5, -1.75, -0.5, 0.5, 2.5, 200.25, 70000.0, 3000000000.0, 0x7F80, 0x7FC0]> : tensor<12xbf16>
  %1 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xi8>
  %2 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xi16>
  %3 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xi32>
  %4 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xi64>
  %5 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xui8>
  %6 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xui16>
  %7 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xui32>
  %8 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xui64>
  %9 = graph.cast %x : (tensor<12xbf16>) -> tensor<12xi1>
  return %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xi1>
}

// CHECK-LABEL: func.func @f32_to_integers
// CHECK-NEXT: #0 = dense<[-128, -128, -128, -1, 0, 0, 2, 127, 127, 127, 127, 0]> : tensor<12xi8>
// CHECK-NEXT: #1 = dense<[-32768, -32768, -300, -1, 0, 0, 2, 200, 32767, 32767, 32767, 0]> : tensor<12xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, -40000, -300, -1, 0, 0, 2, 200, 70000, 2147483647, 2147483647, 0]> : tensor<12xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, -40000, -300, -1, 0, 0, 2, 200, 70000, 3000000000, 9223372036854775807, 0]> : tensor<12xi64>
// CHECK-NEXT: #4 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 255, 255, 255, 0]> : tensor<12xui8>
// CHECK-NEXT: #5 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 65535, 65535, 65535, 0]> : tensor<12xui16>
// CHECK-NEXT: #6 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 70000, 3000000000, 4294967295, 0]> : tensor<12xui32>
// CHECK-NEXT: #7 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 70000, 3000000000, 18446744073709551615, 0]> : tensor<12xui64>
// CHECK-NEXT: #8 = dense<true> : tensor<12xi1>
func.func @f32_to_integers()
    -> (tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xi1>) {
  %x = graph.constant dense<[0xFF800000, -40000.0, -300.5, -1.75, -0.5, 0.5, 2.5, 200.25, 70000.0, 3000000000.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %1 = graph.cast %x : (tensor<12xf32>) -> tensor<12xi8>
  %2 = graph.cast %x : (tensor<12xf32>) -> tensor<12xi16>
  %3 = graph.cast %x : (tensor<12xf32>) -> tensor<12xi32>
  %4 = graph.cast %x : (tensor<12xf32>) -> tensor<12xi64>
  %5 = graph.cast %x : (tensor<12xf32>) -> tensor<12xui8>
  %6 = graph.cast %x : (tensor<12xf32>) -> tensor<12xui16>
  %7 = graph.cast %x : (tensor<12xf32>) -> tensor<12xui32>
  %8 = graph.cast %x : (tensor<12xf32>) -> tensor<12xui64>
  %9 = graph.cast %x : (tensor<12xf32>) -> tensor<12xi1>
  return %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xi1>
}

// CHECK-LABEL: func.func @f64_to_integers
// CHECK-NEXT: #0 = dense<[-128, -128, -128, -1, 0, 0, 2, 127, 127, 127, 127, 0]> : tensor<12xi8>
// CHECK-NEXT: #1 = dense<[-32768, -32768, -300, -1, 0, 0, 2, 200, 32767, 32767, 32767, 0]> : tensor<12xi16>
// CHECK-NEXT: #2 = dense<[-2147483648, -40000, -300, -1, 0, 0, 2, 200, 70000, 2147483647, 2147483647, 0]> : tensor<12xi32>
// CHECK-NEXT: #3 = dense<[-9223372036854775808, -40000, -300, -1, 0, 0, 2, 200, 70000, 3000000000, 9223372036854775807, 0]> : tensor<12xi64>
// CHECK-NEXT: #4 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 255, 255, 255, 0]> : tensor<12xui8>
// CHECK-NEXT: #5 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 65535, 65535, 65535, 0]> : tensor<12xui16>
// CHECK-NEXT: #6 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 70000, 3000000000, 4294967295, 0]> : tensor<12xui32>
// CHECK-NEXT: #7 = dense<[0, 0, 0, 0, 0, 0, 2, 200, 70000, 3000000000, 18446744073709551615, 0]> : tensor<12xui64>
// CHECK-NEXT: #8 = dense<true> : tensor<12xi1>
func.func @f64_to_integers()
    -> (tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xi1>) {
  %x = graph.constant dense<[0xFFF0000000000000, -40000.0, -300.5, -1.75, -0.5, 0.5, 2.5, 200.25, 70000.0, 3000000000.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %1 = graph.cast %x : (tensor<12xf64>) -> tensor<12xi8>
  %2 = graph.cast %x : (tensor<12xf64>) -> tensor<12xi16>
  %3 = graph.cast %x : (tensor<12xf64>) -> tensor<12xi32>
  %4 = graph.cast %x : (tensor<12xf64>) -> tensor<12xi64>
  %5 = graph.cast %x : (tensor<12xf64>) -> tensor<12xui8>
  %6 = graph.cast %x : (tensor<12xf64>) -> tensor<12xui16>
  %7 = graph.cast %x : (tensor<12xf64>) -> tensor<12xui32>
  %8 = graph.cast %x : (tensor<12xf64>) -> tensor<12xui64>
  %9 = graph.cast %x : (tensor<12xf64>) -> tensor<12xi1>
  return %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<12xi8>, tensor<12xi16>, tensor<12xi32>, tensor<12xi64>, tensor<12xui8>, tensor<12xui16>, tensor<12xui32>, tensor<12xui64>, tensor<12xi1>
}

// Numbers beyond 64 bits saturate too.
// CHECK-LABEL: func.func @beyond_64_bits
// CHECK-NEXT: #0 = dense<[9223372036854775807, -9223372036854775808, 9223372036854775807, 9223372036854775807]> : tensor<4xi64>
// CHECK-NEXT: #1 = dense<[15000000000000000000, 0, 18446744073709551615, 9300000000000000000]> : tensor<4xui64>
// CHECK-NEXT: #2 = dense<[2147483647, -2147483648, 2147483647, 2147483647]> : tensor<4xi32>
// CHECK-NEXT: #3 = dense<[4294967295, 0, 4294967295, 4294967295]> : tensor<4xui32>
func.func @beyond_64_bits() -> (tensor<4xi64>, tensor<4xui64>, tensor<4xi32>, tensor<4xui32>) {
  %x = graph.constant dense<[1.5e+19, -1.5e+19, 2.0e+19, 9.3e+18]> : tensor<4xf64>
  %1 = graph.cast %x : (tensor<4xf64>) -> tensor<4xi64>
  %2 = graph.cast %x : (tensor<4xf64>) -> tensor<4xui64>
  %3 = graph.cast %x : (tensor<4xf64>) -> tensor<4xi32>
  %4 = graph.cast %x : (tensor<4xf64>) -> tensor<4xui32>
  return %1, %2, %3, %4 : tensor<4xi64>, tensor<4xui64>, tensor<4xi32>, tensor<4xui32>
}
