// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.kv_write C1
func.func @f(%s: tensor<2x8x4xf32>, %n: tensor<2x8x4xf32>, %i: tensor<2xi64>) {
  // expected-error@below {{(C1) expected an axis in [0, 3), found 3}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.kv_write %s, %n starts %i counts %i axis 3 : (tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x4xf32>
  return
}

// -----

// graph.kv_write C1
func.func @f(%s: tensor<2x8x4xf32>, %n: tensor<2x8x4xf32>, %i: tensor<2xi64>) {
  // expected-error@below {{(C1) axis 0 counts sequences, not positions}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.kv_write %s, %n starts %i counts %i axis 0 : (tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x4xf32>
  return
}

// -----

// graph.kv_write C2
func.func @f(%s: tensor<2x8x4xf32>, %n: tensor<2x3x5xf32>, %i: tensor<2xi64>) {
  // expected-error@below {{(C2) rows 'tensor<2x3x5xf32>' do not fit state 'tensor<2x8x4xf32>' along axis 1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.kv_write %s, %n starts %i counts %i axis 1 : (tensor<2x8x4xf32>, tensor<2x3x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x4xf32>
  return
}

// -----

// graph.kv_write C3
func.func @f(%s: tensor<2x8x4xf32>, %n: tensor<2x3x4xf16>, %i: tensor<2xi64>) {
  // expected-error@below {{(C3) expected rows of type 'f32', found 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.kv_write %s, %n starts %i counts %i axis 1 : (tensor<2x8x4xf32>, tensor<2x3x4xf16>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8x4xf32>
  return
}

// -----

// graph.kv_write C4
func.func @f(%s: tensor<2x8x4xf32>, %n: tensor<2x3x4xf32>, %i: tensor<2xi64>, %j: tensor<3xi64>) {
  // expected-error@below {{(C4) expected one number per sequence, [2], found 'tensor<3xi64>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.kv_write %s, %n starts %i counts %j axis 1 : (tensor<2x8x4xf32>, tensor<2x3x4xf32>, tensor<2xi64>, tensor<3xi64>) -> tensor<2x8x4xf32>
  return
}
