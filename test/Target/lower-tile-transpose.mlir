// RUN: kiln-opt --kiln-lower-tile --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks

// Wider than high: each four lanes by themselves, which are parts of the results.
// CHECK-LABEL: llvm.func @wide(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 8 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_2]] {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 16 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 24 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[CONSTANT_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_5]] [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_2:[^ ,:)]+]] = vector.shuffle %[[LOAD_3]], %[[LOAD_5]] [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_3:[^ ,:)]+]] = vector.shuffle %[[LOAD_4]], %[[LOAD_6]] [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_4:[^ ,:)]+]] = vector.shuffle %[[LOAD_4]], %[[LOAD_6]] [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_5:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE]], %[[SHUFFLE_3]] [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_6:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE]], %[[SHUFFLE_3]] [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_7:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_2]], %[[SHUFFLE_4]] [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_8:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_2]], %[[SHUFFLE_4]] [2, 10, 3, 11, 6, 14, 7, 15] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_9:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_5]], %[[SHUFFLE_5]] [0, 1, 2, 3] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_10:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_6]], %[[SHUFFLE_6]] [0, 1, 2, 3] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_11:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_7]], %[[SHUFFLE_7]] [0, 1, 2, 3] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_12:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_8]], %[[SHUFFLE_8]] [0, 1, 2, 3] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_13:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_5]], %[[SHUFFLE_5]] [4, 5, 6, 7] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_14:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_6]], %[[SHUFFLE_6]] [4, 5, 6, 7] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_15:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_7]], %[[SHUFFLE_7]] [4, 5, 6, 7] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: %[[SHUFFLE_16:[^ ,:)]+]] = vector.shuffle %[[SHUFFLE_8]], %[[SHUFFLE_8]] [4, 5, 6, 7] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT: llvm.store %[[SHUFFLE_9]], %[[LOAD_2]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = arith.constant 4 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_5]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.store %[[SHUFFLE_10]], %[[GETELEMENTPTR_5]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.store %[[SHUFFLE_11]], %[[GETELEMENTPTR_6]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = arith.constant 12 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_7:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_6]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.store %[[SHUFFLE_12]], %[[GETELEMENTPTR_7]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_8:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_3]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.store %[[SHUFFLE_13]], %[[GETELEMENTPTR_8]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_7:[^ ,:)]+]] = arith.constant 20 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_9:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_7]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.store %[[SHUFFLE_14]], %[[GETELEMENTPTR_9]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_10:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.store %[[SHUFFLE_15]], %[[GETELEMENTPTR_10]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK-NEXT: %[[CONSTANT_8:[^ ,:)]+]] = arith.constant 28 : i64
// CHECK-NEXT: %[[GETELEMENTPTR_11:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_8]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT: llvm.store %[[SHUFFLE_16]], %[[GETELEMENTPTR_11]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @wide(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4x8xi8, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8x4xi8, [4, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<4x8xi8, [8, 1]> -> !tile.frag<4x8xi8>
  %r = tile.transpose %f : !tile.frag<4x8xi8> -> !tile.frag<8x4xi8>
  tile.store %r, %w[%c0, %c0] : !tile.frag<8x4xi8>, !tile.view<8x4xi8, [4, 1]>
}
