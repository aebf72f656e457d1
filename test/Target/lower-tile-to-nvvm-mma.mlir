// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm %s | FileCheck %s

// Copies run two tiles ahead of the products; rows past the end are zero.
// CHECK-LABEL: llvm.func @gemm
// CHECK: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.barrier0
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-64: math.fma
// CHECK-NOT: math.fma
// CHECK: scf.yield
tile.kernel @gemm(%a: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%c: !tile.buffer<f32>)
    symbols(%m) task(%t)
    attributes {symbols = ["m"], hero = "matmul", threads = 128,
                grid = affine_map<()[s0] -> (s0 ceildiv 64)>,
                scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.muli %t, %c64 : index
  %A = tile.view %a offset %c0 sizes(%m) strides() : !tile.buffer<f32> -> !tile.view<?x64xf32, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x16xf32, [16, 1]>
  %C = tile.view %c offset %c0 sizes(%m) strides() : !tile.buffer<f32> -> !tile.view<?x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c8 init(%init) : !tile.frag<64x16xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%row, %k] masked [0] : !tile.view<?x64xf32, [64, 1]> -> !tile.staged<64x8xf32>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x16xf32, [16, 1]> -> !tile.staged<8x16xf32>
    tile.yield %x, %y : !tile.staged<64x8xf32>, !tile.staged<8x16xf32>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x8xf32>, %y: !tile.staged<8x16xf32>, %acc: !tile.frag<64x16xf32>):
    %n = tile.mma %x, %y, %acc
       : !tile.staged<64x8xf32>, !tile.staged<8x16xf32>, !tile.frag<64x16xf32>
    tile.yield %n : !tile.frag<64x16xf32>
  } {stages = 3 : i64}
  tile.store %r, %C[%row, %c0] masked [0] : !tile.frag<64x16xf32>, !tile.view<?x16xf32, [16, 1]>
}
