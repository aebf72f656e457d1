// RUN: kiln-opt --kiln-assign-layouts --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm %s | FileCheck %s

// All threads have written before the barrier; then one lane per flag releases to the
// system. Who waits acquires, one lane per flag, and the others learn of it by a barrier.
// CHECK-LABEL: llvm.func @meet
// CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<1>
// CHECK: llvm.select {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier0
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: llvm.inline_asm has_side_effects {{.*}}"st.release.sys.global.u32 [$0], $1;", "l,r,~{memory}"
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: llvm.inline_asm has_side_effects {{.*}}ld.acquire.sys.global.b32 seen, [$0];
// CHECK-SAME: sub.s32 seen, seen, $1;
// CHECK-SAME: setp.ge.s32 over, seen, 0;
// CHECK-SAME: ld.relaxed.sys.global.b32 seen, [$2];
// CHECK-SAME: "l,r,l,~{memory}"
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xf32>
tile.kernel @meet(%abort: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>, %mine: !tile.buffer<f32>, %theirs: !tile.buffer<f32>, %f: !tile.buffer<i32>, %g: !tile.buffer<i32>)
    symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (4)>, threads = 64, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %epoch = arith.constant 7 : i32
  %x = tile.fill %one : f32 -> !tile.frag<256xf32>
  %to = tile.view %theirs offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x256xf32, [256, 1]>
  tile.store %x, %to[%t, %c0] : !tile.frag<256xf32>, !tile.view<4x256xf32, [256, 1]>
  tile.post %epoch to %f, %g [%t] : !tile.buffer<i32>, !tile.buffer<i32>
  tile.await %epoch in %f[%t] count 2 unless %abort : !tile.buffer<i32>, !tile.buffer<i32>
  %from = tile.view %mine offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x256xf32, [256, 1]>
  %z = tile.load %from[%t, %c0] : !tile.view<4x256xf32, [256, 1]> -> !tile.frag<256xf32>
  %out = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x256xf32, [256, 1]>
  tile.store %z, %out[%t, %c0] : !tile.frag<256xf32>, !tile.view<4x256xf32, [256, 1]>
}
