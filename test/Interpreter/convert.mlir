// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// tile.convert rounds once, to nearest even.

// Ties go to the even neighbour: 2049 to 2048, 2051 to 2052. 65520 is the first to be infinite, and
// numbers below half of 2^-24 are 0.
// CHECK-LABEL: tile.kernel @to_f16
// CHECK-NEXT: #0 = dense<[2.048000e+03, 2.052000e+03, 6.550400e+04, 0x7C00, 0.000000e+00, 5.960460e-08]> : tensor<6xf16>
tile.kernel @to_f16(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[2049.0, 2051.0, 65519.0, 65520.0, 2.9802322387695312e-08, 5.960464477539063e-08]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<6xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<6xf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<6xf32, [1]> -> !tile.frag<6xf32>
  %r = tile.convert %f : !tile.frag<6xf32> -> !tile.frag<6xf16>
  tile.store %r, %w[%c0] : !tile.frag<6xf16>, !tile.view<6xf16, [1]>
}

// Eight bits of mantissa: 257 is between 256 and 258, 259 nearer to 260 by the tie; the largest f32
// is infinite.
// CHECK-LABEL: tile.kernel @to_bf16
// CHECK-NEXT: #0 = dense<[2.560000e+02, 2.600000e+02, 1.000000e+00, -1.015630e+00, 0x7F80]> : tensor<5xbf16>
tile.kernel @to_bf16(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[257.0, 259.0, 1.00390625, -1.01171875, 3.4028234663852886e+38]> : tensor<5xf32>],
                room = [5]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<5xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<5xbf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<5xf32, [1]> -> !tile.frag<5xf32>
  %r = tile.convert %f : !tile.frag<5xf32> -> !tile.frag<5xbf16>
  tile.store %r, %w[%c0] : !tile.frag<5xbf16>, !tile.view<5xbf16, [1]>
}

// Nothing is lost on the way up, subnormal numbers included.
// CHECK-LABEL: tile.kernel @from_f16
// CHECK-NEXT: #0 = dense<[5.000000e-01, -6.550400e+04, 5.96046448E-8, 0x7F800000]> : tensor<4xf32>
tile.kernel @from_f16(%x: !tile.buffer<f16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0.5, -65504.0, 5.960464477539063e-08, 0x7C00]> : tensor<4xf16>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<4xf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xf16, [1]> -> !tile.frag<4xf16>
  %r = tile.convert %f : !tile.frag<4xf16> -> !tile.frag<4xf32>
  tile.store %r, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
}

// bf16 to f32 keeps sign and infinity.
// CHECK-LABEL: tile.kernel @from_bf16
// CHECK-NEXT: #0 = dense<[-0.000000e+00, 1.500000e+00, 0xFF800000]> : tensor<3xf32>
tile.kernel @from_bf16(%x: !tile.buffer<bf16>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-0.0, 1.5, 0xFF80]> : tensor<3xbf16>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<3xbf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xbf16, [1]> -> !tile.frag<3xbf16>
  %r = tile.convert %f : !tile.frag<3xbf16> -> !tile.frag<3xf32>
  tile.store %r, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// From f64 to f32 in one rounding.
// CHECK-LABEL: tile.kernel @from_f64
// CHECK-NEXT: #0 = dense<[1.000000e+00, 1.00000024, 0x7F800000]> : tensor<3xf32>
tile.kernel @from_f64(%x: !tile.buffer<f64>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0000000596046448, 1.0000001788139343, 1.0e+300]> : tensor<3xf64>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f64> -> !tile.view<3xf64, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xf64, [1]> -> !tile.frag<3xf64>
  %r = tile.convert %f : !tile.frag<3xf64> -> !tile.frag<3xf32>
  tile.store %r, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// Not by way of f32: 1 + 2^-11 + 2^-40 is above the tie of f16, and in f32 it would be the tie.
// CHECK-LABEL: tile.kernel @f64_to_f16
// CHECK-NEXT: #0 = dense<[1.000980e+00, 1.000000e+00]> : tensor<2xf16>
tile.kernel @f64_to_f16(%x: !tile.buffer<f64>) -> (%y: !tile.buffer<f16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0004882812509095, 1.00048828125]> : tensor<2xf64>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f64> -> !tile.view<2xf64, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2xf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<2xf64, [1]> -> !tile.frag<2xf64>
  %r = tile.convert %f : !tile.frag<2xf64> -> !tile.frag<2xf16>
  tile.store %r, %w[%c0] : !tile.frag<2xf16>, !tile.view<2xf16, [1]>
}

// NaN stays NaN.
// CHECK-LABEL: tile.kernel @nan_stays
// CHECK-NEXT: #0 = dense<0x7E00> : tensor<1xf16>
tile.kernel @nan_stays(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0x7FC00000]> : tensor<1xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<1xf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<1xf32, [1]> -> !tile.frag<1xf32>
  %r = tile.convert %f : !tile.frag<1xf32> -> !tile.frag<1xf16>
  tile.store %r, %w[%c0] : !tile.frag<1xf16>, !tile.view<1xf16, [1]>
}

// Between the two types of 16 bits: 1.0625 fits both, 2049 would not fit f16, 1.00390625 is a tie of bf16.
// CHECK-LABEL: tile.kernel @f16_to_bf16
// CHECK-NEXT: #0 = dense<[1.062500e+00, 1.000000e+00, 6.553600e+04]> : tensor<3xbf16>
tile.kernel @f16_to_bf16(%x: !tile.buffer<f16>) -> (%y: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0625, 1.00390625, 65504.0]> : tensor<3xf16>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<3xf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<3xbf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xf16, [1]> -> !tile.frag<3xf16>
  %r = tile.convert %f : !tile.frag<3xf16> -> !tile.frag<3xbf16>
  tile.store %r, %w[%c0] : !tile.frag<3xbf16>, !tile.view<3xbf16, [1]>
}
