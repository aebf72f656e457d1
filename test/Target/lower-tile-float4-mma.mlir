// RUN: kiln-opt --split-input-file --kiln-assign-layouts=target=sm_120a --kiln-pipeline-copies=target=sm_120a --kiln-allocate-shared=target=sm_120a --kiln-insert-barriers=target=sm_120a --kiln-lower-tile-to-nvvm=target=sm_120a --canonicalize --cse %s | FileCheck %s
// RUN: not kiln-opt --split-input-file --kiln-assign-layouts=target=sm_120 --kiln-pipeline-copies=target=sm_120 --kiln-allocate-shared=target=sm_120 --kiln-insert-barriers=target=sm_120 --kiln-lower-tile-to-nvvm=target=sm_120 %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// Products of f4E2M1FN on both sides by mma.sync with block scales, and what other GPUs say.

// Four scales of f8E4M3FN in a register, from even lanes for the first tile of columns and from odd ones for the second; the second
// word of eight activations is shifted beside the first one. Eight rows are half of an instruction.
// CHECK-LABEL: llvm.func @nvfp4
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 0 : i16
// CHECK-DAG: %[[SECOND:.*]] = arith.constant 1 : i16
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[INIT:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[COLUMNS:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: arith.shli
// CHECK: %[[A:.*]] = arith.ori
// CHECK: arith.shli
// CHECK: %[[B:.*]] = arith.ori
// CHECK: %[[ROWS:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3"(%[[A]], %[[ZERO]], %[[B]], %[[ZERO]], %{{.*}}, %{{.*}}, %[[INIT]], %[[INIT]], %[[NONE]], %[[NONE]], %[[ROWS]], %[[FIRST]], %[[FIRST]], %[[COLUMNS]], %[[FIRST]], %[[FIRST]])
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3"({{.*}}, %[[ROWS]], %[[FIRST]], %[[FIRST]], %[[COLUMNS]], %[[FIRST]], %[[SECOND]])
// CHECK-NOT: llvm.call_intrinsic
// CHECK-NOT: math.fma
// REFUSED: a product of f4E2M1FN with scales in bytes, which only sm_120a multiplies
tile.kernel @nvfp4(%x: !tile.buffer<i8>, %s: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %S = tile.view %s offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x4xi8, [4, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x64xi8, [64, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %ss = tile.stage %S[%c0, %c0] : !tile.view<8x4xi8, [4, 1]> -> !tile.staged<8x4xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x64xi8, [64, 1]> -> !tile.staged<1x64xi8>
  %r = tile.scaled_mma %xs of f4E2M1FN scales(%ss) by %ws of f4E2M1FN scales(%ts) into %init {scale_type = f8E4M3FN}
    : (!tile.staged<8x64xi8>, !tile.staged<8x4xi8>, !tile.staged<8x64xi8>, !tile.staged<1x64xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// Two powers of two are 16 bits; odd lanes have the scales of the lower rows of each tile.
// CHECK-LABEL: llvm.func @mxfp4
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: arith.select
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0"
// CHECK: arith.select
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0"
// CHECK-NOT: llvm.call_intrinsic
tile.kernel @mxfp4(%x: !tile.buffer<i8>, %s: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<32x64xi8, [64, 1]>
  %S = tile.view %s offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<32x2xi8, [2, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x32xi8, [32, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<32x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<32x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<32x64xi8, [64, 1]> -> !tile.staged<32x64xi8>
  %ss = tile.stage %S[%c0, %c0] : !tile.view<32x2xi8, [2, 1]> -> !tile.staged<32x2xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x32xi8, [32, 1]> -> !tile.staged<1x32xi8>
  %r = tile.scaled_mma %xs of f4E2M1FN scales(%ss) by %ws of f4E2M1FN scales(%ts) into %init {scale_type = f8E8M0FNU}
    : (!tile.staged<32x64xi8>, !tile.staged<32x2xi8>, !tile.staged<8x64xi8>, !tile.staged<1x32xi8>, !tile.frag<32x16xf32>) -> !tile.frag<32x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<32x16xf32>, !tile.view<32x16xf32, [16, 1]>
}
