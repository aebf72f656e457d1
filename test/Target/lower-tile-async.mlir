// RUN: kiln-opt --kiln-partition-warps=target=sm_90a --kiln-assign-layouts=target=sm_90a --kiln-pipeline-copies=target=sm_90a --kiln-allocate-shared=target=sm_90a --kiln-insert-barriers=target=sm_90a --kiln-lower-tile-to-nvvm=target=sm_90a %s | FileCheck %s

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 2, block_k = 64, stages = 3, epilogue_panels = 2, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// The maps: 64 steps of K by 64 rows of the left operand; both panels of the right
// one in one box, whose lines of 16 columns are swizzled by 32 bytes.
// CHECK: #[[$ORIGIN:.*]] = affine_map<()[s0] -> (0)>
// CHECK: #[[$LEFT:.*]] = affine_map<()[s0] -> (96, s0)>
// CHECK: #[[$ROW:.*]] = affine_map<()[s0] -> (96)>
// CHECK: #[[$RIGHT:.*]] = affine_map<()[s0] -> (16, 96, 4)>
// CHECK: #[[$PANEL:.*]] = affine_map<()[s0] -> (16, 1536)>
// CHECK-LABEL: llvm.func @gemm
// CHECK-SAME: llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-SAME: nvvm.reqntid = array<i32: 256>
// CHECK-SAME: #tile.tensor_map<buffer = 0, element = bf16, offset = #[[$ORIGIN]], extents = #[[$LEFT]], strides = #[[$ROW]], box = [64, 64], swizzle = 128>
// CHECK-SAME: #tile.tensor_map<buffer = 1, element = bf16, offset = #[[$ORIGIN]], extents = #[[$RIGHT]], strides = #[[$PANEL]], box = [16, 64, 2], swizzle = 32>

// Full barriers wait for one thread and its bytes, empty ones for four warps.
// CHECK: scf.if
// CHECK-COUNT-6: mbarrier.init.shared::cta.b64
// CHECK-NOT: mbarrier.init
// CHECK: fence.mbarrier_init
// CHECK: nvvm.barrier0

// The producer: one thread, only what coordinates need. It waits for earlier kernels
// once the barriers are ready, and so do the consumers.
// CHECK: scf.if {{.*}} {
// CHECK: scf.if
// CHECK: llvm.inline_asm has_side_effects "griddepcontrol.wait;{{.*}}griddepcontrol.launch_dependents;"
// CHECK: scf.for
// CHECK-NOT: llvm.store
// CHECK: scf.for
// CHECK: mbarrier.try_wait.parity
// CHECK: mbarrier.arrive.expect_tx
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4}], [$2];
// CHECK: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4, $5}], [$2];
// CHECK-NOT: cp.async.bulk.tensor
// CHECK: } else {

// The consumers: 32 columns at once in 16 registers, the products of one step always in
// flight; what is complete comes out of the wait. Then through scratch, with a barrier
// that only these threads pass.
// CHECK: griddepcontrol.wait
// CHECK: scf.for
// CHECK: scf.for
// CHECK: mbarrier.try_wait.parity
// CHECK: nvvm.bar.warp.sync
// CHECK: wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16
// CHECK-SAME: =f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2
// CHECK: "wgmma.wait_group.sync.aligned 1;", "~{memory}"
// CHECK: @p mbarrier.arrive.shared::cta.b64 _
// CHECK: scf.yield
// CHECK: "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,0,1,2
// CHECK: @p mbarrier.arrive.shared::cta.b64 _
// CHECK-NOT: nvvm.barrier0
// CHECK: nvvm.barrier id = {{.*}} number_of_threads =
// CHECK: llvm.return
tile.kernel @gemm(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>)
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
  } {stages = 3 : i64}
  tile.store %r#0, %S[%c0, %c0] : !tile.frag<64x16xf32>, !tile.view<64x40xf32, [40, 1]>
  tile.store %r#1, %S[%c0, %c16] : !tile.frag<64x16xf32>, !tile.view<64x40xf32, [40, 1]>
  scf.for %i = %c0 to %c64 step %c1 {
    %f = tile.load %S[%i, %c0] : !tile.view<64x40xf32, [40, 1]> -> !tile.frag<32xf32>
    %at = arith.addi %row, %i : index
    %from = arith.muli %column, %c32 : index
    tile.store %f, %C[%at, %from] : !tile.frag<32xf32>, !tile.view<?x64xf32, [64, 1]>
  } {tile.team = 8 : i64}
}
