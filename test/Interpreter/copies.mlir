// The same before kiln-pipeline-copies and behind it, and what is then wrong is found by name.
// RUN: kiln-opt --kiln-test-run-tile %s -o /dev/null | FileCheck %s
// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies %s -o %t
// RUN: kiln-opt --kiln-test-run-tile %t -o /dev/null | FileCheck %s
// RUN: sed '/tile.wait_copies/d' %t | not kiln-opt --kiln-test-run-tile 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: sed 's/wait_copies 1/wait_copies 2/' %t | not kiln-opt --kiln-test-run-tile 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: sed '/tile.commit_copies/d' %t | not kiln-opt --kiln-test-run-tile 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: sed 's/arith.subi/arith.muli/' %t | not kiln-opt --kiln-test-run-tile 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: sed '/tile.sync_threads/d' %t | not kiln-opt --kiln-test-run-tile 2>&1 | FileCheck %s --check-prefix=MEET
// RUN: sed 's/arith.subi/arith.addi/' %t | not kiln-opt --kiln-test-run-tile 2>&1 | FileCheck %s --check-prefix=FILLED
// RUN: sed '/tile.issue_copy/d' %t | not kiln-opt --kiln-test-run-tile 2>&1 | FileCheck %s --check-prefix=NOTHING

// CHECK: tile.kernel @gemm
// CHECK: #0 = dense<2.100000e+02> : tensor<16xf32>
// WAIT: KILN-E0275{{.*}}tile.mma{{.*}}a product reads a stage whose copies are not waited for
// MEET: KILN-E0275{{.*}}tile.mma{{.*}}the threads that copied it have not met since their wait
// FILLED: KILN-E0275{{.*}}tile.issue_copy{{.*}}a copy into a stage that another copy still fills
// NOTHING: KILN-E0275{{.*}}tile.mma{{.*}}a product reads a stage that nothing was copied into
tile.kernel @gemm(%a: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0]> : tensor<20xf32>, dense<1.0> : tensor<20xf32>],
                room = [16]} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x20xf32, [0, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<20x4xf32, [1, 0]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x4xf32, [4, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<4x4xf32>
  %r = tile.pipeline %c0 to %c20 step %c4 init(%f) : !tile.frag<4x4xf32> load {
  ^bb0(%k: index):
    %l = tile.stage %A[%c0, %k] : !tile.view<4x20xf32, [0, 1]> -> !tile.staged<4x4xf32>
    %m = tile.stage %B[%k, %c0] : !tile.view<20x4xf32, [1, 0]> -> !tile.staged<4x4xf32>
    tile.yield %l, %m : !tile.staged<4x4xf32>, !tile.staged<4x4xf32>
  } compute {
  ^bb0(%k: index, %l: !tile.staged<4x4xf32>, %m: !tile.staged<4x4xf32>, %s: !tile.frag<4x4xf32>):
    %n = tile.mma %l, %m, %s : !tile.staged<4x4xf32>, !tile.staged<4x4xf32>, !tile.frag<4x4xf32>
    tile.yield %n : !tile.frag<4x4xf32>
  } {stages = 3 : i64}
  tile.store %r, %Y[%c0, %c0] : !tile.frag<4x4xf32>, !tile.view<4x4xf32, [4, 1]>
}
