// RUN: kiln-opt --kiln-lower-tile-to-nvvm=target=sm_90a %s | FileCheck %s

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 2, depth = 64, stages = 3, strip = 2, team = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// One thread asks for the boxes of the weights that the ring takes first, before it
// waits for earlier kernels; the left operand may be what they write.
// CHECK-LABEL: llvm.func @weights
// CHECK: nvvm.barrier0
// CHECK-NOT: griddepcontrol
// CHECK: scf.if
// CHECK: scf.for
// CHECK: llvm.inline_asm has_side_effects "cp.async.bulk.prefetch.tensor.3d.L2.global.tile [$0, {$1, $2, $3}];", "l,r,r,r,~{memory}"
// CHECK-NOT: prefetch
// CHECK: nvvm.bar.warp.sync
// CHECK: griddepcontrol.wait
// CHECK-NOT: prefetch
// CHECK: llvm.return
tile.kernel @weights(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>)
    symbols(%m) task(%t)
    attributes {symbols = ["m"], hero = "matmul", threads = 128, config = #config,
                grid = affine_map<()[s0] -> ((s0 ceildiv 64) * 2)>,
                scratch = affine_map<()[s0] -> (10240)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %zero = arith.constant 0.0 : f32
  %column = arith.remui %t, %c2 : index
  %p0 = arith.muli %column, %c2 : index
  %p1 = arith.addi %p0, %c1 : index
  %half = arith.divui %t, %c2 : index
  %row = arith.muli %half, %c64 : index
  %A = tile.view %a offset %c0 sizes(%m) strides() : !tile.buffer<bf16> -> !tile.view<?x96xbf16, [96, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<4x96x16xbf16, [1536, 16, 1]>
  %C = tile.view %c offset %c0 sizes(%m) strides() : !tile.buffer<f32> -> !tile.view<?x64xf32, [64, 1]>
  %s = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x40xf32, [40, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x16xf32>
  %r:2 = tile.pipeline %c0 to %c96 step %c64 init(%init, %init) : !tile.frag<64x16xf32>, !tile.frag<64x16xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%row, %k] masked [0, 1] : !tile.view<?x96xbf16, [96, 1]> -> !tile.staged<64x64xbf16>
    %y = tile.stage %B[%p0, %k, %c0] masked [0] : !tile.view<4x96x16xbf16, [1536, 16, 1]> -> !tile.staged<64x16xbf16>
    %z = tile.stage %B[%p1, %k, %c0] masked [0] : !tile.view<4x96x16xbf16, [1536, 16, 1]> -> !tile.staged<64x16xbf16>
    tile.yield %x, %y, %z : !tile.staged<64x64xbf16>, !tile.staged<64x16xbf16>, !tile.staged<64x16xbf16>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x64xbf16>, %y: !tile.staged<64x16xbf16>, %z: !tile.staged<64x16xbf16>,
       %u: !tile.frag<64x16xf32>, %v: !tile.frag<64x16xf32>):
    %n = tile.mma %x, %y, %u : !tile.staged<64x64xbf16>, !tile.staged<64x16xbf16>, !tile.frag<64x16xf32>
    %o = tile.mma %x, %z, %v : !tile.staged<64x64xbf16>, !tile.staged<64x16xbf16>, !tile.frag<64x16xf32>
    tile.yield %n, %o : !tile.frag<64x16xf32>, !tile.frag<64x16xf32>
  } {stages = 3 : i64, tile.weights}
  tile.store %r#0, %S[%c0, %c0] : !tile.frag<64x16xf32>, !tile.view<64x40xf32, [40, 1]>
  tile.store %r#1, %S[%c0, %c16] : !tile.frag<64x16xf32>, !tile.view<64x40xf32, [40, 1]>
  scf.for %i = %c0 to %c64 step %c1 {
    %f = tile.load %S[%i, %c0] : !tile.view<64x40xf32, [40, 1]> -> !tile.frag<32xf32>
    %at = arith.addi %row, %i : index
    %from = arith.muli %column, %c32 : index
    tile.store %f, %C[%at, %from] : !tile.frag<32xf32>, !tile.view<?x64xf32, [64, 1]>
  } {tile.team = 8 : i64}
}
