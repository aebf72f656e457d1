// Products of f32 with bytes, which are i8 or stand for f8E4M3FN: before kiln-pipeline-copies and behind it.
// RUN: kiln-opt --kiln-test-run-tile %s -o /dev/null | FileCheck %s
// RUN: kiln-opt --kiln-assign-layouts --kiln-pipeline-copies %s | kiln-opt --kiln-test-run-tile -o /dev/null | FileCheck %s

// 1 * -3 + 2 * 127 and 1 * 5 + 2 * -128.
// CHECK: tile.kernel @integers
// CHECK-NEXT: #0 = dense<[2.510000e+02, -2.510000e+02]> : tensor<2xf32>
tile.kernel @integers(%a: !tile.buffer<f32>, %b: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0]> : tensor<2xf32>, dense<[-3, 5, 127, -128]> : tensor<4xi8>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x2xi8, [2, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %x = tile.stage %A[%c0, %c0] : !tile.view<1x2xf32, [2, 1]> -> !tile.staged<1x2xf32>
  %w = tile.stage %B[%c0, %c0] : !tile.view<2x2xi8, [2, 1]> -> !tile.staged<2x2xi8>
  %init = tile.fill %zero : f32 -> !tile.frag<1x2xf32>
  %r = tile.mma %x, %w, %init : !tile.staged<1x2xf32>, !tile.staged<2x2xi8>, !tile.frag<1x2xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<1x2xf32>, !tile.view<1x2xf32, [2, 1]>
}

// 1 * 1 + 2 * -448 and 1 * 2^-9 + 2 * 2^-6.
// CHECK: tile.kernel @floats
// CHECK-NEXT: #0 = dense<[-8.950000e+02, 0.033203125]> : tensor<2xf32>
tile.kernel @floats(%a: !tile.buffer<f32>, %b: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0]> : tensor<2xf32>, dense<[0x38, 0x01, 0xFE, 0x08]> : tensor<4xi8>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %B = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x2xi8, [2, 1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %x = tile.stage %A[%c0, %c0] : !tile.view<1x2xf32, [2, 1]> -> !tile.staged<1x2xf32>
  %w = tile.stage %B[%c0, %c0] : !tile.view<2x2xi8, [2, 1]> -> !tile.staged<2x2xf8E4M3FN>
  %init = tile.fill %zero : f32 -> !tile.frag<1x2xf32>
  %r = tile.mma %x, %w, %init : !tile.staged<1x2xf32>, !tile.staged<2x2xf8E4M3FN>, !tile.frag<1x2xf32>
  tile.store %r, %Y[%c0, %c0] : !tile.frag<1x2xf32>, !tile.view<1x2xf32, [2, 1]>
}

// The same numbers in registers: a NaN stays one, and what is masked is the byte that takes its place.
// CHECK: tile.kernel @loaded
// CHECK-NEXT: #0 = dense<[1.000000e+00, -4.480000e+02, 0x7FC00000, 0.001953125, 1.500000e+00, 1.500000e+00, 1.500000e+00, 1.500000e+00]> : tensor<8xf32>
tile.kernel @loaded(%a: !tile.buffer<i8>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x", threads = 32, grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0x38, 0xFE, 0x7F, 0x01]> : tensor<4xi8>], room = [8]} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0x3C : i8
  %A = tile.view %a offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4xi8, [1]>
  %Y = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<8xf32, [1]>
  %x = tile.load %A[%c0] pad %pad : i8 masked [0] : !tile.view<4xi8, [1]> -> !tile.frag<8xf8E4M3FN>
  %r = tile.convert %x : !tile.frag<8xf8E4M3FN> -> !tile.frag<8xf32>
  tile.store %r, %Y[%c0] : !tile.frag<8xf32>, !tile.view<8xf32, [1]>
}
