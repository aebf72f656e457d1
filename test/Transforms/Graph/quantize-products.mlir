// RUN: kiln-opt %s --split-input-file --kiln-quantize-products --remarks-filter='kiln-quantize-products' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products=precision=int8 | FileCheck %s --check-prefix=EIGHT
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=int4 activations=bf16" | FileCheck %s --check-prefix=BF16
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-products="precision=int4 activations=tf32" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: weights of few bits are not multiplied with this type; expected bf16, f16, fp8, fp8-fast, nvfp4 or mxfp4, found tf32
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products=precision=nvfp4 | FileCheck %s --check-prefix=NVFP4
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products=precision=mxfp4 | FileCheck %s --check-prefix=MXFP4
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products=precision=fp8 | FileCheck %s --check-prefix=FP8
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 float8-tf32=true" | FileCheck %s --check-prefix=TF32
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 algorithm=mse" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: fp8, mxfp8 and mxfp6_e3m2 are rounded to nearest and have no algorithm; expected rtn, found mse
// RUN: not kiln-opt %s --split-input-file --kiln-quantize-products=precision=int3 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: no precision has this name; expected f32, tf32, bf16, f16, int8, mxfp8, fp8, mxfp6, mxfp6_e3m2, int4, nvfp4 or mxfp4, found int3

// Two products of one activation, which is quantized once; the columns of the second fill no panel.
// CHECK-LABEL: func.func @main
// CHECK: %[[CODES:.*]] = graph.cast %{{.*}} : (tensor<3x2x32xf32>) -> tensor<3x2x32xi8>
// CHECK-NOT: -> tensor<3x2x32xi8>
// CHECK: %[[TOTALS:.*]] = graph.reduce sum %{{.*}} axes [2] : (tensor<3x2x32xi32>) -> tensor<3x2xi32>
// CHECK: graph.scaled_matmul %{{.*}} <i8, block 32, scale f32> scales %[[S:.*]] totals %[[TOTALS]] by %{{.*}} <ui4, block 32, scale bf16, zero_point> scales %{{.*}} zeros %{{.*}} columns 32 accumulate wide : (tensor<3x64xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<2x8x16x4xui8>, tensor<2x2x16xbf16>, tensor<2x2x16xui8>) -> tensor<3x32xf32>
// CHECK: graph.scaled_matmul %{{.*}} <i8, block 32, scale f32> scales %[[S]] totals %[[TOTALS]] by %{{.*}} <ui4, block 32, scale bf16, zero_point> scales {{.*}} columns 5 accumulate wide : (tensor<3x64xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<1x8x16x4xui8>, tensor<1x2x16xbf16>, tensor<1x2x16xui8>) -> tensor<3x5xf32>
// CHECK-NOT: graph.matmul
// REMARK-COUNT-2: [Passed] quantize {{.*}}weight: integers of 4 bits in blocks of 32, scales of bf16, activations in 8 bits
// EIGHT-LABEL: func.func @main
// Blocks of int8 have 128 steps of K, or the half or a quarter if these divide K.
// EIGHT: graph.scaled_matmul {{.*}} <ui8, block 64, scale bf16, zero_point> {{.*}} columns 32 accumulate wide : (tensor<3x64xi8>, tensor<3x1xf32>, tensor<3x1xi32>, tensor<2x16x16x4xui8>, tensor<2x1x16xbf16>, tensor<2x1x16xui8>) -> tensor<3x32xf32>
// A block of 16 has activations of its own, whose scales take the unit of the weight.
// NVFP4-LABEL: func.func @main
// NVFP4: graph.reduce max %{{.*}} axes [2] {keep_dims} : (tensor<3x4x16xf32>)
// NVFP4: %[[UNIT:.*]] = graph.quantize_weight unit of %[[W:.*]] as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32>
// NVFP4: %[[S:.*]] = graph.binary mul %{{.*}}, %[[UNIT]] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
// NVFP4: %[[C:.*]] = graph.quantize_weight codes of %[[W]] unit %[[UNIT]] as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32>
// NVFP4: %[[T:.*]] = graph.quantize_weight scales of %[[W]] unit %[[UNIT]] as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32>
// NVFP4: graph.scaled_matmul %{{.*}} scales %[[S]] totals %{{.*}} by %[[C]] <f4E2M1FN, block 16, scale f8E4M3FN> scales %[[T]] columns 32
// MXFP4-LABEL: func.func @main
// MXFP4-NOT: unit
// MXFP4: graph.scaled_matmul {{.*}} <f4E2M1FN, block 32, scale f8E8M0FNU> {{.*}} columns 32 accumulate wide : (tensor<3x64xi8>, tensor<3x2xf32>, tensor<3x2xi32>, tensor<2x8x16x4xui8>, tensor<2x2x16xf8E8M0FNU>)
// One scale per weight, by which activations are multiplied; transposed weights stay so.
// FP8-LABEL: func.func @main
// FP8: %[[U:.*]] = graph.quantize_weight unit of %[[W:.*]] as <f4E2M1FN, block 16, scale f8E4M3FN, per_tensor f32>
// FP8: %[[S:.*]] = graph.binary mul %[[U]], %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
// FP8: %[[Q:.*]] = graph.binary div %[[W]], %[[S]] : (tensor<64x32xf32>, tensor<f32>) -> tensor<64x32xf32>
// FP8: %[[C:.*]] = graph.cast %[[Q]] : (tensor<64x32xf32>) -> tensor<64x32xf8E4M3FN>
// FP8: %[[X:.*]] = graph.binary mul %arg0, %[[S]] : (tensor<3x64xf32>, tensor<f32>) -> tensor<3x64xf32>
// FP8: %[[R:.*]] = graph.cast %[[C]] {graph.in_kernel} : (tensor<64x32xf8E4M3FN>) -> tensor<64x32xf32>
// FP8: graph.matmul %[[X]], %[[R]] : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
// FP8: graph.cast %{{.*}} {graph.in_kernel} : (tensor<5x64xf8E4M3FN>) -> tensor<5x64xf32>
// FP8: graph.matmul %{{.*}} {transpose_b}
// Beside them, tensor cores may round activations.
// TF32-LABEL: func.func @main
// TF32: graph.matmul %{{.*}}, %{{.*}} {tf32} : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
// TF32: graph.matmul %{{.*}} {tf32, transpose_b}
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  graph.weight @v : tensor<5x64xf32> {file = "w", hash = "0", length = 1280 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x64xf32>) -> (tensor<3x32xf32>, tensor<3x5xf32>) {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %v = graph.get_weight @v : tensor<5x64xf32>
    %0 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
    %1 = graph.matmul %x, %v {transpose_b} : (tensor<3x64xf32>, tensor<5x64xf32>) -> tensor<3x5xf32>
    return %0, %1 : tensor<3x32xf32>, tensor<3x5xf32>
  }
}

