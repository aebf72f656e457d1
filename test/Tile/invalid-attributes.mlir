// Attributes of the tile dialect on ops, and sizes that no kernel has.
// RUN: kiln-opt %s --split-input-file --verify-diagnostics

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'graph.kernel' op carries the unknown attribute 'tile.config'}}
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> attributes {tile.config = {}} {
    %1 = graph.unary exp %a : (tensor<4xf32>) -> tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{'graph.kernel' op carries tile.configs = {native = "fast"}; expected a dictionary from targets to configs of kernels}}
  %0 = graph.kernel "matmul" (%a = %x, %b = %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32> attributes {tile.configs = {native = "fast"}} {
    %1 = graph.matmul %a, %b {transpose_b} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    graph.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @team(%n: index) {
  %zero = arith.constant 0 : index
  // expected-error @below {{'scf.for' op carries tile.team = 0 : i64; expected from 1 to 1024 threads}}
  scf.for %i = %zero to %n step %n {
  } {tile.team = 0 : i64}
  return
}

// -----

// expected-error @below {{'func.func' op carries tile.weights = unit; expected a unit attribute of a tile.pipeline}}
func.func @weights() attributes {tile.weights} {
  return
}

// -----

// expected-error @below {{'func.func' op carries tile.shared_bytes = -1 : i64; expected bytes, an i64 of 0 or more}}
func.func @shared() attributes {tile.shared_bytes = -1 : i64} {
  return
}

// -----

// expected-error @below {{'func.func' op carries tile.tensor_maps = [1]; expected a list of #tile.tensor_map}}
func.func @maps() attributes {tile.tensor_maps = [1]} {
  return
}

// -----

// expected-error @below {{expects at most 2^30 elements}}
func.func private @frag(!tile.frag<4294967296x4294967296xf32>)

// -----

// expected-error @below {{expects at most 2^30 elements}}
func.func private @staged(!tile.staged<2147483648x2147483648xf32>)

// -----

// expected-error @below {{expects a signless integer or float element, found 'i65536'}}
func.func private @wide(!tile.buffer<i65536>)

// -----

// expected-error @below {{expects a signless integer or float element, found 'tf32'}}
func.func private @no_format(!tile.buffer<tf32>)

// -----

// expected-error @below {{expects a signless integer, float or index element, found 'f8E3M4'}}
func.func private @unknown_format(!tile.frag<4xf8E3M4>)

// -----

func.func @stages(%n: index) {
  // expected-error @below {{attribute 'stages' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 1 whose maximum value is 64}}
  tile.pipeline %n to %n step %n load {
  ^bb0(%k: index):
    tile.yield
  } compute {
  ^bb0(%k: index):
    tile.yield
  } {stages = 65 : i64}
  return
}
