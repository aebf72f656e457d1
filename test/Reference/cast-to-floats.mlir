// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Numbers to floats: to nearest, halves to even.
// NOTE: checks by tools/update-lit-checks

// Rounded to nearest even; f16 ends at 65504.
// CHECK-LABEL: func.func @wide_integers_to_floats
// CHECK-NEXT: #0 = dense<[0x4170000010000000, 0x4170000030000000, 0xC340000000000000, 9.2233720368547758E+18, 6.551900e+04, 6.552000e+04]> : tensor<6xf64>
// CHECK-NEXT: #1 = dense<[0x4B800000, 0x4B800002, -9.00719925E+15, 9.22337203E+18, 6.551900e+04, 6.552000e+04]> : tensor<6xf32>
// CHECK-NEXT: #2 = dense<[1.677720e+07, 1.677720e+07, -9.007190e+15, 9.223370e+18, 6.553600e+04, 6.553600e+04]> : tensor<6xbf16>
// CHECK-NEXT: #3 = dense<[0x7C00, 0x7C00, 0xFC00, 0x7C00, 6.550400e+04, 0x7C00]> : tensor<6xf16>
func.func @wide_integers_to_floats() -> (tensor<6xf64>, tensor<6xf32>, tensor<6xbf16>, tensor<6xf16>) {
  %x = graph.constant dense<[16777217, 16777219, -9007199254740993, 9223372036854775807, 65519, 65520]> : tensor<6xi64>
  %0 = graph.cast %x : (tensor<6xi64>) -> tensor<6xf64>
  %1 = graph.cast %x : (tensor<6xi64>) -> tensor<6xf32>
  %2 = graph.cast %x : (tensor<6xi64>) -> tensor<6xbf16>
  %3 = graph.cast %x : (tensor<6xi64>) -> tensor<6xf16>
  return %0, %1, %2, %3 : tensor<6xf64>, tensor<6xf32>, tensor<6xbf16>, tensor<6xf16>
}

// The largest is not minus one.
// CHECK-LABEL: func.func @unsigned_to_floats
// CHECK-NEXT: #0 = dense<[1.8446744073709552E+19, 9.2233720368547758E+18, 1.000000e+00]> : tensor<3xf64>
// CHECK-NEXT: #1 = dense<[1.84467441E+19, 9.22337203E+18, 1.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: #2 = dense<[1.844670e+19, 9.223370e+18, 1.000000e+00]> : tensor<3xbf16>
// CHECK-NEXT: #3 = dense<[0x7C00, 0x7C00, 1.000000e+00]> : tensor<3xf16>
// CHECK-NEXT: #4 = dense<[2.550000e+02, 1.280000e+02]> : tensor<2xf16>
func.func @unsigned_to_floats() -> (tensor<3xf64>, tensor<3xf32>, tensor<3xbf16>, tensor<3xf16>, tensor<2xf16>) {
  %x = graph.constant dense<[18446744073709551615, 9223372036854775808, 1]> : tensor<3xui64>
  %0 = graph.cast %x : (tensor<3xui64>) -> tensor<3xf64>
  %1 = graph.cast %x : (tensor<3xui64>) -> tensor<3xf32>
  %2 = graph.cast %x : (tensor<3xui64>) -> tensor<3xbf16>
  %3 = graph.cast %x : (tensor<3xui64>) -> tensor<3xf16>
  %y = graph.constant dense<[255, 128]> : tensor<2xui8>
  %5 = graph.cast %y : (tensor<2xui8>) -> tensor<2xf16>
  return %0, %1, %2, %3, %5 : tensor<3xf64>, tensor<3xf32>, tensor<3xbf16>, tensor<3xf16>, tensor<2xf16>
}

