// RUN: kiln-opt %s --kiln-simplify-graph | FileCheck %s
// RUN: kiln-opt %s --kiln-simplify-graph | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Elementwise ops with a constant that changes nothing, and with one that does.
// NOTE: checks by tools/update-lit-checks

// Of every type of floats.
// CHECK-LABEL: func.func @neutral_f16(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf16>
// CHECK-SAME: ) -> tensor<3xf16> {
// CHECK-NEXT: return %[[ARG]] : tensor<3xf16>
// VALUES-LABEL: func.func @neutral_f16
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf16>
func.func @neutral_f16(%x0: tensor<3xf16>) -> tensor<3xf16> {
  %one = graph.constant dense<1.0> : tensor<f16>
  %zero = graph.constant dense<[0.0]> : tensor<1xf16>
  %2 = graph.binary mul %x0, %one : (tensor<3xf16>, tensor<f16>) -> tensor<3xf16>
  %3 = graph.binary div %2, %one : (tensor<3xf16>, tensor<f16>) -> tensor<3xf16>
  %4 = graph.binary sub %3, %zero : (tensor<3xf16>, tensor<1xf16>) -> tensor<3xf16>
  %5 = graph.binary pow %4, %one : (tensor<3xf16>, tensor<f16>) -> tensor<3xf16>
  return %5 : tensor<3xf16>
}

// CHECK-LABEL: func.func @neutral_bf16(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xbf16>
// CHECK-SAME: ) -> tensor<3xbf16> {
// CHECK-NEXT: return %[[ARG]] : tensor<3xbf16>
// VALUES-LABEL: func.func @neutral_bf16
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xbf16>
func.func @neutral_bf16(%x0: tensor<3xbf16>) -> tensor<3xbf16> {
  %one = graph.constant dense<1.0> : tensor<bf16>
  %zero = graph.constant dense<[0.0]> : tensor<1xbf16>
  %2 = graph.binary mul %x0, %one : (tensor<3xbf16>, tensor<bf16>) -> tensor<3xbf16>
  %3 = graph.binary div %2, %one : (tensor<3xbf16>, tensor<bf16>) -> tensor<3xbf16>
  %4 = graph.binary sub %3, %zero : (tensor<3xbf16>, tensor<1xbf16>) -> tensor<3xbf16>
  %5 = graph.binary pow %4, %one : (tensor<3xbf16>, tensor<bf16>) -> tensor<3xbf16>
  return %5 : tensor<3xbf16>
}

// CHECK-LABEL: func.func @neutral_f64(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf64>
// CHECK-SAME: ) -> tensor<3xf64> {
// CHECK-NEXT: return %[[ARG]] : tensor<3xf64>
// VALUES-LABEL: func.func @neutral_f64
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf64>
func.func @neutral_f64(%x0: tensor<3xf64>) -> tensor<3xf64> {
  %one = graph.constant dense<1.0> : tensor<f64>
  %zero = graph.constant dense<[0.0]> : tensor<1xf64>
  %2 = graph.binary mul %x0, %one : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  %3 = graph.binary div %2, %one : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  %4 = graph.binary sub %3, %zero : (tensor<3xf64>, tensor<1xf64>) -> tensor<3xf64>
  %5 = graph.binary pow %4, %one : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  return %5 : tensor<3xf64>
}

