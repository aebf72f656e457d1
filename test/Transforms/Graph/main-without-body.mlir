// RUN: kiln-opt %s --kiln-find-index-inputs --kiln-find-state --kiln-make-state --kiln-make-rings --kiln-make-programs | FileCheck %s
// RUN: kiln-opt %s --kiln-lower-precision=precision=bf16 --kiln-quantize-caches=format=int8 --kiln-shard=ranks=2 --kiln-hoist-bake | FileCheck %s
// Passes over a whole model leave a module alone whose model has no body.

// CHECK: module {
// CHECK-NEXT: func.func private @main(tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: }
func.func private @main(tensor<4xf32>) -> tensor<4xf32>
