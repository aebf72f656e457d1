// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// Views, loads and stores: which elements they touch.

// A fragment begins at its indices: rows 1 and 2, columns 2 and 3 of a view of 3x4.
// CHECK-LABEL: tile.kernel @window
// CHECK-NEXT: #0 = dense<[7.000000e+00, 8.000000e+00, 1.100000e+01, 1.200000e+01]> : tensor<4xf32>
tile.kernel @window(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x4xf32, [4, 1]>
  %f = tile.load %v[%c1, %c2] : !tile.view<3x4xf32, [4, 1]> -> !tile.frag<2x2xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}

// Strides may run along the columns of the buffer: the fragment is a transpose.
// CHECK-LABEL: tile.kernel @strided
// CHECK-NEXT: #0 = dense<[1.000000e+00, 5.000000e+00, 9.000000e+00, 2.000000e+00, 6.000000e+00, 1.000000e+01, 3.000000e+00, 7.000000e+00, 1.100000e+01, 4.000000e+00, 8.000000e+00, 1.200000e+01]> : tensor<12xf32>
tile.kernel @strided(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>],
                room = [12]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x3xf32, [1, 4]>
  %f = tile.load %v[%c0, %c0] : !tile.view<4x3xf32, [1, 4]> -> !tile.frag<4x3xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4x3xf32, [3, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<4x3xf32>, !tile.view<4x3xf32, [3, 1]>
}

// A stride of 0 repeats a dim.
// CHECK-LABEL: tile.kernel @repeated
// CHECK-NEXT: #0 = dense<[5.000000e+00, 6.000000e+00, 5.000000e+00, 6.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<6xf32>
tile.kernel @repeated(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[5.0, 6.0]> : tensor<2xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [0, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<3x2xf32, [0, 1]> -> !tile.frag<3x2xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [2, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<3x2xf32>, !tile.view<3x2xf32, [2, 1]>
}

// A stride may be negative, with an offset behind the last element.
// CHECK-LABEL: tile.kernel @backwards
// CHECK-NEXT: #0 = dense<[3.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>
tile.kernel @backwards(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c2 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [-1]>
  %f = tile.load %v[%c0] : !tile.view<3xf32, [-1]> -> !tile.frag<3xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// Extents and strides from the launch: 2 rows that are 5 apart, of 3 columns.
// CHECK-LABEL: tile.kernel @symbols
// CHECK-NEXT: #0 = dense<[0, 1, 2, 5, 6, 7]> : tensor<6xi32>
tile.kernel @symbols(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols(%m, %s) task(%t)
    attributes {symbols = ["m", "s"], hero = "x",
                grid = affine_map<()[s0, s1] -> (1)>, scratch = affine_map<()[s0, s1] -> (0)>,
                given = [dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]> : tensor<10xi32>],
                room = [6], values = [2, 5]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes(%m) strides(%s) : !tile.buffer<i32> -> !tile.view<?x3xi32, [?, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<?x3xi32, [?, 1]> -> !tile.frag<2x3xi32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x3xi32, [3, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<2x3xi32>, !tile.view<2x3xi32, [3, 1]>
}

// Behind the last column the pad arrives; the rest of the row is not that of the next one.
// CHECK-LABEL: tile.kernel @masked_columns
// CHECK-NEXT: #0 = dense<[2.000000e+00, 3.000000e+00, -1.000000e+00, -1.000000e+00, 5.000000e+00, 6.000000e+00, -1.000000e+00, -1.000000e+00]> : tensor<8xf32>
tile.kernel @masked_columns(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [8]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant -1.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c1] pad %p : f32 masked [1] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x4xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x4xf32, [4, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<2x4xf32>, !tile.view<2x4xf32, [4, 1]>
}

// Behind the last row the same, for whole rows.
// CHECK-LABEL: tile.kernel @masked_rows
// CHECK-NEXT: #0 = dense<[4.000000e+00, 5.000000e+00, 6.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00]> : tensor<6xf32>
tile.kernel @masked_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant -1.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c1, %c0] pad %p : f32 masked [0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [3, 1]>
}

// Along both dims, with an extent of the launch.
// CHECK-LABEL: tile.kernel @masked_both
// CHECK-NEXT: #0 = dense<[7.000000e+00, 8.000000e+00, 5.000000e-01, 5.000000e-01, 5.000000e-01, 5.000000e-01]> : tensor<6xf32>
tile.kernel @masked_both(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols(%m) task(%t)
    attributes {symbols = ["m"], hero = "x",
                grid = affine_map<()[s0] -> (1)>, scratch = affine_map<()[s0] -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>],
                room = [6], values = [2]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 0.5 : f32
  %v = tile.view %x offset %c0 sizes(%m) strides() : !tile.buffer<f32> -> !tile.view<?x4xf32, [4, 1]>
  %c2 = arith.constant 2 : index
  %f = tile.load %v[%c1, %c2] pad %p : f32 masked [0, 1] : !tile.view<?x4xf32, [4, 1]> -> !tile.frag<2x3xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [3, 1]>
}

// With `before` a negative column is masked as well: a convolution that begins in front of its row.
// CHECK-LABEL: tile.kernel @masked_before
// CHECK-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 0.000000e+00]> : tensor<5xf32>
tile.kernel @masked_before(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [5]} {
  %c0 = arith.constant 0 : index
  %before = arith.constant -1 : index
  %p = arith.constant 0.0 : f32
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%before] pad %p : f32 masked [0] before : !tile.view<3xf32, [1]> -> !tile.frag<5xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<5xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<5xf32>, !tile.view<5xf32, [1]>
}

// A scalar.
// CHECK-LABEL: tile.kernel @one_element
// CHECK-NEXT: #0 = dense<[0.000000e+00, 1.000000e+01, 0.000000e+00]> : tensor<3xf32>, 2 not written
tile.kernel @one_element(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x4xf32, [4, 1]>
  %e = tile.load %v[%c2, %c1] : !tile.view<3x4xf32, [4, 1]> -> f32
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  tile.store %e, %w[%c1] : f32, !tile.view<3xf32, [1]>
}

// A fragment of rank 1 runs along the last dim of a view of three.
// CHECK-LABEL: tile.kernel @one_row_of_three_dims
// CHECK-NEXT: #0 = dense<[1.100000e+01, 1.200000e+01]> : tensor<2xf32>
tile.kernel @one_row_of_three_dims(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<12xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3x2xf32, [6, 2, 1]>
  %f = tile.load %v[%c1, %c2, %c0] : !tile.view<2x3x2xf32, [6, 2, 1]> -> !tile.frag<2xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// What lies past the extent of the view is dropped, and nothing behind it is touched.
// CHECK-LABEL: tile.kernel @store_masked
// CHECK-NEXT: #0 = dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<8xf32>, 6 not written
tile.kernel @store_masked(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [8]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [4, 1]>
  tile.store %f, %w[%c1, %c0] masked [0, 1] : !tile.frag<2x3xf32>, !tile.view<2x2xf32, [4, 1]>
}
