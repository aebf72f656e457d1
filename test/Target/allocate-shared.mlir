// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --split-input-file %s | FileCheck %s
// RUN: kiln-opt --kiln-assign-layouts=target=x86-64-v3 --kiln-pipeline-copies=target=x86-64-v3 --kiln-allocate-shared=target=x86-64-v3 --split-input-file %s | FileCheck %s --check-prefix=HOST

// A host has its scratch from the runtime.
// HOST-NOT: tile.shared_offset

// Three slots of 1024 bytes each, one operand behind the other. The epilogue's scratch, 1024 bytes, has the place of the tiles, which
// nobody reads any more; so the kernel takes 5120 bytes beside it.
// CHECK-LABEL: tile.kernel @epilogue
// CHECK-SAME: tile.shared_bytes = 5120
// CHECK: tile.alloc {{.*}}tile.shared_offset = 0 :
// CHECK: tile.alloc {{.*}}tile.shared_offset = 3072 :
// CHECK: tile.scratch {{.*}}tile.shared_offset = 0 :
tile.kernel @epilogue(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (1024)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c16 init(%f) : !tile.frag<16x16xf32> load {
  ^bb0(%k: index):
    %a = tile.stage %X[%c0, %k] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    %b = tile.stage %X[%k, %c0] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    tile.yield %a, %b : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>
  } compute {
  ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %b: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
    %m = tile.mma %a, %b, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    tile.yield %m : !tile.frag<16x16xf32>
  } {stages = 3 : i64}
  %d = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  tile.store %r, %S[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// -----

// Scratch that was written before the pipeline is read behind it: it is in use all the time.
// CHECK-LABEL: tile.kernel @around
// CHECK-SAME: tile.shared_bytes = 6144
// CHECK: tile.scratch {{.*}}tile.shared_offset = 6144 :
// CHECK: tile.alloc {{.*}}tile.shared_offset = 0 :
// CHECK: tile.alloc {{.*}}tile.shared_offset = 3072 :
tile.kernel @around(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (1024)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %d = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  tile.store %f, %S[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
  %r = tile.pipeline %c0 to %c64 step %c16 init(%f) : !tile.frag<16x16xf32> load {
  ^bb0(%k: index):
    %a = tile.stage %X[%c0, %k] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    %b = tile.stage %X[%k, %c0] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    tile.yield %a, %b : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>
  } compute {
  ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %b: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
    %m = tile.mma %a, %b, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    tile.yield %m : !tile.frag<16x16xf32>
  } {stages = 3 : i64}
  %g = tile.load %S[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.frag<16x16xf32>
}

// -----

// How much is known at run time only: behind everything.
// CHECK-LABEL: tile.kernel @symbolic
// CHECK-SAME: tile.shared_bytes = 6144
// CHECK: tile.alloc {{.*}}tile.shared_offset = 0 :
// CHECK: tile.alloc {{.*}}tile.shared_offset = 3072 :
// CHECK: tile.scratch {{.*}}tile.shared_offset = 6144 :
tile.kernel @symbolic(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", threads = 64, grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (s0 * 1024)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c16 init(%f) : !tile.frag<16x16xf32> load {
  ^bb0(%k: index):
    %a = tile.stage %X[%c0, %k] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    %b = tile.stage %X[%k, %c0] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    tile.yield %a, %b : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>
  } compute {
  ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %b: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
    %m = tile.mma %a, %b, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    tile.yield %m : !tile.frag<16x16xf32>
  } {stages = 3 : i64}
  %d = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  tile.store %r, %S[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// -----

// Two pipelines, one after the other, have one place.
// CHECK-LABEL: tile.kernel @one_after_the_other
// CHECK-SAME: tile.shared_bytes = 6144
// CHECK: tile.alloc {{.*}}tile.shared_offset = 0 :
// CHECK: tile.alloc {{.*}}tile.shared_offset = 3072 :
// CHECK: tile.alloc {{.*}}tile.shared_offset = 0 :
// CHECK: tile.alloc {{.*}}tile.shared_offset = 3072 :
tile.kernel @one_after_the_other(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %r = tile.pipeline %c0 to %c64 step %c16 init(%f) : !tile.frag<16x16xf32> load {
  ^bb0(%k: index):
    %a = tile.stage %X[%c0, %k] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    %b = tile.stage %X[%k, %c0] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    tile.yield %a, %b : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>
  } compute {
  ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %b: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
    %m = tile.mma %a, %b, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    tile.yield %m : !tile.frag<16x16xf32>
  } {stages = 3 : i64}
  %q = tile.pipeline %c0 to %c64 step %c16 init(%r) : !tile.frag<16x16xf32> load {
  ^bb0(%k: index):
    %a = tile.stage %X[%c0, %k] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    %b = tile.stage %X[%k, %c0] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
    tile.yield %a, %b : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>
  } compute {
  ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %b: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
    %m = tile.mma %a, %b, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    tile.yield %m : !tile.frag<16x16xf32>
  } {stages = 3 : i64}
}

// -----

// A tile that is staged before a loop is in use in all of it; those of the loop's pipeline lie behind it.
// CHECK-LABEL: tile.kernel @before_a_loop
// CHECK-SAME: tile.shared_bytes = 7168
// CHECK: tile.alloc {{.*}}tile.shared_offset = 0 :
// CHECK: scf.for
// CHECK: tile.alloc {{.*}}tile.shared_offset = 1024 :
// CHECK: tile.alloc {{.*}}tile.shared_offset = 4096 :
tile.kernel @before_a_loop(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %X[%c0, %c0] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
  %o = scf.for %i = %c0 to %c64 step %c16 iter_args(%e = %f) -> !tile.frag<16x16xf32> {
    %r = tile.pipeline %c0 to %c64 step %c16 init(%e) : !tile.frag<16x16xf32> load {
    ^bb0(%k: index):
      %a = tile.stage %X[%c0, %k] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
      %b = tile.stage %X[%k, %c0] : !tile.view<64x64xf32, [64, 1]> -> !tile.staged<16x16xf32>
      tile.yield %a, %b : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>
    } compute {
    ^bb0(%k: index, %a: !tile.staged<16x16xf32>, %b: !tile.staged<16x16xf32>, %s: !tile.frag<16x16xf32>):
      %m = tile.mma %a, %b, %s : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
      tile.yield %m : !tile.frag<16x16xf32>
    } {stages = 3 : i64}
    %p = tile.mma %l, %l, %r : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    scf.yield %p : !tile.frag<16x16xf32>
  }
}

// -----

// Two warps hand over a part each: 64 sums of 4 bytes. Both reductions have one area, and scratch lies apart from it.
// CHECK-LABEL: tile.kernel @exchanges
// CHECK-SAME: tile.shared_bytes = 256
// CHECK: tile.scratch {{.*}}tile.shared_offset = 256 :
// CHECK: tile.reduce {{.*}}tile.shared_offset = 0 :
// CHECK: tile.reduce {{.*}}tile.shared_offset = 0 :
tile.kernel @exchanges(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (1024)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %R = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %d = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  tile.store %f, %S[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
  %v = tile.load %R[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  %r = tile.reduce sum %v axis 0 : !tile.frag<64xf32> -> f32
  %q = tile.reduce max %v axis 0 : !tile.frag<64xf32> -> f32
}
