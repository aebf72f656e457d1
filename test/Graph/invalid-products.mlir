// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// Products and attention whose operands do not fit.

// graph.attention: a key of rank 3
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x3x8xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C1) expected rank 4, found query [2, 4, 3, 8], key [2, 3, 8], value [2, 4, 3, 8]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: a value of another type
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf16>) {
  // expected-error@below {{(C1) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf16>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: other batches of keys
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<3x4x3x8xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C2) dims do not match: query [2, 4, 3, 8], key [3, 4, 3, 8], value [2, 4, 3, 8]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<3x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: other batches of values
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<1x4x3x8xf32>) {
  // expected-error@below {{(C2) dims do not match: query [2, 4, 3, 8], key [2, 4, 3, 8], value [1, 4, 3, 8]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<1x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: keys of another depth
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x4xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C2) dims do not match: query [2, 4, 3, 8], key [2, 4, 3, 4], value [2, 4, 3, 8]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x4xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: more values than keys
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x5x8xf32>) {
  // expected-error@below {{(C2) dims do not match: query [2, 4, 3, 8], key [2, 4, 3, 8], value [2, 4, 5, 8]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x5x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: more heads of values than of keys
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x2x3x8xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C2) dims do not match: query [2, 4, 3, 8], key [2, 2, 3, 8], value [2, 4, 3, 8]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x2x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: three heads of keys for four
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x3x3x8xf32>, %v: tensor<2x3x3x8xf32>) {
  // expected-error@below {{(C3) key heads must divide query heads, found 3 and 4}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x3x3x8xf32>, tensor<2x3x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: more heads of keys than of queries
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x8x3x8xf32>, %v: tensor<2x8x3x8xf32>) {
  // expected-error@below {{(C3) key heads must divide query heads, found 8 and 4}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x8x3x8xf32>, tensor<2x8x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: a mask for other keys
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>, %m: tensor<2x4x3x4xf32>) {
  // expected-error@below {{(C4) mask [2, 4, 3, 4] does not broadcast to [2, 4, 3, 3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x4xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: a mask of rank 5
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>, %m: tensor<1x2x4x3x3xf32>) {
  // expected-error@below {{(C4) mask [1, 2, 4, 3, 3] does not broadcast to [2, 4, 3, 3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<1x2x4x3x3xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: a mask of another narrow type
func.func @f(%q: tensor<2x4x3x8xf16>, %k: tensor<2x4x3x8xf16>, %v: tensor<2x4x3x8xf16>, %m: tensor<3x3xbf16>) {
  // expected-error@below {{(C4) expected equal element types, found 'f16' and 'bf16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v mask %m {scale = 1.0 : f64} : (tensor<2x4x3x8xf16>, tensor<2x4x3x8xf16>, tensor<2x4x3x8xf16>, tensor<3x3xbf16>) -> tensor<2x4x3x8xf16>
  return
}

// -----

// graph.attention: lengths for other batches
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>, %m: tensor<3xi64>) {
  // expected-error@below {{(C5) expected lengths of [2], found [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v lengths %m {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<3xi64>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: lengths of rank 2
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>, %m: tensor<2x1xi64>) {
  // expected-error@below {{(C5) expected lengths of [2], found [2, 1]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v lengths %m {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x1xi64>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: from_length alone
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C5) from_length needs causal and lengths}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {from_length, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: from_length without causal
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>, %m: tensor<2xi64>) {
  // expected-error@below {{(C5) from_length needs causal and lengths}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v lengths %m {from_length, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2xi64>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: from_length without lengths
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C5) from_length needs causal and lengths}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {causal, from_length, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: a cap of 0
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C6) expected a positive softcap, found 0.000000e+00}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {softcap = 0.0 : f64, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: a negative cap
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C6) expected a positive softcap, found -1.000000e+00}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {softcap = -1.0 : f64, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention: an infinite cap
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>) {
  // expected-error@below {{(C6) expected a positive softcap, found INF}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {softcap = 0x7FF0000000000000 : f64, scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.matmul: a vector
func.func @f(%a: tensor<3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@below {{(C1) expected ranks of at least 2, found 1 and 2}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: a scalar
func.func @f(%a: tensor<3x2xf32>, %b: tensor<f32>) {
  // expected-error@below {{(C1) expected ranks of at least 2, found 2 and 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b : (tensor<3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: K differs
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x2xf32>) {
  // expected-error@below {{(C2) contracted dims differ: 3 and 4}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: K differs behind transpose_a
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@below {{(C2) contracted dims differ: 2 and 3}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {transpose_a} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: K differs behind transpose_b
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@below {{(C2) contracted dims differ: 3 and 2}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {transpose_b} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: batches differ
func.func @f(%a: tensor<2x2x3xf32>, %b: tensor<3x3x2xf32>) {
  // expected-error@below {{(C3) leading dims do not broadcast: [2] and [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b : (tensor<2x2x3xf32>, tensor<3x3x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: types differ
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf16>) {
  // expected-error@below {{(C4) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<3x2xf16>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: narrower sums
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@below {{(C5) expected a result of f32 from f16 or bf16, found 'f16' from 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {result_element = f16} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: wide sums of integers
func.func @f(%a: tensor<2x3xi32>, %b: tensor<3x2xi32>) {
  // expected-error@below {{(C5) expected a result of f32 from f16 or bf16, found 'f32' from 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {result_element = f32} : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: sums of f64
func.func @f(%a: tensor<2x3xf16>, %b: tensor<3x2xf16>) {
  // expected-error@below {{(C5) expected a result of f32 from f16 or bf16, found 'f64' from 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {result_element = f64} : (tensor<2x3xf16>, tensor<3x2xf16>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: tf32 of f16
func.func @f(%a: tensor<2x3xf16>, %b: tensor<3x2xf16>) {
  // expected-error@below {{(C6) expected operands of f32 for tf32, found 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {tf32} : (tensor<2x3xf16>, tensor<3x2xf16>) -> tensor<2x2xf32>
  return
}

// -----

// graph.matmul: tf32 of f64
func.func @f(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>) {
  // expected-error@below {{(C6) expected operands of f32 for tf32, found 'f64'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {tf32} : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x2xf32>
  return
}
