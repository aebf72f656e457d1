// RUN: kiln-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%x: tensor<2xf32>, %b: tensor<2xi1>, %i: tensor<2xi8>) {
  // CHECK: graph.unary abs %{{.*}} : (tensor<2xf32>) -> tensor<2xf32>
  %0 = graph.unary abs %x : (tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.unary neg %x : (tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.unary exp %x : (tensor<2xf32>) -> tensor<2xf32>
  %3 = graph.unary log %x : (tensor<2xf32>) -> tensor<2xf32>
  %4 = graph.unary sqrt %x : (tensor<2xf32>) -> tensor<2xf32>
  %5 = graph.unary rsqrt %x : (tensor<2xf32>) -> tensor<2xf32>
  %6 = graph.unary reciprocal %x : (tensor<2xf32>) -> tensor<2xf32>
  %7 = graph.unary floor %x : (tensor<2xf32>) -> tensor<2xf32>
  %8 = graph.unary ceil %x : (tensor<2xf32>) -> tensor<2xf32>
  %9 = graph.unary round %x : (tensor<2xf32>) -> tensor<2xf32>
  %10 = graph.unary erf %x : (tensor<2xf32>) -> tensor<2xf32>
  %11 = graph.unary tanh %x : (tensor<2xf32>) -> tensor<2xf32>
  %12 = graph.unary sigmoid %x : (tensor<2xf32>) -> tensor<2xf32>
  %13 = graph.unary relu %x : (tensor<2xf32>) -> tensor<2xf32>
  %14 = graph.unary sin %x : (tensor<2xf32>) -> tensor<2xf32>
  %15 = graph.unary cos %x : (tensor<2xf32>) -> tensor<2xf32>
  %16 = graph.unary logical_not %b : (tensor<2xi1>) -> tensor<2xi1>
  %17 = graph.unary sign %i : (tensor<2xi8>) -> tensor<2xi8>
  %18 = graph.unary gelu %x : (tensor<2xf32>) -> tensor<2xf32>
  %19 = graph.unary gelu_tanh %x : (tensor<2xf32>) -> tensor<2xf32>
  %20 = graph.unary silu %x : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: graph.unary is_nan %{{.*}} : (tensor<2xf32>) -> tensor<2xi1>
  %21 = graph.unary is_nan %x : (tensor<2xf32>) -> tensor<2xi1>
  %22 = graph.unary softplus %x : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%x: tensor<2xf32>, %y: tensor<3x1xf32>, %b: tensor<2xi1>, %e: tensor<i64>,
                  %u: tensor<2xui8>) {
  // CHECK: graph.binary add %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %0 = graph.binary add %x, %y : (tensor<2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %1 = graph.binary sub %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.binary mul %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = graph.binary div %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = graph.binary mod %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %5 = graph.binary fmod %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: graph.binary pow %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  %6 = graph.binary pow %x, %e : (tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  %7 = graph.binary min %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %8 = graph.binary max %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %9 = graph.binary logical_and %b, %b : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %10 = graph.binary logical_or %b, %b : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %11 = graph.binary logical_xor %b, %b : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %12 = graph.binary bit_and %u, %u : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %13 = graph.binary bit_or %u, %u : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %14 = graph.binary bit_xor %u, %u : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %15 = graph.binary shift_left %u, %u : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %16 = graph.binary shift_right %u, %u : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return
}

// CHECK-LABEL: func.func @compare
func.func @compare(%x: tensor<2xui8>) {
  // CHECK: graph.compare equal %{{.*}}, %{{.*}} : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %0 = graph.compare equal %x, %x : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %1 = graph.compare not_equal %x, %x : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %2 = graph.compare less %x, %x : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %3 = graph.compare less_equal %x, %x : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %4 = graph.compare greater %x, %x : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %5 = graph.compare greater_equal %x, %x : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @select_and_cast
func.func @select_and_cast(%c: tensor<2x1xi1>, %x: tensor<f16>, %y: tensor<3xf16>) {
  // CHECK: %[[S:.*]] = graph.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x1xi1>, tensor<f16>, tensor<3xf16>) -> tensor<2x3xf16>
  %0 = graph.select %c, %x, %y : (tensor<2x1xi1>, tensor<f16>, tensor<3xf16>) -> tensor<2x3xf16>
  // CHECK: graph.cast %[[S]] : (tensor<2x3xf16>) -> tensor<2x3xui32>
  %1 = graph.cast %0 : (tensor<2x3xf16>) -> tensor<2x3xui32>
  return
}
