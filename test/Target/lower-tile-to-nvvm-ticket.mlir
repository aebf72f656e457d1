// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm %s | FileCheck %s

// What the block wrote comes before the count, by a barrier and by one thread that
// releases and acquires; the answer reaches all with the second barrier.
// CHECK-LABEL: llvm.func @last
// CHECK-SAME: %{{.*}}: !llvm.ptr<1> {{.*}}, %[[N:.*]]: i64, %[[W:[a-z0-9]*]]: !llvm.ptr<1> {llvm.align = 16 : i64}, %[[TICKETS:[a-z0-9]*]]: !llvm.ptr<1> {llvm.align = 16 : i64})
// CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<1>
// CHECK: nvvm.barrier0
// CHECK: scf.if
// CHECK: llvm.inline_asm has_side_effects {{.*}}"atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;", "=r,l,r,~{memory}"
// CHECK: } else {
// CHECK: %[[ANY:.*]] = llvm.inline_asm has_side_effects {{.*}}bar.red.or.pred all, 0, 64, mine;
// CHECK: %[[LAST:.*]] = arith.cmpi ne, %[[ANY]]
// CHECK: scf.if %[[LAST]]
// CHECK: llvm.load {{.*}} : !llvm.ptr<1> -> vector<4xf32>
tile.kernel @last() -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", grid = affine_map<()[s0] -> (s0 * 4)>, threads = 64,
                scratch = affine_map<()[s0] -> (0)>,
                workspace = affine_map<()[s0] -> (s0 * 4096)>,
                tickets = affine_map<()[s0] -> (s0)>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %tile = arith.divui %t, %c4 : index
  %part = arith.remui %t, %c4 : index
  %w = tile.workspace : !tile.buffer<f32>
  %v = tile.view %w offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?x4x256xf32, [1024, 256, 1]>
  %f = tile.fill %one : f32 -> !tile.frag<256xf32>
  tile.store %f, %v[%tile, %part, %c0] : !tile.frag<256xf32>, !tile.view<?x4x256xf32, [1024, 256, 1]>
  %last = tile.ticket %tile of 4
  scf.if %last {
    %all = tile.load %v[%tile, %c0, %c0] : !tile.view<?x4x256xf32, [1024, 256, 1]> -> !tile.frag<256xf32>
    %out = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?x256xf32, [256, 1]>
    tile.store %all, %out[%tile, %c0] : !tile.frag<256xf32>, !tile.view<?x256xf32, [256, 1]>
  }
}
