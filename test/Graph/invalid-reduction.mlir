// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.softmax C1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected an axis in [0, 2), found -1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.softmax %x axis -1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm C1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected an axis in [0, 2), found 2}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x axis 2 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm C2
func.func @f(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error@below {{(C2) [2] does not broadcast to [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x scale %s axis 1 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm C2
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf16>) {
  // expected-error@below {{(C2) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x bias %s axis 1 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>, tensor<3xf16>) -> tensor<2x3xf32>
  return
}

// -----

// graph.rms_norm C1
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{(C1) expected an axis in [0, 2), found 5}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rms_norm %x scale %s axis 5 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.rms_norm C2
func.func @f(%x: tensor<2x3xf32>, %s: tensor<2x3xf32>) {
  // expected-error@below {{(C2) [2, 3] does not broadcast to [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rms_norm %x scale %s axis 1 {epsilon = 1.0e-5 : f64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.reduce C1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected sorted, distinct axes in [0, 2), found 0 after 1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [1, 0] : (tensor<2x3xf32>) -> tensor<f32>
  return
}

// -----

// graph.reduce C1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected sorted, distinct axes in [0, 2), found 2 after -1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.reduce C2
func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@below {{(C2) mean is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce mean %x axes [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.reduce C2
func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@below {{(C2) max is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce max %x axes [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}
