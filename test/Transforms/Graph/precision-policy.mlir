// RUN: kiln-opt %s --kiln-quantize-products="precision=int4 rules=/head=f32,*/mlp/*=int8,/a=nvfp4,/b=int4" | FileCheck %s
// RUN: kiln-opt %s --kiln-lower-precision="precision=bf16 rules=/head=f32" | FileCheck %s --check-prefix=BF16
// RUN: not kiln-opt %s --kiln-quantize-products="precision=int4 rules=/tail=f32" 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not kiln-opt %s --kiln-lower-precision="precision=bf16 rules=/tail=f32" 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not kiln-opt %s --kiln-quantize-products="precision=int4 rules=/head=bf16" 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not kiln-opt %s --kiln-lower-precision="precision=tf32 rules=/head=bf16" 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not kiln-opt %s --kiln-quantize-products="precision=int4 rules=[=f32" 2>&1 | FileCheck %s --check-prefix=GLOB
// What products of some nodes are in; the first rule that fits decides.

// NOTHING: a rule of the policy names no product; expected /head, /layers.0/mlp/up, /layers.0/mlp/gate, /a, /b, found /tail
// MIXED: a policy has formats that cannot stand side by side; {{.*}} found int4 and bf16
// TWO: a policy has two types of floats beside f32; expected one of tf32, bf16 and f16, found tf32 and bf16
// GLOB: a rule's nodes are no glob

// CHECK-LABEL: func.func @main
// A rule keeps it.
// CHECK: graph.matmul
// 8 bits by a glob; and of two nodes in one product, of which one has 4, the higher precision.
// CHECK: graph.scaled_matmul {{.*}} <ui8, {{.*}} columns 32
// CHECK: graph.scaled_matmul {{.*}} <ui8, {{.*}} columns 32
// CHECK: graph.scaled_matmul {{.*}} <f4E2M1FN, {{.*}} columns 32
// No rule names it.
// CHECK: graph.scaled_matmul {{.*}} <ui4, {{.*}} zeros {{.*}} columns 32
// BF16-LABEL: func.func @main
// BF16-COUNT-4: graph.matmul {{.*}} : (tensor<3x64xbf16>
// BF16-NOT: graph.matmul {{.*}} : (tensor<3x64xbf16>
module {
  graph.weight @w : tensor<64x32xf32> {file = "w", hash = "0", length = 8192 : i64, offset = 0 : i64}
  func.func @main(%x: tensor<3x64xf32>) -> (tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf32>) {
    %w = graph.get_weight @w : tensor<64x32xf32>
    %0 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32> loc("/head")
    %1 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32> loc("/layers.0/mlp/up")
    %2 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32> loc(fused["/layers.0/mlp/gate", "/a"])
    %3 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32> loc("/a")
    %4 = graph.matmul %x, %w : (tensor<3x64xf32>, tensor<64x32xf32>) -> tensor<3x32xf32> loc("node '/b' (MatMul, opset 17)")
    return %0, %1, %2, %3, %4 : tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf32>, tensor<3x32xf32>
  }
}
