// RUN: kiln-opt %s --split-input-file --kiln-lift-starts --kiln-verify-kernels | FileCheck %s

// Eight steps become one body, which reads its step; the element that all of them read
// stays where it is.
// CHECK-COUNT-8: graph.weight @start{{.*}} : tensor<1xi64>
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = graph.get_weight @start : tensor<1xi64>
// CHECK: graph.kernel "pointwise" (%[[X:.*]] = %{{.*}}, %[[I:.*]] = %[[A]]) : (tensor<4x12xf32>, tensor<1xi64>) -> tensor<4x1xf32>
// CHECK-NEXT: %[[S:.*]] = graph.gather %[[X]], %[[I]] axis 1 : (tensor<4x12xf32>, tensor<1xi64>) -> tensor<4x1xf32>
// CHECK-NEXT: %[[L:.*]] = graph.slice %[[X]] starts {{.*}} steps [1, 1]
// CHECK-NEXT: graph.binary mul %[[S]], %[[L]]
// CHECK-COUNT-7: graph.gather
// CHECK-NOT: graph.gather
// CHECK-LABEL: func.func @bake
// CHECK: %[[ZERO:.*]] = graph.constant dense<0> : tensor<1xi64>
// CHECK-NEXT: graph.set_weight @start, %[[ZERO]]
// CHECK: %[[SEVEN:.*]] = graph.constant dense<7> : tensor<1xi64>
// CHECK-NEXT: graph.set_weight @start_6, %[[SEVEN]]
func.func @main(%x: tensor<4x12xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 0]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %1 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 1]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 2]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %3 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 3]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %4 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 4]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %5 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 5]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %6 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 6]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %7 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 7]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// Two dims, one operand each; starts that are equal in every kernel are one operand. What
// is left of a slice stays.
// CHECK-LABEL: func.func @main
// CHECK: graph.kernel "pointwise" (%[[X:.*]] = %{{.*}}, %[[R:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}) : (tensor<4x12xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[S0:.*]] = graph.gather %[[X]], %[[R]] axis 0 : (tensor<4x12xf32>, tensor<1xi64>) -> tensor<1x12xf32>
// CHECK-NEXT: %[[S:.*]] = graph.gather %[[S0]], %[[C]] axis 1 : (tensor<1x12xf32>, tensor<1xi64>) -> tensor<1x1xf32>
// CHECK-NEXT: %[[T0:.*]] = graph.gather %[[X]], %[[R]] axis 0
// CHECK-NEXT: %[[T:.*]] = graph.gather %[[T0]], %[[C]] axis 1
// CHECK-NEXT: %[[U0:.*]] = graph.gather %[[X]], %[[C]] axis 1 : (tensor<4x12xf32>, tensor<1xi64>) -> tensor<4x1xf32>
// CHECK-NEXT: %[[U:.*]] = graph.slice %[[U0]] starts {{.*}} steps [2, 1] : (tensor<4x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: graph.binary mul %[[S]], %[[T]]
func.func @main(%x: tensor<4x12xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<2x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 0]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %t = graph.slice %a starts <[] -> [0, 0]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %u = graph.slice %a starts <[] -> [0, 0]> steps [2, 1] : (tensor<4x12xf32>) -> tensor<2x1xf32>
    %v = graph.binary mul %s, %t : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %m = graph.binary mul %u, %v : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    graph.yield %m : tensor<2x1xf32>
  }
  %1 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<2x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 1]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %t = graph.slice %a starts <[] -> [0, 1]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %u = graph.slice %a starts <[] -> [0, 1]> steps [2, 1] : (tensor<4x12xf32>) -> tensor<2x1xf32>
    %v = graph.binary mul %s, %t : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %m = graph.binary mul %u, %v : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    graph.yield %m : tensor<2x1xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<2x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 2]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %t = graph.slice %a starts <[] -> [0, 2]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %u = graph.slice %a starts <[] -> [0, 2]> steps [2, 1] : (tensor<4x12xf32>) -> tensor<2x1xf32>
    %v = graph.binary mul %s, %t : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %m = graph.binary mul %u, %v : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    graph.yield %m : tensor<2x1xf32>
  }
  %3 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<2x1xf32> {
    %s = graph.slice %a starts <[] -> [1, 3]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %t = graph.slice %a starts <[] -> [1, 3]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %u = graph.slice %a starts <[] -> [0, 3]> steps [2, 1] : (tensor<4x12xf32>) -> tensor<2x1xf32>
    %v = graph.binary mul %s, %t : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %m = graph.binary mul %u, %v : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    graph.yield %m : tensor<2x1xf32>
  }
  %4 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<2x1xf32> {
    %s = graph.slice %a starts <[] -> [1, 4]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %t = graph.slice %a starts <[] -> [1, 4]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %u = graph.slice %a starts <[] -> [0, 4]> steps [2, 1] : (tensor<4x12xf32>) -> tensor<2x1xf32>
    %v = graph.binary mul %s, %t : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %m = graph.binary mul %u, %v : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    graph.yield %m : tensor<2x1xf32>
  }
  %5 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<2x1xf32> {
    %s = graph.slice %a starts <[] -> [1, 5]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %t = graph.slice %a starts <[] -> [1, 5]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %u = graph.slice %a starts <[] -> [0, 5]> steps [2, 1] : (tensor<4x12xf32>) -> tensor<2x1xf32>
    %v = graph.binary mul %s, %t : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %m = graph.binary mul %u, %v : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    graph.yield %m : tensor<2x1xf32>
  }
  %6 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<2x1xf32> {
    %s = graph.slice %a starts <[] -> [2, 6]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %t = graph.slice %a starts <[] -> [2, 6]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %u = graph.slice %a starts <[] -> [0, 6]> steps [2, 1] : (tensor<4x12xf32>) -> tensor<2x1xf32>
    %v = graph.binary mul %s, %t : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %m = graph.binary mul %u, %v : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    graph.yield %m : tensor<2x1xf32>
  }
  %7 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<2x1xf32> {
    %s = graph.slice %a starts <[] -> [2, 7]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %t = graph.slice %a starts <[] -> [2, 7]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<1x1xf32>
    %u = graph.slice %a starts <[] -> [0, 7]> steps [2, 1] : (tensor<4x12xf32>) -> tensor<2x1xf32>
    %v = graph.binary mul %s, %t : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %m = graph.binary mul %u, %v : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    graph.yield %m : tensor<2x1xf32>
  }
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>
}

