// RUN: kiln-opt --kiln-lower-tile --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Fragments on the host are vectors, one per row: what each op becomes.

// Halves of the vector, then quarters: the tree of the description.
// CHECK-LABEL: llvm.func @sum_of_row(
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
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_3]] [0, 1, 2, 3] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT: %[[SHUFFLE_2:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_3]] [4, 5, 6, 7] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[SHUFFLE]], %[[SHUFFLE_2]] : vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_3:[^ ,:)]+]] = vector.shuffle %[[ADDF]], %[[ADDF]] [0, 1] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_4:[^ ,:)]+]] = vector.shuffle %[[ADDF]], %[[ADDF]] [2, 3] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[SHUFFLE_3]], %[[SHUFFLE_4]] : vector<2xf32>
// CHECK-NEXT: %[[SHUFFLE_5:[^ ,:)]+]] = vector.shuffle %[[ADDF_2]], %[[ADDF_2]] [0] : vector<2xf32>, vector<2xf32>
// CHECK-NEXT: %[[SHUFFLE_6:[^ ,:)]+]] = vector.shuffle %[[ADDF_2]], %[[ADDF_2]] [1] : vector<2xf32>, vector<2xf32>
// CHECK-NEXT: %[[ADDF_3:[^ ,:)]+]] = arith.addf %[[SHUFFLE_5]], %[[SHUFFLE_6]] : vector<1xf32>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[ADDF_3]][0] : f32 from vector<1xf32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[EXTRACT]] : f32 to vector<1xf32>
// CHECK-NEXT: llvm.store %[[BROADCAST]], %[[LOAD_2]] {alignment = 4 : i64} : vector<1xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @sum_of_row(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<8xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Five elements: the fifth is added to the first, nothing to the others.
// CHECK-LABEL: llvm.func @sum_of_five(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<5xf32>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_3]] [0, 1, 2, 3] : vector<5xf32>, vector<5xf32>
// CHECK-NEXT: %[[SHUFFLE_2:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_3]] [4, 1, 2, 3] : vector<5xf32>, vector<5xf32>
// CHECK-NEXT: %[[ADDF:[^ ,:)]+]] = arith.addf %[[SHUFFLE]], %[[SHUFFLE_2]] : vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_3:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE]], %[[ADDF]] [4, 1, 2, 3] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_4:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_3]], %[[SHUFFLE_3]] [0, 1] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_5:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_3]], %[[SHUFFLE_3]] [2, 3] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[ADDF_2:[^ ,:)]+]] = arith.addf %[[SHUFFLE_4]], %[[SHUFFLE_5]] : vector<2xf32>
// CHECK-NEXT: %[[SHUFFLE_6:[^ ,:)]+]] = vector.shuffle %[[ADDF_2]], %[[ADDF_2]] [0] : vector<2xf32>, vector<2xf32>
// CHECK-NEXT: %[[SHUFFLE_7:[^ ,:)]+]] = vector.shuffle %[[ADDF_2]], %[[ADDF_2]] [1] : vector<2xf32>, vector<2xf32>
// CHECK-NEXT: %[[ADDF_3:[^ ,:)]+]] = arith.addf %[[SHUFFLE_6]], %[[SHUFFLE_7]] : vector<1xf32>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[ADDF_3]][0] : f32 from vector<1xf32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[EXTRACT]] : f32 to vector<1xf32>
// CHECK-NEXT: llvm.store %[[BROADCAST]], %[[LOAD_2]] {alignment = 4 : i64} : vector<1xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @sum_of_five(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<5xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<5xf32, [1]> -> !tile.frag<5xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<5xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Across three rows: whole vectors, rows 0 and 2 first.
// CHECK-LABEL: llvm.func @max_of_columns(
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
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 16 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: %[[MAXIMUMF:[^ ,:)]+]] = arith.maximumf %[[LOAD_3]], %[[LOAD_5]] : vector<8xf32>
// CHECK-NEXT: %[[MAXIMUMF_2:[^ ,:)]+]] = arith.maximumf %[[MAXIMUMF]], %[[LOAD_4]] : vector<8xf32>
// CHECK-NEXT: llvm.store %[[MAXIMUMF_2]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @max_of_columns(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x8xf32, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<3x8xf32, [8, 1]> -> !tile.frag<3x8xf32>
  %r = tile.reduce max %f axis 0 : !tile.frag<3x8xf32> -> !tile.frag<8xf32>
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// The unsigned kind has an op of its own.
// CHECK-LABEL: llvm.func @unsigned_min(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 1 : i64} : !llvm.ptr -> vector<16xi8>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 16 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 1 : i64} : !llvm.ptr -> vector<16xi8>
// CHECK-NEXT: %[[MINUI:[^ ,:)]+]] = arith.minui %[[LOAD_3]], %[[LOAD_4]] : vector<16xi8>
// CHECK-NEXT: llvm.store %[[MINUI]], %[[LOAD_2]] {alignment = 1 : i64} : vector<16xi8>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @unsigned_min(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x16xi8, [16, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<16xi8, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x16xi8, [16, 1]> -> !tile.frag<2x16xi8>
  %r = tile.reduce umin %f axis 0 : !tile.frag<2x16xi8> -> !tile.frag<16xi8>
  tile.store %r, %w[%c0] : !tile.frag<16xi8>, !tile.view<16xi8, [1]>
}

