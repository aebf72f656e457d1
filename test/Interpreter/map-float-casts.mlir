// RUN: kiln-opt %s --kiln-test-run-tile -o /dev/null | FileCheck %s
// tile.map over floats: comparisons, other types, functions, several results.

// Elementwise, by a comparison.
// CHECK-LABEL: tile.kernel @select
// CHECK-NEXT: #0 = dense<[-1.000000e+00, 5.000000e+00]> : tensor<2xf32>
tile.kernel @select(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, 5.0, 2.0, 2.0, -1.0, -2.0]> : tensor<6xf32>],
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
    %l = arith.cmpf oge, %a, %b : f32
    %r = arith.select %l, %a, %c : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// Towards zero; what does not fit is the least integer, as on x86.
// CHECK-LABEL: tile.kernel @to_integers
// CHECK-NEXT: #0 = dense<[3, -3, 127, -128, -128, -128]> : tensor<6xi8>
tile.kernel @to_integers(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[3.9, -3.9, 127.0, 128.0, -129.0, 0x7FC00000]> : tensor<6xf32>],
                room = [6]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x6xf32, [6, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<6xi8, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x6xf32, [6, 1]> -> !tile.frag<1x6xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x6xf32> -> !tile.frag<6xf32>
  %m = tile.map %fa : !tile.frag<6xf32> -> !tile.frag<6xi8> {
  ^bb0(%a: f32):
    %r = arith.fptosi %a : f32 to i8
    tile.yield %r : i8
  }
  tile.store %m, %w[%c0] : !tile.frag<6xi8>, !tile.view<6xi8, [1]>
}

