// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Functions of 16-bit floats: in double precision, rounded once to nearest even.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @exp
// CHECK-NEXT: #0 = dense<[2.479550e-03, 3.679200e-01, 8.823240e-01, 1.284180e+00, 2.007810e+01, 5.987200e+04]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[2.471920e-03, 3.671880e-01, 8.828120e-01, 1.281250e+00, 2.012500e+01, 5.990400e+04]> : tensor<6xbf16>
func.func @exp() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary exp %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary exp %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @log
// CHECK-NEXT: #0 = dense<[0xFE00, 0xFE00, 0xFE00, -1.386720e+00, 1.098630e+00, 2.398440e+00]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[0xFFC0, 0xFFC0, 0xFFC0, -1.382810e+00, 1.101560e+00, 2.390630e+00]> : tensor<6xbf16>
func.func @log() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary log %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary log %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @sqrt
// CHECK-NEXT: #0 = dense<[0xFE00, 0xFE00, 0xFE00, 5.000000e-01, 1.732420e+00, 3.316410e+00]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[0xFFC0, 0xFFC0, 0xFFC0, 5.000000e-01, 1.734380e+00, 3.312500e+00]> : tensor<6xbf16>
func.func @sqrt() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary sqrt %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary sqrt %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @rsqrt
// CHECK-NEXT: #0 = dense<[0xFE00, 0xFE00, 0xFE00, 2.000000e+00, 5.771480e-01, 3.015140e-01]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[0xFFC0, 0xFFC0, 0xFFC0, 2.000000e+00, 5.781250e-01, 3.007810e-01]> : tensor<6xbf16>
func.func @rsqrt() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary rsqrt %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary rsqrt %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @reciprocal
// CHECK-NEXT: #0 = dense<[-1.666260e-01, -1.000000e+00, -8.000000e+00, 4.000000e+00, 3.332520e-01, 9.088130e-02]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[-1.669920e-01, -1.000000e+00, -8.000000e+00, 4.000000e+00, 3.339840e-01, 9.082030e-02]> : tensor<6xbf16>
func.func @reciprocal() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary reciprocal %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary reciprocal %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @erf
// CHECK-NEXT: #0 = dense<[-1.000000e+00, -8.427730e-01, -1.402590e-01, 2.763670e-01, 1.000000e+00, 1.000000e+00]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[-1.000000e+00, -8.437500e-01, -1.406250e-01, 2.753910e-01, 1.000000e+00, 1.000000e+00]> : tensor<6xbf16>
func.func @erf() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary erf %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary erf %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @tanh
// CHECK-NEXT: #0 = dense<[-1.000000e+00, -7.617180e-01, -1.243290e-01, 2.448730e-01, 9.951170e-01, 1.000000e+00]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[-1.000000e+00, -7.617180e-01, -1.245120e-01, 2.451170e-01, 9.960930e-01, 1.000000e+00]> : tensor<6xbf16>
func.func @tanh() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary tanh %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary tanh %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @sigmoid
// CHECK-NEXT: #0 = dense<[2.471920e-03, 2.690430e-01, 4.687500e-01, 5.620120e-01, 9.526360e-01, 1.000000e+00]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[2.471920e-03, 2.695310e-01, 4.687500e-01, 5.625000e-01, 9.531250e-01, 1.000000e+00]> : tensor<6xbf16>
func.func @sigmoid() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary sigmoid %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary sigmoid %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @sin
// CHECK-NEXT: #0 = dense<[2.792970e-01, -8.413080e-01, -1.246950e-01, 2.474370e-01, 1.411130e-01, -1.000000e+00]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[2.792970e-01, -8.398430e-01, -1.245120e-01, 2.470700e-01, 1.416020e-01, -1.000000e+00]> : tensor<6xbf16>
func.func @sin() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary sin %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary sin %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @cos
// CHECK-NEXT: #0 = dense<[9.599600e-01, 5.405270e-01, 9.921870e-01, 9.687500e-01, -9.902340e-01, 4.425050e-03]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[9.609370e-01, 5.390630e-01, 9.921870e-01, 9.687500e-01, -9.882810e-01, 4.425050e-03]> : tensor<6xbf16>
func.func @cos() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary cos %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary cos %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @gelu
// CHECK-NEXT: #0 = dense<[-0.000000e+00, -1.586910e-01, -5.627440e-02, 1.496580e-01, 2.996090e+00, 1.100000e+01]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[-5.908080e-09, -1.582030e-01, -5.639650e-02, 1.494140e-01, 3.000000e+00, 1.100000e+01]> : tensor<6xbf16>
func.func @gelu() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary gelu %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary gelu %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @gelu_tanh
// CHECK-NEXT: #0 = dense<[-0.000000e+00, -1.588130e-01, -5.627440e-02, 1.496580e-01, 2.996090e+00, 1.100000e+01]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[-8.458300e-11, -1.591800e-01, -5.639650e-02, 1.494140e-01, 3.000000e+00, 1.100000e+01]> : tensor<6xbf16>
func.func @gelu_tanh() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary gelu_tanh %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary gelu_tanh %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @silu
// CHECK-NEXT: #0 = dense<[-1.483920e-02, -2.690430e-01, -5.859380e-02, 1.405030e-01, 2.857420e+00, 1.100000e+01]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[-1.483150e-02, -2.695310e-01, -5.859380e-02, 1.406250e-01, 2.859380e+00, 1.100000e+01]> : tensor<6xbf16>
func.func @silu() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary silu %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary silu %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @softplus
// CHECK-NEXT: #0 = dense<[2.475740e-03, 3.132320e-01, 6.328130e-01, 8.261710e-01, 3.048830e+00, 1.100000e+01]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[2.471920e-03, 3.125000e-01, 6.328130e-01, 8.242180e-01, 3.046880e+00, 1.100000e+01]> : tensor<6xbf16>
func.func @softplus() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary softplus %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary softplus %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// CHECK-LABEL: func.func @round
// CHECK-NEXT: #0 = dense<[-6.000000e+00, -1.000000e+00, -0.000000e+00, 0.000000e+00, 3.000000e+00, 1.100000e+01]> : tensor<6xf16>
// CHECK-NEXT: #1 = dense<[-6.000000e+00, -1.000000e+00, -0.000000e+00, 0.000000e+00, 3.000000e+00, 1.100000e+01]> : tensor<6xbf16>
func.func @round() -> (tensor<6xf16>, tensor<6xbf16>) {
  %c0 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xf16>
  %1 = graph.unary round %c0 : (tensor<6xf16>) -> tensor<6xf16>
  %c2 = graph.constant dense<[-6.0, -1.0, -0.125, 0.25, 3.0, 11.0]> : tensor<6xbf16>
  %3 = graph.unary round %c2 : (tensor<6xbf16>) -> tensor<6xbf16>
  return %1, %3 : tensor<6xf16>, tensor<6xbf16>
}

