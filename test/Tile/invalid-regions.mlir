// RUN: kiln-opt %s --split-input-file --verify-diagnostics

// Regions that cannot be read to their end, while an op in front of them already uses a value of theirs: the use ends with
// them. (Seen by the sanitizers of the asan preset.)

tile.kernel @pipeline(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (4096)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %d offset %k sizes() strides() : !tile.buffer<f32> -> !tile.view<16x64xf32, [64, 1]>
  tile.pipeline %c0 to %c0 step %c0 load {
  ^bb0(%k: index):
    %d = tile.scratch %c0 : !tile.buffer<f32>
    tile.yield
  // expected-error@below {{expected 'compute'}}
  } other
}

// -----

tile.kernel @map(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %s = arith.addf %a, %b : f32
  %m = tile.map -> !tile.frag<16xf32> {
  ^bb0(%a: f32):
    %b = arith.constant 1.0 : f32
    tile.yield %b : f32
  // expected-error@below {{expected attribute value}}
  } {name = }
}

// -----

tile.kernel @roles(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 256, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %s = arith.addi %i, %i : index
  tile.warp_specialize registers(40, 232) producer {
    %i = arith.constant 1 : index
    tile.yield
  // expected-error@below {{expected 'consumer'}}
  } other
}
