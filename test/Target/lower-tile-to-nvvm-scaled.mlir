// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies --kiln-allocate-shared --kiln-insert-barriers --kiln-lower-tile-to-nvvm --canonicalize --cse --split-input-file %s | FileCheck %s

// 17 rows in a tile of 32, a block of 32 steps of 4 bits: two instructions per 16 rows, whose words of the weight are
// read and unpacked once. Nothing is staged: no copies, and no barrier but of the warp.
// CHECK-LABEL: llvm.func @int4
// CHECK-NOT: cp.async
// CHECK-NOT: nvvm.barrier
// Scales of four rows of a lane, those past the last one 0; of four columns at once, as all words.
// CHECK-COUNT-4: llvm.load {{.*}} -> f32
// CHECK: llvm.load {{.*}}alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xi16>
// CHECK: llvm.load {{.*}}alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
// CHECK: llvm.load {{.*}}alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
// CHECK-COUNT-2: arith.andi {{.*}} : i32
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.s8.u8"
// CHECK-NOT: call_intrinsic
// CHECK-COUNT-16: math.fma
// CHECK-NOT: math.fma
tile.kernel @int4(%x: !tile.buffer<i8>, %s: !tile.buffer<f32>, %u: !tile.buffer<i32>, %w: !tile.buffer<i8>,
                  %t: !tile.buffer<bf16>, %z: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<17x32xi8, [32, 1]>
  %S = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<17x1xf32, [1, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<17x1xi32, [1, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<1x16xbf16, [16, 1]>
  %Z = tile.view %z offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<32x16xf32>
  %xs = tile.stage %X[%c0, %c0] masked [0] : !tile.view<17x32xi8, [32, 1]> -> !tile.staged<32x32xi8>
  %ss = tile.stage %S[%c0, %c0] masked [0] : !tile.view<17x1xf32, [1, 1]> -> !tile.staged<32x1xf32>
  %us = tile.stage %U[%c0, %c0] masked [0] : !tile.view<17x1xi32, [1, 1]> -> !tile.staged<32x1xi32>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<4x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xbf16, [16, 1]> -> !tile.staged<1x16xbf16>
  %zs = tile.stage %Z[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %r = tile.scaled_mma %xs of i8 scales(%ss) totals(%us) by %ws of ui4 scales(%ts) zeros(%zs) into %init
    : (!tile.staged<32x32xi8>, !tile.staged<32x1xf32>, !tile.staged<32x1xi32>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.staged<1x16xi8>, !tile.frag<32x16xf32>) -> !tile.frag<32x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<32x16xf32>, !tile.view<32x16xf32, [16, 1]>
}

// -----

// Eight rows are half of an instruction. A block of 16 steps of E2M1: a table for each sign, and the half of a word
// that a lane has in a short instruction.
// CHECK-LABEL: llvm.func @nvfp4
// CHECK: arith.mulf {{.*}} : f32
// CHECK-COUNT-10: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK-NOT: nvvm.prmt
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.s8.u8"
// CHECK-NOT: call_intrinsic
// CHECK-COUNT-4: math.fma
// CHECK-NOT: math.fma
tile.kernel @nvfp4(%x: !tile.buffer<i8>, %s: !tile.buffer<f32>, %u: !tile.buffer<i32>, %w: !tile.buffer<i8>,
                   %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x16xi8, [16, 1]>
  %S = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x1xf32, [1, 1]>
  %U = tile.view %u offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8x1xi32, [1, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x16xi8, [16, 1]> -> !tile.staged<8x16xi8>
  %ss = tile.stage %S[%c0, %c0] : !tile.view<8x1xf32, [1, 1]> -> !tile.staged<8x1xf32>
  %us = tile.stage %U[%c0, %c0] : !tile.view<8x1xi32, [1, 1]> -> !tile.staged<8x1xi32>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<2x64xi8, [64, 1]> -> !tile.staged<2x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %r = tile.scaled_mma %xs of i8 scales(%ss) totals(%us) by %ws of f4E2M1FN scales(%ts) into %init {scale_type = f8E4M3FN}
    : (!tile.staged<8x16xi8>, !tile.staged<8x1xf32>, !tile.staged<8x1xi32>, !tile.staged<2x64xi8>, !tile.staged<1x16xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// Numbers of f16: 8 codes of a word are bytes of halves (a shift, two ANDs), and two codes a register (prmt, fma). A lane reads 16
// contiguous bytes of a row for two instructions per column tile. The scale of a block multiplies its f32 sum.
// CHECK-LABEL: llvm.func @halves
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.load {{.*}}alignment = 2 : i64} : !llvm.ptr<1> -> vector<2xi8>
// CHECK: llvm.load {{.*}}alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xi32>
// CHECK-COUNT-4: arith.andi {{.*}} : i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK: llvm.call_intrinsic "llvm.nvvm.fma.rn.f16x2"
// CHECK: llvm.load {{.*}}alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK-COUNT-4: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK-COUNT-4: math.fma
// CHECK-NOT: math.fma
tile.kernel @halves(%x: !tile.buffer<f16>, %w: !tile.buffer<i8>, %t: !tile.buffer<f16>, %z: !tile.buffer<i8>)
    -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<8x32xf16, [32, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<1x16xf16, [16, 1]>
  %Z = tile.view %z offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x32xf16, [32, 1]> -> !tile.staged<8x32xf16>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<4x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xf16, [16, 1]> -> !tile.staged<1x16xf16>
  %zs = tile.stage %Z[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %r = tile.scaled_mma %xs of f16 by %ws of ui4 scales(%ts) zeros(%zs) into %init
    : (!tile.staged<8x32xf16>, !tile.staged<4x64xi8>, !tile.staged<1x16xf16>, !tile.staged<1x16xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// 8 bits in bf16, a block of 16: f32 of 2^23 and the code, and the high halves of two differences. Scales are the only fma.
// CHECK-LABEL: llvm.func @bytes
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.prmt"
// CHECK: nvvm.mma.sync
// CHECK-NOT: fma.rn.bf16x2
// CHECK-COUNT-4: math.fma
tile.kernel @bytes(%x: !tile.buffer<bf16>, %w: !tile.buffer<i8>, %t: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<8x16xbf16, [16, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<1x16xbf16, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x16xbf16, [16, 1]> -> !tile.staged<8x16xbf16>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<4x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xbf16, [16, 1]> -> !tile.staged<1x16xbf16>
  %r = tile.scaled_mma %xs of bf16 by %ws of ui8 scales(%ts) into %init
    : (!tile.staged<8x16xbf16>, !tile.staged<4x64xi8>, !tile.staged<1x16xbf16>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}
