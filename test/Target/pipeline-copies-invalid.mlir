// Faults behind kiln-pipeline-copies are refused by their names before anything is lowered.
// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies %s -o %t
// RUN: kiln-opt --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm %t -o /dev/null
// RUN: sed '/tile.wait_copies/d' %t | not kiln-opt --kiln-allocate-shared --kiln-lower-tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: sed 's/wait_copies 1/wait_copies 2/' %t | not kiln-opt --kiln-allocate-shared --kiln-lower-tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: sed '/tile.commit_copies/d' %t | not kiln-opt --kiln-allocate-shared --kiln-lower-tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: sed '/tile.sync_threads/d' %t | not kiln-opt --kiln-allocate-shared --kiln-lower-tile-to-nvvm 2>&1 | FileCheck %s --check-prefix=MEET
// RUN: not kiln-opt --kiln-assign-layouts --kiln-allocate-shared --kiln-lower-tile-to-nvvm %s 2>&1 | FileCheck %s --check-prefix=LOOP

// WAIT: KILN-E0403: kernel 'gemm', tile.buffer_stage: a stage is read whose copies are not waited for; expected a tile.wait_copies before the tile.sync_threads, found none; fix: report this: kiln-pipeline-copies is wrong
// COUNT: tile.wait_copies: the copies of the stage at hand may be in flight still; expected at most 1 groups, found 2
// GROUP: tile.issue_copy: a copy belongs to no group; expected a tile.commit_copies behind it, found none
// MEET: tile.issue_copy: a stage is filled that the step before may still read; expected a tile.sync_threads before it in the loop, found none
// LOOP: tile.stage: a tile that nothing copies; expected a tile.issue_copy, found none
tile.kernel @gemm(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c16 init(%f) : !tile.frag<16x16xf32> load {
  ^bb0(%k: index):
    %a = tile.stage %X[%c0, %k] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    %b = tile.stage %X[%k, %c0] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    tile.yield %a, %b : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>
  } compute {
  ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %b: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
    %m = tile.mma %a, %b, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    tile.yield %m : !tile.frag<16x16xf32>
  } {stages = 3 : i64}
}