// Rounded once, at the end: in f16 the square would be infinity and its root with it.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: #0 = dense<[3.000000e+02, 1.024000e+03, 6.550400e+04]> : tensor<3xf16>
func.func @chain() -> tensor<3xf16> {
  %x = graph.constant dense<[300.0, -1024.0, 65504.0]> : tensor<3xf16>
  %1 = graph.binary mul %x, %x : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  %2 = graph.unary sqrt %1 : (tensor<3xf16>) -> tensor<3xf16>
  return %2 : tensor<3xf16>
}

// What lies beyond the largest number is infinity, what lies below half the smallest zero.
// CHECK-LABEL: func.func @overflow
// CHECK-NEXT: #0 = dense<[0x7C00, 6.139280e-06, 0.000000e+00]> : tensor<3xf16>
// CHECK-NEXT: #1 = dense<[1.654890e+38, 0x7F80, 0.000000e+00]> : tensor<3xbf16>
func.func @overflow() -> (tensor<3xf16>, tensor<3xbf16>) {
  %x = graph.constant dense<[12.0, -12.0, -18.0]> : tensor<3xf16>
  %1 = graph.unary exp %x : (tensor<3xf16>) -> tensor<3xf16>
  %y = graph.constant dense<[88.0, 89.0, -100.0]> : tensor<3xbf16>
  %3 = graph.unary exp %y : (tensor<3xbf16>) -> tensor<3xbf16>
  return %1, %3 : tensor<3xf16>, tensor<3xbf16>
}
