// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-layer-norm))' | FileCheck %s
// RUN: kiln-opt %s --pass-pipeline='builtin.module(func.func(kiln-raise-layer-norm))' | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Spellings of RMS norms, and of what is none.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @rms() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[CONSTANT]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[RMS_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @rms
// VALUES-NEXT: #0 = dense<{{\[\[}}0.618852735, -8.251370e-01, 1.65027404, 0.206284255], [1.84675157, -0.0577109866, 0.692531824, 0.230843946]]> : tensor<2x4xf32>
func.func @rms() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %c1 = graph.constant dense<2.0> : tensor<f32>
  %2 = graph.binary pow %x, %c1 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = graph.reduce mean %2 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c4 = graph.constant dense<0.25> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %6 = graph.unary rsqrt %5 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = graph.binary mul %x, %6 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %7 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @rms_product() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[CONSTANT]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[RMS_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @rms_product
// VALUES-NEXT: #0 = dense<{{\[\[}}0.618852735, -8.251370e-01, 1.65027404, 0.206284255], [1.84675157, -0.0577109866, 0.692531824, 0.230843946]]> : tensor<2x4xf32>
func.func @rms_product() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.binary mul %x, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = graph.reduce mean %1 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c3 = graph.constant dense<0.25> : tensor<f32>
  %4 = graph.binary add %2, %c3 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %5 = graph.unary rsqrt %4 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %6 = graph.binary mul %x, %5 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @rms_scaled() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[CONSTANT]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[RMS_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @rms_scaled
// VALUES-NEXT: #0 = dense<{{\[\[}}0.618852735, -1.65027404, 4.95082188, 8.251370e-01], [1.84675157, -0.115421973, 2.07759547, 0.923375785]]> : tensor<2x4xf32>
func.func @rms_scaled() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %c1 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %c2 = graph.constant dense<2.0> : tensor<f32>
  %3 = graph.binary pow %x, %c2 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = graph.reduce mean %3 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c5 = graph.constant dense<0.25> : tensor<f32>
  %6 = graph.binary add %4, %c5 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %7 = graph.unary rsqrt %6 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %8 = graph.binary mul %x, %7 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %9 = graph.binary mul %c1, %8 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %9 : tensor<2x4xf32>
}

// The second scale stays.
// CHECK-LABEL: func.func @rms_scaled_twice() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[CONSTANT]] scale %[[CONSTANT_3]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT_2]], %[[RMS_NORM]] : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @rms_scaled_twice
// VALUES-NEXT: #0 = dense<{{\[\[}}0.618852735, -3.30054808, 4.95082188, 8.251370e-01], [1.84675157, -0.230843946, 2.07759547, 0.923375785]]> : tensor<2x4xf32>
func.func @rms_scaled_twice() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %c1 = graph.constant dense<[1.0, 2.0, 1.0, 1.0]> : tensor<4xf32>
  %c2 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %x, %c3 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %8 = graph.unary rsqrt %7 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %9 = graph.binary mul %x, %8 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %10 = graph.binary mul %c2, %9 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %11 = graph.binary mul %c1, %10 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %11 : tensor<2x4xf32>
}

// An RMS norm has no bias.
// CHECK-LABEL: func.func @rms_biased() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[CONSTANT]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[RMS_NORM]], %[[CONSTANT_3]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[ADD]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @rms_biased
// VALUES-NEXT: #0 = dense<{{\[\[}}1.61885273, 1.17486298, 4.6502738, 4.20628405], [2.84675145, 1.94228899, 3.69253182, 4.23084402]]> : tensor<2x4xf32>
func.func @rms_biased() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %c1 = graph.constant dense<2.0> : tensor<f32>
  %2 = graph.binary pow %x, %c1 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = graph.reduce mean %2 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c4 = graph.constant dense<0.25> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %6 = graph.unary rsqrt %5 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = graph.binary mul %x, %6 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c8 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %9 = graph.binary add %7, %c8 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %9 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @rms_two_axes() -> tensor<2x2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}[1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]], {{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]]> : tensor<2x2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[CONSTANT]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x2x4xf32>, tensor<2x4xf32>) -> tensor<2x2x4xf32>
