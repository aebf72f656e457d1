// RUN: kiln-opt --kiln-lower-tile-to-nvvm --split-input-file %s -verify-diagnostics

// What is wrong between kiln-assign-layouts and the lowering is refused before anything is lowered.
tile.kernel @no_layout() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{KILN-E0403: kernel 'no_layout', tile.fill: a fragment has no layout; expected one from kiln-assign-layouts, found !tile.frag<32xf32>}}
  %f = tile.fill %one : f32 -> !tile.frag<32xf32>
}

// -----

tile.kernel @other_threads() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{a layout is of other threads than those that run the op; expected 64, found 32}}
  %f = tile.fill %one : f32 -> !tile.frag<32xf32, #tile.linear_layout<registers = [], threads = [1, 2, 4, 8, 16]>>
}

// -----

#whole = #tile.linear_layout<registers = [], threads = [1, 2, 4, 8, 16, 0]>
#part = #tile.linear_layout<registers = [], threads = [1, 2, 4, 8, 16]>
tile.kernel @of_a_smaller_team() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %f = tile.fill %one : f32 -> !tile.frag<32xf32, #whole>
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @+1 {{kernel 'of_a_smaller_team', tile.store: a layout is of other threads than those that run the op; expected 32, found 64}}
    tile.store %f, %w[%c0] : !tile.frag<32xf32, #whole>, !tile.view<32xf32, [1]>
  } {tile.team = 32 : i64}
}

// -----

#up = #tile.linear_layout<registers = [], threads = [1, 2, 4, 8, 16]>
#down = #tile.linear_layout<registers = [], threads = [16, 8, 4, 2, 1]>
tile.kernel @layouts_differ() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %one = arith.constant 1.0 : f32
  %f = tile.fill %one : f32 -> !tile.frag<32xf32, #up>
  %g = tile.fill %one : f32 -> !tile.frag<32xf32, #down>
  // expected-error @+1 {{kernel 'layouts_differ', tile.map: an operand has another layout than the result; expected !tile.frag<32xf32, #tile.linear_layout<registers = [], threads = [1, 2, 4, 8, 16]>>, found !tile.frag<32xf32, #tile.linear_layout<registers = [], threads = [16, 8, 4, 2, 1]>>}}
  %h = tile.map %f, %g : !tile.frag<32xf32, #up>, !tile.frag<32xf32, #down> -> !tile.frag<32xf32, #up> {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tile.yield %s : f32
  }
}

// -----

#rows = #tile.linear_layout<registers = [1], threads = [2, 4, 8, 16, 32]>
#sums = #tile.linear_layout<registers = [], threads = [1, 2, 4, 0, 0]>
tile.kernel @no_slice_reduced() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %one = arith.constant 1.0 : f32
  %f = tile.fill %one : f32 -> !tile.frag<8x8xf32, #rows>
  // expected-error @+1 {{kernel 'no_slice_reduced', tile.reduce: a layout is no slice of that of rank 2; expected !tile.frag<8xf32, #tile.linear_layout<registers = [], threads = [0, 0, 1, 2, 4]>>}}
  %s = tile.reduce sum %f axis 1 : !tile.frag<8x8xf32, #rows> -> !tile.frag<8xf32, #sums>
}

// -----

#rows = #tile.linear_layout<registers = [1], threads = [2, 4, 8, 16, 32]>
#sums = #tile.linear_layout<registers = [], threads = [1, 2, 4, 0, 0]>
tile.kernel @no_slice_repeated() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %one = arith.constant 1.0 : f32
  %s = tile.fill %one : f32 -> !tile.frag<8xf32, #sums>
  // expected-error @+1 {{kernel 'no_slice_repeated', tile.broadcast: a layout is no slice of that of rank 2}}
  %f = tile.broadcast %s axis 1 : !tile.frag<8xf32, #sums> -> !tile.frag<8x8xf32, #rows>
}

// -----

#sums = #tile.linear_layout<registers = [1, 64], threads = [2, 4, 8, 16, 32]>
#lines = #tile.linear_layout<registers = [1, 64], threads = [2, 4, 8, 16, 32]>
tile.kernel @right_of_mma_sync(%b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %half = arith.constant 1.0 : f16
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<16x16xf16, [16, 1]>
  %l = tile.stage %B[%c0, %c0] : !tile.view<16x16xf16, [16, 1]> -> !tile.staged<16x16xf16, matrices>
  %r = tile.fill %half : f16 -> !tile.frag<16x8xf16, #lines>
  %s = tile.fill %one : f32 -> !tile.frag<16x8xf32, #sums>
  // expected-error @+1 {{kernel 'right_of_mma_sync', tile.mma: a right operand does not lie as mma.sync reads it; expected !tile.frag<16x8xf16, #tile.linear_layout<registers = [8, 64], threads = [16, 32, 1, 2, 4]>>, found}}
  %n = tile.mma %l, %r, %s {mma_sync} : !tile.staged<16x16xf16, matrices>, !tile.frag<16x8xf16, #lines>, !tile.frag<16x8xf32, #sums>
}