// Booleans in bytes.
// CHECK-LABEL: llvm.func @and_of_bytes(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 1 : i64} : !llvm.ptr -> vector<4xi8>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_3]] [0, 1] : vector<4xi8>, vector<4xi8>
// CHECK-NEXT: %[[SHUFFLE_2:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_3]] [2, 3] : vector<4xi8>, vector<4xi8>
// CHECK-NEXT: %[[ANDI:[^ ,:)]+]] = arith.andi %[[SHUFFLE]], %[[SHUFFLE_2]] : vector<2xi8>
// CHECK-NEXT: %[[SHUFFLE_3:[^ ,:)]+]] = vector.shuffle %[[ANDI]], %[[ANDI]] [0] : vector<2xi8>, vector<2xi8>
// CHECK-NEXT: %[[SHUFFLE_4:[^ ,:)]+]] = vector.shuffle %[[ANDI]], %[[ANDI]] [1] : vector<2xi8>, vector<2xi8>
// CHECK-NEXT: %[[ANDI_2:[^ ,:)]+]] = arith.andi %[[SHUFFLE_3]], %[[SHUFFLE_4]] : vector<1xi8>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[ANDI_2]][0] : i8 from vector<1xi8>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[EXTRACT]] : i8 to vector<1xi8>
// CHECK-NEXT: llvm.store %[[BROADCAST]], %[[LOAD_2]] {alignment = 1 : i64} : vector<1xi8>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @and_of_bytes(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4xi8, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1xi8, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xi8, [1]> -> !tile.frag<4xi8>
  %s = tile.reduce and %f axis 0 : !tile.frag<4xi8> -> i8
  %r = tile.fill %s : i8 -> !tile.frag<1xi8>
  tile.store %r, %w[%c0] : !tile.frag<1xi8>, !tile.view<1xi8, [1]>
}

// A row for every row: the same vector three times.
// CHECK-LABEL: llvm.func @repeat_row(
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
// CHECK-NEXT: llvm.store %[[LOAD_3]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[LOAD_3]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 16 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[LOAD_3]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @repeat_row(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x8xf32, [8, 1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %r = tile.broadcast %f axis 0 : !tile.frag<8xf32> -> !tile.frag<3x8xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<3x8xf32>, !tile.view<3x8xf32, [8, 1]>
}

// A number for every row: each is spread over a vector of its own.
// CHECK-LABEL: llvm.func @repeat_column(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<3xf32>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[LOAD_3]][0] : f32 from vector<3xf32>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[EXTRACT]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = vector.extract %[[LOAD_3]][1] : f32 from vector<3xf32>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[EXTRACT_2]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[EXTRACT_3:[^ ,:)]+]] = vector.extract %[[LOAD_3]][2] : f32 from vector<3xf32>
// CHECK-NEXT: %[[BROADCAST_3:[^ ,:)]+]] = vector.broadcast %[[EXTRACT_3]] : f32 to vector<8xf32>
// CHECK-NEXT: llvm.store %[[BROADCAST]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[BROADCAST_2]], %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 16 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[BROADCAST_3]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @repeat_column(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x8xf32, [8, 1]>
  %f = tile.load %v[%c0] : !tile.view<3xf32, [1]> -> !tile.frag<3xf32>
  %r = tile.broadcast %f axis 1 : !tile.frag<3xf32> -> !tile.frag<3x8xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<3x8xf32>, !tile.view<3x8xf32, [8, 1]>
}

// 4x4: two rounds of shuffles.
// CHECK-LABEL: llvm.func @square(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 4 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 12 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_5]] [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_2:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_5]] [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_3:[^ ,:)]+]] = vector.shuffle %[[LOAD_4]], %[[LOAD_6]] [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_4:[^ ,:)]+]] = vector.shuffle %[[LOAD_4]], %[[LOAD_6]] [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_5:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE]], %[[SHUFFLE_3]] [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_6:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE]], %[[SHUFFLE_3]] [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_7:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_2]], %[[SHUFFLE_4]] [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: %[[SHUFFLE_8:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_2]], %[[SHUFFLE_4]] [2, 6, 3, 7] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: llvm.store %[[SHUFFLE_5]], %[[LOAD_2]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[SHUFFLE_6]], %[[GETELEMENTPTR_5]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[SHUFFLE_7]], %[[GETELEMENTPTR_6]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_7:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[SHUFFLE_8]], %[[GETELEMENTPTR_7]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @square(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x4xf32, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x4xf32, [4, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<4x4xf32, [4, 1]> -> !tile.frag<4x4xf32>
  %r = tile.transpose %f : !tile.frag<4x4xf32> -> !tile.frag<4x4xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<4x4xf32>, !tile.view<4x4xf32, [4, 1]>
}

// Rows by name, exchanged: no instruction at all.
// CHECK-LABEL: llvm.func @rows_of_square(
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
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT: llvm.store %[[LOAD_4]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[LOAD_3]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @rows_of_square(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x8xf32, [8, 1]> -> !tile.frag<2x8xf32>
  %a = tile.extract %f [0] : !tile.frag<2x8xf32> -> !tile.frag<8xf32>
  %b = tile.extract %f [1] : !tile.frag<2x8xf32> -> !tile.frag<8xf32>
  %r = tile.stack %b, %a : !tile.frag<8xf32>, !tile.frag<8xf32> -> !tile.frag<2x8xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x8xf32>, !tile.view<2x8xf32, [8, 1]>
}
