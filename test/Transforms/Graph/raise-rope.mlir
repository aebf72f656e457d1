// RUN: kiln-opt %s --split-input-file --kiln-raise-rope --remarks-filter='kiln-raise-rope' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// x * cos + rotate_half(x) * sin, as transformers spells it: tables of both halves become half as wide.
// CHECK-LABEL: func.func @llama
// CHECK-DAG: %[[C:.*]] = graph.unary cos %arg1
// CHECK-DAG: %[[S:.*]] = graph.unary sin %arg1
// CHECK-DAG: %[[CR:.*]] = graph.reshape %[[C]]
// CHECK-DAG: %[[SR:.*]] = graph.reshape %[[S]]
// CHECK: %[[R:.*]] = graph.rope %arg0, %[[CR]], %[[SR]] : (tensor<2x4x8x16xf32>, tensor<2x1x8x8xf32>, tensor<2x1x8x8xf32>)
// CHECK-NEXT: return %[[R]]
// REMARK: [Passed] rope | {{.*}}rotary embedding of the halves
func.func @llama(%x: tensor<2x4x8x16xf32>, %angles: tensor<2x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %0 = graph.concat %angles, %angles axis 2 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
  %1 = graph.unary cos %0 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %2 = graph.reshape %1 : (tensor<2x8x16xf32>) -> tensor<2x1x8x16xf32>
  %3 = graph.unary sin %0 : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %4 = graph.reshape %3 : (tensor<2x8x16xf32>) -> tensor<2x1x8x16xf32>
  %5 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %6 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %7 = graph.unary neg %6 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %8 = graph.concat %7, %5 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32>
  %9 = graph.binary mul %x, %2 : (tensor<2x4x8x16xf32>, tensor<2x1x8x16xf32>) -> tensor<2x4x8x16xf32>
  %10 = graph.binary mul %8, %4 : (tensor<2x4x8x16xf32>, tensor<2x1x8x16xf32>) -> tensor<2x4x8x16xf32>
  %11 = graph.binary add %9, %10 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %11 : tensor<2x4x8x16xf32>
}

// -----

