// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Layer norms and RMS norms, with and without scale and bias.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @plain
// CHECK-NEXT: #0 = dense<{{\[\[}}0.132744655, -1.2610743, 1.12832963], [-0.598671079, 1.39689922, -0.798228144]]> : tensor<2x3xf32>
func.func @plain() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %1 = graph.layer_norm %x axis 1 {epsilon = 0.25 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @scaled
// CHECK-NEXT: #0 = dense<{{\[\[}}0.132744655, -2.52214861, -1.12832963], [-0.598671079, 2.79379845, 0.798228144]]> : tensor<2x3xf32>
func.func @scaled() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %scale = graph.constant dense<[1.0, 2.0, -1.0]> : tensor<3xf32>
  %2 = graph.layer_norm %x scale %scale axis 1 {epsilon = 0.25 : f64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// A bias without a scale.
// CHECK-LABEL: func.func @shifted
// CHECK-NEXT: #0 = dense<{{\[\[}}1.13274467, 0.738925695, 0.128329635], [0.401328892, 3.39689922, -1.79822814]]> : tensor<2x3xf32>
func.func @shifted() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %bias = graph.constant dense<[1.0, 2.0, -1.0]> : tensor<3xf32>
  %2 = graph.layer_norm %x bias %bias axis 1 {epsilon = 0.25 : f64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @both
// CHECK-NEXT: #0 = dense<{{\[\[}}-0.739622175, -1.23679471, 1.55330288], [-2.18688488, 1.38469899, 0.604371727]]> : tensor<2x3xf32>
func.func @both() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %scale = graph.constant dense<[2.0, 1.0, 0.5]> : tensor<3xf32>
  %bias = graph.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %3 = graph.layer_norm %x scale %scale bias %bias axis 1 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// The last two dims together, with a scale of rank 1 that is repeated.
// CHECK-LABEL: func.func @two_dims
// CHECK-NEXT: #0 = dense<{{\[\[}}[-1.26322794, -7.57936716], [-0.252645582, 2.52645588], [0.757936716, 12.6322784]], {{\[\[}}-1.26322794, -7.57936716], [-0.252645582, 2.52645588], [0.757936716, 12.6322784]]]> : tensor<2x3x2xf32>
func.func @two_dims() -> tensor<2x3x2xf32> {
  %x = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %scale = graph.constant dense<[1.0, 10.0]> : tensor<2xf32>
  %2 = graph.layer_norm %x scale %scale axis 1 {epsilon = 0.25 : f64} : (tensor<2x3x2xf32>, tensor<2xf32>) -> tensor<2x3x2xf32>
  return %2 : tensor<2x3x2xf32>
}

// CHECK-LABEL: func.func @all_dims
// CHECK-NEXT: #0 = dense<{{\[\[}}-0.280010641, -2.41827369, 1.24732018], [-1.33641446, 5.53657389, -2.02371335]]> : tensor<2x3xf32>
func.func @all_dims() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %scale = graph.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  %2 = graph.layer_norm %x scale %scale axis 0 {epsilon = 0.125 : f64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @scalar_scale
// CHECK-NEXT: #0 = dense<{{\[\[}}0.76548934, -2.02214861, 2.75665927], [-0.697342216, 3.29379845, -1.09645629]]> : tensor<2x3xf32>
func.func @scalar_scale() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %scale = graph.constant dense<2.0> : tensor<f32>
  %bias = graph.constant dense<0.5> : tensor<f32>
  %3 = graph.layer_norm %x scale %scale bias %bias axis 1 {epsilon = 0.25 : f64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// A row of equal numbers has no variance: what is left is the bias.
// CHECK-LABEL: func.func @constant_row
// CHECK-NEXT: #0 = dense<2.500000e-01> : tensor<2x4xf32>
func.func @constant_row() -> tensor<2x4xf32> {
  %x = graph.constant dense<[[7.0, 7.0, 7.0, 7.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<2x4xf32>
  %scale = graph.constant dense<[1.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
  %bias = graph.constant dense<[0.25, 0.25, 0.25, 0.25]> : tensor<4xf32>
  %3 = graph.layer_norm %x scale %scale bias %bias axis 1 {epsilon = 0.5 : f64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @one_element
// CHECK-NEXT: #0 = dense<6.000000e+00> : tensor<2x1xf32>
func.func @one_element() -> tensor<2x1xf32> {
  %x = graph.constant dense<[[3.0], [-4.0]]> : tensor<2x1xf32>
  %scale = graph.constant dense<[5.0]> : tensor<1xf32>
  %bias = graph.constant dense<[6.0]> : tensor<1xf32>
  %3 = graph.layer_norm %x scale %scale bias %bias axis 1 {epsilon = 1.0 : f64} : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  return %3 : tensor<2x1xf32>
}

// Squares of 300 are beyond f16, the result is not.
// CHECK-LABEL: func.func @half
// CHECK-NEXT: #0 = dense<{{\[\[}}4.472660e-01, -1.341800e+00, 1.341800e+00, -4.472660e-01]]> : tensor<1x4xf16>
func.func @half() -> tensor<1x4xf16> {
  %x = graph.constant dense<[[300.0, -300.0, 600.0, 0.0]]> : tensor<1x4xf16>
  %1 = graph.layer_norm %x axis 1 {epsilon = 0.0625 : f64} : (tensor<1x4xf16>) -> tensor<1x4xf16>
  return %1 : tensor<1x4xf16>
}

// CHECK-LABEL: func.func @brain
// CHECK-NEXT: #0 = dense<{{\[\[}}1.328130e-01, -2.515630e+00, 4.500000e+00], [-5.976560e-01, 2.796880e+00, -3.187500e+00]]> : tensor<2x3xbf16>
func.func @brain() -> tensor<2x3xbf16> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xbf16>
  %scale = graph.constant dense<[1.0, 2.0, 4.0]> : tensor<3xbf16>
  %2 = graph.layer_norm %x scale %scale axis 1 {epsilon = 0.25 : f64} : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<2x3xbf16>
  return %2 : tensor<2x3xbf16>
}

// The mean is taken out first: 1e6 leaves the variance of the small part.
// CHECK-LABEL: func.func @far_from_zero
// CHECK-NEXT: #0 = dense<{{\[\[}}-1.22474492, 0.000000e+00, 1.22474492]]> : tensor<1x3xf32>
func.func @far_from_zero() -> tensor<1x3xf32> {
  %x = graph.constant dense<[[1000001.0, 1000002.0, 1000003.0]]> : tensor<1x3xf32>
  %1 = graph.layer_norm %x axis 1 {epsilon = 0.0 : f64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @rms
// CHECK-NEXT: #0 = dense<{{\[\[}}0.541736364, -1.44463027, -1.44463027], [0.107365623, 3.435700e+00, 0.0536828116]]> : tensor<2x3xf32>
func.func @rms() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %scale = graph.constant dense<[1.0, 2.0, -1.0]> : tensor<3xf32>
  %2 = graph.rms_norm %x scale %scale axis 1 {epsilon = 0.25 : f64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @rms_two_dims
// CHECK-NEXT: #0 = dense<{{\[\[}}[-1.61077452, -2.41616178], [-2.41616178, -1.61077452], [0.000000e+00, 2.41616178]], {{\[\[}}0.406838089, 1.2205143], [2.44102859, 4.06838083], [6.10257149, 8.543600e+00]]]> : tensor<2x3x2xf32>
func.func @rms_two_dims() -> tensor<2x3x2xf32> {
  %x = graph.constant dense<[[[-2.0, -1.5], [-1.0, -0.5], [0.0, 0.5]], [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]]> : tensor<2x3x2xf32>
  %scale = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %2 = graph.rms_norm %x scale %scale axis 1 {epsilon = 0.25 : f64} : (tensor<2x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
  return %2 : tensor<2x3x2xf32>
}

// Zeros stay; epsilon keeps from dividing by them.
// CHECK-LABEL: func.func @rms_zero
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<1x3xf32>
func.func @rms_zero() -> tensor<1x3xf32> {
  %x = graph.constant dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>
  %scale = graph.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %2 = graph.rms_norm %x scale %scale axis 1 {epsilon = 0.25 : f64} : (tensor<1x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @rms_half
// CHECK-NEXT: #0 = dense<{{\[\[}}8.486330e-01, 1.131840e+00]]> : tensor<1x2xf16>
func.func @rms_half() -> tensor<1x2xf16> {
  %x = graph.constant dense<[[300.0, 400.0]]> : tensor<1x2xf16>
  %scale = graph.constant dense<[1.0, 1.0]> : tensor<2xf16>
  %2 = graph.rms_norm %x scale %scale axis 1 {epsilon = 0.25 : f64} : (tensor<1x2xf16>, tensor<2xf16>) -> tensor<1x2xf16>
  return %2 : tensor<1x2xf16>
}

// CHECK-LABEL: func.func @rms_scalar_scale
// CHECK-NEXT: #0 = dense<{{\[\[}}1.16472936, -1.55297256, 3.10594511], [0.388243139, 6.211890e+00, -0.194121569]]> : tensor<2x3xf32>
func.func @rms_scalar_scale() -> tensor<2x3xf32> {
  %x = graph.constant dense<[[1.5, -2.0, 4.0], [0.5, 8.0, -0.25]]> : tensor<2x3xf32>
  %scale = graph.constant dense<3.0> : tensor<f32>
  %2 = graph.rms_norm %x scale %scale axis 0 {epsilon = 0.5 : f64} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
