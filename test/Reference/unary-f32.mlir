// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Functions of one tensor at what is special for them: infinities, both zeros, halves, NaN.
// NOTE: checks by tools/update-lit-checks

// The sign of a zero goes too.
// CHECK-LABEL: func.func @abs
// CHECK-NEXT: #0 = dense<[0x7F800000, 3.250000e+00, 1.500000e+00, 5.000000e-01, 0.000000e+00, 0.000000e+00, 5.000000e-01, 1.500000e+00, 2.500000e+00, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @abs() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary abs %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// A zero changes its sign.
// CHECK-LABEL: func.func @neg
// CHECK-NEXT: #0 = dense<[0x7F800000, 3.250000e+00, 1.500000e+00, 5.000000e-01, 0.000000e+00, -0.000000e+00, -5.000000e-01, -1.500000e+00, -2.500000e+00, 0xFF800000, 0xFFC00000]> : tensor<11xf32>
func.func @neg() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary neg %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Nothing of minus infinity, infinity of infinity.
// CHECK-LABEL: func.func @exp
// CHECK-NEXT: #0 = dense<[0.000000e+00, 0.0387742072, 0.223130167, 0.606530666, 1.000000e+00, 1.000000e+00, 1.64872122, 4.48168898, 12.1824942, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @exp() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary exp %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// NaN of what is negative, minus infinity of either zero.
// CHECK-LABEL: func.func @log
// CHECK-NEXT: #0 = dense<[0xFFC00000, 0xFFC00000, 0xFFC00000, 0xFFC00000, 0xFF800000, 0xFF800000, -0.693147182, 0.405465096, 0.91629076, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @log() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary log %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Minus zero is its own root.
// CHECK-LABEL: func.func @sqrt
// CHECK-NEXT: #0 = dense<[0xFFC00000, 0xFFC00000, 0xFFC00000, 0xFFC00000, -0.000000e+00, 0.000000e+00, 0.707106769, 1.22474492, 1.58113885, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @sqrt() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary sqrt %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Of minus zero minus infinity.
// CHECK-LABEL: func.func @rsqrt
// CHECK-NEXT: #0 = dense<[0xFFC00000, 0xFFC00000, 0xFFC00000, 0xFFC00000, 0xFF800000, 0x7F800000, 1.41421354, 0.816496611, 0.632455527, 0.000000e+00, 0x7FC00000]> : tensor<11xf32>
func.func @rsqrt() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary rsqrt %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Zeros and infinities change places with their signs.
// CHECK-LABEL: func.func @reciprocal
// CHECK-NEXT: #0 = dense<[-0.000000e+00, -0.307692319, -0.666666686, -2.000000e+00, 0xFF800000, 0x7F800000, 2.000000e+00, 0.666666686, 4.000000e-01, 0.000000e+00, 0x7FC00000]> : tensor<11xf32>
func.func @reciprocal() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary reciprocal %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Towards minus infinity; whole numbers stay.
// CHECK-LABEL: func.func @floor
// CHECK-NEXT: #0 = dense<[0xFF800000, -4.000000e+00, -2.000000e+00, -1.000000e+00, -0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @floor() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary floor %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Minus a half becomes minus zero.
// CHECK-LABEL: func.func @ceil
// CHECK-NEXT: #0 = dense<[0xFF800000, -3.000000e+00, -1.000000e+00, -0.000000e+00, -0.000000e+00, 0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @ceil() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary ceil %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Halves go to the even neighbour: 0.5 to 0, 1.5 and 2.5 to 2.
// CHECK-LABEL: func.func @round
// CHECK-NEXT: #0 = dense<[0xFF800000, -3.000000e+00, -2.000000e+00, -0.000000e+00, -0.000000e+00, 0.000000e+00, 0.000000e+00, 2.000000e+00, 2.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @round() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary round %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// CHECK-LABEL: func.func @erf
// CHECK-NEXT: #0 = dense<[-1.000000e+00, -0.999995708, -0.966105163, -0.520499885, -0.000000e+00, 0.000000e+00, 0.520499885, 0.966105163, 9.995930e-01, 1.000000e+00, 0x7FC00000]> : tensor<11xf32>
func.func @erf() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary erf %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Ones at the ends.
// CHECK-LABEL: func.func @tanh
// CHECK-NEXT: #0 = dense<[-1.000000e+00, -0.996997654, -0.905148268, -0.462117165, -0.000000e+00, 0.000000e+00, 0.462117165, 0.905148268, 0.986614286, 1.000000e+00, 0x7FC00000]> : tensor<11xf32>
func.func @tanh() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary tanh %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// 0 and 1 at the ends, without an overflow on the way.
// CHECK-LABEL: func.func @sigmoid
// CHECK-NEXT: #0 = dense<[0.000000e+00, 0.0373268872, 0.182425529, 0.377540678, 5.000000e-01, 5.000000e-01, 0.622459352, 0.817574501, 0.924141824, 1.000000e+00, 0xFFC00000]> : tensor<11xf32>
func.func @sigmoid() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary sigmoid %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// NaN and minus zero stay.
// CHECK-LABEL: func.func @relu
// CHECK-NEXT: #0 = dense<[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, -0.000000e+00, 0.000000e+00, 5.000000e-01, 1.500000e+00, 2.500000e+00, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @relu() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary relu %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// NaN of infinities.
// CHECK-LABEL: func.func @sin
// CHECK-NEXT: #0 = dense<[0xFFC00000, 0.108195134, -0.997494995, -0.47942555, -0.000000e+00, 0.000000e+00, 0.47942555, 0.997494995, 0.598472118, 0xFFC00000, 0x7FC00000]> : tensor<11xf32>
func.func @sin() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary sin %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// NaN of infinities.
// CHECK-LABEL: func.func @cos
// CHECK-NEXT: #0 = dense<[0xFFC00000, -0.994129657, 7.073720e-02, 0.87758255, 1.000000e+00, 1.000000e+00, 0.87758255, 7.073720e-02, -0.801143586, 0xFFC00000, 0x7FC00000]> : tensor<11xf32>
func.func @cos() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary cos %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// 0 of either zero, NaN of NaN.
// CHECK-LABEL: func.func @sign
// CHECK-NEXT: #0 = dense<[-1.000000e+00, -1.000000e+00, -1.000000e+00, -1.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 1.000000e+00, 0x7FC00000]> : tensor<11xf32>
func.func @sign() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary sign %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// The negative tail keeps its digits; minus infinity times 0 is NaN.
// CHECK-LABEL: func.func @gelu
// CHECK-NEXT: #0 = dense<[0xFFC00000, -0.00187533139, -0.100210801, -0.154268771, -0.000000e+00, 0.000000e+00, 0.345731229, 1.39978921, 2.48447585, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @gelu() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary gelu %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// CHECK-LABEL: func.func @gelu_tanh
// CHECK-NEXT: #0 = dense<[0xFFC00000, -0.00156862719, -0.100428425, -1.542860e-01, -0.000000e+00, 0.000000e+00, 3.457140e-01, 1.39957154, 2.48491573, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @gelu_tanh() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary gelu_tanh %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// CHECK-LABEL: func.func @silu
// CHECK-NEXT: #0 = dense<[0xFFC00000, -0.121312387, -0.273638278, -0.188770339, -0.000000e+00, 0.000000e+00, 0.311229676, 1.22636175, 2.31035447, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @silu() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary silu %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Linear far right, an exponential far left.
// CHECK-LABEL: func.func @softplus
// CHECK-NEXT: #0 = dense<[0.000000e+00, 0.0380413719, 0.201413274, 4.740770e-01, 0.693147182, 0.693147182, 0.974076986, 1.70141327, 2.57888985, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
func.func @softplus() -> tensor<11xf32> {
  %x = graph.constant dense<[0xFF800000, -3.25, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %1 = graph.unary softplus %x : (tensor<11xf32>) -> tensor<11xf32>
  return %1 : tensor<11xf32>
}

// Of a float of every width a boolean.
// CHECK-LABEL: func.func @is_nan
// CHECK-NEXT: #0 = dense<[false, true, false]> : tensor<3xi1>
// CHECK-NEXT: #1 = dense<[false, true, false]> : tensor<3xi1>
// CHECK-NEXT: #2 = dense<[false, true, false]> : tensor<3xi1>
// CHECK-NEXT: #3 = dense<[false, true, false]> : tensor<3xi1>
func.func @is_nan() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %c0 = graph.constant dense<[1.0, 0x7E00, 0x7C00]> : tensor<3xf16>
  %1 = graph.unary is_nan %c0 : (tensor<3xf16>) -> tensor<3xi1>
  %c2 = graph.constant dense<[1.0, 0x7FC0, 0x7F80]> : tensor<3xbf16>
  %3 = graph.unary is_nan %c2 : (tensor<3xbf16>) -> tensor<3xi1>
  %c4 = graph.constant dense<[1.0, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  %5 = graph.unary is_nan %c4 : (tensor<3xf32>) -> tensor<3xi1>
  %c6 = graph.constant dense<[1.0, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<3xf64>
  %7 = graph.unary is_nan %c6 : (tensor<3xf64>) -> tensor<3xi1>
  return %1, %3, %5, %7 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}
