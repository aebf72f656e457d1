// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// tile.map over integers: bits, comparisons and other widths.

// To the left; to the right with zeros; to the right with the sign.
// CHECK-LABEL: tile.kernel @shifts
// CHECK-NEXT: #0 = dense<[1073741760, 10]> : tensor<2xi32>
tile.kernel @shifts(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-16, 5, 2, 1]> : tensor<4xi32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2x2xi32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x2xi32, [2, 1]> -> !tile.frag<2x2xi32>
  %fa = tile.extract %f [0] : !tile.frag<2x2xi32> -> !tile.frag<2xi32>
  %fb = tile.extract %f [1] : !tile.frag<2x2xi32> -> !tile.frag<2xi32>
  %m = tile.map %fa, %fb : !tile.frag<2xi32>, !tile.frag<2xi32> -> !tile.frag<2xi32> {
  ^bb0(%a: i32, %b: i32):
    %l = arith.shli %a, %b : i32
    %u = arith.shrui %a, %b : i32
    %s = arith.shrsi %a, %b : i32
    %e = arith.xori %l, %u : i32
    %r = arith.xori %e, %s : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi32>, !tile.view<2xi32, [1]>
}

// And, or of 8 bits.
// CHECK-LABEL: tile.kernel @bits
// CHECK-NEXT: #0 = dense<[49, -86]> : tensor<2xi8>
tile.kernel @bits(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[60, -1, 15, 85, 1, -128]> : tensor<6xi8>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3x2xi8, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2xi8, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<3x2xi8, [2, 1]> -> !tile.frag<3x2xi8>
  %fa = tile.extract %f [0] : !tile.frag<3x2xi8> -> !tile.frag<2xi8>
  %fb = tile.extract %f [1] : !tile.frag<3x2xi8> -> !tile.frag<2xi8>
  %fc = tile.extract %f [2] : !tile.frag<3x2xi8> -> !tile.frag<2xi8>
  %m = tile.map %fa, %fb, %fc : !tile.frag<2xi8>, !tile.frag<2xi8>, !tile.frag<2xi8> -> !tile.frag<2xi8> {
  ^bb0(%a: i8, %b: i8, %c: i8):
    %n = arith.andi %a, %b : i8
    %o = arith.ori %a, %c : i8
    %r = arith.subi %o, %n : i8
    tile.yield %r : i8
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi8>, !tile.view<2xi8, [1]>
}

// Signed maximum and minimum ...
// CHECK-LABEL: tile.kernel @extremes
// CHECK-NEXT: #0 = dense<[1, 0]> : tensor<2xi16>
tile.kernel @extremes(%x: !tile.buffer<i16>) -> (%y: !tile.buffer<i16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 5, 1, -9, 3, 0]> : tensor<6xi16>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<3x2xi16, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<2xi16, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<3x2xi16, [2, 1]> -> !tile.frag<3x2xi16>
  %fa = tile.extract %f [0] : !tile.frag<3x2xi16> -> !tile.frag<2xi16>
  %fb = tile.extract %f [1] : !tile.frag<3x2xi16> -> !tile.frag<2xi16>
  %fc = tile.extract %f [2] : !tile.frag<3x2xi16> -> !tile.frag<2xi16>
  %m = tile.map %fa, %fb, %fc : !tile.frag<2xi16>, !tile.frag<2xi16>, !tile.frag<2xi16> -> !tile.frag<2xi16> {
  ^bb0(%a: i16, %b: i16, %c: i16):
    %m = arith.maxsi %a, %b : i16
    %r = arith.minsi %m, %c : i16
    tile.yield %r : i16
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi16>, !tile.view<2xi16, [1]>
}

// ... and unsigned ones, for which -1 is the greatest.
// CHECK-LABEL: tile.kernel @unsigned_extremes
// CHECK-NEXT: #0 = dense<[-3, 7]> : tensor<2xi16>
tile.kernel @unsigned_extremes(%x: !tile.buffer<i16>) -> (%y: !tile.buffer<i16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 5, 1, -9, -3, 7]> : tensor<6xi16>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<3x2xi16, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<2xi16, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<3x2xi16, [2, 1]> -> !tile.frag<3x2xi16>
  %fa = tile.extract %f [0] : !tile.frag<3x2xi16> -> !tile.frag<2xi16>
  %fb = tile.extract %f [1] : !tile.frag<3x2xi16> -> !tile.frag<2xi16>
  %fc = tile.extract %f [2] : !tile.frag<3x2xi16> -> !tile.frag<2xi16>
  %m = tile.map %fa, %fb, %fc : !tile.frag<2xi16>, !tile.frag<2xi16>, !tile.frag<2xi16> -> !tile.frag<2xi16> {
  ^bb0(%a: i16, %b: i16, %c: i16):
    %m = arith.maxui %a, %b : i16
    %r = arith.minui %m, %c : i16
    tile.yield %r : i16
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi16>, !tile.view<2xi16, [1]>
}

// As signed numbers.
// CHECK-LABEL: tile.kernel @compare_signed
// CHECK-NEXT: #0 = dense<[true, false, false, true]> : tensor<4xi1>
tile.kernel @compare_signed(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i1>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 1, 3, 3, 1, -1, 3, 4]> : tensor<8xi8>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x4xi8, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i1> -> !tile.view<4xi1, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x4xi8, [4, 1]> -> !tile.frag<2x4xi8>
  %fa = tile.extract %f [0] : !tile.frag<2x4xi8> -> !tile.frag<4xi8>
  %fb = tile.extract %f [1] : !tile.frag<2x4xi8> -> !tile.frag<4xi8>
  %m = tile.map %fa, %fb : !tile.frag<4xi8>, !tile.frag<4xi8> -> !tile.frag<4xi1> {
  ^bb0(%a: i8, %b: i8):
    %r = arith.cmpi slt, %a, %b : i8
    tile.yield %r : i1
  }
  tile.store %m, %w[%c0] : !tile.frag<4xi1>, !tile.view<4xi1, [1]>
}

