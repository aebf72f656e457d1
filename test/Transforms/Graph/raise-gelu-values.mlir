// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-gelu))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-gelu))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Spellings of GELU by erf: what is recognised computes what the model did.
// NOTE: checks by tools/update-lit-checks

// 0.5 * (x * (1 + erf)).
// CHECK-LABEL: func.func @erf_0() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_0
// VALUES-NEXT: #0 = dense<[-0.0455002636, -0.154268771, 0.580029488, 2.99595022]> : tensor<4xf32>
func.func @erf_0() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<0.5> : tensor<f32>
  %c2 = graph.constant dense<1.0> : tensor<f32>
  %c3 = graph.constant dense<1.4142135623730951> : tensor<f32>
  %4 = graph.binary div %x, %c3 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.unary erf %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary add %5, %c2 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary mul %x, %6 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.binary mul %c1, %7 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// (0.5 * x) * (1 + erf).
// CHECK-LABEL: func.func @erf_1() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_1
// VALUES-NEXT: #0 = dense<[-0.0455002636, -0.154268771, 0.580029488, 2.99595022]> : tensor<4xf32>
func.func @erf_1() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<0.5> : tensor<f32>
  %c2 = graph.constant dense<1.0> : tensor<f32>
  %c3 = graph.constant dense<1.4142135623730951> : tensor<f32>
  %4 = graph.binary div %x, %c3 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.unary erf %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary add %5, %c2 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary mul %c1, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.binary mul %7, %6 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// x * ((1 + erf) * 0.5).
// CHECK-LABEL: func.func @erf_2() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_2
// VALUES-NEXT: #0 = dense<[-0.0455002636, -0.154268771, 0.580029488, 2.99595022]> : tensor<4xf32>
func.func @erf_2() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<0.5> : tensor<f32>
  %c2 = graph.constant dense<1.0> : tensor<f32>
  %c3 = graph.constant dense<1.4142135623730951> : tensor<f32>
  %4 = graph.binary div %x, %c3 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.unary erf %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary add %5, %c2 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary mul %6, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = graph.binary mul %x, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// 0.5 x + 0.5 x * erf.
// CHECK-LABEL: func.func @erf_3() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_3
// VALUES-NEXT: #0 = dense<[-0.0455002636, -0.154268771, 0.580029488, 2.99595022]> : tensor<4xf32>
func.func @erf_3() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<0.5> : tensor<f32>
  %c2 = graph.constant dense<1.0> : tensor<f32>
  %c3 = graph.constant dense<1.4142135623730951> : tensor<f32>
  %4 = graph.binary div %x, %c3 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.unary erf %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary mul %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary mul %6, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = graph.binary add %6, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// x * (1 + erf) / 2.
// CHECK-LABEL: func.func @erf_4() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_4
// VALUES-NEXT: #0 = dense<[-0.0455002636, -0.154268771, 0.580029488, 2.99595022]> : tensor<4xf32>
func.func @erf_4() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<0.5> : tensor<f32>
  %c2 = graph.constant dense<1.0> : tensor<f32>
  %c3 = graph.constant dense<1.4142135623730951> : tensor<f32>
  %4 = graph.binary div %x, %c3 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.unary erf %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary add %5, %c2 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary mul %x, %6 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c8 = graph.constant dense<2.0> : tensor<f32>
  %9 = graph.binary div %7, %c8 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %9 : tensor<4xf32>
}

// The constants are rounded to the type.
// CHECK-LABEL: func.func @erf_f16() -> tensor<4xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf16>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT: return %[[GELU]] : tensor<4xf16>
// VALUES-LABEL: func.func @erf_f16
// VALUES-NEXT: #0 = dense<[-4.550170e-02, -1.542970e-01, 5.800780e-01, 2.996090e+00]> : tensor<4xf16>
func.func @erf_f16() -> tensor<4xf16> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf16>
  %c1 = graph.constant dense<0.5> : tensor<f16>
  %c2 = graph.constant dense<1.0> : tensor<f16>
  %c3 = graph.constant dense<1.4142135623730951> : tensor<f16>
  %4 = graph.binary div %x, %c3 : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %5 = graph.unary erf %4 : (tensor<4xf16>) -> tensor<4xf16>
  %6 = graph.binary add %5, %c2 : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %7 = graph.binary mul %x, %6 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %8 = graph.binary mul %c1, %7 : (tensor<f16>, tensor<4xf16>) -> tensor<4xf16>
  return %8 : tensor<4xf16>
}

