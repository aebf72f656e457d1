// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// tile.map over floats: each op is rounded to its own type.

// Each rounded to f32: 1 + 2^-24 is 1, so that what is left is exactly 0.
// CHECK-LABEL: tile.kernel @four_operations
// CHECK-NEXT: #0 = dense<[0.000000e+00, 8.000000e+00]> : tensor<2xf32>
tile.kernel @four_operations(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 1.0, 5.960464477539063e-08, 2.384185791015625e-07, 8.0, 8.0]> : tensor<6xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x2xf32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<3x2xf32, [2, 1]> -> !tile.frag<3x2xf32>
  %fa = tile.extract %f [0] : !tile.frag<3x2xf32> -> !tile.frag<2xf32>
  %fb = tile.extract %f [1] : !tile.frag<3x2xf32> -> !tile.frag<2xf32>
  %fc = tile.extract %f [2] : !tile.frag<3x2xf32> -> !tile.frag<2xf32>
  %m = tile.map %fa, %fb, %fc : !tile.frag<2xf32>, !tile.frag<2xf32>, !tile.frag<2xf32> -> !tile.frag<2xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    %d = arith.subf %s, %a : f32
    %m = arith.mulf %d, %c : f32
    %r = arith.divf %m, %b : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// One rounding: (1 + 2^-12)^2 - 1 keeps its last bit of 2^-24.
// CHECK-LABEL: tile.kernel @fused
// CHECK-NEXT: #0 = dense<4.88340855E-4> : tensor<1xf32>
tile.kernel @fused(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.000244140625, 1.000244140625, -1.0]> : tensor<3xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<3x1xf32, [1, 1]> -> !tile.frag<3x1xf32>
  %fa = tile.extract %f [0] : !tile.frag<3x1xf32> -> !tile.frag<1xf32>
  %fb = tile.extract %f [1] : !tile.frag<3x1xf32> -> !tile.frag<1xf32>
  %fc = tile.extract %f [2] : !tile.frag<3x1xf32> -> !tile.frag<1xf32>
  %m = tile.map %fa, %fb, %fc : !tile.frag<1xf32>, !tile.frag<1xf32>, !tile.frag<1xf32> -> !tile.frag<1xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = math.fma %a, %b, %c : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Two roundings lose it.
// CHECK-LABEL: tile.kernel @not_fused
// CHECK-NEXT: #0 = dense<4.8828125E-4> : tensor<1xf32>
tile.kernel @not_fused(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.000244140625, 1.000244140625, -1.0]> : tensor<3xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<3x1xf32, [1, 1]> -> !tile.frag<3x1xf32>
  %fa = tile.extract %f [0] : !tile.frag<3x1xf32> -> !tile.frag<1xf32>
  %fb = tile.extract %f [1] : !tile.frag<3x1xf32> -> !tile.frag<1xf32>
  %fc = tile.extract %f [2] : !tile.frag<3x1xf32> -> !tile.frag<1xf32>
  %m = tile.map %fa, %fb, %fc : !tile.frag<1xf32>, !tile.frag<1xf32>, !tile.frag<1xf32> -> !tile.frag<1xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %m, %c : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// Of NaN and anything NaN; -0 is less than 0.
// CHECK-LABEL: tile.kernel @extremes
// CHECK-NEXT: #0 = dense<[0x7FC00000, 0x7FC00000, 0.000000e+00, -5.000000e+00]> : tensor<4xf32>
tile.kernel @extremes(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0x7FC00000, 1.0, -0.0, 0xFF800000, 1.0, 0x7FC00000, 0.0, -5.0]> : tensor<8xf32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x4xf32, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x4xf32, [4, 1]> -> !tile.frag<2x4xf32>
  %fa = tile.extract %f [0] : !tile.frag<2x4xf32> -> !tile.frag<4xf32>
  %fb = tile.extract %f [1] : !tile.frag<2x4xf32> -> !tile.frag<4xf32>
  %m = tile.map %fa, %fb : !tile.frag<4xf32>, !tile.frag<4xf32> -> !tile.frag<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
}

// The same from below.
// CHECK-LABEL: tile.kernel @minimum
// CHECK-NEXT: #0 = dense<[0x7FC00000, 0x7FC00000, -0.000000e+00, 0xFF800000]> : tensor<4xf32>
tile.kernel @minimum(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0x7FC00000, 1.0, 0.0, 0xFF800000, 1.0, 0x7FC00000, -0.0, -5.0]> : tensor<8xf32>],
                room = [4]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x4xf32, [4, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<4xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x4xf32, [4, 1]> -> !tile.frag<2x4xf32>
  %fa = tile.extract %f [0] : !tile.frag<2x4xf32> -> !tile.frag<4xf32>
  %fb = tile.extract %f [1] : !tile.frag<2x4xf32> -> !tile.frag<4xf32>
  %m = tile.map %fa, %fb : !tile.frag<4xf32>, !tile.frag<4xf32> -> !tile.frag<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %r = arith.minimumf %a, %b : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<4xf32>, !tile.view<4xf32, [1]>
}

// maxnumf and minnumf take the number.
// CHECK-LABEL: tile.kernel @numbers_win
// CHECK-NEXT: #0 = dense<[0.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
tile.kernel @numbers_win(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0x7FC00000, 1.0, 3.0, 1.0, 0x7FC00000, 5.0]> : tensor<6xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %fa = tile.extract %f [0] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %fb = tile.extract %f [1] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %m = tile.map %fa, %fb : !tile.frag<3xf32>, !tile.frag<3xf32> -> !tile.frag<3xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    %n = arith.minnumf %a, %b : f32
    %r = arith.subf %m, %n : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// Ties go to even numbers.
