// Types that no model has, and attributes that no pass writes, are refused where they are parsed.
// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{op attribute 'type' failed to satisfy constraint: type attribute of tensor of numbers that a model can have}}
graph.weight @w : tensor<4xindex> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}

// -----

// expected-error @below {{'graph.weight' op attribute 'type' failed}}
graph.weight @w : tensor<4xcomplex<f32>> {file = "w", hash = "0", length = 32 : i64, offset = 0 : i64}

// -----

// expected-error @below {{'graph.weight' op attribute 'type' failed}}
graph.weight @w : tensor<4x!tile.buffer<f32>> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}

// -----

// expected-error @below {{'func.func' op argument 0 carries graph.name, which is for tensors of a model, and is of 'tensor<4xindex>'}}
func.func @main(%x: tensor<4xindex> {graph.name = "x"}) {
  return
}

// -----

// expected-error @below {{'func.func' op result 0 carries graph.name, which is for tensors of a model, and is of 'memref<4xf32>'}}
func.func @main(%x: memref<4xf32>) -> (memref<4xf32> {graph.name = "y"}) {
  return %x : memref<4xf32>
}

// -----

func.func @main(%x: tensor<4xi65536>) {
  // expected-error @below {{'graph.unary' op operand #0 must be tensor of numbers that a model can have, but got 'tensor<4xi65536>'}}
  %0 = graph.unary abs %x : (tensor<4xi65536>) -> tensor<4xi65536>
  return
}

// -----

func.func @main(%x: tensor<4xi7>) {
  // expected-error @below {{'graph.binary' op operand #0 must be tensor of numbers that a model can have, but got 'tensor<4xi7>'}}
  %0 = graph.binary add %x, %x : (tensor<4xi7>, tensor<4xi7>) -> tensor<4xi7>
  return
}

// -----

// 2^66 bytes are 0 in 64 bits.
func.func @main(%x: tensor<4294967296x4294967296xf32>) {
  // expected-error @below {{'graph.unary' op operand #0 must be tensor of numbers that a model can have}}
  %0 = graph.unary exp %x : (tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  return
}

// -----

// As many bytes as a tensor may have.
func.func @main(%x: tensor<70368744177664xf32>) -> tensor<70368744177664xf32> {
  %0 = graph.unary exp %x : (tensor<70368744177664xf32>) -> tensor<70368744177664xf32>
  return %0 : tensor<70368744177664xf32>
}

// -----

// expected-error @below {{'func.func' op argument 0 carries graph.nam = "x"; expected an attribute that arguments of programs have}}
func.func @main(%x: tensor<4xf32> {graph.nam = "x"}) {
  return
}

// -----

// expected-error @below {{'func.func' op argument 0 carries graph.name = 5 : i64; expected a string}}
func.func @main(%x: tensor<4xf32> {graph.name = 5}) {
  return
}

// -----

// expected-error @below {{'func.func' op argument 0 carries graph.rows = [1, 2]; expected a list of}}
func.func @main(%x: tensor<4xi64> {graph.rows = [1, 2]}) {
  return
}

// -----

// expected-error @below {{'func.func' op argument 0 carries graph.counts = {}; expected {lengths = "", added and capacity of one expression}}}
func.func @main(%x: tensor<4xi64> {graph.counts = {}}) {
  return
}

// -----

// expected-error @below {{'func.func' op argument 0 carries graph.counts = {added = #graph.shape<[] -> [1]>, capacity = #graph.shape<[] -> [8]>, lengths = "l"}; expected an argument of type tensor<rows x i64>, as its lengths have}}
func.func @main(%x: tensor<4xui8> {graph.counts = {lengths = "l", added = #graph.shape<[] -> [1]>, capacity = #graph.shape<[] -> [8]>}}) {
  return
}

// -----

// expected-error @below {{expected an argument of type tensor<rows x i64>, as its lengths have}}
func.func @main(%x: tensor<4xi64> {graph.counts = {lengths = "l", added = #graph.shape<[] -> [1]>, capacity = #graph.shape<[] -> [8]>}}, %l: tensor<4xi32> {graph.state = "l"}) {
  return
}

// -----

// expected-error @below {{'func.func' op result 0 carries graph.check = {bits = 64 : i64, parts = []}; expected {bits = B, parts = [...]}}}
func.func @main(%x: tensor<1xi64>) -> (tensor<1xi64> {graph.check = {bits = 64 : i64, parts = []}}) {
  return %x : tensor<1xi64>
}

// -----

// expected-error @below {{expected at most 64 levels of an expression}}
func.func private @f(tensor<?xf32, #graph.shape<[n] -> [((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((n))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))]>>)

// -----

// A part of a weight that has no type of a model.
module attributes {graph.ranks = 2 : i64} {
  graph.weight @w : tensor<4xf32> {file = "w", hash = "0", length = 16 : i64, offset = 0 : i64}
  // expected-error @below {{'graph.weight' op attribute 'type' failed}}
  graph.weight @part : memref<2xf32> {graph.part = {of = @w, axis = 0 : i64}}
}

// -----

// expected-error @below {{'graph.weight' op attribute 'type' failed}}
graph.weight @w : memref<2xf32> {graph.stage = 0 : i64}
