// RUN: kiln-opt --kiln-lower-tile --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Loads, stores and scratch on the host.

// A ragged end: a masked load with the pad in what is not read.
// CHECK-LABEL: llvm.func @masked(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[ARG_2]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST_2]] to %[[INDEX_CAST_3]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[INDEX_CAST]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[SUBI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[MINSI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[MAXSI]] : index to i32
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[INDEX_CAST_4]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[CST_0]], %[[BROADCAST]] : vector<8xi32>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[INTR:[^ ,:)]+]] = llvm.intr.masked.load %[[LOAD]], %[[CMPI]], %[[BROADCAST_2]] {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: llvm.store %[[INTR]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @masked(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %f = tile.load %v[%c0] pad %p : f32 masked [0] : !tile.view<?xf32, [1]> -> !tile.frag<8xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// Rows behind the end: whole rows are left out, and their address is the first row, which
// exists, instead of a page that nothing may have touched.
// CHECK-LABEL: llvm.func @masked_rows(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[ARG_2]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST_2]] to %[[INDEX_CAST_3]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[INDEX_CAST]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[CONSTANT_2]], %[[SUBI]] : index
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI]], %[[CONSTANT_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = arith.select %[[CMPI]], %[[CONSTANT_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[SELECT]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[MINSI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[MAXSI]] : index to i32
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[INDEX_CAST_4]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CMPI_2:[^ ,:)]+]] = arith.cmpi slt, %[[CST_0]], %[[BROADCAST]] : vector<8xi32>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[SELECT_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[INTR:[^ ,:)]+]] = llvm.intr.masked.load %[[GETELEMENTPTR_2]], %[[CMPI_2]], %[[BROADCAST_2]] {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: %[[CMPI_3:[^ ,:)]+]] = arith.cmpi slt, %[[CONSTANT]], %[[SUBI]] : index
// CHECK-NEXT: %[[SELECT_3:[^ ,:)]+]] = arith.select %[[CMPI_3]], %[[CONSTANT_3]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[MINSI_2:[^ ,:)]+]] = arith.minsi %[[SELECT_3]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[MAXSI_2:[^ ,:)]+]] = arith.maxsi %[[MINSI_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_6:[^ ,:)]+]] = arith.index_cast %[[MAXSI_2]] : index to i32
// CHECK-NEXT: %[[BROADCAST_3:[^ ,:)]+]] = vector.broadcast %[[INDEX_CAST_6]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CMPI_4:[^ ,:)]+]] = arith.cmpi slt, %[[CST_0]], %[[BROADCAST_3]] : vector<8xi32>
// CHECK-NEXT: %[[INDEX_CAST_7:[^ ,:)]+]] = arith.index_cast %[[SELECT_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_7]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[INTR_2:[^ ,:)]+]] = llvm.intr.masked.load %[[GETELEMENTPTR_3]], %[[CMPI_4]], %[[BROADCAST_2]] {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: llvm.store %[[INTR]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[INTR_2]], %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @masked_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?x8xf32, [8, 1]>
  %f = tile.load %v[%c0, %c0] pad %p : f32 masked [0] : !tile.view<?x8xf32, [8, 1]> -> !tile.frag<2x8xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<2x8xf32>, !tile.view<2x8xf32, [8, 1]>
}

// Stores.
// CHECK-LABEL: llvm.func @store_masked(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[ARG_2]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST_2]] to %[[INDEX_CAST_3]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[INDEX_CAST]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[SUBI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[MINSI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[MAXSI]] : index to i32
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[INDEX_CAST_4]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[CST]], %[[BROADCAST]] : vector<8xi32>
// CHECK-NEXT: llvm.intr.masked.store %[[LOAD_4]], %[[LOAD_2]], %[[CMPI]] {alignment = 4 : i32} : vector<8xf32>, vector<8xi1> into !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @store_masked(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %w = tile.view %y offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  tile.store %f, %w[%c0] masked [0] : !tile.frag<8xf32>, !tile.view<?xf32, [1]>
}

