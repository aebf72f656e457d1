// What modules for several ranks must hold.
// RUN: kiln-opt %s --split-input-file --kiln-verify-graph --verify-diagnostics

// A part needs nobody to set it, and may be what @bake reads.
module attributes {graph.ranks = 2 : i64} {
  graph.weight @w : tensor<4xf32> {file = "w.bin", offset = 0 : i64, length = 16 : i64, hash = "00"}
  graph.weight @part : tensor<2xf32> {graph.part = {of = @w, axis = 0 : i64}}
  graph.weight @baked : tensor<2xf32>
  func.func @bake() {
    %0 = graph.get_weight @part : tensor<2xf32>
    %1 = graph.unary neg %0 : (tensor<2xf32>) -> tensor<2xf32>
    graph.set_weight @baked, %1 : tensor<2xf32>
    return
  }
  func.func @main(%x: tensor<2xf32> {graph.name = "x"}) -> (tensor<2xf32> {graph.name = "y"}) {
    %w = graph.get_weight @baked : tensor<2xf32>
    %0 = graph.binary mul %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %1 = graph.all_reduce sum %0 ranks 2 : (tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}

// -----

module attributes {graph.ranks = 2 : i64} {
  graph.weight @w : tensor<4xf32> {file = "w.bin", offset = 0 : i64, length = 16 : i64, hash = "00"}
  // expected-error @+1 {{@part is a part of another weight, and @bake sets it; expected no graph.set_weight of a part, found 1}}
  graph.weight @part : tensor<2xf32> {graph.part = {of = @w, axis = 0 : i64}}
  func.func @bake() {
    %0 = graph.constant dense<1.0> : tensor<2xf32>
    graph.set_weight @part, %0 : tensor<2xf32>
    return
  }
  func.func @main(%x: tensor<2xf32> {graph.name = "x"}) -> (tensor<2xf32> {graph.name = "y"}) {
    %w = graph.get_weight @part : tensor<2xf32>
    %0 = graph.binary mul %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// Collectives are of the ranks that the module is for.
module attributes {graph.ranks = 2 : i64} {
  func.func @main(%x: tensor<2xf32> {graph.name = "x"}) -> (tensor<2xf32> {graph.name = "y"}) {
    // expected-error @+1 {{collectives differ in the number of ranks; expected 2, found 4}}
    %0 = graph.all_reduce sum %x ranks 4 : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// Both axes of a mesh of two by two.
module attributes {graph.ranks = 4 : i64} {
  func.func @main(%x: tensor<2xf32> {graph.name = "x"}) -> (tensor<2xf32> {graph.name = "y"}) {
    %0 = graph.all_reduce sum %x ranks 2 : (tensor<2xf32>) -> tensor<2xf32>
    %1 = graph.all_reduce sum %0 ranks 2 {graph.stride = 2 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}

// -----

module attributes {graph.ranks = 4 : i64} {
  func.func @main(%x: tensor<2xf32> {graph.name = "x"}) -> (tensor<2xf32> {graph.name = "y"}) {
    // expected-error @+1 {{collectives differ in the number of ranks; expected 4, found 2}}
    %0 = graph.all_reduce sum %x ranks 2 {graph.stride = 4 : i64} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
