// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// tile.stage and tile.mma.

// 2x3 times 3x2, and what was there.
// CHECK-LABEL: tile.kernel @f32
// CHECK-NEXT: #0 = dense<[1.500000e+01, 2.700000e+01, 4.400000e+01, 5.300000e+01]> : tensor<4xf32>
tile.kernel @f32(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>, %c: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>, dense<[1.0, 0.0, 2.0, -1.0, 0.0, 3.0]> : tensor<6xf32>, dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [2, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.staged<2x3xf32>
  %r = tile.stage %u[%c0, %c0] : !tile.view<3x2xf32, [2, 1]> -> !tile.staged<3x2xf32>
  %s = tile.load %o[%c0, %c0] : !tile.view<2x2xf32, [2, 1]> -> !tile.frag<2x2xf32>
  %d = tile.mma %l, %r, %s : !tile.staged<2x3xf32>, !tile.staged<3x2xf32>, !tile.frag<2x2xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}

// One chain per element, k upwards, beginning with the accumulator: (2^24 + 1) + 1 stays 2^24, while
// 2^24 + (1 + 1) would not.
// CHECK-LABEL: tile.kernel @chain
// CHECK-NEXT: #0 = dense<0x4B800000> : tensor<1xf32>
tile.kernel @chain(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>, %c: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 1.0]> : tensor<2xf32>, dense<[1.0, 1.0]> : tensor<2xf32>, dense<[16777216.0]> : tensor<1xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x1xf32, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x2xf32, [2, 1]> -> !tile.staged<1x2xf32>
  %r = tile.stage %u[%c0, %c0] : !tile.view<2x1xf32, [1, 1]> -> !tile.staged<2x1xf32>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.frag<1x1xf32>
  %d = tile.mma %l, %r, %s : !tile.staged<1x2xf32>, !tile.staged<2x1xf32>, !tile.frag<1x1xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>
}

// Products are not rounded before they are added.
// CHECK-LABEL: tile.kernel @fma_chain
// CHECK-NEXT: #0 = dense<4.88340855E-4> : tensor<1xf32>
tile.kernel @fma_chain(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>, %c: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.000244140625]> : tensor<1xf32>, dense<[1.000244140625]> : tensor<1xf32>, dense<[-1.0]> : tensor<1xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.staged<1x1xf32>
  %r = tile.stage %u[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.staged<1x1xf32>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.frag<1x1xf32>
  %d = tile.mma %l, %r, %s : !tile.staged<1x1xf32>, !tile.staged<1x1xf32>, !tile.frag<1x1xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>
}

