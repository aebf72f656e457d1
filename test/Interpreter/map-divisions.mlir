// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// tile.map over integers: quotients and remainders, and what wraps.

// Wraps at the ends.
// CHECK-LABEL: tile.kernel @addition
// CHECK-NEXT: #0 = dense<[0, -24]> : tensor<2xi32>
tile.kernel @addition(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[2147483647, 5, 1, -7]> : tensor<4xi32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x2xi32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x2xi32, [2, 1]> -> !tile.frag<2x2xi32>
  %fa = tile.extract %f [0] : !tile.frag<2x2xi32> -> !tile.frag<2xi32>
  %fb = tile.extract %f [1] : !tile.frag<2x2xi32> -> !tile.frag<2xi32>
  %m = tile.map %fa, %fb : !tile.frag<2xi32>, !tile.frag<2xi32> -> !tile.frag<2xi32> {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    %d = arith.subi %a, %b : i32
    %r = arith.muli %s, %d : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi32>, !tile.view<2xi32, [1]>
}

// Towards zero.
// CHECK-LABEL: tile.kernel @signed_division
// CHECK-NEXT: #0 = dense<[3, -3, -3, 3, -715827882, 0]> : tensor<6xi32>
tile.kernel @signed_division(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[7, -7, 7, -7, -2147483648, 0, 2, 2, -2, -2, 3, 5]> : tensor<12xi32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x6xi32, [6, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<6xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x6xi32, [6, 1]> -> !tile.frag<2x6xi32>
  %fa = tile.extract %f [0] : !tile.frag<2x6xi32> -> !tile.frag<6xi32>
  %fb = tile.extract %f [1] : !tile.frag<2x6xi32> -> !tile.frag<6xi32>
  %m = tile.map %fa, %fb : !tile.frag<6xi32>, !tile.frag<6xi32> -> !tile.frag<6xi32> {
  ^bb0(%a: i32, %b: i32):
    %r = arith.divsi %a, %b : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<6xi32>, !tile.view<6xi32, [1]>
}

// With the sign of what is divided.
// CHECK-LABEL: tile.kernel @signed_remainder
// CHECK-NEXT: #0 = dense<[1, -1, 1, -1, -2, 0]> : tensor<6xi32>
tile.kernel @signed_remainder(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[7, -7, 7, -7, -2147483648, 0, 2, 2, -2, -2, 3, 5]> : tensor<12xi32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x6xi32, [6, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<6xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x6xi32, [6, 1]> -> !tile.frag<2x6xi32>
  %fa = tile.extract %f [0] : !tile.frag<2x6xi32> -> !tile.frag<6xi32>
  %fb = tile.extract %f [1] : !tile.frag<2x6xi32> -> !tile.frag<6xi32>
  %m = tile.map %fa, %fb : !tile.frag<6xi32>, !tile.frag<6xi32> -> !tile.frag<6xi32> {
  ^bb0(%a: i32, %b: i32):
    %r = arith.remsi %a, %b : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<6xi32>, !tile.view<6xi32, [1]>
}

// Towards minus infinity.
// CHECK-LABEL: tile.kernel @floor_division
// CHECK-NEXT: #0 = dense<[3, -4, -4, 3, -715827883, 0]> : tensor<6xi32>
tile.kernel @floor_division(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[7, -7, 7, -7, -2147483648, 0, 2, 2, -2, -2, 3, 5]> : tensor<12xi32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x6xi32, [6, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<6xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x6xi32, [6, 1]> -> !tile.frag<2x6xi32>
  %fa = tile.extract %f [0] : !tile.frag<2x6xi32> -> !tile.frag<6xi32>
  %fb = tile.extract %f [1] : !tile.frag<2x6xi32> -> !tile.frag<6xi32>
  %m = tile.map %fa, %fb : !tile.frag<6xi32>, !tile.frag<6xi32> -> !tile.frag<6xi32> {
  ^bb0(%a: i32, %b: i32):
    %r = arith.floordivsi %a, %b : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<6xi32>, !tile.view<6xi32, [1]>
}

// Towards infinity.
// CHECK-LABEL: tile.kernel @ceil_division
// CHECK-NEXT: #0 = dense<[4, -3, -3, 4, -715827882, 0]> : tensor<6xi32>
tile.kernel @ceil_division(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[7, -7, 7, -7, -2147483648, 0, 2, 2, -2, -2, 3, 5]> : tensor<12xi32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x6xi32, [6, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<6xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x6xi32, [6, 1]> -> !tile.frag<2x6xi32>
  %fa = tile.extract %f [0] : !tile.frag<2x6xi32> -> !tile.frag<6xi32>
  %fb = tile.extract %f [1] : !tile.frag<2x6xi32> -> !tile.frag<6xi32>
  %m = tile.map %fa, %fb : !tile.frag<6xi32>, !tile.frag<6xi32> -> !tile.frag<6xi32> {
  ^bb0(%a: i32, %b: i32):
    %r = arith.ceildivsi %a, %b : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<6xi32>, !tile.view<6xi32, [1]>
}

// -7 is a large number: 2^32 - 7.
// CHECK-LABEL: tile.kernel @unsigned_division
// CHECK-NEXT: #0 = dense<[3, 2147483644, 0]> : tensor<3xi32>
tile.kernel @unsigned_division(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[7, -7, -7, 2, 2, -2]> : tensor<6xi32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x3xi32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<3xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xi32, [3, 1]> -> !tile.frag<2x3xi32>
  %fa = tile.extract %f [0] : !tile.frag<2x3xi32> -> !tile.frag<3xi32>
  %fb = tile.extract %f [1] : !tile.frag<2x3xi32> -> !tile.frag<3xi32>
  %m = tile.map %fa, %fb : !tile.frag<3xi32>, !tile.frag<3xi32> -> !tile.frag<3xi32> {
  ^bb0(%a: i32, %b: i32):
    %r = arith.divui %a, %b : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<3xi32>, !tile.view<3xi32, [1]>
}

// Of such a one.
// CHECK-LABEL: tile.kernel @unsigned_remainder
// CHECK-NEXT: #0 = dense<[3, 1, -7]> : tensor<3xi32>
tile.kernel @unsigned_remainder(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[7, -7, -7, 4, 4, -2]> : tensor<6xi32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x3xi32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<3xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xi32, [3, 1]> -> !tile.frag<2x3xi32>
  %fa = tile.extract %f [0] : !tile.frag<2x3xi32> -> !tile.frag<3xi32>
  %fb = tile.extract %f [1] : !tile.frag<2x3xi32> -> !tile.frag<3xi32>
  %m = tile.map %fa, %fb : !tile.frag<3xi32>, !tile.frag<3xi32> -> !tile.frag<3xi32> {
  ^bb0(%a: i32, %b: i32):
    %r = arith.remui %a, %b : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<3xi32>, !tile.view<3xi32, [1]>
}
