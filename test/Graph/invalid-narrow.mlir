// RUN: kiln-opt %s --split-input-file --verify-diagnostics
// What narrow types have no meaning for, and scales that do not fit.

// graph.binary C3
func.func @f(%x: tensor<2xf8E4M3FN>) {
  // expected-error@below {{(C3) add is not defined on 'f8E4M3FN'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %x : (tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>) -> tensor<2xf8E4M3FN>
  return
}

// -----

// graph.binary C3
func.func @f(%x: tensor<2xi4>) {
  // expected-error@below {{(C3) bit_and is not defined on 'i4'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary bit_and %x, %x : (tensor<2xi4>, tensor<2xi4>) -> tensor<2xi4>
  return
}

// -----

// graph.unary C1
func.func @f(%x: tensor<2xf4E2M1FN>) {
  // expected-error@below {{(C1) neg is not defined on 'f4E2M1FN'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary neg %x : (tensor<2xf4E2M1FN>) -> tensor<2xf4E2M1FN>
  return
}

// -----

// graph.compare C1
func.func @f(%x: tensor<2xui2>) {
  // expected-error@below {{(C1) comparisons are not defined on 'ui2'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.compare less %x, %x : (tensor<2xui2>, tensor<2xui2>) -> tensor<2xi1>
  return
}

// -----

// graph.reduce C2
func.func @f(%x: tensor<2xf8E5M2>) {
  // expected-error@below {{(C2) max is not defined on 'f8E5M2'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce max %x axes [0] : (tensor<2xf8E5M2>) -> tensor<f8E5M2>
  return
}

// -----

// graph.cast C2
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C2) overflows is of casts to a float of 8 bits and fewer, found 'f16'}}
  %0 = graph.cast %x {overflows} : (tensor<2xf32>) -> tensor<2xf16>
  return
}

// -----

// graph.cast C2
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C2) overflows is of casts to a float of 8 bits and fewer, found 'i4'}}
  %0 = graph.cast %x {overflows} : (tensor<2xf32>) -> tensor<2xi4>
  return
}

// -----

// graph.cast C2
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C2) rounding is of casts to f8E8M0FNU, found 'f8E5M2'}}
  %0 = graph.cast %x {rounding = #graph<scale_rounding down>} : (tensor<2xf32>) -> tensor<2xf8E5M2>
  return
}

// -----

// graph.quantize C1
func.func @f(%x: tensor<2xf32>, %s: tensor<f16>) {
  // expected-error@below {{(C1) expected a scale of 'f32', found 'f16'}}
  %0 = graph.quantize %x, %s : (tensor<2xf32>, tensor<f16>) -> tensor<2xi8>
  return
}

// -----

// graph.quantize C2
func.func @f(%x: tensor<2x6xf32>, %s: tensor<2xf32>) {
  // expected-error@below {{(C2) expected a scale of [6], found [2]}}
  %0 = graph.quantize %x, %s {axis = 1} : (tensor<2x6xf32>, tensor<2xf32>) -> tensor<2x6xi8>
  return
}

// -----

// graph.quantize C2: a last block that is shorter is a block.
func.func @f(%x: tensor<2x6xf32>, %s: tensor<2x1xf32>) {
  // expected-error@below {{(C2) expected a scale of [2, 2], found [2, 1]}}
  %0 = graph.quantize %x, %s {axis = 1, block = 4} : (tensor<2x6xf32>, tensor<2x1xf32>) -> tensor<2x6xi8>
  return
}

// -----

// graph.quantize C2
func.func @f(%x: tensor<2x6xf32>, %s: tensor<2xf32>) {
  // expected-error@below {{(C2) expected an axis in [0, 2) and a block of at least 1 along it}}
  %0 = graph.quantize %x, %s {axis = 2} : (tensor<2x6xf32>, tensor<2xf32>) -> tensor<2x6xi8>
  return
}

// -----

// graph.quantize C3
func.func @f(%x: tensor<2xf32>, %s: tensor<f32>, %z: tensor<ui8>) {
  // expected-error@below {{(C3) expected a zero point of [] and 'i8', found 'tensor<ui8>'}}
  %0 = graph.quantize %x, %s zero_point %z : (tensor<2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2xi8>
  return
}

// -----

// graph.quantize C4
func.func @f(%x: tensor<2xf32>, %s: tensor<f32>) {
  // expected-error@below {{(C4) is not defined to 'i32'}}
  %0 = graph.quantize %x, %s : (tensor<2xf32>, tensor<f32>) -> tensor<2xi32>
  return
}

// -----

// graph.quantize C5
func.func @f(%x: tensor<2xf32>, %s: tensor<f32>) {
  // expected-error@below {{(C5) expected the input's shape [2], found [3]}}
  %0 = graph.quantize %x, %s : (tensor<2xf32>, tensor<f32>) -> tensor<3xi8>
  return
}

// -----

// graph.quantize C6
func.func @f(%x: tensor<2xf32>, %s: tensor<f32>) {
  // expected-error@below {{(C6) overflows is of floats, found 'i8'}}
  %0 = graph.quantize %x, %s {overflows} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi8>
  return
}

// -----

// graph.dequantize C1
func.func @f(%x: tensor<2xi8>, %s: tensor<1xf32>) {
  // expected-error@below {{(C1) expected a scale of [], found [1]}}
  %0 = graph.dequantize %x, %s : (tensor<2xi8>, tensor<1xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.dequantize C2
func.func @f(%x: tensor<2xi8>, %s: tensor<2xf32>, %z: tensor<i8>) {
  // expected-error@below {{(C2) expected a zero point of [2] and 'i8', found 'tensor<i8>'}}
  %0 = graph.dequantize %x, %s zero_point %z {axis = 0} : (tensor<2xi8>, tensor<2xf32>, tensor<i8>) -> tensor<2xf32>
  return
}

// -----

// graph.dequantize C3
func.func @f(%x: tensor<2xi64>, %s: tensor<f32>) {
  // expected-error@below {{(C3) is not defined on 'i64'}}
  %0 = graph.dequantize %x, %s : (tensor<2xi64>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// graph.dequantize C4
func.func @f(%x: tensor<2xi8>, %s: tensor<f32>) {
  // expected-error@below {{(C4) expected the input's shape [2], found [2, 1]}}
  %0 = graph.dequantize %x, %s : (tensor<2xi8>, tensor<f32>) -> tensor<2x1xf32>
  return
}
