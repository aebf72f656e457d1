// RUN: kiln-opt --kiln-assign-layouts %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// The layouts that kiln-assign-layouts gives to fragments: of one group of threads, and of thread groups.

// Four contiguous elements per thread, as many as 16 bytes hold.
// CHECK: #linear_layout = #tile.linear_layout<registers = [1, 2], threads = [4, 8, 16, 32, 64]>
// CHECK: #linear_layout1 = #tile.linear_layout<registers = [1, 2, 128, 256], threads = [4, 8, 16, 32, 64]>
// CHECK: #linear_layout2 = #tile.linear_layout<registers = [], threads = [1, 2, 4, 0, 0]>
// CHECK: #linear_layout3 = #tile.linear_layout<registers = [], threads = [0, 0, 0, 0, 0]>
// CHECK: #linear_layout4 = #tile.linear_layout<registers = [2, 4], threads = [0, 0, 0, 0, 1]>
// CHECK: #linear_layout5 = #tile.linear_layout<registers = [1, 2], threads = [4, 8]>
// CHECK: #linear_layout6 = #tile.linear_layout<registers = [1, 2], threads = []>
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK: #map2 = affine_map<()[s0] -> (1)>
// CHECK: #map3 = affine_map<()[s0] -> (0)>
// CHECK-LABEL: tile.kernel @row(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <128xf32, [1]> -> !tile.frag<128xf32, #linear_layout>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<128xf32, #linear_layout> -> !tile.frag<128xf32, #linear_layout> {
// CHECK-NEXT: ^bb0(%[[ARG_4:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[ARG_4]] : f32
// CHECK-NEXT: tile.yield %[[NEGF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<128xf32, #linear_layout>, <128xf32, [1]>
tile.kernel @row(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  %r = tile.map %f : !tile.frag<128xf32> -> !tile.frag<128xf32> {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    tile.yield %b : f32
  }
  tile.store %r, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
}

// Eight of f16.
// CHECK-LABEL: tile.kernel @halves(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f16> -> <512xf16, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <512xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <512xf16, [1]> -> !tile.frag<512xf16, #linear_layout1>
// CHECK-NEXT: %[[CONVERT:[^ ,:)]+]] = tile.convert %[[LOAD]] : <512xf16, #linear_layout1> -> <512xf32, #linear_layout1>
// CHECK-NEXT: tile.store %[[CONVERT]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<512xf32, #linear_layout1>, <512xf32, [1]>
tile.kernel @halves(%x: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<512xf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<512xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<512xf16, [1]> -> !tile.frag<512xf16>
  %r = tile.convert %f : !tile.frag<512xf16> -> !tile.frag<512xf32>
  tile.store %r, %w[%c0] : !tile.frag<512xf32>, !tile.view<512xf32, [1]>
}

