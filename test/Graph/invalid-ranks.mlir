// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{carries graph.ranks, which is for modules: an i64 of 1 or more}}
module attributes {graph.ranks = 0 : i64} {
}

// -----

// expected-error @+1 {{carries graph.ranks, which is for modules: an i64 of 1 or more}}
module attributes {graph.ranks = 2 : i32} {
}

// -----

// expected-error @+1 {{carries graph.ranks, which is for modules}}
graph.weight @w : tensor<4xf32> {graph.ranks = 2 : i64}

// -----

module attributes {graph.ranks = 2 : i64} {
  // expected-error @+1 {{graph.part is of a weight without a file and names another weight, which is whole, and an axis}}
  graph.weight @part : tensor<2xf32> {graph.part = {of = @none, axis = 0 : i64}}
}

// -----

module attributes {graph.ranks = 2 : i64} {
  graph.weight @w : tensor<4xf32>
  // expected-error @+1 {{graph.part is of a weight without a file and names another weight}}
  graph.weight @part : tensor<2xf32> {graph.part = {of = @w}}
}

// -----

module attributes {graph.ranks = 2 : i64} {
  graph.weight @w : tensor<8xf32>
  graph.weight @part : tensor<4xf32> {graph.part = {of = @w, axis = 0 : i64}}
  // expected-error @+1 {{graph.part is of a weight without a file and names another weight, which is whole}}
  graph.weight @again : tensor<2xf32> {graph.part = {of = @part, axis = 0 : i64}}
}

// -----

module attributes {graph.ranks = 2 : i64} {
  graph.weight @w : tensor<4xf32>
  // expected-error @+1 {{graph.part: the axis 1 is none of [4]}}
  graph.weight @part : tensor<2xf32> {graph.part = {of = @w, axis = 1 : i64}}
}

// -----

module attributes {graph.ranks = 3 : i64} {
  graph.weight @w : tensor<4xf32>
  // expected-error @+1 {{graph.part: 'tensor<2xf32>' is no part of 'tensor<4xf32>' along axis 0 for 3 ranks}}
  graph.weight @part : tensor<2xf32> {graph.part = {of = @w, axis = 0 : i64}}
}

// -----

module attributes {graph.ranks = 2 : i64} {
  graph.weight @w : tensor<4xf32>
  // expected-error @+1 {{graph.part: 'tensor<2xf16>' is no part of 'tensor<4xf32>' along axis 0 for 2 ranks}}
  graph.weight @part : tensor<2xf16> {graph.part = {of = @w, axis = 0 : i64}}
}

// -----

// Two parts of ranks that are two apart want four ranks.
module attributes {graph.ranks = 2 : i64} {
  graph.weight @w : tensor<4xf32>
  // expected-error @+1 {{graph.part: 'tensor<2xf32>' is no part of 'tensor<4xf32>' along axis 0 for 2 ranks}}
  graph.weight @part : tensor<2xf32> {graph.part = {of = @w, axis = 0 : i64, stride = 2 : i64}}
}

// -----

module attributes {graph.ranks = 4 : i64} {
  func.func @main(%x: tensor<1xf32>) {
    // expected-error @+1 {{carries graph.stride, which is for collectives: an i64 of 1 or more}}
    %0 = graph.all_reduce sum %x ranks 2 {graph.stride = 0 : i64} : (tensor<1xf32>) -> tensor<1xf32>
    return
  }
}

// -----

func.func @main(%x: tensor<1xf32>) {
  // expected-error @+1 {{carries graph.stride, which is for collectives}}
  %0 = graph.unary exp %x {graph.stride = 2 : i64} : (tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @main(%x: tensor<1xf32>) {
  // expected-error @+1 {{carries graph.part, which is for weights}}
  %0 = graph.unary exp %x {graph.part = {of = @w, axis = 0 : i64}} : (tensor<1xf32>) -> tensor<1xf32>
  return
}