// CHECK-NEXT: return %[[RMS_NORM]] : tensor<2x2x4xf32>
// VALUES-LABEL: func.func @rms_two_axes
// VALUES-NEXT: #0 = dense<{{\[\[}}[0.427346736, -0.569795668, 1.13959134, 0.142448917], [2.27918267, -0.0712244585, 0.854693472, 0.284897834]], {{\[\[}}0.427346736, -0.569795668, 1.13959134, 0.142448917], [2.27918267, -0.0712244585, 0.854693472, 0.284897834]]]> : tensor<2x2x4xf32>
func.func @rms_two_axes() -> tensor<2x2x4xf32> {
  %x = graph.constant dense<[[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]], [[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]]> : tensor<2x2x4xf32>
  %c1 = graph.constant dense<2.0> : tensor<f32>
  %2 = graph.binary pow %x, %c1 : (tensor<2x2x4xf32>, tensor<f32>) -> tensor<2x2x4xf32>
  %3 = graph.reduce mean %2 axes [1, 2] {keep_dims} : (tensor<2x2x4xf32>) -> tensor<2x1x1xf32>
  %c4 = graph.constant dense<0.25> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %6 = graph.unary rsqrt %5 : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %7 = graph.binary mul %x, %6 : (tensor<2x2x4xf32>, tensor<2x1x1xf32>) -> tensor<2x2x4xf32>
  return %7 : tensor<2x2x4xf32>
}

// Computed in f32 behind a cast, and cast back.
// CHECK-LABEL: func.func @rms_widened() -> tensor<2x4xf16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf16>
// CHECK-NEXT: %[[CAST:[^ ,:)]+]] = graph.cast %[[CONSTANT]] : (tensor<2x4xf16>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[CAST]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CAST_2:[^ ,:)]+]] = graph.cast %[[RMS_NORM]] : (tensor<2x4xf32>) -> tensor<2x4xf16>
// CHECK-NEXT: return %[[CAST_2]] : tensor<2x4xf16>
// VALUES-LABEL: func.func @rms_widened
// VALUES-NEXT: #0 = dense<{{\[\[}}6.186520e-01, -8.251950e-01, 1.650390e+00, 2.062990e-01], [1.846680e+00, -5.770870e-02, 6.923830e-01, 2.308350e-01]]> : tensor<2x4xf16>
func.func @rms_widened() -> tensor<2x4xf16> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf16>
  %1 = graph.cast %x : (tensor<2x4xf16>) -> tensor<2x4xf32>
  %c2 = graph.constant dense<2.0> : tensor<f32>
  %3 = graph.binary pow %1, %c2 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = graph.reduce mean %3 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c5 = graph.constant dense<0.25> : tensor<f32>
  %6 = graph.binary add %4, %c5 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %7 = graph.unary rsqrt %6 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %8 = graph.binary mul %1, %7 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %9 = graph.cast %8 : (tensor<2x4xf32>) -> tensor<2x4xf16>
  return %9 : tensor<2x4xf16>
}

// Not: another value is divided.
// CHECK-LABEL: func.func @rms_other_numerator(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<2.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[POW:[^ ,:)]+]] = graph.binary pow %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN:[^ ,:)]+]] = graph.reduce mean %[[POW]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MEAN]], %[[CONSTANT_3]] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[RSQRT:[^ ,:)]+]] = graph.unary rsqrt %[[ADD]] : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[RSQRT]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[MUL]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @rms_other_numerator
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 0.41256851, 8.251370e-01, 1.23770547], [0.923375785, 1.15421975, 1.38506365, 1.61590755]]> : tensor<2x4xf32>
func.func @rms_other_numerator(%x0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %c1 = graph.constant dense<2.0> : tensor<f32>
  %2 = graph.binary pow %x, %c1 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = graph.reduce mean %2 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c4 = graph.constant dense<0.25> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %6 = graph.unary rsqrt %5 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = graph.binary mul %x0, %6 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %7 : tensor<2x4xf32>
}