// The constants are rounded to the type.
// CHECK-LABEL: func.func @erf_bf16() -> tensor<4xbf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xbf16>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xbf16>) -> tensor<4xbf16>
// CHECK-NEXT: return %[[GELU]] : tensor<4xbf16>
// VALUES-LABEL: func.func @erf_bf16
// VALUES-NEXT: #0 = dense<[-4.541020e-02, -1.542970e-01, 5.781250e-01, 3.000000e+00]> : tensor<4xbf16>
func.func @erf_bf16() -> tensor<4xbf16> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xbf16>
  %c1 = graph.constant dense<0.5> : tensor<bf16>
  %c2 = graph.constant dense<1.0> : tensor<bf16>
  %c3 = graph.constant dense<1.4142135623730951> : tensor<bf16>
  %4 = graph.binary div %x, %c3 : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %5 = graph.unary erf %4 : (tensor<4xbf16>) -> tensor<4xbf16>
  %6 = graph.binary add %5, %c2 : (tensor<4xbf16>, tensor<bf16>) -> tensor<4xbf16>
  %7 = graph.binary mul %x, %6 : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %8 = graph.binary mul %c1, %7 : (tensor<bf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %8 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @erf_f64() -> tensor<4xf64> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf64>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT: return %[[GELU]] : tensor<4xf64>
// VALUES-LABEL: func.func @erf_f64
// VALUES-NEXT: #0 = dense<[-0.045500263896358396, -0.15426876936299344, 0.58002948571734891, 2.9959503059051098]> : tensor<4xf64>
func.func @erf_f64() -> tensor<4xf64> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf64>
  %c1 = graph.constant dense<0.5> : tensor<f64>
  %c2 = graph.constant dense<1.0> : tensor<f64>
  %c3 = graph.constant dense<1.4142135623730951> : tensor<f64>
  %4 = graph.binary div %x, %c3 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %5 = graph.unary erf %4 : (tensor<4xf64>) -> tensor<4xf64>
  %6 = graph.binary add %5, %c2 : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  %7 = graph.binary mul %x, %6 : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %8 = graph.binary mul %c1, %7 : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
  return %8 : tensor<4xf64>
}

// Multiplied by sqrt(1/2) in place of a division, as exporters write it.
// CHECK-LABEL: func.func @erf_times() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[GELU:[^ ,:)]+]] = graph.unary gelu %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[GELU]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_times
// VALUES-NEXT: #0 = dense<[-0.0455002636, -0.154268771, 0.580029488, 2.99595022]> : tensor<4xf32>
func.func @erf_times() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<0.70710677> : tensor<f32>
  %2 = graph.binary mul %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.unary erf %2 : (tensor<4xf32>) -> tensor<4xf32>
  %c4 = graph.constant dense<1.0> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.binary mul %x, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c7 = graph.constant dense<0.5> : tensor<f32>
  %8 = graph.binary mul %6, %c7 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// Not: the erf of -x, which would be subtracted.
// CHECK-LABEL: func.func @erf_negated() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[NEG:[^ ,:)]+]] = graph.unary neg %[[CONSTANT]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.41421354> : tensor<f32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[NEG]], %[[CONSTANT_2]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[ERF:[^ ,:)]+]] = graph.unary erf %[[DIV]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[CONSTANT_3]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[CONSTANT_4]], %[[ERF]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[MUL]], %[[SUB]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL_2]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_negated
// VALUES-NEXT: #0 = dense<[-0.0455002598, -0.154268771, 0.580029488, 2.99595022]> : tensor<4xf32>
func.func @erf_negated() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %1 = graph.unary neg %x : (tensor<4xf32>) -> tensor<4xf32>
  %c2 = graph.constant dense<1.41421356> : tensor<f32>
  %3 = graph.binary div %1, %c2 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.unary erf %3 : (tensor<4xf32>) -> tensor<4xf32>
  %c5 = graph.constant dense<0.5> : tensor<f32>
  %6 = graph.binary mul %x, %c5 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c7 = graph.constant dense<1.0> : tensor<f32>
  %8 = graph.binary sub %c7, %4 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %9 = graph.binary mul %6, %8 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %9 : tensor<4xf32>
}

// Not: divided by 2.
// CHECK-LABEL: func.func @erf_other_scale() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[ERF:[^ ,:)]+]] = graph.unary erf %[[DIV]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ERF]], %[[CONSTANT_3]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[ADD]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[MUL]], %[[CONSTANT_4]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL_2]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_other_scale
// VALUES-NEXT: #0 = dense<[-0.157299206, -0.180918396, 0.526543856, 2.94915771]> : tensor<4xf32>
func.func @erf_other_scale() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<2.0> : tensor<f32>
  %2 = graph.binary div %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.unary erf %2 : (tensor<4xf32>) -> tensor<4xf32>
  %c4 = graph.constant dense<1.0> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.binary mul %x, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c7 = graph.constant dense<0.5> : tensor<f32>
  %8 = graph.binary mul %6, %c7 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// Not: without the half.
