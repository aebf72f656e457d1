// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=int8 ranges=up=3.5,down=2.5" --kiln-hoist-bake --kiln-fuse-kernels="targets=x86-64-v3" --kiln-verify-kernels | FileCheck %s --check-prefixes=ALL,HOST
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=int8 ranges=up=3.5,down=2.5" --kiln-hoist-bake --kiln-fuse-kernels="targets=x86-64-v3,sm_80" --kiln-verify-kernels | FileCheck %s --check-prefixes=ALL,GPU
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=int4 ranges=up=3.5,down=2.5" --kiln-hoist-bake --kiln-fuse-kernels="targets=sm_80" --kiln-verify-kernels | FileCheck %s --check-prefix=INT4
// RUN: kiln-opt %s --split-input-file --kiln-quantize-products="precision=fp8 activations=fp8 ranges=up=3.5,down=2.5" --kiln-hoist-bake --kiln-fuse-kernels="targets=x86-64-v3" --kiln-verify-kernels | FileCheck %s --check-prefix=FLOAT8
// Codes by a static scale are written by what computes the activations: a norm, or a product's epilogue. The scale is a view of a weight.

// The sums of codes are one kernel beside the codes on GPUs, and behind those of an epilogue.
// ALL-LABEL: func.func @main
// HOST: graph.kernel "row"
// HOST: graph.rms_norm
// HOST: graph.cast {{.*}} -> tensor<3x128xi8>
// HOST: graph.kernel "row"
// HOST: graph.reduce sum
// GPU: %{{.*}}:2 = graph.kernel "row"
// GPU: graph.rms_norm
// GPU: graph.cast {{.*}} -> tensor<3x128xi8>
// GPU: graph.reduce sum
// ALL: graph.kernel "matmul"
// ALL: graph.broadcast %{{.*}} : (tensor<f32>) -> tensor<3x1xf32>
// ALL: graph.scaled_matmul
// ALL: graph.unary tanh
// ALL: graph.unary round
// ALL: graph.yield %{{.*}} : tensor<3x256xi8>
// ALL: graph.kernel "row"
// ALL: graph.reduce sum {{.*}} -> tensor<3x2xi32>
// ALL: graph.kernel "matmul"
// ALL: graph.broadcast %{{.*}} : (tensor<f32>) -> tensor<3x2xf32>
// ALL: graph.scaled_matmul
// ALL-NOT: graph.kernel
// Not: blocks that are shorter than the norm's rows are summed by a kernel of their own.
// INT4-LABEL: func.func @main
// INT4: graph.kernel "row"
// INT4: graph.rms_norm
// INT4: graph.kernel "row"
// INT4: graph.reduce sum {{.*}} -> tensor<3x4xi32>
// INT4: graph.kernel "matmul"
// INT4: graph.kernel "row"
// INT4: graph.kernel "matmul"
// INT4-NOT: graph.kernel
// x == x ? x : 0 is no reason to write x.
// FLOAT8-LABEL: func.func @main
// FLOAT8: graph.kernel "row"
// FLOAT8: graph.rms_norm
// FLOAT8: graph.compare equal
// FLOAT8: graph.yield %{{.*}} : tensor<3x128xf8E4M3FN>
// Not: sums of tensor cores are written in f32.
// FLOAT8: graph.kernel "matmul"
// FLOAT8: graph.scaled_matmul
// FLOAT8: graph.yield %{{.*}} : tensor<3x256xf32>
// FLOAT8: graph.kernel "pointwise"
// FLOAT8: graph.compare equal
// FLOAT8: graph.yield %{{.*}} : tensor<3x256xf8E4M3FN>
// FLOAT8: graph.kernel "matmul"
// FLOAT8-NOT: graph.kernel
module {
  graph.weight @w : tensor<128x256xf32> {file = "w", hash = "0", length = 131072 : i64, offset = 0 : i64}
  graph.weight @v : tensor<256x128xf32> {file = "w", hash = "0", length = 131072 : i64, offset = 131072 : i64}
  graph.weight @s : tensor<128xf32> {file = "w", hash = "0", length = 512 : i64, offset = 262144 : i64}
  func.func @main(%x: tensor<3x128xf32>) -> tensor<3x128xf32> {
    %w = graph.get_weight @w : tensor<128x256xf32>
    %v = graph.get_weight @v : tensor<256x128xf32>
    %s = graph.get_weight @s : tensor<128xf32>
    %0 = graph.rms_norm %x scale %s axis 1 {epsilon = 1.0e-05 : f64} : (tensor<3x128xf32>, tensor<128xf32>) -> tensor<3x128xf32>
    %1 = graph.matmul %0, %w : (tensor<3x128xf32>, tensor<128x256xf32>) -> tensor<3x256xf32> loc("node 'up' (MatMul, opset 17)")
    %2 = graph.unary tanh %1 : (tensor<3x256xf32>) -> tensor<3x256xf32>
    %3 = graph.matmul %2, %v : (tensor<3x256xf32>, tensor<256x128xf32>) -> tensor<3x128xf32> loc("node 'down' (MatMul, opset 17)")
    return %3 : tensor<3x128xf32>
  }
}

// -----

// Not: activations that something else reads are written, and their codes by a kernel of their own, with the sums of blocks on GPUs.
// ALL-LABEL: func.func @main
// ALL: graph.kernel "matmul"
// ALL: graph.yield %{{.*}} : tensor<3x128xf32>
// HOST: graph.kernel "pointwise"
// HOST: graph.yield %{{.*}} : tensor<3x128xi8>
// HOST: graph.kernel "row"
// GPU: %{{.*}}:2 = graph.kernel "row"
// ALL: graph.kernel "matmul"
// ALL-NOT: graph.kernel
// INT4-LABEL: func.func @main
// INT4: graph.kernel "matmul"
// INT4: %{{.*}}:2 = graph.kernel "row" {{.*}} -> (tensor<3x128xi8>, tensor<3x4xi32>)
// INT4: graph.kernel "matmul"
// INT4-NOT: graph.kernel
// FLOAT8-LABEL: func.func @main
// FLOAT8: graph.kernel "matmul"
// FLOAT8: graph.yield %{{.*}} : tensor<3x128xf32>
// FLOAT8: graph.kernel "pointwise"
// FLOAT8: graph.compare equal
// FLOAT8: graph.kernel "matmul"
// FLOAT8-NOT: graph.kernel
module {
  graph.weight @w : tensor<64x128xf32> {file = "w", hash = "0", length = 32768 : i64, offset = 0 : i64}
  graph.weight @v : tensor<128x128xf32> {file = "w", hash = "0", length = 65536 : i64, offset = 32768 : i64}
  func.func @main(%x: tensor<3x64xf32>) -> tensor<3x128xf32> {
    %w = graph.get_weight @w : tensor<64x128xf32>
    %v = graph.get_weight @v : tensor<128x128xf32>
    %1 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x128xf32>) -> tensor<3x128xf32>
    %3 = graph.matmul %1, %v : (tensor<3x128xf32>, tensor<128x128xf32>) -> tensor<3x128xf32> loc("node 'down' (MatMul, opset 17)")
    %4 = graph.binary add %3, %1 : (tensor<3x128xf32>, tensor<3x128xf32>) -> tensor<3x128xf32>
    return %4 : tensor<3x128xf32>
  }
}
