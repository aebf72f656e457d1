// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// Reductions, norms and softmax whose operands do not fit.

// graph.reduce mean: floats only
func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@below {{(C2) mean is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce mean %x axes [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.reduce l1: floats only
func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@below {{(C2) l1 is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce l1 %x axes [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.reduce l2: floats only
func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@below {{(C2) l2 is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce l2 %x axes [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.reduce sum_square: floats only
func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@below {{(C2) sum_square is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum_square %x axes [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.reduce log_sum: floats only
func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@below {{(C2) log_sum is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce log_sum %x axes [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.reduce log_sum_exp: floats only
func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@below {{(C2) log_sum_exp is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce log_sum_exp %x axes [1] : (tensor<2x3xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.reduce sum: numbers only
func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@below {{(C2) sum is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.reduce prod: numbers only
func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@below {{(C2) prod is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce prod %x axes [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.reduce max: numbers only
func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@below {{(C2) max is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce max %x axes [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.reduce min: numbers only
func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@below {{(C2) min is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce min %x axes [1] : (tensor<2x3xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.reduce: an axis twice
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected sorted, distinct axes in [0, 2), found 1 after 1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [1, 1] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return
}

// -----

// graph.reduce: axes out of order
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected sorted, distinct axes in [0, 2), found 0 after 1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [1, 0] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return
}

// -----

// graph.reduce: an axis too large
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected sorted, distinct axes in [0, 2), found 2 after -1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [2] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return
}

// -----

// graph.reduce: a negative axis
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected sorted, distinct axes in [0, 2), found -1 after -1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [-1] {keep_dims} : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return
}

// -----

// graph.softmax: axis -1 of rank 2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected an axis in [0, 2), found -1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.softmax %x axis -1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.softmax: axis 2 of rank 2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected an axis in [0, 2), found 2}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.softmax %x axis 2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm: axis -1 of rank 2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected an axis in [0, 2), found -1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x axis -1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm: axis 2 of rank 2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected an axis in [0, 2), found 2}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x axis 2 {epsilon = 0.5 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm: a scale of another type
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf16>) {
  // expected-error@below {{(C2) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<3xf16>) -> tensor<2x3xf32>
  return
}

// -----

// graph.rms_norm: a scale of another type
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf16>) {
  // expected-error@below {{(C2) expected equal element types, found 'f32' and 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rms_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<3xf16>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm: a scale of other dims
func.func @f(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error@below {{(C2) [2] does not broadcast to [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.rms_norm: a scale of other dims
func.func @f(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error@below {{(C2) [2] does not broadcast to [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rms_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm: a scale per row
func.func @f(%x: tensor<2x3xf32>, %s: tensor<2x1xf32>) {
  // expected-error@below {{(C2) [2, 1] does not broadcast to [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.rms_norm: a scale per row
func.func @f(%x: tensor<2x3xf32>, %s: tensor<2x1xf32>) {
  // expected-error@below {{(C2) [2, 1] does not broadcast to [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rms_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm: a scale of higher rank
func.func @f(%x: tensor<2x3xf32>, %s: tensor<1x3xf32>) {
  // expected-error@below {{(C2) [1, 3] does not broadcast to [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.rms_norm: a scale of higher rank
func.func @f(%x: tensor<2x3xf32>, %s: tensor<1x3xf32>) {
  // expected-error@below {{(C2) [1, 3] does not broadcast to [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rms_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.layer_norm: a bias of another type
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf64>) {
  // expected-error@below {{(C2) expected equal element types, found 'f32' and 'f64'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x bias %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>
  return
}
