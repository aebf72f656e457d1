// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Reductions of nothing, of what is special, of integers.
// NOTE: checks by tools/update-lit-checks

// Nothing to reduce gives the neutral element, a mean NaN; where there is no result, there is none.
// CHECK-LABEL: func.func @none_sum
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_sum(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce sum %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce sum %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_mean
// CHECK-NEXT: #0 = dense<0xFFC00000> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_mean(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce mean %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce mean %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_max
// CHECK-NEXT: #0 = dense<0xFF800000> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_max(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce max %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce max %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_min
// CHECK-NEXT: #0 = dense<0x7F800000> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_min(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce min %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce min %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_prod
// CHECK-NEXT: #0 = dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_prod(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce prod %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce prod %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_l1
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_l1(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce l1 %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce l1 %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_l2
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_l2(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce l2 %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce l2 %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_sum_square
// CHECK-NEXT: #0 = dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_sum_square(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce sum_square %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce sum_square %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_log_sum
// CHECK-NEXT: #0 = dense<0xFF800000> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_log_sum(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce log_sum %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce log_sum %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_log_sum_exp
// CHECK-NEXT: #0 = dense<0xFF800000> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<> : tensor<1x0xf32>
func.func @none_log_sum_exp(%x0: tensor<2x0xf32>) -> (tensor<2xf32>, tensor<1x0xf32>) {
  %0 = graph.reduce log_sum_exp %x0 axes [1] : (tensor<2x0xf32>) -> tensor<2xf32>
  %1 = graph.reduce log_sum_exp %x0 axes [0] {keep_dims} : (tensor<2x0xf32>) -> tensor<1x0xf32>
  return %0, %1 : tensor<2xf32>, tensor<1x0xf32>
}

// CHECK-LABEL: func.func @none_of_integers_sum
// CHECK-NEXT: #0 = dense<0> : tensor<2xi8>
// CHECK-NEXT: #1 = dense<0> : tensor<2xui8>
// CHECK-NEXT: #2 = dense<0> : tensor<2xi64>
func.func @none_of_integers_sum(%x0: tensor<0x2xi8>, %x1: tensor<0x2xui8>, %x2: tensor<0x2xi64>)
    -> (tensor<2xi8>, tensor<2xui8>, tensor<2xi64>) {
  %0 = graph.reduce sum %x0 axes [0] : (tensor<0x2xi8>) -> tensor<2xi8>
  %1 = graph.reduce sum %x1 axes [0] : (tensor<0x2xui8>) -> tensor<2xui8>
  %2 = graph.reduce sum %x2 axes [0] : (tensor<0x2xi64>) -> tensor<2xi64>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xui8>, tensor<2xi64>
}

// The ends of the type are the neutral elements.
// CHECK-LABEL: func.func @none_of_integers_max
// CHECK-NEXT: #0 = dense<-128> : tensor<2xi8>
// CHECK-NEXT: #1 = dense<0> : tensor<2xui8>
// CHECK-NEXT: #2 = dense<-9223372036854775808> : tensor<2xi64>
func.func @none_of_integers_max(%x0: tensor<0x2xi8>, %x1: tensor<0x2xui8>, %x2: tensor<0x2xi64>)
    -> (tensor<2xi8>, tensor<2xui8>, tensor<2xi64>) {
  %0 = graph.reduce max %x0 axes [0] : (tensor<0x2xi8>) -> tensor<2xi8>
  %1 = graph.reduce max %x1 axes [0] : (tensor<0x2xui8>) -> tensor<2xui8>
  %2 = graph.reduce max %x2 axes [0] : (tensor<0x2xi64>) -> tensor<2xi64>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xui8>, tensor<2xi64>
}

// CHECK-LABEL: func.func @none_of_integers_min
// CHECK-NEXT: #0 = dense<127> : tensor<2xi8>
// CHECK-NEXT: #1 = dense<255> : tensor<2xui8>
// CHECK-NEXT: #2 = dense<9223372036854775807> : tensor<2xi64>
func.func @none_of_integers_min(%x0: tensor<0x2xi8>, %x1: tensor<0x2xui8>, %x2: tensor<0x2xi64>)
    -> (tensor<2xi8>, tensor<2xui8>, tensor<2xi64>) {
  %0 = graph.reduce min %x0 axes [0] : (tensor<0x2xi8>) -> tensor<2xi8>
  %1 = graph.reduce min %x1 axes [0] : (tensor<0x2xui8>) -> tensor<2xui8>
  %2 = graph.reduce min %x2 axes [0] : (tensor<0x2xi64>) -> tensor<2xi64>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xui8>, tensor<2xi64>
}

// CHECK-LABEL: func.func @none_of_integers_prod
// CHECK-NEXT: #0 = dense<1> : tensor<2xi8>
// CHECK-NEXT: #1 = dense<1> : tensor<2xui8>
// CHECK-NEXT: #2 = dense<1> : tensor<2xi64>
func.func @none_of_integers_prod(%x0: tensor<0x2xi8>, %x1: tensor<0x2xui8>, %x2: tensor<0x2xi64>)
    -> (tensor<2xi8>, tensor<2xui8>, tensor<2xi64>) {
  %0 = graph.reduce prod %x0 axes [0] : (tensor<0x2xi8>) -> tensor<2xi8>
  %1 = graph.reduce prod %x1 axes [0] : (tensor<0x2xui8>) -> tensor<2xui8>
  %2 = graph.reduce prod %x2 axes [0] : (tensor<0x2xi64>) -> tensor<2xi64>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xui8>, tensor<2xi64>
}

// Each element by itself.
// CHECK-LABEL: func.func @no_axes
// CHECK-NEXT: #0 = dense<[-3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: #1 = dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: #2 = dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: #3 = dense<[9.000000e+00, 1.600000e+01]> : tensor<2xf32>
// CHECK-NEXT: #4 = dense<[-3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: #5 = dense<[-3.000000e+00, 4.000000e+00]> : tensor<2xf32>
func.func @no_axes() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = graph.constant dense<[-3.0, 4.0]> : tensor<2xf32>
  %1 = graph.reduce sum %x axes [] : (tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.reduce l1 %x axes [] : (tensor<2xf32>) -> tensor<2xf32>
  %3 = graph.reduce l2 %x axes [] : (tensor<2xf32>) -> tensor<2xf32>
  %4 = graph.reduce sum_square %x axes [] : (tensor<2xf32>) -> tensor<2xf32>
  %5 = graph.reduce log_sum_exp %x axes [] : (tensor<2xf32>) -> tensor<2xf32>
  %6 = graph.reduce mean %x axes [] : (tensor<2xf32>) -> tensor<2xf32>
  return %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// NaN wins over every number, wherever it stands.
// CHECK-LABEL: func.func @nan
// CHECK-NEXT: #0 = dense<[0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
// CHECK-NEXT: #1 = dense<[0x7FC00000, 0x7FC00000, 0xFF800000]> : tensor<3xf32>
// CHECK-NEXT: #2 = dense<[0x7FC00000, 0x7FC00000, 0xFFC00000]> : tensor<3xf32>
// CHECK-NEXT: #3 = dense<[0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
func.func @nan() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %x = graph.constant dense<[[0x7FC00000, 1.0], [1.0, 0x7FC00000], [0x7F800000, 0xFF800000]]> : tensor<3x2xf32>
  %1 = graph.reduce max %x axes [1] : (tensor<3x2xf32>) -> tensor<3xf32>
  %2 = graph.reduce min %x axes [1] : (tensor<3x2xf32>) -> tensor<3xf32>
  %3 = graph.reduce sum %x axes [1] : (tensor<3x2xf32>) -> tensor<3xf32>
  %4 = graph.reduce log_sum_exp %x axes [1] : (tensor<3x2xf32>) -> tensor<3xf32>
  return %1, %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// exp(1000) is beyond every type.
// CHECK-LABEL: func.func @log_sum_exp_without_overflow
// CHECK-NEXT: #0 = dense<[1000.69318, -999.306823, 0xFF800000, 0x7F800000]> : tensor<4xf32>
func.func @log_sum_exp_without_overflow() -> tensor<4xf32> {
  %x = graph.constant dense<[[1000.0, 1000.0], [-1000.0, -1000.0], [0xFF800000, 0xFF800000], [0x7F800000, 0.0]]> : tensor<4x2xf32>
  %1 = graph.reduce log_sum_exp %x axes [1] : (tensor<4x2xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// In f16 each 1 would be lost beside 2048.
// CHECK-LABEL: func.func @sums_in_double
// CHECK-NEXT: #0 = dense<2.054000e+03> : tensor<f16>
// CHECK-NEXT: #1 = dense<2.935000e+02> : tensor<f16>
// CHECK-NEXT: #2 = dense<6.000000e+04> : tensor<f16>
// CHECK-NEXT: #3 = dense<0x7C00> : tensor<f16>
// CHECK-NEXT: #4 = dense<0x7C00> : tensor<f16>
func.func @sums_in_double() -> (tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) {
  %x = graph.constant dense<[2048.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<7xf16>
  %1 = graph.reduce sum %x axes [0] : (tensor<7xf16>) -> tensor<f16>
  %2 = graph.reduce mean %x axes [0] : (tensor<7xf16>) -> tensor<f16>
  %y = graph.constant dense<[60000.0, 60000.0, -60000.0]> : tensor<3xf16>
  %4 = graph.reduce sum %y axes [0] : (tensor<3xf16>) -> tensor<f16>
  %5 = graph.reduce sum_square %y axes [0] : (tensor<3xf16>) -> tensor<f16>
  %6 = graph.reduce l2 %y axes [0] : (tensor<3xf16>) -> tensor<f16>
  return %1, %2, %4, %5, %6 : tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>
}

// Sums and products wrap; of unsigned numbers the largest is no negative one.
// CHECK-LABEL: func.func @integers
// CHECK-NEXT: #0 = dense<1> : tensor<i8>
// CHECK-NEXT: #1 = dense<0> : tensor<i8>
// CHECK-NEXT: #2 = dense<100> : tensor<i8>
// CHECK-NEXT: #3 = dense<-128> : tensor<i8>
// CHECK-NEXT: #4 = dense<45> : tensor<ui8>
// CHECK-NEXT: #5 = dense<192> : tensor<ui8>
// CHECK-NEXT: #6 = dense<255> : tensor<ui8>
// CHECK-NEXT: #7 = dense<2> : tensor<ui8>
// CHECK-NEXT: #8 = dense<32766> : tensor<i16>
// CHECK-NEXT: #9 = dense<-32753> : tensor<i16>
// CHECK-NEXT: #10 = dense<32767> : tensor<i16>
// CHECK-NEXT: #11 = dense<-5> : tensor<i16>
// CHECK-NEXT: #12 = dense<2147483645> : tensor<i32>
// CHECK-NEXT: #13 = dense<42> : tensor<i32>
// CHECK-NEXT: #14 = dense<2147483647> : tensor<i32>
// CHECK-NEXT: #15 = dense<-7> : tensor<i32>
// CHECK-NEXT: #16 = dense<-9223372036854775805> : tensor<i64>
// CHECK-NEXT: #17 = dense<0> : tensor<i64>
// CHECK-NEXT: #18 = dense<4611686018427387904> : tensor<i64>
// CHECK-NEXT: #19 = dense<1> : tensor<i64>
func.func @integers()
    -> (tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<i16>, tensor<i16>, tensor<i16>, tensor<i16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) {
  %c0 = graph.constant dense<[100, 27, 2, -128]> : tensor<4xi8>
  %1 = graph.reduce sum %c0 axes [0] : (tensor<4xi8>) -> tensor<i8>
  %2 = graph.reduce prod %c0 axes [0] : (tensor<4xi8>) -> tensor<i8>
  %3 = graph.reduce max %c0 axes [0] : (tensor<4xi8>) -> tensor<i8>
  %4 = graph.reduce min %c0 axes [0] : (tensor<4xi8>) -> tensor<i8>
  %c5 = graph.constant dense<[200, 100, 2, 255]> : tensor<4xui8>
  %6 = graph.reduce sum %c5 axes [0] : (tensor<4xui8>) -> tensor<ui8>
  %7 = graph.reduce prod %c5 axes [0] : (tensor<4xui8>) -> tensor<ui8>
  %8 = graph.reduce max %c5 axes [0] : (tensor<4xui8>) -> tensor<ui8>
  %9 = graph.reduce min %c5 axes [0] : (tensor<4xui8>) -> tensor<ui8>
  %c10 = graph.constant dense<[32767, 1, 3, -5]> : tensor<4xi16>
  %11 = graph.reduce sum %c10 axes [0] : (tensor<4xi16>) -> tensor<i16>
  %12 = graph.reduce prod %c10 axes [0] : (tensor<4xi16>) -> tensor<i16>
  %13 = graph.reduce max %c10 axes [0] : (tensor<4xi16>) -> tensor<i16>
  %14 = graph.reduce min %c10 axes [0] : (tensor<4xi16>) -> tensor<i16>
  %c15 = graph.constant dense<[2147483647, 2, 3, -7]> : tensor<4xi32>
  %16 = graph.reduce sum %c15 axes [0] : (tensor<4xi32>) -> tensor<i32>
  %17 = graph.reduce prod %c15 axes [0] : (tensor<4xi32>) -> tensor<i32>
  %18 = graph.reduce max %c15 axes [0] : (tensor<4xi32>) -> tensor<i32>
  %19 = graph.reduce min %c15 axes [0] : (tensor<4xi32>) -> tensor<i32>
  %c20 = graph.constant dense<[4611686018427387904, 4611686018427387904, 2, 1]> : tensor<4xi64>
  %21 = graph.reduce sum %c20 axes [0] : (tensor<4xi64>) -> tensor<i64>
  %22 = graph.reduce prod %c20 axes [0] : (tensor<4xi64>) -> tensor<i64>
  %23 = graph.reduce max %c20 axes [0] : (tensor<4xi64>) -> tensor<i64>
  %24 = graph.reduce min %c20 axes [0] : (tensor<4xi64>) -> tensor<i64>
  return %1, %2, %3, %4, %6, %7, %8, %9, %11, %12, %13, %14, %16, %17, %18, %19, %21, %22, %23, %24 : tensor<i8>, tensor<i8>, tensor<i8>, tensor<i8>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<i16>, tensor<i16>, tensor<i16>, tensor<i16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>
}
