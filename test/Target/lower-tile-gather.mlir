// RUN: kiln-opt --kiln-lower-tile --cse %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// Gathers, scatters and prefetches on the host.

// Elements by number, all inside.
// CHECK-LABEL: llvm.func @gather(
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
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xi32>
// CHECK-NEXT: %[[EXTSI:[^ ,:)]+]] = arith.extsi %[[LOAD_4]] : vector<8xi32> to vector<8xi64>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[EXTSI]][0] : i64 from vector<8xi64>
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[EXTRACT]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = vector.extract %[[EXTSI]][1] : i64 from vector<8xi64>
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_2]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_6:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_5]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_6]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_6:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[EXTRACT_3:[^ ,:)]+]] = vector.extract %[[EXTSI]][2] : i64 from vector<8xi64>
// CHECK-NEXT: %[[INDEX_CAST_7:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_8:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_7]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_8]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_7:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_5]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[EXTRACT_4:[^ ,:)]+]] = vector.extract %[[EXTSI]][3] : i64 from vector<8xi64>
// CHECK-NEXT: %[[INDEX_CAST_9:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_4]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_10:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_9]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_10]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_8:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_6]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[EXTRACT_5:[^ ,:)]+]] = vector.extract %[[EXTSI]][4] : i64 from vector<8xi64>
// CHECK-NEXT: %[[INDEX_CAST_11:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_5]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_12:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_11]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_7:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_12]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_9:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_7]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[EXTRACT_6:[^ ,:)]+]] = vector.extract %[[EXTSI]][5] : i64 from vector<8xi64>
// CHECK-NEXT: %[[INDEX_CAST_13:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_6]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_14:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_13]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_8:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_14]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_10:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_8]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[EXTRACT_7:[^ ,:)]+]] = vector.extract %[[EXTSI]][6] : i64 from vector<8xi64>
// CHECK-NEXT: %[[INDEX_CAST_15:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_7]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_16:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_15]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_9:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_16]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_11:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_9]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[EXTRACT_8:[^ ,:)]+]] = vector.extract %[[EXTSI]][7] : i64 from vector<8xi64>
// CHECK-NEXT: %[[INDEX_CAST_17:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_8]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_18:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_17]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_10:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_18]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[LOAD_12:[^ ,:)]+]] = llvm.load %[[GETELEMENTPTR_10]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: %[[FROM_ELEMENTS:[^ ,:)]+]] = vector.from_elements %[[LOAD_5]], %[[LOAD_6]], %[[LOAD_7]], %[[LOAD_8]], %[[LOAD_9]], %[[LOAD_10]], %[[LOAD_11]], %[[LOAD_12]] : vector<8xf32>
// CHECK-NEXT: llvm.store %[[FROM_ELEMENTS]], %[[LOAD_3]] {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @gather(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<100xf32, [1]>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<8xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<8xi32, [1]> -> !tile.frag<8xi32>
  %f = tile.gather %v[] at %a : !tile.view<100xf32, [1]>, !tile.frag<8xi32> -> !tile.frag<8xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// With a pad for those outside: one unsigned comparison finds both ends, and nothing is read for them.
// CHECK-LABEL: llvm.func @gather_with_pad(
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
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD_2]] {alignment = 8 : i64} : !llvm.ptr -> vector<4xi64>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 100 : i64
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = vector.broadcast %[[CONSTANT_2]] : i64 to vector<4xi64>
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi ult, %[[LOAD_4]], %[[BROADCAST]] : vector<4xi64>
// CHECK-NEXT: %[[BROADCAST_2:[^ ,:)]+]] = vector.broadcast %[[CST]] : f32 to vector<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : i64
// CHECK-NEXT: %[[BROADCAST_3:[^ ,:)]+]] = vector.broadcast %[[CONSTANT_3]] : i64 to vector<4xi64>
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[LOAD_4]], %[[BROADCAST_3]] : vector<4xi64>
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[MULI]]] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
// CHECK-NEXT: %[[INTR:[^ ,:)]+]] = llvm.intr.masked.gather %[[GETELEMENTPTR_3]], %[[CMPI]], %[[BROADCAST_2]] {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT: llvm.store %[[INTR]], %[[LOAD_3]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @gather_with_pad(%x: !tile.buffer<f32>, %i: !tile.buffer<i64>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<100xf32, [1]>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i64> -> !tile.view<4xi64, [1]>
  %a = tile.load %n[%c0] : !tile.view<4xi64, [1]> -> !tile.frag<4xi64>
  %f = tile.gather %v[] at %a pad %p : f32 : !tile.view<100xf32, [1]>, !tile.frag<4xi64> -> !tile.frag<4xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
}

