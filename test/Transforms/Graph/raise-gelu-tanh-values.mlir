// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-gelu))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-gelu))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Spellings of GELU by tanh and of SiLU: what is recognised computes what the model did.
// NOTE: checks by tools/update-lit-checks

// The cube as a power.
// CHECK-LABEL: func.func @tanh_pow() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[GELU_TANH:[^ ,:)]+]] = graph.unary gelu_tanh %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU_TANH]] : tensor<4xf32>
// VALUES-LABEL: func.func @tanh_pow
// VALUES-NEXT: #0 = dense<[-0.0454023071, -1.542860e-01, 0.579960585, 2.99636269]> : tensor<4xf32>
func.func @tanh_pow() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<3.0> : tensor<f32>
  %2 = graph.binary pow %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c3 = graph.constant dense<0.7978845608> : tensor<f32>
  %c4 = graph.constant dense<0.044715> : tensor<f32>
  %5 = graph.binary mul %c4, %2 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary add %x, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = graph.binary mul %c3, %6 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.unary tanh %7 : (tensor<4xf32>) -> tensor<4xf32>
  %c9 = graph.constant dense<0.5> : tensor<f32>
  %10 = graph.binary mul %c9, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %c11 = graph.constant dense<1.0> : tensor<f32>
  %12 = graph.binary add %c11, %8 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %13 = graph.binary mul %10, %12 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %13 : tensor<4xf32>
}

// The cube as products.
// CHECK-LABEL: func.func @tanh_products() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[GELU_TANH:[^ ,:)]+]] = graph.unary gelu_tanh %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU_TANH]] : tensor<4xf32>
// VALUES-LABEL: func.func @tanh_products
// VALUES-NEXT: #0 = dense<[-0.0454023071, -1.542860e-01, 0.579960585, 2.99636269]> : tensor<4xf32>
func.func @tanh_products() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %1 = graph.binary mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary mul %1, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c3 = graph.constant dense<0.7978845608> : tensor<f32>
  %c4 = graph.constant dense<0.044715> : tensor<f32>
  %5 = graph.binary mul %c4, %2 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary add %x, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = graph.binary mul %c3, %6 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.unary tanh %7 : (tensor<4xf32>) -> tensor<4xf32>
  %c9 = graph.constant dense<0.5> : tensor<f32>
  %10 = graph.binary mul %c9, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %c11 = graph.constant dense<1.0> : tensor<f32>
  %12 = graph.binary add %c11, %8 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %13 = graph.binary mul %10, %12 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %13 : tensor<4xf32>
}

// x * (1 + 0.044715 x^2) inside.
// CHECK-LABEL: func.func @tanh_factored() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[GELU_TANH:[^ ,:)]+]] = graph.unary gelu_tanh %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU_TANH]] : tensor<4xf32>
// VALUES-LABEL: func.func @tanh_factored
// VALUES-NEXT: #0 = dense<[-0.0454023071, -1.542860e-01, 0.579960585, 2.99636269]> : tensor<4xf32>
func.func @tanh_factored() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %1 = graph.binary mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c2 = graph.constant dense<0.7978845608> : tensor<f32>
  %3 = graph.binary mul %x, %c2 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c4 = graph.constant dense<1.0> : tensor<f32>
  %c5 = graph.constant dense<0.044715> : tensor<f32>
  %6 = graph.binary mul %1, %c5 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary add %c4, %6 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.binary mul %3, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c9 = graph.constant dense<0.5> : tensor<f32>
  %10 = graph.binary mul %x, %c9 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %11 = graph.unary tanh %8 : (tensor<4xf32>) -> tensor<4xf32>
  %c12 = graph.constant dense<1.0> : tensor<f32>
  %13 = graph.binary add %11, %c12 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %14 = graph.binary mul %10, %13 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %14 : tensor<4xf32>
}

