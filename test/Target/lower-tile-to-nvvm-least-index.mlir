// RUN: kiln-opt %s --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --verify-diagnostics
// A place whose negative is no number of 64 bits is a multiple of every width of an access, as 0 is: its copies are lowered, and the matmul behind
// them is refused.

tile.kernel @kernel(%b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant -9223372036854775808 : index
  %one = arith.constant 1.0 : f32
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %a = tile.fill %one : f32 -> !tile.frag<16x16xf32>
  %s = tile.stage %B[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<16x16xf32>
  // expected-error @below {{KILN-E0403: kernel 'kernel': a left operand in registers of a product that is not by mma.sync}}
  %n = tile.mma %a, %s, %a : !tile.frag<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
}
