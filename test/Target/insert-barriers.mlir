// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-insert-barriers --split-input-file %s | FileCheck %s
// RUN: kiln-opt --kiln-assign-layouts=target=x86-64-v3 --kiln-pipeline-copies=target=x86-64-v3 --kiln-insert-barriers=target=x86-64-v3 --split-input-file %s | FileCheck %s --check-prefix=HOST

// A host runs a task in one thread.
// HOST-NOT: tile.sync_threads

// What is written to scratch is read behind a wait; the second read needs none, and what is written then waits for the reads.
// CHECK-LABEL: tile.kernel @in_scratch
// CHECK-NOT: sync_threads
// CHECK: tile.store %{{.*}}, %[[S:[0-9a-z]+]][
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: tile.load %[[S]]
// CHECK-NEXT: tile.load %[[S]]
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: tile.store {{.*}}, %[[S]]
// CHECK-NOT: sync_threads
tile.kernel @in_scratch(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  %g = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  %h = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  tile.store %h, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
}

// -----

// Products of a loop read a tile that was copied before it; what is written into its place behind the loop waits for them.
// CHECK-LABEL: tile.kernel @behind_products
// CHECK: scf.for
// CHECK-NOT: sync_threads
// CHECK: }
// CHECK: tile.sync_threads
// CHECK-NEXT: tile.store
tile.kernel @behind_products(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (1024)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %f = tile.fill %zero : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %X[%c0, %c0] : !tile.view<16x16xf32, [16, 1]> -> !tile.staged<16x16xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %f) -> !tile.frag<16x16xf32> {
    %m = tile.mma %l, %l, %a : !tile.staged<16x16xf32>, !tile.staged<16x16xf32>, !tile.frag<16x16xf32>
    scf.yield %m : !tile.frag<16x16xf32>
  }
  %d = tile.scratch %c0 : !tile.buffer<f32>
  %S = tile.view %d offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  tile.store %r, %S[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// -----

// Operands and results may be one memory, but where one thread has an element, it reads and writes it itself.
// CHECK-LABEL: tile.kernel @in_place
// CHECK-NOT: sync_threads
tile.kernel @in_place(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  tile.store %f, %w[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
}

// -----

// Two threads have each element here: both read before one writes. Nothing was read before the second store.
// CHECK-LABEL: tile.kernel @held_twice
// CHECK: tile.load
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.store
tile.kernel @held_twice(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<32xf32, [1]> -> !tile.frag<32xf32>
  tile.store %f, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}

// -----

// A reduction over two warps waits by itself; one over the lanes of each does not.
// CHECK-LABEL: tile.kernel @reductions
// CHECK: tile.store
// CHECK-NEXT: tile.reduce sum {{.*}}64xf32
// CHECK-NEXT: tile.load
// CHECK: tile.store
// CHECK-NEXT: tile.reduce sum {{.*}}32xf32
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: tile.load
tile.kernel @reductions(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  %e = tile.load %v[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<32xf32>
  tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  %r = tile.reduce sum %f axis 0 : !tile.frag<64xf32> -> f32
  %g = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  tile.store %g, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  %q = tile.reduce sum %e axis 0 : !tile.frag<32xf32> -> f32
  %h = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
}

// -----

// Smaller teams begin when all have written what they read, and the block writes again when the teams have read.
// CHECK-LABEL: tile.kernel @teams
// CHECK: tile.store
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: scf.for
// CHECK: tile.load
// CHECK: } {tile.team = 32 : i64}
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: tile.store
// CHECK-NOT: sync_threads
tile.kernel @teams(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x32xf32, [32, 1]>
  %f = tile.fill %one : f32 -> !tile.frag<64xf32>
  tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
  scf.for %i = %c0 to %c2 step %c1 {
    %g = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<32xf32>
    tile.store %g, %w[%i, %c0] : !tile.frag<32xf32>, !tile.view<2x32xf32, [32, 1]>
  } {tile.team = 32 : i64}
  %h = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  tile.store %h, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
}

// -----

// A loop that only asks for what lies in memory is nothing to wait for; one whose iterations write what they read waits in each.
// CHECK-LABEL: tile.kernel @loops
// CHECK-NOT: sync_threads
// CHECK: tile.prefetch
// CHECK-NOT: sync_threads
// CHECK: tile.prefetch
// CHECK-NOT: sync_threads
// CHECK: scf.for
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.sync_threads
// CHECK-NEXT: tile.load
// CHECK-NOT: sync_threads
tile.kernel @loops(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (256)>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %b = tile.scratch %c0 : !tile.buffer<f32>
  %s = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %f = tile.fill %one : f32 -> !tile.frag<64xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    tile.prefetch %v[%i] : !tile.view<64xf32, [1]>
  } {tile.team = 1 : i64}
  scf.for %i = %c0 to %c2 step %c1 {
    tile.prefetch %v[%i] : !tile.view<64xf32, [1]>
  } {tile.team = 1 : i64}
  scf.for %i = %c0 to %c2 step %c1 {
    tile.store %f, %s[%c0] : !tile.frag<64xf32>, !tile.view<64xf32, [1]>
    %g = tile.load %s[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  }
}
