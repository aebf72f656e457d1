// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-shard-context=ranks=2
// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-find-state
// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-lower-precision=precision=bf16
// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-raise-attention
// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-simplify-graph
// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-hoist-bake
// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-check-indices
// A pass over graphs refuses values that no model has, in whichever function, before it begins.

// expected-error@+2 {{argument 0 of @other is no tensor}}
// expected-error@+1 {{result 0 of @other is no tensor}}
func.func @other(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{arith.constant: result 0 is no tensor}}
  %0 = arith.constant 1 : i32
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{argument 0 of @main has elements of no model}}
func.func @main(%x: tensor<4xi3000>) -> tensor<4xf32> {
  %0 = graph.constant dense<1.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{argument 0 of @main is no tensor}}
func.func private @main(memref<4xf32>)

// -----

graph.symbol @n in [1, 4]
// expected-error@+1 {{a dim uses an undeclared symbol; expected graph.symbol @m, found none}}
func.func @main(%x: tensor<?xf32, #graph.shape<[m] -> [m]>> {graph.name = "x"}) {
  return
}
