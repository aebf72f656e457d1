// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// RUN: kiln-opt %s --kiln-decompose-quantization | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s
// The same numbers before and behind the pass. 1 / 0.4 is 2.5 in f32, and more in f64 of
// the f32 0.4: halves are even only if the quotient is rounded first.

// CHECK-LABEL: func.func @halves
// CHECK-NEXT: #0 = dense<[2, 5, 8, 10]> : tensor<4xi8>
func.func @halves() -> tensor<4xi8> {
  %x = graph.constant dense<[1.0, 2.0, 3.2, 4.2]> : tensor<4xf32>
  %s = graph.constant dense<0.4> : tensor<f32>
  %q = graph.quantize %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  return %q : tensor<4xi8>
}

// The zero point is added to the rounded number, and what does not fit saturates.
// CHECK-LABEL: func.func @zero
// CHECK-NEXT: #0 = dense<[3, 3, 5, 7, -8]> : tensor<5xi4>
func.func @zero() -> tensor<5xi4> {
  %x = graph.constant dense<[0.5, -0.5, 1.5, 100.0, -100.0]> : tensor<5xf32>
  %s = graph.constant dense<1.0> : tensor<f32>
  %z = graph.constant dense<3> : tensor<i4>
  %q = graph.quantize %x, %s zero_point %z : (tensor<5xf32>, tensor<f32>, tensor<i4>) -> tensor<5xi4>
  return %q : tensor<5xi4>
}

// CHECK-LABEL: func.func @blocks
// CHECK-NEXT: #0 = dense<[-1.600000e+01, -2.000000e+00, 3.000000e+00]> : tensor<3xf32>
func.func @blocks() -> tensor<3xf32> {
  %x = graph.constant dense<[-8, -1, 3]> : tensor<3xi4>
  %s = graph.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %y = graph.dequantize %x, %s {axis = 0, block = 2} : (tensor<3xi4>, tensor<2xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
