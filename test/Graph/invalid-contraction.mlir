// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.matmul C1
func.func @f(%x: tensor<3xf32>, %y: tensor<3x2xf32>) {
  // expected-error@below {{(C1) expected ranks of at least 2, found 1 and 2}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %x, %y : (tensor<3xf32>, tensor<3x2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.matmul C2
func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error@below {{(C2) contracted dims differ: 3 and 2}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %x, %y {transpose_b} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.matmul C3
func.func @f(%x: tensor<2x2x3xf32>, %y: tensor<3x3x2xf32>) {
  // expected-error@below {{(C3) leading dims do not broadcast: [2] and [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %x, %y : (tensor<2x2x3xf32>, tensor<3x3x2xf32>) -> tensor<3x2x2xf32>
  return
}

// -----

// graph.matmul C4
func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf16>) {
  // expected-error@below {{(C4) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %x, %y : (tensor<2x3xf32>, tensor<3x2xf16>) -> tensor<2x2xf32>
  return
}

// -----

// graph.attention C1
func.func @f(%x: tensor<2x3x4xf32>) {
  // expected-error@below {{(C1) expected rank 4, found query [2, 3, 4], key [2, 3, 4], value [2, 3, 4]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %x, %x, %x {scale = 1.0 : f64} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

// graph.attention C1
func.func @f(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf16>) {
  // expected-error@below {{(C1) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %q {scale = 1.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf16>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// graph.attention C2
func.func @f(%q: tensor<1x2x3x4xf32>, %v: tensor<1x2x5x4xf32>) {
  // expected-error@below {{(C2) dims do not match: query [1, 2, 3, 4], key [1, 2, 3, 4], value [1, 2, 5, 4]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %v {scale = 1.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// graph.attention C3
func.func @f(%q: tensor<1x3x5x4xf32>, %k: tensor<1x2x5x4xf32>) {
  // expected-error@below {{(C3) key heads must divide query heads, found 2 and 3}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %k {scale = 1.0 : f64} : (tensor<1x3x5x4xf32>, tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>) -> tensor<1x3x5x4xf32>
  return
}

// -----

// graph.attention C3
!q = tensor<1x?x5x4xf32, #graph.shape<[heads] -> [1, heads, 5, 4]>>
func.func @f(%q: !q) {
  // expected-error@below {{(C3) key heads must divide query heads, found heads and heads}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q {scale = 1.0 : f64} : (!q, !q, !q) -> !q
  return
}

// -----

// graph.attention C4
func.func @f(%q: tensor<1x2x3x4xf32>, %m: tensor<4x3xf32>) {
  // expected-error@below {{(C4) mask [4, 3] does not broadcast to [1, 2, 3, 3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q mask %m {scale = 1.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<4x3xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// graph.attention C4
func.func @f(%q: tensor<1x2x3x4xf32>, %m: tensor<3x3xf16>) {
  // expected-error@below {{(C4) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q mask %m {scale = 1.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<3x3xf16>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// graph.attention C5
func.func @f(%q: tensor<2x2x3x4xf32>, %n: tensor<3xi64>) {
  // expected-error@below {{(C5) expected lengths of [2], found [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q lengths %n {scale = 1.0 : f64} : (tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<3xi64>) -> tensor<2x2x3x4xf32>
  return
}

// -----

// graph.attention C5
func.func @f(%q: tensor<2x2x3x4xf32>) {
  // expected-error@below {{(C5) from_length needs causal and lengths}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q {causal, from_length, scale = 1.0 : f64} : (tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  return
}

// -----

func.func @softcap(%q: tensor<1x2x3x4xf32>) {
  // expected-error@below {{(C6) expected a positive softcap, found -2}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q {scale = 1.0 : f64, softcap = -2.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// graph.matmul C5
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{(C5) expected a result of f32 from f16 or bf16, found 'f32' from 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {result_element = f32} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// graph.matmul C5
func.func @f(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>) {
  // expected-error@below {{(C5) expected a result of f32 from f16 or bf16, found 'f64' from 'bf16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {result_element = f64} : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf64>
  return
}

// -----

// graph.matmul C6
func.func @f(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>) {
  // expected-error@below {{(C6) expected operands of f32 for tf32, found 'bf16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %a, %b {tf32} : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
  return
}

// -----

// graph.attention C6
func.func @f(%q: tensor<1x2x3x4xf32>) {
  // expected-error@below {{(C6) expected a positive softcap, found -5}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %q {scale = 1.0 : f64, softcap = -5.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}
