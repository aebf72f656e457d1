// RUN: kiln-opt %s --split-input-file --kiln-raise-attention --remarks-filter='kiln-raise-attention' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// As PyTorch's exporter writes a masked softmax: weights that are NaN are 0.
// CHECK-LABEL: func.func @safeSoftmax
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %arg3 {nan_zero, scale = 1.000000e+00 : f64}
// CHECK-NEXT: return
// REMARK: [Passed] attention
func.func @safeSoftmax(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %m: tensor<2x1x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %z = graph.constant dense<0.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %s, %m : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %a axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %n = graph.unary is_nan %p : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
  %w = graph.select %n, %z, %p : (tensor<2x4x8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %w, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// The condition the other way round, casts around it, and dims that allow no key at all:
// the product of no weights is 0, and so is the attention.
// CHECK-LABEL: func.func @safeSoftmaxInverse
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 {nan_zero, scale
// CHECK-NEXT: return
// REMARK: [Passed] attention
graph.symbol @t in [0, 8]
func.func @safeSoftmaxInverse(%q: tensor<2x4x8x16xf16>, %k: tensor<2x4x?x16xf16, #graph.shape<[t] -> [2, 4, t, 16]>>, %v: tensor<2x4x?x16xf16, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x16xf16> {
  %z = graph.constant dense<0.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf16>, tensor<2x4x?x16xf16, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x?xf16, #graph.shape<[t] -> [2, 4, 8, t]>>
  %c = graph.cast %s : (tensor<2x4x8x?xf16, #graph.shape<[t] -> [2, 4, 8, t]>>) -> tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>
  %p = graph.softmax %c axis 3 : (tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>) -> tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>
  %n = graph.unary is_nan %p : (tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>) -> tensor<2x4x8x?xi1, #graph.shape<[t] -> [2, 4, 8, t]>>
  %i = graph.unary logical_not %n : (tensor<2x4x8x?xi1, #graph.shape<[t] -> [2, 4, 8, t]>>) -> tensor<2x4x8x?xi1, #graph.shape<[t] -> [2, 4, 8, t]>>
  %w = graph.select %i, %p, %z : (tensor<2x4x8x?xi1, #graph.shape<[t] -> [2, 4, 8, t]>>, tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>, tensor<f32>) -> tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>
  %h = graph.cast %w : (tensor<2x4x8x?xf32, #graph.shape<[t] -> [2, 4, 8, t]>>) -> tensor<2x4x8x?xf16, #graph.shape<[t] -> [2, 4, 8, t]>>
  %o = graph.matmul %h, %v : (tensor<2x4x8x?xf16, #graph.shape<[t] -> [2, 4, 8, t]>>, tensor<2x4x?x16xf16, #graph.shape<[t] -> [2, 4, t, 16]>>) -> tensor<2x4x8x16xf16>
  return %o : tensor<2x4x8x16xf16>
}

// -----

// Not: NaN becomes another number than 0.
// CHECK-LABEL: func.func @nanToOne
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the softmax has other users
func.func @nanToOne(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %z = graph.constant dense<1.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %n = graph.unary is_nan %p : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
  %w = graph.select %n, %z, %p : (tensor<2x4x8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %w, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the branches are the wrong way round, which keeps NaN alone.
// CHECK-LABEL: func.func @keepsNan
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the softmax has other users
func.func @keepsNan(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %z = graph.constant dense<0.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %n = graph.unary is_nan %p : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
  %w = graph.select %n, %p, %z : (tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %w, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: the weights without NaN are an output.
// CHECK-LABEL: func.func @safeWeightsReturned
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the softmax has other users
func.func @safeWeightsReturned(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x8xf32>) {
  %z = graph.constant dense<0.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %s axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %n = graph.unary is_nan %p : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xi1>
  %w = graph.select %n, %z, %p : (tensor<2x4x8x8xi1>, tensor<f32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %w, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o, %w : tensor<2x4x8x16xf32>, tensor<2x4x8x8xf32>
}

// -----

// A soft cap as Gemma writes it: 50 * tanh(s / 50), the scale before it, the mask after.
// CHECK-LABEL: func.func @softcap
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %arg3 {scale = 2.500000e-01 : f64, softcap = 5.000000e+01 : f64}
// CHECK-NEXT: return
// REMARK: [Passed] attention
func.func @softcap(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %m: tensor<2x1x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %c = graph.constant dense<0.25> : tensor<f32>
  %cap = graph.constant dense<50.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %x = graph.binary mul %s, %c : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %d = graph.binary div %x, %cap : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %t = graph.unary tanh %d : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %u = graph.binary mul %t, %cap : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %u, %m : (tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %a axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: a mask below the tanh.
// CHECK-LABEL: func.func @maskThenCap
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: a mask is added before the scores are capped
func.func @maskThenCap(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %m: tensor<2x1x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %s, %m : (tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %t = graph.unary tanh %a : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %t axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: a tanh times a negative number is no cap.
// CHECK-LABEL: func.func @negativeCap
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: a tanh of the scores is not multiplied by a positive number
func.func @negativeCap(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %cap = graph.constant dense<-50.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %t = graph.unary tanh %s : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %u = graph.binary mul %t, %cap : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %u axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Shifted windows: the mask is one per window, and windows are a part of the batch.
// CHECK-LABEL: func.func @shiftedWindows
// CHECK: %[[W:.*]] = graph.broadcast %arg3 : (tensor<1x3x1x8x8xf32>) -> tensor<2x3x1x8x8xf32>
// CHECK-NEXT: %[[M:.*]] = graph.reshape %[[W]] : (tensor<2x3x1x8x8xf32>) -> tensor<6x1x8x8xf32>
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %[[M]]
// REMARK: [Passed] attention
func.func @shiftedWindows(%q: tensor<6x4x8x16xf32>, %k: tensor<6x4x8x16xf32>, %v: tensor<6x4x8x16xf32>, %m: tensor<1x3x1x8x8xf32>) -> tensor<6x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<6x4x8x16xf32>, tensor<6x4x8x16xf32>) -> tensor<6x4x8x8xf32>
  %r = graph.reshape %s : (tensor<6x4x8x8xf32>) -> tensor<2x3x4x8x8xf32>
  %a = graph.binary add %r, %m : (tensor<2x3x4x8x8xf32>, tensor<1x3x1x8x8xf32>) -> tensor<2x3x4x8x8xf32>
  %b = graph.reshape %a : (tensor<2x3x4x8x8xf32>) -> tensor<6x4x8x8xf32>
  %p = graph.softmax %b axis 3 : (tensor<6x4x8x8xf32>) -> tensor<6x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<6x4x8x8xf32>, tensor<6x4x8x16xf32>) -> tensor<6x4x8x16xf32>
  return %o : tensor<6x4x8x16xf32>
}

// -----

// Not: the mask's dims take apart what is neither batch nor heads.
// CHECK-LABEL: func.func @mixedWindows
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
// REMARK-SAME: the mask [1, 8, 1, 8, 8] does not broadcast to [6, 4, 8, 8]
func.func @mixedWindows(%q: tensor<6x4x8x16xf32>, %k: tensor<6x4x8x16xf32>, %v: tensor<6x4x8x16xf32>, %m: tensor<1x8x1x8x8xf32>) -> tensor<6x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<6x4x8x16xf32>, tensor<6x4x8x16xf32>) -> tensor<6x4x8x8xf32>
  %r = graph.reshape %s : (tensor<6x4x8x8xf32>) -> tensor<3x8x1x8x8xf32>
  %a = graph.binary add %r, %m : (tensor<3x8x1x8x8xf32>, tensor<1x8x1x8x8xf32>) -> tensor<3x8x1x8x8xf32>
  %b = graph.reshape %a : (tensor<3x8x1x8x8xf32>) -> tensor<6x4x8x8xf32>
  %p = graph.softmax %b axis 3 : (tensor<6x4x8x8xf32>) -> tensor<6x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<6x4x8x8xf32>, tensor<6x4x8x16xf32>) -> tensor<6x4x8x16xf32>
  return %o : tensor<6x4x8x16xf32>
}

// -----

// f16 has no finite number that absorbs scores; the mask is f32.
// CHECK-LABEL: func.func @halfMask
// CHECK-DAG: graph.constant dense<-1.000000e+30> : tensor<f32>
// CHECK: %[[M:.*]] = graph.select %arg3, %{{.*}} -> tensor<8x8xf32>
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %[[M]]
// REMARK: [Passed] attention
func.func @halfMask(%q: tensor<2x4x8x16xf16>, %k: tensor<2x4x8x16xf16>, %v: tensor<2x4x8x16xf16>, %c: tensor<8x8xi1>) -> tensor<2x4x8x16xf16> {
  %z = graph.constant dense<-65504.0> : tensor<f16>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf16>, tensor<2x4x8x16xf16>) -> tensor<2x4x8x8xf16>
  %w = graph.select %c, %s, %z : (tensor<8x8xi1>, tensor<2x4x8x8xf16>, tensor<f16>) -> tensor<2x4x8x8xf16>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf16>) -> tensor<2x4x8x8xf16>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf16>, tensor<2x4x8x16xf16>) -> tensor<2x4x8x16xf16>
  return %o : tensor<2x4x8x16xf16>
}

// -----

// The lowest number twice (GPT-Neo) adds up to minus infinity in the model: it stays.
// CHECK-LABEL: func.func @lowestTwice
// CHECK-DAG: graph.constant dense<-3.40282347E+38> : tensor<f32>
// CHECK: %[[S:.*]] = graph.select %arg3
// CHECK-NEXT: %[[M:.*]] = graph.binary add %[[S]], %arg4
// CHECK-NEXT: graph.attention %arg0, %arg1, %arg2 mask %[[M]]
// REMARK: [Passed] attention
func.func @lowestTwice(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>, %m: tensor<2x1x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %z = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %w = graph.select %c, %s, %z : (tensor<8x8xi1>, tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %w, %m : (tensor<2x4x8x8xf32>, tensor<2x1x1x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %a axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Scores that are no less than the lowest number (XGLM), with a mask that is not minus infinity.
// CHECK-LABEL: func.func @floor
// CHECK: %[[M:.*]] = graph.select %arg3
// CHECK: graph.attention %arg0, %arg1, %arg2 mask %[[M]]
// REMARK: [Passed] attention
func.func @floor(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %c: tensor<8x8xi1>) -> tensor<2x4x8x16xf32> {
  %z = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %n = graph.constant dense<0.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %m = graph.select %c, %n, %z : (tensor<8x8xi1>, tensor<f32>, tensor<f32>) -> tensor<8x8xf32>
  %a = graph.binary add %s, %m : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %f = graph.binary max %a, %z : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %f axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: with a mask that may be minus infinity, a row without keys has equal weights.
// CHECK-LABEL: func.func @floorOfAnyMask
// CHECK-NOT: graph.attention
// REMARK: scores are limited from below, and a mask may be minus infinity
func.func @floorOfAnyMask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %m: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %z = graph.constant dense<-3.40282347E+38> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %s, %m : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %f = graph.binary max %a, %z : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %f axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: a floor that scores can be below.
// CHECK-LABEL: func.func @highFloor
// CHECK-NOT: graph.attention
// REMARK: scores are limited from below
func.func @highFloor(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %z = graph.constant dense<-50.0> : tensor<f32>
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %f = graph.binary max %s, %z : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %f axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// A scale of each head (Swin v2's cosine attention) is one of the query.
// CHECK-LABEL: func.func @headScale
// CHECK: %[[Q:.*]] = graph.binary mul %arg0, %arg3 : (tensor<2x4x8x16xf32>, tensor<4x1x1xf32>) -> tensor<2x4x8x16xf32>
// CHECK: graph.attention %[[Q]], %arg1, %arg2 mask %{{.*}} {scale = 1.000000e+00 : f64}
// REMARK: [Passed] attention
func.func @headScale(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %h: tensor<4x1x1xf32>, %b: tensor<1x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %w = graph.binary mul %s, %h : (tensor<2x4x8x8xf32>, tensor<4x1x1xf32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %w, %b : (tensor<2x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %a axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Not: a scale of each key, and one behind a mask.
// CHECK-LABEL: func.func @keyScale
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
func.func @keyScale(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %h: tensor<4x1x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %w = graph.binary mul %s, %h : (tensor<2x4x8x8xf32>, tensor<4x1x8xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// CHECK-LABEL: func.func @scaleOfMasked
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
func.func @scaleOfMasked(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %h: tensor<4x1x1xf32>, %b: tensor<1x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %a = graph.binary add %s, %b : (tensor<2x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %w = graph.binary mul %a, %h : (tensor<2x4x8x8xf32>, tensor<4x1x1xf32>) -> tensor<2x4x8x8xf32>
  %p = graph.softmax %w axis 3 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// -----

// Biases of rows and columns of keys (VitDet): one mask.
// CHECK-LABEL: func.func @splitMasks
// CHECK: %[[B:.*]] = graph.binary add %arg3, %arg4 : (tensor<8x2x4x2x1xf32>, tensor<8x2x4x1x4xf32>) -> tensor<8x2x4x2x4xf32>
// CHECK: %[[M:.*]] = graph.reshape %[[B]] : (tensor<8x2x4x2x4xf32>) -> tensor<8x1x8x8xf32>
// CHECK: graph.attention %{{.*}} mask %[[M]]
// REMARK: [Passed] attention
func.func @splitMasks(%q: tensor<8x8x16xf32>, %k: tensor<8x8x16xf32>, %v: tensor<8x8x16xf32>, %r: tensor<8x2x4x2x1xf32>, %c: tensor<8x2x4x1x4xf32>) -> tensor<8x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<8x8x16xf32>, tensor<8x8x16xf32>) -> tensor<8x8x8xf32>
  %t = graph.reshape %s : (tensor<8x8x8xf32>) -> tensor<8x2x4x2x4xf32>
  %a = graph.binary add %t, %r : (tensor<8x2x4x2x4xf32>, tensor<8x2x4x2x1xf32>) -> tensor<8x2x4x2x4xf32>
  %b = graph.binary add %a, %c : (tensor<8x2x4x2x4xf32>, tensor<8x2x4x1x4xf32>) -> tensor<8x2x4x2x4xf32>
  %u = graph.reshape %b : (tensor<8x2x4x2x4xf32>) -> tensor<8x8x8xf32>
  %p = graph.softmax %u axis 2 : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
  %o = graph.matmul %p, %v : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
  return %o : tensor<8x8x16xf32>
}

// -----

// Not: split scores that are joined to other dims than they had.
// CHECK-LABEL: func.func @otherJoin
// CHECK-NOT: graph.attention
// REMARK: [Missed] attention
func.func @otherJoin(%q: tensor<8x8x16xf32>, %k: tensor<8x8x16xf32>, %v: tensor<16x4x16xf32>, %r: tensor<8x2x4x2x1xf32>) -> tensor<16x8x16xf32> {
  %s = graph.matmul %q, %k {transpose_b} : (tensor<8x8x16xf32>, tensor<8x8x16xf32>) -> tensor<8x8x8xf32>
  %t = graph.reshape %s : (tensor<8x8x8xf32>) -> tensor<8x2x4x2x4xf32>
  %a = graph.binary add %t, %r : (tensor<8x2x4x2x4xf32>, tensor<8x2x4x2x1xf32>) -> tensor<8x2x4x2x4xf32>
  %u = graph.reshape %a : (tensor<8x2x4x2x4xf32>) -> tensor<16x8x4xf32>
  %p = graph.softmax %u axis 2 : (tensor<16x8x4xf32>) -> tensor<16x8x4xf32>
  %o = graph.matmul %p, %v : (tensor<16x8x4xf32>, tensor<16x4x16xf32>) -> tensor<16x8x16xf32>
  return %o : tensor<16x8x16xf32>
}
