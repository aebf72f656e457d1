// RUN: kiln-opt --split-input-file --kiln-assign-layouts=target=sm_89 --kiln-pipeline-copies=target=sm_89 --kiln-allocate-shared=target=sm_89 --kiln-insert-barriers=target=sm_89 --kiln-lower-tile-to-nvvm=target=sm_89 --canonicalize --cse %s | FileCheck %s --check-prefixes=CHECK,BYTES
// RUN: kiln-opt --split-input-file --kiln-assign-layouts=target=sm_80 --kiln-pipeline-copies=target=sm_80 --kiln-allocate-shared=target=sm_80 --kiln-insert-barriers=target=sm_80 --kiln-lower-tile-to-nvvm=target=sm_80 --canonicalize --cse %s | FileCheck %s --check-prefixes=CHECK,HALVES
// RUN: kiln-opt --split-input-file --kiln-lower-tile %s | FileCheck %s --check-prefix=HOST
// Products of f8E4M3FN on both sides: of bytes, of f16, which both become in pairs of bytes, and of f32 on hosts.

// A block of 48 steps: an instruction and half of one. No scales, so the sum of the block is added.
// CHECK-LABEL: llvm.func @sums
// BYTES-COUNT-4: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// BYTES-NOT: llvm.call_intrinsic
// BYTES-COUNT-4: arith.addf
// BYTES-NOT: math.fma
// HALVES: arith.shli {{.*}} : i32
// HALVES: nvvm.mma.sync
// HALVES-COUNT-4: math.fma
// HALVES-NOT: math.fma
// HOST-LABEL: llvm.func @sums
// HOST: scf.for
// HOST: arith.shrsi {{.*}} : vector<8xi32>
// HOST-COUNT-64: math.fma
// HOST-NOT: math.fma
tile.kernel @sums(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x48xi8, [48, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<12x64xi8, [64, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x48xi8, [48, 1]> -> !tile.staged<8x48xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<12x64xi8, [64, 1]> -> !tile.staged<12x64xi8>
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f8E4M3FN into %init
    : (!tile.staged<8x48xi8>, !tile.staged<12x64xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// The instructions take the accumulators of earlier blocks, if they are of bytes.
// CHECK-LABEL: llvm.func @fast
// BYTES-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// BYTES-NOT: arith.addf
// BYTES-NOT: math.fma
// HALVES: math.fma
// HOST-LABEL: llvm.func @fast
tile.kernel @fast(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x32xi8, [32, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x32xi8, [32, 1]> -> !tile.staged<8x32xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f8E4M3FN into %init {fast_accum}
    : (!tile.staged<8x32xi8>, !tile.staged<8x64xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// Powers of two per block multiply its sum; of f16, which is 2^-16 of it, after that has been made whole.
// CHECK-LABEL: llvm.func @scales
// BYTES-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// HALVES-COUNT-4: nvvm.mma.sync
// HALVES: arith.mulf
// CHECK-COUNT-4: math.fma
// CHECK-NOT: math.fma
// HOST-LABEL: llvm.func @scales
// HOST: math.fma
tile.kernel @scales(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x32xi8, [32, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x32xi8, [32, 1]> -> !tile.staged<8x32xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f8E4M3FN scales(%ts) into %init {scale_type = f8E8M0FNU}
    : (!tile.staged<8x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}
