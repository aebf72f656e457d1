// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// tile.reduce: kinds, axes, and the tree in which it combines.

// Along the columns: one sum per row.
// CHECK-LABEL: tile.kernel @sum_of_rows
// CHECK-NEXT: #0 = dense<[6.000000e+00, 1.500000e+01]> : tensor<2xf32>
tile.kernel @sum_of_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %r = tile.reduce sum %f axis 1 : !tile.frag<2x3xf32> -> !tile.frag<2xf32>
  tile.store %r, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// Along the rows: one sum per column.
// CHECK-LABEL: tile.kernel @sum_of_columns
// CHECK-NEXT: #0 = dense<[5.000000e+00, 7.000000e+00, 9.000000e+00]> : tensor<3xf32>
tile.kernel @sum_of_columns(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %r = tile.reduce sum %f axis 0 : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  tile.store %r, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// Five elements are padded to eight: x0 + x4, x1, x2, x3; then (x0 + x4) + x2 and x1 + x3. The
// 3 is lost beside 1e8, the two ones are not, as they meet each other first.
// CHECK-LABEL: tile.kernel @sum_in_a_tree
// CHECK-NEXT: #0 = dense<2.000000e+00> : tensor<1xf32>
tile.kernel @sum_in_a_tree(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[100000000.0, 1.0, -100000000.0, 1.0, 3.0]> : tensor<5xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<5xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<5xf32, [1]> -> !tile.frag<5xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<5xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Four elements: x0 + x2 first, so that two halves of the last bit of 1 make it up together.
// CHECK-LABEL: tile.kernel @sum_pairs_halves
// CHECK-NEXT: #0 = dense<1.00000012> : tensor<1xf32>
tile.kernel @sum_pairs_halves(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[5.960464477539063e-08, 1.0, 5.960464477539063e-08, 0.0]> : tensor<4xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xf32, [1]> -> !tile.frag<4xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<4xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// One element is itself: 0 is never added to it, or -0 would be 0.
// CHECK-LABEL: tile.kernel @sum_of_one
// CHECK-NEXT: #0 = dense<-0.000000e+00> : tensor<1xf32>
tile.kernel @sum_of_one(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-0.0]> : tensor<1xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<1xf32, [1]> -> !tile.frag<1xf32>
  %s = tile.reduce sum %f axis 0 : !tile.frag<1xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Products of rows.
// CHECK-LABEL: tile.kernel @prod_of_rows
// CHECK-NEXT: #0 = dense<[6.000000e+00, 1.200000e+02]> : tensor<2xf32>
tile.kernel @prod_of_rows(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %r = tile.reduce prod %f axis 1 : !tile.frag<2x3xf32> -> !tile.frag<2xf32>
  tile.store %r, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// Integers wrap: 2^32 times 3.
// CHECK-LABEL: tile.kernel @prod_wraps
// CHECK-NEXT: #0 = dense<0> : tensor<1xi32>
tile.kernel @prod_wraps(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[65536, 65536, 3, 1, 1]> : tensor<5xi32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<5xi32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1xi32, [1]>
  %f = tile.load %v[%c0] : !tile.view<5xi32, [1]> -> !tile.frag<5xi32>
  %s = tile.reduce prod %f axis 0 : !tile.frag<5xi32> -> i32
  %r = tile.fill %s : i32 -> !tile.frag<1xi32>
  tile.store %r, %w[%c0] : !tile.frag<1xi32>, !tile.view<1xi32, [1]>
}

// A NaN is the maximum of whatever it meets; negative maxima are not 0.
// CHECK-LABEL: tile.kernel @max_of_nan
// CHECK-NEXT: #0 = dense<[0x7FC00000, -1.000000e+00]> : tensor<2xf32>
tile.kernel @max_of_nan(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 0x7FC00000, 3.0, -2.0, -1.0, -3.0]> : tensor<6xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %r = tile.reduce max %f axis 1 : !tile.frag<2x3xf32> -> !tile.frag<2xf32>
  tile.store %r, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// And its minimum.
// CHECK-LABEL: tile.kernel @min_of_nan
// CHECK-NEXT: #0 = dense<[0x7FC00000, -3.000000e+00]> : tensor<2xf32>
tile.kernel @min_of_nan(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 0x7FC00000, 3.0, -2.0, 5.0, -3.0]> : tensor<6xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %r = tile.reduce min %f axis 1 : !tile.frag<2x3xf32> -> !tile.frag<2xf32>
  tile.store %r, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// 0 is more than -0.
// CHECK-LABEL: tile.kernel @max_of_zeros
// CHECK-NEXT: #0 = dense<-0.000000e+00> : tensor<1xf32>
tile.kernel @max_of_zeros(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-0.0, 0.0]> : tensor<2xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0] : !tile.view<2xf32, [1]> -> !tile.frag<2xf32>
  %s = tile.reduce max %f axis 0 : !tile.frag<2xf32> -> f32
  %r = tile.fill %s : f32 -> !tile.frag<1xf32>
  tile.store %r, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Integers are signed: -1 is less than 3 ...
// CHECK-LABEL: tile.kernel @max_signed
// CHECK-NEXT: #0 = dense<3> : tensor<1xi8>
tile.kernel @max_signed(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 3, -128]> : tensor<3xi8>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3xi8, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1xi8, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xi8, [1]> -> !tile.frag<3xi8>
  %s = tile.reduce max %f axis 0 : !tile.frag<3xi8> -> i8
  %r = tile.fill %s : i8 -> !tile.frag<1xi8>
  tile.store %r, %w[%c0] : !tile.frag<1xi8>, !tile.view<1xi8, [1]>
}

// ... and 255 is more.
// CHECK-LABEL: tile.kernel @umax_unsigned
// CHECK-NEXT: #0 = dense<-1> : tensor<1xi8>
tile.kernel @umax_unsigned(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 3, -128]> : tensor<3xi8>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3xi8, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1xi8, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xi8, [1]> -> !tile.frag<3xi8>
  %s = tile.reduce umax %f axis 0 : !tile.frag<3xi8> -> i8
  %r = tile.fill %s : i8 -> !tile.frag<1xi8>
  tile.store %r, %w[%c0] : !tile.frag<1xi8>, !tile.view<1xi8, [1]>
}

// -128 is the least signed number of 8 bits,
// CHECK-LABEL: tile.kernel @min_signed
// CHECK-NEXT: #0 = dense<-128> : tensor<1xi8>
tile.kernel @min_signed(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 3, -128]> : tensor<3xi8>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3xi8, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1xi8, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xi8, [1]> -> !tile.frag<3xi8>
  %s = tile.reduce min %f axis 0 : !tile.frag<3xi8> -> i8
  %r = tile.fill %s : i8 -> !tile.frag<1xi8>
  tile.store %r, %w[%c0] : !tile.frag<1xi8>, !tile.view<1xi8, [1]>
}