// Centred on the mean of another value: an RMS norm of the difference.
// CHECK-LABEL: func.func @centred_on_another(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN:[^ ,:)]+]] = graph.reduce mean %[[ARG]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[CONSTANT]], %[[MEAN]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[RMS_NORM:[^ ,:)]+]] = graph.rms_norm %[[SUB]] scale %[[CONSTANT_2]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[RMS_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @centred_on_another
// VALUES-NEXT: #0 = dense<{{\[\[}}0.000000e+00, -1.54604137, 1.10431528, -0.441726118], [0.611703753, -1.40691864, -0.611703753, -1.10106671]]> : tensor<2x4xf32>
func.func @centred_on_another(%x0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x0 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %3 = graph.binary mul %2, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = graph.reduce mean %3 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c5 = graph.constant dense<0.25> : tensor<f32>
  %6 = graph.binary add %4, %c5 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %7 = graph.unary sqrt %6 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %8 = graph.binary div %2, %7 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %8 : tensor<2x4xf32>
}

// Not: the variance is that of another value.
// CHECK-LABEL: func.func @squares_of_another(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2x4xf32>
// CHECK-SAME: ) -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN:[^ ,:)]+]] = graph.reduce mean %[[CONSTANT]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SUB:[^ ,:)]+]] = graph.binary sub %[[CONSTANT]], %[[MEAN]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[ARG]], %[[ARG]] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN_2:[^ ,:)]+]] = graph.reduce mean %[[MUL]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MEAN_2]], %[[CONSTANT_2]] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = graph.unary sqrt %[[ADD]] : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[SUB]], %[[SQRT]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[DIV]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @squares_of_another
// VALUES-NEXT: #0 = dense<{{\[\[}}0.258198887, -1.54919338, 1.54919338, -0.258198887], [0.898448467, -0.565689802, 0.0110919559, -0.343850642]]> : tensor<2x4xf32>
func.func @squares_of_another(%x0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %3 = graph.binary mul %x0, %x0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = graph.reduce mean %3 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c5 = graph.constant dense<0.25> : tensor<f32>
  %6 = graph.binary add %4, %c5 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %7 = graph.unary sqrt %6 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %8 = graph.binary div %2, %7 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %8 : tensor<2x4xf32>
}

// Not: a sum of squares in place of their mean.
// CHECK-LABEL: func.func @sums() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[MUL:[^ ,:)]+]] = graph.binary mul %[[CONSTANT]], %[[CONSTANT]] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[SUM:[^ ,:)]+]] = graph.reduce sum %[[MUL]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[SUM]], %[[CONSTANT_2]] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = graph.unary sqrt %[[ADD]] : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT]], %[[SQRT]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[DIV]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @sums
// VALUES-NEXT: #0 = dense<{{\[\[}}0.314485461, -0.419313937, 0.838627874, 0.104828484], [0.928023636, -0.0290007386, 0.348008871, 0.116002955]]> : tensor<2x4xf32>
func.func @sums() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.binary mul %x, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = graph.reduce sum %1 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c3 = graph.constant dense<0.25> : tensor<f32>
  %4 = graph.binary add %2, %c3 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %5 = graph.unary sqrt %4 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %6 = graph.binary div %x, %5 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// Not: a power of 3.