// -----

// Not: two activations, a K that is no multiple of 32, 64 bits, a weight on the left.
// CHECK-LABEL: func.func @main
// CHECK-NOT: graph.scaled_matmul
// REMARK: [Missed] quantize {{.*}}neither operand is a weight
// REMARK: [Missed] quantize {{.*}}its K is no multiple of 32, the smallest block with a scale
// REMARK: [Missed] quantize {{.*}}the model has it in another type than f32, which stays
// REMARK: [Missed] quantize {{.*}}its left operand is a weight
module {
  graph.weight @w : tensor<40x32xf32> {file = "w", hash = "0", length = 5120 : i64, offset = 0 : i64}
  graph.weight @h : tensor<64x32xf64> {file = "w", hash = "0", length = 16384 : i64, offset = 8192 : i64}
  func.func @main(%x: tensor<3x64xf32>, %y: tensor<64x32xf32>, %z: tensor<3x40xf32>, %q: tensor<3x64xf64>) -> (tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf64>, tensor<40x32xf32>) {
    %w = graph.get_weight @w : tensor<40x32xf32>
    %h = graph.get_weight @h : tensor<64x32xf64>
    %s = graph.slice %y starts #graph.shape<[] -> [0, 0]> steps [1, 1] : (tensor<64x32xf32>) -> tensor<32x32xf32>
    %0 = graph.matmul %x, %y : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
    %1 = graph.matmul %z, %w : (tensor<3x40xf32>, tensor<40x32xf32>) -> tensor<3x32xf32>
    %2 = graph.matmul %q, %h : (tensor<3x64xf64>, tensor<64x32xf64>) -> tensor<3x32xf64>
    %3 = graph.matmul %w, %s : (tensor<40x32xf32>, tensor<32x32xf32>) -> tensor<40x32xf32>
    return %0, %1, %2, %3 : tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf64>, tensor<40x32xf32>
  }
}

// -----

// Activations of f16 have no scales, whatever is asked for; in fp8 the product stays what it is.
// CHECK-LABEL: func.func @main
// CHECK: graph.quantize_weight codes of %{{.*}} as <ui4, block 32, scale bf16, zero_point> : (tensor<64x32xf32>)
// CHECK: %[[P:.*]] = graph.scaled_matmul %arg0 <f16> by %{{.*}} <ui4, {{.*}} columns 32 accumulate wide : (tensor<3x64xf16>, tensor<2x8x16x4xui8>, tensor<2x2x16xbf16>, tensor<2x2x16xui8>) -> tensor<3x32xf32>
// CHECK: graph.cast %[[P]] : (tensor<3x32xf32>) -> tensor<3x32xf16>
// CHECK: graph.scaled_matmul {{.*}} (tensor<3x64xi8>, tensor<3x2xf32>
// BF16-LABEL: func.func @main
// BF16: graph.scaled_matmul %arg0 <f16> by {{.*}}(tensor<3x64xf16>
// BF16: %[[X:.*]] = graph.cast %arg1 : (tensor<3x64xf32>) -> tensor<3x64xbf16>
// BF16: graph.scaled_matmul %[[X]] <bf16> by {{.*}} -> tensor<3x32xf32>
// REMARK: [Passed] quantize {{.*}}scales of bf16, activations in f16
// FP8-LABEL: func.func @main
// FP8: graph.matmul %arg0, %{{.*}} : (tensor<3x64xf16>, tensor<64x32xf16>)
// The unit of E2M1 multiplies the result.
// NVFP4-LABEL: func.func @main
// NVFP4: %[[U:.*]] = graph.quantize_weight unit
// NVFP4: %[[P:.*]] = graph.scaled_matmul %arg0
// NVFP4: graph.binary mul %[[P]], %[[U]] : (tensor<3x32xf32>, tensor<f32>)
module {
  graph.weight @w : tensor<64x32xf16> {file = "w", hash = "0", length = 4096 : i64, offset = 0 : i64}
  graph.weight @v : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 4096 : i64}
  func.func @main(%x: tensor<3x64xf16>, %y: tensor<3x64xf32>) -> (tensor<3x32xf16>, tensor<3x32xf32>) {
    %w = graph.get_weight @w : tensor<64x32xf16>
    %v = graph.get_weight @v : tensor<64x32xf32>
    %0 = graph.matmul %x, %w : (tensor<3x64xf16>, tensor<64x32xf16>) -> tensor<3x32xf16>
    %1 = graph.matmul %y, %v : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32>
    return %0, %1 : tensor<3x32xf16>, tensor<3x32xf32>
  }
}