// To places by number.
// CHECK-LABEL: llvm.func @scatter(
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
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[LOAD_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK-NEXT: %[[EXTSI:[^ ,:)]+]] = arith.extsi %[[LOAD_5]] : vector<4xi32> to vector<4xi64>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[EXTSI]][0] : i64 from vector<4xi64>
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = vector.extract %[[LOAD_4]][0] : f32 from vector<4xf32>
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[EXTRACT]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_3]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[EXTRACT_2]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: %[[EXTRACT_3:[^ ,:)]+]] = vector.extract %[[EXTSI]][1] : i64 from vector<4xi64>
// CHECK-NEXT: %[[EXTRACT_4:[^ ,:)]+]] = vector.extract %[[LOAD_4]][1] : f32 from vector<4xf32>
// CHECK-NEXT: %[[INDEX_CAST_5:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_6:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_5]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_4:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_3]][%[[INDEX_CAST_6]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[EXTRACT_4]], %[[GETELEMENTPTR_4]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: %[[EXTRACT_5:[^ ,:)]+]] = vector.extract %[[EXTSI]][2] : i64 from vector<4xi64>
// CHECK-NEXT: %[[EXTRACT_6:[^ ,:)]+]] = vector.extract %[[LOAD_4]][2] : f32 from vector<4xf32>
// CHECK-NEXT: %[[INDEX_CAST_7:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_5]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_8:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_7]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_5:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_3]][%[[INDEX_CAST_8]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[EXTRACT_6]], %[[GETELEMENTPTR_5]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: %[[EXTRACT_7:[^ ,:)]+]] = vector.extract %[[EXTSI]][3] : i64 from vector<4xi64>
// CHECK-NEXT: %[[EXTRACT_8:[^ ,:)]+]] = vector.extract %[[LOAD_4]][3] : f32 from vector<4xf32>
// CHECK-NEXT: %[[INDEX_CAST_9:[^ ,:)]+]] = arith.index_cast %[[EXTRACT_7]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_10:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_9]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_6:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_3]][%[[INDEX_CAST_10]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[EXTRACT_8]], %[[GETELEMENTPTR_6]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @scatter(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xf32, [1]> -> !tile.frag<4xf32>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<4xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<4xi32, [1]> -> !tile.frag<4xi32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<100xf32, [1]>
  tile.scatter %f, %w[] at %a : !tile.frag<4xf32>, !tile.view<100xf32, [1]>, !tile.frag<4xi32>
}

