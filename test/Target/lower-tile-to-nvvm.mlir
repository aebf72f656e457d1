// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm %s | FileCheck %s

// A parameter per buffer and symbol; four neighbours per thread of a warp are
// one access of 16 bytes, and warps share the loop.
// CHECK-LABEL: llvm.func @add(
// CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{[^:]*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{[^:]*}}: i64)
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.reqntid = array<i32: 128>
// CHECK-SAME: tile.shared_bytes = 0
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: scf.for
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-4: arith.addf
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: tile.{{[a-z]+}} %
tile.kernel @add(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "pointwise", threads = 128,
                grid = affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %one = arith.constant 1.0 : f32
  %begin = arith.muli %t, %c1024 : index
  %end = arith.addi %begin, %c1024 : index
  scf.for %i = %begin to %end step %c128 {
    %v = tile.view %x offset %i sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
    %w = tile.view %y offset %i sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
    %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
    %g = tile.map %f : !tile.frag<128xf32> -> !tile.frag<128xf32> {
    ^bb0(%e: f32):
      %s = arith.addf %e, %one : f32
      tile.yield %s : f32
    }
    tile.store %g, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
  } {tile.team = 32 : i64}
}

// Not known to be aligned: neighbouring threads hold neighbours, one by one.
// CHECK-LABEL: llvm.func @unaligned
// CHECK-NOT: vector<
// CHECK-COUNT-4: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NOT: vector<
// CHECK: llvm.return
tile.kernel @unaligned(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "pointwise", threads = 32,
                grid = affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %row = arith.muli %t, %n : index
  %v = tile.view %x offset %row sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %row sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  tile.store %f, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
}

// Masked elements are read one by one, each only if it is inside.
// CHECK-LABEL: llvm.func @masked
// CHECK: arith.cmpi slt
// CHECK: scf.if {{.*}} -> (f32)
// CHECK: llvm.load
// CHECK: } else {
tile.kernel @masked(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "pointwise", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %f = tile.load %v[%c0] pad %zero : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<32xf32>
  tile.store %f, %w[%c0] masked [0] : !tile.frag<32xf32>, !tile.view<?xf32, [1]>
}

// A warp reduces by shuffles, the highest bit of the element first; one thread
// stores the scalar.
// CHECK-LABEL: llvm.func @warp_sum
// CHECK: %[[M:.*]] = arith.constant 16 : i32
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %[[M]]
// CHECK: arith.constant 8 : i32
// CHECK-COUNT-4: nvvm.shfl.sync
// CHECK-NOT: nvvm.barrier
// CHECK: arith.cmpi eq
// CHECK: scf.if
// CHECK-NEXT: llvm.store
tile.kernel @warp_sum(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "reduce", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<32xf32, [1]> -> !tile.frag<32xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<32xf32> -> f32
  tile.store %s, %w[%c0] : f32, !tile.view<1xf32, [1]>
}

// A block of four warps exchanges through shared memory: 512 bytes.
// CHECK-LABEL: llvm.func @block_max
// CHECK-SAME: tile.shared_bytes = 512
// CHECK: nvvm.barrier0
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK-COUNT-3: arith.maximumf
// CHECK-COUNT-5: nvvm.shfl.sync
tile.kernel @block_max(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "reduce", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  %s = tile.reduce max %f axis 0 : !tile.frag<128xf32> -> f32
  tile.store %s, %w[%c0] : f32, !tile.view<1xf32, [1]>
}

// Two of four warps hold the elements of another two again: they count once.
// CHECK-LABEL: llvm.func @repeated_sum
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: llvm.load
// CHECK: arith.addf
// CHECK-NOT: arith.addf
// CHECK: nvvm.shfl.sync
tile.kernel @repeated_sum(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "reduce", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<64xf32, [1]> -> !tile.frag<64xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<64xf32> -> f32
  tile.store %s, %w[%c0] : f32, !tile.view<1xf32, [1]>
}

// What is written to scratch is read behind a barrier.
// CHECK-LABEL: llvm.func @scratch
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: nvvm.barrier0
// CHECK: llvm.load {{.*}} !llvm.ptr<3>
tile.kernel @scratch(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (512)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %s = tile.scratch %c0 : !tile.buffer<f32>
  %r = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  tile.store %f, %r[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
  %g = tile.load %r[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  tile.store %g, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
}

// Masked elements that begin and end at multiples of four are four at a time.
// CHECK-LABEL: llvm.func @masked_runs
// CHECK: scf.if {{.*}} -> (f32, f32, f32, f32)
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.if
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
tile.kernel @masked_runs(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "pointwise", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %count = arith.muli %n, %c4 : index
  %v = tile.view %x offset %c0 sizes(%count) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %w = tile.view %y offset %c0 sizes(%count) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %f = tile.load %v[%c0] pad %zero : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<128xf32>
  tile.store %f, %w[%c0] masked [0] : !tile.frag<128xf32>, !tile.view<?xf32, [1]>
}

// Those in front of a view, too, and they need no comparison with its end.
// CHECK-LABEL: llvm.func @masked_before
// CHECK: %[[FROM:.*]] = arith.cmpi sge, %{{.*}}, %c32 : index
// CHECK-NEXT: scf.if %[[FROM]] -> (f32, f32, f32, f32)
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
tile.kernel @masked_before(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "pointwise", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %cm32 = arith.constant -32 : index
  %zero = arith.constant 0.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<96xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%cm32] pad %zero : f32 masked [0] before : !tile.view<96xf32, [1]> -> !tile.frag<128xf32>
  tile.store %f, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
}

// Without products, rows that follow each other are one stretch of a warp; sums of
// rows are between threads that lie apart.
// CHECK-LABEL: llvm.func @rows
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-COUNT-8: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK: llvm.return
tile.kernel @rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "matmul", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x32xf32, [32, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<4x32xf32, [32, 1]> -> !tile.frag<4x32xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<4x32xf32> -> !tile.frag<32xf32>
  tile.store %s, %w[%c0] : !tile.frag<32xf32>, !tile.view<32xf32, [1]>
}