// -----

// Seven are compiled: code that knows where it reads is worth that.
// CHECK-LABEL: func.func @seven
// CHECK-NOT: graph.gather
// CHECK-COUNT-14: graph.slice
func.func @seven(%x: tensor<4x12xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 0]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %1 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 1]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 2]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %3 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 3]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %4 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 4]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %5 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 5]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  %6 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x1xf32> {
    %s = graph.slice %a starts <[] -> [0, 6]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %l = graph.slice %a starts <[] -> [0, 11]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.binary mul %s, %l : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    graph.yield %m : tensor<4x1xf32>
  }
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// Two elements are no index.
// CHECK-LABEL: func.func @two
// CHECK-NOT: graph.gather
// CHECK-COUNT-8: graph.slice
func.func @two(%x: tensor<4x12xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x2xf32> {
    %s = graph.slice %a starts <[] -> [0, 0]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x2xf32>
    %m = graph.unary exp %s : (tensor<4x2xf32>) -> tensor<4x2xf32>
    graph.yield %m : tensor<4x2xf32>
  }
  %1 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x2xf32> {
    %s = graph.slice %a starts <[] -> [0, 1]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x2xf32>
    %m = graph.unary exp %s : (tensor<4x2xf32>) -> tensor<4x2xf32>
    graph.yield %m : tensor<4x2xf32>
  }
  %2 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x2xf32> {
    %s = graph.slice %a starts <[] -> [0, 2]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x2xf32>
    %m = graph.unary exp %s : (tensor<4x2xf32>) -> tensor<4x2xf32>
    graph.yield %m : tensor<4x2xf32>
  }
  %3 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x2xf32> {
    %s = graph.slice %a starts <[] -> [0, 3]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x2xf32>
    %m = graph.unary exp %s : (tensor<4x2xf32>) -> tensor<4x2xf32>
    graph.yield %m : tensor<4x2xf32>
  }
  %4 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x2xf32> {
    %s = graph.slice %a starts <[] -> [0, 4]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x2xf32>
    %m = graph.unary exp %s : (tensor<4x2xf32>) -> tensor<4x2xf32>
    graph.yield %m : tensor<4x2xf32>
  }
  %5 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x2xf32> {
    %s = graph.slice %a starts <[] -> [0, 5]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x2xf32>
    %m = graph.unary exp %s : (tensor<4x2xf32>) -> tensor<4x2xf32>
    graph.yield %m : tensor<4x2xf32>
  }
  %6 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x2xf32> {
    %s = graph.slice %a starts <[] -> [0, 6]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x2xf32>
    %m = graph.unary exp %s : (tensor<4x2xf32>) -> tensor<4x2xf32>
    graph.yield %m : tensor<4x2xf32>
  }
  %7 = graph.kernel "pointwise" (%a = %x) : (tensor<4x12xf32>) -> tensor<4x2xf32> {
    %s = graph.slice %a starts <[] -> [0, 7]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x2xf32>
    %m = graph.unary exp %s : (tensor<4x2xf32>) -> tensor<4x2xf32>
    graph.yield %m : tensor<4x2xf32>
  }
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// A matmul copies boxes, whose places are in its code.
// CHECK-LABEL: func.func @boxes
// CHECK-NOT: graph.gather
// CHECK-COUNT-8: graph.slice
func.func @boxes(%x: tensor<4x12xf32>) -> (tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>) {
  %0 = graph.kernel "matmul" (%a = %x) : (tensor<4x12xf32>) -> tensor<1x12xf32> {
    %s = graph.slice %a starts <[] -> [0, 0]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.matmul %s, %a {transpose_a} : (tensor<4x1xf32>, tensor<4x12xf32>) -> tensor<1x12xf32>
    graph.yield %m : tensor<1x12xf32>
  }
  %1 = graph.kernel "matmul" (%a = %x) : (tensor<4x12xf32>) -> tensor<1x12xf32> {
    %s = graph.slice %a starts <[] -> [0, 1]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.matmul %s, %a {transpose_a} : (tensor<4x1xf32>, tensor<4x12xf32>) -> tensor<1x12xf32>
    graph.yield %m : tensor<1x12xf32>
  }
  %2 = graph.kernel "matmul" (%a = %x) : (tensor<4x12xf32>) -> tensor<1x12xf32> {
    %s = graph.slice %a starts <[] -> [0, 2]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.matmul %s, %a {transpose_a} : (tensor<4x1xf32>, tensor<4x12xf32>) -> tensor<1x12xf32>
    graph.yield %m : tensor<1x12xf32>
  }
  %3 = graph.kernel "matmul" (%a = %x) : (tensor<4x12xf32>) -> tensor<1x12xf32> {
    %s = graph.slice %a starts <[] -> [0, 3]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.matmul %s, %a {transpose_a} : (tensor<4x1xf32>, tensor<4x12xf32>) -> tensor<1x12xf32>
    graph.yield %m : tensor<1x12xf32>
  }
  %4 = graph.kernel "matmul" (%a = %x) : (tensor<4x12xf32>) -> tensor<1x12xf32> {
    %s = graph.slice %a starts <[] -> [0, 4]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.matmul %s, %a {transpose_a} : (tensor<4x1xf32>, tensor<4x12xf32>) -> tensor<1x12xf32>
    graph.yield %m : tensor<1x12xf32>
  }
  %5 = graph.kernel "matmul" (%a = %x) : (tensor<4x12xf32>) -> tensor<1x12xf32> {
    %s = graph.slice %a starts <[] -> [0, 5]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.matmul %s, %a {transpose_a} : (tensor<4x1xf32>, tensor<4x12xf32>) -> tensor<1x12xf32>
    graph.yield %m : tensor<1x12xf32>
  }
  %6 = graph.kernel "matmul" (%a = %x) : (tensor<4x12xf32>) -> tensor<1x12xf32> {
    %s = graph.slice %a starts <[] -> [0, 6]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.matmul %s, %a {transpose_a} : (tensor<4x1xf32>, tensor<4x12xf32>) -> tensor<1x12xf32>
    graph.yield %m : tensor<1x12xf32>
  }
  %7 = graph.kernel "matmul" (%a = %x) : (tensor<4x12xf32>) -> tensor<1x12xf32> {
    %s = graph.slice %a starts <[] -> [0, 7]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    %m = graph.matmul %s, %a {transpose_a} : (tensor<4x1xf32>, tensor<4x12xf32>) -> tensor<1x12xf32>
    graph.yield %m : tensor<1x12xf32>
  }
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>
}
