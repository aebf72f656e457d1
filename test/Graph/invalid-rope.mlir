// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// Rotations whose tables do not fit.

// graph.rope C1: tables of another type
func.func @f(%x: tensor<2x4x8xf32>, %t: tensor<4x4xf16>) {
  // expected-error@below {{(C1) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rope %x, %t, %t : (tensor<2x4x8xf32>, tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<2x4x8xf32>
  return
}

// -----

// graph.rope C2: more pairs than half of a row
func.func @f(%x: tensor<2x4x8xf32>, %t: tensor<4x5xf32>) {
  // expected-error@below {{(C2) expected tables of at most half of [2, 4, 8], found [4, 5]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rope %x, %t, %t : (tensor<2x4x8xf32>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// graph.rope C3: other positions
func.func @f(%x: tensor<2x4x8xf32>, %t: tensor<3x4xf32>) {
  // expected-error@below {{(C3) [3, 4] does not broadcast to [2, 4, 4]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rope %x, %t, %t : (tensor<2x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

// graph.rope C3: more sines than cosines
func.func @f(%x: tensor<2x4x8xf32>, %c: tensor<4x3xf32>, %s: tensor<4x4xf32>) {
  // expected-error@below {{(C3) cosines and sines differ in width}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rope %x, %c, %s : (tensor<2x4x8xf32>, tensor<4x3xf32>, tensor<4x4xf32>) -> tensor<2x4x8xf32>
  return
}
