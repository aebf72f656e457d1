// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-lower-tile-to-nvvm --split-input-file %s -verify-diagnostics

// The lowering refuses a kernel whose threads do not wait where they must.
tile.kernel @read_too_early(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.fill %one : f32 -> !tile.frag<64xf32>
  tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  // expected-error @+1 {{KILN-E0403: kernel 'read_too_early', tile.load: a read of scratch that another thread may have written; expected a tile.sync_threads before it, found none}}
  %g = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
}

// -----

tile.kernel @written_too_early(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %g = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  // expected-error @+1 {{tile.store: a write of scratch that another thread may still read; expected a tile.sync_threads before it}}
  tile.store %g, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
}

// -----

// One wait is enough for what is in front of it, not for what follows.
tile.kernel @written_twice(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.fill %one : f32 -> !tile.frag<64xf32>
  tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  tile.sync_threads
  tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  // expected-error @+1 {{tile.store: a write of scratch that another thread may have written}}
  tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
}

// -----

tile.kernel @operand_overwritten(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<32xf32, [1]> -> !tile.frag<32xf32>
  // expected-error @+1 {{tile.store: a result that may take the place of what another thread still reads}}
  tile.store %f, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}

// -----

tile.kernel @teams_too_early() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.fill %one : f32 -> !tile.frag<64xf32>
  tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-error @+1 {{kernel 'teams_too_early', tile.load: a read of scratch that another thread may have written}}
    %g = tile.load %s[%i] : !tile.view<64xf32, [1]> -> !tile.frag<32xf32>
  } {tile.team = 32 : i64}
}

// -----

// Where threads meet in the middle of a loop, the next step begins without.
tile.kernel @around_the_loop(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-error @+1 {{kernel 'around_the_loop', tile.load: a read of scratch that another thread may have written}}
    %g = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
    tile.sync_threads
    tile.store %g, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  }
}

// -----

// The epilogue's scratch has the place of a tile that products read.
tile.kernel @in_place_of_a_tile(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (1024)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %X[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<16x16xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %f) -> !tile.frag<16x16xf32> {
    %m = tile.mma %l, %l, %a : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    scf.yield %m : !tile.frag<16x16xf32>
  }
  %d = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  // expected-error @+1 {{kernel 'in_place_of_a_tile', tile.store: a write of scratch that another thread may still read}}
  tile.store %r, %S[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}
