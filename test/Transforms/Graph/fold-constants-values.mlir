// RUN: kiln-opt %s --kiln-fold-constants | FileCheck %s
// RUN: kiln-opt %s --kiln-fold-constants | kiln-opt --kiln-test-evaluate -o /dev/null | FileCheck %s --check-prefix=VALUES
// Constants that are folded, and their values.
// NOTE: checks by tools/update-lit-checks

// What exporters compute of shapes.
// CHECK-LABEL: func.func @shapes() -> (tensor<2xi64>, tensor<i64>, tensor<3xi64>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[3, -1]> : tensor<2xi64>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<24> : tensor<i64>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<[4, 3, 2]> : tensor<3xi64>
// CHECK-NEXT: return %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] : tensor<2xi64>, tensor<i64>, tensor<3xi64>
// VALUES-LABEL: func.func @shapes
// VALUES-NEXT: #0 = dense<[3, -1]> : tensor<2xi64>
// VALUES-NEXT: #1 = dense<24> : tensor<i64>
// VALUES-NEXT: #2 = dense<[4, 3, 2]> : tensor<3xi64>
func.func @shapes() -> (tensor<2xi64>, tensor<i64>, tensor<3xi64>) {
  %c0 = graph.constant dense<[2, 3, 4]> : tensor<3xi64>
  %c1 = graph.constant dense<[1]> : tensor<1xi64>
  %2 = graph.gather %c0, %c1 axis 0 : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %c3 = graph.constant dense<[-1]> : tensor<1xi64>
  %4 = graph.concat %2, %c3 axis 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %5 = graph.reduce prod %c0 axes [0] : (tensor<3xi64>) -> tensor<i64>
  %6 = graph.slice %c0 starts <[] -> [2]> steps [-1] : (tensor<3xi64>) -> tensor<3xi64>
  return %4, %5, %6 : tensor<2xi64>, tensor<i64>, tensor<3xi64>
}

