// RUN: kiln-opt %s --kiln-test-evaluate -o /dev/null | FileCheck %s
// Which element goes where: argument i holds i, i + 1, i + 2 ...
// NOTE: checks by tools/update-lit-checks

// CHECK-LABEL: func.func @middle
// CHECK-NEXT: #0 = dense<[1, 2, 3]> : tensor<3xi32>
func.func @middle(%x0: tensor<5xi32>) -> tensor<3xi32> {
  %0 = graph.slice %x0 starts <[] -> [1]> steps [1] : (tensor<5xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// CHECK-LABEL: func.func @columns
// CHECK-NEXT: #0 = dense<{{\[\[}}1.000000e+00, 2.000000e+00], [5.000000e+00, 6.000000e+00]]> : tensor<2x2xf16>
func.func @columns(%x0: tensor<2x4xf16>) -> tensor<2x2xf16> {
  %0 = graph.slice %x0 starts <[] -> [0, 1]> steps [1, 1] : (tensor<2x4xf16>) -> tensor<2x2xf16>
  return %0 : tensor<2x2xf16>
}

// CHECK-LABEL: func.func @every_other
// CHECK-NEXT: #0 = dense<[0, 2, 4, 6]> : tensor<4xi8>
func.func @every_other(%x0: tensor<7xi8>) -> tensor<4xi8> {
  %0 = graph.slice %x0 starts <[] -> [0]> steps [2] : (tensor<7xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// CHECK-LABEL: func.func @backwards
// CHECK-NEXT: #0 = dense<[3.000000e+00, 2.000000e+00, 1.000000e+00, 0.000000e+00]> : tensor<4xf64>
func.func @backwards(%x0: tensor<4xf64>) -> tensor<4xf64> {
  %0 = graph.slice %x0 starts <[] -> [3]> steps [-1] : (tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// CHECK-LABEL: func.func @backwards_by_two
// CHECK-NEXT: #0 = dense<{{\[\[}}9, 7, 5], [4, 2, 0]]> : tensor<2x3xi16>
func.func @backwards_by_two(%x0: tensor<2x5xi16>) -> tensor<2x3xi16> {
  %0 = graph.slice %x0 starts <[] -> [1, 4]> steps [-1, -2] : (tensor<2x5xi16>) -> tensor<2x3xi16>
  return %0 : tensor<2x3xi16>
}

// CHECK-LABEL: func.func @one
// CHECK-NEXT: #0 = dense<8> : tensor<1x1xi32>
func.func @one(%x0: tensor<3x3xi32>) -> tensor<1x1xi32> {
  %0 = graph.slice %x0 starts <[] -> [2, 2]> steps [1, 1] : (tensor<3x3xi32>) -> tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}

// A step may be longer than the dim where one element is taken.
// CHECK-LABEL: func.func @step_past_the_end
// CHECK-NEXT: #0 = dense<2> : tensor<1xi32>
func.func @step_past_the_end(%x0: tensor<3xi32>) -> tensor<1xi32> {
  %0 = graph.slice %x0 starts <[] -> [2]> steps [100] : (tensor<3xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: #0 = dense<> : tensor<0xi32>
func.func @nothing(%x0: tensor<3xi32>) -> tensor<0xi32> {
  %0 = graph.slice %x0 starts <[] -> [0]> steps [1] : (tensor<3xi32>) -> tensor<0xi32>
  return %0 : tensor<0xi32>
}

// CHECK-LABEL: func.func @inner_dims
// CHECK-NEXT: #0 = dense<{{\[\[}}[3, 5]], {{\[\[}}9, 11]]]> : tensor<2x1x2xui32>
func.func @inner_dims(%x0: tensor<2x2x3xui32>) -> tensor<2x1x2xui32> {
  %0 = graph.slice %x0 starts <[] -> [0, 1, 0]> steps [1, 1, 2] : (tensor<2x2x3xui32>) -> tensor<2x1x2xui32>
  return %0 : tensor<2x1x2xui32>
}

// CHECK-LABEL: func.func @join_rows
// CHECK-NEXT: #0 = dense<{{\[\[}}0, 1], [1, 2], [3, 4]]> : tensor<3x2xi32>
func.func @join_rows(%x0: tensor<1x2xi32>, %x1: tensor<2x2xi32>) -> tensor<3x2xi32> {
  %0 = graph.concat %x0, %x1 axis 0 : (tensor<1x2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// CHECK-LABEL: func.func @join_columns
// CHECK-NEXT: #0 = dense<{{\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [1.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x4xf16>
func.func @join_columns(%x0: tensor<2x1xf16>, %x1: tensor<2x3xf16>) -> tensor<2x4xf16> {
  %0 = graph.concat %x0, %x1 axis 1 : (tensor<2x1xf16>, tensor<2x3xf16>) -> tensor<2x4xf16>
  return %0 : tensor<2x4xf16>
}

// A part without elements among them.
// CHECK-LABEL: func.func @join_three
// CHECK-NEXT: #0 = dense<{{\[\[}}[0, 1], [2, 3], [4, 5]], {{\[\[}}2, 3], [6, 7], [8, 9]]]> : tensor<2x3x2xi8>
func.func @join_three(%x0: tensor<2x1x2xi8>, %x1: tensor<2x0x2xi8>, %x2: tensor<2x2x2xi8>) -> tensor<2x3x2xi8> {
  %0 = graph.concat %x0, %x1, %x2 axis 1 : (tensor<2x1x2xi8>, tensor<2x0x2xi8>, tensor<2x2x2xi8>) -> tensor<2x3x2xi8>
  return %0 : tensor<2x3x2xi8>
}

// CHECK-LABEL: func.func @join_one
// CHECK-NEXT: #0 = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf64>
func.func @join_one(%x0: tensor<3xf64>) -> tensor<3xf64> {
  %0 = graph.concat %x0 axis 0 : (tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}

// CHECK-LABEL: func.func @join_nothing
// CHECK-NEXT: #0 = dense<> : tensor<0x5xi32>
func.func @join_nothing(%x0: tensor<0x2xi32>, %x1: tensor<0x3xi32>) -> tensor<0x5xi32> {
  %0 = graph.concat %x0, %x1 axis 1 : (tensor<0x2xi32>, tensor<0x3xi32>) -> tensor<0x5xi32>
  return %0 : tensor<0x5xi32>
}

// A part that is not rounded yet beside one that is.
// CHECK-LABEL: func.func @join_intermediate
// CHECK-NEXT: #0 = dense<[1.000000e+00, 2.718750e+00, 1.000000e+00]> : tensor<3xf16>
func.func @join_intermediate(%x0: tensor<2xf16>, %x1: tensor<1xf16>) -> tensor<3xf16> {
  %0 = graph.unary exp %x0 : (tensor<2xf16>) -> tensor<2xf16>
  %1 = graph.concat %0, %x1 axis 0 : (tensor<2xf16>, tensor<1xf16>) -> tensor<3xf16>
  return %1 : tensor<3xf16>
}
