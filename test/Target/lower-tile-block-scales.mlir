// RUN: kiln-opt --split-input-file --kiln-assign-layouts=target=sm_120a --kiln-pipeline-copies=target=sm_120a --kiln-allocate-shared=target=sm_120a --kiln-insert-barriers=target=sm_120a --kiln-lower-tile-to-nvvm=target=sm_120a --canonicalize --cse %s | FileCheck %s
// RUN: kiln-opt --split-input-file --kiln-assign-layouts=target=sm_120 --kiln-pipeline-copies=target=sm_120 --kiln-allocate-shared=target=sm_120 --kiln-insert-barriers=target=sm_120 --kiln-lower-tile-to-nvvm=target=sm_120 --canonicalize --cse %s | FileCheck %s --check-prefix=WIDENED
// Products of f8E4M3FN on both sides, or by codes of f4E2M1FN, where mma.sync takes scales: only those that are powers of two,
// of whole instructions.

// The scales of two columns in the bytes of a word, 1 of rows; the accumulators of earlier blocks go through the instructions.
// CHECK-LABEL: llvm.func @scales
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 0 : i16
// CHECK-DAG: %[[SECOND:.*]] = arith.constant 1 : i16
// CHECK-DAG: %[[ONE:.*]] = arith.constant 2139062143 : i32
// CHECK-DAG: %[[INIT:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[PAIR:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> i16
// CHECK: %[[SCALES:.*]] = arith.extui %[[PAIR]] : i16 to i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0"({{.*}}, %[[INIT]], {{.*}}, %[[ONE]], %[[FIRST]], %[[FIRST]], %[[SCALES]], %[[FIRST]], %[[FIRST]])
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0"({{.*}}, %[[INIT]], {{.*}}, %[[ONE]], %[[FIRST]], %[[FIRST]], %[[SCALES]], %[[SECOND]], %[[FIRST]])
// CHECK-NOT: math.fma
// CHECK-NOT: arith.addf
// WIDENED-LABEL: llvm.func @scales
// WIDENED-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// WIDENED-COUNT-4: math.fma
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

// -----

