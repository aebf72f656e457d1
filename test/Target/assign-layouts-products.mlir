// RUN: kiln-opt --kiln-assign-layouts %s | FileCheck %s
// NOTE: checks by tools/update-lit-checks
// The layouts of operands and accumulators of products.

// Multiply-adds: threads have squares of the result.
// CHECK: #linear_layout = #tile.linear_layout<registers = [1, 2, 4, 64, 128], threads = [8, 16, 32, 256, 512, 1024, 2048]>
// CHECK: #linear_layout1 = #tile.linear_layout<registers = [1, 512, 8, 16, 1024], threads = [2, 4, 64, 128, 256, 32, 2048]>
// CHECK: #linear_layout2 = #tile.linear_layout<registers = [1, 128], threads = [2, 4, 16, 32, 64, 8]>
// CHECK: #linear_layout3 = #tile.linear_layout<registers = [16, 128, 256], threads = [32, 64, 1, 2, 4, 8]>
// CHECK: #linear_layout4 = #tile.linear_layout<registers = [1, 128, 8], threads = [2, 4, 16, 32, 64]>
// CHECK: #linear_layout5 = #tile.linear_layout<registers = [16, 128, 8], threads = [32, 64, 1, 2, 4]>
// CHECK: #map = affine_map<() -> (1)>
// CHECK: #map1 = affine_map<() -> (0)>
// CHECK-LABEL: tile.kernel @product(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <64x16xf32, [16, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <16x64xf32, [64, 1]>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <64x64xf32, [64, 1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <64x64xf32, #linear_layout>
// CHECK-NEXT: %[[STAGE:[^ ,:)]+]] = tile.stage %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <64x16xf32, [16, 1]> -> <64x16xf32, lines>
// CHECK-NEXT: %[[STAGE_2:[^ ,:)]+]] = tile.stage %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : <16x64xf32, [64, 1]> -> <16x64xf32, lines>
// CHECK-NEXT: %[[MMA:[^ ,:)]+]] = tile.mma %[[STAGE]], %[[STAGE_2]], %[[FILL]] : !tile.staged<64x16xf32, lines>, !tile.staged<16x64xf32, lines>, <64x64xf32, #linear_layout>
// CHECK-NEXT: tile.store %[[MMA]], %[[VIEW_3]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<64x64xf32, #linear_layout>, <64x64xf32, [64, 1]>
tile.kernel @product(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x16xf32, [16, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x64xf32, [64, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<64x64xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<64x16xf32, [16, 1]> -> !tile.staged<64x16xf32>
  %q = tile.stage %u[%c0, %c0] : !tile.view<16x64xf32, [64, 1]> -> !tile.staged<16x64xf32>
  %r = tile.mma %l, %q, %s : !tile.staged<64x16xf32>, !tile.staged<16x64xf32>, !tile.frag<64x64xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<64x64xf32>, !tile.view<64x64xf32, [64, 1]>
}

// f16: fragments of mma.sync, operands as matrices for ldmatrix.
// CHECK-LABEL: tile.kernel @tensor_product(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f16>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f16> -> <64x32xf16, [32, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f16> -> <32x64xf16, [64, 1]>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <64x64xf32, [64, 1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <64x64xf32, #linear_layout1>
// CHECK-NEXT: %[[STAGE:[^ ,:)]+]] = tile.stage %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <64x32xf16, [32, 1]> -> <64x32xf16, matrices>
// CHECK-NEXT: %[[STAGE_2:[^ ,:)]+]] = tile.stage %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : <32x64xf16, [64, 1]> -> <32x64xf16, matrices>
// CHECK-NEXT: %[[MMA:[^ ,:)]+]] = tile.mma %[[STAGE]], %[[STAGE_2]], %[[FILL]] {mma_sync} : !tile.staged<64x32xf16, matrices>, !tile.staged<32x64xf16, matrices>, <64x64xf32, #linear_layout1>
// CHECK-NEXT: tile.store %[[MMA]], %[[VIEW_3]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<64x64xf32, #linear_layout1>, <64x64xf32, [64, 1]>
tile.kernel @tensor_product(%x: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<64x32xf16, [32, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<32x64xf16, [64, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<64x64xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<64x32xf16, [32, 1]> -> !tile.staged<64x32xf16>
  %q = tile.stage %u[%c0, %c0] : !tile.view<32x64xf16, [64, 1]> -> !tile.staged<32x64xf16>
  %r = tile.mma %l, %q, %s : !tile.staged<64x32xf16>, !tile.staged<32x64xf16>, !tile.frag<64x64xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<64x64xf32>, !tile.view<64x64xf32, [64, 1]>
}

// f32 for tensor cores: operands as words.
// CHECK-LABEL: tile.kernel @tf32_product(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <64x16xf32, [16, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <16x64xf32, [64, 1]>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <64x64xf32, [64, 1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <64x64xf32, #linear_layout1>
// CHECK-NEXT: %[[STAGE:[^ ,:)]+]] = tile.stage %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <64x16xf32, [16, 1]> -> <64x16xf32, matrices>
// CHECK-NEXT: %[[STAGE_2:[^ ,:)]+]] = tile.stage %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : <16x64xf32, [64, 1]> -> <16x64xf32, words>
// CHECK-NEXT: %[[MMA:[^ ,:)]+]] = tile.mma %[[STAGE]], %[[STAGE_2]], %[[FILL]] {mma_sync, tf32} : !tile.staged<64x16xf32, matrices>, !tile.staged<16x64xf32, words>, <64x64xf32, #linear_layout1>
// CHECK-NEXT: tile.store %[[MMA]], %[[VIEW_3]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<64x64xf32, #linear_layout1>, <64x64xf32, [64, 1]>
tile.kernel @tf32_product(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x16xf32, [16, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x64xf32, [64, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<64x64xf32, [64, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<64x64xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<64x16xf32, [16, 1]> -> !tile.staged<64x16xf32>
  %q = tile.stage %u[%c0, %c0] : !tile.view<16x64xf32, [64, 1]> -> !tile.staged<16x64xf32>
  %r = tile.mma %l, %q, %s {tf32} : !tile.staged<64x16xf32>, !tile.staged<16x64xf32>, !tile.frag<64x64xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<64x64xf32>, !tile.view<64x64xf32, [64, 1]>
}

// Integers are multiplied as f32 are.
// CHECK-LABEL: tile.kernel @integer_product(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<i32>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<i32>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<i32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 128 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <i32> -> <64x16xi32, [16, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <i32> -> <16x64xi32, [64, 1]>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT]] sizes() strides() : <i32> -> <64x64xi32, [64, 1]>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = arith.constant 0 : i32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CONSTANT_2]] : i32 -> <64x64xi32, #linear_layout>
// CHECK-NEXT: %[[STAGE:[^ ,:)]+]] = tile.stage %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <64x16xi32, [16, 1]> -> <64x16xi32, lines>
// CHECK-NEXT: %[[STAGE_2:[^ ,:)]+]] = tile.stage %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : <16x64xi32, [64, 1]> -> <16x64xi32, lines>
// CHECK-NEXT: %[[MMA:[^ ,:)]+]] = tile.mma %[[STAGE]], %[[STAGE_2]], %[[FILL]] : !tile.staged<64x16xi32, lines>, !tile.staged<16x64xi32, lines>, <64x64xi32, #linear_layout>
// CHECK-NEXT: tile.store %[[MMA]], %[[VIEW_3]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<64x64xi32, #linear_layout>, <64x64xi32, [64, 1]>
tile.kernel @integer_product(%x: !tile.buffer<i32>, %b: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 128,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<64x16xi32, [16, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<16x64xi32, [64, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<64x64xi32, [64, 1]>
  %z = arith.constant 0 : i32
  %s = tile.fill %z : i32 -> !tile.frag<64x64xi32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<64x16xi32, [16, 1]> -> !tile.staged<64x16xi32>
  %q = tile.stage %u[%c0, %c0] : !tile.view<16x64xi32, [64, 1]> -> !tile.staged<16x64xi32>
  %r = tile.mma %l, %q, %s : !tile.staged<64x16xi32>, !tile.staged<16x64xi32>, !tile.frag<64x64xi32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<64x64xi32>, !tile.view<64x64xi32, [64, 1]>
}

// A right operand in registers: loaded as mma.sync takes it.
// CHECK-LABEL: tile.kernel @right_in_registers(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f16>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 64 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f16> -> <16x32xf16, [32, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f16> -> <32x16xf16, [16, 1]>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <16x16xf32, [16, 1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16x16xf32, #linear_layout2>
// CHECK-NEXT: %[[STAGE:[^ ,:)]+]] = tile.stage %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <16x32xf16, [32, 1]> -> <16x32xf16, matrices>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : <32x16xf16, [16, 1]> -> !tile.frag<32x16xf16, #linear_layout3>
// CHECK-NEXT: %[[MMA:[^ ,:)]+]] = tile.mma %[[STAGE]], %[[LOAD]], %[[FILL]] {mma_sync} : !tile.staged<16x32xf16, matrices>, !tile.frag<32x16xf16, #linear_layout3>, <16x16xf32, #linear_layout2>
// CHECK-NEXT: tile.store %[[MMA]], %[[VIEW_3]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<16x16xf32, #linear_layout2>, <16x16xf32, [16, 1]>
tile.kernel @right_in_registers(%x: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 64,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<16x32xf16, [32, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<32x16xf16, [16, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<16x32xf16, [32, 1]> -> !tile.staged<16x32xf16>
  %q = tile.load %u[%c0, %c0] : !tile.view<32x16xf16, [16, 1]> -> !tile.frag<32x16xf16>
  %r = tile.mma %l, %q, %s : !tile.staged<16x32xf16>, !tile.frag<32x16xf16>, !tile.frag<16x16xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}

// Of the shape of the sums, it lies like them and is converted.
// CHECK-LABEL: tile.kernel @right_like_the_sums(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: !tile.buffer<f16>,
// CHECK-SAME: %[[ARG_2:[^ ,:)]+]]: !tile.buffer<f16>) -> (
// CHECK-SAME: %[[ARG_3:[^ ,:)]+]]: !tile.buffer<f32>) symbols() task(%[[ARG_4:[^ ,:)]+]]) attributes {grid = #map, hero = "x", scratch = #map1, symbols = [], threads = 32 : i64} {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = arith.constant 0 : index
// CHECK-NEXT: %[[VIEW:[^ ,:)]+]] = tile.view %[[ARG]] offset %[[CONSTANT]] sizes() strides() : <f16> -> <16x16xf16, [16, 1]>
// CHECK-NEXT: %[[VIEW_2:[^ ,:)]+]] = tile.view %[[ARG_2]] offset %[[CONSTANT]] sizes() strides() : <f16> -> <16x16xf16, [16, 1]>
// CHECK-NEXT: %[[VIEW_3:[^ ,:)]+]] = tile.view %[[ARG_3]] offset %[[CONSTANT]] sizes() strides() : <f32> -> <16x16xf32, [16, 1]>
// CHECK-NEXT: %[[CST:[^ ,:)]+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = tile.fill %[[CST]] : f32 -> <16x16xf32, #linear_layout4>
// CHECK-NEXT: %[[STAGE:[^ ,:)]+]] = tile.stage %[[VIEW]][%[[CONSTANT]], %[[CONSTANT]]] : <16x16xf16, [16, 1]> -> <16x16xf16, matrices>
// CHECK-NEXT: %[[LOAD:[^ ,:)]+]] = tile.load %[[VIEW_2]][%[[CONSTANT]], %[[CONSTANT]]] : <16x16xf16, [16, 1]> -> !tile.frag<16x16xf16, #linear_layout4>
// CHECK-NEXT: %[[CONVERT_LAYOUT:[^ ,:)]+]] = tile.convert_layout %[[LOAD]] : <16x16xf16, #linear_layout4> -> <16x16xf16, #linear_layout5>
// CHECK-NEXT: %[[MMA:[^ ,:)]+]] = tile.mma %[[STAGE]], %[[CONVERT_LAYOUT]], %[[FILL]] {mma_sync} : !tile.staged<16x16xf16, matrices>, !tile.frag<16x16xf16, #linear_layout5>, <16x16xf32, #linear_layout4>
// CHECK-NEXT: tile.store %[[MMA]], %[[VIEW_3]][%[[CONSTANT]], %[[CONSTANT]]] : !tile.frag<16x16xf32, #linear_layout4>, <16x16xf32, [16, 1]>
tile.kernel @right_like_the_sums(%x: !tile.buffer<f16>, %b: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32,
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<16x16xf16, [16, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<16x16xf16, [16, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<16x16xf32, [16, 1]>
  %z = arith.constant 0.0 : f32
  %s = tile.fill %z : f32 -> !tile.frag<16x16xf32>
  %l = tile.stage %v[%c0, %c0] : !tile.view<16x16xf16, [16, 1]> -> !tile.staged<16x16xf16>
  %q = tile.load %u[%c0, %c0] : !tile.view<16x16xf16, [16, 1]> -> !tile.frag<16x16xf16>
  %r = tile.mma %l, %q, %s : !tile.staged<16x16xf16>, !tile.frag<16x16xf16>, !tile.frag<16x16xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<16x16xf32>, !tile.view<16x16xf32, [16, 1]>
}
