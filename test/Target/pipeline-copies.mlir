// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --split-input-file %s | FileCheck %s
// RUN: kiln-opt --kiln-assign-layouts=target=x86-64-v3 --kiln-pipeline-copies=target=x86-64-v3 --split-input-file %s | FileCheck %s --check-prefix=HOST

// A host copies nothing.
// HOST-NOT: tile.issue_copy
// HOST: tile.pipeline
// HOST-NOT: tile.issue_copy

// Three stages: two groups of copies before the loop, the third in its first step, into the stage that the step before has read.
// CHECK-LABEL: tile.kernel @three_stages
// CHECK: %[[A:.*]] = tile.alloc : <3x64x32xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
// CHECK: %[[B:.*]] = tile.alloc : <3x32x16xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
// CHECK: tile.sync_threads
// CHECK: scf.if
// CHECK-NEXT: tile.issue_copy %{{.*}} to %[[A]][%{{.*}}] masked [0]
// CHECK-NEXT: tile.issue_copy %{{.*}} to %[[B]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.commit_copies
// CHECK: scf.if
// CHECK: tile.commit_copies
// CHECK-NOT: tile.commit_copies
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[STAGE:[0-9a-z]+]] = %{{.*}}) -> ({{.*}}, index)
// CHECK-NEXT: tile.wait_copies 1
// CHECK-NEXT: tile.sync_threads
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[STAGE]], %c0
// CHECK: %[[BEFORE:.*]] = arith.subi %[[STAGE]], %c1
// CHECK: %[[FILLED:.*]] = arith.select %[[FIRST]], %c2{{.*}}, %[[BEFORE]]
// CHECK: scf.if
// CHECK-NEXT: tile.issue_copy %{{.*}} to %[[A]][%[[FILLED]]] masked [0]
// CHECK: tile.commit_copies
// CHECK-NEXT: %[[L:.*]] = tile.buffer_stage %[[A]][%[[STAGE]]] {{.*}} -> <64x32xbf16, matrices>
// CHECK-NEXT: %[[R:.*]] = tile.buffer_stage %[[B]][%[[STAGE]]]
// CHECK-NEXT: tile.mma %[[L]], %[[R]], %{{.*}} {mma_sync}
// CHECK: %[[NEXT:.*]] = arith.addi %[[STAGE]], %c1
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c3
// CHECK: arith.select %[[WRAPS]], %c0{{.*}}, %[[NEXT]]
// CHECK-NOT: tile.pipeline
tile.kernel @three_stages(%a: !tile.buffer<bf16>, %b: !tile.buffer<bf16>) -> (%c: !tile.buffer<f32>) symbols(%m) task(%t)
    attributes {symbols = ["m"], hero = "x", threads = 128, grid = affine_map<()[s0] -> (s0 ceildiv 64)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.muli %t, %c64 : index
  %A = tile.view %a offset %c0 sizes(%m) strides() : !tile.buffer<bf16> -> !tile.view<?x64xbf16, [64, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<64x16xbf16, [16, 1]>
  %C = tile.view %c offset %c0 sizes(%m) strides() : !tile.buffer<f32> -> !tile.view<?x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<64x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c32 init(%init) : !tile.frag<64x16xf32> load {
  ^bb0(%k: index):
    %x = tile.stage %A[%row, %k] masked [0] : !tile.view<?x64xbf16, [64, 1]> -> !tile.staged<64x32xbf16>
    %y = tile.stage %B[%k, %c0] : !tile.view<64x16xbf16, [16, 1]> -> !tile.staged<32x16xbf16>
    tile.yield %x, %y : !tile.staged<64x32xbf16>, !tile.staged<32x16xbf16>
  } compute {
  ^bb0(%k: index, %x: !tile.staged<64x32xbf16>, %y: !tile.staged<32x16xbf16>, %p: !tile.frag<64x16xf32>):
    %n = tile.mma %x, %y, %p : !tile.staged<64x32xbf16>, !tile.staged<32x16xbf16>, !tile.frag<64x16xf32>
    tile.yield %n : !tile.frag<64x16xf32>
  } {stages = 3 : i64}
  tile.store %r, %C[%row, %c0] masked [0] : !tile.frag<64x16xf32>, !tile.view<?x16xf32, [16, 1]>
}

// -----

// A tile outside of a loop is waited for at once; nothing carries a stage.
// CHECK-LABEL: tile.kernel @alone
// CHECK: %[[A:.*]] = tile.alloc : <1x16x16xf32, #tile.mem_layout<contiguous = 1, lines>, shared>
// CHECK-NEXT: tile.sync_threads
// CHECK: tile.issue_copy
// CHECK-NEXT: tile.commit_copies
// CHECK-NEXT: tile.wait_copies 0
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: tile.buffer_stage %[[A]]
// CHECK-NOT: = tile.stage
tile.kernel @alone(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %X[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<16x16xf32>
  %p = tile.mma %l, %l, %f : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
}

// -----

// Tiles of scratch are where they are: a loop, and nothing is copied.
// CHECK-LABEL: tile.kernel @in_scratch
// CHECK-NOT: tile.alloc
// CHECK: scf.for
// CHECK-NEXT: tile.stage
// CHECK-NEXT: tile.mma
// CHECK-NOT: tile.wait_copies
tile.kernel @in_scratch(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (4096)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %d = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c16 init(%f) : !tile.frag<16x16xf32> load {
  ^bb0(%k: index):
    %a = tile.stage %S[%c0, %k] : !tile.view<16x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    tile.yield %a : !tile.staged<16x16xf32>
  } compute {
  ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
    %m = tile.mma %a, %a, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    tile.yield %m : !tile.frag<16x16xf32>
  } {stages = 3 : i64}
}

// -----

// One tile lies in scratch and the other is copied: it is named where it is read, not ahead.
// CHECK-LABEL: tile.kernel @of_both_kinds
// CHECK-COUNT-1: tile.alloc
// CHECK-NOT: = tile.stage
// CHECK: scf.for %[[K:[0-9a-z]+]] =
// CHECK: tile.commit_copies
// CHECK-NEXT: tile.stage %{{.*}}[%{{.*}}, %[[K]]]
// CHECK-NEXT: tile.buffer_stage
// CHECK-NEXT: tile.mma
tile.kernel @of_both_kinds(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (4096)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x16xf32, [16, 1]>
  %d = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c16 init(%f) : !tile.frag<16x16xf32> load {
  ^bb0(%k: index):
    %a = tile.stage %S[%c0, %k] : !tile.view<16x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    %b = tile.stage %X[%k, %c0] : !tile.view<64x16xf32, [16, 1]> -> !tile.staged<16x16xf32>
    tile.yield %a, %b : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>
  } compute {
  ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %b: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
    %m = tile.mma %a, %b, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    tile.yield %m : !tile.frag<16x16xf32>
  }
}

// -----

// Without products there is nothing to do.
// CHECK-LABEL: tile.kernel @row
// CHECK-NOT: tile.sync_threads
// CHECK: tile.load
// CHECK-NEXT: tile.store
tile.kernel @row(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  tile.store %f, %w[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
}
