// Programs have a body, and arguments, results and values that a model can have.
// RUN: kiln-opt %s --split-input-file --kiln-verify-graph --verify-diagnostics

// Nearly as many bytes as a value may have, 2^48.
graph.symbol @n in [1, 2147483647]
func.func @main(%x: tensor<?x32768xf32, #graph.shape<[n] -> [n, 32768]>> {graph.name = "x"}) {
  return
}

// -----

graph.symbol @n in [1, 2147483647]
// expected-error @below {{KILN-E0113: }}
func.func @main(%x: tensor<?x65536xf32, #graph.shape<[n] -> [n, 65536]>> {graph.name = "x"}) {
  return
}

// -----

graph.symbol @n in [1, 2147483647]
// expected-error @below {{func.func: argument 0 of @main is too large; expected at most 281474976710656 bytes, found a number that has no 64 bits}}
func.func @main(%x: tensor<?x?x?xf32, #graph.shape<[n] -> [n, n, n]>> {graph.name = "x"}) {
  return
}

// -----

// expected-error @below {{KILN-E0115: }}
// expected-error @below {{argument 0 of @main has no name}}
func.func @main(%x: tensor<*xf32>) {
  return
}

// -----

// expected-error @below {{func.func: argument 0 of @main is no tensor; expected a ranked tensor, found f32}}
// expected-error @below {{argument 0 of @main has no name}}
func.func @main(%x: f32) {
  return
}

// -----

// expected-error @below {{func.func: result 0 of @main is no tensor; expected a ranked tensor, found memref<4xf32>}}
// expected-error @below {{func.func: argument 0 of @main is no tensor; expected a ranked tensor, found memref<4xf32>}}
// expected-error @below {{argument 0 of @main has no name}}
// expected-error @below {{result 0 of @main has no name}}
func.func @main(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// -----

// expected-error @below {{KILN-E0114: }}
// expected-error @below {{argument 0 of @main has no name}}
func.func @main(%x: tensor<4xf128>) {
  return
}

// -----

// expected-error @below {{@main has no single block; expected one block, found 0}}
func.func private @main(tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error @below {{the module has two models; expected @main, or @prefill and @decode, found all of them}}
func.func @main() {
  return
}
func.func @decode() {
  return
}

// -----

// An op that cannot stand here is reported before those inside, which are not.
func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
  // expected-error @below {{an op cannot stand in @main; expected ops of the graph dialect before fusion, found graph.kernel}}
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = graph.unary exp %a : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32> {graph.name = "x"}) -> (tensor<4x8xf32> {graph.name = "y"}) {
  // expected-error @below {{found arith.constant}}
  %c = arith.constant true
  // expected-error @below {{found scf.if}}
  %0 = scf.if %c -> tensor<4x8xf32> {
    scf.yield %x : tensor<4x8xf32>
  } else {
    scf.yield %x : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}