// CHECK-LABEL: func.func @erf_no_half() -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.41421354> : tensor<f32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[ERF:[^ ,:)]+]] = graph.unary erf %[[DIV]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ERF]], %[[CONSTANT_3]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[ADD]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_no_half
// VALUES-NEXT: #0 = dense<[-0.0910005196, -0.308537543, 1.16005898, 5.99190044]> : tensor<4xf32>
func.func @erf_no_half() -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<1.41421356> : tensor<f32>
  %2 = graph.binary div %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.unary erf %2 : (tensor<4xf32>) -> tensor<4xf32>
  %c4 = graph.constant dense<1.0> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.binary mul %x, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// Not: multiplied by another value than that of the erf.
// CHECK-LABEL: func.func @erf_other_value(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<4xf32>
// CHECK-SAME: ) -> tensor<4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.41421354> : tensor<f32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[ERF:[^ ,:)]+]] = graph.unary erf %[[DIV]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ERF]], %[[CONSTANT_3]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[ADD]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[MUL]], %[[CONSTANT_4]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL_2]] : tensor<4xf32>
// VALUES-LABEL: func.func @erf_other_value
// VALUES-NEXT: #0 = dense<[0.000000e+00, 0.308537543, 1.5467453, 2.99595022]> : tensor<4xf32>
func.func @erf_other_value(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<1.41421356> : tensor<f32>
  %2 = graph.binary div %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.unary erf %2 : (tensor<4xf32>) -> tensor<4xf32>
  %c4 = graph.constant dense<1.0> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.binary mul %x0, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c7 = graph.constant dense<0.5> : tensor<f32>
  %8 = graph.binary mul %6, %c7 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// Not: the erf has other users.
// CHECK-LABEL: func.func @erf_shared() -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.41421354> : tensor<f32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[ERF:[^ ,:)]+]] = graph.unary erf %[[DIV]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ERF]], %[[CONSTANT_3]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[ADD]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[MUL]], %[[CONSTANT_4]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[MUL_2]], %[[ERF]] : tensor<4xf32>, tensor<4xf32>
// VALUES-LABEL: func.func @erf_shared
// VALUES-NEXT: #0 = dense<[-0.0455002598, -0.154268771, 0.580029488, 2.99595022]> : tensor<4xf32>
// VALUES-NEXT: #1 = dense<[-0.954499721, -0.382924914, 0.5467453, 0.997300207]> : tensor<4xf32>
func.func @erf_shared() -> (tensor<4xf32>, tensor<4xf32>) {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<1.41421356> : tensor<f32>
  %2 = graph.binary div %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.unary erf %2 : (tensor<4xf32>) -> tensor<4xf32>
  %c4 = graph.constant dense<1.0> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.binary mul %x, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c7 = graph.constant dense<0.5> : tensor<f32>
  %8 = graph.binary mul %6, %c7 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %8, %3 : tensor<4xf32>, tensor<4xf32>
}

// Not: the result is wider than x.
// CHECK-LABEL: func.func @erf_widened() -> tensor<1x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[-2.000000e+00, -5.000000e-01, 7.500000e-01, 3.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.41421354> : tensor<f32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[ERF:[^ ,:)]+]] = graph.unary erf %[[DIV]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ERF]], %[[CONSTANT_3]] : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[ADD]] : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[MUL_2:[^ ,:)]+]] = graph.binary mul %[[MUL]], %[[CONSTANT_4]] : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
// CHECK-NEXT: return %[[MUL_2]] : tensor<1x4xf32>
// VALUES-LABEL: func.func @erf_widened
// VALUES-NEXT: #0 = dense<{{\[\[}}-0.0455002598, -0.154268771, 0.580029488, 2.99595022]]> : tensor<1x4xf32>
func.func @erf_widened() -> tensor<1x4xf32> {
  %x = graph.constant dense<[-2.0, -0.5, 0.75, 3.0]> : tensor<4xf32>
  %c1 = graph.constant dense<1.41421356> : tensor<f32>
  %2 = graph.binary div %x, %c1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.unary erf %2 : (tensor<4xf32>) -> tensor<4xf32>
  %c4 = graph.constant dense<[[1.0]]> : tensor<1x1xf32>
  %5 = graph.binary add %3, %c4 : (tensor<4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  %6 = graph.binary mul %x, %5 : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %c7 = graph.constant dense<0.5> : tensor<f32>
  %8 = graph.binary mul %6, %c7 : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  return %8 : tensor<1x4xf32>
}
