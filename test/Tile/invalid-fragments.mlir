// RUN: kiln-opt %s --split-input-file --verify-diagnostics
// What ops on fragments, products and pipelines refuse beyond one case per constraint.

// Axes do not count from the end.
func.func @reduce_negative_axis(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects 0 <= axis < 1, found -1}}
  %0 = tile.reduce sum %f axis -1 : !tile.frag<2xf32> -> f32
  return
}

// -----

// The type stays.
func.func @reduce_element(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) expects the result 'f32', found 'f64'}}
  %0 = tile.reduce sum %f axis 0 : !tile.frag<2xf32> -> f64
  return
}

// -----

// Floats have no bits to combine.
func.func @reduce_bits(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C3) and expects integers, found 'f32'}}
  %0 = tile.reduce and %f axis 0 : !tile.frag<2xf32> -> f32
  return
}

// -----

// There are two axes.
func.func @broadcast_axis(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) cannot repeat '!tile.frag<2xf32>' along axis 2}}
  %0 = tile.broadcast %f axis 2 : !tile.frag<2xf32> -> !tile.frag<2x2xf32>
  return
}

// -----

// The type stays.
func.func @broadcast_element(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects rank 1 to rank 2 of one element type}}
  %0 = tile.broadcast %f axis 0 : !tile.frag<2xf32> -> !tile.frag<2x2xf16>
  return
}

// -----

// A column of 2 has no 4 rows.
func.func @broadcast_column(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) cannot repeat '!tile.frag<2xf32>' along axis 1 of '!tile.frag<4x2xf32>'}}
  %0 = tile.broadcast %f axis 1 : !tile.frag<2xf32> -> !tile.frag<4x2xf32>
  return
}

// -----

func.func @transpose_element(%f: !tile.frag<2x4xf32>) {
  // expected-error @+1 {{(C1) cannot transpose}}
  %0 = tile.transpose %f : !tile.frag<2x4xf32> -> !tile.frag<4x2xf16>
  return
}

// -----

// Rank 1 has nothing to exchange.
func.func @transpose_row(%f: !tile.frag<4xf32>) {
  // expected-error @+1 {{(C1) cannot transpose}}
  %0 = tile.transpose %f : !tile.frag<4xf32> -> !tile.frag<4xf32>
  return
}

// -----

// Everything is no part.
func.func @extract_nothing(%f: !tile.frag<2x4xf32>) {
  // expected-error @+1 {{(C1) expects 1 to 2 coordinates, found 0}}
  %0 = tile.extract %f [] : !tile.frag<2x4xf32> -> !tile.frag<2x4xf32>
  return
}

// -----

func.func @extract_three(%f: !tile.frag<2x4xf32>) {
  // expected-error @+1 {{(C1) expects 1 to 2 coordinates, found 3}}
  %0 = tile.extract %f [0, 0, 0] : !tile.frag<2x4xf32> -> f32
  return
}

// -----

// Coordinates do not count from the end.
func.func @extract_negative(%f: !tile.frag<2x4xf32>) {
  // expected-error @+1 {{(C1) coordinate -1 is outside of}}
  %0 = tile.extract %f [0, -1] : !tile.frag<2x4xf32> -> f32
  return
}

// -----

// Rows of two lengths.
func.func @stack_lengths(%f: !tile.frag<4xf32>, %g: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects the rows of}}
  %0 = tile.stack %f, %g : !tile.frag<4xf32>, !tile.frag<2xf32> -> !tile.frag<2x4xf32>
  return
}

// -----

// Rows have rank 1.
func.func @stack_of_squares(%f: !tile.frag<1x4xf32>) {
  // expected-error @+1 {{(C1) expects the rows of}}
  %0 = tile.stack %f : !tile.frag<1x4xf32> -> !tile.frag<1x4xf32>
  return
}

// -----

// Floats are not counted.
func.func @iota_float(%p: f32) {
  // expected-error @+1 {{(C2) expects start and elements of one integer type}}
  %0 = tile.iota %p axis 0 : f32 -> !tile.frag<2xf32>
  return
}

// -----

func.func @select_range_type(%f: !tile.frag<2x2xf32>, %n: index, %p: f32) {
  // expected-error @+1 {{(C1) expects 0 <= axis < 2, found 2}}
  %0 = tile.select_range %f in[%n, %n) else %p : f32 axis 2 : !tile.frag<2x2xf32>
  return
}

