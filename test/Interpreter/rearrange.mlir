// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// Ops that move elements: where each comes from.

// Rows become columns.
// CHECK-LABEL: tile.kernel @transpose_2x3
// CHECK-NEXT: #0 = dense<[1.000000e+00, 4.000000e+00, 2.000000e+00, 5.000000e+00, 3.000000e+00, 6.000000e+00]> : tensor<6xf32>
tile.kernel @transpose_2x3(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [2, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %r = tile.transpose %f : !tile.frag<2x3xf32> -> !tile.frag<3x2xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<3x2xf32>, !tile.view<3x2xf32, [2, 1]>
}

// One row becomes one column.
// CHECK-LABEL: tile.kernel @transpose_1x4
// CHECK-NEXT: #0 = dense<[-1, 2, -3, 4]> : tensor<4xi16>
tile.kernel @transpose_1x4(%x: !tile.buffer<i16>) -> (%y: !tile.buffer<i16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 2, -3, 4]> : tensor<4xi16>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<1x4xi16, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<4x1xi16, [1, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x4xi16, [4, 1]> -> !tile.frag<1x4xi16>
  %r = tile.transpose %f : !tile.frag<1x4xi16> -> !tile.frag<4x1xi16>
  tile.store %r, %w[%c0, %c0] : !tile.frag<4x1xi16>, !tile.view<4x1xi16, [1, 1]>
}

// Axis 0: every row is the input.
// CHECK-LABEL: tile.kernel @broadcast_rows
// CHECK-NEXT: #0 = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<6xf32>
tile.kernel @broadcast_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0] : !tile.view<3xf32, [1]> -> !tile.frag<3xf32>
  %r = tile.broadcast %f axis 0 : !tile.frag<3xf32> -> !tile.frag<2x3xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [3, 1]>
}

// Axis 1: every column is the input.
// CHECK-LABEL: tile.kernel @broadcast_columns
// CHECK-NEXT: #0 = dense<[1.000000e+00, 1.000000e+00, 2.000000e+00, 2.000000e+00, 3.000000e+00, 3.000000e+00]> : tensor<6xf32>
tile.kernel @broadcast_columns(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [2, 1]>
  %f = tile.load %v[%c0] : !tile.view<3xf32, [1]> -> !tile.frag<3xf32>
  %r = tile.broadcast %f axis 1 : !tile.frag<3xf32> -> !tile.frag<3x2xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<3x2xf32>, !tile.view<3x2xf32, [2, 1]>
}

// A row of a fragment keeps its order.
// CHECK-LABEL: tile.kernel @extract_row
// CHECK-NEXT: #0 = dense<[4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<3xf32>
tile.kernel @extract_row(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %r = tile.extract %f [1] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  tile.store %r, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// Row 1, column 2.
// CHECK-LABEL: tile.kernel @extract_element
// CHECK-NEXT: #0 = dense<6.000000e+00> : tensor<2xf32>
tile.kernel @extract_element(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %e = tile.extract %f [1, 2] : !tile.frag<2x3xf32> -> f32
  %r = tile.fill %e : f32 -> !tile.frag<2xf32>
  tile.store %r, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// An element of a fragment of rank 1.
// CHECK-LABEL: tile.kernel @extract_of_row
// CHECK-NEXT: #0 = dense<-8> : tensor<1xi8>
tile.kernel @extract_of_row(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[7, -8, 9]> : tensor<3xi8>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3xi8, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1xi8, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xi8, [1]> -> !tile.frag<3xi8>
  %e = tile.extract %f [1] : !tile.frag<3xi8> -> i8
  %r = tile.fill %e : i8 -> !tile.frag<1xi8>
  tile.store %r, %w[%c0] : !tile.frag<1xi8>, !tile.view<1xi8, [1]>
}

// Rows in the order in which they are given, one of them twice.
// CHECK-LABEL: tile.kernel @stack_rows
// CHECK-NEXT: #0 = dense<[4.000000e+00, 5.000000e+00, 6.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<9xf32>
tile.kernel @stack_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [9]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %a = tile.extract %f [0] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %b = tile.extract %f [1] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %r = tile.stack %b, %a, %b : !tile.frag<3xf32>, !tile.frag<3xf32>, !tile.frag<3xf32> -> !tile.frag<3x3xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<3x3xf32>, !tile.view<3x3xf32, [3, 1]>
}

// The start and the column.
// CHECK-LABEL: tile.kernel @iota_columns
// CHECK-NEXT: #0 = dense<[-1, 0, 1, -1, 0, 1]> : tensor<6xi32>
tile.kernel @iota_columns(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1]> : tensor<1xi32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1xi32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x3xi32, [3, 1]>
  %f = tile.load %v[%c0] : !tile.view<1xi32, [1]> -> !tile.frag<1xi32>
  %s = tile.extract %f [0] : !tile.frag<1xi32> -> i32
  %r = tile.iota %s axis 1 : i32 -> !tile.frag<2x3xi32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x3xi32>, !tile.view<2x3xi32, [3, 1]>
}

