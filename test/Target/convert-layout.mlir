// RUN: kiln-opt --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm %s | FileCheck %s

#up = #tile.linear_layout<registers = [64], threads = [1, 2, 4, 8, 16, 32]>
#down = #tile.linear_layout<registers = [1], threads = [2, 4, 8, 16, 32, 64]>

// Through shared memory between two barriers: element 64 is thread 0's second one, then thread 32's first one.
// CHECK-LABEL: llvm.func @through_shared
// CHECK: llvm.load
// CHECK: nvvm.barrier0
// CHECK: llvm.store {{.*}} f32, !llvm.ptr<3>
// CHECK: %[[AT:.*]] = arith.constant 64 : i64
// CHECK: llvm.getelementptr {{.*}}[%[[AT]]]
// CHECK: llvm.store {{.*}} f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} !llvm.ptr<3> -> f32
// CHECK: llvm.load {{.*}} !llvm.ptr<3> -> f32
tile.kernel @through_shared(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32, #up>
  %g = tile.convert_layout %f : !tile.frag<128xf32, #up> -> !tile.frag<128xf32, #down>
  tile.store %g, %w[%c0] : !tile.frag<128xf32, #down>, !tile.view<128xf32, [1]>
}

// What is the same everywhere moves nowhere.
// CHECK-LABEL: llvm.func @uniform
// CHECK-NOT: nvvm.barrier0
// CHECK-NOT: !llvm.ptr<3>
tile.kernel @uniform(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.fill %one : f32 -> !tile.frag<128xf32, #up>
  %g = tile.convert_layout %f : !tile.frag<128xf32, #up> -> !tile.frag<128xf32, #down>
  tile.store %g, %w[%c0] : !tile.frag<128xf32, #down>, !tile.view<128xf32, [1]>
}
