// RUN: kiln-opt %s --kiln-lower-tile="features=avx512bw,avx512vl,avx512vnni" | FileCheck %s
// One row of codes: short blocks are written out, long ones in parts of 32 words.

// CHECK-LABEL: llvm.func @short
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-32: "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: vpdpbusd
tile.kernel @short(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x128xi8, [128, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<32x64xi8, [64, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<1x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<1x128xi8, [128, 1]> -> !tile.staged<1x128xi8>
  %w = tile.stage %W[%c0, %c0] : !tile.view<32x64xi8, [64, 1]> -> !tile.staged<32x64xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<1x16xf32, [16, 1]> -> !tile.staged<1x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<1x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<1x1xi32, [1, 1]> -> !tile.staged<1x1xi32>
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w of ui8 scales(%r) into %c : (!tile.staged<1x128xi8>, !tile.staged<1x1xf32>, !tile.staged<1x1xi32>, !tile.staged<32x64xi8>, !tile.staged<1x16xf32>, !tile.frag<1x16xf32>) -> !tile.frag<1x16xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<1x16xf32>, !tile.view<1x16xf32, [16, 1]>
}

// 72 words: twice 32, and 8 behind the loop.
// CHECK-LABEL: llvm.func @long
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c64{{.*}} step %c32{{.*}} iter_args
// CHECK-COUNT-32: "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: vpdpbusd
// CHECK: scf.yield
// CHECK-COUNT-8: "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: vpdpbusd
tile.kernel @long(%a: !tile.buffer<i8>, %p: !tile.buffer<f32>, %u: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x288xi8, [288, 1]>
  %W = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<72x64xi8, [64, 1]>
  %P = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %c = tile.fill %zero : f32 -> !tile.frag<1x16xf32>
  %x = tile.stage %A[%c0, %c0] : !tile.view<1x288xi8, [288, 1]> -> !tile.staged<1x288xi8>
  %w = tile.stage %W[%c0, %c0] : !tile.view<72x64xi8, [64, 1]> -> !tile.staged<72x64xi8>
  %s = tile.stage %P[%c0, %c0] : !tile.view<1x16xf32, [16, 1]> -> !tile.staged<1x1xf32>
  %r = tile.stage %P[%c0, %c0] : !tile.view<1x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %v = tile.stage %U[%c0, %c0] : !tile.view<1x1xi32, [1, 1]> -> !tile.staged<1x1xi32>
  %n = tile.scaled_mma %x of i8 scales(%s) totals(%v) by %w of ui8 scales(%r) into %c : (!tile.staged<1x288xi8>, !tile.staged<1x1xf32>, !tile.staged<1x1xi32>, !tile.staged<72x64xi8>, !tile.staged<1x16xf32>, !tile.frag<1x16xf32>) -> !tile.frag<1x16xf32>
  tile.store %n, %Y[%c0, %c0] : !tile.frag<1x16xf32>, !tile.view<1x16xf32, [16, 1]>
}
