// RUN: kiln-opt --kiln-assign-layouts=target=sm_90a --kiln-pipeline-copies=target=sm_90a --kiln-allocate-shared=target=sm_90a --kiln-insert-barriers=target=sm_90a --kiln-lower-tile-to-nvvm=target=sm_90a %s | FileCheck %s
// RUN: kiln-opt --kiln-assign-layouts=target=sm_120 --kiln-pipeline-copies=target=sm_120 --kiln-allocate-shared=target=sm_120 --kiln-insert-barriers=target=sm_120 --kiln-lower-tile-to-nvvm=target=sm_120 %s | FileCheck %s
// RUN: kiln-opt --kiln-assign-layouts=target=sm_80 --kiln-pipeline-copies=target=sm_80 --kiln-allocate-shared=target=sm_80 --kiln-insert-barriers=target=sm_80 --kiln-lower-tile-to-nvvm=target=sm_80 %s | FileCheck %s --check-prefix=NONE
// RUN: kiln-opt --kiln-assign-layouts=target=sm_89 --kiln-pipeline-copies=target=sm_89 --kiln-allocate-shared=target=sm_89 --kiln-insert-barriers=target=sm_89 --kiln-lower-tile-to-nvvm=target=sm_89 %s | FileCheck %s --check-prefix=NONE

// Every thread waits for earlier kernels before it touches memory, once.
// CHECK-LABEL: llvm.func @add
// CHECK-NOT: llvm.load
// CHECK-NOT: scf.
// CHECK: llvm.inline_asm has_side_effects "griddepcontrol.wait;\0Agriddepcontrol.launch_dependents;", "~{memory}"
// CHECK-NOT: griddepcontrol
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK-NOT: griddepcontrol

// NONE-LABEL: llvm.func @add
// NONE-NOT: griddepcontrol
// NONE: llvm.store
tile.kernel @add(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "pointwise", threads = 32,
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

// What computes addresses and asks for weights comes before the wait, nothing else.
// CHECK-LABEL: llvm.func @weights
// CHECK: scf.for
// CHECK: llvm.inline_asm has_side_effects "prefetch.global.L2 [$0];", "l,~{memory}"
// CHECK-NOT: llvm.load
// CHECK: griddepcontrol.wait
// CHECK-NOT: prefetch
// CHECK: llvm.load
// CHECK-NOT: griddepcontrol

// NONE-LABEL: llvm.func @weights
// NONE: prefetch.global.L2
// NONE-NOT: griddepcontrol
tile.kernel @weights(%x: !tile.buffer<f32>, %w: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "matmul", threads = 32,
                grid = affine_map<()[s0] -> (s0)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c4096 = arith.constant 4096 : index
  %from = arith.muli %t, %c4096 : index
  %near = tile.view %w offset %from sizes() strides() : !tile.buffer<f32> -> !tile.view<4096xf32, [1]>
  scf.for %i = %c0 to %c4096 step %c32 {
    tile.prefetch %near[%i] {locality = 1} : !tile.view<4096xf32, [1]>
  } {tile.team = 1 : i64}
  %v = tile.view %x offset %t sizes() strides() : !tile.buffer<f32> -> !tile.view<16xf32, [1]>
  %o = tile.view %y offset %t sizes() strides() : !tile.buffer<f32> -> !tile.view<16xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<16xf32, [1]> -> !tile.frag<16xf32>
  tile.store %f, %o[%c0] : !tile.frag<16xf32>, !tile.view<16xf32, [1]>
}
