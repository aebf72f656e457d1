// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// graph.symbol C1
// expected-error@below {{(C1) expected 0 <= min <= max < 2^31, found [3, 2]}}
graph.symbol @n in [3, 2]

// -----

// graph.symbol C1
// expected-error@below {{(C1) expected 0 <= min <= max < 2^31, found [-1, 2]}}
graph.symbol @n in [-1, 2]

// -----

// graph.symbol C1
// expected-error@below {{(C1) expected 0 <= min <= max < 2^31, found [0, 2147483648]}}
graph.symbol @n in [0, 2147483648]

// -----

// graph.weight C1
// expected-error@below {{(C1) expected a static type}}
graph.weight @w : tensor<?xf32, #graph.shape<[n] -> [n]>>

// -----

// graph.weight C2
// expected-error@below {{(C2) expected file, offset, length and hash together, found 2 of them}}
graph.weight @w : tensor<2xf32> {file = "m", offset = 0}

// -----

// graph.weight C3
// expected-error@below {{(C3) expected 8 bytes, found 4}}
graph.weight @w : tensor<2xf32> {file = "m", offset = 0, length = 4, hash = "h"}

// -----

// graph.get_weight C1
func.func @f() {
  // expected-error@below {{(C1) @w is no graph.weight}}
  %0 = graph.get_weight @w : tensor<2xf32>
  return
}

// -----

// graph.get_weight C1
graph.weight @w : tensor<2xf32>
func.func @f() {
  // expected-error@below {{(C1) expected type 'tensor<2xf32>' of @w, found 'tensor<3xf32>'}}
  %0 = graph.get_weight @w : tensor<3xf32>
  return
}

// -----

// graph.set_weight C1
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) @f is no graph.weight}}
  graph.set_weight @f, %x : tensor<2xf32>
  return
}

// -----

// graph.set_weight C1
graph.weight @w : tensor<2xf32> {file = "m", offset = 0, length = 8, hash = "h"}
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) @w already has bytes in a file}}
  graph.set_weight @w, %x : tensor<2xf32>
  return
}

// -----

// graph.constant C1
func.func @f() {
  // expected-error@below {{(C1) expected at most 1024 bytes, found 1032}}
  %0 = graph.constant dense_resource<data> : tensor<129xi64>
  return
}
{-#
  dialect_resources: { builtin: { data: "0x08000000010000000000000002000000000000000300000000000000" } }
#-}

// -----

// graph.dims C1
func.func @f() {
  // expected-error@below {{(C1) expected a vector of 2 elements, found 'tensor<3xi64>'}}
  %0 = graph.dims <[a, b] -> [a, b]> : tensor<3xi64>
  return
}

// -----

// graph.kernel C1
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C1) block arguments do not have the operands' types}}
  %0 = "graph.kernel"(%x) <{hero = "row"}> ({
  ^bb0(%a: tensor<3xf32>):
    %1 = graph.fill 0.0 : f32 : tensor<2xf32>
    graph.yield %1 : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// graph.kernel C2
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C2) yielded types are not the result types}}
  %0 = graph.kernel "row" (%a = %x) : (tensor<2xf32>) -> tensor<3xf32> {
    graph.yield %a : tensor<2xf32>
  }
  return
}

// -----

// graph.kernel C3
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{(C3) expected at least one result}}
  graph.kernel "row" (%a = %x) : (tensor<2xf32>) -> () {
    graph.yield
  }
  return
}

// -----

// graph.kernel C4
graph.weight @w : tensor<2xf32>
func.func @f() {
  %0 = graph.kernel "row" () : () -> tensor<2xf32> {
    // expected-error@below {{(C4) cannot stand inside a kernel}}
    %1 = graph.get_weight @w : tensor<2xf32>
    graph.yield %1 : tensor<2xf32>
  }
  return
}

// -----

// graph.kernel C4
func.func @f(%x: tensor<2xf32>) {
  %0 = graph.kernel "row" (%a = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@below {{(C4) cannot stand inside a kernel}}
    %1 = graph.all_reduce sum %a ranks 2 : (tensor<2xf32>) -> tensor<2xf32>
    graph.yield %1 : tensor<2xf32>
  }
  return
}

// -----

func.func @f(%x: tensor<2xbf16>) {
  // expected-error@below {{carries graph.in_kernel, which is for casts of f8E4M3FN and f8E8M0FNU to f32}}
  %0 = graph.cast %x {graph.in_kernel} : (tensor<2xbf16>) -> tensor<2xf32>
  return
}

// -----

// expected-error@below {{carries graph.micro_batches, which is for functions, and is 2 or more}}
func.func @f() attributes {graph.micro_batches = 1 : i64} {
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{carries the unknown attribute 'graph.colour'}}
  %0 = graph.unary exp %x {graph.colour = 1} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-error@below {{carries the unknown attribute 'graph.step_branch'}}
func.func @f() attributes {graph.step_branch = 1 : i64} {
  return
}
