// RUN: kiln-opt --kiln-partition-warps=target=sm_90a --split-input-file %s | FileCheck %s
// RUN: kiln-opt --kiln-partition-warps=target=sm_80 --split-input-file %s | FileCheck %s --check-prefix=NONE

// A target without wgmma keeps the pipelines.
// NONE-NOT: tile.warp_specialize

#config = #tile.warpgroup_gemm_config<rows = 64, panels = 2, block_k = 64, stages = 3, epilogue_panels = 2, row_threads = 4, raster = 8, copy_registers = 0, compute_registers = 0>

// Buffers as TMA leaves them: both panels of the right operand side by side, in lines of
// 32 bytes. Full barriers wait for the producer and its bytes, empty ones for four warps.
// CHECK-LABEL: tile.kernel @weights
// CHECK: %[[A:.*]] = tile.alloc : <3x64x64xbf16, #tile.mem_layout<contiguous = 1, swizzle = 128>, shared>
// CHECK: %[[B:.*]] = tile.alloc : <3x64x32xbf16, #tile.mem_layout<contiguous = 1, swizzle = 32>, shared>
// CHECK: %[[FULL:.*]] = tile.create_barriers 1 : <3>
// CHECK: %[[EMPTY:.*]] = tile.create_barriers 4 : <3>
// CHECK: tile.warp_specialize registers(0, 0) producer {

// The weights that are copied first are prefetched before the wait for earlier kernels;
// the left operand may be what they write.
// CHECK: scf.for
// CHECK: tile.prefetch_box {{.*}} box [2, 64, 16] swizzle 32
// CHECK-NOT: tile.prefetch_box
// CHECK: tile.wait_prior
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %c0_i32, %{{.*}} = %c1_i32)
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}})
// CHECK-NEXT: tile.wait_barrier %[[EMPTY]][%[[S]]] parity %[[P]]
// CHECK-NEXT: tile.expect_bytes %[[FULL]][%[[S]]], 12288
// CHECK-NEXT: tile.async_copy {{.*}} box [64, 64] to %[[A]][%[[S]]] at [0, 0] barrier %[[FULL]]
// CHECK-NEXT: tile.async_copy {{.*}} box [2, 64, 16] to %[[B]][%[[S]]] at [0, 0] barrier %[[FULL]]
// CHECK: } consumer {

// A step's products are issued before those of the step before are waited for, whose
// stage is released then.
// CHECK: tile.wait_prior
// CHECK: scf.for
// CHECK: scf.for %[[K:.*]] = %[[LOW:.*]] to {{.*}} iter_args(%[[U:.*]] = %{{.*}}, %[[V:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[LAST:.*]] = %{{.*}}) -> (!tile.pending<64x16xf32>, !tile.pending<64x16xf32>, i32, i32, i32)
// CHECK-NEXT: tile.wait_barrier %[[FULL]][%[[S]]] parity %[[P]]
// CHECK-NEXT: tile.issue_mma %[[A]][%[[S]]], %[[B]][%[[S]]] into(%[[U]], %[[V]])
// CHECK-NEXT: tile.wait_mma 1
// CHECK-NEXT: %[[LATER:.*]] = arith.cmpi ne, %[[K]], %[[LOW]]
// CHECK-NEXT: tile.arrive_barrier %[[EMPTY]][%[[LAST]]] if %[[LATER]]
// CHECK: tile.wait_mma 0 of
// CHECK: tile.arrive_barrier %[[EMPTY]]
// CHECK: tile.store
// CHECK-NOT: tile.pipeline
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

// -----

// Without a config for warpgroups nothing is partitioned.
// CHECK-LABEL: tile.kernel @plain
// CHECK-NOT: tile.warp_specialize
// CHECK: tile.pipeline
tile.kernel @plain(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 128,
                config = #tile.block_gemm_config<rows = 64, panels = 1, block_k = 64, stages = 2, threads = 128, row_threads = 4>,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x64xbf16, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x16xbf16, [16, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c64 init(%init) : !tile.frag<64x16xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%c0, %k] : !tile.view<64x64xbf16, [64, 1]> -> !tile.staged<64x64xbf16>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x16xbf16, [16, 1]> -> !tile.staged<64x16xbf16>
    tile.yield %x, %y : !tile.staged<64x64xbf16>, !tile.staged<64x16xbf16>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x64xbf16>, %y: !tile.staged<64x16xbf16>, %u: !tile.frag<64x16xf32>):
    %n = tile.mma %x, %y, %u : !tile.staged<64x64xbf16>, !tile.staged<64x16xbf16>, !tile.frag<64x16xf32>
    tile.yield %n : !tile.frag<64x16xf32>
  }
  tile.store %r, %C[%c0, %c0] : !tile.frag<64x16xf32>, !tile.view<64x16xf32, [16, 1]>
}
