// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.all_reduce C1
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) expected at least one rank, found 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.all_reduce sum %x ranks 0 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.all_reduce C2
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C2) no collective reduces by l2}}
  %0 = graph.all_reduce l2 %x ranks 2 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.all_gather C1
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) expected at least one rank, found -1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.all_gather %x axis 0 ranks -1 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.all_gather C2
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C2) expected an axis in [0, 1), found 1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.all_gather %x axis 1 ranks 2 : (tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// graph.reduce_scatter C1
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) expected at least one rank, found 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce_scatter sum %x axis 0 ranks 0 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.reduce_scatter C2
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C2) expected an axis in [0, 1), found -1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce_scatter sum %x axis -1 ranks 2 : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

// graph.reduce_scatter C3
func.func @f(%x: tensor<3xf32>) {
  // expected-error@below {{(C3) 2 ranks do not divide dim 3}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.reduce_scatter sum %x axis 0 ranks 2 : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.all_to_all C1
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) expected at least one rank, found 0}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.all_to_all %x axis 0 ranks 0 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.all_to_all C2
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C2) expected an axis in [0, 1), found 1}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.all_to_all %x axis 1 ranks 2 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.all_to_all C3
func.func @f(%x: tensor<3xf32>) {
  // expected-error@below {{(C3) 2 ranks do not divide dim 3}}
  // expected-error@below {{failed to infer returned types}}
  %0 = graph.all_to_all %x axis 0 ranks 2 : (tensor<3xf32>) -> tensor<3xf32>
  return
}
