// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// A result of another type than the operands give.

// graph.unary: another type than what follows from the operands
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary exp %x : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

// graph.binary: another type than what follows from the operands
func.func @f(%x: tensor<2xf32>, %y: tensor<3x1xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %y : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.compare: another type than what follows from the operands
func.func @f(%x: tensor<2xf32>, %y: tensor<3x1xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<3x2xi1>' are incompatible with return type(s) of operation 'tensor<2xi1>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.compare less %x, %y : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<2xi1>
  return
}

// -----

// graph.select: another type than what follows from the operands
func.func @f(%c: tensor<2x1xi1>, %x: tensor<3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.select %c, %x, %x : (tensor<2x1xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// graph.transpose: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<3x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.transpose %x [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// graph.concat: another type than what follows from the operands
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.concat %x, %x axis 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.gather: another type than what follows from the operands
func.func @f(%x: tensor<4x3xf32>, %i: tensor<2xi64>) {
  // expected-error@below {{inferred type(s) 'tensor<4x2xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.gather %x, %i axis 1 : (tensor<4x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

// graph.scatter: another type than what follows from the operands
func.func @f(%x: tensor<1x4x2xf32>, %i: tensor<1x1x1xi64>, %u: tensor<1x1x2xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<1x4x2xf32>' are incompatible with return type(s) of operation 'tensor<1x1x2xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.scatter %x, %i, %u : (tensor<1x4x2xf32>, tensor<1x1x1xi64>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  return
}

// -----

// graph.pack: another type than what follows from the operands
func.func @f(%x: tensor<3x5xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x3x4xf32>' are incompatible with return type(s) of operation 'tensor<1x3x4xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.pack %x width 4 : (tensor<3x5xf32>) -> tensor<1x3x4xf32>
  return
}

// -----

// graph.softmax: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<2x1xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.softmax %x axis 1 : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

// graph.layer_norm: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<2x3xf16>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.layer_norm %x axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf16>
  return
}

// -----

// graph.rms_norm: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.rms_norm %x scale %s axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// graph.reduce without the dims: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2x1xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [1] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

// graph.reduce with the dims: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x1xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce sum %x axes [1] {keep_dims} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.matmul: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x4xf32>' are incompatible with return type(s) of operation 'tensor<4x2xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

// graph.matmul with wide sums: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf16>, %y: tensor<3x4xf16>) {
  // expected-error@below {{inferred type(s) 'tensor<2x4xf32>' are incompatible with return type(s) of operation 'tensor<2x4xf16>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.matmul %x, %y {result_element = f32} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  return
}

// -----

// graph.attention: another type than what follows from the operands
func.func @f(%q: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x5xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<1x2x3x5xf32>' are incompatible with return type(s) of operation 'tensor<1x2x3x4xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.attention %q, %q, %v {scale = 1.0 : f64} : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x5xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// graph.all_gather: another type than what follows from the operands
func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<8x3xf32>' are incompatible with return type(s) of operation 'tensor<4x3xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.all_gather %x axis 0 ranks 4 : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// graph.reduce_scatter: another type than what follows from the operands
func.func @f(%x: tensor<4x3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<4x3xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce_scatter sum %x axis 0 ranks 2 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}