// CHECK-LABEL: func.func @tanh_half_type() -> tensor<4xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf16>
// CHECK-NEXT: %[[GELU_TANH:[^ ,:)]+]] = graph.unary gelu_tanh %[[CONSTANT]] : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT: return %[[GELU_TANH]] : tensor<4xf16>
// VALUES-LABEL: func.func @tanh_half_type
// VALUES-NEXT: #0 = dense<[-4.541020e-02, -1.542970e-01, 5.800780e-01, 2.996090e+00]> : tensor<4xf16>
func.func @tanh_half_type() -> tensor<4xf16> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf16>
  %c1 = graph.constant dense<3.0> : tensor<f16>
  %2 = graph.binary pow %x, %c1 : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %c3 = graph.constant dense<0.7978845608> : tensor<f16>
  %c4 = graph.constant dense<0.044715> : tensor<f16>
  %5 = graph.binary mul %c4, %2 : (tensor<f16>, tensor<4xf16>) -> tensor<4xf16>
  %6 = graph.binary add %x, %5 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %7 = graph.binary mul %c3, %6 : (tensor<f16>, tensor<4xf16>) -> tensor<4xf16>
  %8 = graph.unary tanh %7 : (tensor<4xf16>) -> tensor<4xf16>
  %c9 = graph.constant dense<0.5> : tensor<f16>
  %10 = graph.binary mul %c9, %x : (tensor<f16>, tensor<4xf16>) -> tensor<4xf16>
  %c11 = graph.constant dense<1.0> : tensor<f16>
  %12 = graph.binary add %c11, %8 : (tensor<f16>, tensor<4xf16>) -> tensor<4xf16>
  %13 = graph.binary mul %10, %12 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %13 : tensor<4xf16>
}

// Not: another coefficient.
// CHECK-LABEL: func.func @tanh_other_cubic() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[POW:[^ ,:)]+]] = graph.binary pow %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<0.797884583> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-02> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT_4]], %[[POW]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[CONSTANT]], %[[MUL]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[CONSTANT_3]], %[[ADD]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[MUL_2]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL_3:[^ ,:)]+]] = graph.binary mul %[[CONSTANT_5]], %[[CONSTANT]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_6:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[CONSTANT_6]], %[[TANH]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL_4:[^ ,:)]+]] = graph.binary mul %[[MUL_3]], %[[ADD_2]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL_4]] : tensor<4xf32>
// VALUES-LABEL: func.func @tanh_other_cubic
// VALUES-NEXT: #0 = dense<[-0.0425030515, -0.154173553, 0.580427945, 2.99710274]> : tensor<4xf32>
func.func @tanh_other_cubic() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<3.0> : tensor<f32>
  %2 = graph.binary pow %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c3 = graph.constant dense<0.7978845608> : tensor<f32>
  %c4 = graph.constant dense<0.05> : tensor<f32>
  %5 = graph.binary mul %c4, %2 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary add %x, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = graph.binary mul %c3, %6 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.unary tanh %7 : (tensor<4xf32>) -> tensor<4xf32>
  %c9 = graph.constant dense<0.5> : tensor<f32>
  %10 = graph.binary mul %c9, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %c11 = graph.constant dense<1.0> : tensor<f32>
  %12 = graph.binary add %c11, %8 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %13 = graph.binary mul %10, %12 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %13 : tensor<4xf32>
}

// Not: a square where the cube should be.
// CHECK-LABEL: func.func @tanh_square() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[CONSTANT]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0.797884583> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<4.471500e-02> : tensor<f32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[CONSTANT_3]], %[[MUL]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[CONSTANT]], %[[MUL_2]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL_3:[^ ,:)]+]] = graph.binary mul %[[CONSTANT_2]], %[[ADD]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[MUL_3]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL_4:[^ ,:)]+]] = graph.binary mul %[[CONSTANT_4]], %[[CONSTANT]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_5:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ADD_2:[^ ,:)]+]] = graph.binary add %[[CONSTANT_5]], %[[TANH]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL_5:[^ ,:)]+]] = graph.binary mul %[[MUL_4]], %[[ADD_2]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL_5]] : tensor<4xf32>
// VALUES-LABEL: func.func @tanh_square
// VALUES-NEXT: #0 = dense<[-0.103703804, -0.157154992, 0.581276357, 2.98690152]> : tensor<4xf32>
func.func @tanh_square() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %1 = graph.binary mul %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c2 = graph.constant dense<0.7978845608> : tensor<f32>
  %c3 = graph.constant dense<0.044715> : tensor<f32>
  %4 = graph.binary mul %c3, %1 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.binary add %x, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary mul %c2, %5 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = graph.unary tanh %6 : (tensor<4xf32>) -> tensor<4xf32>
  %c8 = graph.constant dense<0.5> : tensor<f32>
  %9 = graph.binary mul %c8, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %c10 = graph.constant dense<1.0> : tensor<f32>
  %11 = graph.binary add %c10, %7 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %12 = graph.binary mul %9, %11 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %12 : tensor<4xf32>
}

