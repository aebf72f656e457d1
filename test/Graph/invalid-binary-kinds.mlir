// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// What each function of two tensors is not defined on.

// graph.binary add: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) add is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary sub: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) sub is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary sub %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary mul: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) mul is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary mul %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary div: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) div is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary div %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary mod: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) mod is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary mod %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary fmod: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) fmod is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary fmod %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary min: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) min is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary min %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary max: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) max is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary max %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary logical_and: booleans only
func.func @f(%x: tensor<2xi8>) {
  // expected-error@below {{(C3) logical_and is not defined on 'i8'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary logical_and %x, %x : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return
}

// -----

// graph.binary logical_and: booleans only
func.func @f(%x: tensor<2xf16>) {
  // expected-error@below {{(C3) logical_and is not defined on 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary logical_and %x, %x : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return
}

// -----

// graph.binary logical_or: booleans only
func.func @f(%x: tensor<2xi8>) {
  // expected-error@below {{(C3) logical_or is not defined on 'i8'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary logical_or %x, %x : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return
}

// -----

// graph.binary logical_or: booleans only
func.func @f(%x: tensor<2xf16>) {
  // expected-error@below {{(C3) logical_or is not defined on 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary logical_or %x, %x : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return
}

// -----

// graph.binary logical_xor: booleans only
func.func @f(%x: tensor<2xi8>) {
  // expected-error@below {{(C3) logical_xor is not defined on 'i8'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary logical_xor %x, %x : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return
}

// -----

// graph.binary logical_xor: booleans only
func.func @f(%x: tensor<2xf16>) {
  // expected-error@below {{(C3) logical_xor is not defined on 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary logical_xor %x, %x : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return
}

// -----

// graph.binary bit_and: integers only
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C3) bit_and is not defined on 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary bit_and %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary bit_and: integers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) bit_and is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary bit_and %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary bit_or: integers only
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C3) bit_or is not defined on 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary bit_or %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary bit_or: integers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) bit_or is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary bit_or %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary bit_xor: integers only
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C3) bit_xor is not defined on 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary bit_xor %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary bit_xor: integers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) bit_xor is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary bit_xor %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary shift_left: integers only
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C3) shift_left is not defined on 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary shift_left %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary shift_left: integers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) shift_left is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary shift_left %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary shift_right: integers only
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C3) shift_right is not defined on 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary shift_right %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary shift_right: integers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) shift_right is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary shift_right %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary add: signs differ
func.func @f(%x: tensor<2xi8>, %y: tensor<2xui8>) {
  // expected-error@below {{(C1) expected equal element types, found 'i8' and 'ui8'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %y : (tensor<2xi8>, tensor<2xui8>) -> tensor<2xi8>
  return
}

// -----

// graph.binary: a dim of 0 is no dim of 1
func.func @f(%x: tensor<0xf32>, %y: tensor<2xf32>) {
  // expected-error@below {{(C2) shapes do not broadcast: [0] and [2]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %y : (tensor<0xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.compare: widths differ
func.func @f(%x: tensor<2xi32>, %y: tensor<2xi64>) {
  // expected-error@below {{(C1) expected equal element types, found 'i32' and 'i64'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.compare less %x, %y : (tensor<2xi32>, tensor<2xi64>) -> tensor<2xi1>
  return
}

// -----

// graph.select: a condition of another shape
func.func @f(%c: tensor<3xi1>, %x: tensor<2xf32>) {
  // expected-error@below {{(C2) shapes do not broadcast: [3] and [2]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.select %c, %x, %x : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
