// RUN: kiln-opt %s -split-input-file -verify-diagnostics
// Constraints that several ops share, once for each op; the rest is in
// invalid.mlir.

func.func @store_c1(%v: !tile.view<4x4xf32, [4, 1]>, %n: index, %f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects 2 indices}}
  tile.store %f, %v[%n] : !tile.frag<2xf32>, !tile.view<4x4xf32, [4, 1]>
  return
}

// -----
func.func @store_c3(%v: !tile.view<4xf32, [1]>, %n: index, %f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C3) expects masked to list dims of the fragment, increasing}}
  tile.store %f, %v[%n] masked [1] : !tile.frag<2xf32>, !tile.view<4xf32, [1]>
  return
}

// -----
func.func @gather_c3(%v: !tile.view<4xf32, [1]>, %w: !tile.frag<2xi32>) {
  // expected-error @+1 {{(C3) expects element type 'f32', found 'i8'}}
  %0 = tile.gather %v[] at %w : !tile.view<4xf32, [1]>, !tile.frag<2xi32> -> !tile.frag<2xi8>
  return
}

// -----
func.func @gather_c3_pad(%v: !tile.view<4xf32, [1]>, %w: !tile.frag<2xi32>, %p: i8) {
  // expected-error @+1 {{(C3) expects element type 'f32', found 'i8'}}
  %0 = tile.gather %v[] at %w pad %p : i8 : !tile.view<4xf32, [1]>, !tile.frag<2xi32> -> !tile.frag<2xf32>
  return
}

// -----
func.func @scatter_c1(%v: !tile.view<4xf32, [1]>, %n: index, %w: !tile.frag<2xi32>, %f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C1) expects 0 indices}}
  tile.scatter %f, %v[%n] at %w : !tile.frag<2xf32>, !tile.view<4xf32, [1]>, !tile.frag<2xi32>
  return
}

// -----
func.func @scatter_c2(%v: !tile.view<4xf32, [1]>, %w: !tile.frag<3xi32>, %f: !tile.frag<2xf32>) {
  // expected-error @+1 {{(C2) expects integer indices of the shape of}}
  tile.scatter %f, %v[] at %w : !tile.frag<2xf32>, !tile.view<4xf32, [1]>, !tile.frag<3xi32>
  return
}

// -----
func.func @stage_c3(%v: !tile.view<4x4xf32, [4, 1]>, %n: index) {
  // expected-error @+1 {{(C3) expects element type 'f32', found 'f16'}}
  %0 = tile.stage %v[%n, %n] : !tile.view<4x4xf32, [4, 1]> -> !tile.staged<2x2xf16>
  return
}

// -----
func.func @stage_c4(%v: !tile.view<4x4xf32, [4, 1]>, %n: index) {
  // expected-error @+1 {{(C4) expects masked to list dims of the tile, increasing}}
  %0 = tile.stage %v[%n, %n] masked [2] : !tile.view<4x4xf32, [4, 1]> -> !tile.staged<2x2xf32>
  return
}

// -----
func.func @prefetch_c1(%v: !tile.view<4xf32, [1]>) {
  // expected-error @+1 {{(C1) expects 1 indices}}
  tile.prefetch %v[] : !tile.view<4xf32, [1]>
  return
}

// -----
func.func @pipeline_c4(%n: index, %i: i32) {
  // expected-error @+1 {{failed to verify that all of {inits, results} have same type}}
  %0 = "tile.pipeline"(%n, %n, %n, %i) ({
  ^bb0(%k: index):
    tile.yield
  }, {
  ^bb0(%k: index, %x: i32):
    tile.yield %x : i32
  }) : (index, index, index, i32) -> i64
  return
}
