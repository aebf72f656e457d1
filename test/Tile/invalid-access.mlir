// RUN: kiln-opt %s --split-input-file --verify-diagnostics
// What accesses and views refuse beyond one case per constraint: each branch of their verifiers.

// A view without dims has no last one.
func.func @gather_scalar(%v: !tile.view<f32, []>, %w: !tile.frag<2xi32>) {
  // expected-error @+1 {{(C1) expects a view of rank 1 at least}}
  %0 = tile.gather %v[] at %w : !tile.view<f32, []>, !tile.frag<2xi32> -> !tile.frag<2xf32>
  return
}

// -----

// As many indices as elements.
func.func @gather_shape(%v: !tile.view<4xf32, [1]>, %w: !tile.frag<4xi32>) {
  // expected-error @+1 {{(C2) expects integer indices of the shape of '!tile.frag<2xf32>', found '!tile.frag<4xi32>'}}
  %0 = tile.gather %v[] at %w : !tile.view<4xf32, [1]>, !tile.frag<4xi32> -> !tile.frag<2xf32>
  return
}

// -----

// The pad has the view's type.
func.func @gather_pad(%v: !tile.view<4xf32, [1]>, %w: !tile.frag<2xi32>, %p: f64) {
  // expected-error @+1 {{(C3) expects element type 'f32', found 'f64'}}
  %0 = tile.gather %v[] at %w pad %p : f64 : !tile.view<4xf32, [1]>, !tile.frag<2xi32> -> !tile.frag<2xf32>
  return
}

// -----

// One index per dim in front of the last.
func.func @gather_rank_two(%v: !tile.view<4x4xf32, [4, 1]>, %w: !tile.frag<2xi32>, %n: index) {
  // expected-error @+1 {{(C1) expects 1 indices}}
  %0 = tile.gather %v[] at %w : !tile.view<4x4xf32, [4, 1]>, !tile.frag<2xi32> -> !tile.frag<2xf32>
  return
}

// -----

// Dims in order ...
func.func @load_twice_masked(%v: !tile.view<4x4xf32, [4, 1]>, %n: index, %p: f32) {
  // expected-error @+1 {{(C3) expects masked to list dims of the fragment, increasing}}
  %0 = tile.load %v[%n, %n] pad %p : f32 masked [1, 0] : !tile.view<4x4xf32, [4, 1]> -> !tile.frag<2x2xf32>
  return
}

// -----

// ... and each once.
func.func @load_same_dim(%v: !tile.view<4x4xf32, [4, 1]>, %n: index, %p: f32) {
  // expected-error @+1 {{(C3) expects masked to list dims of the fragment, increasing}}
  %0 = tile.load %v[%n, %n] pad %p : f32 masked [0, 0] : !tile.view<4x4xf32, [4, 1]> -> !tile.frag<2x2xf32>
  return
}

// -----

// There is no dim -1.
func.func @load_negative_dim(%v: !tile.view<4x4xf32, [4, 1]>, %n: index, %p: f32) {
  // expected-error @+1 {{(C3) expects masked to list dims of the fragment, increasing}}
  %0 = tile.load %v[%n, %n] pad %p : f32 masked [-1] : !tile.view<4x4xf32, [4, 1]> -> !tile.frag<2x2xf32>
  return
}

// -----

// A pad of another type.
func.func @load_pad_type(%v: !tile.view<4xf32, [1]>, %n: index, %p: i32) {
  // expected-error @+1 {{(C3) expects element type 'f32', found 'i32'}}
  %0 = tile.load %v[%n] pad %p : i32 masked [0] : !tile.view<4xf32, [1]> -> !tile.frag<2xf32>
  return
}

// -----

// A scalar has no dims that could be masked.
func.func @load_masked_scalar(%v: !tile.view<4xf32, [1]>, %n: index, %p: f32) {
  // expected-error @+1 {{(C3) expects masked to list dims of the fragment, increasing}}
  %0 = tile.load %v[%n] pad %p : f32 masked [0] : !tile.view<4xf32, [1]> -> f32
  return
}

