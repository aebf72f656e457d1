// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Fills, positions, panels of matrices.
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @fills
// CHECK-NEXT: #0 = dense<1.500000e+00> : tensor<2x2xf32>
// CHECK-NEXT: #1 = dense<-3> : tensor<3xi16>
// CHECK-NEXT: #2 = dense<200> : tensor<2xui8>
// CHECK-NEXT: #3 = dense<true> : tensor<2xi1>
// CHECK-NEXT: #4 = dense<9.997550e-02> : tensor<f16>
// CHECK-NEXT: #5 = dense<> : tensor<0x3xi64>
func.func @fills() -> (tensor<2x2xf32>, tensor<3xi16>, tensor<2xui8>, tensor<2xi1>, tensor<f16>, tensor<0x3xi64>) {
  %0 = graph.fill 1.5 : f32 : tensor<2x2xf32>
  %1 = graph.fill -3 : i16 : tensor<3xi16>
  %2 = graph.fill 200 : ui8 : tensor<2xui8>
  %3 = graph.fill true : tensor<2xi1>
  %4 = graph.fill 0.1 : f16 : tensor<f16>
  %5 = graph.fill 7 : i64 : tensor<0x3xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<2x2xf32>, tensor<3xi16>, tensor<2xui8>, tensor<2xi1>, tensor<f16>, tensor<0x3xi64>
}

// Along either axis; fractions are cut off for integers.
// CHECK-LABEL: func.func @iotas
// CHECK-NEXT: #0 = dense<[0, 1, 2, 3]> : tensor<4xi64>
// CHECK-NEXT: #1 = dense<{{\[\[}}0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
// CHECK-NEXT: #2 = dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00], [1.000000e+00, 1.000000e+00, 1.000000e+00]]> : tensor<2x3xf16>
// CHECK-NEXT: #3 = dense<[10, 7, 4, 1, -2]> : tensor<5xi8>
// CHECK-NEXT: #4 = dense<[5.000000e-01, 7.500000e-01, 1.000000e+00, 1.250000e+00]> : tensor<4xf32>
// CHECK-NEXT: #5 = dense<{{\[\[}}[0, 0], [1, 1]], {{\[\[}}0, 0], [1, 1]]]> : tensor<2x2x2xui8>
func.func @iotas()
    -> (tensor<4xi64>, tensor<2x3xi32>, tensor<2x3xf16>, tensor<5xi8>, tensor<4xf32>, tensor<2x2x2xui8>) {
  %0 = graph.iota axis 0 : tensor<4xi64>
  %1 = graph.iota axis 1 : tensor<2x3xi32>
  %2 = graph.iota axis 0 : tensor<2x3xf16>
  %3 = graph.iota axis 0 {start = 10.0 : f64, step = -3.0 : f64} : tensor<5xi8>
  %4 = graph.iota axis 0 {start = 0.5 : f64, step = 0.25 : f64} : tensor<4xf32>
  %5 = graph.iota axis 1 : tensor<2x2x2xui8>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi64>, tensor<2x3xi32>, tensor<2x3xf16>, tensor<5xi8>, tensor<4xf32>, tensor<2x2x2xui8>
}

// The last panel is padded with zeros, which unpacking leaves out.
// CHECK-LABEL: func.func @pack_padded
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.000000e+00], [5.000000e+00, 6.000000e+00]], {{\[\[}}2.000000e+00, 3.000000e+00], [7.000000e+00, 8.000000e+00]], {{\[\[}}4.000000e+00, 0.000000e+00], [9.000000e+00, 0.000000e+00]]]> : tensor<3x2x2xf32>
// CHECK-NEXT: #1 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00]]> : tensor<2x5xf32>
func.func @pack_padded(%x0: tensor<2x5xf32>) -> (tensor<3x2x2xf32>, tensor<2x5xf32>) {
  %0 = graph.pack %x0 width 2 : (tensor<2x5xf32>) -> tensor<3x2x2xf32>
  %1 = graph.unpack %0 : (tensor<3x2x2xf32>) -> tensor<2x5xf32>
  return %0, %1 : tensor<3x2x2xf32>, tensor<2x5xf32>
}

// CHECK-LABEL: func.func @pack_even
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.000000e+00], [4.000000e+00, 5.000000e+00]], {{\[\[}}2.000000e+00, 3.000000e+00], [6.000000e+00, 7.000000e+00]]]> : tensor<2x2x2xf16>
// CHECK-NEXT: #1 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00]]> : tensor<2x4xf16>
func.func @pack_even(%x0: tensor<2x4xf16>) -> (tensor<2x2x2xf16>, tensor<2x4xf16>) {
  %0 = graph.pack %x0 width 2 : (tensor<2x4xf16>) -> tensor<2x2x2xf16>
  %1 = graph.unpack %0 : (tensor<2x2x2xf16>) -> tensor<2x4xf16>
  return %0, %1 : tensor<2x2x2xf16>, tensor<2x4xf16>
}

// Wider than the matrix.
// CHECK-LABEL: func.func @pack_one_panel
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [2.000000e+00, 3.000000e+00, 0.000000e+00, 0.000000e+00], [4.000000e+00, 5.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<1x3x4xbf16>
// CHECK-NEXT: #1 = dense<{{\[\[}}0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : tensor<3x2xbf16>
func.func @pack_one_panel(%x0: tensor<3x2xbf16>) -> (tensor<1x3x4xbf16>, tensor<3x2xbf16>) {
  %0 = graph.pack %x0 width 4 : (tensor<3x2xbf16>) -> tensor<1x3x4xbf16>
  %1 = graph.unpack %0 : (tensor<1x3x4xbf16>) -> tensor<3x2xbf16>
  return %0, %1 : tensor<1x3x4xbf16>, tensor<3x2xbf16>
}

// Panels of one column are the transposed matrix.
// CHECK-LABEL: func.func @pack_columns
// CHECK-NEXT: #0 = dense<{{\[\[}}[0.000000e+00], [3.000000e+00]], {{\[\[}}1.000000e+00], [4.000000e+00]], {{\[\[}}2.000000e+00], [5.000000e+00]]]> : tensor<3x2x1xf64>
// CHECK-NEXT: #1 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00, 5.000000e+00]]> : tensor<2x3xf64>
func.func @pack_columns(%x0: tensor<2x3xf64>) -> (tensor<3x2x1xf64>, tensor<2x3xf64>) {
  %0 = graph.pack %x0 width 1 : (tensor<2x3xf64>) -> tensor<3x2x1xf64>
  %1 = graph.unpack %0 : (tensor<3x2x1xf64>) -> tensor<2x3xf64>
  return %0, %1 : tensor<3x2x1xf64>, tensor<2x3xf64>
}

// CHECK-LABEL: func.func @pack_bytes
// CHECK-NEXT: #0 = dense<{{\[\[}}[0, 1], [3, 4], [6, 7]], {{\[\[}}2, 0], [5, 0], [8, 0]]]> : tensor<2x3x2xi8>
// CHECK-NEXT: #1 = dense<{{\[\[}}0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi8>
func.func @pack_bytes(%x0: tensor<3x3xi8>) -> (tensor<2x3x2xi8>, tensor<3x3xi8>) {
  %0 = graph.pack %x0 width 2 : (tensor<3x3xi8>) -> tensor<2x3x2xi8>
  %1 = graph.unpack %0 : (tensor<2x3x2xi8>) -> tensor<3x3xi8>
  return %0, %1 : tensor<2x3x2xi8>, tensor<3x3xi8>
}