// As unsigned numbers: the other answer where the signs differ.
// CHECK-LABEL: tile.kernel @compare_unsigned
// CHECK-NEXT: #0 = dense<[false, true, false, true]> : tensor<4xi1>
tile.kernel @compare_unsigned(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i1>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 1, 3, 3, 1, -1, 3, 4]> : tensor<8xi8>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2x4xi8, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i1> -> !tile.view<4xi1, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x4xi8, [4, 1]> -> !tile.frag<2x4xi8>
  %fa = tile.extract %f [0] : !tile.frag<2x4xi8> -> !tile.frag<4xi8>
  %fb = tile.extract %f [1] : !tile.frag<2x4xi8> -> !tile.frag<4xi8>
  %m = tile.map %fa, %fb : !tile.frag<4xi8>, !tile.frag<4xi8> -> !tile.frag<4xi1> {
  ^bb0(%a: i8, %b: i8):
    %r = arith.cmpi ult, %a, %b : i8
    tile.yield %r : i1
  }
  tile.store %m, %w[%c0] : !tile.frag<4xi1>, !tile.view<4xi1, [1]>
}

// The same bits, with and without the sign.
// CHECK-LABEL: tile.kernel @widen
// CHECK-NEXT: #0 = dense<[65026, 16002]> : tensor<2xi32>
tile.kernel @widen(%x: !tile.buffer<i8>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 127]> : tensor<2xi8>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<1x2xi8, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x2xi8, [2, 1]> -> !tile.frag<1x2xi8>
  %fa = tile.extract %f [0] : !tile.frag<1x2xi8> -> !tile.frag<2xi8>
  %m = tile.map %fa : !tile.frag<2xi8> -> !tile.frag<2xi32> {
  ^bb0(%a: i8):
    %s = arith.extsi %a : i8 to i32
    %u = arith.extui %a : i8 to i32
    %q = arith.muli %u, %u : i32
    %r = arith.subi %q, %s : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi32>, !tile.view<2xi32, [1]>
}

// The low bits.
// CHECK-LABEL: tile.kernel @narrow
// CHECK-NEXT: #0 = dense<[44, 127, -1]> : tensor<3xi8>
tile.kernel @narrow(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[300, -129, 255]> : tensor<3xi32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x3xi32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<3xi8, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x3xi32, [3, 1]> -> !tile.frag<1x3xi32>
  %fa = tile.extract %f [0] : !tile.frag<1x3xi32> -> !tile.frag<3xi32>
  %m = tile.map %fa : !tile.frag<3xi32> -> !tile.frag<3xi8> {
  ^bb0(%a: i32):
    %r = arith.trunci %a : i32 to i8
    tile.yield %r : i8
  }
  tile.store %m, %w[%c0] : !tile.frag<3xi8>, !tile.view<3xi8, [1]>
}

// A boolean is 1 without its sign and -1 with it.
// CHECK-LABEL: tile.kernel @widen_booleans
// CHECK-NEXT: #0 = dense<[9, 0]> : tensor<2xi32>
tile.kernel @widen_booleans(%x: !tile.buffer<i1>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[true, false]> : tensor<2xi1>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i1> -> !tile.view<1x2xi1, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x2xi1, [2, 1]> -> !tile.frag<1x2xi1>
  %fa = tile.extract %f [0] : !tile.frag<1x2xi1> -> !tile.frag<2xi1>
  %m = tile.map %fa : !tile.frag<2xi1> -> !tile.frag<2xi32> {
  ^bb0(%a: i1):
    %s = arith.extsi %a : i1 to i32
    %u = arith.extui %a : i1 to i32
    %ten = arith.constant 10 : i32
    %m = arith.muli %u, %ten : i32
    %r = arith.addi %m, %s : i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi32>, !tile.view<2xi32, [1]>
}

// Leading and trailing zeros of 16 bits; of 0 there are sixteen.
// CHECK-LABEL: tile.kernel @count_zeros
// CHECK-NEXT: #0 = dense<[1500, 0, 1203, 1616]> : tensor<4xi16>
tile.kernel @count_zeros(%x: !tile.buffer<i16>) -> (%y: !tile.buffer<i16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1, -1, 8, 0]> : tensor<4xi16>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<1x4xi16, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i16> -> !tile.view<4xi16, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x4xi16, [4, 1]> -> !tile.frag<1x4xi16>
  %fa = tile.extract %f [0] : !tile.frag<1x4xi16> -> !tile.frag<4xi16>
  %m = tile.map %fa : !tile.frag<4xi16> -> !tile.frag<4xi16> {
  ^bb0(%a: i16):
    %l = math.ctlz %a : i16
    %n = math.cttz %a : i16
    %h = arith.constant 100 : i16
    %m = arith.muli %l, %h : i16
    %r = arith.addi %m, %n : i16
    tile.yield %r : i16
  }
  tile.store %m, %w[%c0] : !tile.frag<4xi16>, !tile.view<4xi16, [1]>
}