// Halfway cases go to the even neighbour; what is too large is infinity, what is too small zero with its sign.
// CHECK-LABEL: func.func @floats_to_narrower
// CHECK-NEXT: #0 = dense<[1.000000e+00, 1.001950e+00, 6.550400e+04, 0x7C00, 0.000000e+00, -0.000000e+00, 1.192090e-07, 0x7C00, 0x7E00]> : tensor<9xf16>
// CHECK-NEXT: #1 = dense<[1.000000e+00, 1.000000e+00, 6.553600e+04, 6.553600e+04, 2.980230e-08, -1.490120e-08, 8.940690e-08, 0x7F80, 0x7FC0]> : tensor<9xbf16>
// CHECK-NEXT: #2 = dense<[1.000000e+00, 1.00000024, 0x7F800000, 0.000000e+00, -0.000000e+00]> : tensor<5xf32>
func.func @floats_to_narrower() -> (tensor<9xf16>, tensor<9xbf16>, tensor<5xf32>) {
  %x = graph.constant dense<[1.00048828125, 1.00146484375, 65519.0, 65520.0, 2.9802322387695312e-08, -1.4901161193847656e-08, 8.940696716308594e-08, 0x7F800000, 0x7FC00000]> : tensor<9xf32>
  %1 = graph.cast %x : (tensor<9xf32>) -> tensor<9xf16>
  %2 = graph.cast %x : (tensor<9xf32>) -> tensor<9xbf16>
  %y = graph.constant dense<[1.0000000596046448, 1.0000001788139343, 3.5e+38, 1.0e-46, -1.0e-50]> : tensor<5xf64>
  %4 = graph.cast %y : (tensor<5xf64>) -> tensor<5xf32>
  return %1, %2, %4 : tensor<9xf16>, tensor<9xbf16>, tensor<5xf32>
}

// Exact, subnormal numbers too.
// CHECK-LABEL: func.func @floats_to_wider
// CHECK-NEXT: #0 = dense<[5.96046448E-8, 6.550400e+04, -0.000000e+00, 0xFF800000]> : tensor<4xf32>
// CHECK-NEXT: #1 = dense<[5.9604644775390625E-8, 6.550400e+04, -0.000000e+00, 0xFFF0000000000000]> : tensor<4xf64>
// CHECK-NEXT: #2 = dense<[5.960460e-08, 6.553600e+04, -0.000000e+00, 0xFF80]> : tensor<4xbf16>
// CHECK-NEXT: #3 = dense<[3.38953139E+38, 9.183550e-41]> : tensor<2xf32>
// CHECK-NEXT: #4 = dense<[3.3895313892515355E+38, 9.1835496157991212E-41]> : tensor<2xf64>
func.func @floats_to_wider() -> (tensor<4xf32>, tensor<4xf64>, tensor<4xbf16>, tensor<2xf32>, tensor<2xf64>) {
  %x = graph.constant dense<[5.960464477539063e-08, 65504.0, -0.0, 0xFC00]> : tensor<4xf16>
  %1 = graph.cast %x : (tensor<4xf16>) -> tensor<4xf32>
  %2 = graph.cast %x : (tensor<4xf16>) -> tensor<4xf64>
  %3 = graph.cast %x : (tensor<4xf16>) -> tensor<4xbf16>
  %y = graph.constant dense<[3.3895313892515355e+38, 9.183549615799121e-41]> : tensor<2xbf16>
  %5 = graph.cast %y : (tensor<2xbf16>) -> tensor<2xf32>
  %6 = graph.cast %y : (tensor<2xbf16>) -> tensor<2xf64>
  return %1, %2, %3, %5, %6 : tensor<4xf32>, tensor<4xf64>, tensor<4xbf16>, tensor<2xf32>, tensor<2xf64>
}

// A cast rounds where it stands, not at the end: the sum is that of 1 + 2^-11 rounded to f16.
// CHECK-LABEL: func.func @a_cast_rounds
// CHECK-NEXT: #0 = dense<4.8828125E-4> : tensor<1xf32>
func.func @a_cast_rounds() -> tensor<1xf32> {
  %x = graph.constant dense<[1.00048828125]> : tensor<1xf32>
  %1 = graph.cast %x : (tensor<1xf32>) -> tensor<1xf16>
  %2 = graph.cast %1 : (tensor<1xf16>) -> tensor<1xf32>
  %3 = graph.binary sub %x, %2 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %3 : tensor<1xf32>
}
