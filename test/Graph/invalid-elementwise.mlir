// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.unary C1
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) logical_not is not defined on 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary logical_not %x : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.unary C1
func.func @f(%x: tensor<2xi32>) {
  // expected-error@below {{(C1) exp is not defined on 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary exp %x : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

// graph.unary C1
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C1) neg is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary neg %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2xi1>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.unary is_nan %x : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary C1
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@below {{(C1) expected equal element types, found 'f32' and 'f64'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

// graph.binary C2
func.func @f(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@below {{(C2) shapes do not broadcast: [2] and [3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary C2: two symbols are not shown to be equal
func.func @f(%x: tensor<?xf32, #graph.shape<[a] -> [a]>>, %y: tensor<?xf32, #graph.shape<[b] -> [b]>>) {
  // expected-error@below {{(C2) shapes do not broadcast: [a] and [b]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %y : (tensor<?xf32, #graph.shape<[a] -> [a]>>, tensor<?xf32, #graph.shape<[b] -> [b]>>) -> tensor<?xf32, #graph.shape<[a] -> [a]>>
  return
}

// -----

// graph.binary C3
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C3) logical_and is not defined on 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary logical_and %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary C3
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) add is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary add %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// graph.binary C3: an exponent is a number too
func.func @f(%x: tensor<2xf32>, %y: tensor<2xi1>) {
  // expected-error@below {{(C3) pow is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary pow %x, %y : (tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
  return
}

// -----

// graph.compare C1
func.func @f(%x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@below {{(C1) expected equal element types, found 'f32' and 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.compare less %x, %y : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

// graph.compare C2
func.func @f(%x: tensor<2xf32>, %y: tensor<4x3xf32>) {
  // expected-error@below {{(C2) shapes do not broadcast: [2] and [4, 3]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.compare less %x, %y : (tensor<2xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  return
}

// -----

// graph.select C1
func.func @f(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@below {{(C1) expected equal element types, found 'f32' and 'i32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.select %c, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

// graph.select C2
func.func @f(%c: tensor<3xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error@below {{(C2) shapes do not broadcast: [3] and [2]}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.select %c, %x, %y : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.cast C1
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) expected the input's shape [2], found [2, 1]}}
  %0 = graph.cast %x : (tensor<2xf32>) -> tensor<2x1xi32>
  return
}

// -----

// graph.binary C3
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C3) bit_and is not defined on 'f32'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary bit_and %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.binary C3
func.func @f(%x: tensor<2xi1>) {
  // expected-error@below {{(C3) shift_left is not defined on 'i1'}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.binary shift_left %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}