// One scale for two instructions.
// CHECK-LABEL: llvm.func @long
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e4m3.f32.ue8m0"
// CHECK-NOT: math.fma
// WIDENED-LABEL: llvm.func @long
tile.kernel @long(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<16x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<16x64xi8, [64, 1]> -> !tile.staged<16x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f8E4M3FN scales(%ts) into %init {scale_type = f8E8M0FNU}
    : (!tile.staged<8x64xi8>, !tile.staged<16x64xi8>, !tile.staged<1x16xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// Scales of f32 multiply the sum of a block.
// CHECK-LABEL: llvm.func @floats
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// CHECK-NOT: llvm.call_intrinsic
// CHECK-COUNT-4: math.fma
// WIDENED-LABEL: llvm.func @floats
tile.kernel @floats(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x32xi8, [32, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x16xf32, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x32xi8, [32, 1]> -> !tile.staged<8x32xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<8x64xi8, [64, 1]> -> !tile.staged<8x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xf32, [16, 1]> -> !tile.staged<1x16xf32>
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f8E4M3FN scales(%ts) into %init
    : (!tile.staged<8x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xf32>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// So do those of f8E4M3FN.
// CHECK-LABEL: llvm.func @float8
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// CHECK-NOT: llvm.call_intrinsic
// CHECK-COUNT-4: math.fma
// WIDENED-LABEL: llvm.func @float8
tile.kernel @float8(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
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
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f8E4M3FN scales(%ts) into %init {scale_type = f8E4M3FN}
    : (!tile.staged<8x32xi8>, !tile.staged<8x64xi8>, !tile.staged<1x16xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// A block of 48 steps is no number of whole instructions.
// CHECK-LABEL: llvm.func @odd
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// CHECK-NOT: llvm.call_intrinsic
// CHECK-COUNT-4: math.fma
// WIDENED-LABEL: llvm.func @odd
tile.kernel @odd(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x48xi8, [48, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<12x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x48xi8, [48, 1]> -> !tile.staged<8x48xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<12x64xi8, [64, 1]> -> !tile.staged<12x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f8E4M3FN scales(%ts) into %init {scale_type = f8E8M0FNU}
    : (!tile.staged<8x48xi8>, !tile.staged<12x64xi8>, !tile.staged<1x16xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// Codes of f4E2M1FN go to the middle of bytes; 2 of rows, as they stand for twice their numbers. Elsewhere tables make them f8E4M3FN.
// CHECK-LABEL: llvm.func @codes
// CHECK-DAG: %[[TWO:.*]] = arith.constant -2139062144 : i32
// CHECK-DAG: %[[HALVES:.*]] = arith.constant 252645135 : i32
// CHECK-DAG: %[[MIDDLES:.*]] = arith.constant 1010580540 : i32
// CHECK: arith.andi %{{.*}}, %[[HALVES]] : i32
// CHECK: arith.andi %{{.*}}, %[[MIDDLES]] : i32
// CHECK-NOT: llvm.nvvm.prmt
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e2m1.f32.ue8m0"({{.*}}, %[[TWO]], {{.*}})
// CHECK-NOT: math.fma
// WIDENED-LABEL: llvm.func @codes
// The magnitudes 0, 1, 2, 3 and 4, 6, 8, 12 in f8E4M3FN.
// WIDENED-DAG: arith.constant 1145059328 : i32
// WIDENED-DAG: arith.constant 1414548552 : i32
// WIDENED-COUNT-8: llvm.call_intrinsic "llvm.nvvm.prmt"
// WIDENED-NOT: llvm.nvvm.prmt
// WIDENED-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// WIDENED-COUNT-4: math.fma
tile.kernel @codes(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x32xi8, [32, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x32xi8, [32, 1]> -> !tile.staged<8x32xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<4x64xi8, [64, 1]> -> !tile.staged<4x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f4E2M1FN scales(%ts) into %init {scale_type = f8E8M0FNU}
    : (!tile.staged<8x32xi8>, !tile.staged<4x64xi8>, !tile.staged<1x16xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}

// -----

// Of blocks of 16 steps a lane has half a word.
// CHECK-LABEL: llvm.func @short
// CHECK: arith.select
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
// CHECK-NOT: llvm.call_intrinsic
// CHECK-COUNT-4: math.fma
// WIDENED-LABEL: llvm.func @short
tile.kernel @short(%x: !tile.buffer<i8>, %w: !tile.buffer<i8>, %t: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%task)
    attributes {symbols = [], hero = "matmul", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 1.0 : f32
  %X = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x16xi8, [16, 1]>
  %W = tile.view %w offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x64xi8, [64, 1]>
  %T = tile.view %t offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x16xi8, [16, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x16xf32, [16, 1]>
  %init = tile.fill %zero : f32 -> !tile.frag<8x16xf32>
  %xs = tile.stage %X[%c0, %c0] : !tile.view<8x16xi8, [16, 1]> -> !tile.staged<8x16xi8>
  %ws = tile.stage %W[%c0, %c0] : !tile.view<2x64xi8, [64, 1]> -> !tile.staged<2x64xi8>
  %ts = tile.stage %T[%c0, %c0] : !tile.view<1x16xi8, [16, 1]> -> !tile.staged<1x16xi8>
  %r = tile.scaled_mma %xs of f8E4M3FN by %ws of f4E2M1FN scales(%ts) into %init {scale_type = f8E4M3FN}
    : (!tile.staged<8x16xi8>, !tile.staged<2x64xi8>, !tile.staged<1x16xi8>, !tile.frag<8x16xf32>) -> !tile.frag<8x16xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<8x16xf32>, !tile.view<8x16xf32, [16, 1]>
}
