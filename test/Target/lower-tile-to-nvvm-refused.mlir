// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm %s --split-input-file --verify-diagnostics
// What a GPU has no code for: each is refused by the name of its op.

// expected-error @+1 {{KILN-E0403: kernel 'odd_threads': a kernel for a GPU states its threads: a power of two from a warp to a block}}
tile.kernel @odd_threads(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 96, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {

}

// -----

// expected-error @+1 {{KILN-E0403: kernel 'half_a_warp': a kernel for a GPU states its threads}}
tile.kernel @half_a_warp(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 16, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {

}

// -----

// expected-error @+1 {{KILN-E0403: kernel 'too_many': a kernel for a GPU states its threads}}
tile.kernel @too_many(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 2048, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {

}

// -----

// Layouts are maps of bits.
tile.kernel @odd_extent(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{KILN-E0403: kernel 'odd_extent': a fragment whose extents are no powers of two; found tile.fill}}
  %f = tile.fill %one : f32 -> !tile.frag<33xf32>
}

// -----

tile.kernel @rows_taken_out(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x32xf32, [32, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<4x32xf32, [32, 1]> -> !tile.frag<4x32xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'rows_taken_out': rows are not taken out of a fragment of a GPU; found tile.extract}}
  %r = tile.extract %f [1] : !tile.frag<4x32xf32> -> !tile.frag<32xf32>
}

// -----

// A shuffle reaches a warp.
tile.kernel @element_of_a_block(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<256xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<256xf32, [1]> -> !tile.frag<256xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'element_of_a_block': an element of a fragment that a whole block holds; found tile.extract}}
  %r = tile.extract %f [7] : !tile.frag<256xf32> -> f32
}

// -----

// Who would have its value?
tile.kernel @carried(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  // expected-error @+1 {{KILN-E0403: kernel 'carried': a loop that teams share carries nothing; found scf.for}}
  %s = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %z) -> f32 {
    scf.yield %a : f32
  } {tile.team = 32 : i64}
}

// -----

tile.kernel @any_depth(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", threads = 32, grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x64xf32, [64, 1]>
  %w = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x16xf32, [16, 1]>
  // expected-error @+1 {{KILN-E0403: kernel 'any_depth': a staged tile whose extents are no powers of two; found tile.stage}}
  %l = tile.stage %v[%c0, %c0] sizes(%n) : !tile.view<16x64xf32, [64, 1]> -> !tile.staged<16x?xf32>
  %r = tile.stage %w[%c0, %c0] sizes(%n) : !tile.view<64x16xf32, [16, 1]> -> !tile.staged<?x16xf32>
  %s = tile.fill %z : f32 -> !tile.frag<16x16xf32>
  %p = tile.mma %l, %r, %s : !tile.staged<16x?xf32>, !tile.staged<?x16xf32>, !tile.frag<16x16xf32>
}

// -----

tile.kernel @right_in_registers(%b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %a = tile.fill %one : f32 -> !tile.frag<16x16xf32>
  %s = tile.stage %B[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<16x16xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'right_in_registers': a right operand in registers of a product that is not by mma.sync; found tile.mma}}
  %n = tile.mma %s, %a, %a : !tile.staged<16x16xf32>, !tile.frag<16x16xf32>, !tile.frag<16x16xf32>
}

// -----

tile.kernel @block_scales(%a: !tile.buffer<f8E5M2>, %p: !tile.buffer<f8E8M0FNU>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f8E5M2> -> !tile.view<32x32xf8E5M2, [32, 1]>
  %Q = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f8E8M0FNU> -> !tile.view<32x1xf8E8M0FNU, [1, 1]>
  %R = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f8E8M0FNU> -> !tile.view<1x32xf8E8M0FNU, [32, 1]>
  %c = tile.fill %one : f32 -> !tile.frag<32x32xf32>
  %s = tile.stage %A[%c0, %c0] : !tile.view<32x32xf8E5M2, [32, 1]> -> !tile.staged<32x32xf8E5M2>
  %l = tile.stage %Q[%c0, %c0] : !tile.view<32x1xf8E8M0FNU, [1, 1]> -> !tile.staged<32x1xf8E8M0FNU>
  %r = tile.stage %R[%c0, %c0] : !tile.view<1x32xf8E8M0FNU, [32, 1]> -> !tile.staged<1x32xf8E8M0FNU>
  // expected-error @+1 {{KILN-E0403: kernel 'block_scales': a product with block scales; found tile.mma}}
  %n = tile.mma %s, %s, %c scales(%l, %r : !tile.staged<32x1xf8E8M0FNU>, !tile.staged<1x32xf8E8M0FNU>) : !tile.staged<32x32xf8E5M2>, !tile.staged<32x32xf8E5M2>, !tile.frag<32x32xf32>
}