// CHECK-LABEL: func.func @neutral_i8(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xi8>
// CHECK-SAME: ) -> tensor<2x2xi8> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x2xi8>
// VALUES-LABEL: func.func @neutral_i8
// VALUES-NEXT: #0 = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi8>
func.func @neutral_i8(%x0: tensor<2x2xi8>) -> tensor<2x2xi8> {
  %one = graph.constant dense<1> : tensor<i8>
  %zero = graph.constant dense<0> : tensor<i8>
  %2 = graph.binary add %zero, %x0 : (tensor<i8>, tensor<2x2xi8>) -> tensor<2x2xi8>
  %3 = graph.binary sub %2, %zero : (tensor<2x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  %4 = graph.binary mul %one, %3 : (tensor<i8>, tensor<2x2xi8>) -> tensor<2x2xi8>
  %5 = graph.binary div %4, %one : (tensor<2x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  %6 = graph.binary pow %5, %one : (tensor<2x2xi8>, tensor<i8>) -> tensor<2x2xi8>
  return %6 : tensor<2x2xi8>
}

// CHECK-LABEL: func.func @neutral_i32(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xi32>
// CHECK-SAME: ) -> tensor<2x2xi32> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x2xi32>
// VALUES-LABEL: func.func @neutral_i32
// VALUES-NEXT: #0 = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi32>
func.func @neutral_i32(%x0: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %one = graph.constant dense<1> : tensor<i32>
  %zero = graph.constant dense<0> : tensor<i32>
  %2 = graph.binary add %zero, %x0 : (tensor<i32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %3 = graph.binary sub %2, %zero : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  %4 = graph.binary mul %one, %3 : (tensor<i32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %5 = graph.binary div %4, %one : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  %6 = graph.binary pow %5, %one : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  return %6 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @neutral_ui8(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xui8>
// CHECK-SAME: ) -> tensor<2x2xui8> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x2xui8>
// VALUES-LABEL: func.func @neutral_ui8
// VALUES-NEXT: #0 = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xui8>
func.func @neutral_ui8(%x0: tensor<2x2xui8>) -> tensor<2x2xui8> {
  %one = graph.constant dense<1> : tensor<ui8>
  %zero = graph.constant dense<0> : tensor<ui8>
  %2 = graph.binary add %zero, %x0 : (tensor<ui8>, tensor<2x2xui8>) -> tensor<2x2xui8>
  %3 = graph.binary sub %2, %zero : (tensor<2x2xui8>, tensor<ui8>) -> tensor<2x2xui8>
  %4 = graph.binary mul %one, %3 : (tensor<ui8>, tensor<2x2xui8>) -> tensor<2x2xui8>
  %5 = graph.binary div %4, %one : (tensor<2x2xui8>, tensor<ui8>) -> tensor<2x2xui8>
  %6 = graph.binary pow %5, %one : (tensor<2x2xui8>, tensor<ui8>) -> tensor<2x2xui8>
  return %6 : tensor<2x2xui8>
}

// CHECK-LABEL: func.func @neutral_ui64(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x2xui64>
// CHECK-SAME: ) -> tensor<2x2xui64> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x2xui64>
// VALUES-LABEL: func.func @neutral_ui64
// VALUES-NEXT: #0 = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xui64>
func.func @neutral_ui64(%x0: tensor<2x2xui64>) -> tensor<2x2xui64> {
  %one = graph.constant dense<1> : tensor<ui64>
  %zero = graph.constant dense<0> : tensor<ui64>
  %2 = graph.binary add %zero, %x0 : (tensor<ui64>, tensor<2x2xui64>) -> tensor<2x2xui64>
  %3 = graph.binary sub %2, %zero : (tensor<2x2xui64>, tensor<ui64>) -> tensor<2x2xui64>
  %4 = graph.binary mul %one, %3 : (tensor<ui64>, tensor<2x2xui64>) -> tensor<2x2xui64>
  %5 = graph.binary div %4, %one : (tensor<2x2xui64>, tensor<ui64>) -> tensor<2x2xui64>
  %6 = graph.binary pow %5, %one : (tensor<2x2xui64>, tensor<ui64>) -> tensor<2x2xui64>
  return %6 : tensor<2x2xui64>
}

// 0 - x, 1 / x and powers of 1 are no x; remainders by 1 are zeros.
// CHECK-LABEL: func.func @integers_that_change(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xi32>
// CHECK-SAME: ) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[CONSTANT_2]], %[[ARG]] : (tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT]], %[[ARG]] : (tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
// CHECK-NEXT: %[[POW:[^ ,:)]+]] = graph.binary pow %[[CONSTANT]], %[[ARG]] : (tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
// CHECK-NEXT: %[[MOD:[^ ,:)]+]] = graph.binary mod %[[ARG]], %[[CONSTANT]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[CONSTANT_2]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK-NEXT: return %[[SUB]], %[[DIV]], %[[POW]], %[[MOD]], %[[MUL]] : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
// VALUES-LABEL: func.func @integers_that_change
// VALUES-NEXT: #0 = dense<[0, -1, -2]> : tensor<3xi32>
// VALUES-NEXT: #1 = dense<[0, 1, 0]> : tensor<3xi32>
// VALUES-NEXT: #2 = dense<1> : tensor<3xi32>
// VALUES-NEXT: #3 = dense<0> : tensor<3xi32>
// VALUES-NEXT: #4 = dense<0> : tensor<3xi32>
func.func @integers_that_change(%x0: tensor<3xi32>)
    -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %one = graph.constant dense<1> : tensor<i32>
  %zero = graph.constant dense<0> : tensor<i32>
  %2 = graph.binary sub %zero, %x0 : (tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
  %3 = graph.binary div %one, %x0 : (tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
  %4 = graph.binary pow %one, %x0 : (tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
  %5 = graph.binary mod %x0, %one : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %6 = graph.binary mul %x0, %zero : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %2, %3, %4, %5, %6 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @minus_zero_left(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf32>
// CHECK-SAME: ) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<-0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[CONSTANT_2]], %[[ARG]] : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[CONSTANT]], %[[ARG]] : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[ARG]], %[[ARG]], %[[ADD]], %[[SUB]] : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
// VALUES-LABEL: func.func @minus_zero_left
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #1 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #2 = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #3 = dense<[-0.000000e+00, -1.000000e+00]> : tensor<2xf32>
func.func @minus_zero_left(%x0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %minus = graph.constant dense<-0.0> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %2 = graph.binary add %minus, %x0 : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = graph.binary add %x0, %minus : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %4 = graph.binary add %zero, %x0 : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %5 = graph.binary sub %minus, %x0 : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %2, %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// What is not exactly neutral stays.
// CHECK-LABEL: func.func @nearly_one(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf32>
// CHECK-SAME: ) -> (tensor<2xf32>, tensor<2xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1.00000012> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.401300e-45> : tensor<f32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[CONSTANT]] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[ARG]], %[[CONSTANT_2]] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[MUL]], %[[SUB]] : tensor<2xf32>, tensor<2xf32>
// VALUES-LABEL: func.func @nearly_one
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.00000012]> : tensor<2xf32>
// VALUES-NEXT: #1 = dense<[-1.401300e-45, 1.000000e+00]> : tensor<2xf32>
func.func @nearly_one(%x0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %near = graph.constant dense<1.0000001> : tensor<f32>
  %tiny = graph.constant dense<1.0e-45> : tensor<f32>
  %2 = graph.binary mul %x0, %near : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = graph.binary sub %x0, %tiny : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}

// A constant of different elements stays, though one is neutral.
// CHECK-LABEL: func.func @not_a_splat(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf32>
// CHECK-SAME: ) -> tensor<2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[CONSTANT]] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<2xf32>
// VALUES-LABEL: func.func @not_a_splat
// VALUES-NEXT: #0 = dense<[0.000000e+00, 2.000000e+00]> : tensor<2xf32>
func.func @not_a_splat(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %o = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.binary mul %x0, %o : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// A constant of equal elements is neutral like a number.
// CHECK-LABEL: func.func @splat_tensor(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x3xf32>
// VALUES-LABEL: func.func @splat_tensor
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
func.func @splat_tensor(%x0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %o = graph.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %1 = graph.binary mul %x0, %o : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// So is a fill.
// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: return %[[ARG]] : tensor<2x3xf32>
// VALUES-LABEL: func.func @fill
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf32>
func.func @fill(%x0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = graph.fill 1.0 : f32 : tensor<2x3xf32>
  %1 = graph.binary mul %x0, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// The shape comes from the constant.
// CHECK-LABEL: func.func @widened_by_the_constant(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> tensor<2x3xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[CONSTANT]] : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<2x3xf32>
// VALUES-LABEL: func.func @widened_by_the_constant
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [0.000000e+00, 1.000000e+00, 2.000000e+00]]> : tensor<2x3xf32>
func.func @widened_by_the_constant(%x0: tensor<3xf32>) -> tensor<2x3xf32> {
  %o = graph.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %1 = graph.binary mul %x0, %o : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// The exponent may be of another type, the base keeps its own.
// CHECK-LABEL: func.func @typed_pow(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<3xf32>
// CHECK-SAME: ) -> tensor<3xf32> {
// CHECK-NEXT: return %[[ARG]] : tensor<3xf32>
// VALUES-LABEL: func.func @typed_pow
// VALUES-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
func.func @typed_pow(%x0: tensor<3xf32>) -> tensor<3xf32> {
  %o = graph.constant dense<1> : tensor<i64>
  %1 = graph.binary pow %x0, %o : (tensor<3xf32>, tensor<i64>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// Exclusive or with false; with true it is a negation.
// CHECK-LABEL: func.func @booleans(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xi1>
// CHECK-SAME: ) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<false> : tensor<i1>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<true> : tensor<i1>
// CHECK-NEXT: %[[LOGICAL_XOR:[^ ,:)]+]] = graph.binary logical_xor %[[ARG]], %[[CONSTANT_2]] : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[LOGICAL_AND:[^ ,:)]+]] = graph.binary logical_and %[[ARG]], %[[CONSTANT]] : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
// CHECK-NEXT: %[[LOGICAL_OR:[^ ,:)]+]] = graph.binary logical_or %[[CONSTANT_2]], %[[ARG]] : (tensor<i1>, tensor<2xi1>) -> tensor<2xi1>
// CHECK-NEXT: return %[[ARG]], %[[ARG]], %[[LOGICAL_XOR]], %[[LOGICAL_AND]], %[[LOGICAL_OR]] : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
// VALUES-LABEL: func.func @booleans
// VALUES-NEXT: #0 = dense<[false, true]> : tensor<2xi1>
// VALUES-NEXT: #1 = dense<[false, true]> : tensor<2xi1>
// VALUES-NEXT: #2 = dense<[true, false]> : tensor<2xi1>
// VALUES-NEXT: #3 = dense<false> : tensor<2xi1>
// VALUES-NEXT: #4 = dense<true> : tensor<2xi1>
func.func @booleans(%x0: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %no = graph.constant dense<false> : tensor<i1>
  %yes = graph.constant dense<true> : tensor<i1>
  %2 = graph.binary logical_xor %x0, %no : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  %3 = graph.binary logical_xor %no, %x0 : (tensor<i1>, tensor<2xi1>) -> tensor<2xi1>
  %4 = graph.binary logical_xor %x0, %yes : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  %5 = graph.binary logical_and %x0, %no : (tensor<2xi1>, tensor<i1>) -> tensor<2xi1>
  %6 = graph.binary logical_or %yes, %x0 : (tensor<i1>, tensor<2xi1>) -> tensor<2xi1>
  return %2, %3, %4, %5, %6 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// The ends of the type are no case of this pass.
// CHECK-LABEL: func.func @min_max(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xi8>
// CHECK-SAME: ) -> tensor<2xi8> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<-128> : tensor<i8>
// CHECK-NEXT: %[[MAX:[^ ,:)]+]] = graph.binary max %[[ARG]], %[[CONSTANT]] : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
// CHECK-NEXT: return %[[MAX]] : tensor<2xi8>
// VALUES-LABEL: func.func @min_max
// VALUES-NEXT: #0 = dense<[0, 1]> : tensor<2xi8>
func.func @min_max(%x0: tensor<2xi8>) -> tensor<2xi8> {
  %lo = graph.constant dense<-128> : tensor<i8>
  %1 = graph.binary max %x0, %lo : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %1 : tensor<2xi8>
}

// Shifts by 0 are written by no exporter.
// CHECK-LABEL: func.func @bits_stay(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xui8>
// CHECK-SAME: ) -> (tensor<2xui8>, tensor<2xui8>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0> : tensor<ui8>
// CHECK-NEXT: %[[SHIFT_LEFT:[^ ,:)]+]] = graph.binary shift_left %[[ARG]], %[[CONSTANT]] : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
// CHECK-NEXT: %[[BIT_OR:[^ ,:)]+]] = graph.binary bit_or %[[ARG]], %[[CONSTANT]] : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
// CHECK-NEXT: return %[[SHIFT_LEFT]], %[[BIT_OR]] : tensor<2xui8>, tensor<2xui8>
// VALUES-LABEL: func.func @bits_stay
// VALUES-NEXT: #0 = dense<[0, 1]> : tensor<2xui8>
// VALUES-NEXT: #1 = dense<[0, 1]> : tensor<2xui8>
func.func @bits_stay(%x0: tensor<2xui8>) -> (tensor<2xui8>, tensor<2xui8>) {
  %z = graph.constant dense<0> : tensor<ui8>
  %1 = graph.binary shift_left %x0, %z : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  %2 = graph.binary bit_or %x0, %z : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  return %1, %2 : tensor<2xui8>, tensor<2xui8>
}
