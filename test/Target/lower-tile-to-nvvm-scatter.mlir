// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm %s | FileCheck %s

// Four threads hold each of 32 elements. The result may lie where the operand does, so
// all have read before one of them writes.
// CHECK-LABEL: llvm.func @held_several_times
// CHECK: llvm.load
// CHECK: nvvm.barrier
// CHECK: scf.if
// CHECK: llvm.store
tile.kernel @held_several_times(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "pointwise", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<32xf32, [1]> -> !tile.frag<32xf32>
  tile.store %f, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}

// Nothing was read: nobody waits.
// CHECK-LABEL: llvm.func @only_written
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.store
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
tile.kernel @only_written() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "pointwise", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %f = tile.fill %one : f32 -> !tile.frag<32xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}

// Each thread stores its own element where its index says, if that is inside.
// CHECK-LABEL: llvm.func @scatter
// CHECK-NOT: nvvm.barrier
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[AT:.*]], %{{.*}} : i64
// CHECK: scf.if %[[INSIDE]]
// CHECK: arith.muli %[[AT]]
// CHECK: llvm.store {{.*}} {alignment = 4 : i64} : f32
tile.kernel @scatter(%x: !tile.buffer<f32>, %i: !tile.buffer<i64>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "scatter", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %k = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i64> -> !tile.view<32xi64, [1]>
  %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<32xf32, [1]> -> !tile.frag<32xf32>
  %at = tile.load %k[%c0] : !tile.view<32xi64, [1]> -> !tile.frag<32xi64>
  tile.scatter %f, %w[] at %at masked : !tile.frag<32xf32>, !tile.view<?xf32, [1]>, !tile.frag<32xi64>
}
