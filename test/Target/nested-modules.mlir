// Kernels lie in a module of their target behind kiln-emit-kernels. Passes find them there, and take those for
// their kind of target.
// RUN: kiln-opt %s --kiln-lower-tile | FileCheck %s --check-prefix=HOST
// RUN: kiln-opt %s --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm | FileCheck %s --check-prefix=GPU
// RUN: kiln-opt %s --kiln-lower-tile --kiln-lower-tile 2>&1 >/dev/null | FileCheck %s --check-prefix=TWICE
// RUN: echo "module {}" | kiln-opt --kiln-assign-layouts --kiln-build-plan=stages=2 --kiln-verify-plan 2>&1 >/dev/null | FileCheck %s --check-prefix=NOTHING

// HOST: module @"x86-64-v3"
// HOST: llvm.func @copy
// HOST: module @sm_80
// HOST: tile.kernel @copy
// GPU: module @"x86-64-v3"
// GPU: tile.kernel @copy
// GPU: module @sm_80
// GPU: llvm.func @copy
// TWICE: warning: kiln-lower-tile has nothing to work on: there is no tile.kernel for a host
// NOTHING: warning: kiln-assign-layouts has nothing to work on: there is no tile.kernel for a GPU
// NOTHING: warning: kiln-build-plan has nothing to work on: there is no program
// NOTHING: warning: kiln-verify-plan has nothing to work on: there is no plan.program

module @"x86-64-v3" {
  tile.kernel @copy(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
      attributes {symbols = ["n"], hero = "x", grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
    %c0 = arith.constant 0 : index
    %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
    %p = arith.constant 1.0 : f32
    %f = tile.load %v[%c0] pad %p : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<8xf32>
    %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
    tile.store %f, %w[%c0] masked [0] : !tile.frag<8xf32>, !tile.view<?xf32, [1]>
  }
}
module @sm_80 {
  tile.kernel @copy(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
      attributes {symbols = ["n"], hero = "x", threads = 32, grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
    %c0 = arith.constant 0 : index
    %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
    %p = arith.constant 1.0 : f32
    %f = tile.load %v[%c0] pad %p : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<32xf32>
    %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
    tile.store %f, %w[%c0] masked [0] : !tile.frag<32xf32>, !tile.view<?xf32, [1]>
  }
}
