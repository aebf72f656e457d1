// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.reshape C1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected element type 'f32', found 'i32'}}
  %0 = graph.reshape %x : (tensor<2x3xf32>) -> tensor<6xi32>
  return
}

// -----

// graph.reshape C2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C2) expected 6 elements, found 5}}
  %0 = graph.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

// graph.transpose C1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected a permutation of [0, 2)}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.transpose %x [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

// graph.transpose C1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected a permutation of [0, 2)}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.transpose %x [1] : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

// graph.broadcast C1
func.func @f(%x: tensor<1x3xf32>) {
  // expected-error@below {{(C1) expected element type 'f32', found 'f64'}}
  %0 = graph.broadcast %x : (tensor<1x3xf32>) -> tensor<2x3xf64>
  return
}

// -----

// graph.broadcast C2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C2) [2, 3] does not broadcast to [1, 3]}}
  %0 = graph.broadcast %x : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// graph.slice C1
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error@below {{(C1) expected 2 starts and steps, found 2 and 1}}
  %0 = graph.slice %x starts <[] -> [0, 0]> steps [1] : (tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.slice C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{(C2) a step is 0}}
  %0 = graph.slice %x starts <[] -> [0]> steps [0] : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.slice C3
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{(C3) dim 0: elements 1 to 5 of 4}}
  %0 = graph.slice %x starts <[] -> [1]> steps [2] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

// graph.slice C3
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{(C3) dim 0: elements 1 to -1 of 4}}
  %0 = graph.slice %x starts <[] -> [1]> steps [-1] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

// graph.slice C4
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{(C4) expected equal rank and element type}}
  %0 = graph.slice %x starts <[] -> [0]> steps [1] : (tensor<4xf32>) -> tensor<2x1xf32>
  return
}

// -----

// graph.concat C1
func.func @f() {
  // expected-error@below {{(C1) expected at least one input}}
  // expected-error@below {{failed to infer returned types}}
  %0 = "graph.concat"() {axis = 0 : i64} : () -> tensor<0xf32>
  return
}

// -----

// graph.concat C2
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{(C2) expected an axis in [0, 1), found 1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.concat %x, %x axis 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// graph.concat C3
func.func @f(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) {
  // expected-error@below {{(C3) cannot join 'tensor<4x3xf32>' to 'tensor<4x2xf32>' along axis 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.concat %x, %y axis 0 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<8x2xf32>
  return
}

// -----

// graph.concat C3
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error@below {{(C3) cannot join 'tensor<4xf16>' to 'tensor<4xf32>' along axis 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.concat %x, %y axis 0 : (tensor<4xf32>, tensor<4xf16>) -> tensor<8xf32>
  return
}

// -----

// graph.gather C1
func.func @f(%x: tensor<f32>, %i: tensor<2xi64>) {
  // expected-error@below {{(C1) expected an axis in [0, 0), found 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.gather %x, %i axis 0 : (tensor<f32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

// graph.fill C1
func.func @f() {
  // expected-error@below {{(C1) expected a value of type 'f32', found 'i32'}}
  %0 = graph.fill 1 : i32 : tensor<2xf32>
  return
}

// -----

// graph.iota C1
func.func @f() {
  // expected-error@below {{(C1) expected an axis in [0, 1), found 1}}
  %0 = graph.iota axis 1 : tensor<2xf32>
  return
}

// -----

// graph.iota C1
func.func @f() {
  // expected-error@below {{(C1) expected an axis in [0, 1), found -1}}
  %0 = graph.iota axis -1 : tensor<2xf32>
  return
}

// -----

// graph.pack C1
func.func @f(%x: tensor<2x3x4xf32>) {
  // expected-error@below {{(C1) expected rank 2, found 3}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.pack %x width 2 : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  return
}

// -----

// graph.pack C2
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C2) expected a positive width, found 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.pack %x width 0 : (tensor<2x3xf32>) -> tensor<2x2x0xf32>
  return
}

// -----

// graph.unpack C1
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{(C1) expected ranks 3 and 2 of one element type}}
  %0 = graph.unpack %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.unpack C2
func.func @f(%x: tensor<2x3x4xf32>) {
  // expected-error@below {{(C2) panels [2, 3, 4] do not hold a matrix [3, 9]}}
  %0 = graph.unpack %x : (tensor<2x3x4xf32>) -> tensor<3x9xf32>
  return
}

// -----

// graph.scatter C1
func.func @f(%x: tensor<5x3xf32>, %i: tensor<2x4x1xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error@below {{(C1) expected rank 3, found 2, 3 and 3}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.scatter %x, %i, %u : (tensor<5x3xf32>, tensor<2x4x1xi64>, tensor<2x4x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

// graph.scatter C2
func.func @f(%x: tensor<2x5x3xf32>, %i: tensor<2x4x2xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error@below {{(C2) data 'tensor<2x5x3xf32>', indices 'tensor<2x4x2xi64>' and updates 'tensor<2x4x3xf32>' do not agree}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.scatter %x, %i, %u : (tensor<2x5x3xf32>, tensor<2x4x2xi64>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

// graph.scatter C3
func.func @f(%x: tensor<2x5x3xf32>, %i: tensor<2x4x1xi64>, %u: tensor<2x4x3xf16>) {
  // expected-error@below {{(C3) expected updates of type 'f32', found 'f16'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.scatter %x, %i, %u : (tensor<2x5x3xf32>, tensor<2x4x1xi64>, tensor<2x4x3xf16>) -> tensor<2x5x3xf32>
  return
}

// -----

// graph.scatter C4
func.func @f(%x: tensor<2x5x3xf32>, %i: tensor<2x4x1xi64>, %u: tensor<2x4x3xf32>) {
  // expected-error@below {{(C4) expected sum, prod, max or min of numbers, found mean of 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.scatter %x, %i, %u combine mean : (tensor<2x5x3xf32>, tensor<2x4x1xi64>, tensor<2x4x3xf32>) -> tensor<2x5x3xf32>
  return
}
