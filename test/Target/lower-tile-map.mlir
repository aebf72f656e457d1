// RUN: kiln-opt --kiln-lower-tile --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// tile.map and tile.convert on the host.

// Each op on a whole vector.
// CHECK-LABEL: llvm.func @floats(
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
// CHECK-NEXT: %[[FMA:[^ ,:)]+]] = math.fma %[[LOAD_3]], %[[LOAD_3]], %[[LOAD_3]] : vector<8xf32>
// CHECK-NEXT: llvm.store %[[FMA]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @floats(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %r = tile.map %f : !tile.frag<8xf32> -> !tile.frag<8xf32> {
  ^bb0(%a: f32):
    %b = math.fma %a, %a, %a : f32
    tile.yield %b : f32
  }
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// And for every row.
// CHECK-LABEL: llvm.func @rows(
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
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[LOAD_3]] : vector<8xf32>
// CHECK-NEXT: %[[NEGF_2:[^ ,:)]+]] = arith.negf %[[LOAD_4]] : vector<8xf32>
// CHECK-NEXT: llvm.store %[[NEGF]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_2]][%[[CONSTANT_2]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[NEGF_2]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x8xf32, [8, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x8xf32, [8, 1]> -> !tile.frag<2x8xf32>
  %r = tile.map %f : !tile.frag<2x8xf32> -> !tile.frag<2x8xf32> {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    tile.yield %b : f32
  }
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x8xf32>, !tile.view<2x8xf32, [8, 1]>
}

// Comparisons give vectors of bits, which are stored as bytes.
// CHECK-LABEL: llvm.func @booleans(
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
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK-NEXT: %[[CMPF:[^ ,:)]+]] = arith.cmpf ogt, %[[LOAD_3]], %[[CST]] : vector<8xf32>
// CHECK-NEXT: %[[EXTUI:[^ ,:)]+]] = arith.extui %[[CMPF]] : vector<8xi1> to vector<8xi8>
// CHECK-NEXT: llvm.store %[[EXTUI]], %[[LOAD_2]] {alignment = 1 : i64} : vector<8xi8>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @booleans(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<8xi8, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %r = tile.map %f : !tile.frag<8xf32> -> !tile.frag<8xi8> {
  ^bb0(%a: f32):
    %z = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %z : f32
    %b = arith.extui %c : i1 to i8
    tile.yield %b : i8
  }
  tile.store %r, %w[%c0] : !tile.frag<8xi8>, !tile.view<8xi8, [1]>
}

// Bytes with their signs.
// CHECK-LABEL: llvm.func @to_words(
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
// CHECK-NEXT: %[[EXTSI:[^ ,:)]+]] = arith.extsi %[[LOAD_3]] : vector<16xi8> to vector<16xi32>
// CHECK-NEXT: llvm.store %[[EXTSI]], %[[LOAD_2]] {alignment = 4 : i64} : vector<16xi32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @to_words(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<16xi8, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<16xi32, [1]>
  %f = tile.load %v[%c0] : !tile.view<16xi8, [1]> -> !tile.frag<16xi8>
  %r = tile.map %f : !tile.frag<16xi8> -> !tile.frag<16xi32> {
  ^bb0(%a: i8):
    %b = arith.extsi %a : i8 to i32
    tile.yield %b : i32
  }
  tile.store %r, %w[%c0] : !tile.frag<16xi32>, !tile.view<16xi32, [1]>
}

// Towards zero.
// CHECK-LABEL: llvm.func @to_integers(
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
// CHECK-NEXT: %[[FPTOSI:[^ ,:)]+]] = arith.fptosi %[[LOAD_3]] : vector<8xf32> to vector<8xi32>
// CHECK-NEXT: llvm.store %[[FPTOSI]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xi32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @to_integers(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8xi32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %r = tile.map %f : !tile.frag<8xf32> -> !tile.frag<8xi32> {
  ^bb0(%a: f32):
    %b = arith.fptosi %a : f32 to i32
    tile.yield %b : i32
  }
  tile.store %r, %w[%c0] : !tile.frag<8xi32>, !tile.view<8xi32, [1]>
}