// CHECK-LABEL: tile.kernel @round_even
// CHECK-NEXT: #0 = dense<[2.000000e+00, -2.000000e+00, 4.000000e+00, -0.000000e+00, 1.000000e+00, -2.000000e+00]> : tensor<6xf32>
tile.kernel @round_even(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[2.5, -2.5, 3.5, -0.5, 1.2, -1.7]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x6xf32, [6, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<6xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x6xf32, [6, 1]> -> !tile.frag<1x6xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x6xf32> -> !tile.frag<6xf32>
  %m = tile.map %fa : !tile.frag<6xf32> -> !tile.frag<6xf32> {
  ^bb0(%a: f32):
    %r = math.roundeven %a : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<6xf32>, !tile.view<6xf32, [1]>
}

// Ties go away from zero.
// CHECK-LABEL: tile.kernel @round_away
// CHECK-NEXT: #0 = dense<[3.000000e+00, -3.000000e+00, 4.000000e+00, -1.000000e+00, 1.000000e+00, -2.000000e+00]> : tensor<6xf32>
tile.kernel @round_away(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[2.5, -2.5, 3.5, -0.5, 1.2, -1.7]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x6xf32, [6, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<6xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x6xf32, [6, 1]> -> !tile.frag<1x6xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x6xf32> -> !tile.frag<6xf32>
  %m = tile.map %fa : !tile.frag<6xf32> -> !tile.frag<6xf32> {
  ^bb0(%a: f32):
    %r = math.round %a : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<6xf32>, !tile.view<6xf32, [1]>
}

// Their difference is 1 except for whole numbers.
// CHECK-LABEL: tile.kernel @ceil_and_floor
// CHECK-NEXT: #0 = dense<[3.000000e+00, -1.000000e+00, 4.000000e+00, 1.000000e+00, 2.000000e+00, 0.000000e+00, 4.000000e+00]> : tensor<7xf32>
tile.kernel @ceil_and_floor(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[2.5, -2.5, 3.5, -0.5, 1.2, -1.7, 4.0]> : tensor<7xf32>],
                room = [7]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x7xf32, [7, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<7xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x7xf32, [7, 1]> -> !tile.frag<1x7xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x7xf32> -> !tile.frag<7xf32>
  %m = tile.map %fa : !tile.frag<7xf32> -> !tile.frag<7xf32> {
  ^bb0(%a: f32):
    %u = math.ceil %a : f32
    %g = math.floor %a : f32
    %h = math.trunc %a : f32
    %d = arith.subf %u, %g : f32
    %r = arith.addf %d, %h : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<7xf32>, !tile.view<7xf32, [1]>
}

// With the sign of what is divided.
// CHECK-LABEL: tile.kernel @remainder
// CHECK-NEXT: #0 = dense<[1.500000e+00, -1.500000e+00, 1.500000e+00]> : tensor<3xf32>
tile.kernel @remainder(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[5.5, -5.5, 5.5, 2.0, 2.0, -2.0]> : tensor<6xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %fa = tile.extract %f [0] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %fb = tile.extract %f [1] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %m = tile.map %fa, %fb : !tile.frag<3xf32>, !tile.frag<3xf32> -> !tile.frag<3xf32> {
  ^bb0(%a: f32, %b: f32):
    %r = arith.remf %a, %b : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// Absolute value, negation, a sign taken over from -0.
// CHECK-LABEL: tile.kernel @signs
// CHECK-NEXT: #0 = dense<[3.000000e+00, -4.000000e+00, -5.000000e+00]> : tensor<3xf32>
tile.kernel @signs(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-3.0, 4.0, 5.0, 1.0, -0.0, -2.0]> : tensor<6xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %fa = tile.extract %f [0] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %fb = tile.extract %f [1] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %m = tile.map %fa, %fb : !tile.frag<3xf32>, !tile.frag<3xf32> -> !tile.frag<3xf32> {
  ^bb0(%a: f32, %b: f32):
    %p = math.absf %a : f32
    %m = arith.negf %p : f32
    %r = math.copysign %m, %b : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// Square root and its reciprocal of squares; below 0 there is none.
// CHECK-LABEL: tile.kernel @roots
// CHECK-NEXT: #0 = dense<[2.500000e+00, 2.500000e+00, 0xFFC00000]> : tensor<3xf32>
tile.kernel @roots(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[4.0, 0.25, -1.0]> : tensor<3xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x3xf32, [3, 1]> -> !tile.frag<1x3xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x3xf32> -> !tile.frag<3xf32>
  %m = tile.map %fa : !tile.frag<3xf32> -> !tile.frag<3xf32> {
  ^bb0(%a: f32):
    %s = math.sqrt %a : f32
    %q = math.rsqrt %a : f32
    %r = arith.addf %s, %q : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// No order with NaN: `olt` is false, `ult` is true.
// CHECK-LABEL: tile.kernel @ordered
// CHECK-NEXT: #0 = dense<[true, false, true]> : tensor<3xi1>
tile.kernel @ordered(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<i1>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0x7FC00000, 1.0, 2.0, 1.0, 2.0, 0x7FC00000]> : tensor<6xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i1> -> !tile.view<3xi1, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %fa = tile.extract %f [0] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %fb = tile.extract %f [1] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %m = tile.map %fa, %fb : !tile.frag<3xf32>, !tile.frag<3xf32> -> !tile.frag<3xi1> {
  ^bb0(%a: f32, %b: f32):
    %o = arith.cmpf olt, %a, %b : f32
    %u = arith.cmpf ult, %a, %b : f32
    %r = arith.xori %o, %u : i1
    tile.yield %r : i1
  }
  tile.store %m, %w[%c0] : !tile.frag<3xi1>, !tile.view<3xi1, [1]>
}