// -----

// A map without results computes nothing.
func.func @map_nothing(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects a result}}
  "tile.map"(%f) ({
  ^bb0(%x: f32):
    tile.yield
  }) : (!tile.frag<2xf32>) -> ()
  return
}

// -----

func.func @map_yields_other(%f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) expects the region to take the inputs' element types and to yield}}
  %0 = tile.map %f : !tile.frag<2xf32> -> !tile.frag<2xf64> {
  ^bb0(%x: f32):
    tile.yield %x : f32
  }
  return
}

// -----

// Elements are computed, not loaded.
func.func @map_memory(%f: !tile.frag<2xf32>, %v: !tile.view<4xf32, [1]>, %n: index) {
  %0 = tile.map %f : !tile.frag<2xf32> -> !tile.frag<2xf32> {
  ^bb0(%x: f32):
    // expected-error @+1 {{(C3) is no scalar arith or math op}}
    %y = tile.load %v[%n] : !tile.view<4xf32, [1]> -> f32
    tile.yield %y : f32
  }
  return
}

// -----

func.func @convert_rank(%f: !tile.frag<1x4xf32>) {
  // expected-error @+1 {{(C1) expects one shape}}
  %0 = tile.convert %f : !tile.frag<1x4xf32> -> !tile.frag<4xf16>
  return
}

// -----

// One K is known, the other is not.
func.func @mma_depths(%a: !tile.staged<2x?xf32>, %b: !tile.staged<4x8xf32>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C1) expects MxK, KxN and MxN}}
  %0 = tile.mma %a, %b, %c : !tile.staged<2x?xf32>, !tile.staged<4x8xf32>, !tile.frag<2x8xf32>
  return
}

// -----

// Integers but i8 are not multiplied into floats.
func.func @mma_kinds(%a: !tile.staged<2x4xi16>, %b: !tile.staged<4x8xf32>, %c: !tile.frag<2x8xf32>) {
  // expected-error @+1 {{(C3) cannot widen 'i16' to 'f32'}}
  %0 = tile.mma %a, %b, %c : !tile.staged<2x4xi16>, !tile.staged<4x8xf32>, !tile.frag<2x8xf32>
  return
}

// -----

// And i8 only into f32.
func.func @mma_bytes(%a: !tile.staged<2x4xf16>, %b: !tile.staged<4x8xi8>, %c: !tile.frag<2x8xf16>) {
  // expected-error @+1 {{(C3) cannot widen 'i8' to 'f16'}}
  %0 = tile.mma %a, %b, %c : !tile.staged<2x4xf16>, !tile.staged<4x8xi8>, !tile.frag<2x8xf16>
  return
}

// -----

// bf16 is as wide as f16, and another type.
func.func @mma_other_halves(%a: !tile.staged<2x4xf16>, %b: !tile.staged<4x8xbf16>, %c: !tile.frag<2x8xf16>) {
  // expected-error @+1 {{(C3) cannot widen 'bf16' to 'f16'}}
  %0 = tile.mma %a, %b, %c : !tile.staged<2x4xf16>, !tile.staged<4x8xbf16>, !tile.frag<2x8xf16>
  return
}

// -----

// More is yielded than is carried.
func.func @pipeline_no_yield(%n: index) {
  // expected-error @+1 {{(C2) expects the compute region to yield the carried types}}
  tile.pipeline %n to %n step %n load {
  ^bb0(%k: index):
    tile.yield
  } compute {
  ^bb0(%k: index):
    tile.yield %k : index
  }
  return
}

// -----

// Steps are counted in `index`.
func.func @pipeline_load_argument(%n: index) {
  // expected-error @+1 {{(C1) expects the load region to take one index}}
  tile.pipeline %n to %n step %n load {
  ^bb0(%k: i32):
    tile.yield
  } compute {
  ^bb0(%k: index):
    tile.yield
  }
  return
}

// -----

// A region that is wrong behind one whose values are used in front of the pipeline.
func.func @pipeline_used_before(%n: index) {
  %before = arith.addi %k, %n : index
  // expected-note @below {{previously defined here}}
  %x = arith.addi %n, %n : index
  tile.pipeline %n to %n step %n load {
  ^bb0(%k: index):
    tile.yield
  } compute {
  // expected-error @below {{redefinition of SSA value '%x'}}
  ^bb0(%x: index):
    tile.yield
  }
  return
}