// Fewer elements than threads: the others hold the same ones again.
// CHECK-LABEL: tile.kernel @few(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <8xf32, [1]> -> !tile.frag<8xf32, #linear_layout2>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<8xf32, #linear_layout2> -> !tile.frag<8xf32, #linear_layout2> {
// CHECK-NEXT: ^bb0(%[[ARG_4:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[ARG_4]] : f32
// CHECK-NEXT: tile.yield %[[NEGF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<8xf32, #linear_layout2>, <8xf32, [1]>
tile.kernel @few(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<8xf32, [1]> -> !tile.frag<8xf32>
  %r = tile.map %f : !tile.frag<8xf32> -> !tile.frag<8xf32> {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    tile.yield %b : f32
  }
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// A sum ends with every thread.
// CHECK-LABEL: tile.kernel @sum(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <1xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <128xf32, [1]> -> !tile.frag<128xf32, #linear_layout>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[LOAD]] axis 0 : <128xf32, #linear_layout> -> f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[SUM]] : f32 -> <1xf32, #linear_layout3>
// CHECK-NEXT: tile.store %[[FILL]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<1xf32, #linear_layout3>, <1xf32, [1]>
tile.kernel @sum(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<128xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Two dims: rows of the tile lie side by side.
// CHECK-LABEL: tile.kernel @square(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8x64xf32, [64, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8x64xf32, [64, 1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <8x64xf32, [64, 1]> -> !tile.frag<8x64xf32, #linear_layout1>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<8x64xf32, #linear_layout1> -> !tile.frag<8x64xf32, #linear_layout1> {
// CHECK-NEXT: ^bb0(%[[ARG_4:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[ARG_4]] : f32
// CHECK-NEXT: tile.yield %[[NEGF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<8x64xf32, #linear_layout1>, <8x64xf32, [64, 1]>
tile.kernel @square(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x64xf32, [64, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x64xf32, [64, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<8x64xf32, [64, 1]> -> !tile.frag<8x64xf32>
  %r = tile.map %f : !tile.frag<8x64xf32> -> !tile.frag<8x64xf32> {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    tile.yield %b : f32
  }
  tile.store %r, %w[%c0, %c0] : !tile.frag<8x64xf32>, !tile.view<8x64xf32, [64, 1]>
}

// Along the columns: what is left is a slice of the layout of rank 2.
// CHECK-LABEL: tile.kernel @sum_of_rows(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8x64xf32, [64, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <8x64xf32, [64, 1]> -> !tile.frag<8x64xf32, #linear_layout1>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = tile.reduce sum %[[LOAD]] axis 1 : <8x64xf32, #linear_layout1> -> !tile.frag<8xf32, #linear_layout4>
// CHECK-NEXT: tile.store %[[SUM]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<8xf32, #linear_layout4>, <8xf32, [1]>
tile.kernel @sum_of_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x64xf32, [64, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<8x64xf32, [64, 1]> -> !tile.frag<8x64xf32>
  %r = tile.reduce sum %f axis 1 : !tile.frag<8x64xf32> -> !tile.frag<8xf32>
  tile.store %r, %w[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}

// A column for every column, in the layout of what it is added to.
// CHECK-LABEL: tile.kernel @column_repeated(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8x64xf32, [64, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <8x64xf32, [64, 1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <8x64xf32, [64, 1]> -> !tile.frag<8x64xf32, #linear_layout1>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[LOAD]] axis 1 : <8x64xf32, #linear_layout1> -> !tile.frag<8xf32, #linear_layout4>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = tile.broadcast %[[MAX]] axis 1 : <8xf32, #linear_layout4> -> <8x64xf32, #linear_layout1>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]], %[[BROADCAST]] : !tile.frag<8x64xf32, #linear_layout1>, !tile.frag<8x64xf32, #linear_layout1> -> !tile.frag<8x64xf32, #linear_layout1> {
// CHECK-NEXT: ^bb0(%[[ARG_4:[^ ,:)]+]]: f32, %[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[SUBF:[^ ,:)]+]] = arith.subf %[[ARG_4]], %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[SUBF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<8x64xf32, #linear_layout1>, <8x64xf32, [64, 1]>
tile.kernel @column_repeated(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x64xf32, [64, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8x64xf32, [64, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<8x64xf32, [64, 1]> -> !tile.frag<8x64xf32>
  %m = tile.reduce max %f axis 1 : !tile.frag<8x64xf32> -> !tile.frag<8xf32>
  %c = tile.broadcast %m axis 1 : !tile.frag<8xf32> -> !tile.frag<8x64xf32>
  %r = tile.map %f, %c : !tile.frag<8x64xf32>, !tile.frag<8x64xf32> -> !tile.frag<8x64xf32> {
  ^bb0(%a: f32, %b: f32):
    %d = arith.subf %a, %b : f32
    tile.yield %d : f32
  }
  tile.store %r, %w[%c0, %c0] : !tile.frag<8x64xf32>, !tile.view<8x64xf32, [64, 1]>
}

// Numbers of columns, and a range of them.
// CHECK-LABEL: tile.kernel @counted(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols(%[[ARG_3:[^ ,:)]+]]) task(%[[ARG_4:[^ ,:)]+]]) attributes {grid = #map2, hero = "x", scratch = #map3, symbols = ["n"], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT]]] : <128xf32, [1]> -> !tile.frag<128xf32, #linear_layout>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[SELECT_RANGE:[^ ,:)]+]] = tile.select_range %[[LOAD]] in[%[[CONSTANT]], %[[ARG_3]]) else %[[CST]] : f32 axis 0 : <128xf32, #linear_layout>
// CHECK-NEXT: tile.store %[[SELECT_RANGE]], %[[VIEW_2]][%[[CONSTANT]]] : !tile.frag<128xf32, #linear_layout>, <128xf32, [1]>
tile.kernel @counted(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%n) task(%t)
    attributes {symbols = ["n"], hero = "x", threads = 32,
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
  %p = arith.constant 0.0 : f32
  %r = tile.select_range %f in [%c0, %n) else %p : f32 axis 0 : !tile.frag<128xf32>
  tile.store %r, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
}

// A warp per row.
// CHECK-LABEL: tile.kernel @warps(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT_2]] to %[[CONSTANT_4]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_2]]] : <128xf32, [1]> -> !tile.frag<128xf32, #linear_layout>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<128xf32, #linear_layout> -> !tile.frag<128xf32, #linear_layout> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[NEGF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT_2]]] : !tile.frag<128xf32, #linear_layout>, <128xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
tile.kernel @warps(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %len = arith.constant 128 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %o = arith.muli %i, %len : index
    %v = tile.view %x offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
    %w = tile.view %y offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
    %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
    %r = tile.map %f : !tile.frag<128xf32> -> !tile.frag<128xf32> {
    ^bb0(%a: f32):
      %b = arith.negf %a : f32
      tile.yield %b : f32
    }
    tile.store %r, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
  } {tile.team = 32 : i64}
}

// Four threads per row.
// CHECK-LABEL: tile.kernel @quads(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 16 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT_2]] to %[[CONSTANT_4]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI]] sizes() strides() : <f32> -> <16xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_2]]] : <16xf32, [1]> -> !tile.frag<16xf32, #linear_layout5>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<16xf32, #linear_layout5> -> !tile.frag<16xf32, #linear_layout5> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[NEGF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT_2]]] : !tile.frag<16xf32, #linear_layout5>, <16xf32, [1]>
// CHECK-NEXT: } {tile.team = 4 : i64}
tile.kernel @quads(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %len = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %o = arith.muli %i, %len : index
    %v = tile.view %x offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<16xf32, [1]>
    %w = tile.view %y offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<16xf32, [1]>
    %f = tile.load %v[%c0] : !tile.view<16xf32, [1]> -> !tile.frag<16xf32>
    %r = tile.map %f : !tile.frag<16xf32> -> !tile.frag<16xf32> {
    ^bb0(%a: f32):
      %b = arith.negf %a : f32
      tile.yield %b : f32
    }
    tile.store %r, %w[%c0] : !tile.frag<16xf32>, !tile.view<16xf32, [1]>
  } {tile.team = 4 : i64}
}

// A thread per row.
// CHECK-LABEL: tile.kernel @threads(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 4 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT_2]] to %[[CONSTANT_4]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <4xf32, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI]] sizes() strides() : <f32> -> <4xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_2]]] : <4xf32, [1]> -> !tile.frag<4xf32, #linear_layout6>
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<4xf32, #linear_layout6> -> !tile.frag<4xf32, #linear_layout6> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[NEGF:[^ ,:)]+]] = arith.negf %[[ARG_5]] : f32
// CHECK-NEXT: tile.yield %[[NEGF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT_2]]] : !tile.frag<4xf32, #linear_layout6>, <4xf32, [1]>
// CHECK-NEXT: } {tile.team = 1 : i64}
tile.kernel @threads(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %len = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %o = arith.muli %i, %len : index
    %v = tile.view %x offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
    %w = tile.view %y offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
    %f = tile.load %v[%c0] : !tile.view<4xf32, [1]> -> !tile.frag<4xf32>
    %r = tile.map %f : !tile.frag<4xf32> -> !tile.frag<4xf32> {
    ^bb0(%a: f32):
      %b = arith.negf %a : f32
      tile.yield %b : f32
    }
    tile.store %r, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
  } {tile.team = 1 : i64}
}

// The maximum of a row by shuffles in its warp.
// CHECK-LABEL: tile.kernel @row_maxima(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_3:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 128 : index
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = arith.constant 1 : index
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = arith.constant 64 : index
// CHECK-NEXT: scf.for %[[ARG_4:[^ ,:)]+]] = %[[CONSTANT_2]] to %[[CONSTANT_4]] step %[[CONSTANT_3]] {
// CHECK-NEXT: %[[MULI:[^ ,:)]+]] = arith.muli %[[ARG_4]], %[[CONSTANT]] : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[MULI]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[MULI]] sizes() strides() : <f32> -> <128xf32, [1]>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW]][%[[CONSTANT_2]]] : <128xf32, [1]> -> !tile.frag<128xf32, #linear_layout>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = tile.reduce max %[[LOAD]] axis 0 : <128xf32, #linear_layout> -> f32
// CHECK-NEXT: %[[MAP:[^ ,:)]+]] = tile.map %[[LOAD]] : !tile.frag<128xf32, #linear_layout> -> !tile.frag<128xf32, #linear_layout> {
// CHECK-NEXT: ^bb0(%[[ARG_5:[^ ,:)]+]]: f32):
// CHECK-NEXT: %[[SUBF:[^ ,:)]+]] = arith.subf %[[ARG_5]], %[[MAX]] : f32
// CHECK-NEXT: tile.yield %[[SUBF]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[MAP]], %[[VIEW_2]][%[[CONSTANT_2]]] : !tile.frag<128xf32, #linear_layout>, <128xf32, [1]>
// CHECK-NEXT: } {tile.team = 32 : i64}
tile.kernel @row_maxima(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %len = arith.constant 128 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %o = arith.muli %i, %len : index
    %v = tile.view %x offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
    %w = tile.view %y offset %o sizes() strides() : !tile.buffer<f32> -> !tile.view<128xf32, [1]>
    %f = tile.load %v[%c0] : !tile.view<128xf32, [1]> -> !tile.frag<128xf32>
    %m = tile.reduce max %f axis 0 : !tile.frag<128xf32> -> f32
    %r = tile.map %f : !tile.frag<128xf32> -> !tile.frag<128xf32> {
    ^bb0(%a: f32):
      %b = arith.subf %a, %m : f32
      tile.yield %b : f32
    }
    tile.store %r, %w[%c0] : !tile.frag<128xf32>, !tile.view<128xf32, [1]>
  } {tile.team = 32 : i64}
}
