// RUN: kiln-opt --kiln-lower-tile %s | FileCheck %s

// The function of the ABI, its loop over tasks, and a row per vector.
// CHECK-LABEL: llvm.func @add(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr)
// CHECK: scf.for
// CHECK: %[[A:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: %[[B:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: arith.addf %[[A]], %{{.*}} : vector<16xf32>
// CHECK: arith.addf %[[B]], %{{.*}} : vector<16xf32>
// CHECK-NOT: tile.
tile.kernel @add(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "pointwise",
                grid = affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %v = tile.view %x offset %t sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?x16xf32, [16, 1]>
  %w = tile.view %y offset %t sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?x16xf32, [16, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<?x16xf32, [16, 1]> -> !tile.frag<2x16xf32>
  %g = tile.map %f : !tile.frag<2x16xf32> -> !tile.frag<2x16xf32> {
  ^bb0(%e: f32):
    %s = arith.addf %e, %one : f32
    tile.yield %s : f32
  }
  tile.store %g, %w[%c0, %c0] : !tile.frag<2x16xf32>, !tile.view<?x16xf32, [16, 1]>
}

// Two products with one K share the loop; the broadcast of the left operand too.
// CHECK-LABEL: llvm.func @products
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<16xf32>
// CHECK: llvm.load {{.*}} -> f32
// CHECK: vector.broadcast
// CHECK: math.fma
// CHECK-NOT: vector.broadcast
// CHECK: math.fma
// CHECK: scf.yield
tile.kernel @products(%a: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%c: !tile.buffer<f32>)
    symbols(%k) task(%t)
    attributes {symbols = ["k"], hero = "matmul",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes(%k) strides() : !tile.buffer<f32> -> !tile.view<1x?xf32, [0, 1]>
  %B = tile.view %b offset %c0 sizes(%k) strides() : !tile.buffer<f32> -> !tile.view<?x32xf32, [32, 1]>
  %C = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x32xf32, [32, 1]>
  %z = tile.fill %zero : f32 -> !tile.frag<1x16xf32>
  %r:2 = tile.pipeline %c0 to %k step %k init(%z, %z) : !tile.frag<1x16xf32>, !tile.frag<1x16xf32> load {
  ^bb0(%p: index):
    %sa = tile.stage %A[%c0, %p] sizes(%k) : !tile.view<1x?xf32, [0, 1]> -> !tile.staged<1x?xf32>
    %sb = tile.stage %B[%p, %c0] sizes(%k) : !tile.view<?x32xf32, [32, 1]> -> !tile.staged<?x16xf32>
    %sc = tile.stage %B[%p, %c16] sizes(%k) : !tile.view<?x32xf32, [32, 1]> -> !tile.staged<?x16xf32>
    tile.yield %sa, %sb, %sc : !tile.staged<1x?xf32>, !tile.staged<?x16xf32>, !tile.staged<?x16xf32>
  } compute {
  ^bb0(%p: index, %sa: !tile.staged<1x?xf32>, %sb: !tile.staged<?x16xf32>, %sc: !tile.staged<?x16xf32>, %x: !tile.frag<1x16xf32>, %y: !tile.frag<1x16xf32>):
    %n = tile.mma %sa, %sb, %x : !tile.staged<1x?xf32>, !tile.staged<?x16xf32>, !tile.frag<1x16xf32>
    %m = tile.mma %sa, %sc, %y : !tile.staged<1x?xf32>, !tile.staged<?x16xf32>, !tile.frag<1x16xf32>
    tile.yield %n, %m : !tile.frag<1x16xf32>, !tile.frag<1x16xf32>
  }
  tile.store %r#0, %C[%c0, %c0] : !tile.frag<1x16xf32>, !tile.view<1x32xf32, [32, 1]>
  tile.store %r#1, %C[%c0, %c16] : !tile.frag<1x16xf32>, !tile.view<1x32xf32, [32, 1]>
}

// What is no kernel stays.
// CHECK-LABEL: func.func @other
// CHECK: arith.addi
func.func @other(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