// 3 the least unsigned one.
// CHECK-LABEL: tile.kernel @umin_unsigned
// CHECK-NEXT: #0 = dense<3> : tensor<1xi8>
tile.kernel @umin_unsigned(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 3, -128]> : tensor<3xi8>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3xi8, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1xi8, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xi8, [1]> -> !tile.frag<3xi8>
  %s = tile.reduce umin %f axis 0 : !tile.frag<3xi8> -> i8
  %r = tile.fill %s : i8 -> !tile.frag<1xi8>
  tile.store %r, %w[%c0] : !tile.frag<1xi8>, !tile.view<1xi8, [1]>
}

// Bits that all have.
// CHECK-LABEL: tile.kernel @and_of_columns
// CHECK-NEXT: #0 = dense<[240, 5]> : tensor<2xi16>
tile.kernel @and_of_columns(%x: !tile.buffer<i16>) -> (%y: !tile.buffer<i16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[4080, -1, 255, 5]> : tensor<4xi16>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<2x2xi16, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<2xi16, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x2xi16, [2, 1]> -> !tile.frag<2x2xi16>
  %r = tile.reduce and %f axis 0 : !tile.frag<2x2xi16> -> !tile.frag<2xi16>
  tile.store %r, %w[%c0] : !tile.frag<2xi16>, !tile.view<2xi16, [1]>
}

// Bits that one has.
// CHECK-LABEL: tile.kernel @or_of_rows
// CHECK-NEXT: #0 = dense<[3, -32764]> : tensor<2xi16>
tile.kernel @or_of_rows(%x: !tile.buffer<i16>) -> (%y: !tile.buffer<i16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1, 2, -32768, 4]> : tensor<4xi16>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<2x2xi16, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<2xi16, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x2xi16, [2, 1]> -> !tile.frag<2x2xi16>
  %r = tile.reduce or %f axis 1 : !tile.frag<2x2xi16> -> !tile.frag<2xi16>
  tile.store %r, %w[%c0] : !tile.frag<2xi16>, !tile.view<2xi16, [1]>
}

