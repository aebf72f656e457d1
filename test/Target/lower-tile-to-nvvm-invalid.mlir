// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --split-input-file %s -verify-diagnostics

// expected-error @+1 {{KILN-E0403: kernel 'host': a kernel for a GPU states its threads: a power of two from a warp to a block; found tile.kernel}}
tile.kernel @host() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
}

// -----

tile.kernel @call() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %true = arith.constant true
  // expected-error @+1 {{KILN-E0403: kernel 'call': an op that has no meaning on this GPU; found cf.assert}}
  cf.assert %true, "no"
}

// -----

// A fragment that teams of another size hold cannot be used by smaller ones.
tile.kernel @crossing(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<256xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<256xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<256xf32, [1]> -> !tile.frag<256xf32>
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @+1 {{KILN-E0403: kernel 'crossing': a fragment is used by other threads than those that hold it; found tile.convert_layout}}
    tile.store %f, %w[%c0] : !tile.frag<256xf32>, !tile.view<256xf32, [1]>
  } {tile.team = 32 : i64}
}

// -----

// Nor if each thread has one element of it: the registers of one thread are equal then, those of others are not.
tile.kernel @one_register(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @+1 {{KILN-E0403: kernel 'one_register': a fragment is used by other threads than those that hold it; found tile.convert_layout}}
    tile.store %f, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
  } {tile.team = 32 : i64}
}

// -----

// Multiply-adds read their left operand from shared memory.
tile.kernel @left_in_registers(%b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %a = tile.fill %one : f32 -> !tile.frag<16x16xf32>
  %s = tile.stage %B[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<16x16xf32>
  // expected-error @+1 {{a left operand in registers of a product that is not by mma.sync; found tile.mma}}
  %n = tile.mma %a, %s, %a : !tile.frag<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
}