// CHECK-LABEL: func.func @numbers() -> (tensor<2xf32>, tensor<f32>, tensor<2xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[5.000000e-01, -1.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<[5.000000e-01, -2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] : tensor<2xf32>, tensor<f32>, tensor<2xf32>
// VALUES-LABEL: func.func @numbers
// VALUES-NEXT: #0 = dense<[5.000000e-01, -1.000000e+00]> : tensor<2xf32>
// VALUES-NEXT: #1 = dense<1.000000e+00> : tensor<f32>
// VALUES-NEXT: #2 = dense<[5.000000e-01, -2.000000e+00]> : tensor<2xf32>
func.func @numbers() -> (tensor<2xf32>, tensor<f32>, tensor<2xf32>) {
  %c0 = graph.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %c1 = graph.constant dense<[0.5]> : tensor<1xf32>
  %2 = graph.binary mul %c0, %c1 : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %c3 = graph.constant dense<0.0> : tensor<f32>
  %4 = graph.unary exp %c3 : (tensor<f32>) -> tensor<f32>
  %5 = graph.compare less %c0, %c1 : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xi1>
  %6 = graph.select %5, %c0, %c1 : (tensor<2xi1>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %2, %4, %6 : tensor<2xf32>, tensor<f32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @types() -> (tensor<3xi8>, tensor<3xui8>, tensor<3xf16>, tensor<3xi1>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[1, 127, -1]> : tensor<3xi8>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<[1, 255, 0]> : tensor<3xui8>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 3.007500e+02, -1.000000e+00]> : tensor<3xf16>
// CHECK-NEXT: %[[CONSTANT_4:[^ ,:)]+]] = graph.constant dense<true> : tensor<3xi1>
// CHECK-NEXT: return %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]], %[[CONSTANT_4]] : tensor<3xi8>, tensor<3xui8>, tensor<3xf16>, tensor<3xi1>
// VALUES-LABEL: func.func @types
// VALUES-NEXT: #0 = dense<[1, 127, -1]> : tensor<3xi8>
// VALUES-NEXT: #1 = dense<[1, 255, 0]> : tensor<3xui8>
// VALUES-NEXT: #2 = dense<[1.000000e+00, 3.007500e+02, -1.000000e+00]> : tensor<3xf16>
// VALUES-NEXT: #3 = dense<true> : tensor<3xi1>
func.func @types() -> (tensor<3xi8>, tensor<3xui8>, tensor<3xf16>, tensor<3xi1>) {
  %c0 = graph.constant dense<[1.0, 300.7, -1.0]> : tensor<3xf32>
  %1 = graph.cast %c0 : (tensor<3xf32>) -> tensor<3xi8>
  %2 = graph.cast %c0 : (tensor<3xf32>) -> tensor<3xui8>
  %3 = graph.cast %c0 : (tensor<3xf32>) -> tensor<3xf16>
  %4 = graph.cast %c0 : (tensor<3xf32>) -> tensor<3xi1>
  return %1, %2, %3, %4 : tensor<3xi8>, tensor<3xui8>, tensor<3xf16>, tensor<3xi1>
}

// CHECK-LABEL: func.func @products() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<{{\[\[}}2.000000e+00, 1.000000e+00], [4.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<5.000000e-01> : tensor<1x2xf32>
// CHECK-NEXT: return %[[CONSTANT]], %[[CONSTANT_2]], %[[CONSTANT_3]] : tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>
// VALUES-LABEL: func.func @products
// VALUES-NEXT: #0 = dense<{{\[\[}}2.000000e+00, 1.000000e+00], [4.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// VALUES-NEXT: #1 = dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// VALUES-NEXT: #2 = dense<5.000000e-01> : tensor<1x2xf32>
func.func @products() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) {
  %c0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %c1 = graph.constant dense<[[0.0, 1.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %2 = graph.matmul %c0, %c1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = graph.transpose %c0 [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %c4 = graph.constant dense<[[0.0, 0.0]]> : tensor<1x2xf32>
  %5 = graph.softmax %c4 axis 1 : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %2, %3, %5 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>
}

// Each constant is rounded to its type: in f16 300 * 300 is infinity.
// CHECK-LABEL: func.func @rounded_each() -> tensor<f16> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<0x7C00> : tensor<f16>
// CHECK-NEXT: return %[[CONSTANT]] : tensor<f16>
// VALUES-LABEL: func.func @rounded_each
// VALUES-NEXT: #0 = dense<0x7C00> : tensor<f16>
func.func @rounded_each() -> tensor<f16> {
  %c0 = graph.constant dense<300.0> : tensor<f16>
  %1 = graph.binary mul %c0, %c0 : (tensor<f16>, tensor<f16>) -> tensor<f16>
  %2 = graph.unary sqrt %1 : (tensor<f16>) -> tensor<f16>
  return %2 : tensor<f16>
}

// Of 1 KiB yes, of more no.
// CHECK-LABEL: func.func @one_kib() -> (tensor<128xi64>, tensor<129xi64>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<1> : tensor<2xi64>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<7> : tensor<128xi64>
// CHECK-NEXT: %[[CONSTANT_3:[^ ,:)]+]] = graph.constant dense<7> : tensor<i64>
// CHECK-NEXT: %[[BROADCAST:[^ ,:)]+]] = graph.broadcast %[[CONSTANT_3]] : (tensor<i64>) -> tensor<129xi64>
// CHECK-NEXT: return %[[CONSTANT_2]], %[[BROADCAST]] : tensor<128xi64>, tensor<129xi64>
// VALUES-LABEL: func.func @one_kib
// VALUES-NEXT: #0 = dense<7> : tensor<128xi64>
// VALUES-NEXT: #1 = dense<7> : tensor<129xi64>
func.func @one_kib() -> (tensor<128xi64>, tensor<129xi64>) {
  %c0 = graph.constant dense<[1, 1]> : tensor<2xi64>
  %c1 = graph.constant dense<7> : tensor<i64>
  %2 = graph.broadcast %c1 : (tensor<i64>) -> tensor<128xi64>
  %c3 = graph.constant dense<7> : tensor<i64>
  %4 = graph.broadcast %c3 : (tensor<i64>) -> tensor<129xi64>
  return %2, %4 : tensor<128xi64>, tensor<129xi64>
}

// An iota or a fill of one scalar; longer ones say it shorter.
// CHECK-LABEL: func.func @scalar_generators() -> (tensor<f32>, tensor<3xf32>, tensor<4xi64>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<2.500000e+00> : tensor<f32>
// CHECK-NEXT: %[[FILL:[^ ,:)]+]] = graph.fill 2.500000e+00 : f32 : tensor<3xf32>
// CHECK-NEXT: %[[IOTA:[^ ,:)]+]] = graph.iota axis 0 : tensor<4xi64>
// CHECK-NEXT: return %[[CONSTANT]], %[[FILL]], %[[IOTA]] : tensor<f32>, tensor<3xf32>, tensor<4xi64>
// VALUES-LABEL: func.func @scalar_generators
// VALUES-NEXT: #0 = dense<2.500000e+00> : tensor<f32>
// VALUES-NEXT: #1 = dense<2.500000e+00> : tensor<3xf32>
// VALUES-NEXT: #2 = dense<[0, 1, 2, 3]> : tensor<4xi64>
func.func @scalar_generators() -> (tensor<f32>, tensor<3xf32>, tensor<4xi64>) {
  %0 = graph.fill 2.5 : f32 : tensor<f32>
  %1 = graph.fill 2.5 : f32 : tensor<3xf32>
  %2 = graph.iota axis 0 : tensor<4xi64>
  return %0, %1, %2 : tensor<f32>, tensor<3xf32>, tensor<4xi64>
}

// What is known is folded, the rest stays.
// CHECK-LABEL: func.func @partly(
// CHECK-SAME: %[[ARG:[^ ,:)]+]]: tensor<2xf32>
// CHECK-SAME: ) -> tensor<2xf32> {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: %[[ADD:[^ ,:)]+]] = graph.binary add %[[ARG]], %[[CONSTANT]] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[ADD]] : tensor<2xf32>
// VALUES-LABEL: func.func @partly
// VALUES-NEXT: #0 = dense<[1.000000e+00, 5.000000e+00]> : tensor<2xf32>
func.func @partly(%x0: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.binary mul %c0, %c0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.binary add %x0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// NaN and infinity are constants, too.
// CHECK-LABEL: func.func @nan() -> (tensor<2xf32>, tensor<f32>) {
// CHECK-NEXT: %[[CONSTANT:[^ ,:)]+]] = graph.constant dense<[0xFFC00000, 0x7F800000]> : tensor<2xf32>
// CHECK-NEXT: %[[CONSTANT_2:[^ ,:)]+]] = graph.constant dense<0xFFC00000> : tensor<f32>
// CHECK-NEXT: return %[[CONSTANT]], %[[CONSTANT_2]] : tensor<2xf32>, tensor<f32>
// VALUES-LABEL: func.func @nan
// VALUES-NEXT: #0 = dense<[0xFFC00000, 0x7F800000]> : tensor<2xf32>
// VALUES-NEXT: #1 = dense<0xFFC00000> : tensor<f32>
func.func @nan() -> (tensor<2xf32>, tensor<f32>) {
  %c0 = graph.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %c1 = graph.constant dense<0.0> : tensor<f32>
  %2 = graph.binary div %c0, %c1 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %c3 = graph.constant dense<-1.0> : tensor<f32>
  %4 = graph.unary log %c3 : (tensor<f32>) -> tensor<f32>
  return %2, %4 : tensor<2xf32>, tensor<f32>
}