// A factor of long contexts belongs to the tables; heads behind positions; minus one is a sign.
// CHECK-LABEL: func.func @scaled
// CHECK-DAG: %[[C:.*]] = graph.unary cos %arg1
// CHECK-DAG: %[[S:.*]] = graph.unary sin %arg1
// CHECK-DAG: %[[CK:.*]] = graph.binary mul %[[C]]
// CHECK-DAG: %[[SK:.*]] = graph.binary mul %[[S]]
// CHECK: graph.rope %arg0, %[[CK]], %[[SK]]
// REMARK: [Passed] rope
func.func @scaled(%x: tensor<2x8x4x16xf32>, %angles: tensor<2x8x1x8xf32>) -> tensor<2x8x4x16xf32> {
  %0 = graph.concat %angles, %angles axis 3 : (tensor<2x8x1x8xf32>, tensor<2x8x1x8xf32>) -> tensor<2x8x1x16xf32>
  %1 = graph.constant dense<1.25> : tensor<f32>
  %2 = graph.constant dense<-1.0> : tensor<f32>
  %3 = graph.unary cos %0 : (tensor<2x8x1x16xf32>) -> tensor<2x8x1x16xf32>
  %4 = graph.binary mul %3, %1 : (tensor<2x8x1x16xf32>, tensor<f32>) -> tensor<2x8x1x16xf32>
  %5 = graph.unary sin %0 : (tensor<2x8x1x16xf32>) -> tensor<2x8x1x16xf32>
  %6 = graph.binary mul %5, %1 : (tensor<2x8x1x16xf32>, tensor<f32>) -> tensor<2x8x1x16xf32>
  %7 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
  %8 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
  %9 = graph.binary mul %8, %2 : (tensor<2x8x4x8xf32>, tensor<f32>) -> tensor<2x8x4x8xf32>
  %10 = graph.concat %9, %7 axis 3 : (tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x16xf32>
  %11 = graph.binary mul %x, %4 : (tensor<2x8x4x16xf32>, tensor<2x8x1x16xf32>) -> tensor<2x8x4x16xf32>
  %12 = graph.binary mul %10, %6 : (tensor<2x8x4x16xf32>, tensor<2x8x1x16xf32>) -> tensor<2x8x4x16xf32>
  %13 = graph.binary add %11, %12 : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x8x4x16xf32>
  return %13 : tensor<2x8x4x16xf32>
}

// -----

// Both halves by themselves, with tables of half the width.
// CHECK-LABEL: func.func @writtenOut
// CHECK-NEXT: %[[R:.*]] = graph.rope %arg0, %arg1, %arg2
// CHECK-NEXT: return %[[R]]
// REMARK: [Passed] rope
func.func @writtenOut(%x: tensor<2x4x8x16xf32>, %cos: tensor<8x8xf32>, %sin: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %2 = graph.binary mul %0, %cos : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %3 = graph.binary mul %1, %sin : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = graph.binary sub %2, %3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = graph.binary mul %sin, %0 : (tensor<8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %6 = graph.binary mul %cos, %1 : (tensor<8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %7 = graph.binary add %5, %6 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32>
  return %8 : tensor<2x4x8x16xf32>
}

// -----

// Adjacent elements, taken by strides and put back by a stack.
// CHECK-LABEL: func.func @adjacent
// CHECK-NEXT: %[[R:.*]] = graph.rope %arg0, %arg1, %arg2 {interleaved}
// CHECK-NEXT: return %[[R]]
// REMARK: [Passed] rope | {{.*}}rotary embedding of adjacent elements
func.func @adjacent(%x: tensor<2x8x4x16xf32>, %cos: tensor<1x8x1x8xf32>, %sin: tensor<1x8x1x8xf32>) -> tensor<2x8x4x16xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 2] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
  %1 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 1]> steps [1, 1, 1, 2] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
  %2 = graph.binary mul %0, %cos : (tensor<2x8x4x8xf32>, tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
  %3 = graph.binary mul %1, %sin : (tensor<2x8x4x8xf32>, tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
  %4 = graph.binary sub %2, %3 : (tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x8xf32>
  %5 = graph.binary mul %0, %sin : (tensor<2x8x4x8xf32>, tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
  %6 = graph.binary mul %1, %cos : (tensor<2x8x4x8xf32>, tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
  %7 = graph.binary add %5, %6 : (tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x8xf32>
  %8 = graph.reshape %4 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8x1xf32>
  %9 = graph.reshape %7 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8x1xf32>
  %10 = graph.concat %8, %9 axis 4 : (tensor<2x8x4x8x1xf32>, tensor<2x8x4x8x1xf32>) -> tensor<2x8x4x8x2xf32>
  %11 = graph.reshape %10 : (tensor<2x8x4x8x2xf32>) -> tensor<2x8x4x16xf32>
  return %11 : tensor<2x8x4x16xf32>
}

// -----

// Adjacent elements, taken apart by a reshape: the body of ONNX RotaryEmbedding.
// CHECK-LABEL: func.func @reshaped
// CHECK-NEXT: graph.rope %arg0, %arg1, %arg2 {interleaved}
// REMARK: [Passed] rope
func.func @reshaped(%x: tensor<2x8x4x16xf32>, %cos: tensor<1x8x1x8xf32>, %sin: tensor<1x8x1x8xf32>) -> tensor<2x8x4x16xf32> {
  %0 = graph.reshape %x : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8x2xf32>
  %1 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 0, 0, 0]> steps [1, 1, 1, 1, 1] : (tensor<2x8x4x8x2xf32>) -> tensor<2x8x4x8x1xf32>
  %2 = graph.reshape %1 : (tensor<2x8x4x8x1xf32>) -> tensor<2x8x4x8xf32>
  %3 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 0, 0, 1]> steps [1, 1, 1, 1, 1] : (tensor<2x8x4x8x2xf32>) -> tensor<2x8x4x8x1xf32>
  %4 = graph.reshape %3 : (tensor<2x8x4x8x1xf32>) -> tensor<2x8x4x8xf32>
  %5 = graph.binary mul %2, %cos : (tensor<2x8x4x8xf32>, tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
  %6 = graph.binary mul %4, %sin : (tensor<2x8x4x8xf32>, tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
  %7 = graph.binary sub %5, %6 : (tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x8xf32>
  %8 = graph.binary mul %2, %sin : (tensor<2x8x4x8xf32>, tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
  %9 = graph.binary mul %4, %cos : (tensor<2x8x4x8xf32>, tensor<1x8x1x8xf32>) -> tensor<2x8x4x8xf32>
  %10 = graph.binary add %8, %9 : (tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x8xf32>
  %11 = graph.reshape %7 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8x1xf32>
  %12 = graph.reshape %10 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8x1xf32>
  %13 = graph.concat %11, %12 axis 4 : (tensor<2x8x4x8x1xf32>, tensor<2x8x4x8x1xf32>) -> tensor<2x8x4x8x2xf32>
  %14 = graph.reshape %13 : (tensor<2x8x4x8x2xf32>) -> tensor<2x8x4x16xf32>
  return %14 : tensor<2x8x4x16xf32>
}

// -----

// GPT-J: adjacent elements of the first 16, a table of sines and cosines, each repeated.
// CHECK-LABEL: func.func @gptj
// CHECK: %[[R:.*]] = graph.rope %arg0, %{{.*}}, %{{.*}} {interleaved} : (tensor<2x8x4x24xf32>, tensor<2x8x1x8xf32>, tensor<2x8x1x8xf32>)
// CHECK-NEXT: return %[[R]]
// REMARK: [Passed] rope
func.func @gptj(%x: tensor<2x8x4x24xf32>, %table: tensor<2048x16xf32>, %positions: tensor<2x8xi64>) -> tensor<2x8x4x24xf32> {
  %0 = graph.gather %table, %positions axis 0 : (tensor<2048x16xf32>, tensor<2x8xi64>) -> tensor<2x8x16xf32>
  %1 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 0]> steps [1, 1, 1] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
  %2 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 8]> steps [1, 1, 1] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
  %3 = graph.reshape %2 : (tensor<2x8x8xf32>) -> tensor<2x8x1x8x1xf32>
  %4 = graph.broadcast %3 : (tensor<2x8x1x8x1xf32>) -> tensor<2x8x1x8x2xf32>
  %5 = graph.reshape %4 : (tensor<2x8x1x8x2xf32>) -> tensor<2x8x1x16xf32>
  %6 = graph.reshape %1 : (tensor<2x8x8xf32>) -> tensor<2x8x1x8x1xf32>
  %7 = graph.broadcast %6 : (tensor<2x8x1x8x1xf32>) -> tensor<2x8x1x8x2xf32>
  %8 = graph.reshape %7 : (tensor<2x8x1x8x2xf32>) -> tensor<2x8x1x16xf32>
  %9 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x8x4x24xf32>) -> tensor<2x8x4x16xf32>
  %10 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 16]> steps [1, 1, 1, 1] : (tensor<2x8x4x24xf32>) -> tensor<2x8x4x8xf32>
  %11 = graph.slice %9 starts #graph.shape<[] -> [0, 0, 0, 1]> steps [1, 1, 1, 2] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
  %12 = graph.unary neg %11 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8xf32>
  %13 = graph.slice %9 starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 2] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
  %14 = graph.reshape %12 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8x1xf32>
  %15 = graph.reshape %13 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8x1xf32>
  %16 = graph.concat %14, %15 axis 4 : (tensor<2x8x4x8x1xf32>, tensor<2x8x4x8x1xf32>) -> tensor<2x8x4x8x2xf32>
  %17 = graph.reshape %16 : (tensor<2x8x4x8x2xf32>) -> tensor<2x8x4x16xf32>
  %18 = graph.binary mul %9, %5 : (tensor<2x8x4x16xf32>, tensor<2x8x1x16xf32>) -> tensor<2x8x4x16xf32>
  %19 = graph.binary mul %17, %8 : (tensor<2x8x4x16xf32>, tensor<2x8x1x16xf32>) -> tensor<2x8x4x16xf32>
  %20 = graph.binary add %18, %19 : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x8x4x16xf32>
  %21 = graph.concat %20, %10 axis 3 : (tensor<2x8x4x16xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x24xf32>
  return %21 : tensor<2x8x4x24xf32>
}

// -----

// Rows of constant tables whose halves are equal.
// CHECK-LABEL: func.func @gathered
// CHECK-DAG: graph.gather %{{.*}}, %arg1 axis 0 : (tensor<3x2xf32>
// CHECK: graph.rope %arg0, %{{.*}}, %{{.*}} : (tensor<1x2x2x4xf32>, tensor<1x1x2x2xf32>
// REMARK: [Passed] rope
func.func @gathered(%x: tensor<1x2x2x4xf32>, %positions: tensor<1x2xi64>) -> tensor<1x2x2x4xf32> {
  %0 = graph.constant dense<[[1.0, 2.0, 1.0, 2.0], [3.0, 4.0, 3.0, 4.0], [5.0, 6.0, 5.0, 6.0]]> : tensor<3x4xf32>
  %1 = graph.constant dense<[[7.0, 8.0, 7.0, 8.0], [9.0, 1.0, 9.0, 1.0], [2.0, 3.0, 2.0, 3.0]]> : tensor<3x4xf32>
  %2 = graph.gather %0, %positions axis 0 : (tensor<3x4xf32>, tensor<1x2xi64>) -> tensor<1x2x4xf32>
  %3 = graph.reshape %2 : (tensor<1x2x4xf32>) -> tensor<1x1x2x4xf32>
  %4 = graph.gather %1, %positions axis 0 : (tensor<3x4xf32>, tensor<1x2xi64>) -> tensor<1x2x4xf32>
  %5 = graph.reshape %4 : (tensor<1x2x4xf32>) -> tensor<1x1x2x4xf32>
  %6 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x2xf32>
  %7 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 2]> steps [1, 1, 1, 1] : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x2xf32>
  %8 = graph.unary neg %7 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %9 = graph.concat %8, %6 axis 3 : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x4xf32>
  %10 = graph.binary mul %x, %3 : (tensor<1x2x2x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x2x2x4xf32>
  %11 = graph.binary mul %9, %5 : (tensor<1x2x2x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x2x2x4xf32>
  %12 = graph.binary add %10, %11 : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  return %12 : tensor<1x2x2x4xf32>
}

// -----

// The first 8 of 20 elements; the others are joined behind them.
// CHECK-LABEL: func.func @partial
// CHECK-NEXT: %[[R:.*]] = graph.rope %arg0, %arg1, %arg2 : (tensor<2x4x8x20xf32>
// CHECK-NEXT: return %[[R]]
// REMARK: [Passed] rope
func.func @partial(%x: tensor<2x4x8x20xf32>, %cos: tensor<1x1x8x4xf32>, %sin: tensor<1x1x8x4xf32>) -> tensor<2x4x8x20xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x20xf32>) -> tensor<2x4x8x8xf32>
  %1 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x20xf32>) -> tensor<2x4x8x12xf32>
  %2 = graph.concat %cos, %cos axis 3 : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x8xf32>
  %3 = graph.concat %sin, %sin axis 3 : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x8xf32>
  %4 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x4xf32>
  %5 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 0, 4]> steps [1, 1, 1, 1] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x4xf32>
  %6 = graph.unary neg %5 : (tensor<2x4x8x4xf32>) -> tensor<2x4x8x4xf32>
  %7 = graph.concat %6, %4 axis 3 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
  %8 = graph.binary mul %0, %2 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %9 = graph.binary mul %7, %3 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %10 = graph.binary add %8, %9 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %11 = graph.concat %10, %1 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x20xf32>
  return %11 : tensor<2x4x8x20xf32>
}

// -----

// Of a packed product: the heads are what is rotated, not the product.
// CHECK-LABEL: func.func @packed
// CHECK: %[[X:.*]] = graph.reshape
// CHECK: graph.rope %[[X]], %arg1, %arg2
// REMARK: [Passed] rope
func.func @packed(%qkv: tensor<2x8x96xf32>, %cos: tensor<1x8x1x8xf32>, %sin: tensor<1x8x1x8xf32>) -> tensor<2x8x4x16xf32> {
  %0 = graph.slice %qkv starts #graph.shape<[] -> [0, 0, 0]> steps [1, 1, 1] : (tensor<2x8x96xf32>) -> tensor<2x8x64xf32>
  %1 = graph.reshape %0 : (tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32>
  %2 = graph.concat %cos, %cos axis 3 : (tensor<1x8x1x8xf32>, tensor<1x8x1x8xf32>) -> tensor<1x8x1x16xf32>
  %3 = graph.concat %sin, %sin axis 3 : (tensor<1x8x1x8xf32>, tensor<1x8x1x8xf32>) -> tensor<1x8x1x16xf32>
  %4 = graph.slice %1 starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
  %5 = graph.slice %1 starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x8x4x16xf32>) -> tensor<2x8x4x8xf32>
  %6 = graph.unary neg %5 : (tensor<2x8x4x8xf32>) -> tensor<2x8x4x8xf32>
  %7 = graph.concat %6, %4 axis 3 : (tensor<2x8x4x8xf32>, tensor<2x8x4x8xf32>) -> tensor<2x8x4x16xf32>
  %8 = graph.binary mul %1, %2 : (tensor<2x8x4x16xf32>, tensor<1x8x1x16xf32>) -> tensor<2x8x4x16xf32>
  %9 = graph.binary mul %7, %3 : (tensor<2x8x4x16xf32>, tensor<1x8x1x16xf32>) -> tensor<2x8x4x16xf32>
  %10 = graph.binary add %8, %9 : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x8x4x16xf32>
  return %10 : tensor<2x8x4x16xf32>
}

// -----

// Rotated back: by the negated sine.
// CHECK-LABEL: func.func @inverse
// CHECK-NEXT: %[[N:.*]] = graph.unary neg %arg2
// CHECK-NEXT: graph.rope %arg0, %arg1, %[[N]]
// REMARK: [Passed] rope
func.func @inverse(%x: tensor<2x4x8x16xf32>, %cos: tensor<8x8xf32>, %sin: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %2 = graph.binary mul %0, %cos : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %3 = graph.binary mul %1, %sin : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = graph.binary add %2, %3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = graph.binary mul %1, %cos : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %6 = graph.binary mul %sin, %0 : (tensor<8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %7 = graph.binary sub %5, %6 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32>
  return %8 : tensor<2x4x8x16xf32>
}

// -----

// Tables of the caller: their halves may differ.
// CHECK-LABEL: func.func @unknownTables
// CHECK-NOT: graph.rope
// CHECK: return
// REMARK: [Missed] rope | {{.*}}Reason="the elements of a pair have cosines that may differ
func.func @unknownTables(%x: tensor<2x4x8x16xf32>, %cos: tensor<8x16xf32>, %sin: tensor<8x16xf32>) -> tensor<2x4x8x16xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %2 = graph.unary neg %1 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %3 = graph.concat %2, %0 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32>
  %4 = graph.binary mul %x, %cos : (tensor<2x4x8x16xf32>, tensor<8x16xf32>) -> tensor<2x4x8x16xf32>
  %5 = graph.binary mul %3, %sin : (tensor<2x4x8x16xf32>, tensor<8x16xf32>) -> tensor<2x4x8x16xf32>
  %6 = graph.binary add %4, %5 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %6 : tensor<2x4x8x16xf32>
}

// -----

// Constant tables whose halves do differ.
// CHECK-LABEL: func.func @unequalHalves
// CHECK-NOT: graph.rope
// CHECK: return
// REMARK: [Missed] rope | {{.*}}Reason="the elements of a pair have sines that may differ
func.func @unequalHalves(%x: tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32> {
  %0 = graph.constant dense<[[1.0, 2.0, 1.0, 2.0]]> : tensor<1x4xf32>
  %1 = graph.constant dense<[[7.0, 8.0, 7.0, 9.0]]> : tensor<1x4xf32>
  %2 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x2xf32>
  %3 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 2]> steps [1, 1, 1, 1] : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x2xf32>
  %4 = graph.unary neg %3 : (tensor<1x2x1x2xf32>) -> tensor<1x2x1x2xf32>
  %5 = graph.concat %4, %2 axis 3 : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x2x1x4xf32>
  %6 = graph.binary mul %x, %0 : (tensor<1x2x1x4xf32>, tensor<1x4xf32>) -> tensor<1x2x1x4xf32>
  %7 = graph.binary mul %5, %1 : (tensor<1x2x1x4xf32>, tensor<1x4xf32>) -> tensor<1x2x1x4xf32>
  %8 = graph.binary add %6, %7 : (tensor<1x2x1x4xf32>, tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
  return %8 : tensor<1x2x1x4xf32>
}

// -----

// Both sines with a plus: no rotation, and nothing that looks like one.
// CHECK-LABEL: func.func @noRotation
// CHECK-NOT: graph.rope
// CHECK: return
func.func @noRotation(%x: tensor<2x4x8x16xf32>, %cos: tensor<8x8xf32>, %sin: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %2 = graph.binary mul %0, %cos : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %3 = graph.binary mul %1, %sin : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = graph.binary add %2, %3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = graph.binary mul %1, %cos : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %6 = graph.binary mul %sin, %0 : (tensor<8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %7 = graph.binary add %5, %6 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32>
  return %8 : tensor<2x4x8x16xf32>
}

// -----

// A negated half alone.
// CHECK-LABEL: func.func @onlyTurned
// CHECK-NOT: graph.rope
// CHECK: return
// REMARK: [Missed] rope | {{.*}}Reason="its result is not used in x * cosine
func.func @onlyTurned(%x: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %2 = graph.unary neg %1 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %3 = graph.concat %2, %0 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32>
  return %3 : tensor<2x4x8x16xf32>
}

// -----

// Adjacent elements that are put half the width apart.
// CHECK-LABEL: func.func @moved
// CHECK-NOT: graph.rope
// CHECK: return
func.func @moved(%x: tensor<2x4x8x16xf32>, %cos: tensor<8x8xf32>, %sin: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 1]> steps [1, 1, 1, 2] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %2 = graph.binary mul %0, %cos : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %3 = graph.binary mul %1, %sin : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %4 = graph.binary sub %2, %3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %5 = graph.binary mul %0, %sin : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %6 = graph.binary mul %1, %cos : (tensor<2x4x8x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8x8xf32>
  %7 = graph.binary add %5, %6 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %8 = graph.concat %4, %7 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32>
  return %8 : tensor<2x4x8x16xf32>
}

// -----

// The halves of another value.
// CHECK-LABEL: func.func @otherValue
// CHECK-NOT: graph.rope
// CHECK: return
// REMARK: [Missed] rope | {{.*}}Reason="
func.func @otherValue(%x: tensor<2x4x8x16xf32>, %y: tensor<2x4x8x16xf32>, %angles: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %0 = graph.concat %angles, %angles axis 1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  %1 = graph.unary cos %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = graph.unary sin %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = graph.slice %y starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %4 = graph.slice %y starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x16xf32>) -> tensor<2x4x8x8xf32>
  %5 = graph.binary mul %x, %1 : (tensor<2x4x8x16xf32>, tensor<8x16xf32>) -> tensor<2x4x8x16xf32>
  %6 = graph.unary neg %4 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %7 = graph.concat %6, %3 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32>
  %8 = graph.binary mul %7, %2 : (tensor<2x4x8x16xf32>, tensor<8x16xf32>) -> tensor<2x4x8x16xf32>
  %9 = graph.binary add %5, %8 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %9 : tensor<2x4x8x16xf32>
}

// -----

// What is joined behind is of another value: the rope is of the slice.
// CHECK-LABEL: func.func @otherRest
// CHECK: %[[X:.*]] = graph.slice %arg0
// CHECK: %[[R:.*]] = graph.rope %[[X]], %arg2, %arg3
// CHECK: graph.concat %[[R]]
func.func @otherRest(%x: tensor<2x4x8x20xf32>, %y: tensor<2x4x8x20xf32>, %cos: tensor<1x1x8x4xf32>, %sin: tensor<1x1x8x4xf32>) -> tensor<2x4x8x20xf32> {
  %0 = graph.slice %x starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x20xf32>) -> tensor<2x4x8x8xf32>
  %1 = graph.slice %y starts #graph.shape<[] -> [0, 0, 0, 8]> steps [1, 1, 1, 1] : (tensor<2x4x8x20xf32>) -> tensor<2x4x8x12xf32>
  %2 = graph.concat %cos, %cos axis 3 : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x8xf32>
  %3 = graph.concat %sin, %sin axis 3 : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>) -> tensor<1x1x8x8xf32>
  %4 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 0, 0]> steps [1, 1, 1, 1] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x4xf32>
  %5 = graph.slice %0 starts #graph.shape<[] -> [0, 0, 0, 4]> steps [1, 1, 1, 1] : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x4xf32>
  %6 = graph.unary neg %5 : (tensor<2x4x8x4xf32>) -> tensor<2x4x8x4xf32>
  %7 = graph.concat %6, %4 axis 3 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
  %8 = graph.binary mul %0, %2 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %9 = graph.binary mul %7, %3 : (tensor<2x4x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<2x4x8x8xf32>
  %10 = graph.binary add %8, %9 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %11 = graph.concat %10, %1 axis 3 : (tensor<2x4x8x8xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x8x20xf32>
  return %11 : tensor<2x4x8x20xf32>
}