// -----

// A product of codes has the layout of a warp.
tile.kernel @codes_of_a_block(%x: !tile.buffer<i8>, %s: !tile.buffer<f32>, %u: !tile.buffer<i32>, %t: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>)
    symbols() task(%task)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<16x32xi8, [32, 1]>
  %S = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x1xf32, [1, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<16x1xi32, [1, 1]>
  %W = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<16x32xi8, [32, 1]> -> !tile.staged<16x32xi8>
  %ss = tile.stage %S[%c0, %c0] : !tile.view<16x1xf32, [1, 1]> -> !tile.staged<16x1xf32>
  %us = tile.stage %U[%c0, %c0] : !tile.view<16x1xi32, [1, 1]> -> !tile.staged<16x1xi32>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'codes_of_a_block': a product of codes that no warp computes; found tile.scaled_mma}}
  %r = tile.scaled_mma %xs of i8 scales(%ss) totals(%us) by %ws of ui8 scales(%ts) into %init
    : (!tile.staged<16x32xi8>, !tile.staged<16x1xf32>, !tile.staged<16x1xi32>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.frag<16x16xf32>) -> !tile.frag<16x16xf32>
}

// -----

// Nor has an instruction fewer than 16 steps.
tile.kernel @short_codes(%x: !tile.buffer<i8>, %s: !tile.buffer<f32>, %u: !tile.buffer<i32>, %t: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>)
    symbols() task(%task)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<16x8xi8, [8, 1]>
  %S = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x1xf32, [1, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<16x1xi32, [1, 1]>
  %W = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<16x8xi8, [8, 1]> -> !tile.staged<16x8xi8>
  %ss = tile.stage %S[%c0, %c0] : !tile.view<16x1xf32, [1, 1]> -> !tile.staged<16x1xf32>
  %us = tile.stage %U[%c0, %c0] : !tile.view<16x1xi32, [1, 1]> -> !tile.staged<16x1xi32>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<2x64xi8, [64, 1]> -> !tile.staged<2x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'short_codes': a product of codes that is not of 16 columns, multiples of 8 rows and blocks of a multiple of 16 steps; found tile.scaled_mma}}
  %r = tile.scaled_mma %xs of i8 scales(%ss) totals(%us) by %ws of ui8 scales(%ts) into %init
    : (!tile.staged<16x8xi8>, !tile.staged<16x1xf32>, !tile.staged<16x1xi32>, !tile.staged<2x64xi8>, !tile.staged<1x16xf32>, !tile.frag<16x16xf32>) -> !tile.frag<16x16xf32>
}

// -----

tile.kernel @pairs(%a: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<16x16xbf16, [16, 1]>
  %s = tile.stage %v[%c0, %c0] : !tile.view<16x16xbf16, [16, 1]> -> !tile.staged<16x16xbf16>
  %c = tile.fill %z : f32 -> !tile.frag<16x16xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'pairs': a dot product of a CPU; found tile.mma}}
  %n = tile.mma %s, %s, %c {dot = #tile.dot_product<vdpbf16ps>} : !tile.staged<16x16xbf16>, !tile.staged<16x16xbf16>, !tile.frag<16x16xf32>
}

// -----

tile.kernel @between_elements(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (128)>} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %s = tile.scratch %c2 : !tile.buffer<f32>
  %a = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %f = tile.fill %one : f32 -> !tile.frag<32xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'between_elements': scratch at an offset that is no multiple of its element's size; found tile.store}}
  tile.store %f, %a[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}