// Not: a tanh by itself.
// CHECK-LABEL: func.func @tanh_plain() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[TANH:[^ ,:)]+]] = graph.unary tanh %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[TANH]] : tensor<4xf32>
// VALUES-LABEL: func.func @tanh_plain
// VALUES-NEXT: #0 = dense<[-0.964027583, -0.462117165, 0.635148942, 0.995054781]> : tensor<4xf32>
func.func @tanh_plain() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %1 = graph.unary tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @silu() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[SILU:[^ ,:)]+]] = graph.unary silu %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[SILU]] : tensor<4xf32>
// VALUES-LABEL: func.func @silu
// VALUES-NEXT: #0 = dense<[-0.238405839, -0.188770339, 0.509384036, 2.85772228]> : tensor<4xf32>
func.func @silu() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %1 = graph.unary sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary mul %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @silu_reversed() -> tensor<4xbf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xbf16>
// CHECK-NEXT: %[[SILU:[^ ,:)]+]] = graph.unary silu %[[CONSTANT]] : (tensor<4xbf16>) -> tensor<4xbf16>
// CHECK-NEXT: return %[[SILU]] : tensor<4xbf16>
// VALUES-LABEL: func.func @silu_reversed
// VALUES-NEXT: #0 = dense<[-2.382810e-01, -1.884770e-01, 5.078130e-01, 2.859380e+00]> : tensor<4xbf16>
func.func @silu_reversed() -> tensor<4xbf16> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xbf16>
  %1 = graph.unary sigmoid %x : (tensor<4xbf16>) -> tensor<4xbf16>
  %2 = graph.binary mul %1, %x : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %2 : tensor<4xbf16>
}

// x is a value itself.
// CHECK-LABEL: func.func @silu_of_a_sum() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[CONSTANT]], %[[CONSTANT]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[SILU:[^ ,:)]+]] = graph.unary silu %[[ADD]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[SILU]] : tensor<4xf32>
// VALUES-LABEL: func.func @silu_of_a_sum
// VALUES-NEXT: #0 = dense<[-0.0719448403, -0.268941432, 1.22636175, 5.98516417]> : tensor<4xf32>
func.func @silu_of_a_sum() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %1 = graph.binary add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.unary sigmoid %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.binary mul %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Not: sigmoid(1.702 x), the quick GELU.
// CHECK-LABEL: func.func @silu_scaled() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.702000e+00> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[SIGMOID:[^ ,:)]+]] = graph.unary sigmoid %[[MUL]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[SIGMOID]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL_2]] : tensor<4xf32>
// VALUES-LABEL: func.func @silu_scaled
// VALUES-NEXT: #0 = dense<[-0.0643413737, -0.149611562, 0.586390078, 2.98192859]> : tensor<4xf32>
func.func @silu_scaled() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<1.702> : tensor<f32>
  %2 = graph.binary mul %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.unary sigmoid %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.binary mul %x, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Not: a gate with another value.
// CHECK-LABEL: func.func @glu(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4xf32>
// CHECK-SAME: ) -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[SIGMOID:[^ ,:)]+]] = graph.unary sigmoid %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[SIGMOID]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<4xf32>
// VALUES-LABEL: func.func @glu
// VALUES-NEXT: #0 = dense<[0.000000e+00, 0.377540678, 1.35835743, 2.85772228]> : tensor<4xf32>
func.func @glu(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %1 = graph.unary sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary mul %x0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
