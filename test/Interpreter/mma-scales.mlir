// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// tile.mma with block scales: 64 steps of K are two blocks of 32 in microscaling formats, four of 16 in NVFP4.

// MXFP8: 32 steps of 1.5 * 2^1 times 2 * 2^0, and 32 steps of 1.5 * 2^-1 times 2 * 2^3: 32 * 6 + 32 * 12.
// The second column has 2^-2 on the second block of the right operand: 32 * 6 + 32 * 0.375.
// CHECK-LABEL: tile.kernel @mxfp8
// CHECK-NEXT: #0 = dense<[5.770000e+02, 2.050000e+02]> : tensor<2xf32>
tile.kernel @mxfp8(%x: !tile.buffer<f8E4M3FN>, %b: !tile.buffer<f8E5M2>, %p: !tile.buffer<f8E8M0FNU>, %q: !tile.buffer<f8E8M0FNU>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<1.5> : tensor<64xf8E4M3FN>, dense<2.0> : tensor<128xf8E5M2>,
                         dense<[2.0, 0.5]> : tensor<2xf8E8M0FNU>, dense<[1.0, 1.0, 8.0, 0.25]> : tensor<4xf8E8M0FNU>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f8E4M3FN> -> !tile.view<1x64xf8E4M3FN, [64, 1]>
  %u = tile.view %b offset %c0 sizes() strides() : !tile.buffer<f8E5M2> -> !tile.view<64x2xf8E5M2, [2, 1]>
  %m = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f8E8M0FNU> -> !tile.view<1x2xf8E8M0FNU, [2, 1]>
  %n = tile.view %q offset %c0 sizes() strides() : !tile.buffer<f8E8M0FNU> -> !tile.view<2x2xf8E8M0FNU, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %l = tile.stage %v[%c0, %c0] : !tile.view<1x64xf8E4M3FN, [64, 1]> -> !tile.staged<1x64xf8E4M3FN>
  %r = tile.stage %u[%c0, %c0] : !tile.view<64x2xf8E5M2, [2, 1]> -> !tile.staged<64x2xf8E5M2>
  %f = tile.stage %m[%c0, %c0] : !tile.view<1x2xf8E8M0FNU, [2, 1]> -> !tile.staged<1x2xf8E8M0FNU>
  %g = tile.load %n[%c0, %c0] : !tile.view<2x2xf8E8M0FNU, [2, 1]> -> !tile.frag<2x2xf8E8M0FNU>
  %s = tile.fill %one : f32 -> !tile.frag<1x2xf32>
  %d = tile.mma %l, %r, %s scales(%f, %g : !tile.staged<1x2xf8E8M0FNU>, !tile.frag<2x2xf8E8M0FNU>)
      : !tile.staged<1x64xf8E4M3FN>, !tile.staged<64x2xf8E5M2>, !tile.frag<1x2xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x2xf32>, !tile.view<1x2xf32, [2, 1]>
}

// NVFP4: numbers of 4 bits in registers; blocks of 16 with scales 1.5, 2, 0.25 and 448 of the left operand, 1 of
// the right one: 16 * 3 * 6 * (1.5 + 2 + 0.25 + 448).
// CHECK-LABEL: tile.kernel @nvfp4
// CHECK-NEXT: #0 = dense<1.301040e+05> : tensor<1xf32>
tile.kernel @nvfp4(%p: !tile.buffer<f8E4M3FN>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "p",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.5, 2.0, 0.25, 448.0]> : tensor<4xf8E4M3FN>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f4E2M1FN
  %six = arith.constant 6.0 : f4E2M1FN
  %one = arith.constant 1.0 : f8E4M3FN
  %m = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f8E4M3FN> -> !tile.view<1x4xf8E4M3FN, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %l = tile.fill %three : f4E2M1FN -> !tile.frag<1x64xf4E2M1FN>
  %r = tile.fill %six : f4E2M1FN -> !tile.frag<64x1xf4E2M1FN>
  %f = tile.stage %m[%c0, %c0] : !tile.view<1x4xf8E4M3FN, [4, 1]> -> !tile.staged<1x4xf8E4M3FN>
  %g = tile.fill %one : f8E4M3FN -> !tile.frag<4x1xf8E4M3FN>
  %s = tile.fill %zero : f32 -> !tile.frag<1x1xf32>
  %d = tile.mma %l, %r, %s scales(%f, %g : !tile.staged<1x4xf8E4M3FN>, !tile.frag<4x1xf8E4M3FN>)
      : !tile.frag<1x64xf4E2M1FN>, !tile.frag<64x1xf4E2M1FN>, !tile.frag<1x1xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>
}

// Without scales, both operands in registers.
// CHECK-LABEL: tile.kernel @registers
// CHECK-NEXT: #0 = dense<2.000000e+01> : tensor<1xf32>
tile.kernel @registers(%p: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "p",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %m = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x3xf32, [3, 1]>
  %k = tile.view %p offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %l = tile.load %m[%c0, %c0] : !tile.view<1x3xf32, [3, 1]> -> !tile.frag<1x3xf32>
  %r = tile.load %k[%c0, %c0] : !tile.view<3x1xf32, [1, 1]> -> !tile.frag<3x1xf32>
  %six = arith.constant 6.0 : f32
  %s = tile.fill %six : f32 -> !tile.frag<1x1xf32>
  %d = tile.mma %l, %r, %s : !tile.frag<1x3xf32>, !tile.frag<3x1xf32>, !tile.frag<1x1xf32>
  tile.store %d, %w[%c0, %c0] : !tile.frag<1x1xf32>, !tile.view<1x1xf32, [1, 1]>
}
