// RUN: kiln-opt %s --split-input-file --allow-unregistered-dialect --kiln-verify-graph --verify-diagnostics

// A module as it should be.
graph.symbol @batch in [1, 8]
graph.weight @w : tensor<4xf32> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
graph.weight @b : tensor<4xf32>
func.func @main(%x: tensor<?x4xf32, #graph.shape<[batch] -> [batch, 4]>> {graph.name = "x"})
    -> (tensor<?x4xf32, #graph.shape<[batch] -> [batch, 4]>> {graph.name = "x"}) {
  %b = graph.get_weight @b : tensor<4xf32>
  %0 = graph.binary add %x, %b : (tensor<?x4xf32, #graph.shape<[batch] -> [batch, 4]>>, tensor<4xf32>) -> tensor<?x4xf32, #graph.shape<[batch] -> [batch, 4]>>
  %1 = graph.all_reduce sum %0 ranks 2 : (tensor<?x4xf32, #graph.shape<[batch] -> [batch, 4]>>) -> tensor<?x4xf32, #graph.shape<[batch] -> [batch, 4]>>
  return %1 : tensor<?x4xf32, #graph.shape<[batch] -> [batch, 4]>>
}
func.func @bake() {
  %w = graph.get_weight @w : tensor<4xf32>
  graph.set_weight @b, %w : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{KILN-E0200: }}
module {}

// -----

func.func @main() {
  return
}
// expected-error @+1 {{the module holds another function; expected @main, or @prefill and @decode, and @bake, found @helper}}
func.func @helper() {
  return
}

// -----

// expected-error @+1 {{KILN-E0200: }}
func.func private @main()

// -----

// Every violation is reported.
func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
  // expected-error @+1 {{KILN-E0201: }}
  %0 = "test.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{found graph.kernel}}
  %1 = graph.kernel "pointwise" (%a = %0) : (tensor<4xf32>) -> tensor<4xf32> {
    %2 = graph.unary exp %a : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// -----

graph.weight @w : tensor<4xf32>
func.func @main() {
  %0 = graph.constant dense<1.0> : tensor<4xf32>
  // expected-error @+1 {{an op cannot stand in @main; expected ops of the graph dialect before fusion, found graph.set_weight}}
  graph.set_weight @w, %0 : tensor<4xf32>
  return
}
func.func @bake() {
  %0 = graph.constant dense<1.0> : tensor<4xf32>
  // expected-error @+1 {{an op cannot stand in @bake}}
  %1 = graph.all_reduce sum %0 ranks 2 : (tensor<4xf32>) -> tensor<4xf32>
  graph.set_weight @w, %1 : tensor<4xf32>
  return
}

// -----

// expected-error @+2 {{a dim uses an undeclared symbol; expected graph.symbol @seq, found none}}
// expected-error @+1 {{a dynamic dim has no expression}}
func.func @main(%x: tensor<?xf32, #graph.shape<[seq] -> [seq]>> {graph.name = "x"}, %y: tensor<?xf32> {graph.name = "y"}) {
  // expected-error @+1 {{KILN-E0202: }}
  %0 = graph.unary exp %x : (tensor<?xf32, #graph.shape<[seq] -> [seq]>>) -> tensor<?xf32, #graph.shape<[seq] -> [seq]>>
  return
}

// -----

// A symbol in an attribute counts, too.
func.func @main(%x: tensor<8xf32> {graph.name = "x"}) {
  // expected-error @+1 {{KILN-E0202: }}
  %0 = graph.slice %x starts #graph.shape<[seq] -> [seq]> steps [1] : (tensor<8xf32>) -> tensor<1xf32>
  return
}

// -----

// expected-error @+3 {{argument 0 of @main has no name}}
// expected-error @+2 {{argument 2 of @main has the name of another one; expected distinct names, found "a" twice}}
// expected-error @+1 {{result 0 of @main has no name}}
func.func @main(%x: tensor<f32>, %y: tensor<f32> {graph.name = "a"}, %z: tensor<f32> {graph.name = "a"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{@w has no file and is not set exactly once; expected one graph.set_weight in @bake, found 0}}
graph.weight @w : tensor<f32>
// expected-error @+1 {{found 2}}
graph.weight @v : tensor<f32>
func.func @main() {
  return
}
func.func @bake() {
  // expected-error @+1 {{@bake reads a weight before it is set}}
  %0 = graph.get_weight @v : tensor<f32>
  graph.set_weight @v, %0 : tensor<f32>
  graph.set_weight @v, %0 : tensor<f32>
  return
}

// -----

func.func @main(%x: tensor<4xf32> {graph.name = "x"}) {
  %0 = graph.all_reduce sum %x ranks 2 : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{collectives differ in the number of ranks; expected 2, found 4}}
  %1 = graph.all_gather %0 axis 0 ranks 4 : (tensor<4xf32>) -> tensor<16xf32>
  return
}
