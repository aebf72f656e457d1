// RUN: kiln-opt --kiln-lower-tile --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Products on the host: chains of multiply-adds.

// A loop over K: a vector of the right operand, an element of the left one for every row.
// CHECK-LABEL: llvm.func @f32(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]]:2 = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_3]] to %[[CONSTANT_2]] step %[[CONSTANT]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[BROADCAST]], %[[FOR_4:[^ ,:)]+]] = %[[BROADCAST]]) -> (vector<8xf32>, vector<8xf32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[FOR_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[LOAD_5]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[BROADCAST_2]], %[[LOAD_4]], %[[FOR_3]] : vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_5]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_6]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[BROADCAST_3:[^ ,:)]+]] = vector.broadcast %[[LOAD_6]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[FMA_2:[^ ,:)]+]] = math.fma %[[BROADCAST_3]], %[[LOAD_4]], %[[FOR_4]] : vector<8xf32>
// CHECK-NEXT: scf.yield %[[FMA]], %[[FMA_2]] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.store %[[FOR]]#0, %[[LOAD_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_7:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_3]][%[[CONSTANT_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[FOR]]#1, %[[GETELEMENTPTR_7]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @f32(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x8xf32, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<2x8xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<2x8xf32, [8, 1]> -> !tile.staged<2x8xf32>
  %q = tile.stage %u[%c0, %c0] : !tile.view<8x8xf32, [8, 1]> -> !tile.staged<8x8xf32>
  %r = tile.mma %l, %q, %s : !tile.staged<2x8xf32>, !tile.staged<8x8xf32>, !tile.frag<2x8xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x8xf32>, !tile.view<2x8xf32, [8, 1]>
}

// K of the launch.
// CHECK-LABEL: llvm.func @f32_any_k(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[ARG_2]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD_4]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST_2]] to %[[INDEX_CAST_3]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_3]] to %[[INDEX_CAST]] step %[[CONSTANT]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[BROADCAST]]) -> (vector<8xf32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[FOR_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[LOAD_6]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[BROADCAST_2]], %[[LOAD_5]], %[[FOR_3]] : vector<8xf32>
// CHECK-NEXT: scf.yield %[[FMA]] : vector<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.store %[[FOR]], %[[LOAD_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @f32_any_k(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x64xf32, [64, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x8xf32, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x8xf32, [8, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<1x8xf32>
  %l = tile.stage %v[%c0, %c0] sizes(%n) : !tile.view<1x64xf32, [64, 1]> -> !tile.staged<1x?xf32>
  %q = tile.stage %u[%c0, %c0] sizes(%n) : !tile.view<64x8xf32, [8, 1]> -> !tile.staged<?x8xf32>
  %r = tile.mma %l, %q, %s : !tile.staged<1x?xf32>, !tile.staged<?x8xf32>, !tile.frag<1x8xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<1x8xf32>, !tile.view<1x8xf32, [8, 1]>
}

// f16: both are widened in the loop.
// CHECK-LABEL: llvm.func @f16(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]]:2 = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_3]] to %[[CONSTANT_2]] step %[[CONSTANT]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[BROADCAST]], %[[FOR_4:[^ ,:)]+]] = %[[BROADCAST]]) -> (vector<8xf32>, vector<8xf32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 2 : i64} : !llvm.ptr -> vector<8xf16>
// CHECK-NEXT: %[[EXTF:[^ ,:)]+]] = arith.extf %[[LOAD_4]] : vector<8xf16> to vector<8xf32>
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[FOR_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 2 : i64} : !llvm.ptr -> f16
// CHECK-NEXT: %[[EXTF_2:[^ ,:)]+]] = arith.extf %[[LOAD_5]] : f16 to f32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[EXTF_2]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[BROADCAST_2]], %[[EXTF]], %[[FOR_3]] : vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[GETELEMENTPTR_5]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_6]] {alignment = 2 : i64} : !llvm.ptr -> f16
// CHECK-NEXT: %[[EXTF_3:[^ ,:)]+]] = arith.extf %[[LOAD_6]] : f16 to f32
// CHECK-NEXT: %[[BROADCAST_3:[^ ,:)]+]] = vector.broadcast %[[EXTF_3]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[FMA_2:[^ ,:)]+]] = math.fma %[[BROADCAST_3]], %[[EXTF]], %[[FOR_4]] : vector<8xf32>
// CHECK-NEXT: scf.yield %[[FMA]], %[[FMA_2]] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.store %[[FOR]]#0, %[[LOAD_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_7:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_3]][%[[CONSTANT_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[FOR]]#1, %[[GETELEMENTPTR_7]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @f16(%x: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2x8xf16, [8, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<8x8xf16, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<2x8xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<2x8xf16, [8, 1]> -> !tile.staged<2x8xf16>
  %q = tile.stage %u[%c0, %c0] : !tile.view<8x8xf16, [8, 1]> -> !tile.staged<8x8xf16>
  %r = tile.mma %l, %q, %s : !tile.staged<2x8xf16>, !tile.staged<8x8xf16>, !tile.frag<2x8xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x8xf32>, !tile.view<2x8xf32, [8, 1]>
}