// -----

// Two dims do not fit one.
func.func @store_rank(%v: !tile.view<4xf32, [1]>, %n: index, %f: !tile.frag<2x2xf32>) {
  // expected-error @+1 {{(C1) expects a fragment of at most rank 1, found '!tile.frag<2x2xf32>'}}
  tile.store %f, %v[%n] : !tile.frag<2x2xf32>, !tile.view<4xf32, [1]>
  return
}

// -----

// One index per dim, of stores as of loads.
func.func @store_indices(%v: !tile.view<4x4xf32, [4, 1]>, %n: index, %f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects 2 indices for '!tile.view<4x4xf32, [4, 1]>', found 1}}
  tile.store %f, %v[%n] : !tile.frag<2xf32>, !tile.view<4x4xf32, [4, 1]>
  return
}

// -----

func.func @stage_c3_bytes_of_another_type(%v: !tile.view<4x4xi8, [4, 1]>, %n: index) {
  // expected-error @+1 {{(C3) expects element type 'i8', found 'f8E5M2'}}
  %0 = tile.stage %v[%n, %n] : !tile.view<4x4xi8, [4, 1]> -> !tile.staged<2x2xf8E5M2>
  return
}

// -----

func.func @stage_indices(%v: !tile.view<4x4xf32, [4, 1]>, %n: index) {
  // expected-error @+1 {{(C1) expects 2 indices}}
  %0 = tile.stage %v[%n] : !tile.view<4x4xf32, [4, 1]> -> !tile.staged<2x2xf32>
  return
}

// -----

// A tile has dims 0 and 1.
func.func @stage_masked_three(%v: !tile.view<4x4xf32, [4, 1]>, %n: index) {
  // expected-error @+1 {{(C4) expects masked to list dims of the tile, increasing}}
  %0 = tile.stage %v[%n, %n] masked [2] : !tile.view<4x4xf32, [4, 1]> -> !tile.staged<2x2xf32>
  return
}

// -----

// A size for an extent that is known.
func.func @stage_too_many_sizes(%v: !tile.view<4x4xf32, [4, 1]>, %n: index) {
  // expected-error @+1 {{(C2) expects 0 sizes, found 1}}
  %0 = tile.stage %v[%n, %n] sizes(%n) : !tile.view<4x4xf32, [4, 1]> -> !tile.staged<2x2xf32>
  return
}

// -----

func.func @prefetch_far(%v: !tile.view<4xf32, [1]>, %n: index) {
  // expected-error @+1 {{(C2) expects a locality of 0, 1, 2 or 3, found 4}}
  tile.prefetch %v[%n] {locality = 4} : !tile.view<4xf32, [1]>
  return
}

// -----

// A size in place of a stride.
func.func @view_strides(%b: !tile.buffer<f32>, %n: index) {
  // expected-error @+1 {{(C1) expects 0 sizes and 1 strides, found 1 and 0}}
  %0 = tile.view %b offset %n sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<4xf32, [?]>
  return
}

// -----

// expected-error @+1 {{expects rank 2, found 3}}
func.func private @staged_three(!tile.staged<2x2x2xf32>)

// -----

// expected-error @+1 {{expects extents > 0, found 0}}
func.func private @staged_empty(!tile.staged<0x2xf32>)

// -----

// expected-error @+1 {{expects static extents > 0}}
func.func private @frag_empty(!tile.frag<0xf32>)

// -----

// expected-error @+1 {{expects one stride per extent, found 2 strides for 1 extents}}
func.func private @view_strides_more(!tile.view<2xf32, [1, 1]>)

// -----

// Bytes stand for f8E4M3FN, words for nothing else than themselves.
func.func @load_c2_bytes(%v: !tile.view<8xi16, [1]>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{(C2)}}
  %0 = tile.load %v[%c0] : !tile.view<8xi16, [1]> -> !tile.frag<8xf8E4M3FN>
  return
}