// Those outside are dropped.
// CHECK-LABEL: llvm.func @scatter_masked(
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
// CHECK-NEXT: %[[LOAD_4:[^ ,:)]+]] = llvm.load %[[LOAD]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT: %[[LOAD_5:[^ ,:)]+]] = llvm.load %[[LOAD_2]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 100 : i64
// CHECK-NEXT: %[[EXTSI:[^ ,:)]+]] = arith.extsi %[[LOAD_5]] : vector<4xi32> to vector<4xi64>
// CHECK-NEXT: %[[EXTRACT:[^ ,:)]+]] = vector.extract %[[EXTSI]][0] : i64 from vector<4xi64>
// CHECK-NEXT: %[[EXTRACT_2:[^ ,:)]+]] = vector.extract %[[LOAD_4]][0] : f32 from vector<4xf32>
// CHECK-NEXT: %[[CMPI:[^ ,:)]+]] = arith.cmpi ult, %[[EXTRACT]], %[[CONSTANT_2]] : i64
// CHECK-NEXT: scf.if %[[CMPI]] {
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[EXTRACT]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3:[^ ,:)]+]] = llvm.getelementptr %[[LOAD_3]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[EXTRACT_2]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_3:[^ ,:)]+]] = vector.extract %[[EXTSI]][1] : i64 from vector<4xi64>
// CHECK-NEXT: %[[EXTRACT_4:[^ ,:)]+]] = vector.extract %[[LOAD_4]][1] : f32 from vector<4xf32>
// CHECK-NEXT: %[[CMPI_2:[^ ,:)]+]] = arith.cmpi ult, %[[EXTRACT_3]], %[[CONSTANT_2]] : i64
// CHECK-NEXT: scf.if %[[CMPI_2]] {
// CHECK-NEXT: %[[INDEX_CAST_3]] = arith.index_cast %[[EXTRACT_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_4]] = arith.index_cast %[[INDEX_CAST_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3]] = llvm.getelementptr %[[LOAD_3]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[EXTRACT_4]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_5:[^ ,:)]+]] = vector.extract %[[EXTSI]][2] : i64 from vector<4xi64>
// CHECK-NEXT: %[[EXTRACT_6:[^ ,:)]+]] = vector.extract %[[LOAD_4]][2] : f32 from vector<4xf32>
// CHECK-NEXT: %[[CMPI_3:[^ ,:)]+]] = arith.cmpi ult, %[[EXTRACT_5]], %[[CONSTANT_2]] : i64
// CHECK-NEXT: scf.if %[[CMPI_3]] {
// CHECK-NEXT: %[[INDEX_CAST_3]] = arith.index_cast %[[EXTRACT_5]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_4]] = arith.index_cast %[[INDEX_CAST_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3]] = llvm.getelementptr %[[LOAD_3]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[EXTRACT_6]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: %[[EXTRACT_7:[^ ,:)]+]] = vector.extract %[[EXTSI]][3] : i64 from vector<4xi64>
// CHECK-NEXT: %[[EXTRACT_8:[^ ,:)]+]] = vector.extract %[[LOAD_4]][3] : f32 from vector<4xf32>
// CHECK-NEXT: %[[CMPI_4:[^ ,:)]+]] = arith.cmpi ult, %[[EXTRACT_7]], %[[CONSTANT_2]] : i64
// CHECK-NEXT: scf.if %[[CMPI_4]] {
// CHECK-NEXT: %[[INDEX_CAST_3]] = arith.index_cast %[[EXTRACT_7]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_4]] = arith.index_cast %[[INDEX_CAST_3]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_3]] = llvm.getelementptr %[[LOAD_3]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[EXTRACT_8]], %[[GETELEMENTPTR_3]] {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @scatter_masked(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xf32, [1]> -> !tile.frag<4xf32>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<4xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<4xi32, [1]> -> !tile.frag<4xi32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<100xf32, [1]>
  tile.scatter %f, %w[] at %a masked : !tile.frag<4xf32>, !tile.view<100xf32, [1]>, !tile.frag<4xi32>
}

// A hint to the last cache.
// CHECK-LABEL: llvm.func @prefetch(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !llvm.ptr,
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_4:[^ ,:)]+]]: i64,
// CHECK-SAME: %[[ARG_5:[^ ,:)]+]]: !llvm.ptr) {
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = llvm.load %[[ARG]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[GETELEMENTPTR:[^ ,:)]+]] = llvm.getelementptr %[[ARG]][1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[LOAD_2:[^ ,:)]+]] = llvm.load %[[ARG_2]] {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK-NEXT: %[[INDEX_CAST:[^ ,:)]+]] = arith.index_cast %[[LOAD_2]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_2:[^ ,:)]+]] = arith.index_cast %[[ARG_3]] : i64 to index
// CHECK-NEXT: %[[INDEX_CAST_3:[^ ,:)]+]] = arith.index_cast %[[ARG_4]] : i64 to index
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[ARG_6:[^ ,:)]+]] = %[[INDEX_CAST_2]] to %[[INDEX_CAST_3]] step %[[CONSTANT]] {
// CHECK-NEXT: %[[INDEX_CAST_4:[^ ,:)]+]] = arith.index_cast %[[INDEX_CAST]] : index to i64
// CHECK-NEXT: %[[GETELEMENTPTR_2:[^ ,:)]+]] = llvm.getelementptr %[[LOAD]][%[[INDEX_CAST_4]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: "llvm.intr.prefetch"(%[[GETELEMENTPTR_2]]) <{cache = 1 : i32, hint = 1 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
tile.kernel @prefetch(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  tile.prefetch %v[%n] {locality = 1} : !tile.view<8xf32, [1]>
}