// Whether one is true.
// CHECK-LABEL: tile.kernel @or_of_booleans
// CHECK-NEXT: #0 = dense<true> : tensor<1xi1>
tile.kernel @or_of_booleans(%x: !tile.buffer<i1>) -> (%y: !tile.buffer<i1>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[false, true, false]> : tensor<3xi1>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i1> -> !tile.view<3xi1, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i1> -> !tile.view<1xi1, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xi1, [1]> -> !tile.frag<3xi1>
  %s = tile.reduce or %f axis 0 : !tile.frag<3xi1> -> i1
  %r = tile.fill %s : i1 -> !tile.frag<1xi1>
  tile.store %r, %w[%c0] : !tile.frag<1xi1>, !tile.view<1xi1, [1]>
}

// Whether all are.
// CHECK-LABEL: tile.kernel @and_of_booleans
// CHECK-NEXT: #0 = dense<false> : tensor<1xi1>
tile.kernel @and_of_booleans(%x: !tile.buffer<i1>) -> (%y: !tile.buffer<i1>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[true, true, false]> : tensor<3xi1>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i1> -> !tile.view<3xi1, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i1> -> !tile.view<1xi1, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xi1, [1]> -> !tile.frag<3xi1>
  %s = tile.reduce and %f axis 0 : !tile.frag<3xi1> -> i1
  %r = tile.fill %s : i1 -> !tile.frag<1xi1>
  tile.store %r, %w[%c0] : !tile.frag<1xi1>, !tile.view<1xi1, [1]>
}

// Sums of integers wrap.
// CHECK-LABEL: tile.kernel @sum_wraps
// CHECK-NEXT: #0 = dense<-9223372036854775807> : tensor<1xi64>
tile.kernel @sum_wraps(%x: !tile.buffer<i64>) -> (%y: !tile.buffer<i64>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[4611686018427387904, 4611686018427387904, 1]> : tensor<3xi64>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i64> -> !tile.view<3xi64, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i64> -> !tile.view<1xi64, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xi64, [1]> -> !tile.frag<3xi64>
  %s = tile.reduce sum %f axis 0 : !tile.frag<3xi64> -> i64
  %r = tile.fill %s : i64 -> !tile.frag<1xi64>
  tile.store %r, %w[%c0] : !tile.frag<1xi64>, !tile.view<1xi64, [1]>
}

// Each step is rounded to the type: 2048 + 1 is 2048 in f16; x0 + x2 comes first.
// CHECK-LABEL: tile.kernel @sum_in_halves
// CHECK-NEXT: #0 = dense<2.048000e+03> : tensor<1xf16>
tile.kernel @sum_in_halves(%x: !tile.buffer<f16>) -> (%y: !tile.buffer<f16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<3xf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<1xf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xf16, [1]> -> !tile.frag<3xf16>
  %s = tile.reduce sum %f axis 0 : !tile.frag<3xf16> -> f16
  %r = tile.fill %s : f16 -> !tile.frag<1xf16>
  tile.store %r, %w[%c0] : !tile.frag<1xf16>, !tile.view<1xf16, [1]>
}

// In bf16 256 + 1 is 256; the two ones behind it meet each other, and 256 + 2 is 258.
// CHECK-LABEL: tile.kernel @sum_in_bf16
// CHECK-NEXT: #0 = dense<2.580000e+02> : tensor<1xbf16>
tile.kernel @sum_in_bf16(%x: !tile.buffer<bf16>) -> (%y: !tile.buffer<bf16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[256.0, 1.0, 1.0, 1.0]> : tensor<4xbf16>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<4xbf16, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<bf16> -> !tile.view<1xbf16, [1]>
  %f = tile.load %v[%c0] : !tile.view<4xbf16, [1]> -> !tile.frag<4xbf16>
  %s = tile.reduce sum %f axis 0 : !tile.frag<4xbf16> -> bf16
  %r = tile.fill %s : bf16 -> !tile.frag<1xbf16>
  tile.store %r, %w[%c0] : !tile.frag<1xbf16>, !tile.view<1xbf16, [1]>
}
