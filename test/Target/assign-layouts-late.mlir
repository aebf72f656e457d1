// RUN: kiln-opt %s --kiln-assign-layouts --kiln-pipeline-copies --kiln-assign-layouts --verify-diagnostics
// Layouts that are assigned once more, behind the copies, would no longer be those of the operands in shared memory.

tile.kernel @stages(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x64xbf16, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x16xbf16, [16, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x16xf32>
  // expected-error @+1 {{KILN-E0403: kernel 'stages': copies of kiln-pipeline-copies, which comes later; found tile.buffer_stage}}
  %r = tile.pipeline %c0 to %c64 step %c32 init(%init) : !tile.frag<64x16xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%c0, %k] : !tile.view<64x64xbf16, [64, 1]> -> !tile.staged<64x32xbf16>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x16xbf16, [16, 1]> -> !tile.staged<32x16xbf16>
    tile.yield %x, %y : !tile.staged<64x32xbf16>, !tile.staged<32x16xbf16>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x32xbf16>, %y: !tile.staged<32x16xbf16>, %p: !tile.frag<64x16xf32>):
    %n = tile.mma %x, %y, %p : !tile.staged<64x32xbf16>, !tile.staged<32x16xbf16>, !tile.frag<64x16xf32>
    tile.yield %n : !tile.frag<64x16xf32>
  } {stages = 2 : i64}
  tile.store %r, %C[%c0, %c0] : !tile.frag<64x16xf32>, !tile.view<64x16xf32, [16, 1]>
}
