// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// What each function of one tensor is not defined on.

// graph.unary exp: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) exp is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary exp %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary log: floats only
func.func @f(%x: tensor<2xi64>) {
  // expected-error@below {{(C1) log is not defined on 'i64'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary log %x : (tensor<2xi64>) -> tensor<2xi64>
  return
}

// -----

// graph.unary sqrt: floats only
func.func @f(%x: tensor<2xui8>) {
  // expected-error@below {{(C1) sqrt is not defined on 'ui8'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary sqrt %x : (tensor<2xui8>) -> tensor<2xui8>
  return
}

// -----

// graph.unary rsqrt: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) rsqrt is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary rsqrt %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary reciprocal: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) reciprocal is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary reciprocal %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary floor: floats only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C1) floor is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary floor %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.unary ceil: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) ceil is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary ceil %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary round: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) round is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary round %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary erf: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) erf is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary erf %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary tanh: floats only
func.func @f(%x: tensor<2xui64>) {
  // expected-error@below {{(C1) tanh is not defined on 'ui64'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary tanh %x : (tensor<2xui64>) -> tensor<2xui64>
  return
}

// -----

// graph.unary sigmoid: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) sigmoid is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary sigmoid %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary sin: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) sin is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary sin %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary cos: floats only
func.func @f(%x: tensor<2xi16>) {
  // expected-error@below {{(C1) cos is not defined on 'i16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary cos %x : (tensor<2xi16>) -> tensor<2xi16>
  return
}

// -----

// graph.unary gelu: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) gelu is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary gelu %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary gelu_tanh: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) gelu_tanh is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary gelu_tanh %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary silu: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) silu is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary silu %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary is_nan: floats only
func.func @f(%x: tensor<2xi8>) {
  // expected-error@below {{(C1) is_nan is not defined on 'i8'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary is_nan %x : (tensor<2xi8>) -> tensor<2xi1>
  return
}

// -----

// graph.unary softplus: floats only
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) softplus is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary softplus %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary abs: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C1) abs is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary abs %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.unary neg: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C1) neg is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary neg %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.unary sign: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C1) sign is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary sign %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.unary relu: numbers only
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C1) relu is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary relu %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.unary logical_not: booleans only
func.func @f(%x: tensor<2xi8>) {
  // expected-error@below {{(C1) logical_not is not defined on 'i8'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary logical_not %x : (tensor<2xi8>) -> tensor<2xi8>
  return
}

// -----

// graph.unary logical_not: booleans only
func.func @f(%x: tensor<2xbf16>) {
  // expected-error@below {{(C1) logical_not is not defined on 'bf16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary logical_not %x : (tensor<2xbf16>) -> tensor<2xbf16>
  return
}

// -----

// graph.unary logical_not: booleans only
func.func @f(%x: tensor<2xui64>) {
  // expected-error@below {{(C1) logical_not is not defined on 'ui64'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary logical_not %x : (tensor<2xui64>) -> tensor<2xui64>
  return
}