// CHECK-LABEL: func.func @cubes() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[POW:[^ ,:)]+]] = graph.binary pow %[[CONSTANT]], %[[CONSTANT_2]] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[MEAN:[^ ,:)]+]] = graph.reduce mean %[[POW]] axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<6.000000e+02> : tensor<f32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[MEAN]], %[[CONSTANT_3]] : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[SQRT:[^ ,:)]+]] = graph.unary sqrt %[[ADD]] : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[DIV:[^ ,:)]+]] = graph.binary div %[[CONSTANT]], %[[SQRT]] : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[DIV]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @cubes
// VALUES-NEXT: #0 = dense<{{\[\[}}0.0604919866, -0.0806559845, 0.161311969, 0.0201639961], [0.295085222, -0.00922141317, 0.110656962, 0.0368856527]]> : tensor<2x4xf32>
func.func @cubes() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %c1 = graph.constant dense<3.0> : tensor<f32>
  %2 = graph.binary pow %x, %c1 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = graph.reduce mean %2 axes [1] {keep_dims} : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %c4 = graph.constant dense<600.0> : tensor<f32>
  %5 = graph.binary add %3, %c4 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %6 = graph.unary sqrt %5 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = graph.binary div %x, %6 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %7 : tensor<2x4xf32>
}

// The dims that were dropped come back by a reshape.
// CHECK-LABEL: func.func @mean_without_dims() -> tensor<2x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.500000e+00, -2.000000e+00, 4.000000e+00, 5.000000e-01], [8.000000e+00, -2.500000e-01, 3.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<2x4xf32>
// VALUES-LABEL: func.func @mean_without_dims
// VALUES-NEXT: #0 = dense<{{\[\[}}0.226455405, -1.35873246, 1.35873246, -0.226455405], [1.59007037, -1.00115538, 0.0196304973, -0.608545423]]> : tensor<2x4xf32>
func.func @mean_without_dims() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0, 0.5], [8.0, -0.25, 3.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.reduce mean %x axes [1] : (tensor<2x4xf32>) -> tensor<2xf32>
  %2 = graph.reshape %1 : (tensor<2xf32>) -> tensor<2x1xf32>
  %3 = graph.binary sub %x, %2 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %4 = graph.binary mul %3, %3 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = graph.reduce mean %4 axes [1] : (tensor<2x4xf32>) -> tensor<2xf32>
  %6 = graph.reshape %5 : (tensor<2xf32>) -> tensor<2x1xf32>
  %c7 = graph.constant dense<0.25> : tensor<f32>
  %8 = graph.binary add %6, %c7 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %9 = graph.unary sqrt %8 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %10 = graph.binary div %3, %9 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %10 : tensor<2x4xf32>
}

// A row of equal numbers.
// CHECK-LABEL: func.func @constant_row() -> tensor<1x4xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<3.000000e+00> : tensor<1x4xf32>
// CHECK-NEXT: %[[LAYER_NORM:[^ ,:)]+]] = graph.layer_norm %[[CONSTANT]] axis 1 {epsilon = 2.500000e-01 : f64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: return %[[LAYER_NORM]] : tensor<1x4xf32>
// VALUES-LABEL: func.func @constant_row
// VALUES-NEXT: #0 = dense<0.000000e+00> : tensor<1x4xf32>
func.func @constant_row() -> tensor<1x4xf32> {
  %x = graph.constant dense<[[3.0, 3.0, 3.0, 3.0]]> : tensor<1x4xf32>
  %1 = graph.reduce mean %x axes [1] {keep_dims} : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %2 = graph.binary sub %x, %1 : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  %c3 = graph.constant dense<2.0> : tensor<f32>
  %4 = graph.binary pow %2, %c3 : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  %5 = graph.reduce mean %4 axes [1] {keep_dims} : (tensor<1x4xf32>) -> tensor<1x1xf32>
  %c6 = graph.constant dense<0.25> : tensor<f32>
  %7 = graph.binary add %5, %c6 : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
  %8 = graph.unary sqrt %7 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %9 = graph.binary div %2, %8 : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
  return %9 : tensor<1x4xf32>
}