// 200 fits 8 bits without a sign.
// CHECK-LABEL: tile.kernel @to_unsigned
// CHECK-NEXT: #0 = dense<[-56, 3]> : tensor<2xi8>
tile.kernel @to_unsigned(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<i8>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[200.0, 3.99]> : tensor<2xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i8> -> !tile.view<2xi8, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x2xf32, [2, 1]> -> !tile.frag<1x2xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x2xf32> -> !tile.frag<2xf32>
  %m = tile.map %fa : !tile.frag<2xf32> -> !tile.frag<2xi8> {
  ^bb0(%a: f32):
    %r = arith.fptoui %a : f32 to i8
    tile.yield %r : i8
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi8>, !tile.view<2xi8, [1]>
}

// Rounded once to f32: 2^24 + 1 is a tie.
// CHECK-LABEL: tile.kernel @from_integers
// CHECK-NEXT: #0 = dense<[0x4B800000, 0x4B800002, -5.000000e+00]> : tensor<3xf32>
tile.kernel @from_integers(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[16777217, 16777219, -5]> : tensor<3xi32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x3xi32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x3xi32, [3, 1]> -> !tile.frag<1x3xi32>
  %fa = tile.extract %f [0] : !tile.frag<1x3xi32> -> !tile.frag<3xi32>
  %m = tile.map %fa : !tile.frag<3xi32> -> !tile.frag<3xf32> {
  ^bb0(%a: i32):
    %r = arith.sitofp %a : i32 to f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// -1 is 2^32 - 1, and 2^32 in f32.
// CHECK-LABEL: tile.kernel @from_unsigned
// CHECK-NEXT: #0 = dense<[4.2949673E+9, 7.000000e+00]> : tensor<2xf32>
tile.kernel @from_unsigned(%x: !tile.buffer<i32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[-1, 7]> : tensor<2xi32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<1x2xi32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x2xi32, [2, 1]> -> !tile.frag<1x2xi32>
  %fa = tile.extract %f [0] : !tile.frag<1x2xi32> -> !tile.frag<2xi32>
  %m = tile.map %fa : !tile.frag<2xi32> -> !tile.frag<2xf32> {
  ^bb0(%a: i32):
    %r = arith.uitofp %a : i32 to f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// The bits of 1.0 and -2.0.
// CHECK-LABEL: tile.kernel @bitcast
// CHECK-NEXT: #0 = dense<[1065353216, -1073741824]> : tensor<2xi32>
tile.kernel @bitcast(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.0, -2.0]> : tensor<2xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<2xi32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x2xf32, [2, 1]> -> !tile.frag<1x2xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x2xf32> -> !tile.frag<2xf32>
  %m = tile.map %fa : !tile.frag<2xf32> -> !tile.frag<2xi32> {
  ^bb0(%a: f32):
    %r = arith.bitcast %a : f32 to i32
    tile.yield %r : i32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xi32>, !tile.view<2xi32, [1]>
}

// Rounded to f16 after each op: 2048 + 1 is 2048, and 1 of it is lost.
// CHECK-LABEL: tile.kernel @halves
// CHECK-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf16>
tile.kernel @halves(%x: !tile.buffer<f16>) -> (%y: !tile.buffer<f16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[2048.0, 1024.0, 1.0, 1.0]> : tensor<4xf16>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2x2xf16, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2xf16, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x2xf16, [2, 1]> -> !tile.frag<2x2xf16>
  %fa = tile.extract %f [0] : !tile.frag<2x2xf16> -> !tile.frag<2xf16>
  %fb = tile.extract %f [1] : !tile.frag<2x2xf16> -> !tile.frag<2xf16>
  %m = tile.map %fa, %fb : !tile.frag<2xf16>, !tile.frag<2xf16> -> !tile.frag<2xf16> {
  ^bb0(%a: f16, %b: f16):
    %s = arith.addf %a, %b : f16
    %r = arith.subf %s, %a : f16
    tile.yield %r : f16
  }
  tile.store %m, %w[%c0] : !tile.frag<2xf16>, !tile.view<2xf16, [1]>
}

// In f32 nothing is lost.
// CHECK-LABEL: tile.kernel @widened_halves
// CHECK-NEXT: #0 = dense<1.000000e+00> : tensor<2xf16>
tile.kernel @widened_halves(%x: !tile.buffer<f16>) -> (%y: !tile.buffer<f16>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[2048.0, 1024.0, 1.0, 1.0]> : tensor<4xf16>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2x2xf16, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f16> -> !tile.view<2xf16, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x2xf16, [2, 1]> -> !tile.frag<2x2xf16>
  %fa = tile.extract %f [0] : !tile.frag<2x2xf16> -> !tile.frag<2xf16>
  %fb = tile.extract %f [1] : !tile.frag<2x2xf16> -> !tile.frag<2xf16>
  %m = tile.map %fa, %fb : !tile.frag<2xf16>, !tile.frag<2xf16> -> !tile.frag<2xf16> {
  ^bb0(%a: f16, %b: f16):
    %p = arith.extf %a : f16 to f32
    %q = arith.extf %b : f16 to f32
    %s = arith.addf %p, %q : f32
    %d = arith.subf %s, %p : f32
    %r = arith.truncf %d : f32 to f16
    tile.yield %r : f16
  }
  tile.store %m, %w[%c0] : !tile.frag<2xf16>, !tile.view<2xf16, [1]>
}

// Powers of 2 and exact logarithms.
// CHECK-LABEL: tile.kernel @powers
// CHECK-NEXT: #0 = dense<[1.100000e+01, -7.500000e-01, 1.000000e+00]> : tensor<3xf32>
tile.kernel @powers(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[3.0, -1.0, 0.0, 2.0, 4.0, 0.0]> : tensor<6xf32>],
                room = [3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x3xf32, [3, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<2x3xf32, [3, 1]> -> !tile.frag<2x3xf32>
  %fa = tile.extract %f [0] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %fb = tile.extract %f [1] : !tile.frag<2x3xf32> -> !tile.frag<3xf32>
  %m = tile.map %fa, %fb : !tile.frag<3xf32>, !tile.frag<3xf32> -> !tile.frag<3xf32> {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp2 %a : f32
    %l = math.log2 %e : f32
    %p = math.powf %b, %a : f32
    %r = arith.addf %l, %p : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
}

// exp, expm1, log1p, sin, cos, tanh, erf, erfc where they are whole numbers: 1, 0, 0, 0, 1, 0, 0, 1.
// CHECK-LABEL: tile.kernel @at_zero
// CHECK-NEXT: #0 = dense<3.000000e+00> : tensor<1xf32>
tile.kernel @at_zero(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0.0]> : tensor<1xf32>],
                room = [1]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x1xf32, [1, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x1xf32, [1, 1]> -> !tile.frag<1x1xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x1xf32> -> !tile.frag<1xf32>
  %m = tile.map %fa : !tile.frag<1xf32> -> !tile.frag<1xf32> {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    %e1 = math.expm1 %a : f32
    %l1 = math.log1p %a : f32
    %s = math.sin %a : f32
    %k = math.cos %a : f32
    %h = math.tanh %a : f32
    %j = math.erf %a : f32
    %g = math.erfc %a : f32
    %0 = arith.addf %e, %e1 : f32
    %1 = arith.addf %0, %l1 : f32
    %2 = arith.addf %1, %s : f32
    %3 = arith.addf %2, %k : f32
    %4 = arith.addf %3, %h : f32
    %5 = arith.addf %4, %j : f32
    %r = arith.addf %5, %g : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<1xf32>, !tile.view<1xf32, [1]>
}

// tanh, erf and exp where they have arrived.
// CHECK-LABEL: tile.kernel @limits
// CHECK-NEXT: #0 = dense<[-2.000000e+00, 0x7F800000]> : tensor<2xf32>
tile.kernel @limits(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[0xFF800000, 0x7F800000]> : tensor<2xf32>],
                room = [2]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<1x2xf32, [2, 1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2xf32, [1]>
  %f = tile.load %v[%c0, %c0] : !tile.view<1x2xf32, [2, 1]> -> !tile.frag<1x2xf32>
  %fa = tile.extract %f [0] : !tile.frag<1x2xf32> -> !tile.frag<2xf32>
  %m = tile.map %fa : !tile.frag<2xf32> -> !tile.frag<2xf32> {
  ^bb0(%a: f32):
    %h = math.tanh %a : f32
    %j = math.erf %a : f32
    %e = math.exp %a : f32
    %s = arith.addf %h, %j : f32
    %r = arith.addf %s, %e : f32
    tile.yield %r : f32
  }
  tile.store %m, %w[%c0] : !tile.frag<2xf32>, !tile.view<2xf32, [1]>
}

// A map may have several results, of several types, and read scalars from outside.
// CHECK-LABEL: tile.kernel @two_results
// CHECK-NEXT: #0 = dense<[3.000000e+00, -5.000000e+00, 6.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: #1 = dense<[1, -2, 3]> : tensor<3xi32>
tile.kernel @two_results(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>, %z: !tile.buffer<i32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                given = [dense<[1.5, -2.5, 3.0]> : tensor<3xf32>],
                room = [3, 3]} {
  %c0 = arith.constant 0 : index
  %v = tile.view %x offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<3xf32, [1]>
  %u = tile.view %z offset %c0 sizes() strides() : !tile.buffer<i32> -> !tile.view<3xi32, [1]>
  %f = tile.load %v[%c0] : !tile.view<3xf32, [1]> -> !tile.frag<3xf32>
  %two = arith.constant 2.0 : f32
  %m:2 = tile.map %f : !tile.frag<3xf32> -> !tile.frag<3xf32>, !tile.frag<3xi32> {
  ^bb0(%a: f32):
    %b = arith.mulf %a, %two : f32
    %c = arith.fptosi %a : f32 to i32
    tile.yield %b, %c : f32, i32
  }
  tile.store %m#0, %w[%c0] : !tile.frag<3xf32>, !tile.view<3xf32, [1]>
  tile.store %m#1, %u[%c0] : !tile.frag<3xi32>, !tile.view<3xi32, [1]>
}

// Or none.
// CHECK-LABEL: tile.kernel @no_inputs
// CHECK-NEXT: #0 = dense<4.000000e+00> : tensor<4xf32>
tile.kernel @no_inputs() -> (%y: !tile.buffer<f32>) symbols() task(%t)
    attributes {symbols = [], hero = "x",
                grid = affine_map<() -> (1)>, scratch = affine_map<() -> (0)>,
                room = [4]} {
  %c0 = arith.constant 0 : index
  %w = tile.view %y offset %c0 sizes() strides() : !tile.buffer<f32> -> !tile.view<2x2xf32, [2, 1]>
  %two = arith.constant 2.0 : f32
  %m = tile.map -> !tile.frag<2x2xf32> {
    %b = arith.mulf %two, %two : f32
    tile.yield %b : f32
  }
  tile.store %m, %w[%c0, %c0] : !tile.frag<2x2xf32>, !tile.view<2x2xf32, [2, 1]>
}
