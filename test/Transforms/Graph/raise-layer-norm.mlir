// RUN: kiln-opt %s --split-input-file --kiln-raise-layer-norm --remarks-filter='kiln-raise-layer-norm' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// As PyTorch spells it: Pow, ReduceMean, Sqrt, Div, Mul, Add.
// CHECK-LABEL: func.func @torch
// CHECK-NEXT: %[[R:.*]] = graph.layer_norm %arg0 scale %arg1 bias %arg2 axis 2 {epsilon = 9.99999996{{.*}}E-13 : f64}
// CHECK-NEXT: return %[[R]]
// REMARK: [Passed] norm {{.*}}became one layer_norm
func.func @torch(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %y = graph.binary mul %n, %s : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %z = graph.binary add %y, %b : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %z : tensor<2x3x4xf32>
}

// -----

// The difference computed twice, squared by a product, scale on the left,
// bias of the shape [1, 1, C].
// CHECK-LABEL: func.func @dup
// CHECK: %[[R:.*]] = graph.layer_norm %arg0 scale %arg1 bias %[[B:.*]] axis 2 {epsilon = 9.99999996{{.*}}E-13 : f64}
// CHECK-NEXT: return
func.func @dup(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %b: tensor<1x1x4xf32>) -> tensor<2x3x4xf32> {
  %eps = graph.constant dense<9.99999996E-13> : tensor<1xf32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %c2 = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary mul %c2, %c2 : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<1xf32>) -> tensor<2x3x1xf32>
  %d = graph.unary rsqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary mul %c, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %y = graph.binary mul %s, %n : (tensor<4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %z = graph.binary add %b, %y : (tensor<1x1x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %z : tensor<2x3x4xf32>
}

// -----

// No scale and bias; 1 / sqrt(v + eps) as a reciprocal.
// CHECK-LABEL: func.func @bare
// CHECK-NEXT: graph.layer_norm %arg0 axis 2 {epsilon
// CHECK-NEXT: return
func.func @bare(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %r = graph.unary reciprocal %d : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary mul %r, %c : (tensor<2x3x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Over two trailing dims.
// CHECK-LABEL: func.func @twoDims
// CHECK-NEXT: graph.layer_norm %arg0 scale %arg1 axis 1 {epsilon
// CHECK-NEXT: return
func.func @twoDims(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [1, 2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [1, 2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  %y = graph.binary mul %n, %s : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// Centred in f16, squared in f32: the cast moves to the input.
// CHECK-LABEL: func.func @widened
// CHECK-NEXT: %[[W:.*]] = graph.cast %arg0
// CHECK-NEXT: graph.layer_norm %[[W]] axis 2 {epsilon
// CHECK-NEXT: return
func.func @widened(%x: tensor<2x3x4xf16>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<1.0e-5> : tensor<f32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf16>) -> tensor<2x3x1xf16>
  %h = graph.binary sub %x, %m : (tensor<2x3x4xf16>, tensor<2x3x1xf16>) -> tensor<2x3x4xf16>
  %c = graph.cast %h : (tensor<2x3x4xf16>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// RMS norm as in T5 and LLaMA.
// CHECK-LABEL: func.func @rms
// CHECK-NEXT: graph.rms_norm %arg0 scale %arg1 axis 2 {epsilon
// CHECK-NEXT: return
// REMARK: [Passed] norm {{.*}}became one rms_norm
func.func @rms(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<1.0e-6> : tensor<f32>
  %sq = graph.binary pow %x, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary rsqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary mul %x, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %y = graph.binary mul %s, %n : (tensor<4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// A norm that came as one op takes its scale and bias.
// CHECK-LABEL: func.func @absorb
// CHECK-NEXT: graph.layer_norm %arg0 scale %arg1 bias %arg2 axis 2
// CHECK-NEXT: return
func.func @absorb(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<2x3x4xf32> {
  %n = graph.layer_norm %x axis 2 {epsilon = 1.0e-5 : f64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = graph.binary mul %n, %s : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %z = graph.binary add %y, %b : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %z : tensor<2x3x4xf32>
}

// -----

// The mean without the dim, and a reshape that adds it.
// CHECK-LABEL: func.func @unsqueezed
// CHECK-NEXT: graph.layer_norm %arg0 axis 2
// CHECK-NEXT: return
func.func @unsqueezed(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m0 = graph.reduce mean %x axes [2] : (tensor<2x3x4xf32>) -> tensor<2x3xf32>
  %m = graph.reshape %m0 : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Centred on another tensor's mean: the RMS norm of the difference.
// CHECK-LABEL: func.func @otherMean
// CHECK: %[[C:.*]] = graph.binary sub %arg0, %{{.*}}
// CHECK: graph.rms_norm %[[C]]
func.func @otherMean(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %y axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Not: over a dim that is not the last.
// CHECK-LABEL: func.func @wrongAxis
// CHECK-NOT: _norm
// REMARK: [Missed] norm
// REMARK-SAME: the variance is not taken over the trailing dims
func.func @wrongAxis(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [1] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %e = graph.binary add %v, %eps : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x1x4xf32>
  %d = graph.unary sqrt %e : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Not: mean over one dim, variance over two.
// CHECK-LABEL: func.func @otherAxes
// CHECK-NOT: _norm
// REMARK: [Missed] norm
// REMARK-SAME: mean and variance are taken over different dims
func.func @otherAxes(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [1, 2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x1x1xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Not: the numerator is another tensor's.
// CHECK-LABEL: func.func @otherNumerator
// CHECK-NOT: _norm
// REMARK: [Missed] norm
// REMARK-SAME: the numerator is neither
func.func @otherNumerator(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary div %y, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Not: squared is what is not centred.
// CHECK-LABEL: func.func @uncentred
// CHECK-NOT: _norm
// REMARK: [Missed] norm
// REMARK-SAME: what is squared is not the centred numerator
func.func @uncentred(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %x, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Not: a cube, or a sum instead of a mean: other functions, no remark.
// CHECK-LABEL: func.func @cube
// CHECK-NOT: _norm
func.func @cube(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<3.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce mean %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Not: a sum instead of a mean.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: _norm
func.func @sum(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %eps = graph.constant dense<9.99999996E-13> : tensor<f32>
  %m = graph.reduce mean %x axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %c = graph.binary sub %x, %m : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %sq = graph.binary pow %c, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %v = graph.reduce sum %sq axes [2] {keep_dims} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %e = graph.binary add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %d = graph.unary sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = graph.binary div %c, %d : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  return %n : tensor<2x3x4xf32>
}

// -----

// Not absorbed: the norm is used twice, the sum is of a full tensor, and a scale
// after a bias would scale the bias.
// CHECK-LABEL: func.func @keep
// CHECK: %[[N:.*]] = graph.layer_norm %arg0 axis 2
// CHECK: %[[M:.*]] = graph.binary mul %[[N]], %arg1
// CHECK: graph.binary add %[[N]], %arg2
// CHECK: %[[B:.*]] = graph.layer_norm %arg0 bias %arg1
// CHECK: graph.binary mul %[[B]], %arg1
// REMARK: [Missed] scale-or-bias
// REMARK-SAME: the norm has other users
func.func @keep(%x: tensor<2x3x4xf32>, %s: tensor<4xf32>, %r: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %n = graph.layer_norm %x axis 2 {epsilon = 1.0e-5 : f64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %y = graph.binary mul %n, %s : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %z = graph.binary add %n, %r : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %k = graph.layer_norm %x bias %s axis 2 {epsilon = 1.0e-5 : f64} : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %w = graph.binary mul %k, %s : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return %y, %z, %w : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
}
