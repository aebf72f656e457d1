// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.attention C1: codes without scales
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xi8>, %v: tensor<2x4x3x8xi8>) {
  // expected-error@below {{(C1) expected equal element types, found 'f32' and 'i8'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xi8>, tensor<2x4x3x8xi8>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C1: keys and values of two types
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xi8>, %v: tensor<2x4x3x8xf8E4M3FN>, %s: tensor<2x4x3xf32>, %t: tensor<2x4x3xf32>) {
  // expected-error@below {{(C1) expected equal element types, found 'i8' and 'f8E4M3FN'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v scales %s, %t {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xi8>, tensor<2x4x3x8xf8E4M3FN>, tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C1: scales beside numbers
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xf32>, %v: tensor<2x4x3x8xf32>, %s: tensor<2x4x3xf32>, %t: tensor<2x4x3xf32>) {
  // expected-error@below {{(C1) expected codes of i8 or f8E4M3FN beside scales, found 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v scales %s, %t {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C10: a scale per key
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xi8>, %v: tensor<2x4x3x8xi8>, %s: tensor<2x4x3xf32>, %t: tensor<2x4x1xf32>) {
  // expected-error@below {{(C10) expected scales [2, 4, 3] of f32, found 'tensor<2x4x1xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v scales %s, %t {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xi8>, tensor<2x4x3x8xi8>, tensor<2x4x3xf32>, tensor<2x4x1xf32>) -> tensor<2x4x3x8xf32>
  return
}

// -----

// graph.attention C10: of f32
func.func @f(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x3x8xi8>, %v: tensor<2x4x3x8xi8>, %s: tensor<2x4x3xf16>, %t: tensor<2x4x3xf32>) {
  // expected-error@below {{(C10) expected scales [2, 4, 3] of f32, found 'tensor<2x4x3xf16>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %k, %v scales %s, %t {scale = 1.0 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x3x8xi8>, tensor<2x4x3x8xi8>, tensor<2x4x3xf16>, tensor<2x4x3xf32>) -> tensor<2x4x3x8xf32>
  return
}
