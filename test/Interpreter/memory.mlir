// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// Strided stores, scratch, gather and scatter.

// A store may be across its buffer.
// CHECK-LABEL: tile.kernel @store_strided
// CHECK-NEXT: #0 = dense<[1.000000e+00, 4.000000e+00, 2.000000e+00, 5.000000e+00, 3.000000e+00, 6.000000e+00]> : tensor<6xf32>
tile.kernel @store_strided(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [1, 2]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [1, 2]>
}

// Scratch is memory of the task: written row by row, read across.
// CHECK-LABEL: tile.kernel @through_scratch
// CHECK-NEXT: #0 = dense<[1.000000e+00, 4.000000e+00, 2.000000e+00, 5.000000e+00, 3.000000e+00, 6.000000e+00]> : tensor<6xf32>
tile.kernel @through_scratch(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (32)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %s = tile.scratch %c8 : !tile.buffer<f32>
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %a = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  tile.store %f, %a[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [3, 1]>
  %b = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [1, 3]>
  %g = tile.load %b[%c0, %c0] : !tile.view<3x2xf32, [1, 3]> -> !tile.frag<3x2xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [2, 1]>
  tile.store %g, %w[%c0, %c0] : !tile.frag<3x2xf32>, !tile.view<3x2xf32, [2, 1]>
}

// What nobody has written there is NaN, so that it shows.
// CHECK-LABEL: tile.kernel @scratch_is_undefined
// CHECK-NEXT: #0 = dense<0xFFFFFFFF> : tensor<2xf32>
tile.kernel @scratch_is_undefined() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (8)>,
                room = [2]} {
  %c0 = arith.constant 0 : index
  %s = tile.scratch %c0 : !tile.buffer<f32>
  %a = tile.view %s offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %a[%c0] : !tile.view<2xf32, [1]> -> !tile.frag<2xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// A prefetch reads nothing, wherever it points; sync_threads and convert_layout change nothing.
// CHECK-LABEL: tile.kernel @in_place
// CHECK-NEXT: #0 = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
tile.kernel @in_place(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %far = arith.constant 1000 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  tile.prefetch %v[%far] : !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xf32, [1]> -> !tile.frag<4xf32>
  tile.sync_threads
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
}

// Elements of the last dim by number, of row 1.
// CHECK-LABEL: tile.kernel @gather
// CHECK-NEXT: #0 = dense<[6.000000e+00, 4.000000e+00, 6.000000e+00, 5.000000e+00]> : tensor<4xf32>
tile.kernel @gather(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>, dense<[2, 0, 2, 1]> : tensor<4xi32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<4xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<4xi32, [1]> -> !tile.frag<4xi32>
  %f = tile.gather %v[%c1] at %a : !tile.view<2x3xf32, [3, 1]>, !tile.frag<4xi32> -> !tile.frag<4xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  tile.store %f, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
}

// Numbers below 0 or behind the end give the pad.
// CHECK-LABEL: tile.kernel @gather_with_pad
// CHECK-NEXT: #0 = dense<[99, 1, 3, 99]> : tensor<4xi8>
tile.kernel @gather_with_pad(%x: !tile.buffer<i8>, %i: !tile.buffer<i64>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1, 2, 3]> : tensor<3xi8>, dense<[-1, 0, 2, 3]> : tensor<4xi64>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %p = arith.constant 99 : i8
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3xi8, [1]>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i64> -> !tile.view<4xi64, [1]>
  %a = tile.load %n[%c0] : !tile.view<4xi64, [1]> -> !tile.frag<4xi64>
  %f = tile.gather %v[] at %a pad %p : i8 : !tile.view<3xi8, [1]>, !tile.frag<4xi64> -> !tile.frag<4xi8>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<4xi8, [1]>
  tile.store %f, %w[%c0] : !tile.frag<4xi8>, !tile.view<4xi8, [1]>
}

// The numbers may have rank 2.
// CHECK-LABEL: tile.kernel @gather_a_square
// CHECK-NEXT: #0 = dense<[1.000000e+01, 2.000000e+01, 3.000000e+01, 1.000000e+01]> : tensor<4xf32>
tile.kernel @gather_a_square(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[10.0, 20.0, 30.0]> : tensor<3xf32>, dense<[0, 1, 2, 0]> : tensor<4xi32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x2xi32, [2, 1]>
  %a = tile.load %n[%c0, %c0] : !tile.view<2x2xi32, [2, 1]> -> !tile.frag<2x2xi32>
  %f = tile.gather %v[] at %a : !tile.view<3xf32, [1]>, !tile.frag<2x2xi32> -> !tile.frag<2x2xf32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  tile.store %f, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}

// A permutation of places of row 1.
// CHECK-LABEL: tile.kernel @scatter
// CHECK-NEXT: #0 = dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00]> : tensor<6xf32>, 3 not written
tile.kernel @scatter(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>, dense<[2, 0, 1]> : tensor<3xi32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xf32, [1]> -> !tile.frag<3xf32>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<3xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<3xi32, [1]> -> !tile.frag<3xi32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  tile.scatter %f, %w[%c1] at %a : !tile.frag<3xf32>, !tile.view<2x3xf32, [3, 1]>, !tile.frag<3xi32>
}

// Places outside are dropped, two that are the same among them.
// CHECK-LABEL: tile.kernel @scatter_masked
// CHECK-NEXT: #0 = dense<[4.000000e+00, 0.000000e+00, 0.000000e+00]> : tensor<3xf32>, 2 not written
tile.kernel @scatter_masked(%x: !tile.buffer<f32>, %i: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>, dense<[-1, 3, 3, 0]> : tensor<4xi32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xf32, [1]> -> !tile.frag<4xf32>
  %n = tile.view %i offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<4xi32, [1]>
  %a = tile.load %n[%c0] : !tile.view<4xi32, [1]> -> !tile.frag<4xi32>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  tile.scatter %f, %w[] at %a masked : !tile.frag<4xf32>, !tile.view<3xf32, [1]>, !tile.frag<4xi32>
}
