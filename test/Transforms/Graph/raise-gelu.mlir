// RUN: kiln-opt %s --split-input-file --kiln-raise-gelu --remarks-filter='kiln-raise-gelu' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// x * 0.5 * (1 + erf(x / sqrt 2)), as bert_toy spells it.
// CHECK-LABEL: func.func @halfTimesXFirst
// CHECK-NEXT: %[[R:.*]] = graph.unary gelu %arg0
// CHECK-NEXT: return %[[R]]
// REMARK: [Passed] activation {{.*}}became one gelu
func.func @halfTimesXFirst(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = graph.constant dense<0.5> : tensor<f32>
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.binary mul %x, %half : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = graph.binary div %x, %root : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = graph.unary erf %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = graph.binary add %2, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %4 = graph.binary mul %0, %3 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// (1 + erf(x * 0.7071)) * x * 0.5 with constants of rank 1 and few digits.
// CHECK-LABEL: func.func @fewDigits
// CHECK-NEXT: graph.unary gelu %arg0
// CHECK-NEXT: return
func.func @fewDigits(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = graph.constant dense<0.5> : tensor<1xf32>
  %root = graph.constant dense<0.7071> : tensor<1xf32>
  %one = graph.constant dense<1.0> : tensor<1xf32>
  %0 = graph.binary mul %root, %x : (tensor<1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = graph.unary erf %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = graph.binary add %one, %1 : (tensor<1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = graph.binary mul %2, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = graph.binary mul %half, %3 : (tensor<1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// 0.5 * (x + x * erf(x / sqrt 2)): multiplied out, with a symbolic shape.
// CHECK-LABEL: func.func @multipliedOut
// CHECK-NEXT: graph.unary gelu %arg0
// CHECK-NEXT: return
graph.symbol @batch in [1, 64]
func.func @multipliedOut(%x: tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>) -> tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>> {
  %root = graph.constant dense<0.707106769> : tensor<f32>
  %two = graph.constant dense<2.0> : tensor<f32>
  %0 = graph.binary mul %x, %root : (tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>, tensor<f32>) -> tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>
  %1 = graph.unary erf %0 : (tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>) -> tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>
  %2 = graph.binary mul %x, %1 : (tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>, tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>) -> tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>
  %3 = graph.binary add %x, %2 : (tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>, tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>) -> tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>
  %4 = graph.binary div %3, %two : (tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>, tensor<f32>) -> tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>
  return %4 : tensor<?x8xf32, #graph.shape<[batch] -> [batch, 8]>>
}

// -----

// In f16 a constant is its rounding; the scaled input may be cast by itself.
// CHECK-LABEL: func.func @halfPrecision
// CHECK: %[[X:.*]] = graph.cast %arg0
// CHECK-NEXT: graph.unary gelu %[[X]]
// CHECK-NEXT: return
func.func @halfPrecision(%x: tensor<8xf16>) -> tensor<8xf32> {
  %half = graph.constant dense<0.5> : tensor<f16>
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %w = graph.cast %x : (tensor<8xf16>) -> tensor<8xf32>
  %0 = graph.binary div %w, %root : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = graph.unary erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = graph.binary add %1, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = graph.binary mul %x, %half : (tensor<8xf16>, tensor<f16>) -> tensor<8xf16>
  %4 = graph.cast %3 : (tensor<8xf16>) -> tensor<8xf32>
  %5 = graph.binary mul %4, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %5 : tensor<8xf32>
}

// -----

// tanh(0.79788 * (x + 0.044715 * pow(x, 3))).
// CHECK-LABEL: func.func @tanhByPow
// CHECK-NEXT: graph.unary gelu_tanh %arg0
// CHECK-NEXT: return
func.func @tanhByPow(%x: tensor<4xf32>) -> tensor<4xf32> {
  %three = graph.constant dense<3.0> : tensor<f32>
  %a = graph.constant dense<0.044715> : tensor<f32>
  %b = graph.constant dense<0.797884583> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.binary pow %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.binary mul %0, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.binary add %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.binary mul %2, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.unary tanh %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.binary add %4, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.binary mul %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary mul %6, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

// -----

// tanh((0.79788 * x) * (1 + x * (x * 0.044715))), where x is itself a product.
// CHECK-LABEL: func.func @tanhFactored
// CHECK: %[[X:.*]] = graph.binary mul %arg0, %arg0
// CHECK-NEXT: graph.unary gelu_tanh %[[X]]
// CHECK-NEXT: return
func.func @tanhFactored(%y: tensor<4xf32>) -> tensor<4xf32> {
  %a = graph.constant dense<0.044715> : tensor<f32>
  %b = graph.constant dense<0.79788> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %x = graph.binary mul %y, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = graph.binary mul %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.binary mul %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.binary mul %x, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.binary mul %3, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.unary tanh %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = graph.binary add %5, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary mul %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = graph.binary mul %7, %6 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// -----

// x * sigmoid(x).
// CHECK-LABEL: func.func @silu
// CHECK-NEXT: graph.unary silu %arg0
// CHECK-NEXT: return
func.func @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.unary sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.binary mul %0, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Not: the divisor is off by more than a rounding.
// CHECK-LABEL: func.func @wrongDivisor
// CHECK-NOT: gelu
// REMARK: [Missed] activation
// REMARK-SAME: the operand of erf is no value divided by sqrt(2)
func.func @wrongDivisor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %half = graph.constant dense<0.5> : tensor<f32>
  %root = graph.constant dense<1.414> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.binary div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.unary erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.binary mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.binary mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// Not: another tensor is multiplied.
// CHECK-LABEL: func.func @otherFactor
// CHECK-NOT: gelu
// REMARK: [Missed] activation
// REMARK-SAME: the ops behind it do not compute x
func.func @otherFactor(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %half = graph.constant dense<0.5> : tensor<f32>
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.binary div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.unary erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.binary mul %y, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.binary mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = graph.unary abs %4 : (tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -----

// Not: the erf is needed anyway.
// CHECK-LABEL: func.func @erfUsedElsewhere
// CHECK-NOT: gelu
// REMARK: [Missed] activation
// REMARK-SAME: an intermediate value has other users
func.func @erfUsedElsewhere(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %half = graph.constant dense<0.5> : tensor<f32>
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.binary div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.unary erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.binary mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.binary mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Not: no half, so twice the GELU.
// CHECK-LABEL: func.func @noHalf
// CHECK-NOT: gelu
// REMARK: [Missed] activation
// REMARK-SAME: the ops behind it do not compute x
func.func @noHalf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %root = graph.constant dense<1.41421354> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.binary div %x, %root : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.unary erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.binary mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.unary abs %3 : (tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// Not: x^2 instead of x^3.
// CHECK-LABEL: func.func @wrongPower
// CHECK-NOT: gelu
func.func @wrongPower(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %a = graph.constant dense<0.044715> : tensor<f32>
  %b = graph.constant dense<0.797884583> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.binary pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.binary mul %0, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.binary add %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = graph.binary mul %2, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.unary tanh %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = graph.binary add %4, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = graph.binary mul %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = graph.binary mul %6, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

// -----

// Not: a plain tanh, and a sigmoid that gates another tensor. No remark, for
// nothing suggests an activation of this kind.
// CHECK-LABEL: func.func @plain
// CHECK: graph.unary tanh
// CHECK: graph.unary sigmoid
// CHECK-NOT: silu
// REMARK-NOT: [Missed]
func.func @plain(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.unary tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.unary sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.binary mul %1, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}