// Bytes with a sign, into words.
// CHECK-LABEL: llvm.func @bytes(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CONSTANT_3]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_2]] step %[[CONSTANT]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[BROADCAST]]) -> (vector<8xi32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK-NEXT: %[[EXTSI:[^ ,:)]+]] = arith.extsi %[[LOAD_4]] : vector<8xi8> to vector<8xi32>
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[FOR_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK-NEXT: %[[EXTSI_2:[^ ,:)]+]] = arith.extsi %[[LOAD_5]] : i8 to i32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[EXTSI_2]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[BROADCAST_2]], %[[EXTSI]] : vector<8xi32>
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_3]] : vector<8xi32>
// CHECK-NEXT: scf.yield %[[ADDI]] : vector<8xi32>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.store %[[FOR]], %[[LOAD_3]] {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @bytes(%x: !tile.buffer<i8>, %b: !tile.buffer<i8>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x8xi8, [8, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x8xi8, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x8xi32, [8, 1]>
  %z = arith.constant 0 : i32
  %s = tile.fill %z : i32 -> !tile.frag<1x8xi32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x8xi8, [8, 1]> -> !tile.staged<1x8xi8>
  %q = tile.stage %u[%c0, %c0] : !tile.view<8x8xi8, [8, 1]> -> !tile.staged<8x8xi8>
  %r = tile.mma %l, %q, %s : !tile.staged<1x8xi8>, !tile.staged<8x8xi8>, !tile.frag<1x8xi32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<1x8xi32>, !tile.view<1x8xi32, [8, 1]>
}

// The left one without.
// CHECK-LABEL: llvm.func @unsigned_bytes(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CONSTANT_3]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[FOR:[^ ,:)]+]] = scf.for %[[FOR_2:[^ ,:)]+]] = %[[CONSTANT_4]] to %[[CONSTANT_2]] step %[[CONSTANT]] iter_args(%[[FOR_3:[^ ,:)]+]] = %[[BROADCAST]]) -> (vector<8xi32>) {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[FOR_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[INDEX_CAST_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK-NEXT: %[[EXTSI:[^ ,:)]+]] = arith.extsi %[[LOAD_4]] : vector<8xi8> to vector<8xi32>
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[FOR_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK-NEXT: %[[EXTUI:[^ ,:)]+]] = arith.extui %[[LOAD_5]] : i8 to i32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[EXTUI]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[BROADCAST_2]], %[[EXTSI]] : vector<8xi32>
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[MULI_2]], %[[FOR_3]] : vector<8xi32>
// CHECK-NEXT: scf.yield %[[ADDI]] : vector<8xi32>
// CHECK-NEXT: }
// CHECK-NEXT: llvm.store %[[FOR]], %[[LOAD_3]] {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @unsigned_bytes(%x: !tile.buffer<i8>, %b: !tile.buffer<i8>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x8xi8, [8, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x8xi8, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x8xi32, [8, 1]>
  %z = arith.constant 0 : i32
  %s = tile.fill %z : i32 -> !tile.frag<1x8xi32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x8xi8, [8, 1]> -> !tile.staged<1x8xi8>
  %q = tile.stage %u[%c0, %c0] : !tile.view<8x8xi8, [8, 1]> -> !tile.staged<8x8xi8>
  %r = tile.mma %l, %q, %s {lhs_unsigned} : !tile.staged<1x8xi8>, !tile.staged<8x8xi8>, !tile.frag<1x8xi32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<1x8xi32>, !tile.view<1x8xi32, [8, 1]>
}