// A scalar from outside becomes a vector.
// CHECK-LABEL: llvm.func @scalar_from_outside(
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
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[LOAD_4]] : f32 to vector<8xf32>
// CHECK-NEXT: %[[MULF:[^ ,:)]+]] = arith.mulf %[[LOAD_3]], %[[BROADCAST]] : vector<8xf32>
// CHECK-NEXT: llvm.store %[[MULF]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @scalar_from_outside(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %s = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> f32
  %r = tile.map %f : !tile.frag<8xf32> -> !tile.frag<8xf32> {
  ^bb0(%a: f32):
    %b = arith.mulf %a, %s : f32
    tile.yield %b : f32
  }
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// f16 to f32.
// CHECK-LABEL: llvm.func @from_halves(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 2 : i64} : !llvm.ptr -> vector<8xf16>
// CHECK-NEXT: %[[EXTF:[^ ,:)]+]] = arith.extf %[[LOAD_3]] : vector<8xf16> to vector<8xf32>
// CHECK-NEXT: llvm.store %[[EXTF]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @from_halves(%x: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<8xf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf16, [1]> -> !tile.frag<8xf16>
  %r = tile.convert %f : !tile.frag<8xf16> -> !tile.frag<8xf32>
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// f32 to bf16.
// CHECK-LABEL: llvm.func @to_bf16(
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
// CHECK-NEXT: %[[TRUNCF:[^ ,:)]+]] = arith.truncf %[[LOAD_3]] : vector<8xf32> to vector<8xbf16>
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = arith.bitcast %[[TRUNCF]] : vector<8xbf16> to vector<8xi16>
// CHECK-NEXT: llvm.store %[[BITCAST]], %[[LOAD_2]] {alignment = 2 : i64} : vector<8xi16>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @to_bf16(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<8xbf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %r = tile.convert %f : !tile.frag<8xf32> -> !tile.frag<8xbf16>
  tile.store %r, %w[%c0] : !tile.frag<8xbf16>, !tile.view<8xbf16, [1]>
}

// bf16 to f32.
// CHECK-LABEL: llvm.func @from_bf16(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = arith.bitcast %[[LOAD_3]] : vector<8xi16> to vector<8xbf16>
// CHECK-NEXT: %[[EXTF:[^ ,:)]+]] = arith.extf %[[BITCAST]] : vector<8xbf16> to vector<8xf32>
// CHECK-NEXT: llvm.store %[[EXTF]], %[[LOAD_2]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @from_bf16(%x: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<8xbf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xbf16, [1]> -> !tile.frag<8xbf16>
  %r = tile.convert %f : !tile.frag<8xbf16> -> !tile.frag<8xf32>
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// f32 to f64.
// CHECK-LABEL: llvm.func @to_f64(
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
// CHECK-NEXT: %[[EXTF:[^ ,:)]+]] = arith.extf %[[LOAD_3]] : vector<8xf32> to vector<8xf64>
// CHECK-NEXT: llvm.store %[[EXTF]], %[[LOAD_2]] {alignment = 8 : i64} : vector<8xf64>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @to_f64(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f64>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f64> -> !tile.view<8xf64, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %r = tile.convert %f : !tile.frag<8xf32> -> !tile.frag<8xf64>
  tile.store %r, %w[%c0] : !tile.frag<8xf64>, !tile.view<8xf64, [1]>
}

// bf16 to f16.
// CHECK-LABEL: llvm.func @halves_in_between(
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
// CHECK-NEXT: %[[LOAD_3:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK-NEXT: %[[BITCAST:[^ ,:)]+]] = arith.bitcast %[[LOAD_3]] : vector<8xi16> to vector<8xbf16>
// CHECK-NEXT: %[[EXTF:[^ ,:)]+]] = arith.extf %[[BITCAST]] : vector<8xbf16> to vector<8xf32>
// CHECK-NEXT: %[[TRUNCF:[^ ,:)]+]] = arith.truncf %[[EXTF]] : vector<8xf32> to vector<8xf16>
// CHECK-NEXT: llvm.store %[[TRUNCF]], %[[LOAD_2]] {alignment = 2 : i64} : vector<8xf16>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @halves_in_between(%x: !tile.buffer<bf16>) -> (%y: !tile.buffer<f16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<8xbf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<8xf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xbf16, [1]> -> !tile.frag<8xbf16>
  %r = tile.convert %f : !tile.frag<8xbf16> -> !tile.frag<8xf16>
  tile.store %r, %w[%c0] : !tile.frag<8xf16>, !tile.view<8xf16, [1]>
}