// In front of the view as well: two ends.
// CHECK-LABEL: llvm.func @masked_before(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[ARG_2]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST_2]] to %[[INDEX_CAST_3]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[C_3:[^ ,:)]+]] = arith.constant -3 : index
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[SUBI:[^ ,:)]+]] = arith.subi %[[INDEX_CAST]], %[[C_3]] : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[SUBI_2:[^ ,:)]+]] = arith.subi %[[CONSTANT_2]], %[[C_3]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[SUBI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[MINSI]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[MAXSI]] : index to i32
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[INDEX_CAST_4]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[CST_0]], %[[BROADCAST]] : vector<8xi32>
// CHECK-NEXT: %[[CST_1:[^ ,:)]+]] = arith.constant dense<false> : vector<8xi1>
// CHECK-NEXT: %[[MINSI_2:[^ ,:)]+]] = arith.minsi %[[SUBI_2]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[MAXSI_2:[^ ,:)]+]] = arith.maxsi %[[MINSI_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[MAXSI_2]] : index to i32
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[INDEX_CAST_5]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CMPI_2:[^ ,:)]+]] = arith.cmpi slt, %[[CST_0]], %[[BROADCAST_2]] : vector<8xi32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI_2]], %[[CST_1]], %[[CMPI]] : vector<8xi1>, vector<8xi1>
// CHECK-NEXT: %[[BROADCAST_3:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[C_3_I64:[^ ,:)]+]] = arith.constant -3 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[C_3_I64]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[INTR:[^ ,:)]+]] = llvm.intr.masked.load %[[GETELEMENTPTR_2]], %[[SELECT]], %[[BROADCAST_3]] {alignment = 4 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: llvm.store %[[INTR]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @masked_before(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %m = arith.constant -3 : index
  %p = arith.constant 0.0 : f32
  %v = tile.view %x offset %c0 sizes(%n) strides() : !tile.buffer<f32> -> !tile.view<?xf32, [1]>
  %f = tile.load %v[%m] pad %p : f32 masked [0] before : !tile.view<?xf32, [1]> -> !tile.frag<8xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// Every other element: halves of two loads. The second one ends with the last element, not behind it.
// CHECK-LABEL: llvm.func @strided(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_3]] [0, 2, 4, 6, -1, -1, -1, -1] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 7 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[SHUFFLE_2:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE]], %[[LOAD_4]] [0, 1, 2, 3, 9, 11, 13, 15] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT: llvm.store %[[SHUFFLE_2]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @strided(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [2]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [2]> -> !tile.frag<8xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// A stride of 0: one element for all.
// CHECK-LABEL: llvm.func @repeated(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[LOAD_3]] : f32 to vector<8xf32>
// CHECK-NEXT: llvm.store %[[BROADCAST]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @repeated(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [0]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [0]> -> !tile.frag<8xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// A stride of the launch.
// CHECK-LABEL: llvm.func @any_stride(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[ARG_2]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST_2]] to %[[INDEX_CAST_3]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 2 : index
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[CONSTANT_2]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[MULI]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 3 : index
// CHECK-NEXT: %[[MULI_2:[^ ,:)]+]] = arith.muli %[[CONSTANT_3]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[INDEX_CAST_6:[^ ,:)]+]] = arith.index_cast %[[MULI_2]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_6]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_7:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[FROM_ELEMENTS:[^ ,:)]+]] = vector.from_elements %[[LOAD_4]], %[[LOAD_5]], %[[LOAD_6]], %[[LOAD_7]] : vector<4xf32>
// CHECK-NEXT: llvm.store %[[FROM_ELEMENTS]], %[[LOAD_2]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @any_stride(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides(%n) : !tile.buffer<f32> -> !tile.view<4xf32, [?]>
  %f = tile.load %v[%c0] : !tile.view<4xf32, [?]> -> !tile.frag<4xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
}

// One element.
// CHECK-LABEL: llvm.func @scalar(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 3 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: llvm.store %[[LOAD_3]], %[[LOAD_2]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @scalar(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c3] : !tile.view<8xf32, [1]> -> f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.store %f, %w[%c0] : f32, !tile.view<8xf32, [1]>
}

// Scratch begins at the last argument.
// CHECK-LABEL: llvm.func @scratch(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST]] to %[[INDEX_CAST_2]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 64 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[ARG_5]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: llvm.store %[[LOAD_2]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @scratch(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (96)>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %s = tile.scratch %c64 : !tile.buffer<f32>
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %a = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.store %f, %a[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}
