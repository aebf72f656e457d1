// RUN: kiln-opt --kiln-lower-tile --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Elements, numbers of rows and columns, ranges of them.

// Row 1, column 2, everywhere.
// CHECK-LABEL: llvm.func @one_element(
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
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[LOAD_3]][2] : f32 from vector<8xf32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[EXTRACT]] : f32 to vector<8xf32>
// CHECK-NEXT: llvm.store %[[BROADCAST]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @one_element(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x8xf32, [8, 1]> -> !tile.frag<2x8xf32>
  %a = tile.extract %f [1, 2] : !tile.frag<2x8xf32> -> f32
  %r = tile.fill %a : f32 -> !tile.frag<8xf32>
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// Columns are a constant vector, with the start added.
// CHECK-LABEL: llvm.func @count(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<1xi32>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[LOAD_3]][0] : i32 from vector<1xi32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[EXTRACT]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[BROADCAST]], %[[CST]] : vector<8xi32>
// CHECK-NEXT: llvm.store %[[ADDI]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT: llvm.store %[[ADDI]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @count(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1xi32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x8xi32, [8, 1]>
  %f = tile.load %v[%c0] : !tile.view<1xi32, [1]> -> !tile.frag<1xi32>
  %s = tile.extract %f [0] : !tile.frag<1xi32> -> i32
  %r = tile.iota %s axis 1 : i32 -> !tile.frag<2x8xi32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x8xi32>, !tile.view<2x8xi32, [8, 1]>
}

// Rows: one number per vector.
// CHECK-LABEL: llvm.func @count_rows(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<1xi32>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[LOAD_3]][0] : i32 from vector<1xi32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[EXTRACT]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant dense<0> : vector<8xi32>
// CHECK-NEXT: %[[ADDI:[^ ,:)]+]] = arith.addi %[[BROADCAST]], %[[CST]] : vector<8xi32>
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant dense<1> : vector<8xi32>
// CHECK-NEXT: %[[ADDI_2:[^ ,:)]+]] = arith.addi %[[BROADCAST]], %[[CST_0]] : vector<8xi32>
// CHECK-NEXT: llvm.store %[[ADDI]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT: llvm.store %[[ADDI_2]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @count_rows(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1xi32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x8xi32, [8, 1]>
  %f = tile.load %v[%c0] : !tile.view<1xi32, [1]> -> !tile.frag<1xi32>
  %s = tile.extract %f [0] : !tile.frag<1xi32> -> i32
  %r = tile.iota %s axis 0 : i32 -> !tile.frag<2x8xi32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x8xi32>, !tile.view<2x8xi32, [8, 1]>
}

// Column numbers are compared with the high end; at 0 there is nothing below the low one.
// CHECK-LABEL: llvm.func @range_of_columns(
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
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : index
// CHECK-NEXT: %[[MINSI:[^ ,:)]+]] = arith.minsi %[[INDEX_CAST]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[MAXSI:[^ ,:)]+]] = arith.maxsi %[[MINSI]], %[[CONSTANT_3]] : index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[MAXSI]] : index to i32
// CHECK-NEXT: %[[CST_0:[^ ,:)]+]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[INDEX_CAST_4]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi slt, %[[CST_0]], %[[BROADCAST_2]] : vector<8xi32>
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[CMPI]], %[[LOAD_4]], %[[BROADCAST]] : vector<8xi1>, vector<8xf32>
// CHECK-NEXT: llvm.store %[[SELECT]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @range_of_columns(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %p = arith.constant 1.0 : f32
  %r = tile.select_range %f in [%c0, %n) else %p : f32 axis 0 : !tile.frag<8xf32>
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// Of row numbers: one comparison per row.
// CHECK-LABEL: llvm.func @range_of_rows(
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
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi sge, %[[CONSTANT_2]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CMPI_2:[^ ,:)]+]] = arith.cmpi slt, %[[CONSTANT_2]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[CMPI]], %[[CMPI_2]] : i1
// CHECK-NEXT: %[[SELECT:[^ ,:)]+]] = arith.select %[[ANDI]], %[[LOAD_4]], %[[BROADCAST]] : vector<8xf32>
// CHECK-NEXT: %[[CMPI_3:[^ ,:)]+]] = arith.cmpi sge, %[[CONSTANT]], %[[CONSTANT_2]] : index
// CHECK-NEXT: %[[CMPI_4:[^ ,:)]+]] = arith.cmpi slt, %[[CONSTANT]], %[[INDEX_CAST]] : index
// CHECK-NEXT: %[[ANDI_2:[^ ,:)]+]] = arith.andi %[[CMPI_3]], %[[CMPI_4]] : i1
// CHECK-NEXT: %[[SELECT_2:[^ ,:)]+]] = arith.select %[[ANDI_2]], %[[LOAD_5]], %[[BROADCAST]] : vector<8xf32>
// CHECK-NEXT: llvm.store %[[SELECT]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[SELECT_2]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @range_of_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x8xf32, [8, 1]> -> !tile.frag<2x8xf32>
  %p = arith.constant 1.0 : f32
  %r = tile.select_range %f in [%c0, %n) else %p : f32 axis 0 : !tile.frag<2x8xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x8xf32>, !tile.view<2x8xf32, [8, 1]>
}
