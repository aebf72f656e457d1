// RUN: kiln-opt %s --split-input-file --verify-diagnostics --kiln-test-run-tile
// Copies by the threads of a block that are not in order.

!view = !tile.view<4x4xf32, [4, 1]>
!mem = !tile.mem<1x4x4xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
!tile = !tile.staged<4x4xf32, lines>
// The stage is filled again, and the threads have not met since the product.
// expected-error-re @+1 {{KILN-E0275{{.*}}a copy into a stage that products may still read}}
tile.kernel @still_read(%a: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<1.0> : tensor<16xf32>], room = [16]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !view
  %f = tile.fill %zero : f32 -> !tile.frag<4x4xf32>
  %m = tile.alloc : !mem
  tile.issue_copy %A[%c0, %c0] to %m[%c0] : !view to !mem
  tile.commit_copies
  tile.wait_copies 0
  tile.sync_threads
  %s = tile.buffer_stage %m[%c0] : !mem -> !tile
  %p = tile.mma %s, %s, %f : !tile, !tile, !tile.frag<4x4xf32>
  tile.issue_copy %A[%c0, %c0] to %m[%c0] : !view to !mem
}

// -----

!view = !tile.view<4x4xf32, [4, 1]>
!mem = !tile.mem<1x4x4xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
// expected-error-re @+1 {{KILN-E0275{{.*}}a copy is in flight at the end}}
tile.kernel @at_the_end(%a: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<1.0> : tensor<16xf32>], room = [16]} {
  %c0 = arith.constant 0 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !view
  %m = tile.alloc : !mem
  tile.issue_copy %A[%c0, %c0] to %m[%c0] : !view to !mem
  tile.commit_copies
}

// -----

!view = !tile.view<4x4xf32, [4, 1]>
!mem = !tile.mem<2x4x4xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
// expected-error-re @+1 {{KILN-E0270{{.*}}stage 2 of 2}}
tile.kernel @no_such_stage(%a: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<1.0> : tensor<16xf32>], room = [16]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !view
  %m = tile.alloc : !mem
  tile.issue_copy %A[%c0, %c0] to %m[%c2] : !view to !mem
}