// The start and the row; 8 bits wrap.
// CHECK-LABEL: tile.kernel @iota_rows
// CHECK-NEXT: #0 = dense<[126, 126, 127, 127, -128, -128]> : tensor<6xi8>
tile.kernel @iota_rows(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[126]> : tensor<1xi8>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1xi8, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3x2xi8, [2, 1]>
  %f = tile.load %v[%c0] : !tile.view<1xi8, [1]> -> !tile.frag<1xi8>
  %s = tile.extract %f [0] : !tile.frag<1xi8> -> i8
  %r = tile.iota %s axis 0 : i8 -> !tile.frag<3x2xi8>
  tile.store %r, %w[%c0, %c0] : !tile.frag<3x2xi8>, !tile.view<3x2xi8, [2, 1]>
}

// Columns 1 and 2 stay; the upper end is not part of the range.
// CHECK-LABEL: tile.kernel @select_columns
// CHECK-NEXT: #0 = dense<[9.000000e+00, 2.000000e+00, 3.000000e+00, 9.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<6xf32>
tile.kernel @select_columns(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %low = arith.constant 1 : index
  %high = arith.constant 3 : index
  %nine = arith.constant 9.0 : f32
  %r = tile.select_range %f in [%low, %high) else %nine : f32 axis 1 : !tile.frag<2x3xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [3, 1]>
}

// Along the rows the whole second row goes.
// CHECK-LABEL: tile.kernel @select_rows
// CHECK-NEXT: #0 = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 9.000000e+00, 9.000000e+00, 9.000000e+00]> : tensor<6xf32>
tile.kernel @select_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %low = arith.constant 0 : index
  %high = arith.constant 1 : index
  %nine = arith.constant 9.0 : f32
  %r = tile.select_range %f in [%low, %high) else %nine : f32 axis 0 : !tile.frag<2x3xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [3, 1]>
}

// A range that ends before it begins keeps nothing.
// CHECK-LABEL: tile.kernel @select_nothing
// CHECK-NEXT: #0 = dense<9.000000e+00> : tensor<6xf32>
tile.kernel @select_nothing(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %low = arith.constant 2 : index
  %high = arith.constant 1 : index
  %nine = arith.constant 9.0 : f32
  %r = tile.select_range %f in [%low, %high) else %nine : f32 axis 1 : !tile.frag<2x3xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [3, 1]>
}

// A range that begins in front of the fragment and ends behind it keeps everything.
// CHECK-LABEL: tile.kernel @select_everything
// CHECK-NEXT: #0 = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]> : tensor<6xf32>
tile.kernel @select_everything(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %low = arith.constant -5 : index
  %high = arith.constant 100 : index
  %nine = arith.constant 9.0 : f32
  %r = tile.select_range %f in [%low, %high) else %nine : f32 axis 1 : !tile.frag<2x3xf32>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x3xf32>, !tile.view<2x3xf32, [3, 1]>
}

// Every element is the scalar.
// CHECK-LABEL: tile.kernel @fill_both
// CHECK-NEXT: #0 = dense<5.000000e-01> : tensor<4xf16>
tile.kernel @fill_both(%x: !tile.buffer<f16>) -> (%y: !tile.buffer<f16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0.5]> : tensor<1xf16>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<1xf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2x2xf16, [2, 1]>
  %f = tile.load %v[%c0] : !tile.view<1xf16, [1]> -> !tile.frag<1xf16>
  %s = tile.extract %f [0] : !tile.frag<1xf16> -> f16
  %r = tile.fill %s : f16 -> !tile.frag<2x2xf16>
  tile.store %r, %w[%c0, %c0] : !tile.frag<2x2xf16>, !tile.view<2x2xf16, [2, 1]>
}