// Operands are widened first: 300 * 300 does not fit f16.
// CHECK-LABEL: tile.kernel @f16_into_f32
// CHECK-NEXT: #0 = dense<9.000050e+04> : tensor<1xf32>
tile.kernel @f16_into_f32(%x: !tile.buffer<f16>, %b: !tile.buffer<f16>, %c: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[300.0, 1.0]> : tensor<2xf16>, dense<[300.0, 0.5]> : tensor<2xf16>, dense<[0.0]> : tensor<1xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<1x2xf16, [2, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2x1xf16, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x2xf16, [2, 1]> -> !tile.staged<1x2xf16>
  %r = tile.stage %u[%c0, %c0] : !tile.view<2x1xf16, [1, 1]> -> !tile.staged<2x1xf16>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.frag<1x1xf32>
  %d = tile.mma %l, %r, %s : !tile.staged<1x2xf16>, !tile.staged<2x1xf16>, !tile.frag<1x1xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>
}

// The same from bf16.
// CHECK-LABEL: tile.kernel @bf16_into_f32
// CHECK-NEXT: #0 = dense<[2.570000e+02, 5.135000e+02]> : tensor<2xf32>
tile.kernel @bf16_into_f32(%x: !tile.buffer<bf16>, %b: !tile.buffer<bf16>, %c: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[256.0, 1.0]> : tensor<2xbf16>, dense<[1.0, 2.0, 1.0, 0.5]> : tensor<4xbf16>, dense<[0.0, 1.0]> : tensor<2xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<1x2xbf16, [2, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<2x2xbf16, [2, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x2xbf16, [2, 1]> -> !tile.staged<1x2xbf16>
  %r = tile.stage %u[%c0, %c0] : !tile.view<2x2xbf16, [2, 1]> -> !tile.staged<2x2xbf16>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x2xf32, [2, 1]> -> !tile.frag<1x2xf32>
  %d = tile.mma %l, %r, %s : !tile.staged<1x2xbf16>, !tile.staged<2x2xbf16>, !tile.frag<1x2xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x2xf32>, !tile.view<1x2xf32, [2, 1]>
}

// Integers are sign-extended.
// CHECK-LABEL: tile.kernel @signed_bytes
// CHECK-NEXT: #0 = dense<9873> : tensor<1xi32>
tile.kernel @signed_bytes(%x: !tile.buffer<i8>, %b: !tile.buffer<i8>, %c: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 100]> : tensor<2xi8>, dense<[127, 100]> : tensor<2xi8>, dense<[0]> : tensor<1xi32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x2xi8, [2, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x1xi8, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x2xi8, [2, 1]> -> !tile.staged<1x2xi8>
  %r = tile.stage %u[%c0, %c0] : !tile.view<2x1xi8, [1, 1]> -> !tile.staged<2x1xi8>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xi32, [1, 1]> -> !tile.frag<1x1xi32>
  %d = tile.mma %l, %r, %s : !tile.staged<1x2xi8>, !tile.staged<2x1xi8>, !tile.frag<1x1xi32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xi32>, !tile.view<1x1xi32, [1, 1]>
}

// `lhs_unsigned`: -1 is 255.
// CHECK-LABEL: tile.kernel @unsigned_left
// CHECK-NEXT: #0 = dense<9490> : tensor<1xi32>
tile.kernel @unsigned_left(%x: !tile.buffer<i8>, %b: !tile.buffer<i8>, %c: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 100]> : tensor<2xi8>, dense<[-2, 100]> : tensor<2xi8>, dense<[0]> : tensor<1xi32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x2xi8, [2, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x1xi8, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x2xi8, [2, 1]> -> !tile.staged<1x2xi8>
  %r = tile.stage %u[%c0, %c0] : !tile.view<2x1xi8, [1, 1]> -> !tile.staged<2x1xi8>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xi32, [1, 1]> -> !tile.frag<1x1xi32>
  %d = tile.mma %l, %r, %s {lhs_unsigned} : !tile.staged<1x2xi8>, !tile.staged<2x1xi8>, !tile.frag<1x1xi32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xi32>, !tile.view<1x1xi32, [1, 1]>
}

// `rhs_unsigned`: -2 is 254.
// CHECK-LABEL: tile.kernel @unsigned_right
// CHECK-NEXT: #0 = dense<9746> : tensor<1xi32>
tile.kernel @unsigned_right(%x: !tile.buffer<i8>, %b: !tile.buffer<i8>, %c: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 100]> : tensor<2xi8>, dense<[-2, 100]> : tensor<2xi8>, dense<[0]> : tensor<1xi32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x2xi8, [2, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x1xi8, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x2xi8, [2, 1]> -> !tile.staged<1x2xi8>
  %r = tile.stage %u[%c0, %c0] : !tile.view<2x1xi8, [1, 1]> -> !tile.staged<2x1xi8>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xi32, [1, 1]> -> !tile.frag<1x1xi32>
  %d = tile.mma %l, %r, %s {rhs_unsigned} : !tile.staged<1x2xi8>, !tile.staged<2x1xi8>, !tile.frag<1x1xi32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xi32>, !tile.view<1x1xi32, [1, 1]>
}

// Both.
// CHECK-LABEL: tile.kernel @unsigned_both
// CHECK-NEXT: #0 = dense<64771> : tensor<1xi32>
tile.kernel @unsigned_both(%x: !tile.buffer<i8>, %b: !tile.buffer<i8>, %c: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1]> : tensor<1xi8>, dense<[-2]> : tensor<1xi8>, dense<[1]> : tensor<1xi32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x1xi8, [1, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x1xi8, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x1xi8, [1, 1]> -> !tile.staged<1x1xi8>
  %r = tile.stage %u[%c0, %c0] : !tile.view<1x1xi8, [1, 1]> -> !tile.staged<1x1xi8>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xi32, [1, 1]> -> !tile.frag<1x1xi32>
  %d = tile.mma %l, %r, %s {lhs_unsigned, rhs_unsigned} : !tile.staged<1x1xi8>, !tile.staged<1x1xi8>, !tile.frag<1x1xi32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xi32>, !tile.view<1x1xi32, [1, 1]>
}

// Modulo 2^32.
// CHECK-LABEL: tile.kernel @integers_wrap
// CHECK-NEXT: #0 = dense<8> : tensor<1xi32>
tile.kernel @integers_wrap(%x: !tile.buffer<i32>, %b: !tile.buffer<i32>, %c: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[65536, 1]> : tensor<2xi32>, dense<[65536, 7]> : tensor<2xi32>, dense<[1]> : tensor<1xi32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x2xi32, [2, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x1xi32, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x1xi32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x2xi32, [2, 1]> -> !tile.staged<1x2xi32>
  %r = tile.stage %u[%c0, %c0] : !tile.view<2x1xi32, [1, 1]> -> !tile.staged<2x1xi32>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xi32, [1, 1]> -> !tile.frag<1x1xi32>
  %d = tile.mma %l, %r, %s : !tile.staged<1x2xi32>, !tile.staged<2x1xi32>, !tile.frag<1x1xi32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xi32>, !tile.view<1x1xi32, [1, 1]>
}

// `tf32` allows less precision; this interpreter does not use it.
// CHECK-LABEL: tile.kernel @tf32_is_a_permission
// CHECK-NEXT: #0 = dense<1.00000095> : tensor<1xf32>
tile.kernel @tf32_is_a_permission(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>, %c: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0000009536743164]> : tensor<1xf32>, dense<[1.0]> : tensor<1xf32>, dense<[0.0]> : tensor<1xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.staged<1x1xf32>
  %r = tile.stage %u[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.staged<1x1xf32>
  %s = tile.load %o[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.frag<1x1xf32>
  %d = tile.mma %l, %r, %s {tf32} : !tile.staged<1x1xf32>, !tile.staged<1x1xf32>, !tile.frag<1x1xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>
}

// A left operand from registers.
// CHECK-LABEL: tile.kernel @fragment_on_the_left
// CHECK-NEXT: #0 = dense<[1.500000e+01, 2.700000e+01, 4.400000e+01, 5.300000e+01]> : tensor<4xf32>
tile.kernel @fragment_on_the_left(%x: !tile.buffer<f16>, %b: !tile.buffer<f16>, %c: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf16>, dense<[1.0, 0.0, 2.0, -1.0, 0.0, 3.0]> : tensor<6xf16>, dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2x3xf16, [3, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<3x2xf16, [2, 1]>
  %o = tile.view %c offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  %l = tile.load %v[%c0, %c0] : !tile.view<2x3xf16, [3, 1]> -> !tile.frag<2x3xf16>
  %r = tile.stage %u[%c0, %c0] : !tile.view<3x2xf16, [2, 1]> -> !tile.staged<3x2xf16>
  %s = tile.load %o[%c0, %c0] : !tile.view<2x2xf32, [2, 1]> -> !tile.frag<2x2xf32>
  %d = tile.mma %l, %r, %s : !tile.frag<2x3xf16>, !tile.staged<3x2xf16>, !tile.frag<2x2xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}

// Past the extents of their views staged tiles are zero.
// CHECK-LABEL: tile.kernel @masked_tiles
// CHECK-NEXT: #0 = dense<[0.000000e+00, 1.800000e+01, 0.000000e+00, 0.000000e+00]> : tensor<4xf32>
tile.kernel @masked_tiles(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>, dense<[1.0, 0.0, 2.0, -1.0, 0.0, 3.0]> : tensor<6xf32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  %z = arith.constant 0.0 : f32
  %l = tile.stage %v[%c1, %c2] masked [0, 1] : !tile.view<2x3xf32, [3, 1]> -> !tile.staged<2x2xf32>
  %r = tile.stage %u[%c2, %c0] masked [0] : !tile.view<3x2xf32, [2, 1]> -> !tile.staged<2x2xf32>
  %s = tile.fill %z : f32 -> !tile.frag<2x2xf32>
  %d = tile.mma %l, %r, %s : !tile.staged<2x2xf32>, !tile.staged<2x2xf32>, !tile.frag<2x2xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}

// K may be known at run time only: 3 of 4 products.
// CHECK-LABEL: tile.kernel @length_of_the_launch
// CHECK-NEXT: #0 = dense<3.210000e+02> : tensor<1xf32>
tile.kernel @length_of_the_launch(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%k) task(%t)
    attributes {symbols = ["k"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>, dense<[1.0, 10.0, 100.0, 1000.0]> : tensor<4xf32>],
                room = [1], values = [3]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x4xf32, [4, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %z = arith.constant 0.0 : f32
  %l = tile.stage %v[%c0, %c0] sizes(%k) : !tile.view<1x4xf32, [4, 1]> -> !tile.staged<1x?xf32>
  %r = tile.stage %u[%c0, %c0] sizes(%k) : !tile.view<4x1xf32, [1, 1]> -> !tile.staged<?x1xf32>
  %s = tile.fill %z : f32 -> !tile.frag<1x1xf32>
  %d = tile.mma %l, %r, %s : !tile.staged<1x?xf32>, !tile.staged<?x1xf32>, !tile.frag<1x1xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>
}

// No products: the accumulator.
// CHECK-LABEL: tile.kernel @no_k
// CHECK-NEXT: #0 = dense<7.500000e+00> : tensor<1xf32>
tile.kernel @no_k(%x: !tile.buffer<f32>, %b: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%k) task(%t)
    attributes {symbols = ["k"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>, dense<[1.0, 10.0, 100.0, 1000.0]> : tensor<4xf32>],
                room = [1], values = [0]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x4xf32, [4, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %z = arith.constant 7.5 : f32
  %l = tile.stage %v[%c0, %c0] sizes(%k) : !tile.view<1x4xf32, [4, 1]> -> !tile.staged<1x?xf32>
  %r = tile.stage %u[%c0, %c0] sizes(%k) : !tile.view<4x1xf32, [1, 1]> -> !tile.staged<?x1xf32>
  %s = tile.fill %z : f32 -> !tile.frag<1x1xf32>
  %d = tile.mma %l, %r, %s : !tile.staged<1x?xf32>, !tile.staged<?x1xf32>, !tile.frag<1x1xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>
}
